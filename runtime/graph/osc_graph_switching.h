/* SPDX-License-Identifier: MIT */
/* Switches of a machine.
 *
 * This file and osc_graph_{layering,moments,clocking,blending}.h are the steps of a graph without
 * its data. The interpreter includes them, and generated code has a copy of them. Each of the two
 * first defines the functions that read the graph, the interpreter from records, generated code
 * from tables and constants; here:
 *
 *     osc_graph_choose         the state that is entered instead, if it is the first of a choice
 *     osc_graph_state_plays    whether a state plays something
 *     osc_graph_read_state     the machine shows another state
 *     osc_graph_enter          begins what the machine shows at a position
 *     osc_graph_begin_fade     begins a fade; returns what machine->switch_us becomes
 *     osc_graph_reporting      how events are reported, or null
 *     osc_graph_owns_state     whether a state belongs to the machine
 *     osc_graph_start_of       the position at which a state begins if no transition states one */
#ifndef OSC_GRAPH_SWITCHING_H
#define OSC_GRAPH_SWITCHING_H

/* Enters a state, or one that a choice makes of it. start_q11: where it begins. */
static void osc_graph_begin_state(osc_graph_step *step, uint32_t state, uint32_t start_q11)
{
    osc_graph_machine *machine = step->machine;
    osc_graph_choose(step, &state, &start_q11);
    bool plays = osc_graph_state_plays(step, state);
    machine->state = (uint8_t)state;
    machine->state_us = 0;
    machine->taken = OSC_GRAPH_NONE;
    machine->begun = false;
    machine->shown = plays ? (uint8_t)state : machine->shown;
    osc_graph_read_state(step);
    step->reached_q11 = OSC_GRAPH_NOWHERE;
    if (!plays)
        return; /* the clip before it goes on while the layer fades out */
    machine->fraction_q32 = 0;
    machine->phase.mark = machine->phase.fraction_q20 = 0;
    machine->time_fraction_q16 = 0;
    machine->leader = 0;
    for (uint32_t i = 0; i < OSC_GRAPH_MOST_MEMBERS; i++) {
        machine->members[i] = 0;
        machine->weights_q15[i] = 0;
    }
    osc_graph_enter(step, start_q11);
}

/* Notes a switch for the machines that come later. */
static void osc_graph_note_switch(const osc_graph_step *step)
{
    osc_graph_history *history = step->history;
    osc_graph_change *change = &history->changes[history->count++];
    change->time_us = step->time_us;
    change->machine = (uint8_t)step->number;
    change->state = step->machine->state;
}

/* Enters a state. What played is left: its position belongs to it. kind: OSC_GRAPH_INERTIA.. */
static void osc_graph_switch_to(osc_graph_step *step, uint32_t state, uint32_t start_q11,
                                uint32_t kind, uint32_t over_us)
{
    osc_graph_machine *machine = step->machine;
    bool plays = osc_graph_state_plays(step, state);
    if (kind == OSC_GRAPH_CUT)
        over_us = 0;
    if (plays)
        over_us = osc_graph_begin_fade(step, kind, over_us, &start_q11);
    bool in_step = kind == OSC_GRAPH_STEP && start_q11 != 0u;
    if (machine->begun && osc_graph_reporting(step) != 0)
        osc_graph_reporting(step)->end(step,
                                       !in_step); /* otherwise the new state has the position */
    osc_graph_begin_state(step, state, start_q11);
    if (plays) {
        machine->switch_us = over_us;
        machine->switch_from_q11 = machine->position_q11;
    }
    step->switches++;
    if (step->history != 0)
        osc_graph_note_switch(step);
}

/* Enters the state that osc_graph_go has requested. */
static void osc_graph_follow_request(osc_graph_step *step)
{
    osc_graph_now *now = step->character->now;
    uint32_t state = now->go_state;
    if (state == OSC_GRAPH_NONE || !osc_graph_owns_state(step, state))
        return;
    now->go_state = OSC_GRAPH_NONE;
    osc_graph_switch_to(step, state, osc_graph_start_of(step, state), OSC_GRAPH_INERTIA,
                        now->go_us);
}

/* ---- moments ---- */

/* The states that have been entered at a moment. */
typedef struct osc_graph_entered {
    uint8_t states[OSC_GRAPH_MOST_SWITCHES], count;
} osc_graph_entered;

static bool osc_graph_was_entered(const osc_graph_entered *entered, uint32_t state)
{
    for (uint32_t i = 0; i < entered->count; i++)
        if (entered->states[i] == state)
            return true;
    return false;
}

#endif
