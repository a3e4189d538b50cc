#include "model/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"

void enc_play_below(const enc_skeleton *skeleton, const enc_matrix *local, uint32_t joint,
                    uint32_t start, const enc_matrix *above, enc_matrix *model)
{
    int32_t parent = skeleton->parents[joint];
    if (parent < 0)
        model[joint] = *local;
    else
        enc_matrix_multiply(joint == start ? above : &model[parent], local, &model[joint]);
}

/* ---- windows: some samples of all joints ---- */

#define WINDOW_MATRICES 8192u /* in a window: of the source, and again of the clip as played */
#define LEAST_SAMPLES 8u

typedef struct {
    const enc_source *source;
    uint32_t first, count, stride;      /* samples */
    enc_matrix *exact_memory, *local;   /* [joint][stride] */
    const enc_matrix **exact, **played; /* [joint]: model matrices [count] */
} window;

static bool window_open(window *w, const enc_source *source)
{
    uint32_t joints = source->skeleton->joint_count, stride = WINDOW_MATRICES / joints;
    bool complete = true;
    *w = (window){.source = source, .stride = stride < LEAST_SAMPLES ? LEAST_SAMPLES : stride};
    if (w->stride > source->sample_count)
        w->stride = source->sample_count;
    size_t count = (size_t)joints * w->stride;
    w->exact_memory = enc_room(count, sizeof *w->exact_memory, &complete);
    w->local = enc_room(count, sizeof *w->local, &complete);
    w->exact = enc_array(joints, sizeof *w->exact, &complete);
    w->played = enc_array(joints, sizeof *w->played, &complete);
    return complete;
}

static void window_close(window *w)
{
    free(w->exact_memory);
    free(w->local);
    free(w->exact);
    free(w->played);
}

/* Advances to the next samples. Returns false after the last ones. */
static bool window_next(window *w)
{
    w->first += w->count;
    uint32_t left = w->source->sample_count - w->first;
    w->count = left < w->stride ? left : w->stride;
    if (w->count != 0u)
        enc_composed_window(w->source->models, w->first, w->count, w->stride, w->exact_memory,
                            w->exact);
    return w->count != 0u;
}

/* Converts the local transforms to model matrices, in place. */
static void window_compose(window *w)
{
    for (uint32_t joint = 0; joint < w->source->skeleton->joint_count; joint++) {
        int32_t parent = w->source->skeleton->parents[joint];
        enc_matrix *here = w->local + (size_t)joint * w->stride;
        w->played[joint] = here;
        for (uint32_t i = 0; i < w->count && parent >= 0; i++) {
            enc_matrix own = here[i];
            enc_matrix_multiply(&w->played[parent][i], &own, &here[i]);
        }
    }
}

/* ---- findings ---- */

/* The position of the largest error, by one of two measures. */
typedef struct {
    double measure; /* largest so far; negative: nothing was measured */
    double error2;
    uint32_t start, joint, sample;
} worst;

static void note(worst *worst, double measure, double error2, uint32_t start, uint32_t joint,
                 uint32_t sample)
{
    if (measure > worst->measure) {
        worst->measure = measure;
        worst->error2 = error2;
        worst->start = start;
        worst->joint = joint;
        worst->sample = sample;
    }
}

/* The largest errors of one joint of the full body. */
typedef struct {
    worst whole, tightest;
} joint_findings;

/* The largest error of the full body, that of the chains of a layer, and the one that is largest
 * relative to its joint's tolerance. */
typedef struct {
    worst whole, part, tightest;
    joint_findings *joints;
    enc_matrix *chain; /* [joint]: work memory */
} findings;

static const worst nothing = {.measure = -1.0};

