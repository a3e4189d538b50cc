/* A track with a key on every frame: its numbers and their cost. */
#ifndef ENCODER_CODECS_CURVE_POINTS_H
#define ENCODER_CODECS_CURVE_POINTS_H

#include "codecs/curve/code.h"
#include "codecs/osc_curve_arithmetic.h"

typedef struct {
    uint32_t packing, shift, components, frame_count, restart_log2;
    uint32_t coarsening[CURVE_MAX_COMPONENTS], quarters[CURVE_MAX_COMPONENTS];
    int32_t (*value)[CURVE_MAX_COMPONENTS]; /* [frame]: values in steps */
    uint8_t *dropped; /* [frame]: component not coded in packing four, or OSC_CURVE_NONE */
} curve_points;

static inline int32_t curve_points_step(const curve_points *points, uint32_t c)
{
    return osc_curve_step(points->shift + points->coarsening[c], points->quarters[c]);
}

static inline uint32_t curve_points_in_block(const curve_points *points, uint32_t frame)
{
    return points->restart_log2 >= 31u ? frame : frame & ((1u << points->restart_log2) - 1u);
}

/* Returns whether a frame has a residual of the component. */
static inline bool curve_points_coded(const curve_points *points, uint32_t frame, uint32_t c)
{
    return curve_points_in_block(points, frame) != 0u && points->dropped[frame] != c;
}

/* Computes the row at a frame, and sets `dropped` and the value of the dropped component. In
 * packing four the row depends on the previous frame, which must be complete. */
void curve_points_row(const curve_points *points, uint32_t frame, int32_t *row);

/* Codes the track as it will be written, with the cheapest predictors and parameters. k: receives
 * the parameter of each residual, [component][frame]. Returns false without memory, or with *unfit
 * set if the header cannot represent the width of plain values. */
bool curve_points_code(const curve_points *points, curve_code *code, uint8_t *k, bool *unfit);

#endif
