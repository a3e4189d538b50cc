/* SPDX-License-Identifier: MIT */
/* The generic evaluator of two rows. */
#ifndef OSC_EVALUATE_H
#define OSC_EVALUATE_H

#include "osc_crowd.h"

/* Blends two rows of a bank into a local pose, as osc_player_evaluate does. */
void osc_evaluate_pair(const osc_bank *bank, const osc_row_pair *pair, const osc_pose *pose);

#endif
