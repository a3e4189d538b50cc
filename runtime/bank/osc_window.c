/* SPDX-License-Identifier: MIT */
/* The rare cases of the window reader. */
#include "bank/osc_window.h"

/* The number of words in which a full window may begin: it does not reach the last word. */
static inline uint32_t window_words(const osc_bits *bits)
{
#if OSC_LONG_REGISTERS
    return bits->last_pair != 0u ? bits->last_pair - 1u : 0u;
#else
    return bits->last_pair;
#endif
}

/* The full window at the reader's position. index: of its first word */
static inline osc_window_bits bits_at(const osc_bits *bits, uint32_t index)
{
    const uint32_t *words = bits->words + index;
    uint32_t offset = bits->position & 31u;
#if OSC_LONG_REGISTERS
    uint64_t value = (osc_word(words[0]) | (uint64_t)osc_word(words[1]) << 32) >> offset |
                     (uint64_t)osc_word(words[2]) << 1 << (63u - offset);
    return ~value | 1ull << 63;
#else
    return ~osc_bits_of_pair(words, offset) | 1u << 31;
#endif
}

OSC_HOT void osc_window_fill(osc_window_store *store)
{
    uint32_t index = store->bits.position >> 5;
    if (index < window_words(&store->bits)) {
        store->left = bits_at(&store->bits, index);
    } else {
        store->bits.position -= OSC_WINDOW_BITS;
        store->left = OSC_WINDOW_EMPTY;
    }
}

OSC_HOT bool osc_window_refill(osc_window_store *store)
{
    uint32_t taken = osc_window_taken(store->left), position = store->bits.position + taken;
    uint32_t index = position >> 5;
    store->bits.position = position;
    if (taken == 0u || index >= window_words(&store->bits))
        return false;
    store->left = bits_at(&store->bits, index);
    return true;
}

OSC_HOT uint32_t osc_window_take_long_rice(osc_window_store *store, uint32_t k)
{
    uint32_t value = osc_bits_take_rice_unsigned(&store->bits, k);
    osc_window_fill(store);
    return value;
}
