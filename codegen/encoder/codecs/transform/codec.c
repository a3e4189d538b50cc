/* The transform codec: packings, steps, and the codec's interface. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/packing.h"
#include "base/quantise.h"
#include "codecs/codecs.h"
#include "codecs/transform/code.h"
#include "codecs/transform/direct.h"
#include "codecs/transform/error_points.h"
#include "codecs/transform/fit.h"
#include "codecs/transform/mend.h"
#include "ossicle.h"

#define MAX_STEP_CODE (OSC_TRANSFORM_DIRECT - 1u)
#define MAX_GRID 8
#define MAX_PASSES 4u
#define FIRST_FINER 6   /* usual best steps below the grid of ends, in quarter octaves */
#define BEHIND 1.01     /* a coding that costs this much more before savings does so after them */
#define START_SHARE 1.6 /* of a component's permitted error: too coarse, which soon shows */

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
    to->packing = from->packing;
    to->components = from->components;
    to->end_grid = from->end_grid;
    memcpy(to->step, from->step, sizeof to->step);
    memcpy(to->ends, from->ends, (cells + ENC_TRANSFORM_COMPONENTS) * sizeof *to->ends);
    enc_transform_unpack(from, to->coefficients);
    memcpy(to->counts, from->counts, cells);
    memcpy(to->rows, from->rows,
           (size_t)from->frame_count * enc_components(from->kind) * sizeof *to->rows);
}

/* ---- packings ---- */

static void fill_values(enc_transform_fitter *fitter)
{
    const enc_fit *fit = fitter->fit;
    uint32_t components = enc_components(fit->kind), packing = fitter->track->packing;
    for (uint32_t f = 0; f < fit->frame_count; f++) {
        const double *target = fit->target + (size_t)f * components;
        double *values = fitter->values + (size_t)f * ENC_TRANSFORM_COMPONENTS, turned[4];
        values[ENC_TRANSFORM_COMPONENTS - 1] = 0.0;
        if (packing >= OSC_TRANSFORM_FOUR) {
            for (uint32_t i = 0; i < components; i++)
                values[i] = target[i] * OSC_ONE_Q20;
            continue;
        }
        enc_packing_turn_back(target, packing, turned);
        double unit = turned[packing & 3u] < 0.0 ? -OSC_ONE_Q20 : OSC_ONE_Q20;
        for (uint32_t i = 0, c = 0; i < 4u; i++)
            if (i != (packing & 3u))
                values[c++] = turned[i] * unit;
    }
}

/* ---- steps ---- */

/* The code of the largest step up to a size in Q20. */
static uint32_t step_code(double size)
{
    uint32_t code = 0;
    while (code < MAX_STEP_CODE && osc_transform_step(code + 1u) <= size)
        code++;
    return code;
}

/* Codes of steps, which may still be out of range. */
typedef struct {
    int32_t code[ENC_TRANSFORM_COMPONENTS];
} step_codes;

/* Sets the track's steps, all finer by a number of quarter octaves. Returns false if one is out of
 * range. */
static bool set_steps(enc_transform_track *track, const step_codes *steps, int32_t finer)
{
    bool fits = false, fine = true;
    for (uint32_t i = 0; i < track->components; i++) {
        int32_t code = steps->code[i] - finer;
        fits = fits || code >= 0;
        fine = fine && code <= (int32_t)MAX_STEP_CODE;
        track->step[i] = (uint32_t)(code < 0 ? 0 : code);
    }
    return fits && fine;
}

static bool ends_hold(enc_transform_fitter *fitter, const step_codes *steps, int32_t finer)
{
    fitter->track->end_grid = 1;
    return set_steps(fitter->track, steps, finer) && enc_transform_fit_ends(fitter);
}

