/* Animation graphs play with any values and times, whatever their sections contain. */
#include "graph_section.h"

static void check_now(const character *c, const fixture *f)
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

static void check_limbs(const character *c, const fixture *f)
{
    for (uint32_t i = 0; i < f->graph.limb_count; i++) {
        uint32_t fade_us = f->graph.limbs[i * OSC_GRAPH_LIMB_WORDS + OSC_GRAPH_LIMB_FADE_US];
        assert_true(c->limbs[i].envelope_us <= (fade_us != 0u ? fade_us : 1u));
        assert_true(c->limbs[i].hold <= OSC_GRAPH_LET_GO);
    }
}

static uint32_t random_time_us(uint64_t *seed)
{
    uint32_t choice = random_u32(seed) & 15u;
    return choice == 0u ? 0u : choice == 1u ? random_u32(seed) : random_u32(seed) % 40000u;
}

/* Plays with any values and times, and now and then leaves the rails. */
static void play(const fixture *f, uint32_t steps, uint64_t *seed)
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

/* A clip of one frame may play forever. Then it does not finish. */
static void a_pose_plays_forever(void **state)
{
    (void)state;
    static character c;
    uint32_t words[SECTION_WORDS];
    int32_t values[VALUES] = {0};
    memcpy(words, valid, sizeof words);
    words[STATE(LOOPS, CLIP)] = CLIP_OF(STILL, OSC_GRAPH_NO_PARAMETER);
    words[STATE(LOOPS, WATCH)] = 0;
    fixture f;
    assert_int_equal(open_graph(&f, words, SECTION_WORDS, true), OSC_OK);
    make_character(&c, &f);
    assert_int_equal(osc_graph_start(&c.graph), OSC_OK);
    for (uint32_t step = 0; step < 16u; step++) {
        osc_graph_advance(&c.graph, values, 16000);
        osc_graph_evaluate(&c.graph, &c.pose, 16000);
        assert_int_equal(c.machines[0].state, LOOPS);
        assert_int_equal(c.machines[0].loops_left, OSC_LOOPS_FOREVER);
        assert_int_equal(c.machines[0].position_q11, 0);
        assert_int_equal(c.graph.event_count, 0);
    }
    bank_free(&f.words);
}

/* Opens a section and starts a character. */
static void start_with(character *c, fixture *f, const uint32_t *words)
{
    assert_int_equal(open_graph(f, words, SECTION_WORDS, true), OSC_OK);
    make_character(c, f);
    assert_int_equal(osc_graph_start(&c->graph), OSC_OK);
}

/* A clip that begins at its last position has ended; one that stands still has not. */
static void clips_end_at_their_last_position(void **state)
{
    (void)state;
    static character c;
    fixture f;
    uint32_t words[SECTION_WORDS];
    int32_t values[VALUES] = {0};
    memcpy(words, valid, sizeof words);
    words[STATE(BACKWARD, SPEED)] = SPEED_ONE;
    words[TRANSITION(TO_JUMP, HOLD_US)] = 0;
    start_with(&c, &f, words);
    values[TRIGGER] = 1;
    osc_graph_advance(&c.graph, values, 0);
    assert_int_equal(c.machines[0].taken, TO_LOOPS); /* at once, as the clip is finished */
    bank_free(&f.words);

    words[STATE(BACKWARD, SPEED)] = 0;
    words[TRANSITION(TO_JUMP, START_Q11)] = 0;
    start_with(&c, &f, words);
    osc_graph_advance(&c.graph, values, 1000);
    assert_int_equal(c.machines[0].state, BACKWARD);
    assert_int_equal(c.machines[0].loops_left, 1);
    bank_free(&f.words);
}

