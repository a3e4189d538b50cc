#include "curve_dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "curve_path.h"
#include "curve_points.h"
#include "osc_fixed.h"
#include "ossicle.h"
#include "quantise.h"

#define NEIGHBOURS 27u /* points of the grid around a frame's nearest one, with itself */
#define MOST_TRIES 10u /* of them */
#define SMOOTHING_PASSES 2
/* What it costs to leave the nearest value, in CURVE_PATH_BIT: an error that other joints have to
 * make up for makes their tracks rough. */
#define MOVE_FOLLOWED 128u
#define MOVE_ALONE 16u
#define STEP_PER_SLACK 2.0 /* the largest step, in deviations of a component */

typedef struct {
    const enc_fit *fit;
    curve_points points;
    double (*aim)[CURVE_MAX_COMPONENTS];   /* [frame]: coded components in Q20 */
    int32_t (*kept)[CURVE_MAX_COMPONENTS]; /* of the coarsest grid that held */
    uint8_t *k;                            /* [component][frame]: see curve_points_choose */
    uint32_t hint;                         /* a frame at which the last grid failed */
} dense_track;

/* Whether frame `frame` holds with these values. In chart four the frame before has to be done. */
static bool holds(const dense_track *track, uint32_t frame, const int32_t *value)
{
    int32_t row[4];
    int32_t *own = track->points.value[frame];
    if (value != own)
        memcpy(own, value, sizeof *track->points.value);
    curve_points_row(&track->points, frame, row);
    return track->fit->holds(track->fit->context, frame, row);
}

typedef struct {
    double distance;
    int32_t value[CURVE_MAX_COMPONENTS];
    uint32_t number;
} grid_point;

static int nearer_first(const void *left, const void *right)
{
    const grid_point *a = left, *b = right;
    if (a->distance != b->distance)
        return a->distance < b->distance ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number ? 1 : 0;
}

/* The nearest point of the grid that holds; close ones are tried, since the test is not a ball. */
static bool quantise_frame(const dense_track *track, uint32_t frame)
{
    const curve_points *at = &track->points;
    double scaled[CURVE_MAX_COMPONENTS], step[CURVE_MAX_COMPONENTS];
    int32_t nearest[CURVE_MAX_COMPONENTS] = {0};
    for (uint32_t c = 0; c < at->components; c++) {
        step[c] = curve_points_step(at, c);
        scaled[c] = track->aim[frame][c] / step[c];
        nearest[c] = (int32_t)floor(fmax(fmin(scaled[c], 0x1p30), -0x1p30) + 0.5);
    }
    if (holds(track, frame, nearest))
        return true;
    grid_point points[NEIGHBOURS];
    for (uint32_t n = 0; n < NEIGHBOURS; n++) {
        const int32_t offset[CURVE_MAX_COMPONENTS] = {
            (int32_t)(n % 3u) - 1, (int32_t)(n / 3u % 3u) - 1, (int32_t)(n / 9u) - 1, 0};
        points[n].number = n;
        points[n].distance = 0.0;
        for (uint32_t c = 0; c < CURVE_MAX_COMPONENTS; c++)
            points[n].value[c] = nearest[c] + offset[c];
        for (uint32_t c = 0; c < at->components; c++) {
            double d = (scaled[c] - points[n].value[c]) * step[c];
            points[n].distance += d * d;
        }
    }
    qsort(points, NEIGHBOURS, sizeof *points, nearer_first);
    for (uint32_t n = 1; n < MOST_TRIES; n++)
        if (holds(track, frame, points[n].value))
            return true;
    return false;
}

static bool try_grid(dense_track *track)
{
    curve_points *points = &track->points;
    /* in chart four frames depend on those before */
    if (points->chart != OSC_CURVE_FOUR && !quantise_frame(track, track->hint))
        return false;
    for (uint32_t f = 0; f < points->frame_count; f++)
        if (!quantise_frame(track, f)) {
            track->hint = f;
            return false;
        }
    memcpy(track->kept, points->value, points->frame_count * sizeof *track->kept);
    return true;
}

/* Steps as numbers of quarters of an octave, the first whole octave that of `shift`. */
static bool set_steps(dense_track *track, const uint32_t *octave_q2)
{
    curve_points *points = &track->points;
    uint32_t least = UINT32_MAX;
    for (uint32_t c = 0; c < points->components; c++)
        least = octave_q2[c] < least ? octave_q2[c] : least;
    points->shift = least >> 2;
    for (uint32_t c = 0; c < points->components; c++) {
        uint32_t shift = octave_q2[c] >> 2;
        points->grain[c] = shift - points->shift;
        points->quarters[c] = octave_q2[c] & 3u;
        if (points->grain[c] >= OSC_CURVE_ABSENT || (shift < 2u && points->quarters[c] != 0u))
            return false;
    }
    return points->shift <= OSC_CURVE_SHIFT_MAX;
}

