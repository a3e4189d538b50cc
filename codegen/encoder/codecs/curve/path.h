/* The cheapest way through the values that hold: which of a dense track's neighbouring values take
 * the fewest bits together. */
#ifndef ENCODER_CODECS_CURVE_PATH_H
#define ENCODER_CODECS_CURVE_PATH_H

#include "codecs/curve/points.h"

#define CURVE_PATH_BIT 64u /* the cost of a bit */

/* Whether a frame holds with the values that `points` has there. */
typedef bool (*curve_frame_test)(const void *context, uint32_t frame);

/* Replaces the values of a track with a dropped component or of vectors by others at most one step
 * away that hold and take fewer bits; the present ones hold. header and k: see curve_points_code.
 * move: what it costs to leave a component's present value, in CURVE_PATH_BIT. False: no memory. */
bool curve_path_find(curve_points *points, const curve_header *header, const uint8_t *k,
                     uint32_t move, curve_frame_test holds, const void *context);

#endif
