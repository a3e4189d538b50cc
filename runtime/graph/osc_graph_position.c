/* SPDX-License-Identifier: MIT */
/* States whose position in their clip is a parameter: SPEC.md 26. */
#include "arithmetic/osc_fixed.h"
#include "bank/osc_section.h"
#include "graph/osc_graph_step.h"

/* The position for the value of the parameter: its range is the whole clip. */
static uint32_t driven_position(const osc_graph_step *step)
{
    uint32_t parameter = osc_graph_state_parameter(step->shown);
    uint32_t least = osc_graph_parameter(step->graph, parameter, OSC_GRAPH_PARAMETER_LEAST);
    uint32_t most = osc_graph_parameter(step->graph, parameter, OSC_GRAPH_PARAMETER_MOST);
    uint32_t value = (uint32_t)osc_graph_slewed(step, parameter);
    uint32_t share_q15 = osc_graph_share_q15(value - least, most - least);
    uint32_t end_q11 = osc_clip_end_q11(step->graph->bank, osc_graph_clip(step->shown));
    return osc_mulhi_u32(end_q11 << 5, share_q15 << 12);
}

static void enter_position(const osc_graph_step *step, uint32_t start_q11)
{
    (void)start_q11;
    step->machine->position_q11 = driven_position(step);
    step->machine->loops_left = OSC_LOOPS_FOREVER;
}

static osc_graph_place place_at_position(const osc_graph_step *step)
{
    const osc_graph_place place = {osc_graph_clip(step->shown), step->machine->position_q11, false,
                                   false, true};
    return place;
}

static uint32_t pass_at_position(osc_graph_step *step, uint32_t left_us)
{
    step->machine->position_q11 = driven_position(step);
    return left_us;
}

static void evaluate_position(const osc_graph_view *view, const osc_pose *pose, bool begins)
{
    osc_graph_clips.evaluate(view, pose, begins);
}

const osc_graph_play osc_graph_positions = {enter_position, place_at_position, pass_at_position,
                                            evaluate_position};
