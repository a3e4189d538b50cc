/* SPDX-License-Identifier: MIT */
/* The parameters of a graph: ranges, and triggers that wait. */
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

int32_t osc_graph_slewed(const osc_graph_step *step, uint32_t parameter)
{
    uint32_t number = parameter - step->graph->trigger_count;
    return number < step->graph->slewed_count ? step->character->slews[number].value
                                              : osc_graph_written(step, parameter);
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
