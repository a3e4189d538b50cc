/* Reads three Rice codes at a time as the target's platform does, wherever the window stands, and
 * compares numbers and positions with what plain reading of bits gives. */
#include "hal.h"
#include "osc_codes.h"
#include "print.h"
#include "random_words.h"

#define CASES 6000u
#define WORDS 12u
#define K_COUNT 16u

static uint32_t words[WORDS];

/* The words of codes lean to zeros or to ones, so that short and long ones come up. */
static void make_words(void)
{
    uint32_t kind = (next_random() >> 9) % 3u;
    for (uint32_t i = 0; i < WORDS; i++) {
        uint32_t word = next_random(), other = next_random();
        words[i] = kind == 0u ? word : kind == 1u ? word & other : word | other;
    }
}

static void check(bool holds, const char *what, uint32_t number)
{
    if (!holds) {
        print_line(what, number);
        hal_exit(1);
    }
}

/* A window that has been read from, up to some bit. */
static osc_window_store open_at(uint32_t position, uint32_t taken)
{
    osc_bits bits = {words, WORDS - 2u, position};
    osc_window_store store;
    osc_window_open(&store, bits);
    osc_window window = osc_window_resume(&store);
    if (taken != 0u)
        (void)osc_window_take(&window, taken);
    osc_window_suspend(&window);
    return store;
}

int main(void)
{
    uint32_t done = 0, refused = 0;
    for (uint32_t number = 0; number < CASES; number++) {
        int32_t numbers[3] = {0, 0, 0};
        uint32_t k[3], largest = 1u + (next_random() >> 9) % K_COUNT;
        make_words();
        for (uint32_t i = 0; i < 3u; i++) {
            k[i] = (next_random() >> 9) % largest;
            if ((next_random() >> 9) % 8u == 0u)
                k[i] = OSC_RICE_ZERO;
        }
        osc_window_store store =
            open_at((next_random() >> 9) % (32u * (WORDS + 1u)), (next_random() >> 9) & 31u);
        osc_bits plain = {words, WORDS - 2u, osc_window_stored_position(&store)};
        bool is_short = osc_codes_take_short(&store, k, numbers);
        for (uint32_t i = 0; is_short && i < 3u; i++) {
            int32_t wanted = k[i] == OSC_RICE_ZERO ? 0 : osc_bits_take_rice(&plain, k[i]);
            check(numbers[i] == wanted, "a number differs in case ", number);
        }
        check(osc_window_stored_position(&store) == plain.position, "a position differs in case ",
              number);
        osc_window window = osc_window_resume(&store);
        check(osc_window_take(&window, 7u) == osc_bits_take(&plain, 7u),
              "what follows differs in case ", number);
        done += is_short ? 1u : 0u;
        refused += is_short ? 0u : 1u;
    }
    check(!OSC_CODES_SHORT || done > CASES / 4u, "too few codes are short: ", done);
    check(refused > CASES / 16u, "too few codes are long: ", refused);
    print_line("unit ", (uint32_t)osc_codes_unit(20u));
    hal_exit(0);
}
