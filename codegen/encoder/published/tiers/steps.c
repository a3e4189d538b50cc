/* The steps of a block: in each step, the track loses a key whose loss moves the joints that it
 * carries least.
 *
 * Without some of its keys a track moves a joint by a small affine map, M' inverse(M), where M is
 * the joint's own matrix as coded and M' the one with the track's blended rows. The sum of these
 * maps, less the identity, over all tracks above a joint is the effect on the joint, to first
 * order. The clip is measured exactly after the tiers are chosen. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "base/shell.h"
#include "model/composed.h"
#include "published/tiers/plan.h"

#define NEVER HUGE_VAL /* the cost of a step that cannot be taken */

/* The next step of a track, if known. */
typedef struct {
    double cost;   /* the error afterwards of the joints that it moves, in tolerances */
    uint32_t keys; /* that it has */
    bool stale;    /* other tracks have moved since: the cost is too low */
} next_step;

typedef struct {
    const enc_tier_plan *plan;
    uint32_t first, end, frames; /* frames: of the longest block */
    enc_matrix *coded, *inverse; /* [joint][frame of the block]: the model, all keys there */
    enc_matrix *off;             /* [joint][frame]: of all tracks above, added up */
    enc_matrix *own;             /* [track][frame]: of one track */
    enc_matrix *tried;           /* [frame]: of the step being tried, less own */
    double *limit_m;             /* [joint] */
    uint32_t *frame_of;          /* [index] */
    next_step *next;             /* [track] */
} stepping;

static enc_matrix *at(const stepping *s, enc_matrix *of, uint32_t number, uint32_t frame)
{
    return of + (size_t)number * s->frames + (frame - s->first);
}

/* ---- geometry ---- */

/* A joint's own matrix with a row in place of one track's. */
static void local_with(const stepping *s, uint32_t joint, uint32_t kind, const int32_t *row,
                       uint32_t frame, enc_matrix *out)
{
    double value[ENC_KINDS][4];
    for (uint32_t k = 0; k < ENC_KINDS; k++) {
        const int32_t *from =
            row != NULL && k == kind
                ? row
                : enc_choice_row(&s->plan->solution->tracks[joint * ENC_KINDS + k], k, frame);
        for (uint32_t i = 0; i < enc_components(k); i++)
            value[k][i] = from[i] / (double)OSC_ONE_Q20;
    }
    enc_source_matrix(s->plan->source, joint, value[ENC_ROTATION], value[ENC_TRANSLATION],
                      value[ENC_SCALE], out);
}

static void place_joint(const stepping *s, uint32_t joint, uint32_t frame, const enc_matrix *local,
                        enc_matrix *out)
{
    int32_t parent = s->plan->source->skeleton->parents[joint];
    if (parent < 0)
        *out = *local;
    else
        enc_matrix_multiply(at(s, s->coded, (uint32_t)parent, frame), local, out);
}

/* Returns false if a joint is flat. */
static bool invert(const enc_matrix *a, enc_matrix *out)
{
    double adjugate[9], determinant = enc_adjugate(a, adjugate);
    if (!(fabs(determinant) > 1e-12))
        return false;
    for (uint32_t i = 0; i < 3u; i++) {
        double *row = out->m + 4u * i;
        for (uint32_t c = 0; c < 3u; c++)
            row[c] = adjugate[3u * i + c] / determinant;
        row[3] = -(row[0] * a->m[3] + row[1] * a->m[7] + row[2] * a->m[11]);
    }
    return true;
}

static void begin_block(stepping *s)
{
    uint32_t joints = s->plan->source->skeleton->joint_count;
    memset(s->off, 0, (size_t)joints * s->frames * sizeof *s->off);
    memset(s->own, 0, (size_t)s->plan->track_count * s->frames * sizeof *s->own);
    for (uint32_t joint = 0; joint < joints; joint++)
        for (uint32_t f = s->first; f < s->end; f++) {
            enc_matrix local;
            local_with(s, joint, ENC_KINDS, NULL, f, &local);
            place_joint(s, joint, f, &local, at(s, s->coded, joint, f));
            if (!invert(at(s, s->coded, joint, f), at(s, s->inverse, joint, f)))
                at(s, s->inverse, joint, f)->m[0] = NAN; /* no step moves it */
        }
}

/* ---- one step ---- */

