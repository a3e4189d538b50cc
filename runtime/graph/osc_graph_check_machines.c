/* SPDX-License-Identifier: MIT */
/* Checks the machines of a graph, and the waits and masks that belong to them. */
#include "graph/osc_graph_check.h"

#define BASE_KINDS                                                                                 \
    (OSC_GRAPH_MACHINE_INERTIA | OSC_GRAPH_MACHINE_BLENDS | OSC_GRAPH_MACHINE_PLANES |             \
     OSC_GRAPH_MACHINE_FADES)
#define LAYER_KINDS (BASE_KINDS | OSC_GRAPH_MACHINE_ADDITIVE)

/* Returns whether the graph needs what a machine of this kind needs. */
static bool needs_valid(const osc_graph *graph, uint32_t machine, uint32_t kind)
{
    uint32_t needs = 0;
    needs |= (kind & OSC_GRAPH_MACHINE_INERTIA) != 0u ? OSC_GRAPH_NEEDS_INERTIA : 0u;
    needs |= (kind & OSC_GRAPH_MACHINE_BLENDS) != 0u ? OSC_GRAPH_NEEDS_BLENDS : 0u;
    needs |= (kind & OSC_GRAPH_MACHINE_PLANES) != 0u ? OSC_GRAPH_NEEDS_PLANES : 0u;
    needs |= (kind & OSC_GRAPH_MACHINE_ADDITIVE) != 0u ? OSC_GRAPH_NEEDS_ADDITIVE : 0u;
    needs |= (kind & OSC_GRAPH_MACHINE_FADES) != 0u ? OSC_GRAPH_NEEDS_FADES : 0u;
    needs |= machine != 0u ? OSC_GRAPH_NEEDS_LAYERS : 0u;
    return (needs & ~(uint32_t)graph->needs) == 0u;
}

/* The clips of a machine that play together: those of a state, or of two. */
static uint32_t players_of_kind(uint32_t kind)
{
    uint32_t players = (kind & OSC_GRAPH_MACHINE_BLENDS) != 0u ? 2u : 1u;
    if ((kind & OSC_GRAPH_MACHINE_PLANES) != 0u)
        players = OSC_GRAPH_MOST_MEMBERS;
    return (kind & OSC_GRAPH_MACHINE_FADES) != 0u ? 2u * players : players;
}

/* Returns whether a machine has memory for a fade that is interrupted. */
static bool memory_valid(uint32_t kind)
{
    return (kind & OSC_GRAPH_MACHINE_FADES) == 0u || (kind & OSC_GRAPH_MACHINE_INERTIA) != 0u;
}

/* Checks a machine, except its states. first: the first of them. */
static bool machine_valid(const osc_graph *graph, uint32_t machine, uint32_t first)
{
    uint32_t states = osc_graph_machine_word(graph, machine, OSC_GRAPH_MACHINE_STATES);
    uint32_t kind = osc_graph_machine_word(graph, machine, OSC_GRAPH_MACHINE_KIND);
    uint32_t condition = osc_graph_machine_word(graph, machine, OSC_GRAPH_MACHINE_WHILE);
    uint32_t mask = kind >> 8 & 0xffu, count = states >> 8 & 0xffu;
    bool is_layer = machine != 0u;
    return (states & 0xffu) == first && count != 0u && first + count <= graph->state_count &&
           osc_graph_has_state(graph, machine, states >> 16 & 0xffu) &&
           states >> 24 == players_of_kind(kind) && memory_valid(kind) &&
           (kind & 0xffu & ~(is_layer ? LAYER_KINDS : BASE_KINDS)) == 0u && kind >> 24 == 0u &&
           (mask == OSC_GRAPH_NO_MASK || (is_layer && mask < graph->mask_count)) &&
           osc_graph_weight_valid(graph, kind >> 16) && needs_valid(graph, machine, kind) &&
           osc_graph_machine_word(graph, machine, OSC_GRAPH_MACHINE_WEIGHT) <= OSC_ONE_Q15 &&
           osc_graph_machine_word(graph, machine, OSC_GRAPH_MACHINE_FADE_US) <=
               OSC_TRANSITION_MAX_US &&
           (condition == OSC_GRAPH_ANYTIME ||
            (is_layer && osc_graph_condition_valid(graph, condition, machine, true)));
}

/* Checks the machines, whose states follow one another. */
bool osc_graph_machines_valid(const osc_graph *graph)
{
    uint32_t first = 0;
    for (uint32_t i = 0; i < graph->machine_count; i++) {
        if (!machine_valid(graph, i, first))
            return false;
        first += osc_graph_machine_word(graph, i, OSC_GRAPH_MACHINE_STATES) >> 8 & 0xffu;
    }
    return first == graph->state_count;
}

/* Checks that the waits are in the order of machines and triggers. */
bool osc_graph_waits_valid(const osc_graph *graph)
{
    uint32_t least = 0;
    for (uint32_t i = 0; i < graph->wait_count; i++) {
        uint32_t wait = osc_graph_wait(graph, i), order = wait >> 8 << 8 | (wait & 0xffu);
        if ((wait & 0xffu) >= graph->trigger_count || wait >> 8 >= graph->machine_count ||
            order < least)
            return false;
        least = order + 1u;
    }
    return true;
}

bool osc_graph_masks_valid(const osc_graph *graph)
{
    uint32_t words = graph->mask_count * osc_graph_mask_words(graph->bank);
    for (uint32_t i = 0; i < words; i++) {
        uint32_t word = osc_word(graph->masks[i]);
        if ((word & 0xffffu) > OSC_ONE_Q15 || word >> 16 > OSC_ONE_Q15)
            return false;
    }
    return true;
}
