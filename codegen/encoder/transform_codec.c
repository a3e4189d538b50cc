/* The transform codec: charts, steps, and what the encoder sees of a track. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "charts.h"
#include "ossicle.h"
#include "quantise.h"
#include "transform.h"

#define MAX_STEP_CODE (OSC_TRANSFORM_DIRECT - 1u)
#define MAX_PASSES 4u
#define START_SHARE 0.8 /* of what a component may be off by: the step that is tried first */

static void release(void *data)
{
    enc_transform_track *track = data;
    free(track->ends);
    free(track->coefficients);
    free(track->counts);
    free(track->rows);
    free(track);
}

static enc_transform_track *new_track(const enc_fit *fit)
{
    enc_transform_track *track = calloc(1, sizeof *track);
    if (track == NULL)
        return NULL;
    track->kind = fit->kind;
    track->frame_count = fit->frame_count;
    track->restart_log2 = fit->restart_log2;
    track->segments = osc_transform_segments(fit->frame_count);
    size_t cells = (size_t)track->segments * ENC_TRANSFORM_COMPONENTS;
    track->ends = calloc(cells + ENC_TRANSFORM_COMPONENTS, sizeof *track->ends);
    track->coefficients = calloc(cells * ENC_TRANSFORM_ORDERS, sizeof *track->coefficients);
    track->counts = calloc(cells, 1);
    track->rows = malloc((size_t)fit->frame_count * 4u * sizeof *track->rows);
    if (track->ends == NULL || track->coefficients == NULL || track->counts == NULL ||
        track->rows == NULL) {
        release(track);
        return NULL;
    }
    return track;
}

static void copy_numbers(enc_transform_track *to, const enc_transform_track *from)
{
    size_t cells = (size_t)from->segments * ENC_TRANSFORM_COMPONENTS;
    to->chart = from->chart;
    to->components = from->components;
    to->end_shift = from->end_shift;
    memcpy(to->step, from->step, sizeof to->step);
    memcpy(to->ends, from->ends, (cells + ENC_TRANSFORM_COMPONENTS) * sizeof *to->ends);
    memcpy(to->coefficients, from->coefficients,
           cells * ENC_TRANSFORM_ORDERS * sizeof *to->coefficients);
    memcpy(to->counts, from->counts, cells);
    memcpy(to->rows, from->rows,
           (size_t)from->frame_count * enc_components(from->kind) * sizeof *to->rows);
}

/* ---- charts ---- */

static uint32_t choose_chart(const enc_fit *fit)
{
    double room;
    if (fit->kind != ENC_ROTATION)
        return OSC_TRANSFORM_VECTOR;
    uint32_t chart =
        enc_best_chart(fit->target, fit->frame_count, fit->breaks, ENC_TURNED_CHARTS, fit->slack,
                                    &room);
    return room > 0.0 ? chart : OSC_TRANSFORM_FOUR;
}

static void fill_values(enc_transform_fitter *fitter)
{
    const enc_fit *fit = fitter->fit;
    uint32_t components = enc_components(fit->kind), chart = fitter->track->chart;
    for (uint32_t f = 0; f < fit->frame_count; f++) {
        const double *target = fit->target + (size_t)f * components;
        double *values = fitter->values + (size_t)f * ENC_TRANSFORM_COMPONENTS, turned[4];
        if (chart >= OSC_TRANSFORM_FOUR) {
            for (uint32_t i = 0; i < components; i++)
                values[i] = target[i] * OSC_ONE_Q20;
            continue;
        }
        enc_chart_turn_back(target, chart, turned);
        double unit = turned[chart & 3u] < 0.0 ? -OSC_ONE_Q20 : OSC_ONE_Q20;
        for (uint32_t i = 0, c = 0; i < 4u; i++)
            if (i != (chart & 3u))
                values[c++] = turned[i] * unit;
    }
}

/* ---- steps ---- */

/* The code of the step nearest below a size in Q20. */
static uint32_t step_code(double size)
{
    uint32_t code = 0;
    while (code < MAX_STEP_CODE && osc_transform_step(code + 1u) <= size)
        code++;
    return code;
}

