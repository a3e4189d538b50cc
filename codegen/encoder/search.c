#include "search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "open_loop.h"
#include "osc_format.h"
#include "playing.h"

#define CHILD_SHARE 0.98  /* of what a child's origin may be off by, for its parent's */
#define SHELL_SHARE 0.999 /* of the tolerance, for a joint's own shell */
#define MOST_SHARE 0.97
#define SHARE_GAP 0.02   /* between the shares of a joint and of its parent, at least */
#define MIDPOINT_TRIES 10 /* midpoints are checked afterwards; each try tightens the frames, */
#define JOINT_TRIES 4     /* the first ones only of the joints that stick out */
#define TIGHTER 0.99      /* than what a midpoint sticks out by */

/* Shares of the tolerance for joint origins: at the roots and at the deepest joints. In the order
 * of how often they are best. */
typedef struct {
    double root, leaf;
} ramp;

static const ramp ramps[] = {{0.4, 0.9}, {0.2, 0.9},   {0.62, 0.92}, {0.3, 0.95},
                             {0.5, 0.8}, {0.35, 0.75}, {0.2, 0.75},  {0.1, 0.95}};
#define RAMPS ((uint32_t)(sizeof ramps / sizeof ramps[0]))

/* What an effort buys: ramps, and passes over single joints, tried with fast fits; the best shares
 * are then solved with fits of the effort itself. */
static const struct {
    uint32_t ramps, passes;
} budget_of_effort[] = {{1, 0}, {3, 0}, {6, 1}};

static const enc_codec *const codecs[] = {&enc_delta_codec, &enc_curve_codec, &enc_transform_codec};
#define CODECS (sizeof codecs / sizeof codecs[0])

typedef struct {
    const enc_source *source;
    const enc_codec *codec;
    enc_options options;
    double *share;      /* per joint: how far its origin may be off, of its tolerance */
    enc_limits *limits; /* per joint */
    double *tight;      /* per joint: what midpoints demand, a part of its tolerance */
    double *over;       /* per joint: its error, in tolerances */
    uint32_t *depth;
    uint32_t deepest;
    bool relax; /* the joints above a pinned one need not place it */
} search;

/* Turns shares into limits in metres. A joint whose child may be off by less has to be as exact
 * itself; a pinned child looks after itself. */
static void set_limits(const search *s)
{
    const enc_skeleton *skeleton = s->source->skeleton;
    for (uint32_t j = skeleton->joint_count; j-- > 0u;) {
        enc_limits *limits = &s->limits[j];
        bool pinned = s->relax && s->options.pinned[j] != 0;
        int32_t parent = skeleton->parents[j];
        double tolerance = s->tight[j] * enc_limit_m(&s->options, j);
        limits->tolerance = tolerance;
        limits->shell = SHELL_SHARE * tolerance;
        limits->origin = s->share[j] * tolerance;
        for (int32_t k = skeleton->first_child[j]; k >= 0; k = skeleton->next_sibling[k])
            limits->origin = fmin(limits->origin, CHILD_SHARE * s->limits[k].carried);
        limits->carried = limits->origin;
        if (pinned && parent >= 0)
            limits->carried = s->share[j] * s->tight[j] * enc_limit_m(&s->options, (uint32_t)parent);
    }
}

static void loosen(const search *s)
{
    for (uint32_t j = 0; j < s->source->skeleton->joint_count; j++)
        s->tight[j] = 1.0;
}

/* Tightens the joints that are over their tolerance, or all of them by as much as the worst one
 * needs. False: none is over. */
static bool tighten(const search *s, bool all)
{
    uint32_t joints = s->source->skeleton->joint_count;
    double worst = 0.0;
    for (uint32_t j = 0; j < joints; j++)
        worst = fmax(worst, s->over[j]);
    for (uint32_t j = 0; j < joints && worst > 1.0; j++)
        if (all || s->over[j] > 1.0)
            s->tight[j] *= TIGHTER / (all ? worst : s->over[j]);
    return worst > 1.0;
}

/* Solves with the present shares, tighter where midpoints stick out, and keeps the result if it is
 * cheaper than `best`. */
static int32_t try_shares(const search *s, enc_solution *best, enc_report *best_report)
{
    enc_budget budget = {s->limits, s->options.shell_m, false};
    loosen(s);
    for (int i = 0; i < MIDPOINT_TRIES; i++) {
        enc_solution solution;
        enc_report report = *best_report;
        set_limits(s);
        int32_t status = enc_chain_solve(s->source, s->codec, &budget, &s->options, &solution,
                                         best->tracks == NULL ? best_report : &report);
        if (status != ENC_OK)
            return status;
        if (best->tracks != NULL && solution.bits >= best->bits) {
            enc_solution_release(&solution);
            return ENC_OK;
        }
        status = enc_measure_solution(s->source, &solution, &s->options, &report, s->over);
        if (status == ENC_OK && !tighten(s, i >= JOINT_TRIES)) {
            enc_solution_release(best);
            *best = solution;
            *best_report = report;
            return ENC_OK;
        }
        enc_solution_release(&solution);
        if (status != ENC_OK)
            return status;
        if (best->tracks == NULL)
            *best_report = report;
    }
    return ENC_ERROR_TOLERANCE;
}

