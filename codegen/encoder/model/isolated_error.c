#include "model/isolated_error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/composed.h"
#include "ossicle.h"

#define MOST_POINTS 16u
#define LOOKS 8u /* frames that are examined for the joints that matter */
#define ROTATION_SLACK 0.5

/* Axes of the rotations for which the farthest moving joint is determined: edges, faces and
 * vertices of a cube, not of unit length. */
static const double axes[][3] = {{1, 0, 0},  {0, 1, 0},  {0, 0, 1}, {1, 1, 0},  {1, -1, 0},
                                 {1, 0, 1},  {1, 0, -1}, {0, 1, 1}, {0, 1, -1}, {1, 1, 1},
                                 {1, 1, -1}, {1, -1, 1}, {-1, 1, 1}};
#define AXES (sizeof axes / sizeof axes[0])

static const enc_matrix *model_at(const enc_source *source, uint32_t joint, uint32_t frame)
{
    return enc_source_model(source, joint, 2u * frame);
}

static double length(const double *v)
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static double cross2(const double *a, const double *b)
{
    double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2];
    double z = a[0] * b[1] - a[1] * b[0];
    return x * x + y * y + z * z;
}

/* The position of a carried joint in the joint's own axes, in metres of model space. */
static void point_offset(const enc_source *source, uint32_t joint, uint32_t carried, uint32_t frame,
                         double *out)
{
    const double *here = model_at(source, joint, frame)->m;
    const double *there = model_at(source, carried, frame)->m;
    for (int axis = 0; axis < 3; axis++) {
        const double column[3] = {here[axis], here[4 + axis], here[8 + axis]};
        double size = length(column);
        out[axis] = (column[0] * (there[3] - here[3]) + column[1] * (there[7] - here[7]) +
                     column[2] * (there[11] - here[11])) /
                    (size > 0.0 ? size : 1.0);
    }
}

/* Keeps those joints of `list` that move farthest for some axis at one of the frames. Returns their
 * number. */
static uint32_t keep_farthest(const enc_source *source, const enc_options *options, uint32_t joint,
                              uint32_t *list, uint32_t count, bool *farthest)
{
    uint32_t stride = (source->frame_count + LOOKS - 1u) / LOOKS, kept = 0;
    memset(farthest, 0, count * sizeof *farthest);
    for (uint32_t frame = 0; frame < source->frame_count && kept < MOST_POINTS; frame += stride) {
        double most[AXES] = {0.0};
        uint32_t best[AXES] = {0};
        for (uint32_t i = 0; i < count; i++) {
            double position[3], tolerance = enc_limit_m(options, list[i]);
            point_offset(source, joint, list[i], frame, position);
            for (uint32_t t = 0; t < AXES; t++) {
                double moved = (sqrt(cross2(axes[t], position)) +
                                options->shell.distance_m * length(axes[t])) /
                               tolerance;
                if (moved > most[t]) {
                    most[t] = moved;
                    best[t] = i;
                }
            }
        }
        for (uint32_t t = 0; t < AXES && kept < MOST_POINTS; t++) {
            kept += !farthest[best[t]];
            farthest[best[t]] = true;
        }
    }
    kept = 0;
    for (uint32_t i = 0; i < count; i++)
        if (farthest[i])
            list[kept++] = list[i];
    return kept;
}

/* Fills in the positions of the joints that a rotation carries, at every frame. */
static int32_t place_points(enc_isolated_error *error, const enc_source *source,
                            const enc_options *options, uint32_t joint, const uint32_t *list)
{
    uint32_t count = error->point_count;
    error->points = malloc((size_t)source->frame_count * count * 3u * sizeof *error->points);
    error->tolerance = malloc(count * sizeof *error->tolerance);
    if (error->points == NULL || error->tolerance == NULL)
        return ENC_ERROR_MEMORY;
    double *out = error->points;
    for (uint32_t i = 0; i < count; i++)
        error->tolerance[i] = enc_limit_m(options, list[i]);
    for (uint32_t frame = 0; frame < source->frame_count; frame++)
        for (uint32_t i = 0; i < count; i++, out += 3) {
            point_offset(source, joint, list[i], frame, out);
            error->lever =
                fmax(error->lever, (length(out) + options->shell.distance_m) / error->tolerance[i]);
        }
    return ENC_OK;
}

