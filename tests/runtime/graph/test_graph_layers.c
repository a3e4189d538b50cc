/* Layers of a graph: when they play, and how much they weigh. */
#include "graph_play.h"

/* Layers that remember poses, have weights by parameter, blend, begin with their clip and keep it.
 */
static void layers_of_each_kind_play(void **state)
{
    (void)state;
    enum { MOST_CHANGES = 12, STEPS = 4000 };
    const uint32_t whole = KIND_OF(OSC_GRAPH_MACHINE_INERTIA, OSC_GRAPH_NO_MASK, NUMBER);
    const uint32_t blend = KIND_OF(OSC_GRAPH_MACHINE_BLENDS, 0, OSC_GRAPH_NO_PARAMETER);
    const uint32_t clip = CLIP_OF(JUMP, OSC_GRAPH_NO_PARAMETER);
    const change variants[][MOST_CHANGES] = {
        {{PARAMETER(NUMBER, MOST), SPEED_ONE},
         {MACHINE(LAYER, KIND), whole},
         {LOOK(KIND), POINT | (uint32_t)NUMBER << 8 | (uint32_t)LINKS << 16},
         {LIMB(0, KIND), LIMB_KIND_OF(POINT, NUMBER, OSC_GRAPH_NO_PARAMETER)},
         {MACHINE(LAYER, FADE_US), 0}},
        {{MACHINE(LAYER, KIND), blend},
         {MACHINE(LAYER, STATES), NOTHING | 2u << 8 | (uint32_t)NOTHING << 16 | 2u << 24},
         {STATE(SHOT, CLIP), OSC_GRAPH_NO_PARAMETER << 16},
         {STATE(SHOT, LOOPS), OSC_LOOPS_FOREVER},
         {STATE(SHOT, WATCH), 4u | 1u << 16},
         {STATE(SHOT, BLEND), MEMBERS | (uint32_t)SLEWED << 8},
         {LOOK(FADE_US), 0},
         {LOOK(LAG_US), 0},
         {LIMB(0, FADE_US), 0},
         {LIMB(1, FADE_US), 0},
         {LIMB(1, MOST_Q20), 0xffffffffu}},
        {{MACHINE(LAYER, STATES), NOTHING | 2u << 8 | (uint32_t)SHOT << 16 | 1u << 24},
         {STATE(SHOT, CLIP), clip},
         {STATE(SHOT, LIST), 0},
         {MACHINE(LAYER, FADE_US), 400000}},
        {{STATE(SHOT, SPEED), 0u - SPEED_ONE}, {STATE(SHOT, WATCH), 3u | 1u << 16}},
        {{STATE(SHOT, SPEED), 0}, {MACHINE(LAYER, FADE_US), 20000}},
        {{STATE(SHOT, CLIP), CLIP_OF(STILL, OSC_GRAPH_NO_PARAMETER)}, /* ends without time */
         {STATE(SHOT, LOOPS), 2},
         {STATE(SHOT, WATCH), 3u | 1u << 16}},
        {{LOOK(FORWARD), OSC_ONE_Q20}, {LOOK(FORWARD) + 2, 0}}, /* eyes along x, y and no axis */
        {{LOOK(FORWARD) + 1, OSC_ONE_Q20}, {LOOK(FORWARD) + 2, 0}},
        {{LOOK(FORWARD), OSC_ONE_Q20 / 2u}, {LOOK(FORWARD) + 2, 0}},
        {{LOOK(FORWARD), OSC_ONE_Q20}, {LOOK(FORWARD) + 1, OSC_ONE_Q20}, {LOOK(FORWARD) + 2, 0}},
        {{LOOK(FORWARD) + 1, OSC_ONE_Q20 / 2u}, {LOOK(FORWARD) + 2, 0}},
    };
    uint64_t seed = 7;
    for (uint32_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        fixture f;
        uint32_t words[SECTION_WORDS];
        memcpy(words, valid, sizeof words);
        for (uint32_t k = 0; k < MOST_CHANGES && variants[i][k].at != 0u; k++)
            words[variants[i][k].at] = variants[i][k].word;
        assert_int_equal(open_graph(&f, words, SECTION_WORDS, true), OSC_OK);
        play(&f, STEPS, &seed);
        bank_free(&f.words);
    }
}

