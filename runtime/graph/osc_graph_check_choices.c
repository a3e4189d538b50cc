/* SPDX-License-Identifier: MIT */
/* Checks the choices of a graph. */
#include "graph/osc_graph_check.h"

/* Returns whether a flag can choose between the states of a choice: two without weights. */
static bool flag_chooses(const osc_graph *graph, uint32_t number, uint32_t count, uint32_t flag)
{
    uint32_t weights = 0;
    for (uint32_t word = OSC_GRAPH_CHOICE_WEIGHTS; word < OSC_GRAPH_CHOICE_WORDS; word++)
        weights |= osc_graph_choice(graph, number, word);
    return count == 2u && weights == 0u && osc_graph_parameter_is(graph, flag, OSC_GRAPH_FLAG);
}

bool osc_graph_choices_valid(const osc_graph *graph)
{
    uint32_t least = 0;
    for (uint32_t i = 0; i < graph->choice_count; i++) {
        uint32_t word = osc_graph_choice(graph, i, OSC_GRAPH_CHOICE_STATES);
        uint32_t first = word & 0xffu, count = word >> 8 & 0xffu, flag = word >> 16;
        if (first < least || count < 2u || count > OSC_GRAPH_CHOICE_MOST_STATES ||
            !osc_graph_has_state(graph, osc_graph_machine_of(graph, first), first + count - 1u))
            return false;
        if (flag != 0u && !flag_chooses(graph, i, count, flag - 1u))
            return false;
        least = first + count;
    }
    return true;
}
