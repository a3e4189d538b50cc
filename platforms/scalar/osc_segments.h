/* Segments of the transform codec with the scalar backend: the definition. The contract of this
 * file is in platforms/README.md. */
#ifndef OSC_SEGMENTS_H
#define OSC_SEGMENTS_H

#include "osc_transform_segments.h"

OSC_NOINLINE void osc_take_first_ends(int32_t *tracks, uint32_t count, osc_window_store *store)
{
    int32_t *component = tracks + 1;
    osc_window window = osc_window_resume(store);
    for (; count != 0u; count--) {
        uint32_t track = (uint32_t)component[-1], width = OSC_TRANSFORM_TRACK_WIDTH(track);
        int32_t grid = OSC_TRANSFORM_TRACK_GRID(track);
        for (uint32_t i = OSC_TRANSFORM_TRACK_FOUR(track) + 3u; i != 0u; i--) {
            component[OSC_COMPONENT_START] = osc_take_start(width, grid, &window);
            component += osc_take_chord(component, grid, &window);
        }
    }
    osc_window_suspend(&window);
}

OSC_NOINLINE void osc_take_ends(int32_t *tracks, uint32_t count, osc_window_store *store)
{
    int32_t *component = tracks + 1;
    osc_window window = osc_window_resume(store);
    for (; count != 0u; count--) {
        uint32_t track = (uint32_t)component[-1];
        for (uint32_t i = OSC_TRANSFORM_TRACK_FOUR(track) + 3u; i != 0u; i--)
            component += osc_take_end(component, OSC_TRANSFORM_TRACK_GRID(track), &window);
    }
    osc_window_suspend(&window);
}

OSC_NOINLINE void osc_take_coefficients(int32_t *tracks, uint32_t count, osc_window_store *store,
                                        uint32_t longest)
{
    int32_t *component = tracks + 1;
    osc_window window = osc_window_resume(store);
    for (; count != 0u; count--) {
        for (uint32_t i = OSC_TRANSFORM_TRACK_FOUR((uint32_t)component[-1]) + 3u; i != 0u; i--)
            component += osc_take_component(component, longest, &window);
    }
    osc_window_suspend(&window);
}

#endif
