/* Ossicle: trajectories. A clip that was encoded with root_motion plays in place; how its character
 * moves over the ground is a track of its own, the clip's trajectory. A game keeps the place of the
 * character and moves it with the clock:
 *
 *     osc_motion_start(&motion, &trajectories, HERO_CLIP_WALK, 0, &where_the_character_is);
 *     ..
 *     osc_player_seek_q11(&player.player, osc_playback_step(&clock, elapsed_us, &step));
 *     osc_motion_follow(&motion, &step);
 *     osc_placement_matrix(&motion.now, &world); // * model.joints[j]: a joint in the world
 *
 * Nothing drifts. `now` depends on the placement at the start, the loops since then and the
 * position, and not on the steps between: whatever the step size, forward and backward, it ends at
 * the same bits, and there and back again is where it began. What a step moved is `now` less what
 * it was before; these differences add up exactly, modulo 2^32.
 *
 * Trajectories are an optional part of a bank (SPEC.md section 20): osc_trajectories_open finds
 * them. An embedded bank has them as a constant, hero_trajectories, which needs neither a call nor
 * RAM. */
#ifndef OSC_TRAJECTORY_H
#define OSC_TRAJECTORY_H

#include "osc_step.h"

#ifdef __cplusplus
extern "C" {
#endif

#define OSC_ONE_Q24 (1 << 24)

/* A place on the ground: a position in metres, Q20, and a turn about the y axis, which points up.
 * 2^24 are a whole turn, so that the sum of turns is exact; positive turns take z to x. Everything
 * is taken modulo 2^32. Of all zeros, it moves nothing. */
typedef struct osc_placement {
    int32_t x, y, z, yaw_q24;
} osc_placement;

/* The trajectories of a bank: pointers into its words. All fields are private. */
typedef struct osc_trajectories {
    const osc_bank *bank;
    const uint32_t *words; /* of the section */
    uint32_t count;        /* of clips that have one */
} osc_trajectories;

/* Checks the trajectories of an open bank completely and fills `trajectories`; nothing is checked
 * again. The bank must outlive it. Errors: OSC_ERROR_NOT_FOUND for a bank without trajectories,
 * OSC_ERROR_SECTION when they contradict themselves; its clips then stay where they are. Cost: one
 * pass over the entries of clips. */
int32_t osc_trajectories_open(osc_trajectories *trajectories, const osc_bank *bank);

/* Where a clip has moved its character since its first frame, as seen from there. All zeros at
 * position 0, and for a clip without a trajectory. position_q11: held at the last frame. Rounding:
 * SPEC.md section 20. Cost: a binary search of the clip; for each component at most nine products
 * of Q20 and two of 32 bits; three divisions by a small number in clips that are encoded at a
 * multiple of the rate of their source. */
void osc_trajectory_at(const osc_trajectories *trajectories, uint32_t clip, uint32_t position_q11,
                       osc_placement *moved);

/* Where the source has the character at the clip's first frame; all zeros for a clip that begins at
 * the origin, facing as the bind pose does. For scenes in which clips play where they were made.
 * Cost: a binary search. */
void osc_trajectory_start(const osc_trajectories *trajectories, uint32_t clip,
                          osc_placement *start);

/* b as seen from a: where a character that is at `a` is after it has moved by `b`. `joined` may be
 * either. Rounding: each product once, half up to Q20. Cost: 14 products of 32 bits with 64-bit
 * results. */
void osc_placement_join(const osc_placement *a, const osc_placement *b, osc_placement *joined);

/* Computes `at` as seen from `from`: the move that takes a character from `from` to `at`.
 * osc_placement_join of `from` and `seen` gives `at` again, within 2^-20 of the length. `seen` may
 * be `from` or `at`. Rounding, cost: as osc_placement_join. */
void osc_placement_seen(const osc_placement *from, const osc_placement *at, osc_placement *seen);

/* Computes the placement that undoes another: joined in either order, the two move nothing, within
 * 2^-20 of the length. The inverse takes placements in the world to the space of a character at
 * `placement`; as a matrix (osc_placement_matrix), it does so with points. `inverse` may be
 * `placement`. Rounding, cost: as osc_placement_join. */
void osc_placement_inverse(const osc_placement *placement, osc_placement *inverse);

/* Blends the moves of two clips, each as seen from the character's place: the direction over the
 * ground and the speed separately. Half way between two walks at a right angle, the character keeps
 * its full speed; with the mean of both it would lose 29 percent. With lengths |a|, |b|
 * over the ground and weight w:
 *
 *   direction = a / |a| * (1 - w) + b / |b| * w, made a unit vector
 *   length    = |a| * (1 - w) + |b| * w
 *   y, yaw    = a * (1 - w) + b * w
 *
 * A move of no length has no direction, and opposite moves of equal weight stay where they are: a
 * sum of directions below 2^-15 has none. osc_motion_blend takes any number. weight_q15: 0 gives a,
 * OSC_ONE_Q15 and more b, bit for bit. `blended` may be `a` or `b`. Range: lengths below 2 km,
 * 2^31. Error: 2^-15 of the longer length and two units over the ground, for directions less than
 * 165 degrees apart; half a unit of y and yaw. Rounding: SPEC.md section 20. Cost: three reciprocal
 * roots and seven products. */
void osc_placement_blend(const osc_placement *a, const osc_placement *b, uint32_t weight_q15,
                         osc_placement *blended);

/* The matrix of a placement, for osc_matrix_multiply and osc_matrix_point. Rounding: the elements
 * are within 2^-20 of the exact sine and cosine. Cost: 10 products of 32 bits. */
void osc_placement_matrix(const osc_placement *placement, osc_matrix *matrix);

/* The cosine and the sine of a turn, Q30, within 2^-28. A quarter turn and its multiples are exact.
 * Cost: 10 products of 32 bits with 64-bit results, the same for every turn. */
typedef struct osc_direction {
    int32_t cos_q30, sin_q30;
} osc_direction;
osc_direction osc_direction_of(int32_t yaw_q24);

/* A character that moves as a clip does. `now` is for reading; a game that moves the character
 * itself, for a wall or a turn of the stick, starts again at the position with the placement that
 * it wants. Plain data: a copy is a snapshot, for rollback. */
typedef struct osc_motion {
    const osc_trajectories *trajectories;
    uint32_t clip;
    osc_placement origin; /* where the loop that plays now began */
    osc_placement now;
} osc_motion;

/* Begins to follow a clip. at: where the character is now, while the clip is at position_q11. */
void osc_motion_start(osc_motion *motion, const osc_trajectories *trajectories, uint32_t clip,
                      uint32_t position_q11, const osc_placement *at);

/* Follows a step of the clip's clock. Cost: osc_trajectory_at and osc_placement_join, and one more
 * osc_placement_join for each time that the clip began again in the step, of which at most
 * OSC_STEP_MOST_LOOPS count. */
void osc_motion_follow(osc_motion *motion, const osc_step *step);

/* Follows clips that play at once, and moves a character by the blend of their moves, as a blend of
 * their poses by the same weights shows it (osc_mix.h).
 *
 * motions: of each clip, followed as by osc_motion_follow; where they began does not matter. steps:
 * of each clip's clock. weights: of each clip, below 2^16, in any unit; where all are 0, the
 * character stays. here: where the character is before and after. count: any.
 * Each move is joined in turn by osc_placement_blend, with osc_mix_share of the weights so far: of
 * three and more, the order matters to the direction a little. Cost: for each clip
 * osc_motion_follow, osc_placement_seen and osc_placement_blend. */
void osc_motion_blend(osc_motion *motions, const osc_step *steps, const uint32_t *weights,
                      uint32_t count, osc_placement *here);

#ifdef __cplusplus
}
#endif

#endif