static bool findings_open(findings *found, const enc_source *source, double *over)
{
    uint32_t joints = source->skeleton->joint_count;
    bool complete = true;
    *found = (findings){.whole = nothing, .part = nothing, .tightest = nothing};
    found->joints = enc_array(joints, sizeof *found->joints, &complete);
    found->chain = enc_array(joints, sizeof *found->chain, &complete);
    for (uint32_t joint = 0; joint < joints && complete; joint++)
        found->joints[joint] = (joint_findings){nothing, nothing};
    if (over != NULL)
        memset(over, 0, (size_t)joints * source->sample_count * sizeof *over);
    return complete;
}

static void findings_close(findings *found)
{
    free(found->joints);
    free(found->chain);
}

/* Measures the chains that begin at `start`, under the exact pose above them, at sample i of the
 * window. */
static void measure_chains(const window *w, const enc_options *options, uint32_t start, uint32_t i,
                           findings *found, double *over)
{
    const enc_skeleton *skeleton = w->source->skeleton;
    const uint32_t *subtree = skeleton->preorder + skeleton->preorder_index[start];
    const enc_matrix *above = &w->exact[skeleton->parents[start]][i];
    for (uint32_t k = 0; k < skeleton->subtree_size[start]; k++) {
        uint32_t joint = subtree[k], sample = w->first + i;
        size_t at = (size_t)joint * w->source->sample_count + sample;
        enc_play_below(skeleton, &w->local[(size_t)joint * w->stride + i], joint, start, above,
                       found->chain);
        double error2 = enc_shell_error2(&w->exact[joint][i], &found->chain[joint], &options->shell,
                                         &skeleton->spaces[joint]);
        double limit = enc_limit_m(options, joint);
        if (over != NULL)
            over[at] = fmax(over[at], sqrt(error2) / limit);
        note(&found->part, error2, error2, start, joint, sample);
        note(&found->tightest, error2 / (limit * limit), error2, start, joint, sample);
    }
}

/* Measures all chains of a layer that begin below the roots. */
static void measure_layer(const window *w, const enc_options *options, findings *found,
                          double *over)
{
    const enc_skeleton *skeleton = w->source->skeleton;
    for (uint32_t i = 0; i < w->count; i++)
        for (uint32_t start = 0; start < skeleton->joint_count; start++)
            if (skeleton->parents[start] >= 0)
                measure_chains(w, options, start, i, found, over);
}

static bool is_value(const enc_options *options, uint32_t joint)
{
    return options->values != NULL && options->values[joint] != 0;
}

/* Measures the joints of the full body. */
static void measure_joints(const window *w, const enc_options *options, findings *found,
                           double *over)
{
    for (uint32_t joint = 0; joint < w->source->skeleton->joint_count; joint++) {
        size_t first = (size_t)joint * w->source->sample_count + w->first;
        double limit = enc_limit_m(options, joint), per_limit2 = 1.0 / (limit * limit);
        joint_findings *own = &found->joints[joint];
        for (uint32_t i = 0; i < w->count; i++) {
            double error2 = enc_shell_error2(&w->exact[joint][i], &w->played[joint][i],
                                             &options->shell, &w->source->skeleton->spaces[joint]);
            double used = sqrt(error2) / limit;
            if (over != NULL && used > over[first + i])
                over[first + i] = used;
            note(&own->whole, error2, error2, 0, joint, w->first + i);
            note(&own->tightest, error2 * per_limit2, error2, 0, joint, w->first + i);
        }
    }
}

static void report_pinned(const enc_source *source, const enc_options *options,
                          const findings *found, enc_report *report)
{
    double most2 = 0.0;
    report->pinned_joint = -1;
    for (uint32_t joint = 0; joint < source->skeleton->joint_count; joint++)
        if (options->pinned != NULL && options->pinned[joint] != 0 &&
            found->joints[joint].whole.error2 >= most2) {
            most2 = found->joints[joint].whole.error2;
            report->pinned_joint = (int32_t)joint;
        }
    report->pinned_error_m = sqrt(most2);
}

static double frame_of(const enc_source *source, const worst *worst)
{
    return enc_sample_q11(source, worst->sample) / (double)OSC_ONE_Q11;
}

