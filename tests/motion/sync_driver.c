/* Plays two clips in step while one fades into the other, and moves the character as both do:
 * sync_driver BANK CLIP CLIP TRAVEL TRAVEL LEFT RIGHT FROM TO FADE_US TICK_US TICKS START PLANT
 *             JOINT X Y Z ..
 *
 * TRAVEL: metres in Q20 that a clip in place stands for, along z, in a loop; a clip with a
 * trajectory adds its own. LEFT, RIGHT: the numbers of the events of touch-downs. The weight of the
 * second clip goes from FROM to TO, Q15, in FADE_US. START: the position of the first clip, Q11.
 * PLANT: 1 for a character that stands on the foot that is down. The rest are points of its soles
 * in the space of joints, Q20. Prints a line a tick: where these points are, in the world, and
 * then the character. */
#include "osc_mix.h"
#include "osc_motion.h"

#include <stdio.h>
#include <stdlib.h>

#define MOST_JOINTS 64
#define MOST_WORDS (1 << 14)

typedef struct {
    osc_quaternion rotations[MOST_JOINTS];
    osc_vector translations[MOST_JOINTS], scales[MOST_JOINTS];
} storage;

typedef struct {
    osc_player player;
    int32_t memory[MOST_WORDS];
    storage pose;
    uint32_t clip, at_q11, end_q11;
    int32_t travel_q20;
} gait;

static osc_trajectories trajectories;
static bool has_trajectories;

static osc_pose view(storage *pose)
{
    osc_pose made = {pose->rotations, pose->translations, pose->scales};
    return made;
}

/* The displacement of a character by one clip in a step to a position. */
static osc_placement taken(gait *one, uint32_t to_q11, const osc_placement *here)
{
    const osc_step step = {one->at_q11, to_q11, to_q11 < one->at_q11 ? 1 : 0, false};
    int64_t distance = (int64_t)to_q11 - one->at_q11 + (step.wraps != 0 ? one->end_q11 : 0);
    osc_placement moved = {0, 0, (int32_t)(distance * one->travel_q20 / one->end_q11), 0}, there;
    osc_placement_join(here, &moved, &there);
    if (has_trajectories) {
        osc_motion motion;
        osc_motion_start(&motion, &trajectories, one->clip, one->at_q11, &there);
        osc_motion_follow(&motion, &step);
        there = motion.now;
    }
    one->at_q11 = to_q11;
    return there;
}

static int32_t between(int32_t a, int32_t b, int32_t weight_q15)
{
    return (int32_t)(a + (((int64_t)b - a) * weight_q15 >> 15));
}

int main(int argc, char **argv)
{
    static uint32_t words[1 << 19];
    static gait gaits[2];
    static osc_matrix model[MOST_JOINTS];
    osc_sync_clip clips[2];
    osc_bank bank;
    osc_events events;
    long arguments[13];
    osc_foot_lock_point points[OSC_FOOT_LOCK_POINTS];
    osc_foot_lock lock;
    FILE *file =
        argc >= 19 && argc <= 15 + 4 * (int)OSC_FOOT_LOCK_POINTS ? fopen(argv[1], "rb") : 0;
    if (file == 0)
        return 1;
    size_t size = fread(words, 1, sizeof words, file);
    (void)fclose(file);
    for (int i = 0; i < 13; i++)
        arguments[i] = strtol(argv[i + 2], 0, 10);
    const uint32_t feet[2] = {(uint32_t)arguments[4], (uint32_t)arguments[5]};
    if (osc_bank_open(&bank, words, size) != OSC_OK || bank.joint_count > MOST_JOINTS ||
        osc_events_open(&events, &bank) != OSC_OK)
        return 2;
    has_trajectories = osc_trajectories_open(&trajectories, &bank) == OSC_OK;
    for (int i = 0; i < 2; i++) {
        gaits[i].clip = (uint32_t)arguments[i];
        gaits[i].travel_q20 = (int32_t)arguments[2 + i];
        if (osc_sync_open(&clips[i], &events, gaits[i].clip, feet, 2) != OSC_OK ||
            osc_player_init(&gaits[i].player, &bank, gaits[i].memory, MOST_WORDS) != OSC_OK ||
            osc_player_start(&gaits[i].player, gaits[i].clip, OSC_PLAY_ONCE) != OSC_OK)
            return 3;
        gaits[i].end_q11 = clips[i].end_q11;
    }
    osc_phase phase = osc_sync_phase(&clips[0], (uint32_t)arguments[11]);
    uint32_t count = 0;
    for (int i = 15; i + 3 < argc; i += 4)
        points[count++] = (osc_foot_lock_point){
            (uint16_t)atoi(argv[i]), {atoi(argv[i + 1]), atoi(argv[i + 2]), atoi(argv[i + 3])}};
    osc_foot_lock_start(&lock, points, count, OSC_FOOT_LOCK_HEIGHT_Q20);
    osc_placement here = {0, 0, 0, 0};
    for (int i = 0; i < 2; i++)
        gaits[i].at_q11 = (uint32_t)osc_sync_position_q11(&clips[i], &phase);
    for (long tick = 0; tick <= arguments[10]; tick++) {
        long passed = tick * arguments[9] < arguments[8] ? tick * arguments[9] : arguments[8];
        long distance =
            arguments[8] > 0 ? (arguments[7] - arguments[6]) * passed / arguments[8] : 0;
        int32_t weight = (int32_t)(arguments[6] + distance);
        const uint16_t weights[2] = {(uint16_t)(OSC_ONE_Q15 - (uint32_t)weight), (uint16_t)weight};
        if (tick != 0)
            osc_sync_advance(&phase, clips, weights, 2, (uint32_t)arguments[9]);
        osc_placement there[2];
        for (int i = 0; i < 2; i++) {
            osc_pose pose = view(&gaits[i].pose);
            there[i] = taken(&gaits[i], (uint32_t)osc_sync_position_q11(&clips[i], &phase), &here);
            (void)osc_player_seek_q11(&gaits[i].player, (int32_t)gaits[i].at_q11);
            osc_player_evaluate(&gaits[i].player, &pose);
        }
        here.x = between(there[0].x, there[1].x, weight);
        here.y = between(there[0].y, there[1].y, weight);
        here.z = between(there[0].z, there[1].z, weight);
        here.yaw_q24 = between(there[0].yaw_q24, there[1].yaw_q24, weight);
        osc_pose pose = view(&gaits[0].pose), with = view(&gaits[1].pose);
        osc_mix_blend(&bank, &pose, &with, (uint32_t)weight, 0);
        osc_compose(&bank, &pose, model);
        if (arguments[12] != 0)
            osc_foot_lock_follow(&lock, model, &here);
        osc_matrix world;
        osc_placement_matrix(&here, &world);
        for (uint32_t i = 0; i < count; i++) {
            osc_vector at;
            osc_matrix_point(&model[points[i].joint], &points[i].at, &at);
            osc_matrix_point(&world, &at, &at);
            printf("%d %d %d ", (int)at.x, (int)at.y, (int)at.z);
        }
        printf("%d %d %d\n", (int)here.x, (int)here.y, (int)here.z);
    }
    return 0;
}
