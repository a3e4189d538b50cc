#include "solve/allocation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "model/measure.h"

#define CHILD_SHARE 0.98  /* of the permitted error of a child's origin: for its parent's */
#define SHELL_SHARE 0.999 /* of the tolerance: for a joint's own shell */
#define MOST_SHARE 0.97
#define SHARE_GAP 0.02 /* least difference between the shares of a joint and its parent */
/* Midpoints are checked after a try, and each try tightens the limits: first at the frames next to
 * those over the tolerance, then of the whole joint, then of all joints. Only joints that
 * contribute are coded again. */
#define FRAME_TRIES 8
#define JOINT_TRIES 10
#define MIDPOINT_TRIES 14
#define TIGHTER 0.99 /* extra factor when a whole joint is tightened */
/* The least fraction of a limit at single frames, whatever midpoints demand. A frame that needs
 * less depends on the help of other joints, and a frame that has to be exact makes the steps of the
 * whole track finer. */
#define LEAST_TIGHT 0.35
#define FRAME_TIGHTER 0.96 /* extra factor at single frames, where it costs little */

/* The shares of the roots and of the deepest joints. */
static const struct {
    double root, leaf;
} ramps[ENC_RAMPS] = {{0.4, 0.9}, {0.2, 0.9},   {0.62, 0.92}, {0.3, 0.95},
                      {0.5, 0.8}, {0.35, 0.75}, {0.2, 0.75},  {0.1, 0.95}};
static const double large_root = 0.7, large_leaf = 0.95;

bool enc_allocation_prepare(enc_allocation *allocation, const enc_source *source,
                            const enc_options *options)
{
    const enc_skeleton *skeleton = source->skeleton;
    uint32_t joints = skeleton->joint_count;
    *allocation = (enc_allocation){.source = source, .options = options};
    size_t frames = (size_t)joints * source->frame_count;
    size_t samples = (size_t)joints * source->sample_count;
    bool complete = true;
    allocation->share = enc_array(joints, sizeof *allocation->share, &complete);
    allocation->tight = enc_array(frames, sizeof *allocation->tight, &complete);
    allocation->over = enc_array(samples, sizeof *allocation->over, &complete);
    allocation->limits = enc_array(joints, sizeof *allocation->limits, &complete);
    allocation->depth = enc_array(joints, sizeof *allocation->depth, &complete);
    allocation->same = enc_array(joints, sizeof *allocation->same, &complete);
    allocation->stage.rigid = enc_array(joints, sizeof *allocation->stage.rigid, &complete);
    allocation->stage.played = &allocation->played;
    complete = enc_composed_prepare(&allocation->played, source) && complete;
    for (uint32_t j = 0; j < joints && complete; j++) {
        int32_t parent = skeleton->parents[j];
        allocation->depth[j] = parent < 0 ? 0u : allocation->depth[parent] + 1u;
        if (allocation->depth[j] > allocation->deepest)
            allocation->deepest = allocation->depth[j];
    }
    return complete;
}

void enc_allocation_release(enc_allocation *allocation)
{
    free(allocation->share);
    free(allocation->tight);
    free(allocation->over);
    free(allocation->limits);
    free(allocation->depth);
    free(allocation->same);
    free(allocation->stage.rigid);
    enc_composed_release(&allocation->played);
}

static void set_ramp(enc_allocation *allocation, double root, double leaf)
{
    uint32_t deepest = allocation->deepest > 0 ? allocation->deepest : 1u;
    for (uint32_t j = 0; j < allocation->source->skeleton->joint_count; j++)
        allocation->share[j] = root + (leaf - root) * allocation->depth[j] / deepest;
}

void enc_allocation_set_ramp(enc_allocation *allocation, uint32_t ramp)
{
    set_ramp(allocation, ramps[ramp].root, ramps[ramp].leaf);
}

void enc_allocation_set_large(enc_allocation *allocation)
{
    set_ramp(allocation, large_root, large_leaf);
}