/* A layer that fades out goes on with its clip. */
static void a_layer_ends_where_its_clip_is(void **state)
{
    (void)state;
    static character c;
    fixture f;
    uint32_t words[SECTION_WORDS];
    int32_t values[VALUES] = {0};
    memcpy(words, valid, sizeof words);
    words[MACHINE(LAYER, WHILE)] = OSC_GRAPH_ANYTIME;
    start_with(&c, &f, words);
    osc_graph_advance(&c.graph, values, 1000);
    assert_false(c.machines[LAYER].begun); /* nothing plays */
    assert_int_equal(osc_graph_go(&c.graph, SHOT, 0), OSC_OK);
    osc_graph_advance(&c.graph, values, 200000);
    assert_int_equal(c.machines[LAYER].state, SHOT);
    osc_graph_advance(&c.graph, values, 10000);
    assert_int_equal(c.machines[LAYER].state, NOTHING);
    assert_int_equal(c.machines[LAYER].shown, SHOT);
    assert_int_equal(c.machines[LAYER].position_q11, JUMP_END);
    bank_free(&f.words);
}

/* A layer sees both switches of the base in a step at their times. */
static void a_layer_follows_two_switches_of_a_step(void **state)
{
    (void)state;
    enum { FIRST_US = 50000, SECOND_US = FIRST_US + 41666, STEP_US = 200000 };
    static character c;
    fixture f;
    uint32_t words[SECTION_WORDS];
    int32_t values[VALUES] = {0};
    memcpy(words, valid, sizeof words);
    words[MACHINE(LAYER, WHILE)] = OSC_GRAPH_ANYTIME;
    words[WATCH(2)] = words[ATOM(2)] = FIRST_US;
    words[TRANSITION(TO_JUMP, TARGET)] = TARGET_OF(BACKWARD, OSC_GRAPH_CUT, 1);
    words[TRANSITION(TO_JUMP, HOLD_US)] = 0;
    words[TRANSITION(TO_JUMP, START_Q11)] = 1024;
    words[TRANSITION(TO_LOOPS, TARGET)] = TARGET_OF(DRIVEN, OSC_GRAPH_CUT, 3);
    words[STATE(DRIVEN, LIST)] = 0;
    words[ATOM(14)] = ATOM_OF(IN, DRIVEN | 1u << 8);
    words[TRANSITION(TO_SHOT, TARGET)] = TARGET_OF(SHOT, OSC_GRAPH_CUT, 14);
    start_with(&c, &f, words);
    osc_graph_advance(&c.graph, values, STEP_US);
    assert_int_equal(c.machines[BASE].state, DRIVEN);
    assert_in_range(c.machines[BASE].state_us, STEP_US - SECOND_US - 50, STEP_US - SECOND_US + 50);
    assert_int_equal(c.machines[LAYER].state, SHOT);
    assert_int_equal(c.machines[LAYER].state_us, c.machines[BASE].state_us);
    bank_free(&f.words);
}

/* A layer that closes ends its spans, and at once weighs nothing if it does not fade. */
static void a_layer_closes(void **state)
{
    (void)state;
    static character c;
    fixture f;
    uint32_t words[SECTION_WORDS];
    int32_t values[VALUES] = {0};
    memcpy(words, valid, sizeof words);
    words[MACHINE(LAYER, WHILE)] = 5; /* the flag */
    words[MACHINE(LAYER, FADE_US)] = 0;
    start_with(&c, &f, words);
    values[FLAG] = 1;
    assert_int_equal(osc_graph_go(&c.graph, SHOT, 0), OSC_OK);
    osc_graph_advance(&c.graph, values, 100000);
    assert_int_equal(c.machines[LAYER].weight_q15, OSC_ONE_Q15 / 2u);
    values[FLAG] = 0;
    osc_graph_advance(&c.graph, values, 1000);
    assert_int_equal(c.machines[LAYER].weight_q15, 0);
    uint32_t ended = 0;
    for (uint32_t i = 0; i < c.graph.event_count; i++)
        ended += c.events[i].state == SHOT && c.events[i].name == 1u &&
                 c.events[i].what == (OSC_EVENT_END | OSC_GRAPH_EVENT_CUT);
    assert_int_equal(ended, 1);
    bank_free(&f.words);
}

