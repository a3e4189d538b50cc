/* The section of animation graphs: each of its rules refuses, and its limits are accepted. */
#include "graph_section.h"

static int32_t status_with(const change *changed, bool with_events)
{
    uint32_t words[SECTION_WORDS];
    memcpy(words, valid, sizeof words);
    words[changed->at] = changed->word;
    return status_of(words, SECTION_WORDS, with_events);
}

static const change refused[] = {
    {HEADER(PARAMETERS), PARAMETERS | 1u << 8 | 1u << 16},
    {HEADER(PARAMETERS), PARAMETERS | 1u << 8 | 1u << 16 | 2u << 24},
    {HEADER(PARAMETERS), PARAMETERS | 1u << 8 | 1u << 16 | 9u << 24},
    {HEADER(MACHINES), MACHINES | WAITS << 8 | MASKS << 16 | 2u << 24},
    {HEADER(MACHINES), MACHINES | WAITS << 8 | MASKS << 16 | 9u << 24},
    {HEADER(MACHINES), 0u | WAITS << 8 | MASKS << 16},
    {HEADER(MACHINES), (OSC_GRAPH_MOST_MACHINES + 1u) | WAITS << 8 | MASKS << 16},
    {HEADER(MACHINES), MACHINES | (OSC_GRAPH_MOST_WAITS + 1u) << 8 | MASKS << 16},
    {HEADER(MACHINES), MACHINES | WAITS << 8 | (OSC_GRAPH_MOST_MASKS + 1u) << 16},
    {HEADER(PARAMETERS), PARAMETERS | 2u << 8 | 1u << 16},
    {HEADER(PARAMETERS), PARAMETERS | 0u << 8 | 1u << 16},
    {HEADER(PARAMETERS), PARAMETERS | 1u << 8 | 2u << 16},
    {HEADER(PARAMETERS), PARAMETERS | 1u << 8 | 0u << 16},
    {HEADER(PARAMETERS), PARAMETERS | 1u << 8 | 255u << 16},
    {HEADER(PARAMETERS), 255u | 1u << 8 | 1u << 16},
    {HEADER(STATES), 256u | TRANSITIONS << 16},
    {HEADER(STATES), 0u | TRANSITIONS << 16},
    {HEADER(STATES), STATES | 0xffffu << 16},
    {HEADER(STATES), STATES | (TRANSITIONS + 1u) << 16},
    {HEADER(MEMBERS), 0xffffffffu},
    {HEADER(LISTS), (LIST - 1u) | WATCHES << 16},
    {HEADER(LISTS), LIST | (WATCHES - 1u) << 16},
    {HEADER(LISTS), 0xffffffffu},
    {HEADER(ATOMS), (ATOMS - 1u) | 1u << 16},
    {HEADER(ATOMS), ATOMS | 2u << 16},
    {HEADER(NEEDS), (EVERY_NEED & ~OSC_GRAPH_NEEDS_INERTIA) | 20u << 16},
    {HEADER(NEEDS), (EVERY_NEED & ~OSC_GRAPH_NEEDS_BLENDS) | 20u << 16},
    {HEADER(NEEDS), (EVERY_NEED & ~OSC_GRAPH_NEEDS_LAYERS) | 20u << 16},
    {HEADER(NEEDS), EVERY_NEED | OSC_GRAPH_NEEDS_POSITIONS << 1 | 20u << 16},
    {HEADER(NEEDS), EVERY_NEED | (OSC_GRAPH_MOST_EVENTS + 1u) << 16},
    {HEADER(EXTRAS), LIMBS + 2u},
    {HEADER(EXTRAS), LIMBS | 1u << 8},
    {HEADER(LONGEST_US), 0},
    {HEADER(LONGEST_US), OSC_GRAPH_LONGEST_MOST_US + 1u},
    /* parameters */
    {PARAMETER(TRIGGER, KIND), OSC_GRAPH_FLAG},
    {PARAMETER(TRIGGER, KIND), OSC_GRAPH_TRIGGER | 1u << OSC_GRAPH_SLEW_SHIFT},
    {PARAMETER(TRIGGER, LEAST), 1},
    {PARAMETER(TRIGGER, MOST), OSC_GRAPH_TIME_MOST_US + 1u},
    {PARAMETER(TRIGGER, DEFAULT), 1},
    {PARAMETER(SLEWED, KIND), OSC_GRAPH_NUMBER},
    {PARAMETER(SLEWED, KIND), OSC_GRAPH_FLAG | 1u << OSC_GRAPH_SLEW_SHIFT},
    {PARAMETER(SLEWED, LEAST), SPEED_ONE},
    {PARAMETER(SLEWED, LEAST), 1},
    {PARAMETER(SLEWED, DEFAULT), SPEED_ONE + 1u},
    {PARAMETER(NUMBER, KIND), OSC_GRAPH_NUMBER | 1u << OSC_GRAPH_SLEW_SHIFT},
    {PARAMETER(NUMBER, KIND), OSC_GRAPH_TRIGGER},
    {PARAMETER(NUMBER, KIND), OSC_GRAPH_NUMBER + 1u},
    {PARAMETER(FLAG, LEAST), 0u - 1u},
    {PARAMETER(FLAG, MOST), 2},
    {PARAMETER(FLAG, DEFAULT), 2},
    {PARAMETER(CHOICE, MOST), 256},
    {PARAMETER(CHOICE, MOST), 0u - 1u},
    {PARAMETER(CHOICE, LEAST), 1},
    {PARAMETER(CHOICE, DEFAULT), 3},
    /* machines */
    {MACHINE(BASE, STATES), 1u | (uint32_t)BASE_STATES << 8 | 1u << 16 | 2u << 24},
    {MACHINE(BASE, STATES), (uint32_t)BASE_STATES << 8 | (uint32_t)NOTHING << 16 | 2u << 24},
    {MACHINE(BASE, STATES), (BASE_STATES - 1u) << 8 | 2u << 24},
    {MACHINE(BASE, STATES), 0u << 8 | 2u << 24},
    {MACHINE(BASE, STATES), (uint32_t)BASE_STATES << 8 | 1u << 24},
    {MACHINE(BASE, KIND), KIND_OF(2, OSC_GRAPH_NO_MASK, OSC_GRAPH_NO_PARAMETER)},
    {MACHINE(BASE, KIND), KIND_OF(4, OSC_GRAPH_NO_MASK, OSC_GRAPH_NO_PARAMETER)},
    {MACHINE(BASE, KIND), KIND_OF(1, OSC_GRAPH_NO_MASK, OSC_GRAPH_NO_PARAMETER)},
    {MACHINE(BASE, KIND), KIND_OF(7, OSC_GRAPH_NO_MASK, OSC_GRAPH_NO_PARAMETER)},
    {MACHINE(BASE, KIND), KIND_OF(5, 0, OSC_GRAPH_NO_PARAMETER)},
    {MACHINE(BASE, WHILE), 14},
    {MACHINE(LAYER, STATES), NOTHING | 1u << 8 | (uint32_t)NOTHING << 16 | 1u << 24},
    {MACHINE(LAYER, STATES), NOTHING | 3u << 8 | (uint32_t)NOTHING << 16 | 1u << 24},
    {MACHINE(LAYER, STATES), NOTHING | 2u << 8 | (uint32_t)BLEND << 16 | 1u << 24},
    {MACHINE(LAYER, STATES), NOTHING | 2u << 8 | (uint32_t)NOTHING << 16 | 2u << 24},
    {MACHINE(LAYER, KIND), KIND_OF(8, 0, OSC_GRAPH_NO_PARAMETER)},
    {MACHINE(LAYER, KIND), KIND_OF(OSC_GRAPH_MACHINE_FADES, 0, OSC_GRAPH_NO_PARAMETER)},
    {MACHINE(LAYER, KIND), KIND_OF(2, 0, OSC_GRAPH_NO_PARAMETER)},
    {MACHINE(LAYER, KIND), KIND_OF(0, MASKS, OSC_GRAPH_NO_PARAMETER)},
    {MACHINE(LAYER, KIND), KIND_OF(0, 0, NUMBER)}, /* up to 6 */
    {MACHINE(LAYER, KIND), KIND_OF(0, 0, SLEWED)}, /* from -1 */
    {MACHINE(LAYER, KIND), KIND_OF(0, 0, FLAG)},
    {MACHINE(LAYER, KIND), KIND_OF(0, 0, 0x1ff)},
    {MACHINE(LAYER, WEIGHT), OSC_ONE_Q15 + 1u},
    {MACHINE(LAYER, FADE_US), OSC_TRANSITION_MAX_US + 1u},
    {MACHINE(LAYER, WHILE), 12}, /* a trigger */
    {MACHINE(LAYER, WHILE), 13}, /* the end of a clip */
    {MACHINE(LAYER, WHILE), ATOMS},
    {WAIT(0), TRIGGER | (uint32_t)LAYER << 8},
    {WAIT(1), SLEWED | (uint32_t)LAYER << 8},
    {WAIT(1), TRIGGER | (uint32_t)MACHINES << 8},
    {MASK_WORD(0), OSC_ONE_Q15 + 1u},
    {MASK_WORD(1), (OSC_ONE_Q15 + 1u) << 16},
    {STATE(LOOPS, CLIP), CLIP_OF(WALK, OSC_GRAPH_NO_PARAMETER) | OSC_GRAPH_STATE_ONE_SHOT << 24},
    {STATE(SHOT, CLIP), CLIP_OF(JUMP, OSC_GRAPH_NO_PARAMETER) | 4u << 24},
    {STATE(SHOT, BLEND), MEMBERS | (uint32_t)SLEWED << 8}, /* a one-shot */
    {STATE(NOTHING, CLIP), CLIP_OF(JUMP, OSC_GRAPH_NO_PARAMETER) | OSC_GRAPH_STATE_NOTHING << 24},
    {STATE(NOTHING, LOOPS), 2},
    {STATE(NOTHING, SPEED), 0},
    {STATE(NOTHING, WATCH), 3u | 1u << 16},
    {STATE(NOTHING, LIST), 4u | 1u << 16}, /* to a state of the base */
    {TRANSITION(TO_NOTHING, START_Q11), 1},
    /* points and looks */
    {PARAMETER(POINT, KIND), OSC_GRAPH_FLAG},
    {PARAMETER(POINT, LEAST), 1},
    {PARAMETER(POINT, MOST), 2},
    {PARAMETER(POINT, DEFAULT), 1},
    {LOOK(KIND), CHOICE | OSC_GRAPH_NO_PARAMETER << 8 | (uint32_t)LINKS << 16},
    {LOOK(KIND), PARAMETERS | OSC_GRAPH_NO_PARAMETER << 8 | (uint32_t)LINKS << 16},
    {LOOK(KIND), POINT | (uint32_t)FLAG << 8 | (uint32_t)LINKS << 16},
    {LOOK(KIND), POINT | OSC_GRAPH_NO_PARAMETER << 8 | 0u << 16},
    {LOOK(KIND), POINT | OSC_GRAPH_NO_PARAMETER << 8 | 9u << 16},
    {LOOK(WEIGHT), OSC_ONE_Q15 + 1u},
    {LOOK(FADE_US), OSC_TRANSITION_MAX_US + 1u},
    {LOOK(LAG_US), OSC_TRANSITION_MAX_US + 1u},
    {LOOK(FORWARD), OSC_ONE_Q20 + 1u},
    {LOOK(UP), 0u - OSC_ONE_Q20 - 1u},
    {LOOK(LINKS), 3u},
    {LOOK(LINKS), 0u},
    {LOOK(LINKS), 2u | (OSC_ONE_Q15 + 1u) << 16},
    {LOOK(LINKS) + 1, OSC_ONE_Q15 + 1u},
    {LOOK(LINKS) + 2, 2u},
    /* limbs */
    {LIMB(0, KIND), LIMB_KIND_OF(CHOICE, OSC_GRAPH_NO_PARAMETER, POINT)},
    {LIMB(0, KIND), LIMB_KIND_OF(PARAMETERS, OSC_GRAPH_NO_PARAMETER, POINT)},
    {LIMB(0, KIND), LIMB_KIND_OF(POINT, FLAG, POINT)},
    {LIMB(0, KIND), LIMB_KIND_OF(POINT, OSC_GRAPH_NO_PARAMETER, CHOICE)},
    {LIMB(0, KIND), LIMB_KIND_OF(POINT, OSC_GRAPH_NO_PARAMETER, 0x100u | POINT)},
    {LIMB(1, SPAN), EVENT_NAMES},
    {LIMB(0, JOINTS), 1u | 1u << 16},
    {LIMB(0, JOINTS), 0u | 2u << 16},
    {LIMB(0, END), 3u},
    {LIMB(0, END), 2u | (OSC_ONE_Q15 + 1u) << 16},
    {LIMB(0, WEIGHT), OSC_ONE_Q15 + 1u},
    {LIMB(0, FADE_US), OSC_TRANSITION_MAX_US + 1u},
    {LIMB(0, AXIS), OSC_ONE_Q20 + 1u},
    {LIMB(1, AXIS) + 2, 0u - OSC_ONE_Q20 - 1u},
    /* states of one clip */
    {STATE(LOOPS, CLIP), CLIP_OF(NO_CLIP, OSC_GRAPH_NO_PARAMETER)},
    {STATE(LOOPS, CLIP), CLIP_OF(STILL, OSC_GRAPH_NO_PARAMETER)}, /* has no position 2048 */
    {STATE(LOOPS, CLIP), CLIP_OF(WALK, 0x1ffu)},
    {STATE(LOOPS, CLIP), CLIP_OF(WALK, PARAMETERS)},
    {STATE(LOOPS, CLIP), CLIP_OF(WALK, FLAG)},
    {STATE(LOOPS, CLIP), CLIP_OF(WALK, SLEWED)}, /* may be below 0 */
    {STATE(LOOPS, LOOPS), 0},
    {STATE(LOOPS, LIST), (LIST - 1u) | 2u << 16},
    {STATE(LOOPS, LIST), 1u | 0xffffu << 16},
    {STATE(LOOPS, LIST), 0xffffu},
    {STATE(LOOPS, WATCH), 0u | 3u << 16 | 1u << 24},
    {STATE(LOOPS, WATCH), (WATCHES - 1u) | 2u << 16},
    {STATE(LOOPS, WATCH), 0u | 64u << 16 | 1u << 24},
    {STATE(BACKWARD, WATCH), 2u | 1u << 16}, /* a position beyond the end */
    {LISTED(0), TO_DRIVEN | TO_JUMP << 16},
    {LISTED(0), TO_JUMP | TO_JUMP << 16},
    {LISTED(0), TO_JUMP | TRANSITIONS << 16},
    {LISTED(0), TRANSITIONS | TO_DRIVEN << 16},
    {WATCH(0), 4096},
    {WATCH(1), WALK_END + 1u},
    {WATCH(2), OSC_GRAPH_TIME_MOST_US + 1u},
    {WATCH(2), 0},
    /* blends */
    {STATE(BLEND, CLIP), CLIP_OF(WALK, SLEWED)},
    {STATE(BLEND, CLIP), CLIP_OF(JUMP, OSC_GRAPH_NO_PARAMETER)},
    {STATE(BLEND, LOOPS), 1},
    {STATE(BLEND, SPEED), 0},
    {STATE(BLEND, BLEND), 0u | (uint32_t)SLEWED << 8 | 1u << 16},
    {STATE(BLEND, BLEND), 17u | (uint32_t)SLEWED << 8},
    {STATE(BLEND, BLEND), MEMBERS | (uint32_t)SLEWED << 8 | 1u << 16},
    {STATE(BLEND, BLEND), MEMBERS | (uint32_t)FLAG << 8},
    {STATE(BLEND, BLEND), MEMBERS | (uint32_t)PARAMETERS << 8},
    {WATCH(4), 1},
    {MEMBER(0, CLIP), CLIP_OF(NO_CLIP, 0)},
    {MEMBER(0, CLIP), CLIP_OF(JUMP, 0)},
    {MEMBER(0, CLIP), CLIP_OF(STILL, 0)},
    {MEMBER(0, CLIP), CLIP_OF(WALK, MEMBERS)},
    {MEMBER(0, AT), SPEED_ONE},
    {MEMBER(0, AT), SPEED_ONE + 1u},
    {SYNC(0, END_Q11), WALK_END + 1u},
    {SYNC(0, FRAME_US), 0},
    {SYNC(0, COUNT), 0},
    {SYNC(0, COUNT), 9},
    {SYNC(0, COUNT), 4}, /* 4096, 12288, 0, 0 descends twice */
    {SYNC(0, MARKS_Q11), 12288},
    {SYNC(0, MARKS_Q11), WALK_END},
    /* transitions */
    {TRANSITION(TO_JUMP, TARGET), TARGET_OF(STATES, OSC_GRAPH_INERTIA, 0)},
    {TRANSITION(TO_JUMP, TARGET), TARGET_OF(JUMP, OSC_GRAPH_STEP + 1u, 0)},
    {TRANSITION(TO_JUMP, TARGET), TARGET_OF(JUMP, OSC_GRAPH_FADE, 0)},
    {TRANSITION(TO_JUMP, TARGET), TARGET_OF(JUMP, OSC_GRAPH_INERTIA, ATOMS)},
    {TRANSITION(TO_JUMP, TARGET), TARGET_OF(JUMP, OSC_GRAPH_INERTIA, 0xffffu)},
    {TRANSITION(TO_JUMP, OVER_US), OSC_TRANSITION_MAX_US + 1u},
    {TRANSITION(TO_JUMP, START_Q11), JUMP_END + 1u},
    {TRANSITION(TO_JUMP, HOLD_US), OSC_GRAPH_TIME_MOST_US + 1u},
    {TRANSITION(TO_BLEND, START_Q11), 1},
    /* conditions */
    {ATOM(0), ATOM_OF(WAITS, SLEWED)},
    {ATOM(0), ATOM_OF(WAITS, TRIGGER) | OSC_GRAPH_ATOM_NOT},
    {ATOM(0), ATOM_OF(WAITS, TRIGGER) | 0x800u},
    {ATOM(0), ATOM_OF(WAITS, TRIGGER) | OSC_GRAPH_ATOM_OR},
    {ATOM(0), ATOM_OF(ALWAYS, 1)},
    {ATOM(0), ATOM_OF(FINISHED, 1)},
    {ATOM(0), ATOM_OF(IS_SET, CHOICE)},
    {ATOM(0), ATOM_OF(AT_LEAST, CHOICE)},
    {ATOM(0), ATOM_OF(EQUALS, FLAG)},
    {ATOM(0), ATOM_OF(IS_SET, PARAMETERS)},
    {ATOM(0), ATOM_OF(ATOM_KINDS, 0)},
    {ATOM(0), ATOM_OF(AT, 0) | OSC_GRAPH_ATOM_NOT},
    {ATOM(0), ATOM_OF(AT, EVENT_NAMES)},
    {ATOM(0), ATOM_OF(INSIDE, EVENT_NAMES)},
    {ATOM(1), ATOM_OF(AFTER, 1)},
    {ATOM(2), 0},
    {ATOM(2), OSC_GRAPH_TIME_MOST_US + 1u},
    {ATOM(9), 3}, /* more values than the choice has */
    {ATOM(9), 0u - 1u},
    {ATOM(0), ATOM_OF(WAITS, 1)}, /* of the layer */
    {ATOM(0), ATOM_OF(WAITS, WAITS)},
    {ATOM(0), ATOM_OF(IN, LOOPS | 1u << 8)}, /* of the base */
    {ATOM(12), ATOM_OF(WAITS, 0)},
    {ATOM(14), ATOM_OF(IN, LOOPS)},
    {ATOM(14), ATOM_OF(IN, LOOPS | (BASE_STATES + 1u) << 8)},
    {ATOM(14), ATOM_OF(IN, NOTHING | 1u << 8)},
    {ATOM(14), ATOM_OF(ATOM_KINDS, 0)},
    {ATOM(14), 0x20u | OSC_GRAPH_ATOM_LAST},
    {ATOM(ATOMS - 1), OSC_GRAPH_ALWAYS},
    {ATOM(ATOMS - 1), OSC_GRAPH_AFTER | OSC_GRAPH_ATOM_LAST},
};
static void each_rule_is_checked(void **state)
{
    (void)state;
    assert_int_equal(sizeof valid, 4u * SECTION_WORDS);
    assert_int_equal(status_of(valid, SECTION_WORDS, true), OSC_OK);
    for (uint32_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        assert_int_not_equal(valid[refused[i].at], refused[i].word);
        if (status_with(&refused[i], true) != OSC_ERROR_SECTION)
            fail_msg("change %u: word %u to %#x", i, refused[i].at, refused[i].word);
    }
}

