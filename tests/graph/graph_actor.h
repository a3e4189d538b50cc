/* Characters of the graph of a bank, each with its own players: for programs that play graphs. */
#ifndef GRAPH_ACTOR_H
#define GRAPH_ACTOR_H

#include "../support/c/graph_code.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_WORDS = 1 << 20,
    MOST_JOINTS = 64,
    MOST_VALUES = 64,
    MOST_MACHINES = 8,
    MOST_PLAYERS = 2 * OSC_GRAPH_MOST_MEMBERS * 8,
    MOST_MASKS = 8
};

/* The state of a character, which a save copies. */
typedef struct {
    osc_graph_now now;
    osc_graph_machine machines[MOST_MACHINES];
    uint32_t ages_us[64];
    osc_graph_slew slews[64];
    osc_transition_state transitions[MOST_MACHINES];
    osc_graph_look_state looks[8];
    osc_graph_limb_state limbs[8];
    uint32_t choices[64];
    osc_graph_fade fades[MOST_MACHINES];
    uint32_t transition_memory[MOST_MACHINES * OSC_TRANSITION_WORDS(MOST_JOINTS, 2 * MOST_JOINTS)];
} saved_state;

typedef struct {
    saved_state state;
    osc_player players[MOST_PLAYERS];
    osc_player *listed[MOST_PLAYERS];
    int32_t memory[MOST_PLAYERS][1 << 14];
    osc_graph_event events[255];
} actor;

static uint32_t bank_words[MOST_WORDS];
static osc_bank bank;
static osc_events events;
static osc_trajectories trajectories;
static osc_graph graph;
static actor actors[2];

static osc_quaternion other_rotations[3][MOST_JOINTS];
static osc_vector other_translations[3][MOST_JOINTS], other_scales[3][MOST_JOINTS];
static const osc_pose others[3] = {{other_rotations[0], other_translations[0], other_scales[0]},
                                   {other_rotations[1], other_translations[1], other_scales[1]},
                                   {other_rotations[2], other_translations[2], other_scales[2]}};
static uint16_t masks[MOST_MASKS][MOST_JOINTS];
static const uint16_t *const mask_list[MOST_MASKS] = {masks[0], masks[1], masks[2], masks[3],
                                                      masks[4], masks[5], masks[6], masks[7]};

/* The table of a body with two arms; mirror images on other characters are shown as their
 * originals.
 */
static const osc_mirror_group mirror_group = {1, 1, 1};
static const uint16_t mirror_pairs[] = {4, 8, 0, 0};
static const osc_mirror two_arms = {&mirror_group, mirror_pairs, 0, 0, 1, 0, 3};

static osc_graph_character character_of(actor *own)
{
    osc_graph_character made = {.graph = &graph, .code = &all_code, .now = &own->state.now};
    made.ages_us = own->state.ages_us;
    made.slews = own->state.slews;
    made.machines = own->state.machines;
    made.transitions = own->state.transitions;
    made.looks = own->state.looks;
    made.limbs = own->state.limbs;
    made.choices = own->state.choices;
    made.seed = 1;
    made.fades = own->state.fades;
    made.mirror = bank.joint_count == two_arms.joint_count ? &two_arms : &no_mirror;
    made.transition_memory = own->state.transition_memory;
    made.players = own->listed;
    made.others = others;
    made.masks_q15 = mask_list;
    made.events = own->events;
    return made;
}

static int32_t open_all(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == 0)
        return OSC_ERROR_READ;
    size_t size = fread(bank_words, 1, sizeof bank_words, file);
    (void)fclose(file);
    int32_t status = osc_bank_open(&bank, bank_words, size);
    if (status != OSC_OK)
        return status;
    bool has_events = osc_events_open(&events, &bank) == OSC_OK;
    bool moves = osc_trajectories_open(&trajectories, &bank) == OSC_OK;
    return osc_graph_open(&graph, &bank, has_events ? &events : 0, moves ? &trajectories : 0);
}

/* Starts both characters. Returns false for a bank that needs more than they have. */
static bool start_actors(void)
{
    for (uint32_t i = 0; i < graph.mask_count; i++)
        osc_graph_read_mask(&graph, i, masks[i]);
    for (uint32_t i = 0; i < 2u; i++) {
        for (uint32_t k = 0; k < osc_graph_player_count(&graph); k++) {
            actors[i].listed[k] = &actors[i].players[k];
            if (osc_player_init(actors[i].listed[k], &bank, actors[i].memory[k], 1u << 14) !=
                OSC_OK)
                return false;
        }
        osc_graph_character character = character_of(&actors[i]);
        if (osc_graph_start(&character) != OSC_OK)
            return false;
    }
    return true;
}

static uint32_t random_u32(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static uint32_t hash_of(uint32_t hash, const void *data, size_t size_bytes)
{
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size_bytes; i++)
        hash = (hash ^ bytes[i]) * 16777619u;
    return hash;
}

#endif
