/* SPDX-License-Identifier: MIT */
/* A step of a graph: moments, at which transitions are looked at, and the time between them.
 * SPEC.md 26. */
#include "bank/osc_section.h"
#include "graph/osc_graph_step.h"

/* ---- switches ---- */

const osc_graph_play *osc_graph_play_of(const osc_graph_code *code, const uint32_t *state)
{
    if (osc_graph_is_blend(state))
        return code->blends;
    if (code->positions != 0 && osc_graph_has_position(state))
        return code->positions;
    return &osc_graph_clips;
}

void osc_graph_show(osc_graph_step *step, osc_graph_machine *machine)
{
    step->machine = machine;
    step->state = osc_graph_state_words(step->graph, machine->state);
    step->shown = osc_graph_state_words(step->graph, machine->shown);
    step->play = osc_graph_play_of(step->code, step->shown);
}

uint32_t osc_graph_first_position(const osc_graph *graph, const uint32_t *state)
{
    bool backward = (int32_t)osc_word(state[OSC_GRAPH_STATE_SPEED]) < 0;
    return backward ? osc_clip_end_q11(graph->bank, osc_graph_clip(state)) : 0u;
}

/* ---- for osc_graph_switching.h ---- */

static void osc_graph_choose(const osc_graph_step *step, uint32_t *state, uint32_t *start_q11)
{
    if (step->code->choices != 0)
        step->code->choices->choose(step, state, start_q11);
}

static void osc_graph_read_state(osc_graph_step *step)
{
    osc_graph_show(step, step->machine);
}

static void osc_graph_enter(const osc_graph_step *step, uint32_t start_q11)
{
    step->play->enter(step, start_q11);
}

static uint32_t osc_graph_begin_fade(const osc_graph_step *step, uint32_t kind, uint32_t over_us,
                                     uint32_t *start_q11)
{
    const osc_graph_fade_play *fades = step->code->fades;
    return fades != 0 ? fades->begin(step, kind, over_us, start_q11) : over_us;
}

static bool osc_graph_owns_state(const osc_graph_step *step, uint32_t state)
{
    return osc_graph_has_state(step->graph, step->number, state);
}

static uint32_t osc_graph_start_of(const osc_graph_step *step, uint32_t state)
{
    return osc_graph_first_position(step->graph, osc_graph_state_words(step->graph, state));
}

#include "graph/osc_graph_switching.h"

void osc_graph_begin_machine(osc_graph_step *step)
{
    uint32_t word = osc_graph_machine_word(step->graph, step->number, OSC_GRAPH_MACHINE_STATES);
    uint32_t state = word >> 16 & 0xffu, start_q11 = osc_graph_start_of(step, state);
    (void)osc_graph_begin_fade(step, OSC_GRAPH_CUT, 0, &start_q11);
    osc_graph_begin_state(step, state, start_q11);
}

/* ---- moments ---- */

/* The time until an earlier transition may leave the current state only. */
static uint32_t hold_us(const osc_graph_step *step)
{
    uint32_t taken = step->machine->taken;
    return taken == OSC_GRAPH_NONE
               ? 0u
               : osc_graph_transition(step->graph, taken, OSC_GRAPH_TRANSITION_HOLD_US);
}

/* Returns the number of the first transition to take, or OSC_GRAPH_NONE, and consumes the triggers
 * that its condition names. */
static uint32_t osc_graph_find_transition(const osc_graph_step *step,
                                          const osc_graph_entered *entered)
{
    const osc_graph *graph = step->graph;
    const osc_graph_machine *machine = step->machine;
    uint32_t list = osc_word(step->state[OSC_GRAPH_STATE_LIST]), first = list & 0xffffu;
    for (uint32_t i = 0; i < list >> 16; i++) {
        uint32_t number = osc_graph_listed(graph, first + i);
        uint32_t word = osc_graph_transition(graph, number, OSC_GRAPH_TRANSITION_TARGET);
        const uint32_t *clause = osc_graph_clause(step, word >> 16);
        if (clause == 0 || osc_graph_was_entered(entered, word & 0xffu))
            continue;
        if (number >= machine->taken && machine->state_us < hold_us(step))
            return OSC_GRAPH_NONE; /* the later ones may not leave either */
        osc_graph_consume(step, clause);
        return number;
    }
    return OSC_GRAPH_NONE;
}

