/* The interface between the encoder and a codec. A codec codes one track at a time so that a test
 * holds at every frame, and writes the coded tracks of a clip.
 *
 * The solver decides the target of a track (`target`: the source, or the source rotated so that it
 * compensates for the errors of the joints above) and the accuracy it needs (`holds`: exact, on the
 * integers that the device will unpack). A codec knows neither the skeleton nor the
 * tolerance. */
#ifndef ENCODER_BASE_CODEC_H
#define ENCODER_BASE_CODEC_H

#include <stdbool.h>
#include <stdlib.h>

#include "base/archive.h"
#include "base/base_row.h"
#include "base/bit_writer.h"
#include "base/kinds.h"
#include "encoder.h"

/* The derivatives of a track's row by up to four numbers that a codec computes it from: [component
 * of the row][number]; unused entries are 0. */
typedef struct {
    double by[4][4];
} enc_slopes;

/* A vector whose length has to stay below one, to first order in those numbers: off + sum of
 * by[][c] * (number - target)[c]. */
typedef struct {
    double off[3];
    double by[3][4];
    double passed_on; /* the part of its squared length that other tracks lose of their tolerance */
} enc_error_point;

enum { ENC_ERROR_POINTS = 8 };

/* A track to be coded. */
typedef struct {
    uint32_t kind; /* ENC_ROTATION .. ENC_SCALE */
    uint32_t frame_count, restart_log2;
    const double *target;     /* [frame][4 or 3]; unit rotations, neighbours in one hemisphere */
    const uint8_t *breaks;    /* [frame]: it jumps at this frame; fits need not be smooth */
    double slack;             /* deviations of about this size (radians, metres, scale) hold */
    uint32_t effort;          /* enc_effort */
    uint32_t keys;            /* enc_keys */
    uint32_t state_bits;      /* that a word of a player's state counts as */
    const enc_scheme *scheme; /* for the codecs sparse and dense; otherwise null */
    bool straight;            /* the clip moves in straight lines, see enc_source */
    uint32_t followers;       /* joints that have to compensate for the error of this track */
    const struct enc_coded
        *before; /* a coding of the track that may now fail at a few frames, and that a codec may
                  * mend instead of starting over; may be null */
    bool (*holds)(const void *context, uint32_t frame, const int32_t *row);
    const void *context;

    /* Describes the points that holds() measures, near the target: returns their number, the same
     * for all frames and at most ENC_ERROR_POINTS. May be null. It guides searches; holds()
     * decides. */
    uint32_t (*error_points)(const void *context, uint32_t frame, const enc_slopes *slopes,
                             enc_error_point *out);

    /* Returns whether the track holds at the midpoint between `frame` and the next. rows: [frame][4
     * or 3]. May be null. A failure may cost the clip another try. */
    bool (*between)(const void *context, uint32_t frame, const int32_t *rows);
} enc_fit;

/* A coded track: the rows that the device unpacks, and their cost. */
typedef struct enc_coded {
    uint32_t codec, kind, frame_count;
    int32_t *rows;   /* [frame][4 or 3], Q20; rotations complete, neighbours in one hemisphere */
    uint32_t bits;   /* size of this track in the bank: record, keys, residuals */
    uint32_t shared; /* solutions that share it, except the first */
    void *data;      /* owned by the codec, released by release() */
    void (*release)(void *data);
} enc_coded;

/* Moves a coded track to the heap. Without memory it returns null, and the caller still owns
 * `data`. */
static inline enc_coded *enc_coded_new(enc_coded value)
{
    enc_coded *coded = malloc(sizeof *coded);
    if (coded != NULL)
        *coded = value;
    return coded;
}

void enc_coded_free(enc_coded *coded);

/* The animated tracks of a clip. */
typedef struct {
    const enc_coded *const *tracks;
    const uint32_t *subtracks; /* the sub-track number of each track, ascending */
    uint32_t track_count, frame_count, restart_log2;
    const enc_base_row *base; /* from which the first keys of a curve clip differ, or null */
} enc_clip_tracks;

/* Receives a clip. */
typedef struct {
    enc_bit_writer *headers;
    enc_bit_writer *restarts; /* the position in `blocks` of each block but the first, 32 bits */
    enc_bit_writer *blocks;
    enc_bit_writer *tiers; /* [ENC_TIERS], for keys in tiers; null: all keys are in `blocks` */
} enc_clip_streams;

/* A codec. */
typedef struct {
    uint32_t codec; /* OSC_CODEC_* */
    bool random_access;
    bool prices_errors; /* fit() weighs the bits that a track saves against the cost of its errors
                           for other tracks, so that limits need not */

    /* Returns the cheapest coding found for which holds() is true at every frame and no step of a
     * pair that blends reaches 2^20; null if there is none, or without memory, in which case
     * *out_of_memory is set. */
    enc_coded *(*fit)(const enc_fit *fit, bool *out_of_memory);

    /* Returns the words of player state that a clip of these animated tracks needs in addition to
     * the rows. */
    uint32_t (*state_words)(const enc_coded *const *tracks, uint32_t track_count,
                            uint32_t frame_count);

    /* Writes a clip (SPEC.md). Returns ENC_OK, ENC_ERROR_MEMORY or ENC_ERROR_TOO_LARGE. */
    int32_t (*write)(const enc_clip_tracks *clip, const enc_clip_streams *out);

    /* Archives the parts of a track that write() needs: its data and rows. The other fields are set
     * already. Requires everything that write() and state_words() rely on for memory safety, but
     * not that the rows follow from the data, which enc_clip_check tests by playing the clip. When
     * reading fails, coded->data is null, or complete enough for release(). options: the clip's. */
    void (*archive)(enc_archive *archive, enc_coded *coded, const enc_options *options);
} enc_codec;

/* The data of a track: the existing data or, when reading, new ones, all zeros. */
static inline void *enc_archive_data(enc_archive *archive, enc_coded *coded, size_t size,
                                     void (*release)(void *data))
{
    if (archive->words != NULL) {
        coded->data = calloc(1, size);
        coded->release = coded->data != NULL ? release : coded->release;
        archive->failed = archive->failed || coded->data == NULL;
    }
    return coded->data;
}

/* The log2 of the distance of restart points in a clip of this codec. A random-access codec limits
 * the number of segments in a block, whatever the options say, because jumps pass over them. The
 * restart points of a dense clip cost nothing except in variable rates. */
static inline uint32_t enc_restart_log2(const enc_codec *codec, const enc_options *options)
{
    const uint32_t most = 6u;
    if (options->scheme != NULL && options->scheme->tiers != 0u &&
        options->restart_log2 > OSC_DENSE_BLOCK_LOG2_MAX)
        return OSC_DENSE_BLOCK_LOG2_MAX;
    if (options->scheme != NULL && options->scheme->rotations != ENC_FORMAT_VARIABLE &&
        options->scheme->vectors != ENC_FORMAT_VARIABLE)
        return options->restart_log2;
    return codec->random_access && options->restart_log2 > most ? most : options->restart_log2;
}

#endif
