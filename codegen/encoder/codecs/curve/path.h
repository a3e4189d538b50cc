/* Searches for the values of a dense track that take the fewest bits together, among the neighbours
 * that hold. */
#ifndef ENCODER_CODECS_CURVE_PATH_H
#define ENCODER_CODECS_CURVE_PATH_H

#include "codecs/curve/points.h"

#define CURVE_PATH_BIT 64u /* cost of a bit */

/* Returns whether a frame is within its limit with its present values in `points`. */
typedef bool (*curve_frame_test)(const void *context, uint32_t frame);

/* Replaces values by neighbours at most one step away that hold and take fewer bits. The present
 * values must hold, and the track must be of vectors or drop a component. header, k: see
 * curve_points_code; move: the cost of leaving a component's present value, in CURVE_PATH_BIT.
 * Returns false without memory. */
bool curve_path_find(curve_points *points, const curve_header *header, const uint8_t *k,
                     uint32_t move, curve_frame_test holds, const void *context);

#endif