/* The keys around the next one that a track would lose. */
static void gap_of(const stepping *s, uint32_t track, uint32_t *left, uint32_t *right)
{
    const uint8_t *index = s->plan->index;
    const enc_dense_track *dense = s->plan->tracks[track].track;
    uint32_t last = s->next[track].keys - 1u, frame = s->frame_of[last];
    for (*left = frame - 1u; !enc_dense_has_key(dense, *left) || index[*left] >= last; --*left) {
    }
    for (*right = frame + 1u; !enc_dense_has_key(dense, *right) || index[*right] >= last;
         ++*right) {
    }
}

/* The effect of the track at the frames of the gap, less its present effect. */
static void try_step(const stepping *s, uint32_t track, uint32_t left, uint32_t right)
{
    const enc_tier_track *t = &s->plan->tracks[track];
    for (uint32_t f = left + 1u; f < right; f++) {
        int32_t row[4];
        enc_matrix local, moved, *tried = s->tried + (f - s->first);
        enc_dense_mix(t->track, f, left, right, row);
        local_with(s, t->joint, t->kind, row, f, &local);
        place_joint(s, t->joint, f, &local, &moved);
        enc_matrix_multiply(&moved, at(s, s->inverse, t->joint, f), tried);
        const enc_matrix *own = at(s, s->own, track, f);
        for (uint32_t i = 0; i < 12u; i++)
            tried->m[i] -= own->m[i] + (i % 5u == 0u ? 1.0 : 0.0);
    }
}

/* The error of a joint in tolerances, after the step that was tried. */
static double error_after(const stepping *s, uint32_t joint, uint32_t frame)
{
    const enc_matrix *off = at(s, s->off, joint, frame), *tried = s->tried + (frame - s->first);
    const enc_matrix *coded = at(s, s->coded, joint, frame);
    const enc_matrix *exact = enc_source_model(s->plan->source, joint, 2u * frame);
    enc_matrix sum, moved;
    for (uint32_t i = 0; i < 12u; i++)
        sum.m[i] = off->m[i] + tried->m[i];
    enc_matrix_multiply(&sum, coded, &moved);
    for (uint32_t i = 0; i < 12u; i++)
        moved.m[i] += coded->m[i];
    return sqrt(enc_shell_error2(exact, &moved, &s->plan->options->shell,
                                 &s->plan->source->skeleton->spaces[joint])) /
           s->limit_m[joint];
}

static double cost_of(const stepping *s, uint32_t track)
{
    const enc_skeleton *skeleton = s->plan->source->skeleton;
    uint32_t joint = s->plan->tracks[track].joint, left, right;
    const uint32_t *below = skeleton->preorder + skeleton->preorder_index[joint];
    double worst = 0.0;
    gap_of(s, track, &left, &right);
    try_step(s, track, left, right);
    for (uint32_t i = 0; i < skeleton->subtree_size[joint]; i++)
        for (uint32_t f = left + 1u; f < right; f++) {
            double error = error_after(s, below[i], f);
            if (isnan(error))
                return NEVER;
            worst = fmax(worst, error);
        }
    return worst;
}

/* Returns whether one of two joints carries the other. */
static bool related(const enc_skeleton *skeleton, uint32_t a, uint32_t b)
{
    uint32_t i = skeleton->preorder_index[a], k = skeleton->preorder_index[b];
    return i <= k ? k < i + skeleton->subtree_size[a] : i < k + skeleton->subtree_size[b];
}

static void take_step(stepping *s, uint32_t track)
{
    const enc_skeleton *skeleton = s->plan->source->skeleton;
    uint32_t joint = s->plan->tracks[track].joint, left, right;
    const uint32_t *below = skeleton->preorder + skeleton->preorder_index[joint];
    gap_of(s, track, &left, &right);
    try_step(s, track, left, right);
    for (uint32_t f = left + 1u; f < right; f++)
        for (uint32_t k = 0; k < 12u; k++) {
            double more = s->tried[f - s->first].m[k];
            at(s, s->own, track, f)->m[k] += more;
            for (uint32_t i = 0; i < skeleton->subtree_size[joint]; i++)
                at(s, s->off, below[i], f)->m[k] += more;
        }
    s->next[track].keys--;
    for (uint32_t i = 0; i < s->plan->track_count; i++)
        s->next[i].stale = s->next[i].stale || related(skeleton, joint, s->plan->tracks[i].joint);
}

