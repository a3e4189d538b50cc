/* SPDX-License-Identifier: MIT */
/* States that play one clip. */
#include "bank/osc_section.h"
#include "graph/osc_graph_step.h"

/* ---- for osc_graph_clocking.h ---- */

static const osc_graph_clip_rule *osc_graph_clip_rule_of(const osc_graph_step *step,
                                                         osc_graph_clip_rule *room)
{
    const osc_bank *bank = step->graph->bank;
    const uint32_t *state = step->shown;
    room->clip = osc_graph_clip(state);
    const uint32_t *entry = bank->clips + room->clip * OSC_CLIP_ENTRY_WORDS;
    room->end_q11 = osc_clip_end_q11(bank, room->clip);
    room->position_per_us_q32 = osc_word(osc_clip_rate(bank, entry)[OSC_RATE_POSITION_PER_US_Q32]);
    room->loops = osc_word(state[OSC_GRAPH_STATE_LOOPS]);
    room->speed_q16 = osc_graph_state_parameter(state) == OSC_GRAPH_NO_PARAMETER
                          ? (int32_t)osc_word(state[OSC_GRAPH_STATE_SPEED])
                          : 0;
    return room;
}

static int32_t osc_graph_speed_of(const osc_graph_step *step, const osc_graph_clip_rule *rule)
{
    uint32_t parameter = osc_graph_state_parameter(step->shown);
    return parameter == OSC_GRAPH_NO_PARAMETER ? rule->speed_q16
                                               : osc_graph_slewed(step, parameter);
}

/* The watch that a clock reaches next, the nearest in its direction, or in the next loop; or
 * OSC_GRAPH_NOWHERE. */
static uint32_t osc_graph_next_watch(const osc_graph_step *step, const osc_playback *clock)
{
    osc_graph_watches watches = osc_graph_watches_of(step->graph, step->shown);
    bool backward = clock->speed_q16 < 0;
    uint32_t count = watches.position_count, last = count - 1u;
    if (count == 0u)
        return OSC_GRAPH_NOWHERE;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at_q11 = osc_word(watches.positions[backward ? last - i : i]);
        if (backward ? at_q11 < clock->position_q11 : at_q11 > clock->position_q11)
            return at_q11;
    }
    return osc_word(watches.positions[backward ? last : 0u]);
}

#include "graph/osc_graph_clocking.h"

uint32_t osc_graph_time_left(const osc_graph_step *step)
{
    return osc_graph_clip_time_left(step);
}

/* ---- the pose ---- */

static void evaluate_state(const osc_graph_view *view, const osc_pose *pose, bool begins)
{
    const osc_graph_machine *machine = view->machine;
    const uint32_t clip = osc_graph_clip(view->state);
    const osc_graph_chosen chosen = {&clip, 1, 0};
    osc_graph_evaluate_clip(view, &chosen,
                            begins ? machine->switch_from_q11 : machine->position_q11, pose);
}

const osc_graph_play osc_graph_clips = {osc_graph_enter_clip, osc_graph_place_in_clip,
                                        osc_graph_pass_in_clip, evaluate_state};