/* The coarsest steps for all components, then coarser ones for single components. In chart four
 * only whole octaves, the same for all. */
static bool choose_grid(dense_track *track)
{
    static const uint32_t changes[] = {4, 2, 1};
    curve_points *points = &track->points;
    double step = track->fit->slack * OSC_ONE_Q20 * STEP_PER_SLACK;
    uint32_t steps[CURVE_MAX_COMPONENTS], best[CURVE_MAX_COMPONENTS], shift = 0;
    bool four = points->chart == OSC_CURVE_FOUR;
    while (shift < OSC_CURVE_SHIFT_MAX && (double)(2u << shift) <= step)
        shift++;
    for (;; shift--) {
        for (uint32_t c = 0; c < CURVE_MAX_COMPONENTS; c++)
            steps[c] = shift << 2;
        if (set_steps(track, steps) && try_grid(track))
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
                    steps[k] += c == 0u || c == k + 1u ? changes[i] : 0u; /* all of them first */
                more = set_steps(track, steps) && try_grid(track);
                if (more)
                    memcpy(best, steps, sizeof best);
            }
    (void)set_steps(track, best);
    memcpy(points->value, track->kept, points->frame_count * sizeof *track->kept);
    return true;
}

static bool frame_holds(const void *context, uint32_t frame)
{
    const dense_track *track = context;
    return holds(track, frame, track->points.value[frame]);
}

/* In chart four a value that moves can move the choice of what is dropped after it. */
static bool smooth(dense_track *track)
{
    uint32_t move = track->fit->followers != 0u ? MOVE_FOLLOWED : MOVE_ALONE;
    for (int pass = 0; pass < SMOOTHING_PASSES && track->points.components == 3u; pass++) {
        curve_header header = {0};
        if (!curve_points_choose(&track->points, &header, track->k) ||
            !curve_path_find(&track->points, &header, track->k, move, frame_holds, track))
            return false;
    }
    return true;
}

static bool prepare(dense_track *track, const enc_fit *fit, uint32_t chart)
{
    uint32_t frames = fit->frame_count;
    curve_points *points = &track->points;
    memset(track, 0, sizeof *track);
    track->fit = fit;
    points->chart = chart;
    points->components = curve_components(chart);
    points->frame_count = frames;
    points->restart_log2 = fit->restart_log2;
    track->aim = malloc(frames * sizeof *track->aim);
    track->kept = calloc(frames, sizeof *track->kept);
    track->k = malloc((size_t)frames * CURVE_MAX_COMPONENTS);
    points->value = calloc(frames, sizeof *points->value);
    points->dropped = calloc(frames, 1);
    if (track->aim == NULL || track->kept == NULL || track->k == NULL || points->value == NULL ||
        points->dropped == NULL)
        return false;
    for (uint32_t f = 0; f < frames; f++)
        (void)curve_coded(fit->target + (size_t)f * enc_components(fit->kind), chart,
                          track->aim[f]);
    return true;
}

bool curve_dense_fit(const enc_fit *fit, uint32_t chart, int32_t *rows, curve_code *code,
                     bool *out_of_memory)
{
    uint32_t frames = fit->frame_count, components = enc_components(fit->kind);
    dense_track track;
    memset(code, 0, sizeof *code);
    bool ready = prepare(&track, fit, chart), done = ready && choose_grid(&track), unfit = false;
    for (uint32_t f = 0; done && f < frames; f++)
        curve_points_row(&track.points, f, rows + (size_t)f * components);
    if (done)
        ready = smooth(&track) && (curve_points_code(&track.points, code, &unfit) || unfit);
    done = done && ready && !unfit;
    for (uint32_t f = 0; done && f < frames; f++)
        curve_points_row(&track.points, f, rows + (size_t)f * components);
    done = done && enc_steps_blend(rows, components, frames, fit->breaks);
    if (!done)
        curve_code_release(code);
    *out_of_memory = *out_of_memory || !ready;
    free(track.aim);
    free(track.kept);
    free(track.points.dropped);
    free(track.k);
    free(track.points.value);
    return done;
}
