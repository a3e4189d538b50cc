#include "published/dense/codec.h"

#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "base/quantise.h"
#include "codecs/codecs.h"
#include "published/dense/block.h"
#include "published/osc_dense_arithmetic.h"

#define LOW_BITS 24u /* of a block's range: its low end; its size takes as many */

/* ---- tracks ---- */

void enc_dense_track_release(void *data)
{
    enc_dense_track *track = data;
    if (track == NULL)
        return;
    free(track->rows);
    free(track->keys);
    free(track->blocks);
    free(track->codes);
    free(track);
}

enc_dense_track *enc_dense_track_new(const enc_key_format *format, uint32_t frame_count,
                                     uint32_t restart_log2, uint32_t period)
{
    enc_dense_track *track = calloc(1, sizeof *track);
    bool complete = true, variable = format->coding == OSC_KEY_VARIABLE;
    uint32_t block = enc_dense_block_frames(frame_count, restart_log2);
    if (track == NULL)
        return NULL;
    track->format = *format;
    track->frame_count = frame_count;
    track->restart_log2 = restart_log2;
    track->period = period;
    track->rows = enc_array((size_t)frame_count * 4u, sizeof *track->rows, &complete);
    if (variable) {
        track->blocks =
            enc_array((frame_count + block - 1u) / block, sizeof *track->blocks, &complete);
        track->codes = enc_array(frame_count, sizeof *track->codes, &complete);
    } else {
        track->keys = enc_array(frame_count, sizeof *track->keys, &complete);
    }
    if (!complete) {
        enc_dense_track_release(track);
        return NULL;
    }
    return track;
}

enc_coded *enc_dense_wrap(enc_dense_track *track)
{
    enc_coded *coded = enc_coded_new((enc_coded){.codec = OSC_CODEC_DENSE,
                                                 .kind = track->format.kind,
                                                 .frame_count = track->frame_count,
                                                 .rows = track->rows,
                                                 .bits = enc_dense_bits(track),
                                                 .data = track,
                                                 .release = enc_dense_track_release});
    if (coded == NULL)
        enc_dense_track_release(track);
    return coded;
}

/* ---- blocks ---- */

/* Returns the number of frames in the block of a frame; *first: the first of them. */
static uint32_t block_of(const enc_dense_track *track, uint32_t frame, uint32_t *first)
{
    uint32_t block = enc_dense_block_frames(track->frame_count, track->restart_log2);
    *first = frame / block * block;
    return track->frame_count - *first < block ? track->frame_count - *first : block;
}

bool enc_dense_is_end(const enc_dense_track *track, uint32_t frame)
{
    uint32_t first, count = block_of(track, frame, &first);
    return frame == first || frame - first == count - 1u;
}

bool enc_dense_has_key(const enc_dense_track *track, uint32_t frame)
{
    uint32_t first, count = block_of(track, frame, &first);
    return (frame - first) % track->period == 0u || frame - first == count - 1u;
}

uint32_t enc_dense_key_count(const enc_dense_track *track, uint32_t first)
{
    uint32_t block_first, count = block_of(track, first, &block_first);
    return (count - 1u + track->period - 1u) / track->period + 1u;
}

uint32_t enc_dense_key_bits(const enc_dense_track *track, uint32_t first)
{
    if (track->codes == NULL)
        return track->format.key_bits;
    uint32_t rate = track->blocks[first >> track->restart_log2].rate;
    return rate == 0u ? 0u : (track->format.has_sign ? 1u : 0u) + 3u * osc_key_rate_bits(rate);
}

uint32_t enc_dense_bits(const enc_dense_track *track)
{
    uint64_t bits = track->format.header_bits + 1u;
    for (uint32_t f = 0; f < track->frame_count; f++)
        if (track->codes == NULL && enc_dense_has_key(track, f))
            bits += track->format.key_bits;
    for (uint32_t f = 0; f < track->frame_count && track->codes != NULL;) {
        uint32_t first, count = block_of(track, f, &first);
        bits += enc_dense_block_bits(&track->format, count,
                                     track->blocks[first >> track->restart_log2].rate);
        f += count;
    }
    return bits > UINT32_MAX ? UINT32_MAX : (uint32_t)bits;
}

