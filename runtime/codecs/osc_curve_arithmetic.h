/* SPDX-License-Identifier: MIT */
/* The arithmetic of the curve codec, shared with the encoder: computes sections from keys.
 *
 * Keys are integers in steps of 2^shift (Q20). Slopes and tangents are in 2^-10 step a frame. A
 * section runs from one key to the next over `gap` frames; inside it u = t / gap in Q15, and each
 * component is start + c1 u + c2 u^2 + c3 u^3. The coefficients of a section share one scale, so
 * that the largest has 16 bits: every product then fits 32 bits, whatever the track's range. */
#ifndef OSC_CURVE_ARITHMETIC_H
#define OSC_CURVE_ARITHMETIC_H

#include <stdbool.h>

#include "arithmetic/osc_count.h"
#include "arithmetic/osc_fixed.h"
#include "bank/osc_format.h"

#define OSC_CURVE_MAX_GAP 64u
#define OSC_CURVE_FRACTION 10u /* bits of slopes, tangents and coefficients below one step */

/* A component of a section: a, b and c hold the coefficients of u, u^2 and u^3. */
typedef struct osc_curve_polynomial {
    int32_t start; /* Q20 */
    int32_t a, b, c;
} osc_curve_polynomial;

/* The parts of the next section of a component. */
typedef struct osc_curve_key {
    int32_t end;     /* key at the section's end, in steps */
    int32_t tangent; /* at the section's end */
    int32_t after;   /* cubic: key after `end` */
} osc_curve_key;

/* A component of a track with a key on every frame, in coded steps. */
typedef struct osc_curve_point {
    int32_t value;
    int32_t step;   /* from the previous frame to this one */
    int32_t before; /* the previous step */
} osc_curve_point;

/* The state of a track in a player, in addition to its rows. */
#define OSC_CURVE_DENSE_WORDS 5u
#define OSC_CURVE_POINT_WORDS ((uint32_t)(sizeof(osc_curve_point) / 4u))
#define OSC_CURVE_SPARSE_WORDS 8u
#define OSC_CURVE_COMPONENT_WORDS                                                                  \
    ((uint32_t)((sizeof(osc_curve_polynomial) + sizeof(osc_curve_key)) / 4u))

static inline uint32_t osc_curve_state_words(uint32_t basis, uint32_t components)
{
    return basis == OSC_CURVE_DENSE
               ? OSC_CURVE_DENSE_WORDS + OSC_CURVE_POINT_WORDS * components
               : OSC_CURVE_SPARSE_WORDS + OSC_CURVE_COMPONENT_WORDS * components;
}

/* The progress of a frame along a section: three fields in one word of state. */
#define OSC_RAMP(reciprocal, halvings, scale) ((reciprocal) | (halvings) << 16 | (scale) << 24)
#define OSC_RAMP_RECIPROCAL(ramp) ((ramp)&0xffffu)
#define OSC_RAMP_HALVINGS(ramp) (((ramp) >> 16) & 15u)
#define OSC_RAMP_SCALE(ramp) ((ramp) >> 24)

/* round(2^(15 + k) / n) for n = 1..128, k = floor(log2(n)) */
extern const uint16_t osc_curve_reciprocal[2u * OSC_CURVE_MAX_GAP];

/* floor(log2(x)) of a number that is not zero. */
static inline uint32_t osc_floor_log2(uint32_t x)
{
    return 31u - osc_leading_zeros(x);
}

/* floor(a * b / 2^16), b below 2^16. */
static inline int32_t osc_mul_q16(int32_t a, uint32_t b)
{
    int32_t high = osc_mul(a >> 16, (int32_t)b);
    return osc_add(high, (int32_t)((((uint32_t)a & 0xffffu) * b) >> 16));
}

/* The slope of a step over gap (1..128) frames. */
static inline int32_t osc_curve_slope(int32_t step, uint32_t gap)
{
    int32_t scaled = osc_shl(step, OSC_CURVE_FRACTION + 1u);
    return osc_mul_q16(scaled, osc_curve_reciprocal[gap - 1u]) >> osc_floor_log2(gap);
}

/* The tangent of the parabola through three keys at the middle one. */
static inline int32_t osc_curve_parabola(int32_t before, uint32_t gap_before, int32_t after,
                                         uint32_t gap_after)
{
    uint32_t gap = gap_before + gap_after;
    uint32_t share = gap_before * osc_curve_reciprocal[gap - 1u] >> osc_floor_log2(gap);
    return osc_add(before, osc_mul_q16(osc_shl(osc_sub(after, before), 1u), share));
}

/* The value at the end of a tangent. */
static inline int32_t osc_curve_ahead(int32_t value, int32_t tangent, uint32_t gap)
{
    int32_t step = osc_add(osc_mul(tangent, (int32_t)gap), 1 << (OSC_CURVE_FRACTION - 1u));
    return osc_add(value, step >> OSC_CURVE_FRACTION);
}

/* Converts a polynomial's step (in b) and its two end tangents (in a and c) to coefficients. */
static inline void osc_curve_bend(osc_curve_polynomial *polynomial, uint32_t gap)
{
    int32_t step = osc_shl(polynomial->b, OSC_CURVE_FRACTION);
    int32_t left = osc_mul(polynomial->a, (int32_t)gap),
            right = osc_mul(polynomial->c, (int32_t)gap);
    int32_t excess = osc_sub(osc_add(left, right), osc_add(step, step));
    polynomial->a = left;
    polynomial->b = osc_sub(osc_sub(step, left), excess);
    polynomial->c = excess;
}

