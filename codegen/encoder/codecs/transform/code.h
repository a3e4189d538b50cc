/* The cost of a transform track's integers, and how they are written. */
#ifndef ENCODER_CODECS_TRANSFORM_CODE_H
#define ENCODER_CODECS_TRANSFORM_CODE_H

#include "codecs/transform/track.h"

/* The bits of a number of `count` bits in a header that states its difference from a previous
 * one. */
uint32_t enc_transform_near_bits(uint32_t value, uint32_t previous, uint32_t count);

/* Chooses the cheapest codes of one component, given those of the component before, which it
 * replaces. Returns all bits except those of the step and of the first ends. */
uint64_t enc_transform_choose(const enc_transform_track *track, uint32_t component,
                              enc_transform_codes *codes);

/* The bits of the whole track. codes: receives the codes used. */
uint64_t enc_transform_bits(const enc_transform_track *track,
                            enc_transform_codes chosen[ENC_TRANSFORM_COMPONENTS]);

int32_t enc_transform_write(const enc_clip_tracks *clip, const enc_clip_streams *out);

/* The bits of a component's coefficients in one segment. */
uint32_t enc_transform_segment_bits(const enc_transform_track *track, uint32_t segment,
                                    uint32_t component, const enc_transform_codes *codes);

/* The composition of a segment's bits while single coefficients change. */
typedef struct {
    uint32_t most, mode;
    uint32_t before[ENC_TRANSFORM_ORDERS + 1u]; /* [order]: bits of the coefficients before it */
    int32_t k_q2[ENC_TRANSFORM_ORDERS];         /* [order]: its parameter */
} enc_transform_bill;

/* Computes the bill of a component's present coefficients. */
void enc_transform_set_bill(enc_transform_bill *bill, const enc_transform_track *track,
                            uint32_t segment, uint32_t component, const enc_transform_codes *codes);

/* The bits if coefficient `order` of those `values` changed to another value. */
uint32_t enc_transform_billed(const enc_transform_bill *bill, const int32_t *values, uint32_t count,
                              uint32_t order, int32_t other);

#endif
