#include "codecs/curve/keys.h"

#include <stdlib.h>
#include <string.h>

#include "base/packing.h"
#include "codecs/osc_curve_arithmetic.h"
#include "ossicle.h"

bool curve_keys_prepare(curve_keys *keys, uint32_t frame_count)
{
    memset(keys, 0, sizeof *keys);
    keys->frame = malloc(frame_count * sizeof *keys->frame);
    keys->value = calloc(frame_count, sizeof *keys->value);
    keys->tangent = calloc(frame_count, sizeof *keys->tangent);
    keys->frame_count = frame_count;
    return keys->frame != NULL && keys->value != NULL && keys->tangent != NULL;
}

void curve_keys_release(curve_keys *keys)
{
    free(keys->frame);
    free(keys->value);
    free(keys->tangent);
    memset(keys, 0, sizeof *keys);
}

void curve_keys_copy(curve_keys *to, const curve_keys *from)
{
    curve_keys own = *to;
    *to = *from;
    to->frame = own.frame;
    to->value = own.value;
    to->tangent = own.tangent;
    curve_keys_move(to, 0, from, 0, from->count);
}

void curve_keys_move(curve_keys *to, uint32_t at, const curve_keys *from, uint32_t first,
                     uint32_t count)
{
    memmove(to->frame + at, from->frame + first, count * sizeof *to->frame);
    memmove(to->value + at, from->value + first, count * sizeof *to->value);
    memmove(to->tangent + at, from->tangent + first, count * sizeof *to->tangent);
}

void curve_keys_skip(curve_keys *keys, uint32_t count)
{
    keys->frame += count;
    keys->value += count;
    keys->tangent += count;
    keys->count -= count;
}

double curve_coded(const double *target, uint32_t packing, double *coded)
{
    double turned[4], sign = 1.0;
    coded[3] = 0.0;
    if (packing == OSC_CURVE_VECTOR) {
        memcpy(turned, target, 3u * sizeof *turned);
    } else {
        enc_packing_turn_back(target, packing < OSC_CURVE_FOUR ? packing : 0u, turned);
        sign = packing < OSC_CURVE_FOUR && turned[packing & 3u] < 0.0 ? -1.0 : 1.0;
    }
    for (uint32_t c = 0; c < curve_components(packing); c++)
        coded[c] = sign * turned[curve_row_component(packing, c)] * OSC_ONE_Q20;
    return sign;
}

bool curve_is_restart(const curve_keys *keys, uint32_t frame)
{
    return (frame >> keys->restart_log2) << keys->restart_log2 == frame;
}

bool curve_is_jump(const curve_keys *keys, uint32_t i)
{
    return keys->breaks[keys->frame[i + 1u]] != 0 && curve_gap(keys, i) == 1u;
}

bool curve_is_fresh(const curve_keys *keys, uint32_t i)
{
    return curve_is_restart(keys, keys->frame[i]) || curve_is_jump(keys, i - 1u);
}

bool curve_is_smooth(const curve_keys *keys, uint32_t i)
{
    return i + 2u < keys->count && !curve_is_restart(keys, keys->frame[i + 1u]) &&
           !curve_is_jump(keys, i + 1u);
}

static void bend_cubic(const curve_keys *keys, uint32_t i, uint32_t c,
                       osc_curve_polynomial *polynomial)
{
    uint32_t gap = curve_gap(keys, i);
    int32_t slope = osc_curve_slope(polynomial->b, gap), left = 0, right = 0;
    bool fresh = curve_is_fresh(keys, i), smooth = curve_is_smooth(keys, i);
    if (!fresh) {
        int32_t before = osc_sub(keys->value[i][c], keys->value[i - 1u][c]);
        uint32_t gap_before = curve_gap(keys, i - 1u);
        left = osc_curve_parabola(osc_curve_slope(before, gap_before), gap_before, slope, gap);
    }
    if (smooth) {
        int32_t after = osc_sub(keys->value[i + 2u][c], keys->value[i + 1u][c]);
        uint32_t gap_after = curve_gap(keys, i + 1u);
        right = osc_curve_parabola(slope, gap, osc_curve_slope(after, gap_after), gap_after);
    }
    (void)osc_curve_join(polynomial, gap, slope, fresh, left, smooth, right);
}

static uint32_t section_polynomials(const curve_keys *keys, uint32_t i,
                                    osc_curve_polynomial *polynomials)
{
    uint32_t gap = curve_gap(keys, i), up = OSC_CURVE_FRACTION - keys->unit;
    for (uint32_t c = 0; c < keys->components; c++) {
        osc_curve_polynomial *polynomial = &polynomials[c];
        polynomial->start = osc_shl(keys->value[i][c], keys->shift);
        polynomial->b = osc_sub(keys->value[i + 1u][c], keys->value[i][c]);
        if (keys->basis == OSC_CURVE_LINEAR) {
            polynomial->a = osc_shl(polynomial->b, OSC_CURVE_FRACTION);
            polynomial->b = polynomial->c = 0;
        } else if (keys->basis == OSC_CURVE_HERMITE) {
            polynomial->a = osc_shl(keys->tangent[i][c], up);
            polynomial->c = osc_shl(keys->tangent[i + 1u][c], up);
            osc_curve_bend(polynomial, gap);
        } else {
            bend_cubic(keys, i, c, polynomial);
        }
    }
    return osc_curve_scale(polynomials, keys->components, gap, keys->shift);
}

void curve_play(const curve_keys *keys, uint32_t first, uint32_t last, int32_t *rows)
{
    uint32_t row_words = curve_row_words(keys->packing);
    int32_t value[CURVE_MAX_COMPONENTS];
    for (uint32_t i = first; i < last; i++) {
        osc_curve_polynomial polynomials[CURVE_MAX_COMPONENTS];
        uint32_t ramp = section_polynomials(keys, i, polynomials), scale = OSC_RAMP_SCALE(ramp);
        int32_t half = (int32_t)((1u << scale) >> 1);
        int32_t *row = rows + (size_t)keys->frame[i] * row_words;
        for (uint32_t t = 0; t < curve_gap(keys, i); t++, row += row_words) {
            int32_t u = osc_curve_at(ramp, t);
            for (uint32_t c = 0; c < keys->components; c++)
                value[c] = osc_curve_value(&polynomials[c], u, scale, half);
            osc_curve_finish(row, value, keys->packing);
        }
    }
    if (last + 1u == keys->count) {
        for (uint32_t c = 0; c < keys->components; c++)
            value[c] = osc_shl(keys->value[last][c], keys->shift);
        osc_curve_finish(rows + (size_t)keys->frame[last] * row_words, value, keys->packing);
    }
}