/* A long step stops at the first mark of a clip, in this loop or in the next. */
static void marks_are_reached_in_a_long_step(void **state)
{
    (void)state;
    enum { FRAME_US = 33333, FRAMES = 8, LATER_US = 100000, LONG_US = 250000 };
    for (uint32_t loop = 0; loop < 2u; loop++) {
        static character c;
        fixture f;
        uint32_t words[SECTION_WORDS];
        int32_t values[VALUES] = {0};
        memcpy(words, valid, sizeof words);
        words[TRANSITION(TO_JUMP, TARGET)] = TARGET_OF(BACKWARD, OSC_GRAPH_CUT, 4); /* mark, flag */
        start_with(&c, &f, words);
        osc_graph_advance(&c.graph, values, loop * LATER_US);
        values[FLAG] = 1;
        osc_graph_advance(&c.graph, values, LONG_US);
        assert_int_equal(c.machines[0].state, BACKWARD);
        uint32_t since_us = loop * LATER_US + LONG_US - (loop * FRAMES + 1u) * FRAME_US;
        assert_in_range(c.machines[0].state_us, since_us - FRAMES, since_us + FRAMES);
        bank_free(&f.words);
    }
}

/* A time is reached in the middle of a step. */
static void times_are_reached_in_a_long_step(void **state)
{
    (void)state;
    enum { AFTER_US = 300000, FIRST_US = 250000, SECOND_US = 100000 };
    static character c;
    fixture f;
    uint32_t words[SECTION_WORDS];
    int32_t values[VALUES] = {0};
    memcpy(words, valid, sizeof words);
    words[STATE(DRIVEN, LIST)] = 0;
    start_with(&c, &f, words);
    osc_graph_advance(&c.graph, values, FIRST_US);
    assert_int_equal(c.machines[0].state, LOOPS);
    osc_graph_advance(&c.graph, values, SECOND_US);
    assert_int_equal(c.machines[0].state, DRIVEN);
    assert_int_equal(c.machines[0].state_us, FIRST_US + SECOND_US - AFTER_US);
    bank_free(&f.words);
}

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
    values[TRIGGER] = values[CHOICE] = 0;
    values[NUMBER] = (int32_t)words[ATOM(7)];
    osc_graph_advance(&c.graph, values, 1000);
    assert_int_equal(c.machines[BASE].state, BLEND);
    assert_int_equal(c.machines[LAYER].state, SHOT);
    bank_free(&f.words);
}

/* A clip that plays backward from a mark has not just reached it. */
static void the_mark_behind_a_clip_is_not_reached(void **state)
{
    (void)state;
    enum { MARK = 6144, FRAMES = 3, FRAME_US = 2 * 41666, LONG_US = 250000 };
    static character c;
    fixture f;
    uint32_t words[SECTION_WORDS];
    int32_t values[VALUES] = {0};
    memcpy(words, valid, sizeof words);
    words[STATE(LOOPS, WATCH)] = 0;
    words[STATE(BACKWARD, WATCH)] = 0u | 2u << 16;
    words[WATCH(0)] = 0;
    words[WATCH(1)] = words[TRANSITION(TO_JUMP, START_Q11)] = MARK;
    words[TRANSITION(TO_JUMP, HOLD_US)] = 0;
    words[ATOM(4)] = OSC_GRAPH_AT | 1u << 16;
    start_with(&c, &f, words);
    values[TRIGGER] = values[FLAG] = 1;
    osc_graph_advance(&c.graph, values, LONG_US);
    assert_int_equal(c.machines[0].state, LOOPS); /* the clip is finished */
    assert_in_range(c.machines[0].state_us, 0, LONG_US - FRAMES * FRAME_US + FRAMES);
    bank_free(&f.words);
}

static void any_values_and_times_are_played(void **state)
{
    (void)state;
    uint64_t seed = 1;
    fixture f;
    assert_int_equal(open_graph(&f, valid, SECTION_WORDS, true), OSC_OK);
    play(&f, 20000, &seed);
    bank_free(&f.words);
}

/* Graphs that do unusual things: without events, backward and forward in loops of microseconds,
 * with conditions on a span's ends. */
