/* SPDX-License-Identifier: MIT */
/* States that blend clips by one parameter or two. The clips keep step: they have one phase. */
#include "arithmetic/osc_fixed.h"
#include "graph/osc_graph_step.h"

/* ---- records ---- */

static void read_sync(const osc_graph *graph, const uint32_t *state, uint32_t member,
                      osc_sync_clip *sync)
{
    uint32_t record = osc_graph_member(graph, state, member, OSC_GRAPH_MEMBER_CLIP) >> 16;
    const uint32_t *words = graph->syncs + record * OSC_GRAPH_SYNC_WORDS;
    sync->end_q11 = osc_word(words[OSC_GRAPH_SYNC_END_Q11]);
    sync->us_per_frame = osc_word(words[OSC_GRAPH_SYNC_FRAME_US]);
    sync->count = osc_word(words[OSC_GRAPH_SYNC_COUNT]);
    for (uint32_t i = 0; i < sync->count; i++)
        sync->marks_q11[i] = osc_word(words[OSC_GRAPH_SYNC_MARKS_Q11 + i]);
}

static uint32_t member_clip(const osc_graph *graph, const uint32_t *state, uint32_t member)
{
    return osc_graph_member(graph, state, member, OSC_GRAPH_MEMBER_CLIP) & 0xffffu;
}

/* ---- for osc_graph_blending.h ---- */

static const osc_sync_clip *osc_graph_sync_of(const osc_graph_step *step, uint32_t member,
                                              osc_sync_clip *room)
{
    read_sync(step->graph, step->shown, member, room);
    return room;
}

static const osc_sync_clip *osc_graph_syncs_of(const osc_graph_step *step, uint32_t count,
                                               osc_sync_clip *room)
{
    for (uint32_t i = 0; i < count; i++)
        read_sync(step->graph, step->shown, step->machine->members[i], &room[i]);
    return room;
}

static uint32_t osc_graph_member_clip(const osc_graph_step *step, uint32_t member)
{
    return member_clip(step->graph, step->shown, member);
}

static uint32_t osc_graph_stride_of(const osc_graph_step *step, uint32_t member)
{
    return osc_graph_member(step->graph, step->shown, member, OSC_GRAPH_MEMBER_STRIDE);
}

static int32_t osc_graph_member_at(const osc_graph_step *step, uint32_t member)
{
    return (int32_t)osc_graph_member(step->graph, step->shown, member, OSC_GRAPH_MEMBER_AT);
}

static void osc_graph_choose_members(const osc_graph_step *step);

#include "graph/osc_graph_blending.h"

/* Chooses the members that play, and their weights. */
static void osc_graph_choose_members(const osc_graph_step *step)
{
    uint32_t word = osc_word(step->shown[OSC_GRAPH_STATE_BLEND]);
    if (osc_graph_state_parameter(step->shown) == OSC_GRAPH_NO_PARAMETER)
        osc_graph_weigh_on_line(step, word & 0xffu, osc_graph_slewed(step, word >> 8 & 0xffu));
    else
        step->code->weigh(step);
}

uint32_t osc_graph_next_mark_q11(const osc_graph_step *step)
{
    return osc_graph_mark_ahead_q11(step);
}

void osc_graph_follow_phase(const osc_graph_step *step, const osc_phase *from)
{
    osc_graph_follow_marks(step, from);
}

void osc_graph_moved_by_blend(const osc_graph_step *step, const osc_sync_clip *syncs,
                              uint32_t count, const osc_phase *from, osc_placement *moved)
{
    osc_graph_moved_by_members(step, syncs, count, from, moved);
}

uint32_t osc_graph_read_members(const osc_graph_step *step, osc_sync_clip *syncs)
{
    osc_graph_choose_members(step);
    uint32_t count = osc_graph_playing(step->machine);
    (void)osc_graph_syncs_of(step, count, syncs);
    return count;
}

/* ---- the pose ---- */

static void evaluate_blend(const osc_graph_view *view, const osc_pose *pose, bool begins)
{
    const osc_graph *graph = view->character->graph;
    const osc_graph_machine *machine = view->machine;
    const osc_phase first = osc_graph_unpacked(machine->switch_from_q11);
    const osc_phase *phase = begins ? &first : &machine->phase;
    uint32_t clips[OSC_GRAPH_MOST_MEMBERS], count = osc_graph_playing(machine);
    for (uint32_t i = 0; i < count; i++)
        clips[i] = member_clip(graph, view->state, machine->members[i]);
    for (uint32_t i = 0; i < count; i++) {
        osc_sync_clip sync;
        read_sync(graph, view->state, machine->members[i], &sync);
        const osc_graph_chosen chosen = {clips, count, i};
        osc_graph_evaluate_clip(view, &chosen, (uint32_t)osc_sync_position_q11(&sync, phase),
                                i == 0u ? pose : view->other);
        if (i != 0u)
            view->character->code->blend(graph->bank, pose, view->other,
                                         osc_graph_added_q15(machine, i), 0);
    }
}

const osc_graph_play osc_graph_blends = {osc_graph_enter_blend, osc_graph_place_of_leader,
                                         osc_graph_pass_in_blend, evaluate_blend};
