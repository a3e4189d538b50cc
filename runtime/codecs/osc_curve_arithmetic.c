/* SPDX-License-Identifier: MIT */
/* The arithmetic of the curve codec: functions that are not inline. */
#include "codecs/osc_curve_arithmetic.h"

const uint16_t osc_curve_reciprocal[2u * OSC_CURVE_MAX_GAP] = {
    32768, 32768, 21845, 32768, 26214, 21845, 18725, 32768, 29127, 26214, 23831, 21845, 20165,
    18725, 17476, 32768, 30840, 29127, 27594, 26214, 24966, 23831, 22795, 21845, 20972, 20165,
    19418, 18725, 18079, 17476, 16913, 32768, 31775, 30840, 29959, 29127, 28340, 27594, 26887,
    26214, 25575, 24966, 24385, 23831, 23302, 22795, 22310, 21845, 21400, 20972, 20560, 20165,
    19784, 19418, 19065, 18725, 18396, 18079, 17772, 17476, 17190, 16913, 16644, 32768, 32264,
    31775, 31301, 30840, 30394, 29959, 29537, 29127, 28728, 28340, 27962, 27594, 27236, 26887,
    26546, 26214, 25891, 25575, 25267, 24966, 24672, 24385, 24105, 23831, 23564, 23302, 23046,
    22795, 22550, 22310, 22075, 21845, 21620, 21400, 21183, 20972, 20764, 20560, 20361, 20165,
    19973, 19784, 19600, 19418, 19240, 19065, 18893, 18725, 18559, 18396, 18236, 18079, 17924,
    17772, 17623, 17476, 17332, 17190, 17050, 16913, 16777, 16644, 16513, 32768};

OSC_HOT_CURVE uint32_t osc_curve_settle(osc_curve_polynomial *polynomials, uint32_t count,
                                        uint32_t size, uint32_t gap, uint32_t shift)
{
    uint32_t down = 0;
    if (size >> 16 != 0u) {
        down = osc_floor_log2(size) - 15u;
        for (uint32_t i = 0; i < count; i++) {
            polynomials[i].a >>= down;
            polynomials[i].b >>= down;
            polynomials[i].c >>= down;
        }
    }
    uint32_t scale = 15u + OSC_CURVE_FRACTION - shift;
    scale = scale > down ? scale - down : 0u;
    return OSC_RAMP((uint32_t)osc_curve_reciprocal[gap - 1u], osc_floor_log2(gap), scale);
}
