/* Steps of a graph: the clock of a clip, its marks, times and limits. */
#include "graph_play.h"

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

/* A clip of one frame that plays twice, and is watched, ends after a microsecond. */
static void a_watched_pose_ends_at_once(void **state)
{
    (void)state;
    enum { STEP_US = 1000 };
    static character c;
    fixture f;
    uint32_t words[SECTION_WORDS];
    const int32_t values[VALUES] = {0};
    memcpy(words, valid, sizeof words);
    words[STATE(LOOPS, CLIP)] = CLIP_OF(STILL, OSC_GRAPH_NO_PARAMETER);
    words[STATE(LOOPS, LOOPS)] = 2;
    words[STATE(LOOPS, WATCH)] = words[STATE(BACKWARD, WATCH)];
    words[TRANSITION(TO_JUMP, TARGET)] = TARGET_OF(BACKWARD, OSC_GRAPH_CUT, 13); /* finished */
    start_with(&c, &f, words);
    osc_graph_advance(&c.graph, values, STEP_US);
    assert_int_equal(c.machines[BASE].state, BACKWARD);
    assert_int_equal(c.machines[BASE].state_us, STEP_US - 1);
    bank_free(&f.words);
}

/* Short steps of a slow clip come to where a long one does. */
static void short_steps_lose_no_time(void **state)
{
    (void)state;
    enum { STEPS = 999, LONG_US = 11 * STEPS };
    static character c[2];
    uint32_t words[SECTION_WORDS];
    const int32_t values[VALUES] = {0};
    memcpy(words, valid, sizeof words);
    words[STATE(LOOPS, SPEED)] = SPEED_ONE / 2u + 1u;
    words[STATE(LOOPS, LIST)] = words[STATE(LOOPS, WATCH)] = 0;
    for (uint32_t i = 0; i < 2u; i++) {
        fixture f;
        start_with(&c[i], &f, words);
        for (uint32_t step = 0; step < (i == 0u ? 1u : STEPS); step++)
            osc_graph_advance(&c[i].graph, values, i == 0u ? LONG_US : LONG_US / STEPS);
        bank_free(&f.words);
    }
    assert_memory_equal(&c[0].machines[BASE], &c[1].machines[BASE], sizeof c[0].machines[BASE]);
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

    words[STATE(BACKWARD, SPEED)] = 0u - SPEED_ONE;
    words[TRANSITION(TO_JUMP, START_Q11)] = 0;
    start_with(&c, &f, words);
    osc_graph_advance(&c.graph, values, 0);
    assert_int_equal(c.machines[0].taken, TO_LOOPS);
    bank_free(&f.words);

    words[STATE(BACKWARD, SPEED)] = 0;
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

/* A clip that begins at a watch comes to the next one. */
static void the_watch_behind_the_first_one_is_reached(void **state)
{
    (void)state;
    enum { FRAME_US = 33333, STEP_US = 100000 };
    static character c;
    fixture f;
    uint32_t words[SECTION_WORDS];
    int32_t values[VALUES] = {[TRIGGER] = 1, [FLAG] = 1};
    memcpy(words, valid, sizeof words);
    words[TRANSITION(TO_JUMP, TARGET)] = TARGET_OF(LOOPS, OSC_GRAPH_CUT, 0); /* the trigger */
    words[TRANSITION(TO_JUMP, START_Q11)] = words[WATCH(0)];
    words[TRANSITION(TO_JUMP, HOLD_US)] = 0;
    words[TRANSITION(TO_DRIVEN, TARGET)] = TARGET_OF(DRIVEN, OSC_GRAPH_CUT, 4);
    words[ATOM(4)] = OSC_GRAPH_AT | 1u << 16; /* the start of a span, and the flag */
    words[STATE(DRIVEN, LIST)] = 0;
    start_with(&c, &f, words);
    osc_graph_advance(&c.graph, values, STEP_US);
    assert_int_equal(c.machines[0].state, DRIVEN);
    assert_in_range(c.machines[0].state_us, STEP_US - FRAME_US - 2, STEP_US - FRAME_US + 2);
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

/* A clip whose speed is a number plays forward: it begins a span where it is entered. */
static void a_driven_clip_begins_a_span_once(void **state)
{
    (void)state;
    static character c;
    fixture f;
    uint32_t words[SECTION_WORDS];
    const int32_t values[VALUES] = {[NUMBER] = (int32_t)SPEED_ONE, [FLAG] = 1};
    memcpy(words, valid, sizeof words);
    words[TRANSITION(TO_DRIVEN, TARGET)] = TARGET_OF(DRIVEN, OSC_GRAPH_CUT, 5); /* the flag */
    words[TRANSITION(TO_DRIVEN, START_Q11)] = 4096; /* where the span begins */
    words[STATE(DRIVEN, LIST)] = 0;
    start_with(&c, &f, words);
    osc_graph_advance(&c.graph, values, 1000);
    assert_int_equal(c.machines[BASE].state, DRIVEN);
    assert_int_equal(c.graph.event_count, 1);
    assert_int_equal(c.events[0].name, 1);
    assert_int_equal(c.events[0].what, OSC_EVENT_BEGIN);
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

/* A step that ends just before a watch does not compute the time to it. */
static void only_a_watch_that_is_reached_takes_time(void **state)
{
    (void)state;
    enum { BEFORE_US = 33320, STEP_US = 20 }; /* a frame takes 33,333 us */
    static character c;
    const int32_t values[VALUES] = {0};
    fixture f;
    start_with(&c, &f, valid);
    clock_questions = 0;
    osc_graph_advance(&c.graph, values, BEFORE_US);
    assert_int_equal(c.machines[BASE].position_q11, valid[WATCH(0)] - 1u);
    assert_int_equal(clock_questions, 0);
    osc_graph_advance(&c.graph, values, STEP_US);
    assert_int_equal(clock_questions, 1);
    assert_int_equal(osc_graph_go(&c.graph, BACKWARD, 0), OSC_OK); /* from its end */
    osc_graph_advance(&c.graph, values, BEFORE_US);
    assert_in_range(c.machines[BASE].position_q11, valid[WATCH(3)] + 1u, JUMP_END - 1u);
    assert_int_equal(clock_questions, 1);
    bank_free(&f.words);
}

/* A blend without watches does not stop at its marks. */
static void a_blend_stops_only_for_watches(void **state)
{
    (void)state;
    enum { STEPS = 8, STEP_US = 250000 };
    for (uint32_t watches = 0; watches < 2u; watches++) {
        static character c;
        fixture f;
        uint32_t words[SECTION_WORDS];
        const int32_t values[VALUES] = {[FLAG] = 1};
        memcpy(words, valid, sizeof words);
        words[STATE(BLEND, WATCH)] *= watches;
        words[TRANSITION(TO_LOOPS, TARGET)] = TARGET_OF(LOOPS, OSC_GRAPH_CUT, 4);
        words[ATOM(4)] = OSC_GRAPH_AT | 1u << 16; /* the start of a span, and the flag */
        words[STATE(LOOPS, LIST)] = 0;
        start_with(&c, &f, words);
        assert_int_equal(osc_graph_go(&c.graph, BLEND, 0), OSC_OK);
        for (uint32_t step = 0; step < STEPS; step++)
            osc_graph_advance(&c.graph, values, STEP_US);
        assert_int_equal(c.machines[BASE].state, watches != 0u ? LOOPS : BLEND);
        bank_free(&f.words);
    }
}

/* A blend plays forever, also after a clip that has ended. */
static void a_blend_does_not_finish(void **state)
{
    (void)state;
    static character c;
    fixture f;
    uint32_t words[SECTION_WORDS];
    const int32_t values[VALUES] = {0};
    memcpy(words, valid, sizeof words);
    words[STATE(BACKWARD, LIST)] = 0;
    start_with(&c, &f, words);
    assert_int_equal(osc_graph_go(&c.graph, BACKWARD, 0), OSC_OK);
    for (uint32_t step = 0; step < 2u; step++)
        osc_graph_advance(&c.graph, values, 250000);
    assert_int_equal(c.machines[BASE].loops_left, 0);
    assert_int_equal(osc_graph_go(&c.graph, BLEND, 0), OSC_OK);
    osc_graph_advance(&c.graph, values, 1000);
    assert_int_equal(c.machines[BASE].state, BLEND);
    bank_free(&f.words);
}

/* A clip begins without what the blend before it and the clip before that have left. */
static void a_clip_begins_anew(void **state)
{
    (void)state;
    static character c;
    fixture f;
    const osc_graph_machine *machine = &c.machines[BASE];
    const int32_t values[VALUES] = {[SLEWED] = (int32_t)SPEED_ONE};
    start_with(&c, &f, valid);
    assert_int_equal(osc_graph_go(&c.graph, BLEND, 0), OSC_OK);
    for (uint32_t step = 0; step < 8u; step++)
        osc_graph_advance(&c.graph, values, 200000);
    assert_int_equal(machine->leader, 1);
    assert_int_not_equal(machine->phase.mark, 0);
    assert_int_equal(osc_graph_go(&c.graph, BACKWARD, 0), OSC_OK);
    osc_graph_advance(&c.graph, values, 0);
    assert_int_equal(machine->leader, 0);
    assert_int_equal(machine->phase.mark | machine->phase.fraction_q20, 0);
    assert_int_equal(machine->members[0] | machine->weights_q15[0], 0);
    osc_graph_advance(&c.graph, values, 1001);
    assert_int_not_equal(machine->time_fraction_q16, 0);
    assert_int_equal(osc_graph_go(&c.graph, LOOPS, 0), OSC_OK);
    osc_graph_advance(&c.graph, values, 0);
    assert_int_equal(machine->time_fraction_q16, 0);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pose_plays_forever),
        cmocka_unit_test(a_watched_pose_ends_at_once),
        cmocka_unit_test(short_steps_lose_no_time),
        cmocka_unit_test(clips_end_at_their_last_position),
        cmocka_unit_test(marks_are_reached_in_a_long_step),
        cmocka_unit_test(times_are_reached_in_a_long_step),
        cmocka_unit_test(the_watch_behind_the_first_one_is_reached),
        cmocka_unit_test(the_mark_behind_a_clip_is_not_reached),
        cmocka_unit_test(spans_end_at_their_start_if_played_backward),
        cmocka_unit_test(the_mark_at_the_only_position_is_reported),
        cmocka_unit_test(a_driven_clip_begins_a_span_once),
        cmocka_unit_test(the_end_of_a_loop_is_no_other_mark),
        cmocka_unit_test(a_cut_takes_no_time),
        cmocka_unit_test(a_request_takes_its_time),
        cmocka_unit_test(moments_of_a_step_are_limited),
        cmocka_unit_test(only_a_watch_that_is_reached_takes_time),
        cmocka_unit_test(a_blend_stops_only_for_watches),
        cmocka_unit_test(a_blend_does_not_finish),
        cmocka_unit_test(a_clip_begins_anew),
        cmocka_unit_test(switches_of_a_step_are_limited),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