static const change accepted[] = {
    {HEADER(LONGEST_US), 1},
    {HEADER(LONGEST_US), OSC_GRAPH_LONGEST_MOST_US},
    {HEADER(NEEDS), EVERY_NEED},
    {HEADER(NEEDS), EVERY_NEED | OSC_GRAPH_MOST_EVENTS << 16},
    {MACHINE(BASE, STATES), (uint32_t)BASE_STATES << 8 | (uint32_t)BLEND << 16 | 2u << 24},
    {MACHINE(LAYER, STATES), NOTHING | 2u << 8 | (uint32_t)SHOT << 16 | 1u << 24},
    {MACHINE(LAYER, KIND), KIND_OF(1, OSC_GRAPH_NO_MASK, OSC_GRAPH_NO_PARAMETER)},
    {MACHINE(LAYER, WEIGHT), 0},
    {MACHINE(LAYER, WEIGHT), OSC_ONE_Q15},
    {MACHINE(LAYER, FADE_US), 0},
    {MACHINE(LAYER, FADE_US), OSC_TRANSITION_MAX_US},
    {MACHINE(LAYER, WHILE), OSC_GRAPH_ANYTIME},
    {MASK_WORD(1), OSC_ONE_Q15 << 16 | OSC_ONE_Q15},
    {PARAMETER(POINT, MOST), 0},
    {LOOK(WEIGHT), 0},
    {LOOK(FADE_US), 0},
    {LOOK(FADE_US), OSC_TRANSITION_MAX_US},
    {LOOK(LAG_US), 0},
    {LOOK(LAG_US), OSC_TRANSITION_MAX_US},
    {LOOK(EYES), 0x80000000u},
    {LOOK(WITHIN_Q20), 0x80000000u},
    {LOOK(LINKS) + 1, 0},
    {LOOK(LINKS) + 1, OSC_ONE_Q15},
    {LIMB(0, KIND), LIMB_KIND_OF(POINT, OSC_GRAPH_NO_PARAMETER, OSC_GRAPH_NO_PARAMETER)},
    {LIMB(0, SPAN), EVENT_NAMES}, /* of a point */
    {LIMB(0, END), 2u},
    {LIMB(0, WEIGHT), 0},
    {LIMB(0, FADE_US), 0},
    {LIMB(0, FADE_US), OSC_TRANSITION_MAX_US},
    {LIMB(1, MOST_Q20), 0xffffffffu},
    {LIMB(0, AXIS), 0},
    {STATE(SHOT, CLIP), CLIP_OF(JUMP, OSC_GRAPH_NO_PARAMETER)},
    {ATOM(14), ATOM_OF(IN, LOOPS | (uint32_t)BASE_STATES << 8)},
    {ATOM(14), ATOM_OF(IN, BLEND | 1u << 8)},
    {PARAMETER(TRIGGER, MOST), 0},
    {PARAMETER(TRIGGER, MOST), OSC_GRAPH_TIME_MOST_US},
    {PARAMETER(TRIGGER, MOST), OSC_GRAPH_WAITS_FOREVER},
    {PARAMETER(SLEWED, KIND), OSC_GRAPH_NUMBER | 0xffffffu << OSC_GRAPH_SLEW_SHIFT},
    {PARAMETER(SLEWED, LEAST), 0x80000000u},
    {PARAMETER(SLEWED, MOST), 0x7fffffffu},
    {PARAMETER(NUMBER, MOST), 0x7fffffffu},
    {PARAMETER(NUMBER, DEFAULT), 0},
    {PARAMETER(NUMBER, DEFAULT), 6u << 16},
    {PARAMETER(CHOICE, MOST), 255},
    {STATE(BACKWARD, CLIP), CLIP_OF(JUMP, NUMBER)},
    {STATE(LOOPS, LOOPS), 1},
    {STATE(LOOPS, SPEED), 0},
    {STATE(LOOPS, SPEED), 0x80000000u},
    {STATE(LOOPS, SPEED), 0x7fffffffu},
    {STATE(LOOPS, WATCH), 0},
    {STATE(DRIVEN, LIST), LIST},
    {STATE(DRIVEN, WATCH), WATCHES},
    {WATCH(0), 0},
    {WATCH(1), WALK_END},
    {WATCH(2), 1},
    {WATCH(2), OSC_GRAPH_TIME_MOST_US},
    {MEMBER(0, AT), 0x80000000u},
    {MEMBER(0, STRIDE), 0xffffffffu},
    {MEMBER(1, STRIDE), 0},
    {SYNC(0, COUNT), 1},
    {SYNC(0, COUNT), 3},
    {SYNC(0, FRAME_US), 1},
    {SYNC(0, FRAME_US), 0xffffffffu},
    {SYNC(0, MARKS_Q11), 0},
    {SYNC(0, MARKS_Q11 + 1), WALK_END - 1u},
    {TRANSITION(TO_JUMP, OVER_US), 0},
    {TRANSITION(TO_JUMP, OVER_US), OSC_TRANSITION_MAX_US},
    {TRANSITION(TO_JUMP, HOLD_US), OSC_GRAPH_TIME_MOST_US},
    {TRANSITION(TO_DRIVEN, START_Q11), WALK_END},
    {ATOM(0), ATOM_OF(ALWAYS, 0) | OSC_GRAPH_ATOM_NOT},
    {ATOM(0), ATOM_OF(INSIDE, 1) | OSC_GRAPH_ATOM_NOT},
    {ATOM(2), 1},
    {ATOM(2), OSC_GRAPH_TIME_MOST_US},
    {ATOM(7), 0x80000000u},
    {ATOM(9), 2},
};
static void limits_are_accepted(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < sizeof accepted / sizeof accepted[0]; i++) {
        assert_int_not_equal(valid[accepted[i].at], accepted[i].word);
        if (status_with(&accepted[i], true) != OSC_OK)
            fail_msg("change %u: word %u to %#x", i, accepted[i].at, accepted[i].word);
    }
}

