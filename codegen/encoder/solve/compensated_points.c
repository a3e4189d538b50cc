/* The error points of a joint's tracks: how the points that the tracks have to hold move with their
 * rows, to first order. */
#include <math.h>
#include <string.h>

#include "solve/compensated_state.h"

/* The square of a limit relative to the joint's tolerance; 0 for a pinned joint, which compensates
 * for its own error. */
static double share2(const solver *c, uint32_t joint, double limit)
{
    double share = limit / c->task->limits[joint].tolerance;
    return share < 1.0 ? share * share : 0.0;
}

/* The derivatives of a vector by a codec's numbers. by: its derivatives by the components of the
 * row. */
static void combine(const double *by, const enc_slopes *slopes, uint32_t count, double *out)
{
    double sum[4] = {0.0};
    for (uint32_t i = 0; i < count; i++)
        for (int c = 0; c < 4; c++)
            sum[c] += by[i] * slopes->by[i][c];
    memcpy(out, sum, sizeof sum);
}

uint32_t enc_translation_error_points(const void *context, uint32_t frame, const enc_slopes *slopes,
                                      enc_error_point *out)
{
    const track_test *test = context;
    const solver *c = test->solver;
    const enc_matrix *parent = solver_played(c, c->source->skeleton->parents[test->joint], frame);
    const enc_matrix *wanted = solver_source(c, test->joint, frame);
    double inverse = 1.0 / solver_limit(c, test->joint, frame, test->origin), local[3], place[3];
    memcpy(local, c->target + (size_t)frame * 3u, sizeof local);
    enc_source_add(c->source, ENC_TRANSLATION, test->joint, local);
    solver_transform(parent, local, place);
    for (int row = 0; row < 3; row++) {
        const double *m = parent->m + row * 4;
        const double by[3] = {m[0] * inverse, m[1] * inverse, m[2] * inverse};
        out->off[row] = (place[row] - wanted->m[row * 4 + 3]) * inverse;
        combine(by, slopes, 3u, out->by[row]);
    }
    out->passed_on = share2(c, test->joint, test->origin);
    return 1;
}

uint32_t enc_scale_error_points(const void *context, uint32_t frame, const enc_slopes *slopes,
                                enc_error_point *out)
{
    const track_test *test = context;
    (void)frame; /* the target is the source */
    memset(out, 0, 3u * sizeof *out);
    for (int i = 0; i < 3; i++)
        for (int c = 0; c < 4; c++)
            out[i].by[0][c] = slopes->by[i][c] / test->scale_limit;
    return 3;
}

/* A point of a rotation, in the joint's own space and in the source. Shell points are on the
 * joint's axes and need no offset. */
typedef struct {
    double offset[3], wanted[3];
    double weight; /* displacement of the point per turn of the joint, relative to its permitted
                      error */
    double limit, passed_on;
} rotation_point;

/* Adds a point to the `room` heaviest. */
static void keep_heaviest(rotation_point *list, uint32_t *count, uint32_t room,
                          const rotation_point *place)
{
    uint32_t at = *count;
    if (at < room) {
        (*count)++;
    } else {
        at = 0;
        for (uint32_t i = 1; i < room; i++)
            at = list[i].weight < list[at].weight ? i : at;
        if (list[at].weight >= place->weight)
            return;
    }
    list[at] = *place;
}

/* Lists the shell points, and those children or carried joints that are farthest relative to their
 * limits. */
static uint32_t list_rotation_points(const track_test *test, uint32_t frame, rotation_point *out)
{
    const solver *c = test->solver;
    const enc_skeleton *skeleton = c->source->skeleton;
    const enc_matrix *here = solver_source(c, test->joint, frame);
    double limit = solver_limit(c, test->joint, frame, test->shell);
    uint32_t count = 3;
    for (int axis = 0; axis < 3; axis++) {
        double shell_m = solver_shell_m(c, test->joint, axis);
        out[axis].limit = limit;
        out[axis].passed_on = 0.0;
        for (int row = 0; row < 3; row++)
            out[axis].wanted[row] = here->m[row * 4 + 3] + shell_m * here->m[row * 4 + axis];
    }
    int32_t k = skeleton->first_child[test->joint];
    for (uint32_t i = 0; k >= 0 || i < c->carried_count;) {
        uint32_t joint = k >= 0 ? (uint32_t)k : c->carried[i].joint;
        double offset[3];
        if (k >= 0)
            solver_offset(c, joint, frame, offset);
        else
            memcpy(offset, c->carried[i].offset, sizeof offset);
        const enc_matrix *there = solver_source(c, joint, frame);
        rotation_point place = {{offset[0], offset[1], offset[2]},
                                {there->m[3], there->m[7], there->m[11]},
                                0.0,
                                solver_limit(c, joint, frame, c->task->limits[joint].carried),
                                0.0};
        place.passed_on = share2(c, joint, c->task->limits[joint].carried);
        place.weight = (offset[0] * offset[0] + offset[1] * offset[1] + offset[2] * offset[2]) /
                       (place.limit * place.limit);
        uint32_t others = count - 3u;
        keep_heaviest(out + 3, &others, ENC_ERROR_POINTS - 3u, &place);
        count = others + 3u;
        if (k >= 0)
            k = skeleton->next_sibling[k];
        else
            i++;
    }
    return count;
}

