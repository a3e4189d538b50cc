/* SPDX-License-Identifier: MIT */
/* Checks the parameters of a graph, and what refers to them. */
#include "graph/osc_graph_check.h"

static bool trigger_valid(const osc_graph *graph, uint32_t number)
{
    uint32_t time_us = osc_graph_parameter(graph, number, OSC_GRAPH_PARAMETER_MOST);
    return osc_graph_parameter(graph, number, OSC_GRAPH_PARAMETER_KIND) == OSC_GRAPH_TRIGGER &&
           osc_graph_parameter(graph, number, OSC_GRAPH_PARAMETER_LEAST) == 0u &&
           osc_graph_parameter(graph, number, OSC_GRAPH_PARAMETER_DEFAULT) == 0u &&
           (time_us <= OSC_GRAPH_TIME_MOST_US || time_us == OSC_GRAPH_WAITS_FOREVER);
}

/* Returns whether a kind of value may have this range. */
static bool range_valid(uint32_t kind, int32_t least, int32_t most)
{
    if (kind == OSC_GRAPH_NUMBER)
        return least < most;
    return least == 0 &&
           (kind == OSC_GRAPH_FLAG ? most == 1
                                   : kind == OSC_GRAPH_CHOICE && most >= 0 && most <= 255);
}

static bool value_valid(const osc_graph *graph, uint32_t number)
{
    uint32_t kind = osc_graph_kind_of_parameter(graph, number);
    int32_t least = (int32_t)osc_graph_parameter(graph, number, OSC_GRAPH_PARAMETER_LEAST);
    int32_t most = (int32_t)osc_graph_parameter(graph, number, OSC_GRAPH_PARAMETER_MOST);
    int32_t value = (int32_t)osc_graph_parameter(graph, number, OSC_GRAPH_PARAMETER_DEFAULT);
    bool slewed = osc_graph_parameter(graph, number, OSC_GRAPH_PARAMETER_KIND) != kind;
    if (slewed != (number < (uint32_t)graph->trigger_count + graph->slewed_count) ||
        (slewed && kind != OSC_GRAPH_NUMBER))
        return false;
    return range_valid(kind, least, most) && least <= value && value <= most;
}

static bool point_valid(const osc_graph *graph, uint32_t number)
{
    return osc_graph_parameter(graph, number, OSC_GRAPH_PARAMETER_KIND) == OSC_GRAPH_POINT &&
           osc_graph_parameter(graph, number, OSC_GRAPH_PARAMETER_LEAST) == 0u &&
           osc_graph_parameter(graph, number, OSC_GRAPH_PARAMETER_MOST) <= 1u &&
           osc_graph_parameter(graph, number, OSC_GRAPH_PARAMETER_DEFAULT) == 0u;
}

bool osc_graph_parameters_valid(const osc_graph *graph)
{
    uint32_t points = (uint32_t)graph->parameter_count - graph->point_count;
    for (uint32_t i = 0; i < graph->parameter_count; i++)
        if (!(i < graph->trigger_count ? trigger_valid(graph, i)
              : i < points             ? value_valid(graph, i)
                                       : point_valid(graph, i)))
            return false;
    return true;
}

bool osc_graph_speed_valid(const osc_graph *graph, uint32_t parameter)
{
    return parameter == OSC_GRAPH_NO_PARAMETER ||
           (parameter < graph->parameter_count &&
            osc_graph_kind_of_parameter(graph, parameter) == OSC_GRAPH_NUMBER &&
            (int32_t)osc_graph_parameter(graph, parameter, OSC_GRAPH_PARAMETER_LEAST) >= 0);
}

bool osc_graph_weight_valid(const osc_graph *graph, uint32_t parameter)
{
    return parameter == OSC_GRAPH_NO_PARAMETER ||
           (parameter < graph->parameter_count && osc_graph_speed_valid(graph, parameter) &&
            (int32_t)osc_graph_parameter(graph, parameter, OSC_GRAPH_PARAMETER_MOST) <=
                (int32_t)OSC_ONE_Q16);
}
