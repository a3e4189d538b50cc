#include "solver.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "osc_format.h"
#include "osc_kernels.h"

#define HEADROOM_M 5e-7     /* what single precision files cost a judge who reads them */
#define HEADROOM_SHARE 0.01 /* but never more of the tolerance than this */
#define START_LOOSEST 4.0   /* share of the tolerance that the first choice gives to one track */
#define START_STEPS 40      /* quarter octaves below it that are tried */
#define POLISH_PASSES 8
#define FINEST_SHARE (1.0 / 64.0) /* of the tolerance: finer options are rarely of use */

int32_t enc_solver_prepare(enc_solver *solver, const enc_source *source, const enc_options *options)
{
    memset(solver, 0, sizeof *solver);
    uint32_t joints = source->skeleton->joint_count, samples = source->sample_count;
    size_t cells = (size_t)joints * samples;
    double headroom = fmin(HEADROOM_M, options->tolerance_m * HEADROOM_SHARE);
    double limit = options->tolerance_m - headroom;
    solver->source = source;
    solver->shell_m = options->shell_m;
    solver->limit_m = limit;
    solver->limit2 = limit * limit;
    solver->lists = calloc((size_t)joints * ENC_KINDS, sizeof *solver->lists);
    solver->level = calloc((size_t)joints * ENC_KINDS, sizeof *solver->level);
    solver->subtree_end = calloc(joints, sizeof *solver->subtree_end);
    solver->in_subtree = calloc((size_t)joints * joints, 1);
    solver->values = calloc(cells * ENC_KINDS * 4u, sizeof *solver->values);
    solver->local = malloc(cells * sizeof *solver->local);
    solver->model = malloc(cells * sizeof *solver->model);
    solver->trial_values = malloc((size_t)samples * 4u * sizeof *solver->trial_values);
    solver->trial_local = malloc(samples * sizeof *solver->trial_local);
    solver->trial_model = malloc(cells * sizeof *solver->trial_model);
    bool complete = solver->lists != NULL && solver->level != NULL && solver->subtree_end != NULL &&
                    solver->in_subtree != NULL && solver->values != NULL && solver->local != NULL &&
                    solver->model != NULL && solver->trial_values != NULL &&
                    solver->trial_local != NULL && solver->trial_model != NULL;
    if (!complete)
        return ENC_ERROR_MEMORY;
    for (uint32_t k = 0; k < joints; k++)
        for (int32_t j = (int32_t)k; j >= 0; j = source->skeleton->parents[j]) {
            solver->in_subtree[(size_t)j * joints + k] = 1;
            solver->subtree_end[j] = k + 1u;
        }
    return enc_coder_prepare(&solver->coder, source->frame_count, options->restart_log2);
}

void enc_solver_release(enc_solver *solver)
{
    enc_coder_release(&solver->coder);
    free(solver->lists);
    free(solver->level);
    free(solver->subtree_end);
    free(solver->in_subtree);
    free(solver->values);
    free(solver->local);
    free(solver->model);
    free(solver->trial_values);
    free(solver->trial_local);
    free(solver->trial_model);
    memset(solver, 0, sizeof *solver);
}

void enc_play_rows(const enc_source *source, uint32_t kind, uint32_t joint, const int32_t *rows,
                   double *out)
{
    const uint8_t *breaks = enc_breaks(source, kind, joint);
    uint32_t components = enc_components(kind);
    osc_blend blend = osc_blend_at(OSC_ONE_Q11 / 2);
    for (uint32_t sample = 0; sample < source->sample_count; sample++, out += 4) {
        const int32_t *left = rows + (size_t)(sample >> 1) * components;
        const int32_t *right = left + components;
        int32_t played[4];
        if ((sample & 1u) == 0u || breaks[(sample >> 1) + 1u] != 0) {
            memcpy(played, left, components * sizeof *played);
        } else if (kind == ENC_ROTATION) {
            osc_quaternion q;
            osc_blend_rotation(left, right, osc_chord_q20(left, right), blend, &q);
            memcpy(played, &q, sizeof q);
        } else {
            osc_vector v;
            osc_blend_vector(left, right, blend, &v);
            memcpy(played, &v, sizeof v);
        }
        for (uint32_t i = 0; i < components; i++)
            out[i] = played[i] / (double)OSC_ONE_Q20;
    }
}

