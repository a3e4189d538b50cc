/* A custom mutator for inputs that are banks. */
#ifndef BANK_MUTATOR_H
#define BANK_MUTATOR_H

#include <stddef.h>
#include <stdint.h>

/* Changes an input, for LLVMFuzzerCustomMutator. Magic, format, size and CRC are repaired most of
 * the time; otherwise the fuzzer would stop at the first check. One input in sixteen stays as
 * mutated. */
size_t mutate_bank(uint8_t *data, size_t size, size_t max_size, unsigned seed);

/* Changes one word by a little, sets it to a telling value, or flips one of its bits: offsets and
 * counts are words, and libFuzzer's own mutations mostly break all of them together. size: 4 bytes
 * or more. */
void mutate_word(uint8_t *data, size_t size, unsigned seed);

#endif
