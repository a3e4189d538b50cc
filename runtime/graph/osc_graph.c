/* SPDX-License-Identifier: MIT */
/* Finds and checks the graph of a bank: SPEC.md 26. */
#include "graph/osc_graph_records.h"
#include "motion/osc_section.h"

#define KNOWN_NEEDS (OSC_GRAPH_NEEDS_INERTIA | OSC_GRAPH_NEEDS_BLENDS | OSC_GRAPH_NEEDS_PLANES)
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
    uint32_t members = osc_word(section.words[OSC_GRAPH_MEMBERS]);
    uint32_t lists = osc_word(section.words[OSC_GRAPH_LISTS]);
    uint32_t atoms = osc_word(section.words[OSC_GRAPH_ATOMS]);
    uint32_t needs = osc_word(section.words[OSC_GRAPH_NEEDS]);
    uint32_t triangles = osc_word(section.words[OSC_GRAPH_TRIANGLES]);
    if ((states & 0xffffu) > OSC_GRAPH_MOST_STATES || needs >> 16 > OSC_GRAPH_MOST_EVENTS ||
        (needs & 0xffffu & ~KNOWN_NEEDS) != 0u || triangles > 0xffffu)
        return false;
    graph->parameter_count = (uint8_t)parameters;
    graph->trigger_count = (uint8_t)(parameters >> 8);
    graph->slewed_count = (uint8_t)(parameters >> 16);
    graph->first_state = (uint8_t)(parameters >> 24);
    graph->state_count = (uint8_t)states;
    graph->transition_count = (uint16_t)(states >> 16);
    graph->member_count = (uint16_t)members;
    graph->sync_count = (uint16_t)(members >> 16);
    graph->list_count = (uint16_t)lists;
    graph->watch_count = (uint16_t)(lists >> 16);
    graph->atom_words = (uint16_t)atoms;
    graph->triangle_count = (uint16_t)triangles;
    graph->needs = (uint8_t)needs;
    graph->event_count = (uint8_t)(needs >> 16);
    graph->longest_step_us = osc_word(section.words[OSC_GRAPH_LONGEST_US]);
    uint32_t words = graph->parameter_count * OSC_GRAPH_PARAMETER_WORDS;
    words += graph->state_count * OSC_GRAPH_STATE_WORDS;
    words += graph->member_count * OSC_GRAPH_MEMBER_WORDS;
    words += graph->sync_count * OSC_GRAPH_SYNC_WORDS + graph->triangle_count;
    words += graph->transition_count * OSC_GRAPH_TRANSITION_WORDS;
    words += ((graph->list_count + 1u) >> 1) + graph->watch_count + graph->atom_words;
    words += atoms >> 16; /* groups */
    if (words > section.count - OSC_GRAPH_HEADER_WORDS)
        return false;
    graph->parameters = section.words + OSC_GRAPH_HEADER_WORDS;
    graph->states = graph->parameters + graph->parameter_count * OSC_GRAPH_PARAMETER_WORDS;
    graph->members = graph->states + graph->state_count * OSC_GRAPH_STATE_WORDS;
    graph->syncs = graph->members + graph->member_count * OSC_GRAPH_MEMBER_WORDS;
    graph->triangles = graph->syncs + graph->sync_count * OSC_GRAPH_SYNC_WORDS;
    graph->transitions = graph->triangles + graph->triangle_count;
    graph->lists = graph->transitions + graph->transition_count * OSC_GRAPH_TRANSITION_WORDS;
    graph->watches = graph->lists + ((graph->list_count + 1u) >> 1);
    graph->atoms = graph->watches + graph->watch_count;
    return counts_valid(graph);
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
           osc_graph_parameter(graph, number, OSC_GRAPH_PARAMETER_LEAST) == 0u &&
           osc_graph_parameter(graph, number, OSC_GRAPH_PARAMETER_DEFAULT) == 0u &&
           (time_us <= OSC_GRAPH_TIME_MOST_US || time_us == OSC_GRAPH_WAITS_FOREVER);
}

/* Returns whether a kind of value may have this range. */
static bool range_valid(uint32_t kind, int32_t least, int32_t most)
{
    if (kind == OSC_GRAPH_NUMBER)
        return least < most;
    return least == 0 &&
           (kind == OSC_GRAPH_FLAG ? most == 1
                                   : kind == OSC_GRAPH_CHOICE && most >= 0 && most <= 255);
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
    return range_valid(kind, least, most) && least <= value && value <= most;
}

