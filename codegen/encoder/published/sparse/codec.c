#include "published/sparse/codec.h"

#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "base/quantise.h"
#include "codecs/codecs.h"

#define TIME_FRAMES_8 256u
#define SINGLE_BITS 32u

/* The candidates for ENC_FORMAT_BEST. */
static const uint32_t best_of[] = {ENC_FORMAT_FIXED32, ENC_FORMAT_SMALL_FLOAT, ENC_FORMAT_RANGED32,
                                   ENC_FORMAT_FIXED48, ENC_FORMAT_FLOAT96,     ENC_FORMAT_FLOAT128};

static void release(void *data)
{
    enc_sparse_track *track = data;
    free(track->keys);
    free(track->rows);
    free(track);
}

/* The width of a clip's times: that of its scheme, or more if the clip is too long. */
static uint32_t time_width(const enc_scheme *scheme, uint32_t frame_count)
{
    uint32_t width = scheme->time_bits;
    if (width == 0u)
        width = frame_count <= TIME_FRAMES_8 ? 8u : 16u;
    while (width < 32u && (frame_count - 1u) >> width != 0u)
        width++;
    return width;
}

static enc_sparse_track *new_track(const enc_fit *fit)
{
    uint32_t components = enc_components(fit->kind);
    const enc_scheme *scheme = fit->scheme;
    enc_sparse_track *track = calloc(1, sizeof *track);
    if (track == NULL)
        return NULL;
    track->kind = fit->kind;
    track->frame_count = fit->frame_count;
    track->restart_log2 = fit->restart_log2;
    track->time_bits = time_width(scheme, fit->frame_count);
    track->tag_bits = scheme->tag_bits + components * scheme->component_tag_bits;
    track->rows = calloc((size_t)fit->frame_count * components, sizeof *track->rows);
    if (track->rows == NULL) {
        release(track);
        return NULL;
    }
    return track;
}

/* ---- blocks ---- */

static uint32_t block_end(uint32_t first, uint32_t restart_log2, uint32_t frame_count)
{
    uint32_t last = frame_count - 1u;
    return (last - first) >> restart_log2 != 0u ? first + (1u << restart_log2) : last;
}

/* The bits of a key that begins a section, or of the last key. */
static uint32_t key_bits(const enc_sparse_track *track, bool last)
{
    uint32_t bits = track->format.key_bits;
    if (track->basis != OSC_SPARSE_EVERY)
        bits += track->time_bits + track->tag_bits;
    if (track->basis == OSC_SPARSE_HERMITE && !last)
        bits += ENC_SPARSE_PARTS * SINGLE_BITS * enc_components(track->kind);
    return bits;
}

/* Copies the block's keys into the track. With a key on every frame, the last one belongs to the
 * next block. */
static bool keep_block(enc_sparse_work *work, bool last, uint32_t *capacity)
{
    enc_sparse_track *track = work->track;
    uint32_t count = work->count;
    if (track->basis == OSC_SPARSE_EVERY && !last)
        count--;
    if (track->key_count + count > *capacity) {
        *capacity = 2u * *capacity + count;
        enc_sparse_key *keys = realloc(track->keys, *capacity * sizeof *keys);
        if (keys == NULL)
            return false;
        track->keys = keys;
    }
    for (uint32_t i = 0; i < count; i++) {
        track->keys[track->key_count] = work->made[work->at[i]];
        track->bits += key_bits(track, i + 1u == work->count);
        track->key_count++;
    }
    return true;
}

static uint32_t header_bits(const enc_sparse_track *track)
{
    return 1u + 3u + (track->basis == OSC_SPARSE_EVERY ? 0u : OSC_SPARSE_TAG_BITS) +
           track->format.header_bits;
}

/* Returns whether another block follows; a restart point at the last frame is a block of its own.
 */
static bool follows(const enc_sparse_work *work)
{
    uint32_t log2 = work->fit->restart_log2, last = work->fit->frame_count - 1u;
    return work->end < last || (work->first < last && (last >> log2) << log2 == last);
}