void enc_dense_mix(const enc_dense_track *track, uint32_t frame, uint32_t left, uint32_t right,
                   int32_t *row)
{
    uint32_t components = enc_components(track->format.kind);
    int32_t mixed[4];
    memcpy(mixed, track->rows + (size_t)left * components, components * sizeof *row);
    osc_dense_mix(mixed, track->rows + (size_t)right * components,
                  osc_ratio(frame - left, right - left), track->format.kind == ENC_ROTATION);
    memcpy(row, mixed, components * sizeof *row);
}

void enc_dense_make_keys(enc_dense_track *track, const double *target)
{
    uint32_t components = enc_components(track->format.kind), left = 0;
    for (uint32_t f = 0; f < track->frame_count; f++) {
        if (!enc_dense_has_key(track, f))
            continue;
        enc_key_make(&track->format, target + (size_t)f * components, &track->keys[f],
                     track->rows + (size_t)f * components);
        for (uint32_t between = left + 1u; between < f; between++)
            enc_dense_mix(track, between, left, f, track->rows + (size_t)between * components);
        left = f;
    }
}

/* ---- fitting ---- */

/* Returns whether the track holds; always true if nothing is fitted. */
static bool holds(const enc_fit *fit, const enc_dense_track *track)
{
    uint32_t components = enc_components(fit->kind);
    for (uint32_t f = 0; f < fit->frame_count; f++)
        if (!fit->holds(fit->context, f, track->rows + (size_t)f * components))
            return false;
    return fit->scheme->fixed != 0u ||
           enc_steps_blend(track->rows, components, fit->frame_count, fit->breaks);
}

/* The frames from one key to the next. */
static uint32_t period_of(const enc_scheme *scheme)
{
    return scheme == NULL || scheme->period == 0u ? 1u : scheme->period;
}

/* Codes the track in one format; null if it does not hold, or without memory. */
static enc_dense_track *code_as(const enc_fit *fit, uint32_t name, bool *out_of_memory)
{
    enc_key_format format;
    if (!enc_key_format_choose(&format, name, fit->kind, fit->target, fit->frame_count))
        return NULL;
    enc_dense_track *track =
        enc_dense_track_new(&format, fit->frame_count, fit->restart_log2, period_of(fit->scheme));
    if (track == NULL) {
        *out_of_memory = true;
        return NULL;
    }
    enc_dense_make_keys(track, fit->target);
    if (holds(fit, track))
        return track;
    enc_dense_track_release(track);
    return NULL;
}

static enc_coded *fit_track(const enc_fit *fit, bool *out_of_memory)
{
    uint32_t name = fit->kind == ENC_ROTATION ? fit->scheme->rotations : fit->scheme->vectors;
    uint32_t first = name == ENC_FORMAT_BEST ? 0u : name;
    uint32_t last = name == ENC_FORMAT_BEST ? ENC_FORMAT_VARIABLE - 1u : name;
    enc_dense_track *best = NULL;
    for (name = first; name <= last && !*out_of_memory; name++) {
        enc_dense_track *track = code_as(fit, name, out_of_memory);
        if (track != NULL && (best == NULL || enc_dense_bits(track) < enc_dense_bits(best))) {
            enc_dense_track_release(best);
            best = track;
        } else {
            enc_dense_track_release(track);
        }
    }
    if (best == NULL)
        return NULL;
    enc_coded *coded = enc_dense_wrap(best);
    *out_of_memory = *out_of_memory || coded == NULL;
    return coded;
}

/* ---- writing ---- */

static void write_rate(const enc_dense_track *track, uint32_t first, enc_bit_writer *out)
{
    const enc_dense_block *block = &track->blocks[first >> track->restart_log2];
    const enc_dense_key *key = &track->codes[first];
    uint32_t number = track->tiers != NULL && block->rate != 0u
                          ? track->classes[first >> track->restart_log2]
                          : 0u;
    enc_bits_put(out, block->rate | number << OSC_KEY_CLASS_SHIFT, OSC_KEY_RATE_BITS);
    if (block->rate == 0u) {
        if (track->format.has_sign)
            enc_bits_put(out, key->flipped, 1u);
        for (uint32_t i = 0; i < 3u; i++)
            enc_bits_put(out, key->code[i], ENC_DENSE_CONSTANT_BITS);
        return;
    }
    const uint8_t *low = block->low, *size = block->size;
    enc_bits_put(out, low[0] | (uint32_t)low[1] << 8 | (uint32_t)low[2] << 16, LOW_BITS);
    enc_bits_put(out, size[0] | (uint32_t)size[1] << 8 | (uint32_t)size[2] << 16, LOW_BITS);
}

