/* Plays a graph, and varies its section. */
#ifndef GRAPH_PLAY_H
#define GRAPH_PLAY_H

#include "graph_section.h"

static inline void check_now(const character *c, const fixture *f)
{
    uint32_t first = 0;
    for (uint32_t i = 0; i < f->graph.machine_count; i++) {
        const osc_graph_machine *machine = &c->machines[i];
        uint32_t end = first + ((f->graph.machines[i * OSC_GRAPH_MACHINE_WORDS]) >> 8 & 0xffu);
        assert_in_range(machine->state, first, end - 1u);
        assert_in_range(machine->shown, first, end - 1u);
        assert_true(machine->taken == OSC_GRAPH_NONE || machine->taken < f->graph.transition_count);
        assert_true(machine->weight_q15 <= OSC_ONE_Q15);
        first = end;
    }
    assert_true(c->graph.event_count <= f->graph.event_count);
    assert_true(c->now.switches <= f->graph.machine_count * OSC_GRAPH_MOST_SWITCHES);
    for (uint32_t i = 0; i < c->graph.event_count; i++)
        assert_true(c->events[i].name < EVENT_NAMES && c->events[i].state < f->graph.state_count);
}

static inline void check_limbs(const character *c, const fixture *f)
{
    for (uint32_t i = 0; i < f->graph.limb_count; i++) {
        uint32_t fade_us = f->graph.limbs[i * OSC_GRAPH_LIMB_WORDS + OSC_GRAPH_LIMB_FADE_US];
        assert_true(c->limbs[i].envelope_us <= (fade_us != 0u ? fade_us : 1u));
        assert_true(c->limbs[i].hold <= OSC_GRAPH_LET_GO);
    }
}

static inline uint32_t random_time_us(uint64_t *seed)
{
    uint32_t choice = random_u32(seed) & 15u;
    return choice == 0u ? 0u : choice == 1u ? random_u32(seed) : random_u32(seed) % 40000u;
}

/* Plays with any values and times, and now and then leaves the rails. */
static inline void play(const fixture *f, uint32_t steps, uint64_t *seed)
{
    static character c;
    int32_t values[VALUES];
    make_character(&c, f);
    assert_int_equal(osc_graph_start(&c.graph), OSC_OK);
    for (uint32_t step = 0; step < steps; step++) {
        uint32_t elapsed_us = random_time_us(seed), choice = random_u32(seed) & 15u;
        for (uint32_t i = 0; i < VALUES; i++)
            values[i] =
                i < f->graph.trigger_count && (random_u32(seed) & 3u) != 0u ? 0 : random_i32(seed);
        const osc_placement place = {random_i32(seed), random_i32(seed), random_i32(seed),
                                     random_i32(seed)};
        if (choice == 0u)
            (void)osc_graph_go(&c.graph, random_u32(seed) & 7u, random_u32(seed));
        if (choice == 1u)
            osc_graph_appear(&c.graph, &place);
        osc_graph_advance(&c.graph, values, elapsed_us);
        check_now(&c, f);
        if ((choice & 1u) != 0u) {
            osc_graph_evaluate(&c.graph, &c.pose, elapsed_us);
            osc_compose(f->graph.bank, &c.pose, c.model);
            osc_graph_look(&c.graph, values, &c.pose, c.model, elapsed_us);
            osc_graph_reach(&c.graph, values, &c.pose, c.model, elapsed_us);
            check_limbs(&c, f);
        }
    }
}

/* Opens a section and starts a character. */
static inline void start_with(character *c, fixture *f, const uint32_t *words)
{
    assert_int_equal(open_graph(f, words, SECTION_WORDS, true), OSC_OK);
    make_character(c, f);
    assert_int_equal(osc_graph_start(&c->graph), OSC_OK);
}

/* Each of these words makes a section wrong. */
static inline void check_refused(uint32_t *words, const change *wrong, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        fixture f;
        uint32_t old = words[wrong[i].at];
        words[wrong[i].at] = wrong[i].word;
        assert_int_equal(open_graph(&f, words, SECTION_WORDS, true), OSC_ERROR_SECTION);
        words[wrong[i].at] = old;
        bank_free(&f.words);
    }
}

/* Lets both machines fade, in both directions between states of each kind. */
static inline void let_fade(uint32_t *words)
{
    const uint32_t fades = OSC_GRAPH_MACHINE_INERTIA | OSC_GRAPH_MACHINE_FADES;
    memcpy(words, valid, sizeof valid);
    words[OSC_GRAPH_NEEDS] = EVERY_NEED | OSC_GRAPH_NEEDS_FADES | 20u << 16;
    words[MACHINE(BASE, KIND)] =
        KIND_OF(fades | OSC_GRAPH_MACHINE_BLENDS, OSC_GRAPH_NO_MASK, OSC_GRAPH_NO_PARAMETER);
    words[MACHINE(BASE, STATES)] += 2u << 24;
    words[MACHINE(LAYER, KIND)] = KIND_OF(fades, 0, OSC_GRAPH_NO_PARAMETER);
    words[MACHINE(LAYER, STATES)] += 1u << 24;
    for (uint32_t i = 0; i < TRANSITIONS; i++) {
        words[TRANSITION(i, TARGET)] &= ~0xff00u;
        words[TRANSITION(i, TARGET)] |= (i == TO_DRIVEN ? OSC_GRAPH_CUT : OSC_GRAPH_FADE) << 8;
        words[TRANSITION(i, OVER_US)] = 300000;
    }
    words[STATE(SHOT, LIST)] = 5u | 1u << 16; /* to itself */
}

#endif
