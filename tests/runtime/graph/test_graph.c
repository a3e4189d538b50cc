/* The section of animation graphs: every rule of it refuses, its limits are accepted, and what
 * opens can be played with any values and times. */
#include "bank/osc_format.h"
#include "bank_tools.h"
#include "check.h"
#include "osc_graph.h"
#include "sample_banks.h"

#include <string.h>

#define EVENTS_TAG 0x544e5645u
#define SPEED_ONE (1u << 16)
#define FOREVER 0xffffffffu
#define WALK_END (8u << 11)
#define JUMP_END (5u << 11)
#define NO_CLIP 4u
#define EVENT_NAMES 2u

enum { WALK, JUMP, STILL, POSE }; /* the clips of sample_walk; STILL has one frame */
enum { TRIGGER, SLEWED, NUMBER, FLAG, CHOICE, POINT, PARAMETERS };
enum { LOOPS, BACKWARD, DRIVEN, BLEND, NOTHING, SHOT, STATES };
enum { BASE_STATES = NOTHING, LAYER_STATES = STATES - NOTHING };
enum { TO_JUMP, TO_DRIVEN, TO_LOOPS, TO_BLEND, TO_SHOT, TO_NOTHING, TRANSITIONS };
enum { BASE, LAYER, MACHINES };
enum {
    RATES = 2,
    MEMBERS = 2,
    LIST = 7,
    WATCHES = 6,
    ATOMS = 15,
    WAITS = 2,
    MASKS = 1,
    MASK_WORDS = 2, /* of three joints */
    LOOKS = 1,
    LINKS = 2,
    MOST_WORDS = 1 << 13,
    MOST_PLAYERS = 6,
    PLAYER_WORDS = 1 << 12,
    VALUES = OSC_GRAPH_MOST_PARAMETERS + 2 * OSC_GRAPH_MOST_POINTS
};

