/* The order in which the keys of a block move to tiers, common to all tracks: the next key is
 * always the one whose loss matters least to the tracks. A track's loss is measured relative to its
 * mean loss in this block, so that calm tracks, which lose most keys, count as much as wild
 * ones. */
#include <math.h>

#include <stdlib.h>

#include "base/arrays.h"
#include "published/tiers/plan.h"

#define FRAMES_MAX (1u << OSC_DENSE_BLOCK_LOG2_MAX)

typedef struct {
    const enc_tier_plan *plan;
    const uint8_t *kept;
    uint32_t first, end;
    double *weight;         /* [track] */
    bool there[FRAMES_MAX]; /* has a key that has not been moved */
    double cost[FRAMES_MAX];
} ordering;

/* Returns the distance of a row from the line between two others, for comparison within one track.
 */
static double off_line2(const enc_dense_track *track, uint32_t frame, uint32_t left, uint32_t right)
{
    uint32_t components = enc_components(track->format.kind);
    const int32_t *row = track->rows + (size_t)frame * components;
    const int32_t *a = track->rows + (size_t)left * components;
    const int32_t *b = track->rows + (size_t)right * components;
    double part = (double)(frame - left) / (right - left), sum = 0.0;
    for (uint32_t i = 0; i < components; i++) {
        double off = (double)a[i] + part * ((double)b[i] - a[i]) - row[i];
        sum += off * off;
    }
    return sum;
}

/* Returns the loss of a track without its keys between two others. */
static double loss2(const enc_dense_track *track, uint32_t left, uint32_t right)
{
    double worst = 0.0;
    for (uint32_t f = left + 1u; f < right; f++)
        worst = fmax(worst, off_line2(track, f, left, right));
    return worst;
}

/* Returns whether a key exists and may be moved. */
static bool may_go(const ordering *o, uint32_t frame)
{
    return o->there[frame - o->first] && frame != o->first && frame != o->end - 1u &&
           (o->kept == NULL || o->kept[frame] == 0);
}

static void neighbours(const ordering *o, uint32_t frame, uint32_t *left, uint32_t *right)
{
    for (*left = frame - 1u; !o->there[*left - o->first]; --*left) {
    }
    for (*right = frame + 1u; !o->there[*right - o->first]; ++*right) {
    }
}

/* Returns the loss of the tracks without another key. */
static double loss_without(const ordering *o, uint32_t frame)
{
    uint32_t left, right;
    double sum = 0.0;
    neighbours(o, frame, &left, &right);
    for (uint32_t i = 0; i < o->plan->track_count; i++)
        if (o->weight[i] > 0.0)
            sum += o->weight[i] * loss2(o->plan->tracks[i].track, left, right);
    return sum;
}

/* Weighs tracks by their bits, and against what each loses on average without one key. */
static void set_weights(ordering *o)
{
    for (uint32_t i = 0; i < o->plan->track_count; i++) {
        const enc_dense_track *track = o->plan->tracks[i].track;
        double sum = 0.0;
        for (uint32_t f = o->first; f < o->end; f++)
            if (may_go(o, f)) {
                uint32_t left, right;
                neighbours(o, f, &left, &right);
                sum += loss2(track, left, right);
            }
        o->weight[i] = sum > 0.0 ? enc_dense_key_bits(track, o->first) / sum : 0.0;
    }
}

int32_t enc_tier_order_block(enc_tier_plan *plan, uint32_t block, const uint8_t *kept)
{
    ordering o = {.plan = plan,
                  .kept = kept,
                  .first = block * plan->block_frames,
                  .end = enc_tier_block_end(plan, block)};
    const enc_dense_track *any = plan->tracks[0].track;
    bool complete = true;
    uint32_t keys = enc_dense_key_count(any, o.first), stay = 0;
    o.weight = enc_array(plan->track_count, sizeof *o.weight, &complete);
    if (!complete)
        return ENC_ERROR_MEMORY;
    for (uint32_t f = o.first; f < o.end; f++)
        o.there[f - o.first] = enc_dense_has_key(any, f);
    set_weights(&o);
    for (uint32_t f = o.first; f < o.end; f++)
        if (may_go(&o, f))
            o.cost[f - o.first] = loss_without(&o, f);
    for (;;) {
        uint32_t least = o.end, left, right;
        for (uint32_t f = o.first; f < o.end; f++)
            if (may_go(&o, f) && (least == o.end || o.cost[f - o.first] < o.cost[least - o.first]))
                least = f;
        if (least == o.end)
            break;
        o.there[least - o.first] = false;
        plan->index[least] = (uint8_t)--keys;
        neighbours(&o, least, &left, &right);
        if (may_go(&o, left))
            o.cost[left - o.first] = loss_without(&o, left);
        if (may_go(&o, right))
            o.cost[right - o.first] = loss_without(&o, right);
    }
    for (uint32_t f = o.first; f < o.end; f++) /* both ends are first, then those that stay */
        if (o.there[f - o.first])
            plan->index[f] = (uint8_t)(f == o.first ? 0u : f == o.end - 1u ? 1u : stay++ + 2u);
    free(o.weight);
    return ENC_OK;
}
