#include "published/rates/rates.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "base/quantise.h"
#include "codecs/codecs.h"
#include "model/isolated_error.h"
#include "model/loop_wrap.h"
#include "model/measure.h"
#include "published/rates/uniform.h"

#define TRIES 24u            /* most measurements of a clip */
#define TIGHTER 0.995        /* extra factor when a limit is tightened */
#define TIGHTEST 0.02        /* of a limit: the smallest fraction */
#define UNBLENDED 0.5        /* factor for a limit if rows are too far apart to blend */
#define FIRST_HALF_ANGLE 12u /* widths of half angles to try */
#define LAST_HALF_ANGLE 21u
#define CONSTANT_HALVINGS 5u /* of the limit of a constant track */

/* The facts about a track: it can have variable rates; its finest rate is too coarse; half angles
 * are too coarse, as well. */
enum { VARIABLE, TOO_COARSE, NEEDS_SINGLES };

/* The permitted errors of tracks that the search of rates does not change, in limits. */
typedef struct {
    double constant; /* constant tracks: small values for few moving tracks or fine ones */
    double finest;   /* the finest keys of a variable track */
    double other;    /* formats that have one width for the whole clip */
} fixed_parts;

/* The parts to try, by effort; if none holds, ever finer ones follow. */
static const fixed_parts usual_parts[] = {
    {0.12, 0.25, 0.125}, {0.3, 0.25, 0.125}, {0.04, 0.25, 0.125}};
static const fixed_parts finer_parts[] = {{0.04, 0.05, 0.025}, {0.01, 0.01, 0.005}, {0, 0, 0}};
static const uint32_t parts_of_effort[] = {1, 2, 3};
#define FINER_PARTS (sizeof finer_parts / sizeof *finer_parts)

typedef struct {
    const enc_source *source;
    const enc_options *options;
    uint32_t log2, block, track_count;
    enc_dense_model model;
    enc_isolated_error *errors; /* [joint * ENC_KINDS + kind] */
    uint8_t *coarse; /* [joint * ENC_KINDS + kind]: VARIABLE, TOO_COARSE or NEEDS_SINGLES */
    double *limit;   /* [joint][row] */
    double *over;    /* [joint][sample]: as measured, in tolerances */
    uint8_t *stale;  /* [block]: its limits have changed */
    enc_shift *base; /* [joint][row]: shift by the tracks that are not variable */
    enc_dense_variable *variables;
    uint32_t variable_count;
    fixed_parts parts;
    bool out_of_memory;
} clip_rates;

static size_t row_at(const clip_rates *c, uint32_t joint, uint32_t row)
{
    return (size_t)joint * c->source->row_count + row;
}

/* ---- tracks that are not variable ---- */

/* Returns whether the track can be constant within its part of a limit. *constant: as close as
 * possible. */
static bool choose_constant(clip_rates *c, uint32_t track, enc_constant *constant)
{
    uint32_t joint = track / ENC_KINDS, kind = track % ENC_KINDS;
    const int32_t *rest = enc_rest_row(c->source, kind, joint);
    enc_isolated_error *error = &c->errors[track];
    for (uint32_t halved = CONSTANT_HALVINGS + 1u; halved-- > 0u;) {
        error->limit = ldexp(c->parts.constant, -(int)halved);
        const enc_fit fit = {.kind = kind,
                             .frame_count = c->source->row_count,
                             .target = error->raw,
                             .breaks = enc_breaks(c->source, kind, joint),
                             .slack = enc_isolated_error_slack(error),
                             .holds = enc_isolated_error_holds,
                             .context = error};
        if (enc_track_is_default(&fit, rest, constant) || enc_track_is_constant(&fit, constant))
            return true;
    }
    return false;
}

static enc_dense_track *new_track(clip_rates *c, const enc_key_format *format)
{
    enc_dense_track *made = enc_dense_track_new(format, c->source->row_count, c->log2, 1u);
    c->out_of_memory = c->out_of_memory || made == NULL;
    return made;
}

