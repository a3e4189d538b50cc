/* SPDX-License-Identifier: MIT */
/* Random numbers for mocks and tests: the same seed gives the same numbers on every machine. Every
 * seed is allowed, 0 included; each function changes it, so that the next one draws another number.
 */
#ifndef MOCK_RANDOM_H
#define MOCK_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns a random number below 2^31. */
uint32_t mock_random(uint64_t *seed);

/* Returns a random number from 0 to end - 1. end: from 1 to 2^31. */
uint32_t mock_below(uint64_t *seed, uint32_t end);

/* Returns true with a chance of `of_256` in 256: never for 0, always from 256 on. Draws no number
 * for 0, so that a fault that is turned off leaves the others of a seed as they were. */
bool mock_chance(uint64_t *seed, uint32_t of_256);

/* Returns whether a fault happens: one of those that a test has counted out, which then has one
 * less to come, or one by chance, of 256. */
bool mock_fault(uint64_t *seed, uint32_t *counted, uint32_t of_256);

#ifdef __cplusplus
}
#endif

#endif