/* Sets the tangents of a cubic section with this slope: `left` if it continues the previous section
 * (not fresh), `right` if the next section continues it (smooth); without a neighbour, the section
 * itself is a parabola. Returns the tangent at the right end. */
static inline int32_t osc_curve_join(osc_curve_polynomial *polynomial, uint32_t gap, int32_t slope,
                                     bool fresh, int32_t left, bool smooth, int32_t right)
{
    if (fresh)
        left = smooth ? osc_sub(osc_add(slope, slope), right) : slope;
    if (!smooth)
        right = osc_sub(osc_add(slope, slope), left);
    polynomial->a = left;
    polynomial->c = right;
    osc_curve_bend(polynomial, gap);
    return right;
}

/* The next step of a dense component: the predicted step, which is zero or a weighted sum of the
 * last step and its change, plus the residual. */
static inline int32_t osc_curve_next_step(int32_t step, int32_t before, uint32_t predictor,
                                          int32_t residual)
{
    /* eighths, of the last two steps: those of step and change are 5 3, 7 4, 8 6 */
    static const int8_t weights[4][2] = {{0, 0}, {8, -3}, {11, -4}, {14, -6}};
    int32_t more =
        osc_add(osc_mul(step, weights[predictor][0]), osc_mul(before, weights[predictor][1]));
    return osc_add(osc_add(more, 4), osc_shl(residual, 3u)) >> 3;
}

static inline int32_t osc_curve_guess(const osc_curve_point *point, uint32_t predictor)
{
    return osc_add(point->value, osc_curve_next_step(point->step, point->before, predictor, 0));
}

/* Advances to the next value. first: to the first value after a plain key. */
static inline void osc_curve_follow(osc_curve_point *point, int32_t value, bool first)
{
    int32_t step = osc_sub(value, point->value);
    point->before = first ? step : point->step;
    point->step = step;
    point->value = value;
}

/* The step of a dense component: 2^shift (0..18) and a number of quarters (0..3), Q20. */
static inline int32_t osc_curve_step(uint32_t shift, uint32_t quarters)
{
    return (int32_t)(((4u + quarters) << shift) >> 2);
}

/* The nearest multiple of 2^shift, divided by 2^shift. */
static inline int32_t osc_curve_grid(int32_t value, uint32_t shift)
{
    return osc_add(value, (int32_t)((1u << shift) >> 1)) >> shift;
}

#define OSC_CURVE_NONE 4u /* no component */

#define OSC_CURVE_K_Q2_MAX 59

/* The adaptive Rice parameter of dense tracks, in quarters: its next value after a number with this
 * quotient. */
static inline uint32_t osc_curve_next_k(uint32_t k_q2, uint32_t quotient)
{
    static const int8_t more_q2[OSC_RICE_ESCAPE] = {-1, 0, 1, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3};
    uint32_t last = OSC_RICE_ESCAPE - 1u;
    int32_t next = (int32_t)k_q2 + more_q2[quotient < last ? quotient : last];
    return (uint32_t)(next < 0 ? 0 : next > OSC_CURVE_K_Q2_MAX ? OSC_CURVE_K_Q2_MAX : next);
}

/* Converts coded values to a row: component packing + 1 + i of a rotation with a dropped component
 * is value i, in the packing's own orientation. */
void osc_curve_finish(int32_t *row, const int32_t *values, uint32_t packing);

/* The sum of the magnitudes of a polynomial's coefficients. */
static inline uint32_t osc_curve_size(const osc_curve_polynomial *polynomial)
{
    return (uint32_t)(polynomial->a ^ (polynomial->a >> 31)) +
           (uint32_t)(polynomial->b ^ (polynomial->b >> 31)) +
           (uint32_t)(polynomial->c ^ (polynomial->c >> 31));
}

/* Scales the coefficients of a section to their common scale, and adapts the ramp. size: the sizes
 * of all components, combined by bitwise or. */
uint32_t osc_curve_settle(osc_curve_polynomial *polynomials, uint32_t count, uint32_t size,
                          uint32_t gap, uint32_t shift);

static inline uint32_t osc_curve_scale(osc_curve_polynomial *polynomials, uint32_t count,
                                       uint32_t gap, uint32_t shift)
{
    uint32_t size = 0;
    for (uint32_t i = 0; i < count; i++)
        size |= osc_curve_size(&polynomials[i]);
    return osc_curve_settle(polynomials, count, size, gap, shift);
}

/* The constant that rounds u. */
static inline uint32_t osc_curve_bias(uint32_t ramp)
{
    return (1u << OSC_RAMP_HALVINGS(ramp)) >> 1;
}

/* u of frame t = 0 .. gap - 1 of a section, Q15. */
static inline int32_t osc_curve_at(uint32_t ramp, uint32_t t)
{
    uint32_t scaled = t * OSC_RAMP_RECIPROCAL(ramp) + osc_curve_bias(ramp);
    return (int32_t)(scaled >> OSC_RAMP_HALVINGS(ramp));
}

static inline int32_t osc_curve_value(const osc_curve_polynomial *polynomial, int32_t u,
                                      uint32_t scale, int32_t half)
{
    int32_t sum = osc_add(osc_mul(polynomial->c, u) >> 15, polynomial->b);
    sum = osc_add(osc_mul(sum, u) >> 15, polynomial->a);
    return osc_add(polynomial->start, osc_add(osc_mul(sum, u), half) >> scale);
}

#endif