static void set_ramp(search *s, ramp r)
{
    for (uint32_t j = 0; j < s->source->skeleton->joint_count; j++)
        s->share[j] = r.root + (r.leaf - r.root) * s->depth[j] / (s->deepest > 0 ? s->deepest : 1u);
}

static void measure_depth(search *s)
{
    for (uint32_t j = 0; j < s->source->skeleton->joint_count; j++) {
        int32_t parent = s->source->skeleton->parents[j];
        s->depth[j] = parent < 0 ? 0u : s->depth[parent] + 1u;
        s->deepest = s->depth[j] > s->deepest ? s->depth[j] : s->deepest;
    }
}

/* Whether the joint's share matters: it has children, or a parent that must place it. */
static bool shares(const search *s, uint32_t joint)
{
    return s->source->skeleton->first_child[joint] >= 0 || s->source->skeleton->parents[joint] >= 0;
}

/* Keeps a share between those of the joint's parent and children: a child that may be less far off
 * than its parent may not be reached at all. */
static double between_neighbours(const search *s, uint32_t joint, double share)
{
    const enc_skeleton *skeleton = s->source->skeleton;
    int32_t parent = skeleton->parents[joint];
    for (int32_t k = skeleton->first_child[joint]; k >= 0; k = skeleton->next_sibling[k])
        share = fmin(share, s->share[k] - SHARE_GAP);
    share = fmin(share, MOST_SHARE);
    return fmax(share, parent >= 0 ? s->share[parent] + SHARE_GAP : SHARE_GAP);
}

/* Moves one joint's share after the other, as long as that makes the clip cheaper. */
static int32_t refine_shares(search *s, uint32_t passes, enc_solution *best, enc_report *report)
{
    static const double factors[] = {0.7, 1.4, 0.85, 1.18};
    for (uint32_t pass = 0; pass < passes; pass++) {
        uint64_t before = best->bits;
        for (uint32_t joint = 0; joint < s->source->skeleton->joint_count; joint++)
            for (uint32_t i = 0; i < 4u && shares(s, joint); i++) {
                double kept = s->share[joint];
                uint64_t bits = best->bits;
                s->share[joint] = between_neighbours(s, joint, kept * factors[i]);
                if (s->share[joint] == kept)
                    continue;
                if (try_shares(s, best, report) == ENC_ERROR_MEMORY)
                    return ENC_ERROR_MEMORY;
                if (best->bits == bits)
                    s->share[joint] = kept;
            }
        if (best->bits == before)
            break;
    }
    return ENC_OK;
}

/* Tries ramps and, from the best of them, single shares; leaves the best shares in s->share. */
static int32_t search_shares(search *s, uint32_t ramp_count, uint32_t passes, enc_solution *best,
                             enc_report *report)
{
    int32_t failure = ENC_OK;
    uint32_t best_ramp = 0;
    for (uint32_t i = 0; i < ramp_count; i++) {
        uint64_t before = best->tracks != NULL ? best->bits : UINT64_MAX;
        set_ramp(s, ramps[i]);
        int32_t status = try_shares(s, best, report);
        if (status == ENC_ERROR_MEMORY)
            return status;
        if (status != ENC_OK && failure == ENC_OK)
            failure = status;
        if (best->tracks != NULL && best->bits < before)
            best_ramp = i;
    }
    if (best->tracks == NULL)
        return failure;
    set_ramp(s, ramps[best_ramp]);
    return refine_shares(s, passes, best, report);
}

/* The last resort: follows the source as closely as the steps allow. Leaves a report of the error
 * that is then possible where even that is over the tolerance. */
static int32_t solve_finest(search *s, const enc_codec **codec, enc_solution *out,
                            enc_report *report)
{
    for (size_t i = CODECS; i-- > 0;)
        if ((s->options.codecs >> codecs[i]->codec & 1u) != 0u)
            *codec = codecs[i];
    enc_budget budget = {s->limits, s->options.shell_m, true};
    loosen(s);
    set_limits(s);
    int32_t status = enc_chain_solve(s->source, *codec, &budget, &s->options, out, report);
    if (status != ENC_OK)
        return status;
    status = enc_measure_solution(s->source, out, &s->options, report, NULL);
    if (status == ENC_OK && enc_relative_error(&s->options, report) > 1.0)
        status = ENC_ERROR_TOLERANCE;
    if (status != ENC_OK)
        enc_solution_release(out);
    return status;
}

/* Codes the clip with one codec, in the closed loop. */
static int32_t solve_closed(search *s, enc_solution *out, enc_report *report)
{
    uint32_t effort = s->options.effort;
    s->options.effort = ENC_EFFORT_FAST;
    int32_t status = search_shares(s, budget_of_effort[effort].ramps,
                                   budget_of_effort[effort].passes, out, report);
    for (uint32_t i = budget_of_effort[effort].ramps; i < RAMPS && status == ENC_ERROR_TOLERANCE;
         i++) {
        set_ramp(s, ramps[i]);
        status = try_shares(s, out, report);
    }
    s->options.effort = effort;
    if (status != ENC_OK || effort == ENC_EFFORT_FAST)
        return status;
    status = try_shares(s, out, report);
    return status == ENC_ERROR_MEMORY ? status : ENC_OK;
}