static void set_steps(enc_transform_track *track, uint32_t code)
{
    for (uint32_t i = 0; i < ENC_TRANSFORM_COMPONENTS; i++)
        track->step[i] = code;
}

/* The coarsest common step that holds: doubled or halved first, then by quarter octaves. */
static bool coarsest_step(enc_transform_fitter *fitter, uint32_t *code)
{
    enc_transform_track *track = fitter->track;
    uint32_t low, high; /* low holds, high does not */
    double holding = 0.0;
    for (uint32_t i = 0; i < track->components; i++)
        holding = fmax(holding, fitter->holding[i]);
    low = step_code(holding * START_SHARE);
    set_steps(track, low);
    if (enc_transform_fit_steps(fitter)) {
        for (high = low + 4u; high <= MAX_STEP_CODE; low = high, high += 4u) {
            set_steps(track, high);
            if (!enc_transform_fit_steps(fitter))
                break;
        }
        high = high > MAX_STEP_CODE ? MAX_STEP_CODE + 1u : high;
    } else {
        for (high = low;; high = low) {
            if (low == 0u)
                return false;
            low = low > 4u ? low - 4u : 0u;
            set_steps(track, low);
            if (enc_transform_fit_steps(fitter))
                break;
        }
    }
    while (high - low > 1u) {
        uint32_t middle = (low + high) / 2u;
        set_steps(track, middle);
        if (enc_transform_fit_steps(fitter))
            low = middle;
        else
            high = middle;
    }
    *code = low;
    return true;
}

/* The cheapest numbers so far. */
typedef struct {
    enc_transform_fitter *fitter;
    enc_transform_track *track;
    uint64_t bits;
} best_numbers;

/* Fits with the steps that the fitter's track has now and keeps the numbers if they are cheaper. */
static bool attempt(best_numbers *best)
{
    if (!enc_transform_fit_steps(best->fitter))
        return false;
    uint64_t bits = enc_transform_bits(best->fitter->track);
    if (bits >= best->bits)
        return false;
    best->bits = bits;
    copy_numbers(best->track, best->fitter->track);
    return true;
}

/* Tries the best steps with those from `first` to `last` changed by some quarter octaves. */
static bool try_steps(best_numbers *best, uint32_t first, uint32_t last, int32_t change)
{
    enc_transform_track *track = best->fitter->track;
    track->end_shift = best->track->end_shift;
    memcpy(track->step, best->track->step, sizeof track->step);
    for (uint32_t i = first; i <= last; i++) {
        int32_t code = (int32_t)track->step[i] + change;
        if (code < 0 || code > (int32_t)MAX_STEP_CODE)
            return false;
        track->step[i] = (uint32_t)code;
    }
    return attempt(best);
}

/* Tries another fineness of the ends, with steps that make up for it. */
static bool try_end_shift(best_numbers *best, int32_t change, int32_t steps)
{
    enc_transform_track *track = best->fitter->track;
    uint32_t shift = (uint32_t)((int32_t)best->track->end_shift + change);
    if (shift > 3u)
        return false;
    track->end_shift = shift;
    for (uint32_t i = 0; i < track->components; i++) {
        int32_t code = (int32_t)best->track->step[i] + steps;
        if (code < 0 || code > (int32_t)MAX_STEP_CODE)
            return false;
        track->step[i] = (uint32_t)code;
    }
    return attempt(best);
}

/* Coarser steps of single components, and finer ends that allow coarser steps: what pays most. */
static bool pass_coarser(best_numbers *best)
{
    static const int32_t changes[] = {4, 2, 1};
    bool any = try_end_shift(best, -1, 2) || try_end_shift(best, -1, 1);
    for (uint32_t c = 0; c < best->track->components; c++)
        for (uint32_t i = 0; i < sizeof changes / sizeof *changes; i++)
            while (try_steps(best, c, c, changes[i]))
                any = true;
    return any;
}

