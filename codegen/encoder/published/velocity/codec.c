/* The velocity codec: velocities that change at keys, by differences, in speed only, or to new
 * values; each row follows from the previous row. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bank/osc_format.h"
#include "base/quantise.h"
#include "codecs/codecs.h"
#include "published/velocity/path.h"

#define TRACK_STATE_WORDS 7u
#define FIRST_RANGE 8u       /* bits; start of the search */
#define FIRST_RICE 2u        /* initial Rice parameter of differences */
#define PUBLISHED_WIDTH 10u  /* bits of a velocity's component: with the kind, 32 for all three */
#define SPEED_SHARE 4u       /* one key in this many changes only the speed */
#define STEP_OF_SLACK 1.14   /* coarsest step to try; with coarser ones, velocities do not last */
#define MORE_STEPS_FULL 1.25 /* of the target's motion in a frame */

/* The work of an effort. */
typedef struct {
    uint32_t beam;
    uint32_t passes; /* searches, each with the parameters that the previous keys suggest */
    uint32_t finer;  /* further steps below the coarsest that holds, while they help */
} plan;

static plan plan_of(uint32_t effort)
{
    static const plan plans[] = {{1, 2, 2}, {2, 2, 12}, {6, 3, 12}};
    return plans[effort];
}

static void release(void *data)
{
    enc_velocity_track *track = data;
    free(track->rows);
    free(track->keys);
    free(track);
}

static enc_velocity_track *new_track(const enc_fit *fit)
{
    enc_velocity_track *track = calloc(1, sizeof *track);
    if (track == NULL)
        return NULL;
    size_t frames = fit->frame_count;
    track->kind = fit->kind;
    track->frame_count = fit->frame_count;
    track->restart_log2 = fit->restart_log2;
    track->rows = calloc(frames * 4u, sizeof *track->rows);
    track->keys = calloc(frames, sizeof *track->keys);
    if (track->rows == NULL || track->keys == NULL) {
        release(track);
        return NULL;
    }
    return track;
}

/* ---- parameters ---- */

/* The Rice parameter, up to `most`, of numbers that a function computes from keys, and its cost. */
static uint32_t best_rice(const enc_velocity_track *track, int32_t component, uint32_t most)
{
    uint64_t least = UINT64_MAX;
    uint32_t best = 0;
    bool zero = component >= 0;
    for (uint32_t k = 0; k <= most; k++) {
        uint64_t bits = 0;
        for (uint32_t i = 0; i < track->key_count; i++) {
            const enc_velocity_key *key = &track->keys[i];
            if (component < 0) {
                bits += enc_rice_bits(key->lasts, k);
            } else if (key->kind == OSC_VELOCITY_DIFFERENCE) {
                bits += enc_rice_bits(enc_zigzag(key->code[component]), k);
                zero = zero && key->code[component] == 0;
            }
        }
        if (bits < least) {
            least = bits;
            best = k;
        }
    }
    return zero ? OSC_RICE_ZERO : best;
}

/* The width of the largest component of a step. */
static uint32_t step_width(const int32_t *step)
{
    uint32_t width = 1;
    for (uint32_t i = 0; i < 3u; i++) {
        uint32_t w = enc_signed_width(step[i]);
        width = w > width ? w : width;
    }
    return width;
}

/* The range with which the present keys' velocities would have been cheapest. */
static uint32_t best_range(const enc_velocity_track *track)
{
    uint32_t best = 1, full = 3u * track->full_width + 2u;
    uint64_t least = UINT64_MAX;
    for (uint32_t width = 1; width <= track->full_width; width++) {
        uint64_t bits = 0;
        for (uint32_t i = 0; i < track->key_count; i++) {
            const enc_velocity_key *key = &track->keys[i];
            if (key->kind == OSC_VELOCITY_DIFFERENCE || key->kind == OSC_VELOCITY_FULL)
                bits += step_width(key->step) <= width ? 1u + 3u * width : full;
        }
        if (bits < least) {
            least = bits;
            best = width;
        }
    }
    return best;
}

/* Fits all fields of the header to the present keys, for which they are exact, and for the next
 * search. */
