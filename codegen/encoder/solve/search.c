#include "solve/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bank/osc_format.h"
#include "model/measure.h"
#include "published/schemes/schemes.h"
#include "solve/allocation.h"
#include "solve/codec_table.h"
#include "solve/independent.h"

#define FINALISTS 8u
/* A fast fit that is larger than the best so far by more than this factor is not refined. Better
 * fits gain more in short clips, most of which are made by hand. */
#define WORTH_A_CLOSER_LOOK_BRIEF 1.06
#define WORTH_A_CLOSER_LOOK 1.02
#define KEYED 0.93

/* The work of each effort. Shares are tried with the delta codec, which is fast and whose sizes
 * predict those of the others; the best shares are then solved with the other codecs. */
typedef struct {
    uint32_t ramps;     /* allocations to try */
    uint32_t passes;    /* over single joints, starting from the best ramp */
    uint32_t finalists; /* most allocations to solve with each codec */
    uint32_t refining;  /* passes over single joints with the chosen codec */
    double close; /* size with delta, relative to the best, up to which a finalist is solved */
} plan;

#define SHORT_FRAMES 100u /* clips up to this length are cheap to solve */
#define LONG_FRAMES 500u  /* for longer clips hundreds of tries take too long */

/* Joints times frames: the independent solver keeps 2 KB of each while it compares the codings of
 * single tracks, so that larger clips are left to it only if nothing else holds. */
#define MOST_INDEPENDENT ((uint64_t)1 << 17)

static plan plan_of(const enc_source *source, const enc_options *options)
{
    uint32_t effort = options->effort;
    static const plan fast = {1, 0, 1, 0, 1.0}, common = {2, 0, 1, 0, 1.0};
    static const plan brief = {3, 0, 3, 0, 1.01}, pinning = {3, 0, 3, 0, HUGE_VAL};
    static const plan most = {ENC_RAMPS, 1, FINALISTS, 2, HUGE_VAL};
    static const plan lengthy = {ENC_RAMPS, 1, 3, 0, HUGE_VAL};
    if (effort == ENC_EFFORT_FAST)
        return fast;
    if (effort == ENC_EFFORT_MAX)
        return source->frame_count <= LONG_FRAMES ? most : lengthy;
    if (source->frame_count > SHORT_FRAMES)
        return common;
    return options->pinned != NULL ? pinning : brief;
}

/* An allocation that is worth solving with other codecs. */
typedef struct {
    double *share;
    uint64_t bits; /* size with delta */
    bool relax;
} finalist;

typedef struct {
    const enc_source *source;
    const enc_options *options;
    enc_allocation allocation;
    finalist finalists[FINALISTS]; /* best first */
    uint32_t finalist_count;
    finalist winner;   /* the allocation of `best` */
    enc_solution best; /* the best with any allowed codec */
    const enc_codec *codec;
    enc_report report;
    int32_t failure; /* the first failure, while there is no solution */
} search;

/* Returns whether the options allow a codec. Sparse and dense are never allowed, because they have
 * other solvers. */
static bool allowed(const search *s, const enc_codec *codec)
{
    return (s->options->codecs >> codec->codec & 1u) != 0u;
}

/* Adopts a solution if it is the cheapest so far. */
static void offer(search *s, const enc_codec *codec, enc_solution *solution,
                  const enc_report *report)
{
    if (s->best.tracks != NULL && s->best.bits <= solution->bits) {
        enc_solution_release(solution);
        return;
    }
    enc_solution_release(&s->best);
    s->best = *solution;
    s->report = *report;
    s->codec = codec;
}

/* Records the result of a try: a solution, or the first reason for its failure. */
static void note(search *s, const enc_codec *codec, int32_t status, enc_solution *solution,
                 const enc_report *report)
{
    if (status == ENC_OK && solution->tracks != NULL) {
        offer(s, codec, solution, report);
    } else if (status != ENC_OK && s->best.tracks == NULL && s->failure == ENC_OK) {
        s->failure = status;
        s->report = *report;
    }
}

