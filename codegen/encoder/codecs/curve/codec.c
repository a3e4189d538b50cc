/* The curve codec: codes each track with sparse keys in the cheapest basis, or with a key on every
 * frame. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/codec.h"
#include "base/packing.h"
#include "base/quantise.h"
#include "codecs/codecs.h"
#include "codecs/curve/code.h"
#include "codecs/curve/dense.h"
#include "codecs/curve/first.h"
#include "codecs/curve/search.h"
#include "codecs/osc_curve_arithmetic.h"
#include "ossicle.h"

/* Dense values are smoothed if sparse keys take at least this fraction of their bits. */
#define SMOOTHING 0.75

typedef struct {
    curve_code code;
    int32_t *rows;
} curve_track;

static void release(void *data)
{
    curve_track *track = data;
    curve_code_release(&track->code);
    free(track->rows);
    free(track);
}

/* The bits that sparse keys have to save because they take more of a player's state. */
static uint32_t price_of_keys(const enc_fit *fit, uint32_t packing)
{
    uint32_t components = curve_components(packing);
    return fit->state_bits * (osc_curve_state_words(OSC_CURVE_CUBIC, components) -
                              osc_curve_state_words(OSC_CURVE_DENSE, components));
}

/* Replaces `code` by sparse keys if they take fewer bits than `most`. rows: receives the rows as
 * played; *found: whether there is a code, before and after. */
static void try_keys(const enc_fit *fit, uint32_t packing, uint32_t most, curve_code *code,
                     int32_t *rows, bool *found, bool *out_of_memory)
{
    curve_search search;
    bool unfit;
    if (curve_search_prepare(&search, fit, packing, most)) {
        curve_search_keys(&search);
        *out_of_memory = *out_of_memory || search.out_of_memory;
        if (search.best.count != 0) {
            curve_code_release(code);
            curve_play(&search.best, 0, search.best.count - 1u, rows);
            *found = curve_code_make(code, &search.best, &unfit);
            *out_of_memory = *out_of_memory || !*found;
        }
    } else {
        *out_of_memory = true;
    }
    curve_search_release(&search);
}

/* Codes the track with a key on every frame, then with sparse keys, and keeps the cheaper code,
 * including its state. If the difference is small, the dense values are smoothed and compared
 * again. */
static bool make_code(const enc_fit *fit, curve_code *code, int32_t *rows, bool *out_of_memory)
{
    uint32_t packing = enc_packing_of(fit, OSC_CURVE_FOUR, OSC_CURVE_VECTOR);
    curve_dense dense;
    bool found = curve_dense_fit(&dense, fit, packing, rows, code, out_of_memory);
    uint32_t dense_bits = found ? code->bits : 0u, price = price_of_keys(fit, packing);
    if (!found || dense_bits > price)
        try_keys(fit, packing, found ? dense_bits - price : UINT32_MAX, code, rows, &found,
                 out_of_memory);
    uint32_t most = code->bits + (code->header.basis != OSC_CURVE_DENSE ? price : 0u);
    if (found && !*out_of_memory && most >= SMOOTHING * dense_bits)
        curve_dense_smooth(&dense, most, rows, code, out_of_memory);
    curve_dense_release(&dense);
    return found && !*out_of_memory;
}

static enc_coded *fit_track(const enc_fit *fit, bool *out_of_memory)
{
    size_t words = (size_t)fit->frame_count * enc_components(fit->kind);
    enc_coded *coded = calloc(1, sizeof *coded);
    curve_track *track = calloc(1, sizeof *track);
    if (track != NULL)
        track->rows = malloc(words * sizeof *track->rows);
    *out_of_memory = *out_of_memory || coded == NULL || track == NULL || track->rows == NULL;
    if (*out_of_memory || !make_code(fit, &track->code, track->rows, out_of_memory)) {
        if (track != NULL)
            release(track);
        free(coded);
        return NULL;
    }
    coded->codec = OSC_CODEC_CURVE;
    coded->kind = fit->kind;
    coded->frame_count = fit->frame_count;
    coded->rows = track->rows;
    coded->bits = track->code.bits;
    coded->data = track;
    coded->release = release;
    return coded;
}

static const curve_code *code_of(const enc_coded *coded)
{
    return &((const curve_track *)coded->data)->code;
}

static uint32_t state_words(const enc_coded *const *tracks, uint32_t track_count,
                            uint32_t frame_count)
{
    uint32_t words = 1;
    (void)frame_count;
    for (uint32_t i = 0; i < track_count; i++) {
        const curve_code *code = code_of(tracks[i]);
        words += osc_curve_state_words(code->header.basis, code->header.components);
    }
    return track_count == 0 ? 0u : words;
}

static void put_bits(const enc_bit_writer *from, uint32_t first, uint32_t last, enc_bit_writer *out)
{
    while (first < last) {
        uint32_t left = 32u - first % 32u, count = last - first < left ? last - first : left;
        enc_bits_put(out, from->words[first / 32u] >> (first % 32u), count);
        first += count;
    }
}

