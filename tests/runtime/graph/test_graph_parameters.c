/* Parameters of a graph: triggers, numbers that take their time, and positions. */
#include "graph_play.h"

/* A number in a condition is not a trigger that the condition consumes. */
static void numbers_are_not_consumed(void **state)
{
    (void)state;
    static character c;
    fixture f;
    uint32_t words[SECTION_WORDS];
    int32_t values[VALUES] = {0};
    memcpy(words, valid, sizeof words);
    words[ATOM(7)] = OSC_GRAPH_WAITS | 1u << 16; /* at least 1.00002; or the wait of the layer */
    words[ATOM(11)] |= OSC_GRAPH_ATOM_NOT;
    start_with(&c, &f, words);
    values[TRIGGER] = 1;
    values[CHOICE] = 1;
    assert_int_equal(osc_graph_go(&c.graph, DRIVEN, 0), OSC_OK);
    osc_graph_advance(&c.graph, values, 1000);
    assert_int_equal(c.machines[LAYER].state, NOTHING); /* closed */
    assert_int_equal(c.machines[BASE].state, DRIVEN);
    assert_int_equal(c.machines[BASE].position_q11, 0); /* where a clip that stands still begins */
    values[TRIGGER] = values[CHOICE] = 0;
    values[NUMBER] = (int32_t)words[ATOM(7)];
    osc_graph_advance(&c.graph, values, 1000);
    assert_int_equal(c.machines[BASE].state, BLEND);
    assert_int_equal(c.machines[LAYER].state, SHOT);
    bank_free(&f.words);
}

/* A trigger waits up to its longest time, which belongs to it. */
static void triggers_wait_for_their_longest_time(void **state)
{
    (void)state;
    enum { LONGEST_US = 150000, FIRST_US = 100000 };
    for (uint32_t late_us = 0; late_us < 2u; late_us++) {
        static character c;
        fixture f;
        int32_t values[VALUES] = {0};
        start_with(&c, &f, valid);
        assert_int_equal(osc_graph_go(&c.graph, DRIVEN, 0), OSC_OK);
        osc_graph_advance(&c.graph, values, 0);
        values[TRIGGER] = values[CHOICE] = 1;
        osc_graph_advance(&c.graph, values, FIRST_US);
        values[TRIGGER] = 0;
        osc_graph_advance(&c.graph, values, LONGEST_US - FIRST_US + late_us);
        assert_int_equal(c.ages_us[BASE], late_us == 0u ? LONGEST_US : OSC_GRAPH_NOT_PENDING);
        assert_int_equal(osc_graph_go(&c.graph, LOOPS, 0), OSC_OK);
        osc_graph_advance(&c.graph, values, 0);
        assert_int_equal(c.machines[BASE].state, late_us == 0u ? BACKWARD : LOOPS);
        bank_free(&f.words);
    }
}

/* Slewed numbers move at their own speeds, and nothing else moves with them. */
static void two_slewed_numbers(void **state)
{
    (void)state;
    static character c;
    fixture f;
    uint32_t words[SECTION_WORDS];
    int32_t values[VALUES] = {0};
    memcpy(words, valid, sizeof words);
    words[0] += 1u << 16;
    words[PARAMETER(NUMBER, KIND)] |= 300000u << OSC_GRAPH_SLEW_SHIFT;
    assert_int_equal(open_graph(&f, words, SECTION_WORDS, true), OSC_OK);
    make_character(&c, &f);
    assert_int_equal(osc_graph_start(&c.graph), OSC_OK);
    assert_int_equal(c.slews[0].value, 0);
    assert_int_equal(c.slews[1].value, SPEED_ONE);
    values[NUMBER] = 3 * (int32_t)SPEED_ONE;
    c.slews[2].value = 1000000;
    osc_graph_advance(&c.graph, values, 60000);
    assert_int_equal(c.slews[0].value, 0);
    assert_in_range(c.slews[1].value, 144175, 144183); /* 2.2 */
    assert_in_range(c.slews[1].at_us, 109999, 110001);
    values[NUMBER] = 0;
    osc_graph_advance(&c.graph, values, 10000);
    assert_in_range(c.slews[1].at_us, 99999, 100001);
    assert_in_range(c.slews[1].value, 131068, 131076); /* 2 */
    assert_int_equal(c.slews[2].value, 1000000);
    bank_free(&f.words);
}

/* A slewed number that is a microsecond before its value arrives in the next step. */
static void slewed_numbers_arrive(void **state)
{
    (void)state;
    enum { TO = 1000, HALF_US = 250000, DOWN_US = 246186, NEAR_US = 8 };
    for (uint32_t before_us = 0; before_us < NEAR_US; before_us++) {
        static character c;
        fixture f;
        int32_t values[VALUES] = {[SLEWED] = (int32_t)SPEED_ONE};
        start_with(&c, &f, valid);
        osc_graph_advance(&c.graph, values, HALF_US);
        assert_int_equal(c.slews[0].at_us, OSC_GRAPH_ARRIVED);
        values[SLEWED] = TO;
        osc_graph_advance(&c.graph, values, DOWN_US - before_us);
        assert_in_range(c.slews[0].value, TO, TO + NEAR_US);
        osc_graph_advance(&c.graph, values, 1000);
        assert_int_equal(c.slews[0].value, TO);
        assert_int_equal(c.slews[0].at_us, OSC_GRAPH_ARRIVED);
        bank_free(&f.words);
    }
}