static void unusual_graphs_play(void **state)
{
    (void)state;
    uint64_t seed = 3;
    fixture f;
    uint32_t words[SECTION_WORDS];
    memcpy(words, valid, sizeof words);
    words[ATOM(4)] = OSC_GRAPH_ALWAYS;
    words[ATOM(10)] = OSC_GRAPH_ALWAYS | OSC_GRAPH_ATOM_OR;
    words[LIMB(1, KIND)] = words[LIMB(0, KIND)];
    assert_int_equal(open_graph(&f, words, SECTION_WORDS, false), OSC_OK);
    play(&f, 5000, &seed);
    bank_free(&f.words);

    static const uint32_t watches[] = {0, 1024, JUMP_END};
    for (uint32_t i = 0; i < 3u; i++) {
        memcpy(words, valid, sizeof words);
        words[STATE(BACKWARD, LOOPS)] = OSC_LOOPS_FOREVER;
        words[STATE(BACKWARD, SPEED)] = 0u - (1000u << 16);
        words[STATE(LOOPS, SPEED)] = 3u << 16;
        words[STATE(DRIVEN, LIST)] = 2u | 1u << 16;
        words[STATE(DRIVEN, WATCH)] = 0u | 2u << 16;
        words[WATCH(1)] = WALK_END;
        words[WATCH(3)] = watches[i];
        words[ATOM(4)] = OSC_GRAPH_AT | 1u << 16;
        assert_int_equal(open_graph(&f, words, SECTION_WORDS, true), OSC_OK);
        play(&f, 5000, &seed);
        bank_free(&f.words);
    }
}

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

/* Each of these words makes a section wrong. */
static void check_refused(uint32_t *words, const change *wrong, size_t count)
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
static void let_fade(uint32_t *words)
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
    play(&f, 4000, &seed);
    bank_free(&f.words);
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
    words[STATE(DRIVEN, LIST)] = 0; /* nothing leaves it */
    assert_int_equal(open_graph(&f, words, SECTION_WORDS, true), OSC_OK);
    play(&f, 4000, &seed);

    static const int32_t values[][2] = {{-5, 0},
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
        assert_int_equal(c.machines[0].position_q11, values[i][1]);
        for (uint32_t event = 0; event < c.graph.event_count; event++)
            assert_int_not_equal(c.events[event].state, DRIVEN);
        osc_graph_evaluate(&c.graph, &c.pose, 16000);
    }
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

static uint32_t mirrored_poses;

static void count_mirrored(const osc_mirror *mirror, const osc_pose *pose, const osc_pose *out)
{
    assert_ptr_equal(mirror, &no_mirror);
    assert_ptr_equal(pose, out);
    mirrored_poses++;
}

/* The poses of a clip that is a mirror image are mirrored, and no others. */
static void mirror_images_are_mirrored(void **state)
{
    (void)state;
    static character c;
    osc_graph_code code = all_code;
    fixture f;
    int32_t values[VALUES] = {0};
    assert_int_equal(open_graph(&f, valid, SECTION_WORDS, true), OSC_OK);
    uint32_t *clips = f.words.words + (f.bank.clips - f.bank.words);
    memcpy(clips + OSC_CLIP_ENTRY_WORDS, clips, OSC_CLIP_ENTRY_WORDS * sizeof *clips);
    make_character(&c, &f);
    code.mirror = count_mirrored;
    c.graph.code = &code;
    assert_int_equal(osc_graph_start(&c.graph), OSC_OK);
    osc_graph_advance(&c.graph, values, 1000);
    osc_graph_evaluate(&c.graph, &c.pose, 1000);
    assert_int_equal(mirrored_poses, 0);
    assert_int_equal(osc_graph_go(&c.graph, BACKWARD, 0), OSC_OK);
    osc_graph_advance(&c.graph, values, 1000);
    osc_graph_evaluate(&c.graph, &c.pose, 1000);
    assert_true(mirrored_poses != 0u);
    bank_free(&f.words);
}

static uint32_t started_clips;

int32_t __wrap_osc_player_start(osc_player *player, uint32_t clip, osc_play_mode mode);
int32_t __real_osc_player_start(osc_player *player, uint32_t clip, osc_play_mode mode);

