/* SPDX-License-Identifier: MIT */
/* Reads the headers and the times of keys of a sparse clip, for the codec and for the encoder,
 * which counts their bits. Functions are not inline: that keyword would enlarge the codec by up
 * to a fifth. */
#ifndef OSC_SPARSE_READER_H
#define OSC_SPARSE_READER_H

#include "bank/osc_internal.h"
#include "codecs/osc_headers.h"
#include "published/osc_keys.h"
#include "published/osc_sparse_arithmetic.h"

/* A track while its clip plays. Tracks follow each other in the player's state, each with its keys
 * after it: `left`, `right`, and the tangents. A track with a key on every frame ends after
 * `shape`. */
typedef struct osc_sparse_track {
    osc_key_format format; /* the codec's own bits say the subtrack */
    uint32_t shape;        /* basis, width of tags */
    uint32_t from, to;     /* the section's frames; equal at the last key */
    uint32_t seen;         /* frame of the last key that was seen */
    uint32_t ahead;        /* and the position of its bits */
} osc_sparse_track;

OSC_STATIC_ASSERT(sizeof(osc_sparse_track) == 4u * OSC_SPARSE_TRACK_WORDS,
                  sparse_track_words_agree);
OSC_STATIC_ASSERT(offsetof(osc_sparse_track, from) == 4u * OSC_SPARSE_EVERY_WORDS,
                  every_words_agree);

#define OSC_SPARSE_BASIS(shape) ((shape)&7u)
#define OSC_SPARSE_TAGS(shape) ((shape) >> 3)

/* the clip's word of state: number of tracks, width of times less one */
#define OSC_SPARSE_CLIP(tracks, time_bits) ((tracks) | (time_bits) << 12)
#define OSC_SPARSE_CLIP_TRACKS(word) ((word)&0xfffu)
#define OSC_SPARSE_CLIP_TIME_BITS(word) (((word) >> 12) + 1u)

/* The data that all tracks of a row share. */
typedef struct osc_sparse_reader {
    osc_bits bits;
    uint32_t time_bits;
    uint32_t end; /* frame where the block ends */
} osc_sparse_reader;

static uint32_t osc_sparse_components(const osc_sparse_track *track)
{
    return OSC_KEY_KIND(track->format.form) == OSC_KEY_ROTATION ? 4u : 3u;
}

/* Reads a header after its gap. */
static bool osc_sparse_take_header(osc_bits *bits, uint32_t kind, osc_key_format *format,
                                   uint32_t *shape)
{
    uint32_t basis = osc_bits_take(bits, 3u);
    *shape = basis;
    if (basis != OSC_SPARSE_EVERY)
        *shape |= osc_bits_take(bits, OSC_SPARSE_TAG_BITS) << 3;
    if (!osc_key_format_take(bits, kind, format))
        return false;
    uint32_t coding = OSC_KEY_CODING(format->form);
    if (basis == OSC_SPARSE_HERMITE)
        return coding == OSC_KEY_FLOAT &&
               (kind != OSC_KEY_ROTATION || OSC_KEY_IS_FOUR(format->form));
    return coding != OSC_KEY_VARIABLE;
}

/* Passes over the next key, and notes its frame, clamped to the limits, and its position. */
OSC_HOT_SPARSE static void osc_sparse_see_key(osc_sparse_reader *reader, osc_sparse_track *track,
                                              uint32_t earliest, uint32_t latest)
{
    uint32_t time = osc_bits_take(&reader->bits, reader->time_bits);
    time = time < earliest ? earliest : time;
    track->seen = time > latest ? latest : time;
    reader->bits.position += OSC_SPARSE_TAGS(track->shape);
    track->ahead = reader->bits.position;
    reader->bits.position += osc_key_bits(track->format.form, 0);
    if (OSC_SPARSE_BASIS(track->shape) == OSC_SPARSE_HERMITE && track->seen != reader->end)
        reader->bits.position += 3u * 32u * osc_sparse_components(track);
}

#endif
