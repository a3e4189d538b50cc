/* The base row of a bank: the first keys of its curve clips are differences from it. */
#ifndef ENCODER_BASE_BASE_ROW_H
#define ENCODER_BASE_BASE_ROW_H

#include <stdint.h>

typedef struct {
    int16_t
        *values; /* in the order of a key row, Q20 >> OSC_CURVE_BASE_SHIFT; null: there is none */
    uint32_t rotations; /* sub-tracks */
} enc_base_row;

/* The first number of a sub-track, or with the number of all sub-tracks the length of the row. */
static inline uint32_t enc_base_offset(const enc_base_row *base, uint32_t subtrack)
{
    return subtrack < base->rotations ? 4u * subtrack : base->rotations + 3u * subtrack;
}

#endif