static void offer_finalist(search *s, uint64_t bits)
{
    uint32_t joints = s->source->skeleton->joint_count, at = s->finalist_count;
    while (at > 0u && bits < s->finalists[at - 1u].bits)
        at--;
    if (at == FINALISTS)
        return;
    finalist last = s->finalists[FINALISTS - 1u];
    if (s->finalist_count < FINALISTS)
        last = s->finalists[s->finalist_count++];
    memmove(&s->finalists[at + 1u], &s->finalists[at],
            (s->finalist_count - 1u - at) * sizeof *s->finalists);
    s->finalists[at] = (finalist){last.share, bits, s->allocation.relax};
    memcpy(last.share, s->allocation.share, joints * sizeof *last.share);
}

static void take_finalist(search *s, uint32_t index)
{
    const finalist *finalist = &s->finalists[index];
    memcpy(s->allocation.share, finalist->share,
           s->source->skeleton->joint_count * sizeof *finalist->share);
    s->allocation.relax = finalist->relax;
}

/* Solves with delta. */
static int32_t try_delta(search *s, enc_solution *best, enc_report *report)
{
    enc_solution solution;
    enc_report found = s->report;
    int32_t status = enc_allocation_solve(&s->allocation, &enc_delta_codec, ENC_EFFORT_FAST,
                                          UINT64_MAX, &solution, &found);
    if (status != ENC_OK) {
        if (best->tracks == NULL)
            *report = found;
        return status;
    }
    offer_finalist(s, solution.bits);
    if (best->tracks == NULL || solution.bits < best->bits) {
        enc_solution_release(best);
        *best = solution;
        *report = found;
    } else {
        enc_solution_release(&solution);
    }
    return ENC_OK;
}

/* Searches allocations with the delta codec and offers its solutions. Whether it pays that pinned
 * joints place themselves depends on the clip. */
static int32_t choose_shares(search *s)
{
    enc_solution best = {0};
    enc_report report = s->report;
    plan plan = plan_of(s->source, s->options);
    int32_t status = ENC_OK;
    for (uint32_t ramp = 0; ramp < ENC_RAMPS && status != ENC_ERROR_MEMORY; ramp++) {
        if (ramp >= plan.ramps && best.tracks != NULL)
            break;
        enc_allocation_set_ramp(&s->allocation, ramp);
        s->allocation.relax = false;
        status = try_delta(s, &best, &report);
        if (s->options->pinned == NULL || status == ENC_ERROR_MEMORY)
            continue;
        s->allocation.relax = true;
        status = try_delta(s, &best, &report);
    }
    if (best.tracks != NULL && status != ENC_ERROR_MEMORY) {
        take_finalist(s, 0);
        status = enc_allocation_refine(&s->allocation, &enc_delta_codec, ENC_EFFORT_FAST,
                                       plan.passes, &best, &report);
        if (best.bits < s->finalists[0].bits)
            offer_finalist(s, best.bits);
    }
    if (status == ENC_ERROR_MEMORY || (best.tracks != NULL && !allowed(s, &enc_delta_codec)))
        enc_solution_release(&best);
    else
        note(s, &enc_delta_codec, best.tracks != NULL ? ENC_OK : status, &best, &report);
    return status == ENC_ERROR_MEMORY ? status : ENC_OK;
}

/* Solves with the present allocation and offers the result. */
static int32_t try_codec(search *s, const enc_codec *codec, uint32_t effort)
{
    enc_solution solution = {0};
    enc_report report = s->report;
    uint64_t most_bits = s->best.tracks != NULL ? s->best.bits : UINT64_MAX;
    int32_t status =
        enc_allocation_solve(&s->allocation, codec, effort, most_bits, &solution, &report);
    note(s, codec, status, &solution, &report);
    if (s->best.tracks != NULL && s->best.bits < most_bits) {
        s->winner.relax = s->allocation.relax;
        s->winner.bits = s->best.bits;
        memcpy(s->winner.share, s->allocation.share,
               s->source->skeleton->joint_count * sizeof *s->winner.share);
    }
    return status;
}

/* Changes the shares of single joints in the best solution. */
static int32_t refine_winner(search *s)
{
    plan plan = plan_of(s->source, s->options);
    enc_solution solution = {0};
    enc_report report = s->report;
    const enc_codec *codec = s->codec;
    if (plan.refining == 0u || s->winner.bits == 0u)
        return ENC_OK;
    memcpy(s->allocation.share, s->winner.share,
           s->source->skeleton->joint_count * sizeof *s->winner.share);
    s->allocation.relax = s->winner.relax;
    uint32_t effort = s->options->effort;
    int32_t status =
        enc_allocation_solve(&s->allocation, codec, effort, UINT64_MAX, &solution, &report);
    if (status == ENC_OK)
        status =
            enc_allocation_refine(&s->allocation, codec, effort, plan.refining, &solution, &report);
    if (status != ENC_OK) {
        enc_solution_release(&solution);
        return status == ENC_ERROR_MEMORY ? status : ENC_OK;
    }
    offer(s, codec, &solution, &report);
    return ENC_OK;
}

