#include "published/schemes/preset_solver.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "model/composed.h"
#include "model/isolated_error.h"
#include "model/loop_wrap.h"
#include "model/measure.h"
#include "ossicle.h"
#include "published/schemes/pinned.h"

#define HALVINGS 20u              /* of the margin, until only the formats' own errors are left */
#define DOUBLINGS 3u              /* beyond one, because the errors of tracks seldom coincide */
#define BISECTIONS 5u             /* between a margin that holds and one that does not */
#define BISECTIONS_FAST 2u        /* the same at low effort */
#define CLOSE_ENOUGH 0.97         /* of the tolerance: further tries would gain little */
#define COARSER 1.189207115002721 /* from a limit that a format cannot keep to the next one */
#define ALIKE_MOST 4u       /* halvings without an effect after which formats count as exhausted */
#define COARSEST 64.0       /* limit in tolerances at which a track no longer matters */
#define CONSTANT_LIMIT 1e-5 /* fixed schemes: variation of a component that counts as constant */

typedef struct {
    const enc_source *source;
    const enc_codec *codec;
    const enc_options *options;
    enc_options above; /* options for tracks above pinned joints, which need not place them */
    double *above_m;   /* tolerances of `above`, or null */
    enc_isolated_error *errors; /* [joint * ENC_KINDS + kind]; unused in fixed schemes */
    double *share;              /* [joint] */
    double *floor;  /* [track]: the largest limit that its format is known not to keep */
    double *target; /* [frame][3]: target of a pinned joint's translation */
    bool out_of_memory;
} preset;

/* The context of enc_fit.holds in fixed schemes. */
typedef struct {
    const double *raw;
    uint32_t components;
} likeness;

static bool stands_still(const void *context, uint32_t frame, const int32_t *row)
{
    const likeness *like = context;
    const double *raw = like->raw + (size_t)frame * like->components;
    double plus = 0.0, minus = 0.0;
    for (uint32_t i = 0; i < like->components; i++) {
        plus = fmax(plus, fabs(row[i] / (double)OSC_ONE_Q20 - raw[i]));
        minus = fmax(minus, fabs(row[i] / (double)OSC_ONE_Q20 + raw[i]));
    }
    return fmin(plus, like->components == 4u ? minus : plus) <= CONSTANT_LIMIT;
}

static bool always(const void *context, uint32_t frame, const int32_t *row)
{
    (void)context;
    (void)frame;
    (void)row;
    return true;
}

static enc_fit fit_of(const preset *p, uint32_t joint, uint32_t kind)
{
    enc_fit fit = {.kind = kind,
                   .frame_count = p->source->row_count,
                   .restart_log2 = enc_restart_log2(p->codec, p->options),
                   .target = enc_track(p->source, kind, joint),
                   .breaks = enc_breaks(p->source, kind, joint),
                   .effort = p->options->effort,
                   .keys = p->options->keys,
                   .scheme = p->options->scheme};
    return fit;
}

static const int32_t *rest_of(const preset *p, uint32_t joint, uint32_t kind)
{
    return enc_rest_row(p->source, kind, joint);
}

/* Codes a track without fitting it to a limit. */
static bool code_fixed(preset *p, uint32_t joint, uint32_t kind, enc_track_choice *choice)
{
    enc_fit fit = fit_of(p, joint, kind);
    const likeness like = {fit.target, enc_components(kind)};
    fit.slack = CONSTANT_LIMIT;
    fit.holds = stands_still;
    fit.context = &like;
    if (enc_track_is_default(&fit, rest_of(p, joint, kind), &choice->constant) ||
        enc_track_is_constant(&fit, &choice->constant))
        return true;
    fit.holds = always;
    choice->constant.track_kind = ENC_TRACK_ANIMATED;
    choice->coded = p->codec->fit(&fit, &p->out_of_memory);
    return choice->coded != NULL;
}

/* Codes a track within a limit. raw: its target. */
static bool code_within(preset *p, uint32_t joint, uint32_t kind, const double *raw, double limit,
                        enc_track_choice *choice)
{
    enc_fit fit = fit_of(p, joint, kind);
    enc_isolated_error error = p->errors[joint * ENC_KINDS + kind];
    error.raw = raw;
    error.limit = limit;
    fit.target = raw;
    fit.slack = enc_isolated_error_slack(&error);
    fit.holds = enc_isolated_error_holds;
    fit.context = &error;
    if (enc_track_is_default(&fit, rest_of(p, joint, kind), &choice->constant) ||
        enc_track_is_constant(&fit, &choice->constant))
        return true;
    choice->constant.track_kind = ENC_TRACK_ANIMATED;
    choice->coded = p->codec->fit(&fit, &p->out_of_memory);
    if (choice->coded != NULL && enc_wrap_blends(p->source, choice, kind, joint))
        return true;
    enc_choice_release(choice);
    return false;
}

