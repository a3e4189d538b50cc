/* The delta codec: every frame, as Rice-coded residuals against the previous row. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arithmetic/osc_fixed.h"
#include "arithmetic/osc_quaternion.h"
#include "bank/osc_format.h"
#include "bank/osc_internal.h"
#include "base/codec.h"
#include "base/packing.h"
#include "base/quantise.h"
#include "codecs/codecs.h"
#include "codecs/delta/codec.h"
#include "ossicle.h"

#define ROWS_BEFORE 8u /* elements before the first row, for two rows of prediction */
#define IMPLIED_PACKING 0xffu
#define MIN_FIXED_DROPPED 0.2   /* below this the rebuilt component amplifies the steps too much */
#define MAX_FIXED_DROPPED 0.55  /* above this a moving packing is no finer */
#define MIN_MOVING_DROPPED 0.35 /* an implied packing stays while its component is above this */
#define COARSER_TRIES 3         /* steps coarser than the one that the slack suggests */

static void release(void *data)
{
    enc_delta_track *track = data;
    free(track->memory);
    free(track->packings);
    free(track);
}

static enc_delta_track *new_track(const enc_fit *fit)
{
    enc_delta_track *track = calloc(1, sizeof *track);
    if (track == NULL)
        return NULL;
    size_t frames = fit->frame_count;
    track->kind = fit->kind;
    track->frame_count = fit->frame_count;
    track->restart_log2 = fit->restart_log2;
    track->memory = calloc(frames * 4u + ROWS_BEFORE, sizeof *track->memory);
    track->packings = calloc(frames, 1); /* zeros, because all of it is saved */
    if (track->memory == NULL || track->packings == NULL) {
        release(track);
        return NULL;
    }
    track->rows = track->memory + ROWS_BEFORE;
    return track;
}

static uint32_t frame_in_block(const enc_delta_track *track, uint32_t frame)
{
    return track->restart_log2 >= 31u ? frame : frame & ((1u << track->restart_log2) - 1u);
}

/* Chooses the dropped component of one frame of a moving track: the previous row's largest
 * component if that is large enough, because the stream then need not state it. */
static uint32_t moving_packing(const double *value, const int32_t *previous, bool restart,
                               uint8_t *stated)
{
    if (!restart) {
        uint32_t implied = osc_largest_component(previous);
        double kept = previous[implied] < 0 ? -value[implied] : value[implied];
        if (kept >= MIN_MOVING_DROPPED) {
            *stated = IMPLIED_PACKING;
            return implied;
        }
    }
    uint32_t best = 0;
    for (uint32_t i = 1; i < 4u; i++)
        if (fabs(value[i]) > fabs(value[best]))
            best = i;
    *stated = (uint8_t)(best | (value[best] < 0.0 ? 4u : 0u));
    return best;
}

/* Codes a frame, in a moving packing after the previous one. */
static void code_row(enc_delta_track *track, const double *target, uint32_t frame)
{
    uint32_t components = enc_components(track->kind), dropped = track->packing;
    int32_t *row = track->rows + (size_t)frame * components;
    bool negative = false, flipped = false;
    target += (size_t)frame * components;
    if (track->packing == OSC_PACKING_MOVING) {
        dropped = moving_packing(target, row - components, frame_in_block(track, frame) == 0u,
                                 &track->packings[frame]);
        negative = target[dropped] < 0.0;
    } else if (track->kind == ENC_ROTATION) {
        flipped = target[dropped] < 0.0;
    }
    for (uint32_t i = 0; i < components; i++)
        if (i != dropped)
            row[i] = enc_quantise(flipped ? -target[i] : target[i], track->shift);
    if (track->kind == ENC_ROTATION)
        enc_rebuild(row, dropped, negative);
}

/* The component of a frame that is not coded; no component for vectors. */
static uint32_t dropped_at(const enc_delta_track *track, uint32_t frame, const int32_t *previous)
{
    if (track->packing != OSC_PACKING_MOVING)
        return track->packing;
    return track->packings[frame] == IMPLIED_PACKING ? osc_largest_component(previous)
                                                     : track->packings[frame] & 3u;
}