/* ---- all steps ---- */

/* Finds the next key that a track would lose. least: the keys that it does not lose */
static void look_ahead(stepping *s, uint32_t track, uint32_t least)
{
    next_step *next = &s->next[track];
    bool has_more =
        next->keys > least && enc_dense_key_bits(s->plan->tracks[track].track, s->first) != 0u;
    next->cost = has_more ? cost_of(s, track) : NEVER;
    next->stale = false;
}

/* The track whose next step costs least. */
static uint32_t choose_track(stepping *s, uint32_t least)
{
    for (;;) {
        uint32_t best = 0;
        for (uint32_t i = 1; i < s->plan->track_count; i++)
            if (s->next[i].cost < s->next[best].cost)
                best = i;
        if (!s->next[best].stale)
            return best;
        look_ahead(s, best, least);
    }
}

/* The keys of a block that never leave. */
static uint32_t least_keys(const stepping *s, const uint8_t *kept)
{
    const enc_dense_track *any = s->plan->tracks[0].track;
    uint32_t count = 0;
    for (uint32_t f = s->first; f < s->end; f++)
        if (enc_dense_has_key(any, f) &&
            (enc_dense_is_end(any, f) || (kept != NULL && kept[f] != 0)))
            count++;
    return count;
}

static int32_t step_block(stepping *s, uint32_t block, const uint8_t *kept, enc_tier_step **out,
                          uint32_t *out_count)
{
    const enc_tier_plan *plan = s->plan;
    s->first = block * plan->block_frames;
    s->end = enc_tier_block_end(plan, block);
    uint32_t keys = enc_dense_key_count(plan->tracks[0].track, s->first);
    uint32_t least = least_keys(s, kept);
    bool complete = true;
    enc_tier_step *steps =
        enc_array((size_t)(keys - least) * plan->track_count, sizeof *steps, &complete);
    if (!complete)
        return ENC_ERROR_MEMORY;
    *out = steps;
    if (keys == least)
        return ENC_OK;
    for (uint32_t f = s->first; f < s->end; f++)
        if (enc_dense_has_key(plan->tracks[0].track, f))
            s->frame_of[plan->index[f]] = f;
    begin_block(s);
    for (uint32_t i = 0; i < plan->track_count; i++) {
        s->next[i].keys = keys;
        look_ahead(s, i, least);
    }
    double error = 0.0;
    for (;;) {
        uint32_t track = choose_track(s, least);
        if (s->next[track].cost == NEVER)
            return ENC_OK;
        error = fmax(error, s->next[track].cost);
        take_step(s, track);
        look_ahead(s, track, least);
        steps[(*out_count)++] =
            (enc_tier_step){(uint16_t)track, (uint8_t)s->next[track].keys, (float)error};
    }
}

int32_t enc_tier_find_steps(enc_tier_plan *plan, const uint8_t *kept)
{
    stepping s = {.plan = plan};
    uint32_t joints = plan->source->skeleton->joint_count;
    bool complete = true;
    s.frames = plan->block_frames;
    size_t of_joints = (size_t)joints * s.frames;
    s.coded = enc_array(of_joints, sizeof *s.coded, &complete);
    s.inverse = enc_array(of_joints, sizeof *s.inverse, &complete);
    s.off = enc_array(of_joints, sizeof *s.off, &complete);
    s.own = enc_array((size_t)plan->track_count * s.frames, sizeof *s.own, &complete);
    s.tried = enc_array(s.frames, sizeof *s.tried, &complete);
    s.limit_m = enc_array(joints, sizeof *s.limit_m, &complete);
    s.frame_of = enc_array(s.frames, sizeof *s.frame_of, &complete);
    s.next = enc_array(plan->track_count, sizeof *s.next, &complete);
    int32_t status = complete ? ENC_OK : ENC_ERROR_MEMORY;
    for (uint32_t joint = 0; joint < joints && complete; joint++)
        s.limit_m[joint] = enc_limit_m(plan->options, joint);
    for (uint32_t block = 0; block < plan->block_count && status == ENC_OK; block++)
        status = step_block(&s, block, kept, &plan->steps[block], &plan->step_count[block]);
    free(s.coded);
    free(s.inverse);
    free(s.off);
    free(s.own);
    free(s.tried);
    free(s.limit_m);
    free(s.frame_of);
    free(s.next);
    return status;
}