/* A clip that loops does not fade out at its end. */
static void a_layer_that_loops_stays(void **state)
{
    (void)state;
    static character c;
    fixture f;
    uint32_t words[SECTION_WORDS];
    int32_t values[VALUES] = {0};
    memcpy(words, valid, sizeof words);
    words[MACHINE(LAYER, WHILE)] = OSC_GRAPH_ANYTIME;
    words[STATE(SHOT, CLIP)] = CLIP_OF(JUMP, OSC_GRAPH_NO_PARAMETER);
    words[STATE(SHOT, LOOPS)] = FOREVER;
    words[STATE(SHOT, LIST)] = words[STATE(SHOT, WATCH)] = 0;
    start_with(&c, &f, words);
    assert_int_equal(osc_graph_go(&c.graph, SHOT, 0), OSC_OK);
    osc_graph_advance(&c.graph, values, 200000);
    assert_int_equal(c.machines[LAYER].envelope_us, words[MACHINE(LAYER, FADE_US)]);
    bank_free(&f.words);
}

/* A clip that plays once fades out in the time that it has left, in both directions. */
static void a_layer_fades_out_by_the_end_of_its_clip(void **state)
{
    (void)state;
    enum { CLIP_US = 208333, STEP_US = 200000 };
    for (uint32_t backward = 0; backward < 2u; backward++) {
        static character c;
        fixture f;
        uint32_t words[SECTION_WORDS];
        const int32_t values[VALUES] = {0};
        memcpy(words, valid, sizeof words);
        words[MACHINE(LAYER, WHILE)] = OSC_GRAPH_ANYTIME;
        words[STATE(SHOT, SPEED)] = backward != 0u ? 0u - SPEED_ONE : SPEED_ONE;
        words[STATE(SHOT, WATCH)] = words[STATE(SHOT, LIST)] = 0;
        start_with(&c, &f, words);
        assert_int_equal(osc_graph_go(&c.graph, SHOT, 0), OSC_OK);
        osc_graph_advance(&c.graph, values, STEP_US);
        assert_in_range(c.machines[LAYER].envelope_us, CLIP_US - STEP_US - 2,
                        CLIP_US - STEP_US + 2);
        osc_graph_advance(&c.graph, values, STEP_US);
        assert_int_equal(c.machines[LAYER].state, SHOT);
        assert_int_equal(c.machines[LAYER].envelope_us, 0);
        bank_free(&f.words);
    }
}

/* A clip that plays once and stands still does not come to its end. */
static void a_layer_that_stands_still_stays(void **state)
{
    (void)state;
    static character c;
    fixture f;
    uint32_t words[SECTION_WORDS];
    const int32_t values[VALUES] = {0};
    memcpy(words, valid, sizeof words);
    words[MACHINE(LAYER, WHILE)] = OSC_GRAPH_ANYTIME;
    words[STATE(SHOT, SPEED)] = 0;
    start_with(&c, &f, words);
    assert_int_equal(osc_graph_go(&c.graph, SHOT, 0), OSC_OK);
    osc_graph_advance(&c.graph, values, 200000);
    assert_int_equal(c.machines[LAYER].envelope_us, words[MACHINE(LAYER, FADE_US)]);
    bank_free(&f.words);
}

/* A fade of a microsecond, too, is over when its clip has ended. */
static void a_short_fade_ends_with_its_clip(void **state)
{
    (void)state;
    static character c;
    fixture f;
    uint32_t words[SECTION_WORDS];
    const int32_t values[VALUES] = {0};
    memcpy(words, valid, sizeof words);
    words[MACHINE(LAYER, WHILE)] = OSC_GRAPH_ANYTIME;
    words[MACHINE(LAYER, FADE_US)] = 1;
    words[STATE(SHOT, LIST)] = 0;
    start_with(&c, &f, words);
    assert_int_equal(osc_graph_go(&c.graph, SHOT, 0), OSC_OK);
    osc_graph_advance(&c.graph, values, 250000);
    assert_int_equal(c.machines[LAYER].state, SHOT);
    assert_int_equal(c.machines[LAYER].weight_q15, 0);
    bank_free(&f.words);
}

