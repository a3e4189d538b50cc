/* SPDX-License-Identifier: MIT */
/* Key rows on vectors of four 32-bit integers: the steps of runtime/codecs/osc_transform_rows.h for
 * four tracks at once. In addition to the operations of
 * osc_vector_blend.h a port defines:
 *
 *   osc_v4_and, osc_v4_or, osc_v4_xor
 *   osc_v4_equal(a, b), osc_v4_greater(a, b)   all ones or zero; signed
 *   osc_v4_select(mask, a, b)                  a where the mask is all ones, b where it is zero
 *   osc_v4_transpose(v)                        four vectors as a 4x4 matrix
 *   osc_v4_sums(a, b, c, d)                    the sum of the lanes of each of four vectors
 *   osc_v4_root_q20(n)                         osc_root_q20 of each lane, 0 <= n <= 2^28
 *
 * A clip's tracks are transposed: up to four neighbouring tracks of one kind form a group, with
 * their numbers side by side. Groups follow the tracks, of which the state then keeps only what
 * tells how to read them, and segments are read into groups. In a group of fewer tracks, the first
 * lanes have the words of the first track, and zeros; the track itself is stored after them.
 *
 *     1                   head: kind, and the most coefficients of each component, 4 bits each
 *     4                   the tracks' words
 *     for each component:
 *         4               steps
 *         4               starts
 *         4 * (1 + most)  chords, then coefficients by order; 0 after a track's last one
 *
 * Tracks in packing four and direct tracks are not sums, and stay in the state. They have a head,
 * with their number, and their distance from the first track. */
#ifndef OSC_VECTOR_ROWS_H
#define OSC_VECTOR_ROWS_H

#include "port/osc_port.h"

#include OSC_PORT_VECTORS

enum { OSC_TRANSPOSED_END, OSC_TRANSPOSED_ROTATIONS, OSC_TRANSPOSED_VECTORS, OSC_TRANSPOSED_OTHER };
#define OSC_TRANSPOSED_KIND(head) ((head)&3u)
#define OSC_TRANSPOSED_MOST(head, component) (((head) >> (4u + 4u * (component))) & 7u)
#define OSC_TRANSPOSED_OTHERS(head) ((head) >> 4)
#define OSC_TRANSPOSED_HEAD_WORDS 5u
#define OSC_TRANSPOSED_COMPONENT_WORDS 2u /* that stay in the state: its word and its start */
#define OSC_TRANSPOSED_ROOM_WORDS 125u    /* of a group with all coefficients */

static inline uint32_t osc_transpose_kind(uint32_t track)
{
    uint32_t packing = OSC_TRANSFORM_TRACK_PACKING(track);
    if (packing == OSC_TRANSFORM_FOUR || OSC_TRANSFORM_TRACK_DIRECT(track) != 0u)
        return OSC_TRANSPOSED_OTHER;
    return packing == OSC_TRANSFORM_VECTOR ? OSC_TRANSPOSED_VECTORS : OSC_TRANSPOSED_ROTATIONS;
}

static inline int32_t *osc_next_component(int32_t *at)
{
    return at + osc_transform_component_words(at);
}

/* The track after the one at `at`, if there is one. */
static inline int32_t *osc_next_track(int32_t *at)
{
    bool four = OSC_TRANSFORM_TRACK_FOUR((uint32_t)*at) != 0u;
    at = osc_next_component(osc_next_component(osc_next_component(at + 1)));
    return (four ? osc_next_component(at) : at) - 1;
}

/* Transposes a component of four tracks, of which the first `empty` lanes are empty. at: its words,
 * which become those of the next component. most: coefficients of any of them. Returns its end. */
static inline int32_t *osc_transpose_component(int32_t *first, int32_t *at[4], uint32_t empty,
                                               uint32_t most, int32_t *to)
{
    for (uint32_t i = 0; i < 4u * (3u + most); i++)
        to[i] = 0;
    for (uint32_t lane = empty; lane < 4u; lane++) {
        uint32_t word = (uint32_t)at[lane][OSC_COMPONENT_WORD];
        to[lane] = osc_transform_step(OSC_TRANSFORM_STEP(word));
        at[lane][OSC_COMPONENT_WORD] = (int32_t)(word | OSC_TRANSFORM_TRANSPOSED);
        at[lane][OSC_COMPONENT_START] = (int32_t)(to + 4u + lane - first);
        at[lane] = osc_next_component(at[lane]);
    }
    return to + 4u * (3u + most);
}

/* Transposes `count` neighbouring tracks, 1 to 4, that are sums of three components. first: the
 * clip's first track; group: their place. Returns its end. */
