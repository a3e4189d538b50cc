/* Packings of rotation tracks: which component is left out and rebuilt from the other three. */
#ifndef ENCODER_BASE_PACKING_H
#define ENCODER_BASE_PACKING_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/codec.h"

#define ENC_PLAIN_PACKINGS 4u   /* the components x y z w themselves */
#define ENC_TURNED_PACKINGS 12u /* and those after either of the turns of osc_turn */

/* A rotation in the orientation of a packing: what osc_turn brings back. */
static inline void enc_packing_turn_back(const double *q, uint32_t packing, double *out)
{
    double x = q[0], y = q[1], z = q[2], w = q[3];
    if (packing < 4u) {
        memcpy(out, q, 4u * sizeof *q);
    } else if (packing < 8u) {
        const double r[4] = {(x + y - z - w) / 2, (y + z - x - w) / 2, (z + x - y - w) / 2,
                             (w + x + y + z) / 2};
        memcpy(out, r, sizeof r);
    } else {
        const double r[4] = {(x + z - y + w) / 2, (y + x - z + w) / 2, (z + y - x + w) / 2,
                             (w - x - y - z) / 2};
        memcpy(out, r, sizeof r);
    }
}

/* Of the first `packings` packings the one whose components promise the fewest bits, and *room, the
 * least size of the component that it drops; 0 where there is none that is never small. track:
 * [frame_count][4], unit; breaks: frames at which it may jump; slack: radians that do not matter.
 */
uint32_t enc_best_packing(const double *track, uint32_t frame_count, const uint8_t *breaks,
                          uint32_t packings, double slack, double *room);

/* The packing of a track in a codec that has all of them: the best one, `four` where each drops a
 * component that is small at times, `vector` where the track is no rotation. */
uint32_t enc_packing_of(const enc_fit *fit, uint32_t four, uint32_t vector);

#endif