/* Fills in the report. */
static void conclude(const enc_source *source, const enc_options *options, findings *found,
                     enc_report *report)
{
    const enc_skeleton *skeleton = source->skeleton;
    const worst *whole = &found->whole, *part = &found->part, *tightest = &found->tightest;
    for (uint32_t joint = 0; joint < skeleton->joint_count; joint++) {
        const worst *own = &found->joints[joint].whole, *tight = &found->joints[joint].tightest;
        if (!is_value(options, joint))
            note(&found->whole, own->measure, own->error2, 0, joint, own->sample);
        note(&found->tightest, tight->measure, tight->error2, 0, joint, tight->sample);
    }
    report_pinned(source, options, found, report);
    report->error_m = sqrt(whole->error2);
    report->joint = (int32_t)whole->joint;
    report->frame = frame_of(source, whole);
    report->chain_error_m = sqrt(part->error2);
    report->chain_start = part->measure < 0.0 ? -1 : (int32_t)part->start;
    report->chain_joint = part->measure < 0.0 ? -1 : (int32_t)part->joint;
    report->chain_frame = frame_of(source, part);
    report->axes_error_m = report->sphere_error_m = 0.0; /* not measured yet */
    report->tight_error_m = sqrt(tightest->error2);
    report->tight_start = skeleton->parents[tightest->start] < 0 ? -1 : (int32_t)tightest->start;
    report->tight_joint = (int32_t)tightest->joint;
    report->tight_frame = frame_of(source, tightest);
}

/* ---- both choices of points ---- */

/* The largest squared errors. */
typedef struct {
    double axes2, sphere2;
} point_errors;

static void measure_points(const window *w, const enc_options *options, point_errors *errors)
{
    const enc_shell axes = {options->shell.distance_m, ENC_POINTS_AXES};
    const enc_skeleton *skeleton = w->source->skeleton;
    double axes2 = errors->axes2, sphere2 = errors->sphere2;
    for (uint32_t joint = 0; joint < skeleton->joint_count; joint++) {
        const enc_joint_space *space = &skeleton->spaces[joint];
        for (uint32_t i = 0; i < w->count && !is_value(options, joint); i++) {
            const enc_matrix *exact = &w->exact[joint][i], *played = &w->played[joint][i];
            double on_axes2 = enc_shell_error2(exact, played, &axes, space);
            double on_sphere2 = enc_sphere_error2(exact, played, axes.distance_m, space, sphere2);
            axes2 = on_axes2 > axes2 ? on_axes2 : axes2; /* fmax is a call */
            sphere2 = on_sphere2 > sphere2 ? on_sphere2 : sphere2;
        }
    }
    *errors = (point_errors){axes2, sphere2};
}

static void report_points(const point_errors *errors, enc_report *report)
{
    report->axes_error_m = sqrt(errors->axes2);
    report->sphere_error_m = sqrt(errors->sphere2);
}

/* ---- measurements ---- */

/* A clip to be measured. */
typedef struct {
    const enc_source *source;
    enc_play *play;
    const void *context;
    const enc_composed
        *composed;   /* if it is not null, it has the matrices, and nothing is played */
    bool has_points; /* whether both choices of points are measured, too */
} measured_clip;

static int32_t measure(const measured_clip *clip, const enc_options *options, enc_report *report,
                       double *over)
{
    const enc_source *source = clip->source;
    point_errors points = {0.0, 0.0};
    findings found;
    window w;
    bool complete = findings_open(&found, source, over);
    complete = window_open(&w, source) && complete;
    while (complete && window_next(&w)) {
        if (clip->composed != NULL) {
            enc_composed_window(clip->composed, w.first, w.count, w.stride, w.local, w.played);
        } else {
            clip->play(clip->context, w.first, w.count, w.stride, w.local);
            if (options->layer != 0)
                measure_layer(&w, options, &found, over);
            window_compose(&w);
        }
        measure_joints(&w, options, &found, over);
        if (clip->has_points)
            measure_points(&w, options, &points);
    }
    if (complete)
        conclude(source, options, &found, report);
    if (complete && clip->has_points)
        report_points(&points, report);
    window_close(&w);
    findings_close(&found);
    return complete ? ENC_OK : ENC_ERROR_MEMORY;
}

