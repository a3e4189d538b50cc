/* What the tracks of a clip do to its joints, to first order: errors as small as a tolerance add
 * up, so that trying another coding of a track is an addition. What is found so is measured as
 * played afterwards. */
#ifndef ENCODER_SOLVE_RATES_FIRST_ORDER_H
#define ENCODER_SOLVE_RATES_FIRST_ORDER_H

#include "model/source.h"

/* A small affine change of model space: by how much it moves a point. */
typedef struct {
    double m[12]; /* 3x4, row major */
} enc_shift;

/* The source at its rows, the wrap of a loop included, as its own tracks compose it. */
typedef struct {
    const enc_source *source;
    enc_matrix *model;   /* [joint][row] */
    enc_matrix *inverse; /* [joint][row]: of its linear part; zero where there is none */
} enc_dense_model;

/* False: no memory. Release in any case. */
bool enc_dense_model_prepare(enc_dense_model *model, const enc_source *source);
void enc_dense_model_release(enc_dense_model *model);

/* What a joint and all below it are moved by where one of its tracks has `row` at a frame. */
void enc_dense_shift(const enc_dense_model *model, uint32_t joint, uint32_t kind, uint32_t frame,
                     const int32_t *row, enc_shift *out);

/* The largest squared distance by which a shift moves the shell points of a joint: [9], x y z of
 * each. */
double enc_shift_error2(const enc_shift *shift, const double *points);

/* The shell points of a joint at a frame. */
void enc_dense_points(const enc_dense_model *model, uint32_t joint, uint32_t frame, double shell_m,
                      double *points);

#endif