/* Finer steps, which can save coefficients. */
static bool pass_finer(best_numbers *best)
{
    uint32_t components = best->track->components;
    bool any = try_steps(best, 0, components - 1u, -1);
    any = try_end_shift(best, -1, 0) || try_end_shift(best, 1, 0) || try_end_shift(best, 1, -1) ||
          any;
    for (uint32_t c = 0; c < components; c++)
        any = try_steps(best, c, c, -1) || try_steps(best, c, c, -2) || any;
    return any;
}

/* Finds the cheapest numbers in the track's chart: the coarsest common step, then small moves. */
static bool search_steps(best_numbers *best, uint32_t effort)
{
    uint32_t code;
    best->fitter->track->end_shift = OSC_TRANSFORM_FIRST_SHIFT;
    if (!coarsest_step(best->fitter, &code))
        return false;
    set_steps(best->fitter->track, code);
    attempt(best);
    if (effort >= ENC_EFFORT_DEFAULT)
        pass_coarser(best);
    for (uint32_t pass = 0; effort >= ENC_EFFORT_MAX && pass < MAX_PASSES; pass++) {
        bool any = pass_finer(best);
        if (!pass_coarser(best) && !any)
            break;
    }
    return best->bits != UINT64_MAX;
}

/* For tracks that no steps can follow. */
static bool fit_direct(best_numbers *best)
{
    if (!enc_transform_fit_direct(best->fitter))
        return false;
    best->bits = enc_transform_bits(best->fitter->track);
    copy_numbers(best->track, best->fitter->track);
    return true;
}

static enc_coded *wrap(enc_transform_track *track, uint64_t bits)
{
    enc_coded *coded = calloc(1, sizeof *coded);
    if (coded == NULL)
        return NULL;
    coded->codec = OSC_CODEC_TRANSFORM;
    coded->kind = track->kind;
    coded->frame_count = track->frame_count;
    coded->rows = track->rows;
    coded->bits = bits > UINT32_MAX ? UINT32_MAX : (uint32_t)bits;
    coded->data = track;
    coded->release = release;
    return coded;
}

static enc_coded *fit_track(const enc_fit *fit, bool *out_of_memory)
{
    enc_transform_fitter fitter = {fit, new_track(fit), NULL, {0.0}, 0};
    best_numbers best = {&fitter, new_track(fit), UINT64_MAX};
    size_t values = (size_t)fit->frame_count * ENC_TRANSFORM_COMPONENTS;
    fitter.values = malloc(values * sizeof *fitter.values);
    enc_coded *coded = NULL;
    if (fitter.track == NULL || best.track == NULL || fitter.values == NULL) {
        *out_of_memory = true;
    } else {
        fitter.track->chart = choose_chart(fit);
        fitter.track->components = fitter.track->chart == OSC_TRANSFORM_FOUR ? 4u : 3u;
        fill_values(&fitter);
        enc_transform_probe(&fitter);
        if (search_steps(&best, fit->effort) || fit_direct(&best)) {
            coded = wrap(best.track, best.bits);
            *out_of_memory = *out_of_memory || coded == NULL;
        }
    }
    if (fitter.track != NULL)
        release(fitter.track);
    if (best.track != NULL && coded == NULL)
        release(best.track);
    free(fitter.values);
    return coded;
}

static uint32_t state_words(const enc_coded *const *tracks, uint32_t track_count,
                            uint32_t frame_count)
{
    uint32_t words = OSC_TRANSFORM_STATE_WORDS;
    (void)frame_count;
    for (uint32_t i = 0; i < track_count; i++) {
        const enc_transform_track *track = tracks[i]->data;
        words++;
        for (uint32_t c = 0; c < track->components; c++) {
            uint32_t most = 0;
            for (uint32_t s = 0; s < track->segments; s++)
                most = *enc_transform_count(track, s, c) > most ? *enc_transform_count(track, s, c)
                                                                : most;
            words += OSC_TRANSFORM_COMPONENT_WORDS + most;
        }
    }
    return words;
}

const enc_codec enc_transform_codec = {OSC_CODEC_TRANSFORM, "transform", true,
                                       fit_track,           state_words, enc_transform_write};
