// game.ino: prints how high the right hand is in frame 7.5 of Walk
#include "src/hero.h"

static hero_player player;
static hero_pose pose;
static hero_model model;

void setup()
{
    Serial.begin(115200);
    hero_player_init(&player, &hero_embedded);
    osc_player_start(&player.player, HERO_CLIP_WALK, OSC_PLAY_LOOP);
    osc_player_seek_q11(&player.player, 7 * OSC_ONE_Q11 + OSC_ONE_Q11 / 2);
    hero_evaluate(&player, &pose);
    hero_compose(&pose, &model);
    Serial.print((int)((int64_t)model.joints[HERO_JOINT_RIGHT_HAND].m[7] * 1000 >> 20));
    Serial.println(" mm");
}

void loop()
{
}
