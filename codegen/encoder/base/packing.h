/* Packings of rotation tracks: which component is dropped and rebuilt from the other three. */
#ifndef ENCODER_BASE_PACKING_H
#define ENCODER_BASE_PACKING_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/codec.h"

#define ENC_PLAIN_PACKINGS 4u   /* drop one of the components x y z w */
#define ENC_TURNED_PACKINGS 12u /* drop one of those, also after either turn of osc_turn */

/* A rotation in the orientation of a packing: the inverse of osc_turn. */
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

/* Returns the packing, among the first `packings`, that promises the fewest bits. *room: the
 * smallest size of the component that it drops, or 0 if every packing drops a component that
 * becomes small. track: [frame_count][4], unit; breaks: frames at which it may jump; slack:
 * deviation in radians that does not matter. */
uint32_t enc_best_packing(const double *track, uint32_t frame_count, const uint8_t *breaks,
                          uint32_t packings, double slack, double *room);

/* The packing of a track in a codec that has all of them: the best one; `four` if each drops a
 * component that becomes small; `vector` if the track is not a rotation. */
uint32_t enc_packing_of(const enc_fit *fit, uint32_t four, uint32_t vector);

#endif