int32_t __wrap_osc_player_start(osc_player *player, uint32_t clip, osc_play_mode mode)
{
    started_clips++;
    return __real_osc_player_start(player, clip, mode);
}

/* The players of a machine go on with the clips that they have: of a blend, of a state, of a layer.
 */
static void players_keep_their_clips(void **state)
{
    (void)state;
    static const uint8_t played[] = {BLEND, LOOPS, BACKWARD, BLEND};
    static character c;
    fixture f;
    uint32_t words[SECTION_WORDS];
    int32_t values[VALUES] = {0};
    memcpy(words, valid, sizeof words);
    words[MACHINE(LAYER, WHILE)] = OSC_GRAPH_ANYTIME;
    words[STATE(SHOT, LOOPS)] = OSC_LOOPS_FOREVER;
    words[STATE(SHOT, LIST)] = 0;
    start_with(&c, &f, words);
    assert_int_equal(osc_graph_go(&c.graph, SHOT, 0), OSC_OK);
    osc_graph_advance(&c.graph, values, 1);
    started_clips = 0;
    for (uint32_t step = 0; step < 40u; step++) {
        if (step % 10u == 0u)
            assert_int_equal(osc_graph_go(&c.graph, played[step / 10u], 0), OSC_OK);
        osc_graph_advance(&c.graph, values, 4000);
        osc_graph_evaluate(&c.graph, &c.pose, 4000);
        assert_int_equal(c.machines[BASE].state, played[step / 10u]);
        assert_int_equal(started_clips, 3);
    }
    bank_free(&f.words);
}

static osc_player shared_player;
static int32_t shared_memory[PLAYER_WORDS];

/* As a pool without room for any clip. */
static void evaluate_shared(struct osc_row_pool *pool, uint32_t clip, uint32_t position_q11,
                            const osc_pose *pose)
{
    assert_null(pool);
    assert_int_equal(osc_player_start(&shared_player, clip, OSC_PLAY_ONCE), OSC_OK);
    (void)osc_player_seek_q11(&shared_player, (int32_t)position_q11);
    osc_player_evaluate(&shared_player, pose);
}

/* Blends, layers and fades have the same poses without players of their own. */
static void a_pool_replaces_players(void **state)
{
    (void)state;
    static character own, shared;
    uint64_t seed = 21;
    fixture f;
    uint32_t words[SECTION_WORDS];
    int32_t values[VALUES] = {0};
    let_fade(words);
    assert_int_equal(open_graph(&f, words, SECTION_WORDS, true), OSC_OK);
    assert_int_equal(osc_player_init(&shared_player, &f.bank, shared_memory, PLAYER_WORDS), OSC_OK);
    make_character(&own, &f);
    make_character(&shared, &f);
    osc_graph_code code = all_code;
    code.evaluate_shared = evaluate_shared;
    shared.graph.code = &code;
    shared.graph.players = 0;
    assert_int_equal(osc_graph_start(&own.graph), OSC_OK);
    assert_int_equal(osc_graph_start(&shared.graph), OSC_OK);
    for (uint32_t step = 0; step < 3000u; step++) {
        bool is_shown = step % 50u > 2u; /* otherwise a fade follows a cut that no pose has shown */
        values[TRIGGER] = step % 50u == 2u || (random_u32(&seed) & 15u) == 0u;
        values[SLEWED] = (int32_t)(step % 400u > 200u ? SPEED_ONE : 0u);
        values[CHOICE] = (int32_t)(step / 60u % 3u);
        if (step % 50u == 0u)
            assert_int_equal(
                osc_graph_go(&own.graph, LOOPS, 0) | osc_graph_go(&shared.graph, LOOPS, 0), OSC_OK);
        osc_graph_advance(&own.graph, values, 16000);
        osc_graph_advance(&shared.graph, values, 16000);
        if (!is_shown)
            continue;
        osc_graph_evaluate(&own.graph, &own.pose, 16000);
        osc_graph_evaluate(&shared.graph, &shared.pose, 16000);
        assert_memory_equal(own.rotations[0], shared.rotations[0], sizeof own.rotations[0]);
        assert_memory_equal(own.translations[0], shared.translations[0],
                            sizeof own.translations[0]);
    }
    bank_free(&f.words);
}