static void tune(enc_velocity_track *track)
{
    uint32_t most = OSC_VELOCITY_DIFFERENCE, range = 1, full = 1;
    for (uint32_t i = 0; i < track->key_count; i++) {
        const enc_velocity_key *key = &track->keys[i];
        if (key->kind == ENC_VELOCITY_REST)
            continue;
        most = key->kind > most ? key->kind : most;
        uint32_t width = step_width(key->code);
        if (key->kind == OSC_VELOCITY_DIFFERENCE)
            range = width > range ? width : range;
        if (key->kind == OSC_VELOCITY_FULL)
            full = width > full ? width : full;
    }
    bool published = track->keys_as != ENC_KEYS_SMALLEST;
    track->most_kind = published && most < OSC_VELOCITY_FULL ? OSC_VELOCITY_FULL : most;
    track->full_width = published && full < PUBLISHED_WIDTH ? PUBLISHED_WIDTH : full;
    track->range_width = range;
    track->gap_rice = best_rice(track, -1, 7u);
    for (int32_t c = 0; c < 3; c++)
        track->rice[c] = best_rice(track, c, 14u);
    if (track->kind != ENC_ROTATION) { /* the search does not limit differences */
        uint32_t width = 1;
        for (uint32_t i = 0; i < track->key_count; i++)
            if (track->keys[i].kind >= OSC_VELOCITY_SEED)
                for (uint32_t c = 0; c < 3u; c++) {
                    int32_t value = track->rows[(size_t)track->keys[i].frame * 3u + c];
                    uint32_t w = enc_signed_width(value >> track->seed_shift);
                    width = w > width ? w : width;
                }
        track->seed_width = width;
    }
    enc_velocity_count_bits(track);
}

/* The width of a track's full velocities. */
static uint32_t full_width(const enc_fit *fit, uint32_t shift)
{
    uint32_t components = enc_components(fit->kind), most = 22u - shift;
    double largest = 0.0;
    for (uint32_t f = 1; f < fit->frame_count; f++)
        for (uint32_t i = 0; i < components && fit->breaks[f] == 0; i++) {
            size_t at = (size_t)f * components + i;
            largest = fmax(largest, fabs(fit->target[at] - fit->target[at - components]));
        }
    uint32_t width = enc_signed_width(enc_quantise(MORE_STEPS_FULL * largest, shift) >> shift) + 1u;
    if (fit->keys != ENC_KEYS_SMALLEST && width < PUBLISHED_WIDTH)
        width = PUBLISHED_WIDTH;
    return fit->kind == ENC_ROTATION && width > most ? most : width > 32u ? 32u : width;
}

/* Chooses the coarsest seeds with which the starts of blocks and all jumps hold. finest: no coarser
 * than a row. */
static bool set_seeds(enc_velocity_track *track, const enc_fit *fit, bool finest)
{
    uint32_t components = enc_components(fit->kind);
    int shift = 0;
    while (shift < 15 && !finest && ldexp(1.0, shift - 20) < fit->slack)
        shift++;
    for (; shift >= 0; shift--) {
        bool fine = true;
        track->seed_shift = (uint32_t)shift;
        track->seed_width = OSC_CONSTANT_ROTATION_WIDTH - track->seed_shift;
        for (uint32_t f = 0; f < fit->frame_count && fine; f++) {
            int32_t row[4];
            if (!enc_velocity_restarts(track, f) && fit->breaks[f] == 0)
                continue;
            (void)enc_velocity_seed(track, fit->target + (size_t)f * components, NULL, row);
            fine = fit->holds(fit->context, f, row);
        }
        if (fine)
            return true;
    }
    return false;
}

/* ---- fitting ---- */

static void copy_track(enc_velocity_track *to, const enc_velocity_track *from)
{
    enc_velocity_track old = *to;
    *to = *from;
    to->rows = old.rows;
    to->keys = old.keys;
    memcpy(to->rows, from->rows, (size_t)from->frame_count * 4u * sizeof *to->rows);
    memcpy(to->keys, from->keys, from->key_count * sizeof *to->keys);
}

/* Searches with one step, then again with parameters from the result. Returns whether `best`, which
 * may have no keys yet, has improved. */
