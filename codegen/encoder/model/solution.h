/* A complete coding of a clip: how each of its tracks is coded. */
#ifndef ENCODER_MODEL_SOLUTION_H
#define ENCODER_MODEL_SOLUTION_H

#include "model/constant_track.h"
#include "model/source.h"

/* How one track of a clip is coded: `coded` where it moves, else `constant`. */
typedef struct {
    enc_constant constant;
    enc_coded *coded;
} enc_track_choice;

/* One complete coding of a clip. */
typedef struct {
    enc_track_choice *tracks; /* [joint * ENC_KINDS + kind] */
    uint32_t track_count;
    uint64_t bits;
} enc_solution;

/* Frees the coding of a track, and leaves the choice empty. */
void enc_choice_release(enc_track_choice *choice);
void enc_solution_release(enc_solution *solution);

/* One row (frame < row_count) of a track as the device unpacks it. */
static inline const int32_t *enc_choice_row(const enc_track_choice *choice, uint32_t kind,
                                            uint32_t frame)
{
    if (choice->coded == NULL)
        return choice->constant.row;
    return choice->coded->rows + (size_t)frame * enc_components(kind);
}

#endif
