/* SPDX-License-Identifier: MIT */
/* Finds and checks the graph of a bank: SPEC.md 26. */
#include "graph/osc_graph_records.h"
#include "motion/osc_section.h"

#define KNOWN_NEEDS OSC_GRAPH_NEEDS_INERTIA
#define KNOWN_FLAGS (OSC_GRAPH_ATOM_NOT | OSC_GRAPH_ATOM_OR | OSC_GRAPH_ATOM_LAST)

/* ---- parts ---- */

static bool counts_valid(const osc_graph *graph)
{
    return graph->parameter_count <= OSC_GRAPH_MOST_PARAMETERS &&
           graph->trigger_count <= OSC_GRAPH_MOST_TRIGGERS &&
           (uint32_t)graph->trigger_count + graph->slewed_count <= graph->parameter_count &&
           graph->first_state < graph->state_count &&
           graph->transition_count <= OSC_GRAPH_MOST_TRANSITIONS && graph->longest_step_us != 0u &&
           graph->longest_step_us <= OSC_GRAPH_LONGEST_MOST_US;
}

/* Finds the records. Returns false for a section that is too small, or whose counts are out of
 * range. */
static bool find_records(osc_graph *graph, osc_words section)
{
    if (section.count < OSC_GRAPH_HEADER_WORDS)
        return false;
    uint32_t parameters = osc_word(section.words[OSC_GRAPH_PARAMETERS]);
    uint32_t states = osc_word(section.words[OSC_GRAPH_STATES]);
    uint32_t lists = osc_word(section.words[OSC_GRAPH_LISTS]);
    uint32_t atoms = osc_word(section.words[OSC_GRAPH_ATOMS]);
    uint32_t needs = osc_word(section.words[OSC_GRAPH_NEEDS]);
    if ((states & 0xffffu) > OSC_GRAPH_MOST_STATES || needs >> 16 > OSC_GRAPH_MOST_EVENTS ||
        (needs & 0xffffu & ~KNOWN_NEEDS) != 0u)
        return false;
    graph->parameter_count = (uint8_t)parameters;
    graph->trigger_count = (uint8_t)(parameters >> 8);
    graph->slewed_count = (uint8_t)(parameters >> 16);
    graph->first_state = (uint8_t)(parameters >> 24);
    graph->state_count = (uint8_t)states;
    graph->transition_count = (uint16_t)(states >> 16);
    graph->list_count = (uint16_t)lists;
    graph->watch_count = (uint16_t)(lists >> 16);
    graph->atom_words = (uint16_t)atoms;
    graph->needs = (uint8_t)needs;
    graph->event_count = (uint8_t)(needs >> 16);
    graph->longest_step_us = osc_word(section.words[OSC_GRAPH_LONGEST_US]);
    graph->parameters = section.words + OSC_GRAPH_HEADER_WORDS;
    graph->states = graph->parameters + graph->parameter_count * OSC_GRAPH_PARAMETER_WORDS;
    graph->transitions = graph->states + graph->state_count * OSC_GRAPH_STATE_WORDS;
    graph->lists = graph->transitions + graph->transition_count * OSC_GRAPH_TRANSITION_WORDS;
    graph->watches = graph->lists + ((graph->list_count + 1u) >> 1);
    graph->atoms = graph->watches + graph->watch_count;
    uint32_t words = graph->parameter_count * OSC_GRAPH_PARAMETER_WORDS;
    words += graph->state_count * OSC_GRAPH_STATE_WORDS;
    words += graph->transition_count * OSC_GRAPH_TRANSITION_WORDS;
    words += ((graph->list_count + 1u) >> 1) + graph->watch_count + graph->atom_words;
    words += atoms >> 16; /* groups */
    return words <= section.count - OSC_GRAPH_HEADER_WORDS && counts_valid(graph);
}

/* ---- parameters ---- */

static uint32_t kind_of_parameter(const osc_graph *graph, uint32_t number)
{
    return osc_graph_parameter(graph, number, OSC_GRAPH_PARAMETER_KIND) &
           ((1u << OSC_GRAPH_SLEW_SHIFT) - 1u);
}

static bool trigger_valid(const osc_graph *graph, uint32_t number)
{
    uint32_t time_us = osc_graph_parameter(graph, number, OSC_GRAPH_PARAMETER_MOST);
    return osc_graph_parameter(graph, number, OSC_GRAPH_PARAMETER_KIND) == OSC_GRAPH_TRIGGER &&
           (time_us <= OSC_GRAPH_TIME_MOST_US || time_us == OSC_GRAPH_WAITS_FOREVER);
}

