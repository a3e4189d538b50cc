/* A complete coding of a clip: the coding of each of its tracks. */
#ifndef ENCODER_MODEL_SOLUTION_H
#define ENCODER_MODEL_SOLUTION_H

#include "model/constant_track.h"
#include "model/source.h"

/* The coding of one track of a clip: `coded` if it moves, otherwise `constant`. */
typedef struct {
    enc_constant constant;
    enc_coded *coded;
} enc_track_choice;

/* A complete coding of a clip. */
typedef struct {
    enc_track_choice *tracks; /* [joint * ENC_KINDS + kind] */
    uint32_t track_count;
    uint64_t bits;
} enc_solution;

/* Releases the coding of a track and clears the choice. */
void enc_choice_release(enc_track_choice *choice);
void enc_solution_release(enc_solution *solution);

/* The bits that the coding of a track takes. */
static inline uint32_t enc_choice_bits(const enc_track_choice *choice)
{
    return choice->coded != NULL ? choice->coded->bits : choice->constant.bits;
}

/* A row (frame < row_count) of a track as the device unpacks it. */
static inline const int32_t *enc_choice_row(const enc_track_choice *choice, uint32_t kind,
                                            uint32_t frame)
{
    if (choice->coded == NULL)
        return choice->constant.row;
    return choice->coded->rows + (size_t)frame * enc_components(kind);
}

#endif
