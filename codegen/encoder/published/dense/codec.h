/* A track of the dense codec: keys of one length at every n-th frame (runtime/published/SPEC.md,
 * 14). */
#ifndef ENCODER_PUBLISHED_DENSE_CODEC_H
#define ENCODER_PUBLISHED_DENSE_CODEC_H

#include "bank/osc_format.h"
#include "base/codec.h"
#include "published/keys/key_format.h"

/* A block of a variable track: its rate, and the part of the track's range that its keys use
 * (unused at rate 0). */
typedef struct {
    uint8_t rate, low[3], size[3];
} enc_dense_block;

/* A key of a variable track. */
typedef struct {
    uint32_t flipped; /* the negative of the rotation is written */
    uint32_t code[3];
} enc_dense_key;

/* The keys of a clip that are in tiers, for all of its tracks. In every block the keys are ordered,
 * both ends first; in that order, a track's first keys are in the clip, the next ones in the first
 * tier, and so on. Tracks of a class share the numbers. */
typedef struct {
    uint32_t tier_count, class_count;
    uint8_t *index;  /* [frame]: of a key in the order of its block */
    uint8_t *counts; /* [block][class][tier]: keys in the clip and lower tiers */
} enc_dense_tiers;

typedef struct {
    enc_key_format format;
    uint32_t frame_count, restart_log2, period;
    int32_t *rows;           /* [frame][4 or 3] */
    enc_key *keys;           /* [frame]: at key frames only; not for variable tracks */
    enc_dense_block *blocks; /* [block]: variable tracks only */
    enc_dense_key *codes;    /* [frame]: variable tracks only; at rate 0 the first of each block */
    const enc_dense_tiers *tiers; /* not owned; null: all keys are in the clip */
    const uint8_t *classes;       /* [block]: not owned; with tiers only */
} enc_dense_track;

static inline uint32_t enc_dense_block_frames(uint32_t frame_count, uint32_t restart_log2)
{
    return restart_log2 < 31u && 1u << restart_log2 < frame_count ? 1u << restart_log2
                                                                  : frame_count;
}

/* Returns whether a frame has a key, which both ends of a block always have. */
bool enc_dense_has_key(const enc_dense_track *track, uint32_t frame);
bool enc_dense_is_end(const enc_dense_track *track, uint32_t frame);

/* The number of keys in the block that begins at frame `first`. */
uint32_t enc_dense_key_count(const enc_dense_track *track, uint32_t first);

/* The bits of a key in the block that begins at frame `first`. */
uint32_t enc_dense_key_bits(const enc_dense_track *track, uint32_t first);

/* The number of a class's keys of a block in the clip and the leading tiers. */
static inline uint32_t enc_dense_keys_with(const enc_dense_tiers *tiers, uint32_t block,
                                           uint32_t number, uint32_t with)
{
    return tiers->counts[(block * tiers->class_count + number) * tiers->tier_count + with];
}

/* Computes the row of a frame between two keys as the device blends it. */
void enc_dense_mix(const enc_dense_track *track, uint32_t frame, uint32_t left, uint32_t right,
                   int32_t *row);

/* Creates a track; null without memory. */
enc_dense_track *enc_dense_track_new(const enc_key_format *format, uint32_t frame_count,
                                     uint32_t restart_log2, uint32_t period);
void enc_dense_track_release(void *track);

/* Converts the track to one for the solver, which then owns it. Returns null without memory; the
 * track is then released. */
enc_coded *enc_dense_wrap(enc_dense_track *track);

/* The bits of the track's header and blocks. */
uint32_t enc_dense_bits(const enc_dense_track *track);

/* Computes keys at every n-th frame and at both ends of every block, and the rows of all frames.
 * target: [frame][4 or 3]; not for variable tracks. */
void enc_dense_make_keys(enc_dense_track *track, const double *target);

#endif