/* Finds the coarsest grid of the ends, in proportion to the permitted errors of the components. */
static bool coarsest_ends(enc_transform_fitter *fitter, step_codes *ends)
{
    uint32_t components = fitter->track->components;
    int32_t finer = 0;
    for (uint32_t i = 0; i < components; i++)
        ends->code[i] = (int32_t)step_code(fitter->holding[i] * START_SHARE);
    if (ends_hold(fitter, ends, 0)) {
        while (ends_hold(fitter, ends, finer - 1))
            finer--;
    } else {
        while (!ends_hold(fitter, ends, ++finer))
            if (finer > (int32_t)MAX_STEP_CODE)
                return false;
    }
    for (uint32_t i = 0; i < components; i++)
        ends->code[i] -= finer;
    return true;
}

/* The cheapest integers so far. */
typedef struct {
    enc_transform_fitter *fitter;
    enc_transform_track *track;
    uint64_t bits;
    double cost;   /* including the cost for other tracks */
    double solved; /* the same before savings */
} best_numbers;

/* Fits with the present steps of the fitter's track, and keeps the integers if they are cheaper. */
static bool attempt(best_numbers *best)
{
    enc_transform_fitter *fitter = best->fitter;
    if (!enc_transform_solve(fitter))
        return false;
    double solved =
        (double)enc_transform_bits(fitter->track, fitter->codes) + enc_transform_price(fitter);
    if (solved > BEHIND * best->solved || !enc_transform_save(fitter))
        return false;
    uint64_t bits = enc_transform_bits(fitter->track, fitter->codes);
    double cost = (double)bits + enc_transform_price(fitter);
    if (cost >= best->cost)
        return false;
    best->cost = cost;
    best->solved = solved;
    best->bits = bits;
    copy_numbers(best->track, fitter->track);
    return true;
}

/* The same at low effort: keeps the first integers that hold. */
static bool attempt_fast(best_numbers *best)
{
    enc_transform_fitter *fitter = best->fitter;
    if (!enc_transform_fit(fitter))
        return false;
    best->bits = enc_transform_bits(fitter->track, fitter->codes);
    copy_numbers(best->track, fitter->track);
    return true;
}

/* Tries steps finer than the grid of ends by a number of quarter octaves. */
static bool try_finer(best_numbers *best, const step_codes *ends, int32_t finer)
{
    static const uint8_t grids[] = {1, 1, 1, 1, 2, 2, 2, 3, 4, 4, 5, 6, 8};
    const int32_t most = sizeof grids - 1;
    best->fitter->track->end_grid = grids[finer < most ? finer : most];
    if (!set_steps(best->fitter->track, ends, finer))
        return false;
    return best->fitter->fit->effort > ENC_EFFORT_FAST ? attempt(best) : attempt_fast(best);
}

/* Tries the best steps with another step in one component, or with another grid of ends. */
static bool try_change(best_numbers *best, uint32_t component, int32_t step, int32_t grid)
{
    enc_transform_track *track = best->fitter->track;
    int32_t code = (int32_t)best->track->step[component] + step;
    grid += (int32_t)best->track->end_grid;
    if (code < 0 || code > (int32_t)MAX_STEP_CODE || grid < 1 || grid > MAX_GRID)
        return false;
    memcpy(track->step, best->track->step, sizeof track->step);
    track->step[component] = (uint32_t)code;
    track->end_grid = (uint32_t)grid;
    return attempt(best);
}

/* Tries coarser steps in single components, and further changes that the effort permits. */
static void refine_steps(best_numbers *best, uint32_t effort)
{
    uint32_t passes = effort >= ENC_EFFORT_MAX       ? MAX_PASSES
                      : effort >= ENC_EFFORT_DEFAULT ? 1u
                                                     : 0u;
    double before = HUGE_VAL;
    for (uint32_t pass = 0; pass < passes && best->cost < before; pass++) {
        before = best->cost;
        for (uint32_t c = 0; c < best->track->components; c++) {
            bool coarser = try_change(best, c, 2, 0) || try_change(best, c, 1, 0);
            while (coarser && try_change(best, c, 2, 0))
                ;
            while (!coarser && effort >= ENC_EFFORT_MAX && try_change(best, c, -1, 0))
                ;
        }
        if (effort >= ENC_EFFORT_MAX && !try_change(best, 0, 0, 1))
            try_change(best, 0, 0, -1);
    }
}

