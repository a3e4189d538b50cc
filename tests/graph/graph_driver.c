/* Plays the graph of a bank: graph_driver BANK.. Reads commands, one a line, and answers each with
 * a line:
 *
 *     step ELAPSED VALUE..            a step with these parameters
 *     cut TOTAL MOST SEED VALUE..     the same time in steps of random lengths up to MOST; triggers
 *                                     are set in the first one only
 *     pose ELAPSED                    evaluates, looks, and hashes the pose
 *     save, load                      copies the state; loads it into the other character
 *     go STATE OVER_US                osc_graph_go
 *     members                         the leader of a blend, its members that play and their
 * weights
 *
 * Of several banks, it states the status of each, and plays the last.
 *
 * Times are microseconds. The answer to opening: the status, and the numbers of machines and waits.
 * The answer of a step: switches, the placement (4); of each machine: state, state_us, position,
 * fraction, loops left, envelope, weight; the age of each wait, and NAME:STATE:WHAT for each event.
 */
#include "osc_graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_WORDS = 1 << 20,
    MOST_JOINTS = 64,
    MOST_VALUES = 64,
    MOST_EVENTS = 1 << 16,
    MOST_MACHINES = 8,
    MOST_PLAYERS = OSC_GRAPH_MOST_MEMBERS * 8,
    MOST_MASKS = 8
};

