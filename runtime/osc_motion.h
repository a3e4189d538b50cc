/* SPDX-License-Identifier: MIT */
/* Ossicle: events, sync, root motion and foot lock.
 *
 *   steps          the part of a clip that a clock has passed, for events and trajectories
 *   events         footsteps, hits and other marks of a clip, each reported exactly once
 *   sync           clips that keep step, such as a walk and a run
 *   trajectories   how a character moves over the ground
 *   foot lock      keeps a foot in place while the weights of a blend change */
#ifndef OSC_MOTION_H
#define OSC_MOTION_H

#include "ossicle.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- steps of a clock ----
 *
 * A step is the part of a clip that a character has passed since the last frame, including any
 * wraps of a loop. Events and trajectories follow steps.
 *
 *     osc_step step;
 *     osc_player_seek_q11(&player.player, osc_playback_step(&clock, elapsed_us, &step));
 *
 * Without a clock, osc_step_between computes a step, or the game fills one in. */

/* A part of a clip. Positions are Q11, 0 to the last frame.
 *
 * A step includes the position where it begins and excludes the one where it ends, which belongs to
 * the next step, in either direction. Only a step that ends the clip includes both. Where a loop
 * wraps, the step passes the last frame and then the first one (backward, the first and then the
 * last): it includes both, unless it ends exactly there. */
typedef struct osc_step {
    uint32_t from_q11, to_q11;
    int32_t wraps; /* how often the loop wrapped: above 0 forward, below 0 backward */
    bool ended;    /* the clip ended here: `to_q11` belongs to the step */
} osc_step;

/* The most loops of a step that count for events and trajectories, because each costs time. A clip
 * of one frame at 1,000 frames a second loops this often in four seconds. */
#define OSC_STEP_MOST_LOOPS 4096

/* Advances the clock as osc_playback_advance does, and fills `step`. Returns the position: with
 * osc_player_seek_q11 to it, the two do what osc_player_advance does. A clock that is paused or
 * finished gives an empty step. Cost: that of osc_playback_advance and a few instructions. */
int32_t osc_playback_step(osc_playback *playback, uint32_t elapsed_us, osc_step *step);

/* Computes the step between two positions, which may be outside the clip, for a game that counts
 * positions itself. end_q11: the last frame. loop: the positions wrap; otherwise they are clamped
 * to the ends, and a step that reaches an end has `ended` set. Where a loop ends and the next one
 * begins, the position is 0, in both directions. A clip of one frame gives empty steps. Cost: two
 * divisions of 32 bits in a loop. */
void osc_step_between(osc_step *step, int32_t from_q11, int32_t to_q11, uint32_t end_q11,
                      bool loop);

/* Returns whether the step goes towards the clip's start. */
static inline bool osc_step_is_backward(const osc_step *step)
{
    return step->wraps < 0 || (step->wraps == 0 && step->to_q11 < step->from_q11);
}

/* Returns whether the step passes nothing. */
static inline bool osc_step_is_empty(const osc_step *step)
{
    return step->wraps == 0 && step->from_q11 == step->to_q11 && !step->ended;
}

/* ---- events ----
 *
 * A clip may have named marks at positions: the moment at which a foot touches the ground, the span
 * in which a hit counts. A game asks which of them a step of its clock has passed:
 *
 *     osc_player_seek_q11(&player.player, osc_playback_step(&clock, elapsed_us, &step));
 *     osc_event_walk walk = osc_events_passed(&events, HERO_CLIP_WALK, &step);
 *     for (osc_event event; osc_event_next(&walk, &event);)
 *         if (event.name == HERO_EVENT_FOOTSTEP_LEFT)
 *             play_sound(event.value);
 *
 * Each event is reported exactly once, in playing order, whatever the step size, forward and
 * backward, over any number of loops. Marks are found by binary search, so the cost does not depend
 * on the length of the clip. Events are an optional part of a bank (SPEC.md section 21):
 * osc_events_open finds them. An embedded bank has them as a constant, hero_events, which needs
 * neither a call nor RAM. */

/* The events of a bank: pointers into its words. All fields are private. */
typedef struct osc_events {
    const osc_bank *bank;
    const uint32_t *names, *kinds, *clips, *marks;
    uint16_t name_count, kind_count, clip_count, mark_count;
} osc_events;

/* Checks the events of an open bank completely and fills `events`; nothing is checked again. The
 * bank must outlive it. Errors: OSC_ERROR_NOT_FOUND for a bank without events, OSC_ERROR_SECTION if
 * they contradict themselves; `events` is then empty. Cost: one pass over the events. */
