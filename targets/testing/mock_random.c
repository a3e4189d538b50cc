/* SPDX-License-Identifier: MIT */
/* The upper bits of a linear congruential generator of 64 bits (Knuth's MMIX). */
#include "mock_random.h"

uint32_t mock_random(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33);
}

uint32_t mock_below(uint64_t *seed, uint32_t end)
{
    return mock_random(seed) % end;
}

bool mock_chance(uint64_t *seed, uint32_t of_256)
{
    return of_256 != 0u && mock_below(seed, 256u) < of_256;
}

bool mock_fault(uint64_t *seed, uint32_t *counted, uint32_t of_256)
{
    if (*counted == 0u)
        return mock_chance(seed, of_256);
    (*counted)--;
    return true;
}
