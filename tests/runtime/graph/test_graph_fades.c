/* Fades of a graph, also in step. */
#include "graph_play.h"

/* The base and the layer fade at different times, or only the layer does. */
static void machines_fade_on_their_own(void **state)
{
    (void)state;
    enum { STEP_US = 16000, STEPS = 5, FIRST = 1, SECOND = 3 };
    for (uint32_t fading = 1; fading <= 2u; fading++) {
        static character c;
        fixture f;
        uint32_t words[SECTION_WORDS];
        int32_t values[VALUES] = {0};
        let_fade(words);
        words[MACHINE(LAYER, WHILE)] = OSC_GRAPH_ANYTIME;
        if (fading == 1u) {
            words[MACHINE(BASE, KIND)] &= ~OSC_GRAPH_MACHINE_FADES;
            words[MACHINE(BASE, STATES)] = valid[MACHINE(BASE, STATES)];
            for (uint32_t i = 0; i < TO_SHOT; i++)
                words[TRANSITION(i, TARGET)] &= ~0xff00u; /* OSC_GRAPH_INERTIA */
        }
        start_with(&c, &f, words);
        for (uint32_t step = 0; step < STEPS; step++) {
            values[TRIGGER] = step == FIRST || step == SECOND;
            osc_graph_advance(&c.graph, values, STEP_US);
        }
        assert_int_equal(c.fades[fading - 1u].elapsed_us, (STEPS - SECOND) * STEP_US);
        if (fading == 2u)
            assert_int_equal(c.fades[0].elapsed_us, (STEPS - FIRST) * STEP_US);
        bank_free(&f.words);
    }
}

/* A blend that fades in step has the phase of the one before. */
static void a_fade_in_step_keeps_the_phase(void **state)
{
    (void)state;
    static character c;
    fixture f;
    uint32_t words[SECTION_WORDS];
    int32_t values[VALUES] = {0};
    let_fade(words);
    words[OSC_GRAPH_NEEDS] |= OSC_GRAPH_NEEDS_STEPS;
    words[TRANSITION(TO_BLEND, TARGET)] = TARGET_OF(BLEND, OSC_GRAPH_STEP, 1); /* after 300 ms */
    words[STATE(BLEND, LIST)] = 3u | 1u << 16;                                 /* to itself */
    start_with(&c, &f, words);
    assert_int_equal(osc_graph_go(&c.graph, BLEND, 0), OSC_OK);
    osc_graph_advance(&c.graph, values, 200000);
    osc_graph_advance(&c.graph, values, 100000);
    uint32_t mark = c.machines[BASE].phase.mark;
    assert_in_range(mark, 1, 10);
    osc_graph_advance(&c.graph, values, 1000);
    assert_int_equal(c.machines[BASE].state_us, 1000);
    assert_in_range(c.machines[BASE].phase.mark, 840u + mark, 840u + mark + 1u);
    bank_free(&f.words);
}

/* A clip that stands at a mark reports it when a blend follows in step, as it has no phase to
 * share. */
static void the_mark_of_a_clip_is_reported_before_a_fade_in_step(void **state)
{
    (void)state;
    static character c;
    fixture f;
    uint32_t words[SECTION_WORDS];
    int32_t values[VALUES] = {0};
    let_fade(words);
    words[OSC_GRAPH_NEEDS] |= OSC_GRAPH_NEEDS_STEPS;
    words[TRANSITION(TO_JUMP, TARGET)] = TARGET_OF(BLEND, OSC_GRAPH_STEP, 4); /* mark, flag */
    words[TRANSITION(TO_JUMP, START_Q11)] = 0;
    start_with(&c, &f, words);
    values[FLAG] = 1;
    osc_graph_advance(&c.graph, values, 40000);
    assert_int_equal(c.machines[BASE].state, BLEND);
    uint32_t marks = 0;
    for (uint32_t i = 0; i < c.graph.event_count; i++)
        marks += c.events[i].name == 0u && c.events[i].state == LOOPS;
    assert_int_equal(marks, 1);
    bank_free(&f.words);
}

/* A fade that begins while the pose goes on needs no offset. */
static void a_fade_begins_without_an_offset(void **state)
{
    (void)state;
    static character c;
    fixture f;
    uint32_t words[SECTION_WORDS];
    int32_t values[VALUES] = {0};
    let_fade(words);
    start_with(&c, &f, words);
    osc_graph_advance(&c.graph, values, 16000);
    values[TRIGGER] = 1;
    osc_graph_advance(&c.graph, values, 16000);
    assert_int_equal(c.machines[BASE].state, BACKWARD);
    assert_int_equal(c.machines[BASE].switch_us, OSC_GRAPH_NO_SWITCH);
    bank_free(&f.words);
}

