/* SPDX-License-Identifier: MIT */
/* A step of a graph: parameters, conditions, switches, clocks. SPEC.md 26. */
#include "arithmetic/osc_unit.h"
#include "graph/osc_graph_events.h"
#include "graph/osc_graph_records.h"
#include "motion/osc_section.h"

/* A step in progress. */
typedef struct graph_step {
    osc_graph_character *character;
    const osc_graph *graph;
    osc_graph_machine *machine;
    const int32_t *values;
    uint32_t reached_q11; /* the watch that the clock has just reached, or OSC_GRAPH_NOWHERE */
} graph_step;

/* ---- parameters ---- */

static int32_t clamped(int32_t value, int32_t least, int32_t most)
{
    value = value < least ? least : value;
    return value > most ? most : value;
}

/* The value of a parameter that is not a trigger, as the game has written it, held at its range. */
static int32_t written(const graph_step *step, uint32_t parameter)
{
    return clamped(step->values[parameter],
                   (int32_t)osc_graph_parameter(step->graph, parameter, OSC_GRAPH_PARAMETER_LEAST),
                   (int32_t)osc_graph_parameter(step->graph, parameter, OSC_GRAPH_PARAMETER_MOST));
}

/* A value's distance from the lower end of its range. */
static uint32_t above_least(const osc_graph *graph, uint32_t parameter, int32_t value)
{
    return (uint32_t)value - osc_graph_parameter(graph, parameter, OSC_GRAPH_PARAMETER_LEAST);
}

/* The time at which a slewed number reaches a value from the lower end of its range. */
static uint32_t slew_of(const osc_graph *graph, uint32_t parameter, int32_t value)
{
    uint32_t whole_us =
        osc_graph_parameter(graph, parameter, OSC_GRAPH_PARAMETER_KIND) >> OSC_GRAPH_SLEW_SHIFT;
    int32_t most = (int32_t)osc_graph_parameter(graph, parameter, OSC_GRAPH_PARAMETER_MOST);
    int32_t share_q20 =
        osc_ratio(above_least(graph, parameter, value), above_least(graph, parameter, most));
    return osc_mulhi_u32(whole_us << 6, (uint32_t)share_q20 << 6);
}

/* The value that blends and speeds see: on its way to the written one. */
static int32_t slewed(const graph_step *step, uint32_t parameter)
{
    const osc_graph *graph = step->graph;
    int32_t value = written(step, parameter);
    uint32_t number = parameter - graph->trigger_count;
    if (number >= graph->slewed_count)
        return value;
    uint32_t at_us = step->character->slews_us[number];
    if (at_us == slew_of(graph, parameter, value))
        return value;
    uint32_t whole_us =
        osc_graph_parameter(graph, parameter, OSC_GRAPH_PARAMETER_KIND) >> OSC_GRAPH_SLEW_SHIFT;
    uint32_t least = osc_graph_parameter(graph, parameter, OSC_GRAPH_PARAMETER_LEAST);
    uint32_t range = osc_graph_parameter(graph, parameter, OSC_GRAPH_PARAMETER_MOST) - least;
    uint32_t share_q20 = (uint32_t)osc_ratio(at_us, whole_us);
    return (int32_t)(least +
                     (share_q20 >= 1u << 20 ? range : osc_mulhi_u32(range, share_q20 << 12)));
}

static void move_slews(const graph_step *step, uint32_t elapsed_us)
{
    for (uint32_t i = 0; i < step->graph->slewed_count; i++) {
        uint32_t parameter = step->graph->trigger_count + i;
        uint32_t *at_us = &step->character->slews_us[i];
        uint32_t to_us = slew_of(step->graph, parameter, written(step, parameter));
        if (to_us > *at_us)
            *at_us = to_us - *at_us > elapsed_us ? *at_us + elapsed_us : to_us;
        else
            *at_us = *at_us - to_us > elapsed_us ? *at_us - elapsed_us : to_us;
    }
}

static uint32_t trigger_time_us(const osc_graph *graph, uint32_t trigger)
{
    return osc_graph_parameter(graph, trigger, OSC_GRAPH_PARAMETER_MOST);
}

static void set_triggers(const graph_step *step)
{
    for (uint32_t i = 0; i < step->graph->trigger_count; i++)
        if (step->values[i] != 0)
            step->character->ages_us[i] = 0;
}

