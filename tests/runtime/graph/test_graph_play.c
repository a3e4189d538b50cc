/* Animation graphs play with any values and times, whatever their sections contain. */
#include "graph_section.h"
#include "osc_ik.h"

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
        const osc_graph_event *mark = &c.events[loop]; /* after the end of a span */
        assert_int_equal(mark->name | mark->what, 0);
        assert_int_equal(mark->state, LOOPS);
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

/* Plays the jump backward from a mark, as far as the start of its span or into it, and returns the
 * state in which that ends. Its watch is the start of the span. */
static uint32_t state_after_playing_backward(character *c, uint32_t condition)
{
    enum { MARK = 6144, SPAN_Q11 = 1024, STEP_US = 240000 };
    fixture f;
    uint32_t words[SECTION_WORDS];
    int32_t values[VALUES] = {0};
    memcpy(words, valid, sizeof words);
    words[STATE(LOOPS, WATCH)] = 0;
    words[WATCH(3)] = SPAN_Q11;
    words[TRANSITION(TO_JUMP, START_Q11)] = MARK;
    words[TRANSITION(TO_JUMP, HOLD_US)] = 0;
    words[ATOM(4)] = condition;
    start_with(c, &f, words);
    values[TRIGGER] = values[FLAG] = 1;
    osc_graph_advance(&c->graph, values, STEP_US);
    bank_free(&f.words);
    return c->machines[0].state;
}

/* A span that a clip has played backward to its start is over, and no other mark is there. */
static void spans_end_at_their_start_if_played_backward(void **state)
{
    (void)state;
    enum { US = 2 * 41666 * 5 / 2, REST_US = 240000 - US };
    static character c;
    const uint32_t outside = OSC_GRAPH_INSIDE | OSC_GRAPH_ATOM_NOT | 1u << 16;
    assert_int_equal(state_after_playing_backward(&c, outside), LOOPS);
    assert_in_range(c.machines[0].state_us, REST_US - 50, REST_US + 50);
    assert_int_equal(c.graph.event_count, 2);
    assert_int_equal(c.events[0].what & ~OSC_GRAPH_EVENT_LATE, OSC_EVENT_BEGIN);
    assert_int_equal(c.events[1].what, OSC_EVENT_END);
    assert_int_equal(state_after_playing_backward(&c, OSC_GRAPH_AT | 0u << 16), BACKWARD);
    assert_int_equal(state_after_playing_backward(&c, OSC_GRAPH_AT | 1u << 16), BACKWARD);
}

/* A clip that begins where it ends reports the mark there. */
static void the_mark_at_the_only_position_is_reported(void **state)
{
    (void)state;
    static character c;
    fixture f;
    uint32_t words[SECTION_WORDS];
    int32_t values[VALUES] = {0};
    memcpy(words, valid, sizeof words);
    words[TRANSITION(TO_JUMP, START_Q11)] = 0;
    words[STATE(BACKWARD, LIST)] = 0;
    start_with(&c, &f, words);
    values[TRIGGER] = 1;
    for (uint32_t step = 0; step < 2u; step++) {
        osc_graph_advance(&c.graph, values, 1000);
        values[TRIGGER] = 0;
        assert_int_equal(c.machines[0].state, BACKWARD);
        assert_int_equal(c.graph.event_count, 1u - step);
    }
    assert_int_equal(c.events[0].name, 0);
    assert_int_equal(c.events[0].state, BACKWARD);
    assert_int_equal(c.events[0].what, OSC_EVENT_ONCE);
    bank_free(&f.words);
}