static void layers_add_differences(void **state)
{
    (void)state;
    uint64_t seed = 8;
    fixture f;
    uint32_t words[SECTION_WORDS];
    memcpy(words, valid, sizeof words);
    words[OSC_GRAPH_NEEDS] = EVERY_NEED | 20u << 16;
    words[MACHINE(LAYER, KIND)] =
        KIND_OF(OSC_GRAPH_MACHINE_ADDITIVE, OSC_GRAPH_NO_MASK, OSC_GRAPH_NO_PARAMETER);
    words[STATE(SHOT, CLIP)] = CLIP_OF(POSE, OSC_GRAPH_NO_PARAMETER) | OSC_GRAPH_STATE_ONE_SHOT
                                                                           << 24;
    words[STATE(SHOT, WATCH)] = 0;
    assert_int_equal(open_graph(&f, words, SECTION_WORDS, true), OSC_ERROR_SECTION);
    f.words.words[bank_section(&f.words, 1) + 1u + RATES * OSC_RATE_WORDS +
                  POSE * OSC_CLIP_ENTRY_WORDS + OSC_CLIP_SHAPE] |= OSC_CLIP_ADDITIVE;
    bank_seal(&f.words);
    assert_int_equal(bank_open(&f.words, &f.bank), OSC_OK);
    assert_int_equal(osc_graph_open(&f.graph, &f.bank, &f.events, 0), OSC_OK);
    play(&f, 4000, &seed);
    bank_free(&f.words);
}

/* A slewed number at the end of its range is there until time passes. */
static void a_weight_at_the_end_of_its_range_stays_for_a_step_without_time(void **state)
{
    (void)state;
    static character c;
    fixture f;
    uint32_t words[SECTION_WORDS];
    int32_t values[VALUES] = {0};
    memcpy(words, valid, sizeof words);
    words[PARAMETER(SLEWED, LEAST)] = 0;
    words[LOOK(KIND)] = POINT | (uint32_t)SLEWED << 8 | (uint32_t)LINKS << 16;
    words[OSC_GRAPH_LONGEST_US] = OSC_GRAPH_LONGEST_MOST_US;
    assert_int_equal(open_graph(&f, words, SECTION_WORDS, true), OSC_OK);
    make_character(&c, &f);
    assert_int_equal(osc_graph_start(&c.graph), OSC_OK);
    values[SLEWED] = (int32_t)SPEED_ONE;
    for (uint32_t step = 0; step < 2u; step++) {
        osc_graph_advance(&c.graph, values, step == 0u ? OSC_GRAPH_LONGEST_MOST_US : 0u);
        osc_graph_evaluate(&c.graph, &c.pose, 0);
        osc_compose(&f.bank, &c.pose, c.model);
        osc_graph_look(&c.graph, values, &c.pose, c.model, 0);
        values[SLEWED] = 0;
    }
    assert_int_equal(c.slews[0].value, SPEED_ONE);
    bank_free(&f.words);
}

