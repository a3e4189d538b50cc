/* SPDX-License-Identifier: MIT */
/* Finds and checks the graph of a bank: SPEC.md 26. */
#include "graph/osc_graph_records.h"
#include "motion/osc_section.h"

#define KNOWN_NEEDS                                                                                \
    (OSC_GRAPH_NEEDS_INERTIA | OSC_GRAPH_NEEDS_BLENDS | OSC_GRAPH_NEEDS_LAYERS |                   \
     OSC_GRAPH_NEEDS_ADDITIVE | OSC_GRAPH_NEEDS_PLANES)
#define BASE_KINDS (OSC_GRAPH_MACHINE_INERTIA | OSC_GRAPH_MACHINE_BLENDS | OSC_GRAPH_MACHINE_PLANES)
#define LAYER_KINDS (BASE_KINDS | OSC_GRAPH_MACHINE_ADDITIVE)
#define KNOWN_FLAGS (OSC_GRAPH_ATOM_NOT | OSC_GRAPH_ATOM_OR | OSC_GRAPH_ATOM_LAST)

/* ---- parts ---- */

static bool counts_valid(const osc_graph *graph)
{
    return graph->parameter_count <= OSC_GRAPH_MOST_PARAMETERS &&
           graph->trigger_count <= OSC_GRAPH_MOST_TRIGGERS &&
           (uint32_t)graph->trigger_count + graph->slewed_count + graph->point_count <=
               graph->parameter_count &&
           graph->machine_count != 0u && graph->machine_count <= OSC_GRAPH_MOST_MACHINES &&
           graph->wait_count <= OSC_GRAPH_MOST_WAITS && graph->mask_count <= OSC_GRAPH_MOST_MASKS &&
           graph->look_count <= OSC_GRAPH_MOST_LOOKS &&
           graph->point_count <= OSC_GRAPH_MOST_POINTS &&
           graph->transition_count <= OSC_GRAPH_MOST_TRANSITIONS && graph->longest_step_us != 0u &&
           graph->longest_step_us <= OSC_GRAPH_LONGEST_MOST_US;
}

/* The words of a mask. */
static uint32_t mask_words(const osc_bank *bank)
{
    return ((uint32_t)bank->joint_count + 1u) >> 1;
}

/* Finds the records. Returns false for a section that is too small, or whose counts are out of
 * range. */
