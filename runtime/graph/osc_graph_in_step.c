/* SPDX-License-Identifier: MIT */
/* Fades between two blends that share a phase: SPEC.md 26. */
#include "graph/osc_graph_step.h"

/* The members of both states that play. */
typedef struct step_members {
    osc_sync_clip syncs[2 * OSC_GRAPH_MOST_MEMBERS];
    uint16_t weights_q15[2 * OSC_GRAPH_MOST_MEMBERS];
    uint32_t source_count, count; /* of the source; of both */
} step_members;

/* Weighs the members of a state whose weight is weight_q15. */
static void weigh_state(const osc_graph_machine *machine, uint32_t count, uint32_t weight_q15,
                        uint16_t *weights_q15)
{
    for (uint32_t i = 0; i < count; i++)
        weights_q15[i] = (uint16_t)((machine->weights_q15[i] * weight_q15) >> 15);
}

/* Returns the displacement of the character by both states, since the phase `from`. */
static osc_placement moved_by_both(const osc_graph_step *source, const osc_graph_step *step,
                                   const step_members *members, uint32_t weight_q15,
                                   const osc_phase *from)
{
    osc_placement moved, own;
    osc_graph_moved_by_blend(source, members->syncs, members->source_count, from, &moved);
    osc_graph_moved_by_blend(step, &members->syncs[members->source_count],
                             members->count - members->source_count, from, &own);
    osc_placement_blend(&moved, &own, weight_q15, &moved);
    return moved;
}

uint32_t osc_graph_pass_in_step(const osc_graph_step *source, osc_graph_step *step,
                                uint32_t left_us, osc_placement *moved)
{
    const osc_graph_fade *fade = osc_graph_fade_of(step->character, step->number);
    osc_phase *phase = &step->machine->phase;
    bool stops = osc_graph_stops_at_marks(step);
    const osc_placement nowhere = {0, 0, 0, 0};
    step_members members;
    uint32_t elapsed_us = 0;
    members.source_count = osc_graph_read_members(source, members.syncs);
    members.count =
        members.source_count + osc_graph_read_members(step, &members.syncs[members.source_count]);
    *moved = nowhere;
    do {
        const osc_phase from = *phase;
        uint32_t weight_q15 = osc_graph_fade_weight(fade, fade->elapsed_us + elapsed_us);
        weigh_state(source->machine, members.source_count, OSC_ONE_Q15 - weight_q15,
                    members.weights_q15);
        weigh_state(step->machine, members.count - members.source_count, weight_q15,
                    &members.weights_q15[members.source_count]);
        uint32_t mark_us =
            osc_sync_time_to_mark(phase, members.syncs, members.weights_q15, members.count);
        uint32_t us = osc_graph_earlier(left_us - elapsed_us, mark_us);
        if (stops && us == mark_us)
            step->reached_q11 = osc_graph_next_mark_q11(step);
        osc_sync_advance(phase, members.syncs, members.weights_q15, members.count, us);
        source->machine->phase = *phase;
        osc_graph_follow_phase(source, &from);
        osc_graph_follow_phase(step, &from);
        weight_q15 = osc_graph_fade_weight(fade, fade->elapsed_us + elapsed_us + (us >> 1));
        if (step->number == 0u) {
            const osc_placement part = moved_by_both(source, step, &members, weight_q15, &from);
            osc_placement_join(moved, &part, moved);
        }
        elapsed_us += us;
    } while (elapsed_us != left_us && step->reached_q11 == OSC_GRAPH_NOWHERE);
    return elapsed_us;
}
