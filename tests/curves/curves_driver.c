/* Prints the value of every curve at every frame and midpoint, clip by clip: the clip, the
 * position in Q11, and the values in Q20. With the generic functions and the generated ones, which
 * must agree. */
#include "hero.h"

#include <stdio.h>
#include <string.h>

#define UNTOUCHED 0x55

static hero_player player;
static hero_pose pose, generic;
static hero_model model;

int main(void)
{
    osc_bank bank;
    osc_pose view = hero_pose_view(&generic);
    if (hero_open(&bank, hero_bank, HERO_BANK_BYTES) != OSC_OK ||
        hero_player_init(&player, &bank) != OSC_OK)
        return 1;
    memset(&model, UNTOUCHED, sizeof model);
    for (uint32_t clip = 0; clip < HERO_CLIP_COUNT; clip++) {
        osc_clip_info info;
        (void)osc_clip_describe(&bank, clip, &info);
        if (osc_player_start(&player.player, clip, OSC_PLAY_ONCE) != OSC_OK)
            return 2;
        for (int32_t at = 0; at <= (int32_t)(info.frame_count - 1u) * 2048; at += 1024) {
            if (osc_player_seek_q11(&player.player, at) < 0)
                return 3;
            hero_evaluate(&player, &pose);
            osc_player_evaluate(&player.player, &view);
            hero_compose(&pose, &model);
            if (memcmp(&pose, &generic, sizeof pose) != 0)
                return 4;
            printf("%u %d", (unsigned)clip, (int)at);
            for (uint32_t curve = 0; curve < HERO_CURVE_COUNT; curve++)
                printf(" %d", (int)hero_curve_q20(&pose, curve));
            printf("\n");
        }
    }
    for (size_t i = HERO_MATRIX_COUNT * sizeof(osc_matrix); i < sizeof model; i++)
        if (((const unsigned char *)&model)[i] != UNTOUCHED)
            return 5; /* compose wrote a matrix of a joint that holds curves */
    for (uint32_t curve = 0; curve < HERO_CURVE_COUNT; curve++)
        printf("%s\n", hero_curve_names[curve]);
    return 0;
}