static osc_graph_rule osc_graph_rule_of(const osc_graph_step *step, uint32_t number)
{
    const osc_graph *graph = step->graph;
    uint32_t word = osc_graph_transition(graph, number, OSC_GRAPH_TRANSITION_TARGET);
    const osc_graph_rule rule = {
        osc_graph_transition(graph, number, OSC_GRAPH_TRANSITION_START_Q11),
        osc_graph_transition(graph, number, OSC_GRAPH_TRANSITION_OVER_US), (uint8_t)word,
        (uint8_t)(word >> 8)};
    return rule;
}

static void osc_graph_begin_moment(osc_graph_step *step)
{
    if (step->number != 0u)
        step->code->layers->look(step);
}

static uint32_t osc_graph_until_change(const osc_graph_step *step, uint32_t left_us)
{
    return step->number != 0u ? step->code->layers->until(step, left_us) : left_us;
}

static void osc_graph_end_moment(const osc_graph_step *step, uint32_t elapsed_us)
{
    if (step->number != 0u)
        step->code->layers->fade(step, elapsed_us);
}

/* The time to the next time that is watched, at most left_us. */
static uint32_t osc_graph_until_time(const osc_graph_step *step, uint32_t left_us)
{
    osc_graph_watches watches = osc_graph_watches_of(step->graph, step->state);
    uint32_t now_us = step->machine->state_us;
    for (uint32_t i = 0; i < watches.time_count; i++)
        left_us = osc_graph_until(osc_word(watches.times[i]), now_us, left_us);
    return osc_graph_until(hold_us(step), now_us, left_us);
}

static uint32_t osc_graph_pass(osc_graph_step *step, uint32_t left_us)
{
    const osc_graph_fade_play *fades = step->code->fades;
    return fades != 0 ? fades->pass(step, left_us) : step->play->pass(step, left_us);
}

#include "graph/osc_graph_moments.h"

void osc_graph_advance_machine(osc_graph_step *step, uint32_t number, uint32_t elapsed_us)
{
    osc_graph_advance_one(step, number, elapsed_us);
}

/* Moves the place of the character. Most steps do not move it, and osc_placement_join is expensive.
 */
static void move_place(const osc_graph_character *character)
{
    const osc_placement *moved = &character->moved;
    osc_placement *place = &character->now->place;
    if ((moved->x | moved->y | moved->z | moved->yaw_q24) != 0)
        osc_placement_join(place, moved, place);
}

void osc_graph_begin_step(osc_graph_step *step, osc_graph_character *character,
                          const int32_t *values)
{
    step->is_open = true;
    step->character = character;
    step->graph = character->graph;
    step->code = character->code;
    step->reports = step->graph->events != 0 ? step->code->events : 0;
    step->values = values;
    step->history = 0;
}

void osc_graph_advance(osc_graph_character *character, const int32_t *values, uint32_t elapsed_us)
{
    OSC_ASSERT(character != 0 && values != 0);
    osc_graph_step step;
    osc_graph_begin_step(&step, character, values);
    const osc_placement nowhere = {0, 0, 0, 0};
    elapsed_us = osc_graph_earlier(elapsed_us, step.graph->longest_step_us);
    character->moved = nowhere;
    character->event_count = 0;
    character->now->switches = 0;
    if (step.code->slew != 0)
        step.code->slew(&step, elapsed_us);
    osc_graph_set_triggers(&step);
    if (step.code->layers != 0)
        step.code->layers->advance(&step, elapsed_us);
    else
        osc_graph_advance_machine(&step, 0, elapsed_us);
    osc_graph_age_triggers(&step, elapsed_us);
    move_place(character);
}

/* ---- begin ---- */

/* Forgets the poses that were shown. */
static void forget_poses(const osc_graph_character *character)
{
    static const osc_transition_state none = {0, 0, 0, 0, 0, 0};
    static const osc_graph_limb_state hanging = {{0, 0, 0}, 0, 0, OSC_GRAPH_FREE};
    uint32_t transitions = osc_graph_transition_count(character->graph);
    for (uint32_t i = 0; i < character->graph->machine_count; i++)
        character->machines[i].switch_us = OSC_GRAPH_NO_SWITCH;
    for (uint32_t i = 0; i < transitions; i++)
        character->transitions[i] = none;
    for (uint32_t i = 0; i < character->graph->look_count; i++)
        character->looks[i].envelope_us = 0;
    for (uint32_t i = 0; i < character->graph->limb_count; i++)
        character->limbs[i] = hanging;
    if (character->code->fades != 0)
        character->code->fades->forget(character);
}

