/* SPDX-License-Identifier: MIT */
/* The events of a graph's clips, and conditions on them. backward: the state plays its clip towards
 * its start. */
#ifndef OSC_GRAPH_EVENTS_H
#define OSC_GRAPH_EVENTS_H

#include "osc_graph.h"

/* Reports the marks that a step of the current state has passed. */
void osc_graph_report_step(osc_graph_character *character, const osc_step *step);

/* Reports the spans in whose middle the current state has been entered. */
void osc_graph_report_begin(osc_graph_character *character, bool backward);

/* Reports the marks at the current state's position, and the ends of the spans that are open. */
void osc_graph_report_end(osc_graph_character *character, bool backward);

/* Returns whether there is a mark with this name between a watch that the clock has reached in this
 * moment and its position. */
bool osc_graph_is_at(const osc_graph *graph, const osc_graph_machine *machine, bool backward,
                     uint32_t name, uint32_t reached_q11);

/* Returns whether a span with this name is open. */
bool osc_graph_is_inside(const osc_graph *graph, const osc_graph_machine *machine, bool backward,
                         uint32_t name);

#endif
