/* SPDX-License-Identifier: MIT */
/* Reading keys: SPEC.md section 12. */
#include "published/osc_keys.h"
#include "arithmetic/osc_quaternion.h"
#include "arithmetic/osc_unit.h"
#include "bank/osc_internal.h"

#define HALF_ANGLE_WIDTH_MAX 21u

bool osc_key_format_take(osc_bits *bits, uint32_t kind, osc_key_format *format)
{
    uint32_t coding = osc_bits_take(bits, 3u), form = coding | kind << 16;
    bool angles = coding == OSC_KEY_SMALLEST_THREE || coding == OSC_KEY_HALF_ANGLE;
    if (angles && kind != OSC_KEY_ROTATION)
        return false;
    if (kind == OSC_KEY_ROTATION && coding <= OSC_KEY_FLOAT)
        form |= osc_bits_take(bits, 1u) << 3;
    if (kind == OSC_KEY_ROTATION && coding != OSC_KEY_SMALLEST_THREE && coding != OSC_KEY_NONE &&
        !OSC_KEY_IS_FOUR(form))
        form |= osc_bits_take(bits, 1u) << 4;
    if (coding == OSC_KEY_FIXED || coding == OSC_KEY_RANGED || coding == OSC_KEY_HALF_ANGLE) {
        uint32_t layout = osc_bits_take(bits, 2u);
        if (layout > OSC_KEY_WIDTHS_SAME)
            return false;
        form |= layout << 5;
        if (layout == OSC_KEY_WIDTHS_SAME)
            form |= osc_bits_take(bits, 5u) << 7;
        if (coding == OSC_KEY_HALF_ANGLE && osc_key_width(form, 0, 0) > HALF_ANGLE_WIDTH_MAX)
            return false;
    }
    if (coding == OSC_KEY_FIXED)
        form |= osc_bits_take(bits, 4u) << 12;
    if (OSC_KEY_EXPONENT(form) > OSC_KEY_EXPONENT_MAX)
        return false;
    format->form = form;
    format->range_position = bits->position;
    if (osc_key_has_range(form))
        bits->position += OSC_KEY_IS_FOUR(form) ? 4u * 64u : 3u * 64u;
    return true;
}

OSC_HOT_KEYS void osc_key_half_angle(int32_t q[4])
{
    int32_t length = osc_add(osc_dot3_q20(q[0], q[0], q[1], q[1], q[2], q[2]), OSC_ONE_Q20);
    uint32_t coarse = (uint32_t)length >> 5;
    int32_t inverse = (int32_t)((0xffffffffu / (coarse != 0u ? coarse : 1u)) << 3);
    /* a Newton step doubles the 16 bits of the quotient */
    inverse = osc_mul_q20(inverse, osc_sub(2 * OSC_ONE_Q20, osc_mul_q20(length, inverse)));
    for (uint32_t i = 0; i < 3u; i++)
        q[i] = osc_shl(osc_mul_q20(q[i], inverse), 1u);
    q[3] = osc_sub(osc_shl(inverse, 1u), OSC_ONE_Q20);
    osc_near_unit(q);
}

OSC_HOT_KEYS void osc_key_finish(int32_t q[4], uint32_t form, uint32_t dropped, bool negative)
{
    if (dropped > 3u) {
        osc_unit(q);
        return;
    }
    if (OSC_KEY_CODING(form) == OSC_KEY_HALF_ANGLE) {
        osc_key_half_angle(q);
    } else {
        osc_rebuild(q, dropped, false);
        if (q[dropped] == 0)
            osc_near_unit(q); /* rounding made the others longer than one */
    }
    for (uint32_t i = 0; i < 4u && negative; i++)
        q[i] = osc_sub(0, q[i]);
}

/* Reads the next component of a track that is not variable; `range` reads the track's ranges. */
static int32_t take_coded_component(osc_bits *bits, osc_bits *range, uint32_t form, uint32_t index)
{
    uint32_t coding = OSC_KEY_CODING(form);
    uint32_t width = osc_key_width(form, index, 0), code = osc_bits_take(bits, width);
    switch (coding) {
    case OSC_KEY_FIXED:
        return osc_key_fixed(code, width, OSC_KEY_EXPONENT(form));
    case OSC_KEY_FLOAT:
        return osc_key_float(code);
    case OSC_KEY_SMALL_FLOAT:
        return osc_key_small_float(code, width);
    case OSC_KEY_SMALLEST_THREE:
        return osc_key_smallest(code);
    case OSC_KEY_HALF_ANGLE:
        return osc_shl(osc_key_signed(code, width), HALF_ANGLE_WIDTH_MAX - width);
    default:
        break;
    }
    int32_t minimum = (int32_t)osc_bits_take(range, 32u);
    return osc_key_ranged(code, width, minimum, osc_bits_take(range, 32u));
}

