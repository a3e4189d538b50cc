/* Codes of a key row on Cortex-M3 and up: three short ones at a time, by a table. The contract of
 * this file is in platforms/README.md. */
#if !defined(__GNUC__) || !defined(__thumb2__)
#include "../scalar/osc_codes.h"
#else
#ifndef OSC_CODES_H
#define OSC_CODES_H

#include "osc_port.h"
#include "osc_window.h"

#define OSC_CODES_SHORT 1
#define OSC_CODES_NOINLINE OSC_NOINLINE
#define OSC_CODES_INDEX_BITS 7u

/* By Rice parameter, 15 for a number that takes no bits: what the next 7 bits, inverted, say. Bits
 * 0..7 are the length of the code, or OSC_CODES_TOO_LONG, bits 8..15 the number. */
#define OSC_CODES_TOO_LONG 255u
extern const int16_t osc_codes_table[16][1u << OSC_CODES_INDEX_BITS];

/* value >> count and value << count for a count in the low byte of a register, 32 and more
 * included. */
static inline uint32_t osc_dsp_right(uint32_t value, uint32_t count)
{
    uint32_t result;
    __asm__("lsr %0, %1, %2" : "=r"(result) : "r"(value), "r"(count));
    return result;
}

static inline uint32_t osc_dsp_left(uint32_t value, uint32_t count)
{
    uint32_t result;
    __asm__("lsl %0, %1, %2" : "=r"(result) : "r"(value), "r"(count));
    return result;
}

/* 2^shift, of which the compiler does not know that: it multiplies and adds in one instruction, but
 * shifts and adds in two. */
static inline int32_t osc_codes_unit(uint32_t shift)
{
    int32_t unit = osc_shl(1, shift);
    __asm__("" : "+r"(unit));
    return unit;
}

/* Three codes mostly fit this many bits; with fewer left they are loaded anew. */
#define OSC_CODES_ENOUGH_BITS 16u

/* Loads the window's bits anew, where they do not lie near the end of the words. */
static inline uint32_t osc_codes_load(osc_window_store *store, uint32_t left)
{
    uint32_t position = store->bits.position + osc_leading_zeros(left), index = position >> 5;
    if (OSC_UNLIKELY(index >= store->bits.last_pair))
        return left;
    const uint32_t *pair = store->bits.words + index;
    uint32_t offset = position & 31u;
    store->bits.position = position;
    left = ~(osc_word(pair[0]) >> offset | osc_dsp_left(osc_word(pair[1]), 32u - offset));
    return store->left = left | 1u << 31;
}

/* A code that is too long takes what is left, and after it nothing is. */
static inline int32_t osc_codes_look_up(uint32_t *left, uint32_t k)
{
    int32_t entry = osc_codes_table[k][*left & ((1u << OSC_CODES_INDEX_BITS) - 1u)];
    *left = osc_dsp_right(*left, (uint32_t)entry);
    return entry >> 8;
}

static inline bool osc_codes_take_short(osc_window_store *store, const uint32_t k[3],
                                        int32_t numbers[3])
{
    uint32_t left = store->left;
    if (left >> OSC_CODES_ENOUGH_BITS == 0u)
        left = osc_codes_load(store, left);
    numbers[0] = osc_codes_look_up(&left, k[0]);
    numbers[1] = osc_codes_look_up(&left, k[1]);
    numbers[2] = osc_codes_look_up(&left, k[2]);
    if (OSC_UNLIKELY(left == 0u))
        return false;
    store->left = left;
    return true;
}

/* ---- the table, for osc_window.c ---- */

/* Ones below the lowest zero of i, and the entry of the inverted bits i. */
#define OSC_CODES_ONES(i)                                                                          \
    (((i)&1) == 0       ? 0                                                                        \
     : ((i)&3) == 1     ? 1                                                                        \
     : ((i)&7) == 3     ? 2                                                                        \
     : ((i)&15) == 7    ? 3                                                                        \
     : ((i)&31) == 15   ? 4                                                                        \
     : ((i)&63) == 31   ? 5                                                                        \
     : ((i)&127) == 63  ? 6                                                                        \
     : ((i)&255) == 127 ? 7                                                                        \
                        : 8)
#define OSC_CODES_NUMBER(k, i)                                                                     \
    ((OSC_CODES_ONES(i) << (k)) | (((i) >> (OSC_CODES_ONES(i) + 1)) & ((1 << (k)) - 1)))
#define OSC_CODES_LENGTH(k, i) (OSC_CODES_ONES(i) + 1 + (k))
#define OSC_CODES_ZIGZAG(u) (((u) >> 1) ^ -((u)&1))
#define OSC_CODES_1(k, i)                                                                          \
    (int16_t)(OSC_CODES_LENGTH(k, 127 - (i)) > (int)OSC_CODES_INDEX_BITS                           \
                  ? (int)OSC_CODES_TOO_LONG                                                        \
                  : OSC_CODES_ZIGZAG(OSC_CODES_NUMBER(k, 127 - (i))) * 256 +                       \
                        OSC_CODES_LENGTH(k, 127 - (i)))
#define OSC_CODES_4(k, i)                                                                          \
    OSC_CODES_1(k, i), OSC_CODES_1(k, (i) + 1), OSC_CODES_1(k, (i) + 2), OSC_CODES_1(k, (i) + 3)
#define OSC_CODES_16(k, i)                                                                         \
    OSC_CODES_4(k, i), OSC_CODES_4(k, (i) + 4), OSC_CODES_4(k, (i) + 8), OSC_CODES_4(k, (i) + 12)
#define OSC_CODES_64(k, i)                                                                         \
    OSC_CODES_16(k, i), OSC_CODES_16(k, (i) + 16), OSC_CODES_16(k, (i) + 32),                      \
        OSC_CODES_16(k, (i) + 48)
#define OSC_CODES_128(k) OSC_CODES_64(k, 0), OSC_CODES_64(k, 64)

#endif
#endif