/* Fits all blocks with one basis. Returns false if a block does not hold, or without memory. */
static bool fit_basis(enc_sparse_work *work, uint32_t basis, bool *out_of_memory)
{
    enc_sparse_track *track = work->track;
    const enc_fit *fit = work->fit;
    uint32_t capacity = track->key_count = 0, first = 0;
    free(track->keys);
    track->keys = NULL;
    track->basis = basis;
    track->bits = header_bits(track);
    for (bool more = true; more; first = work->end) {
        work->first = first;
        work->end = block_end(first, fit->restart_log2, fit->frame_count);
        if (!enc_sparse_fit_block(work))
            return false;
        more = follows(work);
        if (!keep_block(work, !more, &capacity)) {
            *out_of_memory = true;
            return false;
        }
    }
    return fit->scheme->fixed != 0u ||
           enc_steps_blend(track->rows, enc_components(fit->kind), fit->frame_count, fit->breaks);
}

/* ---- formats ---- */

/* Codes the track with a format and a basis; null if it does not hold. The known keys must be in
 * the same format. */
static enc_sparse_track *try_basis(enc_sparse_work *work, uint32_t format, uint32_t basis,
                                   bool *out_of_memory)
{
    const enc_fit *fit = work->fit;
    work->track = new_track(fit);
    if (work->track == NULL) {
        *out_of_memory = true;
        return NULL;
    }
    if (enc_key_format_choose(&work->track->format, format, fit->kind, fit->target,
                              fit->frame_count) &&
        fit_basis(work, basis, out_of_memory))
        return work->track;
    release(work->track);
    return NULL;
}

static void keep_smaller(enc_sparse_track **best, enc_sparse_track *track)
{
    if (track == NULL)
        return;
    bool better = *best == NULL || track->bits < (*best)->bits;
    enc_sparse_track *other = better ? *best : track;
    if (better)
        *best = track;
    if (other != NULL)
        release(other);
}

/* Lists the scheme's formats for this kind of track; returns their number. */
static uint32_t formats_of(const enc_fit *fit, const uint32_t **formats)
{
    const enc_scheme *scheme = fit->scheme;
    *formats = fit->kind == ENC_ROTATION ? &scheme->rotations : &scheme->vectors;
    if (**formats != ENC_FORMAT_BEST)
        return 1u;
    *formats = best_of;
    return sizeof best_of / sizeof *best_of;
}

static enc_sparse_track *try_formats(enc_sparse_work *work, bool *out_of_memory)
{
    const enc_scheme *scheme = work->fit->scheme;
    const uint32_t *formats;
    enc_sparse_track *best = NULL;
    for (uint32_t i = 0, count = formats_of(work->fit, &formats); i < count; i++) {
        memset(work->known, 0, work->fit->frame_count * sizeof *work->known);
        keep_smaller(&best, try_basis(work, formats[i], scheme->basis, out_of_memory));
        if (scheme->mix != 0u && scheme->basis != OSC_SPARSE_EVERY)
            keep_smaller(&best, try_basis(work, formats[i], OSC_SPARSE_EVERY, out_of_memory));
    }
    return best;
}

static enc_coded *wrap(enc_sparse_track *track)
{
    return enc_coded_new((enc_coded){.codec = OSC_CODEC_SPARSE,
                                     .kind = track->kind,
                                     .frame_count = track->frame_count,
                                     .rows = track->rows,
                                     .bits = track->bits,
                                     .data = track,
                                     .release = release});
}

