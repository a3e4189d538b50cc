/* SPDX-License-Identifier: MIT */
/* Parses a segment from the stream of the transform codec. */
#include "codecs/osc_transform_segments.h"

/* ---- ends ---- */

/* Reads the left end of a component in a block's first segment, of `width` bits. */
static inline int32_t take_start(uint32_t width, int32_t grid, osc_window *window)
{
    uint32_t unused = 32u - width;
    int32_t start = (int32_t)(osc_window_take(window, width) << unused) >> unused;
    return osc_mul(start, grid);
}

/* Reads the difference to a component's right end. Returns the words to the next component. */
static inline uint32_t take_chord(int32_t *component, int32_t grid, osc_window *window)
{
    uint32_t k = OSC_TRANSFORM_END_K((uint32_t)component[OSC_COMPONENT_WORD]);
    component[OSC_COMPONENT_CHORD] =
        k == OSC_RICE_ZERO ? 0 : osc_mul(osc_window_take_rice(window, k), grid);
    return osc_transform_component_words(component);
}

/* Continues from the right end of the previous segment. Returns the words to the next component. */
static inline uint32_t take_end(int32_t *component, int32_t grid, osc_window *window)
{
    component[OSC_COMPONENT_START] =
        osc_add(component[OSC_COMPONENT_START], component[OSC_COMPONENT_CHORD]);
    return take_chord(component, grid, window);
}

/* ---- coefficients ---- */

/* Reads a number of ones before a zero; after `most` ones there is no zero. */
static inline uint32_t take_segment_unary(uint32_t most, osc_window *window)
{
    for (;;) {
        uint32_t ones = osc_window_ones(window->left);
        osc_window_bits left = ones < most ? window->left >> ones >> 1 : window->left >> most;
        if (!OSC_UNLIKELY(left == 0u)) {
            window->left = left;
            return ones < most ? ones : most;
        }
        if (!osc_window_again(window)) {
            osc_bits *bits = &window->store->bits;
            ones = osc_trailing_ones_15(osc_bits_peek(bits));
            bits->position += ones < most ? ones + 1u : most;
            osc_window_reopen(window);
            return ones < most ? ones : most;
        }
    }
}

/* Reads the number of coefficients of a component in this segment, at most `most`. */
static inline uint32_t take_count(uint32_t mode, uint32_t most, osc_window *window)
{
    if (mode == OSC_TRANSFORM_ALWAYS || most == 0u)
        return most;
    if (mode == OSC_TRANSFORM_PLAIN) {
        uint32_t value = osc_window_take(window, 3u);
        return value < most ? value : most;
    }
    uint32_t ones = take_segment_unary(most, window);
    return mode == OSC_TRANSFORM_UP ? ones : most - ones;
}

/* Reads `count` coefficients. k_q2: the parameter of the first. */
static inline void take_numbers(int32_t *numbers, uint32_t count, int32_t k_q2, osc_window *window)
{
    for (; count != 0u; count--) {
        uint32_t k = osc_transform_rice_k(k_q2), quotient;
        *numbers++ = osc_window_take_rice_quotient(window, k, &quotient);
        k_q2 -= osc_transform_less_q2[quotient];
    }
}

/* Reads a component's coefficients. longest: inner frames of the segment. Returns the words to the
 * next component. */
static inline uint32_t take_segment_component(int32_t *component, uint32_t longest,
                                              osc_window *window)
{
    uint32_t word = (uint32_t)component[OSC_COMPONENT_WORD], most = OSC_TRANSFORM_MOST(word);
    uint32_t count = take_count(OSC_TRANSFORM_MODE(word), most < longest ? most : longest, window);
    component[OSC_COMPONENT_WORD] = (int32_t)osc_transform_counted(word, count);
    take_numbers(component + OSC_COMPONENT_WORDS, count, (int32_t)(OSC_TRANSFORM_K(word) << 2),
                 window);
    return osc_transform_component_words(component);
}

/* ---- segments ---- */

OSC_HOT_TRANSFORM void osc_transform_take_first_ends(int32_t *tracks, uint32_t count,
                                                     osc_window_store *store)
{
    int32_t *component = tracks + 1;
    osc_window window = osc_window_resume(store);
    for (; count != 0u; count--) {
        uint32_t track = (uint32_t)component[-1], width = OSC_TRANSFORM_TRACK_WIDTH(track);
        int32_t grid = OSC_TRANSFORM_TRACK_GRID(track);
        for (uint32_t i = OSC_TRANSFORM_TRACK_FOUR(track) + 3u; i != 0u; i--) {
            component[OSC_COMPONENT_START] = take_start(width, grid, &window);
            component += take_chord(component, grid, &window);
        }
    }
    osc_window_suspend(&window);
}

OSC_HOT_TRANSFORM void osc_transform_take_ends(int32_t *tracks, uint32_t count,
                                               osc_window_store *store)
{
    int32_t *component = tracks + 1;
    osc_window window = osc_window_resume(store);
    for (; count != 0u; count--) {
        uint32_t track = (uint32_t)component[-1];
        for (uint32_t i = OSC_TRANSFORM_TRACK_FOUR(track) + 3u; i != 0u; i--)
            component += take_end(component, OSC_TRANSFORM_TRACK_GRID(track), &window);
    }
    osc_window_suspend(&window);
}

OSC_HOT_TRANSFORM void osc_transform_take_coefficients(int32_t *tracks, uint32_t count,
                                                       osc_window_store *store, uint32_t longest)
{
    int32_t *component = tracks + 1;
    osc_window window = osc_window_resume(store);
    for (; count != 0u; count--) {
        for (uint32_t i = OSC_TRANSFORM_TRACK_FOUR((uint32_t)component[-1]) + 3u; i != 0u; i--)
            component += take_segment_component(component, longest, &window);
    }
    osc_window_suspend(&window);
}
