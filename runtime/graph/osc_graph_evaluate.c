/* SPDX-License-Identifier: MIT */
/* The pose of a graph: SPEC.md 26. */
#include "graph/osc_graph_step.h"

/* Chooses a player for a clip: the one that plays it, otherwise the first or, for the second clip
 * of a blend, the last. */
static osc_player *player_of(const osc_graph_view *view, uint32_t clip, bool second)
{
    for (uint32_t i = 0; i < view->player_count; i++)
        if (view->players[i]->clip != 0 && view->players[i]->clip_number == clip)
            return view->players[i];
    return view->players[second ? view->player_count - 1u : 0u];
}

void osc_graph_evaluate_clip(const osc_graph_view *view, uint32_t clip, uint32_t position_q11,
                             const osc_pose *pose, bool second)
{
    osc_player *player = player_of(view, clip, second);
    if (player->clip == 0 || player->clip_number != clip)
        (void)osc_player_start(player, clip, OSC_PLAY_ONCE); /* osc_graph_open knows the clip */
    (void)osc_player_seek_q11(player, (int32_t)position_q11);
    view->character->code->evaluate(player, pose);
}

void osc_graph_evaluate_machine(const osc_graph_view *view, osc_transition *transition,
                                const osc_pose *pose, uint32_t elapsed_us)
{
    const osc_graph_code *code = view->character->code;
    const osc_graph_play *play = osc_graph_play_of(view->character, view->machine);
    uint32_t over_us = view->machine->switch_us;
    view->machine->switch_us = OSC_GRAPH_NO_SWITCH;
    if (transition != 0 && over_us != OSC_GRAPH_NO_SWITCH) {
        if (over_us != 0u) /* a cut begins no transition, and needs no pose */
            play->evaluate(view, pose, true);
        code->begin(transition, pose, over_us);
    }
    play->evaluate(view, pose, false);
    if (transition != 0)
        (void)code->apply(transition, pose, elapsed_us);
}

void osc_graph_evaluate(const osc_graph_character *character, const osc_pose *pose,
                        uint32_t elapsed_us)
{
    OSC_ASSERT(character != 0 && pose != 0);
    const osc_graph *graph = character->graph;
    const osc_graph_view view = {character, character->machines, character->players,
                                 osc_graph_machine_players(graph, 0), character->others};
    if ((osc_graph_machine_flags(graph, 0) & OSC_GRAPH_MACHINE_INERTIA) != 0u) {
        osc_transition transition = {graph->bank, character->transition_memory,
                                     character->transitions[0]};
        osc_graph_evaluate_machine(&view, &transition, pose, elapsed_us);
        character->transitions[0] = transition.state;
    } else {
        osc_graph_evaluate_machine(&view, 0, pose, elapsed_us);
    }
    if (character->code->layers != 0)
        character->code->layers->mix(character, pose, elapsed_us);
}