static inline int32_t *osc_transpose_group(int32_t *first, int32_t *track, uint32_t count,
                                           uint32_t kind, int32_t *group)
{
    int32_t *at[4] = {0, 0, 0, 0}, *to = group + OSC_TRANSPOSED_HEAD_WORDS;
    uint32_t head = kind, empty = 4u - count;
    for (uint32_t lane = 0; lane < 4u; lane++) {
        group[1u + lane] = *track;
        if (lane >= empty) {
            at[lane] = track + 1;
            track = lane < 3u ? osc_next_track(track) : track;
        }
    }
    for (uint32_t component = 0; component < 3u; component++) {
        uint32_t most = 0;
        for (uint32_t lane = empty; lane < 4u; lane++) {
            uint32_t own = OSC_TRANSFORM_MOST((uint32_t)at[lane][OSC_COMPONENT_WORD]);
            most = own > most ? own : most;
        }
        head |= most << (4u + 4u * component);
        to = osc_transpose_component(first, at, empty, most, to);
    }
    *group = (int32_t)head;
    return to;
}

/* Goes past a group: up to four neighbouring tracks of a kind that is transposed, or another track.
 * Returns the number of its tracks. */
static inline uint32_t osc_pass_group(int32_t **at, uint32_t tracks)
{
    uint32_t kind = osc_transpose_kind((uint32_t) * *at), count = 0;
    do {
        *at = osc_next_track(*at);
        count++;
    } while (kind != OSC_TRANSPOSED_OTHER && count < 4u && count != tracks &&
             osc_transpose_kind((uint32_t) * *at) == kind);
    return count;
}

/* The words of all tracks with their groups, from the first track on; 0 if no track is
 * transposed. */
static inline uint32_t osc_transposed_words(int32_t *first, uint32_t tracks)
{
    uint32_t words = 2u; /* the ends of both lists */
    bool any = false;
    for (int32_t *at = first; tracks != 0u;) {
        int32_t *track = at;
        uint32_t kind = osc_transpose_kind((uint32_t)*track);
        uint32_t count = osc_pass_group(&at, tracks);
        tracks -= count;
        if (kind == OSC_TRANSPOSED_OTHER) {
            words += (uint32_t)(at - track) + (tracks == 0u ? 1u : 0u) + 2u;
            continue;
        }
        any = true;
        words += count * (1u + 3u * OSC_TRANSPOSED_COMPONENT_WORDS) + OSC_TRANSPOSED_HEAD_WORDS;
        words += 4u * 3u * OSC_COMPONENT_WORDS;
        uint32_t most[3] = {0, 0, 0};
        for (; count != 0u; count--, track = count != 0u ? osc_next_track(track) : track) {
            const int32_t *component = track + 1;
            for (uint32_t i = 0; i < 3u; i++) {
                uint32_t own = OSC_TRANSFORM_MOST((uint32_t)component[OSC_COMPONENT_WORD]);
                most[i] = own > most[i] ? own : most[i];
                component += osc_transform_component_words(component);
            }
        }
        words += 4u * (most[0] + most[1] + most[2]);
    }
    return any ? words : 0u;
}

/* Removes the numbers of components that are transposed. Returns the end of the tracks. */
static inline int32_t *osc_compact_tracks(int32_t *first, uint32_t tracks)
{
    int32_t *at = first, *to = first;
    for (; tracks != 0u; tracks--) {
        bool moves = osc_transpose_kind((uint32_t)*at) != OSC_TRANSPOSED_OTHER;
        uint32_t components = OSC_TRANSFORM_TRACK_FOUR((uint32_t)*at) + 3u;
        *to++ = *at++;
        for (; components != 0u; components--) {
            uint32_t words = OSC_COMPONENT_WORDS + OSC_TRANSFORM_MOST((uint32_t)*at);
            uint32_t kept = moves ? OSC_TRANSPOSED_COMPONENT_WORDS : words;
            for (uint32_t i = 0; i < kept; i++)
                to[i] = at[i];
            *to -= (int32_t)(4u * (words - kept)); /* to the next component */
            at += words;
            to += kept;
        }
    }
    *to++ = (int32_t)OSC_TRANSFORM_END;
    return to;
}

