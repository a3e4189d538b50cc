/* The square root with the scalar backend: no instruction for it. The contract of this file is in
 * platforms/README.md. */
#ifndef OSC_SQRT_H
#define OSC_SQRT_H

#include <stdint.h>

#define OSC_SQRT 0

static inline uint32_t osc_sqrt_q20(uint32_t n_q28)
{
    return n_q28; /* never called */
}

#endif