static void write_key(const enc_dense_track *track, uint32_t frame, uint32_t first,
                      enc_bit_writer *out)
{
    if (track->codes == NULL) {
        enc_key_put(&track->format, &track->keys[frame], out);
        return;
    }
    const enc_dense_block *block = &track->blocks[first >> track->restart_log2];
    if (block->rate == 0u)
        return;
    if (track->format.has_sign)
        enc_bits_put(out, track->codes[frame].flipped, 1u);
    for (uint32_t i = 0; i < 3u; i++)
        enc_bits_put(out, track->codes[frame].code[i], block->rate);
}

/* A clip being written. */
typedef struct {
    const enc_coded *const *tracks;
    uint32_t count, restart_log2;
    const enc_dense_tiers *in_tiers; /* null: all keys are in the clip */
    enc_bit_writer *stream, *tiers;
} writing;

static void write_headers(const writing *w, const uint32_t *subtracks, enc_bit_writer *headers)
{
    uint32_t next = 0;
    for (uint32_t i = 0; i < w->count; i++) {
        const enc_dense_track *track = w->tracks[i]->data;
        if (i == 0u) {
            enc_bits_put(headers, w->count, OSC_TRACK_COUNT_BITS);
            enc_bits_put(headers, track->period - 1u, OSC_SPARSE_TIME_BITS);
            enc_bits_put(headers, w->in_tiers != NULL ? w->in_tiers->tier_count : 0u,
                         OSC_DENSE_TIER_BITS);
            if (w->in_tiers != NULL)
                enc_bits_put(headers, w->in_tiers->class_count - 1u, OSC_DENSE_CLASS_BITS);
        }
        enc_bits_put_rice(headers, subtracks[i] - next, 0);
        next = subtracks[i] + 1u;
        enc_key_format_put(&track->format, headers);
    }
}

/* The class of a track's keys in a block; those of other codings than variable are in the first. */
static uint32_t class_of(const enc_dense_track *track, uint32_t first)
{
    return track->codes != NULL && enc_dense_key_bits(track, first) != 0u
               ? track->classes[first >> track->restart_log2]
               : 0u;
}

/* Writes the order of a block's keys, their numbers in every class, and their positions in each
 * tier.
 */
static void write_map(const writing *w, uint32_t first, uint32_t end)
{
    const enc_dense_track *track = w->tracks[0]->data;
    const enc_dense_tiers *tiers = w->in_tiers;
    uint32_t width = osc_dense_order_bits(w->restart_log2);
    for (uint32_t f = first; f < end; f++)
        if (enc_dense_has_key(track, f))
            enc_bits_put(w->stream, tiers->index[f], width);
    for (uint32_t number = 0; number < tiers->class_count; number++)
        for (uint32_t tier = 0; tier < tiers->tier_count; tier++) {
            uint32_t count = enc_dense_keys_with(tiers, first >> w->restart_log2, number, tier);
            enc_bits_put(w->stream,
                         count > OSC_DENSE_LEAST_KEYS ? count - OSC_DENSE_LEAST_KEYS : 0u, width);
        }
    for (uint32_t tier = 0; tier < tiers->tier_count; tier++)
        enc_bits_put(w->stream, (uint32_t)w->tiers[tier].bits, 32u);
}

/* The frame of the block's key at an index in the order. */
static uint32_t frame_at(const writing *w, uint32_t first, uint32_t end, uint32_t index)
{
    const enc_dense_track *track = w->tracks[0]->data;
    uint32_t f = first;
    while (f < end && !(enc_dense_has_key(track, f) && w->in_tiers->index[f] == index))
        f++;
    return f;
}

/* Writes the keys of one class, in the order in which they are needed. */
static void write_class(const writing *w, uint32_t first, uint32_t end, uint32_t number)
{
    const enc_dense_tiers *tiers = w->in_tiers;
    uint32_t keys = enc_dense_key_count(w->tracks[0]->data, first), tier = 0;
    for (uint32_t index = 0; index < keys; index++) {
        uint32_t f = frame_at(w, first, end, index);
        while (tier < tiers->tier_count &&
               index >= enc_dense_keys_with(tiers, first >> w->restart_log2, number, tier))
            tier++;
        for (uint32_t i = 0; i < w->count; i++) {
            const enc_dense_track *track = w->tracks[i]->data;
            if (class_of(track, first) == number)
                write_key(track, f, first, tier != 0u ? &w->tiers[tier - 1u] : w->stream);
        }
    }
}

