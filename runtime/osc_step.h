/* Ossicle: steps of a clock. A step says which part of a clip a character has passed through since
 * the frame before, also where the clip began again on the way. Events (osc_events.h) and
 * trajectories (osc_trajectory.h) follow steps.
 *
 *     osc_step step;
 *     osc_player_seek_q11(&player.player, osc_playback_step(&clock, elapsed_us, &step));
 *
 * A step that is not taken from a clock is made by osc_step_between, or filled by hand. */
#ifndef OSC_STEP_H
#define OSC_STEP_H

#include "ossicle.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A way through a clip. Positions are Q11, 0 to the last frame.
 *
 * A step has the position where it begins, and not the one where it ends, which belongs to the
 * next step, in whichever direction that goes. Only a step that ends the clip has both. Where the
 * clip begins again, the step passes the last frame and then the first one, or backward the first
 * one and then the last: both belong to it, unless it ends exactly there. */
typedef struct osc_step {
    uint32_t from_q11, to_q11;
    int32_t wraps; /* how often the clip began again: above 0 forward, below 0 backward */
    bool ended;    /* the clip ended here: `to_q11` belongs to the step */
} osc_step;

/* The most loops of one step that count for events and trajectories, because each of them costs
 * time. A clip of one frame at 1,000 frames a second makes as many in four seconds. */
#define OSC_STEP_MOST_LOOPS 4096

/* osc_playback_advance, which also fills `step`. Returns the position; osc_player_seek_q11 then
 * does what osc_player_advance would have done. A clock that is paused or finished gives an empty
 * step. Cost: that of osc_playback_advance and a few instructions. */
int32_t osc_playback_step(osc_playback *playback, uint32_t elapsed_us, osc_step *step);

/* The step between two positions that may lie outside the clip, such as a game that counts
 * positions itself gives to osc_player_seek_q11. end_q11: the last frame. loop: the positions wrap;
 * otherwise they are held at the ends, and a step that reaches an end has `ended`. Where a loop
 * ends and the next one begins, the position is 0, in both directions. A clip of one frame gives
 * empty steps. Cost: two divisions of 32 bits in a loop. */
void osc_step_between(osc_step *step, int32_t from_q11, int32_t to_q11, uint32_t end_q11,
                      bool loop);

/* Whether the step goes towards the clip's start. */
static inline bool osc_step_is_backward(const osc_step *step)
{
    return step->wraps < 0 || (step->wraps == 0 && step->to_q11 < step->from_q11);
}

/* Whether the step passes nothing. */
static inline bool osc_step_is_empty(const osc_step *step)
{
    return step->wraps == 0 && step->from_q11 == step->to_q11 && !step->ended;
}

#ifdef __cplusplus
}
#endif

#endif
