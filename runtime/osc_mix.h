/* SPDX-License-Identifier: MIT */
/* Ossicle: combines poses.
 *
 *   mixing        weighted blends, masks, layers of differences
 *   mirroring     a clip made for one hand plays for the other hand
 *   transitions   smooth changes of clip without a second player */
#ifndef OSC_MIX_H
#define OSC_MIX_H

#include "ossicle.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- mixing ----
 *
 * Local poses: weighted blends, masks, additive layers.
 *
 *     osc_player_evaluate(&walk, &pose);
 *     osc_player_evaluate(&run, &other);
 *     osc_mix_blend(&bank, &pose, &other, weight_q15, 0);      // two poses
 *     osc_mix_add(&bank, &pose, &breath, OSC_ONE_Q15, chest);  // a layer of differences
 *     osc_compose(&bank, &pose, model);
 *
 * Three poses and more, with weights of any sum:
 *
 *     uint32_t total = weights[0];
 *     for (i = 1; i < count; i++) {
 *         total += weights[i];
 *         osc_mix_toward(&bank, &pose, &others[i], osc_mix_share(weights[i], total), 0);
 *     }
 *     osc_mix_finish(&bank, &pose);
 *
 * Poses have joint_count elements of each kind, as in osc_pose, and belong to one skeleton: `bank`
 * states which sub-tracks its clips animate. Sub-tracks that no clip animates are not written: they
 * keep the bind pose, unless the game writes them. The poses of a call may not overlap. `scales`
 * may be null in banks without scale.
 *
 * Weights are Q15, 0..OSC_ONE_Q15; OSC_ASSERT checks them. There are no negative weights: to remove
 * a layer, add its inverse, which osc_mix_difference computes from the layer and a pose of no
 * differences (rotations 0 0 0 1, translations 0, scales 1):
 *
 *     osc_mix_difference(&bank, &inverse, &nothing, &layer);
 *     osc_mix_add(&bank, &pose, &inverse, weight_q15, 0);
 *
 * A mask has a factor for every joint, also Q15; the weight of a joint is weight * mask, rounded
 * half up. Without a mask (null), all joints have the full weight. Results are defined for every
 * input, with the same bits on every machine (SPEC.md 16), but are meaningful only for unit
 * rotations, such as a player's: of length 1 to within 2^-12. Rotations of the pose that
 * osc_mix_toward changes may have any length up to sqrt(2). */

/* Steps from a pose towards another: pose += (with - pose) * weight. Rotations take the shorter arc
 * and are not normalised: call osc_mix_finish once, after the last pose. Translations and scales
 * need no such step.
 * Rounding: rotations to within 2^-15 a component, translations and scales half up. A weight of 0
 * or an equal pose changes nothing. A weight of one gives the other pose, with rotations to within
 * 2^-15 and possibly negated. Cost: linear in joint_count. */
void osc_mix_toward(const osc_bank *bank, const osc_pose *pose, const osc_pose *with,
                    uint32_t weight_q15, const uint16_t *mask_q15);

/* Normalises the rotations of a pose. Rotations whose length is within 2^-15 of one do not change;
 * the length of the others is then within 2^-15 of one. Zeros become the identity. */
void osc_mix_finish(const osc_bank *bank, const osc_pose *pose);

/* Blends two poses in one pass: osc_mix_toward with normalised rotations. Both poses have unit
 * rotations. For three and more poses, repeated calls with osc_mix_share are cheaper than
 * osc_mix_toward and osc_mix_finish, and differ little if the poses are similar. A weight of 0 or
 * an equal pose changes nothing.
 * Error: a component of a rotation is within 2^-13.5 of the exact weighted and normalised sum. Its
 * length is within 2^-13.5 of one if both lengths are one; otherwise it is off by at most the
 * larger deviation plus 2^-13.5. Errors of successive blends do not add up: the length is then
 * within 2^-13. Rotations whose dot product is within 2^-8 of 0 may take either arc. Cost: linear
 * in joint_count. Rotations in opposite hemispheres take a little longer; joints of weight 0 take
 * almost no time. */
void osc_mix_blend(const osc_bank *bank, const osc_pose *pose, const osc_pose *with,
                   uint32_t weight_q15, const uint16_t *mask_q15);

/* Returns the weight at which to add a pose to a blend: weight / total, Q15, rounded half up.
 * total: the sum of the weights including this one, in the same unit; weight <= total. Returns 0 if
 * the total is 0. Range: weights below 2^16. Cost: one 32-bit division. */
uint32_t osc_mix_share(uint32_t weight, uint32_t total);

/* Adds a pose of differences to a pose: a pose of an additive clip (osc_clip_info; see `additive`
 * in codegen/CONFIGURATION.md), or the result of osc_mix_difference.
 *   rotation    = rotation * nlerp(identity, difference, weight), normalised
 *   translation = translation + difference * weight
 *   scale       = scale * lerp(1, difference, weight)
 * Both have unit rotations. A weight of 0 or an empty difference changes nothing. Error: a
 * component of a rotation is within 2^-13, and so is its length if both lengths are one; errors of
 * lengths add up. */
