/* Conversion of the encoder's doubles to the device's integers. */
#ifndef ENCODER_BASE_QUANTISE_H
#define ENCODER_BASE_QUANTISE_H

#include <stdbool.h>
#include <stdint.h>

/* The nearest integer, halves rounded up; for numbers within 32 bits. It avoids floor(), which is a
 * call on machines that lack the instruction. */
static inline int32_t enc_nearest(double value)
{
    double up = value + 0.5;
    int32_t whole = (int32_t)up;
    return whole - (up < whole ? 1 : 0);
}

/* The nearest multiple of 2^shift in Q20 that fits 32 bits. A target that compensates for a coarse
 * or collapsed joint above may be far out of range or not a number. */
int32_t enc_quantise(double value, uint32_t shift);

/* Bits of a two's complement number, sign included. */
uint32_t enc_signed_width(int32_t value);

/* Fills component `dropped` of q from the other three, as the device does. */
void enc_rebuild(int32_t q[4], uint32_t dropped, bool negative);

/* Returns whether all pairs that blend stay within the evaluator's limits (SPEC.md): coarse steps
 * can lengthen a motion that is short enough in the source. */
bool enc_steps_blend(const int32_t *rows, uint32_t components, uint32_t frame_count,
                     const uint8_t *breaks);

/* The centre of the bounding box of a track, which is near the point whose largest distance is
 * smallest. For rotations (four components), its unit quaternion. */
void enc_centre(const double *track, uint32_t frame_count, uint32_t components, double *out);

#endif
