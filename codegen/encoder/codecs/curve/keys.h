/* A track as sparse keys: the numbers that the stream holds, and the rows that the device computes
 * from them. */
#ifndef ENCODER_CODECS_CURVE_KEYS_H
#define ENCODER_CODECS_CURVE_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bank/osc_format.h"

#define CURVE_MAX_COMPONENTS 4u

/* Section i runs from key i to key i + 1. */
typedef struct {
    uint32_t basis, packing; /* OSC_CURVE_* */
    uint32_t shift;          /* values are in steps of 2^shift, Q20 */
    uint32_t unit;           /* Hermite: tangents are in 2^-unit steps per frame */
    uint32_t coarsening[CURVE_MAX_COMPONENTS]; /* [component]: values and tangents are multiples of
                                                  2^coarsening */
    uint32_t components;                       /* coded components: 3, or 4 in packing four */
    uint32_t frame_count, restart_log2;
    const uint8_t *breaks;
    uint32_t count;
    uint32_t *frame; /* [key], ascending; with the first and last frame and all restarts */
    int32_t (*value)[CURVE_MAX_COMPONENTS];
    int32_t (*tangent)[CURVE_MAX_COMPONENTS];
} curve_keys;

/* Allocates a key for every frame. Returns false without memory. */
bool curve_keys_prepare(curve_keys *keys, uint32_t frame_count);
void curve_keys_release(curve_keys *keys);
/* Makes `to` equal to `from`, which has as many frames. */
void curve_keys_copy(curve_keys *to, const curve_keys *from);

/* Copies `count` keys of `from`, from key `first` on, to key `at` of `to`, maybe the same. */
void curve_keys_move(curve_keys *to, uint32_t at, const curve_keys *from, uint32_t first,
                     uint32_t count);

/* Leaves out the first `count` keys: key 0 is the next one. */
void curve_keys_skip(curve_keys *keys, uint32_t count);

bool curve_is_restart(const curve_keys *keys, uint32_t frame);

/* Cubic: whether section i is a jump, whose ends share no tangent. */
bool curve_is_jump(const curve_keys *keys, uint32_t i);

/* Cubic: whether section i depends on the key after it but not on the one before. */
bool curve_is_fresh(const curve_keys *keys, uint32_t i);
bool curve_is_smooth(const curve_keys *keys, uint32_t i);

static inline uint32_t curve_gap(const curve_keys *keys, uint32_t i)
{
    return keys->frame[i + 1u] - keys->frame[i];
}

/* The key `reach` keys before key i, or the first one; and after it, or the last one. */
static inline uint32_t curve_key_before(uint32_t i, uint32_t reach)
{
    return i > reach ? i - reach : 0u;
}

static inline uint32_t curve_key_after(const curve_keys *keys, uint32_t i, uint32_t reach)
{
    return i + reach < keys->count ? i + reach : keys->count - 1u;
}

/* The component of a rotation, in the packing's orientation, that is coded component c. */
static inline uint32_t curve_row_component(uint32_t packing, uint32_t c)
{
    return packing < OSC_CURVE_FOUR ? (packing + 1u + c) & 3u : c;
}

static inline uint32_t curve_components(uint32_t packing)
{
    return packing == OSC_CURVE_FOUR ? 4u : 3u;
}

static inline uint32_t curve_row_words(uint32_t packing)
{
    return packing == OSC_CURVE_VECTOR ? 3u : 4u;
}

/* Fills `coded` (4) with the coded components of a row of the target, Q20, followed by zeros.
 * Returns the sign by which the row is multiplied. */
double curve_coded(const double *target, uint32_t packing, double *coded);

/* Plays sections first .. last - 1, and the last key if the track ends there, into rows of 4 or 3
 * words. */
void curve_play(const curve_keys *keys, uint32_t first, uint32_t last, int32_t *rows);

#endif
