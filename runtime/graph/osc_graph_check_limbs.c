/* SPDX-License-Identifier: MIT */
/* Checks the limbs of a graph. */
#include "graph/osc_graph_check.h"

/* Checks what the end of a limb reaches for: a point, or a span of an event. */
static bool goal_valid(const osc_graph *graph, const uint32_t *words)
{
    uint32_t kind = osc_word(words[OSC_GRAPH_LIMB_KIND]), point = kind & 0xffu;
    uint32_t pole = kind >> 16;
    if (pole != OSC_GRAPH_NO_PARAMETER && !osc_graph_is_point(graph, pole))
        return false;
    if (point != OSC_GRAPH_NO_PARAMETER)
        return osc_graph_is_point(graph, point);
    return graph->events != 0 && osc_word(words[OSC_GRAPH_LIMB_SPAN]) < graph->events->name_count;
}

/* Checks that each joint of a limb stands after the one above it. */
static bool joints_valid(const osc_graph *graph, const uint32_t *words)
{
    uint32_t joints = osc_word(words[OSC_GRAPH_LIMB_JOINTS]);
    uint32_t end = osc_word(words[OSC_GRAPH_LIMB_END]);
    return (joints & 0xffffu) < joints >> 16 && joints >> 16 < (end & 0xffffu) &&
           (end & 0xffffu) < graph->bank->joint_count && end >> 16 <= OSC_ONE_Q15;
}

static bool limb_valid(const osc_graph *graph, const uint32_t *words)
{
    for (uint32_t i = OSC_GRAPH_LIMB_AXIS; i < OSC_GRAPH_LIMB_WORDS; i++)
        if (osc_word(words[i]) + OSC_ONE_Q20 > 2u * OSC_ONE_Q20)
            return false;
    return goal_valid(graph, words) && joints_valid(graph, words) &&
           osc_graph_weight_valid(graph, osc_word(words[OSC_GRAPH_LIMB_KIND]) >> 8 & 0xffu) &&
           osc_word(words[OSC_GRAPH_LIMB_WEIGHT]) <= OSC_ONE_Q15 &&
           osc_word(words[OSC_GRAPH_LIMB_FADE_US]) <= OSC_TRANSITION_MAX_US;
}

bool osc_graph_limbs_valid(const osc_graph *graph)
{
    for (uint32_t i = 0; i < graph->limb_count; i++)
        if (!limb_valid(graph, graph->limbs + i * OSC_GRAPH_LIMB_WORDS))
            return false;
    return true;
}