static bool find_records(osc_graph *graph, osc_words section)
{
    if (section.count < OSC_GRAPH_HEADER_WORDS)
        return false;
    uint32_t parameters = osc_word(section.words[OSC_GRAPH_PARAMETERS]);
    uint32_t machines = osc_word(section.words[OSC_GRAPH_MACHINES]);
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
    graph->machine_count = (uint8_t)machines;
    graph->wait_count = (uint8_t)(machines >> 8);
    graph->mask_count = (uint8_t)(machines >> 16);
    graph->look_count = (uint8_t)(machines >> 24);
    graph->point_count = (uint8_t)(parameters >> 24);
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
    graph->layout_crc = osc_word(section.words[OSC_GRAPH_LAYOUT_CRC]);
    uint32_t words = graph->parameter_count * OSC_GRAPH_PARAMETER_WORDS;
    words += graph->machine_count * OSC_GRAPH_MACHINE_WORDS;
    words += graph->state_count * OSC_GRAPH_STATE_WORDS;
    words += graph->member_count * OSC_GRAPH_MEMBER_WORDS;
    words += graph->sync_count * OSC_GRAPH_SYNC_WORDS + graph->triangle_count;
    words += graph->transition_count * OSC_GRAPH_TRANSITION_WORDS;
    words += ((graph->list_count + 1u) >> 1) + graph->watch_count + graph->atom_words;
    words += graph->wait_count + graph->mask_count * mask_words(graph->bank);
    words += graph->look_count * OSC_GRAPH_LOOK_WORDS + (atoms >> 16); /* groups */
    if (words > section.count - OSC_GRAPH_HEADER_WORDS)
        return false;
    graph->parameters = section.words + OSC_GRAPH_HEADER_WORDS;
    graph->machines = graph->parameters + graph->parameter_count * OSC_GRAPH_PARAMETER_WORDS;
    graph->states = graph->machines + graph->machine_count * OSC_GRAPH_MACHINE_WORDS;
    graph->members = graph->states + graph->state_count * OSC_GRAPH_STATE_WORDS;
    graph->syncs = graph->members + graph->member_count * OSC_GRAPH_MEMBER_WORDS;
    graph->triangles = graph->syncs + graph->sync_count * OSC_GRAPH_SYNC_WORDS;
    graph->transitions = graph->triangles + graph->triangle_count;
    graph->lists = graph->transitions + graph->transition_count * OSC_GRAPH_TRANSITION_WORDS;
    graph->watches = graph->lists + ((graph->list_count + 1u) >> 1);
    graph->atoms = graph->watches + graph->watch_count;
    graph->waits = graph->atoms + graph->atom_words;
    graph->masks = graph->waits + graph->wait_count;
    graph->looks = graph->masks + graph->mask_count * mask_words(graph->bank);
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

static bool point_valid(const osc_graph *graph, uint32_t number)
{
    return osc_graph_parameter(graph, number, OSC_GRAPH_PARAMETER_KIND) == OSC_GRAPH_POINT &&
           osc_graph_parameter(graph, number, OSC_GRAPH_PARAMETER_LEAST) == 0u &&
           osc_graph_parameter(graph, number, OSC_GRAPH_PARAMETER_MOST) <= 1u &&
           osc_graph_parameter(graph, number, OSC_GRAPH_PARAMETER_DEFAULT) == 0u;
}

static bool parameters_valid(const osc_graph *graph)
{
    uint32_t points = (uint32_t)graph->parameter_count - graph->point_count;
    for (uint32_t i = 0; i < graph->parameter_count; i++)
        if (!(i < graph->trigger_count ? trigger_valid(graph, i)
              : i < points             ? value_valid(graph, i)
                                       : point_valid(graph, i)))
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

/* Finds the last position of a clip. Returns false for a clip that the graph may not play.
 * additive: whether the machine adds differences. */
static bool find_end(const osc_graph *graph, uint32_t clip, bool additive, uint32_t *end_q11)
{
    if (clip >= graph->bank->clip_count)
        return false;
    const uint32_t *entry = graph->bank->clips + clip * OSC_CLIP_ENTRY_WORDS;
    if (osc_shape_additive(osc_clip_shape(entry)) != additive ||
        osc_clip_mirrored(graph->bank, entry))
        return false;
    *end_q11 = osc_clip_end_q11(graph->bank, clip);
    return true;
}

/* Checks a state that plays one clip, except its transitions. machine: its flags. */
static bool clip_state_valid(const osc_graph *graph, uint32_t state, uint32_t machine)
{
    uint32_t word = osc_graph_state(graph, state, OSC_GRAPH_STATE_CLIP), end_q11 = 0;
    bool additive = (machine & OSC_GRAPH_MACHINE_ADDITIVE) != 0u;
    if (!find_end(graph, word & 0xffffu, additive, &end_q11) ||
        osc_graph_state(graph, state, OSC_GRAPH_STATE_LOOPS) == 0u)
        return false;
    return speed_valid(graph, word >> 16 & 0xffu) && watches_valid(graph, state, end_q11);
}

/* Checks a state that plays nothing, except its transitions. */
static bool nothing_valid(const osc_graph *graph, uint32_t state)
{
    return osc_graph_state(graph, state, OSC_GRAPH_STATE_CLIP) ==
               (OSC_GRAPH_STATE_NOTHING << 24 | OSC_GRAPH_NO_PARAMETER << 16) &&
           osc_graph_state(graph, state, OSC_GRAPH_STATE_LOOPS) == 1u &&
           osc_graph_state(graph, state, OSC_GRAPH_STATE_SPEED) == OSC_ONE_Q16 &&
           (osc_graph_state(graph, state, OSC_GRAPH_STATE_WATCH) >> 16 & 0xffu) == 0u &&
           watches_valid(graph, state, 0);
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
    return find_end(graph, word & 0xffffu, false, &end_q11) && record < graph->sync_count &&
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

/* Checks that a triangle has an area above 0, and its corners among the members before `end`. */
static bool triangle_valid(const osc_graph *graph, uint32_t triangle, uint32_t first, uint32_t end)
{
    int32_t x[3], y[3];
    for (uint32_t i = 0; i < 3u; i++) {
        uint32_t corner = first + (triangle >> (8u * i) & 0xffu);
        if (corner >= end)
            return false;
        uint32_t at = place_of(graph, corner);
        x[i] = (int32_t)(at & 0xffffu);
        y[i] = (int32_t)(at >> 16);
        if (x[i] > (int32_t)OSC_GRAPH_PLANE_ONE || y[i] > (int32_t)OSC_GRAPH_PLANE_ONE)
            return false;
    }
    return (x[1] - x[0]) * (y[2] - y[0]) > (x[2] - x[0]) * (y[1] - y[0]) &&
           (triangle & OSC_GRAPH_TRIANGLE_UNKNOWN) == 0u;
}

/* Checks the members of a blend by two numbers: their triangles. */
static bool plane_valid(const osc_graph *graph, uint32_t state, uint32_t first, uint32_t end)
{
    uint32_t word = osc_graph_state(graph, state, OSC_GRAPH_STATE_CLIP), next = word & 0xffffu;
    if (!parameter_is(graph, word >> 16, OSC_GRAPH_NUMBER)) /* a blend has no flags */
        return false;
    for (uint32_t i = 0; i < OSC_GRAPH_BLEND_MOST_TRIANGLES; i++, next++) {
        if (next >= graph->triangle_count ||
            !triangle_valid(graph, osc_graph_triangle(graph, next), first, end))
            return false;
        if ((osc_graph_triangle(graph, next) & OSC_GRAPH_TRIANGLE_LAST) != 0u)
            return true;
    }
    return false;
}

/* Checks a state that blends clips, except its transitions. machine: its flags. */
static bool blend_state_valid(const osc_graph *graph, uint32_t state, uint32_t machine)
{
    uint32_t word = osc_graph_state(graph, state, OSC_GRAPH_STATE_BLEND), count = word & 0xffu;
    uint32_t parameter = word >> 8 & 0xffu, first = word >> 16, end = first + count;
    const uint32_t wanted = OSC_GRAPH_MACHINE_BLENDS;
    if ((machine & (wanted | OSC_GRAPH_MACHINE_ADDITIVE)) != wanted || count == 0u ||
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
    return (on_line ? line_valid(graph, first, end)
                    : ((machine & OSC_GRAPH_MACHINE_PLANES) != 0u &&
                       plane_valid(graph, state, first, end))) &&
           watches_valid(graph, state, 0);
}

/* Checks a state of a machine. */
static bool state_valid(const osc_graph *graph, uint32_t state, uint32_t machine)
{
    uint32_t flags = osc_graph_state_flags(graph, state);
    uint32_t kind = osc_graph_machine_flags(graph, machine);
    const uint32_t known = OSC_GRAPH_STATE_NOTHING | OSC_GRAPH_STATE_ONE_SHOT;
    if (!list_valid(graph, state, machine) || (flags & ~known) != 0u ||
        (flags != 0u && machine == 0u))
        return false;
    if (osc_graph_is_blend(graph, state))
        return flags == 0u && blend_state_valid(graph, state, kind);
    return (flags & OSC_GRAPH_STATE_NOTHING) != 0u ? nothing_valid(graph, state)
                                                   : clip_state_valid(graph, state, kind);
}

/* ---- conditions ---- */

#define BIT(operation) (1u << (operation))
#define EVERY_OPERATION (BIT(OSC_GRAPH_ATOM_KINDS) - 1u)
#define LEVEL_OPERATIONS /* of a `while`: those that need no moment of their own */                \
    (BIT(OSC_GRAPH_ALWAYS) | BIT(OSC_GRAPH_IS_SET) | BIT(OSC_GRAPH_AT_LEAST) |                     \
     BIT(OSC_GRAPH_EQUALS) | BIT(OSC_GRAPH_IN))

/* Returns whether a parameter is a choice that has a value of this number. */
static bool choice_has(const osc_graph *graph, uint32_t parameter, uint32_t value)
{
    return parameter < graph->parameter_count &&
           kind_of_parameter(graph, parameter) == OSC_GRAPH_CHOICE &&
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
        return in_valid(graph, argument, machine); /* OSC_GRAPH_IN */
    }
}

/* Checks the condition of a machine that begins at a word: its atoms, and that it ends. operations:
 * bits of those that it may have. */
static bool condition_valid(const osc_graph *graph, uint32_t at, uint32_t machine,
                            uint32_t operations)
{
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

/* The last position at which a state may begin. A blend begins at its first mark. */
static uint32_t last_start(const osc_graph *graph, uint32_t state)
{
    if (osc_graph_is_blend(graph, state) || !osc_graph_plays(graph, state))
        return 0;
    return osc_clip_end_q11(graph->bank, osc_graph_clip(graph, state));
}

static bool transition_valid(const osc_graph *graph, uint32_t number)
{
    uint32_t word = osc_graph_transition(graph, number, OSC_GRAPH_TRANSITION_TARGET);
    uint32_t target = word & 0xffu, kind = word >> 8 & 0xffu;
    uint32_t start = osc_graph_transition(graph, number, OSC_GRAPH_TRANSITION_START_Q11);
    uint32_t over_us = osc_graph_transition(graph, number, OSC_GRAPH_TRANSITION_OVER_US);
    if (target >= graph->state_count)
        return false;
    uint32_t machine = osc_graph_machine_of(graph, target);
    bool fades = kind == OSC_GRAPH_INERTIA && over_us != 0u && osc_graph_plays(graph, target);
    return kind <= OSC_GRAPH_CUT &&
           (!fades ||
            (osc_graph_machine_flags(graph, machine) & OSC_GRAPH_MACHINE_INERTIA) != 0u) &&
           over_us <= OSC_TRANSITION_MAX_US &&
           osc_graph_transition(graph, number, OSC_GRAPH_TRANSITION_HOLD_US) <=
               OSC_GRAPH_TIME_MOST_US &&
           start <= last_start(graph, target) &&
           condition_valid(graph, word >> 16, machine, EVERY_OPERATION);
}

/* ---- machines ---- */

/* Returns whether a parameter may be the weight of a layer: from 0 to 1. */
static bool weight_valid(const osc_graph *graph, uint32_t parameter)
{
    return parameter == OSC_GRAPH_NO_PARAMETER ||
           (parameter < graph->parameter_count &&
            kind_of_parameter(graph, parameter) == OSC_GRAPH_NUMBER &&
            (int32_t)osc_graph_parameter(graph, parameter, OSC_GRAPH_PARAMETER_LEAST) >= 0 &&
            (int32_t)osc_graph_parameter(graph, parameter, OSC_GRAPH_PARAMETER_MOST) <=
                (int32_t)OSC_ONE_Q16);
}

/* Returns whether the graph needs what a machine of this kind needs. */
static bool needs_valid(const osc_graph *graph, uint32_t machine, uint32_t kind)
{
    uint32_t needs = 0;
    needs |= (kind & OSC_GRAPH_MACHINE_INERTIA) != 0u ? OSC_GRAPH_NEEDS_INERTIA : 0u;
    needs |= (kind & OSC_GRAPH_MACHINE_BLENDS) != 0u ? OSC_GRAPH_NEEDS_BLENDS : 0u;
    needs |= (kind & OSC_GRAPH_MACHINE_PLANES) != 0u ? OSC_GRAPH_NEEDS_PLANES : 0u;
    needs |= (kind & OSC_GRAPH_MACHINE_ADDITIVE) != 0u ? OSC_GRAPH_NEEDS_ADDITIVE : 0u;
    needs |= machine != 0u ? OSC_GRAPH_NEEDS_LAYERS : 0u;
    return (needs & ~(uint32_t)graph->needs) == 0u;
}

/* The clips of a machine that play together. */
static uint32_t players_of_kind(uint32_t kind)
{
    if ((kind & OSC_GRAPH_MACHINE_PLANES) != 0u)
        return OSC_GRAPH_MOST_MEMBERS;
    return (kind & OSC_GRAPH_MACHINE_BLENDS) != 0u ? 2u : 1u;
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
           states >> 24 == players_of_kind(kind) &&
           (kind & 0xffu & ~(is_layer ? LAYER_KINDS : BASE_KINDS)) == 0u && kind >> 24 == 0u &&
           (mask == OSC_GRAPH_NO_MASK || (is_layer && mask < graph->mask_count)) &&
           weight_valid(graph, kind >> 16) && needs_valid(graph, machine, kind) &&
           osc_graph_machine_word(graph, machine, OSC_GRAPH_MACHINE_WEIGHT) <= OSC_ONE_Q15 &&
           osc_graph_machine_word(graph, machine, OSC_GRAPH_MACHINE_FADE_US) <=
               OSC_TRANSITION_MAX_US &&
           (condition == OSC_GRAPH_ANYTIME ||
            (is_layer && condition_valid(graph, condition, machine, LEVEL_OPERATIONS)));
}

/* Checks the machines, whose states follow one another. */
static bool machines_valid(const osc_graph *graph)
{
    uint32_t first = 0;
    for (uint32_t i = 0; i < graph->machine_count; i++) {
        if (!machine_valid(graph, i, first))
            return false;
        first += osc_graph_machine_word(graph, i, OSC_GRAPH_MACHINE_STATES) >> 8 & 0xffu;
    }
    return first == graph->state_count;
}

static bool states_valid(const osc_graph *graph)
{
    for (uint32_t i = 0; i < graph->state_count; i++)
        if (!state_valid(graph, i, osc_graph_machine_of(graph, i)))
            return false;
    return true;
}

/* Checks that the waits are in the order of machines and triggers. */
static bool waits_valid(const osc_graph *graph)
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

static bool masks_valid(const osc_graph *graph)
{
    uint32_t words = graph->mask_count * mask_words(graph->bank);
    for (uint32_t i = 0; i < words; i++) {
        uint32_t word = osc_word(graph->masks[i]);
        if ((word & 0xffffu) > OSC_ONE_Q15 || word >> 16 > OSC_ONE_Q15)
            return false;
    }
    return true;
}

/* ---- looks ---- */

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
    uint32_t point = kind & 0xffu, first = (uint32_t)graph->parameter_count - graph->point_count;
    for (uint32_t i = OSC_GRAPH_LOOK_FORWARD; i < OSC_GRAPH_LOOK_EYES; i++)
        if (osc_word(words[i]) + OSC_ONE_Q20 > 2u * OSC_ONE_Q20)
            return false;
    return point >= first && point < graph->parameter_count &&
           weight_valid(graph, kind >> 8 & 0xffu) && count != 0u && count <= OSC_GRAPH_MOST_LINKS &&
           osc_word(words[OSC_GRAPH_LOOK_WEIGHT]) <= OSC_ONE_Q15 &&
           osc_word(words[OSC_GRAPH_LOOK_FADE_US]) <= OSC_TRANSITION_MAX_US &&
           osc_word(words[OSC_GRAPH_LOOK_LAG_US]) <= OSC_TRANSITION_MAX_US &&
           links_valid(graph, words, count);
}

static bool looks_valid(const osc_graph *graph)
{
    for (uint32_t i = 0; i < graph->look_count; i++)
        if (!look_valid(graph, graph->looks + i * OSC_GRAPH_LOOK_WORDS))
            return false;
    return true;
}

/* ---- the graph ---- */

static bool graph_valid(const osc_graph *graph)
{
    if (!parameters_valid(graph) || !waits_valid(graph) || !masks_valid(graph) ||
        !looks_valid(graph) || !machines_valid(graph) || !states_valid(graph))
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
    graph->parameters = graph->machines = graph->states = graph->members = graph->syncs = 0;
    graph->triangles = 0;
    graph->transitions = graph->lists = graph->watches = graph->atoms = graph->waits = 0;
    graph->masks = graph->looks = 0;
    graph->look_count = graph->point_count = 0;
    graph->parameter_count = graph->trigger_count = graph->slewed_count = graph->state_count = 0;
    graph->machine_count = graph->wait_count = graph->mask_count = 0;
    graph->member_count = graph->sync_count = graph->triangle_count = 0;
    graph->transition_count = graph->list_count = graph->watch_count = graph->atom_words = 0;
    graph->event_count = graph->needs = 0;
    graph->layout_crc = 0;
    return section.words == 0 ? OSC_ERROR_NOT_FOUND : OSC_ERROR_SECTION;
}
