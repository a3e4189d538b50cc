/* SPDX-License-Identifier: MIT */
/* Slewed numbers of a graph, which take time to follow the written ones: SPEC.md 26. */
#include "arithmetic/osc_unit.h"
#include "graph/osc_graph_step.h"

/* The time at which a number reaches a value from the lower end of its range. */
static uint32_t time_of_value(const osc_graph_slew_rule *rule, int32_t value)
{
    uint32_t share_q20 = (uint32_t)osc_ratio((uint32_t)value - rule->least, rule->size);
    return osc_mulhi_u32(rule->whole_us << 6, share_q20 << 6);
}

static int32_t value_at_time(const osc_graph_slew_rule *rule, uint32_t at_us)
{
    uint32_t share_q20 = (uint32_t)osc_ratio(at_us, rule->whole_us);
    return (int32_t)(rule->least + (share_q20 >= 1u << 20
                                        ? rule->size
                                        : osc_mulhi_u32(rule->size, share_q20 << 12)));
}

void osc_graph_move_on(const osc_graph_slew_rule *rule, osc_graph_slew *slew, int32_t to,
                       uint32_t elapsed_us)
{
    if (slew->at_us == OSC_GRAPH_ARRIVED)
        slew->at_us = time_of_value(rule, slew->value);
    uint32_t at_us = slew->at_us, to_us = time_of_value(rule, to);
    if (to_us > at_us)
        at_us += osc_graph_earlier(elapsed_us, to_us - at_us);
    else
        at_us -= osc_graph_earlier(elapsed_us, at_us - to_us);
    slew->at_us = at_us == to_us ? OSC_GRAPH_ARRIVED : at_us;
    slew->value = at_us == to_us ? to : value_at_time(rule, at_us);
}

static osc_graph_slew_rule slew_rule_of(const osc_graph *graph, uint32_t parameter)
{
    uint32_t least = osc_graph_parameter(graph, parameter, OSC_GRAPH_PARAMETER_LEAST);
    const osc_graph_slew_rule rule = {
        least, osc_graph_parameter(graph, parameter, OSC_GRAPH_PARAMETER_MOST) - least,
        osc_graph_parameter(graph, parameter, OSC_GRAPH_PARAMETER_KIND) >> OSC_GRAPH_SLEW_SHIFT};
    return rule;
}

void osc_graph_move_slews(const osc_graph_step *step, uint32_t elapsed_us)
{
    for (uint32_t i = 0; i < step->graph->slewed_count; i++) {
        uint32_t parameter = step->graph->trigger_count + i;
        const osc_graph_slew_rule rule = slew_rule_of(step->graph, parameter);
        osc_graph_move_slew(&rule, &step->character->slews[i], osc_graph_written(step, parameter),
                            elapsed_us);
    }
}