/* Only the fades of a character are written when it starts. */
static void fades_begin_with_nothing(void **state)
{
    (void)state;
    static character c;
    fixture f;
    uint32_t words[SECTION_WORDS];
    let_fade(words);
    assert_int_equal(open_graph(&f, words, SECTION_WORDS, true), OSC_OK);
    osc_graph_fade fades[MOST_MACHINES + 1];
    memset(fades, 0x5a, sizeof fades);
    make_character(&c, &f);
    c.graph.fades = fades;
    assert_int_equal(osc_graph_start(&c.graph), OSC_OK);
    for (uint32_t i = 0; i < MOST_MACHINES; i++) {
        assert_int_equal(fades[i].from.mark | fades[i].from.fraction_q20, 0);
        assert_int_equal(fades[i].over_us | fades[i].elapsed_us, 0);
    }
    assert_int_equal(fades[MOST_MACHINES].over_us, 0x5a5a5a5au);
    bank_free(&f.words);
}

/* The blend moves, and fades at its mark into a state that does not move. Returns the time from the
 * mark to the end of a step. first_us: of an earlier step, or 0. */
static uint32_t walk_and_fade(uint32_t first_us, int32_t *z_q20)
{
    enum { STEP_US = 250000 };
    static character c;
    fixture f;
    uint32_t words[SECTION_WORDS];
    int32_t values[VALUES] = {0};
    let_fade(words);
    words[STATE(LOOPS, LIST)] = words[STATE(LOOPS, WATCH)] = 0;
    words[ATOM(4)] = OSC_GRAPH_AT | 1u << 16; /* the start of a span */
    words[MEMBER(0, STRIDE)] = OSC_ONE_Q20;
    start_with(&c, &f, words);
    assert_int_equal(osc_graph_go(&c.graph, BLEND, 0), OSC_OK);
    osc_graph_advance(&c.graph, values, STEP_US);
    values[FLAG] = 1;
    *z_q20 = 0;
    if (first_us != 0u) {
        osc_graph_advance(&c.graph, values, first_us);
        *z_q20 = c.graph.moved.z;
    }
    osc_graph_advance(&c.graph, values, STEP_US - first_us);
    *z_q20 += c.graph.moved.z;
    assert_int_equal(c.machines[BASE].state, LOOPS);
    bank_free(&f.words);
    return c.machines[BASE].state_us;
}

/* A step in whose middle a fade begins moves as far as two steps. */
static void a_fade_in_the_middle_of_a_step_moves_once(void **state)
{
    (void)state;
    int32_t whole_q20, parts_q20;
    uint32_t after_us = walk_and_fade(0, &whole_q20);
    assert_in_range(after_us, 1000, 249000);
    assert_int_equal(walk_and_fade(250000u - after_us, &parts_q20), after_us);
    assert_true(parts_q20 > OSC_ONE_Q20 / 8);
    assert_int_equal(whole_q20, parts_q20);
}

/* A mark of the new state is reached during a fade. */
static void a_mark_is_reached_during_a_fade(void **state)
{
    (void)state;
    enum { FRAME_US = 33333, STEP_US = 250000 };
    static character c;
    fixture f;
    uint32_t words[SECTION_WORDS];
    int32_t values[VALUES] = {0};
    let_fade(words);
    words[TRANSITION(TO_LOOPS, TARGET)] = TARGET_OF(LOOPS, OSC_GRAPH_FADE, 5);   /* flag */
    words[TRANSITION(TO_JUMP, TARGET)] = TARGET_OF(BACKWARD, OSC_GRAPH_FADE, 4); /* mark, flag */
    words[STATE(BACKWARD, LIST)] = 0;
    start_with(&c, &f, words);
    assert_int_equal(osc_graph_go(&c.graph, BLEND, 0), OSC_OK);
    osc_graph_advance(&c.graph, values, 1000);
    values[FLAG] = 1;
    osc_graph_advance(&c.graph, values, STEP_US);
    assert_int_equal(c.machines[BASE].state, BACKWARD);
    assert_in_range(c.machines[BASE].state_us, STEP_US - FRAME_US - 2, STEP_US - FRAME_US + 2);
    bank_free(&f.words);
}

