/* The error points of a joint's tracks: how the points that the tracks have to hold move with their
 * rows, to first order. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solve/compensated_state.h"

/* Returns true if all joints between a joint and its descendant are constant. */
static bool carries(const solver *c, uint32_t joint, uint32_t descendant)
{
    const int32_t *parents = c->source->skeleton->parents;
    int32_t above = parents[descendant];
    while (above > (int32_t)joint && c->source->constant[above] == ENC_ALL_CONSTANT)
        above = parents[above];
    return above == (int32_t)joint;
}

/* Computes the origins of the points in the source at a frame. */
static void place_points(const solver *c, uint32_t joint, uint32_t frame)
{
    const enc_source *source = c->source;
    double *out = c->places + (size_t)frame * 3u;
    size_t stride = (size_t)source->frame_count * 3u;
    uint32_t done = c->child_count;
    for (uint32_t i = 0; i < c->child_count; i++) {
        double offset[3];
        enc_source_place(source, c->points[i], 2u * frame, offset);
        solver_transform(&c->exact[2u * (size_t)frame], offset, out + i * stride);
    }
    for (uint32_t i = 0; i < c->node_count; i++) {
        uint32_t node = c->nodes[i], parent = (uint32_t)source->skeleton->parents[node];
        const enc_matrix *above =
            parent == joint ? &c->exact[2u * (size_t)frame] : &c->chain[parent];
        enc_matrix local;
        enc_source_local_at(source, node, 2u * frame, &local);
        enc_matrix_multiply(above, &local, &c->chain[node]);
        if (done < c->point_count && c->points[done] == node) {
            solver_origin(&c->chain[node], out + done++ * stride);
        }
    }
    for (uint32_t i = 0; frame == 0u && source->loop && i < c->point_count; i++)
        solver_origin(&source->wrap[c->points[i]], out + i * stride);
}

static bool is_constant(const solver *c, uint32_t joint, uint32_t kind)
{
    return (c->source->constant[joint] >> kind & 1u) != 0u;
}

/* Lists the children, and the descendants below constant children that may be carried. */
static void list_candidates(solver *c, uint32_t joint)
{
    const enc_skeleton *skeleton = c->source->skeleton;
    c->point_count = c->node_count = 0;
    for (int32_t k = skeleton->first_child[joint]; k >= 0; k = skeleton->next_sibling[k])
        c->points[c->point_count++] = (uint32_t)k;
    c->child_count = c->point_count;
    for (uint32_t k = joint + 1u; k < skeleton->joint_count; k++) {
        bool is_child = skeleton->parents[k] == (int32_t)joint;
        bool is_candidate = !is_child && is_constant(c, k, ENC_TRANSLATION);
        if (skeleton->parents[k] < (int32_t)joint || !carries(c, joint, k))
            continue;
        if (is_candidate)
            c->points[c->point_count++] = k;
        if (is_candidate || c->source->constant[k] == ENC_ALL_CONSTANT)
            c->nodes[c->node_count++] = k;
    }
}

/* Finds the offsets of the points: of children as the source has them, of carried joints at the
 * first frame. Leaves out those for which the joint's axes are degenerate. */
static void find_offsets(solver *c, uint32_t joint)
{
    uint32_t kept = c->child_count;
    const enc_matrix *here = solver_exact(c, joint, 0);
    for (uint32_t i = 0; i < c->child_count; i++)
        for (uint32_t frame = 0; frame < c->source->row_count; frame++) {
            double *offset = solver_offset(c, i, frame);
            enc_source_value(c->source, ENC_TRANSLATION, c->points[i], frame, offset);
            enc_source_add(c->source, ENC_TRANSLATION, c->points[i], offset);
        }
    for (uint32_t i = c->child_count; i < c->point_count; i++) {
        const double *place = solver_place(c, i, 0);
        const double difference[3] = {place[0] - here->m[3], place[1] - here->m[7],
                                      place[2] - here->m[11]};
        double *offset = solver_offset(c, kept, 0);
        c->points[kept] = c->points[i];
        kept += enc_solve(here, difference, offset);
        for (uint32_t frame = 1; frame < c->source->row_count; frame++)
            memcpy(offset + 3u * (size_t)frame, offset, 3u * sizeof *offset);
    }
    c->point_count = kept;
}

