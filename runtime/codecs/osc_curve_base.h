/* SPDX-License-Identifier: MIT */
/* The base row of a bank, from which the first keys of its curve clips differ. */
#ifndef OSC_CURVE_BASE_H
#define OSC_CURVE_BASE_H

#include "arithmetic/osc_quaternion.h"
#include "bank/osc_internal.h"
#include "codecs/osc_curve_arithmetic.h"
#include "codecs/osc_curve_track.h"

/* Returns the parameter of the differences of a component, OSC_RICE_ZERO if they are all zero. The
 * width of plain keys, which such a clip does not need, selects it. shift: of the component */
static inline uint32_t osc_curve_base_rice(uint32_t packing, uint32_t shift, uint32_t width,
                                           uint32_t coarsening)
{
    int32_t k = (int32_t)(width - 1u - coarsening);
    bool none = width > OSC_RICE_ZERO;
    if (packing <= OSC_CURVE_FOUR) {
        uint32_t spared = OSC_CURVE_ROTATION_WIDTH - (shift - coarsening) - width;
        k = (int32_t)(OSC_CURVE_BASE_BITS - 3u * spared - shift);
        none = spared == 3u;
    }
    if (k < 0)
        k = 0;
    return none ? OSC_RICE_ZERO : k < (int32_t)OSC_RICE_ZERO ? (uint32_t)k : OSC_RICE_ZERO - 1u;
}

/* Converts a sub-track of the base row to the components that a packing codes. */
static inline void osc_curve_base_pack(int32_t value[4], uint32_t packing)
{
    if (packing >= OSC_CURVE_FOUR)
        return;
    if (packing >= 4u)
        osc_turn(value, packing < 8u);
    uint32_t dropped = packing & 3u;
    const int32_t row[4] = {value[0], value[1], value[2], value[3]};
    for (uint32_t c = 0; c < 3u; c++) {
        int32_t component = row[(dropped + 1u + c) & 3u];
        value[c] = row[dropped] < 0 ? -component : component;
    }
}

/* A component of the base row in coded steps of a size in Q20, rounded. shift: log2 of that size,
 * rounded down */
static inline int32_t osc_curve_base_steps(int32_t value, uint32_t step_q20, uint32_t shift)
{
    uint32_t quarters = (step_q20 << 2) >> shift;
    int32_t scaled = osc_mul(value, osc_curve_reciprocal[quarters - 1u]);
    shift += 15u - OSC_CURVE_BASE_SHIFT;
    return osc_add(scaled, (1 << shift) >> 1) >> shift;
}

/* Returns the base row from which the first keys of the player's clip differ, two numbers a word;
 * null if these keys are plain. */
const uint32_t *osc_curve_base_row(const osc_player *player);

/* Reads the first keys of a track, which osc_curve_start_block has started. row: the base row */
void osc_curve_base_take(const uint32_t *row, osc_bits *bits, osc_curve_track *track);

#endif
