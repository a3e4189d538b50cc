#include "search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "playing.h"

#define HEADROOM_M 5e-7     /* what single precision files cost a judge who reads them */
#define HEADROOM_SHARE 0.01 /* but never more of the tolerance than this */
#define SHELL_SHARE 0.999   /* of the tolerance, for a joint's own shell */
#define MOST_SHARE 0.97
#define MIDPOINT_TRIES 6    /* midpoints are checked afterwards; each try tightens the frames */

/* Shares of the tolerance for joint origins: at the roots and at the deepest joints. */
typedef struct {
    double root, leaf;
} ramp;

static const ramp ramps[] = {{0.35, 0.75}, {0.2, 0.75}, {0.55, 0.9}, {0.12, 0.75}, {0.42, 0.75},
                             {0.2, 0.9},   {0.3, 0.9},  {0.42, 0.9}, {0.55, 0.75}, {0.12, 0.9}};
static const uint32_t ramps_at_effort[] = {1, 5, 10};
static const uint32_t passes_at_effort[] = {0, 1, 4};

typedef struct {
    const enc_source *source;
    const enc_codec *codec;
    const enc_options *options;
    double *share; /* per joint */
    uint32_t *depth;
    uint32_t deepest;
} search;

/* Solves with the present shares, tighter where midpoints stick out, and keeps the result if it is
 * cheaper than `best`. */
static int32_t try_shares(const search *s, bool compensate, enc_solution *best,
                          enc_report *best_report)
{
    double headroom = fmin(HEADROOM_M, s->options->tolerance_m * HEADROOM_SHARE);
    double limit = s->options->tolerance_m - headroom;
    enc_budget budget = {s->share, SHELL_SHARE, limit, s->options->shell_m, compensate};
    for (int i = 0; i < MIDPOINT_TRIES; i++) {
        enc_solution solution;
        enc_report report = *best_report;
        int32_t status = enc_chain_solve(s->source, s->codec, &budget, s->options, &solution,
                                         best->tracks == NULL ? best_report : &report);
        if (status != ENC_OK)
            return status;
        if (best->tracks != NULL && solution.bits >= best->bits) {
            enc_solution_release(&solution);
            return ENC_OK;
        }
        status = enc_measure_solution(s->source, &solution, s->options->shell_m, &report);
        if (status == ENC_OK && report.error_m <= limit) {
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
        budget.tolerance_m *= 0.995 * limit / report.error_m;
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

/* Moves one joint's share after the other, as long as that makes the clip cheaper. */
static int32_t refine_shares(search *s, enc_solution *best, enc_report *report)
{
    static const double factors[] = {0.7, 1.4, 0.85, 1.18};
    const uint32_t passes = passes_at_effort[s->options->effort];
    for (uint32_t pass = 0; pass < passes; pass++) {
        uint64_t before = best->bits;
        for (uint32_t joint = 0; joint < s->source->skeleton->joint_count; joint++)
            for (uint32_t i = 0; i < 4u && shares(s, joint); i++) {
                double kept = s->share[joint];
                uint64_t bits = best->bits;
                s->share[joint] = fmin(kept * factors[i], MOST_SHARE);
                if (try_shares(s, true, best, report) == ENC_ERROR_MEMORY)
                    return ENC_ERROR_MEMORY;
                if (best->bits == bits)
                    s->share[joint] = kept;
            }
        if (best->bits == before)
            break;
    }
    return ENC_OK;
}

int32_t enc_search(const enc_source *source, const enc_codec *codec, const enc_options *options,
                   enc_solution *out, enc_report *report)
{
    uint32_t joints = source->skeleton->joint_count;
    search s = {
        source, codec, options, malloc(joints * sizeof(double)), calloc(joints, sizeof(uint32_t)),
        0};
    int32_t status = s.share == NULL || s.depth == NULL ? ENC_ERROR_MEMORY : ENC_OK;
    memset(out, 0, sizeof *out);
    if (status == ENC_OK)
        measure_depth(&s);
    int32_t first_failure = ENC_OK;
    uint32_t best_ramp = 0;
    uint64_t best_bits = UINT64_MAX;
    for (uint32_t i = 0; i < ramps_at_effort[options->effort] && status != ENC_ERROR_MEMORY; i++) {
        set_ramp(&s, ramps[i]);
        status = try_shares(&s, true, out, report);
        if (status != ENC_OK && first_failure == ENC_OK)
            first_failure = status;
        if (out->tracks != NULL && out->bits < best_bits) {
            best_bits = out->bits;
            best_ramp = i;
        }
    }
    if (out->tracks == NULL && status != ENC_ERROR_MEMORY) {
        set_ramp(&s, (ramp){0.1, 0.95});
        status = try_shares(&s, true, out, report);
    }
    if (best_bits != UINT64_MAX && status != ENC_ERROR_MEMORY) {
        set_ramp(&s, ramps[best_ramp]);
        status = refine_shares(&s, out, report);
    }
    free(s.share);
    free(s.depth);
    if (status == ENC_ERROR_MEMORY) {
        enc_solution_release(out);
        return status;
    }
    return out->tracks != NULL ? ENC_OK : first_failure;
}
