/* SPDX-License-Identifier: MIT */
/* Checks the looks of a graph. */
#include "graph/osc_graph_check.h"

/* Checks that each joint of a chain stands before the one that turns after it. */
static bool links_valid(const osc_graph *graph, const uint32_t *words, uint32_t count)
{
    uint32_t below = graph->bank->joint_count;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *link = words + OSC_GRAPH_LOOK_LINKS + 2u * i;
        uint32_t joint = osc_word(link[0]) & 0xffffu;
        if (joint >= below || osc_word(link[0]) >> 16 > OSC_ONE_Q15 ||
            osc_word(link[1]) > OSC_ONE_Q15)
            return false;
        below = joint;
    }
    return true;
}

static bool look_valid(const osc_graph *graph, const uint32_t *words)
{
    uint32_t kind = osc_word(words[OSC_GRAPH_LOOK_KIND]), count = kind >> 16;
    for (uint32_t i = OSC_GRAPH_LOOK_FORWARD; i < OSC_GRAPH_LOOK_EYES; i++)
        if (osc_word(words[i]) + OSC_ONE_Q20 > 2u * OSC_ONE_Q20)
            return false;
    return osc_graph_is_point(graph, kind & 0xffu) &&
           osc_graph_weight_valid(graph, kind >> 8 & 0xffu) && count != 0u &&
           count <= OSC_GRAPH_MOST_LINKS && osc_word(words[OSC_GRAPH_LOOK_WEIGHT]) <= OSC_ONE_Q15 &&
           osc_word(words[OSC_GRAPH_LOOK_FADE_US]) <= OSC_TRANSITION_MAX_US &&
           osc_word(words[OSC_GRAPH_LOOK_LAG_US]) <= OSC_TRANSITION_MAX_US &&
           links_valid(graph, words, count);
}

bool osc_graph_looks_valid(const osc_graph *graph)
{
    for (uint32_t i = 0; i < graph->look_count; i++)
        if (!look_valid(graph, graph->looks + i * OSC_GRAPH_LOOK_WORDS))
            return false;
    return true;
}
