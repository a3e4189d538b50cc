/* SPDX-License-Identifier: MIT */
/* The records of a graph's section, which osc_graph_open has checked. */
#ifndef OSC_GRAPH_RECORDS_H
#define OSC_GRAPH_RECORDS_H

#include "bank/osc_internal.h"
#include "osc_graph.h"

static inline uint32_t osc_graph_parameter(const osc_graph *graph, uint32_t number, uint32_t word)
{
    return osc_word(graph->parameters[number * OSC_GRAPH_PARAMETER_WORDS + word]);
}

static inline uint32_t osc_graph_machine_word(const osc_graph *graph, uint32_t number,
                                              uint32_t word)
{
    return osc_word(graph->machines[number * OSC_GRAPH_MACHINE_WORDS + word]);
}

/* The flags of a machine, OSC_GRAPH_MACHINE_.. */
static inline uint32_t osc_graph_machine_flags(const osc_graph *graph, uint32_t number)
{
    return osc_graph_machine_word(graph, number, OSC_GRAPH_MACHINE_KIND) & 0xffu;
}

static inline uint32_t osc_graph_machine_players(const osc_graph *graph, uint32_t number)
{
    return osc_graph_machine_word(graph, number, OSC_GRAPH_MACHINE_STATES) >> 24;
}

/* Returns whether a state belongs to a machine. */
static inline bool osc_graph_has_state(const osc_graph *graph, uint32_t machine, uint32_t state)
{
    uint32_t word = osc_graph_machine_word(graph, machine, OSC_GRAPH_MACHINE_STATES);
    return state - (word & 0xffu) < (word >> 8 & 0xffu);
}

/* The machine of a state. */
static inline uint32_t osc_graph_machine_of(const osc_graph *graph, uint32_t state)
{
    uint32_t machine = 0;
    while (machine + 1u < graph->machine_count && !osc_graph_has_state(graph, machine, state))
        machine++;
    return machine;
}

/* The words of a state. */
static inline const uint32_t *osc_graph_state_words(const osc_graph *graph, uint32_t number)
{
    return graph->states + number * OSC_GRAPH_STATE_WORDS;
}

static inline uint32_t osc_graph_state(const osc_graph *graph, uint32_t number, uint32_t word)
{
    return osc_word(osc_graph_state_words(graph, number)[word]);
}

static inline uint32_t osc_graph_transition(const osc_graph *graph, uint32_t number, uint32_t word)
{
    return osc_word(graph->transitions[number * OSC_GRAPH_TRANSITION_WORDS + word]);
}

/* The number of a transition, by its entry in the list. */
static inline uint32_t osc_graph_listed(const osc_graph *graph, uint32_t entry)
{
    return (osc_word(graph->lists[entry >> 1]) >> (16u * (entry & 1u))) & 0xffffu;
}

static inline bool osc_graph_is_blend(const uint32_t *state)
{
    return state[OSC_GRAPH_STATE_BLEND] != 0u;
}

static inline uint32_t osc_graph_triangle(const osc_graph *graph, uint32_t number)
{
    return osc_word(graph->triangles[number]);
}

/* A word of a member of a state's blend. */
static inline uint32_t osc_graph_member(const osc_graph *graph, const uint32_t *state,
                                        uint32_t member, uint32_t word)
{
    uint32_t first = osc_word(state[OSC_GRAPH_STATE_BLEND]) >> 16;
    return osc_word(graph->members[(first + member) * OSC_GRAPH_MEMBER_WORDS + word]);
}

/* The clip of a state that plays one; of a blend by two numbers its first triangle. */
static inline uint32_t osc_graph_clip(const uint32_t *state)
{
    return osc_word(state[OSC_GRAPH_STATE_CLIP]) & 0xffffu;
}

/* The parameter of a state, its speed or its position; of a blend by two numbers that of y. Or
 * OSC_GRAPH_NO_PARAMETER. */
static inline uint32_t osc_graph_state_parameter(const uint32_t *state)
{
    return osc_word(state[OSC_GRAPH_STATE_CLIP]) >> 16 & 0xffu;
}

/* The flags of a state, OSC_GRAPH_STATE_.. */
static inline uint32_t osc_graph_state_flags(const uint32_t *state)
{
    return osc_word(state[OSC_GRAPH_STATE_CLIP]) >> 24;
}

/* Returns whether a state plays something. */
static inline bool osc_graph_plays(const uint32_t *state)
{
    return (osc_graph_state_flags(state) & OSC_GRAPH_STATE_NOTHING) == 0u;
}

static inline uint32_t osc_graph_needs(const osc_graph *graph)
{
    return graph->needs | (uint32_t)graph->more_needs << 8;
}

/* Returns whether a parameter is the position of a state. */
static inline bool osc_graph_has_position(const uint32_t *state)
{
    return (osc_graph_state_flags(state) & OSC_GRAPH_STATE_POSITION) != 0u;
}

/* The words of a mask. */
static inline uint32_t osc_graph_mask_words(const osc_bank *bank)
{
    return ((uint32_t)bank->joint_count + 1u) >> 1;
}

/* A word of a choice. Choices lie before the looks. */
static inline uint32_t osc_graph_choice(const osc_graph *graph, uint32_t number, uint32_t word)
{
    const uint32_t *choices = graph->looks - graph->choice_count * OSC_GRAPH_CHOICE_WORDS;
    return osc_word(choices[number * OSC_GRAPH_CHOICE_WORDS + word]);
}

/* The weight of a state of a choice, 0 to 255. state: from the first one of the choice on. */
static inline uint32_t osc_graph_choice_weight(const osc_graph *graph, uint32_t number,
                                               uint32_t state)
{
    uint32_t word = osc_graph_choice(graph, number, OSC_GRAPH_CHOICE_WEIGHTS + (state >> 2));
    return word >> (8u * (state & 3u)) & 0xffu;
}

/* A wait: its trigger, bits 0..7, and its machine, 8..15. */
static inline uint32_t osc_graph_wait(const osc_graph *graph, uint32_t number)
{
    return osc_word(graph->waits[number]);
}

/* The watches of a state: positions, then times. */
typedef struct osc_graph_watches {
    const uint32_t *positions, *times;
    uint32_t position_count, time_count;
} osc_graph_watches;

static inline osc_graph_watches osc_graph_watches_of(const osc_graph *graph, const uint32_t *state)
{
    uint32_t word = osc_word(state[OSC_GRAPH_STATE_WATCH]);
    osc_graph_watches found = {graph->watches + (word & 0xffffu), 0, word >> 16 & 0xffu,
                               word >> 24};
    found.times = found.positions + found.position_count;
    return found;
}

/* Returns whether an operation has a number in the word that follows it. */
static inline bool osc_graph_has_number(uint32_t operation)
{
    return operation == OSC_GRAPH_AT_LEAST || operation == OSC_GRAPH_EQUALS ||
           operation == OSC_GRAPH_AFTER;
}

#endif