void enc_measure_models(const enc_source *source, const enc_matrix *model, double shell_m,
                        enc_report *report)
{
    double worst2 = -1.0;
    for (uint32_t joint = 0; joint < source->skeleton->joint_count; joint++) {
        size_t first = (size_t)joint * source->sample_count;
        for (uint32_t sample = 0; sample < source->sample_count; sample++) {
            double error2 =
                enc_shell_error2(&source->model[first + sample], &model[first + sample], shell_m);
            if (error2 > worst2) {
                worst2 = error2;
                report->joint = (int32_t)joint;
                report->frame = sample / 2.0;
            }
        }
    }
    report->error_m = sqrt(worst2);
}

void enc_solver_measure(const enc_solver *solver, enc_report *report)
{
    enc_measure_models(solver->source, solver->model, solver->shell_m, report);
}

const enc_option *enc_solver_option(const enc_solver *solver, uint32_t joint, uint32_t kind)
{
    uint32_t track = joint * ENC_KINDS + kind;
    return &solver->lists[track].option[solver->level[track]];
}

static uint32_t bits_at(const enc_solver *solver, uint32_t track, uint32_t level)
{
    return solver->lists[track].option[level].bits;
}

static double *values_of(const enc_solver *solver, uint32_t track)
{
    return solver->values + (size_t)track * solver->source->sample_count * 4u;
}

static void play_option(enc_solver *solver, uint32_t track, uint32_t level, double *out)
{
    uint32_t joint = track / ENC_KINDS, kind = track % ENC_KINDS;
    enc_track_code(&solver->coder, solver->source, kind, joint,
                   &solver->lists[track].option[level]);
    enc_play_rows(solver->source, kind, joint, solver->coder.rows, out);
}

/* One sample of a trial: the changed joint and all below it. False where the limit is broken. */
static bool trial_sample(enc_solver *solver, uint32_t joint, uint32_t sample)
{
    const enc_source *source = solver->source;
    uint32_t joints = source->skeleton->joint_count, samples = source->sample_count;
    const uint8_t *below = solver->in_subtree + (size_t)joint * joints;
    for (uint32_t k = joint; k < solver->subtree_end[joint]; k++) {
        if (below[k] == 0)
            continue;
        size_t at = (size_t)k * samples + sample;
        int32_t parent = source->skeleton->parents[k];
        const enc_matrix *local = k == joint ? &solver->trial_local[sample] : &solver->local[at];
        if (parent < 0) {
            solver->trial_model[at] = *local;
        } else {
            size_t above = (size_t)parent * samples + sample;
            const enc_matrix *model =
                k == joint ? &solver->model[above] : &solver->trial_model[above];
            enc_matrix_multiply(model, local, &solver->trial_model[at]);
        }
        if (!(enc_shell_error2(&source->model[at], &solver->trial_model[at], solver->shell_m) <=
              solver->limit2))
            return false;
    }
    return true;
}

static void trial_locals(enc_solver *solver, uint32_t track, uint32_t from, uint32_t to)
{
    uint32_t joint = track / ENC_KINDS, kind = track % ENC_KINDS;
    const double *part[ENC_KINDS];
    for (uint32_t k = 0; k < ENC_KINDS; k++)
        part[k] = k == kind ? solver->trial_values : values_of(solver, joint * ENC_KINDS + k);
    for (uint32_t sample = from; sample < to; sample++)
        enc_matrix_local(part[ENC_ROTATION] + (size_t)sample * 4u,
                         part[ENC_TRANSLATION] + (size_t)sample * 4u,
                         part[ENC_SCALE] + (size_t)sample * 4u, &solver->trial_local[sample]);
}

static void adopt_trial(enc_solver *solver, uint32_t track, uint32_t level)
{
    uint32_t joints = solver->source->skeleton->joint_count;
    uint32_t samples = solver->source->sample_count, joint = track / ENC_KINDS;
    memcpy(values_of(solver, track), solver->trial_values,
           (size_t)samples * 4u * sizeof *solver->values);
    memcpy(solver->local + (size_t)joint * samples, solver->trial_local,
           samples * sizeof *solver->local);
    for (uint32_t k = joint; k < solver->subtree_end[joint]; k++)
        if (solver->in_subtree[(size_t)joint * joints + k] != 0)
            memcpy(solver->model + (size_t)k * samples, solver->trial_model + (size_t)k * samples,
                   samples * sizeof *solver->model);
    solver->level[track] = level;
}