/* Finds the cheapest integers in the track's packing: the coarsest ends, then the coarsest steps
 * below theirs, then small changes. */
static bool search_steps(best_numbers *best, uint32_t effort)
{
    int32_t finer = FIRST_FINER;
    step_codes ends;
    if (!coarsest_ends(best->fitter, &ends))
        return false;
    if (!try_finer(best, &ends, finer)) {
        while (!try_finer(best, &ends, ++finer))
            if (finer > (int32_t)MAX_STEP_CODE)
                return false;
    } else if (effort > ENC_EFFORT_FAST) {
        int32_t step = try_finer(best, &ends, finer - 1) ? -1 : 1;
        finer += step < 0 ? step : 0;
        while (finer + step > 0 && try_finer(best, &ends, finer + step))
            finer += step;
    }
    refine_steps(best, effort);
    return true;
}

/* Codes tracks that no steps can follow. */
static bool fit_direct(best_numbers *best)
{
    if (!enc_transform_fit_direct(best->fitter))
        return false;
    best->bits = enc_transform_bits(best->fitter->track, best->fitter->codes);
    copy_numbers(best->track, best->fitter->track);
    return true;
}

static enc_coded *wrap(enc_transform_track *track, uint64_t bits)
{
    enc_transform_pack(track);
    return enc_coded_new((enc_coded){.codec = OSC_CODEC_TRANSFORM,
                                     .kind = track->kind,
                                     .frame_count = track->frame_count,
                                     .rows = track->rows,
                                     .bits = bits > UINT32_MAX ? UINT32_MAX : (uint32_t)bits,
                                     .data = track,
                                     .release = release});
}

/* Mends the coding that the fit provides. */
static bool mend(best_numbers *best, const enc_fit *fit)
{
    enc_transform_fitter *fitter = best->fitter;
    if (fit->before == NULL || fit->before->codec != OSC_CODEC_TRANSFORM ||
        fit->error_points == NULL || fit->frame_count < 2u)
        return false;
    const enc_transform_track *before = fit->before->data;
    if (before->step[0] >= OSC_TRANSFORM_DIRECT)
        return false;
    copy_numbers(fitter->track, before);
    fill_values(fitter);
    enc_transform_set_axes(fitter);
    bool mended = enc_transform_mend(fitter, false);
    if (!mended) {
        copy_numbers(fitter->track, before);
        mended = enc_transform_mend(fitter, true);
    }
    if (!mended)
        return false;
    best->bits = enc_transform_bits(fitter->track, fitter->codes);
    copy_numbers(best->track, fitter->track);
    return true;
}

/* Finds the cheapest coding from the start. */
static bool fit_anew(best_numbers *best, const enc_fit *fit)
{
    enc_transform_fitter *fitter = best->fitter;
    fitter->track->packing = enc_packing_of(fit, OSC_TRANSFORM_FOUR, OSC_TRANSFORM_VECTOR);
    fitter->track->components = fitter->track->packing == OSC_TRANSFORM_FOUR ? 4u : 3u;
    fill_values(fitter);
    enc_transform_set_axes(fitter);
    enc_transform_set_quadratics(fitter);
    return search_steps(best, fit->effort) || fit_direct(best);
}

