#include "published/tiers/tiers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "model/measure.h"
#include "published/osc_dense_arithmetic.h"
#include "published/tiers/classes.h"

/* A class costs instructions in every row. The clip has the fewest classes that leave at most 1 /
 * CLASSES_WORTH more bits in lower tiers than the best number. */
#define CLASSES_MOST OSC_DENSE_CLASSES
#define CLASSES_WORTH 32u

/* ---- from steps to classes ---- */

/* A block being assigned. The first class is that of tracks with other keys than variable ones. */
typedef struct {
    enc_tier_class *classes; /* [1 + track] */
    uint32_t *member;
} scratch;

static bool has_own_class(const enc_tier_plan *plan, uint32_t track)
{
    return plan->tracks[track].track->codes != NULL;
}

/* Finds the keys that every track keeps once all steps within the limits are taken. */
static void take_steps(const enc_tier_plan *plan, uint32_t block, uint32_t tiers,
                       const double *limits, enc_tier_class *classes)
{
    uint32_t first = block * plan->block_frames;
    uint32_t keys = enc_dense_key_count(plan->tracks[0].track, first);
    for (uint32_t i = 0; i <= plan->track_count; i++) {
        classes[i].key_bits = i == 0u ? 0u : enc_dense_key_bits(plan->tracks[i - 1u].track, first);
        memset(classes[i].keys, i == 0u ? 0 : (int)keys, sizeof classes[i].keys);
    }
    for (uint32_t i = 0; i < plan->step_count[block]; i++) {
        const enc_tier_step *step = &plan->steps[block][i];
        for (uint32_t t = 0; t < tiers; t++)
            if ((double)step->error <= limits[t])
                classes[1u + step->track].keys[t] = step->keys_left;
    }
}

/* Merges all tracks that cannot have a class of their own into the first class. Tracks without bits
 * are in any class. */
static void share_first(const enc_tier_plan *plan, uint32_t tiers, enc_tier_class *classes)
{
    for (uint32_t i = 0; i < plan->track_count; i++) {
        if (has_own_class(plan, i) || classes[1u + i].key_bits == 0u)
            continue;
        for (uint32_t t = 0; t < tiers; t++)
            if (classes[1u + i].keys[t] > classes[0].keys[t])
                classes[0].keys[t] = classes[1u + i].keys[t];
        classes[0].key_bits += classes[1u + i].key_bits;
        classes[1u + i].key_bits = 0;
    }
    for (uint32_t i = 1; i <= plan->track_count; i++)
        if (classes[i].key_bits == 0u)
            memset(classes[i].keys, 0, sizeof classes[i].keys);
}

/* Lists the keys that every track of a block keeps, each in a class of its own. Returns their
 * number. */
static uint32_t begin_classes(const enc_tier_plan *plan, uint32_t block, uint32_t tiers,
                              const double *limits, const scratch *s)
{
    take_steps(plan, block, tiers, limits + (size_t)block * tiers, s->classes);
    share_first(plan, tiers, s->classes);
    return plan->track_count + 1u;
}

/* The bits of a block in the clip: its keys, and the map of all positions. */
static uint64_t bits_in_clip(const enc_tier_plan *plan, uint32_t block, uint32_t tiers,
                             const scratch *s, uint32_t used, uint32_t count)
{
    const enc_dense_track *any = plan->tracks[0].track;
    uint32_t keys = enc_dense_key_count(any, block * plan->block_frames);
    uint64_t bits = osc_dense_order_bits(any->restart_log2) * (keys + count * tiers) + 32u * tiers;
    for (uint32_t i = 0; i < used; i++)
        bits += (uint64_t)s->classes[i].keys[0] * s->classes[i].key_bits;
    return bits;
}

