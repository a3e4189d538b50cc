#include "codecs/curve/dense.h"

#include <stdlib.h>
#include <string.h>

#include "arithmetic/osc_fixed.h"
#include "base/quantise.h"
#include "codecs/curve/path.h"
#include "ossicle.h"

#define NEIGHBOURS 27u /* grid points around the nearest one, including it */
#define MOST_TRIES 10u /* of these points */
#define MOST_PASSES 2u
/* The cost of leaving the nearest value, in CURVE_PATH_BIT. It is higher for errors that other
 * joints have to compensate for, because those make their tracks less smooth. */
#define MOVE_FOLLOWED 128u
#define MOVE_ALONE 16u
#define STEP_PER_SLACK 2.0 /* the largest step, in deviations of a component */

/* Returns whether a frame holds with these values. In packing four the previous frame must be
 * complete. */
static bool holds(const curve_dense *dense, uint32_t frame, const int32_t *value)
{
    int32_t row[4];
    int32_t *own = dense->points.value[frame];
    if (value != own)
        memcpy(own, value, sizeof *dense->points.value);
    curve_points_row(&dense->points, frame, row);
    return dense->fit->holds(dense->fit->context, frame, row);
}

/* Lists the MOST_TRIES points closest to the target, the closest first; of equally close ones,
 * those with lower numbers first. off2: [component][offset + 1], squared distances of the points
 * with this offset from the nearest one. */
static void list_closest(const double off2[CURVE_MAX_COMPONENTS][3], uint32_t *closest)
{
    double distance[MOST_TRIES + 1u] = {0.0};
    uint32_t count = 0;
    for (uint32_t n = 0; n < NEIGHBOURS; n++) {
        double own = off2[0][n % 3u] + off2[1][n / 3u % 3u] + off2[2][n / 9u] + off2[3][1];
        uint32_t at = count;
        count += count < MOST_TRIES;
        for (; at > 0u && own < distance[at - 1u]; at--) {
            distance[at] = distance[at - 1u];
            closest[at] = closest[at - 1u];
        }
        distance[at] = own;
        closest[at] = n;
    }
}

/* Chooses the nearest grid point that holds among several close ones, because the points that hold
 * do not form a ball. */
static bool quantise_frame(const curve_dense *dense, uint32_t frame)
{
    const curve_points *at = &dense->points;
    double scaled[CURVE_MAX_COMPONENTS], step[CURVE_MAX_COMPONENTS];
    int32_t nearest[CURVE_MAX_COMPONENTS] = {0};
    for (uint32_t c = 0; c < at->components; c++) {
        step[c] = curve_points_step(at, c);
        scaled[c] = dense->aim[frame][c] / step[c];
        double near = scaled[c] < 0x1p30 ? scaled[c] : 0x1p30; /* fmin is a call */
        nearest[c] = enc_nearest(near > -0x1p30 ? near : -0x1p30);
    }
    if (holds(dense, frame, nearest))
        return true;
    double off2[CURVE_MAX_COMPONENTS][3] = {{0.0}};
    for (uint32_t c = 0; c < at->components; c++)
        for (int32_t i = 0; i < 3; i++) {
            double d = (scaled[c] - (nearest[c] + i - 1)) * step[c];
            off2[c][i] = d * d;
        }
    uint32_t closest[MOST_TRIES + 1u];
    list_closest(off2, closest);
    for (uint32_t i = 1; i < MOST_TRIES; i++) {
        uint32_t n = closest[i];
        const int32_t value[CURVE_MAX_COMPONENTS] = {
            nearest[0] + (int32_t)(n % 3u) - 1, nearest[1] + (int32_t)(n / 3u % 3u) - 1,
            nearest[2] + (int32_t)(n / 9u) - 1, nearest[3]};
        if (holds(dense, frame, value))
            return true;
    }
    return false;
}

static bool try_grid(curve_dense *dense)
{
    curve_points *points = &dense->points;
    /* in packing four, frames depend on earlier ones */
    if (points->packing != OSC_CURVE_FOUR && !quantise_frame(dense, dense->hint))
        return false;
    for (uint32_t f = 0; f < points->frame_count; f++)
        if (!quantise_frame(dense, f)) {
            dense->hint = f;
            return false;
        }
    memcpy(dense->kept, points->value, points->frame_count * sizeof *dense->kept);
    return true;
}

/* Sets steps in quarter octaves; the first whole octave becomes `shift`. */
static bool set_steps(curve_dense *dense, const uint32_t *octave_q2)
{
    curve_points *points = &dense->points;
    uint32_t least = UINT32_MAX;
    for (uint32_t c = 0; c < points->components; c++)
        least = octave_q2[c] < least ? octave_q2[c] : least;
    points->shift = least >> 2;
    for (uint32_t c = 0; c < points->components; c++) {
        uint32_t shift = octave_q2[c] >> 2;
        points->coarsening[c] = shift - points->shift;
        points->quarters[c] = octave_q2[c] & 3u;
        if (points->coarsening[c] >= OSC_CURVE_ABSENT || (shift < 2u && points->quarters[c] != 0u))
            return false;
    }
    return points->shift <= OSC_CURVE_SHIFT_MAX;
}

/* Chooses the coarsest steps for all components, then coarser ones for single components. In
 * packing four, steps are whole octaves and the same for all components. */
