/* One segment while its coefficients are searched for. */
#ifndef ENCODER_TRANSFORM_SEGMENT_H
#define ENCODER_TRANSFORM_SEGMENT_H

#include "transform.h"

/* Per inner frame and place: the form's value at the present coefficients, and half its slope. */
typedef struct {
    double level[OSC_TRANSFORM_FRAMES][ENC_TRANSFORM_PLACES];
    double slope[OSC_TRANSFORM_FRAMES][ENC_TRANSFORM_PLACES][ENC_TRANSFORM_COMPONENTS];
} enc_transform_levels;

typedef struct {
    const enc_transform_fitter *fitter;
    uint32_t index, length, components, places;
    double tight[OSC_TRANSFORM_FRAMES]; /* levels times this hold up to 1 */
    const enc_transform_form *forms;    /* [frame of the segment][place] */
    /* what one more of a coefficient changes, Q20 */
    double gain[ENC_TRANSFORM_COMPONENTS][ENC_TRANSFORM_ORDERS][OSC_TRANSFORM_FRAMES];
    enc_transform_levels now;
} enc_transform_segment;

/* Fills the measures of the segment `index` of the fitter's track. */
void enc_transform_segment_measure(enc_transform_segment *segment);

/* Moves coefficients, at most `rounds` times, until all frames hold. */
bool enc_transform_segment_repair(enc_transform_segment *segment, uint32_t rounds);

/* Makes coefficients smaller and fewer as long as all frames hold; `repairs`: how many others may
 * be moved to make up for one. */
void enc_transform_segment_save(enc_transform_segment *segment, uint32_t repairs);

#endif
