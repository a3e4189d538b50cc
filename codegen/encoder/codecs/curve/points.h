/* A key on every frame: the numbers of a dense track, and what they cost. */
#ifndef ENCODER_CODECS_CURVE_POINTS_H
#define ENCODER_CODECS_CURVE_POINTS_H

#include "codecs/curve/code.h"
#include "codecs/osc_curve_arithmetic.h"

typedef struct {
    uint32_t packing, shift, components, frame_count, restart_log2;
    uint32_t coarsening[CURVE_MAX_COMPONENTS], quarters[CURVE_MAX_COMPONENTS];
    int32_t (*value)[CURVE_MAX_COMPONENTS]; /* [frame]: in steps */
    uint8_t *dropped; /* [frame]: in packing four the component without bits, or OSC_CURVE_NONE */
} curve_points;

static inline int32_t curve_points_step(const curve_points *points, uint32_t c)
{
    return osc_curve_step(points->shift + points->coarsening[c], points->quarters[c]);
}

static inline uint32_t curve_points_in_block(const curve_points *points, uint32_t frame)
{
    return points->restart_log2 >= 31u ? frame : frame & ((1u << points->restart_log2) - 1u);
}

/* Whether a frame has a residual of the component. */
static inline bool curve_points_coded(const curve_points *points, uint32_t frame, uint32_t c)
{
    return curve_points_in_block(points, frame) != 0u && points->dropped[frame] != c;
}

/* The row at a frame. In packing four it depends on the frame before, which has to be done; the
 * value of the dropped component and `dropped` are filled in. */
void curve_points_row(const curve_points *points, uint32_t frame, int32_t *row);

/* The track's bits as they will be written, with the cheapest predictors and parameters. k:
 * [component][frame], the parameter that each residual then meets. False: no memory, or (`*unfit`)
 * the header cannot say the width of the plain values. */
bool curve_points_code(const curve_points *points, curve_code *code, uint8_t *k, bool *unfit);

#endif
