#include "solve/compensated.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bank/osc_format.h"
#include "base/arrays.h"
#include "base/quantise.h"
#include "model/loop_wrap.h"
#include "model/measure.h"
#include "ossicle.h"
#include "solve/compensated_state.h"

#define LEAST_DETERMINANT 1e-30 /* of the equations of a compensating turn */
#define WRAP_TRIES 8            /* each halves the limits */
#define AIM_TRIES 3             /* with the whole turn, half of it, none */
#define MIDDLE_TRIES 4          /* to bring a joint's midpoints within its limits */
#define MIDDLE_TIGHTER 0.97     /* extra factor when a midpoint exceeds its limit */
#define MIDDLE_CARRIED 1.1      /* a child's limit at midpoints, relative to that at frames */
#define LEFT_TO_ANCESTORS 0.95  /* of a limit: ancestors correct larger errors of an origin */
#define NEARLY_EXACT (6.0 / OSC_ONE_Q20)
#define SCALE_SHARE 0.1 /* of the tolerance: for a scale track */

static void normalise(double *q)
{
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4; i++)
        q[i] /= length;
}

/* ---- translation ---- */

static bool translation_holds(const void *context, uint32_t frame, const int32_t *row)
{
    const track_test *test = context;
    const solver *c = test->solver;
    double local[3], model[3], wanted[3];
    solver_row(row, 3u, local);
    enc_source_add(c->source, ENC_TRANSLATION, test->joint, local);
    solver_transform(solver_above(c, frame), local, model);
    double limit = solver_limit(c, test->joint, frame, test->origin);
    solver_origin(solver_exact(c, test->joint, frame), wanted);
    return solver_distance2(model, wanted) <= limit * limit;
}

/* Solves parent * t = the joint's position. Returns false if the parent's axes are degenerate. */
static bool into_parent(const enc_matrix *parent, const enc_matrix *joint, double *out)
{
    const double offset[3] = {joint->m[3] - parent->m[3], joint->m[7] - parent->m[7],
                              joint->m[11] - parent->m[11]};
    return enc_solve(parent, offset, out);
}

static void translation_target(solver *c, uint32_t joint)
{
    for (uint32_t f = 0; f < c->source->row_count; f++) {
        double *target = c->target + (size_t)f * 3u;
        if (!c->task->finest && into_parent(solver_above(c, f), solver_exact(c, joint, f), target))
            enc_source_subtract(c->source, ENC_TRANSLATION, joint, target);
        else
            enc_source_value(c->source, ENC_TRANSLATION, joint, f, target);
    }
}

/* ---- scale ---- */

static bool scale_holds(const void *context, uint32_t frame, const int32_t *row)
{
    const track_test *test = context;
    double raw[3], value[3];
    enc_source_value(test->solver->source, ENC_SCALE, test->joint, frame, raw);
    solver_row(row, 3u, value);
    for (int i = 0; i < 3; i++)
        if (fabs(value[i] - raw[i]) > test->scale_limit)
            return false;
    return true;
}

/* ---- rotation ---- */

/* Returns whether a point of the joint at `arm` from it, in its parent's axes, is near enough. */
static bool pulled_holds(const pulled_point *point, const double *arm)
{
    return solver_distance2(arm, point->target) <= point->limit2;
}

/* The same as points_hold below if the joints above keep all shapes: errors are as long in the axes
 * of the parent, in which the targets do not depend on the row. m: the rotation, as a matrix. */
static bool pulled_points_hold(const solver *c, uint32_t frame, const double *m)
{
    const pulled_point *point = solver_pulled(c, frame);
    for (int axis = 0; axis < 3; axis++, point++) {
        double shell_m = point->offset[axis];
        const double arm[3] = {shell_m * m[axis], shell_m * m[4 + axis], shell_m * m[8 + axis]};
        if (!pulled_holds(point, arm))
            return false;
    }
    for (uint32_t i = 0; i < c->point_count; i++, point++) {
        const double *p = point->offset;
        const double arm[3] = {m[0] * p[0] + m[1] * p[1] + m[2] * p[2],
                               m[4] * p[0] + m[5] * p[1] + m[6] * p[2],
                               m[8] * p[0] + m[9] * p[1] + m[10] * p[2]};
        if (!pulled_holds(point, arm))
            return false;
    }
    return true;
}