/* Chooses the number of classes for the tracks of the clip. */
static uint32_t choose_count(const enc_tier_plan *plan, uint32_t tiers, const double *limits,
                             const scratch *s)
{
    uint64_t bits[CLASSES_MOST + 1u] = {0}, least = UINT64_MAX;
    for (uint32_t block = 0; block < plan->block_count; block++) {
        uint32_t used = begin_classes(plan, block, tiers, limits, s);
        for (uint32_t count = CLASSES_MOST; count != 0u; count--) {
            used = enc_tier_merge(s->classes, used, tiers, count, s->member);
            bits[count] += bits_in_clip(plan, block, tiers, s, used, count);
            for (uint32_t i = 0; i < used; i++)
                for (uint32_t t = 1; t < tiers; t++)
                    bits[count] += (uint64_t)s->classes[i].keys[t] * s->classes[i].key_bits;
        }
    }
    for (uint32_t count = 1; count <= CLASSES_MOST; count++)
        least = bits[count] < least ? bits[count] : least;
    uint32_t count = 1;
    while (bits[count] > least + least / CLASSES_WORTH)
        count++;
    return count;
}

/* Finds the classes of a block's tracks, at most the chosen number. Returns their number. */
static uint32_t classify(const enc_tier_plan *plan, uint32_t block, uint32_t tiers,
                         const double *limits, const scratch *s)
{
    uint32_t all = begin_classes(plan, block, tiers, limits, s);
    return enc_tier_merge(s->classes, all, tiers, plan->in_tiers.class_count, s->member);
}

static void assign_block(enc_tier_plan *plan, uint32_t block, const scratch *s, uint32_t used)
{
    uint32_t count = plan->in_tiers.class_count, tiers = plan->in_tiers.tier_count;
    uint8_t *counts = plan->in_tiers.counts + (size_t)block * count * tiers;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t t = 0; t < tiers; t++)
            counts[i * tiers + t] = i < used ? s->classes[i].keys[t] : OSC_DENSE_LEAST_KEYS;
    for (uint32_t i = 0; i < plan->track_count; i++)
        plan->classes[(size_t)i * plan->block_count + block] =
            (uint8_t)(has_own_class(plan, i) ? s->member[1u + i] : 0u);
}

static bool scratch_new(scratch *s, const enc_tier_plan *plan)
{
    bool complete = true;
    s->classes = enc_array(plan->track_count + 1u, sizeof *s->classes, &complete);
    s->member = enc_array(plan->track_count + 1u, sizeof *s->member, &complete);
    return complete;
}

static void scratch_release(scratch *s)
{
    free(s->classes);
    free(s->member);
}

int32_t enc_tiers_choose_classes(enc_tier_plan *plan, uint32_t tiers, const double *limits)
{
    scratch s;
    bool complete = scratch_new(&s, plan);
    if (complete)
        plan->in_tiers.class_count = choose_count(plan, tiers, limits, &s);
    scratch_release(&s);
    return complete ? ENC_OK : ENC_ERROR_MEMORY;
}

/* Adds up the bits of a block. */
static void count_block(const enc_tier_plan *plan, uint32_t block, uint32_t tiers, const scratch *s,
                        uint32_t used, uint64_t *bits)
{
    uint32_t keys = enc_dense_key_count(plan->tracks[0].track, block * plan->block_frames);
    bits[0] += bits_in_clip(plan, block, tiers, s, used, plan->in_tiers.class_count);
    for (uint32_t i = 0; i < used; i++)
        for (uint32_t t = 1; t <= tiers; t++) {
            uint32_t with = t < tiers ? s->classes[i].keys[t] : keys;
            bits[t] += (uint64_t)(with - s->classes[i].keys[t - 1u]) * s->classes[i].key_bits;
        }
}

int32_t enc_tiers_count(const enc_tier_plan *plan, uint32_t tiers, const double *limits,
                        uint64_t *bits)
{
    scratch s;
    bool complete = scratch_new(&s, plan);
    for (uint32_t block = 0; block < plan->block_count && complete; block++)
        count_block(plan, block, tiers, &s, classify(plan, block, tiers, limits, &s), bits);
    scratch_release(&s);
    return complete ? ENC_OK : ENC_ERROR_MEMORY;
}