static bool choose_format(clip_rates *c, uint32_t track, uint32_t name, enc_key_format *format)
{
    return enc_key_format_choose(format, name, track % ENC_KINDS, c->errors[track].raw,
                                 c->source->row_count);
}

/* Codes a track in a format of its own; null if that is too coarse, or without memory. */
static enc_dense_track *code_as(clip_rates *c, uint32_t track, const enc_key_format *format,
                                double part)
{
    enc_dense_track *made = new_track(c, format);
    if (made == NULL)
        return NULL;
    uint32_t components = enc_components(track % ENC_KINDS);
    c->errors[track].limit = part;
    enc_dense_make_keys(made, c->errors[track].raw);
    for (uint32_t f = 0; f < c->source->row_count; f++)
        if (!enc_isolated_error_holds(&c->errors[track], f, made->rows + (size_t)f * components)) {
            enc_dense_track_release(made);
            return NULL;
        }
    return made;
}

/* Codes a track that variable keys cannot represent: for rotations near half a turn, three
 * components determine w too coarsely. Tries half angles, as short as possible, then singles. */
static enc_dense_track *code_otherwise(clip_rates *c, uint32_t track)
{
    enc_key_format format;
    if (track % ENC_KINDS == ENC_ROTATION && c->coarse[track] != NEEDS_SINGLES &&
        choose_format(c, track, ENC_FORMAT_HALF_ANGLE48, &format))
        for (uint32_t width = FIRST_HALF_ANGLE; width <= LAST_HALF_ANGLE; width++) {
            enc_dense_track *made = enc_key_format_set_width(&format, width)
                                        ? code_as(c, track, &format, c->parts.other)
                                        : NULL;
            if (made != NULL || c->out_of_memory)
                return made;
        }
    if (!choose_format(c, track, ENC_FORMAT_FLOAT128, &format))
        return NULL;
    return code_as(c, track, &format, HUGE_VAL);
}

/* Adds the shifts that a track causes that is not variable. */
static void add_base(clip_rates *c, uint32_t track, const enc_track_choice *choice)
{
    uint32_t joint = track / ENC_KINDS, kind = track % ENC_KINDS;
    for (uint32_t f = 0; f < c->source->row_count; f++) {
        enc_shift shift, *to = &c->base[row_at(c, joint, f)];
        enc_dense_shift(&c->model, joint, kind, f, enc_choice_row(choice, kind, f), &shift);
        for (int i = 0; i < 12; i++)
            to->m[i] += shift.m[i];
    }
}

static bool add_variable(clip_rates *c, uint32_t track, enc_dense_track *coded)
{
    enc_dense_variable *variable = &c->variables[c->variable_count];
    enc_dense_sample *samples = malloc(c->source->row_count * sizeof *samples);
    if (samples == NULL)
        return false;
    enc_dense_sample_values(&coded->format, c->errors[track].raw, c->source->row_count, samples);
    variable->joint = track / ENC_KINDS;
    variable->samples = samples;
    variable->coded = coded;
    c->variable_count++;
    return true;
}

static bool choose_track(clip_rates *c, uint32_t track, enc_track_choice *choice)
{
    if (choose_constant(c, track, &choice->constant)) {
        add_base(c, track, choice);
        return true;
    }
    choice->constant.track_kind = ENC_TRACK_ANIMATED;
    enc_key_format format;
    enc_dense_track *coded = NULL;
    if (c->coarse[track] != VARIABLE)
        coded = code_otherwise(c, track);
    else if (choose_format(c, track, ENC_FORMAT_VARIABLE, &format))
        coded = new_track(c, &format);
    choice->coded = coded != NULL ? enc_dense_wrap(coded) : NULL;
    if (choice->coded == NULL)
        return false;
    if (c->coarse[track] == VARIABLE)
        return add_variable(c, track, coded);
    add_base(c, track, choice);
    return true;
}

static void forget_variables(clip_rates *c)
{
    for (uint32_t i = 0; i < c->variable_count; i++)
        free(c->variables[i].samples);
    c->variable_count = 0;
}

