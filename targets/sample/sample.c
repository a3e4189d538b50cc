/* SPDX-License-Identifier: MIT */
#include "sample.h"

#define WALK_Q16 78643     /* 1.2 m/s */
#define RUN_Q16 196608     /* 3 m/s */
#define TURN_Q24 (1 << 18) /* at most in a tick: 1/64 of a whole turn */

/* Eighths of a whole turn, by the bits of SAMPLE_UP to SAMPLE_RIGHT. */
static const int8_t headings[16] = {-1, 4, 0, -1, 6, 5, 7, 6, 2, 3, 1, 2, -1, 4, 0, -1};

/* Turns towards a heading, by the shorter way. */
static void turn(osc_placement *place, int32_t heading, int32_t most_q24)
{
    int32_t q24 = (int32_t)(((uint32_t)heading << 29) - ((uint32_t)place->yaw_q24 << 8)) / 256;
    place->yaw_q24 += q24 > most_q24 ? most_q24 : q24 < -most_q24 ? -most_q24 : q24;
}

void sample_step(sample *game, uint32_t buttons, uint32_t ticks)
{
    hero_graph *hero = &game->hero;
    osc_placement *place = &hero->now.graph.place;
    const int32_t heading = headings[buttons & 15u];
    hero->set.speed_q16 = heading < 0 ? 0 : (buttons & SAMPLE_RUN) != 0u ? RUN_Q16 : WALK_Q16;
    hero->set.jump |= (buttons & SAMPLE_JUMP) != 0u;
    hero->set.wave |= (buttons & SAMPLE_WAVE) != 0u;
    if (!hero_graph_in(hero, HERO_STATE_LEAP)) {
        place->y = 0; /* the ground is flat */
        game->pace_q16 = hero->set.speed_q16;
        if (heading >= 0)
            turn(place, heading, TURN_Q24 * (int32_t)ticks);
    }
    hero_graph_step(hero, SAMPLE_TICK_US * ticks, &game->model);
    const osc_placement ahead = {0, 0, game->pace_q16 / 15 * 4 * (int32_t)ticks, 0};
    if (place->y > 0) /* in the air, where no foot moves it */
        osc_placement_join(place, &ahead, place);
}