static bool parameters_valid(const osc_graph *graph)
{
    for (uint32_t i = 0; i < graph->parameter_count; i++)
        if (!(i < graph->trigger_count ? trigger_valid(graph, i) : value_valid(graph, i)))
            return false;
    return true;
}

/* ---- states ---- */

static bool parameter_is(const osc_graph *graph, uint32_t number, uint32_t kind)
{
    return number < graph->parameter_count && kind_of_parameter(graph, number) == kind;
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
    uint32_t first = word & 0xffffu, end = first + (word >> 16);
    if (end > graph->list_count)
        return false;
    for (uint32_t i = first, least = 0; i < end; i++) {
        uint32_t number = osc_graph_listed(graph, i);
        if (number < least || number >= graph->transition_count)
            return false;
        least = number + 1u;
    }
    return true;
}

/* Checks that positions ascend, and times do, without two that are equal. */
static bool watches_valid(const osc_graph *graph, uint32_t state, uint32_t end_q11)
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

/* Finds the last position of a clip. Returns false for a clip that the graph may not play. */
static bool find_end(const osc_graph *graph, uint32_t clip, uint32_t *end_q11)
{
    if (clip >= graph->bank->clip_count)
        return false;
    const uint32_t *entry = graph->bank->clips + clip * OSC_CLIP_ENTRY_WORDS;
    if (osc_shape_additive(osc_clip_shape(entry)) || osc_clip_mirrored(graph->bank, entry))
        return false;
    *end_q11 = osc_clip_end_q11(graph->bank, clip);
    return true;
}

/* Checks a state that plays one clip, except its transitions. */
static bool clip_state_valid(const osc_graph *graph, uint32_t state)
{
    uint32_t word = osc_graph_state(graph, state, OSC_GRAPH_STATE_CLIP), end_q11 = 0;
    if (!find_end(graph, word & 0xffffu, &end_q11) || word >> 24 != 0u ||
        osc_graph_state(graph, state, OSC_GRAPH_STATE_LOOPS) == 0u)
        return false;
    return speed_valid(graph, word >> 16) && watches_valid(graph, state, end_q11);
}

/* ---- blends ---- */

/* Checks the marks of a clip: in the order of positions, except where a loop ends. */
static bool sync_valid(const osc_graph *graph, uint32_t record, uint32_t end_q11)
{
    const uint32_t *words = graph->syncs + record * OSC_GRAPH_SYNC_WORDS;
    const uint32_t *marks = words + OSC_GRAPH_SYNC_MARKS_Q11;
    uint32_t count = osc_word(words[OSC_GRAPH_SYNC_COUNT]), descents = 0;
    if (end_q11 == 0u || osc_word(words[OSC_GRAPH_SYNC_END_Q11]) != end_q11 || count == 0u ||
        count > OSC_SYNC_MARKS || osc_word(words[OSC_GRAPH_SYNC_FRAME_US]) == 0u)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t next = i + 1u < count ? i + 1u : 0u;
        descents += osc_word(marks[next]) <= osc_word(marks[i]) ? 1u : 0u;
        if (osc_word(marks[i]) >= end_q11)
            return false;
    }
    return descents == 1u;
}

static bool member_valid(const osc_graph *graph, const uint32_t *words)
{
    uint32_t word = osc_word(words[OSC_GRAPH_MEMBER_CLIP]), record = word >> 16, end_q11 = 0;
    return find_end(graph, word & 0xffffu, &end_q11) && record < graph->sync_count &&
           sync_valid(graph, record, end_q11);
}

static uint32_t place_of(const osc_graph *graph, uint32_t member)
{
    return osc_word(graph->members[member * OSC_GRAPH_MEMBER_WORDS + OSC_GRAPH_MEMBER_AT]);
}

/* Checks the members of a blend by one number: their order. */
static bool line_valid(const osc_graph *graph, uint32_t first, uint32_t end)
{
    for (uint32_t i = first + 1u; i < end; i++)
        if ((int32_t)place_of(graph, i) <= (int32_t)place_of(graph, i - 1u))
            return false;
    return true;
}

/* Checks that a triangle has an area above 0, and its corners among `count` members. */
static bool triangle_valid(const osc_graph *graph, uint32_t triangle, uint32_t first,
                           uint32_t count)
{
    int32_t x[3], y[3];
    for (uint32_t i = 0; i < 3u; i++) {
        uint32_t corner = triangle >> (8u * i) & 0xffu;
        if (corner >= count)
            return false;
        uint32_t at = place_of(graph, first + corner);
        x[i] = (int32_t)(at & 0xffffu);
        y[i] = (int32_t)(at >> 16);
        if (x[i] > (int32_t)OSC_GRAPH_PLANE_ONE || y[i] > (int32_t)OSC_GRAPH_PLANE_ONE)
            return false;
    }
    return (x[1] - x[0]) * (y[2] - y[0]) > (x[2] - x[0]) * (y[1] - y[0]) &&
           (triangle & OSC_GRAPH_TRIANGLE_UNKNOWN) == 0u;
}