static bool value_valid(const osc_graph *graph, uint32_t number)
{
    uint32_t kind = kind_of_parameter(graph, number);
    int32_t least = (int32_t)osc_graph_parameter(graph, number, OSC_GRAPH_PARAMETER_LEAST);
    int32_t most = (int32_t)osc_graph_parameter(graph, number, OSC_GRAPH_PARAMETER_MOST);
    int32_t value = (int32_t)osc_graph_parameter(graph, number, OSC_GRAPH_PARAMETER_DEFAULT);
    bool slewed = osc_graph_parameter(graph, number, OSC_GRAPH_PARAMETER_KIND) != kind;
    if (slewed != (number < (uint32_t)graph->trigger_count + graph->slewed_count) ||
        (slewed && kind != OSC_GRAPH_NUMBER))
        return false;
    return kind > OSC_GRAPH_TRIGGER && kind <= OSC_GRAPH_NUMBER && least < most && least <= value &&
           value <= most;
}

static bool parameters_valid(const osc_graph *graph)
{
    for (uint32_t i = 0; i < graph->parameter_count; i++)
        if (!(i < graph->trigger_count ? trigger_valid(graph, i) : value_valid(graph, i)))
            return false;
    return true;
}

/* ---- states ---- */

/* Returns whether numbers ascend, without two that are equal, and none is greater than `most`. */
static bool ascending(const uint32_t *words, uint32_t count, uint32_t most)
{
    for (uint32_t i = 0; i < count; i++)
        if (osc_word(words[i]) > most || (i != 0u && osc_word(words[i]) <= osc_word(words[i - 1u])))
            return false;
    return true;
}

static bool speed_valid(const osc_graph *graph, uint32_t parameter)
{
    if (parameter == OSC_GRAPH_NO_PARAMETER)
        return true;
    return parameter < graph->parameter_count &&
           kind_of_parameter(graph, parameter) == OSC_GRAPH_NUMBER &&
           (int32_t)osc_graph_parameter(graph, parameter, OSC_GRAPH_PARAMETER_LEAST) >= 0;
}

static bool list_valid(const osc_graph *graph, uint32_t state)
{
    uint32_t word = osc_graph_state(graph, state, OSC_GRAPH_STATE_LIST);
    uint32_t first = word & 0xffffu, count = word >> 16;
    if (first + count > graph->list_count)
        return false;
    for (uint32_t i = first; i < first + count; i++)
        if (osc_graph_listed(graph, i) >= graph->transition_count ||
            (i != first && osc_graph_listed(graph, i) <= osc_graph_listed(graph, i - 1u)))
            return false;
    return true;
}

static bool watches_valid(const osc_graph *graph, uint32_t state, uint32_t end_q11)
{
    uint32_t first = osc_graph_state(graph, state, OSC_GRAPH_STATE_WATCH) & 0xffffu;
    osc_graph_watches watches = osc_graph_watches_of(graph, state);
    uint32_t count = watches.position_count + watches.time_count;
    return count <= OSC_GRAPH_MOST_WATCHES && first + count <= graph->watch_count &&
           ascending(watches.positions, watches.position_count, end_q11) &&
           ascending(watches.times, watches.time_count, OSC_GRAPH_TIME_MOST_US);
}

static bool state_valid(const osc_graph *graph, uint32_t state)
{
    uint32_t word = osc_graph_state(graph, state, OSC_GRAPH_STATE_CLIP), clip = word & 0xffffu;
    uint32_t loops = osc_graph_state(graph, state, OSC_GRAPH_STATE_LOOPS);
    if (clip >= graph->bank->clip_count || word >> 24 != 0u || loops == 0u)
        return false;
    uint32_t end_q11 = osc_clip_end_q11(graph->bank, clip);
    return !osc_shape_additive(osc_clip_shape(graph->bank->clips + clip * OSC_CLIP_ENTRY_WORDS)) &&
           (end_q11 != 0u || loops != OSC_LOOPS_FOREVER) && speed_valid(graph, word >> 16) &&
           list_valid(graph, state) && watches_valid(graph, state, end_q11);
}

/* ---- conditions ---- */

static bool parameter_is(const osc_graph *graph, uint32_t number, uint32_t kind)
{
    return number < graph->parameter_count && kind_of_parameter(graph, number) == kind;
}

