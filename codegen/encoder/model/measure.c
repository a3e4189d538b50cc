#include "model/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/loop_wrap.h"
#include "osc_port.h"

/* One track at one position: a frame, or the blend of two. A track that breaks at the next frame
 * holds its value. */
static void play_track(const enc_source *source, const enc_track_choice *choice, uint32_t kind,
                       uint32_t joint, uint32_t position_q11, double *out)
{
    uint32_t frame = position_q11 / OSC_ONE_Q11, components = enc_components(kind);
    int32_t played[4] = {0}, pair[8] = {0};
    memcpy(played, enc_frame_row(source, choice, kind, frame), components * sizeof *played);
    if (position_q11 % OSC_ONE_Q11 != 0u && choice->coded != NULL &&
        enc_breaks(source, kind, joint)[frame + 1u] == 0) {
        osc_blend blend = osc_blend_at(position_q11 % OSC_ONE_Q11);
        enc_wrap_pair(source, choice, kind, frame, pair);
        if (kind == ENC_ROTATION) {
            osc_quaternion q;
            osc_blend_rotation(pair, pair + 4, osc_chord_q20(pair, pair + 4), blend, &q);
            memcpy(played, &q, sizeof q);
        } else {
            osc_vector v;
            osc_blend_vector(pair, pair + 3, blend, &v);
            memcpy(played, &v, sizeof v);
        }
    }
    for (uint32_t i = 0; i < components; i++)
        out[i] = played[i] / (double)OSC_ONE_Q20;
}

void enc_play_at(const enc_source *source, const enc_track_choice choices[ENC_KINDS],
                 uint32_t joint, uint32_t position_q11, enc_matrix *out)
{
    double value[ENC_KINDS][4];
    for (uint32_t kind = 0; kind < ENC_KINDS; kind++)
        play_track(source, &choices[kind], kind, joint, position_q11, value[kind]);
    enc_source_matrix(source, joint, value[ENC_ROTATION], value[ENC_TRANSLATION], value[ENC_SCALE],
                      out);
}

void enc_play_below(const enc_source *source, const enc_matrix *local, uint32_t joint,
                    uint32_t sample, uint32_t start, enc_matrix *model)
{
    int32_t parent = source->skeleton->parents[joint];
    if (parent < 0)
        model[joint] = *local;
    else
        enc_matrix_multiply(joint == start
                                ? &source->model[(size_t)parent * source->sample_count + sample]
                                : &model[parent],
                            local, &model[joint]);
}

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

/* The largest error of the full body, that of the chains of a layer, and the one that is largest
 * relative to its joint's tolerance. */
typedef struct {
    worst whole, part, tightest;
} findings;

/* Measures the chains that begin at `start`, under the exact pose above them, at one sample. */
static void measure_chains(const enc_source *source, const enc_matrix *local,
                           const enc_options *options, uint32_t start, uint32_t sample,
                           enc_matrix *model, findings *found, double *over)
{
    const enc_skeleton *skeleton = source->skeleton;
    const uint32_t *subtree = skeleton->preorder + skeleton->preorder_index[start];
    for (uint32_t i = 0; i < skeleton->subtree_size[start]; i++) {
        uint32_t joint = subtree[i];
        size_t at = (size_t)joint * source->sample_count + sample;
        enc_play_below(source, &local[at], joint, sample, start, model);
        double error2 = enc_shell_error2(&source->model[at], &model[joint], &options->shell,
                                         &skeleton->spaces[joint]);
        double limit = enc_limit_m(options, joint);
        if (over != NULL)
            over[at] = fmax(over[at], sqrt(error2) / limit);
        note(&found->part, error2, error2, start, joint, sample);
        note(&found->tightest, error2 / (limit * limit), error2, start, joint, sample);
    }
}

/* Measures all chains of a layer that begin below the roots. */
static int32_t measure_layer(const enc_source *source, const enc_matrix *local,
                             const enc_options *options, findings *found, double *over)
{
    const enc_skeleton *skeleton = source->skeleton;
    enc_matrix *model = malloc(skeleton->joint_count * sizeof *model);
    if (model == NULL)
        return ENC_ERROR_MEMORY;
    for (uint32_t sample = 0; sample < source->sample_count; sample++)
        for (uint32_t start = 0; start < skeleton->joint_count; start++)
            if (skeleton->parents[start] >= 0)
                measure_chains(source, local, options, start, sample, model, found, over);
    free(model);
    return ENC_OK;
}

static bool is_value(const enc_options *options, uint32_t joint)
{
    return options->values != NULL && options->values[joint] != 0;
}

/* Measures one joint of the full body. */
static void measure_joint(const enc_source *source, const enc_matrix *model,
                          const enc_options *options, uint32_t joint, findings *found, double *over)
{
    size_t first = (size_t)joint * source->sample_count;
    double limit = enc_limit_m(options, joint), per_limit2 = 1.0 / (limit * limit);
    for (uint32_t sample = 0; sample < source->sample_count; sample++) {
        size_t at = first + sample;
        double error2 = enc_shell_error2(&source->model[at], &model[at], &options->shell,
                                         &source->skeleton->spaces[joint]);
        double used = sqrt(error2) / limit;
        if (over != NULL && used > over[at])
            over[at] = used;
        if (!is_value(options, joint))
            note(&found->whole, error2, error2, 0, joint, sample);
        note(&found->tightest, error2 * per_limit2, error2, 0, joint, sample);
    }
}

