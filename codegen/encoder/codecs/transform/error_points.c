/* The points that a track has to hold, as quadratic forms of its coded components, which guide
 * searches. */
#include "codecs/transform/error_points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/linear.h"
#include "base/packing.h"
#include "ossicle.h"

/* The cost for other tracks, in bits per frame, of a squared deviation as large as their whole
 * tolerance. Measured: best for motion capture, and within 1 % of the best for hand-keyed clips. */
#define BITS_PASSED_ON 6.0
#define CLOSE_TO_LIMIT 0.9 /* from here on a target leaves too little room for rounding */
#define MAX_STEPS 8u       /* of Newton's method */
/* Deviation from unit length that osc_transform_finish corrects in four components. */
#define LENGTH_Q20 (0.0015 * OSC_ONE_Q20)

#define UNIT (1.0 / OSC_ONE_Q20)

/* Computes the derivatives of a rotation near the target by its coded components, Q20. The
 * component that the packing drops compensates for the others. */
static void packing_slopes(const enc_transform_fitter *fitter, const double *target,
                           enc_slopes *slopes)
{
    uint32_t dropped = fitter->track->packing & 3u;
    double turned[4], makes_up[4] = {0.0};
    enc_packing_turn_back(target, fitter->track->packing, turned);
    double sign = turned[dropped] < 0.0 ? -UNIT : UNIT; /* the device's is positive */
    for (uint32_t k = 0, c = 0; k < 4u; k++)
        if (k != dropped)
            makes_up[c++] = turned[k] / turned[dropped] * sign;
    for (uint32_t j = 0; j < 4u; j++)
        for (uint32_t c = 0; c < 4u; c++)
            slopes->by[j][c] = sign * fitter->axes.by[j][c] - makes_up[c] * fitter->dropped_axis[j];
}

void enc_transform_set_axes(enc_transform_fitter *fitter)
{
    uint32_t packing = fitter->track->packing, dropped = packing & 3u;
    memset(&fitter->axes, 0, sizeof fitter->axes);
    for (uint32_t j = 0; j < 4u && packing < OSC_TRANSFORM_FOUR; j++) {
        double one[4] = {0.0}, moves[4]; /* gradients turn like the quaternion itself */
        one[j] = 1.0;
        enc_packing_turn_back(one, packing, moves);
        for (uint32_t k = 0, c = 0; k < 4u; k++)
            if (k != dropped)
                fitter->axes.by[j][c++] = moves[k];
        fitter->dropped_axis[j] = moves[dropped];
    }
}

/* Computes the derivatives of a track that drops no component. */
static void own_slopes(uint32_t components, enc_slopes *slopes)
{
    memset(slopes, 0, sizeof *slopes);
    for (uint32_t c = 0; c < components; c++)
        slopes->by[c][c] = UNIT;
}

static void set_quadratic(enc_transform_quadratic *quadratic, const enc_error_point *point)
{
    const double *off = point->off, *x = point->by[0], *y = point->by[1], *z = point->by[2];
    quadratic->at = off[0] * off[0] + off[1] * off[1] + off[2] * off[2];
    quadratic->price = BITS_PASSED_ON * point->passed_on;
    for (uint32_t c = 0; c < ENC_TRANSFORM_COMPONENTS; c++)
        quadratic->slope[c] = off[0] * x[c] + off[1] * y[c] + off[2] * z[c];
    for (uint32_t c = 0; c < ENC_TRANSFORM_COMPONENTS; c++)
        for (uint32_t d = 0; d < ENC_TRANSFORM_COMPONENTS; d++)
            quadratic->bend[c][d] = x[c] * x[d] + y[c] * y[d] + z[c] * z[d];
}

/* Sets quadratics if only holds() is known, from the permitted errors of the components, probed one
 * at a time. */
static void set_probed(enc_transform_fitter *fitter)
{
    fitter->points = 1;
    for (uint32_t f = 0; f < fitter->track->frame_count; f++) {
        enc_transform_quadratic *quadratic = &fitter->quadratics[f];
        memset(quadratic, 0, sizeof *quadratic);
        for (uint32_t c = 0; c < fitter->track->components; c++)
            quadratic->bend[c][c] = 1.0 / (fitter->holding[c] * fitter->holding[c]);
    }
}

/* Computes the approximate permitted error of each component alone: the mean over frames of the
 * heaviest points. */
static void measure_holding(enc_transform_fitter *fitter)
{
    const enc_transform_track *track = fitter->track;
    for (uint32_t c = 0; c < track->components; c++) {
        double sum = 0.0;
        for (uint32_t f = 0; f < track->frame_count; f++) {
            const enc_transform_quadratic *quadratics =
                fitter->quadratics + (size_t)f * fitter->points;
            double most = 0.0;
            for (uint32_t p = 0; p < fitter->points; p++)
                most = quadratics[p].bend[c][c] > most ? quadratics[p].bend[c][c] : most;
            sum += most;
        }
        fitter->holding[c] = sqrt(track->frame_count / sum);
    }
}

