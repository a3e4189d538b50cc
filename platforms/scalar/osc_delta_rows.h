/* Rows of the delta codec with the scalar backend: the definition. The contract of this file is in
 * platforms/README.md. */
#ifndef OSC_DELTA_ROWS_H
#define OSC_DELTA_ROWS_H

#include "osc_delta_run.h"

#define OSC_DELTA_FILLS 0 /* osc_delta_fill_tracks fills none */

static inline bool osc_delta_fill_tracks(osc_delta_run *run, osc_window_store *store)
{
    (void)store;
    return osc_delta_step(run);
}

#endif