/* Turns shares into limits in metres. A joint must be at least as exact as its children require; a
 * pinned child places itself. */
static void set_limits(const enc_allocation *allocation)
{
    const enc_skeleton *skeleton = allocation->source->skeleton;
    for (uint32_t j = skeleton->joint_count; j-- > 0u;) {
        enc_limits *limits = &allocation->limits[j];
        bool pinned = allocation->relax && allocation->options->pinned[j] != 0;
        int32_t parent = skeleton->parents[j];
        double tolerance = enc_limit_m(allocation->options, j);
        limits->tolerance = tolerance;
        limits->shell = SHELL_SHARE * tolerance;
        limits->origin = allocation->share[j] * tolerance;
        for (int32_t k = skeleton->first_child[j]; k >= 0; k = skeleton->next_sibling[k])
            limits->origin = fmin(limits->origin, CHILD_SHARE * allocation->limits[k].carried);
        limits->carried = limits->origin;
        if (pinned && parent >= 0)
            limits->carried =
                allocation->share[j] * enc_limit_m(allocation->options, (uint32_t)parent);
    }
}

static void loosen(const enc_allocation *allocation)
{
    size_t cells =
        (size_t)allocation->source->skeleton->joint_count * allocation->source->frame_count;
    for (size_t i = 0; i < cells; i++)
        allocation->tight[i] = 1.0;
}

static void tighten_joint(const enc_allocation *allocation, uint32_t joint, double factor)
{
    const enc_source *source = allocation->source;
    double *tight = allocation->tight + (size_t)joint * source->frame_count;
    for (uint32_t f = 0; f < source->row_count; f++)
        tight[f] *= factor;
}

/* Zero if pinned joints place themselves: then the joints above them need not be exact and cannot
 * compensate for them. */
static double least_tight(const enc_allocation *allocation)
{
    return allocation->relax ? 0.0 : LEAST_TIGHT;
}

/* Tightens a joint's limits at a frame, or at both frames around a sample between two, to less than
 * the present error. Joints with small errors keep their limits. */
static void tighten_at(const enc_allocation *allocation, uint32_t joint, uint32_t sample,
                       double factor)
{
    const enc_source *source = allocation->source;
    const double *over = allocation->over + (size_t)joint * source->sample_count;
    double *tight = allocation->tight + (size_t)joint * source->frame_count;
    uint32_t position_q11 = enc_sample_q11(source, sample);
    for (uint32_t f = position_q11 / OSC_ONE_Q11;
         f <= (position_q11 + OSC_ONE_Q11 - 1u) / OSC_ONE_Q11; f++) {
        uint32_t row = f < source->row_count ? f : 0u; /* a loop ends in its first row */
        double now = over[2u * f];
        if (now > LEAST_TIGHT)
            tight[row] = fmin(tight[row], now);
        enc_tighten(&tight[row], factor, least_tight(allocation));
    }
}

/* Passes the limits of joints on to their ancestors, which place them. */
static void tighten_ancestors(const enc_allocation *allocation)
{
    const enc_skeleton *skeleton = allocation->source->skeleton;
    uint32_t frames = allocation->source->frame_count;
    for (uint32_t j = skeleton->joint_count; j-- > 0u;) {
        const double *own = allocation->tight + (size_t)j * frames;
        for (uint32_t f = 0; f < frames && skeleton->parents[j] >= 0; f++) {
            double *parent = &allocation->tight[(size_t)skeleton->parents[j] * frames + f];
            *parent = fmin(*parent, own[f]);
        }
    }
}

/* Tightens limits where errors exceed the tolerance: first those of the joints themselves. Errors
 * that persist come from ancestors that turn between frames, where what compensates at frames does
 * not; this grows with the distance. Returns false if no error exceeds the tolerance. */