static inline uint32_t osc_transpose_tracks(int32_t *first, uint32_t tracks, uint32_t words)
{
    uint32_t needed = osc_transposed_words(first, tracks);
    if (needed == 0u || needed > words)
        return 0;
    int32_t *const transposed = osc_compact_tracks(first, tracks);
    int32_t *to = transposed;
    for (int32_t *at = first; tracks != 0u;) {
        int32_t *track = at;
        uint32_t kind = osc_transpose_kind((uint32_t)*at), count = osc_pass_group(&at, tracks);
        tracks -= count;
        if (kind == OSC_TRANSPOSED_OTHER) {
            *to++ = (int32_t)(OSC_TRANSPOSED_OTHER | count << 4);
            *to++ = (int32_t)(track - first);
        } else {
            to = osc_transpose_group(first, track, count, kind, to);
        }
    }
    *to = OSC_TRANSPOSED_END;
    return (uint32_t)(transposed - first);
}

static inline void osc_clear_coefficients(int32_t *transposed)
{
    if (transposed == 0)
        return;
    while (OSC_TRANSPOSED_KIND((uint32_t)*transposed) != OSC_TRANSPOSED_END) {
        uint32_t head = (uint32_t)*transposed;
        if (OSC_TRANSPOSED_KIND(head) == OSC_TRANSPOSED_OTHER) {
            transposed += 2;
            continue;
        }
        transposed += OSC_TRANSPOSED_HEAD_WORDS;
        for (uint32_t component = 0; component < 3u; component++) {
            transposed += 12;
            for (uint32_t i = OSC_TRANSPOSED_MOST(head, component); i != 0u; i--, transposed += 4)
                osc_v4_store(transposed, osc_v4_all(0u));
        }
    }
}

/* A row's weights, each in all lanes. */
typedef struct osc_v4_weights {
    osc_v4 of[OSC_TRANSFORM_FRAMES];
} osc_v4_weights;

static inline osc_v4_weights osc_v4_weights_of(const int16_t *weights)
{
    osc_v4_weights result;
    for (uint32_t i = 0; i < OSC_TRANSFORM_FRAMES; i++)
        result.of[i] = osc_v4_all((uint32_t)weights[i]);
    return result;
}

/* One component of four tracks: the sum of `most` coefficients and the chord, and its value. */
static inline osc_v4 osc_v4_component(const int32_t *component, uint32_t most,
                                      const osc_v4_weights *weights)
{
    const int32_t *chord = component + 8;
    osc_v4 step = osc_v4_load(component);
    osc_v4 sum = osc_v4_mul(osc_v4_load(chord), weights->of[0]);
    switch (most) {
    case 7:
        sum = osc_v4_mul_add(sum, osc_v4_load(chord + 28), weights->of[7]); /* fall through */
    case 6:
        sum = osc_v4_mul_add(sum, osc_v4_load(chord + 24), weights->of[6]); /* fall through */
    case 5:
        sum = osc_v4_mul_add(sum, osc_v4_load(chord + 20), weights->of[5]); /* fall through */
    case 4:
        sum = osc_v4_mul_add(sum, osc_v4_load(chord + 16), weights->of[4]); /* fall through */
    case 3:
        sum = osc_v4_mul_add(sum, osc_v4_load(chord + 12), weights->of[3]); /* fall through */
    case 2:
        sum = osc_v4_mul_add(sum, osc_v4_load(chord + 8), weights->of[2]); /* fall through */
    case 1:
        sum = osc_v4_mul_add(sum, osc_v4_load(chord + 4), weights->of[1]); /* fall through */
    default:
        break;
    }
    osc_v4 whole = osc_v4_add(osc_v4_load(component + 4), osc_v4_sar(sum, 10));
    osc_v4 part = osc_v4_and(sum, osc_v4_all(1023u));
    part = osc_v4_sar(osc_v4_mul_add(osc_v4_all(512u), part, step), 10);
    return osc_v4_mul_add(part, whole, step);
}

/* The values of a transposed group. Returns its end. */
static inline const int32_t *osc_v4_values(const int32_t *group, const osc_v4_weights *weights,
                                           osc_v4 values[4])
{
    uint32_t head = (uint32_t)*group;
    const int32_t *component = group + OSC_TRANSPOSED_HEAD_WORDS;
    uint32_t most = OSC_TRANSPOSED_MOST(head, 0u);
    values[0] = osc_v4_component(component, most, weights);
    component += 4u * (3u + most);
    most = OSC_TRANSPOSED_MOST(head, 1u);
    values[1] = osc_v4_component(component, most, weights);
    component += 4u * (3u + most);
    most = OSC_TRANSPOSED_MOST(head, 2u);
    values[2] = osc_v4_component(component, most, weights);
    return component + 4u * (3u + most);
}

