/* What the fuzzers of banks share. */
#include "bank_fuzzer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bank_mutator.h"

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

/* Weak: the other fuzzers that this file is linked with have mutators of their own. */
__attribute__((weak)) size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
                                                     unsigned seed)
{
    return mutate_bank(data, size, max_size, seed);
}

void fail(const char *what)
{
    fprintf(stderr, "the fuzzer found %s\n", what);
    abort();
}

void *block_of(size_t size)
{
    void *block = malloc(size != 0u ? size : 1u);
    if (block == 0)
        fail("no memory");
    memset(block, GARBAGE, size);
    return block;
}

osc_pose pose_of(const osc_bank *bank)
{
    size_t joints = bank->joint_count;
    return (osc_pose){block_of(joints * sizeof(osc_quaternion)),
                      block_of(joints * sizeof(osc_vector)),
                      bank->has_scale ? block_of(joints * sizeof(osc_vector)) : 0};
}

void free_pose(const osc_pose *pose)
{
    free(pose->rotations);
    free(pose->translations);
    free(pose->scales);
}

int32_t *player_memory(osc_player *player, const osc_bank *bank)
{
    size_t words = osc_player_memory_words(bank);
    int32_t *memory = block_of(words * 4u);
    if (osc_player_init(player, bank, memory, words) != OSC_OK)
        fail("no player in the memory asked for");
    return memory;
}

static uint32_t noise;

void start_noise(uint32_t seed)
{
    noise = seed;
}

uint32_t next_noise(void)
{
    noise = noise * 1664525u + 1013904223u;
    return noise ^ noise >> 15;
}

uint32_t noise_below(uint32_t end)
{
    return next_noise() % end;
}
