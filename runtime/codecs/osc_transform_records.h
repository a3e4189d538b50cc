/* SPDX-License-Identifier: MIT */
/* Reads the track records of a transform clip, for the codec and for the encoder, which counts
 * their bits. Functions are not inline: that keyword would enlarge the codec by up to a fifth. */
#ifndef OSC_TRANSFORM_RECORDS_H
#define OSC_TRANSFORM_RECORDS_H

#include "bank/osc_internal.h"
#include "codecs/osc_transform_segments.h"

/* the clip word: number of tracks, reserved bits, width of a segment's size less one */
#define OSC_TRANSFORM_CLIP_TRACKS(word) ((word)&0xfffu)
#define OSC_TRANSFORM_CLIP_RESERVED(word) (((word) >> 12) & 7u)
#define OSC_TRANSFORM_CLIP_SIZE_BITS(word) (((word) >> 15) + 1u)

/* One track after the other; what stays the same from one to the next costs a bit. */
typedef struct osc_transform_reader {
    osc_bits bits;
    uint32_t subtrack; /* first that the next record can mean */
    uint32_t packing, width, grid, components;
    uint32_t step, end_k, k;
    uint32_t words[4];
} osc_transform_reader;

/* A number of `count` bits: 0: as `previous`; 10: one less or, with another 1, more; 11: plain. */
static uint32_t osc_transform_take_near(osc_bits *bits, uint32_t previous, uint32_t count)
{
    uint32_t prefix = osc_bits_peek(bits) & 7u, mask = (1u << count) - 1u;
    if ((prefix & 1u) == 0u) {
        bits->position += 1u;
        return previous;
    }
    if ((prefix & 2u) == 0u) {
        bits->position += 3u;
        return ((prefix & 4u) != 0u ? previous + 1u : previous - 1u) & mask;
    }
    bits->position += 2u;
    return osc_bits_take(bits, count);
}

/* Returns the clip word, for a clip without animated tracks 0. */
static uint32_t osc_transform_begin_records(osc_transform_reader *reader,
                                            const osc_clip_parts *parts)
{
    reader->bits = osc_clip_stream(parts, 0);
    reader->subtrack = 0;
    reader->width = OSC_TRANSFORM_FIRST_WIDTH;
    reader->grid = OSC_TRANSFORM_FIRST_GRID;
    reader->step = OSC_TRANSFORM_FIRST_STEP;
    reader->end_k = reader->k = OSC_TRANSFORM_FIRST_K;
    return parts->header_bits == 0u ? 0u : osc_bits_take(&reader->bits, 20u);
}

/* Returns the sub-track of the next record. */
static uint32_t osc_transform_take_record(osc_transform_reader *reader, uint32_t rotation_subtracks)
{
    osc_bits *bits = &reader->bits;
    uint32_t subtrack = reader->subtrack + osc_transform_take_near(bits, 0u, 12u);
    reader->subtrack = subtrack + 1u;
    reader->packing =
        subtrack < rotation_subtracks ? osc_bits_take(bits, 4u) : OSC_TRANSFORM_VECTOR;
    reader->width = osc_transform_take_near(bits, reader->width, 5u);
    reader->grid = osc_transform_take_near(bits, reader->grid, 3u);
    reader->components = osc_transform_component_count(reader->packing);
    for (uint32_t i = 0; i < reader->components; i++) {
        reader->step = osc_transform_take_near(bits, reader->step, 6u);
        reader->end_k = osc_transform_take_near(bits, reader->end_k, 4u);
        uint32_t most = osc_bits_take(bits, 3u), mode = 0;
        if (most != 0u) {
            reader->k = osc_transform_take_near(bits, reader->k, 4u);
            mode = osc_bits_take(bits, 2u);
        }
        reader->words[i] =
            osc_transform_component(most, mode, reader->end_k, reader->k, reader->step);
    }
    return subtrack;
}

#endif
