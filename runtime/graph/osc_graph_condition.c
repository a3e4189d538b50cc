/* SPDX-License-Identifier: MIT */
/* Conditions of transitions. */
#include "graph/osc_graph_events.h"
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
        return osc_graph_reports(step)->is_at(step, argument);
    case OSC_GRAPH_INSIDE:
        return osc_graph_reports(step)->is_inside(step, argument);
    case OSC_GRAPH_IN: /* only in layers */
        return step->character->code->layers->is_in(step, argument);
    default: /* OSC_GRAPH_ALWAYS */
        return true;
    }
}

uint32_t osc_graph_clause(const osc_graph_step *step, uint32_t condition)
{
    const uint32_t *atoms = step->graph->atoms;
    uint32_t at = condition, clause = at, atom;
    bool holds = true;
    do {
        atom = osc_word(atoms[at++]);
        if (holds)
            holds = atom_holds(step, atom, atoms + at) == ((atom & OSC_GRAPH_ATOM_NOT) == 0u);
        at += osc_graph_has_number(atom & 0xffu) ? 1u : 0u;
        if ((atom & (OSC_GRAPH_ATOM_OR | OSC_GRAPH_ATOM_LAST)) == 0u)
            continue;
        if (holds)
            return clause;
        clause = at;
        holds = true;
    } while ((atom & OSC_GRAPH_ATOM_LAST) == 0u);
    return OSC_GRAPH_NOWHERE;
}

void osc_graph_consume(const osc_graph_step *step, uint32_t clause)
{
    uint32_t atom, at = clause;
    do {
        atom = osc_word(step->graph->atoms[at++]);
        if ((atom & 0xffu) == OSC_GRAPH_WAITS)
            step->character->ages_us[atom >> 16] = OSC_GRAPH_NOT_PENDING;
        at += osc_graph_has_number(atom & 0xffu) ? 1u : 0u;
    } while ((atom & (OSC_GRAPH_ATOM_OR | OSC_GRAPH_ATOM_LAST)) == 0u);
}