static void write_block(const writing *w, uint32_t first, uint32_t end)
{
    for (uint32_t i = 0; i < w->count; i++) {
        const enc_dense_track *track = w->tracks[i]->data;
        if (track->codes != NULL)
            write_rate(track, first, w->stream);
    }
    if (w->in_tiers != NULL) {
        write_map(w, first, end);
        for (uint32_t number = 0; number < w->in_tiers->class_count; number++)
            write_class(w, first, end, number);
        return;
    }
    for (uint32_t f = first; f < end; f++)
        for (uint32_t i = 0; i < w->count; i++) {
            const enc_dense_track *track = w->tracks[i]->data;
            if (enc_dense_has_key(track, f))
                write_key(track, f, first, w->stream);
        }
}

static int32_t write_clip(const enc_clip_tracks *clip, const enc_clip_streams *out)
{
    uint32_t block = enc_dense_block_frames(clip->frame_count, clip->restart_log2);
    writing w = {.tracks = clip->tracks,
                 .count = clip->track_count,
                 .restart_log2 = clip->restart_log2,
                 .stream = out->blocks,
                 .tiers = out->tiers};
    const size_t most = UINT32_MAX / 2u;
    if (clip->track_count != 0u && out->tiers != NULL)
        w.in_tiers = ((const enc_dense_track *)clip->tracks[0]->data)->tiers;
    write_headers(&w, clip->subtracks, out->headers);
    for (uint32_t first = 0; first < clip->frame_count && out->blocks->bits <= most;
         first += block) {
        if (first != 0u)
            enc_bits_put(out->restarts, (uint32_t)out->blocks->bits, 32u);
        write_block(&w, first,
                    clip->frame_count - first < block ? clip->frame_count : first + block);
        uint32_t tier_count = w.in_tiers != NULL ? w.in_tiers->tier_count : 0u;
        for (uint32_t tier = 0; tier < tier_count; tier++)
            if (out->tiers[tier].bits > most)
                return ENC_ERROR_TOO_LARGE;
    }
    return out->blocks->bits > most ? ENC_ERROR_TOO_LARGE : ENC_OK;
}

static uint32_t state_words(const enc_coded *const *tracks, uint32_t track_count,
                            uint32_t frame_count)
{
    (void)frame_count;
    if (track_count == 0u)
        return 0;
    const enc_dense_tiers *tiers = ((const enc_dense_track *)tracks[0]->data)->tiers;
    return OSC_DENSE_STATE_WORDS + OSC_DENSE_TRACK_WORDS * track_count +
           (tiers != NULL ? OSC_DENSE_CLASS_WORDS * tiers->class_count : 0u);
}

static bool blocks_are_sound(const enc_dense_track *track, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (track->blocks[i].rate > OSC_KEY_RATE_MAX)
            return false;
    return true;
}

/* The clip archives the choice of the keys in tiers. */
static void archive_track(enc_archive *archive, enc_coded *coded, const enc_options *options)
{
    enc_dense_track *track =
        enc_archive_data(archive, coded, sizeof *track, enc_dense_track_release);
    size_t frames = coded->frame_count;
    if (track == NULL)
        return;
    enc_key_format_archive(&track->format, coded->kind, archive);
    track->frame_count = coded->frame_count;
    track->restart_log2 = enc_restart_log2(&enc_dense_codec, options);
    track->period = period_of(options->scheme);
    track->rows = enc_archive_array(archive, track->rows, frames * 4u, 1);
    coded->rows = track->rows;
    if (track->format.coding != OSC_KEY_VARIABLE) {
        track->keys = enc_archive_array(archive, track->keys, frames, ENC_KEY_WORDS);
        return;
    }
    uint32_t block = enc_dense_block_frames(coded->frame_count, track->restart_log2);
    size_t blocks = (frames + block - 1u) / block;
    track->blocks = (enc_dense_block *)(void *)enc_archive_byte_array(
        archive, (uint8_t *)track->blocks, blocks * sizeof *track->blocks);
    enc_archive_require(archive, archive->failed || blocks_are_sound(track, blocks));
    track->codes =
        enc_archive_array(archive, track->codes, frames, sizeof *track->codes / sizeof(uint32_t));
}

const enc_codec enc_dense_codec = {.codec = OSC_CODEC_DENSE,
                                   .random_access = true,
                                   .fit = fit_track,
                                   .state_words = state_words,
                                   .write = write_clip,
                                   .archive = archive_track};