/* In the time of its lag, a look comes half as near to a point that has moved along an axis. */
static void looks_follow_points_along_each_axis(void **state)
{
    (void)state;
    static character c;
    fixture f;
    uint32_t words[SECTION_WORDS];
    const uint32_t lag_us = 100000;
    memcpy(words, valid, sizeof words);
    words[LOOK(LAG_US)] = lag_us;
    words[LOOK(WITHIN_Q20)] = words[LOOK(BEYOND_Q20)] = 0u - OSC_ONE_Q20; /* it looks anywhere */
    assert_int_equal(open_graph(&f, words, SECTION_WORDS, true), OSC_OK);
    make_character(&c, &f);
    for (uint32_t axis = 0; axis < 3u; axis++) {
        const int32_t *const seen[3] = {&c.looks[0].point.x, &c.looks[0].point.y,
                                        &c.looks[0].point.z};
        int32_t values[VALUES] = {0};
        assert_int_equal(osc_graph_start(&c.graph), OSC_OK);
        osc_graph_evaluate(&c.graph, &c.pose, 0);
        osc_compose(&f.bank, &c.pose, c.model);
        osc_graph_look(&c.graph, values, &c.pose, c.model, lag_us);
        values[POINT + axis] = (int32_t)OSC_ONE_Q20;
        osc_graph_look(&c.graph, values, &c.pose, c.model, lag_us);
        for (uint32_t i = 0; i < 3u; i++)
            assert_in_range(*seen[i] + 16, i == axis ? OSC_ONE_Q20 / 2u : 16u,
                            i == axis ? OSC_ONE_Q20 / 2u + 32u : 16u);
    }
    bank_free(&f.words);
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
    assert_int_equal(c.slews[2].value, 1000000);
    bank_free(&f.words);
}

/* A graph of clips and cuts needs one function. */
static void clips_need_only_evaluation(void **state)
{
    (void)state;
    static character c;
    static const osc_graph_code clips_code = {.evaluate = osc_player_evaluate};
    static const uint32_t words[] = {0,
                                     1,
                                     2u | 1u << 16,
                                     0,
                                     1,
                                     1,
                                     0,
                                     250000,
                                     0,
                                     0,
                                     0,
                                     2u << 8 | 1u << 24,
                                     KIND_OF(0, OSC_GRAPH_NO_MASK, OSC_GRAPH_NO_PARAMETER),
                                     OSC_ONE_Q15,
                                     0,
                                     OSC_GRAPH_ANYTIME,
                                     WALK | OSC_GRAPH_NO_PARAMETER << 16,
                                     1,
                                     SPEED_ONE,
                                     1u << 16,
                                     0,
                                     0,
                                     JUMP | OSC_GRAPH_NO_PARAMETER << 16,
                                     1,
                                     SPEED_ONE,
                                     0,
                                     0,
                                     0,
                                     1u | OSC_GRAPH_CUT << 8,
                                     0,
                                     0,
                                     0,
                                     0,
                                     ATOM_OF(FINISHED, 0)};
    fixture f;
    assert_int_equal(open_graph(&f, words, sizeof words / sizeof words[0], false), OSC_OK);
    make_character(&c, &f);
    c.graph.code = &clips_code;
    assert_int_equal(osc_graph_start(&c.graph), OSC_OK);
    for (uint32_t step = 0; step < 40u; step++) {
        const int32_t nothing[1] = {0};
        osc_graph_advance(&c.graph, nothing, 16000);
        osc_graph_evaluate(&c.graph, &c.pose, 16000);
    }
    assert_int_equal(c.machines[0].state, 1);
    assert_int_not_equal(c.rotations[0][0].w, 0);
    bank_free(&f.words);
}

static uint32_t clock_questions;

bool __wrap_osc_playback_time_to(const osc_playback *playback, uint32_t position_q11,
                                 uint32_t *time_us);
bool __real_osc_playback_time_to(const osc_playback *playback, uint32_t position_q11,
                                 uint32_t *time_us);

bool __wrap_osc_playback_time_to(const osc_playback *playback, uint32_t position_q11,
                                 uint32_t *time_us)
{
    clock_questions++;
    return __real_osc_playback_time_to(playback, position_q11, time_us);
}

