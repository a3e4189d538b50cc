/* SPDX-License-Identifier: MIT */
/* Steps from one track of a curve clip in a player's state to the next. */
#ifndef OSC_CURVE_WALK_H
#define OSC_CURVE_WALK_H

#include "codecs/osc_curve_track.h"

/* The track after one that takes this many words. */
static inline osc_curve_track *osc_curve_track_after(osc_curve_track *track, uint32_t words)
{
    return (osc_curve_track *)((uint32_t *)track + words);
}

static osc_curve_track *osc_curve_next_track(osc_curve_track *track)
{
    uint32_t kind = OSC_CURVE_DISPATCH_KIND(track->dispatch);
    if (kind < OSC_CURVE_POINT_KINDS)
        return osc_curve_track_after(track, sizeof(osc_curve_dense) / 4u);
    if (kind == OSC_CURVE_DENSE_FOUR)
        return osc_curve_track_after(track, sizeof(osc_curve_dense_four) / 4u);
    uint32_t count = osc_curve_components(track->form);
    return osc_curve_track_after(track, osc_curve_state_words(OSC_CURVE_LINEAR, count));
}

static inline bool osc_curve_is_track(const osc_curve_track *track)
{
    return track->dispatch != OSC_CURVE_END;
}

#endif