/* Codes a track as closely as its share of the margin demands, or as closely as its format can. */
static bool code_track(preset *p, const enc_solution *above, uint32_t joint, uint32_t kind,
                       double margin, enc_track_choice *choice)
{
    const double *raw = enc_track(p->source, kind, joint);
    double limit = margin * p->share[joint];
    if (p->options->scheme->fixed != 0u)
        return code_fixed(p, joint, kind, choice);
    if (kind == ENC_TRANSLATION && p->above_m != NULL && p->options->pinned[joint] != 0 &&
        p->source->skeleton->parents[joint] >= 0) {
        if (!enc_pinned_target(p->source, above, joint, p->target)) {
            p->out_of_memory = true;
            return false;
        }
        raw = p->target;
    }
    double *floor = &p->floor[joint * ENC_KINDS + kind];
    limit = fmax(limit, COARSER * *floor);
    for (; limit <= COARSEST && !p->out_of_memory; limit *= COARSER) {
        if (code_within(p, joint, kind, raw, limit, choice))
            return true;
        *floor = limit;
    }
    return false;
}

/* Codes the clip with one margin and measures it. *error: receives the error in tolerances. */
static int32_t try_margin(preset *p, double margin, enc_solution *out, double *error,
                          enc_report *report)
{
    uint32_t joints = p->source->skeleton->joint_count;
    memset(out, 0, sizeof *out);
    out->track_count = joints * ENC_KINDS;
    out->tracks = calloc(out->track_count, sizeof *out->tracks);
    int32_t status = out->tracks != NULL ? ENC_OK : ENC_ERROR_MEMORY;
    for (uint32_t track = 0; track < out->track_count && status == ENC_OK; track++) {
        enc_track_choice *choice = &out->tracks[track];
        uint32_t joint = track / ENC_KINDS;
        if (!code_track(p, out, joint, track % ENC_KINDS, margin, choice))
            status = p->out_of_memory ? ENC_ERROR_MEMORY
                                      : enc_report_too_coarse(p->options, joint, report);
        out->bits += enc_choice_bits(choice);
    }
    if (status == ENC_OK)
        status = enc_measure_solution(p->source, out, p->options, report, NULL);
    if (status != ENC_OK)
        enc_solution_release(out);
    else
        *error = enc_relative_error(p->options, report);
    return status;
}

/* The best try so far. */
typedef struct {
    enc_solution solution;
    enc_report report; /* of the solution, or of the try that came closest to holding */
    double nearest;    /* its error, in tolerances */
    double error;      /* error of the last try */
} best_try;

/* Makes one try, which replaces the best one if it holds and is smaller. */
static int32_t note_try(preset *p, double margin, best_try *best, bool *held,
                        const enc_report *report)
{
    enc_solution solution;
    enc_report found = *report;
    best->error = HUGE_VAL;
    int32_t status = try_margin(p, margin, &solution, &best->error, &found);
    *held = status == ENC_OK && best->error <= 1.0;
    if (*held && (best->solution.tracks == NULL || solution.bits <= best->solution.bits)) {
        enc_solution_release(&best->solution);
        best->solution = solution;
        best->report = found;
    } else {
        if (best->solution.tracks == NULL && best->error <= best->nearest) {
            best->report = found;
            best->nearest = best->error;
        }
        if (status == ENC_OK)
            enc_solution_release(&solution);
    }
    return status == ENC_ERROR_TOLERANCE ? ENC_OK : status;
}

static int32_t search_margin(preset *p, best_try *best, enc_report *report)
{
    double margin = 1.0, holds = 0.0, fails = 0.0;
    bool held = false;
    int32_t status = note_try(p, margin, best, &held, report);
    if (status != ENC_OK)
        return status;
    uint32_t tries = held ? DOUBLINGS : HALVINGS;
    const bool down = !held;
    *(down ? &fails : &holds) = margin;
    for (uint32_t alike = 0; tries > 0u && alike < ALIKE_MOST && held != down; tries--) {
        double before = best->error;
        margin = down ? margin / 2.0 : margin * 2.0;
        status = note_try(p, margin, best, &held, report);
        if (status != ENC_OK)
            return status;
        alike = best->error == before ? alike + 1u : 0u;
        *(held ? &holds : &fails) = margin;
    }
    uint32_t bisections = p->options->effort == ENC_EFFORT_FAST ? BISECTIONS_FAST : BISECTIONS;
    for (uint32_t i = 0; i < bisections && status == ENC_OK && holds > 0.0 && fails > 0.0; i++) {
        if (held && best->error >= CLOSE_ENOUGH)
            break;
        margin = sqrt(holds * fails);
        status = note_try(p, margin, best, &held, report);
        *(held ? &holds : &fails) = margin;
    }
    return status;
}

