/* An open bank with a graph, and a character of three joints that the graph animates. */
#ifndef GRAPH_CHARACTER_H
#define GRAPH_CHARACTER_H

#include "bank_tools.h"
#include "check.h"
#include "graph_code.h"

#include <string.h>

enum { MOST_MACHINES = 2, MOST_PLAYERS = 12, PLAYER_WORDS = 1 << 12 };

typedef struct fixture {
    test_bank words;
    osc_bank bank;
    osc_events events;
    osc_graph graph;
} fixture;

typedef struct character {
    osc_graph_character graph;
    osc_graph_now now;
    osc_graph_machine machines[OSC_GRAPH_MOST_MACHINES];
    uint32_t ages_us[OSC_GRAPH_MOST_WAITS];
    osc_graph_slew slews[OSC_GRAPH_MOST_PARAMETERS];
    osc_transition_state transitions[MOST_MACHINES];
    osc_graph_look_state looks[OSC_GRAPH_MOST_LOOKS];
    uint32_t choices[OSC_GRAPH_MOST_CHOICES];
    osc_graph_limb_state limbs[OSC_GRAPH_MOST_LIMBS];
    osc_graph_fade fades[MOST_MACHINES];
    osc_matrix model[3];
    uint32_t transition_memory[MOST_MACHINES * OSC_TRANSITION_WORDS(3, 6)];
    osc_player players[MOST_PLAYERS];
    osc_player *listed[MOST_PLAYERS];
    int32_t memory[MOST_PLAYERS][PLAYER_WORDS];
    osc_quaternion rotations[4][3];
    osc_vector translations[4][3];
    osc_pose pose, others[3];
    uint16_t masks[2][3];
    const uint16_t *mask_list[2];
    osc_graph_event events[OSC_GRAPH_MOST_EVENTS];
} character;

static inline void make_character(character *c, const fixture *f)
{
    memset(c, 0, sizeof *c);
    assert_true(osc_graph_player_count(&f->graph) <= MOST_PLAYERS);
    assert_true(osc_graph_transition_count(&f->graph) <= MOST_MACHINES);
    assert_true(osc_graph_pose_count(&f->graph) <= 3u);
    for (uint32_t i = 0; i < MOST_PLAYERS; i++) {
        c->listed[i] = &c->players[i];
        assert_int_equal(osc_player_init(c->listed[i], &f->bank, c->memory[i], PLAYER_WORDS),
                         OSC_OK);
    }
    c->pose = (osc_pose){c->rotations[0], c->translations[0], 0};
    c->others[0] = (osc_pose){c->rotations[1], c->translations[1], 0};
    c->others[1] = (osc_pose){c->rotations[2], c->translations[2], 0};
    c->others[2] = (osc_pose){c->rotations[3], c->translations[3], 0};
    for (uint32_t i = 0; i < f->graph.mask_count; i++) {
        osc_graph_read_mask(&f->graph, i, c->masks[i]);
        c->mask_list[i] = c->masks[i];
    }
    c->graph = (osc_graph_character){.graph = &f->graph, .code = &all_code, .now = &c->now};
    c->graph.ages_us = c->ages_us;
    c->graph.slews = c->slews;
    c->graph.machines = c->machines;
    c->graph.transitions = c->transitions;
    c->graph.looks = c->looks;
    c->graph.choices = c->choices;
    c->graph.limbs = c->limbs;
    c->graph.fades = c->fades;
    c->graph.mirror = &no_mirror;
    c->graph.transition_memory = c->transition_memory;
    c->graph.players = c->listed;
    c->graph.others = c->others;
    c->graph.masks_q15 = c->mask_list;
    c->graph.events = c->events;
}

#endif
