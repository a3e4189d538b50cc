/* Prints every curve of the first clip in the middle, and in the mirrored pose. */
#include "hero.h"
#include "osc_mix.h"

#include <stdio.h>

static hero_player player;
static hero_pose pose, mirrored;

int main(void)
{
    osc_bank bank;
    osc_pose view = hero_pose_view(&pose), other = hero_pose_view(&mirrored);
    if (hero_open(&bank, hero_bank, HERO_BANK_BYTES) != OSC_OK ||
        hero_player_init(&player, &bank) != OSC_OK ||
        osc_player_start(&player.player, 0, OSC_PLAY_ONCE) != OSC_OK ||
        osc_player_seek_q11(&player.player, 15 * 2048 + 512) < 0)
        return 1;
    hero_evaluate(&player, &pose);
    osc_mirror_pose(&hero_mirror, &view, &other);
    for (uint32_t curve = 0; curve < HERO_CURVE_COUNT; curve++)
        if (hero_curve_names[curve][0] != '\0')
            printf("%s %d %d\n", hero_curve_names[curve], (int)hero_curve_q20(&pose, curve),
                   (int)hero_curve_q20(&mirrored, curve));
    return 0;
}
