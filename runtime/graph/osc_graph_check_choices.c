/* SPDX-License-Identifier: MIT */
/* Checks the choices of a graph. */
#include "graph/osc_graph_check.h"

bool osc_graph_choices_valid(const osc_graph *graph)
{
    uint32_t least = 0;
    for (uint32_t i = 0; i < graph->choice_count; i++) {
        uint32_t word = osc_graph_choice(graph, i, OSC_GRAPH_CHOICE_STATES);
        uint32_t first = word & 0xffu, count = word >> 8 & 0xffu, flag = word >> 16;
        if (first < least || count < 2u || count > OSC_GRAPH_CHOICE_MOST_STATES ||
            !osc_graph_has_state(graph, osc_graph_machine_of(graph, first), first + count - 1u))
            return false;
        if (flag != 0u &&
            (count != 2u || !osc_graph_parameter_is(graph, flag - 1u, OSC_GRAPH_FLAG)))
            return false;
        least = first + count;
    }
    return true;
}
