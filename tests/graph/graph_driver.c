/* Plays the graph of a bank: graph_driver BANK.. Reads commands, one a line, and answers each with
 * a line:
 *
 *     step ELAPSED VALUE..            a step with these parameters
 *     cut TOTAL MOST SEED VALUE..     the same time in steps of random lengths up to MOST; triggers
 *                                     are set in the first one only
 *     pose ELAPSED                    evaluates, looks, reaches, and hashes the pose
 *     joints                          where the joints are in the last pose, x y z of each, Q20
 *     place X Y Z YAW, appear ..      writes the placement; osc_graph_appear
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
#include "graph_actor.h"

enum { MOST_EVENTS = 1 << 16 };

static saved_state kept;
static uint32_t current;
static osc_graph_event passed[MOST_EVENTS];
static uint32_t passed_count;
static int32_t last_values[MOST_VALUES];

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

static osc_matrix model[MOST_JOINTS];

static void print_pose(uint32_t elapsed_us)
{
    static osc_quaternion rotations[MOST_JOINTS];
    static osc_vector translations[MOST_JOINTS], scales[MOST_JOINTS];
    const osc_pose pose = {rotations, translations, scales};
    osc_graph_character character = character_of(&actors[current]);
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

static void print_joints(void)
{
    for (uint32_t i = 0; i < bank.joint_count; i++)
        printf("%d %d %d ", model[i].m[3], model[i].m[7], model[i].m[11]);
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
    } else if (strcmp(name, "joints") == 0) {
        print_joints();
    } else if (strcmp(name, "place") == 0 || strcmp(name, "appear") == 0) {
        const osc_placement place = {values[0], values[1], values[2], values[3]};
        if (name[0] == 'p')
            character.now->place = place;
        else
            osc_graph_appear(&character, &place);
        printf("0\n");
    } else if (strcmp(name, "go") == 0) {
        printf("%d\n", osc_graph_go(&character, (uint32_t)values[0], (uint32_t)values[1]));
    }
    fflush(stdout);
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
    if (!start_actors())
        return 2;
    for (char line[4096]; fgets(line, sizeof line, stdin) != 0;)
        obey(line);
    return 0;
}
