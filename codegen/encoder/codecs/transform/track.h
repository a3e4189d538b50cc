/* A track of the transform codec: the integers of segments with shared ends
 * (runtime/codecs/osc_transform_arithmetic.h). */
#ifndef ENCODER_CODECS_TRANSFORM_TRACK_H
#define ENCODER_CODECS_TRANSFORM_TRACK_H

#include <stdlib.h>
#include <string.h>

#include "base/codec.h"
#include "codecs/osc_transform_arithmetic.h"

enum {
    ENC_TRANSFORM_COMPONENTS = 4,
    ENC_TRANSFORM_ORDERS = OSC_TRANSFORM_FRAMES - 1,
    ENC_TRANSFORM_POINTS = ENC_ERROR_POINTS + 1
};

typedef struct {
    uint32_t kind, frame_count, restart_log2;
    uint32_t packing;
    uint32_t components; /* coded components: 3 or 4 */
    uint32_t segments;
    uint32_t step[ENC_TRANSFORM_COMPONENTS]; /* step codes, see osc_transform_step */
    uint32_t end_grid; /* ends are multiples of this many steps, because they need not be as fine */
    int32_t *ends;     /* [segment + 1][ENC_TRANSFORM_COMPONENTS], in steps */
    int32_t *coefficients; /* [segment][ENC_TRANSFORM_COMPONENTS][ENC_TRANSFORM_ORDERS]; once the
                              track is packed, of each component only as many as counts has */
    bool is_packed;
    uint8_t *counts; /* [segment][ENC_TRANSFORM_COMPONENTS]: number of coefficients up to the last
                        non-zero one */
    int32_t *rows;   /* [frame][4 or 3]: as the device unpacks them */
} enc_transform_track;

/* The coding of a component. */
typedef struct {
    uint32_t end_k, k, most, mode;
} enc_transform_codes;

static inline int32_t *enc_transform_end(const enc_transform_track *track, uint32_t segment,
                                         uint32_t component)
{
    return &track->ends[(size_t)segment * ENC_TRANSFORM_COMPONENTS + component];
}

static inline uint8_t *enc_transform_count(const enc_transform_track *track, uint32_t segment,
                                           uint32_t component)
{
    return &track->counts[(size_t)segment * ENC_TRANSFORM_COMPONENTS + component];
}

static inline int32_t *enc_transform_coefficients(const enc_transform_track *track,
                                                  uint32_t segment, uint32_t component)
{
    return &track->coefficients[((size_t)segment * ENC_TRANSFORM_COMPONENTS + component) *
                                ENC_TRANSFORM_ORDERS];
}

/* Keeps only the coefficients up to the last one of each component that is not zero: of motion
 * capture, few of them. */
static inline void enc_transform_pack(enc_transform_track *track)
{
    size_t cells = (size_t)track->segments * ENC_TRANSFORM_COMPONENTS, at = 0;
    for (size_t i = 0; i < cells; at += track->counts[i++])
        memmove(track->coefficients + at, track->coefficients + i * ENC_TRANSFORM_ORDERS,
                track->counts[i] * sizeof *track->coefficients);
    int32_t *packed = realloc(track->coefficients, (at + 1u) * sizeof *packed);
    if (packed != NULL)
        track->coefficients = packed;
    track->is_packed = true;
}

/* All coefficients of a track, packed or not. out: room for them. */
static inline void enc_transform_unpack(const enc_transform_track *track, int32_t *out)
{
    size_t cells = (size_t)track->segments * ENC_TRANSFORM_COMPONENTS, at = 0;
    if (!track->is_packed) {
        memcpy(out, track->coefficients, cells * ENC_TRANSFORM_ORDERS * sizeof *out);
        return;
    }
    memset(out, 0, cells * ENC_TRANSFORM_ORDERS * sizeof *out);
    for (size_t i = 0; i < cells; at += track->counts[i++])
        memcpy(out + i * ENC_TRANSFORM_ORDERS, track->coefficients + at,
               track->counts[i] * sizeof *out);
}

/* Returns a new array of all coefficients of a track, packed or not; null without memory. */
static inline int32_t *enc_transform_unpacked(const enc_transform_track *track)
{
    size_t cells = (size_t)track->segments * ENC_TRANSFORM_COMPONENTS;
    int32_t *all = malloc(cells * ENC_TRANSFORM_ORDERS * sizeof *all + 1u);
    if (all != NULL)
        enc_transform_unpack(track, all);
    return all;
}

/* Counts a segment's coefficients. Those from `most` on are known to be zero. */
static inline void enc_transform_recount(enc_transform_track *track, uint32_t segment,
                                         uint32_t component, uint32_t most)
{
    const int32_t *values = enc_transform_coefficients(track, segment, component);
    while (most > 0u && values[most - 1u] == 0)
        most--;
    *enc_transform_count(track, segment, component) = (uint8_t)most;
}

#endif
