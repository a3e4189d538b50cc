/* The distance of a clip that is posed every few ticks from one that is posed every tick:
 * rate_driver BANK CLIP RATE TICK_US TICKS prints, in micrometres, the largest distance of a joint
 * and the root of the mean square over all joints and ticks. */
#include "osc_crowd.h"
#include "osc_mix.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_JOINTS 64
#define MOST_WORDS (1 << 14)
#define UM (1e6 / 1048576.0)

typedef struct {
    osc_quaternion rotations[MOST_JOINTS];
    osc_vector translations[MOST_JOINTS], scales[MOST_JOINTS];
} storage;

typedef struct {
    osc_player player;
    osc_playback clock;
    int32_t memory[MOST_WORDS];
} character;

static osc_pose view(storage *pose)
{
    osc_pose made = {pose->rotations, pose->translations, pose->scales};
    return made;
}

static void evaluate(const character *of, storage *pose)
{
    osc_pose to = view(pose);
    osc_player_evaluate(&of->player, &to);
}

static int start(character *made, const osc_bank *bank, uint32_t clip)
{
    return osc_player_init(&made->player, bank, made->memory, MOST_WORDS) == OSC_OK &&
           osc_player_play(&made->player, &made->clock, clip, OSC_LOOPS_FOREVER) == OSC_OK;
}

static double distance_um(const osc_matrix *a, const osc_matrix *b)
{
    double squares = 0.0;
    for (int row = 0; row < 3; row++)
        squares += pow((double)a->m[4 * row + 3] - b->m[4 * row + 3], 2.0);
    return sqrt(squares) * UM;
}

int main(int argc, char **argv)
{
    static uint32_t words[1 << 18];
    static character truth, far;
    static storage true_pose, shown, next;
    static osc_matrix true_model[MOST_JOINTS], model[MOST_JOINTS];
    osc_bank bank;
    osc_update_rate rate;
    FILE *file = argc == 6 ? fopen(argv[1], "rb") : 0;
    if (file == 0)
        return 1;
    size_t size = fread(words, 1, sizeof words, file);
    (void)fclose(file);
    uint32_t clip = (uint32_t)strtoul(argv[2], 0, 10), ticks = (uint32_t)strtoul(argv[3], 0, 10);
    uint32_t tick_us = (uint32_t)strtoul(argv[4], 0, 10), count = (uint32_t)strtoul(argv[5], 0, 10);
    if (osc_bank_open(&bank, words, size) != OSC_OK || bank.joint_count > MOST_JOINTS ||
        !start(&truth, &bank, clip) || !start(&far, &bank, clip))
        return 2;
    double most = 0.0, squares = 0.0;
    osc_update_rate_start(&rate, 0, tick_us);
    for (uint32_t tick = 0; tick < count; tick++) {
        if (osc_update_rate_tick(&rate, tick_us, ticks)) {
            (void)osc_player_advance(&far.player, &far.clock, rate.advance_us);
            evaluate(&far, &next);
        }
        osc_pose to = view(&shown), with = view(&next), true_view = view(&true_pose);
        if (rate.weight_q15 == OSC_ONE_Q15)
            shown = next;
        else
            osc_mix_blend(&bank, &to, &with, rate.weight_q15, 0);
        (void)osc_player_advance(&truth.player, &truth.clock, tick_us);
        evaluate(&truth, &true_pose);
        osc_compose(&bank, &to, model);
        osc_compose(&bank, &true_view, true_model);
        for (uint32_t joint = 0; joint < bank.joint_count; joint++) {
            double off = distance_um(&model[joint], &true_model[joint]);
            most = off > most ? off : most;
            squares += off * off;
        }
    }
    printf("%.0f %.0f\n", most, sqrt(squares / count / bank.joint_count));
    return 0;
}