bool enc_list_points(solver *c, uint32_t joint)
{
    list_candidates(c, joint);
    size_t values = (size_t)c->point_count * c->source->frame_count * 3u;
    free(c->places);
    free(c->offsets);
    free(c->pulled);
    c->places = malloc((values + 1u) * sizeof *c->places);
    c->offsets = malloc((values + 1u) * sizeof *c->offsets);
    c->pulled = malloc((size_t)(c->point_count + 3u) * c->source->frame_count * sizeof *c->pulled);
    if (c->places == NULL || c->offsets == NULL || c->pulled == NULL)
        return false;
    place_points(c, joint, 0);
    find_offsets(c, joint);
    if (c->point_count == c->child_count)
        c->node_count = 0;
    for (uint32_t frame = 0; frame < c->source->row_count; frame++)
        place_points(c, joint, frame);
    return true;
}

/* Turns a place into the axes of a parent that keeps all shapes, from a joint of it at `held`. */
static void pull(const enc_matrix *parent, double per_length2, const double *held,
                 const double *place, double *out)
{
    const double *m = parent->m, x = place[0] - m[3], y = place[1] - m[7], z = place[2] - m[11];
    for (int i = 0; i < 3; i++)
        out[i] = (m[i] * x + m[4 + i] * y + m[8 + i] * z) * per_length2 - held[i];
}

void enc_pull_points(solver *c, const track_test *test)
{
    uint32_t joint = test->joint;
    c->pulls = c->stage->rigid[joint] != 0 && c->task->shell.points == ENC_POINTS_AXES;
    for (uint32_t f = 0; f < c->source->row_count && c->pulls; f++) {
        const enc_matrix *parent = solver_above(c, f), *here = solver_exact(c, joint, f);
        const double *m = here->m, *p = parent->m, *held = c->held + 6u * (size_t)f;
        double limit = solver_limit(c, joint, f, test->shell);
        double per_length2 = 1.0 / (p[0] * p[0] + p[4] * p[4] + p[8] * p[8]);
        pulled_point *out = solver_pulled(c, f);
        for (int axis = 0; axis < 3; axis++, out++) {
            double shell_m = solver_shell_m(c, joint, axis);
            const double place[3] = {m[3] + shell_m * m[axis], m[7] + shell_m * m[4 + axis],
                                     m[11] + shell_m * m[8 + axis]};
            pull(parent, per_length2, held, place, out->target);
            out->offset[axis] = shell_m * held[3 + axis];
            out->limit2 = limit * limit * per_length2;
        }
        for (uint32_t i = 0; i < c->point_count; i++, out++) {
            const double *offset = solver_offset(c, i, f);
            limit = solver_limit(c, c->points[i], f, c->task->limits[c->points[i]].carried);
            pull(parent, per_length2, held, solver_place(c, i, f), out->target);
            for (int axis = 0; axis < 3; axis++)
                out->offset[axis] = offset[axis] * held[3 + axis];
            out->limit2 = limit * limit * per_length2;
        }
        c->pulls = per_length2 < HUGE_VAL; /* the parent has a size */
    }
}

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
    const enc_matrix *parent = solver_above(c, frame);
    const enc_matrix *wanted = solver_exact(c, test->joint, frame);
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
    const enc_matrix *here = solver_exact(c, test->joint, frame);
    double limit = solver_limit(c, test->joint, frame, test->shell);
    uint32_t count = 3;
    for (int axis = 0; axis < 3; axis++) {
        double shell_m = solver_shell_m(c, test->joint, axis);
        out[axis].limit = limit;
        out[axis].passed_on = 0.0;
        for (int row = 0; row < 3; row++)
            out[axis].wanted[row] = here->m[row * 4 + 3] + shell_m * here->m[row * 4 + axis];
    }
    for (uint32_t i = 0; i < c->point_count; i++) {
        uint32_t joint = c->points[i];
        const double *there = solver_place(c, i, frame), *offset = solver_offset(c, i, frame);
        rotation_point place = {{offset[0], offset[1], offset[2]},
                                {there[0], there[1], there[2]},
                                0.0,
                                solver_limit(c, joint, frame, c->task->limits[joint].carried),
                                0.0};
        place.passed_on = share2(c, joint, c->task->limits[joint].carried);
        place.weight = (offset[0] * offset[0] + offset[1] * offset[1] + offset[2] * offset[2]) /
                       (place.limit * place.limit);
        uint32_t others = count - 3u;
        keep_heaviest(out + 3, &others, ENC_ERROR_POINTS - 3u, &place);
        count = others + 3u;
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
    const enc_matrix *parent = solver_above(c, frame);
    rotation_point list[ENC_ERROR_POINTS];
    const double *translation = c->held + 6u * (size_t)frame, *scale = translation + 3;
    double rotation[4], turns[3][4];
    enc_matrix local;
    uint32_t count = list_rotation_points(test, frame, list);
    memcpy(rotation, q, sizeof rotation);
    enc_source_add(c->source, ENC_ROTATION, test->joint, rotation);
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
