/* SPDX-License-Identifier: MIT */
/* The arithmetic of the transform codec that decoder and encoder share: SPEC.md section 10. */
#ifndef OSC_TRANSFORM_ARITHMETIC_H
#define OSC_TRANSFORM_ARITHMETIC_H

#include <stdbool.h>

#include "arithmetic/osc_fixed.h"
#include "bank/osc_format.h"

/* Words of state: of a clip; of a track, 1 plus its components; of a component, in addition to the
 * most coefficients that it has. */
#define OSC_TRANSFORM_STATE_WORDS 3u
#define OSC_TRANSFORM_COMPONENT_WORDS 3u

/* The parts of one component of a track in a clip: one word of the player's state. */
#define OSC_TRANSFORM_SKIP_BYTES(word) ((word)&255u)     /* to the next component */
#define OSC_TRANSFORM_MOST(word) (((word) >> 8) & 7u)    /* most coefficients in a segment */
#define OSC_TRANSFORM_MODE(word) (((word) >> 11) & 3u)   /* coding of their number */
#define OSC_TRANSFORM_END_K(word) (((word) >> 13) & 15u) /* Rice parameter of the ends */
#define OSC_TRANSFORM_K(word) (((word) >> 17) & 15u)     /* and of the coefficients */
#define OSC_TRANSFORM_STEP(word) (((word) >> 21) & 63u)  /* code of the step */
#define OSC_TRANSFORM_COUNT(word) ((word) >> 29)         /* their number in this segment */

/* Returns such a word, with no coefficients yet. */
static inline uint32_t osc_transform_component(uint32_t most, uint32_t mode, uint32_t end_k,
                                               uint32_t k, uint32_t step)
{
    uint32_t skip_bytes = 4u * (OSC_TRANSFORM_COMPONENT_WORDS + most);
    return skip_bytes | most << 8 | mode << 11 | end_k << 13 | k << 17 | step << 21;
}

static inline uint32_t osc_transform_counted(uint32_t word, uint32_t count)
{
    return (word & 0x1fffffffu) | count << 29;
}

/* The word after the last component: no coefficients, but a mode that needs some. */
#define OSC_TRANSFORM_END ((uint32_t)OSC_TRANSFORM_UP << 11)

/* A track's word, followed by the words of each component and its coefficients. The components of
 * all tracks form a list, in which the last of a track skips the next track's word. */
#define OSC_TRANSFORM_TRACK_OFFSET(word) ((word)&0x3fffu)
#define OSC_TRANSFORM_TRACK_PACKING(word) (((word) >> 14) & 15u)
#define OSC_TRANSFORM_TRACK_WIDTH(word) (((word) >> 18) & 63u)
#define OSC_TRANSFORM_TRACK_GRID(word) ((int32_t)(((word) >> 24) & 15u))
#define OSC_TRANSFORM_TRACK_DIRECT(word) (((word) >> 28) & 1u)
#define OSC_TRANSFORM_TRACK_FOUR(word) ((word) >> 31)

static inline uint32_t osc_transform_track(uint32_t offset, uint32_t packing, uint32_t width,
                                           uint32_t grid, bool direct)
{
    uint32_t four = packing == OSC_TRANSFORM_FOUR ? 1u : 0u;
    return offset | packing << 14 | width << 18 | grid << 24 | (direct ? 1u : 0u) << 28 |
           four << 31;
}

enum {
    OSC_COMPONENT_WORD,
    OSC_COMPONENT_START,
    OSC_COMPONENT_CHORD,
    OSC_COMPONENT_WORDS = OSC_TRANSFORM_COMPONENT_WORDS
};

static inline uint32_t osc_transform_component_count(uint32_t packing)
{
    return packing == OSC_TRANSFORM_FOUR ? 4u : 3u;
}

/* The chord's and the coefficients' weights, Q10, inside a segment of `length` frames: `length`
 * numbers for each frame 1 .. length - 1. */
extern const int16_t osc_transform_weights[168];

static inline const int16_t *osc_transform_row_weights(uint32_t length, uint32_t frame)
{
    static const uint8_t first[OSC_TRANSFORM_FRAMES + 1u] = {0, 0, 0, 2, 8, 20, 40, 70, 112};
    return osc_transform_weights + first[length] + (frame - 1u) * length;
}

/* The step of a code: 4, 5, 6, 7, 8, 10, 12, 14, 16 .. 7 * 2^14, Q20. */
static inline int32_t osc_transform_step(uint32_t code)
{
    return (int32_t)((4u + (code & 3u)) << (code >> 2));
}

/* A track whose first step has one of the last codes is direct: every frame is a number of steps
 * away from its segment's start, and the steps are 1, 8, 64 and 512. */
#define OSC_TRANSFORM_DIRECT 60u

static inline uint32_t osc_transform_direct_shift(uint32_t code)
{
    return 3u * (code & 3u);
}

/* The decrease of the Rice parameter, in quarters, from a coefficient to the next, by quotient:
 * 5/4, 1, 1/2, or 0 for 3 and more. The first coefficient's parameter is in the record. */
static const uint8_t osc_transform_less_q2[OSC_RICE_ESCAPE] = {5, 4, 2};

static inline int32_t osc_transform_next_k(int32_t k_q2, uint32_t quotient)
{
    return k_q2 - osc_transform_less_q2[quotient < 3u ? quotient : 3u];
}

static inline uint32_t osc_transform_rice_k(int32_t k_q2)
{
    return k_q2 < 0 ? 0u : (uint32_t)k_q2 >> 2;
}

/* start + (chord and bulge) steps, Q20; sum_q10 is counted in steps. */
static inline int32_t osc_transform_value(int32_t start, int32_t sum_q10, int32_t step)
{
    int32_t whole = osc_mul(osc_add(start, sum_q10 >> 10), step);
    return osc_add(whole, (osc_mul(sum_q10 & 1023, step) + 512) >> 10);
}

/* The number of frames from the first to the last of a segment. */
static inline uint32_t osc_transform_length(uint32_t frame_count, uint32_t segment)
{
    uint32_t rest = frame_count - 1u - segment * OSC_TRANSFORM_FRAMES;
    return rest < OSC_TRANSFORM_FRAMES ? rest : OSC_TRANSFORM_FRAMES;
}

/* Number of a clip's segments; the last may be shorter, and that of a pose has length 0. */
static inline uint32_t osc_transform_segments(uint32_t frame_count)
{
    uint32_t segments = (frame_count - 1u + OSC_TRANSFORM_FRAMES - 1u) / OSC_TRANSFORM_FRAMES;
    return segments != 0u ? segments : 1u;
}

static inline bool osc_transform_begins_block(uint32_t segment, uint32_t restart_log2)
{
    uint32_t frame = segment * OSC_TRANSFORM_FRAMES;
    return (frame >> restart_log2) << restart_log2 == frame;
}

/* Completes a quaternion from a track's coded components: all but the one that the packing
 * drops. */
void osc_transform_finish(int32_t q[4], uint32_t packing);

#endif