static bool points_hold(const solver *c, const track_test *test, uint32_t frame,
                        const enc_matrix *local)
{
    enc_matrix model;
    enc_matrix_multiply(solver_above(c, frame), local, &model);
    const enc_matrix *wanted = solver_exact(c, test->joint, frame);
    double shell = solver_limit(c, test->joint, frame, test->shell);
    if (!(enc_shell_error2(&model, wanted, &c->task->shell,
                           &c->source->skeleton->spaces[test->joint]) <= shell * shell))
        return false;
    for (uint32_t i = 0; i < c->point_count; i++) {
        uint32_t joint = c->points[i];
        double limit = solver_limit(c, joint, frame, c->task->limits[joint].carried), place[3];
        solver_transform(&model, solver_offset(c, i, frame), place);
        if (!(solver_distance2(place, solver_place(c, i, frame)) <= limit * limit))
            return false;
    }
    return true;
}

/* Checks the joint's own shell points, the origin of each child, placed at its source offset, and
 * the joints that constant children carry on and that cannot compensate for this one. */
static bool rotation_holds(const void *context, uint32_t frame, const int32_t *row)
{
    static const double nowhere[3] = {0.0, 0.0, 0.0}, unscaled[3] = {1.0, 1.0, 1.0};
    const track_test *test = context;
    const solver *c = test->solver;
    const double *held = c->held + 6u * (size_t)frame;
    double rotation[4];
    solver_row(row, 4u, rotation);
    if (rotation[0] * rotation[0] + rotation[1] * rotation[1] + rotation[2] * rotation[2] +
            rotation[3] * rotation[3] <
        0.5)
        return false;
    enc_matrix local;
    if (c->source->over != NULL)
        enc_source_add(c->source, ENC_ROTATION, test->joint, rotation);
    if (c->pulls) {
        enc_matrix_local(rotation, nowhere, unscaled, &local);
        return pulled_points_hold(c, frame, local.m);
    }
    enc_matrix_local(rotation, held, held + 3, &local);
    return points_hold(c, test, frame, &local);
}

/* The present joint in the source at the midpoint before the next frame. */
static const enc_matrix *exact_middle(const solver *c, uint32_t frame)
{
    return &c->exact[2u * (size_t)frame + 1u];
}

/* The squared error of a child at the midpoint before the next frame if its parent, the present
 * joint, is played there as `model`. */
static double child_off2(const solver *c, const enc_matrix *model, uint32_t child, uint32_t frame)
{
    double offset[3], place[3], exact[3], wanted[3];
    enc_source_midpoint(c->source, ENC_TRANSLATION, child, frame, offset);
    enc_source_add(c->source, ENC_TRANSLATION, child, offset);
    solver_transform(model, offset, place);
    enc_source_place(c->source, child, 2u * frame + 1u, exact);
    solver_transform(exact_middle(c, frame), exact, wanted);
    return solver_distance2(place, wanted);
}

static double child_limit(const solver *c, uint32_t child)
{
    const enc_limits *limits = &c->task->limits[child];
    return fmin(limits->shell, MIDDLE_CARRIED * limits->carried);
}

/* Checks the joint's shell and its children at the midpoint before the next frame, where errors
 * that compensate for each other at frames may add up. */
static bool rotation_between(const void *context, uint32_t frame, const int32_t *rows)
{
    const track_test *test = context;
    const solver *c = test->solver;
    enc_track_choice choices[ENC_KINDS];
    enc_coded coded = {.rows = (int32_t *)rows};
    enc_matrix local, model;
    memcpy(choices, solver_choice(c, test->joint, 0), sizeof choices);
    choices[ENC_ROTATION].coded = &coded;
    enc_play_local(c->source, choices, test->joint, 2u * frame + 1u, &local);
    enc_matrix_multiply(solver_above_at(c, 2u * frame + 1u), &local, &model);
    const enc_skeleton *skeleton = c->source->skeleton;
    if (!(enc_shell_error2(&model, exact_middle(c, frame), &c->task->shell,
                           &skeleton->spaces[test->joint]) <= test->shell * test->shell))
        return false;
    for (int32_t k = skeleton->first_child[test->joint]; k >= 0; k = skeleton->next_sibling[k]) {
        double limit = child_limit(c, (uint32_t)k);
        if (!(child_off2(c, &model, (uint32_t)k, frame) <= limit * limit))
            return false;
    }
    return true;
}