static bool choose_grid(curve_dense *dense)
{
    static const uint32_t changes[] = {4, 2, 1};
    curve_points *points = &dense->points;
    double step = dense->fit->slack * OSC_ONE_Q20 * STEP_PER_SLACK;
    uint32_t steps[CURVE_MAX_COMPONENTS], best[CURVE_MAX_COMPONENTS], shift = 0;
    bool four = points->packing == OSC_CURVE_FOUR;
    while (shift < OSC_CURVE_SHIFT_MAX && (double)(2u << shift) <= step)
        shift++;
    for (;; shift--) {
        for (uint32_t c = 0; c < CURVE_MAX_COMPONENTS; c++)
            steps[c] = shift << 2;
        if (set_steps(dense, steps) && try_grid(dense))
            break;
        if (shift == 0u)
            return false;
    }
    memcpy(best, steps, sizeof best);
    for (uint32_t c = 0; c <= points->components && !four; c++)
        for (uint32_t i = 0; i < sizeof changes / sizeof *changes; i++)
            for (bool more = true; more;) {
                memcpy(steps, best, sizeof steps);
                for (uint32_t k = 0; k < points->components; k++)
                    steps[k] += c == 0u || c == k + 1u ? changes[i]
                                                       : 0u; /* first all components together */
                more = set_steps(dense, steps) && try_grid(dense);
                if (more)
                    memcpy(best, steps, sizeof best);
            }
    (void)set_steps(dense, best);
    memcpy(points->value, dense->kept, points->frame_count * sizeof *dense->kept);
    return true;
}

static bool frame_holds(const void *context, uint32_t frame)
{
    const curve_dense *dense = context;
    return holds(dense, frame, dense->points.value[frame]);
}

static bool prepare(curve_dense *dense, const enc_fit *fit, uint32_t packing)
{
    uint32_t frames = fit->frame_count;
    curve_points *points = &dense->points;
    memset(dense, 0, sizeof *dense);
    dense->fit = fit;
    points->packing = packing;
    points->components = curve_components(packing);
    points->frame_count = frames;
    points->restart_log2 = fit->restart_log2;
    dense->aim = malloc(frames * sizeof *dense->aim);
    dense->kept = calloc(frames, sizeof *dense->kept);
    dense->k = malloc((size_t)frames * CURVE_MAX_COMPONENTS);
    points->value = calloc(frames, sizeof *points->value);
    points->dropped = calloc(frames, 1);
    if (dense->aim == NULL || dense->kept == NULL || dense->k == NULL || points->value == NULL ||
        points->dropped == NULL)
        return false;
    for (uint32_t f = 0; f < frames; f++)
        (void)curve_coded(fit->target + (size_t)f * enc_components(fit->kind), packing,
                          dense->aim[f]);
    return true;
}

/* Codes the present values, and computes their rows, if that takes fewer than `most` bits and the
 * rows blend. Returns whether it did. */
static bool make_code(curve_dense *dense, uint32_t most, int32_t *rows, curve_code *code,
                      bool *out_of_memory)
{
    const enc_fit *fit = dense->fit;
    uint32_t components = enc_components(fit->kind);
    bool unfit;
    bool done = curve_points_code(&dense->points, code, dense->k, &unfit);
    *out_of_memory = *out_of_memory || (!done && !unfit);
    dense->header = code->header;
    if (done && code->bits < most) {
        for (uint32_t f = 0; f < fit->frame_count; f++)
            curve_points_row(&dense->points, f, rows + (size_t)f * components);
        if (enc_steps_blend(rows, components, fit->frame_count, fit->breaks))
            return true;
    }
    curve_code_release(code);
    return false;
}

bool curve_dense_fit(curve_dense *dense, const enc_fit *fit, uint32_t packing, int32_t *rows,
                     curve_code *code, bool *out_of_memory)
{
    memset(code, 0, sizeof *code);
    if (!prepare(dense, fit, packing)) {
        *out_of_memory = true;
        return false;
    }
    return choose_grid(dense) && make_code(dense, UINT32_MAX, rows, code, out_of_memory);
}

/* In packing four, a changed value can change which components of later frames are dropped. */
void curve_dense_smooth(curve_dense *dense, uint32_t most, int32_t *rows, curve_code *code,
                        bool *out_of_memory)
{
    const enc_fit *fit = dense->fit;
    size_t words = (size_t)fit->frame_count * enc_components(fit->kind);
    uint32_t move = fit->followers != 0u ? MOVE_FOLLOWED : MOVE_ALONE;
    uint32_t passes = fit->effort >= ENC_EFFORT_MAX ? MOST_PASSES : 1u;
    int32_t *smooth = malloc(words * sizeof *smooth);
    *out_of_memory = *out_of_memory || smooth == NULL;
    for (uint32_t pass = 0; pass < passes && dense->points.components == 3u; pass++) {
        curve_code next;
        *out_of_memory = *out_of_memory || !curve_path_find(&dense->points, &dense->header,
                                                            dense->k, move, frame_holds, dense);
        if (*out_of_memory || !make_code(dense, most, smooth, &next, out_of_memory))
            break;
        memcpy(rows, smooth, words * sizeof *rows);
        curve_code_release(code);
        *code = next;
        most = code->bits;
    }
    free(smooth);
}

void curve_dense_release(curve_dense *dense)
{
    free(dense->aim);
    free(dense->kept);
    free(dense->points.dropped);
    free(dense->k);
    free(dense->points.value);
}
