/* What a codec is to the encoder: it codes one track at a time so that a test holds at every frame,
 * and it writes the coded tracks of a clip.
 *
 * The solver decides what a track has to follow (`target`: the source, or the source turned so that
 * it makes up for the errors of the joints above) and what is good enough (`holds`: exact, on the
 * very integers that the device will unpack). A codec knows neither skeleton nor tolerance.
 */
#ifndef ENCODER_BASE_CODEC_H
#define ENCODER_BASE_CODEC_H

#include <stdbool.h>
#include <stdlib.h>

#include "base/bit_writer.h"
#include "base/kinds.h"
#include "encoder.h"

/* How a track's row moves with four numbers that a codec makes it of: [of the row][of the codec], 0
 * for what there is not. */
typedef struct {
    double by[4][4];
} enc_slopes;

/* A place that has to hold, as those numbers move it: off + sum of by[][c] * (number - target)[c]
 * is less than one long, to first order. */
typedef struct {
    double off[3];
    double by[3][4];
    double passed_on; /* what of its squared length other tracks find missing of their tolerance */
} enc_error_point;

enum { ENC_ERROR_POINTS = 8 };

/* One track to be coded. */
typedef struct {
    uint32_t kind; /* ENC_ROTATION .. ENC_SCALE */
    uint32_t frame_count, restart_log2;
    const double *target;     /* [frame][4 or 3]; rotations unit, neighbours in one hemisphere */
    const uint8_t *breaks;    /* [frame]: the track jumps at this frame, fits need not be smooth */
    double slack;             /* deviations of this size (radians, metres, scale) about hold */
    uint32_t effort;          /* enc_effort */
    uint32_t keys;            /* enc_keys */
    const enc_scheme *scheme; /* of the codecs sparse and dense; else null */
    uint32_t followers;       /* joints that have to make up for what this track is off by */
    const struct enc_coded *before; /* or null: a coding of the track that may fail at a few frames
                                     * now; a codec may mend those instead of starting anew */
    bool (*holds)(const void *context, uint32_t frame, const int32_t *row);
    const void *context;

    /* What holds() measures, near the target: at most ENC_ERROR_POINTS, always as many; null where
     * that is not known. A guide for searches: holds() decides. */
    uint32_t (*error_points)(const void *context, uint32_t frame, const enc_slopes *slopes,
                             enc_error_point *out);

    /* Whether the track [frame][4 or 3] is good enough half way from `frame` to the next; null
     * where nobody asks. A track that is not everywhere may cost the clip another try. */
    bool (*between)(const void *context, uint32_t frame, const int32_t *rows);
} enc_fit;

/* A coded track: what the device unpacks, and what it costs. */
typedef struct enc_coded {
    uint32_t codec, kind, frame_count;
    int32_t *rows;   /* [frame][4 or 3], Q20; rotations rebuilt, neighbours in one hemisphere */
    uint32_t bits;   /* everything that grows with this track: record, keys, residuals */
    uint32_t shared; /* solutions that hold it beside the first one */
    void *data;      /* the codec's own; released by release() */
    void (*release)(void *data);
} enc_coded;

/* A coded track on the heap. Null without memory: the codec's own is still the caller's then. */
static inline enc_coded *enc_coded_new(enc_coded value)
{
    enc_coded *coded = malloc(sizeof *coded);
    if (coded != NULL)
        *coded = value;
    return coded;
}

void enc_coded_free(enc_coded *coded);

/* One codec. */
typedef struct {
    uint32_t codec; /* OSC_CODEC_* */
    const char *name;
    bool random_access;
    bool prices_errors; /* fit() weighs what a track saves against what others pay for its errors:
                         * limits need not do so */

    /* The cheapest coding found for which holds() is true at every frame and no step of a pair that
     * blends reaches 2^20; null when there is none (or no memory: then *out_of_memory is set). */
    enc_coded *(*fit)(const enc_fit *fit, bool *out_of_memory);

    /* Words of player state that a clip of these animated tracks needs beside the rows. */
    uint32_t (*state_words)(const enc_coded *const *tracks, uint32_t track_count,
                            uint32_t frame_count);

    /* Writes a clip: its track headers, its blocks, and where in `blocks` each but the first begins
     * (SPEC.md). subtracks: the subtrack number of each track, ascending. */
    int32_t (*write)(const enc_coded *const *tracks, const uint32_t *subtracks,
                     uint32_t track_count, uint32_t frame_count, uint32_t restart_log2,
                     enc_bit_writer *headers, enc_bit_writer *restarts, enc_bit_writer *blocks);

    /* The same where keys may lie in tiers, to which it appends them: ENC_TIERS writers. Null: the
     * codec has none. */
    int32_t (*write_tiers)(const enc_coded *const *tracks, const uint32_t *subtracks,
                           uint32_t track_count, uint32_t frame_count, uint32_t restart_log2,
                           enc_bit_writer *headers, enc_bit_writer *restarts,
                           enc_bit_writer *blocks, enc_bit_writer *tiers);
} enc_codec;

/* Restart points of a clip of this codec, log2 of their distance. A random-access codec keeps the
 * number of segments in a block small, whatever was asked for: jumps pass over them. Those of a
 * dense clip cost only what its variable rates say of them. */
static inline uint32_t enc_restart_log2(const enc_codec *codec, const enc_options *options)
{
    const uint32_t most = 6u;
    if (options->scheme != NULL && options->scheme->rotations != ENC_FORMAT_VARIABLE &&
        options->scheme->vectors != ENC_FORMAT_VARIABLE)
        return options->restart_log2;
    return codec->random_access && options->restart_log2 > most ? most : options->restart_log2;
}

#endif
