/* A section of an animation graph with every kind of record, and its bank. */
#ifndef GRAPH_SECTION_H
#define GRAPH_SECTION_H

#include "bank/osc_format.h"
#include "bank_tools.h"
#include "graph_character.h"
#include "sample_banks.h"

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
    LIMBS = 2, /* to the point; during the span */
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
#define LIMB(number, word) (LOOK(WORDS) + (number)*OSC_GRAPH_LIMB_WORDS + OSC_GRAPH_LIMB_##word)
#define SECTION_WORDS (LIMB(LIMBS, KIND) + 1) /* and a group */
#define EVERY_NEED                                                                                 \
    (OSC_GRAPH_NEEDS_INERTIA | OSC_GRAPH_NEEDS_BLENDS | OSC_GRAPH_NEEDS_LAYERS |                   \
     OSC_GRAPH_NEEDS_ADDITIVE)

static const uint32_t valid[] = {
    PARAMETERS | 1u << 8 | 1u << 16 | 1u << 24, MACHINES | WAITS << 8 | MASKS << 16 | LOOKS << 24,
    STATES | TRANSITIONS << 16, MEMBERS | MEMBERS << 16, LIST | WATCHES << 16, ATOMS | 1u << 16,
    OSC_GRAPH_NEEDS_INERTIA | OSC_GRAPH_NEEDS_BLENDS | OSC_GRAPH_NEEDS_LAYERS | 20u << 16, 250000,
    0, 0, LIMBS,
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
    /* the limbs: kind, span, joints, end and softening, weight, fade, distance, axis */
    POINT | OSC_GRAPH_NO_PARAMETER << 8 | (uint32_t)POINT << 16, 0, 0u | 1u << 16,
    2u | 30000u << 16, OSC_ONE_Q15, 150000, 0, OSC_ONE_Q20, 0, 0,
    OSC_GRAPH_NO_PARAMETER | OSC_GRAPH_NO_PARAMETER << 8 | OSC_GRAPH_NO_PARAMETER << 16, 1,
    0u | 1u << 16, 2u | OSC_ONE_Q15 << 16, OSC_ONE_Q15, 50000, OSC_ONE_Q20 / 2u, 0, 0,
    0u - OSC_ONE_Q20,
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

/* ---- a bank with the section ---- */

static inline int32_t open_graph(fixture *f, const uint32_t *words, uint32_t count,
                                 bool with_events)
{
    test_bank marked = bank_with_section(sample_walk, EVENTS_TAG, event_words,
                                         sizeof event_words / sizeof event_words[0]);
    f->words = bank_with_section(marked.words, OSC_TAG_GRAPH, words, count);
    bank_free(&marked);
    assert_int_equal(bank_open(&f->words, &f->bank), OSC_OK);
    assert_int_equal(osc_events_open(&f->events, &f->bank), OSC_OK);
    return osc_graph_open(&f->graph, &f->bank, with_events ? &f->events : 0, 0);
}

static inline int32_t status_of(const uint32_t *words, uint32_t count, bool with_events)
{
    fixture f;
    int32_t status = open_graph(&f, words, count, with_events);
    bank_free(&f.words);
    return status;
}

/* The section with one word of it changed. */
typedef struct change {
    uint32_t at, word;
} change;

#define HEADER(word) OSC_GRAPH_##word
#define ATOM_OF(operation, argument)                                                               \
    (OSC_GRAPH_##operation | OSC_GRAPH_ATOM_LAST | (uint32_t)(argument) << 16)
#define TARGET_OF(state, kind, condition)                                                          \
    ((uint32_t)(state) | (uint32_t)(kind) << 8 | (uint32_t)(condition) << 16)
#define KIND_OF(flags, mask, weight)                                                               \
    ((uint32_t)(flags) | (uint32_t)(mask) << 8 | (uint32_t)(weight) << 16)
#define LIMB_KIND_OF(point, weight, pole)                                                          \
    ((uint32_t)(point) | (uint32_t)(weight) << 8 | (uint32_t)(pole) << 16)
#define CLIP_OF(clip, speed) ((uint32_t)(clip) | (uint32_t)(speed) << 16)

#endif
