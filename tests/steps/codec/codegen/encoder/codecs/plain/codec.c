/* The plain codec: every component of every frame in 32 bits. Nothing is fitted. */
#include <stdlib.h>

#include "base/codec.h"
#include "base/quantise.h"
#include "codecs/codecs.h"

static bool holds(const enc_fit *fit, const int32_t *rows, uint32_t components)
{
    for (uint32_t f = 0; f < fit->frame_count; f++)
        if (!fit->holds(fit->context, f, rows + (size_t)f * components))
            return false;
    return enc_steps_blend(rows, components, fit->frame_count, fit->breaks);
}

static enc_coded *fit_track(const enc_fit *fit, bool *out_of_memory)
{
    uint32_t components = enc_components(fit->kind);
    size_t count = (size_t)fit->frame_count * components;
    int32_t *rows = malloc(count * sizeof *rows);
    *out_of_memory = *out_of_memory || rows == NULL;
    if (rows == NULL)
        return NULL;
    for (size_t i = 0; i < count; i++)
        rows[i] = enc_quantise(fit->target[i], 0);
    enc_coded *coded = NULL;
    if (holds(fit, rows, components)) {
        coded = enc_coded_new((enc_coded){.codec = OSC_CODEC_PLAIN,
                                          .kind = fit->kind,
                                          .frame_count = fit->frame_count,
                                          .rows = rows,
                                          .bits = 32u + 32u * (uint32_t)count,
                                          .data = rows,
                                          .release = free});
        *out_of_memory = *out_of_memory || coded == NULL;
    }
    if (coded == NULL)
        free(rows);
    return coded;
}

static uint32_t state_words(const enc_coded *const *tracks, uint32_t track_count,
                            uint32_t frame_count)
{
    (void)tracks;
    (void)track_count;
    (void)frame_count;
    return 0;
}

static int32_t write_clip(const enc_clip_tracks *clip, const enc_clip_streams *out)
{
    for (uint32_t i = 0; i < clip->track_count; i++)
        enc_bits_put(out->headers, clip->subtracks[i], 32u);
    for (uint32_t f = 0; f < clip->frame_count; f++) {
        if (f != 0u && (f >> clip->restart_log2) << clip->restart_log2 == f)
            enc_bits_put(out->restarts, (uint32_t)out->blocks->bits, 32u);
        for (uint32_t i = 0; i < clip->track_count; i++) {
            uint32_t components = enc_components(clip->tracks[i]->kind);
            const int32_t *row = clip->tracks[i]->rows + (size_t)f * components;
            for (uint32_t c = 0; c < components; c++)
                enc_bits_put(out->blocks, (uint32_t)row[c], 32u);
        }
        if (out->blocks->bits > UINT32_MAX / 2u)
            return ENC_ERROR_TOO_LARGE;
    }
    return ENC_OK;
}

const enc_codec enc_plain_codec = {
    .codec = OSC_CODEC_PLAIN,
    .fit = fit_track,
    .state_words = state_words,
    .write = write_clip,
};