/* Decides the format of each track. Returns false without memory. */
static bool choose_tracks(clip_rates *c, enc_solution *out)
{
    uint32_t joints = c->source->skeleton->joint_count, rows = c->source->row_count;
    forget_variables(c);
    memset(c->base, 0, (size_t)joints * rows * sizeof *c->base);
    for (uint32_t joint = 0; joint < joints; joint++) {
        int32_t parent = c->source->skeleton->parents[joint];
        if (parent >= 0)
            memcpy(&c->base[row_at(c, joint, 0)], &c->base[row_at(c, (uint32_t)parent, 0)],
                   rows * sizeof *c->base);
        for (uint32_t kind = 0; kind < ENC_KINDS; kind++) {
            uint32_t track = joint * ENC_KINDS + kind;
            if (!choose_track(c, track, &out->tracks[track]))
                return false;
        }
    }
    return true;
}

/* ---- limits ---- */

static void reset_limits(clip_rates *c)
{
    const enc_source *source = c->source;
    for (uint32_t joint = 0; joint < source->skeleton->joint_count; joint++)
        for (uint32_t f = 0; f < source->row_count; f++) {
            double limit = enc_limit_m(c->options, joint);
            if (f == 0u && source->loop) /* closing the loop moved both ends already */
                limit -= fmin(source->wrap_m[joint], limit / 2.0);
            c->limit[row_at(c, joint, f)] = limit;
        }
    memset(c->stale, 1, (source->row_count + c->block - 1u) / c->block);
}

static void tighten(clip_rates *c, uint32_t joint, uint32_t frame, double factor)
{
    uint32_t row = frame % c->source->row_count;
    double *limit = &c->limit[row_at(c, joint, row)];
    double least = TIGHTEST * enc_limit_m(c->options, joint);
    if (*limit * factor < least)
        factor = least / *limit;
    *limit *= factor;
    c->stale[row / c->block] = 1u;
}

/* Tightens limits where the measured error exceeds the tolerance. */
static void tighten_over(clip_rates *c)
{
    const enc_source *source = c->source;
    for (uint32_t joint = 0; joint < source->skeleton->joint_count; joint++)
        for (uint32_t sample = 0; sample < source->sample_count; sample++) {
            double over = c->over[(size_t)joint * source->sample_count + sample];
            if (!(over > 1.0))
                continue;
            uint32_t position_q11 = enc_sample_q11(source, sample);
            tighten(c, joint, position_q11 / OSC_ONE_Q11, TIGHTER / over);
            if (position_q11 % OSC_ONE_Q11 != 0u)
                tighten(c, joint, position_q11 / OSC_ONE_Q11 + 1u, TIGHTER / over);
        }
}

/* Returns whether all neighbouring rows blend; tightens the limits of tracks whose rows are too far
 * apart. */
static bool blends(clip_rates *c, const enc_solution *out)
{
    bool all = true;
    for (uint32_t track = 0; track < c->track_count; track++) {
        uint32_t joint = track / ENC_KINDS;
        if (enc_track_blends(c->source, &out->tracks[track], track % ENC_KINDS, joint))
            continue;
        all = false;
        for (uint32_t f = 0; f < c->source->row_count; f++)
            tighten(c, track / ENC_KINDS, f, UNBLENDED);
    }
    return all;
}

/* Gives an own format to tracks whose rows do not blend. Limits have no effect on a track that
 * moves nothing, such as one below a joint whose scale is zero: its rates stay at zero bits, and
 * its rows jump from block to block. */
static void mark_unblended(clip_rates *c, const enc_solution *out)
{
    for (uint32_t track = 0; track < c->track_count; track++)
        if (c->coarse[track] < NEEDS_SINGLES &&
            !enc_track_blends(c->source, &out->tracks[track], track % ENC_KINDS, track / ENC_KINDS))
            c->coarse[track]++;
}

/* ---- the clip ---- */