/* The difference of a component from the decoder's prediction, as a zigzag code; 0 in restart
 * frames. order: 0 predicts the previous row, 1 the line through the two previous rows. */
static uint32_t residual_at(const enc_delta_track *track, uint32_t frame, uint32_t component,
                            uint32_t order)
{
    uint32_t components = enc_components(track->kind), in_block = frame_in_block(track, frame);
    const int32_t *value = track->rows + (size_t)frame * components + component;
    const int32_t *one = value - components, *two = one - components;
    int32_t half = (int32_t)((1u << track->shift) >> 1), guess = *one;
    if (in_block == 0u)
        return 0;
    if (order == 1u && in_block > 1u)
        guess = osc_sub(osc_add(guess, guess), *two);
    return enc_zigzag(osc_sub(*value >> track->shift, osc_add(guess, half) >> track->shift));
}

/* Fills in the residuals [order][coded component][frame]. */
static void fill_residuals(const enc_delta_track *track, uint32_t *zigzag)
{
    uint32_t components = enc_components(track->kind), frames = track->frame_count;
    for (uint32_t f = 0; f < frames; f++) {
        uint32_t coded = 0;
        uint32_t dropped = dropped_at(track, f, track->rows + (size_t)f * components - components);
        for (uint32_t i = 0; i < components; i++) {
            if (i == dropped)
                continue;
            for (uint32_t order = 0; order < 2u; order++)
                zigzag[(order * 3u + coded) * frames + f] = residual_at(track, f, i, order);
            coded++;
        }
    }
}

/* The best Rice parameter of a sequence of residuals and its cost. Restart frames have no Rice
 * codes; they are zero in the sequence and not counted. */
static uint32_t best_rice(const enc_delta_track *track, const uint32_t *zigzag, uint64_t *cost)
{
    uint32_t frames = track->frame_count, coded = 0;
    uint64_t sum = 0;
    for (uint32_t f = 0; f < frames; f++) {
        coded += frame_in_block(track, f) != 0u;
        sum += zigzag[f];
    }
    *cost = 0;
    if (sum == 0)
        return OSC_RICE_ZERO;
    uint32_t guess = 0, best = 0;
    while (guess < 14u && ((uint64_t)coded << (guess + 1u)) <= sum)
        guess++;
    *cost = UINT64_MAX;
    for (uint32_t k = guess < 2u ? 0u : guess - 2u; k <= guess + 1u && k < OSC_RICE_ZERO; k++) {
        uint64_t total = 0;
        for (uint32_t f = 0; f < frames; f++)
            if (frame_in_block(track, f) != 0u)
                total += enc_rice_bits(zigzag[f], k);
        if (total < *cost) {
            *cost = total;
            best = k;
        }
    }
    return best;
}

/* Bits of a plain component: the full range for rotations, the track's range for vectors. */
static uint32_t plain_width(const enc_delta_track *track)
{
    if (track->kind == ENC_ROTATION)
        return 22u - track->shift;
    uint32_t width = 1;
    for (uint32_t f = 0; f < track->frame_count; f++)
        for (uint32_t i = 0; i < 3u && frame_in_block(track, f) == 0u; i++) {
            uint32_t w = enc_signed_width(track->rows[(size_t)f * 3u + i] >> track->shift);
            width = w > width ? w : width;
        }
    return width;
}

