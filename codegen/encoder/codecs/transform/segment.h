/* The state of one segment while its coefficients are searched. */
#ifndef ENCODER_CODECS_TRANSFORM_SEGMENT_H
#define ENCODER_CODECS_TRANSFORM_SEGMENT_H

#include "codecs/transform/fitter.h"

/* Per point and inner frame of the segment: the quadratic's value with the present coefficients,
 * and half its gradient. Here and below, the eight frames are the last index, so that they are
 * computed in parallel; frames that are not inner ones are 0. */
typedef struct {
    double level[ENC_TRANSFORM_POINTS][OSC_TRANSFORM_FRAMES];
    double slope[ENC_TRANSFORM_COMPONENTS][ENC_TRANSFORM_POINTS][OSC_TRANSFORM_FRAMES];
} enc_transform_levels;

typedef struct {
    const enc_transform_fitter *fitter;
    uint32_t index, length, components, points;
    double tight[OSC_TRANSFORM_FRAMES]; /* factor on levels, which hold up to 1 */
    double price[ENC_TRANSFORM_POINTS]
                [OSC_TRANSFORM_FRAMES]; /* bits that a level costs other tracks */
    double bend[ENC_TRANSFORM_COMPONENTS][ENC_TRANSFORM_COMPONENTS][ENC_TRANSFORM_POINTS]
               [OSC_TRANSFORM_FRAMES];
    /* change of the component by one unit of a coefficient, Q20, by frame and by order */
    double gain[ENC_TRANSFORM_COMPONENTS][ENC_TRANSFORM_ORDERS][OSC_TRANSFORM_FRAMES];
    double gain_of[ENC_TRANSFORM_COMPONENTS][OSC_TRANSFORM_FRAMES][OSC_TRANSFORM_FRAMES];
    enc_transform_levels now;
} enc_transform_segment;

/* Computes the state of segment `index` of the fitter's track. */
void enc_transform_segment_measure(enc_transform_segment *segment);

/* Changes coefficients, at most `rounds` times, until all frames hold. */
bool enc_transform_segment_repair(enc_transform_segment *segment, uint32_t rounds);

/* Makes coefficients smaller and fewer while all frames hold: first those that save most according
 * to the fitter's codes, also with changes of others that compensate. */
void enc_transform_segment_save(enc_transform_segment *segment);

/* The same at low effort: removes coefficients of one. */
void enc_transform_segment_trim(enc_transform_segment *segment);

#endif