void osc_mix_add(const osc_bank *bank, const osc_pose *pose, const osc_pose *difference,
                 uint32_t weight_q15, const uint16_t *mask_q15);

/* Computes the pose of differences with which osc_mix_add turns `reference` into `pose`, for all
 * joints and kinds. `difference` may not overlap the others.
 *   rotation    = conjugate(reference) * pose, normalised, the shorter arc
 *   translation = pose - reference
 *   scale       = pose / reference, from -63 to 65; 65 or -63 where the reference is 0
 * Cost: three 32-bit divisions a joint where the bank has scale. */
void osc_mix_difference(const osc_bank *bank, const osc_pose *difference, const osc_pose *pose,
                        const osc_pose *reference);

/* ---- mirroring ----
 *
 * Plays a clip that was made for one hand with the other hand.
 *
 * A character's left and right joints form pairs. Mirroring gives each joint the mirror image of
 * its partner's motion, so that the model pose is reflected between the two sides. `ossicle
 * generate --mirror x` writes the table of a character, hero_mirror:
 *
 *     hero_evaluate(&hero, &pose);
 *     osc_mirror_pose(&hero_mirror, &view, &view); // view: hero_pose_view(&pose)
 *     hero_compose(&pose, &model);
 *
 * and hero_mirror_joints, the partner of each joint, for data that a game has for one side only.
 *
 * A clip may be the mirror image of another clip, and share its data (`mirror_of`,
 * codegen/CONFIGURATION.md). It plays like that clip, and the game mirrors its poses:
 *
 *     (void)osc_clip_describe(&bank, clip, &info); // where it starts the clip
 *     ..
 *     hero_evaluate(&hero, &pose);
 *     if (info.mirrored)
 *         osc_mirror_pose(&hero_mirror, &view, &view);
 *
 * How a local rotation is mirrored depends on the axes of the two joints in the bind pose. Most
 * rigs follow one of four conventions, in which some components change their sign; the joints of a
 * convention form a group. The other joints use matrices of constants, which is slower.
 */

/* Joints whose components change their signs in the same way. axis 1, 2, 3: of a rotation the two
 * of x, y, z other than this one, counted from x, and of a translation this one; 0: of a rotation
 * none, and of a translation all. w keeps its sign. */
typedef struct osc_mirror_group {
    uint8_t axis;
    uint16_t pair_count;   /* of a joint and its partner */
    uint16_t middle_count; /* joints that are their own partner */
} osc_mirror_group;

/* Constants of a joint whose axes follow no convention, Q20: rows that, multiplied by the partner's
 * rotation (x y z w) and translation (x y z), give those of the joint. */
typedef struct osc_mirror_turn {
    int32_t rotation[16], translation[9];
} osc_mirror_turn;

/* A pair of such joints: `turn` converts the motion of `partner` to `joint`, and `back` that of
 * `joint` to `partner`. Both are the same for a joint that is its own partner. */
typedef struct osc_mirror_turned {
    uint16_t joint, partner, turn, back;
} osc_mirror_turned;

/* The generated table of a character. pairs: those of all groups in order, two joints each, as four
 * times their numbers; a joint of the middle twice. Each joint is in one pair or in `turned`. */
typedef struct osc_mirror {
    const osc_mirror_group *groups;
    const uint16_t *pairs;
    const osc_mirror_turned *turned;
    const osc_mirror_turn *turns;
    uint16_t group_count, turned_count, joint_count;
} osc_mirror;

/* Mirrors a local pose.
 *
 * pose, out: all joints; `out` is the same arrays or does not overlap them. Scales are exchanged if
 * both have them. Format: Q20. Results modulo 2^32. Rounding: none in groups, where mirroring twice
 * gives the original pose; in turned joints each sum of products is rounded twice, half up. Cost:
 * that of a copy; 25 products of Q20 numbers for each turned joint; another copy if out is not
 * pose. */
void osc_mirror_pose(const osc_mirror *mirror, const osc_pose *pose, const osc_pose *out);

/* ---- transitions ----
 *
 * Changes smoothly from the last shown pose to another clip, without a second player.
 *
 * At the switch, a transition stores the offset of every moving joint from the new clip's pose and
 * the joint's speed. Both fade over a stated time while the new clip plays ("inertialization",
 * David Bollo, GDC 2018): the pose neither jumps nor stops, and ends exactly on the new clip.
 *
 *     osc_transition_init(&transition, &bank, memory, HERO_TRANSITION_WORDS);
 *
 *     // a switch: the new clip's pose at the moment of the last tick
 *     osc_player_play(&hero.player, &playback, HERO_CLIP_RUN, OSC_LOOPS_AS_MADE);
 *     hero_evaluate(&hero, &pose);
 *     osc_transition_begin(&transition, &view, 200000);
 *
 *     // every tick, also without a transition
 *     osc_player_advance(&hero.player, &playback, elapsed_us);
 *     hero_evaluate(&hero, &pose);
 *     osc_transition_apply(&transition, &view, elapsed_us); // view: hero_pose_view(&pose)
 *
 * A switch during a transition starts from the shown pose and does not jump.
 *
 * Two alternatives need only a blend of poses. A frozen fade blends from a copy of the last pose:
 * it costs a pose of RAM and stops the motion. A cross-fade blends from a second player that
 * continues: it costs that player's RAM and the decoding of two clips.
 */

