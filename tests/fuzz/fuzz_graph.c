/* libFuzzer target: any bytes as a bank with an animation graph. A graph that opens plays with any
 * parameters, times, requests and places, within its memory; its state depends on nothing but
 * these, so that a saved state goes on as the character does. */
#include "bank/osc_format.h"
#include "bank_fuzzer.h"
#include "graph_code.h"

#include <stdlib.h>
#include <string.h>

enum {
    STEPS = 48,
    MAX_FRAMES = 64,  /* of the clips of a bank whose poses are evaluated */
    MAX_JOINTS = 256, /* the same */
    PARAMETERS = 64 + 2 * OSC_GRAPH_MOST_POINTS,
    MOST_PLAYERS = 2 * OSC_GRAPH_MOST_MEMBERS * OSC_GRAPH_MOST_MACHINES
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* ---- a character ---- */

typedef struct actor {
    osc_graph_character graph;
    osc_graph_now now;
    osc_graph_machine machines[OSC_GRAPH_MOST_MACHINES];
    osc_transition_state transitions[OSC_GRAPH_MOST_MACHINES];
    osc_graph_look_state looks[OSC_GRAPH_MOST_LOOKS];
    osc_graph_limb_state limbs[OSC_GRAPH_MOST_LIMBS];
    uint32_t choices[OSC_GRAPH_MOST_CHOICES];
    osc_graph_fade fades[OSC_GRAPH_MOST_MACHINES];
    osc_matrix *model;
    osc_player players[MOST_PLAYERS];
    osc_player *listed[MOST_PLAYERS];
    int32_t *memory[MOST_PLAYERS];
    osc_pose pose, others[3];
    uint16_t *masks;
    const uint16_t *mask_list[OSC_GRAPH_MOST_MASKS];
    size_t transition_words;
} actor;

static void make(actor *a, const osc_graph *graph)
{
    const osc_bank *bank = graph->bank;
    memset(a, GARBAGE, sizeof *a);
    for (uint32_t i = 0; i < osc_graph_player_count(graph); i++) {
        a->listed[i] = &a->players[i];
        a->memory[i] = player_memory(&a->players[i], bank);
    }
    a->pose = pose_of(bank);
    a->others[0] = pose_of(bank);
    a->others[1] = pose_of(bank);
    a->others[2] = pose_of(bank);
    a->masks = block_of(graph->mask_count * bank->joint_count * sizeof(uint16_t));
    for (uint32_t i = 0; i < graph->mask_count; i++) {
        uint16_t *mask = a->masks + i * bank->joint_count;
        osc_graph_read_mask(graph, i, mask);
        a->mask_list[i] = mask;
    }
    a->transition_words = osc_graph_transition_count(graph) * osc_transition_memory_words(bank);
    a->graph = (osc_graph_character){.graph = graph, .code = &all_code, .now = &a->now};
    a->graph.machines = a->machines;
    a->graph.transitions = a->transitions;
    a->graph.looks = a->looks;
    a->graph.limbs = a->limbs;
    a->graph.choices = a->choices;
    a->graph.seed = 1;
    a->graph.fades = a->fades;
    a->graph.mirror = &no_mirror;
    a->model = block_of(bank->joint_count * sizeof(osc_matrix));
    a->graph.masks_q15 = a->mask_list;
    a->graph.ages_us = block_of(graph->wait_count * 4u);
    a->graph.slews = block_of(graph->slewed_count * sizeof(osc_graph_slew));
    a->graph.transition_memory = block_of(a->transition_words * 4u);
    a->graph.players = a->listed;
    a->graph.others = a->others;
    a->graph.events = block_of(graph->event_count * sizeof(osc_graph_event));
    if (osc_graph_start(&a->graph) != OSC_OK)
        fail("a graph that does not start");
}

static void drop(actor *a)
{
    for (uint32_t i = 0; i < osc_graph_player_count(a->graph.graph); i++)
        free(a->memory[i]);
    free_pose(&a->pose);
    free_pose(&a->others[0]);
    free_pose(&a->others[1]);
    free_pose(&a->others[2]);
    free(a->masks);
    free(a->model);
    free(a->graph.ages_us);
    free(a->graph.slews);
    free(a->graph.transition_memory);
    free(a->graph.events);
}

/* ---- play ---- */

static int32_t any_value(void)
{
    uint32_t word = next_noise(), choice = next_noise();
    return (int32_t)((choice & 3u) == 0u ? word : word >> (choice >> 2 & 31u));
}

static uint32_t any_time_us(void)
{
    uint32_t choice = next_noise() & 15u;
    return choice == 0u ? 0u : choice == 1u ? next_noise() : next_noise() % 30000u;
}

/* A hash of what a step results in. */
static uint32_t hash_of(const actor *a)
{
    const osc_graph *graph = a->graph.graph;
    uint32_t hash = OSC_HASH_START;
    for (uint32_t i = 0; i < graph->machine_count; i++) {
        const osc_graph_machine *machine = &a->machines[i];
        const uint32_t words[] = {
            machine->state,          machine->state_us,       machine->position_q11,
            machine->reached_q11,    machine->fraction_q32,   machine->loops_left,
            machine->phase.mark,     machine->taken,          machine->members[0],
            machine->weights_q15[0], machine->weights_q15[1], machine->leader,
            machine->shown,          machine->envelope_us,    machine->weight_q15,
            a->now.switches};
        hash = osc_hash_words(hash, words, sizeof words / 4u);
    }
    hash = osc_hash_words(hash, &a->now.place, sizeof a->now.place / 4u);
    hash = osc_hash_words(hash, a->graph.ages_us, graph->wait_count);
    hash = osc_hash_words(hash, a->graph.slews, 2u * graph->slewed_count);
    return osc_hash_words(hash, a->graph.events, a->graph.event_count);
}

static void check(const actor *a)
{
    const osc_graph *graph = a->graph.graph;
    for (uint32_t i = 0; i < graph->machine_count; i++)
        if (a->machines[i].state >= graph->state_count ||
            a->machines[i].shown >= graph->state_count)
            fail("a state that the graph does not have");
    if (a->graph.event_count > graph->event_count)
        fail("more events than the bank states");
    for (uint32_t i = 0; i < a->graph.event_count; i++)
        if (a->graph.events[i].state >= graph->state_count)
            fail("an event of a state that the graph does not have");
}

/* Copies the state into another character, which has played something else or nothing. */
static void restore(actor *to, const actor *from)
{
    const osc_graph *graph = from->graph.graph;
    to->now = from->now;
    memcpy(to->machines, from->machines, sizeof to->machines);
    memcpy(to->transitions, from->transitions, sizeof to->transitions);
    memcpy(to->looks, from->looks, sizeof to->looks);
    memcpy(to->limbs, from->limbs, sizeof to->limbs);
    memcpy(to->choices, from->choices, sizeof to->choices);
    memcpy(to->fades, from->fades, sizeof to->fades);
    memcpy(to->graph.ages_us, from->graph.ages_us, graph->wait_count * 4u);
    memcpy(to->graph.slews, from->graph.slews, graph->slewed_count * sizeof(osc_graph_slew));
    memcpy(to->graph.transition_memory, from->graph.transition_memory, from->transition_words * 4u);
}

static void play(actor *one, actor *other, bool evaluates)
{
    int32_t values[PARAMETERS];
    for (uint32_t step = 0; step < STEPS; step++) {
        uint32_t elapsed_us = any_time_us(), choice = next_noise() & 15u;
        uint32_t state = next_noise() & 15u, over_us = next_noise();
        const osc_placement place = {any_value(), any_value(), any_value(), any_value()};
        for (uint32_t i = 0; i < PARAMETERS; i++)
            values[i] = any_value();
        if (choice == 0u)
            restore(other, one);
        actor *both[] = {one, other};
        for (uint32_t i = 0; i < 2u; i++) {
            if (choice == 1u)
                (void)osc_graph_go(&both[i]->graph, state, over_us);
            if (choice == 2u)
                osc_graph_appear(&both[i]->graph, &place);
            osc_graph_advance(&both[i]->graph, values, elapsed_us);
            check(both[i]);
        }
        if (hash_of(one) != hash_of(other))
            fail("a step that depends on more than the state");
        if (evaluates && (choice & 1u) != 0u) {
            osc_graph_evaluate(&one->graph, &one->pose, elapsed_us);
            osc_compose(one->graph.graph->bank, &one->pose, one->model);
            osc_graph_look(&one->graph, values, &one->pose, one->model, elapsed_us);
            osc_graph_reach(&one->graph, values, &one->pose, one->model, elapsed_us);
        }
    }
}

static bool is_small(const osc_bank *bank)
{
    for (uint32_t clip = 0; clip < bank->clip_count; clip++) {
        osc_clip_info info;
        if (osc_clip_describe(bank, clip, &info) != OSC_OK || info.frame_count > MAX_FRAMES)
            return false;
    }
    return bank->joint_count <= MAX_JOINTS;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint32_t *words = block_of(size);
    memcpy(words, data, size);
    osc_bank bank;
    osc_events events;
    osc_trajectories trajectories;
    osc_graph graph;
    if (osc_bank_open(&bank, words, size) == OSC_OK) {
        bool marked = osc_events_open(&events, &bank) == OSC_OK;
        bool moves = osc_trajectories_open(&trajectories, &bank) == OSC_OK;
        if (osc_graph_open(&graph, &bank, marked ? &events : 0, moves ? &trajectories : 0) ==
            OSC_OK) {
            actor one, other;
            start_noise(words[3]);
            make(&one, &graph);
            make(&other, &graph);
            play(&one, &other, is_small(&bank));
            drop(&one);
            drop(&other);
        }
    }
    free(words);
    return 0;
}
