/* SPDX-License-Identifier: MIT */
/* A step of a graph: moments, at which transitions are looked at, and the time between them.
 * SPEC.md 26. */
#include "graph/osc_graph_events.h"
#include "motion/osc_section.h"

/* ---- switches ---- */

static void begin_state(const osc_graph_step *step, uint32_t state, uint32_t start_q11)
{
    osc_graph_machine *machine = step->machine;
    if (step->character->code->choices != 0)
        step->character->code->choices->choose(step, &state, &start_q11);
    machine->state = (uint8_t)state;
    machine->state_us = 0;
    machine->reached_q11 = OSC_GRAPH_NOWHERE;
    machine->taken = OSC_GRAPH_NONE;
    machine->begun = false;
    if (!osc_graph_plays(step->graph, state))
        return; /* the clip before it goes on while the layer fades out */
    machine->shown = (uint8_t)state;
    machine->position_q11 = machine->fraction_q32 = machine->loops_left = 0;
    machine->phase.mark = machine->phase.fraction_q20 = 0;
    machine->time_fraction_q16 = 0;
    machine->leader = 0;
    for (uint32_t i = 0; i < OSC_GRAPH_MOST_MEMBERS; i++) {
        machine->members[i] = 0;
        machine->weights_q15[i] = 0;
    }
    osc_graph_play_of(step->character, machine)->enter(step, start_q11);
}

/* Notes a switch for the machines that come later. */
static void note_switch(const osc_graph_step *step)
{
    osc_graph_history *history = step->history;
    osc_graph_change *change = &history->changes[history->count++];
    change->time_us = step->time_us;
    change->machine = (uint8_t)step->number;
    change->state = step->machine->state;
}

/* Enters a state. What played is left: its position belongs to it. kind: OSC_GRAPH_INERTIA.. */
static void switch_to(osc_graph_step *step, uint32_t state, uint32_t start_q11, uint32_t kind,
                      uint32_t over_us)
{
    osc_graph_machine *machine = step->machine;
    bool plays = osc_graph_plays(step->graph, state);
    if (kind == OSC_GRAPH_CUT)
        over_us = 0;
    if (plays && step->character->code->fades != 0)
        over_us = step->character->code->fades->begin(step, kind, over_us, &start_q11);
    bool in_step = kind == OSC_GRAPH_STEP && start_q11 != 0u;
    if (machine->begun && osc_graph_reports(step) != 0)
        osc_graph_reports(step)->end(step, !in_step); /* otherwise the new state has the position */
    begin_state(step, state, start_q11);
    if (plays) {
        machine->switch_us = over_us;
        machine->switch_from_q11 = machine->position_q11;
    }
    step->switches++;
    if (step->history != 0)
        note_switch(step);
}

uint32_t osc_graph_first_position(const osc_graph *graph, uint32_t state)
{
    bool backward = (int32_t)osc_graph_state(graph, state, OSC_GRAPH_STATE_SPEED) < 0;
    return backward ? osc_clip_end_q11(graph->bank, osc_graph_clip(graph, state)) : 0u;
}

static void take(osc_graph_step *step, uint32_t number, uint32_t clause)
{
    const osc_graph *graph = step->graph;
    uint32_t word = osc_graph_transition(graph, number, OSC_GRAPH_TRANSITION_TARGET);
    uint32_t over_us = osc_graph_transition(graph, number, OSC_GRAPH_TRANSITION_OVER_US);
    osc_graph_consume(step, clause);
    switch_to(step, word & 0xffu,
              osc_graph_transition(graph, number, OSC_GRAPH_TRANSITION_START_Q11),
              word >> 8 & 0xffu, over_us);
    step->machine->taken = (uint16_t)number;
}

/* Enters the state that osc_graph_go has requested. */
static void follow_request(osc_graph_step *step)
{
    osc_graph_now *now = step->character->now;
    uint32_t state = now->go_state;
    if (state == OSC_GRAPH_NONE || !osc_graph_has_state(step->graph, step->number, state))
        return;
    now->go_state = OSC_GRAPH_NONE;
    switch_to(step, state, osc_graph_first_position(step->graph, state), OSC_GRAPH_INERTIA,
              now->go_us);
    step->reached_q11 = OSC_GRAPH_NOWHERE;
}

