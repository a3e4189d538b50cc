/* SPDX-License-Identifier: MIT */
/* The generic evaluator of two rows. */
#ifndef OSC_EVALUATE_H
#define OSC_EVALUATE_H

#include "osc_crowd.h"
#include "pose/osc_moved.h"

/* The rows around a player's position. */
static inline osc_row_pair osc_player_pair(const osc_player *player)
{
    uintptr_t moved = osc_moved_bytes(player);
    osc_row_pair pair;
    pair.left = osc_moved(player->rows[player->left_slot], moved);
    pair.right = osc_moved(player->rows[player->left_slot ^ 1u], moved);
    pair.chords = (const uint32_t *)osc_moved((const int32_t *)player->chords, moved);
    pair.fraction_q11 = player->fraction_q11;
    return pair;
}

/* Blends two rows of a bank into a local pose, as osc_player_evaluate does. */
void osc_evaluate_pair(const osc_bank *bank, const osc_row_pair *pair, const osc_pose *pose);

#endif
