/* Solving joints: limbs that reach for a point, joints that look at one, and single turns.
 *
 * These functions work between osc_compose and drawing: they read model-space matrices, correct
 * the local rotations of a pose, and then the joints below are composed again.
 *
 *     osc_compose(&bank, &pose, model);
 *     osc_ik_two_bone(&leg, &goal, model, &pose);     // the foot on the ground
 *     osc_recompose(&bank, &pose, leg.start, model);  // the leg and what hangs on it
 *
 * `model` always is what osc_compose gave for `pose`: compose again before the next limb or chain
 * that shares a joint with this one. Bank formats and players are not involved: the joints and axes
 * are constants of the game.
 *
 * Number formats: points, axes and rotations in Q20, weights in Q15. Model matrices turn and
 * scale; scales must be above 0, and those of joints above a solved one the same in x, y and z. If
 * a matrix mirrors, or scales differently along its axes, its axes are only normalised: a limb or
 * look then turns its joint about these, which differs from what is drawn. Mirror the pose
 * afterwards instead (osc_mix.h). Bounds hold for scales of 1/4 and above, because smaller
 * matrices of Q20 have less exact axes. Every result is defined by integers alone (SPEC.md 19), for
 * any matrix and any point.
 *
 * What is the same as in ozz-animation's IKTwoBoneJob and IKAimJob: the meaning of targets, poles,
 * the mid axis, softening, weights and offsets; chains of joints as in its look-at sample; what
 * lies between the joints of a limb stays as it is. What differs: the local rotations are
 * corrected here, not returned; a limb whose bones do not lie in the plane of its mid axis still
 * meets its target; there is no twist angle, turn the pole instead; a pole of zeros leaves the
 * plane as it is; a look has limits; a look from an offset that no turn can bring to the target
 * turns as far as it helps.
 */
#ifndef OSC_IK_H
#define OSC_IK_H

#include "ossicle.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A limb of a rig: hip, knee, ankle, or shoulder, elbow, wrist. Each is somewhere below the one
 * before.
 * mid_axis: the axis of the middle joint, in its own space, unit length; a positive turn about it
 * opens the angle between the bones, and so it says to which side they bend. */
typedef struct osc_ik_limb {
    uint32_t start, mid, end;
    osc_vector mid_axis;
} osc_ik_limb;

/* Where a limb is to reach.
 * target: of the end joint, in model space, metres. pole: the direction in model space to which
 * the middle joint points, unit length or near that; zeros leave the plane of the limb as the
 * shortest turn has it. Where the pole has the direction of the target, the limb flips. soften_q15:
 * from this share of the limb's length on, the end falls behind the target, so that the middle
 * joint does not snap as the limb straightens. OSC_ONE_Q15: never. weight_q15: 0 leaves the pose as
 * it is, OSC_ONE_Q15 reaches. More counts as that. */
typedef struct osc_ik_goal {
    osc_vector target, pole;
    uint32_t soften_q15, weight_q15;
} osc_ik_goal;

/* Finds the mid axis of a limb that is bent in this pose: the direction of the cross product of
 * the bones. For limbs that a rig has straight, write it down instead: Z of the joint, or whatever
 * the artist had. False, and nothing is written, where the bones are parallel to within 0.5
 * degrees. model: the pose's matrices, such as the bind pose's. Rounding: to Q20. */
bool osc_ik_find_mid_axis(osc_ik_limb *limb, const osc_matrix *model);

/* Corrects the rotations of the start and middle joints so that the end joint reaches the target,
 * or comes as near as the limb is long. Returns whether it is reached: within reach, before
 * softening begins, and at full weight.
 * model: joint_count matrices of `pose`. pose: its rotations of the two joints are changed.
 * Error: the end is within 1/20000 of the limb's length of where it can be, 0.05 mm for one of a
 * metre, in every pose: also in half turns, straight, folded, and with any pole. The middle joint
 * is within 1/5000 of it where the pole is 20 degrees and more off the line to the target, and the
 * target 1/50 of the length and more beyond where the folded limb ends. Both hold for bones
 * across the axis, as osc_ik_find_mid_axis finds it; for other axes the middle joint of a straight
 * limb may be off by twice as much. `true` for targets up to 1/20000 of the length beyond. The
 * bones' lengths are those between the joints in `model`, scales and moved joints included. Nothing
 * is changed where all three joints are at one place; a target at the start joint only bends. Cost:
 * 1,810 instructions on a Cortex-M4, 4,510 on a Cortex-M0; with softening three roots more, and a
 * 32-bit division where it begins; below 480 bytes of stack. */