/* The number of a word in the section below. */
#define PARAMETER(number, word)                                                                    \
    (OSC_GRAPH_HEADER_WORDS + (number)*OSC_GRAPH_PARAMETER_WORDS + OSC_GRAPH_PARAMETER_##word)
#define MACHINE(number, word)                                                                      \
    (PARAMETER(PARAMETERS, KIND) + (number)*OSC_GRAPH_MACHINE_WORDS + OSC_GRAPH_MACHINE_##word)
#define STATE(number, word)                                                                        \
    (MACHINE(MACHINES, STATES) + (number)*OSC_GRAPH_STATE_WORDS + OSC_GRAPH_STATE_##word)
#define MEMBER(number, word)                                                                       \
    (STATE(STATES, CLIP) + (number)*OSC_GRAPH_MEMBER_WORDS + OSC_GRAPH_MEMBER_##word)
#define SYNC(number, word)                                                                         \
    (MEMBER(MEMBERS, CLIP) + (number)*OSC_GRAPH_SYNC_WORDS + OSC_GRAPH_SYNC_##word)
#define TRANSITION(number, word)                                                                   \
    (SYNC(MEMBERS, END_Q11) + (number)*OSC_GRAPH_TRANSITION_WORDS + OSC_GRAPH_TRANSITION_##word)
#define LISTED(pair) (TRANSITION(TRANSITIONS, TARGET) + (pair))
#define WATCH(number) (LISTED((LIST + 1) / 2) + (number))
#define ATOM(number) (WATCH(WATCHES) + (number))
#define WAIT(number) (ATOM(ATOMS) + (number))
#define MASK_WORD(number) (WAIT(WAITS) + (number))
#define LOOK(word) (MASK_WORD(MASKS * MASK_WORDS) + OSC_GRAPH_LOOK_##word)
#define SECTION_WORDS (LOOK(WORDS) + 1) /* and a group */
#define EVERY_NEED                                                                                 \
    (OSC_GRAPH_NEEDS_INERTIA | OSC_GRAPH_NEEDS_BLENDS | OSC_GRAPH_NEEDS_LAYERS |                   \
     OSC_GRAPH_NEEDS_ADDITIVE)

static const uint32_t valid[] = {
    PARAMETERS | 1u << 8 | 1u << 16 | 1u << 24, MACHINES | WAITS << 8 | MASKS << 16 | LOOKS << 24,
    STATES | TRANSITIONS << 16, MEMBERS | MEMBERS << 16, LIST | WATCHES << 16, ATOMS | 1u << 16,
    OSC_GRAPH_NEEDS_INERTIA | OSC_GRAPH_NEEDS_BLENDS | OSC_GRAPH_NEEDS_LAYERS | 20u << 16, 250000,
    0, 0,
    /* parameters: kind and slew, least, most, default */
    OSC_GRAPH_TRIGGER, 0, 150000, 0, OSC_GRAPH_NUMBER | 500000u << OSC_GRAPH_SLEW_SHIFT,
    0u - SPEED_ONE, SPEED_ONE, 0, OSC_GRAPH_NUMBER, 0, 6u << 16, SPEED_ONE, OSC_GRAPH_FLAG, 0, 1, 1,
    OSC_GRAPH_CHOICE, 0, 2, 0, OSC_GRAPH_POINT, 0, 1, 0,
    /* machines: states, kind, weight, fade, while */
    LOOPS | (uint32_t)BASE_STATES << 8 | (uint32_t)LOOPS << 16 | 2u << 24,
    OSC_GRAPH_MACHINE_INERTIA | OSC_GRAPH_MACHINE_BLENDS | OSC_GRAPH_NO_MASK << 8 |
        OSC_GRAPH_NO_PARAMETER << 16,
    OSC_ONE_Q15, 0, OSC_GRAPH_ANYTIME,
    NOTHING | (uint32_t)LAYER_STATES << 8 | (uint32_t)NOTHING << 16 | 1u << 24,
    0u << 8 | OSC_GRAPH_NO_PARAMETER << 16, OSC_ONE_Q15 / 2u, 50000, 14,
    /* states: clip, loops, speed, list, watches, blend */
    WALK | OSC_GRAPH_NO_PARAMETER << 16, FOREVER, SPEED_ONE, 0u | 2u << 16,
    0u | 2u << 16 | 1u << 24, 0, JUMP | OSC_GRAPH_NO_PARAMETER << 16, 1, 0u - (1u << 15),
    2u | 1u << 16, 3u | 1u << 16, 0, WALK | (uint32_t)NUMBER << 16, 3, 0, 3u | 1u << 16, 0, 0,
    OSC_GRAPH_NO_PARAMETER << 16, FOREVER, SPEED_ONE, 4u | 1u << 16, 4u | 1u << 16,
    MEMBERS | (uint32_t)SLEWED << 8 | 0u << 16,
    OSC_GRAPH_NO_PARAMETER << 16 | OSC_GRAPH_STATE_NOTHING << 24, 1, SPEED_ONE, 5u | 1u << 16, 0, 0,
    JUMP | OSC_GRAPH_NO_PARAMETER << 16 | OSC_GRAPH_STATE_ONE_SHOT << 24, 1, SPEED_ONE,
    6u | 1u << 16, 5u | 1u << 16, 0,
    /* members: clip and marks, place, stride */
    WALK | 0u << 16, 0u - SPEED_ONE, 0, JUMP | 1u << 16, SPEED_ONE, 1u << 19,
    /* sync records: end, time of a frame, number of marks, marks */
    WALK_END, 33333, 2, 4096, 12288, 0, 0, 0, 0, 0, 0, JUMP_END, 41666, 2, 8192, 2048, 0, 0, 0, 0,
    0, 0,
    /* transitions: target, kind and condition; duration, start, hold */
    JUMP | OSC_GRAPH_INERTIA << 8 | 0u << 16, 200000, JUMP_END, 70000,
    DRIVEN | OSC_GRAPH_CUT << 8 | 1u << 16, 0, 0, 0, LOOPS | OSC_GRAPH_INERTIA << 8 | 3u << 16,
    100000, 0, 0, BLEND | OSC_GRAPH_INERTIA << 8 | 6u << 16, 100000, 0, 0,
    SHOT | OSC_GRAPH_CUT << 8 | 12u << 16, 0, 0, 0, NOTHING | OSC_GRAPH_INERTIA << 8 | 13u << 16,
    1000, 0, 0,
    /* the list */
    TO_JUMP | TO_DRIVEN << 16, TO_LOOPS | TO_BLEND << 16, TO_LOOPS | TO_SHOT << 16, TO_NOTHING,
    /* watches */
    2048, 4096, 300000, 0, 0, JUMP_END,
    /* conditions */
    OSC_GRAPH_WAITS | OSC_GRAPH_ATOM_LAST | (uint32_t)TRIGGER << 16,
    OSC_GRAPH_AFTER | OSC_GRAPH_ATOM_LAST, 300000, OSC_GRAPH_FINISHED | OSC_GRAPH_ATOM_OR,
    OSC_GRAPH_AT | 0u << 16, OSC_GRAPH_IS_SET | OSC_GRAPH_ATOM_LAST | (uint32_t)FLAG << 16,
    OSC_GRAPH_AT_LEAST | (uint32_t)NUMBER << 16, 3u << 16,
    OSC_GRAPH_EQUALS | OSC_GRAPH_ATOM_NOT | OSC_GRAPH_ATOM_OR | (uint32_t)CHOICE << 16, 1,
    OSC_GRAPH_INSIDE | OSC_GRAPH_ATOM_OR | 1u << 16, OSC_GRAPH_ALWAYS | OSC_GRAPH_ATOM_LAST,
    OSC_GRAPH_WAITS | OSC_GRAPH_ATOM_LAST | 1u << 16, OSC_GRAPH_FINISHED | OSC_GRAPH_ATOM_LAST,
    OSC_GRAPH_IN | OSC_GRAPH_ATOM_NOT | OSC_GRAPH_ATOM_LAST | (BACKWARD | 2u << 8) << 16,
    /* the waits */
    TRIGGER | (uint32_t)BASE << 8, TRIGGER | (uint32_t)LAYER << 8,
    /* the mask */
    OSC_ONE_Q15 << 16, OSC_ONE_Q15 / 2u,
    /* the look: kind, weight, fade, lag, axes, eyes, cosines, joints */
    POINT | OSC_GRAPH_NO_PARAMETER << 8 | (uint32_t)LINKS << 16, OSC_ONE_Q15, 200000, 100000, 0, 0,
    OSC_ONE_Q20, 0, 0u - OSC_ONE_Q20, 0, 0, 1000, 5, OSC_ONE_Q20 / 2u, 0u - OSC_ONE_Q20,
    2u | 20000u << 16, 28378, 0u | OSC_ONE_Q15 << 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    /* the group */
    BACKWARD | 2u << 8};

/* A mark and a span of each clip. */
static const uint32_t event_words[] = {EVENT_NAMES | EVENT_NAMES << 16,
                                       2u | 6u << 16,
                                       0xabc00000u,
                                       0xabc00001u,
                                       0,
                                       7,
                                       1,
                                       9,
                                       WALK << 16 | 3u,
                                       JUMP << 16 | 6u,
                                       2048,
                                       0,
                                       4096,
                                       1u | (uint32_t)OSC_EVENT_BEGIN << 14 | 2u << 16,
                                       12288,
                                       1u | (uint32_t)OSC_EVENT_END << 14 | 1u << 16,
                                       0,
                                       0,
                                       1024,
                                       1u | (uint32_t)OSC_EVENT_BEGIN << 14 | 2u << 16,
                                       6144,
                                       1u | (uint32_t)OSC_EVENT_END << 14 | 1u << 16};

/* ---- a bank with a graph, and a character ---- */

typedef struct fixture {
    test_bank words;
    osc_bank bank;
    osc_events events;
    osc_graph graph;
} fixture;

static int32_t open_graph(fixture *f, const uint32_t *words, uint32_t count, bool with_events)
{
    test_bank marked = bank_with_section(sample_walk, EVENTS_TAG, event_words,
                                         sizeof event_words / sizeof event_words[0]);
    f->words = bank_with_section(marked.words, OSC_TAG_GRAPH, words, count);
    bank_free(&marked);
    assert_int_equal(bank_open(&f->words, &f->bank), OSC_OK);
    assert_int_equal(osc_events_open(&f->events, &f->bank), OSC_OK);
    return osc_graph_open(&f->graph, &f->bank, with_events ? &f->events : 0, 0);
}

static int32_t status_of(const uint32_t *words, uint32_t count, bool with_events)
{
    fixture f;
    int32_t status = open_graph(&f, words, count, with_events);
    bank_free(&f.words);
    return status;
}

typedef struct character {
    osc_graph_character graph;
    osc_graph_now now;
    osc_graph_machine machines[OSC_GRAPH_MOST_MACHINES];
    uint32_t ages_us[OSC_GRAPH_MOST_WAITS], slews_us[OSC_GRAPH_MOST_PARAMETERS];
    osc_transition_state transitions[MACHINES];
    osc_graph_look_state looks[OSC_GRAPH_MOST_LOOKS];
    osc_matrix model[3];
    uint32_t transition_memory[MACHINES * OSC_TRANSITION_WORDS(3, 6)];
    osc_player players[MOST_PLAYERS];
    osc_player *listed[MOST_PLAYERS];
    int32_t memory[MOST_PLAYERS][PLAYER_WORDS];
    osc_quaternion rotations[3][3];
    osc_vector translations[3][3];
    osc_pose pose, others[2];
    uint16_t masks[2][3];
    const uint16_t *mask_list[2];
    osc_graph_event events[OSC_GRAPH_MOST_EVENTS];
} character;

static const osc_graph_code all_code = {
    osc_player_evaluate, osc_transition_begin, osc_transition_apply, &osc_graph_blends,
    &osc_graph_layers,   osc_mix_blend,        osc_mix_add,          osc_graph_weigh_in_plane};

static void make_character(character *c, const fixture *f)
{
    memset(c, 0, sizeof *c);
    assert_true(osc_graph_player_count(&f->graph) <= MOST_PLAYERS);
    assert_true(osc_graph_transition_count(&f->graph) <= MACHINES);
    assert_true(osc_graph_pose_count(&f->graph) <= 2u);
    for (uint32_t i = 0; i < MOST_PLAYERS; i++) {
        c->listed[i] = &c->players[i];
        assert_int_equal(osc_player_init(c->listed[i], &f->bank, c->memory[i], PLAYER_WORDS),
                         OSC_OK);
    }
    c->pose = (osc_pose){c->rotations[0], c->translations[0], 0};
    c->others[0] = (osc_pose){c->rotations[1], c->translations[1], 0};
    c->others[1] = (osc_pose){c->rotations[2], c->translations[2], 0};
    for (uint32_t i = 0; i < f->graph.mask_count; i++) {
        osc_graph_read_mask(&f->graph, i, c->masks[i]);
        c->mask_list[i] = c->masks[i];
    }
    c->graph = (osc_graph_character){.graph = &f->graph, .code = &all_code, .now = &c->now};
    c->graph.ages_us = c->ages_us;
    c->graph.slews_us = c->slews_us;
    c->graph.machines = c->machines;
    c->graph.transitions = c->transitions;
    c->graph.looks = c->looks;
    c->graph.transition_memory = c->transition_memory;
    c->graph.players = c->listed;
    c->graph.others = c->others;
    c->graph.masks_q15 = c->mask_list;
    c->graph.events = c->events;
}

/* ---- rules ---- */

/* The section with one word of it changed. */
typedef struct change {
    uint32_t at, word;
} change;

static int32_t status_with(const change *changed, bool with_events)
{
    uint32_t words[SECTION_WORDS];
    memcpy(words, valid, sizeof words);
    words[changed->at] = changed->word;
    return status_of(words, SECTION_WORDS, with_events);
}

#define HEADER(word) OSC_GRAPH_##word
#define ATOM_OF(operation, argument)                                                               \
    (OSC_GRAPH_##operation | OSC_GRAPH_ATOM_LAST | (uint32_t)(argument) << 16)
#define TARGET_OF(state, kind, condition)                                                          \
    ((uint32_t)(state) | (uint32_t)(kind) << 8 | (uint32_t)(condition) << 16)
#define KIND_OF(flags, mask, weight)                                                               \
    ((uint32_t)(flags) | (uint32_t)(mask) << 8 | (uint32_t)(weight) << 16)
#define CLIP_OF(clip, speed) ((uint32_t)(clip) | (uint32_t)(speed) << 16)

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
    {HEADER(NEEDS), EVERY_NEED | OSC_GRAPH_NEEDS_PLANES << 1 | 20u << 16},
    {HEADER(NEEDS), EVERY_NEED | (OSC_GRAPH_MOST_EVENTS + 1u) << 16},
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
    {TRANSITION(TO_JUMP, TARGET), TARGET_OF(JUMP, OSC_GRAPH_CUT + 1u, 0)},
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
    {LOOK(LAG_US), 0},
    {LOOK(EYES), 0x80000000u},
    {LOOK(WITHIN_Q20), 0x80000000u},
    {LOOK(LINKS) + 1, 0},
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

static void conditions_on_events_need_events(void **state)
{
    (void)state;
    assert_int_equal(status_of(valid, SECTION_WORDS, false), OSC_ERROR_SECTION);
    uint32_t words[SECTION_WORDS];
    memcpy(words, valid, sizeof words);
    words[ATOM(4)] = OSC_GRAPH_ALWAYS;
    assert_int_equal(status_of(words, SECTION_WORDS, false), OSC_ERROR_SECTION);
    words[ATOM(10)] = OSC_GRAPH_ALWAYS | OSC_GRAPH_ATOM_OR;
    assert_int_equal(status_of(words, SECTION_WORDS, false), OSC_OK);
}

static void sections_are_whole(void **state)
{
    (void)state;
    for (uint32_t count = 0; count < SECTION_WORDS; count++)
        assert_int_equal(status_of(valid, count, true), OSC_ERROR_SECTION);
    fixture f = {.words = bank_copy(sample_walk, sizeof sample_walk / 4u)};
    assert_int_equal(bank_open(&f.words, &f.bank), OSC_OK);
    assert_int_equal(osc_graph_open(&f.graph, &f.bank, 0, 0), OSC_ERROR_NOT_FOUND);
    assert_int_equal(f.graph.state_count, 0);
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
static void mirror_images_do_not_play(void **state)
{
    (void)state;
    fixture f;
    uint32_t words[SECTION_WORDS];
    memcpy(words, valid, sizeof words);
    words[STATE(DRIVEN, CLIP)] = POSE | (uint32_t)NUMBER << 16;
    assert_int_equal(open_graph(&f, words, SECTION_WORDS, true), OSC_OK);
    uint32_t *image = &f.words.words[bank_section(&f.words, 1) + 1u + RATES * OSC_RATE_WORDS +
                                     POSE * OSC_CLIP_ENTRY_WORDS];
    image[OSC_CLIP_SHAPE] = image[OSC_CLIP_SHAPE - OSC_CLIP_ENTRY_WORDS];
    image[OSC_CLIP_PLACE] = image[OSC_CLIP_PLACE - OSC_CLIP_ENTRY_WORDS];
    bank_seal(&f.words);
    assert_int_equal(bank_open(&f.words, &f.bank), OSC_OK);
    assert_int_equal(osc_graph_open(&f.graph, &f.bank, &f.events, 0), OSC_ERROR_SECTION);
    bank_free(&f.words);
}

/* ---- counts ---- */

typedef struct counts {
    uint32_t triggers, flags, states, transitions;
} counts;

/* A graph with these counts. Its transitions are unconditional, and no state has any. */
static int32_t status_of_counts(counts n)
{
    static uint32_t words[MOST_WORDS];
    uint32_t *at = words + OSC_GRAPH_HEADER_WORDS;
    memset(words, 0, sizeof words);
    words[OSC_GRAPH_PARAMETERS] = (n.triggers + n.flags) | n.triggers << 8;
    words[OSC_GRAPH_MACHINES] = 1;
    words[OSC_GRAPH_STATES] = n.states | n.transitions << 16;
    words[OSC_GRAPH_ATOMS] = 1;
    words[OSC_GRAPH_LONGEST_US] = 1;
    at += n.triggers * OSC_GRAPH_PARAMETER_WORDS;
    for (uint32_t i = 0; i < n.flags; i++, at += OSC_GRAPH_PARAMETER_WORDS) {
        at[OSC_GRAPH_PARAMETER_KIND] = OSC_GRAPH_FLAG;
        at[OSC_GRAPH_PARAMETER_MOST] = 1;
    }
    at[OSC_GRAPH_MACHINE_STATES] = n.states << 8 | 1u << 24;
    at[OSC_GRAPH_MACHINE_KIND] = KIND_OF(0, OSC_GRAPH_NO_MASK, OSC_GRAPH_NO_PARAMETER);
    at[OSC_GRAPH_MACHINE_WHILE] = OSC_GRAPH_ANYTIME;
    at += OSC_GRAPH_MACHINE_WORDS;
    for (uint32_t i = 0; i < n.states; i++, at += OSC_GRAPH_STATE_WORDS) {
        at[OSC_GRAPH_STATE_CLIP] = CLIP_OF(WALK, OSC_GRAPH_NO_PARAMETER);
        at[OSC_GRAPH_STATE_LOOPS] = 1;
    }
    at += n.transitions * OSC_GRAPH_TRANSITION_WORDS;
    *at++ = ATOM_OF(ALWAYS, 0);
    return status_of(words, (uint32_t)(at - words), false);
}

static void counts_are_limited(void **state)
{
    (void)state;
    const counts largest = {OSC_GRAPH_MOST_TRIGGERS,
                            OSC_GRAPH_MOST_PARAMETERS - OSC_GRAPH_MOST_TRIGGERS,
                            OSC_GRAPH_MOST_STATES, OSC_GRAPH_MOST_TRANSITIONS};
    assert_int_equal(status_of_counts(largest), OSC_OK);
    assert_int_equal(status_of_counts((counts){0, 0, 1, 0}), OSC_OK);
    assert_int_equal(status_of_counts((counts){0, 0, 0, 0}), OSC_ERROR_SECTION);
    counts more = largest;
    more.flags++;
    assert_int_equal(status_of_counts(more), OSC_ERROR_SECTION);
    more = (counts){OSC_GRAPH_MOST_TRIGGERS + 1u, 0, 1, 0};
    assert_int_equal(status_of_counts(more), OSC_ERROR_SECTION);
    more = (counts){0, 0, OSC_GRAPH_MOST_STATES + 1u, 0};
    assert_int_equal(status_of_counts(more), OSC_ERROR_SECTION);
    more = (counts){0, 0, 1, OSC_GRAPH_MOST_TRANSITIONS + 1u};
    assert_int_equal(status_of_counts(more), OSC_ERROR_SECTION);
}

/* The limits of what few graphs have, in a section that has room for more. */
static void counts_of_machines_are_limited(void **state)
{
    (void)state;
    static uint32_t words[MOST_WORDS];
    const uint32_t refused_counts[][2] = {
        {0, 0},
        {0, OSC_GRAPH_MOST_MACHINES + 1u},
        {0, 1u | (OSC_GRAPH_MOST_WAITS + 1u) << 8},
        {0, 1u | (OSC_GRAPH_MOST_MASKS + 1u) << 16},
        {0, 1u | (OSC_GRAPH_MOST_LOOKS + 1u) << 24},
        {(OSC_GRAPH_MOST_POINTS + 1u) | (OSC_GRAPH_MOST_POINTS + 1u) << 24, 1},
    };
    for (uint32_t i = 0; i < sizeof refused_counts / sizeof refused_counts[0]; i++) {
        memset(words, 0, sizeof words);
        words[OSC_GRAPH_PARAMETERS] = refused_counts[i][0];
        words[OSC_GRAPH_MACHINES] = refused_counts[i][1];
        words[OSC_GRAPH_STATES] = 1;
        words[OSC_GRAPH_LONGEST_US] = 1;
        assert_int_equal(status_of(words, 1000, false), OSC_ERROR_SECTION);
    }
}

/* Opens the section with its only condition replaced by `clauses` clauses of `atoms` atoms. */
static int32_t status_of_condition(uint32_t clauses, uint32_t atoms)
{
    uint32_t words[SECTION_WORDS + 128], *at = words + ATOM(0);
    memcpy(words, valid, sizeof valid);
    words[MACHINE(LAYER, WHILE)] = OSC_GRAPH_ANYTIME;
    words[MACHINE(LAYER, KIND)] = KIND_OF(0, OSC_GRAPH_NO_MASK, OSC_GRAPH_NO_PARAMETER);
    words[OSC_GRAPH_MACHINES] = MACHINES;
    for (uint32_t i = 0; i < TRANSITIONS; i++)
        words[TRANSITION(i, TARGET)] &= 0xffffu;
    for (uint32_t i = 1; i <= clauses * atoms; i++)
        *at++ = OSC_GRAPH_FINISHED | (i == clauses * atoms ? OSC_GRAPH_ATOM_LAST
                                      : i % atoms == 0u    ? OSC_GRAPH_ATOM_OR
                                                           : 0u);
    words[OSC_GRAPH_ATOMS] = clauses * atoms;
    return status_of(words, (uint32_t)(at - words), false);
}

static void conditions_are_limited(void **state)
{
    (void)state;
    assert_int_equal(status_of_condition(OSC_GRAPH_MOST_CLAUSES, OSC_GRAPH_CLAUSE_MOST_ATOMS),
                     OSC_OK);
    assert_int_equal(status_of_condition(OSC_GRAPH_MOST_CLAUSES + 1u, 1), OSC_ERROR_SECTION);
    assert_int_equal(status_of_condition(1, OSC_GRAPH_CLAUSE_MOST_ATOMS + 1u), OSC_ERROR_SECTION);
}

/* ---- play ---- */

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
        }
    }
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
    enum { MOST_CHANGES = 8, STEPS = 4000 };
    const uint32_t whole = KIND_OF(OSC_GRAPH_MACHINE_INERTIA, OSC_GRAPH_NO_MASK, NUMBER);
    const uint32_t blend = KIND_OF(OSC_GRAPH_MACHINE_BLENDS, 0, OSC_GRAPH_NO_PARAMETER);
    const uint32_t clip = CLIP_OF(JUMP, OSC_GRAPH_NO_PARAMETER);
    const change variants[][MOST_CHANGES] = {
        {{PARAMETER(NUMBER, MOST), SPEED_ONE},
         {MACHINE(LAYER, KIND), whole},
         {LOOK(KIND), POINT | (uint32_t)NUMBER << 8 | (uint32_t)LINKS << 16},
         {MACHINE(LAYER, FADE_US), 0}},
        {{MACHINE(LAYER, KIND), blend},
         {MACHINE(LAYER, STATES), NOTHING | 2u << 8 | (uint32_t)NOTHING << 16 | 2u << 24},
         {STATE(SHOT, CLIP), OSC_GRAPH_NO_PARAMETER << 16},
         {STATE(SHOT, LOOPS), OSC_LOOPS_FOREVER},
         {STATE(SHOT, WATCH), 4u | 1u << 16},
         {STATE(SHOT, BLEND), MEMBERS | (uint32_t)SLEWED << 8},
         {LOOK(FADE_US), 0},
         {LOOK(LAG_US), 0}},
        {{MACHINE(LAYER, STATES), NOTHING | 2u << 8 | (uint32_t)SHOT << 16 | 1u << 24},
         {STATE(SHOT, CLIP), clip},
         {STATE(SHOT, LIST), 0},
         {MACHINE(LAYER, FADE_US), 400000}},
        {{STATE(SHOT, SPEED), 0u - SPEED_ONE}, {STATE(SHOT, WATCH), 3u | 1u << 16}},
        {{STATE(SHOT, SPEED), 0}, {MACHINE(LAYER, FADE_US), 20000}},
        {{STATE(SHOT, CLIP), CLIP_OF(STILL, OSC_GRAPH_NO_PARAMETER)}, /* ends without time */
         {STATE(SHOT, LOOPS), 2},
         {STATE(SHOT, WATCH), 3u | 1u << 16}},
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
    assert_int_equal(c.slews_us[0], 500000);
    bank_free(&f.words);
}

/* A graph of clips and cuts needs one function. */
static void clips_need_only_evaluation(void **state)
{
    (void)state;
    static character c;
    static const osc_graph_code clips_code = {osc_player_evaluate, 0, 0, 0, 0, 0, 0, 0};
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
    assert_int_equal(open_graph(&f, words, sizeof words / sizeof words[0], true), OSC_OK);
    make_character(&c, &f);
    c.graph.code = &clips_code;
    assert_int_equal(osc_graph_start(&c.graph), OSC_OK);
    for (uint32_t step = 0; step < 40u; step++) {
        const int32_t nothing[1] = {0};
        osc_graph_advance(&c.graph, nothing, 16000);
        osc_graph_evaluate(&c.graph, &c.pose, 16000);
    }
    assert_int_equal(c.machines[0].state, 1);
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

/* ---- functions ---- */

static void graphs_need_their_code(void **state)
{
    (void)state;
    fixture f;
    static character c;
    assert_int_equal(open_graph(&f, valid, SECTION_WORDS, true), OSC_OK);
    make_character(&c, &f);
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
    code = all_code;
    assert_int_equal(osc_graph_start(&c.graph), OSC_OK);
    assert_int_equal(osc_graph_go(&c.graph, STATES, 0), OSC_ERROR_NOT_FOUND);
    assert_int_equal(osc_graph_go(&c.graph, STATES - 1u, 0), OSC_OK);
    bank_free(&f.words);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rule_is_checked),
        cmocka_unit_test(limits_are_accepted),
        cmocka_unit_test(a_pose_plays_forever),
        cmocka_unit_test(conditions_on_events_need_events),
        cmocka_unit_test(sections_are_whole),
        cmocka_unit_test(additive_clips_do_not_play),
        cmocka_unit_test(mirror_images_do_not_play),
        cmocka_unit_test(counts_are_limited),
        cmocka_unit_test(counts_of_machines_are_limited),
        cmocka_unit_test(conditions_are_limited),
        cmocka_unit_test(any_values_and_times_are_played),
        cmocka_unit_test(unusual_graphs_play),
        cmocka_unit_test(layers_of_each_kind_play),
        cmocka_unit_test(layers_add_differences),
        cmocka_unit_test(a_weight_at_the_end_of_its_range_stays_for_a_step_without_time),
        cmocka_unit_test(clips_need_only_evaluation),
        cmocka_unit_test(moments_of_a_step_are_limited),
        cmocka_unit_test(damaged_graphs_are_refused_or_play),
        cmocka_unit_test(graphs_need_their_code),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
