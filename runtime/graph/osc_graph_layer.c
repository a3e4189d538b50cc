/* SPDX-License-Identifier: MIT */
/* Layers of a graph: machines above the base, which fade in and out. */
#include "arithmetic/osc_fixed.h"
#include "graph/osc_graph_step.h"

static uint32_t layer_word(const osc_graph_step *step, uint32_t word)
{
    return osc_graph_machine_word(step->graph, step->number, word);
}

/* ---- for osc_graph_layering.h ---- */

static bool osc_graph_while_holds(const osc_graph_step *step)
{
    uint32_t condition = layer_word(step, OSC_GRAPH_MACHINE_WHILE);
    return condition == OSC_GRAPH_ANYTIME || osc_graph_clause(step, condition) != 0;
}

static void osc_graph_begin_first(osc_graph_step *step)
{
    osc_graph_begin_machine(step);
}

static uint32_t osc_graph_layer_fade_us(const osc_graph_step *step)
{
    return layer_word(step, OSC_GRAPH_MACHINE_FADE_US);
}

static uint32_t osc_graph_layer_weight(const osc_graph_step *step)
{
    uint32_t parameter = layer_word(step, OSC_GRAPH_MACHINE_KIND) >> 16 & 0xffu;
    return osc_graph_weight_q15(step, parameter, layer_word(step, OSC_GRAPH_MACHINE_WEIGHT));
}

static bool osc_graph_is_one_shot(const osc_graph_step *step)
{
    return (osc_graph_state_flags(step->shown) & OSC_GRAPH_STATE_ONE_SHOT) != 0u;
}

#include "graph/osc_graph_layering.h"

static bool is_in(const osc_graph_step *step, uint32_t states)
{
    uint32_t first = states & 0xffu;
    return osc_graph_state_at(step, osc_graph_machine_of(step->graph, first)) - first < states >> 8;
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
        machines[i].weight_q15 = (uint16_t)osc_graph_layer_q15(step);
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

const osc_graph_layer_play osc_graph_layers = {
    advance_layers, osc_graph_look_at_layer, osc_graph_until_layer, osc_graph_fade_layer, is_in,
    mix_layer};
