/* SPDX-License-Identifier: MIT */
/* Ossicle: animation graphs.
 *
 * A graph is a state machine for one character: states that play clips, and transitions with
 * conditions. Layers over it are machines of their own: they replace or add to parts of the pose.
 * It is written in the configuration file ([graph], codegen/CONFIGURATION.md) and stored in the
 * bank. A game writes parameters, and steps the graph once a frame:
 *
 *     hero_graph_start(&hero, &hero_embedded);
 *     ...
 *     hero.set.speed_q16 = speed;
 *     hero.set.jump |= pressed;
 *     hero_graph_step(&hero, elapsed_us, &model);
 *     for (osc_graph_event event; hero_graph_next_event(&hero, &event);)
 *         ...
 *
 * The generated functions call those below, which are for programs without generated code and for
 * tools. SPEC.md section 26 defines every result.
 *
 * Parameters act at the beginning of a step. Within a step, a transition is taken at the exact
 * microsecond at which its condition becomes true: a mark that the clip passes, its end, a time. So
 * states, clocks, events and triggers do not depend on the lengths of steps (the phases of blends
 * are rounded to 2^-20 of a stride in each, slewed numbers are constant in each, and weights of
 * fades in step between marks), unless one reaches its limit of OSC_GRAPH_MOST_SWITCHES switches,
 * or would enter a state twice at one moment. A step also passes its rest without looking at
 * transitions after OSC_GRAPH_MOST_MOMENTS moments, which only a clip that plays in some
 * milliseconds can have. */
#ifndef OSC_GRAPH_H
#define OSC_GRAPH_H

#include "osc_mix.h"
#include "osc_motion.h"

