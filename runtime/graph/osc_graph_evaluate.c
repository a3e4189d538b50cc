/* SPDX-License-Identifier: MIT */
/* The pose of a graph: SPEC.md 26. */
#include "graph/osc_graph_step.h"

static bool plays(const osc_player *player, uint32_t clip)
{
    return player->clip != 0 && player->clip_number == clip;
}

static bool plays_any(const osc_player *player, const osc_graph_chosen *chosen)
{
    for (uint32_t i = 0; i < chosen->count; i++)
        if (plays(player, chosen->clips[i]))
            return true;
    return false;
}

/* Returns the player that plays a clip: if none does, the first that plays none of those that play
 * together begins it. */
static osc_player *player_of(const osc_graph_view *view, const osc_graph_chosen *chosen)
{
    uint32_t clip = chosen->clips[chosen->number];
    osc_player *player = view->players[0];
    for (uint32_t i = 0; i < view->player_count; i++)
        if (plays(view->players[i], clip))
            return view->players[i];
    for (uint32_t i = view->player_count; i-- != 0u;)
        if (!plays_any(view->players[i], chosen))
            player = view->players[i];
    (void)osc_player_start(player, clip, OSC_PLAY_ONCE); /* osc_graph_open knows it */
    return player;
}

/* Evaluates the stored data of a clip. A mirror image shares those of its original. */
static void evaluate_data(const osc_graph_view *view, const osc_graph_chosen *chosen,
                          uint32_t position_q11, const osc_pose *pose)
{
    const osc_graph_character *character = view->character;
    const osc_graph_code *code = character->code;
    if (code->evaluate_shared != 0) {
        code->evaluate_shared(character->pool, chosen->clips[chosen->number], position_q11, pose);
        return;
    }
    osc_player *player = player_of(view, chosen);
    (void)osc_player_seek_q11(player, (int32_t)position_q11);
    code->evaluate(player, pose);
}

void osc_graph_evaluate_clip(const osc_graph_view *view, const osc_graph_chosen *chosen,
                             uint32_t position_q11, const osc_pose *pose)
{
    const osc_graph_character *character = view->character;
    evaluate_data(view, chosen, position_q11, pose);
    if (character->code->mirror == 0)
        return;
    const osc_bank *bank = character->graph->bank;
    uint32_t clip = chosen->clips[chosen->number];
    if (osc_clip_mirrored(bank, bank->clips + clip * OSC_CLIP_ENTRY_WORDS))
        character->code->mirror(character->mirror, pose, pose);
}

/* Evaluates what the machine shows, where it begins or where it is now. */
static void evaluate_states(const osc_graph_view *view, const osc_pose *pose, bool begins)
{
    const osc_graph_code *code = view->character->code;
    if (code->fades != 0)
        code->fades->evaluate(view, pose, begins);
    else
        osc_graph_play_of(code, view->state)->evaluate(view, pose, begins);
}

void osc_graph_evaluate_machine(const osc_graph_view *view, const osc_pose *pose,
                                uint32_t elapsed_us)
{
    const osc_graph_code *code = view->character->code;
    uint32_t over_us = view->machine->switch_us;
    view->machine->switch_us = OSC_GRAPH_NO_SWITCH;
    if (!view->remembers) {
        evaluate_states(view, pose, false);
        return;
    }
    const osc_bank *bank = view->character->graph->bank;
    osc_transition_state *state = &view->character->transitions[view->transition];
    uint32_t words = view->transition * osc_transition_memory_words(bank);
    osc_transition transition = {bank, view->character->transition_memory + words, *state};
    if (over_us != OSC_GRAPH_NO_SWITCH) {
        if (over_us != 0u) /* a cut begins no transition, and needs no pose */
            evaluate_states(view, pose, true);
        code->begin(&transition, pose, over_us);
    }
    evaluate_states(view, pose, false);
    (void)code->apply(&transition, pose, elapsed_us);
    *state = transition.state;
}

void osc_graph_evaluate(const osc_graph_character *character, const osc_pose *pose,
                        uint32_t elapsed_us)
{
    OSC_ASSERT(character != 0 && pose != 0);
    const osc_graph *graph = character->graph;
    osc_graph_view view = {character, character->machines, 0, character->players,
                           0,         character->others,   0, false};
    for (uint32_t i = 0; i < graph->machine_count; i++) {
        uint32_t kind = osc_graph_machine_word(graph, i, OSC_GRAPH_MACHINE_KIND);
        view.state = osc_graph_state_words(graph, view.machine->shown);
        view.player_count = osc_graph_machine_players(graph, i);
        view.remembers = (kind & OSC_GRAPH_MACHINE_INERTIA) != 0u;
        if (i == 0u)
            osc_graph_evaluate_machine(&view, pose, elapsed_us);
        else
            character->code->layers->mix(&view, kind, pose, elapsed_us);
        view.machine++;
        view.transition += view.remembers ? 1u : 0u;
        if (view.players != 0) /* null with a pool */
            view.players += view.player_count;
    }
}
