/* Adds the clip 1 of a bank to frame FRAME of clip 0, at every frame and midpoint, and
 * prints a row for each: the position in Q11, then every curve, in Q20, of the base pose, of the
 * sum, of the sum with half the weight, and of the mirrored sum. With the generic function and the
 * generated one, which must agree. */
#include "hero.h"
#include "osc_mix.h"

#include <stdio.h>
#include <string.h>

static hero_player player;
static hero_pose base, difference, sum, half, generic, mirrored;

static void print(const hero_pose *pose)
{
    for (uint32_t curve = 0; curve < HERO_CURVE_COUNT; curve++)
        printf(" %d", (int)hero_curve_q20(pose, curve));
}

int main(void)
{
    osc_clip_info info;
    osc_pose to = hero_pose_view(&generic), with = hero_pose_view(&difference);
    osc_pose from = hero_pose_view(&sum), other = hero_pose_view(&mirrored);
    if (hero_player_init(&player, &hero_embedded) != OSC_OK ||
        osc_player_start(&player.player, 0, OSC_PLAY_ONCE) != OSC_OK ||
        osc_player_seek_q11(&player.player, FRAME * OSC_ONE_Q11) < 0)
        return 1;
    hero_evaluate(&player, &base);
    if (osc_clip_describe(&hero_embedded, 1, &info) != OSC_OK || !info.additive ||
        osc_player_start(&player.player, 1, OSC_PLAY_ONCE) != OSC_OK)
        return 2;
    for (int32_t at = 0; at <= (int32_t)(info.frame_count - 1u) * OSC_ONE_Q11;
         at += OSC_ONE_Q11 / 2) {
        if (osc_player_seek_q11(&player.player, at) < 0)
            return 3;
        hero_evaluate(&player, &difference);
        sum = half = generic = base;
        hero_mix_add(&sum, &difference, OSC_ONE_Q15, 0);
        hero_mix_add(&half, &difference, OSC_ONE_Q15 / 2, 0);
        osc_mix_add(&hero_embedded, &to, &with, OSC_ONE_Q15, 0);
        if (memcmp(&sum, &generic, sizeof sum) != 0)
            return 4;
        osc_mirror_pose(&hero_mirror, &from, &other);
        printf("%d", (int)at);
        print(&base);
        print(&sum);
        print(&half);
        print(&mirrored);
        printf("\n");
    }
    for (uint32_t curve = 0; curve < HERO_CURVE_COUNT; curve++)
        printf("%s\n", hero_curve_names[curve]);
    return 0;
}
