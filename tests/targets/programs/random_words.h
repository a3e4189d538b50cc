/* Pseudo-random words, the same on every target and in random_words.py, and their hash. */
#ifndef RANDOM_WORDS_H
#define RANDOM_WORDS_H

#include <stdint.h>

static uint32_t random_state = 1u;

static inline uint32_t next_random(void)
{
    random_state = random_state * 1664525u + 1013904223u;
    return random_state ^ random_state >> 15;
}

/* Numbers of all sizes (kind 0), of at most about 1 in Q20 (kind 1), and extremes (kind 2). */
static inline int32_t next_value(uint32_t kind)
{
    static const int32_t extremes[8] = {INT32_MIN, INT32_MAX, -1,         0,
                                        1,         1 << 19,   -(1 << 19), 1 << 20};
    uint32_t random = next_random();
    if (kind == 2u)
        return extremes[random >> 7 & 7u];
    return kind == 1u ? (int32_t)random >> 11 : (int32_t)random;
}

/* FNV-1a by words, as a pose hash. */
static inline uint32_t hash_words(uint32_t hash, const int32_t *words, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        hash = (hash ^ (uint32_t)words[i]) * 16777619u;
    return hash;
}

#endif
