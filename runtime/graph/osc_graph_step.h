/* SPDX-License-Identifier: MIT */
/* The parts of the interpreter of graphs. */
#ifndef OSC_GRAPH_STEP_H
#define OSC_GRAPH_STEP_H

#include "graph/osc_graph_code.h"
#include "graph/osc_graph_records.h"

/* Advances a machine over the whole step. */
void osc_graph_advance_machine(osc_graph_step *step, uint32_t number, uint32_t elapsed_us);

/* The position at which a state begins if no transition states another one. */
uint32_t osc_graph_first_position(const osc_graph *graph, const uint32_t *state);

/* Enters the first state of a machine, at its beginning. */
void osc_graph_begin_machine(osc_graph_step *step);

/* ---- the graph of a step ---- */

static inline const osc_graph_event_play *osc_graph_reporting(const osc_graph_step *step)
{
    return step->reports;
}

static inline bool osc_graph_state_plays(const osc_graph_step *step, uint32_t state)
{
    return osc_graph_plays(osc_graph_state_words(step->graph, state));
}

/* Moves a placement along the trajectory of a clip, if the bank has any. */
static inline void osc_graph_move_along(const osc_graph_step *step, uint32_t clip,
                                        const osc_step *passed, osc_placement *place)
{
    if (step->graph->trajectories != 0)
        step->code->follow(step->graph, clip, passed, place);
}

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

/* Chooses the members that play, and their weights, and reads their marks.
 * syncs: OSC_GRAPH_MOST_MEMBERS. Returns how many play. */
uint32_t osc_graph_read_members(const osc_graph_step *step, osc_sync_clip *syncs);

/* Returns where the clip that will lead is at the next mark. */
uint32_t osc_graph_next_mark_q11(const osc_graph_step *step);

/* Returns whether time stops at the marks of the blend that a machine shows. */
static inline bool osc_graph_stops_at_marks(const osc_graph_step *step)
{
    return step->stops && osc_graph_watches_of(step->graph, step->shown).position_count != 0u;
}

/* Reports the events of the leader after the phase has moved, by at most one mark, and lets the
 * heaviest member lead if it has reached that. from: the phase before. */
void osc_graph_follow_phase(const osc_graph_step *step, const osc_phase *from);

/* Finds the displacement of the character by the members since the phase `from`.
 * syncs, count: of those that play. */
void osc_graph_moved_by_blend(const osc_graph_step *step, const osc_sync_clip *syncs,
                              uint32_t count, const osc_phase *from, osc_placement *moved);

/* ---- how a state plays ---- */

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

extern const osc_graph_play osc_graph_clips;

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
