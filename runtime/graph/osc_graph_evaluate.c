/* SPDX-License-Identifier: MIT */
/* The pose of a graph: SPEC.md 26. */
#include "graph/osc_graph_step.h"

/* Chooses a player for a clip: the one that plays it, otherwise the first or, if that plays the
 * other clip of a blend, the second. */
static osc_player *player_of(const osc_graph_character *character, uint32_t clip, bool second)
{
    uint32_t count = character->code->blends != 0 ? 2u : 1u;
    for (uint32_t i = 0; i < count; i++)
        if (character->players[i]->clip != 0 && character->players[i]->clip_number == clip)
            return character->players[i];
    return character->players[second ? count - 1u : 0u];
}

void osc_graph_evaluate_clip(const osc_graph_character *character, uint32_t clip,
                             uint32_t position_q11, const osc_pose *pose)
{
    osc_player *player = player_of(character, clip, pose == character->other);
    if (player->clip == 0 || player->clip_number != clip)
        (void)osc_player_start(player, clip, OSC_PLAY_ONCE); /* osc_graph_open knows the clip */
    (void)osc_player_seek_q11(player, (int32_t)position_q11);
    character->code->evaluate(player, pose);
}

void osc_graph_evaluate(const osc_graph_character *character, const osc_pose *pose,
                        uint32_t elapsed_us)
{
    OSC_ASSERT(character != 0 && pose != 0);
    const osc_graph_code *code = character->code;
    osc_graph_now *now = character->now;
    osc_transition transition = {character->graph->bank, character->transition_memory,
                                 now->transition};
    uint32_t over_us = now->switch_us;
    now->switch_us = OSC_GRAPH_NO_SWITCH;
    if (code->begin != 0 && over_us != OSC_GRAPH_NO_SWITCH) {
        if (over_us != 0u) /* a cut begins no transition, and needs no pose */
            osc_graph_play_of(character)->evaluate(character, pose, true);
        code->begin(&transition, pose, over_us);
    }
    osc_graph_play_of(character)->evaluate(character, pose, false);
    if (code->apply != 0)
        (void)code->apply(&transition, pose, elapsed_us);
    now->transition = transition.state;
}