/* Changes one track to another option and keeps the change if the limit holds. */
static bool try_level(enc_solver *solver, uint32_t track, uint32_t level)
{
    uint32_t joint = track / ENC_KINDS, samples = solver->source->sample_count;
    play_option(solver, track, level, solver->trial_values);
    trial_locals(solver, track, solver->hint, solver->hint + 1u);
    if (!trial_sample(solver, joint, solver->hint))
        return false;
    trial_locals(solver, track, 0, samples);
    for (uint32_t sample = 0; sample < samples; sample++)
        if (!trial_sample(solver, joint, sample)) {
            solver->hint = sample;
            return false;
        }
    adopt_trial(solver, track, level);
    return true;
}

/* Plays the present choice of every track from scratch; whether the limit holds. */
static bool play_all(enc_solver *solver)
{
    const enc_source *source = solver->source;
    uint32_t joints = source->skeleton->joint_count, samples = source->sample_count;
    bool holds = true;
    for (uint32_t track = 0; track < joints * ENC_KINDS; track++)
        play_option(solver, track, solver->level[track], values_of(solver, track));
    for (uint32_t joint = 0; joint < joints; joint++) {
        const double *q = values_of(solver, joint * ENC_KINDS + ENC_ROTATION);
        const double *t = values_of(solver, joint * ENC_KINDS + ENC_TRANSLATION);
        const double *s = values_of(solver, joint * ENC_KINDS + ENC_SCALE);
        int32_t parent = source->skeleton->parents[joint];
        for (uint32_t sample = 0; sample < samples; sample++, q += 4, t += 4, s += 4) {
            size_t at = (size_t)joint * samples + sample;
            enc_matrix_local(q, t, s, &solver->local[at]);
            if (parent < 0)
                solver->model[at] = solver->local[at];
            else
                enc_matrix_multiply(&solver->model[(size_t)parent * samples + sample],
                                    &solver->local[at], &solver->model[at]);
            holds = holds && enc_shell_error2(&source->model[at], &solver->model[at],
                                              solver->shell_m) <= solver->limit2;
        }
    }
    return holds;
}

static void list_options(enc_solver *solver, double finest_share)
{
    for (uint32_t joint = 0; joint < solver->source->skeleton->joint_count; joint++)
        for (uint32_t kind = 0; kind < ENC_KINDS; kind++)
            enc_track_options(&solver->coder, solver->source, kind, joint, solver->limit_m,
                              solver->shell_m, finest_share,
                              &solver->lists[joint * ENC_KINDS + kind]);
}

/* Gives every track the cheapest option whose own error, at the end of its reach, is within a
 * share of the tolerance. */
static void choose_by_share(enc_solver *solver, double share)
{
    uint32_t tracks = solver->source->skeleton->joint_count * ENC_KINDS;
    for (uint32_t track = 0; track < tracks; track++) {
        const enc_options_list *list = &solver->lists[track];
        bool moves = track % ENC_KINDS == ENC_TRANSLATION;
        double lever = moves ? 1.0 : solver->source->reach[track / ENC_KINDS];
        uint32_t level = 0;
        while (level + 1u < list->count &&
               list->option[level + 1u].error * lever <= share * solver->limit_m)
            level++;
        solver->level[track] = level;
    }
}

/* The largest share that holds, by bisection over quarter octaves; the finest options are the last
 * resort. */
static bool start(enc_solver *solver)
{
    uint32_t loose = 0, tight = START_STEPS;
    while (loose < tight) {
        uint32_t middle = (loose + tight) / 2u;
        choose_by_share(solver, START_LOOSEST * ldexp(1.0, -(int)(middle / 4u)) *
                                    (1.0 - 0.16 * (middle % 4u)));
        if (play_all(solver))
            tight = middle;
        else
            loose = middle + 1u;
    }
    choose_by_share(solver,
                    START_LOOSEST * ldexp(1.0, -(int)(loose / 4u)) * (1.0 - 0.16 * (loose % 4u)));
    if (play_all(solver))
        return true;
    uint32_t tracks = solver->source->skeleton->joint_count * ENC_KINDS;
    for (uint32_t track = 0; track < tracks; track++)
        solver->level[track] = 0;
    return play_all(solver);
}