/* The values of a track's sub-track in the base row. */
static const int16_t *base_of(const enc_clip_tracks *clip, uint32_t i)
{
    return clip->base->values + enc_base_offset(clip->base, clip->subtracks[i]);
}

static void write_headers(const enc_clip_tracks *clip, enc_bit_writer *headers)
{
    uint32_t next = 0, shift = OSC_CURVE_SHIFT_FIRST;
    enc_bits_put(headers, clip->track_count, OSC_TRACK_COUNT_BITS);
    for (uint32_t i = 0; i < clip->track_count; i++) {
        const curve_code *code = code_of(clip->tracks[i]);
        curve_header header = code->header;
        enc_bits_put_rice(headers, clip->subtracks[i] - next, OSC_TRACK_GAP_RICE);
        if (clip->base != NULL)
            (void)curve_first_bits(code, base_of(clip, i), &header.width);
        curve_put_header(&header, shift, headers);
        shift = header.shift;
        next = clip->subtracks[i] + 1u;
    }
}

int32_t enc_curve_saved_bits(const enc_coded *coded, const int16_t *base)
{
    const curve_code *code = code_of(coded);
    uint32_t width;
    return (int32_t)(code->plain_bits - curve_first_bits(code, base, &width));
}

static void write_plain(const enc_clip_tracks *clip, uint32_t i, uint32_t frame,
                        enc_bit_writer *out)
{
    const curve_code *code = code_of(clip->tracks[i]);
    uint32_t width = code->plain_bits, block = frame >> code->restart_log2;
    if (clip->base != NULL)
        curve_put_first(code, base_of(clip, i), out);
    else
        put_bits(&code->plain, block * width, (block + 1u) * width, out);
}

static void write_frame(const curve_code *code, uint32_t frame, enc_bit_writer *out)
{
    put_bits(&code->streamed, code->streamed_at[frame], code->streamed_at[frame + 1u], out);
}

static int32_t write_clip(const enc_clip_tracks *clip, const enc_clip_streams *out)
{
    if (clip->track_count != 0)
        write_headers(clip, out->headers);
    for (uint32_t f = 0; f < clip->frame_count; f++) {
        bool restart = (f >> clip->restart_log2) << clip->restart_log2 == f;
        if (restart && f != 0u)
            enc_bits_put(out->restarts, (uint32_t)out->blocks->bits, 32u);
        for (uint32_t i = 0; i < clip->track_count && restart; i++)
            write_plain(clip, i, f, out->blocks);
        for (uint32_t i = 0; i < clip->track_count; i++)
            write_frame(code_of(clip->tracks[i]), f, out->blocks);
        if (out->blocks->bits > UINT32_MAX / 2u)
            return ENC_ERROR_TOO_LARGE;
    }
    return ENC_OK;
}

/* Returns whether all keys are within the bits of the code, in the order of frames. */
static bool bits_are_sound(const curve_code *code)
{
    uint64_t blocks = ((code->frame_count - 1u) >> code->restart_log2) + 1u;
    uint32_t plain_bits = 0;
    for (uint32_t c = 0; c < code->header.components; c++)
        plain_bits += curve_plain_width(&code->header, c);
    if (code->plain_bits != plain_bits)
        return false;
    for (uint32_t f = 0; f < code->frame_count; f++)
        if (code->streamed_at[f] > code->streamed_at[f + 1u])
            return false;
    return code->streamed_at[code->frame_count] <= code->streamed.bits &&
           blocks * code->plain_bits <= code->plain.bits;
}

static void archive_track(enc_archive *archive, enc_coded *coded, const enc_options *options)
{
    curve_track *track = enc_archive_data(archive, coded, sizeof *track, release);
    size_t frames = coded->frame_count;
    if (track == NULL)
        return;
    curve_code *code = &track->code;
    enc_archive_words(archive, &code->header, sizeof code->header / sizeof(uint32_t));
    enc_archive_require(archive, curve_header_is_sound(&code->header, coded->kind));
    code->frame_count = coded->frame_count;
    code->restart_log2 = enc_restart_log2(&enc_curve_codec, options);
    enc_archive_bits(archive, &code->plain);
    enc_archive_bits(archive, &code->streamed);
    code->streamed_at = enc_archive_array(archive, code->streamed_at, frames + 1u, 1);
    enc_archive_word(archive, &code->plain_bits);
    enc_archive_require(archive, archive->failed || bits_are_sound(code));
    track->rows = enc_archive_array(archive, track->rows, frames * enc_components(coded->kind), 1);
    coded->rows = track->rows;
}

const enc_codec enc_curve_codec = {.codec = OSC_CODEC_CURVE,
                                   .fit = fit_track,
                                   .state_words = state_words,
                                   .write = write_clip,
                                   .archive = archive_track};
