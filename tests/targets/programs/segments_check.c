/* Parses pseudo-random streams as segments of the transform codec, as the target's platform does,
 * and compares every word of the state and the position with what the definition makes of them. */
#include "hal.h"
#include "osc_internal.h"
#include "osc_segments.h"
#include "print.h"
#include "random_words.h"

#define CASES 1500u
#define MOST_TRACKS 9u
#define STATE_WORDS (MOST_TRACKS * (1u + 4u * 10u) + 1u)
#define MOST_STREAM_WORDS 96u

static uint32_t words[MOST_STREAM_WORDS];
static int32_t start[STATE_WORDS], expected[STATE_WORDS], state[STATE_WORDS];

static uint32_t random_below(uint32_t end)
{
    return (next_random() >> 9) % end;
}

/* The words of codes lean to zeros or to ones, so that short and long ones come up, and some have
 * an escape. */
static void make_words(uint32_t count)
{
    uint32_t kind = random_below(4u);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t word = next_random(), other = next_random();
        words[i] = kind == 0u ? word : kind == 1u ? word & other : word | other;
        if (kind == 3u && random_below(6u) == 0u)
            words[i] |= 0xffffu << random_below(17u);
    }
}

/* Where a record says k, all of 0 .. 15 come up, small ones most. */
static uint32_t random_k(uint32_t largest)
{
    return random_below(16u) == 0u ? random_below(16u) : random_below(largest + 1u);
}

static uint32_t make_tracks(uint32_t count)
{
    int32_t *at = start;
    uint32_t largest = random_below(10u);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t packing = random_below(OSC_TRANSFORM_VECTOR + 1u);
        uint32_t components = osc_transform_component_count(packing);
        uint32_t width = 1u + random_below(32u), grid = 1u + random_below(8u);
        *at++ = (int32_t)osc_transform_track(4u * i, packing, width, grid, false);
        for (uint32_t c = 1u; c <= components; c++) {
            uint32_t most = random_below(8u), mode = most == 0u ? 0u : random_below(4u);
            uint32_t end_k = random_below(5u) == 0u ? OSC_RICE_ZERO : random_k(largest);
            uint32_t k = random_k(largest), step = random_below(64u);
            uint32_t word = osc_transform_component(most, mode, end_k, k, step);
            if (c == components && i + 1u != count)
                word += sizeof *at;
            at[OSC_COMPONENT_WORD] = (int32_t)osc_transform_counted(word, random_below(most + 1u));
            for (uint32_t n = OSC_COMPONENT_START; n < OSC_COMPONENT_WORDS + most; n++)
                at[n] = next_value(0u);
            at += OSC_COMPONENT_WORDS + most;
        }
    }
    *at++ = (int32_t)OSC_TRANSFORM_END;
    return (uint32_t)(at - start);
}

static osc_window_store open_at(uint32_t stream_words, uint32_t position)
{
    osc_bits bits = {words, stream_words - 2u, position};
    osc_window_store store;
    osc_window_open(&store, bits);
    return store;
}

enum { FIRST_ENDS, ENDS, COEFFICIENTS, KINDS };

/* One component as the definition reads it; the words to the next. */
static uint32_t take_component(int32_t *component, uint32_t track, uint32_t longest, uint32_t kind,
                               osc_window *window)
{
    int32_t grid = OSC_TRANSFORM_TRACK_GRID(track);
    if (kind == COEFFICIENTS)
        return osc_take_component(component, longest, window);
    if (kind == ENDS)
        return osc_take_end(component, grid, window);
    component[OSC_COMPONENT_START] = osc_take_start(OSC_TRANSFORM_TRACK_WIDTH(track), grid, window);
    return osc_take_chord(component, grid, window);
}

/* Where the stream stands behind what the definition has read. */
static uint32_t expect(uint32_t count, osc_window_store store, uint32_t longest, uint32_t kind)
{
    int32_t *component = expected + 1;
    osc_window window = osc_window_resume(&store);
    for (; count != 0u; count--) {
        uint32_t track = (uint32_t)component[-1];
        uint32_t components = osc_transform_component_count(OSC_TRANSFORM_TRACK_PACKING(track));
        for (; components != 0u; components--)
            component += take_component(component, track, longest, kind, &window);
    }
    osc_window_suspend(&window);
    return osc_window_stored_position(&store);
}

int main(void)
{
    uint32_t hash = OSC_HASH_START, beyond = 0;
    for (uint32_t number = 0; number < CASES; number++) {
        uint32_t count = random_below(MOST_TRACKS + 1u), length = make_tracks(count);
        uint32_t stream_words = 2u + random_below(MOST_STREAM_WORDS - 1u);
        uint32_t position = random_below(32u * stream_words), longest = random_below(8u);
        uint32_t kind = random_below(KINDS);
        make_words(stream_words);
        osc_copy(expected, start, sizeof start);
        osc_copy(state, start, sizeof start);
        osc_window_store store = open_at(stream_words, position);
        uint32_t wanted = expect(count, store, longest, kind);
        if (kind == FIRST_ENDS)
            osc_take_first_ends(state, count, &store);
        else if (kind == ENDS)
            osc_take_ends(state, count, &store);
        else
            osc_take_coefficients(state, count, &store, longest);
        bool equal = osc_window_stored_position(&store) == wanted;
        for (uint32_t i = 0; i < STATE_WORDS; i++)
            equal = equal && state[i] == expected[i];
        if (!equal) {
            print_line("the platform differs from the definition in case ", number);
            hal_exit(1);
        }
        hash = hash_words(hash, state, length);
        hash = hash_words(hash, (const int32_t *)&wanted, 1u);
        beyond += wanted > 32u * stream_words ? 1u : 0u;
    }
    if (beyond < CASES / 16u || beyond > CASES - CASES / 4u) {
        print_line("too few or too many streams end early: ", beyond);
        hal_exit(1);
    }
    print_line("segments ", hash);
    hal_exit(0);
}
