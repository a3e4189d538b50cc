#include "base/quantise.h"

#include <math.h>

#include "arithmetic/osc_fixed.h"
#include "arithmetic/osc_quaternion.h"
#include "ossicle.h"

#define CHORD_LIMIT_Q20 (3u << 18) /* squared chord that is too long for the evaluator */

int32_t enc_quantise(double value, uint32_t shift)
{
    double steps = value * OSC_ONE_Q20 / (double)(1u << shift), most = 0x7fffffffu >> shift;
    steps = steps < most ? steps : most; /* not a number becomes the largest one, too */
    return osc_shl(enc_nearest(steps > -most ? steps : -most), shift);
}

uint32_t enc_signed_width(int32_t value)
{
    uint32_t width = 1;
    while (width < 32u && (value >> (width - 1u)) != 0 && (value >> (width - 1u)) != -1)
        width++;
    return width;
}

void enc_rebuild(int32_t q[4], uint32_t dropped, bool negative)
{
    int32_t kept =
        osc_rebuild_q20(q[(dropped + 1u) & 3u], q[(dropped + 2u) & 3u], q[(dropped + 3u) & 3u]);
    q[dropped] = negative ? -kept : kept;
}

bool enc_steps_blend(const int32_t *rows, uint32_t components, uint32_t frame_count,
                     const uint8_t *breaks)
{
    for (uint32_t f = 1; f < frame_count; f++) {
        const int32_t *row = rows + (size_t)f * components, *before = row - components;
        if (breaks[f] != 0)
            continue;
        for (uint32_t i = 0; i < components; i++) {
            int64_t step = (int64_t)row[i] - before[i];
            if (step >= OSC_ONE_Q20 || step <= -OSC_ONE_Q20)
                return false;
        }
        if (components == 4u && osc_chord_q20(before, row) >= CHORD_LIMIT_Q20)
            return false;
    }
    return true;
}

void enc_centre(const double *track, uint32_t frame_count, uint32_t components, double *out)
{
    double length2 = 0.0;
    for (uint32_t i = 0; i < components; i++) {
        double low = track[i], high = track[i];
        for (uint32_t f = 1; f < frame_count; f++) {
            double value = track[f * components + i];
            low = value < low ? value : low;
            high = value > high ? value : high;
        }
        out[i] = (low + high) / 2.0;
        length2 += out[i] * out[i];
    }
    if (components != 4u)
        return;
    for (uint32_t i = 0; i < 4u; i++) /* a track all around the sphere has no centre */
        out[i] = length2 > 1e-6 ? out[i] / sqrt(length2) : track[i];
}
