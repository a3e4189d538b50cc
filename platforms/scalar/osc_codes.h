/* Codes of a key row with the scalar backend: none is read in any other way than the window's. The
 * contract of this file is in platforms/README.md. */
#ifndef OSC_CODES_H
#define OSC_CODES_H

#include "osc_port.h"
#include "osc_window.h"

#define OSC_CODES_SHORT 0                /* osc_codes_take_short never succeeds */
#define OSC_CODES_NOINLINE static inline /* declares what else has to be called */

static inline bool osc_codes_take_short(osc_window_store *store, const uint32_t k[3],
                                        int32_t numbers[3])
{
    (void)store;
    (void)k;
    (void)numbers;
    return false;
}

static inline int32_t osc_codes_unit(uint32_t shift)
{
    return osc_shl(1, shift);
}

#endif