/* Returns whether the character has the functions that its graph needs. */
static bool has_code(const osc_graph_character *character)
{
    const osc_graph_code *code = character->code;
    uint32_t needs = osc_graph_needs(character->graph);
    return ((needs & OSC_GRAPH_NEEDS_INERTIA) == 0u || code->begin != 0) &&
           ((needs & OSC_GRAPH_NEEDS_BLENDS) == 0u || code->blends != 0) &&
           ((needs & OSC_GRAPH_NEEDS_PLANES) == 0u || code->weigh != 0) &&
           (character->graph->choice_count == 0u || code->choices != 0) &&
           ((needs & OSC_GRAPH_NEEDS_LAYERS) == 0u || code->layers != 0) &&
           ((needs & OSC_GRAPH_NEEDS_ADDITIVE) == 0u || code->add != 0) &&
           ((needs & OSC_GRAPH_NEEDS_FADES) == 0u || (code->fades != 0 && code->blend != 0)) &&
           ((needs & OSC_GRAPH_NEEDS_STEPS) == 0u || code->pass_in_step != 0) &&
           ((needs & OSC_GRAPH_NEEDS_POSITIONS) == 0u || code->positions != 0) &&
           ((needs & OSC_GRAPH_NEEDS_MIRROR) == 0u ||
            (code->mirror != 0 && character->mirror != 0)) &&
           (character->graph->slewed_count == 0u || code->slew != 0) &&
           (character->graph->events == 0 || code->events != 0) &&
           (character->graph->trajectories == 0 || code->follow != 0);
}

int32_t osc_graph_start(osc_graph_character *character)
{
    OSC_ASSERT(character != 0);
    const osc_graph *graph = character->graph;
    osc_graph_now *now = character->now;
    if (!has_code(character))
        return OSC_ERROR_LAYOUT;
    const osc_placement nowhere = {0, 0, 0, 0};
    now->place = nowhere;
    now->switches = 0;
    now->go_us = 0;
    now->go_state = OSC_GRAPH_NONE;
    for (uint32_t i = 0; i < graph->wait_count; i++)
        character->ages_us[i] = OSC_GRAPH_NOT_PENDING;
    for (uint32_t i = 0; i < graph->slewed_count; i++) {
        uint32_t parameter = graph->trigger_count + i;
        uint32_t value = osc_graph_parameter(graph, parameter, OSC_GRAPH_PARAMETER_DEFAULT);
        const osc_graph_slew slew = {(int32_t)value, OSC_GRAPH_ARRIVED};
        character->slews[i] = slew;
    }
    int32_t values[OSC_GRAPH_MOST_PARAMETERS];
    for (uint32_t i = 0; i < graph->parameter_count; i++) /* those of points do not matter */
        values[i] = (int32_t)osc_graph_parameter(graph, i, OSC_GRAPH_PARAMETER_DEFAULT);
    osc_graph_step step;
    osc_graph_begin_step(&step, character, values);
    if (step.code->choices != 0)
        step.code->choices->start(character);
    for (step.number = 0; step.number < graph->machine_count; step.number++) {
        static const osc_graph_machine none = {0, 0, 0, false,  {0, 0, 0}, {0, 0, 0},         0,
                                               0, 0, 0, {0, 0}, 0,         OSC_GRAPH_NOWHERE, 0,
                                               0, 0, 0, 0};
        osc_graph_machine *machine = &character->machines[step.number];
        uint32_t states = osc_graph_machine_word(graph, step.number, OSC_GRAPH_MACHINE_STATES);
        *machine = none;
        machine->shown = (uint8_t)states; /* any state, until one plays */
        osc_graph_show(&step, machine);
        osc_graph_begin_machine(&step);
    }
    forget_poses(character);
    return OSC_OK;
}

int32_t osc_graph_go(const osc_graph_character *character, uint32_t state, uint32_t over_us)
{
    OSC_ASSERT(character != 0);
    if (state >= character->graph->state_count)
        return OSC_ERROR_NOT_FOUND;
    character->now->go_state = (uint16_t)state;
    character->now->go_us = osc_graph_earlier(over_us, OSC_TRANSITION_MAX_US);
    return OSC_OK;
}

void osc_graph_appear(const osc_graph_character *character, const osc_placement *place)
{
    OSC_ASSERT(character != 0 && place != 0);
    forget_poses(character);
    character->now->place = *place;
}
