/* Plays the graph of graph_bank.h with random parameters and times, and prints a hash of states,
 * events, places and poses. Where the machine has a counter, prints what steps cost, too. */
#include "bank/osc_codecs.h"
#include "graph_bank.h"
#include "hal.h"
#include "osc_graph.h"
#include "print.h"
#include "random_words.h"

enum {
    TICKS = 3000,
    TICK_US = 16667,
    MEMORY_WORDS = 512,
    MOST_EVENTS = 255,
    PARAMETERS = 5,
    TRIGGERS = 1,
    SLEWED = 1,
    CHOICES = 2
};

static osc_bank bank;
static osc_events events;
static osc_graph graph;
static osc_graph_now now;
static osc_graph_machine machines[1];
static osc_transition_state transitions[1];
static osc_player players[3];
static osc_player *const listed[3] = {&players[0], &players[1], &players[2]};
static int32_t memory[3][MEMORY_WORDS];
static uint32_t ages_us[TRIGGERS], choices[CHOICES];
static osc_graph_slew slews[SLEWED];
static uint32_t transition[OSC_TRANSITION_WORDS(GRAPH_BANK_JOINTS, 2u * GRAPH_BANK_JOINTS)];
static osc_graph_event passed[MOST_EVENTS];
static osc_quaternion rotations[2][GRAPH_BANK_JOINTS];
static osc_vector translations[2][GRAPH_BANK_JOINTS];
static const osc_pose pose = {rotations[0], translations[0], 0};
static const osc_pose other = {rotations[1], translations[1], 0};
static const osc_graph_code code = {.evaluate = osc_player_evaluate,
                                    .begin = osc_transition_begin,
                                    .apply = osc_transition_apply,
                                    .blends = &osc_graph_blends,
                                    .blend = osc_mix_blend,
                                    .weigh = osc_graph_weigh_in_plane,
                                    .choices = &osc_graph_choices,
                                    .events = &osc_graph_events,
                                    .slew = osc_graph_move_slews};
static osc_graph_character character = {.graph = &graph,
                                        .code = &code,
                                        .now = &now,
                                        .ages_us = ages_us,
                                        .slews = slews,
                                        .machines = machines,
                                        .transitions = transitions,
                                        .transition_memory = transition,
                                        .players = listed,
                                        .others = &other,
                                        .events = passed,
                                        .choices = choices,
                                        .seed = 1};

/* The fast memory of consoles has no room for all codecs. */
static const osc_codec *const codecs[OSC_CODEC_COUNT] = {[OSC_CODEC_DELTA] = &osc_delta_codec};
static osc_codec_check *const checks[OSC_CODEC_COUNT] = {[OSC_CODEC_DELTA] = osc_delta_valid};

static bool open_all(void)
{
    if (osc_bank_open_codecs(&bank, graph_bank.words, sizeof graph_bank, codecs, checks) !=
            OSC_OK ||
        osc_events_open(&events, &bank) != OSC_OK ||
        osc_graph_open(&graph, &bank, &events, 0) != OSC_OK)
        return false;
    for (uint32_t i = 0; i < 3u; i++)
        if (osc_player_init(listed[i], &bank, memory[i], MEMORY_WORDS) != OSC_OK)
            return false;
    return osc_graph_start(&character) == OSC_OK;
}

static uint32_t hash_of_step(uint32_t hash)
{
    const osc_graph_machine *machine = &machines[0];
    const int32_t numbers[] = {machine->state,
                               (int32_t)machine->state_us,
                               (int32_t)machine->position_q11,
                               (int32_t)machine->fraction_q32,
                               (int32_t)machine->phase.mark,
                               (int32_t)machine->phase.fraction_q20,
                               machine->weights_q15[0],
                               machine->weights_q15[1],
                               machine->leader,
                               now.switches,
                               now.place.x,
                               now.place.y,
                               now.place.z,
                               now.place.yaw_q24,
                               (int32_t)ages_us[0],
                               slews[0].value,
                               (int32_t)slews[0].at_us,
                               (int32_t)choices[0],
                               (int32_t)choices[1]};
    hash = hash_words(hash, numbers, sizeof numbers / sizeof numbers[0]);
    for (uint32_t i = 0; i < character.event_count; i++) {
        const int32_t event[] = {passed[i].name, passed[i].state, passed[i].what};
        hash = hash_words(hash, event, 3);
    }
    hash = hash_words(hash, &rotations[0][0].x, 4u * GRAPH_BANK_JOINTS);
    return hash_words(hash, &translations[0][0].x, 3u * GRAPH_BANK_JOINTS);
}

static void set_values(int32_t values[PARAMETERS])
{
    values[0] = (next_random() >> 24) < 20u ? 1 : 0;
    values[1] = (int32_t)(next_random() >> 14) - (1 << 17);
    values[2] = (int32_t)(next_random() >> 13);
    values[3] = (int32_t)(next_random() >> 31);
    values[4] = (int32_t)(next_random() >> 30);
}

/* The instructions of a step, or HAL_UNKNOWN. */
static uint32_t cost_of_step(const int32_t *values, uint32_t elapsed_us)
{
    hal_ticks_start();
    osc_graph_advance(&character, values, elapsed_us);
    return hal_instructions();
}

static void print_cost(const char *name, uint32_t instructions)
{
    if (instructions != HAL_UNKNOWN)
        print_line(name, instructions);
}

static void print_costs(void)
{
    int32_t values[PARAMETERS] = {0, 0, 1 << 16, 0, 0};
    (void)osc_graph_start(&character);
    (void)cost_of_step(values, TICK_US);
    print_cost("plain ", cost_of_step(values, TICK_US));
    values[0] = 1;
    print_cost("switch ", cost_of_step(values, TICK_US));
    values[0] = 0;
    (void)osc_graph_go(&character, GRAPH_BANK_BLEND, 0);
    (void)cost_of_step(values, TICK_US);
    print_cost("blend ", cost_of_step(values, TICK_US));
}

int main(void)
{
    uint32_t hash = OSC_HASH_START, total = 0, switches = 0;
    bool counts = true;
    if (!open_all())
        hal_exit(1);
    for (uint32_t tick = 0; tick < TICKS; tick++) {
        int32_t values[PARAMETERS];
        set_values(values);
        uint32_t elapsed_us = (tick & 1u) != 0u ? TICK_US : next_random() >> 16;
        uint32_t cost = cost_of_step(values, elapsed_us);
        counts = counts && cost != HAL_UNKNOWN;
        total += counts ? cost : 0u;
        switches += now.switches;
        osc_graph_evaluate(&character, &pose, elapsed_us);
        hash = hash_of_step(hash);
    }
    print_line("hash ", hash);
    print_line("switches ", switches);
    if (counts)
        print_line("average ", total / TICKS);
    print_costs();
    hal_exit(0);
}
