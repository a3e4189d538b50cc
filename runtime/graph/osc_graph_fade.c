/* SPDX-License-Identifier: MIT */
/* Transitions of a graph during which two states play. */
#include "arithmetic/osc_fixed.h"
#include "graph/osc_graph_step.h"

osc_graph_fade *osc_graph_fade_of(const osc_graph_character *character, uint32_t machine)
{
    const osc_graph *graph = character->graph;
    osc_graph_fade *fade = character->fades;
    if ((osc_graph_machine_flags(graph, machine) & OSC_GRAPH_MACHINE_FADES) == 0u)
        return 0;
    for (uint32_t i = 0; i < machine; i++)
        fade += (osc_graph_machine_flags(graph, i) & OSC_GRAPH_MACHINE_FADES) != 0u ? 1 : 0;
    return fade;
}

/* ---- switches ---- */

/* The phase of a blend, as the position at which another one begins. */
static uint32_t packed(const osc_phase *phase)
{
    uint32_t mark = OSC_GRAPH_PHASE_MARKS + phase->mark % OSC_GRAPH_PHASE_MARKS;
    return mark << OSC_GRAPH_PHASE_SHIFT | phase->fraction_q20;
}

static uint32_t begin_fade(const osc_graph_step *step, uint32_t kind, uint32_t over_us,
                           uint32_t *start_q11)
{
    const osc_graph_machine *machine = step->machine;
    osc_graph_fade *fade = osc_graph_fade_of(step->character, step->number);
    if (fade == 0)
        return over_us;
    uint32_t pending_us = machine->switch_us;
    if (fade->over_us != 0u && pending_us == OSC_GRAPH_NO_SWITCH)
        pending_us = over_us; /* the source of that fade is dropped */
    fade->over_us = fade->elapsed_us = 0;
    fade->in_step = kind == OSC_GRAPH_STEP ? 1u : 0u;
    if ((kind != OSC_GRAPH_FADE && kind != OSC_GRAPH_STEP) || !machine->begun ||
        (fade->in_step != 0u && !osc_graph_is_blend(step->shown)))
        return over_us;
    if (fade->in_step != 0u)
        *start_q11 = packed(&machine->phase);
    fade->source = *machine;
    fade->source.begun = false; /* it reports no events */
    fade->source.switch_from_q11 = machine->position_q11;
    fade->from = machine->phase;
    fade->over_us = over_us;
    fade->half ^= 1u;
    return pending_us == OSC_GRAPH_NO_SWITCH || pending_us == 0u ? pending_us : over_us;
}

static void forget_fades(const osc_graph_character *character)
{
    for (uint32_t i = 0; i < character->graph->machine_count; i++) {
        osc_graph_fade *fade = osc_graph_fade_of(character, i);
        if (fade == 0)
            continue;
        const osc_graph_fade none = {character->machines[i], {0, 0}, 0, 0, 0, 0};
        *fade = none;
    }
}

/* ---- time ---- */

uint32_t osc_graph_fade_weight(const osc_graph_fade *fade, uint32_t elapsed_us)
{
    uint32_t s_q15 = osc_graph_share_q15(elapsed_us, fade->over_us);
    return ((s_q15 * s_q15 >> 15) * (3u * OSC_ONE_Q15 - 2u * s_q15)) >> 15;
}

/* Lets time pass in a state. Returns how much has passed. own: the displacement by it. */
static uint32_t pass_in_state(osc_graph_step *step, uint32_t left_us, osc_placement *own)
{
    const osc_placement nowhere = {0, 0, 0, 0};
    osc_placement *moved = &step->character->moved, before = *moved;
    *moved = nowhere;
    uint32_t elapsed_us = step->play->pass(step, left_us);
    *own = *moved;
    *moved = before;
    return elapsed_us;
}

/* Lets time pass in both states, up to the next watch of the target. */
static uint32_t pass_in_both(osc_graph_step *step, osc_graph_fade *fade, uint32_t left_us)
{
    osc_graph_step source = *step;
    osc_placement moved, own;
    uint32_t elapsed_us;
    osc_graph_show(&source, &fade->source);
    source.stops = false;
    if (fade->in_step != 0u) {
        elapsed_us = step->code->pass_in_step(&source, step, left_us, &moved);
    } else {
        elapsed_us = pass_in_state(step, left_us, &own);
        (void)pass_in_state(&source, elapsed_us, &moved);
        uint32_t weight_q15 = osc_graph_fade_weight(fade, fade->elapsed_us + (elapsed_us >> 1));
        osc_placement_blend(&moved, &own, weight_q15, &moved);
    }
    if (step->number == 0u)
        osc_placement_join(&step->character->moved, &moved, &step->character->moved);
    fade->elapsed_us += elapsed_us;
    if (fade->elapsed_us == fade->over_us)
        fade->over_us = 0;
    return elapsed_us;
}

static uint32_t pass_in_fade(osc_graph_step *step, uint32_t left_us)
{
    osc_graph_fade *fade = osc_graph_fade_of(step->character, step->number);
    uint32_t us = 0;
    if (fade != 0 && fade->over_us != 0u) {
        us = pass_in_both(step, fade, osc_graph_earlier(left_us, fade->over_us - fade->elapsed_us));
        if (us == left_us || step->reached_q11 != OSC_GRAPH_NOWHERE)
            return us;
    }
    return us + step->play->pass(step, left_us - us);
}

/* ---- the pose ---- */

/* Evaluates the source of a fade, at the switch or where it is now. */
static void evaluate_source(osc_graph_view view, const osc_graph_fade *fade, const osc_pose *pose,
                            bool begins)
{
    osc_graph_machine source = fade->source;
    if (begins) {
        source.position_q11 = source.switch_from_q11;
        source.phase = fade->from;
    }
    view.machine = &source;
    view.state = osc_graph_state_words(view.character->graph, source.shown);
    osc_graph_play_of(view.character->code, view.state)->evaluate(&view, pose, false);
}

/* Both states have players of their own, half of those of the machine, which the target keeps when
 * it becomes the source. */
static void evaluate_fade(const osc_graph_view *view, const osc_pose *pose, bool begins)
{
    const osc_graph_character *character = view->character;
    uint32_t number = (uint32_t)(view->machine - character->machines);
    const osc_graph_fade *fade = osc_graph_fade_of(character, number);
    const osc_graph_play *play = osc_graph_play_of(character->code, view->state);
    if (fade == 0) {
        play->evaluate(view, pose, begins);
        return;
    }
    osc_graph_view source = *view, target = *view;
    osc_graph_view *second = fade->half != 0u ? &target : &source;
    target.player_count = source.player_count = view->player_count >> 1;
    if (view->players != 0) /* null with a pool */
        second->players += second->player_count;
    if (fade->over_us == 0u) {
        play->evaluate(&target, pose, begins);
        return;
    }
    evaluate_source(source, fade, pose, begins);
    if (begins) /* the target has no weight */
        return;
    target.other = view->other + 1;
    play->evaluate(&target, view->other, false);
    character->code->blend(character->graph->bank, pose, view->other,
                           osc_graph_fade_weight(fade, fade->elapsed_us), 0);
}

const osc_graph_fade_play osc_graph_fades = {begin_fade, forget_fades, pass_in_fade, evaluate_fade};