/* Computes the small turn of the joint, in model space, that best brings its children back into
 * place although the joint itself is off by `off`: least squares over the children's origins and
 * the joint's own shell. */
static void aim(const solver *c, uint32_t joint, uint32_t frame, const double *off, double *turn)
{
    double own = 2.0 * c->task->shell.distance_m * c->task->shell.distance_m;
    enc_symmetric a = {.xx = own, .yy = own, .zz = own};
    double b[3] = {0.0, 0.0, 0.0}, theta[3];
    const enc_matrix *here = solver_exact(c, joint, frame);
    for (uint32_t i = 0; i < c->point_count; i++) {
        const double *there = solver_place(c, i, frame);
        double x = there[0] - here->m[3], y = there[1] - here->m[7], z = there[2] - here->m[11];
        a.xx += y * y + z * z;
        a.xy -= x * y;
        a.xz -= x * z;
        a.yy += x * x + z * z;
        a.yz -= y * z;
        a.zz += x * x + y * y;
        b[0] -= y * off[2] - z * off[1];
        b[1] -= z * off[0] - x * off[2];
        b[2] -= x * off[1] - y * off[0];
    }
    turn[0] = turn[1] = turn[2] = 0.0;
    turn[3] = 1.0;
    if (fabs(enc_solve_symmetric(&a, b, theta)) > LEAST_DETERMINANT) {
        for (int i = 0; i < 3; i++)
            turn[i] = theta[i] / 2.0;
        normalise(turn);
    }
}

/* Appends a local rotation to that of the joints above, which a root does not have. */
static void append_turn(bool is_root, const double *local, double *turn)
{
    if (is_root)
        memcpy(turn, local, 4u * sizeof *turn);
    else
        enc_quaternion_multiply(turn, local, turn);
}

/* Extends the turns from those of a joint's parent. */
static void extend_turns(const solver *c, uint32_t joint)
{
    const int32_t *parents = c->source->skeleton->parents;
    int32_t above = parents[joint];
    for (uint32_t f = 0; f < c->source->row_count; f++) {
        double local[4];
        enc_source_value(c->source, ENC_ROTATION, joint, f, local);
        enc_source_add(c->source, ENC_ROTATION, joint, local);
        append_turn(above < 0, local, c->turns[0] + (size_t)f * 4u);
        if (above < 0)
            continue;
        solver_pose(c, (uint32_t)above, ENC_ROTATION, f, local);
        normalise(local);
        append_turn(parents[above] < 0, local, c->turns[1] + (size_t)f * 4u);
    }
}

/* Computes the model rotations of the joint in the source and of its parent as played, products of
 * the local rotations of all joints above: from those of the previous joint if that is one of them,
 * because a joint does not change once a joint below it is coded. */
static void set_turns(solver *c, uint32_t joint)
{
    uint32_t length = 0;
    for (int32_t j = (int32_t)joint; j >= 0 && j != c->turned; j = c->source->skeleton->parents[j])
        c->path[length++] = (uint32_t)j;
    while (length-- > 0u)
        extend_turns(c, c->path[length]);
    c->turned = (int32_t)joint;
}

/* The local rotation with which the joint has its source's model rotation, turned by `turn`. */
static void wanted_rotation(const solver *c, uint32_t joint, uint32_t frame, const double *turn,
                            double *out)
{
    enc_quaternion_multiply(turn, c->turns[0] + (size_t)frame * 4u, out);
    if (c->source->skeleton->parents[joint] >= 0) {
        const double *p = c->turns[1] + (size_t)frame * 4u;
        const double back[4] = {-p[0], -p[1], -p[2], p[3]};
        enc_quaternion_multiply(back, out, out);
    }
    enc_source_subtract(c->source, ENC_ROTATION, joint, out);
    normalise(out);
}

/* Sets the rotation's target. The turn that is best for all children together can be too large for
 * one of them; then half of it or none is taken. */
