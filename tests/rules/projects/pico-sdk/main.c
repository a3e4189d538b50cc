// main.c: the second core decodes the next pose while this core draws
#include "hero.h"
#include "pico/multicore.h"
#include "pico/stdlib.h"

static hero_player player;
static hero_pose poses[2];

static void decode(void)
{
    for (uint32_t which = 0;; which ^= 1u) {
        osc_player_seek_q11(&player.player, (int32_t)multicore_fifo_pop_blocking());
        hero_evaluate(&player, &poses[which]);
        multicore_fifo_push_blocking(which);
    }
}

int main(void)
{
    static hero_model model;
    hero_player_init(&player, &hero_embedded);
    osc_player_start(&player.player, HERO_CLIP_WALK, OSC_PLAY_LOOP);
    multicore_launch_core1(decode);
    multicore_fifo_push_blocking(0);
    for (uint32_t frame = 1;; frame++) {
        const hero_pose *pose = &poses[multicore_fifo_pop_blocking()];
        multicore_fifo_push_blocking(frame % 30 * (OSC_ONE_Q11 / 2));
        hero_compose(pose, &model);
        // draw with model.joints here
    }
}