static void conditions_on_events_need_events(void **state)
{
    (void)state;
    assert_int_equal(status_of(valid, SECTION_WORDS, false), OSC_ERROR_SECTION);
    uint32_t words[SECTION_WORDS];
    memcpy(words, valid, sizeof words);
    words[LIMB(1, KIND)] = words[LIMB(0, KIND)];
    assert_int_equal(status_of(words, SECTION_WORDS, false), OSC_ERROR_SECTION);
    words[ATOM(4)] = OSC_GRAPH_ALWAYS;
    assert_int_equal(status_of(words, SECTION_WORDS, false), OSC_ERROR_SECTION);
    words[ATOM(10)] = OSC_GRAPH_ALWAYS | OSC_GRAPH_ATOM_OR;
    assert_int_equal(status_of(words, SECTION_WORDS, false), OSC_OK);
    words[LIMB(1, KIND)] = valid[LIMB(1, KIND)];
    assert_int_equal(status_of(words, SECTION_WORDS, false), OSC_ERROR_SECTION);
}

/* Also those that no state lists lead to states. */
static void unlisted_transitions_are_checked(void **state)
{
    (void)state;
    uint32_t words[SECTION_WORDS];
    memcpy(words, valid, sizeof words);
    words[STATE(SHOT, LIST)] = 0;
    assert_int_equal(status_of(words, SECTION_WORDS, true), OSC_OK);
    words[TRANSITION(TO_NOTHING, TARGET)] = TARGET_OF(SHOT, OSC_GRAPH_CUT, 13);
    assert_int_equal(status_of(words, SECTION_WORDS, true), OSC_OK);
    words[TRANSITION(TO_NOTHING, TARGET)] = TARGET_OF(STATES, OSC_GRAPH_CUT, 13);
    assert_int_equal(status_of(words, SECTION_WORDS, true), OSC_ERROR_SECTION);
}