int32_t osc_events_open(osc_events *events, const osc_bank *bank);

/* Returns the number of the event with this name hash (osc_name_hash), as in osc_event.name, or
 * OSC_ERROR_NOT_FOUND. A generated header lists the numbers of its own bank; a game with several
 * banks of one skeleton looks names up. Cost: linear in the number of names. */
int32_t osc_event_find(const osc_events *events, uint32_t name_hash);

typedef enum osc_event_phase {
    OSC_EVENT_ONCE,  /* an event that has no length */
    OSC_EVENT_BEGIN, /* a span begins here; backward, it is left */
    OSC_EVENT_END    /* a span ends here; backward, it is entered */
} osc_event_phase;

/* An event that a step has passed. */
typedef struct osc_event {
    uint32_t name;         /* HERO_EVENT_.. */
    int32_t value;         /* from the source file, 0 if it has none */
    uint32_t position_q11; /* in the clip */
    uint32_t other_q11;    /* the other end of a span: its end or, at its end, its beginning */
    osc_event_phase phase;
    bool inside; /* of a span: entered here, not left */
} osc_event;

/* The remaining events of a step. All fields are private. */
typedef struct osc_event_walk {
    const osc_events *events;
    const uint32_t *marks; /* of the clip */
    uint32_t mark_count;
    uint32_t next, stop; /* forward, marks next .. stop - 1 remain; backward, next - 1 .. stop */
    uint32_t last_stop;  /* in the last loop of the step */
    uint32_t wraps_left;
    bool backward;
} osc_event_walk;

/* Begins to enumerate the events of a clip that a step has passed. clip: any number; a clip without
 * events, or one that the bank does not have, has none. Range: any step; at most
 * OSC_STEP_MOST_LOOPS loops count. A step passes at most 32 marks for each frame that it passes or
 * begins, and 32 more for each loop. Cost: three binary searches: the clip and both ends of the
 * step. */
osc_event_walk osc_events_passed(const osc_events *events, uint32_t clip, const osc_step *step);

/* Writes the next event. Returns false if there is none and leaves `event` unchanged. Cost: the
 * same for every event. */
bool osc_event_next(osc_event_walk *walk, osc_event *event);

/* The remaining spans around a position. All fields are private. */
typedef struct osc_event_spans {
    const osc_events *events;
    const uint32_t *marks;
    uint32_t mark_count, next;
    uint32_t position_q11;
} osc_event_spans;

/* Begins to enumerate the spans of a clip that contain a position, in the order of their
 * beginnings. A span contains its first position and not its last. A span that begins near the end
 * of a loop and ends in the next contains the positions after its beginning and those before its
 * end. Cost: one binary search. */
osc_event_spans osc_events_around(const osc_events *events, uint32_t clip, uint32_t position_q11);

/* Writes the next span, as the event of its beginning. Returns false if there is none and leaves
 * `event` unchanged. Cost: linear in the clip's marks for all spans together. */
bool osc_event_next_span(osc_event_spans *spans, osc_event *event);

/* Returns whether a span of this name contains a position of the clip. With `contact_spans = true`
 * in the configuration file, this tells whether a foot stays on the ground. Cost: linear in the
 * clip's marks. */
bool osc_event_is_inside(const osc_events *events, uint32_t clip, uint32_t position_q11,
                         uint32_t name);

/* ---- sync ----
 *
 * Keeps clips such as a walk and a run in step. Both have the same marks in the same order, such as
 * "left foot down" and "right foot down", but at different positions and for a different duration.
 * `contacts = true` in the configuration file creates such events. The phase is the position that
 * all clips share: the number of marks passed and the fraction to the next mark.
 *
 *     static const uint32_t feet[2] = {HERO_EVENT_LEFT_FOOT_DOWN, HERO_EVENT_RIGHT_FOOT_DOWN};
 *     osc_sync_open(&clips[0], &events, HERO_CLIP_WALK, feet, 2);
 *     osc_sync_open(&clips[1], &events, HERO_CLIP_RUN, feet, 2);
 *     ...
 *     osc_sync_advance(&phase, clips, weights_q15, 2, elapsed_us);
 *     osc_player_seek_q11(&walk.player, osc_sync_position_q11(&clips[0], &phase));
 *     osc_player_seek_q11(&run.player, osc_sync_position_q11(&clips[1], &phase));
 *     hero_evaluate(&walk, &pose), hero_evaluate(&run, &other);
 *     hero_mix_blend(&pose, &other, weights_q15[1], 0);
 *
 * osc_foot_lock_follow keeps the feet of such a blend from sliding while its weights change.
 *
 * To start a clip in step with one that plays, or in the middle of a step, take the phase from that
 * clip (osc_sync_phase). */