/* A bank cannot make a step expensive by a clip that comes to its watch each microsecond. */
static void moments_of_a_step_are_limited(void **state)
{
    (void)state;
    static character c;
    uint32_t words[SECTION_WORDS];
    int32_t values[VALUES] = {0};
    memcpy(words, valid, sizeof words);
    words[STATE(LOOPS, SPEED)] = 0x7fffffffu;
    words[STATE(LOOPS, LIST)] = 0;
    words[OSC_GRAPH_LONGEST_US] = OSC_GRAPH_LONGEST_MOST_US;
    fixture f;
    assert_int_equal(open_graph(&f, words, SECTION_WORDS, true), OSC_OK);
    make_character(&c, &f);
    assert_int_equal(osc_graph_start(&c.graph), OSC_OK);
    clock_questions = 0;
    osc_graph_advance(&c.graph, values, OSC_GRAPH_LONGEST_MOST_US);
    assert_int_equal(clock_questions, OSC_GRAPH_MOST_MOMENTS);
    assert_int_equal(c.machines[0].state_us, OSC_GRAPH_LONGEST_MOST_US);
    bank_free(&f.words);
}

static uint32_t random_word(uint32_t old, uint64_t *seed)
{
    static const uint32_t telling[] = {0,       1,          2,          0xff,      0xffff,
                                       0x10000, 0x7fffffff, 0x80000000, 0xffffffff};
    uint32_t choice = random_u32(seed), value = random_u32(seed);
    switch (choice & 3u) {
    case 0:
        return old ^ 1u << (value & 31u);
    case 1:
        return old + value % 9u - 4u;
    case 2:
        return valid[value % SECTION_WORDS];
    default:
        return telling[value % (sizeof telling / sizeof telling[0])];
    }
}

static void damaged_graphs_are_refused_or_play(void **state)
{
    (void)state;
    enum { TRIALS = 10000, LEAST_OPENED = 1000 };
    uint64_t seed = 2;
    uint32_t opened = 0, words[SECTION_WORDS];
    for (uint32_t trial = 0; trial < TRIALS; trial++) {
        memcpy(words, valid, sizeof words);
        for (uint32_t changes = random_u32(&seed) % 3u + 1u; changes != 0u; changes--) {
            uint32_t at = random_u32(&seed) % SECTION_WORDS;
            words[at] = random_word(words[at], &seed);
        }
        fixture f;
        if (open_graph(&f, words, SECTION_WORDS, true) == OSC_OK) {
            opened++;
            play(&f, 20, &seed);
        }
        bank_free(&f.words);
    }
    assert_true(opened >= LEAST_OPENED);
}

