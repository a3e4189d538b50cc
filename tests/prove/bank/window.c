/* The reader that keeps bits in a word, on streams of several lengths that end with their memory:
 * at any position, with whatever is left in the word. */
#include "any.h"
#include "contracts.h"

#include "bank/osc_window.c"

enum { WORDS = 12, MOST_K = 14 };

static uint32_t stream[WORDS];

static osc_window open(osc_window_store *store, uint32_t count)
{
    osc_bits bits = {stream + (WORDS - count), count - 2u, any_word()};
    osc_window_open(store, bits);
    osc_window window = osc_window_resume(store);
    store->bits.position = any_word();
    window.left = any_from(1u, UINT32_MAX);
    osc_window_suspend(&window);
    (void)osc_window_stored_position(store);
    return window;
}

void prove_window(void)
{
    forget(stream);
    for (uint32_t count = 2; count <= WORDS; count++) {
        uint32_t quotient;
        osc_window_store store;
        osc_window window = open(&store, count);
        (void)osc_window_take_rice_unsigned(&window, any_up_to(MOST_K));
        window = open(&store, count);
        (void)osc_window_take_rice_quotient(&window, any_up_to(MOST_K), &quotient);
        window = open(&store, count);
        (void)osc_window_take_rice(&window, any_up_to(MOST_K));
        window = open(&store, count);
        (void)osc_window_take(&window, any_from(1u, 32u));
    }
}
