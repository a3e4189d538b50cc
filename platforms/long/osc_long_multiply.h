/* SPDX-License-Identifier: MIT */
/* Matrix products with 64-bit sums. */
#ifndef OSC_LONG_MULTIPLY_H
#define OSC_LONG_MULTIPLY_H

#include "osc_long.h"

/* One row of a product. */
static inline void osc_long_row(const int32_t p[4], const int32_t l[12], int32_t out[4])
{
    int32_t p0 = p[0], p1 = p[1], p2 = p[2], p3 = p[3];
    uint64_t s0 = osc_long_product(p0, l[0]), s1 = osc_long_product(p0, l[1]);
    s0 += osc_long_product(p1, l[4]), s1 += osc_long_product(p1, l[5]);
    s0 += osc_long_product(p2, l[8]), s1 += osc_long_product(p2, l[9]);
    int32_t out0 = osc_long_round_q20(s0), out1 = osc_long_round_q20(s1);
    uint64_t s2 = osc_long_product(p0, l[2]), s3 = osc_long_product(p0, l[3]);
    s2 += osc_long_product(p1, l[6]), s3 += osc_long_product(p1, l[7]);
    s2 += osc_long_product(p2, l[10]), s3 += osc_long_product(p2, l[11]);
    out[0] = out0, out[1] = out1, out[2] = osc_long_round_q20(s2);
    out[3] = osc_add(osc_long_round_q20(s3), p3);
}

/* out = parent * local; out may be the parent. */
static inline void osc_matrix_product(const osc_matrix *parent, const osc_matrix *local,
                                      osc_matrix *out)
{
    osc_long_row(parent->m, local->m, out->m);
    osc_long_row(parent->m + 4, local->m, out->m + 4);
    osc_long_row(parent->m + 8, local->m, out->m + 8);
}

#endif