#define OSC_SYNC_MARKS 8u            /* most marks of a clip */
#define OSC_SYNC_LEAST_US 10000u     /* between two marks */
#define OSC_SYNC_MOST_US 0x00ffffffu /* between two marks, 16 seconds */

/* A clip's marks. All fields are private. */
typedef struct osc_sync_clip {
    uint32_t marks_q11[OSC_SYNC_MARKS]; /* their positions, in the order of names */
    uint32_t end_q11;                   /* the last frame */
    uint32_t us_per_frame;
    uint32_t count;
} osc_sync_clip;

/* The position that clips in step share. Begin with zeros, or with osc_sync_phase. */
typedef struct osc_phase {
    uint32_t mark;         /* marks passed since the first name */
    uint32_t fraction_q20; /* of the step to the next one */
} osc_phase;

/* Finds the marks of a clip: its events, and the beginnings of its spans, with these names. The
 * clip is treated as a loop. names: name_count event numbers, in the order in which they occur; a
 * clip may repeat the sequence. Errors, after which `sync` must not be used: OSC_ERROR_NOT_FOUND
 * for a clip that the bank does not have or that has no such events; OSC_ERROR_CLIP if they occur
 * in another order, or are less than OSC_SYNC_LEAST_US apart; OSC_ERROR_MEMORY for more than
 * OSC_SYNC_MARKS. Cost: linear in the clip's events. */
int32_t osc_sync_open(osc_sync_clip *sync, const osc_events *events, uint32_t clip,
                      const uint32_t *names, uint32_t name_count);

/* Returns the phase of a clip at a position, 0 to its last frame. Rounding: down, by at most 2^-15
 * of the step between two marks. Cost: linear in the marks; a division of 32 bits. */
osc_phase osc_sync_phase(const osc_sync_clip *sync, uint32_t position_q11);

/* Returns the position of a clip at a phase: 0 to its last frame. Rounding: down. Cost: two
 * products, and a division of 32 bits for the mark. */
int32_t osc_sync_position_q11(const osc_sync_clip *sync, const osc_phase *phase);

/* Advances a phase by time. The time between two marks is the weighted mean of the clips', so a
 * blend of a walk and a run takes steps of a duration between theirs.
 *
 * clips, weights_q15: count of them; only the ratio of the weights matters; if their sum is 0, only
 * the first clip counts. elapsed_us: clamped to OSC_SYNC_MOST_US; a phase cannot run backward.
 * Rounding: down to 2^-20 of a step. A time between marks is clamped to OSC_SYNC_LEAST_US ..
 * OSC_SYNC_MOST_US. Cost: for each mark that is passed, and once more, a division of 32 bits and
 * one for each clip; for any bank at most elapsed_us / OSC_SYNC_LEAST_US + 1 marks, 2 in a tick of
 * 16.7 ms. */
void osc_sync_advance(osc_phase *phase, const osc_sync_clip *clips, const uint16_t *weights_q15,
                      uint32_t count, uint32_t elapsed_us);

/* Returns the time to the next mark: the least elapsed_us with which osc_sync_advance passes it,
 * and after which the fraction is 0. clips, weights_q15, count: as for osc_sync_advance. Rounding:
 * down to microseconds. Cost: a division of 32 bits for each clip. */
uint32_t osc_sync_time_to_mark(const osc_phase *phase, const osc_sync_clip *clips,
                               const uint16_t *weights_q15, uint32_t count);

/* ---- trajectories ----
 *
 * A clip that was encoded with root_motion plays in place. The movement of its character over the
 * ground is a separate track, the clip's trajectory. A game keeps the placement of the character
 * and moves it with the clock:
 *
 *     osc_motion_start(&motion, &trajectories, HERO_CLIP_WALK, 0, &where_the_character_is);
 *     ..
 *     osc_player_seek_q11(&player.player, osc_playback_step(&clock, elapsed_us, &step));
 *     osc_motion_follow(&motion, &step);
 *     osc_placement_matrix(&motion.now, &world); // * model.joints[j]: a joint in the world
 *
 * The placement does not drift. `now` depends on the placement at the start, the loops since then
 * and the position, not on the steps between: any step size, forward or backward, gives the same
 * bits, and a character that moves forward and back is where it began. The displacement of a step
 * is the difference of `now`; these differences add up exactly, modulo 2^32.
 *
 * Trajectories are an optional part of a bank (SPEC.md section 20): osc_trajectories_open finds
 * them. An embedded bank has them as a constant, hero_trajectories, which needs neither a call nor
 * RAM. */

