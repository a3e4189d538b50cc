/* cmocka with the headers that it wants before it. */
#ifndef CHECK_H
#define CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* A number from 0 to 2^32-1; the same sequence on every machine. */
static inline uint32_t random_u32(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    uint32_t high = (uint32_t)(*state >> 32);
    return high ^ (uint32_t)(*state >> 59);
}

/* Half of the time uniform, else close to a power of two or to an end of the range. */
static inline int32_t random_i32(uint64_t *state)
{
    uint32_t bits = random_u32(state), choice = random_u32(state);
    switch (choice & 3u) {
    case 0:
        return (int32_t)((1u << (choice >> 8 & 31u)) + (bits & 3u) - 2u);
    case 1:
        return (int32_t)(0u - (1u << (choice >> 8 & 31u)) + (bits & 3u) - 2u);
    default:
        return (int32_t)bits;
    }
}

#endif