/* A graph that was refused has no records. */
static void check_empty(const osc_graph *graph)
{
    const osc_graph empty = {.bank = graph->bank,
                             .events = graph->events,
                             .trajectories = graph->trajectories,
                             .longest_step_us = graph->longest_step_us};
    assert_memory_equal(graph, &empty, offsetof(osc_graph, more_needs) + sizeof empty.more_needs);
}

/* Weights are not negative, even if no speed says so. */
static void weights_are_0_to_1(void **state)
{
    (void)state;
    static const uint32_t ranges[][2] = {{0, SPEED_ONE}, {0u - 1u, SPEED_ONE}, {0, SPEED_ONE + 1u}};
    static const uint8_t numbers[] = {SLEWED, NUMBER};
    for (uint32_t i = 0; i < 6u; i++) {
        uint32_t words[SECTION_WORDS], number = numbers[i & 1u];
        memcpy(words, valid, sizeof words);
        words[STATE(DRIVEN, CLIP)] = CLIP_OF(WALK, OSC_GRAPH_NO_PARAMETER);
        words[MACHINE(LAYER, KIND)] = KIND_OF(0, 0, number);
        words[PARAMETER(number, LEAST)] = ranges[i >> 1][0];
        words[PARAMETER(number, MOST)] = ranges[i >> 1][1];
        assert_int_equal(status_of(words, SECTION_WORDS, true),
                         i < 2u ? OSC_OK : OSC_ERROR_SECTION);
    }
}