static void measure_pinned(const enc_source *source, const enc_matrix *model,
                           const enc_options *options, enc_report *report)
{
    double most2 = 0.0;
    report->pinned_joint = -1;
    for (uint32_t joint = 0; joint < source->skeleton->joint_count; joint++) {
        if (options->pinned == NULL || options->pinned[joint] == 0)
            continue;
        for (uint32_t sample = 0; sample < source->sample_count; sample++) {
            size_t at = (size_t)joint * source->sample_count + sample;
            double error2 = enc_shell_error2(&source->model[at], &model[at], &options->shell,
                                             &source->skeleton->spaces[joint]);
            if (error2 >= most2) {
                most2 = error2;
                report->pinned_joint = (int32_t)joint;
            }
        }
    }
    report->pinned_error_m = sqrt(most2);
}

static void clear(const enc_source *source, findings *found, double *over)
{
    size_t samples = (size_t)source->skeleton->joint_count * source->sample_count;
    *found = (findings){{.measure = -1.0}, {.measure = -1.0}, {.measure = -1.0}};
    if (over != NULL)
        memset(over, 0, samples * sizeof *over);
}

static double frame_of(const enc_source *source, const worst *worst)
{
    return enc_sample_q11(source, worst->sample) / (double)OSC_ONE_Q11;
}

/* Measures the full body and fills in the report. */
static void conclude(const enc_source *source, const enc_matrix *model, const enc_options *options,
                     findings *found, enc_report *report, double *over)
{
    const enc_skeleton *skeleton = source->skeleton;
    const worst *whole = &found->whole, *part = &found->part, *tightest = &found->tightest;
    for (uint32_t joint = 0; joint < skeleton->joint_count; joint++)
        measure_joint(source, model, options, joint, found, over);
    measure_pinned(source, model, options, report);
    report->error_m = sqrt(whole->error2);
    report->joint = (int32_t)whole->joint;
    report->frame = frame_of(source, whole);
    report->chain_error_m = sqrt(part->error2);
    report->chain_start = part->measure < 0.0 ? -1 : (int32_t)part->start;
    report->chain_joint = part->measure < 0.0 ? -1 : (int32_t)part->joint;
    report->chain_frame = frame_of(source, part);
    report->tight_error_m = sqrt(tightest->error2);
    report->tight_start = skeleton->parents[tightest->start] < 0 ? -1 : (int32_t)tightest->start;
    report->tight_joint = (int32_t)tightest->joint;
    report->tight_frame = frame_of(source, tightest);
}

void enc_measure_models(const enc_source *source, const enc_matrix *model,
                        const enc_options *options, enc_report *report, double *over)
{
    findings found;
    clear(source, &found, over);
    conclude(source, model, options, &found, report, over);
}

/* Turns local transforms [joint][sample] into model matrices, in place. */
static void compose(const enc_source *source, enc_matrix *local)
{
    uint32_t samples = source->sample_count;
    for (uint32_t joint = 0; joint < source->skeleton->joint_count; joint++) {
        int32_t parent = source->skeleton->parents[joint];
        enc_matrix *here = local + (size_t)joint * samples;
        const enc_matrix *above = parent < 0 ? NULL : local + (size_t)parent * samples;
        for (uint32_t sample = 0; sample < samples && above != NULL; sample++) {
            enc_matrix own = here[sample];
            enc_matrix_multiply(&above[sample], &own, &here[sample]);
        }
    }
}

int32_t enc_measure_locals(const enc_source *source, enc_matrix *local, const enc_options *options,
                           enc_report *report, double *over)
{
    findings found;
    int32_t status = ENC_OK;
    clear(source, &found, over);
    if (options->layer != 0)
        status = measure_layer(source, local, options, &found, over);
    if (status != ENC_OK)
        return status;
    compose(source, local);
    conclude(source, local, options, &found, report, over);
    return ENC_OK;
}

/* The local transforms [joint][sample] of a solution, to be released with free(); null without
 * memory. */
static enc_matrix *play_solution(const enc_source *source, const enc_solution *solution)
{
    uint32_t joints = source->skeleton->joint_count, samples = source->sample_count;
    enc_matrix *local = malloc((size_t)joints * samples * sizeof *local);
    for (uint32_t joint = 0; joint < joints && local != NULL; joint++)
        for (uint32_t sample = 0; sample < samples; sample++)
            enc_play_local(source, &solution->tracks[joint * ENC_KINDS], joint, sample,
                           &local[(size_t)joint * samples + sample]);
    return local;
}

int32_t enc_measure_solution(const enc_source *source, const enc_solution *solution,
                             const enc_options *options, enc_report *report, double *over)
{
    enc_matrix *local = play_solution(source, solution);
    if (local == NULL)
        return ENC_ERROR_MEMORY;
    int32_t status = enc_measure_locals(source, local, options, report, over);
    free(local);
    return status;
}

int32_t enc_measure_points(const enc_source *source, const enc_solution *solution,
                           const enc_options *options, enc_report *report)
{
    const enc_shell axes = {options->shell.distance_m, ENC_POINTS_AXES};
    const enc_shell sphere = {options->shell.distance_m, ENC_POINTS_SPHERE};
    uint32_t samples = source->sample_count;
    size_t count = (size_t)source->skeleton->joint_count * samples;
    double axes2 = 0.0, sphere2 = 0.0;
    enc_matrix *model = play_solution(source, solution);
    if (model == NULL)
        return ENC_ERROR_MEMORY;
    compose(source, model);
    for (size_t i = 0; i < count; i++) {
        uint32_t joint = (uint32_t)(i / samples);
        const enc_joint_space *space = &source->skeleton->spaces[joint];
        if (is_value(options, joint))
            continue;
        axes2 = fmax(axes2, enc_shell_error2(&source->model[i], &model[i], &axes, space));
        sphere2 = fmax(sphere2, enc_shell_error2(&source->model[i], &model[i], &sphere, space));
    }
    report->axes_error_m = sqrt(axes2);
    report->sphere_error_m = sqrt(sphere2);
    free(model);
    return ENC_OK;
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