static void rotation_target(solver *c, uint32_t joint, const track_test *test)
{
    const enc_source *source = c->source;
    bool follow = !c->task->finest && c->stage->rigid[joint] != 0;
    if (follow)
        set_turns(c, joint);
    for (uint32_t f = 0; f < source->row_count; f++) {
        double *target = c->target + (size_t)f * 4u, raw[4];
        enc_source_value(source, ENC_ROTATION, joint, f, raw);
        memcpy(target, raw, sizeof raw);
        if (!follow)
            continue;
        double origin[3], turn[4];
        solver_transform(solver_above(c, f), c->held + 6u * (size_t)f, origin);
        const enc_matrix *here = solver_exact(c, joint, f);
        const double off[3] = {origin[0] - here->m[3], origin[1] - here->m[7],
                               origin[2] - here->m[11]};
        aim(c, joint, f, off, turn);
        for (int tries = 0; tries < AIM_TRIES; tries++) {
            int32_t row[4];
            wanted_rotation(c, joint, f, turn, target);
            for (int i = 0; i < 4; i++)
                row[i] = enc_quantise(target[i], 0);
            if (rotation_holds(test, f, row))
                break;
            for (int i = 0; i < 3; i++)
                turn[i] = tries + 2 < AIM_TRIES ? turn[i] / 2.0 : 0.0;
            turn[3] = 1.0;
            normalise(turn);
        }
        const double *near = f > 0 ? target - 4 : raw;
        if (near[0] * target[0] + near[1] * target[1] + near[2] * target[2] + near[3] * target[3] <
            0.0)
            for (int i = 0; i < 4; i++)
                target[i] = -target[i];
    }
}

/* ---- one joint after another ---- */

/* Returns whether a row is within a few of the finest steps of the target; the rebuilt component of
 * a rotation amplifies them. */
static bool nearly_exact(const void *context, uint32_t frame, const int32_t *row)
{
    const track_test *test = context;
    uint32_t components = enc_components(test->kind);
    const double *target = test->solver->target + (size_t)frame * components;
    double plus = 0.0, minus = 0.0;
    for (uint32_t i = 0; i < components; i++) {
        double value = row[i] / (double)OSC_ONE_Q20;
        plus = fmax(plus, fabs(value - target[i]));
        minus = fmax(minus, fabs(value + target[i]));
    }
    return (components == 4u ? fmin(plus, minus) : plus) <= NEARLY_EXACT;
}

static bool choose(solver *c, uint32_t joint, uint32_t kind, const enc_fit *fit)
{
    enc_track_choice *choice = solver_choice(c, joint, kind);
    const int32_t *rest = enc_rest_row(c->source, kind, joint);
    if (enc_track_is_default(fit, rest, &choice->constant) ||
        enc_track_is_constant(fit, &choice->constant)) {
        c->out->bits += choice->constant.bits;
        return true;
    }
    choice->constant.track_kind = ENC_TRACK_ANIMATED;
    choice->coded = c->codec->fit(fit, &c->out_of_memory);
    if (choice->coded == NULL)
        return false;
    c->out->bits += choice->coded->bits;
    return true;
}

/* Chooses a coding, for loops with finer and finer limits until the last row blends into the first:
 * coarse steps can lengthen the motion between them. */
static bool choose_closed(solver *c, track_test *test, enc_fit *fit)
{
    enc_track_choice *choice = solver_choice(c, test->joint, test->kind);
    for (int tries = 0; choose(c, test->joint, test->kind, fit); tries++) {
        if (enc_wrap_blends(c->source, choice, test->kind, test->joint))
            return true;
        if (tries == WRAP_TRIES)
            return false;
        c->out->bits -= choice->coded->bits;
        enc_coded_free(choice->coded);
        choice->coded = NULL;
        fit->before = NULL;
        test->origin /= 2.0;
        test->shell /= 2.0;
        test->scale_limit /= 2.0;
        fit->slack /= 2.0;
        if (test->kind == ENC_ROTATION)
            enc_pull_points(c, test);
    }
    return false;
}

/* The number of joints that turn to compensate for an error of this track. */
static uint32_t followers(const solver *c, uint32_t joint, uint32_t kind)
{
    const enc_source *source = c->source;
    const enc_skeleton *skeleton = source->skeleton;
    bool turns = (source->constant[joint] >> ENC_ROTATION & 1u) == 0u;
    uint32_t count = kind == ENC_TRANSLATION && turns ? 1u : 0u;
    for (int32_t k = skeleton->first_child[joint]; k >= 0; k = skeleton->next_sibling[k])
        count += source->moves[k];
    return count;
}

/* Computes the poses that the present joint has at frames beside its rotation. */
static void hold_rest(const solver *c, uint32_t joint)
{
    for (uint32_t f = 0; f < c->source->row_count; f++) {
        solver_pose(c, joint, ENC_TRANSLATION, f, c->held + 6u * (size_t)f);
        solver_pose(c, joint, ENC_SCALE, f, c->held + 6u * (size_t)f + 3);
    }
}