#define OSC_ONE_Q24 (1 << 24)

/* A placement on the ground: a position in metres, Q20, and a yaw about the y axis, which points
 * up. 2^24 is a whole turn, so sums of yaws are exact; a positive yaw takes z to x. All sums are
 * modulo 2^32. All zeros is the identity. */
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
 * OSC_ERROR_SECTION if they contradict themselves; its clips then do not move a character. Cost:
 * one pass over the entries of clips. */
int32_t osc_trajectories_open(osc_trajectories *trajectories, const osc_bank *bank);

/* Computes the displacement of a clip from its first frame to a position, relative to the placement
 * at that frame. All zeros at position 0, and for a clip without a trajectory. position_q11:
 * clamped to the last frame. Rounding: SPEC.md section 20. Cost: a binary search of the clip; for
 * each component at most nine products of Q20 and two of 32 bits; three divisions by a small number
 * in clips encoded at a multiple of their source's rate. */
void osc_trajectory_at(const osc_trajectories *trajectories, uint32_t clip, uint32_t position_q11,
                       osc_placement *moved);

/* Reads the placement of the character in the source file at the clip's first frame: all zeros for
 * a clip that begins at the origin, facing as the bind pose does. For scenes whose clips play where
 * they were authored. Cost: a binary search. */
void osc_trajectory_start(const osc_trajectories *trajectories, uint32_t clip,
                          osc_placement *start);

/* Computes the placement of a character at `a` after it has moved by `b`, which is relative to `a`.
 * `joined` may be either. Rounding: each product once, half up to Q20. Cost: 14 products of 32 bits
 * with 64-bit results. */
void osc_placement_join(const osc_placement *a, const osc_placement *b, osc_placement *joined);

/* Computes `at` relative to `from`: the displacement that takes a character from `from` to `at`.
 * osc_placement_join of `from` and `seen` gives `at`, within 2^-20 of the length. `seen` may be
 * `from` or `at`. Rounding, cost: as osc_placement_join. */
void osc_placement_seen(const osc_placement *from, const osc_placement *at, osc_placement *seen);

/* Computes the placement that undoes another: joined in either order, the two give the identity,
 * within 2^-20 of the length. The inverse takes placements in the world to the space of a character
 * at `placement`; as a matrix (osc_placement_matrix), it does so with points. `inverse` may be
 * `placement`. Rounding, cost: as osc_placement_join. */
void osc_placement_inverse(const osc_placement *placement, osc_placement *inverse);

/* Blends the displacements of two clips, each relative to the character's placement: the direction
 * over the ground and the speed separately. Midway between two walks at a right angle, the
 * character keeps its full speed; the mean of both would lose 29 percent of it. With lengths |a|,
 * |b|
 * over the ground and weight w:
 *
 *   direction = a / |a| * (1 - w) + b / |b| * w, normalised
 *   length    = |a| * (1 - w) + |b| * w
 *   y, yaw    = a * (1 - w) + b * w
 *
 * A displacement of length 0 has no direction. Opposite displacements of equal weight give none: a
 * sum of directions below 2^-15 has no direction. osc_motion_blend takes any number. weight_q15: 0
 * gives a, OSC_ONE_Q15 and more b, bit for bit. `blended` may be `a` or `b`. Range: lengths below 2
 * km, 2^31. Error: 2^-15 of the longer length and two units over the ground, for directions less
 * than 165 degrees apart; half a unit of y and yaw. Rounding: SPEC.md section 20. Cost: three
 * reciprocal roots and seven products. */
void osc_placement_blend(const osc_placement *a, const osc_placement *b, uint32_t weight_q15,
                         osc_placement *blended);

/* The matrix of a placement, for osc_matrix_multiply and osc_matrix_point. Rounding: the elements
 * are within 2^-20 of the exact sine and cosine. Cost: 10 products of 32 bits. */
void osc_placement_matrix(const osc_placement *placement, osc_matrix *matrix);

/* The cosine and the sine of a yaw, Q30, within 2^-28. A quarter turn and its multiples are exact.
 * Cost: 10 products of 32 bits with 64-bit results, the same for every yaw. */
