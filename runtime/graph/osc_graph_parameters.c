/* SPDX-License-Identifier: MIT */
/* The parameters of a graph: ranges, slews, triggers that wait. */
#include "arithmetic/osc_unit.h"
#include "graph/osc_graph_step.h"

static int32_t clamped(int32_t value, int32_t least, int32_t most)
{
    value = value < least ? least : value;
    return value > most ? most : value;
}

int32_t osc_graph_written(const osc_graph_step *step, uint32_t parameter)
{
    return clamped(step->values[parameter],
                   (int32_t)osc_graph_parameter(step->graph, parameter, OSC_GRAPH_PARAMETER_LEAST),
                   (int32_t)osc_graph_parameter(step->graph, parameter, OSC_GRAPH_PARAMETER_MOST));
}

/* A value's distance from the lower end of its range. */
static uint32_t above_least(const osc_graph *graph, uint32_t parameter, int32_t value)
{
    return (uint32_t)value - osc_graph_parameter(graph, parameter, OSC_GRAPH_PARAMETER_LEAST);
}

uint32_t osc_graph_slew_time(const osc_graph *graph, uint32_t parameter, int32_t value)
{
    uint32_t whole_us =
        osc_graph_parameter(graph, parameter, OSC_GRAPH_PARAMETER_KIND) >> OSC_GRAPH_SLEW_SHIFT;
    int32_t most = (int32_t)osc_graph_parameter(graph, parameter, OSC_GRAPH_PARAMETER_MOST);
    int32_t share_q20 =
        osc_ratio(above_least(graph, parameter, value), above_least(graph, parameter, most));
    return osc_mulhi_u32(whole_us << 6, (uint32_t)share_q20 << 6);
}

int32_t osc_graph_slewed(const osc_graph_step *step, uint32_t parameter)
{
    const osc_graph *graph = step->graph;
    int32_t value = osc_graph_written(step, parameter);
    uint32_t number = parameter - graph->trigger_count;
    if (number >= graph->slewed_count)
        return value;
    uint32_t at_us = step->character->slews_us[number];
    if (at_us == osc_graph_slew_time(graph, parameter, value))
        return value;
    uint32_t whole_us =
        osc_graph_parameter(graph, parameter, OSC_GRAPH_PARAMETER_KIND) >> OSC_GRAPH_SLEW_SHIFT;
    uint32_t least = osc_graph_parameter(graph, parameter, OSC_GRAPH_PARAMETER_LEAST);
    uint32_t range = osc_graph_parameter(graph, parameter, OSC_GRAPH_PARAMETER_MOST) - least;
    uint32_t share_q20 = (uint32_t)osc_ratio(at_us, whole_us);
    return (int32_t)(least +
                     (share_q20 >= 1u << 20 ? range : osc_mulhi_u32(range, share_q20 << 12)));
}

void osc_graph_move_slews(const osc_graph_step *step, uint32_t elapsed_us)
{
    for (uint32_t i = 0; i < step->graph->slewed_count; i++) {
        uint32_t parameter = step->graph->trigger_count + i;
        uint32_t *at_us = &step->character->slews_us[i];
        uint32_t to_us =
            osc_graph_slew_time(step->graph, parameter, osc_graph_written(step, parameter));
        if (to_us > *at_us)
            *at_us = to_us - *at_us > elapsed_us ? *at_us + elapsed_us : to_us;
        else
            *at_us = *at_us - to_us > elapsed_us ? *at_us - elapsed_us : to_us;
    }
}

void osc_graph_set_triggers(const osc_graph_step *step)
{
    for (uint32_t i = 0; i < step->graph->wait_count; i++)
        if (step->values[osc_graph_wait(step->graph, i) & 0xffu] != 0)
            step->character->ages_us[i] = 0;
}

/* A trigger that waits forever does not age. */
void osc_graph_age_triggers(const osc_graph_step *step, uint32_t elapsed_us)
{
    for (uint32_t i = 0; i < step->graph->wait_count; i++) {
        uint32_t *age_us = &step->character->ages_us[i];
        if (*age_us == OSC_GRAPH_NOT_PENDING)
            continue;
        uint32_t trigger = osc_graph_wait(step->graph, i) & 0xffu;
        uint32_t most_us = osc_graph_parameter(step->graph, trigger, OSC_GRAPH_PARAMETER_MOST);
        if (most_us != OSC_GRAPH_WAITS_FOREVER)
            *age_us =
                *age_us + elapsed_us <= most_us ? *age_us + elapsed_us : OSC_GRAPH_NOT_PENDING;
    }
}

bool osc_graph_is_pending(const osc_graph_step *step, uint32_t wait)
{
    uint32_t trigger = osc_graph_wait(step->graph, wait) & 0xffu;
    uint32_t age_us = step->character->ages_us[wait];
    return age_us != OSC_GRAPH_NOT_PENDING &&
           age_us + step->time_us <=
               osc_graph_parameter(step->graph, trigger, OSC_GRAPH_PARAMETER_MOST);
}