/* Checks the members of a blend by two numbers: their triangles. */
static bool plane_valid(const osc_graph *graph, uint32_t state, uint32_t first, uint32_t count)
{
    uint32_t word = osc_graph_state(graph, state, OSC_GRAPH_STATE_CLIP), next = word & 0xffffu;
    if ((graph->needs & OSC_GRAPH_NEEDS_PLANES) == 0u || word >> 24 != 0u ||
        !parameter_is(graph, word >> 16, OSC_GRAPH_NUMBER))
        return false;
    for (uint32_t i = 0; i < OSC_GRAPH_BLEND_MOST_TRIANGLES; i++, next++) {
        if (next >= graph->triangle_count ||
            !triangle_valid(graph, osc_graph_triangle(graph, next), first, count))
            return false;
        if ((osc_graph_triangle(graph, next) & OSC_GRAPH_TRIANGLE_LAST) != 0u)
            return true;
    }
    return false;
}

/* Checks a state that blends clips, except its transitions. */
static bool blend_state_valid(const osc_graph *graph, uint32_t state)
{
    uint32_t word = osc_graph_state(graph, state, OSC_GRAPH_STATE_BLEND), count = word & 0xffu;
    uint32_t parameter = word >> 8 & 0xffu, first = word >> 16, end = first + count;
    if ((graph->needs & OSC_GRAPH_NEEDS_BLENDS) == 0u || count == 0u ||
        count > OSC_GRAPH_BLEND_MOST_MEMBERS || end > graph->member_count ||
        !parameter_is(graph, parameter, OSC_GRAPH_NUMBER) ||
        osc_graph_state(graph, state, OSC_GRAPH_STATE_SPEED) != OSC_ONE_Q16 ||
        osc_graph_state(graph, state, OSC_GRAPH_STATE_LOOPS) != OSC_LOOPS_FOREVER)
        return false;
    for (uint32_t i = first; i < end; i++)
        if (!member_valid(graph, graph->members + i * OSC_GRAPH_MEMBER_WORDS))
            return false;
    bool on_line = osc_graph_state(graph, state, OSC_GRAPH_STATE_CLIP) == OSC_GRAPH_NO_PARAMETER
                                                                              << 16;
    return (on_line ? line_valid(graph, first, end) : plane_valid(graph, state, first, count)) &&
           watches_valid(graph, state, 0);
}

static bool state_valid(const osc_graph *graph, uint32_t state)
{
    return list_valid(graph, state) &&
           (osc_graph_is_blend(graph, state) ? blend_state_valid(graph, state)
                                             : clip_state_valid(graph, state));
}

/* ---- conditions ---- */

/* Returns whether a parameter is a choice that has a value of this number. */
static bool choice_has(const osc_graph *graph, uint32_t parameter, uint32_t value)
{
    return parameter < graph->parameter_count &&
           kind_of_parameter(graph, parameter) == OSC_GRAPH_CHOICE &&
           value <= osc_graph_parameter(graph, parameter, OSC_GRAPH_PARAMETER_MOST);
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
        return choice_has(graph, argument, number);
    case OSC_GRAPH_AFTER:
        return argument == 0u && number != 0u && number <= OSC_GRAPH_TIME_MOST_US;
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

/* The last position at which a state may begin. A blend begins at its first mark. */
static uint32_t last_start(const osc_graph *graph, uint32_t state)
{
    if (osc_graph_is_blend(graph, state))
        return 0;
    return osc_clip_end_q11(graph->bank, osc_graph_clip(graph, state));
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
           start <= last_start(graph, target) && condition_valid(graph, word >> 16);
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
    graph->parameters = graph->states = graph->members = graph->syncs = graph->triangles = 0;
    graph->transitions = graph->lists = graph->watches = graph->atoms = 0;
    graph->parameter_count = graph->trigger_count = graph->slewed_count = graph->state_count = 0;
    graph->member_count = graph->sync_count = graph->triangle_count = 0;
    graph->transition_count = graph->list_count = graph->watch_count = graph->atom_words = 0;
    graph->event_count = graph->needs = graph->first_state = 0;
    return section.words == 0 ? OSC_ERROR_NOT_FOUND : OSC_ERROR_SECTION;
}