/* A closed layer waits at its beginning, if it has left that for a microsecond only. */
static void a_closed_layer_waits_at_its_beginning(void **state)
{
    (void)state;
    static character c;
    fixture f;
    uint32_t words[SECTION_WORDS];
    int32_t values[VALUES] = {[FLAG] = 1};
    memcpy(words, valid, sizeof words);
    words[MACHINE(LAYER, WHILE)] = 5; /* the flag */
    start_with(&c, &f, words);
    osc_graph_advance(&c.graph, values, 1);
    assert_int_equal(c.machines[LAYER].state_us, 1);
    values[FLAG] = 0;
    osc_graph_advance(&c.graph, values, 1000);
    assert_int_equal(c.machines[LAYER].state_us, 0);
    bank_free(&f.words);
}

/* The weight of a layer is rounded once if its fade has 16 bits of microseconds. */
static void weights_of_a_fade_of_16_bits_are_exact(void **state)
{
    (void)state;
    enum { FADE_US = 0xffff };
    static character c;
    fixture f;
    uint32_t words[SECTION_WORDS];
    const int32_t values[VALUES] = {0};
    memcpy(words, valid, sizeof words);
    words[MACHINE(LAYER, WHILE)] = OSC_GRAPH_ANYTIME;
    words[MACHINE(LAYER, WEIGHT)] = OSC_ONE_Q15;
    words[MACHINE(LAYER, FADE_US)] = FADE_US;
    start_with(&c, &f, words);
    assert_int_equal(osc_graph_go(&c.graph, SHOT, 0), OSC_OK);
    osc_graph_advance(&c.graph, values, 1);
    assert_int_equal(c.machines[LAYER].envelope_us, 1);
    assert_int_equal(c.machines[LAYER].weight_q15, 1); /* 0.500008, rounded */
    bank_free(&f.words);
}

/* Counts each clip's steps, as a displacement along another axis. */
static void count_step(const osc_graph *graph, uint32_t clip, const osc_step *passed,
                       osc_placement *place)
{
    (void)graph;
    assert_false(osc_step_is_empty(passed));
    place->x += clip == WALK;
    place->z += clip == JUMP;
}

/* The clip of a layer does not move the character, and one that stands still neither. */
static void only_the_base_moves_the_character(void **state)
{
    (void)state;
    static character c;
    fixture f;
    uint32_t words[SECTION_WORDS];
    const int32_t values[VALUES] = {0};
    memcpy(words, valid, sizeof words);
    words[MACHINE(LAYER, WHILE)] = OSC_GRAPH_ANYTIME;
    words[STATE(LOOPS, LIST)] = words[STATE(LOOPS, WATCH)] = 0;
    words[STATE(DRIVEN, LIST)] = 0;
    start_with(&c, &f, words);
    osc_trajectories trajectories;
    osc_graph_code code = all_code;
    code.follow = count_step;
    c.graph.code = &code;
    f.graph.trajectories = &trajectories;
    assert_int_equal(osc_graph_go(&c.graph, SHOT, 0), OSC_OK);
    osc_graph_advance(&c.graph, values, 16000);
    assert_int_equal(c.machines[LAYER].state, SHOT);
    assert_int_equal(osc_graph_go(&c.graph, DRIVEN, 0), OSC_OK); /* at a speed of 0 */
    osc_graph_advance(&c.graph, values, 16000);
    assert_int_equal(c.machines[BASE].state, DRIVEN);
    assert_int_equal(c.now.place.x, 1);
    assert_int_equal(c.now.place.z, 0);
    bank_free(&f.words);
}

/* A layer that was hidden restarts, without its earlier fade. */
static void a_layer_begins_without_a_fade(void **state)
{
    (void)state;
    static character c;
    fixture f;
    uint32_t words[SECTION_WORDS];
    int32_t values[VALUES] = {0};
    let_fade(words);
    words[MACHINE(LAYER, WHILE)] = 5; /* the flag */
    start_with(&c, &f, words);
    values[FLAG] = 1;
    assert_int_equal(osc_graph_go(&c.graph, SHOT, 0), OSC_OK);
    osc_graph_advance(&c.graph, values, 16000);
    values[TRIGGER] = 1;
    osc_graph_advance(&c.graph, values, 16000);
    assert_int_equal(c.fades[LAYER].elapsed_us, 16000);
    values[TRIGGER] = values[FLAG] = 0;
    osc_graph_advance(&c.graph, values, 100000);
    osc_graph_advance(&c.graph, values, 1000);
    assert_int_equal(c.machines[LAYER].envelope_us, 0);
    assert_int_equal(c.fades[LAYER].over_us, 0);
    bank_free(&f.words);
}