/* Returns whether the size of a fast fit suggests that the codec can beat the best so far. */
static int32_t promises(search *s, const enc_codec *codec, bool *promise)
{
    *promise = true;
    if (s->options->effort == ENC_EFFORT_FAST || s->best.tracks == NULL ||
        s->codec == &enc_delta_codec || s->codec == codec)
        return ENC_OK;
    enc_solution solution;
    enc_report report = s->report;
    bool brief = s->source->frame_count <= SHORT_FRAMES;
    double worth = brief ? WORTH_A_CLOSER_LOOK_BRIEF : WORTH_A_CLOSER_LOOK;
    uint64_t before = s->best.bits, most_bits = (uint64_t)((double)before * worth);
    enc_solution rival = s->best; /* the copy stays valid until the try ends */
    s->allocation.rival =
        brief ? NULL : &rival; /* the first joints of a short clip predict little */
    s->allocation.worth = worth;
    int32_t status =
        enc_allocation_solve(&s->allocation, codec, ENC_EFFORT_FAST, most_bits, &solution, &report);
    s->allocation.rival = NULL;
    *promise = status == ENC_OK && solution.tracks != NULL;
    if (*promise) {
        /* a long clip that hardly gains is not keyframed, and better fits do not change that */
        *promise = brief || (double)solution.bits < KEYED * (double)before;
        offer(s, codec, &solution, &report);
    }
    return status;
}

/* Codes the clip with one codec. */
static int32_t solve_with(search *s, const enc_codec *codec)
{
    uint32_t effort = s->options->effort;
    plan plan = plan_of(s->source, s->options);
    if (codec->prices_errors && effort != ENC_EFFORT_MAX)
        plan.finalists = 1;
    if (codec == &enc_velocity_codec)
        plan.close = HUGE_VAL; /* the codec's sizes hardly follow those of delta */
    bool solved = false;
    for (uint32_t i = 0; i < s->finalist_count && i < plan.finalists; i++) {
        bool promise;
        if ((double)s->finalists[i].bits > plan.close * (double)s->finalists[0].bits)
            break;
        take_finalist(s, i);
        if (codec->prices_errors && i == 0u)
            enc_allocation_set_large(&s->allocation);
        int32_t status = promises(s, codec, &promise);
        if (status == ENC_OK && promise)
            status = try_codec(s, codec, effort);
        if (status == ENC_ERROR_MEMORY)
            return status;
        solved = solved || status == ENC_OK;
    }
    s->allocation.relax = s->options->pinned != NULL;
    for (uint32_t ramp = 0; ramp < ENC_RAMPS && !solved; ramp++) {
        if (codec->prices_errors && ramp == 0u)
            enc_allocation_set_large(&s->allocation);
        else
            enc_allocation_set_ramp(&s->allocation, ramp);
        int32_t status = try_codec(s, codec, effort);
        if (status == ENC_ERROR_MEMORY)
            return status;
        solved = status == ENC_OK;
    }
    return ENC_OK;
}

/* The last resort: follows the source as closely as the steps allow. The report has the smallest
 * possible error if that exceeds the tolerance. */
static int32_t solve_finest(search *s)
{
    for (size_t i = ENC_CODECS; i-- > 0;)
        if (allowed(s, enc_codecs[i]))
            s->codec = enc_codecs[i];
    enc_allocation_set_ramp(&s->allocation, 0);
    return enc_allocation_finest(&s->allocation, s->codec, &s->best, &s->report);
}

/* Returns whether to try the independent solver for a full-body clip: if nothing else holds, or if
 * joints that follow the source may cost less than joints that compensate for others, which makes
 * even constant joints move. With sparse keys the latter is rare. */
