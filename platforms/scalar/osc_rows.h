/* Key rows with the scalar backend: the definition. The contract of this file is in
 * platforms/README.md. */
#ifndef OSC_ROWS_H
#define OSC_ROWS_H

#include "osc_transform_rows.h"

static inline void osc_transpose_tracks(const int32_t *first, uint32_t tracks, int32_t *transposed,
                                        uint32_t words)
{
    (void)first;
    (void)tracks;
    (void)transposed;
    (void)words;
}

static inline void osc_fill_tracks(const int32_t *at, uint32_t tracks, const int32_t *transposed,
                                   const osc_rows *rows)
{
    (void)transposed;
    for (; tracks != 0u; tracks--)
        at = osc_fill_track(at, rows);
}

#endif