/* Lets pending triggers age. A trigger that waits forever does not age. */
static void age_triggers(const graph_step *step, uint32_t elapsed_us)
{
    for (uint32_t i = 0; i < step->graph->trigger_count; i++) {
        uint32_t *age_us = &step->character->ages_us[i], time_us = trigger_time_us(step->graph, i);
        if (*age_us != OSC_GRAPH_NOT_PENDING && time_us != OSC_GRAPH_WAITS_FOREVER)
            *age_us += elapsed_us;
    }
}

static bool is_pending(const graph_step *step, uint32_t trigger)
{
    uint32_t age_us = step->character->ages_us[trigger];
    return age_us != OSC_GRAPH_NOT_PENDING && age_us <= trigger_time_us(step->graph, trigger);
}

static void drop_old_triggers(const graph_step *step)
{
    for (uint32_t i = 0; i < step->graph->trigger_count; i++)
        if (!is_pending(step, i))
            step->character->ages_us[i] = OSC_GRAPH_NOT_PENDING;
}

/* ---- the clock ---- */

/* Fills the clock of the current state. */
static void read_clock(const graph_step *step, osc_playback *clock)
{
    const osc_graph_machine *machine = step->machine;
    osc_clip_info info;
    (void)osc_clip_describe(step->graph->bank, osc_graph_clip(step->graph, machine->state), &info);
    osc_playback_start(clock, &info, machine->loops_left);
    uint32_t parameter = osc_graph_state(step->graph, machine->state, OSC_GRAPH_STATE_CLIP) >> 16;
    clock->speed_q16 =
        parameter == OSC_GRAPH_NO_PARAMETER
            ? (int32_t)osc_graph_state(step->graph, machine->state, OSC_GRAPH_STATE_SPEED)
            : slewed(step, parameter);
    clock->loops_left = machine->loops_left; /* 0 is finished, not OSC_LOOPS_AS_MADE */
    clock->position_q11 = machine->position_q11;
    clock->fraction_q32 = machine->fraction_q32;
    clock->time_fraction_q16 = machine->time_fraction_q16;
}

static void keep_clock(osc_graph_machine *machine, const osc_playback *clock)
{
    machine->position_q11 = clock->position_q11;
    machine->fraction_q32 = clock->fraction_q32;
    machine->time_fraction_q16 = clock->time_fraction_q16;
    machine->loops_left = clock->loops_left;
}

static bool plays_backward(const graph_step *step)
{
    const osc_graph *graph = step->graph;
    uint32_t state = step->machine->state;
    return osc_graph_state(graph, state, OSC_GRAPH_STATE_CLIP) >> 16 == OSC_GRAPH_NO_PARAMETER &&
           (int32_t)osc_graph_state(graph, state, OSC_GRAPH_STATE_SPEED) < 0;
}

/* ---- conditions ---- */

static bool number_holds(const graph_step *step, uint32_t operation, uint32_t argument,
                         uint32_t number)
{
    if (operation == OSC_GRAPH_AFTER)
        return step->machine->state_us >= number;
    int32_t value = written(step, argument);
    return operation == OSC_GRAPH_EQUALS ? value == (int32_t)number : value >= (int32_t)number;
}

/* Returns whether an atom holds, without its OSC_GRAPH_ATOM_NOT. */
static bool atom_holds(const graph_step *step, uint32_t atom)
{
    uint32_t argument = atom >> 16;
    switch (atom & 0xffu) {
    case OSC_GRAPH_WAITS:
        return is_pending(step, argument);
    case OSC_GRAPH_IS_SET:
        return written(step, argument) != 0;
    case OSC_GRAPH_FINISHED:
        return step->machine->loops_left == 0u;
    case OSC_GRAPH_AT:
        return osc_graph_is_at(step->graph, step->machine, plays_backward(step), argument,
                               step->reached_q11);
    case OSC_GRAPH_INSIDE:
        return osc_graph_is_inside(step->graph, step->machine, plays_backward(step), argument);
    default: /* OSC_GRAPH_ALWAYS */
        return true;
    }
}

/* Returns the first clause that holds of a condition, as the number of its first word, or
 * OSC_GRAPH_NOWHERE. */
