/* SPDX-License-Identifier: MIT */
/* Slewed numbers of a graph, which take time to follow the written ones: SPEC.md 26. */
#include "arithmetic/osc_unit.h"
#include "graph/osc_graph_step.h"

/* The range of a number, and the time that it takes from one end to the other. */
typedef struct slew_range {
    uint32_t least, size, whole_us;
} slew_range;

static slew_range slew_range_of(const osc_graph *graph, uint32_t parameter)
{
    uint32_t least = osc_graph_parameter(graph, parameter, OSC_GRAPH_PARAMETER_LEAST);
    const slew_range range = {
        least, osc_graph_parameter(graph, parameter, OSC_GRAPH_PARAMETER_MOST) - least,
        osc_graph_parameter(graph, parameter, OSC_GRAPH_PARAMETER_KIND) >> OSC_GRAPH_SLEW_SHIFT};
    return range;
}

/* The time at which a number reaches a value from the lower end of its range. */
static uint32_t time_of_value(const slew_range *range, int32_t value)
{
    uint32_t share_q20 = (uint32_t)osc_ratio((uint32_t)value - range->least, range->size);
    return osc_mulhi_u32(range->whole_us << 6, share_q20 << 6);
}

static int32_t value_at_time(const slew_range *range, uint32_t at_us)
{
    uint32_t share_q20 = (uint32_t)osc_ratio(at_us, range->whole_us);
    return (int32_t)(range->least + (share_q20 >= 1u << 20
                                         ? range->size
                                         : osc_mulhi_u32(range->size, share_q20 << 12)));
}

/* Moves a number to a value. */
static void move_slew(const slew_range *range, osc_graph_slew *slew, int32_t to,
                      uint32_t elapsed_us)
{
    if (slew->at_us == OSC_GRAPH_ARRIVED)
        slew->at_us = time_of_value(range, slew->value);
    uint32_t at_us = slew->at_us, to_us = time_of_value(range, to);
    if (to_us > at_us)
        at_us += osc_graph_earlier(elapsed_us, to_us - at_us);
    else
        at_us -= osc_graph_earlier(elapsed_us, at_us - to_us);
    slew->at_us = at_us == to_us ? OSC_GRAPH_ARRIVED : at_us;
    slew->value = at_us == to_us ? to : value_at_time(range, at_us);
}

void osc_graph_move_slews(const osc_graph_step *step, uint32_t elapsed_us)
{
    for (uint32_t i = 0; i < step->graph->slewed_count; i++) {
        uint32_t parameter = step->graph->trigger_count + i;
        osc_graph_slew *slew = &step->character->slews[i];
        int32_t to = osc_graph_written(step, parameter);
        if (slew->at_us == OSC_GRAPH_ARRIVED && slew->value == to)
            continue;
        const slew_range range = slew_range_of(step->graph, parameter);
        move_slew(&range, slew, to, elapsed_us);
    }
}