static bool choose_codes(enc_delta_track *track)
{
    uint32_t width = plain_width(track), rice[2][3], linear;
    uint64_t total[2] = {0, 0};
    uint32_t *zigzag = malloc((size_t)track->frame_count * 6u * sizeof *zigzag);
    if (zigzag == NULL)
        return false;
    fill_residuals(track, zigzag);
    for (uint32_t order = 0; order < 2u; order++)
        for (uint32_t i = 0; i < 3u; i++) {
            uint64_t cost;
            const uint32_t *run = zigzag + (size_t)(order * 3u + i) * track->frame_count;
            rice[order][i] = best_rice(track, run, &cost);
            total[order] += cost;
        }
    free(zigzag);
    linear = total[1] < total[0] ? 1u : 0u;
    uint64_t bits = 32u + total[linear];
    for (uint32_t f = 0; f < track->frame_count; f++) {
        bool restart = frame_in_block(track, f) == 0u;
        if (restart)
            bits += 3u * width;
        if (track->packing == OSC_PACKING_MOVING)
            bits += restart ? 3u : track->packings[f] == IMPLIED_PACKING ? 1u : 4u;
    }
    track->bits = bits > UINT32_MAX ? UINT32_MAX : (uint32_t)bits;
    track->record = track->shift | track->packing << 5 | linear << 8 | (width - 1u) << 21;
    for (uint32_t i = 0; i < 3u; i++)
        track->record |= rice[linear][i] << (9u + 4u * i);
    return true;
}

void enc_delta_write_frame(const enc_delta_track *track, uint32_t frame, enc_bit_writer *out)
{
    uint32_t packing = OSC_TRACK_PACKING(track->record), shift = OSC_TRACK_SHIFT(track->record);
    uint32_t components = packing == OSC_PACKING_VECTOR ? 3u : 4u, coded = 0;
    uint32_t order = OSC_TRACK_LINEAR(track->record);
    const int32_t *row = track->rows + (size_t)frame * components;
    bool restart = frame_in_block(track, frame) == 0u;
    if (packing == OSC_PACKING_MOVING) {
        bool implied = track->packings[frame] == IMPLIED_PACKING;
        if (!restart)
            enc_bits_put(out, implied ? 0u : 1u, 1u);
        if (!implied)
            enc_bits_put(out, track->packings[frame], 3u);
    }
    uint32_t dropped = dropped_at(track, frame, row - components);
    for (uint32_t i = 0; i < components; i++) {
        if (i == dropped)
            continue;
        uint32_t k = OSC_TRACK_RICE(track->record, coded);
        if (restart)
            enc_bits_put(out, (uint32_t)(row[i] >> shift), OSC_TRACK_WIDTH(track->record));
        else if (k != OSC_RICE_ZERO)
            enc_bits_put_rice(out, residual_at(track, frame, i, order), k);
        coded++;
    }
}

/* Codes the target with the track's packing and step. Returns whether every frame holds and
 * blends. */
static bool attempt(enc_delta_track *track, const enc_fit *fit)
{
    uint32_t components = enc_components(fit->kind);
    for (uint32_t f = 0; f < fit->frame_count; f++) {
        code_row(track, fit->target, f);
        if (!fit->holds(fit->context, f, track->rows + (size_t)f * components))
            return false;
    }
    return enc_steps_blend(track->rows, components, fit->frame_count, fit->breaks);
}

static enc_coded *wrap(enc_delta_track *track)
{
    if (!choose_codes(track))
        return NULL;
    return enc_coded_new((enc_coded){.codec = OSC_CODEC_DELTA,
                                     .kind = track->kind,
                                     .frame_count = track->frame_count,
                                     .rows = track->rows,
                                     .bits = track->bits,
                                     .data = track,
                                     .release = release});
}

/* Codes the track with the coarsest step that holds in one packing. */
static enc_coded *fit_packing(const enc_fit *fit, uint32_t packing, bool *out_of_memory)
{
    enc_delta_track *track = new_track(fit);
    if (track == NULL) {
        *out_of_memory = true;
        return NULL;
    }
    int shift = 0;
    while (shift < 16 + COARSER_TRIES && ldexp(1.0, shift - 20) < fit->slack)
        shift++;
    shift = shift + COARSER_TRIES > 19 ? 19 : shift + COARSER_TRIES;
    track->packing = packing;
    for (; shift >= 0; shift--) {
        track->shift = (uint32_t)shift;
        if (!attempt(track, fit))
            continue;
        enc_coded *coded = wrap(track);
        if (coded == NULL)
            break;
        return coded;
    }
    *out_of_memory = *out_of_memory || shift >= 0;
    release(track);
    return NULL;
}