bool osc_ik_two_bone(const osc_ik_limb *limb, const osc_ik_goal *goal, const osc_matrix *model,
                     const osc_pose *pose);

/* A joint of a chain that looks.
 * weight_q15: how much of the turn that is left this joint makes.
 * limit_q15: the cosine of half the largest turn, Q15: 31651 for 30 degrees, 30274 for 45, 28378
 * for 60, 23170 for 90, 16384 for 120, 0 for none. What a limit leaves over, the next joint turns.
 */
typedef struct osc_ik_link {
    uint32_t joint;
    uint16_t weight_q15, limit_q15;
} osc_ik_link;

/* A chain of joints that looks at a point, such as head, neck and spine: the first has the eyes,
 * each other is somewhere above the one before.
 * forward: what is aimed, up: what then turns towards the pole; both in the first joint's space,
 * unit length, at a right angle. offset: where the eyes are in the first joint's space, metres. */
typedef struct osc_ik_chain {
    const osc_ik_link *links;
    uint32_t count;
    osc_vector forward, up, offset;
} osc_ik_chain;

/* At what a chain looks. target: in model space, metres. pole: the direction in model space to
 * which `up` turns, unit length or near that; zeros leave it as the shortest turn has it.
 * weight_q15: of the whole chain, multiplies those of its links. */
typedef struct osc_ik_look {
    osc_vector target, pole;
    uint32_t weight_q15;
} osc_ik_look;

/* Corrects the rotations of a chain's joints, first to last, so that the first looks at the target.
 * Returns whether it does: the last joint had weight one, and no limit of its own to keep.
 * model, pose: as for osc_ik_two_bone; osc_recompose begins at the chain's last joint.
 * Error: below 0.003 degrees, also in half turns, for targets 0.1 m away and more, or 0.5 m if
 * there is an offset, or 2 m for chains of joints that are a metre long in all. A target at a joint
 * leaves that joint as it is. A joint whose own scale differs along its axes aims `forward` as its
 * matrix turns it, without the scale; ozz-animation's joint aims it with the scale. Cost: for a
 * head alone 995 instructions on a Cortex-M4 and 2,360 on a Cortex-M0, 750 and 1,820 without a
 * pole; for three joints and an offset 4,780 and 11,100. Below 480 bytes of stack. */
bool osc_ik_aim(const osc_ik_chain *chain, const osc_ik_look *look, const osc_matrix *model,
                const osc_pose *pose);

/* Turns a joint by a rotation that is given in its own space: local = local * rotation.
 * Rounding: each sum of four products half up to Q20. Range: components below 2. */
void osc_joint_rotate(const osc_pose *pose, uint32_t joint, const osc_quaternion *rotation);

/* Turns a joint, and with it all that hangs on it, by a rotation that is given in model space,
 * about the joint's own place. model: the joint's matrix. Rounding, range: as osc_joint_rotate. */
void osc_joint_rotate_model(const osc_pose *pose, uint32_t joint, const osc_matrix *model,
                            const osc_quaternion *rotation);

/* Composes a joint and all joints below it again, bit for bit as osc_compose does; the others'
 * matrices are not touched. model: joint_count matrices. Cost: that of osc_compose for these
 * joints, ten instructions for each of the others that come later; 170 bytes of stack. */
void osc_recompose(const osc_bank *bank, const osc_pose *pose, uint32_t joint, osc_matrix *model);

#ifdef __cplusplus
}
#endif

#endif