/* range: on the clip's stream. */
OSC_HOT_KEYS static void take_coded_key(osc_bits *bits, osc_bits range, uint32_t form, int32_t *row)
{
    bool rotation = OSC_KEY_KIND(form) == OSC_KEY_ROTATION;
    bool negative = OSC_KEY_IS_SIGNED(form) && osc_bits_take(bits, 1u) != 0u;
    uint32_t dropped = rotation && !OSC_KEY_IS_FOUR(form) ? 3u : 4u;
    bool smallest = OSC_KEY_CODING(form) == OSC_KEY_SMALLEST_THREE;
    if (smallest)
        dropped = osc_bits_take(bits, 2u);
    for (uint32_t i = 0; i < (OSC_KEY_IS_FOUR(form) ? 4u : 3u); i++)
        row[i >= dropped ? i + 1u : i] = take_coded_component(bits, &range, form, i);
    if (smallest)
        negative = osc_bits_take(bits, 1u) != 0u;
    if (rotation)
        osc_key_finish(row, form, dropped, negative);
}

static osc_bits range_of(const osc_bits *clip, const osc_key_format *format)
{
    osc_bits range = *clip;
    range.position = format->range_position;
    return range;
}

OSC_HOT_KEYS void osc_key_take_parts(osc_bits *bits, const osc_bits *clip,
                                     const osc_key_format *format, const osc_key_block *block,
                                     int32_t *row)
{
    uint32_t ranges[6], codes[3], width = osc_key_rate_bits(block->rate_low);
    uint32_t low = block->rate_low >> 8, size = block->size;
    osc_bits range = range_of(clip, format);
    osc_bits_take_words(&range, ranges, 6u);
    osc_bits_take_three(bits, width, codes);
    for (uint32_t i = 0; i < 3u; i++, low >>= 8, size >>= 8) {
        uint32_t part = osc_key_variable(codes[i], width, low & 255u, size & 255u);
        row[i] = osc_key_ranged(part, 32u, (int32_t)ranges[2u * i], ranges[2u * i + 1u]);
    }
}

/* The same for a variable track. */
static void take_variable_key(osc_bits *bits, const osc_bits *clip, const osc_key_format *format,
                              const osc_key_block *block, int32_t *row)
{
    uint32_t form = format->form;
    bool negative = OSC_KEY_IS_SIGNED(form) && osc_bits_take(bits, 1u) != 0u;
    osc_key_take_parts(bits, clip, format, block, row);
    if (OSC_KEY_KIND(form) == OSC_KEY_ROTATION)
        osc_key_finish(row, form, 3u, negative);
}

OSC_HOT_KEYS void osc_key_take_apart(osc_bits *bits, const osc_bits *clip,
                                     const osc_key_format *format, const osc_key_block *block,
                                     int32_t *row)
{
    uint32_t kind = OSC_KEY_KIND(format->form);
    if (OSC_KEY_CODING(format->form) == OSC_KEY_VARIABLE) {
        take_variable_key(bits, clip, format, block, row);
        return;
    }
    if (OSC_KEY_CODING(format->form) != OSC_KEY_NONE) {
        take_coded_key(bits, range_of(clip, format), format->form, row);
        return;
    }
    row[0] = row[1] = row[2] = kind == OSC_KEY_SCALE ? OSC_ONE_Q20 : 0;
    if (kind == OSC_KEY_ROTATION)
        row[3] = OSC_ONE_Q20;
}

OSC_HOT_KEYS void osc_key_take_constant(osc_bits *bits, const osc_key_format *format, int32_t *row)
{
    uint32_t form = (format->form & ~(7u | 31u << 5)) | OSC_KEY_RANGED; /* of 16 bits each */
    take_coded_key(bits, range_of(bits, format), form, row);
}
