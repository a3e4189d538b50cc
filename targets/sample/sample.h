/* SPDX-License-Identifier: MIT */
/* A game with one character: it walks where the pad points, runs, jumps and waves. What it does
 * when is its graph, in sample.toml. */
#ifndef SAMPLE_H
#define SAMPLE_H
#include "hero_graph.h" /* generated from sample.toml */

#define SAMPLE_TICK_US 16667u /* a sixtieth of a second */

/* The directions of the pad lead to a corner of the world: up along -z, right along x. RUN is held;
 * JUMP and WAVE are set in the step in which they are pressed. */
enum { SAMPLE_UP = 1, SAMPLE_DOWN = 2, SAMPLE_LEFT = 4, SAMPLE_RIGHT = 8 };
enum { SAMPLE_RUN = 16, SAMPLE_JUMP = 32, SAMPLE_WAVE = 64 };

/* Begin with zeros, hero_graph_start and hero.set.look. */
typedef struct sample {
    hero_graph hero;  /* hero.now.graph.place: where it is; hero_graph_next_event: footsteps */
    hero_model model; /* its joints, as seen from there */
    int32_t pace_q16; /* m/s, when it last was on the ground */
} sample;

/* Plays so many ticks, at most 15, as one step. */
void sample_step(sample *game, uint32_t buttons, uint32_t ticks);
#endif
