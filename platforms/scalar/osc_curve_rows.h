/* Rows of curve clips with the scalar backend: none is made in any other way than osc_curve.c does.
 * The contract of this file is in platforms/README.md. */
#ifndef OSC_CURVE_ROWS_H
#define OSC_CURVE_ROWS_H

#include "osc_curve_track.h"

#define OSC_CURVE_FILLS 0 /* osc_curve_fill does nothing */
#define OSC_CURVE_BEGINS OSC_CURVE_OTHER

static inline uint32_t osc_curve_keep_k(uint32_t k_q2)
{
    return k_q2;
}

static inline uint32_t osc_curve_kept_k(uint32_t kept)
{
    return kept;
}

static inline void osc_curve_ready(osc_curve_sparse *track, bool filled)
{
    (void)track;
    (void)filled;
}

static inline void osc_curve_fill(osc_curve_run *run)
{
    (void)run;
}

#endif
