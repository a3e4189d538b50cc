/* SPDX-License-Identifier: MIT */
/* The checks of osc_graph_open. Each returns whether a part of the section keeps to SPEC.md 26. */
#ifndef OSC_GRAPH_CHECK_H
#define OSC_GRAPH_CHECK_H

#include "graph/osc_graph_records.h"

static inline uint32_t osc_graph_kind_of_parameter(const osc_graph *graph, uint32_t number)
{
    return osc_graph_parameter(graph, number, OSC_GRAPH_PARAMETER_KIND) &
           ((1u << OSC_GRAPH_SLEW_SHIFT) - 1u);
}

/* Returns whether there is a parameter of this number and kind. */
static inline bool osc_graph_parameter_is(const osc_graph *graph, uint32_t number, uint32_t kind)
{
    return number < graph->parameter_count && osc_graph_kind_of_parameter(graph, number) == kind;
}

bool osc_graph_parameters_valid(const osc_graph *graph);

/* Returns whether a parameter is a point. They come last. */
static inline bool osc_graph_is_point(const osc_graph *graph, uint32_t number)
{
    return number < graph->parameter_count &&
           number >= (uint32_t)graph->parameter_count - graph->point_count;
}

/* A speed is a number that is not negative, or OSC_GRAPH_NO_PARAMETER. */
bool osc_graph_speed_valid(const osc_graph *graph, uint32_t parameter);

/* A weight is a number from 0 to 1, or OSC_GRAPH_NO_PARAMETER. */
bool osc_graph_weight_valid(const osc_graph *graph, uint32_t parameter);

bool osc_graph_waits_valid(const osc_graph *graph);
bool osc_graph_masks_valid(const osc_graph *graph);
bool osc_graph_looks_valid(const osc_graph *graph);
bool osc_graph_limbs_valid(const osc_graph *graph);
bool osc_graph_machines_valid(const osc_graph *graph);

/* Checks the states, whose machines are valid. */
bool osc_graph_states_valid(const osc_graph *graph);

/* Checks a state that blends clips, except its transitions. machine: its flags. */
bool osc_graph_blend_valid(const osc_graph *graph, uint32_t state, uint32_t machine);

/* Checks that the watched positions of a state ascend up to the end of its clip, and the watched
 * times ascend, without two that are equal. */
bool osc_graph_watches_valid(const osc_graph *graph, uint32_t state, uint32_t end_q11);

/* Finds the last position of a clip. Returns false for a clip that the graph may not play.
 * additive: whether the machine adds differences. */
bool osc_graph_find_end(const osc_graph *graph, uint32_t clip, bool additive, uint32_t *end_q11);

/* Checks the transitions, whose states are valid. */
bool osc_graph_transitions_valid(const osc_graph *graph);

/* Checks the condition of a machine that begins at a word: its atoms, and that it ends. is_while:
 * it is that of a layer, whose atoms need no moment of their own. */
bool osc_graph_condition_valid(const osc_graph *graph, uint32_t at, uint32_t machine,
                               bool is_while);

#endif
