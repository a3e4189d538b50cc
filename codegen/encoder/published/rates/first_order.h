/* The effect of a clip's tracks on its joints, to first order: errors as small as a tolerance add
 * up, so that trying another coding of a track is an addition. The result is measured as played
 * afterwards. */
#ifndef ENCODER_PUBLISHED_RATES_FIRST_ORDER_H
#define ENCODER_PUBLISHED_RATES_FIRST_ORDER_H

#include "model/source.h"

/* A small affine change of model space: the displacement of a point is m * point. */
typedef struct {
    double m[12]; /* 3x4, row major */
} enc_shift;

/* The source at its rows, including the wrap of a loop, composed from its own tracks. */
typedef struct {
    const enc_source *source;
    enc_matrix *model;   /* [joint][row] */
    enc_matrix *inverse; /* [joint][row]: inverse of its linear part; zero if there is none */
} enc_dense_model;

/* Returns false without memory; must be released in any case. */
bool enc_dense_model_prepare(enc_dense_model *model, const enc_source *source);
void enc_dense_model_release(enc_dense_model *model);

/* The shift of a joint and all its descendants if one of its tracks has `row` at a frame. */
void enc_dense_shift(const enc_dense_model *model, uint32_t joint, uint32_t kind, uint32_t frame,
                     const int32_t *row, enc_shift *out);

/* The largest squared distance by which a shift moves the shell points of a joint. points: x y z of
 * each of the three. */
double enc_shift_error2(const enc_shift *shift, const double *points);

/* Computes the shell points of a joint at a frame: x y z of each of the three. */
void enc_dense_points(const enc_dense_model *model, uint32_t joint, uint32_t frame, double shell_m,
                      double *points);

#endif
