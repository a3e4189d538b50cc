#include "writer/clip_writer.h"

#include <stdlib.h>

#include "bank/osc_format.h"
#include "writer/base_row.h"

static uint32_t put_breaks(enc_word_buffer *out, const enc_clip *clip,
                           const enc_subtracks *subtracks)
{
    uint32_t count = 0;
    for (uint32_t f = 1; f < clip->source.frame_count; f++)
        ENC_FOR_EACH_TRACK(subtracks->joints, joint, kind)
        {
            if (!enc_clip_track_breaks(clip, joint, kind, f))
                continue;
            enc_words_put(out,
                          f << OSC_BREAK_FRAME_SHIFT | subtracks->number[joint * ENC_KINDS + kind]);
            count++;
        }
    return count;
}

/* Writes the constants, each with the number of sub-tracks skipped since the one before. */
static void put_constants(enc_bit_writer *stream, const enc_clip *clip,
                          const enc_subtracks *subtracks)
{
    uint32_t next = 0, count = 0;
    ENC_FOR_EACH_TRACK(subtracks->joints, joint, kind)
    count += enc_clip_track(clip, joint, kind)->constant.track_kind == ENC_TRACK_CONSTANT;
    enc_bits_put_rice(stream, count, OSC_CONSTANT_COUNT_RICE);
    ENC_FOR_EACH_TRACK(subtracks->joints, joint, kind)
    {
        const enc_constant *constant = &enc_clip_track(clip, joint, kind)->constant;
        uint32_t subtrack = subtracks->number[joint * ENC_KINDS + kind];
        if (constant->track_kind != ENC_TRACK_CONSTANT)
            continue;
        enc_bits_put_rice(stream, subtrack - next, OSC_CONSTANT_GAP_RICE);
        enc_constant_write(constant, stream);
        next = subtrack + 1u;
    }
}

/* The animated tracks of a clip in the order of sub-tracks. */
typedef struct {
    const enc_coded **tracks;
    uint32_t *subtracks;
    uint32_t count;
} animated_set;

static int32_t collect_animated(animated_set *set, const enc_clip *clip,
                                const enc_subtracks *subtracks)
{
    size_t most = (size_t)subtracks->joints * ENC_KINDS;
    set->count = 0;
    set->tracks = malloc(most * sizeof *set->tracks);
    set->subtracks = malloc(most * sizeof *set->subtracks);
    if (set->tracks == NULL || set->subtracks == NULL)
        return ENC_ERROR_MEMORY;
    ENC_FOR_EACH_TRACK(subtracks->joints, joint, kind)
    {
        const enc_coded *coded = enc_clip_track(clip, joint, kind)->coded;
        if (coded == NULL)
            continue;
        set->tracks[set->count] = coded;
        set->subtracks[set->count++] = subtracks->number[joint * ENC_KINDS + kind];
    }
    return ENC_OK;
}

uint32_t enc_clip_shape(const enc_clip *clip)
{
    return (clip->source.frame_count - 1u) | clip->codec->codec << OSC_CLIP_CODEC_SHIFT |
           enc_restart_log2(clip->codec, &clip->options) << OSC_CLIP_RESTART_SHIFT |
           (clip->source.over != NULL ? OSC_CLIP_ADDITIVE : 0u) |
           (clip->options.layer != 0u ? OSC_CLIP_LAYER : 0u) |
           (clip->source.loop ? OSC_CLIP_LOOP : 0u);
}

int32_t enc_clip_write(enc_word_buffer *out, const enc_clip *clip, const enc_subtracks *subtracks,
                       enc_bit_writer *keys, uint32_t *state_words)
{
    enc_bit_writer stream = {0}, restarts = {0}, blocks = {0};
    animated_set set = {0};
    const enc_base_row *base = subtracks->base.values != NULL ? &subtracks->base : NULL;
    uint32_t rows = clip->source.row_count;
    size_t first = out->count, header_bits = 0;
    enc_words_put(out, 0); /* filled in below with the counts */
    size_t breaks = put_breaks(out, clip, subtracks);
    int32_t status = collect_animated(&set, clip, subtracks);
    const enc_clip_tracks tracks = {.tracks = set.tracks,
                                    .subtracks = set.subtracks,
                                    .track_count = set.count,
                                    .frame_count = rows,
                                    .restart_log2 = enc_restart_log2(clip->codec, &clip->options),
                                    .base = enc_clip_may_have_base(clip) ? base : NULL};
    const enc_clip_streams streams = {
        .headers = &stream, .restarts = &restarts, .blocks = &blocks, .tiers = keys};
    if (status == ENC_OK)
        status = clip->codec->write(&tracks, &streams);
    header_bits = stream.bits;
    put_constants(&stream, clip, subtracks);
    for (size_t i = 0; i < restarts.bits / 32u; i++)
        enc_words_put(out, restarts.words[i] + (uint32_t)stream.bits);
    enc_bits_append(&stream, &blocks);
    enc_words_append_bits(out, &stream);
    if (status == ENC_OK) {
        uint32_t needed = clip->codec->state_words(set.tracks, set.count, rows);
        *state_words = needed > *state_words ? needed : *state_words;
        if (header_bits > OSC_DATA_HEADER_MASK || breaks > OSC_MAX_BREAKS)
            status = ENC_ERROR_TOO_LARGE;
        if (out->failed || restarts.failed)
            status = ENC_ERROR_MEMORY;
    }
    if (status == ENC_OK)
        out->words[first] = (uint32_t)header_bits | (uint32_t)breaks << OSC_DATA_BREAKS_SHIFT;
    enc_bits_release(&stream);
    enc_bits_release(&restarts);
    enc_bits_release(&blocks);
    free(set.tracks);
    free(set.subtracks);
    return status;
}
