/* Banks on the heap, in blocks of their exact size, so that ASan sees every byte read beyond. */
#ifndef BANK_TOOLS_H
#define BANK_TOOLS_H

#include "ossicle.h"

typedef struct test_bank {
    uint32_t *words;
    uint32_t count; /* of words */
} test_bank;

/* A player with the memory and the poses that it needs, each array in a block of its own. */
typedef struct test_player {
    osc_bank bank;
    osc_player player;
    int32_t *memory;
    osc_pose pose;
    osc_matrix *model;
} test_player;

test_bank bank_copy(const uint32_t *words, size_t count);
void bank_free(test_bank *bank);

/* The CRC-32 of words as they lie in memory. */
uint32_t words_crc(const uint32_t *words, size_t count);

/* Makes the size in the header and the CRC right. */
void bank_seal(test_bank *bank);

/* Inserts `count` words at word `at` (filled with `value`), or removes -count. */
void bank_resize_at(test_bank *bank, uint32_t at, int32_t count, uint32_t value);

/* The same bank with section `index` behind all others, and so last in the table. */
test_bank bank_with_last(const uint32_t *words, uint32_t index);

/* The same bank with one more section behind all others, which no reader needs. */
test_bank bank_with_section(const uint32_t *words, uint32_t tag, const uint32_t *body,
                            uint32_t body_words);

/* Returns the first word of the section with this index in the table. */
uint32_t bank_section(const test_bank *bank, uint32_t index);

int32_t bank_open(const test_bank *bank, osc_bank *opened);

/* Opens a bank and gives it a player; the bank must be valid. */
void player_make(test_player *made, const uint32_t *words, size_t count);
void player_free(test_player *made);

/* The hash over rotations, translations and scales, as the sample tables have it. */
uint32_t pose_hash(test_player *made);

/* Fills the pose with values that no clip has. */
void pose_wipe(test_player *made);

/* The same of the pose as it is, which another function has written. */
uint32_t written_pose_hash(const test_player *made);
uint32_t model_hash(test_player *made);

#endif
