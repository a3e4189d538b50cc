/* The table of all functions that a graph may need. */
#ifndef GRAPH_CODE_H
#define GRAPH_CODE_H

#include "osc_graph.h"

/* A table of a skeleton without joints: mirror images are shown as their originals. */
static const osc_mirror no_mirror = {0, 0, 0, 0, 0, 0, 0};

static const osc_graph_code all_code = {.evaluate = osc_player_evaluate,
                                        .begin = osc_transition_begin,
                                        .apply = osc_transition_apply,
                                        .blends = &osc_graph_blends,
                                        .layers = &osc_graph_layers,
                                        .blend = osc_mix_blend,
                                        .add = osc_mix_add,
                                        .weigh = osc_graph_weigh_in_plane,
                                        .choices = &osc_graph_choices,
                                        .fades = &osc_graph_fades,
                                        .pass_in_step = osc_graph_pass_in_step,
                                        .positions = &osc_graph_positions,
                                        .events = &osc_graph_events,
                                        .follow = osc_graph_follow,
                                        .mirror = osc_mirror_pose,
                                        .slew = osc_graph_move_slews};

#endif