static enc_coded *fit_track(const enc_fit *fit, bool *out_of_memory)
{
    bool complete = true;
    enc_sparse_work work = {.fit = fit};
    work.made = enc_array(fit->frame_count, sizeof *work.made, &complete);
    work.known = enc_array(fit->frame_count, sizeof *work.known, &complete);
    work.at = enc_array(fit->frame_count + 1u, sizeof *work.at, &complete);
    work.error = enc_array(fit->frame_count + 1u, sizeof *work.error, &complete);
    enc_sparse_track *track = complete ? try_formats(&work, out_of_memory) : NULL;
    enc_coded *coded = track != NULL ? wrap(track) : NULL;
    if (!complete || (track != NULL && coded == NULL))
        *out_of_memory = true;
    if (track != NULL && (coded == NULL || *out_of_memory)) {
        release(track);
        free(coded);
        coded = NULL;
    }
    free(work.made);
    free(work.known);
    free(work.at);
    free(work.error);
    return coded;
}

/* ---- writing ---- */

static uint32_t state_words(const enc_coded *const *tracks, uint32_t track_count,
                            uint32_t frame_count)
{
    uint32_t words = OSC_SPARSE_STATE_WORDS;
    (void)frame_count;
    for (uint32_t i = 0; i < track_count; i++) {
        const enc_sparse_track *track = tracks[i]->data;
        words += osc_sparse_track_words(track->basis, enc_components(track->kind));
    }
    return track_count == 0u ? 0u : words;
}

static void write_header(const enc_sparse_track *track, uint32_t gap, enc_bit_writer *out)
{
    enc_bits_put_rice(out, gap, 0);
    enc_bits_put(out, track->basis, 3u);
    if (track->basis != OSC_SPARSE_EVERY)
        enc_bits_put(out, track->tag_bits, OSC_SPARSE_TAG_BITS);
    enc_key_format_put(&track->format, out);
}

/* Writes a tag, which players ignore. Its first 32 bits are the sub-track. */
static void write_tag(uint32_t bits, uint32_t subtrack, enc_bit_writer *out)
{
    for (; bits > 0u; bits -= bits < 32u ? bits : 32u, subtrack = 0)
        enc_bits_put(out, subtrack, bits < 32u ? bits : 32u);
}

/* The position of a track that is being written. */
typedef struct {
    const enc_sparse_track *track;
    uint32_t subtrack;
    uint32_t written; /* keys written */
    uint32_t passed;  /* those at or before the present frame */
    bool ended;       /* true once the last key of the block is written */
} cursor;

static void write_key(const cursor *cursor, const enc_sparse_key *key, uint32_t end,
                      enc_bit_writer *out)
{
    const enc_sparse_track *track = cursor->track;
    if (track->basis != OSC_SPARSE_EVERY) {
        enc_bits_put(out, key->frame, track->time_bits);
        write_tag(track->tag_bits, cursor->subtrack, out);
    }
    enc_key_put(&track->format, &key->key, out);
    if (track->basis != OSC_SPARSE_HERMITE || key->frame == end)
        return;
    for (uint32_t part = 0; part < ENC_SPARSE_PARTS; part++)
        for (uint32_t i = 0; i < enc_components(track->kind); i++)
            enc_bits_put(out, key->part[part][i], SINGLE_BITS);
}

/* Writes what a track needs at a frame; see runtime/published/SPEC.md, 13.2. */
static void write_frame(cursor *cursor, uint32_t frame, bool begins, uint32_t end,
                        enc_bit_writer *out)
{
    const enc_sparse_track *track = cursor->track;
    uint32_t wanted = 0;
    if (track->basis == OSC_SPARSE_EVERY) {
        write_key(cursor, &track->keys[frame], end, out);
        return;
    }
    if (begins) {
        cursor->passed = cursor->written + 1u;
        cursor->ended = false;
        wanted = osc_sparse_looks_ahead(track->basis) ? 3u : 2u;
    } else if (cursor->passed < cursor->written && track->keys[cursor->passed].frame == frame) {
        cursor->passed++;
        wanted = 1;
    }
    for (; wanted > 0u && !cursor->ended; wanted--) {
        const enc_sparse_key *key = &track->keys[cursor->written++];
        write_key(cursor, key, end, out);
        cursor->ended = key->frame == end;
    }
}