static bool tighten(const enc_allocation *allocation, int tries)
{
    const enc_source *source = allocation->source;
    const int32_t *parents = source->skeleton->parents;
    uint32_t joints = source->skeleton->joint_count;
    double worst = 1.0;
    for (uint32_t j = 0; j < joints; j++) {
        const double *over = allocation->over + (size_t)j * source->sample_count;
        double joint_worst = 1.0;
        for (uint32_t sample = 0; sample < source->sample_count; sample++) {
            joint_worst = fmax(joint_worst, over[sample]);
            if (over[sample] <= 1.0 || tries >= FRAME_TRIES)
                continue;
            tighten_at(allocation, j, sample, FRAME_TIGHTER / over[sample]);
            for (int32_t above = parents[j]; above >= 0 && tries > 0; above = parents[above])
                tighten_at(allocation, (uint32_t)above, sample, FRAME_TIGHTER / over[sample]);
        }
        if (joint_worst > 1.0 && tries >= FRAME_TRIES && tries < JOINT_TRIES)
            tighten_joint(allocation, j, TIGHTER / joint_worst);
        worst = fmax(worst, joint_worst);
    }
    for (uint32_t j = 0; j < joints && worst > 1.0 && tries >= JOINT_TRIES; j++)
        tighten_joint(allocation, j, TIGHTER / worst);
    return worst > 1.0;
}

/* Marks a joint to be coded again, together with the joints that place it: its parent, and further
 * ancestors up to one that moves; or all ancestors. */
static void mark_changed(const enc_allocation *allocation, uint32_t joint, bool all_above,
                         uint8_t *same)
{
    const enc_skeleton *skeleton = allocation->source->skeleton;
    int32_t above = skeleton->parents[joint];
    same[joint] = 0;
    for (bool places = true; above >= 0 && places; above = skeleton->parents[above]) {
        same[above] = 0;
        places = all_above || allocation->source->constant[above] == ENC_ALL_CONSTANT;
    }
}

/* Marks all descendants of marked joints. */
static void mark_descendants(const enc_allocation *allocation, uint8_t *same)
{
    const enc_skeleton *skeleton = allocation->source->skeleton;
    for (uint32_t j = 0; j < skeleton->joint_count; j++)
        if (skeleton->parents[j] >= 0 && same[skeleton->parents[j]] == 0)
            same[j] = 0;
}

/* Finds the joints that a try can keep: those that do not contribute to errors over the
 * tolerance. */
static void find_innocent(const enc_allocation *allocation, int tries)
{
    const enc_source *source = allocation->source;
    memset(allocation->same, 1, source->skeleton->joint_count);
    for (uint32_t j = 0; j < source->skeleton->joint_count; j++) {
        const double *over = allocation->over + (size_t)j * source->sample_count;
        for (uint32_t sample = 0; sample < source->sample_count; sample++)
            if (over[sample] > 1.0) {
                mark_changed(allocation, j, tries > 0, allocation->same);
                break;
            }
    }
    mark_descendants(allocation, allocation->same);
}

/* Marks the lowest ancestor of `joint` that is not yet marked. Returns false if there is none. */
static bool ask_for_help(const enc_allocation *allocation, uint32_t joint)
{
    const int32_t *parents = allocation->source->skeleton->parents;
    int32_t above = parents[joint];
    while (above >= 0 && allocation->same[above] == 0)
        above = parents[above];
    if (above < 0)
        return false;
    allocation->same[above] = 0;
    mark_descendants(allocation, allocation->same);
    return true;
}

/* Solves the joints that are marked. If that fails, ancestors are marked as well, from below; at
 * last everything is coded from the start. */
static int32_t solve_again(const enc_allocation *allocation, const enc_codec *codec,
                           enc_solve_task *task, const enc_options *options, enc_solution *out,
                           enc_report *report)
{
    for (;;) {
        int32_t status =
            enc_compensated_solve(allocation->source, codec, task, options, out, report);
        if (status != ENC_ERROR_TOLERANCE || task->known == NULL)
            return status;
        if (!ask_for_help(allocation, (uint32_t)report->tight_joint))
            task->known = NULL;
        tighten_ancestors(allocation);
    }
}