/* osc_rebuild_q20 of four quaternions. */
static inline osc_v4 osc_v4_rebuild(const osc_v4 v[3])
{
    osc_v4 ten = osc_v4_all(1023u), one = osc_v4_all(1u << 28);
    osc_v4 ah = osc_v4_sar(v[0], 10), bh = osc_v4_sar(v[1], 10), ch = osc_v4_sar(v[2], 10);
    osc_v4 al = osc_v4_and(v[0], ten), bl = osc_v4_and(v[1], ten), cl = osc_v4_and(v[2], ten);
    osc_v4 high = osc_v4_mul_add(osc_v4_mul_add(osc_v4_mul(ah, ah), bh, bh), ch, ch);
    osc_v4 mixed = osc_v4_mul_add(osc_v4_mul_add(osc_v4_mul(ah, al), bh, bl), ch, cl);
    osc_v4 low = osc_v4_mul_add(osc_v4_mul_add(osc_v4_mul(al, al), bl, bl), cl, cl);
    low = osc_v4_shr(osc_v4_add(low, osc_v4_all(2048u)), 11);
    osc_v4 squares = osc_v4_add(osc_v4_shl(high, 8), osc_v4_sar(osc_v4_add(mixed, low), 1));
    osc_v4 n = osc_v4_sub(one, squares);
    osc_v4 outside = osc_v4_or(osc_v4_sar(n, 31), osc_v4_greater(n, one));
    return osc_v4_root_q20(osc_v4_select(outside, osc_v4_all(0u), n));
}

/* osc_turn of the lanes with packings 4 .. 11. */
static inline void osc_v4_turn(osc_v4 q[4], osc_v4 packing)
{
    osc_v4 turned = osc_v4_greater(packing, osc_v4_all(3u)), one = osc_v4_all(1u);
    osc_v4 back = osc_v4_greater(packing, osc_v4_all(7u));
    osc_v4 x = q[0], w = q[3], y = osc_v4_select(back, q[2], q[1]);
    osc_v4 z = osc_v4_select(back, q[1], q[2]);
    /* back is the same with y and z exchanged and w negated, but for w itself */
    osc_v4 half = osc_v4_add(osc_v4_sub(osc_v4_xor(w, back), back), one);
    osc_v4 even = osc_v4_add(osc_v4_add(x, y), z);
    even = osc_v4_xor(even, osc_v4_sub(osc_v4_all(0u), osc_v4_add(back, one)));
    osc_v4 x_y = osc_v4_sub(x, y), y_z = osc_v4_sub(y, z), z_x = osc_v4_sub(z, x);
    osc_v4 new_x = osc_v4_sar(osc_v4_add(osc_v4_add(x_y, z), half), 1);
    osc_v4 new_y = osc_v4_sar(osc_v4_add(osc_v4_add(y_z, x), half), 1);
    osc_v4 new_z = osc_v4_sar(osc_v4_add(osc_v4_add(z_x, y), half), 1);
    /* even: itself for back, else -1 - even */
    osc_v4 more = osc_v4_add(osc_v4_all(2u), back); /* 1 for back, else 2 */
    osc_v4 new_w = osc_v4_sar(osc_v4_add(osc_v4_add(w, even), more), 1);
    q[0] = osc_v4_select(turned, new_x, q[0]);
    q[3] = osc_v4_select(turned, new_w, q[3]);
    y = osc_v4_select(back, new_z, new_y);
    z = osc_v4_select(back, new_y, new_z);
    q[1] = osc_v4_select(turned, y, q[1]);
    q[2] = osc_v4_select(turned, z, q[2]);
}

/* The squares that sum up to the chord between a row and a new rotation. */
static inline osc_v4 osc_v4_squared_step(const int32_t *previous, osc_v4 q)
{
    osc_v4 step = osc_v4_sar(osc_v4_sub(q, osc_v4_load(previous)), 5);
    return osc_v4_mul(step, step);
}

