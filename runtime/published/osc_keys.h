/* SPDX-License-Identifier: MIT */
/* The key formats of the sparse and the dense codec (SPEC.md section 12): decodes a few bits to a
 * rotation, a translation or a scale in Q20. The encoder uses the same functions. */
#ifndef OSC_KEYS_H
#define OSC_KEYS_H

#include "arithmetic/osc_fixed.h"
#include "bank/osc_bits.h"
#include "published/osc_published_format.h"
#include <stdbool.h>

/* Kinds of keys. */
#define OSC_KEY_ROTATION 0u
#define OSC_KEY_TRANSLATION 1u
#define OSC_KEY_SCALE 2u

/* A track's key format: two words in the player's state. */
typedef struct osc_key_format {
    uint32_t form;           /* the fields below, and above them the codec's own */
    uint32_t range_position; /* of the ranges in the clip's stream; ranged and variable only */
} osc_key_format;

#define OSC_KEY_CODING(form) ((form)&7u)
#define OSC_KEY_IS_FOUR(form) (((form) >> 3 & 1u) != 0u)
#define OSC_KEY_IS_SIGNED(form) (((form) >> 4 & 1u) != 0u)
#define OSC_KEY_LAYOUT(form) (((form) >> 5) & 3u)
#define OSC_KEY_SAME_WIDTH(form) ((((form) >> 7) & 31u) + 1u)
#define OSC_KEY_EXPONENT(form) (((form) >> 12) & 15u)
#define OSC_KEY_KIND(form) (((form) >> 16) & 3u)
#define OSC_KEY_OWN(form) ((form) >> 18) /* 14 bits for the codec: the sub-track */
#define OSC_KEY_FORM(coding, four, is_signed, layout, width, exponent, kind)                       \
    ((coding) | (four) << 3 | (is_signed) << 4 | (layout) << 5 | ((width)-1u) << 7 |               \
     (exponent) << 12 | (kind) << 16)
#define OSC_KEY_OWN_SHIFT 18u

/* A variable track in one block (SPEC.md 14.2): the rate, then the low ends of the ranges of x, y
 * and z, 8 bits each, and their sizes. */
typedef struct osc_key_block {
    uint32_t rate_low, size;
} osc_key_block;

static inline bool osc_key_has_range(uint32_t form)
{
    return OSC_KEY_CODING(form) == OSC_KEY_RANGED || OSC_KEY_CODING(form) == OSC_KEY_VARIABLE;
}

/* Bits of a variable track's component. rate_field: as coded, with the class above it. */
static inline uint32_t osc_key_rate_bits(uint32_t rate_field)
{
    uint32_t rate = rate_field & OSC_KEY_RATE_MASK;
    return rate < OSC_KEY_RATE_MAX ? rate : OSC_KEY_RATE_MAX;
}

/* The class of a variable track's keys, 0..7. */
static inline uint32_t osc_key_class(uint32_t rate_field)
{
    return (rate_field >> OSC_KEY_CLASS_SHIFT) & (OSC_DENSE_CLASSES - 1u);
}

/* Bits of a component, 1..32. rate_bits: 1..24, for variable tracks only. */
static inline uint32_t osc_key_width(uint32_t form, uint32_t index, uint32_t rate_bits)
{
    switch (OSC_KEY_CODING(form)) {
    case OSC_KEY_FLOAT:
        return 32u;
    case OSC_KEY_SMALL_FLOAT:
        return index < 2u ? 11u : 10u;
    case OSC_KEY_SMALLEST_THREE:
        return 15u;
    case OSC_KEY_VARIABLE:
        return rate_bits;
    default:
        if (OSC_KEY_LAYOUT(form) == OSC_KEY_WIDTHS_16)
            return 16u;
        return OSC_KEY_LAYOUT(form) == OSC_KEY_WIDTHS_SAME ? OSC_KEY_SAME_WIDTH(form)
               : index < 2u                                ? 11u
                                                           : 10u;
    }
}

/* Bits of a whole key, 0..129. rate_bits: 0..24, for variable tracks only. */
static inline uint32_t osc_key_bits(uint32_t form, uint32_t rate_bits)
{
    uint32_t bits = OSC_KEY_IS_SIGNED(form) ? 1u : 0u, count = OSC_KEY_IS_FOUR(form) ? 4u : 3u;
    if (OSC_KEY_CODING(form) == OSC_KEY_NONE ||
        (OSC_KEY_CODING(form) == OSC_KEY_VARIABLE && rate_bits == 0u))
        return 0u;
    if (OSC_KEY_CODING(form) == OSC_KEY_SMALLEST_THREE)
        bits = 3u;
    for (uint32_t i = 0; i < count; i++)
        bits += osc_key_width(form, i, rate_bits);
    return bits;
}