/* The greatest distance from the joint to a point that it turns. */
static double longest_lever(const solver *c)
{
    double lever = c->task->shell.distance_m;
    for (uint32_t i = 0; i < c->point_count; i++) {
        const double *t = solver_offset(c, i, 0);
        lever = fmax(lever, sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]));
    }
    return lever;
}

/* before: see enc_fit. */
static bool solve_track(solver *c, uint32_t joint, uint32_t kind, const enc_coded *before)
{
    static bool (*const holds[ENC_KINDS])(const void *, uint32_t, const int32_t *) = {
        rotation_holds, translation_holds, scale_holds};
    static uint32_t (*const points[ENC_KINDS])(const void *, uint32_t, const enc_slopes *,
                                               enc_error_point *) = {
        enc_rotation_error_points, enc_translation_error_points, enc_scale_error_points};
    const enc_solve_task *task = c->task;
    const enc_limits *limits = &task->limits[joint];
    double reach = c->source->reach[joint], tolerance = limits->tolerance;
    double origin = limits->origin;
    /* at low effort, only settle_middles() checks midpoints */
    bool looks_between = kind == ENC_ROTATION && c->options->effort > ENC_EFFORT_FAST;
    track_test test = {c, joint, kind, origin, limits->shell, SCALE_SHARE * tolerance / reach};
    enc_fit fit = {.kind = kind,
                   .frame_count = c->source->row_count,
                   .restart_log2 = enc_restart_log2(c->codec, c->options),
                   .target = c->target,
                   .breaks = enc_breaks(c->source, kind, joint),
                   .effort = c->options->effort,
                   .keys = c->options->keys,
                   .state_bits = c->options->state_bits,
                   .straight = c->source->straight,
                   .followers = followers(c, joint, kind),
                   .before = before,
                   .holds = holds[kind],
                   .context = &test,
                   .error_points = points[kind],
                   .between = looks_between ? rotation_between : NULL};
    if (kind == ENC_ROTATION) {
        hold_rest(c, joint);
        enc_pull_points(c, &test);
        rotation_target(c, joint, &test);
        fit.slack = 0.5 * tolerance / longest_lever(c);
    } else if (kind == ENC_TRANSLATION) {
        translation_target(c, joint);
        fit.slack = origin;
    } else {
        enc_source_values(c->source, kind, joint, c->target);
        fit.slack = test.scale_limit;
    }
    if (task->finest) {
        fit.holds = nearly_exact;
        fit.error_points = NULL;
        fit.between = NULL;
        fit.slack = 0.0;
    }
    return choose_closed(c, &test, &fit);
}

/* Composes the joint as played at frames, for its descendants. */
static void play_joint(solver *c, uint32_t joint)
{
    int32_t parent = c->source->skeleton->parents[joint];
    bool rigid = parent < 0 || c->stage->rigid[parent] != 0;
    for (uint32_t f = 0; f < c->source->row_count; f++) {
        double rotation[4], translation[3], scale[3];
        enc_matrix local;
        solver_pose(c, joint, ENC_ROTATION, f, rotation);
        solver_pose(c, joint, ENC_TRANSLATION, f, translation);
        solver_pose(c, joint, ENC_SCALE, f, scale);
        enc_matrix_local(rotation, translation, scale, &local);
        enc_matrix_multiply(solver_above(c, f), &local, &c->played[2u * (size_t)f]);
        rigid = rigid && scale[0] == scale[1] && scale[1] == scale[2];
    }
    if (c->source->loop) /* a loop's last frame is its first row */
        c->played[c->source->grid_count - 1u] = c->played[0];
    c->stage->rigid[joint] = rigid;
}

/* The coding of a track that may be mended; null if there is none. */
static const enc_coded *coded_before(const solver *c, uint32_t joint, uint32_t kind)
{
    const enc_solve_task *task = c->task;
    return task->known != NULL && task->mend ? task->known->tracks[joint * ENC_KINDS + kind].coded
                                             : NULL;
}

/* Adopts the known coding of a joint. */
static void share_known(solver *c, uint32_t joint)
{
    const enc_track_choice *known = &c->task->known->tracks[joint * ENC_KINDS];
    for (uint32_t kind = 0; kind < ENC_KINDS; kind++) {
        *solver_choice(c, joint, kind) = known[kind];
        if (known[kind].coded != NULL)
            known[kind].coded->shared++;
        c->out->bits += enc_choice_bits(&known[kind]);
    }
}