#ifdef __cplusplus
extern "C" {
#endif

#define OSC_GRAPH_MOST_SWITCHES 4u
#define OSC_GRAPH_MOST_MOMENTS 255u
#define OSC_GRAPH_NOT_PENDING 0xffffffffu /* the age of a trigger that is not set */

/* The graph of a bank: pointers into its words. All fields are private except the counts. */
typedef struct osc_graph {
    const osc_bank *bank;
    const osc_events *events;             /* or null */
    const osc_trajectories *trajectories; /* or null */
    const uint32_t *parameters, *machines, *states, *members, *syncs, *triangles, *transitions;
    const uint32_t *lists, *watches, *atoms, *waits, *masks, *looks, *limbs;
    uint32_t longest_step_us;
    uint32_t layout_crc; /* of names, kinds and groups: generated code compares it */
    uint16_t member_count, sync_count, transition_count, list_count, watch_count, atom_words;
    uint8_t parameter_count, trigger_count, slewed_count, machine_count, state_count, wait_count;
    uint8_t mask_count, look_count, point_count, event_count, needs, limb_count;
    uint16_t triangle_count; /* last: other counts are aligned so that they are stored together */
    uint8_t choice_count;
    uint8_t more_needs; /* bits 8..15 of the needs */
} osc_graph;

/* Checks the graph of an open bank completely and fills `graph`; nothing is checked again. The bank
 * must outlive it. events, trajectories: those of the bank, or null if it has none; both must
 * outlive the graph. Errors: OSC_ERROR_NOT_FOUND for a bank without a graph, OSC_ERROR_SECTION if
 * it contradicts itself or the bank. Cost: one pass over the section, and the conditions of each
 * transition. */
int32_t osc_graph_open(osc_graph *graph, const osc_bank *bank, const osc_events *events,
                       const osc_trajectories *trajectories);

#define OSC_GRAPH_MOST_MEMBERS 3u /* of a blend that play together */

/* A state machine, the base or a layer: the current state and its clock. Plain data. */
typedef struct osc_graph_machine {
    uint8_t state; /* bytes come first, where one instruction of a Cortex-M0 reaches them */
    uint8_t
        shown; /* the state whose clip plays: `state`, or the one before if that plays nothing */
    uint8_t leader; /* of a blend: the member whose events are reported */
    bool begun;     /* time has passed since the entry, and events are reported */
    uint8_t members[OSC_GRAPH_MOST_MEMBERS];         /* of a blend: those that play */
    uint16_t weights_q15[OSC_GRAPH_MOST_MEMBERS];    /* of the members that play, then 0; the sum is
                                                        OSC_ONE_Q15 */
    uint16_t weight_q15;                             /* of a layer, at the end of the step */
    uint32_t position_q11, fraction_q32, loops_left; /* as in osc_playback */
    osc_phase phase;                                 /* of a blend */
    uint32_t state_us;        /* since the state was entered, at most OSC_GRAPH_TIME_MOST_US */
    uint32_t reached_q11;     /* the watch at which the last step ended, or OSC_GRAPH_NOWHERE */
    uint32_t switch_us;       /* of a switch that no pose has shown yet: its duration, 0 for a cut;
                                 or OSC_GRAPH_NO_SWITCH */
    uint32_t switch_from_q11; /* where the clip of its target began */
    uint32_t envelope_us;     /* of a layer: how far it has faded in */
    uint16_t time_fraction_q16; /* as in osc_playback */
    uint16_t taken;             /* the transition that entered the state, or OSC_GRAPH_NONE */
} osc_graph_machine;

/* A transition of a machine during which two states play. Plain data. */
typedef struct osc_graph_fade {
    osc_graph_machine source; /* the state that is left, and its clock */
    osc_phase from;           /* its phase at the switch; a clip's position is switch_from_q11 */
    uint32_t elapsed_us, over_us; /* over_us: 0 if one state plays */
    uint16_t half;    /* 0 or 1: the half of the machine's players that play the target */
    uint16_t in_step; /* not 0: both states have one phase */
} osc_graph_fade;

#define OSC_GRAPH_NOWHERE 0xffffffffu
#define OSC_GRAPH_NONE 0xffffu
#define OSC_GRAPH_NO_SWITCH 0xffffffffu

/* The state of a character, without pointers: a copy saves it, and copying it back restores it. The
 * machines, and the words of triggers, slews and transitions, belong to it (osc_graph_character).
 */
typedef struct osc_graph_now {
    osc_placement place; /* of the character; may be written between steps */
    uint32_t go_us;      /* the duration of a switch that osc_graph_go has requested */
    uint16_t go_state;   /* its state, or OSC_GRAPH_NONE */
    uint8_t switches;    /* of all machines, in the last step */
} osc_graph_now;

/* An event of a step. what: OSC_GRAPH_EVENT_.. */
typedef struct osc_graph_event {
    uint16_t name; /* HERO_EVENT_.. */
    uint8_t state; /* that plays the clip */
    uint8_t what;  /* osc_event_phase, and flags */
} osc_graph_event;

#define OSC_GRAPH_EVENT_PHASE 3u /* mask of the osc_event_phase */
#define OSC_GRAPH_EVENT_LATE 4u  /* a span that the state entered in its middle begins */
#define OSC_GRAPH_EVENT_CUT 8u   /* a span ends because the state was left */

/* How states of one kind play. */
typedef struct osc_graph_play osc_graph_play;
extern const osc_graph_play osc_graph_blends, osc_graph_positions;

/* Weighs the clips of a state that two numbers blend. */
struct osc_graph_step;
void osc_graph_weigh_in_plane(const struct osc_graph_step *step);

/* Lets time pass in two blends that fade in step. */
uint32_t osc_graph_pass_in_step(const struct osc_graph_step *source, struct osc_graph_step *step,
                                uint32_t left_us, osc_placement *moved);

/* How layers play. */
typedef struct osc_graph_layer_play osc_graph_layer_play;
extern const osc_graph_layer_play osc_graph_layers;

/* How states are chosen at random, in turn or by a flag. */
typedef struct osc_graph_choice_play osc_graph_choice_play;
extern const osc_graph_choice_play osc_graph_choices;

/* How events are reported, and conditions on them. */
typedef struct osc_graph_event_play osc_graph_event_play;
extern const osc_graph_event_play osc_graph_events;

/* Moves the slewed numbers towards the written ones. */
void osc_graph_move_slews(const struct osc_graph_step *step, uint32_t elapsed_us);

/* Moves a placement along the trajectory of a clip. */
void osc_graph_follow(const osc_graph *graph, uint32_t clip, const osc_step *passed,
                      osc_placement *place);

/* How two states play together. */
typedef struct osc_graph_fade_play osc_graph_fade_play;
extern const osc_graph_fade_play osc_graph_fades;

/* A slewed number. Plain data. */
typedef struct osc_graph_slew {
    int32_t value;  /* Q16, on its way to the written one */
    uint32_t at_us; /* how long it takes from the lower end of its range to the value, or
                       OSC_GRAPH_ARRIVED if it is the written one */
} osc_graph_slew;

#define OSC_GRAPH_ARRIVED 0xffffffffu

/* What a look remembers between steps. Plain data. */
typedef struct osc_graph_look_state {
    osc_vector point;     /* that follows the given one, in its space */
    uint32_t envelope_us; /* how far it has turned towards the point, in time */
} osc_graph_look_state;

/* What a limb remembers between steps. Plain data. */
typedef struct osc_graph_limb_state {
    osc_vector point; /* while the end is held, its point in the world; afterwards how far it was
                         from its own position when it was let go, in model space */
    uint32_t envelope_us; /* how far it has faded in */
    uint16_t weight_q15;  /* the last one that is not 0 */
    uint16_t hold;        /* osc_graph_hold */
} osc_graph_limb_state;

/* The end of a limb: its span is closed; it stays where it came down; the span is open, but the
 * character has come too far. */
typedef enum osc_graph_hold { OSC_GRAPH_FREE, OSC_GRAPH_LOCKED, OSC_GRAPH_LET_GO } osc_graph_hold;

struct osc_row_pool;

/* Functions that only some graphs need: those that a table does not name are not linked. */
typedef struct osc_graph_code {
    void (*evaluate)(const osc_player *player, const osc_pose *pose);
    /* null without transitions of the kinds `inertia` and `fade` */
    void (*begin)(osc_transition *transition, const osc_pose *pose, uint32_t duration_us);
    bool (*apply)(osc_transition *transition, const osc_pose *pose, uint32_t elapsed_us);
    const osc_graph_play *blends;       /* &osc_graph_blends, or null without blends */
    const osc_graph_layer_play *layers; /* &osc_graph_layers, or null without layers */
    /* osc_mix_blend, or null without blends, layers and fades */
    void (*blend)(const osc_bank *bank, const osc_pose *pose, const osc_pose *with,
                  uint32_t weight_q15, const uint16_t *mask_q15);
    /* osc_mix_add, or null without additive layers */
    void (*add)(const osc_bank *bank, const osc_pose *pose, const osc_pose *difference,
                uint32_t weight_q15, const uint16_t *mask_q15);
    /* osc_graph_weigh_in_plane, or null without blends by two numbers */
    void (*weigh)(const struct osc_graph_step *step);
    const osc_graph_choice_play *choices; /* &osc_graph_choices, or null without choices */
    /* Evaluates a clip from the rows of a pool (osc_crowd.h); or null: players evaluate */
    void (*evaluate_shared)(struct osc_row_pool *pool, uint32_t clip, uint32_t position_q11,
                            const osc_pose *pose);
    const osc_graph_fade_play *fades; /* &osc_graph_fades, or null without transitions that fade */
    /* osc_graph_pass_in_step, or null without transitions of the kind `step` */
    uint32_t (*pass_in_step)(const struct osc_graph_step *source, struct osc_graph_step *step,
                             uint32_t left_us, osc_placement *moved);
    /* &osc_graph_positions, or null without states whose position is a parameter */
    const osc_graph_play *positions;
    const osc_graph_event_play *events; /* &osc_graph_events, or null without graph->events */
    /* osc_graph_follow, or null without graph->trajectories */
    void (*follow)(const osc_graph *graph, uint32_t clip, const osc_step *passed,
                   osc_placement *place);
    /* osc_mirror_pose, or null without clips that are mirror images */
    void (*mirror)(const osc_mirror *mirror, const osc_pose *pose, const osc_pose *out);
    /* osc_graph_move_slews, or null without slewed numbers */
    void (*slew)(const struct osc_graph_step *step, uint32_t elapsed_us);
} osc_graph_code;

/* A character that a graph animates: pointers to its parts, filled by the generated code or the
 * game, and the results of a step. */
typedef struct osc_graph_character {
    const osc_graph *graph;
    const osc_graph_code *code;
    osc_graph_now *now;
    /* Parts of the state, besides `now`: */
    osc_graph_machine *machines; /* graph->machine_count, the base first */
    uint32_t *ages_us;           /* of each wait for a trigger, or OSC_GRAPH_NOT_PENDING */
    osc_graph_slew *slews;       /* of each slewed number */
    osc_graph_look_state *looks; /* graph->look_count */
    /* Of each machine whose transitions need memory (osc_graph_transition_count), or null: */
    osc_transition_state *transitions;
    uint32_t *transition_memory; /* osc_transition_memory_words each */
    /* Work space: */
    osc_player *const *players;       /* osc_graph_player_count, or null with a pool */
    struct osc_row_pool *pool;        /* whose rows all characters share, or null */
    const osc_pose *others;           /* osc_graph_pose_count, or null */
    const uint16_t *const *masks_q15; /* graph->mask_count, of all joints (osc_graph_read_mask) */
    osc_graph_event *events;          /* graph->event_count */
    osc_placement moved;              /* result: how far the character came in the step */
    uint32_t event_count;             /* result */
    osc_graph_limb_state *limbs;      /* part of the state: graph->limb_count */
    uint32_t *choices;        /* part of the state: of each choice, graph->choice_count; or null */
    uint32_t seed;            /* of random choices, which osc_graph_start reads */
    osc_graph_fade *fades;    /* part of the state: osc_graph_fade_count, or null */
    const osc_mirror *mirror; /* the table of the skeleton, or null without mirror images */
} osc_graph_character;

/* Returns the number of players that a character needs: 1 for each machine, 2 if it blends, 3 if it
 * blends by two numbers; twice as many if a transition of the machine fades. */
uint32_t osc_graph_player_count(const osc_graph *graph);

/* Returns the number of poses that a character needs besides the one that is shown: the most over
 * its machines, 1 each for a layer, for blends and for fades. */
uint32_t osc_graph_pose_count(const osc_graph *graph);

/* Returns the number of machines whose transitions need memory. */
uint32_t osc_graph_transition_count(const osc_graph *graph);

/* Returns how many matrices osc_graph_look and osc_graph_reach need: up to the last joint that they
 * turn. */
uint32_t osc_graph_matrix_count(const osc_graph *graph);

/* Returns the number of machines with transitions that fade. */
uint32_t osc_graph_fade_count(const osc_graph *graph);

/* Reads a mask of the graph.
 * number: below graph->mask_count. mask_q15: joint_count weights, 0 to OSC_ONE_Q15. */
void osc_graph_read_mask(const osc_graph *graph, uint32_t number, uint16_t *mask_q15);

/* Begins with the first states, at the origin, without pending triggers; layers fade in. Random
 * choices follow from character->seed: with the same one, they are the same on all machines.
 * Errors:
 * OSC_ERROR_LAYOUT if the graph needs functions that `code` does not have. */
int32_t osc_graph_start(osc_graph_character *character);

/* Advances the character by a step.
 *
 * values: the parameters, in the order of the section: triggers (not 0: set), numbers in Q16,
 * choices by number, flags; each is held at its range; then x, y and z of each point, Q20 metres.
 * elapsed_us: held at the longest step. Fills `moved`, `events` and `event_count`, and `now`. Does
 * not evaluate a pose. */
void osc_graph_advance(osc_graph_character *character, const int32_t *values, uint32_t elapsed_us);

/* Evaluates the pose at the end of a step. elapsed_us: since the last call, as given to
 * osc_graph_advance. A character that is not drawn needs no pose. */
void osc_graph_evaluate(const osc_graph_character *character, const osc_pose *pose,
                        uint32_t elapsed_us);

/* Turns heads, and what else looks at points, after osc_compose, and composes the joints below
 * again.
 *
 * values: as given to osc_graph_advance. pose, model: of osc_graph_evaluate and osc_compose; both
 * are changed. elapsed_us: as for osc_graph_evaluate. Cost: for each look osc_ik_aim, osc_recompose
 * and two square roots. */
void osc_graph_look(osc_graph_character *character, const int32_t *values, const osc_pose *pose,
                    osc_matrix *model, uint32_t elapsed_us);

/* Moves hands, feet and what else reaches for points or stays in place, after osc_graph_look, and
 * composes the joints below again.
 *
 * values, pose, model, elapsed_us: as for osc_graph_look. Cost: for each limb that reaches
 * osc_ik_two_bone and osc_recompose, an osc_placement_join for each of its points in the world, and
 * a root for a point to which it bends; for a limb that stays in place also a search of the clip's
 * spans. */
void osc_graph_reach(osc_graph_character *character, const int32_t *values, const osc_pose *pose,
                     osc_matrix *model, uint32_t elapsed_us);

/* Lets the machine of a state enter it at the beginning of the next step, whatever its transitions
 * say, for scenes that play on rails. A second request replaces one that no step has followed.
 * over_us: as in osc_transition_begin; 0: cuts. Errors: OSC_ERROR_NOT_FOUND for a
 * state that the graph does not have. */
int32_t osc_graph_go(const osc_graph_character *character, uint32_t state, uint32_t over_us);

/* Moves the character elsewhere without a transition: forgets the shown poses. */
void osc_graph_appear(const osc_graph_character *character, const osc_placement *place);

#ifdef __cplusplus
}
#endif

#endif