/* Returns the transitions that may leave the current state: those before this number. */
static uint32_t may_leave(const osc_graph_step *step)
{
    uint32_t taken = step->machine->taken;
    if (taken != OSC_GRAPH_NONE &&
        step->machine->state_us <
            osc_graph_transition(step->graph, taken, OSC_GRAPH_TRANSITION_HOLD_US))
        return taken;
    return OSC_GRAPH_NONE;
}

/* The states that have been entered at a moment. */
typedef struct entered_states {
    uint8_t states[OSC_GRAPH_MOST_SWITCHES], count;
} entered_states;

static bool was_entered(const entered_states *entered, uint32_t state)
{
    for (uint32_t i = 0; i < entered->count; i++)
        if (entered->states[i] == state)
            return true;
    return false;
}

/* Returns the number of the first transition to take, or OSC_GRAPH_NONE. */
static uint32_t find_transition(const osc_graph_step *step, const entered_states *entered,
                                uint32_t *clause)
{
    const osc_graph *graph = step->graph;
    uint32_t list = osc_graph_state(graph, step->machine->state, OSC_GRAPH_STATE_LIST);
    uint32_t before = may_leave(step), end = (list & 0xffffu) + (list >> 16);
    for (uint32_t entry = list & 0xffffu; entry < end; entry++) {
        uint32_t number = osc_graph_listed(graph, entry);
        if (number >= before)
            break;
        uint32_t word = osc_graph_transition(graph, number, OSC_GRAPH_TRANSITION_TARGET);
        if (was_entered(entered, word & 0xffu))
            continue;
        *clause = osc_graph_clause(step, word >> 16);
        if (*clause != OSC_GRAPH_NOWHERE)
            return number;
    }
    return OSC_GRAPH_NONE;
}

/* A moment: takes transitions until none holds. */
static void look_at_transitions(osc_graph_step *step)
{
    entered_states entered;
    uint32_t clause = 0;
    entered.count = 0;
    if (step->number != 0u)
        step->character->code->layers->look(step);
    while (step->is_open && step->switches < OSC_GRAPH_MOST_SWITCHES) {
        uint32_t number = find_transition(step, &entered, &clause);
        if (number == OSC_GRAPH_NONE)
            break;
        take(step, number, clause);
        step->reached_q11 = OSC_GRAPH_NOWHERE;
        entered.states[entered.count++] =
            (uint8_t)osc_graph_transition(step->graph, number, OSC_GRAPH_TRANSITION_TARGET);
    }
    step->reached_q11 = OSC_GRAPH_NOWHERE;
}

/* ---- time ---- */

/* The time to the next time that is watched, at most left_us. */
static uint32_t until_time(const osc_graph_step *step, uint32_t left_us)
{
    osc_graph_watches watches = osc_graph_watches_of(step->graph, step->machine->state);
    uint32_t now_us = step->machine->state_us, taken = step->machine->taken;
    if (step->number != 0u)
        left_us = step->character->code->layers->until(step, left_us);
    for (uint32_t i = 0; i < watches.time_count; i++) {
        uint32_t at_us = osc_word(watches.times[i]);
        if (at_us > now_us) {
            left_us = osc_graph_earlier(left_us, at_us - now_us);
            break;
        }
    }
    if (taken != OSC_GRAPH_NONE) {
        uint32_t hold_us = osc_graph_transition(step->graph, taken, OSC_GRAPH_TRANSITION_HOLD_US);
        if (hold_us > now_us)
            left_us = osc_graph_earlier(left_us, hold_us - now_us);
    }
    return left_us;
}

/* Lets time pass in what the machine shows. Returns how much has passed. */
static uint32_t pass_clip(osc_graph_step *step, uint32_t left_us)
{
    const osc_graph_character *character = step->character;
    if (character->code->fades != 0)
        return character->code->fades->pass(step, left_us);
    return osc_graph_play_of(character, step->machine)->pass(step, left_us);
}

/* Lets time pass in the current state, until transitions have to be looked at. looks: false if that
 * is the end of the step. Returns how much has passed. */