/* The derivatives of the joint's model rotation by a codec's numbers, as turns about its own axes:
 * [axis][number]. The turn about an own axis is twice the vector part of e_j conj(q) for each
 * component j. */
static void turn_slopes(const double *q, const enc_slopes *slopes, double turns[3][4])
{
    const double by[3][4] = {{2 * q[3], -2 * q[2], 2 * q[1], -2 * q[0]},
                             {2 * q[2], 2 * q[3], -2 * q[0], -2 * q[1]},
                             {-2 * q[1], 2 * q[0], 2 * q[3], -2 * q[2]}};
    for (int axis = 0; axis < 3; axis++)
        combine(by[axis], slopes, 4u, turns[axis]);
}

/* The turns of an additive clip's joint, from the axes of the pose that it is added to into those
 * of the joint's parent. */
static void turn_over(const enc_source *source, uint32_t joint, double turns[3][4])
{
    static const double nowhere[3], ones[3] = {1.0, 1.0, 1.0};
    if (source->over == NULL)
        return;
    enc_matrix over;
    enc_matrix_local(source->over + joint * 10u + enc_first(ENC_ROTATION), nowhere, ones, &over);
    for (int c = 0; c < 4; c++) {
        const double turn[3] = {turns[0][c], turns[1][c], turns[2][c]};
        double turned[3];
        solver_transform(&over, turn, turned);
        for (int axis = 0; axis < 3; axis++)
            turns[axis][c] = turned[axis];
    }
}

/* The derivatives of a point at the offset `arm` from the joint, in its parent's space: the
 * parent's axes times (turn x arm), which is turn . (arm x axes). */
static void point_slopes(const enc_matrix *parent, const double *arm, double turns[3][4],
                         double by[3][4])
{
    for (int row = 0; row < 3; row++) {
        const double *m = parent->m + row * 4;
        double x = arm[1] * m[2] - arm[2] * m[1], y = arm[2] * m[0] - arm[0] * m[2];
        double z = arm[0] * m[1] - arm[1] * m[0];
        for (int c = 0; c < 4; c++)
            by[row][c] = x * turns[0][c] + y * turns[1][c] + z * turns[2][c];
    }
}

uint32_t enc_rotation_error_points(const void *context, uint32_t frame, const enc_slopes *slopes,
                                   enc_error_point *out)
{
    const track_test *test = context;
    const solver *c = test->solver;
    const double *q = c->target + (size_t)frame * 4u;
    const enc_matrix *parent = solver_played(c, c->source->skeleton->parents[test->joint], frame);
    rotation_point list[ENC_ERROR_POINTS];
    double rotation[4], translation[3], scale[3], turns[3][4];
    enc_matrix local;
    uint32_t count = list_rotation_points(test, frame, list);
    memcpy(rotation, q, sizeof rotation);
    enc_source_add(c->source, ENC_ROTATION, test->joint, rotation);
    solver_pose(c, test->joint, ENC_TRANSLATION, frame, translation);
    solver_pose(c, test->joint, ENC_SCALE, frame, scale);
    enc_matrix_local(rotation, translation, scale, &local);
    turn_slopes(q, slopes, turns);
    turn_over(c->source, test->joint, turns);
    for (uint32_t i = 0; i < count; i++) {
        double place[3], model[3], arm[3], inverse = 1.0 / list[i].limit;
        out[i].passed_on = list[i].passed_on;
        double shell_m = i < 3u ? solver_shell_m(c, test->joint, (int)i) : 0.0;
        if (i < 3u)
            for (uint32_t row = 0; row < 12u; row += 4u)
                place[row / 4u] = shell_m * local.m[row + i] + local.m[row + 3u];
        else
            solver_transform(&local, list[i].offset, place);
        solver_transform(parent, place, model);
        for (int row = 0; row < 3; row++) {
            out[i].off[row] = (model[row] - list[i].wanted[row]) * inverse;
            arm[row] = (place[row] - translation[row]) * inverse;
        }
        point_slopes(parent, arm, turns, out[i].by);
    }
    return count;
}
