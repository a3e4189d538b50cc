/* SPDX-License-Identifier: MIT */
/* The pose of a graph: SPEC.md 26. */
#include "graph/osc_graph_step.h"

static bool plays(const osc_player *player, uint32_t clip)
{
    return player->clip != 0 && player->clip_number == clip;
}

static bool plays_any(const osc_player *player, const uint32_t *clips, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (plays(player, clips[i]))
            return true;
    return false;
}

/* Chooses a player for one of the clips that play together: the one that plays it, otherwise the
 * first that plays none of them. */
static osc_player *player_of(const osc_graph_character *character, const uint32_t *clips,
                             uint32_t count, uint32_t number)
{
    const osc_graph_code *code = character->code;
    osc_player *found = character->players[0];
    for (uint32_t i = code->weigh != 0 ? 3u : code->blends != 0 ? 2u : 1u; i-- != 0u;) {
        osc_player *player = character->players[i];
        if (plays(player, clips[number]))
            return player;
        if (!plays_any(player, clips, count))
            found = player;
    }
    return found;
}

void osc_graph_evaluate_clip(const osc_graph_character *character, const uint32_t *clips,
                             uint32_t count, uint32_t number, uint32_t position_q11,
                             const osc_pose *pose)
{
    osc_player *player = player_of(character, clips, count, number);
    if (!plays(player, clips[number]))
        (void)osc_player_start(player, clips[number], OSC_PLAY_ONCE); /* one that the bank has */
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
