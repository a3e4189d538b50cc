/* Plays random inputs with the generated functions of a graph, and with the functions of the
 * runtime that they call. Prints every switch, event and placement, or the first difference.
 *
 * argv[1]: the file of the bank. argv[2]: another bank; then only prints the results of opening it
 * and of starting a character with it. EMBEDDED: the bank is also in the code, and is played from
 * there. HAS_EVENTS, HAS_TRAJECTORIES, HAS_INERTIA: of the bank. SHARED: characters play from a row
 * pool. TICKS: of the play. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hero_graph.h"

#define FAIL(what) (printf("%s, tick %d\n", what, tick), exit(1))
#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static uint32_t seed = 1;

static uint32_t random_below(uint32_t limit)
{
    seed = seed * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)(seed >> 8) * limit >> 24);
}

/* ---- the functions of the runtime, with the generic evaluator ---- */

#define SEED 7u
#if IS_RANDOM
#define START(hero, from) hero_graph_start(hero, from, SEED)
#else
#define START(hero, from) hero_graph_start(hero, from)
#endif

typedef struct direct {
    osc_graph graph;
    osc_events events;
    osc_trajectories trajectories;
    osc_player players[6];
    osc_player *player_list[6];
    osc_graph_now now;
    uint32_t choices[2];
    osc_graph_machine machines[1];
    osc_transition_state transitions[1];
    osc_graph_character character;
    osc_graph_code code;
    osc_graph_event passed[256];
    uint32_t ages_us[32], transition[4096];
    osc_graph_slew slews[64];
    int32_t memory[6][65536];
    osc_graph_fade fades[1];
    hero_pose pose, other_poses[2];
    osc_pose others[2];
    hero_model model;
    int32_t values[5];
} direct;

static void start_directly(direct *it, const osc_bank *bank)
{
    int tick = -1;
    const osc_events *events = 0;
    const osc_trajectories *trajectories = 0;
#if HAS_EVENTS
    if (osc_events_open(&it->events, bank) != OSC_OK)
        FAIL("events");
    events = &it->events;
#endif
#if HAS_TRAJECTORIES
    if (osc_trajectories_open(&it->trajectories, bank) != OSC_OK)
        FAIL("trajectories");
    trajectories = &it->trajectories;
#endif
    if (osc_graph_open(&it->graph, bank, events, trajectories) != OSC_OK)
        FAIL("does not open");
    for (int i = 0; i < 6; i++) {
        it->player_list[i] = &it->players[i];
        if (osc_player_init(&it->players[i], bank, it->memory[i], COUNT(it->memory[i])) != OSC_OK)
            FAIL("has no player");
    }
    for (int i = 0; i < 2; i++)
        it->others[i] = hero_pose_view(&it->other_poses[i]);
    it->code.fades = &osc_graph_fades;
    it->code.pass_in_step = osc_graph_pass_in_step;
    it->code.positions = &osc_graph_positions;
    it->code.events = &osc_graph_events;
    it->code.follow = osc_graph_follow;
    it->code.slew = osc_graph_move_slews;
    it->code.blends = &osc_graph_blends;
    it->code.blend = osc_mix_blend;
    it->code.weigh = osc_graph_weigh_in_plane;
    it->code.evaluate = osc_player_evaluate;
#if IS_RANDOM
    it->code.choices = &osc_graph_choices;
    it->character.choices = it->choices;
    it->character.seed = SEED;
#endif
#if HAS_INERTIA
    it->code.begin = osc_transition_begin;
    it->code.apply = osc_transition_apply;
#endif
    it->character.graph = &it->graph;
    it->character.code = &it->code;
    it->character.now = &it->now;
    it->character.ages_us = it->ages_us;
    it->character.slews = it->slews;
    it->character.machines = it->machines;
    it->character.transitions = it->transitions;
    it->character.transition_memory = it->transition;
    it->character.players = it->player_list;
    it->character.others = it->others;
    it->character.fades = it->fades;
    it->character.events = it->passed;
    if (osc_graph_start(&it->character) != OSC_OK)
        FAIL("does not start");
}

static void step_directly(direct *it, const osc_bank *bank, uint32_t elapsed_us)
{
    osc_pose view = hero_pose_view(&it->pose);
    osc_graph_advance(&it->character, it->values, elapsed_us);
    osc_graph_evaluate(&it->character, &view, elapsed_us);
    osc_compose(bank, &view, it->model.joints);
}

/* ---- both ---- */

static direct other;

/* Writes the same parameters for both. */
static void write_parameters(hero_graph *hero)
{
    if (random_below(20) == 0)
        hero->set.jump = true;
    if (random_below(10) == 0)
        hero->set.attack = true;
    if (random_below(30) == 0)
        hero->set.speed_q16 = (int32_t)random_below(3u << 16) - 1000;
    if (random_below(40) == 0)
        hero->set.grounded = !hero->set.grounded;
    if (random_below(60) == 0)
        hero->set.stance = (uint8_t)(random_below(4) ? HERO_STANCE_ARMED : HERO_STANCE_HURT);
    other.values[0] = hero->set.jump;
    other.values[1] = hero->set.attack;
    other.values[2] = hero->set.speed_q16;
    other.values[3] = hero->set.grounded;
    other.values[4] = hero->set.stance;
}

