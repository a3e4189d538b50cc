/* SPDX-License-Identifier: MIT */
/* Rows of curve clips on Cortex-M with DSP instructions and an FPU: fills all tracks that need no
 * new key in one loop, which keeps its bits in a register. */
#ifndef OSC_DSP_CURVE_ROWS_H
#define OSC_DSP_CURVE_ROWS_H

#include "osc_dsp_curve_table.h"
#include "port/osc_port.h"

/* The kind of a section in which the components of a mask move. */
#define OSC_DSP_CURVE_SECTION(mask)                                                                \
    ((mask) < 6u    ? OSC_DSP_CURVE_SECTION_1 - 1u + (mask)                                        \
     : (mask) == 6u ? OSC_DSP_CURVE_SECTION_6 + 0u                                                 \
                    : OSC_DSP_CURVE_SECTION_7 + 0u)
#define OSC_CURVE_BEGINS OSC_DSP_CURVE_SECTION(1u)

/* The parameter, in quarters, is the offset of its row of the table: rows for the parameters 0 ..
 * ROWS - 1, the quarters in the upper bits of the index, which the loop does not read. Parameter 0
 * has two rows, so that the parameter does not fall below 0. The last row is for all other
 * parameters, whose codes are all long: there, the index contains the excess.
 */
#define OSC_DSP_CURVE_LONG_AT ((uint32_t)OSC_DSP_CURVE_LONG_ROW << (OSC_DSP_CURVE_INDEX_BITS + 2))
static inline uint32_t osc_curve_keep_k(uint32_t k_q2)
{
    if (k_q2 < OSC_DSP_CURVE_LONG_K_Q2)
        return (k_q2 + 8u) << OSC_DSP_CURVE_INDEX_BITS;
    return OSC_DSP_CURVE_LONG_AT | (k_q2 - OSC_DSP_CURVE_LONG_K_Q2) << 2;
}

static inline uint32_t osc_curve_kept_k(uint32_t kept)
{
    uint32_t row = kept >> OSC_DSP_CURVE_INDEX_BITS;
    if (kept >= OSC_DSP_CURVE_LONG_AT)
        return OSC_DSP_CURVE_LONG_K_Q2 + ((kept - OSC_DSP_CURVE_LONG_AT) >> 2);
    return row < 8u ? 0u : row - 8u;
}

static inline uint32_t osc_curve_ones_of(int32_t a)
{
    return (uint32_t)(a ^ (a >> 31));
}

/* The loop fills a section if its products fit 32 bits. It expects the coefficient of u^3 doubled,
 * and the shift by `scale` as two shifts to the left, before and after the last product, of which
 * it uses the upper half. */
static inline void osc_curve_ready(osc_curve_sparse *track, bool filled)
{
    uint32_t packing = OSC_CURVE_DISPATCH_PACKING(track->dispatch), sizes = 0, mask = 0;
    uint32_t scale = (track->fit >> 8) & 31u;
    track->dispatch =
        OSC_CURVE_DISPATCH(OSC_CURVE_OTHER, packing, OSC_CURVE_DISPATCH_OFFSET(track->dispatch));
    if (packing == OSC_CURVE_FOUR || scale == 1u)
        return;
    for (uint32_t i = 0; i < 3u; i++) {
        const osc_curve_polynomial *polynomial = &track->polynomials[i];
        uint32_t parts = osc_curve_ones_of(polynomial->a) | osc_curve_ones_of(polynomial->b) |
                         osc_curve_ones_of(polynomial->c);
        sizes |= parts | osc_curve_size(polynomial);
        mask |= (polynomial->a | polynomial->b | polynomial->c) != 0 ? 1u << i : 0u;
    }
    if (sizes >> 16 != 0u || (scale == 0u && mask != 0u))
        return;
    for (uint32_t i = 0; i < 3u; i++)
        track->polynomials[i].c = osc_shl(track->polynomials[i].c, 1u);
    track->fit = (track->fit & 0xff00u) | (scale < 16u ? 16u : 32u - scale);
    uint32_t kind = OSC_DSP_CURVE_SECTION(mask == 0u ? 1u : mask);
    if (mask == 0u && filled && packing < OSC_CURVE_FOUR)
        kind = OSC_DSP_CURVE_COPY;
    track->dispatch =
        OSC_CURVE_DISPATCH(kind, packing, OSC_CURVE_DISPATCH_OFFSET(track->dispatch)) |
        (scale < 16u && scale != 0u ? 16u - scale : 0u);
}

#endif