/* ---- components in Q20. code: the unsigned bits of the stream ---- */

static inline int32_t osc_key_signed(uint32_t code, uint32_t width)
{
    return (int32_t)(code << (32u - width)) >> (32u - width);
}

static inline int32_t osc_key_fixed(uint32_t code, uint32_t width, uint32_t exponent)
{
    int32_t value = osc_key_signed(code, width);
    uint32_t up = exponent + 21u;
    return up >= width ? osc_shl(value, up - width) : value >> (width - up);
}

static inline int32_t osc_key_ranged(uint32_t code, uint32_t width, int32_t minimum,
                                     uint32_t extent)
{
    return osc_add(minimum, (int32_t)osc_mulhi_u32(code << (32u - width), extent));
}

/* The position of a variable key in a track's range, of 2^32 parts. low, size: 0..255 */
static inline uint32_t osc_key_variable(uint32_t code, uint32_t width, uint32_t low, uint32_t size)
{
    return (low << 24) + osc_mulhi_u32(code << (32u - width), size << 24 | 0xffffffu);
}

/* Converts an IEEE 754 single: its size is rounded half up and clamped to 2^31 - 1. */
static inline int32_t osc_key_float(uint32_t code)
{
    uint32_t exponent = (code >> 23) & 255u, size = 0x7fffffffu;
    uint32_t mantissa = 0x800000u | (code & 0x7fffffu);
    if (exponent < 106u)
        size = 0;
    else if (exponent < 130u)
        size = (mantissa + (1u << (129u - exponent))) >> (130u - exponent);
    else if (exponent <= 137u)
        size = mantissa << (exponent - 130u);
    return code >> 31 != 0u ? -(int32_t)size : (int32_t)size;
}

/* Converts a float with a sign, three bits of exponent and a mantissa, for sizes below one. width:
 * 10, 11 */
static inline int32_t osc_key_small_float(uint32_t code, uint32_t width)
{
    uint32_t bits = width - 4u, mantissa = code & ((1u << bits) - 1u), exponent = code >> bits & 7u;
    uint32_t size = exponent != 0u ? ((1u << bits) + mantissa) << (12u + exponent - bits)
                                   : mantissa << (13u - bits);
    return (code >> (width - 1u) & 1u) != 0u ? -(int32_t)size : (int32_t)size;
}

/* Decodes 15 bits over the range of all components except the largest. */
#define OSC_KEY_SMALLEST_EXTENT 1482957u
#define OSC_KEY_SMALLEST_MINIMUM (-741456)
static inline int32_t osc_key_smallest(uint32_t code)
{
    return osc_key_ranged(code, 15u, OSC_KEY_SMALLEST_MINIMUM, OSC_KEY_SMALLEST_EXTENT);
}

/* Converts v / (1 + w), in the first three components, to the rotation. */
void osc_key_half_angle(int32_t q[4]);

/* ---- keys ---- */

/* Reads a key format from a track's header, and skips its ranges. kind: of the sub-track. Returns
 * false for an invalid format; the sparse codec also rejects OSC_KEY_VARIABLE. */
bool osc_key_format_take(osc_bits *bits, uint32_t kind, osc_key_format *format);

/* Completes a rotation whose coded components are in place. dropped: the component to rebuild; 4:
 * none, and the four are normalised. */
void osc_key_finish(int32_t q[4], uint32_t form, uint32_t dropped, bool negative);

/* Reads a key: four words of a rotation or three of a vector. clip: any reader of the clip's
 * stream, which contains the ranges. block: for variable tracks with a rate above 0; may be null
 * for others. Defined for any bits. */
void osc_key_take_apart(osc_bits *bits, const osc_bits *clip, const osc_key_format *format,
                        const osc_key_block *block, int32_t *row);

/* Reads the three components of a variable track's key, of a rotation x, y and z: all of the key
 * but a sign before them. */
void osc_key_take_parts(osc_bits *bits, const osc_bits *clip, const osc_key_format *format,
                        const osc_key_block *block, int32_t *row);

/* osc_key_take_apart for a key in the clip's own stream. */
static inline void osc_key_take(osc_bits *bits, const osc_key_format *format,
                                const osc_key_block *block, int32_t *row)
{
    osc_key_take_apart(bits, bits, format, block, row);
}

/* The same for a variable track with rate 0, which has one key for all frames of a block. */
void osc_key_take_constant(osc_bits *bits, const osc_key_format *format, int32_t *row);

#endif