static enc_coded *fit_track(const enc_fit *fit, bool *out_of_memory)
{
    double least = 1.0;
    bool rotation = fit->kind == ENC_ROTATION;
    uint32_t packing = rotation ? enc_best_packing(fit->target, fit->frame_count, fit->breaks,
                                                   ENC_PLAIN_PACKINGS, fit->slack, &least)
                                : OSC_PACKING_VECTOR;
    enc_coded *best = NULL;
    if (!rotation || least >= MIN_FIXED_DROPPED)
        best = fit_packing(fit, packing, out_of_memory);
    if (rotation && least < MAX_FIXED_DROPPED) {
        enc_coded *moving = fit_packing(fit, OSC_PACKING_MOVING, out_of_memory);
        if (best == NULL || (moving != NULL && moving->bits < best->bits)) {
            enc_coded *swap = best;
            best = moving;
            moving = swap;
        }
        enc_coded_free(moving);
    }
    return best;
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
    uint32_t next = 0;
    for (uint32_t i = 0; i < clip->track_count; i++) {
        const enc_delta_track *track = clip->tracks[i]->data;
        uint32_t gap = clip->subtracks[i] - next;
        for (; gap > 63u; gap -= 63u) /* gaps that do not fit one record */
            enc_bits_put(out->headers, OSC_PACKING_SKIP << 5 | 63u << 26, 32u);
        enc_bits_put(out->headers, track->record | gap << 26, 32u);
        next = clip->subtracks[i] + 1u;
    }
    for (uint32_t f = 0; f < clip->frame_count; f++) {
        if (f != 0u && (f >> clip->restart_log2) << clip->restart_log2 == f)
            enc_bits_put(out->restarts, (uint32_t)out->blocks->bits, 32u);
        for (uint32_t i = 0; i < clip->track_count; i++)
            enc_delta_write_frame(clip->tracks[i]->data, f, out->blocks);
        if (out->blocks->bits > UINT32_MAX / 2u)
            return ENC_ERROR_TOO_LARGE;
    }
    return ENC_OK;
}

/* Returns whether a record, which has no gap yet, is valid for this kind of track. */
static bool record_is_sound(uint32_t record, uint32_t kind)
{
    uint32_t packing = OSC_TRACK_PACKING(record);
    return OSC_TRACK_GAP(record) == 0u &&
           (kind == ENC_ROTATION ? packing <= OSC_PACKING_MOVING : packing == OSC_PACKING_VECTOR);
}

static void archive_track(enc_archive *archive, enc_coded *coded, const enc_options *options)
{
    enc_delta_track *track = enc_archive_data(archive, coded, sizeof *track, release);
    size_t frames = coded->frame_count;
    if (track == NULL)
        return;
    enc_archive_word(archive, &track->record);
    enc_archive_require(archive, record_is_sound(track->record, coded->kind));
    track->kind = coded->kind;
    track->frame_count = coded->frame_count;
    track->restart_log2 = enc_restart_log2(&enc_delta_codec, options);
    track->packing = OSC_TRACK_PACKING(track->record);
    track->shift = OSC_TRACK_SHIFT(track->record);
    track->memory = enc_archive_array(archive, track->memory, frames * 4u + ROWS_BEFORE, 1);
    track->packings = enc_archive_byte_array(archive, track->packings, frames);
    track->rows = track->memory != NULL ? track->memory + ROWS_BEFORE : NULL;
    coded->rows = track->rows;
}

const enc_codec enc_delta_codec = {.codec = OSC_CODEC_DELTA,
                                   .fit = fit_track,
                                   .state_words = state_words,
                                   .write = write_clip,
                                   .archive = archive_track};
