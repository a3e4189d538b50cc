/* SPDX-License-Identifier: MIT */
/* A step of a machine: moments, at which transitions are looked at, and the time between them. As
 * osc_graph_switching.h, with these functions:
 *
 *     osc_graph_find_transition  the transition to take, whose triggers are consumed; or none
 *     osc_graph_rule_of          a transition
 *     osc_graph_until_time       the time to the next one that is watched, at most left_us
 *     osc_graph_pass             lets time pass in what the machine shows
 *     osc_graph_begin_moment, osc_graph_until_change, osc_graph_end_moment: osc_graph_look_at_layer
 *                                and so on for layers, nothing for the base */
#ifndef OSC_GRAPH_MOMENTS_H
#define OSC_GRAPH_MOMENTS_H

/* A moment: takes transitions until none holds. */
static void osc_graph_look_at_transitions(osc_graph_step *step)
{
    osc_graph_entered entered;
    entered.count = 0;
    osc_graph_begin_moment(step);
    while (step->is_open && step->switches < OSC_GRAPH_MOST_SWITCHES) {
        uint32_t number = osc_graph_find_transition(step, &entered);
        if (number == OSC_GRAPH_NONE)
            break;
        const osc_graph_rule rule = osc_graph_rule_of(step, number);
        osc_graph_switch_to(step, rule.target, rule.start_q11, rule.kind, rule.over_us);
        step->machine->taken = (uint16_t)number;
        entered.states[entered.count++] = rule.target;
    }
    step->reached_q11 = OSC_GRAPH_NOWHERE;
}

/* Lets time pass in the current state, until transitions have to be looked at. looks: false if that
 * is the end of the step. */
static void osc_graph_pass_time(osc_graph_step *step, uint32_t left_us, bool looks)
{
    osc_graph_machine *machine = step->machine;
    bool plays = step->is_open && osc_graph_state_plays(step, machine->state);
    if (plays && !machine->begun) {
        machine->begun = true;
        if (osc_graph_reporting(step) != 0)
            osc_graph_reporting(step)->begin(step);
    }
    if (looks)
        left_us = osc_graph_until_time(step, osc_graph_until_change(step, left_us));
    step->stops = looks && machine->shown == machine->state; /* otherwise it plays nothing */
    if (plays || machine->envelope_us != 0u)
        left_us = osc_graph_pass(step, left_us);
    if (step->is_open || machine->envelope_us != 0u) /* otherwise it waits at its beginning */
        machine->state_us = osc_graph_earlier(machine->state_us + left_us, OSC_GRAPH_TIME_MOST_US);
    osc_graph_end_moment(step, left_us);
    step->time_us += left_us;
}

/* Advances a machine over the whole step. */
static void osc_graph_advance_one(osc_graph_step *step, uint32_t number, uint32_t elapsed_us)
{
    osc_graph_machine *machine = &step->character->machines[number];
    uint32_t moments = 0;
    step->number = number;
    step->machine = machine;
    step->switches = 0;
    step->time_us = 0;
    step->reached_q11 = machine->reached_q11;
    osc_graph_read_state(step);
    osc_graph_follow_request(step);
    do {
        osc_graph_look_at_transitions(step);
        bool looks = step->switches < OSC_GRAPH_MOST_SWITCHES && moments++ < OSC_GRAPH_MOST_MOMENTS;
        if (elapsed_us != 0u)
            osc_graph_pass_time(step, elapsed_us - step->time_us, looks);
    } while (step->time_us != elapsed_us);
    machine->reached_q11 = step->reached_q11;
    step->character->now->switches = (uint8_t)(step->character->now->switches + step->switches);
}

#endif