/* A loop that has reached the end of its clip has passed no mark before it. */
static void the_end_of_a_loop_is_no_other_mark(void **state)
{
    (void)state;
    enum { STEPS = 16, STEP_US = 20000 };
    static character c;
    fixture f;
    uint32_t words[SECTION_WORDS];
    int32_t values[VALUES] = {0};
    memcpy(words, valid, sizeof words);
    words[STATE(LOOPS, WATCH)] = 1u | 1u << 16;
    words[STATE(LOOPS, SPEED)] = SPEED_ONE + 1234u;
    words[WATCH(1)] = WALK_END;
    words[TRANSITION(TO_JUMP, TARGET)] = TARGET_OF(BACKWARD, OSC_GRAPH_CUT, 4); /* mark, flag */
    words[TRANSITION(TO_DRIVEN, TARGET)] = TARGET_OF(DRIVEN, OSC_GRAPH_CUT, 4);
    start_with(&c, &f, words);
    values[FLAG] = 1;
    for (uint32_t step = 0; step < STEPS; step++)
        osc_graph_advance(&c.graph, values, STEP_US);
    assert_int_equal(c.machines[0].state, LOOPS);
    assert_int_equal(c.machines[0].state_us, STEPS * STEP_US);
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

static uint32_t started_clips;

int32_t __wrap_osc_player_start(osc_player *player, uint32_t clip, osc_play_mode mode);
int32_t __real_osc_player_start(osc_player *player, uint32_t clip, osc_play_mode mode);

int32_t __wrap_osc_player_start(osc_player *player, uint32_t clip, osc_play_mode mode)
{
    started_clips++;
    return __real_osc_player_start(player, clip, mode);
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

/* Both states of a fade keep their clips, if they play as many as they may. */
static void states_that_fade_have_players_of_their_own(void **state)
{
    (void)state;
    static character c;
    fixture f;
    uint32_t words[SECTION_WORDS];
    int32_t values[VALUES] = {0};
    let_fade(words);
    words[STATE(BACKWARD, CLIP)] = CLIP_OF(STILL, OSC_GRAPH_NO_PARAMETER);
    words[STATE(BACKWARD, LIST)] = words[STATE(BACKWARD, WATCH)] = 0;
    words[TRANSITION(TO_LOOPS, TARGET)] = TARGET_OF(BACKWARD, OSC_GRAPH_FADE, 5); /* flag */
    words[TRANSITION(TO_JUMP, START_Q11)] = 0;
    start_with(&c, &f, words);
    assert_int_equal(osc_graph_go(&c.graph, BLEND, 0), OSC_OK);
    started_clips = 0;
    for (uint32_t step = 0; step < 10u; step++) {
        values[FLAG] = step >= 5u;
        osc_graph_advance(&c.graph, values, 16000);
        osc_graph_evaluate(&c.graph, &c.pose, 16000);
        assert_int_equal(started_clips, step < 5u ? 2u : 3u);
    }
    assert_int_equal(c.machines[BASE].state, BACKWARD);
    bank_free(&f.words);
}

/* A cut takes no time, whatever its transition states. */
static void a_cut_takes_no_time(void **state)
{
    (void)state;
    static character c;
    fixture f;
    uint32_t words[SECTION_WORDS];
    int32_t values[VALUES] = {0};
    memcpy(words, valid, sizeof words);
    words[TRANSITION(TO_JUMP, TARGET)] = TARGET_OF(BACKWARD, OSC_GRAPH_CUT, 0);
    start_with(&c, &f, words);
    values[TRIGGER] = 1;
    osc_graph_advance(&c.graph, values, 1000);
    assert_int_equal(c.machines[BASE].state, BACKWARD);
    assert_int_equal(c.machines[BASE].switch_us, 0);
    bank_free(&f.words);
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

/* A layer that was hidden begins anew, without the fade that it had. */
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
    assert_int_equal(osc_graph_pose_count(&f.graph), 3); /* of a layer that fades and blends */
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

static uint32_t blended_q15, blended_poses;

static void note_blend(const osc_bank *bank, const osc_pose *pose, const osc_pose *other,
                       uint32_t weight_q15, const uint16_t *mask_q15)
{
    assert_non_null(bank);
    assert_null(mask_q15);
    assert_ptr_not_equal(pose, other);
    blended_q15 = weight_q15;
    blended_poses++;
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

/* A layer that adds differences has no other mix. */
static void check_added(const fixture *f)
{
    static character c;
    const int32_t values[VALUES] = {0};
    osc_graph_code code = all_code;
    make_character(&c, f);
    code.add = note_blend;
    code.blend = 0;
    c.graph.code = &code;
    assert_int_equal(osc_graph_start(&c.graph), OSC_OK);
    assert_int_equal(osc_graph_go(&c.graph, SHOT, 0), OSC_OK);
    osc_graph_advance(&c.graph, values, 1000);
    blended_poses = 0;
    osc_graph_evaluate(&c.graph, &c.pose, 1000);
    assert_int_equal(blended_poses, c.machines[LAYER].weight_q15 != 0u);
    assert_int_equal(blended_q15, c.machines[LAYER].weight_q15);
    assert_int_equal(blended_poses, 1);
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
    words[MACHINE(LAYER, WHILE)] = OSC_GRAPH_ANYTIME;
    words[STATE(SHOT, WATCH)] = 0;
    assert_int_equal(open_graph(&f, words, SECTION_WORDS, true), OSC_ERROR_SECTION);
    f.words.words[bank_section(&f.words, 1) + 1u + RATES * OSC_RATE_WORDS +
                  POSE * OSC_CLIP_ENTRY_WORDS + OSC_CLIP_SHAPE] |= OSC_CLIP_ADDITIVE;
    bank_seal(&f.words);
    assert_int_equal(bank_open(&f.words, &f.bank), OSC_OK);
    assert_int_equal(osc_graph_open(&f.graph, &f.bank, &f.events, 0), OSC_OK);
    check_added(&f);
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
        for (uint32_t look = 0; look < 2u; look++) { /* it begins there, and stays */
            osc_graph_look(&c.graph, values, &c.pose, c.model, lag_us);
            assert_int_equal(c.looks[0].point.x | c.looks[0].point.y | c.looks[0].point.z, 0);
        }
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
    assert_int_equal(osc_graph_pose_count(&f.graph), 0);
    assert_int_equal(osc_graph_player_count(&f.graph), 1);
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

/* Only what belongs to a character is written when it starts and appears elsewhere. */
static void the_memory_of_others_is_untouched(void **state)
{
    (void)state;
    enum { MARK = 0x5a };
    static character c, before;
    const osc_placement place = {1, 2, 3, 4};
    fixture f;
    assert_int_equal(open_graph(&f, valid, SECTION_WORDS, true), OSC_OK);
    make_character(&c, &f);
    memset(c.machines, MARK, sizeof c.machines);
    memset(c.ages_us, MARK, sizeof c.ages_us);
    memset(c.slews, MARK, sizeof c.slews);
    memset(c.transitions, MARK, sizeof c.transitions);
    memset(c.looks, MARK, sizeof c.looks);
    memset(c.limbs, MARK, sizeof c.limbs);
    before = c;
    assert_int_equal(osc_graph_start(&c.graph), OSC_OK);
    osc_graph_appear(&c.graph, &place);
    assert_memory_equal(c.machines + MACHINES, before.machines + MACHINES, sizeof *c.machines);
    assert_memory_equal(c.ages_us + WAITS, before.ages_us + WAITS, sizeof *c.ages_us);
    assert_memory_equal(c.slews + 1, before.slews + 1, sizeof *c.slews);
    assert_memory_equal(c.transitions + 1, before.transitions + 1, sizeof *c.transitions);
    assert_memory_equal(c.looks + LOOKS, before.looks + LOOKS, sizeof *c.looks);
    assert_memory_equal(c.limbs + LIMBS, before.limbs + LIMBS, sizeof *c.limbs);
    assert_int_equal(c.ages_us[WAITS - 1], OSC_GRAPH_NOT_PENDING);
    const int32_t values[VALUES] = {[TRIGGER] = 1};
    osc_graph_advance(&c.graph, values, 1000);
    assert_memory_equal(c.ages_us + WAITS, before.ages_us + WAITS, sizeof *c.ages_us);
    bank_free(&f.words);
}

/* What the game requests takes its time, and begins a blend at its first mark. */
static void a_request_takes_its_time(void **state)
{
    (void)state;
    enum { OVER_US = 12345 };
    static character c;
    fixture f;
    int32_t values[VALUES] = {0};
    start_with(&c, &f, valid);
    osc_graph_advance(&c.graph, values, 16000);
    assert_int_equal(osc_graph_go(&c.graph, BLEND, OVER_US), OSC_OK);
    osc_graph_advance(&c.graph, values, 1000);
    assert_int_equal(c.machines[BASE].state, BLEND);
    assert_int_equal(c.machines[BASE].switch_us, OVER_US);
    assert_int_equal(c.machines[BASE].switch_from_q11, 0);
    values[SLEWED] = (int32_t)SPEED_ONE;
    osc_graph_advance(&c.graph, values, 1000);
    assert_in_range(c.machines[BASE].weights_q15[0], 16200, 16384); /* the number is on its way */
    assert_int_equal(osc_graph_go(&c.graph, LOOPS, 0xffffffffu), OSC_OK);
    osc_graph_advance(&c.graph, values, 1000);
    assert_int_equal(c.machines[BASE].switch_us, OSC_TRANSITION_MAX_US);
    bank_free(&f.words);
}

/* Two states that leave each other each millisecond do so a limited number of times in a step, and
 * then no position is looked for. */
static void switches_of_a_step_are_limited(void **state)
{
    (void)state;
    enum { AFTER_US = 1000, STEP_US = 200000 };
    static character c;
    uint32_t words[SECTION_WORDS];
    int32_t values[VALUES] = {0};
    memcpy(words, valid, sizeof words);
    words[TRANSITION(TO_JUMP, TARGET)] = TARGET_OF(BACKWARD, OSC_GRAPH_CUT, 1); /* after */
    words[TRANSITION(TO_JUMP, START_Q11)] = 1024;
    words[TRANSITION(TO_JUMP, HOLD_US)] = 0;
    words[TRANSITION(TO_LOOPS, TARGET)] = TARGET_OF(LOOPS, OSC_GRAPH_CUT, 5); /* at once */
    words[WATCH(2)] = words[ATOM(2)] = AFTER_US;
    fixture f;
    start_with(&c, &f, words);
    clock_questions = 0;
    values[FLAG] = 1;
    assert_int_equal(osc_graph_go(&c.graph, LOOPS, 0), OSC_OK);
    osc_graph_advance(&c.graph, values, STEP_US);
    assert_int_equal(c.now.switches, OSC_GRAPH_MOST_SWITCHES);
    assert_int_equal(c.machines[BASE].state, BACKWARD);
    assert_int_equal(c.machines[BASE].state_us, STEP_US - OSC_GRAPH_MOST_SWITCHES / 2u * AFTER_US);
    assert_int_equal(clock_questions, 0);
    bank_free(&f.words);
}

static void reach_again(character *c, const int32_t *values, uint32_t elapsed_us)
{
    osc_graph_evaluate(&c->graph, &c->pose, 0);
    osc_compose(c->graph.graph->bank, &c->pose, c->model);
    osc_graph_reach(&c->graph, values, &c->pose, c->model, elapsed_us);
}

static uint32_t aimed_chains;

bool __wrap_osc_ik_aim(const osc_ik_chain *chain, const osc_ik_look *look, const osc_matrix *model,
                       const osc_pose *pose);
bool __real_osc_ik_aim(const osc_ik_chain *chain, const osc_ik_look *look, const osc_matrix *model,
                       const osc_pose *pose);

bool __wrap_osc_ik_aim(const osc_ik_chain *chain, const osc_ik_look *look, const osc_matrix *model,
                       const osc_pose *pose)
{
    aimed_chains++;
    return __real_osc_ik_aim(chain, look, model, pose);
}

/* Each of two chains looks in its own time, and begins where the point is. */
static void two_chains_look(void **state)
{
    (void)state;
    enum { FADE_US = 400000, LAG_US = 100000, LONG_US = 250000, AT_Q20 = 12345 };
    static character c;
    fixture f;
    uint32_t looks[3][OSC_GRAPH_LOOK_WORDS];
    int32_t values[VALUES] = {0};
    start_with(&c, &f, valid);
    for (uint32_t i = 0; i < 3u; i++) { /* the first is that of another bank */
        memcpy(looks[i], valid + LOOK(KIND), sizeof looks[i]);
        looks[i][OSC_GRAPH_LOOK_FADE_US] = i * FADE_US / 2u;
        looks[i][OSC_GRAPH_LOOK_WITHIN_Q20] = 0u - OSC_ONE_Q20;
    }
    looks[2][OSC_GRAPH_LOOK_LAG_US] = 0;
    looks[2][OSC_GRAPH_LOOK_KIND] += (OSC_GRAPH_MOST_LINKS - LINKS) << 16;
    f.graph.looks = looks[1];
    f.graph.look_count = 2;
    for (uint32_t step = 0; step < 2u; step++) {
        values[POINT + 1] = (int32_t)(step + 1u) * AT_Q20;
        osc_graph_evaluate(&c.graph, &c.pose, 0);
        osc_compose(&f.bank, &c.pose, c.model);
        osc_graph_look(&c.graph, values, &c.pose, c.model, step == 0u ? LONG_US : LAG_US);
        assert_int_equal(c.looks[0].envelope_us, FADE_US / 2);
        assert_int_equal(c.looks[1].envelope_us, LONG_US + step * LAG_US);
        assert_in_range(c.looks[0].point.y, AT_Q20 + (int32_t)step * AT_Q20 / 2 - 1,
                        AT_Q20 + (int32_t)step * AT_Q20 / 2 + 1);
        assert_int_equal(c.looks[1].point.y, values[POINT + 1]);
    }
    values[POINT + 1] = 0;
    osc_graph_look(&c.graph, values, &c.pose, c.model, 0);
    assert_int_equal(c.looks[1].point.y, 0); /* without a lag in no time */

    const int32_t *m = c.model[valid[LOOK(LINKS)] & 0xffffu].m;
    looks[2][OSC_GRAPH_LOOK_WITHIN_Q20] = OSC_ONE_Q20 / 2u;
    looks[2][OSC_GRAPH_LOOK_BEYOND_Q20] = 0;
    looks[1][OSC_GRAPH_LOOK_WEIGHT] = 0;
    aimed_chains = 0;
    for (uint32_t k = 0; k < 3u; k++) /* beside the eyes: at the limit */
        values[POINT + k] = m[4u * k + 3u];
    osc_graph_look(&c.graph, values, &c.pose, c.model, LAG_US);
    assert_int_equal(c.looks[1].envelope_us, LONG_US + LAG_US);
    assert_int_equal(aimed_chains, 1);
    bank_free(&f.words);
}

/* Eyes may be along any direction: a point is ahead of them if it is there. */
static void eyes_are_along_any_direction(void **state)
{
    (void)state;
    static const int8_t directions[][2][3] = {
        {{0, 0, -1}, {0, 0, -1}}, {{-1, 0, 0}, {-1, 0, 0}},
        {{0, -1, 0}, {0, -1, 0}}, {{1, 0, 1}, {0, 0, 1}},
        {{0, 1, 1}, {0, 0, 1}},   {{1, 1, 0}, {0, 1, 0}},
        {{1, 0, 0}, {1, 0, 0}},   {{0, 1, 0}, {0, 1, 0}},
        {{0, 0, 1}, {0, 0, 0}}}; /* in the joint: beside them */
    for (uint32_t i = 0; i < sizeof directions / sizeof directions[0]; i++) {
        static character c;
        fixture f;
        uint32_t words[SECTION_WORDS];
        int32_t values[VALUES] = {0};
        memcpy(words, valid, sizeof words);
        for (uint32_t k = 0; k < 3u; k++)
            words[LOOK(FORWARD) + k] = (uint32_t)directions[i][0][k] * OSC_ONE_Q20;
        words[LOOK(WITHIN_Q20)] = 0;
        start_with(&c, &f, words);
        osc_graph_evaluate(&c.graph, &c.pose, 0);
        osc_compose(&f.bank, &c.pose, c.model);
        const int32_t *m = c.model[words[LOOK(LINKS)] & 0xffffu].m;
        for (uint32_t k = 0; k < 3u; k++, m += 4)
            values[POINT + k] =
                m[3] + 8 * (m[0] * directions[i][1][0] + m[1] * directions[i][1][1] +
                            m[2] * directions[i][1][2]);
        osc_graph_look(&c.graph, values, &c.pose, c.model, 16000);
        assert_int_equal(c.looks[0].envelope_us, 16000);
        bank_free(&f.words);
    }
}

/* A look that takes no time has its whole weight at once. */
static void a_look_may_take_no_time(void **state)
{
    (void)state;
    static character c[2];
    for (uint32_t fade_us = 0; fade_us < 2u; fade_us++) {
        fixture f;
        uint32_t words[SECTION_WORDS];
        int32_t values[VALUES] = {[POINT] = OSC_ONE_Q20};
        memcpy(words, valid, sizeof words);
        words[LOOK(FADE_US)] = fade_us;
        words[LOOK(WITHIN_Q20)] = 0u - OSC_ONE_Q20;
        start_with(&c[fade_us], &f, words);
        osc_graph_evaluate(&c[fade_us].graph, &c[fade_us].pose, 0);
        osc_compose(&f.bank, &c[fade_us].pose, c[fade_us].model);
        const osc_quaternion before = c[fade_us].rotations[0][0];
        osc_graph_look(&c[fade_us].graph, values, &c[fade_us].pose, c[fade_us].model, 1000);
        assert_memory_not_equal(&before, &c[fade_us].rotations[0][0], sizeof before);
        bank_free(&f.words);
    }
    assert_memory_equal(c[0].rotations[0], c[1].rotations[0], sizeof c[0].rotations[0]);
}

static osc_ik_goal reached;

bool __wrap_osc_ik_two_bone(const osc_ik_limb *limb, const osc_ik_goal *goal,
                            const osc_matrix *model, const osc_pose *pose);
bool __real_osc_ik_two_bone(const osc_ik_limb *limb, const osc_ik_goal *goal,
                            const osc_matrix *model, const osc_pose *pose);

bool __wrap_osc_ik_two_bone(const osc_ik_limb *limb, const osc_ik_goal *goal,
                            const osc_matrix *model, const osc_pose *pose)
{
    reached = *goal;
    return __real_osc_ik_two_bone(limb, goal, model, pose);
}

/* A limb reaches for a point and bends towards it, in each direction. */
static void limbs_bend_towards_their_points(void **state)
{
    (void)state;
    enum { FAR_Q20 = 64 * OSC_ONE_Q20, LEAST_Q20 = OSC_ONE_Q20 * 9 / 10 };
    static character c;
    fixture f;
    start_with(&c, &f, valid);
    for (uint32_t axis = 0; axis < 3u; axis++) {
        int32_t values[VALUES] = {0};
        values[POINT + axis] = FAR_Q20;
        reach_again(&c, values, 16000);
        const int32_t target[3] = {reached.target.x, reached.target.y, reached.target.z};
        const int32_t pole[3] = {reached.pole.x, reached.pole.y, reached.pole.z};
        assert_int_equal(target[axis], FAR_Q20);
        assert_true(pole[axis] > LEAST_Q20);
    }
    bank_free(&f.words);
}

/* A limb holds its end up to its distance, and then lets it go from there. */
static void an_end_is_held_up_to_a_distance(void **state)
{
    (void)state;
    enum { MOST_Q20 = OSC_ONE_Q20 / 2 };
    static character c;
    fixture f;
    const int32_t values[VALUES] = {0};
    start_with(&c, &f, valid);
    osc_graph_advance(&c.graph, values, 100000); /* into the span */
    reach_again(&c, values, 0);
    assert_int_equal(c.limbs[1].hold, OSC_GRAPH_LOCKED);
    c.now.place.x += MOST_Q20;
    reach_again(&c, values, 0);
    assert_int_equal(c.limbs[1].hold, OSC_GRAPH_LOCKED);
    c.now.place.x++;
    reach_again(&c, values, 0);
    assert_int_equal(c.limbs[1].hold, OSC_GRAPH_LET_GO);
    assert_int_equal(c.limbs[1].point.x, -(MOST_Q20 + 1));
    assert_int_equal(c.limbs[1].point.y, 0);
    assert_int_equal(c.limbs[1].point.z, 0);
    bank_free(&f.words);
}

/* ---- blends ---- */

static osc_placement step_moves;
static uint32_t followed_clip;

static void follow_so_far(const osc_graph *graph, uint32_t clip, const osc_step *passed,
                          osc_placement *place)
{
    (void)graph;
    assert_true(passed->from_q11 != passed->to_q11);
    followed_clip = clip;
    *place = step_moves;
}

/* A character comes to where a clip moves it, in each direction, also in a blend. */
static void clips_move_the_character(void **state)
{
    (void)state;
    static const osc_placement moves[] = {{9, 0, 0, 0}, {0, 9, 0, 0}, {0, 0, 9, 0}, {0, 0, 0, 9}};
    static const osc_trajectories trajectories;
    osc_graph_code code = all_code;
    code.follow = follow_so_far;
    for (uint32_t i = 0; i < 8u; i++) {
        static character c;
        fixture f;
        int32_t values[VALUES] = {[SLEWED] = 0 - (int32_t)SPEED_ONE};
        start_with(&c, &f, valid);
        f.graph.trajectories = &trajectories;
        c.graph.code = &code;
        osc_graph_advance(&c.graph, values, 0);
        if (i >= 4u)
            assert_int_equal(osc_graph_go(&c.graph, BLEND, 0), OSC_OK);
        step_moves = moves[0];
        for (uint32_t step = 0; step < 3u; step++) /* only the first clip remains in the blend */
            osc_graph_advance(&c.graph, values, 250000);
        const osc_placement before = c.now.place;
        step_moves = moves[i % 4u];
        followed_clip = NO_CLIP;
        osc_graph_advance(&c.graph, values, 1000);
        assert_int_equal(followed_clip, WALK);
        assert_int_equal(c.now.place.x - before.x, step_moves.x);
        assert_int_equal(c.now.place.y - before.y, step_moves.y);
        assert_int_equal(c.now.place.z - before.z, step_moves.z);
        assert_int_equal(c.now.place.yaw_q24 - before.yaw_q24, step_moves.yaw_q24);
        bank_free(&f.words);
    }
}

/* The second of two clips is added with its weight. */
static void clips_are_blended_by_their_weights(void **state)
{
    (void)state;
    enum { DISTANCE = 0xffff };
    static const int32_t at[] = {20000, DISTANCE / 2, 45535, DISTANCE};
    static const uint16_t weights_q15[] = {9794, 16384, 22974, 0}; /* less 1/64 of each */
    static character c;
    osc_graph_code code = all_code;
    fixture f;
    uint32_t words[SECTION_WORDS];
    int32_t values[VALUES] = {0};
    memcpy(words, valid, sizeof words);
    words[STATE(BLEND, BLEND)] = MEMBERS | (uint32_t)NUMBER << 8;
    words[MEMBER(0, AT)] = 0;
    words[MEMBER(1, AT)] = DISTANCE;
    start_with(&c, &f, words);
    code.blend = note_blend;
    c.graph.code = &code;
    assert_int_equal(osc_graph_go(&c.graph, BLEND, 0), OSC_OK);
    for (uint32_t i = 0; i < sizeof at / sizeof at[0]; i++) {
        values[NUMBER] = at[i];
        osc_graph_advance(&c.graph, values, 1000);
        blended_poses = 0;
        osc_graph_evaluate(&c.graph, &c.pose, 1000);
        assert_int_equal(blended_poses, weights_q15[i] != 0u);
        if (blended_poses != 0u)
            assert_int_equal(blended_q15, weights_q15[i]);
    }
    assert_int_equal(c.machines[BASE].members[0], 1);
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

/* What a graph states about its memory: one joint that looks, and the weights of a mask. */
static void joints_and_masks_are_read(void **state)
{
    (void)state;
    static const uint32_t look[OSC_GRAPH_LOOK_WORDS] = {0}; /* of joint 0 */
    static const uint16_t expected_q15[] = {0, OSC_ONE_Q15, OSC_ONE_Q15 / 2u, 7};
    uint16_t mask_q15[] = {7, 7, 7, 7};
    fixture f;
    assert_int_equal(open_graph(&f, valid, SECTION_WORDS, true), OSC_OK);
    osc_graph_read_mask(&f.graph, 0, mask_q15);
    assert_memory_equal(mask_q15, expected_q15, sizeof mask_q15);
    f.graph.looks = look;
    f.graph.limb_count = 0;
    assert_int_equal(osc_graph_matrix_count(&f.graph), 1);
    bank_free(&f.words);
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
    assert_int_equal(osc_graph_transition_count(&f.graph), 1);
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
        cmocka_unit_test(triggers_wait_for_their_longest_time),
        cmocka_unit_test(the_mark_behind_a_clip_is_not_reached),
        cmocka_unit_test(spans_end_at_their_start_if_played_backward),
        cmocka_unit_test(the_mark_at_the_only_position_is_reported),
        cmocka_unit_test(the_end_of_a_loop_is_no_other_mark),
        cmocka_unit_test(any_values_and_times_are_played),
        cmocka_unit_test(unusual_graphs_play),
        cmocka_unit_test(layers_of_each_kind_play),
        cmocka_unit_test(machines_fade_on_their_own),
        cmocka_unit_test(a_fade_in_step_keeps_the_phase),
        cmocka_unit_test(a_fade_begins_without_an_offset),
        cmocka_unit_test(fades_begin_with_nothing),
        cmocka_unit_test(a_fade_in_the_middle_of_a_step_moves_once),
        cmocka_unit_test(a_mark_is_reached_during_a_fade),
        cmocka_unit_test(a_mark_is_reached_in_step),
        cmocka_unit_test(states_that_fade_have_players_of_their_own),
        cmocka_unit_test(a_cut_takes_no_time),
        cmocka_unit_test(a_layer_ends_where_its_clip_is),
        cmocka_unit_test(a_layer_follows_two_switches_of_a_step),
        cmocka_unit_test(a_layer_closes),
        cmocka_unit_test(a_layer_that_loops_stays),
        cmocka_unit_test(a_layer_begins_without_a_fade),
        cmocka_unit_test(machines_that_fade_play),
        cmocka_unit_test(machines_that_fade_in_step_play),
        cmocka_unit_test(mirror_images_are_mirrored),
        cmocka_unit_test(a_layer_fades_in_step),
        cmocka_unit_test(positions_follow_a_parameter),
        cmocka_unit_test(players_keep_their_clips),
        cmocka_unit_test(a_pool_replaces_players),
        cmocka_unit_test(a_hidden_layer_forgets),
        cmocka_unit_test(layers_add_differences),
        cmocka_unit_test(a_weight_at_the_end_of_its_range_stays_for_a_step_without_time),
        cmocka_unit_test(two_slewed_numbers),
        cmocka_unit_test(slewed_numbers_arrive),
        cmocka_unit_test(clips_need_only_evaluation),
        cmocka_unit_test(moments_of_a_step_are_limited),
        cmocka_unit_test(the_memory_of_others_is_untouched),
        cmocka_unit_test(a_request_takes_its_time),
        cmocka_unit_test(switches_of_a_step_are_limited),
        cmocka_unit_test(two_chains_look),
        cmocka_unit_test(eyes_are_along_any_direction),
        cmocka_unit_test(a_look_may_take_no_time),
        cmocka_unit_test(limbs_bend_towards_their_points),
        cmocka_unit_test(an_end_is_held_up_to_a_distance),
        cmocka_unit_test(clips_move_the_character),
        cmocka_unit_test(clips_are_blended_by_their_weights),
        cmocka_unit_test(looks_follow_points_along_each_axis),
        cmocka_unit_test(damaged_graphs_are_refused_or_play),
        cmocka_unit_test(joints_and_masks_are_read),
        cmocka_unit_test(graphs_need_their_code),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