/* Finishes a transposed group of rotations whose coded components are v[0], v[1], v[2]. */
static inline void osc_v4_finish(const int32_t *tracks, const osc_v4 v[3], const osc_rows *rows)
{
    osc_v4 q[4], root = osc_v4_rebuild(v);
    osc_v4 packing = osc_v4_and(osc_v4_shr(osc_v4_load(tracks), 14), osc_v4_all(15u));
    osc_v4 dropped = osc_v4_and(packing, osc_v4_all(3u));
    osc_v4 drops_x = osc_v4_equal(dropped, osc_v4_all(0u));
    osc_v4 drops_y = osc_v4_equal(dropped, osc_v4_all(1u));
    osc_v4 drops_z = osc_v4_equal(dropped, osc_v4_all(2u));
    osc_v4 drops_w = osc_v4_equal(dropped, osc_v4_all(3u));
    q[0] = osc_v4_select(drops_x, root, v[0]);
    q[1] = osc_v4_select(drops_x, v[0], osc_v4_select(drops_y, root, v[1]));
    q[2] = osc_v4_select(drops_w, v[2], osc_v4_select(drops_z, root, v[1]));
    q[3] = osc_v4_select(drops_w, root, v[2]);
    osc_v4_turn(q, packing);
    osc_v4_transpose(q);
    uint32_t offset0 = OSC_TRANSFORM_TRACK_OFFSET((uint32_t)tracks[0]);
    uint32_t offset1 = OSC_TRANSFORM_TRACK_OFFSET((uint32_t)tracks[1]);
    uint32_t offset2 = OSC_TRANSFORM_TRACK_OFFSET((uint32_t)tracks[2]);
    uint32_t offset3 = OSC_TRANSFORM_TRACK_OFFSET((uint32_t)tracks[3]);
    osc_v4 chords = osc_v4_sums(osc_v4_squared_step(rows->previous + offset0, q[0]),
                                osc_v4_squared_step(rows->previous + offset1, q[1]),
                                osc_v4_squared_step(rows->previous + offset2, q[2]),
                                osc_v4_squared_step(rows->previous + offset3, q[3]));
    int32_t chords_q20[4];
    osc_v4_store(chords_q20, osc_v4_shr(chords, 10));
    osc_v4_store(rows->row + offset0, q[0]);
    osc_v4_store(rows->row + offset1, q[1]);
    osc_v4_store(rows->row + offset2, q[2]);
    osc_v4_store(rows->row + offset3, q[3]);
    rows->chords[offset0 >> 2] = (uint32_t)chords_q20[0];
    rows->chords[offset1 >> 2] = (uint32_t)chords_q20[1];
    rows->chords[offset2 >> 2] = (uint32_t)chords_q20[2];
    rows->chords[offset3 >> 2] = (uint32_t)chords_q20[3];
}

static inline bool osc_rebuild_four(const uint32_t offsets[4], int32_t *row,
                                    const int32_t *previous, uint32_t *chords)
{
    osc_v4 q[4];
    for (uint32_t lane = 0; lane < 4u; lane++)
        q[lane] = osc_v4_load(row + offsets[lane]);
    osc_v4_transpose(q);
    q[3] = osc_v4_rebuild(q);
    if (osc_v4_any(osc_v4_equal(q[3], osc_v4_all(0u))))
        return false;
    osc_v4_transpose(q);
    int32_t chords_q20[4];
    osc_v4 sums = osc_v4_sums(osc_v4_squared_step(previous + offsets[0], q[0]),
                              osc_v4_squared_step(previous + offsets[1], q[1]),
                              osc_v4_squared_step(previous + offsets[2], q[2]),
                              osc_v4_squared_step(previous + offsets[3], q[3]));
    osc_v4_store(chords_q20, osc_v4_shr(sums, 10));
    for (uint32_t lane = 0; lane < 4u; lane++) {
        osc_v4_store(row + offsets[lane], q[lane]);
        chords[offsets[lane] >> 2] = (uint32_t)chords_q20[lane];
    }
    return true;
}

static inline void osc_fill_tracks(const int32_t *at, uint32_t tracks, const int32_t *transposed,
                                   const osc_rows *rows)
{
    if (transposed == 0) {
        for (; tracks != 0u; tracks--)
            at = osc_fill_track(at, rows);
        return;
    }
    const osc_v4_weights weights = osc_v4_weights_of(rows->weights);
    for (;;) {
        osc_v4 v[4];
        switch (OSC_TRANSPOSED_KIND((uint32_t)*transposed)) {
        case OSC_TRANSPOSED_ROTATIONS: {
            const int32_t *group = transposed + 1;
            transposed = osc_v4_values(transposed, &weights, v);
            osc_v4_finish(group, v, rows);
            break;
        }
        case OSC_TRANSPOSED_VECTORS: {
            const int32_t *group = transposed + 1;
            transposed = osc_v4_values(transposed, &weights, v);
            v[3] = v[2];
            osc_v4_transpose(v);
            for (uint32_t i = 0; i < 4u; i++)
                osc_v4_store3(rows->row + OSC_TRANSFORM_TRACK_OFFSET((uint32_t)group[i]), v[i]);
            break;
        }
        case OSC_TRANSPOSED_OTHER: {
            const int32_t *track = at + transposed[1];
            for (uint32_t left = OSC_TRANSPOSED_OTHERS((uint32_t)*transposed); left != 0u; left--)
                track = osc_fill_track(track, rows);
            transposed += 2;
            break;
        }
        default:
            return;
        }
    }
}

#endif
