/* SPDX-License-Identifier: MIT */
/* Solving joints: limbs that reach for a point, joints that look at one, and single turns.
 *
 * Call these functions between osc_compose and drawing: they read model-space matrices and correct
 * the local rotations of a pose. Then compose the joints below again.
 *
 *     osc_compose(&bank, &pose, model);
 *     osc_ik_two_bone(&leg, &goal, model, &pose);     // the foot on the ground
 *     osc_recompose(&bank, &pose, leg.start, model);  // the leg and the joints below
 *
 * `model` must be the result of osc_compose for `pose`: compose again before solving another limb
 * or chain that shares a joint with this one. Joints and axes are constants of the game, not data
 * of a bank.
 *
 * Number formats: points, axes and rotations in Q20, weights in Q15. Model matrices rotate and
 * scale; scales must be above 0, and those of joints above a solved joint must be the same in x, y
 * and z. If a matrix mirrors, or its scale differs along its axes, the axes are only normalised:
 * the joint rotates about these, which differs from what is drawn. Mirror the pose afterwards
 * instead (osc_mix.h). Bounds hold for scales of 1/4 and above, because smaller matrices of Q20
 * have less exact axes. Every result is defined in integers (SPEC.md 19), for any matrix and any
 * point.
 *
 * Same as ozz-animation's IKTwoBoneJob and IKAimJob: the meaning of targets, poles, the mid axis,
 * softening, weights and offsets; chains of joints as in its look-at sample; joints between those
 * of a limb do not change. Different: the local rotations are corrected here, not returned; a limb
 * whose bones do not lie in the plane of its mid axis still meets its target; there is no twist
 * angle (rotate the pole instead); a pole of zeros leaves the plane unchanged; a look has limits; a
 * look whose offset cannot be brought to the target rotates as far as that helps.
 */
#ifndef OSC_IK_H
#define OSC_IK_H

#include "ossicle.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A limb of a rig: hip, knee, ankle, or shoulder, elbow, wrist. Each joint is a descendant of the
 * previous one. mid_axis: the axis of the middle joint, in its own space, unit length. A positive
 * rotation about it opens the angle between the bones, so the axis determines the side to which
 * they bend. */
typedef struct osc_ik_limb {
    uint32_t start, mid, end;
    osc_vector mid_axis;
} osc_ik_limb;

/* The goal of a limb.
 * target: of the end joint, in model space, metres. pole: the direction in model space to which the
 * middle joint points, of about unit length; with zeros, the shortest rotation determines the plane
 * of the limb. If the pole has the direction of the target, the limb flips. soften_q15: beyond this
 * share of the limb's length, the end stays behind the target, so that the middle joint does not
 * snap as the limb straightens. OSC_ONE_Q15: never. weight_q15: 0 does not change the pose;
 * OSC_ONE_Q15 and more reaches the target. */
typedef struct osc_ik_goal {
    osc_vector target, pole;
    uint32_t soften_q15, weight_q15;
} osc_ik_goal;

/* Finds the mid axis of a limb that is bent in this pose: the direction of the cross product of the
 * bones. If the limb is straight in the rig, state the axis instead, usually the joint's Z. Returns
 * false and writes nothing if the bones are parallel to within 0.5 degrees. model: the pose's
 * matrices, such as those of the bind pose. Rounding: to Q20. */
bool osc_ik_find_mid_axis(osc_ik_limb *limb, const osc_matrix *model);

/* Corrects the rotations of the start and middle joints so that the end joint reaches the target,
 * or comes as near as the limb's length allows. Returns whether the target is reached: within
 * reach, before softening begins, and at full weight.
 * model: joint_count matrices of `pose`. pose: its rotations of the two joints are changed.
 * Error: the end is within 1/20000 of the limb's length of its best position (0.05 mm for a limb of
 * one metre) in every pose, including half turns, straight and folded limbs, and with any pole. The
 * middle joint is within 1/5000 if the pole is at least 20 degrees off the line to the target, and
 * the target at least 1/50 of the length beyond the end of the folded limb. Both hold for bones at
 * a right angle to the axis, as osc_ik_find_mid_axis finds it; with other axes, the middle joint of
 * a straight limb may be off by twice as much. `true` for targets up to 1/20000 of the length
 * beyond reach. The bones' lengths are those between the joints in `model`, including scales and
 * moved joints. Nothing changes if all three joints are at the same point; a target at the start
 * joint only bends the limb. Cost: 1,810 instructions on a Cortex-M4, 4,510 on a Cortex-M0; with
 * softening three roots more, and a 32-bit division where it begins; below 480 bytes of stack. */