static uint32_t clause_that_holds(const graph_step *step, uint32_t at)
{
    const uint32_t *atoms = step->graph->atoms;
    uint32_t clause = at;
    bool holds = true;
    for (;;) {
        uint32_t atom = osc_word(atoms[at++]), operation = atom & 0xffu;
        bool number = osc_graph_has_number(operation), wanted = (atom & OSC_GRAPH_ATOM_NOT) == 0u;
        if (holds)
            holds =
                wanted == (number ? number_holds(step, operation, atom >> 16, osc_word(atoms[at]))
                                  : atom_holds(step, atom));
        at += number ? 1u : 0u;
        if ((atom & (OSC_GRAPH_ATOM_OR | OSC_GRAPH_ATOM_LAST)) == 0u)
            continue;
        if (holds)
            return clause;
        if ((atom & OSC_GRAPH_ATOM_LAST) != 0u)
            return OSC_GRAPH_NOWHERE;
        clause = at;
        holds = true;
    }
}

/* Consumes the triggers that a clause names. */
static void consume_triggers(const graph_step *step, uint32_t at)
{
    uint32_t atom;
    do {
        atom = osc_word(step->graph->atoms[at++]);
        if ((atom & 0xffu) == OSC_GRAPH_WAITS)
            step->character->ages_us[atom >> 16] = OSC_GRAPH_NOT_PENDING;
        at += osc_graph_has_number(atom & 0xffu) ? 1u : 0u;
    } while ((atom & (OSC_GRAPH_ATOM_OR | OSC_GRAPH_ATOM_LAST)) == 0u);
}

/* ---- switches ---- */

/* The position at which a clip ends in its direction. */
static uint32_t last_position(const osc_graph *graph, uint32_t state)
{
    bool backward = (int32_t)osc_graph_state(graph, state, OSC_GRAPH_STATE_SPEED) < 0;
    return backward ? 0u : osc_clip_end_q11(graph->bank, osc_graph_clip(graph, state));
}

/* Begins a state at a position of its clip. A clip that plays once has ended at its last one. */
static void enter_state(const osc_graph_character *character, uint32_t state, uint32_t start_q11)
{
    uint32_t loops = osc_graph_state(character->graph, state, OSC_GRAPH_STATE_LOOPS);
    bool ended = loops == 1u && start_q11 == last_position(character->graph, state);
    const osc_graph_machine entered = {
        .position_q11 = start_q11,
        .fraction_q32 = 0,
        .loops_left = osc_graph_state(character->graph, state, OSC_GRAPH_STATE_LOOPS),
        .state_us = 0,
        .reached_q11 = OSC_GRAPH_NOWHERE,
        .time_fraction_q16 = 0,
        .taken = OSC_GRAPH_NONE,
        .state = (uint8_t)state,
        .begun = false};
    character->now->machine = entered;
}

/* Leaves the current state: its position belongs to it. */
static void leave_state(const graph_step *step)
{
    if (step->machine->begun)
        osc_graph_report_end(step->character, plays_backward(step));
}

static uint32_t first_position(const osc_graph *graph, uint32_t state)
{
    bool backward = (int32_t)osc_graph_state(graph, state, OSC_GRAPH_STATE_SPEED) < 0;
    return backward ? osc_clip_end_q11(graph->bank, osc_graph_clip(graph, state)) : 0u;
}

static void switch_to(const graph_step *step, uint32_t state, uint32_t start_q11, uint32_t over_us)
{
    osc_graph_now *now = step->character->now;
    leave_state(step);
    enter_state(step->character, state, start_q11);
    now->switch_us = over_us;
    now->switch_from_q11 = start_q11;
    now->switches++;
}

static void take(const graph_step *step, uint32_t number, uint32_t clause)
{
    const osc_graph *graph = step->graph;
    uint32_t word = osc_graph_transition(graph, number, OSC_GRAPH_TRANSITION_TARGET);
    uint32_t over_us = osc_graph_transition(graph, number, OSC_GRAPH_TRANSITION_OVER_US);
    consume_triggers(step, clause);
    switch_to(step, word & 0xffu,
              osc_graph_transition(graph, number, OSC_GRAPH_TRANSITION_START_Q11),
              (word >> 8 & 0xffu) == OSC_GRAPH_INERTIA ? over_us : 0u);
    step->machine->taken = (uint16_t)number;
}

/* Enters the state that osc_graph_go has requested. */
static void follow_request(const graph_step *step)
{
    osc_graph_now *now = step->character->now;
    uint32_t state = now->go_state;
    if (state == OSC_GRAPH_NONE)
        return;
    now->go_state = OSC_GRAPH_NONE;
    switch_to(step, state, first_position(step->graph, state), now->go_us);
}