/* A state whose position is a parameter: that is held at its range, which is the whole clip. */
static void positions_follow_a_parameter(void **state)
{
    (void)state;
    uint64_t seed = 12;
    fixture f;
    uint32_t words[SECTION_WORDS];
    static character c;
    let_fade(words);
    words[OSC_GRAPH_NEEDS] |= OSC_GRAPH_NEEDS_POSITIONS;
    words[STATE(DRIVEN, CLIP)] = CLIP_OF(WALK, NUMBER) | (uint32_t)OSC_GRAPH_STATE_POSITION << 24;
    words[STATE(DRIVEN, LOOPS)] = FOREVER;
    words[STATE(DRIVEN, SPEED)] = SPEED_ONE;
    assert_int_equal(open_graph(&f, words, SECTION_WORDS, true), OSC_OK);
    play(&f, 4000, &seed);
    bank_free(&f.words);
    words[STATE(LOOPS, CLIP)] = words[STATE(DRIVEN, CLIP)];
    words[STATE(LOOPS, WATCH)] = 2u | 1u << 24;
    assert_int_equal(open_graph(&f, words, SECTION_WORDS, true), OSC_OK);
    assert_int_equal(osc_graph_player_count(&f.graph), 6);
    bank_free(&f.words);
    words[STATE(LOOPS, CLIP)] = valid[STATE(LOOPS, CLIP)];
    words[STATE(LOOPS, WATCH)] = valid[STATE(LOOPS, WATCH)];
    words[STATE(DRIVEN, LIST)] = 0; /* nothing leaves it */
    assert_int_equal(open_graph(&f, words, SECTION_WORDS, true), OSC_OK);
    play(&f, 4000, &seed);

    static const int32_t values[][2] = {{3 << 16, WALK_END / 2u}, /* in a span */
                                        {-5, 0},
                                        {0, 0},
                                        {3 << 16, WALK_END / 2u},
                                        {1 << 15, WALK_END / 12u},
                                        {6 << 16, WALK_END},
                                        {INT32_MAX, WALK_END}};
    make_character(&c, &f);
    assert_int_equal(osc_graph_start(&c.graph), OSC_OK);
    assert_int_equal(osc_graph_go(&c.graph, DRIVEN, 0), OSC_OK);
    for (uint32_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        int32_t given[VALUES] = {0};
        given[NUMBER] = values[i][0];
        osc_graph_advance(&c.graph, given, i == 0u ? 1u : 16000u);
        assert_int_equal(c.machines[0].state, DRIVEN);
        assert_int_equal(c.machines[0].switch_from_q11, values[0][1]);
        assert_int_equal(c.machines[0].position_q11, values[i][1]);
        for (uint32_t event = 0; event < c.graph.event_count; event++)
            assert_int_not_equal(c.events[event].state, DRIVEN);
        osc_graph_evaluate(&c.graph, &c.pose, 16000);
    }
    const int32_t inside[VALUES] = {[NUMBER] = 3 << 16};
    osc_graph_advance(&c.graph, inside, 16000);
    assert_int_equal(osc_graph_go(&c.graph, LOOPS, 0), OSC_OK);
    osc_graph_advance(&c.graph, inside, 1);
    assert_int_equal(c.graph.event_count, 0); /* the span ends silently */
    bank_free(&f.words);

    static const change wrong[] = {
        {OSC_GRAPH_NEEDS, EVERY_NEED | OSC_GRAPH_NEEDS_FADES | 20u << 16},
        {STATE(DRIVEN, CLIP), CLIP_OF(NO_CLIP, NUMBER) | OSC_GRAPH_STATE_POSITION << 24},
        {STATE(DRIVEN, CLIP), CLIP_OF(WALK, FLAG) | OSC_GRAPH_STATE_POSITION << 24},
        {STATE(DRIVEN, CLIP),
         CLIP_OF(WALK, OSC_GRAPH_NO_PARAMETER) | OSC_GRAPH_STATE_POSITION << 24},
        {STATE(SHOT, CLIP),
         CLIP_OF(JUMP, NUMBER) | (OSC_GRAPH_STATE_POSITION | OSC_GRAPH_STATE_ONE_SHOT) << 24},
        {STATE(DRIVEN, LOOPS), 1},
        {STATE(DRIVEN, SPEED), SPEED_ONE / 2u},
        {STATE(DRIVEN, WATCH), 1u << 16},
        {STATE(DRIVEN, WATCH), 65u << 24},
        {TRANSITION(TO_DRIVEN, START_Q11), 1},
    };
    check_refused(words, wrong, sizeof wrong / sizeof wrong[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_not_consumed),
        cmocka_unit_test(triggers_wait_for_their_longest_time),
        cmocka_unit_test(two_slewed_numbers),
        cmocka_unit_test(slewed_numbers_arrive),
        cmocka_unit_test(positions_follow_a_parameter),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