static void graphs_need_their_code(void **state)
{
    (void)state;
    static const int32_t no_values[2 * OSC_GRAPH_MOST_PARAMETERS] = {0};
    fixture f;
    static character c;
    assert_int_equal(open_graph(&f, valid, SECTION_WORDS, true), OSC_OK);
    make_character(&c, &f);
    assert_int_equal(osc_graph_fade_count(&f.graph), 0);
    assert_int_equal(osc_graph_matrix_count(&f.graph), 3); /* looks and limbs turn joints 0 to 2 */
    f.graph.limb_count = 0;
    assert_int_equal(osc_graph_matrix_count(&f.graph), 3);
    f.graph.look_count = 0;
    assert_int_equal(osc_graph_matrix_count(&f.graph), 0);
    osc_graph_code code = all_code;
    c.graph.code = &code;
    code.begin = 0;
    assert_int_equal(osc_graph_start(&c.graph), OSC_ERROR_LAYOUT);
    code = all_code;
    code.blends = 0;
    assert_int_equal(osc_graph_start(&c.graph), OSC_ERROR_LAYOUT);
    code = all_code;
    code.layers = 0;
    assert_int_equal(osc_graph_start(&c.graph), OSC_ERROR_LAYOUT);
    code = all_code;
    code.add = 0;
    assert_int_equal(osc_graph_start(&c.graph), OSC_OK);
    f.graph.needs |= OSC_GRAPH_NEEDS_ADDITIVE;
    assert_int_equal(osc_graph_start(&c.graph), OSC_ERROR_LAYOUT);
    f.graph.needs = OSC_GRAPH_NEEDS_FADES;
    code = all_code;
    code.blend = 0;
    assert_int_equal(osc_graph_start(&c.graph), OSC_ERROR_LAYOUT);
    code.fades = 0;
    assert_int_equal(osc_graph_start(&c.graph), OSC_ERROR_LAYOUT);
    code = all_code;
    code.pass_in_step = 0;
    assert_int_equal(osc_graph_start(&c.graph), OSC_OK);
    f.graph.more_needs = OSC_GRAPH_NEEDS_STEPS >> 8;
    assert_int_equal(osc_graph_start(&c.graph), OSC_ERROR_LAYOUT);
    code = all_code;
    code.positions = 0;
    assert_int_equal(osc_graph_start(&c.graph), OSC_OK);
    f.graph.more_needs = OSC_GRAPH_NEEDS_POSITIONS >> 8;
    assert_int_equal(osc_graph_start(&c.graph), OSC_ERROR_LAYOUT);
    code = all_code;
    c.graph.mirror = 0;
    assert_int_equal(osc_graph_start(&c.graph), OSC_OK);
    f.graph.needs |= OSC_GRAPH_NEEDS_MIRROR;
    assert_int_equal(osc_graph_start(&c.graph), OSC_ERROR_LAYOUT);
    c.graph.mirror = &no_mirror;
    code.mirror = 0;
    assert_int_equal(osc_graph_start(&c.graph), OSC_ERROR_LAYOUT);
    code = all_code;
    code.slew = 0;
    assert_int_equal(osc_graph_start(&c.graph), OSC_ERROR_LAYOUT);
    f.graph.slewed_count = 0;
    assert_int_equal(osc_graph_start(&c.graph), OSC_OK);
    osc_graph_advance(&c.graph, no_values, 1000);
    assert_int_equal(c.machines[0].state_us, 1000);
    code = all_code;
    code.events = 0;
    assert_int_equal(osc_graph_start(&c.graph), OSC_ERROR_LAYOUT);
    osc_trajectories trajectories;
    code = all_code;
    code.follow = 0;
    f.graph.trajectories = &trajectories;
    assert_int_equal(osc_graph_start(&c.graph), OSC_ERROR_LAYOUT);
    f.graph.trajectories = 0;
    code = all_code;
    assert_int_equal(osc_graph_start(&c.graph), OSC_OK);
    assert_int_equal(osc_graph_go(&c.graph, STATES, 0), OSC_ERROR_NOT_FOUND);
    assert_int_equal(osc_graph_go(&c.graph, STATES - 1u, 0), OSC_OK);
    bank_free(&f.words);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pose_plays_forever),
        cmocka_unit_test(clips_end_at_their_last_position),
        cmocka_unit_test(marks_are_reached_in_a_long_step),
        cmocka_unit_test(times_are_reached_in_a_long_step),
        cmocka_unit_test(numbers_are_not_consumed),
        cmocka_unit_test(the_mark_behind_a_clip_is_not_reached),
        cmocka_unit_test(any_values_and_times_are_played),
        cmocka_unit_test(unusual_graphs_play),
        cmocka_unit_test(layers_of_each_kind_play),
        cmocka_unit_test(machines_fade_on_their_own),
        cmocka_unit_test(a_fade_in_step_keeps_the_phase),
        cmocka_unit_test(machines_that_fade_play),
        cmocka_unit_test(machines_that_fade_in_step_play),
        cmocka_unit_test(mirror_images_are_mirrored),
        cmocka_unit_test(a_layer_fades_in_step),
        cmocka_unit_test(positions_follow_a_parameter),
        cmocka_unit_test(players_keep_their_clips),
        cmocka_unit_test(a_pool_replaces_players),
        cmocka_unit_test(layers_add_differences),
        cmocka_unit_test(a_weight_at_the_end_of_its_range_stays_for_a_step_without_time),
        cmocka_unit_test(two_slewed_numbers),
        cmocka_unit_test(clips_need_only_evaluation),
        cmocka_unit_test(moments_of_a_step_are_limited),
        cmocka_unit_test(looks_follow_points_along_each_axis),
        cmocka_unit_test(damaged_graphs_are_refused_or_play),
        cmocka_unit_test(graphs_need_their_code),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
