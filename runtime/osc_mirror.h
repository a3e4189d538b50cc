/* Mirrored poses: a clip made for one hand plays for the other one.
 *
 * A character's left and right joints are pairs. The mirrored pose gives each joint what its
 * partner does, seen in a mirror between the two sides, so that the model pose is the mirror image
 * of the partner's. `ossicle generate --mirror x` writes the table of a character, hero_mirror:
 *
 *     hero_evaluate(&hero, &pose);
 *     osc_mirror_pose(&hero_mirror, &view, &view); // view: hero_pose_view(&pose)
 *     hero_compose(&pose, &model);
 *
 * and hero_mirror_joints, the partner of each joint, for what a game has for one side only.
 *
 * A clip may be the mirror image of another one (`mirror_of`, codegen/CONFIGURATION.md), whose data
 * it shares. It plays as that one does, and a game mirrors its poses:
 *
 *     (void)osc_clip_describe(&bank, clip, &info); // where it starts the clip
 *     ..
 *     hero_evaluate(&hero, &pose);
 *     if (info.mirrored)
 *         osc_mirror_pose(&hero_mirror, &view, &view);
 *
 * How a local rotation mirrors depends on how the axes of the two joints lie in the bind pose. Most
 * rigs agree with one of four conventions, in which some components change their sign; joints of
 * one convention are a group. All others have matrices of constants, which is slower.
 */
#ifndef OSC_MIRROR_H
#define OSC_MIRROR_H

#include "ossicle.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Joints whose components change their signs in the same way. axis 1, 2, 3: of a rotation the two
 * of x, y, z other than this one, counted from x, and of a translation this one; 0: of a rotation
 * none, and of a translation all. w keeps its sign. */
typedef struct osc_mirror_group {
    uint8_t axis;
    uint16_t pair_count;   /* of a joint and its partner */
    uint16_t middle_count; /* joints that are their own partner */
} osc_mirror_group;

/* Constants of a joint whose axes lie in another way, Q20: the components x y z w of its rotation
 * and x y z of its translation are these rows times those of its partner. */
typedef struct osc_mirror_turn {
    int32_t rotation[16], translation[9];
} osc_mirror_turn;

/* A pair of such joints: `joint` takes what `partner` does by `turn`, and `partner` by `back`. Both
 * are the same for a joint that is its own partner. */
typedef struct osc_mirror_turned {
    uint16_t joint, partner, turn, back;
} osc_mirror_turned;

/* The table of a character, generated. pairs: of the groups, one behind the other, each two joints
 * as four times their numbers; a joint of the middle twice. Each joint is in one pair or in
 * `turned`. */
typedef struct osc_mirror {
    const osc_mirror_group *groups;
    const uint16_t *pairs;
    const osc_mirror_turned *turned;
    const osc_mirror_turn *turns;
    uint16_t group_count, turned_count, joint_count;
} osc_mirror;

/* Mirrors a local pose.
 *
 * pose, out: all joints; out may be the same arrays, and otherwise overlaps none of them. Scales
 * are exchanged if both have them. Format: Q20. Results modulo 2^32. Rounding: none in groups, and
 * twice is exactly the pose; in turned joints each product sum is rounded twice, half up. Cost:
 * that of a copy; 25 products of Q20 numbers a turned joint; another copy if out is not pose. */
void osc_mirror_pose(const osc_mirror *mirror, const osc_pose *pose, const osc_pose *out);

#ifdef __cplusplus
}
#endif

#endif