static void compare(hero_graph *hero, const hero_model *model, int tick)
{
    uint32_t count = 0;
    osc_graph_event event;
    if (hero->set.jump || hero->set.attack)
        FAIL("a trigger is not cleared");
    if (hero->now.machines[0].state != other.machines[0].state ||
        hero->now.machines[0].position_q11 != other.machines[0].position_q11)
        FAIL("another state");
    while (hero_graph_next_event(hero, &event)) {
        if (count >= other.character.event_count ||
            memcmp(&event, &other.passed[count], sizeof event) != 0)
            FAIL("another event");
        printf("  %s %u of %s\n", HAS_EVENTS ? "event" : "none", event.name,
               hero_state_names[event.state]);
        count++;
    }
    if (count != other.character.event_count)
        FAIL("an event is missing");
    if (memcmp(&hero->moved, &other.character.moved, sizeof hero->moved) != 0 ||
        memcmp(&hero->now.graph.place, &other.now.place, sizeof other.now.place) != 0)
        FAIL("another placement");
    if (memcmp(model, &other.model, sizeof *model) != 0)
        FAIL("another pose");
    if (hero_graph_in(hero, HERO_STATE_COMBAT) != (hero_graph_in(hero, HERO_STATE_COMBAT_CUT) ||
                                                   hero_graph_in(hero, HERO_STATE_COMBAT_STAB)) ||
        !hero_graph_in(hero, other.machines[0].state) ||
        hero_graph_in(hero, other.machines[0].state ^ 1u) ||
        hero_graph_in(hero, HERO_STATE_COMBAT + 1u))
        FAIL("a group differs");
}

#if SHARED
enum { POOL_WORDS = 1 << 11 }; /* not enough for all clips */
static hero_row_pool pool;
static int32_t pool_memory[POOL_WORDS];
#endif

static int32_t start(hero_graph *hero, const osc_bank *bank)
{
#if SHARED
    if (pool.pool.player == 0 && hero_row_pool_init(&pool, bank, pool_memory, POOL_WORDS) != OSC_OK)
        return OSC_ERROR_MEMORY;
    return START(hero, &pool);
#else
    return START(hero, bank);
#endif
}

/* Moves the character to other memory, or to a new instance by its saved state. */
static hero_graph *moved_elsewhere(hero_graph *hero, hero_graph *elsewhere, const osc_bank *bank)
{
    int tick = -2;
    if (random_below(2)) {
        *elsewhere = *hero;
    } else {
        if (start(elsewhere, bank) != OSC_OK)
            FAIL("does not start again");
        elsewhere->now = hero->now;
        elsewhere->set = hero->set;
    }
    memset(hero, 0x5a, sizeof *hero);
    return elsewhere;
}

static void play(const osc_bank *bank)
{
    static hero_graph instances[2];
    static hero_model model;
    hero_graph *hero = &instances[0];
    int tick = -1;
    if (start(hero, bank) != OSC_OK)
        FAIL("does not start");
    start_directly(&other, bank);
    if (hero->set.jump || hero->set.attack || hero->set.speed_q16 != 65536 || !hero->set.grounded ||
        hero->set.stance != HERO_STANCE_ARMED)
        FAIL("the first values differ");
    for (tick = 0; tick < TICKS; tick++) {
        uint32_t elapsed_us = random_below(100) == 0 ? 400000u : random_below(33000);
        uint32_t state = hero->now.machines[0].state;
        if (random_below(50) == 0)
            hero = moved_elsewhere(hero, hero == instances ? &instances[1] : instances, bank);
        if (random_below(200) == 0) {
            uint32_t to = random_below(HERO_STATE_COUNT + 1u), over_us = random_below(300000);
            if (hero_graph_go(hero, to, over_us) != osc_graph_go(&other.character, to, over_us))
                FAIL("goes elsewhere");
        }
        if (random_below(300) == 0) {
            const osc_placement place = {(int32_t)random_below(1u << 24), 5, -7, 1 << 20};
            hero_graph_appear(hero, &place);
            osc_graph_appear(&other.character, &place);
        }
        write_parameters(hero);
#if SHARED
        osc_row_pool_tick(&pool.pool);
#endif
        hero_graph_step(hero, elapsed_us, &model);
        step_directly(&other, bank, elapsed_us);
        if (hero->now.machines[0].state != state)
            printf("%d %s\n", tick, hero_state_names[hero->now.machines[0].state]);
        compare(hero, &model, tick);
    }
}

static uint32_t words_of_bank[2][1u << 16];

static int32_t opened(osc_bank *bank, const char *path, uint32_t number)
{
    FILE *file = fopen(path, "rb");
    size_t size = file ? fread(words_of_bank[number], 1, sizeof words_of_bank[number], file) : 0;
    if (file)
        (void)fclose(file);
    return hero_open(bank, words_of_bank[number], size);
}

int main(int count, char **paths)
{
    static hero_graph hero;
    static osc_bank bank, another;
    if (count < 2 || opened(&bank, paths[1], 0) != OSC_OK)
        return 2;
    if (count > 2) {
        int32_t status = opened(&another, paths[2], 1);
        printf("%d %d\n", status, start(&hero, &another));
        return 0;
    }
#if EMBEDDED
    osc_bank copy = hero_embedded;
    play(&hero_embedded);
    play(&copy);
#else
    play(&bank);
#endif
    return 0;
}