static uint32_t pass(osc_graph_step *step, uint32_t left_us, bool looks)
{
    osc_graph_machine *machine = step->machine;
    bool plays = step->is_open && osc_graph_plays(step->graph, machine->state);
    if (plays && !machine->begun) {
        machine->begun = true;
        if (osc_graph_reports(step) != 0)
            osc_graph_reports(step)->begin(step);
    }
    uint32_t elapsed_us = looks ? until_time(step, left_us) : left_us;
    step->stops = looks && machine->shown == machine->state; /* otherwise it plays nothing */
    if (plays || machine->envelope_us != 0u)
        elapsed_us = pass_clip(step, elapsed_us);
    if (step->is_open || machine->envelope_us != 0u) /* otherwise it waits at its beginning */
        machine->state_us =
            osc_graph_earlier(machine->state_us + elapsed_us, OSC_GRAPH_TIME_MOST_US);
    if (step->number != 0u)
        step->character->code->layers->fade(step, elapsed_us);
    step->time_us += elapsed_us;
    return elapsed_us;
}

void osc_graph_advance_machine(osc_graph_step *step, uint32_t left_us)
{
    osc_graph_machine *machine = step->machine;
    follow_request(step);
    look_at_transitions(step);
    machine->reached_q11 = OSC_GRAPH_NOWHERE;
    for (uint32_t moments = 0; left_us != 0u; moments++) {
        bool looks = step->switches < OSC_GRAPH_MOST_SWITCHES && moments < OSC_GRAPH_MOST_MOMENTS;
        left_us -= pass(step, left_us, looks);
        if (left_us == 0u)
            machine->reached_q11 = step->reached_q11;
        else
            look_at_transitions(step);
    }
    step->character->now->switches = (uint8_t)(step->character->now->switches + step->switches);
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

osc_graph_step osc_graph_step_of(osc_graph_character *character, const int32_t *values)
{
    const osc_graph_step step = {.is_open = true, /* all fields: this is also C++ */
                                 .stops = false,
                                 .switches = 0,
                                 .character = character,
                                 .graph = character->graph,
                                 .machine = character->machines,
                                 .values = values,
                                 .number = 0,
                                 .time_us = 0,
                                 .reached_q11 = character->machines->reached_q11,
                                 .history = 0};
    return step;
}

void osc_graph_advance(osc_graph_character *character, const int32_t *values, uint32_t elapsed_us)
{
    OSC_ASSERT(character != 0 && values != 0);
    osc_graph_step step = osc_graph_step_of(character, values);
    uint32_t left_us = osc_graph_earlier(elapsed_us, character->graph->longest_step_us);
    const osc_placement nowhere = {0, 0, 0, 0};
    character->moved = nowhere;
    character->event_count = 0;
    character->now->switches = 0;
    if (character->code->slew != 0)
        character->code->slew(&step, left_us);
    osc_graph_set_triggers(&step);
    if (character->code->layers != 0)
        character->code->layers->advance(&step, left_us);
    else
        osc_graph_advance_machine(&step, left_us);
    osc_graph_age_triggers(&step, left_us);
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

void osc_graph_begin_machine(const osc_graph_step *step)
{
    uint32_t word = osc_graph_machine_word(step->graph, step->number, OSC_GRAPH_MACHINE_STATES);
    uint32_t state = word >> 16 & 0xffu, start_q11 = osc_graph_first_position(step->graph, state);
    if (step->character->code->fades != 0)
        (void)step->character->code->fades->begin(step, OSC_GRAPH_CUT, 0, &start_q11);
    begin_state(step, state, start_q11);
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
    osc_graph_step step = osc_graph_step_of(character, values);
    if (character->code->choices != 0)
        character->code->choices->start(character);
    for (; step.number < graph->machine_count; step.number++, step.machine++) {
        static const osc_graph_machine none = {0, 0,      0, false, {0, 0, 0}, {0, 0, 0}, 0, 0, 0,
                                               0, {0, 0}, 0, 0,     0,         0,         0, 0, 0};
        uint32_t states = osc_graph_machine_word(graph, step.number, OSC_GRAPH_MACHINE_STATES);
        *step.machine = none;
        step.machine->shown = (uint8_t)states; /* any state, until one plays */
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