/* The largest factor by which the parent's axes lengthen a displacement. */
static double stretch_above(const enc_source *source, uint32_t joint)
{
    int32_t parent = source->skeleton->parents[joint];
    double longest = 0.0;
    for (uint32_t frame = 0; frame < source->frame_count && parent >= 0; frame++)
        for (int axis = 0; axis < 3; axis++) {
            const double *m = model_at(source, (uint32_t)parent, frame)->m;
            const double column[3] = {m[axis], m[4 + axis], m[8 + axis]};
            longest = fmax(longest, length(column));
        }
    return longest > 0.0 ? longest : 1.0;
}

static double tightest(const enc_options *options, const uint32_t *list, uint32_t count)
{
    double least = enc_limit_m(options, list[0]);
    for (uint32_t i = 1; i < count; i++)
        least = fmin(least, enc_limit_m(options, list[i]));
    return least;
}

int32_t enc_isolated_error_prepare(enc_isolated_error *error, const enc_source *source,
                                   const enc_options *options, uint32_t joint, uint32_t kind)
{
    uint32_t joints = source->skeleton->joint_count;
    uint32_t *list = malloc(joints * sizeof *list);
    bool *farthest = malloc(joints * sizeof *farthest);
    memset(error, 0, sizeof *error);
    error->raw = enc_track(source, kind, joint);
    error->kind = kind;
    error->frame_count = source->frame_count;
    error->shell_m = options->shell.distance_m;
    error->limit = 1.0;
    bool complete = list != NULL && farthest != NULL && enc_source_hold(source);
    int32_t status = complete ? ENC_OK : ENC_ERROR_MEMORY;
    if (status == ENC_OK) {
        const enc_skeleton *skeleton = source->skeleton;
        error->point_count = skeleton->subtree_size[joint];
        memcpy(list, skeleton->preorder + skeleton->preorder_index[joint],
               error->point_count * sizeof *list);
        if (kind == ENC_ROTATION) {
            error->point_count =
                keep_farthest(source, options, joint, list, error->point_count, farthest);
            status = place_points(error, source, options, joint, list);
        } else {
            error->lever =
                (kind == ENC_SCALE ? source->reach[joint] : stretch_above(source, joint)) /
                tightest(options, list, error->point_count);
        }
    }
    free(list);
    free(farthest);
    return status;
}

void enc_isolated_error_release(enc_isolated_error *error)
{
    free(error->points);
    free(error->tolerance);
    memset(error, 0, sizeof *error);
}

/* A rotation whose vector part in the joint's axes is v moves a point p by 2 |v x p|. */
static bool rotation_holds(const enc_isolated_error *error, uint32_t frame, const double *played)
{
    const double *l = error->raw + 4u * (size_t)frame, *d = played;
    if (d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + d[3] * d[3] < 0.5)
        return false;
    const double v[3] = {l[3] * d[0] - d[3] * l[0] - (l[1] * d[2] - l[2] * d[1]),
                         l[3] * d[1] - d[3] * l[1] - (l[2] * d[0] - l[0] * d[2]),
                         l[3] * d[2] - d[3] * l[2] - (l[0] * d[1] - l[1] * d[0])};
    const double *point = error->points + (size_t)frame * error->point_count * 3u;
    double shell = error->shell_m * length(v);
    for (uint32_t i = 0; i < error->point_count; i++, point += 3) {
        double left = 0.5 * error->limit * error->tolerance[i] - shell;
        if (!(left >= 0.0 && cross2(v, point) <= left * left))
            return false;
    }
    return true;
}

bool enc_isolated_error_holds(const void *context, uint32_t frame, const int32_t *row)
{
    const enc_isolated_error *error = context;
    double played[4];
    for (uint32_t i = 0; i < enc_components(error->kind); i++)
        played[i] = row[i] / (double)OSC_ONE_Q20;
    if (error->kind == ENC_ROTATION)
        return rotation_holds(error, frame, played);
    const double *raw = error->raw + 3u * (size_t)frame;
    const double off[3] = {played[0] - raw[0], played[1] - raw[1], played[2] - raw[2]};
    return length(off) * error->lever <= error->limit;
}

double enc_isolated_error_slack(const enc_isolated_error *error)
{
    return (error->kind == ENC_ROTATION ? ROTATION_SLACK : 1.0) * error->limit / error->lever;
}