/* Returns the transitions that may leave the current state: those before this number. */
static uint32_t may_leave(const graph_step *step)
{
    uint32_t taken = step->machine->taken;
    if (taken != OSC_GRAPH_NONE &&
        step->machine->state_us <
            osc_graph_transition(step->graph, taken, OSC_GRAPH_TRANSITION_HOLD_US))
        return taken;
    return OSC_GRAPH_NONE;
}

/* Returns the number of the first transition to take, or OSC_GRAPH_NONE. entered: bits of the
 * states that have been entered at this moment. */
static uint32_t find_transition(const graph_step *step, const uint32_t *entered, uint32_t *clause)
{
    const osc_graph *graph = step->graph;
    uint32_t list = osc_graph_state(graph, step->machine->state, OSC_GRAPH_STATE_LIST);
    uint32_t before = may_leave(step), end = (list & 0xffffu) + (list >> 16);
    for (uint32_t entry = list & 0xffffu; entry < end; entry++) {
        uint32_t number = osc_graph_listed(graph, entry);
        if (number >= before)
            break;
        uint32_t word = osc_graph_transition(graph, number, OSC_GRAPH_TRANSITION_TARGET);
        uint32_t target = word & 0xffu;
        if ((entered[target >> 5] >> (target & 31u) & 1u) != 0u)
            continue;
        *clause = clause_that_holds(step, word >> 16);
        if (*clause != OSC_GRAPH_NOWHERE)
            return number;
    }
    return OSC_GRAPH_NONE;
}

/* A moment: takes transitions until none holds. */
static void look_at_transitions(graph_step *step)
{
    uint32_t entered[8] = {0, 0, 0, 0, 0, 0, 0, 0}, clause = 0;
    while (step->character->now->switches < OSC_GRAPH_MOST_SWITCHES) {
        uint32_t number = find_transition(step, entered, &clause);
        if (number == OSC_GRAPH_NONE)
            break;
        take(step, number, clause);
        step->reached_q11 = OSC_GRAPH_NOWHERE;
        uint32_t state = step->machine->state;
        entered[state >> 5] |= 1u << (state & 31u);
    }
    step->reached_q11 = OSC_GRAPH_NOWHERE;
}

/* ---- time ---- */

static uint32_t earlier(uint32_t us, uint32_t other_us)
{
    return other_us < us ? other_us : us;
}

/* The time to the next watch of a time, at most left_us. */
static uint32_t until_time(const graph_step *step, const osc_graph_watches *watches,
                           uint32_t left_us)
{
    uint32_t now_us = step->machine->state_us, taken = step->machine->taken;
    for (uint32_t i = 0; i < watches->time_count; i++) {
        uint32_t at_us = osc_word(watches->times[i]);
        if (at_us > now_us) {
            left_us = earlier(left_us, at_us - now_us);
            break;
        }
    }
    if (taken != OSC_GRAPH_NONE) {
        uint32_t hold_us = osc_graph_transition(step->graph, taken, OSC_GRAPH_TRANSITION_HOLD_US);
        if (hold_us > now_us)
            left_us = earlier(left_us, hold_us - now_us);
    }
    return left_us;
}

/* The watch that a clock reaches next: the nearest in its direction, or in the next loop. */
static uint32_t next_position(const osc_graph_watches *watches, const osc_playback *clock)
{
    bool backward = clock->speed_q16 < 0;
    uint32_t count = watches->position_count, last = count - 1u;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at_q11 = osc_word(watches->positions[backward ? last - i : i]);
        if (backward ? at_q11 < clock->position_q11 : at_q11 > clock->position_q11)
            return at_q11;
    }
    return osc_word(watches->positions[backward ? last : 0u]);
}

/* The time to the next watch, at most left_us. Sets step->reached_q11 if it is a position. */
static uint32_t until_watch(graph_step *step, const osc_playback *clock, uint32_t left_us)
{
    osc_graph_watches watches = osc_graph_watches_of(step->graph, step->machine->state);
    left_us = until_time(step, &watches, left_us);
    if (watches.position_count == 0u)
        return left_us;
    uint32_t position_q11 = next_position(&watches, clock), time_us;
    if (!osc_playback_time_to(clock, position_q11, &time_us) || time_us > left_us)
        return left_us;
    step->reached_q11 = position_q11;
    return time_us != 0u ? time_us : 1u;
}

