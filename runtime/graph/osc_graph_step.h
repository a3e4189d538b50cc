/* SPDX-License-Identifier: MIT */
/* A step of a graph in progress, and its parts: SPEC.md 26. */
#ifndef OSC_GRAPH_STEP_H
#define OSC_GRAPH_STEP_H

#include "graph/osc_graph_records.h"

typedef struct osc_graph_step {
    osc_graph_character *character;
    const osc_graph *graph;
    osc_graph_machine *machine;
    const int32_t *values;
    uint32_t reached_q11; /* the watch that the clock has just reached, or OSC_GRAPH_NOWHERE */
} osc_graph_step;

static inline uint32_t osc_graph_earlier(uint32_t us, uint32_t other_us)
{
    return other_us < us ? other_us : us;
}

/* ---- parameters ---- */

/* The value of a parameter that is not a trigger, as the game has written it, held at its range. */
int32_t osc_graph_written(const osc_graph_step *step, uint32_t parameter);

/* The value that speeds and blends see: a slewed number is on its way to the written one. */
int32_t osc_graph_slewed(const osc_graph_step *step, uint32_t parameter);

/* The time at which a slewed number reaches a value from the lower end of its range. */
uint32_t osc_graph_slew_time(const osc_graph *graph, uint32_t parameter, int32_t value);

void osc_graph_move_slews(const osc_graph_step *step, uint32_t elapsed_us);

/* Makes the triggers pending that the game has set. */
void osc_graph_set_triggers(const osc_graph_step *step);

void osc_graph_age_triggers(const osc_graph_step *step, uint32_t elapsed_us);

void osc_graph_drop_triggers(const osc_graph_step *step);

bool osc_graph_is_pending(const osc_graph_step *step, uint32_t trigger);

/* ---- conditions ---- */

/* Returns the first clause that holds of a condition, as the number of its first word, or
 * OSC_GRAPH_NOWHERE. */
uint32_t osc_graph_clause(const osc_graph_step *step, uint32_t condition);

/* Consumes the triggers that a clause names. */
void osc_graph_consume(const osc_graph_step *step, uint32_t clause);

/* ---- blends ---- */

/* Returns part / whole, Q15, rounded half up after both are shifted right until `whole` has 16
 * bits. part: at most `whole`. */
uint32_t osc_graph_share(uint32_t part, uint32_t whole);

/* Lets some members of a blend play. shares_q15: count of them, at most OSC_GRAPH_MOST_MEMBERS, one
 * above OSC_GRAPH_KNEE_Q15. That much is subtracted from each; members of which nothing is left do
 * not play. */
void osc_graph_weigh(osc_graph_machine *machine, const uint32_t *members,
                     const uint32_t *shares_q15, uint32_t count);

/* ---- how a state plays ---- */

/* A position of a clip: that of the state, or of the leader of its blend. */
typedef struct osc_graph_place {
    uint32_t clip, position_q11;
    bool backward; /* plays towards the clip's start */
    bool ended;    /* its events at this position have been given */
} osc_graph_place;

/* The functions for one kind of state. */
struct osc_graph_play {
    /* Begins at a position of the clip, or at a phase. */
    void (*enter)(const osc_graph_step *step, uint32_t start_q11);
    /* Returns where the state is. */
    osc_graph_place (*place)(const osc_graph_step *step);
    /* Returns the time to the next position that is watched, at most left_us. Sets
     * step->reached_q11 if that comes first. */
    uint32_t (*until)(osc_graph_step *step, uint32_t left_us);
    /* Lets time pass: moves the clock and the character, and reports events. */
    void (*pass)(const osc_graph_step *step, uint32_t elapsed_us);
    /* Evaluates the pose, at the beginning of the state or where it is now. */
    void (*evaluate)(const osc_graph_character *character, const osc_pose *pose, bool begins);
};

extern const osc_graph_play osc_graph_clips;

/* Returns how the current state plays. */
static inline const osc_graph_play *osc_graph_play_of(const osc_graph_character *character)
{
    bool blends = osc_graph_is_blend(character->graph, character->now->machine.state);
    return blends ? character->code->blends : &osc_graph_clips;
}

/* Evaluates clips[number] at a position. clips: count of them, which play together and thus have a
 * player each. */
void osc_graph_evaluate_clip(const osc_graph_character *character, const uint32_t *clips,
                             uint32_t count, uint32_t number, uint32_t position_q11,
                             const osc_pose *pose);

#endif
