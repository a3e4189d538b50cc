/* Ossicle: poses made of poses.
 *
 *   mixing        weighted blends, masks, layers of differences
 *   mirroring     a clip made for one hand plays for the other one
 *   transitions   from one clip to another, without a second player */
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

/* ---- mirroring ----
 *
 * A clip made for one hand plays for the other one.
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

/* ---- transitions ----
 *
 * From the pose that was shown last to another clip, without a second player.
 *
 * At the switch, the offset of every moving joint from the new clip's pose is taken, and the speed
 * at which the joint moved. Both fade over a stated time while the new clip plays
 * ("inertialization", David Bollo, GDC 2018): the pose neither jumps nor stops, and ends exactly on
 * the new clip.
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
 * A switch during a transition starts from the pose that is shown, and so never jumps.
 *
 * Two other ways need no more than a blend of poses: a frozen fade blends from a copy of the last
 * pose, whose weight falls to 0; a cross-fade blends from a second player that plays on. They cost
 * a pose of RAM, or a player and the decoding of two clips, and a frozen fade stops the motion.
 */

/* RAM, in words of four bytes, for each moving sub-track: an offset and a speed of three 16-bit
 * numbers each, and the last two poses that were shown. Two whole poses would take 8 and 6 words
 * for each joint, moving or not, beside the 3 words of an offset. */
#define OSC_TRANSITION_ROTATION_WORDS 7u
#define OSC_TRANSITION_VECTOR_WORDS 9u

/* The words of a bank with so many rotation sub-tracks, and translation and scale sub-tracks. */
#define OSC_TRANSITION_WORDS(rotations, vectors)                                                   \
    (OSC_TRANSITION_ROTATION_WORDS * (rotations) + OSC_TRANSITION_VECTOR_WORDS * (vectors))

#define OSC_TRANSITION_MAX_US 0xffffffu /* 16.7 seconds */

/* A transition. All fields are private. It may not be moved apart from its memory; a copy shares
 * the memory of the original. */
typedef struct osc_transition {
    const osc_bank *bank;
    uint32_t *memory;
    uint32_t duration_us; /* 0: none under way */
    uint32_t elapsed_us;
    uint32_t per_us_q32; /* 1 / duration */
    uint32_t step_us;    /* between the two poses that are kept */
    uint8_t kept;        /* poses, 0..2 */
    uint8_t newest;      /* the slot of the last one, 0 or 1 */
} osc_transition;

/* The words of memory that transitions of this bank need. */
uint32_t osc_transition_memory_words(const osc_bank *bank);

/* Binds a transition to a bank and to the caller's memory; both must outlive it. No pose has been
 * shown yet: call it again where a character appears elsewhere, and must not move there.
 * Errors: OSC_ERROR_MEMORY when memory_words < osc_transition_memory_words(bank). */
int32_t osc_transition_init(osc_transition *transition, const osc_bank *bank, uint32_t *memory,
                            size_t memory_words);

/* Begins a transition from the last shown pose to a clip, also during another one.
 *
 * pose: the pose of the new clip at the moment of the last osc_transition_apply; it is only read.
 * duration_us: until the pose is the new clip's, at most OSC_TRANSITION_MAX_US, which it is held
 * at; 0 ends a transition. Without a pose that was shown, nothing begins.
 *
 * Format: offsets of rotations in Q15, the shorter way round; of translations and scales in Q13,
 * held at +-4 m, beyond which the pose jumps. Speeds come from the last two shown poses, as if the
 * new clip stood still. They are limited in each component: an offset never changes its sign, and
 * grows by at most 37 %, and not at all where it is a turn by more than 90 degrees.
 * Rounding: the pose moves by at most OSC_TRANSITION_JUMP_Q15 in each component of a rotation, and
 * by 2^-14 m. Turns of more than 178.2 degrees begin as turns by that.
 * Cost: two 32-bit divisions, and two for each rotation; five to seven ticks. */
void osc_transition_begin(osc_transition *transition, const osc_pose *pose, uint32_t duration_us);

#define OSC_TRANSITION_JUMP_Q15 4

/* One tick: moves the transition on, adds what is left of its offsets to the new clip's pose, and
 * keeps the pose, which the game shows, for the next transition.
 *
 * pose: of the new clip, all joints; only moving sub-tracks are written, and none once the
 * transition has ended. elapsed_us: since the last call. Returns whether the transition goes on.
 * Format: local pose in Q20. Rotations keep their length to within 2^-13, and 3 * 2^-14
 * for turns of more than 176 degrees. Results modulo 2^32.
 * Rounding: down, to 2^-13 m, and to 2^-15 of a rotation's component. An offset of 0 leaves the
 * pose as it is.
 * Cost: for a rotation 28 products of 16 bits, 195 instructions on a Cortex-M0, 83 on a Cortex-M4
 * and 38 with SSE4.1; for a vector 6 products; independent of the data. Without a transition: a
 * copy of the pose in 16-bit numbers. */
bool osc_transition_apply(osc_transition *transition, const osc_pose *pose, uint32_t elapsed_us);

/* Whether a transition is under way. */
static inline bool osc_transition_active(const osc_transition *transition)
{
    return transition->duration_us != 0u;
}

#ifdef __cplusplus
}
#endif

#endif
