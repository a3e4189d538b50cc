/* Pinned joints: placed by their own translation, wherever the joints above have ended up. */
#ifndef ENCODER_SOLVE_PINNED_H
#define ENCODER_SOLVE_PINNED_H

#include "model/solution.h"

/* What the translation of `joint`, which has a parent, has to be at every row so that the joint is
 * where the source has it, under the joints above as `solution` plays them: target [row][3]. False:
 * no memory. */
bool enc_pinned_target(const enc_source *source, const enc_solution *solution, uint32_t joint,
                       double *target);

#endif
