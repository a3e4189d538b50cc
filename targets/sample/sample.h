/* SPDX-License-Identifier: MIT */
/* A small game with one character: it stands, walks, runs, turns, jumps, waves and looks at a
 * point. The state machine of a game, in integers, with the operations of the runtime:
 *
 *     idle, jump              one clip (osc_player_advance)
 *     walk and run            two clips that keep step, blended by speed (osc_motion.h, osc_mix.h)
 *     from state to state     a transition without a second player (osc_mix.h)
 *     wave                    a clip on the upper body (a blend with a mask)
 *     look                    head and neck turn to a point (osc_ik.h)
 *     footsteps, landing      events of the clips (osc_motion.h)
 *     place                   steps of a length; the jump's height is its trajectory
 *
 * The same buttons give the same bits on every machine. hero.h is generated: see sample.toml. */
#ifndef SAMPLE_H
#define SAMPLE_H

#include "hero.h"
#include "osc_mix.h"
#include "osc_motion.h"

#define SAMPLE_TICK_US 16667u

/* The item that the player holds. */
enum {
    SAMPLE_FORWARD = 1,
    SAMPLE_FAST = 2, /* runs while it goes forward */
    SAMPLE_LEFT = 4,
    SAMPLE_RIGHT = 8,
    SAMPLE_JUMP = 16,
    SAMPLE_WAVE = 32
};

typedef enum sample_state { SAMPLE_IDLE, SAMPLE_MOVE, SAMPLE_LEAP } sample_state;

/* Events since the start. */
typedef struct sample_counts {
    uint32_t left_steps, right_steps; /* feet that came down */
    uint32_t jumps, landings, waves;
    uint32_t events;        /* all that were given */
    uint32_t travelled_q20; /* metres over the ground */
} sample_counts;

/* The game. Everything is for reading. It may not be moved: its parts point at each other. */
typedef struct sample {
    osc_sync_clip gaits[2]; /* walk, run */
    uint32_t walk_end_q11;  /* the last frame of the walk */
    hero_player player;     /* idle, walk or jump */
    hero_player run;        /* beside a walk */
    hero_player gesture;
    osc_playback clock;         /* of idle and jump */
    osc_playback gesture_clock; /* finished: no gesture */
    osc_phase phase;            /* of walk and run */
    uint32_t run_q15;           /* how much of the walk is a run */
    int32_t pace_q20;           /* metres of the last tick on the ground; a leap keeps it */
    sample_state state;
    osc_transition transition;
    uint32_t transition_memory[HERO_TRANSITION_WORDS];
    osc_placement ground; /* where the character stands, or left the ground */
    osc_placement place;  /* that, moved by the trajectory of its clip */
    hero_pose pose, other;
    hero_model model;
    sample_counts counts;
} sample;

/* Begins to stand at the origin. Returns OSC_OK, or the error of a bank that is not the sample's.
 */
int32_t sample_start(sample *game);

/* One tick of SAMPLE_TICK_US. buttons: those that are held. look: at what the character looks, in
 * the world, less than 1000 m away. Writes `model`, which `place` moves into the world, and
 * `counts`. */
void sample_tick(sample *game, uint32_t buttons, const osc_vector *look);

#endif