static bool atom_valid(const osc_graph *graph, uint32_t atom, uint32_t number)
{
    uint32_t argument = atom >> 16;
    bool negated = (atom & OSC_GRAPH_ATOM_NOT) != 0u;
    switch (atom & 0xffu) {
    case OSC_GRAPH_ALWAYS:
    case OSC_GRAPH_FINISHED:
        return argument == 0u;
    case OSC_GRAPH_WAITS:
        return argument < graph->trigger_count && !negated;
    case OSC_GRAPH_IS_SET:
        return parameter_is(graph, argument, OSC_GRAPH_FLAG);
    case OSC_GRAPH_AT_LEAST:
        return parameter_is(graph, argument, OSC_GRAPH_NUMBER);
    case OSC_GRAPH_EQUALS:
        return parameter_is(graph, argument, OSC_GRAPH_CHOICE);
    case OSC_GRAPH_AFTER:
        return argument == 0u && number <= OSC_GRAPH_TIME_MOST_US;
    case OSC_GRAPH_AT:
        return graph->events != 0 && argument < graph->events->name_count && !negated;
    case OSC_GRAPH_INSIDE:
        return graph->events != 0 && argument < graph->events->name_count;
    default:
        return false;
    }
}

/* Checks the condition that begins at a word: its atoms, and that it ends. */
static bool condition_valid(const osc_graph *graph, uint32_t at)
{
    uint32_t atoms = 0, clauses = 1;
    while (at < graph->atom_words) {
        uint32_t atom = osc_word(graph->atoms[at++]), number = 0;
        if (osc_graph_has_number(atom & 0xffu)) {
            if (at == graph->atom_words)
                return false;
            number = osc_word(graph->atoms[at++]);
        }
        bool ends = (atom & OSC_GRAPH_ATOM_OR) != 0u, last = (atom & OSC_GRAPH_ATOM_LAST) != 0u;
        if (++atoms > OSC_GRAPH_CLAUSE_MOST_ATOMS || (ends && last) ||
            (atom & 0xff00u & ~KNOWN_FLAGS) != 0u || !atom_valid(graph, atom, number))
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

static bool transition_valid(const osc_graph *graph, uint32_t number)
{
    uint32_t word = osc_graph_transition(graph, number, OSC_GRAPH_TRANSITION_TARGET);
    uint32_t target = word & 0xffu, kind = word >> 8 & 0xffu;
    uint32_t start = osc_graph_transition(graph, number, OSC_GRAPH_TRANSITION_START_Q11);
    uint32_t over_us = osc_graph_transition(graph, number, OSC_GRAPH_TRANSITION_OVER_US);
    bool fades = kind == OSC_GRAPH_INERTIA && over_us != 0u;
    return target < graph->state_count && kind <= OSC_GRAPH_CUT &&
           (!fades || (graph->needs & OSC_GRAPH_NEEDS_INERTIA) != 0u) &&
           over_us <= OSC_TRANSITION_MAX_US &&
           osc_graph_transition(graph, number, OSC_GRAPH_TRANSITION_HOLD_US) <=
               OSC_GRAPH_TIME_MOST_US &&
           start <= osc_clip_end_q11(graph->bank, osc_graph_clip(graph, target)) &&
           condition_valid(graph, word >> 16);
}

/* ---- the graph ---- */

static bool graph_valid(const osc_graph *graph)
{
    if (!parameters_valid(graph))
        return false;
    for (uint32_t i = 0; i < graph->state_count; i++)
        if (!state_valid(graph, i))
            return false;
    for (uint32_t i = 0; i < graph->transition_count; i++)
        if (!transition_valid(graph, i))
            return false;
    return true;
}

int32_t osc_graph_open(osc_graph *graph, const osc_bank *bank, const osc_events *events,
                       const osc_trajectories *trajectories)
{
    OSC_ASSERT(graph != 0 && bank != 0);
    osc_words section = osc_section_find(bank, OSC_TAG_GRAPH);
    graph->bank = bank;
    graph->events = events;
    graph->trajectories = trajectories;
    if (section.words != 0 && find_records(graph, section) && graph_valid(graph))
        return OSC_OK;
    graph->parameters = graph->states = graph->transitions = 0;
    graph->lists = graph->watches = graph->atoms = 0;
    graph->parameter_count = graph->trigger_count = graph->slewed_count = graph->state_count = 0;
    graph->transition_count = graph->list_count = graph->watch_count = graph->atom_words = 0;
    graph->event_count = graph->needs = graph->first_state = 0;
    return section.words == 0 ? OSC_ERROR_NOT_FOUND : OSC_ERROR_SECTION;
}