static int32_t code_once(preset *p, best_try *best, const enc_report *report)
{
    enc_report found = *report;
    int32_t status = try_margin(p, 1.0, &best->solution, &best->error, &found);
    best->report = found;
    if (status == ENC_OK && best->error > 1.0)
        enc_solution_release(&best->solution);
    return status;
}

/* Sets the shares: equal, or falling with the longest chain below a joint. */
static void set_shares(preset *p)
{
    const enc_skeleton *skeleton = p->source->skeleton;
    uint32_t joints = skeleton->joint_count;
    for (uint32_t joint = 0; joint < joints; joint++)
        p->share[joint] = 1.0;
    if (p->options->scheme->margin != ENC_MARGIN_DEPTH)
        return;
    for (uint32_t joint = joints; joint-- > 0u;) { /* first the lengths of the chains, in joints */
        int32_t parent = skeleton->parents[joint];
        if (parent >= 0)
            p->share[parent] = fmax(p->share[parent], p->share[joint] + 1.0);
    }
    for (uint32_t joint = 0; joint < joints; joint++)
        p->share[joint] = 1.0 / p->share[joint];
}

/* Reduces the tracks above pinned joints to what other joints require. */
static void relax_pinned(preset *p)
{
    uint32_t joints = p->source->skeleton->joint_count;
    for (uint32_t joint = 0; joint < joints; joint++)
        p->above_m[joint] = p->options->pinned[joint] != 0 ? p->options->tolerance_m
                            : p->options->joint_tolerance_m != NULL
                                ? p->options->joint_tolerance_m[joint]
                                : p->options->tolerance_m;
    p->above.joint_tolerance_m = p->above_m;
}

/* Returns whether the joint or one of its ancestors is pinned. */
static bool is_placed(const preset *p, uint32_t joint)
{
    for (int32_t at = (int32_t)joint; at >= 0; at = p->source->skeleton->parents[at])
        if (p->options->pinned[at] != 0)
            return true;
    return false;
}

static int32_t prepare(preset *p)
{
    uint32_t joints = p->source->skeleton->joint_count;
    bool complete = enc_source_hold(p->source), fixed = p->options->scheme->fixed != 0u;
    p->errors = enc_array((size_t)joints * ENC_KINDS, sizeof *p->errors, &complete);
    p->share = enc_array(joints, sizeof *p->share, &complete);
    p->floor = enc_array((size_t)joints * ENC_KINDS, sizeof *p->floor, &complete);
    p->target = enc_array((size_t)p->source->frame_count * 3u, sizeof *p->target, &complete);
    if (p->options->pinned != NULL && !fixed)
        p->above_m = enc_array(joints, sizeof *p->above_m, &complete);
    if (!complete)
        return ENC_ERROR_MEMORY;
    set_shares(p);
    p->above = *p->options;
    if (p->above_m != NULL)
        relax_pinned(p);
    int32_t status = ENC_OK;
    for (uint32_t track = 0; track < joints * ENC_KINDS && !fixed && status == ENC_OK; track++) {
        uint32_t joint = track / ENC_KINDS;
        const enc_options *options =
            p->above_m != NULL && !is_placed(p, joint) ? &p->above : p->options;
        status = enc_isolated_error_prepare(&p->errors[track], p->source, options, joint,
                                            track % ENC_KINDS);
    }
    return status;
}

static void release(preset *p)
{
    uint32_t tracks = p->source->skeleton->joint_count * ENC_KINDS;
    for (uint32_t track = 0; track < tracks && p->errors != NULL; track++)
        enc_isolated_error_release(&p->errors[track]);
    free(p->errors);
    free(p->share);
    free(p->floor);
    free(p->target);
    free(p->above_m);
}

int32_t enc_preset_solve(const enc_source *source, const enc_codec *codec,
                         const enc_options *options, enc_solution *out, enc_report *report)
{
    preset p = {.source = source, .codec = codec, .options = options};
    best_try best = {.report = *report, .nearest = HUGE_VAL};
    int32_t status = prepare(&p);
    if (status == ENC_OK)
        status = options->scheme->fixed != 0u ? code_once(&p, &best, report)
                                              : search_margin(&p, &best, report);
    if (status == ENC_OK && best.solution.tracks == NULL)
        status = ENC_ERROR_TOLERANCE;
    if (status != ENC_OK)
        enc_solution_release(&best.solution);
    *out = best.solution;
    *report = best.report;
    release(&p);
    return status;
}
