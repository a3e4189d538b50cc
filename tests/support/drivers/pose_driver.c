/* Answers questions about banks on a pipe, so that one process serves many tests.
 *
 * All numbers are 32 bits in the machine's order. A request is the bank's size in bytes, the bank,
 * the number of queries, and four numbers a query: start (non-zero: choose the clip again), clip,
 * mode, position. The answer is the status of osc_bank_open, and when that is zero the layout CRC,
 * the joint count and has_scale, then for every query the left frame (or an error, which ends the
 * query), the pose words (rotations, translations, scales) and the model words. */
#include "ossicle.h"

#include <stdio.h>
#include <stdlib.h>

static void take(void *destination, size_t size)
{
    if (fread(destination, 1, size, stdin) != size)
        exit(2);
}

static void give(const void *source, size_t size)
{
    if (fwrite(source, 1, size, stdout) != size)
        exit(3);
}

static void give_number(int32_t number)
{
    give(&number, sizeof number);
}

static void *memory_of(size_t size)
{
    void *memory = malloc(size != 0 ? size : 1);
    if (memory == 0)
        exit(4);
    return memory;
}

typedef struct room {
    osc_pose pose;
    osc_matrix *model;
    int32_t *player_words;
} room;

static void answer(const osc_bank *bank, osc_player *player, const room *space,
                   const int32_t query[4])
{
    int32_t status = OSC_OK;
    size_t joints = bank->joint_count;
    if (query[0] != 0)
        status = osc_player_start(player, (uint32_t)query[1], (osc_play_mode)query[2]);
    if (status == OSC_OK)
        status = osc_player_seek_q11(player, query[3]);
    give_number(status);
    if (status < 0)
        return;
    osc_player_evaluate(player, &space->pose);
    osc_compose(bank, &space->pose, space->model);
    give(space->pose.rotations, joints * sizeof(osc_quaternion));
    give(space->pose.translations, joints * sizeof(osc_vector));
    if (bank->has_scale)
        give(space->pose.scales, joints * sizeof(osc_vector));
    give(space->model, joints * sizeof(osc_matrix));
}

static void answer_all(const osc_bank *bank, uint32_t queries)
{
    size_t joints = bank->joint_count, words = osc_player_memory_words(bank);
    room space = {{memory_of(joints * sizeof(osc_quaternion)),
                   memory_of(joints * sizeof(osc_vector)),
                   bank->has_scale ? memory_of(joints * sizeof(osc_vector)) : 0},
                  memory_of(joints * sizeof(osc_matrix)),
                  memory_of(words * sizeof(int32_t))};
    osc_player player;
    if (osc_player_init(&player, bank, space.player_words, words) != OSC_OK)
        exit(5);
    for (uint32_t i = 0; i < queries; i++) {
        int32_t query[4];
        take(query, sizeof query);
        answer(bank, &player, &space, query);
    }
    free(space.pose.rotations);
    free(space.pose.translations);
    free(space.pose.scales);
    free(space.model);
    free(space.player_words);
}

int main(void)
{
    uint32_t size;
    while (fread(&size, 1, sizeof size, stdin) == sizeof size) {
        uint32_t *words = memory_of(size), queries;
        osc_bank bank;
        take(words, size);
        take(&queries, sizeof queries);
        int32_t status = osc_bank_open(&bank, words, size);
        give_number(status);
        if (status == OSC_OK) {
            give_number((int32_t)bank.layout_crc);
            give_number(bank.joint_count);
            give_number(bank.has_scale);
            answer_all(&bank, queries);
        } else {
            for (uint32_t i = 0; i < queries; i++) {
                int32_t query[4];
                take(query, sizeof query);
            }
        }
        fflush(stdout);
        free(words);
    }
    return 0;
}