static bool may_pay_independent(const search *s, const enc_codec *codec,
                                const enc_codec *compensated)
{
    uint64_t size = (uint64_t)s->source->skeleton->joint_count * s->source->frame_count;
    if (compensated == NULL)
        return s->failure == ENC_ERROR_TOLERANCE;
    return size <= MOST_INDEPENDENT && codec == compensated &&
           s->options->effort != ENC_EFFORT_FAST &&
           (codec == &enc_delta_codec || s->options->effort == ENC_EFFORT_MAX);
}

static int32_t solve_independent(search *s, const enc_codec *codec)
{
    enc_solution solution = {0};
    enc_report report = s->report;
    int32_t status = enc_independent_solve(s->source, codec, s->options, &solution, &report);
    if (status != ENC_ERROR_MEMORY)
        note(s, codec, status, &solution, &report);
    return status == ENC_ERROR_MEMORY ? status : ENC_OK;
}

static int32_t solve(search *s)
{
    bool layer = s->options->layer != 0;
    bool brief = s->source->frame_count <= SHORT_FRAMES;
    bool fast = s->options->effort == ENC_EFFORT_FAST;
    /* at low effort the quickest good codec is enough, and there is nothing to choose unless joints
     * are pinned; delta is far from the best for long clips, so that it need not search
     * allocations */
    bool quick = fast && allowed(s, &enc_transform_codec);
    bool single = fast && !allowed(s, &enc_delta_codec) && s->options->pinned == NULL;
    bool assume = !layer && (quick || single ||
                             (!brief && s->options->effort == ENC_EFFORT_DEFAULT &&
                              allowed(s, &enc_transform_codec) && s->options->pinned == NULL));
    int32_t status = ENC_OK;
    if (assume) {
        enc_allocation_set_ramp(&s->allocation, 0);
        s->allocation.relax = s->options->pinned != NULL;
        offer_finalist(s, 0);
    } else if (!layer) {
        status = choose_shares(s);
    }
    /* the likely winner comes first; the others have to show promise */
    const enc_codec *order[2u + ENC_CODECS] = {brief ? &enc_curve_codec : &enc_transform_codec,
                                               brief ? &enc_transform_codec : &enc_curve_codec};
    for (size_t i = 0; i < ENC_CODECS; i++) /* delta was solved to choose the allocation */
        if (enc_codecs[i] != &enc_delta_codec && enc_codecs[i] != order[0] &&
            enc_codecs[i] != order[1])
            order[2u + i] = enc_codecs[i];
    for (size_t i = 0; i < 2u + ENC_CODECS && !layer && status == ENC_OK; i++)
        if (order[i] != NULL && allowed(s, order[i]) &&
            (!quick || order[i] == &enc_transform_codec))
            status = solve_with(s, order[i]);
    if (status == ENC_OK)
        status = refine_winner(s);
    const enc_codec *compensated = s->codec;
    for (size_t i = 0; i < ENC_CODECS && status == ENC_OK; i++)
        if (allowed(s, enc_codecs[i]) &&
            (layer || may_pay_independent(s, enc_codecs[i], compensated)))
            status = solve_independent(s, enc_codecs[i]);
    if (status != ENC_OK || s->best.tracks != NULL)
        return status;
    return s->failure == ENC_ERROR_TOLERANCE ? solve_finest(s) : s->failure;
}

int32_t enc_search(const enc_source *source, const enc_options *options, const enc_codec **codec,
                   enc_solution *out, enc_report *report)
{
    *codec = enc_published_codec(options);
    if (*codec != NULL)
        return enc_published_solve(source, *codec, options, out, report);
    search s = {.source = source, .options = options, .report = *report};
    bool ready = enc_allocation_prepare(&s.allocation, source, options);
    for (uint32_t i = 0; i < FINALISTS; i++) {
        s.finalists[i].share = malloc(source->skeleton->joint_count * sizeof(double));
        ready = ready && s.finalists[i].share != NULL;
    }
    s.winner.share = malloc(source->skeleton->joint_count * sizeof(double));
    int32_t status = ready && s.winner.share != NULL ? solve(&s) : ENC_ERROR_MEMORY;
    if (status != ENC_OK)
        enc_solution_release(&s.best);
    *out = s.best;
    *codec = s.codec;
    *report = s.report;
    enc_allocation_release(&s.allocation);
    free(s.winner.share);
    for (uint32_t i = 0; i < FINALISTS; i++)
        free(s.finalists[i].share);
    return status;
}
