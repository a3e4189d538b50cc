/* SPDX-License-Identifier: MIT */
/* Conditions of transitions. */
#include "graph/osc_graph_step.h"

/* Returns whether an atom holds, without its OSC_GRAPH_ATOM_NOT. number: the word after it. */
static bool atom_holds(const osc_graph_step *step, uint32_t atom, const uint32_t *number)
{
    uint32_t argument = atom >> 16;
    switch (atom & 0xffu) {
    case OSC_GRAPH_WAITS:
        return osc_graph_is_pending(step, argument);
    case OSC_GRAPH_IS_SET:
        return osc_graph_written(step, argument) != 0;
    case OSC_GRAPH_AT_LEAST:
        return osc_graph_written(step, argument) >= (int32_t)osc_word(*number);
    case OSC_GRAPH_EQUALS:
        return osc_graph_written(step, argument) == (int32_t)osc_word(*number);
    case OSC_GRAPH_FINISHED:
        return step->machine->loops_left == 0u;
    case OSC_GRAPH_AFTER:
        return step->machine->state_us >= osc_word(*number);
    case OSC_GRAPH_AT:
        return step->reports->is_at(step, argument);
    case OSC_GRAPH_INSIDE:
        return step->reports->is_inside(step, argument);
    case OSC_GRAPH_IN: /* only in layers */
        return step->code->layers->is_in(step, argument);
    default: /* OSC_GRAPH_ALWAYS */
        return true;
    }
}

/* The words of an atom. */
static uint32_t words_of(uint32_t atom)
{
    return osc_graph_has_number(atom & 0xffu) ? 2u : 1u;
}

/* Returns whether an atom is the last one of its clause. */
static bool ends_clause(uint32_t atom)
{
    return (atom & (OSC_GRAPH_ATOM_OR | OSC_GRAPH_ATOM_LAST)) != 0u;
}

const uint32_t *osc_graph_clause(const osc_graph_step *step, uint32_t condition)
{
    const uint32_t *at = step->graph->atoms + condition, *clause = at;
    for (;;) {
        uint32_t atom = osc_word(*at);
        bool holds = atom_holds(step, atom, at + 1) == ((atom & OSC_GRAPH_ATOM_NOT) == 0u);
        if (holds && ends_clause(atom))
            return clause;
        for (; !holds && !ends_clause(atom); atom = osc_word(*at))
            at += words_of(atom);
        if ((atom & OSC_GRAPH_ATOM_LAST) != 0u)
            return 0;
        at += words_of(atom);
        clause = holds ? clause : at;
    }
}

void osc_graph_consume(const osc_graph_step *step, const uint32_t *clause)
{
    uint32_t atom;
    do {
        atom = osc_word(*clause);
        if ((atom & 0xffu) == OSC_GRAPH_WAITS)
            step->character->ages_us[atom >> 16] = OSC_GRAPH_NOT_PENDING;
        clause += words_of(atom);
    } while (!ends_clause(atom));
}