/* The start of a solution. */
typedef struct {
    const enc_codec *codec;
    uint32_t effort;
    const enc_solution *known; /* known, same: see enc_solve_task; they apply to the first try */
    const uint8_t *same;
    uint64_t most_bits;
} solve_start;

/* Measures what the search does not need while the matrices are there. At higher efforts, better
 * solutions are likely to follow. */
static int32_t conclude(const enc_allocation *allocation, enc_report *report)
{
    if (allocation->options->effort != ENC_EFFORT_FAST)
        return ENC_OK;
    return enc_measure_composed_points(&allocation->played, allocation->options, report);
}

static int32_t solve_from(const enc_allocation *allocation, const solve_start *start,
                          enc_solution *out, enc_report *report)
{
    const enc_codec *codec = start->codec;
    enc_solve_task task = {.limits = allocation->limits,
                           .tight = allocation->tight,
                           .least_tight = least_tight(allocation),
                           .shell = allocation->options->shell,
                           .stage = &allocation->stage,
                           .known = start->known,
                           .same = start->same,
                           .rival = allocation->rival,
                           .worth = allocation->worth};
    enc_options options = *allocation->options;
    options.effort = start->effort;
    loosen(allocation);
    set_limits(allocation);
    int32_t status = enc_compensated_solve(allocation->source, codec, &task, &options, out, report);
    for (int i = 0; status == ENC_OK; i++) {
        if (out->tracks == NULL || out->bits >= start->most_bits)
            break;
        status = enc_measure_composed(&allocation->played, &options, report, allocation->over);
        if (status != ENC_OK)
            break;
        if (!tighten(allocation, i)) {
            status = conclude(allocation, report);
            if (status == ENC_OK)
                return ENC_OK;
            break;
        }
        if (i + 1 == MIDPOINT_TRIES) {
            status = ENC_ERROR_TOLERANCE;
            break;
        }
        enc_solution last = *out;
        find_innocent(allocation, i);
        task.known = &last;
        task.same = allocation->same;
        task.mend = true;
        status = solve_again(allocation, codec, &task, &options, out, report);
        enc_solution_release(&last);
    }
    enc_solution_release(out);
    return status;
}

int32_t enc_allocation_solve(const enc_allocation *allocation, const enc_codec *codec,
                             uint32_t effort, uint64_t most_bits, enc_solution *out,
                             enc_report *report)
{
    const solve_start start = {.codec = codec, .effort = effort, .most_bits = most_bits};
    return solve_from(allocation, &start, out, report);
}

int32_t enc_allocation_finest(const enc_allocation *allocation, const enc_codec *codec,
                              enc_solution *out, enc_report *report)
{
    enc_solve_task task = {.limits = allocation->limits,
                           .tight = allocation->tight,
                           .least_tight = least_tight(allocation),
                           .shell = allocation->options->shell,
                           .stage = &allocation->stage,
                           .finest = true};
    loosen(allocation);
    set_limits(allocation);
    int32_t status =
        enc_compensated_solve(allocation->source, codec, &task, allocation->options, out, report);
    if (status != ENC_OK)
        return status;
    status = enc_measure_solution(allocation->source, out, allocation->options, report, NULL);
    if (status == ENC_OK && enc_relative_error(allocation->options, report) > 1.0)
        status = ENC_ERROR_TOLERANCE;
    if (status != ENC_OK)
        enc_solution_release(out);
    return status;
}

/* The best solution so far, which is replaced by cheaper ones. */
typedef struct {
    enc_allocation *allocation;
    const enc_codec *codec;
    uint32_t effort;
    enc_limits *limits; /* [joint], with which the best was found */
    uint8_t *same;      /* [joint]: non-zero where the next one will not differ */
    enc_solution *best;
    enc_report *report;
} refinement;

/* Solves the joints that differ from the best. */
static int32_t improve(const refinement *refined)
{
    enc_solution solution, *best = refined->best;
    enc_report found = *refined->report;
    const solve_start start = {.codec = refined->codec,
                               .effort = refined->effort,
                               .known = best,
                               .same = refined->same,
                               .most_bits = best->bits};
    int32_t status = solve_from(refined->allocation, &start, &solution, &found);
    if (status == ENC_OK && solution.tracks != NULL) {
        enc_solution_release(best);
        *best = solution;
        *refined->report = found;
    }
    return status;
}

