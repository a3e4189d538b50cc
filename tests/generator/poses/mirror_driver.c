/* Mirrors poses of every clip of the embedded bank, and compares the composed pose with the mirror
 * image of the partner's: all of the matrix where AXES_AGREE, otherwise the place. Prints the
 * largest difference in micrometres, that of places a whole, of turns at 3 cm; and whether
 * mirroring twice gave the pose. */
#include "hero.h"
#include "osc_mix.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SHELL 0.03

static hero_player player;
static hero_pose pose, mirrored;
static hero_model model, image;

static double worst(void)
{
    double most = 0;
    for (int joint = 0; joint < HERO_JOINT_COUNT; joint++) {
        const osc_matrix *from = &model.joints[hero_mirror_joints[joint]],
                         *to = &image.joints[joint];
        for (int i = 0; i < 12; i++) {
            int row = i / 4, column = i % 4;
            double sign = (row == AXIS) != (column == AXIS) ? -1.0 : 1.0;
            double off = fabs(to->m[i] - sign * from->m[i]) / OSC_ONE_Q20;
            off *= column == 3 ? 1.0 : AXES_AGREE * SHELL;
            most = off > most ? off : most;
        }
    }
    return most;
}

int main(void)
{
    osc_bank bank;
    double most = 0;
    int twice = 1;
    if (hero_open(&bank, hero_bank, HERO_BANK_BYTES) != OSC_OK ||
        hero_player_init(&player, &bank) != OSC_OK)
        return 2;
    osc_pose view = hero_pose_view(&pose), other = hero_pose_view(&mirrored);
    for (uint32_t clip = 0; clip < bank.clip_count; clip++) {
        osc_clip_info info;
        if (osc_clip_describe(&bank, clip, &info) != OSC_OK ||
            osc_player_start(&player.player, clip, OSC_PLAY_AS_MADE) != OSC_OK)
            return 2;
        for (uint32_t half = 0; half < 2u * info.frame_count; half++) {
            (void)osc_player_seek_q11(&player.player, (int32_t)half * 1024);
            hero_evaluate(&player, &pose);
            hero_compose(&pose, &model);
            osc_mirror_pose(&hero_mirror, &view, &other);
            hero_compose(&mirrored, &image);
            double off = worst();
            most = off > most ? off : most;
            osc_mirror_pose(&hero_mirror, &other, &other);
            twice = twice && memcmp(&pose, &mirrored, sizeof pose) == 0;
        }
    }
    printf("%.3f %d\n", 1e6 * most, twice);
    return 0;
}
