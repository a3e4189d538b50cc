/* SPDX-License-Identifier: MIT */
/* The pose of a graph: SPEC.md 26. */
#include "graph/osc_graph_records.h"

/* Evaluates a clip at a position. The clips of a graph are in its bank: nothing can fail. */
static void evaluate_at(const osc_graph_character *character, uint32_t position_q11,
                        const osc_pose *pose)
{
    uint32_t clip = osc_graph_clip(character->graph, character->now->machine.state);
    osc_player *player = character->player;
    if (player->clip == 0 || player->clip_number != clip)
        (void)osc_player_start(player, clip, OSC_PLAY_ONCE);
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
            evaluate_at(character, now->switch_from_q11, pose);
        code->begin(&transition, pose, over_us);
    }
    evaluate_at(character, now->machine.position_q11, pose);
    if (code->apply != 0)
        (void)code->apply(&transition, pose, elapsed_us);
    now->transition = transition.state;
}
