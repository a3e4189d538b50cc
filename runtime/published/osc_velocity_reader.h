/* SPDX-License-Identifier: MIT */
/* Reads the headers and keys of a velocity clip, for the codec and for the encoder, which counts
 * their bits. Functions are not inline: that keyword would enlarge the codec by up to a fifth. */
#ifndef OSC_VELOCITY_READER_H
#define OSC_VELOCITY_READER_H

#include "arithmetic/osc_quaternion.h"
#include "codecs/osc_headers.h"
#include "published/osc_velocity_arithmetic.h"

/* A track while its clip plays. Tracks follow each other in the player's state. */
typedef struct osc_velocity_track {
    uint32_t form, codes; /* fields of the header, see below */
    osc_velocity velocity;
    uint32_t lasts; /* frames before the next key */
} osc_velocity_track;

/* form */
#define OSC_VELOCITY_SUBTRACK(form) ((form)&0xfffu)
#define OSC_VELOCITY_SHIFT(form) (((form) >> 12) & 31u)
#define OSC_VELOCITY_SEED_SHIFT(form) (((form) >> 17) & 15u)
#define OSC_VELOCITY_SEED_WIDTH(form) ((((form) >> 21) & 31u) + 1u)
#define OSC_VELOCITY_GAP_RICE(form) (((form) >> 26) & 7u)
#define OSC_VELOCITY_MOST_KIND(form) (((form) >> 29) & 3u)
#define OSC_VELOCITY_IS_RANGED(form) (((form) >> 31) != 0u)

/* codes */
#define OSC_VELOCITY_RICE(codes, i) (((codes) >> (4u * (i))) & 15u)
#define OSC_VELOCITY_RANGE_WIDTH(codes) (((codes)&31u) + 1u)
#define OSC_VELOCITY_SPEED_CODE(codes) (((codes) >> 12) & 3u)
#define OSC_VELOCITY_FULL_WIDTH(codes) ((((codes) >> 14) & 31u) + 1u)

/* Reads a header after its gap. *shift: of the previous track; becomes this one's. */
static void osc_velocity_take_header(osc_headers *headers, const osc_bank *bank, uint32_t *shift,
                                     osc_velocity_track *track)
{
    osc_bits *bits = &headers->bits;
    uint32_t subtrack = headers->subtrack;
    bool rotation = subtrack < bank->rotation_subtracks;
    *shift = (*shift + (uint32_t)osc_bits_take_rice(bits, 0)) & OSC_VELOCITY_SHIFT_MAX;
    uint32_t form = subtrack | *shift << 12 | osc_bits_take(bits, 4u) << 17, codes;
    uint32_t width = OSC_CONSTANT_ROTATION_WIDTH - 1u - OSC_VELOCITY_SEED_SHIFT(form);
    form |= (rotation ? width : osc_bits_take(bits, 5u)) << 21;
    form |= osc_bits_take(bits, 3u) << 26;
    form |= osc_bits_take(bits, 2u) << 29;
    form |= osc_bits_take(bits, 1u) << 31;
    codes = osc_bits_take(bits, OSC_VELOCITY_IS_RANGED(form) ? 5u : 12u);
    if (OSC_VELOCITY_MOST_KIND(form) >= OSC_VELOCITY_SPEED)
        codes |= osc_bits_take(bits, 2u) << 12;
    if (OSC_VELOCITY_MOST_KIND(form) >= OSC_VELOCITY_FULL)
        codes |= osc_bits_take(bits, 5u) << 14;
    track->form = form;
    track->codes = codes;
}

/* A seed: the value itself. A rotation has three components, and which is dropped with its sign. */
OSC_HOT_VELOCITY static void osc_velocity_take_seed(osc_bits *bits, uint32_t form, bool rotation,
                                                    int32_t *row)
{
    uint32_t prefix = rotation ? osc_bits_take(bits, 3u) : 7u, dropped = prefix & 3u;
    for (uint32_t i = 0; i < (rotation ? 4u : 3u); i++)
        if (i != dropped)
            row[i] = osc_shl(osc_bits_take_signed(bits, OSC_VELOCITY_SEED_WIDTH(form)),
                             OSC_VELOCITY_SEED_SHIFT(form));
    if (rotation)
        osc_rebuild(row, dropped, (prefix & 4u) != 0u);
}

/* The number of ones before a zero; none follows `most` of them. */
static uint32_t osc_velocity_take_kind(osc_bits *bits, uint32_t most)
{
    uint32_t kind = 0;
    while (kind < most && osc_bits_take(bits, 1u) != 0u)
        kind++;
    return kind;
}

static int32_t osc_velocity_take_difference(osc_bits *bits, const osc_velocity_track *track,
                                            uint32_t i)
{
    if (OSC_VELOCITY_IS_RANGED(track->form))
        return osc_bits_take_signed(bits, OSC_VELOCITY_RANGE_WIDTH(track->codes));
    uint32_t k = OSC_VELOCITY_RICE(track->codes, i);
    return k == OSC_RICE_ZERO ? 0 : osc_bits_take_rice(bits, k);
}

/* Changes the velocity. Returns whether the key is a seed, which leaves it as it is. */
static bool osc_velocity_take(osc_bits *bits, osc_velocity_track *track, bool rotation)
{
    osc_velocity *velocity = &track->velocity;
    uint32_t kind = osc_velocity_take_kind(bits, OSC_VELOCITY_MOST_KIND(track->form)),
             shift = OSC_VELOCITY_SHIFT(track->form);
    if (kind == OSC_VELOCITY_SEED)
        return true;
    if (kind == OSC_VELOCITY_SPEED) {
        int32_t change = osc_bits_take_signed(bits, OSC_VELOCITY_SPEED_BITS);
        osc_velocity_speed(velocity, change,
                           OSC_VELOCITY_SPEED_PRECISION(OSC_VELOCITY_SPEED_CODE(track->codes)));
    }
    for (uint32_t i = 0; i < 3u && kind == OSC_VELOCITY_DIFFERENCE; i++)
        velocity->to[i] =
            osc_add(velocity->to[i], osc_shl(osc_velocity_take_difference(bits, track, i), shift));
    for (uint32_t i = 0; i < 3u && kind == OSC_VELOCITY_FULL; i++)
        velocity->to[i] =
            osc_shl(osc_bits_take_signed(bits, OSC_VELOCITY_FULL_WIDTH(track->codes)), shift);
    osc_velocity_settle(velocity, rotation);
    return false;
}

#endif