/* Codes the clip with one codec. Whether it pays that pinned joints look after themselves depends
 * on the clip. */
static int32_t solve_with(search *s, const enc_codec *codec, enc_solution *out, enc_report *report)
{
    if (s->options.layer != 0)
        return enc_open_loop_solve(s->source, codec, &s->options, out, report);
    s->codec = codec;
    s->relax = s->options.pinned != NULL;
    int32_t status = solve_closed(s, out, report);
    if (s->relax && status != ENC_ERROR_MEMORY) {
        s->relax = false;
        int32_t other = solve_closed(s, out, report);
        status = other == ENC_ERROR_MEMORY || status != ENC_OK ? other : status;
    }
    return status;
}

/* Whether to try the open loop for a full-body clip: where nothing else holds, and where joints
 * that all follow the source may cost less than joints that make up for others, which gives even
 * still joints something to do. Beside sparse keys that is rare. */
static bool may_pay_open(const search *s, const enc_codec *codec, const enc_codec *chosen)
{
    if (s->options.layer != 0 || (s->options.codecs >> codec->codec & 1u) == 0u)
        return false;
    return chosen == NULL || (codec == chosen && s->options.effort != ENC_EFFORT_FAST &&
                              (codec == &enc_delta_codec || s->options.effort == ENC_EFFORT_MAX));
}

/* Codes the clip in the open loop and keeps that if it is smaller. */
static int32_t try_open_loop(const search *s, const enc_codec *codec, const enc_codec **chosen,
                             enc_solution *best, enc_report *best_report)
{
    enc_solution solution;
    enc_report report = *best_report;
    int32_t status = enc_open_loop_solve(s->source, codec, &s->options, &solution, &report);
    if (status != ENC_OK)
        return status == ENC_ERROR_MEMORY ? status : ENC_OK;
    if (best->tracks != NULL && best->bits <= solution.bits) {
        enc_solution_release(&solution);
        return ENC_OK;
    }
    enc_solution_release(best);
    *best = solution;
    *chosen = codec;
    *best_report = report;
    return ENC_OK;
}

/* Codes the clip with every codec allowed and keeps the smallest. */
static int32_t choose_codec(search *s, const enc_codec **codec, enc_solution *out,
                            enc_report *report)
{
    int32_t failure = ENC_OK;
    for (size_t i = 0; i < CODECS; i++) {
        enc_solution solution = {0};
        enc_report candidate = *report;
        if ((s->options.codecs >> codecs[i]->codec & 1u) == 0u)
            continue;
        int32_t status = solve_with(s, codecs[i], &solution, &candidate);
        if (status == ENC_ERROR_MEMORY)
            return status;
        if (status != ENC_OK && failure == ENC_OK && out->tracks == NULL) {
            failure = status;
            *report = candidate;
        }
        if (status != ENC_OK || (out->tracks != NULL && out->bits <= solution.bits)) {
            enc_solution_release(&solution);
            continue;
        }
        enc_solution_release(out);
        *out = solution;
        *codec = codecs[i];
        *report = candidate;
    }
    const enc_codec *closed = out->tracks != NULL ? *codec : NULL;
    for (size_t i = 0; i < CODECS && (closed != NULL || failure == ENC_ERROR_TOLERANCE); i++)
        if (may_pay_open(s, codecs[i], closed) &&
            try_open_loop(s, codecs[i], codec, out, report) == ENC_ERROR_MEMORY)
            return ENC_ERROR_MEMORY;
    if (out->tracks == NULL && failure == ENC_ERROR_TOLERANCE)
        return solve_finest(s, codec, out, report);
    return out->tracks != NULL ? ENC_OK : failure;
}

int32_t enc_search(const enc_source *source, const enc_options *options, const enc_codec **codec,
                   enc_solution *out, enc_report *report)
{
    uint32_t joints = source->skeleton->joint_count;
    search s = {.source = source, .options = *options};
    s.share = malloc(joints * sizeof *s.share);
    s.limits = malloc(joints * sizeof *s.limits);
    s.depth = calloc(joints, sizeof *s.depth);
    s.tight = malloc(joints * sizeof *s.tight);
    s.over = malloc(joints * sizeof *s.over);
    bool ready = s.share != NULL && s.limits != NULL && s.depth != NULL && s.tight != NULL &&
                 s.over != NULL;
    int32_t status = ready ? ENC_OK : ENC_ERROR_MEMORY;
    memset(out, 0, sizeof *out);
    if (status == ENC_OK) {
        measure_depth(&s);
        status = choose_codec(&s, codec, out, report);
    }
    free(s.share);
    free(s.limits);
    free(s.depth);
    free(s.tight);
    free(s.over);
    if (status != ENC_OK)
        enc_solution_release(out);
    return status;
}