/* Marks the tracks whose finest keys are too coarse. Returns whether there are new ones. */
static bool find_coarse(clip_rates *c, enc_dense_search *search)
{
    bool found = false;
    for (uint32_t first = 0; first < c->source->row_count; first += c->block) {
        uint32_t left = c->source->row_count - first, count = left < c->block ? left : c->block;
        for (uint32_t i = 0; i < c->variable_count; i++) {
            uint32_t kind = c->variables[i].coded->format.kind;
            if (enc_dense_finest_holds(search, i, first, count, c->parts.finest))
                continue;
            c->coarse[c->variables[i].joint * ENC_KINDS + kind] = TOO_COARSE;
            found = true;
        }
    }
    return found;
}

static void search_blocks(clip_rates *c, enc_dense_search *search)
{
    for (uint32_t first = 0; first < c->source->row_count; first += c->block) {
        uint32_t left = c->source->row_count - first;
        if (c->stale[first / c->block] == 0u)
            continue;
        c->stale[first / c->block] = 0u;
        (void)enc_dense_search_block(search, first, left < c->block ? left : c->block);
    }
}

static void count_bits(enc_solution *out)
{
    out->bits = 0;
    for (uint32_t track = 0; track < out->track_count; track++) {
        enc_coded *coded = out->tracks[track].coded;
        if (coded != NULL)
            coded->bits = enc_dense_bits(coded->data);
        out->bits += enc_choice_bits(&out->tracks[track]);
    }
}

/* Searches rates and measures the clip, with tighter limits where errors exceed the tolerance,
 * until it holds. */
static int32_t search_until_held(clip_rates *c, enc_dense_search *search, enc_solution *out,
                                 enc_report *report)
{
    for (uint32_t tries = 0; tries < TRIES; tries++) {
        search_blocks(c, search);
        bool blended = blends(c, out);
        int32_t status = enc_measure_solution(c->source, out, c->options, report, c->over);
        if (status != ENC_OK)
            return status;
        if (blended && enc_relative_error(c->options, report) <= 1.0)
            return ENC_OK;
        tighten_over(c);
    }
    mark_unblended(c, out);
    return ENC_ERROR_TOLERANCE;
}

/* Chooses the rates, one for each track and segment or common ones. */
static int32_t choose_rates(clip_rates *c, enc_dense_search *search, enc_solution *out,
                            enc_report *report)
{
    uint32_t margin = c->options->scheme->margin;
    const enc_dense_uniform task = {.source = c->source,
                                    .options = c->options,
                                    .tracks = c->variables,
                                    .track_count = c->variable_count,
                                    .solution = out,
                                    .each_kind = margin == ENC_MARGIN_KIND};
    if (margin == ENC_MARGIN_CLIP || margin == ENC_MARGIN_KIND)
        return enc_dense_uniform_choose(&task, report);
    return search_until_held(c, search, out, report);
}

static void clear_solution(const clip_rates *c, enc_solution *out)
{
    for (uint32_t track = 0; track < c->track_count; track++) {
        enc_coded_free(out->tracks[track].coded);
        memset(&out->tracks[track], 0, sizeof out->tracks[track]);
    }
}

/* Codes the clip with the present parts. */
static int32_t code_clip(clip_rates *c, enc_solution *out, enc_report *report)
{
    memset(out, 0, sizeof *out);
    out->track_count = c->track_count;
    out->tracks = calloc(c->track_count, sizeof *out->tracks);
    int32_t status = out->tracks != NULL ? ENC_OK : ENC_ERROR_MEMORY;
    enc_dense_search *search = NULL;
    reset_limits(c);
    for (bool again = true; again && status == ENC_OK;) {
        enc_dense_search_free(search);
        clear_solution(c, out);
        status = choose_tracks(c, out) ? ENC_OK : ENC_ERROR_MEMORY;
        const enc_dense_task task = {.model = &c->model,
                                     .options = c->options,
                                     .tracks = c->variables,
                                     .track_count = c->variable_count,
                                     .base = c->base,
                                     .limit = c->limit,
                                     .root_first =
                                         c->options->scheme->margin == ENC_MARGIN_ROOT_FIRST,
                                     .thorough = c->options->effort != ENC_EFFORT_FAST};
        search = status == ENC_OK ? enc_dense_search_new(&task, c->block) : NULL;
        if (search == NULL)
            status = ENC_ERROR_MEMORY;
        again = status == ENC_OK && find_coarse(c, search);
    }
    if (status == ENC_OK)
        status = choose_rates(c, search, out, report);
    if (status == ENC_OK)
        count_bits(out);
    enc_dense_search_free(search);
    if (status != ENC_OK)
        enc_solution_release(out);
    return status;
}

