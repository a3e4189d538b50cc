/* main.c: plays Walk once and prints the height of the right hand */
#include "hero.h" /* generated: clips, joints and sizes of the character */
#include "print.h"

static hero_player player; /* one per character on the screen */
static hero_pose pose;
static hero_model model;

int main(void)
{
    if (hero_player_init(&player, &hero_embedded) != OSC_OK) /* the clips, in place in flash */
        return 1;
    osc_player_start(&player.player, HERO_CLIP_WALK, OSC_PLAY_LOOP);
    for (int frame = 0; frame < 30; frame += 5) {
        osc_player_seek_q11(&player.player, frame * OSC_ONE_Q11);
        hero_evaluate(&player, &pose);
        hero_compose(&pose, &model);
        int64_t height_q20 = model.joints[HERO_JOINT_RIGHT_HAND].m[7];
        print_line("right hand, mm: ", (uint32_t)(height_q20 * 1000 >> 20));
    }
    return 0;
}