static bool fit_step(enc_velocity_track *best, enc_velocity_track *track, const enc_fit *fit,
                     plan plan, bool *out_of_memory)
{
    bool better = false;
    for (uint32_t pass = 0; pass < plan.passes; pass++) {
        if (!enc_velocity_search(track, fit, plan.beam, out_of_memory) ||
            !enc_steps_blend(track->rows, enc_components(fit->kind), fit->frame_count, fit->breaks))
            return better;
        uint32_t range = best_range(track);
        tune(track);
        if (best->bits == 0u || track->bits < best->bits) {
            copy_track(best, track);
            better = true;
        }
        track->range_width = range;
        track->full_width = full_width(fit, track->shift);
        track->most_kind =
            track->most_kind < OSC_VELOCITY_FULL ? OSC_VELOCITY_FULL : track->most_kind;
        for (uint32_t c = 0; c < 3u; c++)
            if (track->rice[c] == OSC_RICE_ZERO)
                track->rice[c] = 0;
    }
    return better;
}

/* The precision of changes of speed that is about as fine as the steps are relative to the largest
 * velocity, or coarser. */
static uint32_t fine_speed_precision(uint32_t full_width)
{
    const uint32_t beside = 2u; /* bits of full_width for signs and headroom above the target */
    uint32_t code = 0;
    while (code < 3u && OSC_VELOCITY_SPEED_PRECISION(code + 1u) + beside <= full_width)
        code++;
    return code;
}

static void set_first(enc_velocity_track *track, const enc_fit *fit, uint32_t shift)
{
    track->shift = shift;
    track->most_kind = OSC_VELOCITY_FULL;
    track->keys_as = fit->keys;
    track->ranged = fit->keys != ENC_KEYS_SMALLEST;
    track->gap_rice = 1;
    track->range_width = FIRST_RANGE;
    track->full_width = full_width(fit, shift);
    track->speed_precision = 0;
    for (uint32_t c = 0; c < 3u; c++)
        track->rice[c] = FIRST_RICE;
}

/* Copies the fields of the header from another coding of the track. */
static void set_as(enc_velocity_track *track, const enc_fit *fit, const enc_velocity_track *before)
{
    set_first(track, fit, before->shift);
    track->speed_precision = before->speed_precision;
    track->gap_rice = before->gap_rice;
    for (uint32_t c = 0; c < 3u; c++)
        track->rice[c] = before->rice[c] == OSC_RICE_ZERO ? 0u : before->rice[c];
    track->range_width = before->range_width;
}

static bool mostly_speed(const enc_velocity_track *track)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < track->key_count; i++)
        count += track->keys[i].kind == OSC_VELOCITY_SPEED;
    return SPEED_SHARE * count > track->key_count;
}

/* Searches with finer changes of speed. */
static void fit_speed_precisions(enc_velocity_track *best, enc_velocity_track *track,
                                 const enc_fit *fit, bool *out_of_memory)
{
    plan plan = plan_of(fit->effort);
    bool better = true;
    set_as(track, fit, best);
    uint32_t speed_precision = fine_speed_precision(track->full_width);
    plan.passes = fit->effort == ENC_EFFORT_FAST ? 0u : 2u;
    track->speed_precision = speed_precision;
    if (speed_precision != best->speed_precision)
        (void)fit_step(best, track, fit, plan, out_of_memory);
    plan.passes = 1;
    while (mostly_speed(best) && better && best->speed_precision < 3u && !*out_of_memory) {
        set_as(track, fit, best);
        track->speed_precision++;
        better = fit_step(best, track, fit, plan, out_of_memory);
    }
}

static bool fit_steps(enc_velocity_track *best, enc_velocity_track *track, const enc_fit *fit,
                      bool *out_of_memory)
{
    plan plan = plan_of(fit->effort);
    int shift = 0;
    if (fit->before != NULL && fit->before->codec == OSC_CODEC_VELOCITY) {
        plan.passes = 1;
        set_as(track, fit, fit->before->data);
        if (fit_step(best, track, fit, plan, out_of_memory))
            return true;
        plan = plan_of(fit->effort);
    }
    while (shift < 19 && ldexp(1.0, shift + 1 - 20) <= STEP_OF_SLACK * fit->slack)
        shift++;
    for (uint32_t held = 0; shift >= 0 && !*out_of_memory; shift--) {
        set_first(track, fit, (uint32_t)shift);
        bool better = fit_step(best, track, fit, plan, out_of_memory);
        if (best->bits != 0u && (!better || held++ >= plan.finer))
            break;
    }
    if (best->bits != 0u)
        fit_speed_precisions(best, track, fit, out_of_memory);
    return best->bits != 0u;
}

