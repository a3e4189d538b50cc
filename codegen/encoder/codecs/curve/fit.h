/* Finds few keys for a track: inserts where it fails, then removes and moves what it can. */
#ifndef ENCODER_CODECS_CURVE_FIT_H
#define ENCODER_CODECS_CURVE_FIT_H

#include "codecs/curve/solve.h"

/* Starts over with the keys that a track has in any case. */
void curve_start(curve_solver *solver);

/* Inserts keys until every frame holds; false when that fails or takes more than `limit` keys. */
bool curve_insert(curve_solver *solver, uint32_t limit);

/* From keys that hold to fewer that do: removes what it can, `rounds` times, and in between moves
 * keys by a frame where that brings the track closer. */
void curve_thin_out(curve_solver *solver, uint32_t rounds);

#endif