static void unused_waits_are_checked(void **state)
{
    (void)state;
    uint32_t words[SECTION_WORDS];
    memcpy(words, valid, sizeof words);
    words[ATOM(12)] = ATOM_OF(ALWAYS, 0); /* otherwise the second wait */
    assert_int_equal(status_of(words, SECTION_WORDS, true), OSC_OK);
    words[WAIT(1)] = TRIGGER | (uint32_t)MACHINES << 8;
    assert_int_equal(status_of(words, SECTION_WORDS, true), OSC_ERROR_SECTION);
}

static void sections_are_whole(void **state)
{
    (void)state;
    for (uint32_t count = 0; count < SECTION_WORDS; count++) {
        fixture f;
        memset(&f.graph, 0xff, sizeof f.graph);
        assert_int_equal(open_graph(&f, valid, count, true), OSC_ERROR_SECTION);
        check_empty(&f.graph);
        bank_free(&f.words);
    }
    fixture f = {.words = bank_copy(sample_walk, sizeof sample_walk / 4u)};
    memset(&f.graph, 0xff, sizeof f.graph);
    assert_int_equal(bank_open(&f.words, &f.bank), OSC_OK);
    assert_int_equal(osc_graph_open(&f.graph, &f.bank, 0, 0), OSC_ERROR_NOT_FOUND);
    check_empty(&f.graph);
    bank_free(&f.words);
}