static enc_coded *wrap(enc_velocity_track *track)
{
    return enc_coded_new((enc_coded){.codec = OSC_CODEC_VELOCITY,
                                     .kind = track->kind,
                                     .frame_count = track->frame_count,
                                     .rows = track->rows,
                                     .bits = track->bits,
                                     .data = track,
                                     .release = release});
}

static enc_coded *fit_track(const enc_fit *fit, bool *out_of_memory)
{
    enc_velocity_track *best = new_track(fit), *track = new_track(fit);
    enc_coded *coded = NULL;
    if (best == NULL || track == NULL)
        *out_of_memory = true;
    /* with seeds as fine as rows any row can be a seed, so that no track is too rough */
    else if ((set_seeds(track, fit, false) && fit_steps(best, track, fit, out_of_memory)) ||
             (set_seeds(track, fit, true) && fit_steps(best, track, fit, out_of_memory))) {
        coded = wrap(best);
        *out_of_memory = *out_of_memory || coded == NULL;
    }
    if (track != NULL)
        release(track);
    if (best != NULL && coded == NULL)
        release(best);
    return coded;
}

/* ---- writing ---- */

static uint32_t state_words(const enc_coded *const *tracks, uint32_t track_count,
                            uint32_t frame_count)
{
    (void)tracks;
    (void)frame_count;
    return track_count == 0u ? 0u : 1u + TRACK_STATE_WORDS * track_count;
}

static void write_header(const enc_velocity_track *track, uint32_t gap, uint32_t *shift,
                         enc_bit_writer *out)
{
    enc_bits_put_rice(out, gap, 0);
    enc_bits_put_rice(out, enc_zigzag((int32_t)track->shift - (int32_t)*shift), 0);
    *shift = track->shift;
    enc_bits_put(out, track->seed_shift, 4u);
    if (track->kind != ENC_ROTATION)
        enc_bits_put(out, track->seed_width - 1u, 5u);
    enc_bits_put(out, track->gap_rice, 3u);
    enc_bits_put(out, track->most_kind, 2u);
    enc_bits_put(out, track->ranged ? 1u : 0u, 1u);
    if (track->ranged)
        enc_bits_put(out, track->range_width - 1u, 5u);
    for (uint32_t c = 0; c < 3u && !track->ranged; c++)
        enc_bits_put(out, track->rice[c], 4u);
    if (track->most_kind >= OSC_VELOCITY_SPEED)
        enc_bits_put(out, track->speed_precision, 2u);
    if (track->most_kind >= OSC_VELOCITY_FULL)
        enc_bits_put(out, track->full_width - 1u, 5u);
}

static void write_seed(const enc_velocity_track *track, const enc_velocity_key *key,
                       enc_bit_writer *out)
{
    uint32_t components = enc_components(track->kind), dropped = (uint32_t)key->code[0];
    const int32_t *row = track->rows + (size_t)key->frame * components;
    if (track->kind == ENC_ROTATION)
        enc_bits_put(out, dropped | (row[dropped] < 0 ? 4u : 0u), 3u);
    for (uint32_t i = 0; i < components; i++)
        if (i != dropped)
            enc_bits_put(out, (uint32_t)(row[i] >> track->seed_shift), track->seed_width);
}

static void write_key(const enc_velocity_track *track, const enc_velocity_key *key,
                      enc_bit_writer *out)
{
    if (key->kind != ENC_VELOCITY_REST) {
        enc_bits_put(out, (1u << key->kind) - 1u, enc_velocity_kind_bits(track, key->kind));
        if (key->kind == OSC_VELOCITY_SPEED)
            enc_bits_put(out, (uint32_t)key->code[0], OSC_VELOCITY_SPEED_BITS);
    }
    for (uint32_t c = 0; c < 3u; c++) {
        if (key->kind == OSC_VELOCITY_FULL)
            enc_bits_put(out, (uint32_t)key->code[c], track->full_width);
        else if (key->kind == OSC_VELOCITY_DIFFERENCE && track->ranged)
            enc_bits_put(out, (uint32_t)key->code[c], track->range_width);
        else if (key->kind == OSC_VELOCITY_DIFFERENCE && track->rice[c] != OSC_RICE_ZERO)
            enc_bits_put_rice(out, enc_zigzag(key->code[c]), track->rice[c]);
    }
    if (key->kind >= OSC_VELOCITY_SEED)
        write_seed(track, key, out);
    enc_bits_put_rice(out, key->lasts, track->gap_rice);
}

