/* SPDX-License-Identifier: MIT */
/* Moves characters along the trajectories of clips. */
#include "graph/osc_graph_step.h"

void osc_graph_follow(const osc_graph *graph, uint32_t clip, const osc_step *passed,
                      osc_placement *place)
{
    osc_motion motion;
    osc_motion_start(&motion, graph->trajectories, clip, passed->from_q11, place);
    osc_motion_follow(&motion, passed);
    *place = motion.now;
}