/* A layer whose blend fades into itself in step. */
static void a_layer_fades_in_step(void **state)
{
    (void)state;
    uint64_t seed = 13;
    fixture f;
    uint32_t words[SECTION_WORDS];
    let_fade(words);
    words[OSC_GRAPH_NEEDS] |= OSC_GRAPH_NEEDS_STEPS;
    words[MACHINE(LAYER, KIND)] |= OSC_GRAPH_MACHINE_BLENDS;
    words[MACHINE(LAYER, STATES)] += 2u << 24;
    words[MACHINE(LAYER, WHILE)] = OSC_GRAPH_ANYTIME;
    words[STATE(SHOT, CLIP)] = OSC_GRAPH_NO_PARAMETER << 16;
    words[STATE(SHOT, LOOPS)] = FOREVER;
    words[STATE(SHOT, WATCH)] = 4u | 1u << 16;
    words[STATE(SHOT, BLEND)] = MEMBERS | (uint32_t)SLEWED << 8;
    words[TRANSITION(TO_SHOT, TARGET)] = TARGET_OF(SHOT, OSC_GRAPH_STEP, 12);
    assert_int_equal(open_graph(&f, words, SECTION_WORDS, true), OSC_OK);
    assert_int_equal(osc_graph_pose_count(&f.graph), 3); /* of a layer that fades and blends */
    play(&f, 4000, &seed);
    bank_free(&f.words);
}

/* A hidden layer forgets the poses that it has shown. */
static void a_hidden_layer_forgets(void **state)
{
    (void)state;
    static const osc_transition_state nothing;
    static character c;
    fixture f;
    uint32_t words[SECTION_WORDS];
    int32_t values[VALUES] = {0};
    memcpy(words, valid, sizeof words);
    words[MACHINE(LAYER, KIND)] = KIND_OF(OSC_GRAPH_MACHINE_INERTIA, 0, OSC_GRAPH_NO_PARAMETER);
    words[MACHINE(LAYER, WHILE)] = 5; /* the flag */
    start_with(&c, &f, words);
    assert_int_equal(osc_graph_go(&c.graph, SHOT, 0), OSC_OK);
    for (uint32_t step = 0; step < 8u; step++) {
        values[FLAG] = step < 4u;
        osc_graph_advance(&c.graph, values, 16000);
        osc_graph_evaluate(&c.graph, &c.pose, 16000);
        if (step == 3u)
            assert_int_equal(c.transitions[LAYER].kept, 2);
    }
    assert_int_equal(c.machines[LAYER].weight_q15, 0);
    assert_memory_equal(&c.transitions[LAYER], &nothing, sizeof nothing);
    assert_int_equal(c.transitions[BASE].kept, 2);
    bank_free(&f.words);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layers_of_each_kind_play),
        cmocka_unit_test(a_layer_ends_where_its_clip_is),
        cmocka_unit_test(a_layer_follows_two_switches_of_a_step),
        cmocka_unit_test(a_layer_closes),
        cmocka_unit_test(a_layer_that_loops_stays),
        cmocka_unit_test(a_layer_fades_out_by_the_end_of_its_clip),
        cmocka_unit_test(a_layer_that_stands_still_stays),
        cmocka_unit_test(a_short_fade_ends_with_its_clip),
        cmocka_unit_test(a_closed_layer_waits_at_its_beginning),
        cmocka_unit_test(weights_of_a_fade_of_16_bits_are_exact),
        cmocka_unit_test(only_the_base_moves_the_character),
        cmocka_unit_test(a_layer_begins_without_a_fade),
        cmocka_unit_test(a_layer_fades_in_step),
        cmocka_unit_test(a_hidden_layer_forgets),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