/* ---- midpoints ---- */

/* Composes the joint as played between frames: at midpoints and probes. */
static void play_between(solver *c, uint32_t joint)
{
    const enc_source *source = c->source;
    enc_joint_player player;
    enc_joint_begin(&player, source, solver_choice(c, joint, 0), joint);
    for (uint32_t sample = 1; sample < source->sample_count;
         sample += sample + 1u < source->grid_count ? 2u : 1u) {
        enc_matrix local;
        enc_joint_play(&player, sample, &local);
        enc_matrix_multiply(solver_above_at(c, sample), &local, &c->played[sample]);
    }
}

/* Tightens a joint's limits at the frames next to a midpoint whose error is `over` times its
 * limit. */
static void tighten_beside(const solver *c, uint32_t joint, uint32_t frame, double over)
{
    double *tight = c->task->tight + (size_t)joint * c->source->frame_count;
    uint32_t next = frame + 1u < c->source->row_count ? frame + 1u : 0u;
    enc_tighten(&tight[frame], MIDDLE_TIGHTER / over, c->task->least_tight);
    enc_tighten(&tight[next], MIDDLE_TIGHTER / over, c->task->least_tight);
}

static double distance2(const enc_matrix *a, const enc_matrix *b)
{
    double one[3], other[3];
    solver_origin(a, one);
    solver_origin(b, other);
    return solver_distance2(one, other);
}

/* Checks the midpoints of the joint's shell and of its children as far as the joint places them,
 * and tightens limits where they are exceeded and that can help. Returns whether any were. */
static bool tighten_middles(const solver *c, uint32_t joint)
{
    const enc_source *source = c->source;
    const enc_skeleton *skeleton = source->skeleton;
    uint32_t frames = source->frame_count;
    bool any = false;
    for (uint32_t f = 0; f + 1u < frames; f++) {
        const enc_matrix *played = &c->played[2u * (size_t)f + 1u];
        const enc_matrix *wanted = exact_middle(c, f);
        double error =
            sqrt(enc_shell_error2(wanted, played, &c->task->shell, &skeleton->spaces[joint]));
        double limit = c->task->limits[joint].shell, most = LEFT_TO_ANCESTORS * limit;
        if (error > limit && distance2(played, wanted) < most * most) {
            tighten_beside(c, joint, f, error / limit);
            any = true;
        }
        for (int32_t k = skeleton->first_child[joint]; k >= 0; k = skeleton->next_sibling[k]) {
            if (enc_breaks(source, ENC_TRANSLATION, (uint32_t)k)[f + 1u] != 0)
                continue;
            error = sqrt(child_off2(c, played, (uint32_t)k, f));
            limit = child_limit(c, (uint32_t)k);
            if (error > limit) {
                tighten_beside(c, (uint32_t)k, f, error / limit);
                any = true;
            }
        }
    }
    return any;
}

static bool same_rows(const enc_coded *a, const enc_coded *b)
{
    size_t values = (size_t)a->frame_count * enc_components(a->kind);
    return memcmp(a->rows, b->rows, values * sizeof *a->rows) == 0;
}

/* Codes the joint's rotation again until its midpoints are within the limits. The final check of
 * midpoints is the measurement of the whole clip. */
static void settle_middles(solver *c, uint32_t joint)
{
    enc_track_choice *choice = solver_choice(c, joint, ENC_ROTATION);
    play_between(c, joint);
    for (int tries = 0; tries < MIDDLE_TRIES && choice->coded != NULL; tries++) {
        enc_track_choice before = *choice;
        uint64_t bits = c->out->bits;
        if (!tighten_middles(c, joint))
            return;
        c->out->bits -= before.coded->bits;
        memset(choice, 0, sizeof *choice);
        if (!solve_track(c, joint, ENC_ROTATION, before.coded)) {
            *choice = before;
            c->out->bits = bits;
            return;
        }
        bool same = choice->coded != NULL && same_rows(choice->coded, before.coded);
        enc_coded_free(before.coded);
        if (same)
            return;
        play_between(c, joint);
    }
}

/* Returns whether the joints so far cost more than the rival's permit. False until they are a
 * substantial part of the clip. */