typedef struct osc_direction {
    int32_t cos_q30, sin_q30;
} osc_direction;
osc_direction osc_direction_of(int32_t yaw_q24);

/* A character that a clip moves. `now` is for reading; a game that moves the character itself,
 * because of a wall or the player's input, calls osc_motion_start with the position and the new
 * placement. Plain data: a copy is a snapshot, for rollback. */
typedef struct osc_motion {
    const osc_trajectories *trajectories;
    uint32_t clip;
    osc_placement origin; /* at the beginning of the current loop */
    osc_placement now;
} osc_motion;

/* Begins to follow a clip. at: the character's placement now, with the clip at position_q11. */
void osc_motion_start(osc_motion *motion, const osc_trajectories *trajectories, uint32_t clip,
                      uint32_t position_q11, const osc_placement *at);

/* Follows a step of the clip's clock. Cost: osc_trajectory_at and osc_placement_join, and another
 * osc_placement_join for each wrap of the loop in the step, of which at most OSC_STEP_MOST_LOOPS
 * count. */
void osc_motion_follow(osc_motion *motion, const osc_step *step);

/* Follows several clips that play together, and moves a character by the blend of their
 * displacements, to match a blend of their poses with the same weights (osc_mix.h).
 *
 * motions: of each clip, followed as by osc_motion_follow; where they began does not matter. steps:
 * of each clip's clock. weights: of each clip, below 2^16, in any unit; if all are 0, the character
 * stays. here: the character's placement, which is updated. count: any. The displacements are
 * blended one by one (osc_placement_blend), with osc_mix_share of the weights so far; for three and
 * more, the order affects the direction a little. Cost: for each clip osc_motion_follow,
 * osc_placement_seen and osc_placement_blend. */
void osc_motion_blend(osc_motion *motions, const osc_step *steps, const uint32_t *weights,
                      uint32_t count, osc_placement *here);

/* ---- foot lock ----
 *
 * Keeps the foot that is down in place while a character blends two clips.
 *
 * Clips that keep step (osc_sync_open) have the same foot down at the same time, but not at the
 * same position: in a run, it is further behind. As the weight of a clip rises, the foot slides
 * over the ground. Moving the character so that the foot stays in place removes the slide:
 *
 *     static const osc_foot_lock_point soles[4] = {{HERO_JOINT_LEFT_FOOT, {..}}, ..};
 *     // where a cross-fade begins; soles: heels and toes
 *     osc_foot_lock_start(&lock, soles, 4, OSC_FOOT_LOCK_HEIGHT_Q20);
 *     ...
 *     // every tick of it: blend, and move `here` by both clips (osc_motion_blend)
 *     hero_compose(&pose, &model);
 *     osc_foot_lock_follow(&lock, model.joints, &here);
 *
 * Without a cross-fade, follow the clip's trajectory, which does not drift. */

#define OSC_FOOT_LOCK_POINTS 8u            /* the most */
#define OSC_FOOT_LOCK_HEIGHT_Q20 (3 << 15) /* 9 cm */

/* A point of a sole, in the space of its joint, which is on the ground when the foot is down. */
typedef struct osc_foot_lock_point {
    uint16_t joint;
    osc_vector at;
} osc_foot_lock_point;

/* The state of a foot lock. All fields are private. */
typedef struct osc_foot_lock {
    const osc_foot_lock_point *points;
    uint32_t count;
    int32_t height_q20;
    bool followed;
    osc_vector last[OSC_FOOT_LOCK_POINTS]; /* in the world, except for their heights */
} osc_foot_lock;

/* Begins a lock. Call it in the tick before the pose changes. points: `count` points, at most
 * OSC_FOOT_LOCK_POINTS; they must outlive `lock`. height_q20: above 0, the height above the ground
 * (0 in model space) from which a foot no longer carries the character. */
void osc_foot_lock_start(osc_foot_lock *lock, const osc_foot_lock_point *points, uint32_t count,
                         int32_t height_q20);

/* Corrects a character's placement for a tick. model: its model pose. here: its placement, already
 * moved by the clips; x and z change to undo the motion of the lowest point over the ground since
 * the last tick: fully up to half of height_q20, less above, and not at all from height_q20 on. The
 * first tick changes nothing.
 * Rounding: SPEC.md section 25. Cost: a matrix; for each point a point of it and one of the model;
 * a division of 32 bits. */
void osc_foot_lock_follow(osc_foot_lock *lock, const osc_matrix *model, osc_placement *here);

#ifdef __cplusplus
}
#endif

#endif
