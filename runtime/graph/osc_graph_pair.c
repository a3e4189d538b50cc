/* SPDX-License-Identifier: MIT */
/* Fades between two blends that share a phase. */
#include "graph/osc_graph_step.h"

/* The members of both states that play, and their weights in the time between two marks. */
typedef struct pair_members {
    osc_sync_clip syncs[2 * OSC_GRAPH_MOST_MEMBERS];
    uint16_t weights_q15[2 * OSC_GRAPH_MOST_MEMBERS];
    uint32_t source_count, count; /* of the source, which come first; of both */
} pair_members;

/* Reads the members. weight_q15: of the target. */
static void read_pair(const osc_graph_step *source, const osc_graph_step *target,
                      uint32_t weight_q15, pair_members *pair)
{
    uint32_t first = osc_graph_read_members(source, pair->syncs);
    pair->source_count = first;
    pair->count = first + osc_graph_read_members(target, &pair->syncs[first]);
    for (uint32_t i = 0; i < first; i++)
        pair->weights_q15[i] =
            (uint16_t)((source->machine->weights_q15[i] * (OSC_ONE_Q15 - weight_q15)) >> 15);
    for (uint32_t i = first; i < pair->count; i++)
        pair->weights_q15[i] =
            (uint16_t)((target->machine->weights_q15[i - first] * weight_q15) >> 15);
}

static uint32_t until_mark_of_pair(osc_graph_step *step, uint32_t left_us)
{
    osc_graph_fade *fade = osc_graph_fade_of(step->character, step->number);
    const osc_graph_play *play = osc_graph_play_of(step->character, step->machine);
    if (fade == 0 || fade->over_us == 0u || fade->in_step == 0u)
        return play->until(step, left_us);
    if (osc_graph_watches_of(step->graph, step->machine->shown).position_count == 0u)
        return left_us;
    osc_graph_step source = *step;
    source.machine = &fade->source;
    pair_members pair;
    read_pair(&source, step, osc_graph_fade_weight(fade, fade->elapsed_us), &pair);
    left_us = osc_graph_earlier(left_us, fade->over_us - fade->elapsed_us);
    uint32_t time_us =
        osc_sync_time_to_mark(&step->machine->phase, pair.syncs, pair.weights_q15, pair.count);
    if (time_us > left_us)
        return left_us;
    osc_graph_reach_mark(step);
    return time_us;
}

static osc_placement pass_in_pair(const osc_graph_step *source, const osc_graph_step *target,
                                  uint32_t elapsed_us, uint32_t weight_q15)
{
    const osc_graph_fade *fade = osc_graph_fade_of(target->character, target->number);
    osc_phase *phase = &target->machine->phase;
    osc_placement moved = {0, 0, 0, 0};
    pair_members pair;
    read_pair(source, target, osc_graph_fade_weight(fade, fade->elapsed_us), &pair);
    do {
        const osc_phase from = *phase;
        uint32_t us = osc_graph_earlier(
            elapsed_us, osc_sync_time_to_mark(&from, pair.syncs, pair.weights_q15, pair.count));
        osc_sync_advance(phase, pair.syncs, pair.weights_q15, pair.count, us);
        source->machine->phase = *phase;
        osc_graph_follow_phase(source, &from);
        osc_graph_follow_phase(target, &from);
        osc_placement part = osc_graph_moved_by_blend(source, pair.syncs, pair.source_count, &from);
        const osc_placement own = osc_graph_moved_by_blend(target, &pair.syncs[pair.source_count],
                                                           pair.count - pair.source_count, &from);
        osc_placement_blend(&part, &own, weight_q15, &part);
        osc_placement_join(&moved, &part, &moved);
        elapsed_us -= us;
    } while (elapsed_us != 0u);
    return moved;
}

const osc_graph_pair_play osc_graph_pairs = {until_mark_of_pair, pass_in_pair};
