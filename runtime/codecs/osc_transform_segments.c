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

/* Reads the difference to a component's right end. */
static inline int32_t take_chord(uint32_t word, int32_t grid, osc_window *window)
{
    uint32_t k = OSC_TRANSFORM_END_K(word);
    return k == OSC_RICE_ZERO ? 0 : osc_mul(osc_window_take_rice(window, k), grid);
}

/* Reads the ends of a track. first: in a block's first segment; otherwise the track continues from
 * the right end of the previous segment. Returns the next track's first component. */
OSC_INLINE int32_t *take_track_ends(int32_t *tracks, int32_t *component, bool first,
                                    bool transposed, osc_window *window)
{
    uint32_t track = (uint32_t)component[-1], width = OSC_TRANSFORM_TRACK_WIDTH(track);
    int32_t grid = OSC_TRANSFORM_TRACK_GRID(track);
    for (uint32_t i = transposed ? 3u : OSC_TRANSFORM_TRACK_FOUR(track) + 3u; i != 0u; i--) {
        int32_t *start = osc_transform_numbers(tracks, component, transposed);
        int32_t *chord = start + OSC_TRANSFORM_APART(transposed);
        *start = first ? take_start(width, grid, window) : osc_add(*start, *chord);
        *chord = take_chord((uint32_t)component[OSC_COMPONENT_WORD], grid, window);
        component += osc_transform_component_words(component);
    }
    return component;
}

/* Reads the ends of all tracks. */
OSC_INLINE void take_all_ends(int32_t *tracks, uint32_t count, bool first, osc_window_store *store)
{
    int32_t *component = tracks + 1;
    osc_window window = osc_window_resume(store);
    for (; count != 0u; count--) {
        if (OSC_TRANSFORM_IS_TRANSPOSED((uint32_t)component[OSC_COMPONENT_WORD]))
            component = take_track_ends(tracks, component, first, true, &window);
        else
            component = take_track_ends(tracks, component, first, false, &window);
    }
    osc_window_suspend(&window);
}

/* ---- coefficients ---- */

/* Reads a number of ones before a zero; after `most` ones there is no zero. */
static inline uint32_t take_segment_unary(uint32_t most, osc_window *window)
{
    for (;;) {
        uint32_t ones = osc_window_ones(window->left | (osc_window_bits)1u << most);
        osc_window_bits left = window->left >> (ones + (ones < most ? 1u : 0u));
        if (!OSC_UNLIKELY(left == 0u)) {
            window->left = left;
            return ones;
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

/* Reads `count` coefficients, which are `apart` words apart. k_q2: the parameter of the first. */
OSC_INLINE void take_numbers(int32_t *numbers, uint32_t apart, uint32_t count, int32_t k_q2,
                             osc_window *window)
{
    for (; count != 0u; count--, numbers += apart) {
        uint32_t k = osc_transform_rice_k(k_q2), quotient;
        *numbers = osc_window_take_rice_quotient(window, k, &quotient);
        k_q2 -= osc_transform_less_q2[quotient];
    }
}

/* Reads a component's coefficients. longest: inner frames of the segment. */
static inline void take_segment_component(int32_t *tracks, int32_t *component, uint32_t longest,
                                          osc_window *window)
{
    uint32_t word = (uint32_t)component[OSC_COMPONENT_WORD], most = OSC_TRANSFORM_MOST(word);
    uint32_t count = take_count(OSC_TRANSFORM_MODE(word), most < longest ? most : longest, window);
    int32_t k_q2 = (int32_t)(OSC_TRANSFORM_K(word) << 2);
    if (OSC_TRANSFORM_IS_TRANSPOSED(word)) {
        take_numbers(osc_transform_numbers(tracks, component, true) + 8, 4u, count, k_q2, window);
    } else {
        component[OSC_COMPONENT_WORD] = (int32_t)osc_transform_counted(word, count);
        take_numbers(component + OSC_COMPONENT_WORDS, 1u, count, k_q2, window);
    }
}

/* ---- segments ---- */

OSC_HOT_TRANSFORM void osc_transform_take_first_ends(int32_t *tracks, uint32_t count,
                                                     osc_window_store *store)
{
    take_all_ends(tracks, count, true, store);
}

OSC_HOT_TRANSFORM void osc_transform_take_ends(int32_t *tracks, uint32_t count,
                                               osc_window_store *store)
{
    take_all_ends(tracks, count, false, store);
}

OSC_HOT_TRANSFORM void osc_transform_take_coefficients(int32_t *tracks, osc_window_store *store,
                                                       uint32_t longest)
{
    int32_t *component = tracks + 1;
    osc_window window = osc_window_resume(store);
    while ((uint32_t)*component != OSC_TRANSFORM_END) {
        take_segment_component(tracks, component, longest, &window);
        component += osc_transform_component_words(component);
    }
}
