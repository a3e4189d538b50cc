/* A character that the graph of a bank animates, for `ossicle play` and the page of `ossicle view`.
 */
#include "writer/character.h"

#include <stdlib.h>

static const osc_graph_code graph_code = {.evaluate = osc_player_evaluate,
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

void enc_character_free(enc_character *character)
{
    if (character == NULL)
        return;
    for (int i = 0; i < POSES; i++) {
        free(character->poses[i].rotations);
        free(character->poses[i].translations);
        free(character->poses[i].scales);
    }
    free(character->masks);
    free(character->model);
    free(character->transition);
    free(character->memory);
    free(character->groups);
    free(character->pairs);
    free(character->turned);
    free(character->turns);
    free(character);
}

/* Opens the bank and its sections. */
static int32_t open_sections(enc_character *character, const uint32_t *words, uint32_t word_count)
{
    osc_bank *bank = &character->bank;
    int32_t status = osc_bank_open(bank, words, (size_t)word_count * 4u);
    if (status != OSC_OK)
        return status;
    int32_t events = osc_events_open(&character->events, bank);
    int32_t trajectories = osc_trajectories_open(&character->trajectories, bank);
    if (events == OSC_ERROR_SECTION || trajectories == OSC_ERROR_SECTION)
        return OSC_ERROR_SECTION;
    return osc_graph_open(&character->graph, bank, events == OSC_OK ? &character->events : NULL,
                          trajectories == OSC_OK ? &character->trajectories : NULL);
}

static bool allocate_pose(osc_pose *pose, const osc_bank *bank)
{
    size_t joints = bank->joint_count;
    pose->rotations = malloc(joints * sizeof *pose->rotations);
    pose->translations = malloc(joints * sizeof *pose->translations);
    pose->scales = bank->has_scale ? malloc(joints * sizeof *pose->scales) : NULL;
    return pose->rotations != NULL && pose->translations != NULL &&
           (pose->scales != NULL || !bank->has_scale);
}

static bool allocate(enc_character *character, uint32_t player_words)
{
    const osc_graph *graph = &character->graph;
    size_t players = osc_graph_player_count(graph), transitions = osc_graph_transition_count(graph);
    size_t transition_words = transitions * osc_transition_memory_words(&character->bank);
    size_t mask_joints = (size_t)graph->mask_count * character->bank.joint_count;
    character->memory = malloc((players * player_words + 1u) * sizeof *character->memory);
    character->transition = malloc((transition_words + 1u) * sizeof *character->transition);
    character->masks = malloc((mask_joints + 1u) * sizeof *character->masks);
    character->model = malloc(character->bank.joint_count * sizeof *character->model);
    bool complete = character->memory != NULL && character->transition != NULL &&
                    character->masks != NULL && character->model != NULL;
    for (int i = 0; i < POSES && complete; i++)
        complete = allocate_pose(&character->poses[i], &character->bank);
    return complete;
}

/* Reads the table of the skeleton (enc_character_open). */
static bool read_mirror(enc_character *character, const int32_t *words)
{
    uint32_t groups = (uint32_t)words[0], pairs = (uint32_t)words[1];
    uint32_t turned = (uint32_t)words[2], turns = (uint32_t)words[3];
    character->groups = malloc((groups + 1u) * sizeof *character->groups);
    character->pairs = malloc((2u * pairs + 1u) * sizeof *character->pairs);
    character->turned = malloc((turned + 1u) * sizeof *character->turned);
    character->turns = malloc((turns + 1u) * sizeof *character->turns);
    if (character->groups == NULL || character->pairs == NULL || character->turned == NULL ||
        character->turns == NULL)
        return false;
    words += 4;
    for (uint32_t i = 0; i < groups; i++, words += 3)
        character->groups[i] =
            (osc_mirror_group){(uint8_t)words[0], (uint16_t)words[1], (uint16_t)words[2]};
    for (uint32_t i = 0; i < 2u * pairs; i++)
        character->pairs[i] = (uint16_t)(4 * *words++);
    for (uint32_t i = 0; i < turned; i++, words += 4)
        character->turned[i] = (osc_mirror_turned){(uint16_t)words[0], (uint16_t)words[1],
                                                   (uint16_t)words[2], (uint16_t)words[3]};
    for (uint32_t i = 0; i < turns; i++) {
        for (uint32_t k = 0; k < 16u; k++)
            character->turns[i].rotation[k] = *words++;
        for (uint32_t k = 0; k < 9u; k++)
            character->turns[i].translation[k] = *words++;
    }
    character->mirror = (osc_mirror){
        character->groups, character->pairs, character->turned,          character->turns,
        (uint16_t)groups,  (uint16_t)turned, character->bank.joint_count};
    character->parts.mirror = &character->mirror;
    return true;
}

static void read_masks(enc_character *character)
{
    for (uint32_t i = 0; i < character->graph.mask_count; i++) {
        uint16_t *mask = character->masks + (size_t)i * character->bank.joint_count;
        osc_graph_read_mask(&character->graph, i, mask);
        character->mask_list[i] = mask;
    }
}

static int32_t start(enc_character *character)
{
    uint32_t words = osc_player_memory_words(&character->bank);
    if (!allocate(character, words))
        return OSC_ERROR_MEMORY;
    read_masks(character);
    for (uint32_t i = 0; i < osc_graph_player_count(&character->graph); i++) {
        int32_t status = osc_player_init(&character->players[i], &character->bank,
                                         character->memory + i * words, words);
        if (status != OSC_OK)
            return status;
        character->player_list[i] = &character->players[i];
    }
    osc_graph_character *parts = &character->parts;
    parts->graph = &character->graph;
    parts->code = &graph_code;
    parts->now = &character->now;
    parts->machines = character->machines;
    parts->transitions = character->transitions;
    parts->masks_q15 = character->mask_list;
    parts->looks = character->looks;
    parts->choices = character->choices;
    parts->limbs = character->limbs;
    parts->fades = character->fades;
    parts->ages_us = character->ages_us;
    parts->slews = character->slews;
    parts->transition_memory = character->transition;
    parts->players = character->player_list;
    parts->others = &character->poses[1];
    parts->events = character->passed;
    return osc_graph_start(parts);
}

void enc_character_restart(enc_character *character, uint32_t seed)
{
    character->parts.seed = seed;
    (void)osc_graph_start(&character->parts); /* it has all functions */
}

int32_t enc_character_open(const uint32_t *words, uint32_t word_count, const int32_t *mirror,
                           enc_character **character)
{
    *character = calloc(1, sizeof **character);
    if (*character == NULL)
        return OSC_ERROR_MEMORY;
    int32_t status = open_sections(*character, words, word_count);
    if (status == OSC_OK && mirror != NULL && !read_mirror(*character, mirror))
        status = OSC_ERROR_MEMORY;
    if (status == OSC_OK)
        status = start(*character);
    if (status != OSC_OK) {
        enc_character_free(*character);
        *character = NULL;
    }
    return status;
}

/* The hash of the local pose, in the order of the generated structure. */
static uint32_t hash_of(const osc_pose *pose, size_t joints)
{
    uint32_t hash = osc_hash_words(OSC_HASH_START, pose->rotations, joints * 4u);
    hash = osc_hash_words(hash, pose->translations, joints * 3u);
    return pose->scales != NULL ? osc_hash_words(hash, pose->scales, joints * 3u) : hash;
}

static void copy_placement(int32_t out[4], const osc_placement *placement)
{
    out[0] = placement->x;
    out[1] = placement->y;
    out[2] = placement->z;
    out[3] = placement->yaw_q24;
}

void enc_character_step(enc_character *character, const int32_t *values, uint32_t elapsed_us,
                        enc_character_state *state)
{
    osc_graph_character *parts = &character->parts;
    const osc_graph_now *now = &character->now;
    uint32_t machines = character->graph.machine_count;
    osc_graph_advance(parts, values, elapsed_us);
    osc_graph_evaluate(parts, &character->poses[0], elapsed_us);
    osc_compose(&character->bank, &character->poses[0], character->model);
    osc_graph_look(parts, values, &character->poses[0], character->model, elapsed_us);
    osc_graph_reach(parts, values, &character->poses[0], character->model, elapsed_us);
    for (uint32_t i = 0; i < machines; i++)
        state->states[i] = character->machines[i].state;
    state->machine_count = machines;
    state->switches = now->switches;
    state->pose_hash = hash_of(&character->poses[0], character->bank.joint_count);
    copy_placement(state->place, &now->place);
    copy_placement(state->moved, &parts->moved);
    state->event_count = parts->event_count;
    for (uint32_t i = 0; i < parts->event_count; i++) {
        const osc_graph_event *event = &character->passed[i];
        state->events[i] = (enc_character_event){event->name, event->state, event->what};
    }
}

int32_t enc_character_go(enc_character *character, uint32_t state, uint32_t over_us)
{
    return osc_graph_go(&character->parts, state, over_us);
}

void enc_character_appear(enc_character *character, const int32_t place[4])
{
    const osc_placement placement = {place[0], place[1], place[2], place[3]};
    osc_graph_appear(&character->parts, &placement);
}
