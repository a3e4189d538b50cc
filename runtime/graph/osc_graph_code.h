/* SPDX-License-Identifier: MIT */
/* A step of a graph in progress, and what generated code needs of it: SPEC.md 26. */
#ifndef OSC_GRAPH_CODE_H
#define OSC_GRAPH_CODE_H

#include "arithmetic/osc_fixed.h"
#include "bank/osc_format.h"
#include "osc_graph.h"
#include "osc_ik.h"

/* A switch of a machine. time_us: since the beginning of the step. */
typedef struct osc_graph_change {
    uint32_t time_us;
    uint8_t machine, state;
} osc_graph_change;

/* The switches of a step, for machines that come later. */
typedef struct osc_graph_history {
    uint8_t first_states[OSC_GRAPH_MOST_MACHINES]; /* at the beginning of the step */
    uint8_t count;
    osc_graph_change changes[OSC_GRAPH_MOST_MACHINES * OSC_GRAPH_MOST_SWITCHES];
} osc_graph_history;

/* A step of one machine. */
typedef struct osc_graph_step {
    bool is_open; /* the `while` of a layer holds */
    bool stops;   /* time passes up to the next watch of the state */
    uint8_t switches;
    osc_graph_character *character;
    const osc_graph *graph;
    const osc_graph_code *code;
    const osc_graph_event_play *reports; /* of events, or null for a bank without any */
    const int32_t *values;
    osc_graph_machine *machine;
    const uint32_t *state;      /* the words of the machine's state, */
    const uint32_t *shown;      /* those of the state that it shows, */
    const osc_graph_play *play; /* and how that plays: osc_graph_show */
    uint32_t number;            /* the number of the machine */
    uint32_t time_us;           /* since the beginning of the step */
    uint32_t reached_q11;       /* the watch that the clock has just reached, or NOWHERE */
    osc_graph_history *history; /* or null without layers */
} osc_graph_step;

/* Returns part / whole, 0 to OSC_ONE_Q15, rounded half up after both are shifted right until
 * `whole` has 16 bits. part: at most `whole`, which is above 0. */
uint32_t osc_graph_share_q15(uint32_t part, uint32_t whole);

static inline uint32_t osc_graph_earlier(uint32_t us, uint32_t other_us)
{
    return other_us < us ? other_us : us;
}

/* The time to a later time, at most left_us. */
static inline uint32_t osc_graph_until(uint32_t at_us, uint32_t now_us, uint32_t left_us)
{
    return at_us > now_us ? osc_graph_earlier(left_us, at_us - now_us) : left_us;
}

/* A state that plays one clip. */
typedef struct osc_graph_clip_rule {
    uint32_t clip, end_q11, position_per_us_q32;
    uint32_t loops;    /* or OSC_LOOPS_FOREVER */
    int32_t speed_q16; /* 0 if a parameter is the speed */
} osc_graph_clip_rule;

/* A transition. kind: OSC_GRAPH_INERTIA.. */
typedef struct osc_graph_rule {
    uint32_t start_q11, over_us;
    uint8_t target, kind;
} osc_graph_rule;

/* Begins a step of a character, without a machine. */
void osc_graph_begin_step(osc_graph_step *step, osc_graph_character *character,
                          const int32_t *values);

/* Lets a step be one of a machine, or notes that it has entered a state. */
void osc_graph_show(osc_graph_step *step, osc_graph_machine *machine);

/* ---- blends ---- */

/* The weight of a member's share of a blend. Shares up to the knee weigh nothing. */
static inline uint32_t osc_graph_above_knee(uint32_t share_q15)
{
    return share_q15 > OSC_GRAPH_KNEE_Q15 ? share_q15 - OSC_GRAPH_KNEE_Q15 : 0u;
}

/* A phase, as the position at which a blend begins, above 0. Marks count modulo 840, the least
 * number that any clip's marks divide. */
#define OSC_GRAPH_PHASE_SHIFT 20u
#define OSC_GRAPH_PHASE_MARKS 840u

/* ---- how a state plays ---- */

/* A position of a clip: that of the state, or of the leader of its blend. */
typedef struct osc_graph_place {
    uint32_t clip, position_q11;
    bool backward; /* plays towards the clip's start */
    bool ended;    /* its events at this position have been given */
    bool silent;   /* it reports no events */
} osc_graph_place;

struct osc_graph_view;

/* The functions for one kind of state. */
struct osc_graph_play {
    /* Begins at a position of the clip; a blend at its first mark, or at a packed phase. */
    void (*enter)(const osc_graph_step *step, uint32_t start_q11);
    /* Returns where the state is. */
    osc_graph_place (*place)(const osc_graph_step *step);
    /* Lets time pass: moves the clock and the character, and reports events. If step->stops, stops
     * at the next position that is watched, and sets step->reached_q11. Returns how much has
     * passed, at most left_us. */
    uint32_t (*pass)(osc_graph_step *step, uint32_t left_us);
    /* Evaluates the pose, at the beginning of the state or where it is now. */
    void (*evaluate)(const struct osc_graph_view *view, const osc_pose *pose, bool begins);
};

