/* What the fuzzers of banks share: their mutator, memory, poses and random numbers. */
#ifndef BANK_FUZZER_H
#define BANK_FUZZER_H

#include <stddef.h>
#include <stdint.h>

#include "ossicle.h"

enum { GARBAGE = 0x5a /* each byte of memory that nothing has written yet */ };

/* Ends the program with a message that says what went wrong. */
void fail(const char *what);

/* Returns memory full of GARBAGE, to be freed. */
void *block_of(size_t size);

/* Returns a pose of the joints of a bank, to be freed with free_pose. */
osc_pose pose_of(const osc_bank *bank);

void free_pose(const osc_pose *pose);

/* Binds a player to as much memory as it needs, and returns this memory, to be freed. */
int32_t *player_memory(osc_player *player, const osc_bank *bank);

/* Sets the numbers that next_noise returns. */
void start_noise(uint32_t seed);

uint32_t next_noise(void);

/* Returns a random number below end. end: 1 or more. */
uint32_t noise_below(uint32_t end);

#endif