static int32_t write_clip(const enc_clip_tracks *clip, const enc_clip_streams *out)
{
    uint32_t next = 0, end = 0;
    cursor *cursors = calloc(clip->track_count + 1u, sizeof *cursors);
    if (cursors == NULL)
        return ENC_ERROR_MEMORY;
    for (uint32_t i = 0; i < clip->track_count; i++) {
        const enc_sparse_track *track = clip->tracks[i]->data;
        if (i == 0u) {
            enc_bits_put(out->headers, clip->track_count, OSC_TRACK_COUNT_BITS);
            enc_bits_put(out->headers, track->time_bits - 1u, OSC_SPARSE_TIME_BITS);
        }
        cursors[i] = (cursor){.track = track, .subtrack = clip->subtracks[i]};
        write_header(track, clip->subtracks[i] - next, out->headers);
        next = clip->subtracks[i] + 1u;
    }
    for (uint32_t f = 0; f < clip->frame_count && out->blocks->bits <= UINT32_MAX / 2u; f++) {
        bool begins = (f >> clip->restart_log2) << clip->restart_log2 == f;
        if (begins)
            end = block_end(f, clip->restart_log2, clip->frame_count);
        if (begins && f != 0u)
            enc_bits_put(out->restarts, (uint32_t)out->blocks->bits, 32u);
        for (uint32_t i = 0; i < clip->track_count; i++)
            write_frame(&cursors[i], f, begins, end, out->blocks);
    }
    free(cursors);
    return out->blocks->bits > UINT32_MAX / 2u ? ENC_ERROR_TOO_LARGE : ENC_OK;
}

/* Returns whether every block has its own keys, from its first frame to its end, in order. */
static bool keys_are_sound(const enc_sparse_track *track)
{
    uint32_t key = 0, frames = track->frame_count, log2 = track->restart_log2;
    if (track->basis == OSC_SPARSE_EVERY)
        return track->key_count == frames;
    for (uint32_t first = 0; first < frames;) {
        uint32_t end = block_end(first, log2, frames), at = first;
        if (key >= track->key_count || track->keys[key++].frame != first)
            return false;
        for (; at < end; at = track->keys[key++].frame)
            if (key >= track->key_count || track->keys[key].frame <= at ||
                track->keys[key].frame > end)
                return false;
        if ((frames - 1u - first) >> log2 == 0u)
            break;
        first += 1u << log2;
    }
    return key == track->key_count;
}

static void archive_track(enc_archive *archive, enc_coded *coded, const enc_options *options)
{
    enc_sparse_track *track = enc_archive_data(archive, coded, sizeof *track, release);
    if (track == NULL)
        return;
    uint32_t *fields[] = {&track->basis, &track->time_bits, &track->tag_bits, &track->key_count};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        enc_archive_word(archive, fields[i]);
    track->kind = coded->kind;
    track->frame_count = coded->frame_count;
    track->restart_log2 = enc_restart_log2(&enc_sparse_codec, options);
    enc_archive_require(archive, track->basis <= OSC_SPARSE_HERMITE && track->time_bits >= 1u &&
                                     track->time_bits <= 32u &&
                                     track->tag_bits >> OSC_SPARSE_TAG_BITS == 0u);
    enc_key_format_archive(&track->format, coded->kind, archive);
    track->keys = enc_archive_array(archive, track->keys, track->key_count,
                                    sizeof *track->keys / sizeof(uint32_t));
    enc_archive_require(archive, archive->failed || keys_are_sound(track));
    track->rows = enc_archive_array(archive, track->rows,
                                    (size_t)coded->frame_count * enc_components(coded->kind), 1);
    coded->rows = track->rows;
}

const enc_codec enc_sparse_codec = {.codec = OSC_CODEC_SPARSE,
                                    .fit = fit_track,
                                    .state_words = state_words,
                                    .write = write_clip,
                                    .archive = archive_track};
