/* SPDX-License-Identifier: MIT */
/* Checks the states of a graph. */
#include "bank/osc_section.h"
#include "graph/osc_graph_check.h"

/* Checks the transitions that leave a state of a machine: they lead to states of the same one. */
static bool list_valid(const osc_graph *graph, uint32_t state, uint32_t machine)
{
    uint32_t word = osc_graph_state(graph, state, OSC_GRAPH_STATE_LIST);
    uint32_t first = word & 0xffffu, end = first + (word >> 16);
    if (end > graph->list_count)
        return false;
    for (uint32_t i = first, least = 0; i < end; i++) {
        uint32_t number = osc_graph_listed(graph, i);
        if (number < least || number >= graph->transition_count)
            return false;
        uint32_t target = osc_graph_transition(graph, number, OSC_GRAPH_TRANSITION_TARGET);
        if (!osc_graph_has_state(graph, machine, target & 0xffu))
            return false;
        least = number + 1u;
    }
    return true;
}

bool osc_graph_watches_valid(const osc_graph *graph, uint32_t state, uint32_t end_q11)
{
    uint32_t word = osc_graph_state(graph, state, OSC_GRAPH_STATE_WATCH);
    uint32_t first = word & 0xffffu, times = first + (word >> 16 & 0xffu);
    uint32_t end = times + (word >> 24);
    if (end - first > OSC_GRAPH_MOST_WATCHES || end > graph->watch_count)
        return false;
    for (uint32_t i = first, least = 0; i < end; i++) {
        uint32_t number = osc_word(graph->watches[i]);
        least = i == times ? 1u : least;
        if (number < least || number > (i < times ? end_q11 : OSC_GRAPH_TIME_MOST_US))
            return false;
        least = number + 1u;
    }
    return true;
}

bool osc_graph_find_end(const osc_graph *graph, uint32_t clip, bool additive, uint32_t *end_q11)
{
    if (clip >= graph->bank->clip_count)
        return false;
    const uint32_t *entry = graph->bank->clips + clip * OSC_CLIP_ENTRY_WORDS;
    if (osc_shape_additive(osc_clip_shape(entry)) != additive ||
        (osc_clip_mirrored(graph->bank, entry) && (graph->needs & OSC_GRAPH_NEEDS_MIRROR) == 0u))
        return false;
    *end_q11 = osc_clip_end_q11(graph->bank, clip);
    return true;
}

/* Checks a state that plays one clip, except its transitions. machine: its flags. */
static bool clip_state_valid(const osc_graph *graph, uint32_t state, uint32_t machine)
{
    uint32_t word = osc_graph_state(graph, state, OSC_GRAPH_STATE_CLIP), end_q11 = 0;
    bool additive = (machine & OSC_GRAPH_MACHINE_ADDITIVE) != 0u;
    if (!osc_graph_find_end(graph, word & 0xffffu, additive, &end_q11) ||
        osc_graph_state(graph, state, OSC_GRAPH_STATE_LOOPS) == 0u)
        return false;
    return osc_graph_speed_valid(graph, word >> 16 & 0xffu) &&
           osc_graph_watches_valid(graph, state, end_q11);
}

/* Checks a state that plays nothing, except its transitions. */
static bool nothing_valid(const osc_graph *graph, uint32_t state)
{
    return osc_graph_state(graph, state, OSC_GRAPH_STATE_CLIP) ==
               (OSC_GRAPH_STATE_NOTHING << 24 | OSC_GRAPH_NO_PARAMETER << 16) &&
           osc_graph_state(graph, state, OSC_GRAPH_STATE_LOOPS) == 1u &&
           osc_graph_state(graph, state, OSC_GRAPH_STATE_SPEED) == OSC_ONE_Q16 &&
           (osc_graph_state(graph, state, OSC_GRAPH_STATE_WATCH) >> 16 & 0xffu) == 0u &&
           osc_graph_watches_valid(graph, state, 0);
}

/* Checks a state whose position is a parameter, except its transitions. machine: its flags. */
static bool position_valid(const osc_graph *graph, uint32_t state, uint32_t machine)
{
    uint32_t word = osc_graph_state(graph, state, OSC_GRAPH_STATE_CLIP), end_q11 = 0;
    bool additive = (machine & OSC_GRAPH_MACHINE_ADDITIVE) != 0u;
    return osc_graph_state_flags(osc_graph_state_words(graph, state)) == OSC_GRAPH_STATE_POSITION &&
           (osc_graph_needs(graph) & OSC_GRAPH_NEEDS_POSITIONS) != 0u &&
           osc_graph_find_end(graph, word & 0xffffu, additive, &end_q11) &&
           osc_graph_parameter_is(graph, word >> 16 & 0xffu, OSC_GRAPH_NUMBER) &&
           osc_graph_state(graph, state, OSC_GRAPH_STATE_LOOPS) == OSC_LOOPS_FOREVER &&
           osc_graph_state(graph, state, OSC_GRAPH_STATE_SPEED) == OSC_ONE_Q16 &&
           (osc_graph_state(graph, state, OSC_GRAPH_STATE_WATCH) >> 16 & 0xffu) == 0u &&
           osc_graph_watches_valid(graph, state, 0);
}

/* Checks a state of a machine. */
static bool state_valid(const osc_graph *graph, uint32_t state, uint32_t machine)
{
    uint32_t flags = osc_graph_state_flags(osc_graph_state_words(graph, state));
    uint32_t kind = osc_graph_machine_flags(graph, machine);
    const uint32_t of_layers = OSC_GRAPH_STATE_NOTHING | OSC_GRAPH_STATE_ONE_SHOT;
    if (!list_valid(graph, state, machine) ||
        (flags & ~(of_layers | OSC_GRAPH_STATE_POSITION)) != 0u ||
        ((flags & of_layers) != 0u && machine == 0u))
        return false;
    if (osc_graph_is_blend(osc_graph_state_words(graph, state)))
        return flags == 0u && osc_graph_blend_valid(graph, state, kind);
    if ((flags & OSC_GRAPH_STATE_POSITION) != 0u)
        return position_valid(graph, state, kind);
    return (flags & OSC_GRAPH_STATE_NOTHING) != 0u ? nothing_valid(graph, state)
                                                   : clip_state_valid(graph, state, kind);
}

bool osc_graph_states_valid(const osc_graph *graph)
{
    for (uint32_t i = 0; i < graph->state_count; i++)
        if (!state_valid(graph, i, osc_graph_machine_of(graph, i)))
            return false;
    return true;
}