int32_t enc_tiers_assign(enc_tier_plan *plan, uint32_t tiers, const double *limits)
{
    scratch s;
    bool complete = scratch_new(&s, plan);
    plan->in_tiers.tier_count = tiers;
    for (uint32_t block = 0; block < plan->block_count && complete; block++)
        assign_block(plan, block, &s, classify(plan, block, tiers, limits, &s));
    scratch_release(&s);
    if (!complete)
        return ENC_ERROR_MEMORY;
    for (uint32_t i = 0; i < plan->track_count; i++) {
        plan->tracks[i].track->tiers = &plan->in_tiers;
        plan->tracks[i].track->classes = plan->classes + (size_t)i * plan->block_count;
    }
    return ENC_OK;
}

/* ---- the clip without tiers ---- */

/* Computes the rows of a block whose keys are missing from their neighbours. */
static void blend_block(const enc_tier_plan *plan, uint32_t number, uint32_t block, uint32_t with)
{
    enc_dense_track *track = plan->tracks[number].track;
    uint32_t first = block * plan->block_frames, left = first;
    uint32_t components = enc_components(track->format.kind);
    if (with >= plan->in_tiers.tier_count || enc_dense_key_bits(track, first) == 0u)
        return;
    uint32_t most = enc_dense_keys_with(
        &plan->in_tiers, block, plan->classes[(size_t)number * plan->block_count + block], with);
    for (uint32_t f = first; f < enc_tier_block_end(plan, block); f++) {
        if (!enc_dense_has_key(track, f) || plan->index[f] >= most)
            continue;
        for (uint32_t between = left + 1u; between < f; between++)
            enc_dense_mix(track, between, left, f, track->rows + (size_t)between * components);
        left = f;
    }
}

/* The largest error in each block, in tolerances. over: [joint][sample] */
static void find_worst(const enc_tier_plan *plan, const double *over, double *worst)
{
    const enc_source *source = plan->source;
    for (uint32_t block = 0; block < plan->block_count; block++)
        worst[block] = 0.0;
    for (uint32_t sample = 0; sample < source->sample_count; sample++) {
        uint32_t frame = enc_sample_q11(source, sample) / OSC_ONE_Q11;
        if (frame >= plan->row_count) /* the end of a loop: the first row */
            continue;
        double *of_block = &worst[frame / plan->block_frames];
        for (uint32_t joint = 0; joint < source->skeleton->joint_count; joint++)
            *of_block = fmax(*of_block, over[(size_t)joint * source->sample_count + sample]);
    }
}

int32_t enc_tiers_measure(const enc_tier_plan *plan, uint32_t with, enc_report *report,
                          double *worst)
{
    const enc_source *source = plan->source;
    size_t words = (size_t)plan->row_count * 4u;
    bool complete = true;
    int32_t *rows = enc_array(plan->track_count * words, sizeof *rows, &complete);
    double *over = enc_array((size_t)source->skeleton->joint_count * source->sample_count,
                             sizeof *over, &complete);
    int32_t status = ENC_ERROR_MEMORY;
    if (complete) {
        for (uint32_t i = 0; i < plan->track_count; i++) {
            memcpy(rows + i * words, plan->tracks[i].track->rows, words * sizeof *rows);
            for (uint32_t block = 0; block < plan->block_count; block++)
                blend_block(plan, i, block, with);
        }
        status = enc_measure_solution(source, plan->solution, plan->options, report, over);
        for (uint32_t i = 0; i < plan->track_count; i++)
            memcpy(plan->tracks[i].track->rows, rows + i * words, words * sizeof *rows);
    }
    if (status == ENC_OK)
        find_worst(plan, over, worst);
    free(rows);
    free(over);
    return status;
}
