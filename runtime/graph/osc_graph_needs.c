/* SPDX-License-Identifier: MIT */
/* The memory that a character of a graph needs. */
#include "graph/osc_graph_records.h"

uint32_t osc_graph_player_count(const osc_graph *graph)
{
    uint32_t players = 0;
    for (uint32_t i = 0; i < graph->machine_count; i++)
        players += osc_graph_machine_players(graph, i);
    return players;
}

uint32_t osc_graph_pose_count(const osc_graph *graph)
{
    uint32_t poses = graph->machine_count > 1u ? 1u : 0u;
    for (uint32_t i = 0; i < graph->machine_count; i++) {
        uint32_t own =
            (osc_graph_machine_flags(graph, i) & OSC_GRAPH_MACHINE_BLENDS) != 0u ? 1u : 0u;
        own += (osc_graph_machine_flags(graph, i) & OSC_GRAPH_MACHINE_FADES) != 0u ? 1u : 0u;
        own += i != 0u ? 1u : 0u;
        poses = own > poses ? own : poses;
    }
    return poses;
}

uint32_t osc_graph_transition_count(const osc_graph *graph)
{
    uint32_t transitions = 0;
    for (uint32_t i = 0; i < graph->machine_count; i++)
        transitions +=
            (osc_graph_machine_flags(graph, i) & OSC_GRAPH_MACHINE_INERTIA) != 0u ? 1u : 0u;
    return transitions;
}

uint32_t osc_graph_fade_count(const osc_graph *graph)
{
    uint32_t fades = 0;
    for (uint32_t i = 0; i < graph->machine_count; i++)
        fades += (osc_graph_machine_flags(graph, i) & OSC_GRAPH_MACHINE_FADES) != 0u ? 1u : 0u;
    return fades;
}

/* The number of matrices up to that of a joint. */
static uint32_t up_to_joint(uint32_t count, uint32_t joint)
{
    return joint >= count ? joint + 1u : count;
}

uint32_t osc_graph_matrix_count(const osc_graph *graph)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < graph->look_count; i++) /* the first joint is the last in the order */
        count = up_to_joint(
            count,
            osc_word(graph->looks[i * OSC_GRAPH_LOOK_WORDS + OSC_GRAPH_LOOK_LINKS]) & 0xffffu);
    for (uint32_t i = 0; i < graph->limb_count; i++)
        count = up_to_joint(
            count, osc_word(graph->limbs[i * OSC_GRAPH_LIMB_WORDS + OSC_GRAPH_LIMB_END]) & 0xffffu);
    return count;
}

void osc_graph_read_mask(const osc_graph *graph, uint32_t number, uint16_t *mask_q15)
{
    OSC_ASSERT(graph != 0 && number < graph->mask_count && mask_q15 != 0);
    uint32_t joints = graph->bank->joint_count;
    const uint32_t *words = graph->masks + number * ((joints + 1u) >> 1);
    for (uint32_t i = 0; i < joints; i++)
        mask_q15[i] = (uint16_t)(osc_word(words[i >> 1]) >> (16u * (i & 1u)));
}
