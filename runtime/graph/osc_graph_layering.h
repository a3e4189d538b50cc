/* SPDX-License-Identifier: MIT */
/* Layers: machines above the base, which fade in and out. As osc_graph_switching.h, with these
 * functions:
 *
 *     osc_graph_while_holds     the `while` of the layer
 *     osc_graph_begin_first     enters its first state, at its beginning
 *     osc_graph_layer_fade_us, osc_graph_layer_weight
 *     osc_graph_is_one_shot     what the layer shows ends with it
 *     osc_graph_time_left       the time until that ends */
#ifndef OSC_GRAPH_LAYERING_H
#define OSC_GRAPH_LAYERING_H

/* ---- earlier machines ---- */

/* The state of a machine at the time that the step has reached. */
static uint32_t osc_graph_state_at(const osc_graph_step *step, uint32_t machine)
{
    const osc_graph_history *history = step->history;
    uint32_t state = history->first_states[machine];
    for (uint32_t i = 0; i < history->count; i++) {
        const osc_graph_change *change = &history->changes[i];
        if (change->machine == machine && change->time_us <= step->time_us)
            state = change->state;
    }
    return state;
}

/* The time to the next switch of an earlier machine, at most left_us. */
static uint32_t osc_graph_until_switch(const osc_graph_step *step, uint32_t left_us)
{
    const osc_graph_history *history = step->history;
    for (uint32_t i = 0; i < history->count; i++) {
        const osc_graph_change *change = &history->changes[i];
        if (change->machine != step->number && change->time_us > step->time_us)
            left_us = osc_graph_earlier(left_us, change->time_us - step->time_us);
    }
    return left_us;
}

/* ---- fading ---- */

/* Looks at the `while` of a layer. */
static void osc_graph_look_at_layer(osc_graph_step *step)
{
    osc_graph_machine *machine = step->machine;
    step->is_open = osc_graph_while_holds(step);
    if (step->is_open)
        return;
    if (machine->begun) {
        if (osc_graph_reporting(step) != 0)
            osc_graph_reporting(step)->end(step, true);
        machine->begun = false;
    }
    if (machine->envelope_us == 0u && machine->state_us != 0u)
        osc_graph_begin_first(step);
}

/* Returns whether a layer fades in, or has done so. */
static bool osc_graph_fades_in(const osc_graph_step *step)
{
    return step->is_open && osc_graph_state_plays(step, step->machine->state);
}

/* Returns the time until something may change besides the state, at most left_us. The clip of a
 * layer that fades out ends as soon as it shows nothing. */
static uint32_t osc_graph_until_layer(const osc_graph_step *step, uint32_t left_us)
{
    uint32_t envelope_us = step->machine->envelope_us;
    if (envelope_us != 0u && !osc_graph_fades_in(step))
        left_us = osc_graph_earlier(left_us, envelope_us);
    return osc_graph_until_switch(step, left_us);
}

/* Fades after time has passed. */
static void osc_graph_fade_layer(const osc_graph_step *step, uint32_t elapsed_us)
{
    osc_graph_machine *machine = step->machine;
    uint32_t envelope_us = machine->envelope_us;
    if (osc_graph_fades_in(step))
        envelope_us = osc_graph_earlier(envelope_us + elapsed_us, osc_graph_layer_fade_us(step));
    else
        envelope_us -= osc_graph_earlier(envelope_us, elapsed_us);
    if (envelope_us != 0u && osc_graph_is_one_shot(step))
        envelope_us = osc_graph_earlier(envelope_us, osc_graph_time_left(step));
    machine->envelope_us = envelope_us;
}

/* The weight of a layer at the end of a step. */
static uint32_t osc_graph_layer_q15(const osc_graph_step *step)
{
    uint32_t fade_us = osc_graph_layer_fade_us(step);
    if (fade_us == 0u ? !osc_graph_fades_in(step) : step->machine->envelope_us == 0u)
        return 0;
    uint32_t weight = osc_graph_layer_weight(step);
    if (fade_us == 0u)
        return weight;
    return (weight * osc_graph_share_q15(step->machine->envelope_us, fade_us)) >> 15;
}

#endif
