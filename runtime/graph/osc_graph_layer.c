/* SPDX-License-Identifier: MIT */
/* Layers of a graph: machines above the base, which fade in and out. */
#include "arithmetic/osc_fixed.h"
#include "graph/osc_graph_events.h"

static uint32_t layer_word(const osc_graph_step *step, uint32_t word)
{
    return osc_graph_machine_word(step->graph, step->number, word);
}

/* ---- earlier machines ---- */

/* The state of a machine at the time that the step has reached. */
static uint32_t state_at(const osc_graph_step *step, uint32_t machine)
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

static bool is_in(const osc_graph_step *step, uint32_t states)
{
    uint32_t first = states & 0xffu;
    return state_at(step, osc_graph_machine_of(step->graph, first)) - first < states >> 8;
}

/* The time to the next switch of an earlier machine, at most left_us. */
static uint32_t until_switch(const osc_graph_step *step, uint32_t left_us)
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

static void look_at_layer(osc_graph_step *step)
{
    osc_graph_machine *machine = step->machine;
    uint32_t condition = layer_word(step, OSC_GRAPH_MACHINE_WHILE);
    step->is_open = condition == OSC_GRAPH_ANYTIME || osc_graph_clause(step, condition) != 0;
    if (step->is_open)
        return;
    if (machine->begun) {
        if (step->reports != 0)
            step->reports->end(step, true);
        machine->begun = false;
    }
    if (machine->envelope_us == 0u && machine->state_us != 0u)
        osc_graph_begin_machine(step);
}

/* Returns whether a layer fades in, or has done so. */
static bool fades_in(const osc_graph_step *step)
{
    return step->is_open && osc_graph_plays(step->state);
}

/* The clip of a layer that fades out ends as soon as it shows nothing. */
static uint32_t until_layer(const osc_graph_step *step, uint32_t left_us)
{
    uint32_t envelope_us = step->machine->envelope_us;
    if (envelope_us != 0u && !fades_in(step))
        left_us = osc_graph_earlier(left_us, envelope_us);
    return until_switch(step, left_us);
}

static void fade(const osc_graph_step *step, uint32_t elapsed_us)
{
    osc_graph_machine *machine = step->machine;
    uint32_t fade_us = layer_word(step, OSC_GRAPH_MACHINE_FADE_US);
    uint32_t envelope_us = machine->envelope_us;
    if (fades_in(step))
        envelope_us = osc_graph_earlier(envelope_us + elapsed_us, fade_us);
    else
        envelope_us -= osc_graph_earlier(envelope_us, elapsed_us);
    bool one_shot = (osc_graph_state_flags(step->shown) & OSC_GRAPH_STATE_ONE_SHOT) != 0u;
    if (one_shot && envelope_us != 0u)
        envelope_us = osc_graph_earlier(envelope_us, osc_graph_time_left(step));
    machine->envelope_us = envelope_us;
}

/* ---- weights ---- */

static uint32_t weight_q15(const osc_graph_step *step)
{
    uint32_t fade_us = layer_word(step, OSC_GRAPH_MACHINE_FADE_US);
    if (fade_us == 0u ? !fades_in(step) : step->machine->envelope_us == 0u)
        return 0;
    uint32_t parameter = layer_word(step, OSC_GRAPH_MACHINE_KIND) >> 16 & 0xffu;
    uint32_t weight =
        osc_graph_weight_q15(step, parameter, layer_word(step, OSC_GRAPH_MACHINE_WEIGHT));
    if (fade_us == 0u)
        return weight;
    return (weight * osc_graph_share_q15(step->machine->envelope_us, fade_us)) >> 15;
}

/* ---- a step ---- */

static void advance_layers(osc_graph_step *step, uint32_t elapsed_us)
{
    const osc_graph *graph = step->graph;
    osc_graph_machine *machines = step->character->machines;
    osc_graph_history history;
    history.count = 0;
    for (uint32_t i = 0; i < graph->machine_count; i++)
        history.first_states[i] = machines[i].state;
    step->history = &history;
    osc_graph_advance_machine(step, 0, elapsed_us);
    for (uint32_t i = 1; i < graph->machine_count; i++) {
        osc_graph_advance_machine(step, i, elapsed_us);
        machines[i].weight_q15 = (uint16_t)weight_q15(step);
    }
    step->history = 0;
}

/* ---- the pose ---- */

/* Forgets the pose that a hidden layer has shown. */
static void hide_layer(const osc_graph_view *view)
{
    static const osc_transition_state none = {0, 0, 0, 0, 0, 0};
    view->machine->switch_us = OSC_GRAPH_NO_SWITCH;
    if (view->remembers)
        view->character->transitions[view->transition] = none;
}

static void mix_layer(osc_graph_view *view, uint32_t kind, const osc_pose *pose,
                      uint32_t elapsed_us)
{
    const osc_graph_character *character = view->character;
    const osc_bank *bank = character->graph->bank;
    const osc_pose *layer = &character->others[0];
    uint32_t mask = kind >> 8 & 0xffu, weight = view->machine->weight_q15;
    if (weight == 0u) {
        hide_layer(view);
        return;
    }
    const uint16_t *mask_q15 = mask != OSC_GRAPH_NO_MASK ? character->masks_q15[mask] : 0;
    view->other = &character->others[1];
    osc_graph_evaluate_machine(view, layer, elapsed_us);
    if ((kind & OSC_GRAPH_MACHINE_ADDITIVE) != 0u)
        character->code->add(bank, pose, layer, weight, mask_q15);
    else
        character->code->blend(bank, pose, layer, weight, mask_q15);
}

const osc_graph_layer_play osc_graph_layers = {advance_layers, look_at_layer, until_layer,
                                               fade,           is_in,         mix_layer};