static bool loses(const solver *c, uint32_t joint)
{
    const enc_solution *rival = c->task->rival;
    uint64_t bits = 0;
    if (rival == NULL)
        return false;
    for (uint32_t i = 0; i < (joint + 1u) * ENC_KINDS; i++)
        bits += enc_choice_bits(&rival->tracks[i]);
    return 8u * bits > rival->bits && (double)c->out->bits > c->task->worth * (double)bits;
}

static bool prepare(solver *c)
{
    uint32_t joints = c->source->skeleton->joint_count;
    size_t values = (size_t)c->source->frame_count * 4u;
    bool complete = true;
    c->target = enc_array(values, sizeof *c->target, &complete);
    c->held = enc_array((size_t)c->source->frame_count * 6u, sizeof *c->held, &complete);
    c->turned = -1;
    c->turns[0] = enc_array(values, sizeof *c->turns[0], &complete);
    c->turns[1] = enc_array(values, sizeof *c->turns[1], &complete);
    c->points = enc_array(joints, sizeof *c->points, &complete);
    c->nodes = enc_array(joints, sizeof *c->nodes, &complete);
    c->chain = enc_array(joints, sizeof *c->chain, &complete);
    c->path = enc_array(joints, sizeof *c->path, &complete);
    return complete;
}

static void release(solver *c)
{
    free(c->target);
    free(c->held);
    free(c->turns[0]);
    free(c->turns[1]);
    free(c->points);
    free(c->places);
    free(c->offsets);
    free(c->pulled);
    free(c->nodes);
    free(c->chain);
    free(c->path);
}

/* Selects the present joint. known: only to be played. Returns false without memory. */
static bool begin_joint(solver *c, uint32_t joint, bool known)
{
    int32_t parent = c->source->skeleton->parents[joint];
    c->above = parent < 0 ? NULL : enc_composed_row(c->stage->played, (uint32_t)parent);
    c->played = enc_composed_open(c->stage->played, joint);
    if (known)
        return true;
    c->exact = enc_composed_row(c->source->models, joint);
    return enc_list_points(c, joint);
}

int32_t enc_compensated_solve(const enc_source *source, const enc_codec *codec,
                              const enc_solve_task *task, const enc_options *options,
                              enc_solution *out, enc_report *report)
{
    static const uint32_t order[ENC_KINDS] = {ENC_SCALE, ENC_TRANSLATION, ENC_ROTATION};
    uint32_t joints = source->skeleton->joint_count;
    solver c = {.source = source,
                .codec = codec,
                .task = task,
                .options = options,
                .out = out,
                .stage = task->stage};
    memset(out, 0, sizeof *out);
    out->tracks = calloc((size_t)joints * ENC_KINDS, sizeof *out->tracks);
    out->track_count = joints * ENC_KINDS;
    int32_t status = prepare(&c) && out->tracks != NULL ? ENC_OK : ENC_ERROR_MEMORY;
    c.stage->played->tracks = out->tracks;
    for (uint32_t joint = 0; joint < joints; joint++)
        if (task->known == NULL || !task->mend || task->same[joint] == 0)
            enc_composed_forget(c.stage->played, joint);
    bool lost = false;
    for (uint32_t joint = 0; joint < joints && status == ENC_OK && !lost; joint++) {
        int32_t parent = source->skeleton->parents[joint];
        bool known = task->known != NULL && task->same[joint] != 0;
        bool played = known && task->mend;
        if (!played)
            c.stage->rigid[joint] = parent < 0 || c.stage->rigid[parent] != 0;
        if (known)
            share_known(&c, joint);
        if (!played && !begin_joint(&c, joint, known))
            status = ENC_ERROR_MEMORY;
        if (known && !played && status == ENC_OK)
            play_between(&c, joint);
        for (uint32_t i = 0; i < ENC_KINDS && status == ENC_OK && !known; i++)
            if (!solve_track(&c, joint, order[i], coded_before(&c, joint, order[i])))
                status = c.out_of_memory ? ENC_ERROR_MEMORY
                                         : enc_report_too_coarse(options, joint, report);
        if (status == ENC_OK && !task->finest && !known)
            settle_middles(&c, joint);
        if (c.out_of_memory)
            status = ENC_ERROR_MEMORY;
        if (status == ENC_OK && !played)
            play_joint(&c, joint);
        lost = status == ENC_OK && loses(&c, joint);
    }
    release(&c);
    if (status != ENC_OK || lost)
        enc_solution_release(out);
    return status;
}