/* The state of a character, which a save copies. */
typedef struct {
    osc_graph_now now;
    osc_graph_machine machines[MOST_MACHINES];
    uint32_t ages_us[64], slews_us[64];
    osc_transition_state transitions[MOST_MACHINES];
    osc_graph_look_state looks[8];
    osc_graph_limb_state limbs[8];
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
static saved_state kept;
static uint32_t current;
static osc_graph_event passed[MOST_EVENTS];
static uint32_t passed_count;
static int32_t last_values[MOST_VALUES];

static osc_quaternion other_rotations[2][MOST_JOINTS];
static osc_vector other_translations[2][MOST_JOINTS], other_scales[2][MOST_JOINTS];
static const osc_pose others[2] = {{other_rotations[0], other_translations[0], other_scales[0]},
                                   {other_rotations[1], other_translations[1], other_scales[1]}};
static uint16_t masks[MOST_MASKS][MOST_JOINTS];
static const uint16_t *const mask_list[MOST_MASKS] = {masks[0], masks[1], masks[2], masks[3],
                                                      masks[4], masks[5], masks[6], masks[7]};

static const osc_graph_code code = {
    osc_player_evaluate, osc_transition_begin, osc_transition_apply, &osc_graph_blends,
    &osc_graph_layers,   osc_mix_blend,        osc_mix_add,          osc_graph_weigh_in_plane};

static osc_graph_character character_of(actor *own)
{
    osc_graph_character made = {.graph = &graph, .code = &code, .now = &own->state.now};
    made.ages_us = own->state.ages_us;
    made.slews_us = own->state.slews_us;
    made.machines = own->state.machines;
    made.transitions = own->state.transitions;
    made.looks = own->state.looks;
    made.limbs = own->state.limbs;
    made.transition_memory = own->state.transition_memory;
    made.players = own->listed;
    made.others = others;
    made.masks_q15 = mask_list;
    made.events = own->events;
    return made;
}

static uint32_t random_u32(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static int read_values(char *text, int32_t *values)
{
    int count = 0;
    for (char *word = strtok(text, " \n"); word != 0; word = strtok(0, " \n"))
        values[count++] = (int32_t)strtol(word, 0, 10);
    return count;
}

static void take_step(const int32_t *values, uint32_t elapsed_us)
{
    osc_graph_character character = character_of(&actors[current]);
    osc_graph_advance(&character, values, elapsed_us);
    memcpy(last_values, values, sizeof last_values);
    for (uint32_t i = 0; i < character.event_count && passed_count < MOST_EVENTS; i++)
        passed[passed_count++] = character.events[i];
}

static void take_cut(int32_t *values, uint32_t total_us, uint32_t most_us, uint32_t seed)
{
    while (total_us != 0u) {
        uint32_t us = 1u + random_u32(&seed) % most_us;
        us = us < total_us ? us : total_us;
        take_step(values, us);
        total_us -= us;
        for (uint32_t i = 0; i < graph.trigger_count; i++)
            values[i] = 0;
    }
}

static void print_state(void)
{
    const saved_state *state = &actors[current].state;
    const osc_placement *place = &state->now.place;
    printf("%u %d %d %d %d", state->now.switches, place->x, place->y, place->z, place->yaw_q24);
    for (uint32_t i = 0; i < graph.machine_count; i++) {
        const osc_graph_machine *machine = &state->machines[i];
        printf(" %u %u %u %u %u %u %u", machine->state, machine->state_us, machine->position_q11,
               machine->fraction_q32, machine->loops_left, machine->envelope_us,
               machine->weight_q15);
    }
    for (uint32_t i = 0; i < graph.wait_count; i++)
        printf(" %u", state->ages_us[i]);
    for (uint32_t i = 0; i < passed_count; i++)
        printf(" %u:%u:%u", passed[i].name, passed[i].state, passed[i].what);
    printf("\n");
    passed_count = 0;
}

static void print_members(void)
{
    const osc_graph_machine *machine = actors[current].state.machines;
    printf("%u", machine->leader);
    for (uint32_t i = 0; i < OSC_GRAPH_MOST_MEMBERS && machine->weights_q15[i] != 0u; i++)
        printf(" %u:%u", machine->members[i], machine->weights_q15[i]);
    printf("\n");
}

static uint32_t hash_of(uint32_t hash, const void *data, size_t size_bytes)
{
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size_bytes; i++)
        hash = (hash ^ bytes[i]) * 16777619u;
    return hash;
}

static void print_pose(uint32_t elapsed_us)
{
    static osc_quaternion rotations[MOST_JOINTS];
    static osc_vector translations[MOST_JOINTS], scales[MOST_JOINTS];
    const osc_pose pose = {rotations, translations, scales};
    osc_graph_character character = character_of(&actors[current]);
    static osc_matrix model[MOST_JOINTS];
    osc_graph_evaluate(&character, &pose, elapsed_us);
    osc_compose(&bank, &pose, model);
    osc_graph_look(&character, last_values, &pose, model, elapsed_us);
    osc_graph_reach(&character, last_values, &pose, model, elapsed_us);
    uint32_t hash = hash_of(2166136261u, rotations, bank.joint_count * sizeof *rotations);
    printf("%u", hash_of(hash, translations, bank.joint_count * sizeof *translations));
    for (uint32_t i = 0; i < bank.joint_count; i++)
        printf(" %d %d %d %d", rotations[i].x, rotations[i].y, rotations[i].z, rotations[i].w);
    printf("\n");
}

static void obey(char *line)
{
    int32_t values[2 * MOST_VALUES] = {0};
    char *name = strtok(line, " \n"), *rest = strtok(0, "\n"), nothing[] = "";
    read_values(rest != 0 ? rest : nothing, values);
    osc_graph_character character = character_of(&actors[current]);
    if (strcmp(name, "step") == 0) {
        take_step(values + 1, (uint32_t)values[0]);
        print_state();
    } else if (strcmp(name, "cut") == 0) {
        take_cut(values + 3, (uint32_t)values[0], (uint32_t)values[1], (uint32_t)values[2]);
        print_state();
    } else if (strcmp(name, "pose") == 0) {
        print_pose((uint32_t)values[0]);
    } else if (strcmp(name, "save") == 0) {
        kept = actors[current].state;
        printf("0\n");
    } else if (strcmp(name, "load") == 0) {
        current ^= 1u;
        actors[current].state = kept;
        printf("0\n");
    } else if (strcmp(name, "members") == 0) {
        print_members();
    } else if (strcmp(name, "go") == 0) {
        printf("%d\n", osc_graph_go(&character, (uint32_t)values[0], (uint32_t)values[1]));
    }
    fflush(stdout);
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

int main(int argc, char **argv)
{
    for (int i = 1; i < argc - 1; i++)
        printf("%d\n", open_all(argv[i]));
    int32_t status = argc > 1 ? open_all(argv[argc - 1]) : OSC_ERROR_READ;
    if (status != OSC_OK) {
        printf("%d\n", status);
        return 0;
    }
    printf("%d %u %u\n", status, graph.machine_count, graph.wait_count);
    fflush(stdout);
    for (uint32_t i = 0; i < graph.mask_count; i++)
        osc_graph_read_mask(&graph, i, masks[i]);
    for (uint32_t i = 0; i < 2u; i++) {
        for (uint32_t k = 0; k < osc_graph_player_count(&graph); k++) {
            actors[i].listed[k] = &actors[i].players[k];
            if (osc_player_init(actors[i].listed[k], &bank, actors[i].memory[k], 1u << 14) !=
                OSC_OK)
                return 2;
        }
        osc_graph_character character = character_of(&actors[i]);
        if (osc_graph_start(&character) != OSC_OK)
            return 2;
    }
    for (char line[4096]; fgets(line, sizeof line, stdin) != 0;)
        obey(line);
    return 0;
}
