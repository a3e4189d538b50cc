/* Pinned joints, whose own translation places them, whatever the error of the joints above. */
#ifndef ENCODER_PUBLISHED_SCHEMES_PINNED_H
#define ENCODER_PUBLISHED_SCHEMES_PINNED_H

#include "model/solution.h"

/* Computes the translation of `joint`, which has a parent, that places it where the source has it,
 * under the joints above as `solution` plays them. target: receives [row][3]. Returns false without
 * memory. */
bool enc_pinned_target(const enc_source *source, const enc_solution *solution, uint32_t joint,
                       double *target);

#endif
