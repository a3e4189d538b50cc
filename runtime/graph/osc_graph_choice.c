/* SPDX-License-Identifier: MIT */
/* States that are chosen at their entry, at random, in turn or by a flag: SPEC.md 26. */
#include "graph/osc_graph_step.h"

#define APART 0x9e3779b9u /* between the seeds of choices */
#define FIRST 0xffffffffu /* the number before that of the first state in turn */
/* A product of so many random bits and the sum of weights, at most 16 * 255, has at most 32 bits.
 */
#define RANDOM_BITS 20u

static uint32_t sum_of_weights(const osc_graph *graph, uint32_t number)
{
    uint32_t sum = 0;
    uint32_t count = osc_graph_choice(graph, number, OSC_GRAPH_CHOICE_STATES) >> 8 & 0xffu;
    for (uint32_t i = 0; i < count; i++)
        sum += osc_graph_choice_weight(graph, number, i);
    return sum;
}

/* Each choice has a number of its own, so that none depends on when others are entered. */
static void start_choices(const osc_graph_character *character)
{
    const osc_graph *graph = character->graph;
    for (uint32_t i = 0; i < graph->choice_count; i++)
        character->choices[i] =
            sum_of_weights(graph, i) != 0u ? character->seed + i * APART : FIRST;
}

/* The generator PCG-RXS-M-XS of 32 bits, for its state. */
static uint32_t next_random(uint32_t *state)
{
    uint32_t now = *state * 747796405u + 2891336453u;
    *state = now;
    now = ((now >> ((now >> 28) + 4u)) ^ now) * 277803737u;
    return now >> 22 ^ now;
}

/* Chooses a state by weights. */
static uint32_t choose_at_random(const osc_graph *graph, uint32_t number, uint32_t sum,
                                 uint32_t *state)
{
    uint32_t at = ((next_random(state) >> (32u - RANDOM_BITS)) * sum) >> RANDOM_BITS;
    uint32_t chosen = 0;
    for (;; chosen++) {
        uint32_t weight = osc_graph_choice_weight(graph, number, chosen);
        if (at < weight)
            return chosen;
        at -= weight;
    }
}

static uint32_t choose_in_turn(uint32_t count, uint32_t *last)
{
    *last = *last + 1u < count ? *last + 1u : 0u;
    return *last;
}

static void choose(const osc_graph_step *step, uint32_t *state, uint32_t *start_q11)
{
    const osc_graph *graph = step->graph;
    for (uint32_t i = 0; i < graph->choice_count; i++) {
        uint32_t word = osc_graph_choice(graph, i, OSC_GRAPH_CHOICE_STATES);
        if ((word & 0xffu) != *state)
            continue;
        uint32_t sum = sum_of_weights(graph, i), *memory = &step->character->choices[i];
        if (word >> 16 != 0u)
            *state += osc_graph_written(step, (word >> 16) - 1u) != 0 ? 1u : 0u;
        else if (sum != 0u)
            *state += choose_at_random(graph, i, sum, memory);
        else
            *state += choose_in_turn(word >> 8, memory);
        const uint32_t *words = osc_graph_state_words(graph, *state);
        if (!osc_graph_is_blend(words)) /* a blend may begin at a phase */
            *start_q11 = osc_graph_first_position(graph, words);
        return;
    }
}

const osc_graph_choice_play osc_graph_choices = {start_choices, choose};
