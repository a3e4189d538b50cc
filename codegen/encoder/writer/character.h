/* The parts of an enc_character, for the page of `ossicle view`, which saves and restores it. */
#ifndef ENC_CHARACTER_H
#define ENC_CHARACTER_H

#include "bank/osc_format.h"
#include "encoder.h"
#include "osc_graph.h"

enum {
    PLAYERS = 2 * OSC_GRAPH_MOST_MEMBERS * OSC_GRAPH_MOST_MACHINES,
    POSES = 4,
    MOST_EVENTS = 255,
};

/* Pointers refer to the structure itself, which is never moved. */
struct enc_character {
    osc_bank bank;
    osc_events events;
    osc_trajectories trajectories;
    osc_graph graph;
    osc_player players[PLAYERS];
    osc_player *player_list[PLAYERS];
    osc_pose poses[POSES];
    osc_graph_now now;
    osc_graph_machine machines[OSC_GRAPH_MOST_MACHINES];
    osc_transition_state transitions[OSC_GRAPH_MOST_MACHINES];
    osc_graph_character parts;
    osc_graph_event passed[MOST_EVENTS];
    uint32_t ages_us[OSC_GRAPH_MOST_WAITS];
    osc_graph_slew slews[OSC_GRAPH_MOST_PARAMETERS];
    const uint16_t *mask_list[OSC_GRAPH_MOST_MASKS];
    uint16_t *masks;
    osc_graph_look_state looks[OSC_GRAPH_MOST_LOOKS];
    uint32_t choices[OSC_GRAPH_MOST_CHOICES];
    osc_graph_limb_state limbs[OSC_GRAPH_MOST_LIMBS];
    osc_graph_fade fades[OSC_GRAPH_MOST_MACHINES];
    osc_mirror mirror;
    osc_mirror_group *groups;
    uint16_t *pairs;
    osc_mirror_turned *turned;
    osc_mirror_turn *turns;
    osc_matrix *model;
    uint32_t *transition;
    int32_t *memory; /* of all players */
};

#endif
