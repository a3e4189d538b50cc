/* SPDX-License-Identifier: MIT */
/* A step of a graph in progress, and its parts: SPEC.md 26. */
#ifndef OSC_GRAPH_STEP_H
#define OSC_GRAPH_STEP_H

#include "graph/osc_graph_records.h"

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
    uint32_t number;            /* of the machine */
    uint32_t time_us;           /* since the beginning of the step */
    uint32_t reached_q11;       /* the watch that the clock has just reached, or NOWHERE */
    osc_graph_history *history; /* or null without layers */
} osc_graph_step;

/* The share of a time in another one, 0 to OSC_ONE_Q15. */
static inline uint32_t osc_graph_share_q15(uint32_t part_us, uint32_t whole_us)
{
    for (; whole_us > 0xffffu; whole_us >>= 1)
        part_us >>= 1;
    return osc_mix_share(part_us, whole_us);
}

static inline uint32_t osc_graph_earlier(uint32_t us, uint32_t other_us)
{
    return other_us < us ? other_us : us;
}

/* Begins a step of a character, without a machine. */
void osc_graph_begin_step(osc_graph_step *step, osc_graph_character *character,
                          const int32_t *values);

/* Lets a step be one of a machine, or notes that it has entered a state. */
void osc_graph_show(osc_graph_step *step, osc_graph_machine *machine);

/* Advances a machine over the whole step. */
void osc_graph_advance_machine(osc_graph_step *step, uint32_t number, uint32_t elapsed_us);

/* The position at which a state begins if no transition states another one. */
uint32_t osc_graph_first_position(const osc_graph *graph, const uint32_t *state);

/* Enters the first state of a machine, at its beginning. */
void osc_graph_begin_machine(osc_graph_step *step);

/* ---- parameters ---- */

/* The value of a parameter that is not a trigger, as the game has written it, held at its range. */
int32_t osc_graph_written(const osc_graph_step *step, uint32_t parameter);

/* The value that speeds and blends see: a slewed number is on its way to the written one. */
int32_t osc_graph_slewed(const osc_graph_step *step, uint32_t parameter);

/* Makes the triggers pending that the game has set. */
void osc_graph_set_triggers(const osc_graph_step *step);

/* Lets pending triggers age at the end of a step, and drops those that have waited too long. */
void osc_graph_age_triggers(const osc_graph_step *step, uint32_t elapsed_us);

bool osc_graph_is_pending(const osc_graph_step *step, uint32_t wait);

/* ---- conditions ---- */

/* Returns the words of the first clause of a condition that holds, or null. condition: its first
 * word. */
const uint32_t *osc_graph_clause(const osc_graph_step *step, uint32_t condition);

/* Consumes the triggers that a clause names. */
void osc_graph_consume(const osc_graph_step *step, const uint32_t *clause);

/* ---- blends ---- */

/* Returns part / whole, Q15, rounded half up after both are shifted right until `whole` has 16
 * bits. part: at most `whole`. */
uint32_t osc_graph_share(uint32_t part, uint32_t whole);

/* Lets some members of a blend play. shares_q15: count of them, at most OSC_GRAPH_MOST_MEMBERS, one
 * above OSC_GRAPH_KNEE_Q15. That much is subtracted from each; members of which nothing is left do
 * not play. */
void osc_graph_weigh(osc_graph_machine *machine, const uint32_t *members,
                     const uint32_t *shares_q15, uint32_t count);

/* Chooses the members that play, and their weights, and reads their marks.
 * syncs: OSC_GRAPH_MOST_MEMBERS. Returns how many play. */
uint32_t osc_graph_read_members(const osc_graph_step *step, osc_sync_clip *syncs);

/* Returns where the clip that will lead is at the next mark. */
uint32_t osc_graph_next_mark_q11(const osc_graph_step *step);

/* A phase, as the position at which a blend begins, above 0. Marks count modulo 840, the least
 * number that any clip's marks divide. */
#define OSC_GRAPH_PHASE_SHIFT 20u
#define OSC_GRAPH_PHASE_MARKS 840u

/* Returns whether time stops at the marks of the blend that a machine shows. */
static inline bool osc_graph_stops_at_marks(const osc_graph_step *step)
{
    return step->stops && osc_graph_watches_of(step->graph, step->shown).position_count != 0u;
}

/* Reports the events of the leader after the phase has moved, by at most one mark, and lets the
 * heaviest member lead if it has reached that. from: the phase before. */
void osc_graph_follow_phase(const osc_graph_step *step, const osc_phase *from);

/* Returns the displacement of the character by the members since the phase `from`.
 * syncs, count: of those that play. */