typedef struct {
    uint32_t saving, track;
} coarsening;

static int largest_saving_first(const void *left, const void *right)
{
    const coarsening *a = left, *b = right;
    if (a->saving != b->saving)
        return a->saving > b->saving ? -1 : 1;
    return a->track < b->track ? -1 : 1;
}

/* Lists the tracks that could become one option cheaper; with `related` only those whose error
 * adds to that track's: of its ancestors and descendants. */
static uint32_t list_coarsenings(const enc_solver *solver, const uint32_t *related, coarsening *out)
{
    uint32_t joints = solver->source->skeleton->joint_count, count = 0;
    for (uint32_t track = 0; track < joints * ENC_KINDS; track++) {
        uint32_t level = solver->level[track], joint = track / ENC_KINDS;
        if (level + 1u >= solver->lists[track].count)
            continue;
        if (related != NULL) {
            uint32_t other = *related / ENC_KINDS;
            if (track == *related || (solver->in_subtree[(size_t)joint * joints + other] == 0 &&
                                      solver->in_subtree[(size_t)other * joints + joint] == 0))
                continue;
        }
        out[count].saving = bits_at(solver, track, level) - bits_at(solver, track, level + 1u);
        out[count++].track = track;
    }
    qsort(out, count, sizeof *out, largest_saving_first);
    return count;
}

static void polish(enc_solver *solver, coarsening *list)
{
    bool changed = true;
    for (int pass = 0; pass < POLISH_PASSES && changed; pass++) {
        uint32_t count = list_coarsenings(solver, NULL, list);
        changed = false;
        for (uint32_t i = 0; i < count; i++)
            changed |= try_level(solver, list[i].track, solver->level[list[i].track] + 1u);
    }
}

/* Makes one track finer where that lets others become cheaper by more. */
static bool exchange(enc_solver *solver, uint32_t track, coarsening *list, uint32_t *saved_level)
{
    uint32_t tracks = solver->source->skeleton->joint_count * ENC_KINDS;
    uint32_t level = solver->level[track];
    if (level == 0u || solver->lists[track].option[level].bits == 0u)
        return false;
    int64_t gain = (int64_t)bits_at(solver, track, level) - bits_at(solver, track, level - 1u);
    memcpy(saved_level, solver->level, tracks * sizeof *saved_level);
    if (!try_level(solver, track, level - 1u))
        return false;
    uint32_t count = list_coarsenings(solver, &track, list);
    for (uint32_t i = 0; i < count; i++)
        if (try_level(solver, list[i].track, solver->level[list[i].track] + 1u))
            gain += list[i].saving;
    if (gain > 0)
        return true;
    for (uint32_t i = count; i > 0; i--) { /* back on the same path, on which the limit held */
        uint32_t other = list[i - 1u].track;
        if (solver->level[other] != saved_level[other])
            try_level(solver, other, saved_level[other]);
    }
    try_level(solver, track, level);
    return false;
}

int32_t enc_solver_run(enc_solver *solver, enc_effort effort)
{
    static const int exchange_passes[] = {0, 2, 8};
    uint32_t tracks = solver->source->skeleton->joint_count * ENC_KINDS;
    list_options(solver, FINEST_SHARE);
    if (!start(solver)) {
        /* Errors add up along a long chain and grow with the scale of the joints above: then only
         * the finest steps of all may do. */
        list_options(solver, 0.0);
        if (!start(solver))
            return ENC_ERROR_TOLERANCE;
    }
    coarsening *list = malloc(tracks * sizeof *list);
    uint32_t *saved = malloc(tracks * sizeof *saved);
    if (list == NULL || saved == NULL) {
        free(list);
        free(saved);
        return ENC_ERROR_MEMORY;
    }
    polish(solver, list);
    bool changed = true;
    for (int pass = 0; pass < exchange_passes[effort] && changed; pass++) {
        changed = false;
        for (uint32_t track = 0; track < tracks; track++)
            changed |= exchange(solver, track, list, saved);
        polish(solver, list);
    }
    free(list);
    free(saved);
    return ENC_OK;
}