/* RAM, in words of four bytes, for each moving sub-track: an offset and a speed of three 16-bit
 * numbers each, and the last two shown poses. */
#define OSC_TRANSITION_ROTATION_WORDS 7u
#define OSC_TRANSITION_VECTOR_WORDS 9u

/* The words of a bank with this number of rotation sub-tracks, and of translation and scale
 * sub-tracks. */
#define OSC_TRANSITION_WORDS(rotations, vectors)                                                   \
    (OSC_TRANSITION_ROTATION_WORDS * (rotations) + OSC_TRANSITION_VECTOR_WORDS * (vectors))

#define OSC_TRANSITION_MAX_US 0xffffffu /* 16.7 seconds */

/* What a transition remembers between ticks, besides its memory: plain data without pointers or
 * padding. A copy of it and of the memory's words is a save state. Zeros: no pose has been shown.
 * All fields are private. A state from outside the program needs one check, that `newest` is 0 or
 * 1: any other values, also of the words, lead to wrong poses, but to no access outside the memory.
 */
typedef struct osc_transition_state {
    uint32_t duration_us; /* 0: no transition */
    uint32_t elapsed_us;
    uint32_t per_us_q32; /* 1 / duration */
    uint32_t step_us;    /* between the two stored poses */
    uint16_t kept;       /* poses, 0..2 */
    uint16_t newest;     /* the slot of the last pose, 0 or 1 */
} osc_transition_state;

/* A transition. Filled by osc_transition_init, or by the game, from a saved state:
 *
 *     osc_transition transition = {&bank, memory, saved}; // memory: with the words saved with it
 *
 * The new memory may be elsewhere; the bank has to be the same. A copy of the structure shares the
 * memory of the original. */
typedef struct osc_transition {
    const osc_bank *bank;
    uint32_t *memory; /* osc_transition_memory_words(bank) words */
    osc_transition_state state;
} osc_transition;

/* Returns the words of memory that transitions of this bank need. */
uint32_t osc_transition_memory_words(const osc_bank *bank);

/* Binds a transition to a bank and to the caller's memory; both must outlive it. Forgets all shown
 * poses: call it again when a character appears elsewhere and must not move there.
 * Errors: OSC_ERROR_MEMORY when memory_words < osc_transition_memory_words(bank). */
int32_t osc_transition_init(osc_transition *transition, const osc_bank *bank, uint32_t *memory,
                            size_t memory_words);

/* Begins a transition from the last shown pose to a clip, also during another one.
 *
 * pose: the pose of the new clip at the moment of the last osc_transition_apply; it is only read.
 * duration_us: until the pose is the new clip's, clamped to OSC_TRANSITION_MAX_US; 0 ends a
 * transition. If no pose has been shown yet, no transition begins.
 *
 * Format: offsets of rotations in Q15, the shorter arc; of translations and scales in Q13, clamped
 * to +-4 m, beyond which the pose jumps. Speeds are those of the last two shown poses, as if the
 * new clip stood still. They are limited in each component: an offset never changes its sign and
 * grows by at most 37 %, or not at all if it is a rotation by more than 90 degrees.
 * Rounding: the pose moves by at most OSC_TRANSITION_JUMP_Q15 in each component of a rotation, and
 * by 2^-14 m. Rotations by more than 178.2 degrees are limited to that angle.
 * Cost: two 32-bit divisions, and two for each rotation; five to seven ticks. */
void osc_transition_begin(osc_transition *transition, const osc_pose *pose, uint32_t duration_us);

#define OSC_TRANSITION_JUMP_Q15 4

/* Advances the transition by a tick, adds the rest of its offsets to the new clip's pose, and
 * stores the resulting pose, which the game shows, for the next transition.
 *
 * pose: of the new clip, all joints; only moving sub-tracks are written, and none once the
 * transition has ended. elapsed_us: since the last call. Returns whether the transition continues.
 * Format: local pose in Q20. Rotations keep their length to within 2^-13, and 3 * 2^-14 for
 * rotations by more than 176 degrees. Results modulo 2^32.
 * Rounding: down, to 2^-13 m, and to 2^-15 of a rotation's component. An offset of 0 does not
 * change the pose.
 * Cost: for a rotation 28 products of 16 bits, 195 instructions on a Cortex-M0, 83 on a Cortex-M4
 * and 38 with SSE4.1; for a vector 6 products; independent of the data. Without a transition: a
 * copy of the pose in 16-bit numbers. */
bool osc_transition_apply(osc_transition *transition, const osc_pose *pose, uint32_t elapsed_us);

/* Returns whether a transition is in progress. */
static inline bool osc_transition_active(const osc_transition *transition)
{
    return transition->state.duration_us != 0u;
}

#ifdef __cplusplus
}
#endif

#endif