/* ---- targets ---- */

/* The largest quadratic of a frame. */
static double worst_at(const enc_transform_quadratic *quadratics, uint32_t points)
{
    double worst = 0.0;
    for (uint32_t p = 0; p < points; p++)
        worst = quadratics[p].at > worst ? quadratics[p].at : worst;
    return worst;
}

/* Computes the step of Newton's method for the sum of the quadratics' fourth powers. */
static bool newton_step(const enc_transform_quadratic *quadratics, uint32_t points,
                        uint32_t components, double *step)
{
    double a[ENC_TRANSFORM_COMPONENTS][ENC_TRANSFORM_COMPONENTS] = {{0.0}};
    double trace = 0.0;
    memset(step, 0, components * sizeof *step);
    for (uint32_t p = 0; p < points; p++) {
        const enc_transform_quadratic *quadratic = &quadratics[p];
        double square = quadratic->at * quadratic->at, cube = square * quadratic->at;
        for (uint32_t c = 0; c < components; c++) {
            step[c] -= cube * quadratic->slope[c];
            for (uint32_t d = 0; d < components; d++)
                a[c][d] += 6.0 * square * quadratic->slope[c] * quadratic->slope[d] +
                           cube * quadratic->bend[c][d];
        }
    }
    for (uint32_t c = 0; c < components; c++)
        trace += a[c][c];
    for (uint32_t c = 0; c < components; c++)
        a[c][c] += trace * 1e-6; /* a quaternion's length has no gradient */
    return enc_solve_definite(a[0], ENC_TRANSFORM_COMPONENTS, components, step);
}

static void move_target(enc_transform_quadratic *quadratics, uint32_t points, uint32_t components,
                        const double *step, double *values)
{
    for (uint32_t c = 0; c < components; c++)
        values[c] += step[c];
    for (uint32_t p = 0; p < points; p++)
        for (uint32_t c = 0; c < components; c++) {
            double slope = quadratics[p].slope[c];
            for (uint32_t d = 0; d < components; d++)
                slope += quadratics[p].bend[c][d] * step[d];
            quadratics[p].at += (quadratics[p].slope[c] + slope) * step[c];
            quadratics[p].slope[c] = slope;
        }
}

/* Moves a frame's target away from its limits if it leaves too little room for rounding. */
static void centre_target(enc_transform_fitter *fitter, uint32_t frame)
{
    uint32_t points = fitter->points, components = fitter->track->components;
    enc_transform_quadratic *quadratics = fitter->quadratics + (size_t)frame * points;
    double *values = fitter->values + (size_t)frame * ENC_TRANSFORM_COMPONENTS;
    for (uint32_t i = 0; i < MAX_STEPS && worst_at(quadratics, points) > CLOSE_TO_LIMIT; i++) {
        double step[ENC_TRANSFORM_COMPONENTS];
        if (!newton_step(quadratics, points, components, step))
            return;
        move_target(quadratics, points, components, step, values);
    }
}

/* Sets the quadratic of the length of four components, which osc_transform_finish corrects only
 * near one. */
static void set_length(enc_transform_quadratic *quadratic, const double *target)
{
    memset(quadratic, 0, sizeof *quadratic);
    for (int c = 0; c < 4; c++)
        for (int d = 0; d < 4; d++)
            quadratic->bend[c][d] = target[c] * target[d] / (LENGTH_Q20 * LENGTH_Q20);
}

void enc_transform_set_frame(enc_transform_fitter *fitter, uint32_t frame)
{
    const enc_fit *fit = fitter->fit;
    uint32_t packing = fitter->track->packing;
    const double *target = fit->target + (size_t)frame * enc_components(fit->kind);
    enc_error_point points[ENC_ERROR_POINTS];
    enc_slopes slopes;
    if (packing < OSC_TRANSFORM_FOUR)
        packing_slopes(fitter, target, &slopes);
    else
        own_slopes(fitter->track->components, &slopes);
    uint32_t count = fit->error_points(fit->context, frame, &slopes, points);
    fitter->points = count + (packing == OSC_TRANSFORM_FOUR ? 1u : 0u);
    enc_transform_quadratic *quadratics = fitter->quadratics + (size_t)frame * fitter->points;
    for (uint32_t p = 0; p < count; p++)
        set_quadratic(&quadratics[p], &points[p]);
    if (packing == OSC_TRANSFORM_FOUR)
        set_length(&quadratics[count], target);
    centre_target(fitter, frame);
}

void enc_transform_set_quadratics(enc_transform_fitter *fitter)
{
    const enc_fit *fit = fitter->fit;
    if (fit->error_points == NULL) {
        enc_transform_probe(fitter);
        set_probed(fitter);
        return;
    }
    for (uint32_t f = 0; f < fit->frame_count; f++)
        enc_transform_set_frame(fitter, f);
    measure_holding(fitter);
}
