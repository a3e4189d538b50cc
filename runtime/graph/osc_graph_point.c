/* SPDX-License-Identifier: MIT */
/* The points of a graph in model space: SPEC.md 26. */
#include "graph/osc_graph_step.h"

osc_vector osc_graph_point(const osc_graph *graph, uint32_t parameter, const int32_t *values)
{
    uint32_t first = (uint32_t)graph->parameter_count - graph->point_count;
    const int32_t *at = values + first + 3u * (parameter - first);
    const osc_vector point = {at[0], at[1], at[2]};
    return point;
}

osc_vector osc_graph_in_model(const osc_graph_character *character, const osc_vector *point)
{
    osc_placement to = {point->x, point->y, point->z, 0};
    osc_placement_seen(&character->now->place, &to, &to);
    const osc_vector seen = {to.x, to.y, to.z};
    return seen;
}

osc_vector osc_graph_point_in_model(const osc_graph_character *character, uint32_t parameter,
                                    const osc_vector *point)
{
    if (osc_graph_parameter(character->graph, parameter, OSC_GRAPH_PARAMETER_MOST) == 0u)
        return *point;
    return osc_graph_in_model(character, point);
}
