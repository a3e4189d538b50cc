/* Mixing local poses: weighted blends, masks, additive layers.
 *
 *     osc_player_evaluate(&walk, &pose);
 *     osc_player_evaluate(&run, &other);
 *     osc_mix_blend(&bank, &pose, &other, weight_q15, 0);      // two poses
 *     osc_mix_add(&bank, &pose, &breath, OSC_ONE_Q15, chest);  // a layer of differences
 *     osc_compose(&bank, &pose, model);
 *
 * Three poses and more, with weights that need not add up to anything:
 *
 *     uint32_t total = weights[0];
 *     for (i = 1; i < count; i++) {
 *         total += weights[i];
 *         osc_mix_toward(&bank, &pose, &others[i], osc_mix_share(weights[i], total), 0);
 *     }
 *     osc_mix_finish(&bank, &pose);
 *
 * Poses have joint_count elements of each kind, as in osc_pose, and belong to one skeleton: `bank`
 * says which sub-tracks its clips animate. Where no clip of the bank has one, a pose keeps what it
 * has: that is the bind pose, unless the game writes there. Two poses of one call may not overlap.
 * `scales` may be null in banks without scale.
 *
 * Weights are Q15, 0..OSC_ONE_Q15; others reach OSC_ASSERT. There are no negative weights: to
 * remove a layer, add its inverse, which osc_mix_difference computes from it and a pose without
 * differences (rotations 0 0 0 1, translations 0, scales 1):
 *
 *     osc_mix_difference(&bank, &inverse, &nothing, &layer);
 *     osc_mix_add(&bank, &pose, &inverse, weight_q15, 0);
 *
 * A mask has a factor for every joint, likewise Q15; the weight of a joint is weight * mask,
 * rounded half up. Without a mask (null) all joints have the weight. Everything is defined for
 * every input, to the same bits on every machine (SPEC.md 16). What it means needs unit rotations,
 * such as those of a player: as long as one to within 2^-12. Those of the pose that osc_mix_toward
 * changes may be of any length up to sqrt(2). */
#ifndef OSC_MIX_H
#define OSC_MIX_H

#include "ossicle.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Steps from a pose towards another: pose += (with - pose) * weight. Rotations go the shorter way
 * and are not normalised: osc_mix_finish does that once, after the last pose. Translations and
 * scales are right at once.
 * Rounding: rotations to within 2^-15 a component, translations and scales half up. A weight of 0
 * changes nothing, and neither does an equal pose; a weight of one gives the other pose, its
 * rotations to within 2^-15 and maybe negated. Cost: linear in joint_count. */
void osc_mix_toward(const osc_bank *bank, const osc_pose *pose, const osc_pose *with,
                    uint32_t weight_q15, const uint16_t *mask_q15);

/* Normalises the rotations of a pose. Those whose length is within 2^-15 of one stay as they are;
 * the others are then within 2^-15 of it. Zeros become the identity. */
void osc_mix_finish(const osc_bank *bank, const osc_pose *pose);

/* A blend of two poses, in one pass: osc_mix_toward whose rotations are normalised. Both poses have
 * unit rotations. For several poses that are not finished in between, see above; blends into one
 * pose, each with its share of the weights, are cheaper and differ little while poses are alike.
 * A weight of 0 changes nothing, and neither does an equal pose.
 * Error: a component of a rotation is within 2^-13.5 of the exact weighted and normalised sum. Its
 * length is within 2^-13.5 of one where those of both poses are one; otherwise it is off by no more
 * than the one that is off more, and 2^-13.5. Errors of blends that follow each other do not add
 * up: the length is then within 2^-13. Rotations whose dot product is within 2^-8 of 0 go either
 * way. Cost: linear in joint_count. Rotations that are in opposite hemispheres take a little
 * longer, and joints whose weight is 0 next to nothing. */
void osc_mix_blend(const osc_bank *bank, const osc_pose *pose, const osc_pose *with,
                   uint32_t weight_q15, const uint16_t *mask_q15);

/* The weight with which a pose joins others: weight / total, Q15, rounded half up. total: the sum
 * of its weight and theirs, in any unit that the weights share; weight <= total. 0 where the total
 * is 0. Range: weights below 2^16. Cost: one 32-bit division. */
uint32_t osc_mix_share(uint32_t weight, uint32_t total);

/* Adds a pose of differences to a pose: one of an additive clip (osc_clip_info), as `additive` of
 * codegen/CONFIGURATION.md makes it, or of osc_mix_difference.
 *   rotation    = rotation * nlerp(identity, difference, weight), normalised
 *   translation = translation + difference * weight
 *   scale       = scale * lerp(1, difference, weight)
 * Both have unit rotations. A weight of 0 changes nothing, and neither does a difference of
 * nothing. Error: a component of a rotation is within 2^-13. So is its length where those of both
 * poses are one; errors of lengths add up. */
void osc_mix_add(const osc_bank *bank, const osc_pose *pose, const osc_pose *difference,
                 uint32_t weight_q15, const uint16_t *mask_q15);

/* Makes a pose of differences, of all joints and kinds: what osc_mix_add turns `reference` into
 * `pose` with. `difference` may not be one of the others.
 *   rotation    = conjugate(reference) * pose, normalised, on the shorter way
 *   translation = pose - reference
 *   scale       = pose / reference, from -63 to 65; 65 or -63 where the reference is 0
 * Cost: three 32-bit divisions a joint where the bank has scale. */
void osc_mix_difference(const osc_bank *bank, const osc_pose *difference, const osc_pose *pose,
                        const osc_pose *reference);

#ifdef __cplusplus
}
#endif

#endif
