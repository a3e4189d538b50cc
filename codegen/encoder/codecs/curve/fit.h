/* Searches for few keys with which a track holds: inserts keys where it fails, then removes and
 * moves keys. */
#ifndef ENCODER_CODECS_CURVE_FIT_H
#define ENCODER_CODECS_CURVE_FIT_H

#include "codecs/curve/solve.h"

/* Starts with only those keys that every track has; linear keys of a straight clip, also with those
 * at corners of the target. */
void curve_start(curve_solver *solver);

/* Inserts keys until every frame holds. Returns false if that fails or takes more than `limit`
 * keys. */
bool curve_insert(curve_solver *solver, uint32_t limit);

/* Removes keys while every frame holds, in `rounds` rounds, and between them moves keys by a frame
 * if that brings the track closer to its target. */
void curve_thin_out(curve_solver *solver, uint32_t rounds);

#endif
