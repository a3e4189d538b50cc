/* SPDX-License-Identifier: MIT */
/* Checks the transitions of a graph and their conditions. */
#include "bank/osc_section.h"
#include "graph/osc_graph_check.h"

#define KNOWN_FLAGS (OSC_GRAPH_ATOM_NOT | OSC_GRAPH_ATOM_OR | OSC_GRAPH_ATOM_LAST)

#define BIT(operation) (1u << (operation))
#define EVERY_OPERATION (BIT(OSC_GRAPH_ATOM_KINDS) - 1u)
#define LEVEL_OPERATIONS /* those that need no moment of their own */                              \
    (BIT(OSC_GRAPH_ALWAYS) | BIT(OSC_GRAPH_IS_SET) | BIT(OSC_GRAPH_AT_LEAST) |                     \
     BIT(OSC_GRAPH_EQUALS) | BIT(OSC_GRAPH_IN))

/* Returns whether a parameter is a choice that has a value of this number. */
static bool choice_has(const osc_graph *graph, uint32_t parameter, uint32_t value)
{
    return parameter < graph->parameter_count &&
           osc_graph_kind_of_parameter(graph, parameter) == OSC_GRAPH_CHOICE &&
           value <= osc_graph_parameter(graph, parameter, OSC_GRAPH_PARAMETER_MOST);
}

/* Returns whether these are states of one machine, an earlier one. */
static bool in_valid(const osc_graph *graph, uint32_t states, uint32_t machine)
{
    uint32_t first = states & 0xffu, count = states >> 8;
    for (uint32_t i = 0; i < machine; i++)
        if (osc_graph_has_state(graph, i, first))
            return count != 0u && osc_graph_has_state(graph, i, first + count - 1u);
    return false;
}

static bool atom_valid(const osc_graph *graph, uint32_t atom, uint32_t number, uint32_t machine)
{
    uint32_t argument = atom >> 16;
    bool negated = (atom & OSC_GRAPH_ATOM_NOT) != 0u;
    switch (atom & 0xffu) {
    case OSC_GRAPH_ALWAYS:
    case OSC_GRAPH_FINISHED:
        return argument == 0u;
    case OSC_GRAPH_WAITS:
        return argument < graph->wait_count && osc_graph_wait(graph, argument) >> 8 == machine &&
               !negated;
    case OSC_GRAPH_IS_SET:
        return osc_graph_parameter_is(graph, argument, OSC_GRAPH_FLAG);
    case OSC_GRAPH_AT_LEAST:
        return osc_graph_parameter_is(graph, argument, OSC_GRAPH_NUMBER);
    case OSC_GRAPH_EQUALS:
        return choice_has(graph, argument, number);
    case OSC_GRAPH_AFTER:
        return argument == 0u && number != 0u && number <= OSC_GRAPH_TIME_MOST_US;
    case OSC_GRAPH_AT:
        return graph->events != 0 && argument < graph->events->name_count && !negated;
    case OSC_GRAPH_INSIDE:
        return graph->events != 0 && argument < graph->events->name_count;
    default:
        return in_valid(graph, argument, machine); /* OSC_GRAPH_IN */
    }
}

bool osc_graph_condition_valid(const osc_graph *graph, uint32_t at, uint32_t machine, bool is_while)
{
    const uint32_t operations = is_while ? LEVEL_OPERATIONS : EVERY_OPERATION;
    uint32_t atoms = 0, clauses = 1;
    while (at < graph->atom_words) {
        uint32_t atom = osc_word(graph->atoms[at++]), operation = atom & 0xffu, number = 0;
        if (osc_graph_has_number(operation)) {
            if (at == graph->atom_words)
                return false;
            number = osc_word(graph->atoms[at++]);
        }
        bool ends = (atom & OSC_GRAPH_ATOM_OR) != 0u, last = (atom & OSC_GRAPH_ATOM_LAST) != 0u;
        if (++atoms > OSC_GRAPH_CLAUSE_MOST_ATOMS || (ends && last) ||
            (atom & 0xff00u & ~KNOWN_FLAGS) != 0u || operation >= OSC_GRAPH_ATOM_KINDS ||
            (operations >> operation & 1u) == 0u || !atom_valid(graph, atom, number, machine))
            return false;
        if (last)
            return true;
        if (ends) {
            atoms = 0;
            if (++clauses > OSC_GRAPH_MOST_CLAUSES)
                return false;
        }
    }
    return false;
}

/* The last position at which a state may begin. A blend begins at its first mark, and a parameter
 * may be the position. */
static uint32_t last_start(const osc_graph *graph, const uint32_t *state)
{
    if (osc_graph_is_blend(state) || !osc_graph_plays(state) || osc_graph_has_position(state))
        return 0;
    return osc_clip_end_q11(graph->bank, osc_graph_clip(state));
}

static bool transition_valid(const osc_graph *graph, uint32_t number)
{
    uint32_t word = osc_graph_transition(graph, number, OSC_GRAPH_TRANSITION_TARGET);
    uint32_t target = word & 0xffu, kind = word >> 8 & 0xffu;
    uint32_t start = osc_graph_transition(graph, number, OSC_GRAPH_TRANSITION_START_Q11);
    uint32_t over_us = osc_graph_transition(graph, number, OSC_GRAPH_TRANSITION_OVER_US);
    if (target >= graph->state_count)
        return false;
    const uint32_t *state = osc_graph_state_words(graph, target);
    uint32_t machine = osc_graph_machine_of(graph, target);
    uint32_t needed = 0;
    if (kind == OSC_GRAPH_STEP && (over_us == 0u || !osc_graph_is_blend(state) ||
                                   (osc_graph_needs(graph) & OSC_GRAPH_NEEDS_STEPS) == 0u))
        return false;
    if (kind != OSC_GRAPH_CUT && over_us != 0u && osc_graph_plays(state))
        needed = kind >= OSC_GRAPH_FADE ? OSC_GRAPH_MACHINE_FADES : OSC_GRAPH_MACHINE_INERTIA;
    return kind <= OSC_GRAPH_STEP && (needed & ~osc_graph_machine_flags(graph, machine)) == 0u &&
           over_us <= OSC_TRANSITION_MAX_US &&
           osc_graph_transition(graph, number, OSC_GRAPH_TRANSITION_HOLD_US) <=
               OSC_GRAPH_TIME_MOST_US &&
           start <= last_start(graph, state) &&
           osc_graph_condition_valid(graph, word >> 16, machine, false);
}

bool osc_graph_transitions_valid(const osc_graph *graph)
{
    for (uint32_t i = 0; i < graph->transition_count; i++)
        if (!transition_valid(graph, i))
            return false;
    return true;
}
