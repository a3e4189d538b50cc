/* SPDX-License-Identifier: MIT */
/* Where a game on a screen gets its input from: game_pad.c, or game_film.c for a film. */
#ifndef GAME_INPUT_H
#define GAME_INPUT_H

#include "sample.h"

/* Shows the picture that has been drawn. Returns the buttons for the next one, as for sample_step,
 * and the ticks since the last call. */
uint32_t game_show(const sample *game, uint32_t *ticks);

#endif
