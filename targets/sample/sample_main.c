/* SPDX-License-Identifier: MIT */
/* Plays the sample with a script for SAMPLE_TICKS ticks. Prints what a tick costs, where the
 * machine counts, and then what has happened and a hash of all matrices and places: the same on
 * every machine. */
#include "hal.h"
#include "print.h"
#include "sample.h"
#include "sample_script.h"

#if !defined(SAMPLE_TICKS)
#define SAMPLE_TICKS 10000u /* 2 minutes and 47 seconds */
#endif
#define SEED 20u
#define SUM_SHIFT 6 /* the sum of all ticks fits 32 bits */

OSC_HOT_DATA static sample game;

/* A lamp, 1.2 m high, 4 m before the start. */
static const osc_vector lamp = {0, 6 * OSC_ONE_Q20 / 5, 4 * OSC_ONE_Q20};

static uint32_t millimetres(uint32_t metres_q20)
{
    return (metres_q20 >> 20) * 1000u + (((metres_q20 & 0xfffffu) * 1000u) >> 20);
}

static void print_cost(const char *label, uint32_t cost)
{
    print_text(hal_unit);
    print_line(label, cost);
}

int main(void)
{
    int32_t status = hero_graph_start(&game.hero, &hero_embedded);
    if (status != OSC_OK) {
        print_line("error: the sample does not start: error ", (uint32_t)-status);
        hal_exit(1);
    }
    game.hero.set.look = lamp;
    sample_script script = {SEED, 0, 0};
    uint32_t hash = OSC_HASH_START, sum = 0, worst = 0, passed[HERO_EVENT_COUNT] = {0};
    uint32_t travelled_q20 = 0;
    for (uint32_t tick = 0; tick < SAMPLE_TICKS; tick++) {
        uint32_t buttons = sample_script_next(&script);
        hal_ticks_start();
        sample_step(&game, buttons, 1);
        uint32_t cost = hal_instructions();
        sum += cost >> SUM_SHIFT;
        worst = cost > worst ? cost : worst;
        hash = osc_hash_words(hash, &game.model, sizeof game.model / 4u);
        hash = osc_hash_words(hash, &game.hero.now.graph.place, sizeof(osc_placement) / 4u);
        for (osc_graph_event event; hero_graph_next_event(&game.hero, &event);)
            passed[event.name] += (event.what & OSC_GRAPH_EVENT_PHASE) != OSC_EVENT_END;
        travelled_q20 += (uint32_t)game.hero.moved.z;
    }
    if (worst != HAL_UNKNOWN) {
        print_cost(" average ", (sum / SAMPLE_TICKS) << SUM_SHIFT);
        print_cost(" worst ", worst);
    }
    print_line("ticks ", SAMPLE_TICKS);
    for (uint32_t event = 0; event < HERO_EVENT_COUNT; event++) {
        print_text(hero_event_names[event]);
        print_line(" ", passed[event]);
    }
    print_line("travelled_mm ", millimetres(travelled_q20));
    print_text("hash ");
    print_hex(hash);
    print_text("\n");
    hal_exit(0);
}