/* How two states of a machine play together. For machines whose transitions do not fade, the
 * functions do what they would without a fade. */
struct osc_graph_fade_play {
    /* Begins the fade that a switch asks for, before the new state is entered, and ends another
     * one. kind: of the transition, OSC_GRAPH_INERTIA.. start_q11: where the new state begins,
     * changed if it has the phase of the old one. Returns what machine->switch_us becomes. */
    uint32_t (*begin)(const osc_graph_step *step, uint32_t kind, uint32_t over_us,
                      uint32_t *start_q11);
    /* Ends all fades. */
    void (*forget)(const osc_graph_character *character);
    /* As pass and evaluate of osc_graph_play, for both states. */
    uint32_t (*pass)(osc_graph_step *step, uint32_t left_us);
    void (*evaluate)(const struct osc_graph_view *view, const osc_pose *pose, bool begins);
};

/* ---- choices ---- */

/* How states are chosen. */
struct osc_graph_choice_play {
    /* Begins with the seed of the character. */
    void (*start)(const osc_graph_character *character);
    /* Chooses the state that is entered instead of *state, and the position at which it begins, if
     * that is the first of a choice. */
    void (*choose)(const osc_graph_step *step, uint32_t *state, uint32_t *start_q11);
};

/* ---- events ---- */

/* The functions for clips with events. */
struct osc_graph_event_play {
    /* Reports the marks of a clip that a step of the current state has passed. */
    void (*passed)(const osc_graph_step *step, uint32_t clip, const osc_step *passed);
    /* Reports the spans in whose middle the current state has been entered. */
    void (*begin)(const osc_graph_step *step);
    /* Reports, if with_marks, the marks at the current state's position, and the ends of the spans
     * that are open. */
    void (*end)(const osc_graph_step *step, bool with_marks);
    /* Reports the spans that end and begin because another clip takes the lead of a blend. Both
     * have played up to their position, without the marks there. */
    void (*leader)(const osc_graph_step *step, const osc_graph_place *from,
                   const osc_graph_place *to);
    /* Returns whether there is a mark with this name between the watch that the clock has just
     * reached and its position. */
    bool (*is_at)(const osc_graph_step *step, uint32_t name);
    /* Returns whether a span with this name is open. */
    bool (*is_inside)(const osc_graph_step *step, uint32_t name);
};

/* ---- slewed numbers ---- */

/* The range of a number, and the time that it takes from one end to the other. */
typedef struct osc_graph_slew_rule {
    uint32_t least, size, whole_us;
} osc_graph_slew_rule;

/* Moves a number towards a value at which it has not arrived. */
void osc_graph_move_on(const osc_graph_slew_rule *rule, osc_graph_slew *slew, int32_t to,
                       uint32_t elapsed_us);

/* Moves a number towards a value. */
static inline void osc_graph_move_slew(const osc_graph_slew_rule *rule, osc_graph_slew *slew,
                                       int32_t to, uint32_t elapsed_us)
{
    if (slew->at_us != OSC_GRAPH_ARRIVED || slew->value != to)
        osc_graph_move_on(rule, slew, to, elapsed_us);
}

/* ---- looks ---- */

/* A chain that looks at a point. Its first link has the eyes. */
typedef struct osc_graph_look_rule {
    osc_ik_chain chain;
    uint32_t fade_us, lag_us;       /* fade_us: at least 1 */
    int32_t within_q20, beyond_q20; /* it turns to a point within this cosine of the angle from
                                       `forward`, and away from one beyond */
    uint8_t axis;                   /* that `forward` is along, 0 to 2, or 3 for none */
    bool in_world;                  /* its point is in the world */
} osc_graph_look_rule;

/* The parameters that all looks of a step share. elapsed_us: at most the longest step. */
typedef struct osc_graph_looking {
    const osc_graph_character *character;
    const osc_pose *pose;
    osc_matrix *model;
    uint32_t elapsed_us;
} osc_graph_looking;

/* Turns a chain to a point. given: the point in its space. weight_q15: of the look. */
void osc_graph_look_at(const osc_graph_looking *looking, const osc_graph_look_rule *rule,
                       osc_graph_look_state *state, const osc_vector *given, uint32_t weight_q15);

/* ---- limbs ---- */

/* Moves the limbs, as osc_graph_reach does. step: of the base. elapsed_us: at most the longest
 * step.
 */
void osc_graph_move_limbs(const osc_graph_step *step, const osc_pose *pose, osc_matrix *model,
                          uint32_t elapsed_us);

#endif