static int32_t prepare(clip_rates *c)
{
    const enc_source *source = c->source;
    size_t joints = source->skeleton->joint_count, rows = source->row_count;
    bool complete = enc_dense_model_prepare(&c->model, source);
    c->errors = enc_array(c->track_count, sizeof *c->errors, &complete);
    c->coarse = enc_array(c->track_count, 1u, &complete);
    c->limit = enc_array(joints * rows, sizeof *c->limit, &complete);
    c->over = enc_array(joints * source->sample_count, sizeof *c->over, &complete);
    c->stale = enc_array(rows, 1u, &complete);
    c->base = enc_array(joints * rows, sizeof *c->base, &complete);
    c->variables = enc_array(c->track_count, sizeof *c->variables, &complete);
    int32_t status = complete ? ENC_OK : ENC_ERROR_MEMORY;
    for (uint32_t track = 0; track < c->track_count && status == ENC_OK; track++)
        status = enc_isolated_error_prepare(&c->errors[track], source, c->options,
                                            track / ENC_KINDS, track % ENC_KINDS);
    return status;
}

static void release(clip_rates *c)
{
    forget_variables(c);
    for (uint32_t track = 0; track < c->track_count && c->errors != NULL; track++)
        enc_isolated_error_release(&c->errors[track]);
    enc_dense_model_release(&c->model);
    free(c->errors);
    free(c->coarse);
    free(c->limit);
    free(c->over);
    free(c->stale);
    free(c->base);
    free(c->variables);
}

/* Codes the clip with `parts`, and keeps the result if it is the smallest that holds. */
static int32_t try_parts(clip_rates *c, const fixed_parts *parts, enc_solution *best,
                         enc_report *report)
{
    enc_solution solution;
    enc_report found = *report;
    c->parts = *parts;
    int32_t status = code_clip(c, &solution, &found);
    if (status == ENC_OK && (best->tracks == NULL || solution.bits < best->bits)) {
        enc_solution_release(best);
        *best = solution;
        *report = found;
    } else if (status == ENC_OK) {
        enc_solution_release(&solution);
    } else if (best->tracks == NULL) {
        *report = found;
    }
    return status == ENC_ERROR_TOLERANCE ? ENC_OK : status;
}

int32_t enc_dense_rates_solve(const enc_source *source, const enc_options *options,
                              enc_solution *out, enc_report *report)
{
    clip_rates c = {.source = source, .options = options};
    c.track_count = source->skeleton->joint_count * ENC_KINDS;
    c.log2 = enc_restart_log2(&enc_dense_codec, options);
    c.block = enc_dense_block_frames(source->row_count, c.log2);
    memset(out, 0, sizeof *out);
    int32_t status = prepare(&c);
    for (uint32_t i = 0; i < parts_of_effort[options->effort] && status == ENC_OK; i++)
        status = try_parts(&c, &usual_parts[i], out, report);
    for (uint32_t i = 0; i < FINER_PARTS && status == ENC_OK && out->tracks == NULL; i++)
        status = try_parts(&c, &finer_parts[i], out, report);
    release(&c);
    if (status != ENC_OK)
        enc_solution_release(out);
    return status == ENC_OK && out->tracks == NULL ? ENC_ERROR_TOLERANCE : status;
}