osc_placement osc_graph_moved_by_blend(const osc_graph_step *step, const osc_sync_clip *syncs,
                                       uint32_t count, const osc_phase *from);

/* ---- how a state plays ---- */

/* A position of a clip: that of the state, or of the leader of its blend. */
typedef struct osc_graph_place {
    uint32_t clip, position_q11;
    bool backward; /* plays towards the clip's start */
    bool ended;    /* its events at this position have been given */
} osc_graph_place;

/* A machine whose pose is evaluated. */
typedef struct osc_graph_view {
    const osc_graph_character *character;
    osc_graph_machine *machine;
    const uint32_t *state;      /* the words of the state that the machine shows */
    osc_player *const *players; /* those of the machine */
    uint32_t player_count;
    const osc_pose *other; /* for the second clip of a blend */
    uint32_t transition;   /* the number of the machine's transition, if it has one */
    bool remembers;        /* it has one */
} osc_graph_view;

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
    void (*evaluate)(const osc_graph_view *view, const osc_pose *pose, bool begins);
};

extern const osc_graph_play osc_graph_clips;

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
    void (*evaluate)(const osc_graph_view *view, const osc_pose *pose, bool begins);
};

/* The fade of a machine, or null if none of its transitions fades. */
osc_graph_fade *osc_graph_fade_of(const osc_graph_character *character, uint32_t machine);

/* The weight of the target of a fade, Q15: 3 s^2 - 2 s^3. */
uint32_t osc_graph_fade_weight(const osc_graph_fade *fade, uint32_t elapsed_us);

/* Returns how a state plays. */
const osc_graph_play *osc_graph_play_of(const osc_graph_code *code, const uint32_t *state);

/* The time until the clip of the current state ends, at most UINT32_MAX. */
uint32_t osc_graph_time_left(const osc_graph_step *step);

/* One of `count` clips that play together, and thus have a player each. */
typedef struct osc_graph_chosen {
    const uint32_t *clips;
    uint32_t count, number;
} osc_graph_chosen;

/* Evaluates a clip at a position. */
void osc_graph_evaluate_clip(const osc_graph_view *view, const osc_graph_chosen *chosen,
                             uint32_t position_q11, const osc_pose *pose);

/* Evaluates a machine, with its transition. */
void osc_graph_evaluate_machine(const osc_graph_view *view, const osc_pose *pose,
                                uint32_t elapsed_us);

/* ---- choices ---- */

/* How states are chosen. */
struct osc_graph_choice_play {
    /* Begins with the seed of the character. */
    void (*start)(const osc_graph_character *character);
    /* Chooses the state that is entered instead of *state, and the position at which it begins, if
     * that is the first of a choice. */
    void (*choose)(const osc_graph_step *step, uint32_t *state, uint32_t *start_q11);
};

/* ---- points and weights ---- */

/* The value of a point, in its own space. values: as given to osc_graph_advance. */
osc_vector osc_graph_point(const osc_graph *graph, uint32_t parameter, const int32_t *values);

/* A point of the world, seen from the character's placement. */
osc_vector osc_graph_in_model(const osc_graph_character *character, const osc_vector *point);

/* The same for a point that a parameter states, which may be in model space already. */
osc_vector osc_graph_point_in_model(const osc_graph_character *character, uint32_t parameter,
                                    const osc_vector *point);

/* A weight that is constant, or a number. */
static inline uint32_t osc_graph_weight_q15(const osc_graph_step *step, uint32_t parameter,
                                            uint32_t constant_q15)
{
    return parameter == OSC_GRAPH_NO_PARAMETER ? constant_q15
                                               : (uint32_t)osc_graph_slewed(step, parameter) >> 1;
}

/* ---- layers ---- */

/* How layers play. */
struct osc_graph_layer_play {
    /* Advances the base and then the layers. */
    void (*advance)(osc_graph_step *base, uint32_t elapsed_us);
    /* Looks at the `while` of a layer. */
    void (*look)(osc_graph_step *step);
    /* Returns the time until something may change besides the state, at most left_us. */
    uint32_t (*until)(const osc_graph_step *step, uint32_t left_us);
    /* Fades after time has passed. */
    void (*fade)(const osc_graph_step *step, uint32_t elapsed_us);
    /* Returns whether an earlier machine is in one of these states. */
    bool (*is_in)(const osc_graph_step *step, uint32_t states);
    /* Mixes a layer into a pose. kind: OSC_GRAPH_MACHINE_KIND of the machine. */
    void (*mix)(osc_graph_view *view, uint32_t kind, const osc_pose *pose, uint32_t elapsed_us);
};

#endif
