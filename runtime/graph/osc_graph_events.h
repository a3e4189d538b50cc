/* SPDX-License-Identifier: MIT */
/* The events of a graph's clips, and conditions on them. */
#ifndef OSC_GRAPH_EVENTS_H
#define OSC_GRAPH_EVENTS_H

#include "graph/osc_graph_step.h"

/* The functions for clips with events. */
struct osc_graph_event_play {
    /* Reports the marks of a clip that a step of the current state has passed. */
    void (*passed)(const osc_graph_step *step, uint32_t clip, const osc_step *passed);
    /* Reports the spans in whose middle the current state has been entered. */
    void (*begin)(const osc_graph_step *step);
    /* Reports, if with_marks, the marks at the current state's position, and the ends of the spans
     * that are open. */
    void (*end)(const osc_graph_step *step, bool with_marks);
    /* Reports the spans that end and begin because another clip takes the lead of a blend. Both
     * have played up to their position, without the marks there. */
    void (*leader)(const osc_graph_step *step, const osc_graph_place *from,
                   const osc_graph_place *to);
    /* Returns whether there is a mark with this name between the watch that the clock has just
     * reached and its position. */
    bool (*is_at)(const osc_graph_step *step, uint32_t name);
    /* Returns whether a span with this name is open. */
    bool (*is_inside)(const osc_graph_step *step, uint32_t name);
};

#endif