static void additive_clips_do_not_play(void **state)
{
    (void)state;
    for (uint32_t clip = WALK; clip <= POSE; clip++) {
        fixture f;
        assert_int_equal(open_graph(&f, valid, SECTION_WORDS, true), OSC_OK);
        uint32_t shape = bank_section(&f.words, 1) + 1u + RATES * OSC_RATE_WORDS +
                         clip * OSC_CLIP_ENTRY_WORDS + OSC_CLIP_SHAPE;
        f.words.words[shape] |= OSC_CLIP_ADDITIVE;
        bank_seal(&f.words);
        assert_int_equal(bank_open(&f.words, &f.bank), OSC_OK);
        bool plays = clip == WALK || clip == JUMP;
        assert_int_equal(osc_graph_open(&f.graph, &f.bank, &f.events, 0),
                         plays ? OSC_ERROR_SECTION : OSC_OK);
        bank_free(&f.words);
    }
}

/* A clip with the data of the one before it is the mirror image of that. */
static void mirror_images_play_if_the_graph_says_so(void **state)
{
    (void)state;
    fixture f;
    uint32_t words[SECTION_WORDS];
    memcpy(words, valid, sizeof words);
    words[STATE(DRIVEN, CLIP)] = POSE | (uint32_t)NUMBER << 16;
    for (uint32_t mirrors = 0; mirrors < 2u; mirrors++) {
        words[OSC_GRAPH_NEEDS] |= mirrors * OSC_GRAPH_NEEDS_MIRROR;
        assert_int_equal(open_graph(&f, words, SECTION_WORDS, true), OSC_OK);
        uint32_t *image = &f.words.words[bank_section(&f.words, 1) + 1u + RATES * OSC_RATE_WORDS +
                                         POSE * OSC_CLIP_ENTRY_WORDS];
        image[OSC_CLIP_SHAPE] = image[OSC_CLIP_SHAPE - OSC_CLIP_ENTRY_WORDS];
        image[OSC_CLIP_PLACE] = image[OSC_CLIP_PLACE - OSC_CLIP_ENTRY_WORDS];
        bank_seal(&f.words);
        assert_int_equal(bank_open(&f.words, &f.bank), OSC_OK);
        assert_int_equal(osc_graph_open(&f.graph, &f.bank, &f.events, 0),
                         mirrors != 0u ? OSC_OK : OSC_ERROR_SECTION);
        bank_free(&f.words);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rule_is_checked),
        cmocka_unit_test(limits_are_accepted),
        cmocka_unit_test(conditions_on_events_need_events),
        cmocka_unit_test(unlisted_transitions_are_checked),
        cmocka_unit_test(weights_are_0_to_1),
        cmocka_unit_test(unused_waits_are_checked),
        cmocka_unit_test(sections_are_whole),
        cmocka_unit_test(additive_clips_do_not_play),
        cmocka_unit_test(mirror_images_play_if_the_graph_says_so),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