static enc_coded *fit_track(const enc_fit *fit, bool *out_of_memory)
{
    enc_transform_fitter fitter = {.fit = fit, .track = new_track(fit)};
    best_numbers best = {&fitter, new_track(fit), UINT64_MAX, HUGE_VAL, HUGE_VAL};
    size_t values = (size_t)fit->frame_count * ENC_TRANSFORM_COMPONENTS;
    fitter.values = malloc(values * sizeof *fitter.values);
    fitter.quadratics =
        malloc((size_t)fit->frame_count * ENC_TRANSFORM_POINTS * sizeof *fitter.quadratics);
    enc_coded *coded = NULL;
    if (fitter.track != NULL)
        enc_transform_set_basis(&fitter);
    if (fitter.track == NULL || best.track == NULL || fitter.values == NULL ||
        fitter.quadratics == NULL) {
        *out_of_memory = true;
    } else if (mend(&best, fit) || fit_anew(&best, fit)) {
        coded = wrap(best.track, best.bits);
        *out_of_memory = *out_of_memory || coded == NULL;
    }
    if (fitter.track != NULL)
        release(fitter.track);
    if (best.track != NULL && coded == NULL)
        release(best.track);
    free(fitter.values);
    free(fitter.quadratics);
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

static bool header_is_sound(const enc_transform_track *track)
{
    bool sound = track->kind == ENC_ROTATION ? track->packing <= OSC_TRANSFORM_FOUR
                                             : track->packing == OSC_TRANSFORM_VECTOR;
    for (uint32_t c = 0; c < ENC_TRANSFORM_COMPONENTS; c++)
        sound = sound && track->step[c] <= OSC_TRANSFORM_DIRECT;
    return sound && track->end_grid >= 1u && track->end_grid <= MAX_GRID;
}

/* Returns whether the coefficients of every segment fit. */
static bool counts_are_sound(const enc_transform_track *track)
{
    for (uint32_t s = 0; s < track->segments; s++) {
        uint32_t length = osc_transform_length(track->frame_count, s);
        for (uint32_t c = 0; c < ENC_TRANSFORM_COMPONENTS; c++)
            if (*enc_transform_count(track, s, c) > (length != 0u ? length - 1u : 0u))
                return false;
    }
    return true;
}

/* Unpacks a track in place. Returns false without memory. */
static bool unpack(enc_transform_track *track)
{
    int32_t *all = enc_transform_unpacked(track);
    if (all == NULL)
        return false;
    free(track->coefficients);
    track->coefficients = all;
    track->is_packed = false;
    return true;
}

static void archive_track(enc_archive *archive, enc_coded *coded, const enc_options *options)
{
    enc_transform_track *track = enc_archive_data(archive, coded, sizeof *track, release);
    if (track == NULL)
        return;
    enc_archive_require(archive, !track->is_packed || unpack(track));
    enc_archive_word(archive, &track->packing);
    enc_archive_word(archive, &track->end_grid);
    enc_archive_words(archive, track->step, ENC_TRANSFORM_COMPONENTS);
    track->kind = coded->kind;
    track->frame_count = coded->frame_count;
    track->restart_log2 = enc_restart_log2(&enc_transform_codec, options);
    track->components = osc_transform_component_count(track->packing);
    track->segments = osc_transform_segments(coded->frame_count);
    enc_archive_require(archive, header_is_sound(track));
    size_t cells = (size_t)track->segments * ENC_TRANSFORM_COMPONENTS;
    track->ends = enc_archive_array(archive, track->ends, cells + ENC_TRANSFORM_COMPONENTS, 1);
    track->coefficients =
        enc_archive_array(archive, track->coefficients, cells, ENC_TRANSFORM_ORDERS);
    track->counts = enc_archive_byte_array(archive, track->counts, cells);
    enc_archive_require(archive, archive->failed || counts_are_sound(track));
    track->rows = enc_archive_array(archive, track->rows,
                                    (size_t)coded->frame_count * enc_components(coded->kind), 1);
    coded->rows = track->rows;
}

const enc_codec enc_transform_codec = {.codec = OSC_CODEC_TRANSFORM,
                                       .random_access = true,
                                       .prices_errors = true,
                                       .fit = fit_track,
                                       .state_words = state_words,
                                       .write = enc_transform_write,
                                       .archive = archive_track};