int32_t enc_measure_played(const enc_source *source, enc_play *play, const void *context,
                           const enc_options *options, enc_report *report, double *over)
{
    const measured_clip clip = {.source = source, .play = play, .context = context};
    return measure(&clip, options, report, over);
}

int32_t enc_measure_composed(const enc_composed *composed, const enc_options *options,
                             enc_report *report, double *over)
{
    const measured_clip clip = {.source = composed->source, .composed = composed};
    return measure(&clip, options, report, over);
}

/* A solution, and the clip that it codes. */
typedef struct {
    const enc_source *source;
    const enc_solution *solution;
} coded_clip;

static void play_solution(const void *context, uint32_t first, uint32_t count, uint32_t stride,
                          enc_matrix *local)
{
    const coded_clip *clip = context;
    for (uint32_t joint = 0; joint < clip->source->skeleton->joint_count; joint++) {
        enc_joint_player player;
        enc_joint_begin(&player, clip->source, &clip->solution->tracks[joint * ENC_KINDS], joint);
        for (uint32_t i = 0; i < count; i++)
            enc_joint_play(&player, first + i, &local[(size_t)joint * stride + i]);
    }
}

int32_t enc_measure_solution(const enc_source *source, const enc_solution *solution,
                             const enc_options *options, enc_report *report, double *over)
{
    const coded_clip clip = {source, solution};
    return enc_measure_played(source, play_solution, &clip, options, report, over);
}

int32_t enc_measure_clip(const enc_source *source, const enc_solution *solution,
                         const enc_options *options, enc_report *report)
{
    const coded_clip coded = {source, solution};
    const measured_clip clip = {
        .source = source, .play = play_solution, .context = &coded, .has_points = true};
    return measure(&clip, options, report, NULL);
}

/* Measures only both choices of points. */
static int32_t measure_all_points(const measured_clip *clip, const enc_options *options,
                                  enc_report *report)
{
    point_errors points = {0.0, 0.0};
    window w;
    bool complete = window_open(&w, clip->source);
    while (complete && window_next(&w)) {
        if (clip->composed != NULL) {
            enc_composed_window(clip->composed, w.first, w.count, w.stride, w.local, w.played);
        } else {
            clip->play(clip->context, w.first, w.count, w.stride, w.local);
            window_compose(&w);
        }
        measure_points(&w, options, &points);
    }
    if (complete)
        report_points(&points, report);
    window_close(&w);
    return complete ? ENC_OK : ENC_ERROR_MEMORY;
}

int32_t enc_measure_points(const enc_source *source, const enc_solution *solution,
                           const enc_options *options, enc_report *report)
{
    const coded_clip coded = {source, solution};
    const measured_clip clip = {.source = source, .play = play_solution, .context = &coded};
    return report->sphere_error_m > 0.0 ? ENC_OK : measure_all_points(&clip, options, report);
}

int32_t enc_measure_composed_points(const enc_composed *composed, const enc_options *options,
                                    enc_report *report)
{
    const measured_clip clip = {.source = composed->source, .composed = composed};
    return measure_all_points(&clip, options, report);
}

int32_t enc_report_too_coarse(const enc_options *options, uint32_t joint, enc_report *report)
{
    report->tight_joint = (int32_t)joint;
    report->tight_start = -1;
    report->tight_frame = 0.0;
    report->tight_error_m = enc_limit_m(options, joint);
    return ENC_ERROR_TOLERANCE;
}

double enc_relative_error(const enc_options *options, const enc_report *report)
{
    return report->tight_error_m / enc_limit_m(options, (uint32_t)report->tight_joint);
}