static int32_t write_clip(const enc_clip_tracks *clip, const enc_clip_streams *out)
{
    uint32_t next = 0, shift = OSC_VELOCITY_SHIFT_FIRST;
    uint32_t *keys = calloc(clip->track_count + 1u, sizeof *keys); /* [track]: its next key */
    if (keys == NULL)
        return ENC_ERROR_MEMORY;
    if (clip->track_count != 0u)
        enc_bits_put(out->headers, clip->track_count, OSC_TRACK_COUNT_BITS);
    for (uint32_t i = 0; i < clip->track_count; i++) {
        write_header(clip->tracks[i]->data, clip->subtracks[i] - next, &shift, out->headers);
        next = clip->subtracks[i] + 1u;
    }
    for (uint32_t f = 0; f < clip->frame_count && out->blocks->bits <= UINT32_MAX / 2u; f++) {
        if (f != 0u && (f >> clip->restart_log2) << clip->restart_log2 == f)
            enc_bits_put(out->restarts, (uint32_t)out->blocks->bits, 32u);
        for (uint32_t i = 0; i < clip->track_count; i++) {
            const enc_velocity_track *track = clip->tracks[i]->data;
            if (keys[i] < track->key_count && track->keys[keys[i]].frame == f)
                write_key(track, &track->keys[keys[i]++], out->blocks);
        }
    }
    free(keys);
    return out->blocks->bits > UINT32_MAX / 2u ? ENC_ERROR_TOO_LARGE : ENC_OK;
}

static bool is_width(uint32_t bits)
{
    return bits >= 1u && bits <= 32u;
}

static bool header_is_sound(const enc_velocity_track *track)
{
    bool sound = track->shift <= OSC_VELOCITY_SHIFT_MAX && track->seed_shift <= 15u &&
                 track->gap_rice <= 7u && track->most_kind <= OSC_VELOCITY_SEED &&
                 track->speed_precision <= 3u && is_width(track->seed_width) &&
                 is_width(track->range_width) && is_width(track->full_width);
    for (uint32_t c = 0; c < 3u; c++)
        sound = sound && track->rice[c] <= OSC_RICE_ZERO;
    return sound;
}

/* Returns whether all keys have a valid kind, and seeds of rotations name the component to
 * rebuild. */
static bool keys_are_sound(const enc_velocity_track *track)
{
    for (uint32_t i = 0; i < track->key_count; i++) {
        const enc_velocity_key *key = &track->keys[i];
        if (key->kind > ENC_VELOCITY_REST)
            return false;
        if (key->kind >= OSC_VELOCITY_SEED && track->kind == ENC_ROTATION &&
            (key->code[0] < 0 || key->code[0] > 3))
            return false;
    }
    return true;
}

static void archive_track(enc_archive *archive, enc_coded *coded, const enc_options *options)
{
    enc_velocity_track *track = enc_archive_data(archive, coded, sizeof *track, release);
    if (track == NULL)
        return;
    uint32_t *fields[] = {&track->shift,      &track->seed_shift,      &track->seed_width,
                          &track->gap_rice,   &track->most_kind,       &track->range_width,
                          &track->full_width, &track->speed_precision, &track->key_count};
    track->kind = coded->kind;
    track->frame_count = coded->frame_count;
    track->restart_log2 = enc_restart_log2(&enc_velocity_codec, options);
    track->keys_as = options->keys;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        enc_archive_word(archive, fields[i]);
    enc_archive_flag(archive, &track->ranged);
    enc_archive_words(archive, track->rice, 3);
    enc_archive_require(archive, header_is_sound(track));
    track->rows = enc_archive_array(archive, track->rows, (size_t)coded->frame_count * 4u, 1);
    track->keys = enc_archive_array(archive, track->keys, track->key_count,
                                    sizeof *track->keys / sizeof(uint32_t));
    enc_archive_require(archive, archive->failed || keys_are_sound(track));
    coded->rows = track->rows;
}

const enc_codec enc_velocity_codec = {.codec = OSC_CODEC_VELOCITY,
                                      .fit = fit_track,
                                      .state_words = state_words,
                                      .write = write_clip,
                                      .archive = archive_track};
