/* SPDX-License-Identifier: MIT */
/* The segments of the transform codec, as osc_transform_segments.c reads them. A component's ends
 * and coefficients go to the player's state; `tracks` is the first of `count` tracks there. A port
 * may have moved them to other memory, side by side with those of other tracks. */
#ifndef OSC_TRANSFORM_SEGMENTS_H
#define OSC_TRANSFORM_SEGMENTS_H

#include "bank/osc_window.h"
#include "codecs/osc_transform_arithmetic.h"
#include "port/osc_port.h"

/* From a component's word to the next one's. */
static inline uint32_t osc_transform_component_words(const int32_t *component)
{
    return OSC_TRANSFORM_SKIP_BYTES((uint32_t)component[OSC_COMPONENT_WORD]) /
           (uint32_t)sizeof *component;
}

/* Whether a port has moved the numbers of a component. The state then has its word, and after it
 * the distance of its start from the first track. */
#define OSC_TRANSFORM_TRANSPOSED 1u
#ifdef OSC_PORT_ROWS
#define OSC_TRANSFORM_IS_TRANSPOSED(word) (((word)&OSC_TRANSFORM_TRANSPOSED) != 0u)
#else
#define OSC_TRANSFORM_IS_TRANSPOSED(word) false
#endif

/* The start of a component. Its chord and coefficients follow, this many words apart. */
#define OSC_TRANSFORM_APART(transposed) ((transposed) ? 4u : 1u)
static inline int32_t *osc_transform_numbers(int32_t *tracks, int32_t *component, bool transposed)
{
    int32_t *start = component + OSC_COMPONENT_START;
    return transposed ? tracks + *start : start;
}

/* Reads the left ends and chords of all components, in a block's first segment. */
void osc_transform_take_first_ends(int32_t *tracks, uint32_t count, osc_window_store *store);

/* Reads the left ends and chords of all components, from the right ends of the previous segment. */
void osc_transform_take_ends(int32_t *tracks, uint32_t count, osc_window_store *store);

/* Reads the number of coefficients of each component, and the coefficients. longest: frames between
 * the ends. The store does not keep the place behind them. */
void osc_transform_take_coefficients(int32_t *tracks, osc_window_store *store, uint32_t longest);

#endif
