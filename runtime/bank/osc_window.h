/* SPDX-License-Identifier: MIT */
/* A bit reader for sequences of short codes, equivalent to osc_bits.h: it keeps up to 31 bits in a
 * register, or 63, so that most codes need no memory access, and never reads outside its words
 * either.
 *
 * The bits are inverted, the next bit lowest, with a 1 above them. So the trailing zeros are the
 * unary part of a code, a shift takes bits away, the word becomes zero exactly when too many are
 * taken, and the leading zeros count the bits taken so far. */
#ifndef OSC_WINDOW_H
#define OSC_WINDOW_H

#include <stdbool.h>

#include "bank/osc_bits.h"

/* The bits of a full window; the number of bits that have been taken from one, and of ones before
 * the next zero. */
#if OSC_LONG_REGISTERS
typedef uint64_t osc_window_bits;
#define OSC_WINDOW_BITS 63u
#define osc_window_taken(left) ((uint32_t)__builtin_clzll(left))
#define osc_window_ones(left) ((uint32_t)__builtin_ctzll(left))
#else
typedef uint32_t osc_window_bits;
#define OSC_WINDOW_BITS 31u
#define osc_window_taken(left) osc_leading_zeros(left)
#define osc_window_ones(left) osc_trailing_zeros(left)
#endif

/* The part that most codes do not access. */
typedef struct osc_window_store {
    osc_bits bits; /* their position was that of a full window */
    osc_window_bits left;
} osc_window_store;

typedef struct osc_window {
    osc_window_bits left; /* never zero */
    osc_window_store *store;
} osc_window;

#define OSC_WINDOW_EMPTY 1u

/* Fills store->left at its position. */
void osc_window_fill(osc_window_store *store);

/* Refills store->left. Returns false if that does not help: if the window is full, or if a read
 * that begins in it could reach the last word, which repeats without end. The position is then that
 * of the next bit. */
bool osc_window_refill(osc_window_store *store);

/* Reads any code at the store's position, after osc_window_refill has failed. */
uint32_t osc_window_take_long_rice(osc_window_store *store, uint32_t k);

static inline void osc_window_open(osc_window_store *store, osc_bits bits)
{
    store->bits = bits;
    osc_window_fill(store);
}

/* Between groups of codes, the window is kept in its store. */
static inline osc_window osc_window_resume(osc_window_store *store)
{
    osc_window window = {store->left, store};
    return window;
}

static inline void osc_window_suspend(const osc_window *window)
{
    window->store->left = window->left;
}

static inline uint32_t osc_window_stored_position(const osc_window_store *store)
{
    return store->bits.position + osc_window_taken(store->left);
}

/* Refills the window after a read for which it was too short. Returns false if that read must use
 * store->bits instead, followed by osc_window_reopen. */
static inline bool osc_window_again(osc_window *window)
{
    window->store->left =
        window->left; /* through memory, which costs the other reads no registers */
    bool filled = osc_window_refill(window->store);
    window->left = window->store->left;
    return filled;
}

static inline void osc_window_reopen(osc_window *window)
{
    osc_window_fill(window->store);
    window->left = window->store->left;
}

/* Same as osc_bits_take_rice_unsigned, k = 0..15. */
static inline uint32_t osc_window_take_rice_unsigned(osc_window *window, uint32_t k)
{
    for (;;) {
        uint32_t ones = osc_window_ones(window->left);
        osc_window_bits tail = window->left >> ones >> 1, left = tail >> k;
        if (!OSC_UNLIKELY(left == 0u || ones >= OSC_RICE_ESCAPE)) {
            window->left = left;
            /* tail: left, and the k bits inverted */
            return (uint32_t)(((ones + 1u + left) << k) - 1u - tail);
        }
        if (OSC_UNLIKELY(!osc_window_again(window))) {
            uint32_t value = osc_window_take_long_rice(window->store, k);
            window->left = window->store->left;
            return value;
        }
    }
}

/* Same as osc_bits_take_rice. *quotient: of the unsigned number, by 2^k, but 14 where it is
 * more.
 */
static inline int32_t osc_window_take_rice_quotient(osc_window *window, uint32_t k,
                                                    uint32_t *quotient)
{
    for (;;) {
        uint32_t ones = osc_window_ones(window->left);
        osc_window_bits tail = window->left >> ones >> 1, left = tail >> k;
        if (!OSC_UNLIKELY(left == 0u || ones >= OSC_RICE_ESCAPE)) {
            uint32_t complement = (uint32_t)(tail - ((ones + 1u + left) << k)); /* below zero */
            window->left = left;
            *quotient = ones;
            return ((int32_t)complement >> 1) ^ -(int32_t)(complement & 1u);
        }
        if (OSC_UNLIKELY(!osc_window_again(window))) {
            uint32_t value = osc_window_take_long_rice(window->store, k);
            window->left = window->store->left;
            *quotient = value >> k < OSC_RICE_ESCAPE ? value >> k : OSC_RICE_ESCAPE - 1u;
            return (int32_t)((value >> 1) ^ (0u - (value & 1u)));
        }
    }
}

static inline int32_t osc_window_take_rice(osc_window *window, uint32_t k)
{
    uint32_t quotient;
    return osc_window_take_rice_quotient(window, k, &quotient);
}

/* count: 1..32 */
static inline uint32_t osc_window_take(osc_window *window, uint32_t count)
{
    for (;;) {
        osc_window_bits left = window->left >> (count - 1u) >> 1;
        if (!OSC_UNLIKELY(left == 0u)) {
            uint32_t value = ~(uint32_t)window->left & (0xffffffffu >> (32u - count));
            window->left = left;
            return value;
        }
        if (!osc_window_again(window)) {
            uint32_t value = osc_bits_take(&window->store->bits, count);
            osc_window_reopen(window);
            return value;
        }
    }
}

#endif
