/* One segment while its coefficients are searched for. */
#ifndef ENCODER_CODECS_TRANSFORM_SEGMENT_H
#define ENCODER_CODECS_TRANSFORM_SEGMENT_H

#include "codecs/transform/fitter.h"

/* Per point and inner frame of the segment: the quadratic's value at the present coefficients, and
 * half its slope. Here and below frames come last, eight of them, so that they are computed side by
 * side; nothing is at those that are no inner ones. */
typedef struct {
    double level[ENC_TRANSFORM_POINTS][OSC_TRANSFORM_FRAMES];
    double slope[ENC_TRANSFORM_COMPONENTS][ENC_TRANSFORM_POINTS][OSC_TRANSFORM_FRAMES];
} enc_transform_levels;

typedef struct {
    const enc_transform_fitter *fitter;
    uint32_t index, length, components, points;
    double tight[OSC_TRANSFORM_FRAMES];                       /* levels times this hold up to 1 */
    double price[ENC_TRANSFORM_POINTS][OSC_TRANSFORM_FRAMES]; /* the quadratics', and so is this: */
    double bend[ENC_TRANSFORM_COMPONENTS][ENC_TRANSFORM_COMPONENTS][ENC_TRANSFORM_POINTS]
               [OSC_TRANSFORM_FRAMES];
    /* what one more of a coefficient changes, Q20, by frame and, once more, by order */
    double gain[ENC_TRANSFORM_COMPONENTS][ENC_TRANSFORM_ORDERS][OSC_TRANSFORM_FRAMES];
    double gain_of[ENC_TRANSFORM_COMPONENTS][OSC_TRANSFORM_FRAMES][OSC_TRANSFORM_FRAMES];
    enc_transform_levels now;
} enc_transform_segment;

/* Fills the measures of the segment `index` of the fitter's track. */
void enc_transform_segment_measure(enc_transform_segment *segment);

/* Moves coefficients, at most `rounds` times, until all frames hold. */
bool enc_transform_segment_repair(enc_transform_segment *segment, uint32_t rounds);

/* Makes coefficients smaller and fewer as long as all frames hold: those that save most, by the
 * fitter's codes, and with others that make up for them. */
void enc_transform_segment_save(enc_transform_segment *segment);

/* The same in a hurry: drops coefficients of one. */
void enc_transform_segment_trim(enc_transform_segment *segment);

#endif
