/* SPDX-License-Identifier: MIT */
/* The rare cases of the window reader. */
#include "bank/osc_window.h"

/* The 31 bits at the reader's position. index: of the pair of words there, which is not the last
 * pair.
 */
static inline uint32_t bits_at(const osc_bits *bits, uint32_t index)
{
    const uint32_t *pair = bits->words + index;
    uint32_t offset = bits->position & 31u;
    uint32_t value = osc_word(pair[0]) >> offset | osc_word(pair[1]) << 1 << (31u - offset);
    return ~value | 1u << 31;
}

OSC_HOT void osc_window_fill(osc_window_store *store)
{
    uint32_t index = store->bits.position >> 5;
    if (index < store->bits.last_pair) {
        store->left = bits_at(&store->bits, index);
    } else {
        store->bits.position -= 31u;
        store->left = OSC_WINDOW_EMPTY;
    }
}

OSC_HOT bool osc_window_refill(osc_window_store *store)
{
    uint32_t taken = osc_leading_zeros(store->left), position = store->bits.position + taken;
    uint32_t index = position >> 5;
    store->bits.position = position;
    if (taken == 0u || index >= store->bits.last_pair)
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