/* Lets time pass in the current state. */
static void pass(const graph_step *step, osc_playback *clock, uint32_t elapsed_us)
{
    osc_graph_character *character = step->character;
    osc_graph_machine *machine = step->machine;
    osc_step passed;
    if (!machine->begun)
        osc_graph_report_begin(character, plays_backward(step));
    machine->begun = true;
    (void)osc_playback_step(clock, elapsed_us, &passed);
    keep_clock(machine, clock);
    osc_graph_report_step(character, &passed);
    if (step->graph->trajectories != 0 && !osc_step_is_empty(&passed)) {
        osc_motion motion;
        osc_motion_start(&motion, step->graph->trajectories,
                         osc_graph_clip(step->graph, machine->state), passed.from_q11,
                         &character->moved);
        osc_motion_follow(&motion, &passed);
        character->moved = motion.now;
    }
    machine->state_us = earlier(machine->state_us + elapsed_us, OSC_GRAPH_TIME_MOST_US);
    age_triggers(step, elapsed_us);
}

void osc_graph_advance(osc_graph_character *character, const int32_t *values, uint32_t elapsed_us)
{
    OSC_ASSERT(character != 0 && values != 0);
    osc_graph_now *now = character->now;
    graph_step step = {character, character->graph, &now->machine, values,
                       now->machine.reached_q11};
    uint32_t left_us = earlier(elapsed_us, character->graph->longest_step_us);
    const osc_placement nowhere = {0, 0, 0, 0};
    character->moved = nowhere;
    character->event_count = 0;
    now->switches = 0;
    move_slews(&step, left_us);
    set_triggers(&step);
    follow_request(&step);
    look_at_transitions(&step);
    now->machine.reached_q11 = OSC_GRAPH_NOWHERE;
    while (left_us != 0u) {
        osc_playback clock;
        read_clock(&step, &clock);
        uint32_t us = left_us;
        if (now->switches < OSC_GRAPH_MOST_SWITCHES)
            us = until_watch(&step, &clock, left_us);
        pass(&step, &clock, us);
        left_us -= us;
        if (left_us == 0u)
            now->machine.reached_q11 = step.reached_q11;
        else
            look_at_transitions(&step);
    }
    drop_old_triggers(&step);
    osc_placement_join(&now->place, &character->moved, &now->place);
}

/* ---- begin ---- */

/* Forgets the poses that were shown. */
static void forget_poses(osc_graph_now *now)
{
    const osc_transition_state none = {0, 0, 0, 0, 0, 0};
    now->transition = none;
    now->switch_us = OSC_GRAPH_NO_SWITCH;
    now->switch_from_q11 = 0;
}

void osc_graph_start(const osc_graph_character *character)
{
    OSC_ASSERT(character != 0);
    const osc_graph *graph = character->graph;
    osc_graph_now *now = character->now;
    const osc_placement nowhere = {0, 0, 0, 0};
    now->place = nowhere;
    now->switches = 0;
    now->go_us = 0;
    now->go_state = OSC_GRAPH_NONE;
    forget_poses(now);
    for (uint32_t i = 0; i < graph->trigger_count; i++)
        character->ages_us[i] = OSC_GRAPH_NOT_PENDING;
    for (uint32_t i = 0; i < graph->slewed_count; i++) {
        uint32_t parameter = graph->trigger_count + i;
        uint32_t value = osc_graph_parameter(graph, parameter, OSC_GRAPH_PARAMETER_DEFAULT);
        character->slews_us[i] = slew_of(graph, parameter, (int32_t)value);
    }
    enter_state(character, graph->first_state, first_position(graph, graph->first_state));
}

int32_t osc_graph_go(const osc_graph_character *character, uint32_t state, uint32_t over_us)
{
    OSC_ASSERT(character != 0);
    if (state >= character->graph->state_count)
        return OSC_ERROR_NOT_FOUND;
    character->now->go_state = (uint16_t)state;
    character->now->go_us = earlier(over_us, OSC_TRANSITION_MAX_US);
    return OSC_OK;
}

void osc_graph_appear(const osc_graph_character *character, const osc_placement *place)
{
    OSC_ASSERT(character != 0 && place != 0);
    forget_poses(character->now);
    character->now->place = *place;
}