bool osc_ik_two_bone(const osc_ik_limb *limb, const osc_ik_goal *goal, const osc_matrix *model,
                     const osc_pose *pose);

/* A joint of a chain that looks. weight_q15: this joint's share of the remaining rotation.
 * limit_q15: the cosine of half the largest angle, Q15: 31651 for 30 degrees, 30274 for 45, 28378
 * for 60, 23170 for 90, 16384 for 120, 0 for no limit. The next joint makes the rest of the
 * rotation.
 */
typedef struct osc_ik_link {
    uint32_t joint;
    uint16_t weight_q15, limit_q15;
} osc_ik_link;

/* A chain of joints that looks at a point, such as head, neck and spine: the first has the eyes,
 * each further joint is an ancestor of the previous one. forward: the direction that is aimed. up:
 * the direction that then rotates towards the pole. Both in the first joint's space, unit length,
 * at a right angle. offset: position of the eyes in the first joint's space, metres. */
typedef struct osc_ik_chain {
    const osc_ik_link *links;
    uint32_t count;
    osc_vector forward, up, offset;
} osc_ik_chain;

/* The goal of a chain. target: in model space, metres. pole: the direction in model space to which
 * `up` rotates, of about unit length; with zeros, the shortest rotation determines it. weight_q15:
 * of the whole chain, multiplies those of its links. */
typedef struct osc_ik_look {
    osc_vector target, pole;
    uint32_t weight_q15;
} osc_ik_look;

/* Corrects the rotations of a chain's joints, first to last, so that the first looks at the target.
 * Returns whether it does: the last joint had weight one and did not reach its limit.
 * model, pose: as for osc_ik_two_bone; osc_recompose begins at the chain's last joint.
 * Error: below 0.003 degrees, including half turns, for targets at least 0.1 m away, or 0.5 m with
 * an offset, or 2 m for chains with a total length of one metre. A target at a joint does not
 * change that joint. A joint whose own scale differs along its axes aims `forward` as rotated by
 * its matrix, without the scale; ozz-animation includes the scale. Cost: for a head alone 995
 * instructions on a Cortex-M4 and 2,360 on a Cortex-M0, 750 and 1,820 without a pole; for three
 * joints and an offset 4,780 and 11,100. Below 480 bytes of stack. */
bool osc_ik_aim(const osc_ik_chain *chain, const osc_ik_look *look, const osc_matrix *model,
                const osc_pose *pose);

/* Rotates a joint by a rotation in its own space: local = local * rotation.
 * Rounding: each sum of four products half up to Q20. Range: components below 2. */
void osc_joint_rotate(const osc_pose *pose, uint32_t joint, const osc_quaternion *rotation);

/* Rotates a joint, and so the joints below it, by a rotation in model space, about the joint's own
 * position. model: the joint's matrix. Rounding, range: as osc_joint_rotate. */
void osc_joint_rotate_model(const osc_pose *pose, uint32_t joint, const osc_matrix *model,
                            const osc_quaternion *rotation);

/* Composes a joint and all joints below it again, with the same bits as osc_compose, and leaves
 * other matrices unchanged. model: joint_count matrices. Cost: that of osc_compose for these
 * joints, and ten instructions for each later joint, or two on processors with vectors; 170 bytes
 * of stack. */
void osc_recompose(const osc_bank *bank, const osc_pose *pose, uint32_t joint, osc_matrix *model);

#ifdef __cplusplus
}
#endif

#endif
