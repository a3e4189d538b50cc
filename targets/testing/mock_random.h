/* Random numbers for mocks and tests: the same seed gives the same numbers on every machine. */
#ifndef MOCK_RANDOM_H
#define MOCK_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

/* Returns a random number below 2^31, and changes the seed so that the next call returns another
 * one. Every seed is allowed, 0 included. */
static inline uint32_t mock_random(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33);
}

/* Returns a random number from 0 to end - 1. end: from 1 to 2^31. */
static inline uint32_t mock_below(uint64_t *seed, uint32_t end)
{
    return mock_random(seed) % end;
}

/* Returns true with a chance of `of_256` in 256: never for 0, always from 256 on. Draws no number
 * for 0, so that a fault that is turned off leaves the others of a seed as they were. */
static inline bool mock_chance(uint64_t *seed, uint32_t of_256)
{
    return of_256 != 0u && mock_below(seed, 256u) < of_256;
}

/* Returns whether a fault happens: one of those that a test has counted out, which then has one
 * less to come, or one by chance, of 256. */
static inline bool mock_fault(uint64_t *seed, uint32_t *counted, uint32_t of_256)
{
    if (*counted == 0u)
        return mock_chance(seed, of_256);
    (*counted)--;
    return true;
}

#endif
