/* SPDX-License-Identifier: MIT */
/* A bit reader that cannot leave its words: past the end it repeats the last ones. That costs one
 * comparison and makes any stream safe to decode without a prior check. */
#ifndef OSC_BITS_H
#define OSC_BITS_H

#include "arithmetic/osc_count.h"
#include "bank/osc_format.h"

typedef struct osc_bits {
    const uint32_t *words;
    uint32_t last_pair; /* number of words - 2 */
    uint32_t position;  /* in bits, least significant bit of a word first */
} osc_bits;

/* 32 bits of a pair of words. offset: 0..31 */
static inline uint32_t osc_bits_of_pair(const uint32_t *pair, uint32_t offset)
{
#if OSC_LONG_REGISTERS
    return (uint32_t)((osc_word(pair[0]) | (uint64_t)osc_word(pair[1]) << 32) >> offset);
#else
    return (osc_word(pair[0]) >> offset) | ((osc_word(pair[1]) << 1) << (31u - offset));
#endif
}

static inline uint32_t osc_bits_peek(const osc_bits *bits)
{
    uint32_t index = bits->position >> 5, offset = bits->position & 31u;
    if (index > bits->last_pair)
        index = bits->last_pair;
    return osc_bits_of_pair(bits->words + index, offset);
}

/* count: 1..32 */
static inline uint32_t osc_bits_take(osc_bits *bits, uint32_t count)
{
    uint32_t value = osc_bits_peek(bits);
    bits->position += count;
    return value & (0xffffffffu >> (32u - count));
}

/* `count` numbers of 32 bits each. */
static inline void osc_bits_take_words(osc_bits *bits, uint32_t *words, uint32_t count)
{
    uint32_t index = bits->position >> 5, offset = bits->position & 31u;
    if (bits->last_pair < count || index > bits->last_pair - count) {
        for (uint32_t i = 0; i < count; i++)
            words[i] = osc_bits_take(bits, 32u);
        return;
    }
    const uint32_t *next = bits->words + index;
    bits->position += 32u * count;
#if OSC_LONG_REGISTERS
    for (uint32_t i = 0; i < count; i++)
        words[i] = osc_bits_of_pair(next + i, offset);
#else
    uint32_t low = osc_word(*next++);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t high = osc_word(*next++);
        words[i] = (low >> offset) | ((high << 1) << (31u - offset));
        low = high;
    }
#endif
}

/* Three numbers of `width` bits each, 1..32. */
static inline void osc_bits_take_three(osc_bits *bits, uint32_t width, uint32_t numbers[3])
{
#if OSC_LONG_REGISTERS
    uint32_t index = bits->position >> 5, offset = bits->position & 31u;
    if (index + 1u < bits->last_pair &&
        3u * width <= 64u) { /* all three begin before the last word */
        const uint32_t *words = bits->words + index;
        uint64_t all = (osc_word(words[0]) | (uint64_t)osc_word(words[1]) << 32) >> offset |
                       (uint64_t)osc_word(words[2]) << 1 << (63u - offset);
        uint64_t mask = (1ull << width) - 1u;
        bits->position += 3u * width;
        numbers[0] = (uint32_t)(all & mask);
        numbers[1] = (uint32_t)(all >> width & mask);
        numbers[2] = (uint32_t)(all >> 2u * width & mask);
        return;
    }
#endif
    for (uint32_t i = 0; i < 3u; i++)
        numbers[i] = osc_bits_take(bits, width);
}

/* A two's complement number of 1..32 bits. */
static inline int32_t osc_bits_take_signed(osc_bits *bits, uint32_t count)
{
    uint32_t value = osc_bits_peek(bits);
    bits->position += count;
    return (int32_t)(value << (32u - count)) >> (32u - count);
}

/* A Rice code with parameter k = 0..14: q ones, a zero, k bits; OSC_RICE_ESCAPE ones are followed
 * by all 32 bits. */
static inline uint32_t osc_bits_take_rice_unsigned(osc_bits *bits, uint32_t k)
{
    uint32_t value = osc_bits_peek(bits), ones = osc_trailing_ones_15(value);
    if (ones == OSC_RICE_ESCAPE) {
        bits->position += OSC_RICE_ESCAPE;
        return osc_bits_take(bits, 32u);
    }
    bits->position += ones + 1u + k;
    return (ones << k) | ((value >> (ones + 1u)) & ((1u << k) - 1u));
}

/* 0, -1, 1, -2, ... of 0, 1, 2, 3, ... */
static inline int32_t osc_unzigzag(uint32_t value)
{
    return (int32_t)((value >> 1) ^ (0u - (value & 1u)));
}

/* A Rice code of a zigzag coded number. */
static inline int32_t osc_bits_take_rice(osc_bits *bits, uint32_t k)
{
    return osc_unzigzag(osc_bits_take_rice_unsigned(bits, k));
}

#endif