/* A mark of a blend is reached at the same time during a fade in step. */
static void a_mark_is_reached_in_step(void **state)
{
    (void)state;
    enum { STEP_US = 250000, STEPS = 10 };
    uint32_t after_us[2];
    for (uint32_t fades = 0; fades < 2u; fades++) {
        static character c;
        fixture f;
        uint32_t words[SECTION_WORDS];
        int32_t values[VALUES] = {0};
        let_fade(words);
        words[OSC_GRAPH_NEEDS] |= OSC_GRAPH_NEEDS_STEPS;
        words[TRANSITION(TO_BLEND, TARGET)] = TARGET_OF(BLEND, OSC_GRAPH_STEP, 0); /* the trigger */
        words[STATE(BLEND, LIST)] = 2u | 2u << 16; /* to LOOPS and to itself */
        words[STATE(LOOPS, LIST)] = words[STATE(LOOPS, WATCH)] = 0;
        words[ATOM(4)] = OSC_GRAPH_AT | 1u << 16; /* the start of a span, and the flag */
        start_with(&c, &f, words);
        assert_int_equal(osc_graph_go(&c.graph, BLEND, 0), OSC_OK);
        osc_graph_advance(&c.graph, values, STEP_US);
        assert_int_equal(c.machines[BASE].weights_q15[0], c.machines[BASE].weights_q15[1]);
        assert_int_equal(c.machines[BASE].leader, 0); /* of equal ones the first */
        values[TRIGGER] = (int32_t)fades;
        values[FLAG] = 1;
        for (uint32_t step = 0; step < STEPS; step++) {
            osc_graph_advance(&c.graph, values, STEP_US / STEPS);
            values[TRIGGER] = 0;
            if (step == 0u)
                assert_int_equal(c.fades[BASE].over_us != 0u, fades);
        }
        assert_int_equal(c.machines[BASE].state, LOOPS);
        after_us[fades] = c.machines[BASE].state_us;
        bank_free(&f.words);
    }
    assert_in_range(after_us[0], 1000, STEP_US - 1000);
    assert_in_range(after_us[1], after_us[0] - 20u, after_us[0] + 20u);
}

static void machines_that_fade_play(void **state)
{
    (void)state;
    uint64_t seed = 9;
    fixture f;
    uint32_t words[SECTION_WORDS];
    let_fade(words);
    assert_int_equal(open_graph(&f, words, SECTION_WORDS, true), OSC_OK);
    assert_int_equal(osc_graph_fade_count(&f.graph), 2);
    assert_int_equal(osc_graph_player_count(&f.graph), 6);
    assert_int_equal(osc_graph_pose_count(&f.graph), 2);
    play(&f, 8000, &seed);
    bank_free(&f.words);

    static const change wrong[] = {
        {MACHINE(BASE, KIND), KIND_OF(OSC_GRAPH_MACHINE_FADES | OSC_GRAPH_MACHINE_BLENDS,
                                      OSC_GRAPH_NO_MASK, OSC_GRAPH_NO_PARAMETER)},
        {OSC_GRAPH_NEEDS, EVERY_NEED | 20u << 16},
        {MACHINE(BASE, STATES), (uint32_t)BASE_STATES << 8 | 2u << 24},
    };
    check_refused(words, wrong, sizeof wrong / sizeof wrong[0]);
}

/* Fades in step, from one blend and from clips, that interrupt each other. */
static void machines_that_fade_in_step_play(void **state)
{
    (void)state;
    uint64_t seed = 11;
    fixture f;
    uint32_t words[SECTION_WORDS];
    let_fade(words);
    words[OSC_GRAPH_NEEDS] |= OSC_GRAPH_NEEDS_STEPS;
    words[TRANSITION(TO_BLEND, TARGET)] = TARGET_OF(BLEND, OSC_GRAPH_STEP, 1);
    words[STATE(BLEND, LIST)] = 3u | 1u << 16; /* to itself */
    for (uint32_t i = 0; i < 3u; i++) {
        words[TRANSITION(TO_BLEND, OVER_US)] = 500000u >> i;
        words[STATE(BLEND, WATCH)] = i == 2u ? 0 : valid[STATE(BLEND, WATCH)];
        assert_int_equal(open_graph(&f, words, SECTION_WORDS, true), OSC_OK);
        play(&f, 4000, &seed);
        bank_free(&f.words);
    }

    static const change wrong[] = {
        {OSC_GRAPH_NEEDS, EVERY_NEED | OSC_GRAPH_NEEDS_FADES | 20u << 16},
        {TRANSITION(TO_BLEND, OVER_US), 0},
        {TRANSITION(TO_BLEND, TARGET), TARGET_OF(JUMP, OSC_GRAPH_STEP, 1)},
    };
    check_refused(words, wrong, sizeof wrong / sizeof wrong[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(machines_fade_on_their_own),
        cmocka_unit_test(a_fade_in_step_keeps_the_phase),
        cmocka_unit_test(the_mark_of_a_clip_is_reported_before_a_fade_in_step),
        cmocka_unit_test(a_fade_begins_without_an_offset),
        cmocka_unit_test(fades_begin_with_nothing),
        cmocka_unit_test(a_fade_in_the_middle_of_a_step_moves_once),
        cmocka_unit_test(a_mark_is_reached_during_a_fade),
        cmocka_unit_test(a_mark_is_reached_in_step),
        cmocka_unit_test(machines_that_fade_play),
        cmocka_unit_test(machines_that_fade_in_step_play),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