/* Finds the joints that the present allocation leaves as they were with the limits `before`. */
static void find_same(const enc_allocation *allocation, const enc_limits *before, uint8_t *same)
{
    memset(same, 1, allocation->source->skeleton->joint_count);
    for (uint32_t j = 0; j < allocation->source->skeleton->joint_count; j++)
        if (memcmp(&allocation->limits[j], &before[j], sizeof *before) != 0)
            mark_changed(allocation, j, false, same);
    mark_descendants(allocation, same);
}

/* Returns whether the joint's share has an effect: it has children, or a parent that must place it.
 */
static bool matters(const enc_skeleton *skeleton, uint32_t joint)
{
    return skeleton->first_child[joint] >= 0 || skeleton->parents[joint] >= 0;
}

/* Keeps a share between those of the joint's parent and children: a child with a smaller permitted
 * error than its parent may be impossible to place. */
static double between_neighbours(const enc_allocation *allocation, uint32_t joint, double share)
{
    const enc_skeleton *skeleton = allocation->source->skeleton;
    int32_t parent = skeleton->parents[joint];
    for (int32_t k = skeleton->first_child[joint]; k >= 0; k = skeleton->next_sibling[k])
        share = fmin(share, allocation->share[k] - SHARE_GAP);
    share = fmin(share, MOST_SHARE);
    return fmax(share, parent >= 0 ? allocation->share[parent] + SHARE_GAP : SHARE_GAP);
}

/* Tries another share for a joint, and restores the old one unless the clip becomes cheaper. */
static int32_t try_share(const refinement *refined, uint32_t joint, double share)
{
    enc_allocation *allocation = refined->allocation;
    double kept = allocation->share[joint];
    uint64_t bits = refined->best->bits;
    size_t size = allocation->source->skeleton->joint_count * sizeof *refined->limits;
    allocation->share[joint] = between_neighbours(allocation, joint, share);
    if (allocation->share[joint] == kept)
        return ENC_OK;
    set_limits(allocation);
    find_same(allocation, refined->limits, refined->same);
    int32_t status = improve(refined);
    if (refined->best->bits < bits)
        memcpy(refined->limits, allocation->limits, size);
    else
        allocation->share[joint] = kept;
    return status == ENC_ERROR_MEMORY ? status : ENC_OK;
}

int32_t enc_allocation_refine(enc_allocation *allocation, const enc_codec *codec, uint32_t effort,
                              uint32_t passes, enc_solution *best, enc_report *report)
{
    static const double factors[] = {0.7, 1.4, 0.85, 1.18};
    const enc_skeleton *skeleton = allocation->source->skeleton;
    const refinement refined = {
        .allocation = allocation,
        .codec = codec,
        .effort = effort,
        .limits = malloc(skeleton->joint_count * sizeof *refined.limits),
        .same = malloc(skeleton->joint_count),
        .best = best,
        .report = report,
    };
    bool complete = refined.limits != NULL && refined.same != NULL;
    int32_t status = complete ? ENC_OK : ENC_ERROR_MEMORY;
    uint64_t before = UINT64_MAX;
    set_limits(allocation);
    if (status == ENC_OK)
        memcpy(refined.limits, allocation->limits, skeleton->joint_count * sizeof *refined.limits);
    for (uint32_t pass = 0; pass < passes && status == ENC_OK && best->bits < before; pass++) {
        before = best->bits;
        for (uint32_t joint = 0; joint < skeleton->joint_count; joint++)
            for (uint32_t i = 0; i < 4u && status == ENC_OK && matters(skeleton, joint); i++)
                status = try_share(&refined, joint, allocation->share[joint] * factors[i]);
    }
    free(refined.limits);
    free(refined.same);
    return status;
}
