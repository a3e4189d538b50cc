#include "chain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chain_state.h"
#include "osc_format.h"
#include "ossicle.h"
#include "playing.h"
#include "quantise.h"
#include "seam.h"

#define MIN_DETERMINANT 1e-9   /* of a parent's axes: below, its space cannot be coded against */
#define SEAM_TRIES 8           /* each at half the limits */
#define AIM_TRIES 3            /* all of the aim, half of it, none */
#define MIDDLE_TRIES 4         /* to bring a joint's midpoints within its limits */
#define MIDDLE_TIGHTER 0.97    /* than what a midpoint sticks out by */
#define MIDDLE_CARRIED 1.1     /* of what a child may be off by at frames */
#define LEFT_TO_ANCESTORS 0.95 /* of a limit: where a midpoint's origin takes as much */
#define NEARLY_EXACT (6.0 / OSC_ONE_Q20)
#define SCALE_SHARE 0.1 /* of the tolerance that a scale track may use up */

static void normalise(double *q)
{
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4; i++)
        q[i] /= length;
}

/* ---- translation ---- */

static bool translation_holds(const void *context, uint32_t frame, const int32_t *row)
{
    const chain_test *test = context;
    const chain *c = test->chain;
    int32_t parent = c->source->skeleton->parents[test->joint];
    double local[3], model[3];
    chain_row(row, 3u, local);
    chain_transform(chain_played(c, parent, frame), local, model);
    double limit = chain_limit(c, test->joint, frame, test->origin);
    return chain_distance2(model, chain_source(c, test->joint, frame)) <= limit * limit;
}

/* Solves played parent * t = source position; false where the parent's axes are degenerate. */
static bool into_parent(const enc_matrix *parent, const enc_matrix *joint, double *out)
{
    const double *m = parent->m;
    double x = joint->m[3] - m[3], y = joint->m[7] - m[7], z = joint->m[11] - m[11];
    double c0 = m[5] * m[10] - m[6] * m[9], c1 = m[6] * m[8] - m[4] * m[10];
    double c2 = m[4] * m[9] - m[5] * m[8];
    double determinant = m[0] * c0 + m[1] * c1 + m[2] * c2;
    if (fabs(determinant) < MIN_DETERMINANT)
        return false;
    out[0] =
        (x * c0 + y * (m[2] * m[9] - m[1] * m[10]) + z * (m[1] * m[6] - m[2] * m[5])) / determinant;
    out[1] =
        (x * c1 + y * (m[0] * m[10] - m[2] * m[8]) + z * (m[2] * m[4] - m[0] * m[6])) / determinant;
    out[2] =
        (x * c2 + y * (m[1] * m[8] - m[0] * m[9]) + z * (m[0] * m[5] - m[1] * m[4])) / determinant;
    return true;
}

static void translation_target(chain *c, uint32_t joint)
{
    int32_t parent = c->source->skeleton->parents[joint];
    const double *raw = enc_track(c->source, ENC_TRANSLATION, joint);
    for (uint32_t f = 0; f < c->source->row_count; f++, raw += 3) {
        double *target = c->target + (size_t)f * 3u;
        if (c->budget->finest ||
            !into_parent(chain_played(c, parent, f), chain_source(c, joint, f), target))
            memcpy(target, raw, 3u * sizeof *raw);
    }
}

/* ---- scale ---- */

static bool scale_holds(const void *context, uint32_t frame, const int32_t *row)
{
    const chain_test *test = context;
    const double *raw = enc_track(test->chain->source, ENC_SCALE, test->joint) + 3u * (size_t)frame;
    double value[3];
    chain_row(row, 3u, value);
    for (int i = 0; i < 3; i++)
        if (fabs(value[i] - raw[i]) > test->scale_limit)
            return false;
    return true;
}

/* ---- rotation ---- */

/* The joint's own shell points within the limit; each child's origin, placed at its source offset,
 * within that child's; and what still joints carry on, which cannot make up for this joint. */
static bool rotation_holds(const void *context, uint32_t frame, const int32_t *row)
{
    const chain_test *test = context;
    const chain *c = test->chain;
    const enc_skeleton *skeleton = c->source->skeleton;
    double rotation[4], translation[3], scale[3];
    chain_row(row, 4u, rotation);
    if (rotation[0] * rotation[0] + rotation[1] * rotation[1] + rotation[2] * rotation[2] +
            rotation[3] * rotation[3] <
        0.5)
        return false;
    chain_values(c, test->joint, ENC_TRANSLATION, frame, translation);
    chain_values(c, test->joint, ENC_SCALE, frame, scale);
    enc_matrix local, model;
    enc_matrix_local(rotation, translation, scale, &local);
    enc_matrix_multiply(chain_played(c, skeleton->parents[test->joint], frame), &local, &model);
    const enc_matrix *wanted = chain_source(c, test->joint, frame);
    double shell = chain_limit(c, test->joint, frame, test->shell);
    if (!(enc_shell_error2(&model, wanted, &c->budget->shell) <= shell * shell))
        return false;
    for (int32_t k = skeleton->first_child[test->joint]; k >= 0; k = skeleton->next_sibling[k]) {
        uint32_t joint = (uint32_t)k;
        double child[3], limit = chain_limit(c, joint, frame, c->budget->limits[k].carried);
        chain_transform(&model, enc_track(c->source, ENC_TRANSLATION, joint) + 3u * (size_t)frame,
                        child);
        if (!(chain_distance2(child, chain_source(c, joint, frame)) <= limit * limit))
            return false;
    }
    for (uint32_t i = 0; i < c->carried_count; i++) {
        const chain_carried *point = &c->carried[i];
        double place[3];
        double limit = chain_limit(c, point->joint, frame, c->budget->limits[point->joint].carried);
        chain_transform(&model, point->offset, place);
        if (!(chain_distance2(place, chain_source(c, point->joint, frame)) <= limit * limit))
            return false;
    }
    return true;
}

static const enc_matrix *source_middle(const chain *c, uint32_t joint, uint32_t frame)
{
    return &c->source->model[(size_t)joint * c->source->sample_count + 2u * (size_t)frame + 1u];
}

/* How far a child is off half way to the next frame if its parent is played there as `model`, and
 * how far it may be. */
static double child_off2(const chain *c, const enc_matrix *model, uint32_t child, uint32_t frame)
{
    double offset[3], place[3];
    enc_source_midpoint(c->source, ENC_TRANSLATION, child, frame, offset);
    chain_transform(model, offset, place);
    return chain_distance2(place, source_middle(c, child, frame));
}

static double child_limit(const chain *c, uint32_t child)
{
    const enc_limits *limits = &c->budget->limits[child];
    return fmin(limits->shell, MIDDLE_CARRIED * limits->carried);
}

/* The joint's shell half way to the next frame, where errors that make up for each other at frames
 * need not do so. */
static bool rotation_between(const void *context, uint32_t frame, const int32_t *rows)
{
    const chain_test *test = context;
    const chain *c = test->chain;
    int32_t parent = c->source->skeleton->parents[test->joint];
    enc_track_choice choices[ENC_KINDS];
    enc_coded coded = {.rows = (int32_t *)rows};
    enc_matrix local, model;
    memcpy(choices, chain_choice(c, test->joint, 0), sizeof choices);
    choices[ENC_ROTATION].coded = &coded;
    enc_play_local(c->source, choices, test->joint, 2u * frame + 1u, &local);
    enc_matrix_multiply(chain_played_at(c, parent, 2u * frame + 1u), &local, &model);
    if (!(enc_shell_error2(&model, source_middle(c, test->joint, frame), &c->budget->shell) <=
          test->shell * test->shell))
        return false;
    const enc_skeleton *skeleton = c->source->skeleton;
    for (int32_t k = skeleton->first_child[test->joint]; k >= 0; k = skeleton->next_sibling[k]) {
        double limit = child_limit(c, (uint32_t)k);
        if (!(child_off2(c, &model, (uint32_t)k, frame) <= limit * limit))
            return false;
    }
    return true;
}

/* Lists what the joint carries: descendants behind children that stay still. */
static void list_carried(chain *c, uint32_t joint)
{
    const enc_skeleton *skeleton = c->source->skeleton;
    const enc_matrix *here = chain_source(c, joint, 0);
    c->carried_count = 0;
    for (uint32_t k = joint + 1u; k < skeleton->joint_count; k++) {
        int32_t above = skeleton->parents[k];
        if (above <= (int32_t)joint) /* a child, or none of ours */
            continue;
        while (above > (int32_t)joint && c->source->still[above] == ENC_ALL_STILL)
            above = skeleton->parents[above];
        chain_carried *point = &c->carried[c->carried_count];
        bool fixed = (c->source->still[k] >> ENC_TRANSLATION & 1u) != 0u;
        if (above == (int32_t)joint && fixed &&
            into_parent(here, chain_source(c, k, 0), point->offset)) {
            point->joint = k;
            c->carried_count++;
        }
    }
}

/* Solves the symmetric 3x3 system a x = b by Cramer's rule. */
static bool solve3(const double a[6], const double *b, double *x)
{
    double xx = a[0], xy = a[1], xz = a[2], yy = a[3], yz = a[4], zz = a[5];
    double c0 = yy * zz - yz * yz, c1 = xz * yz - xy * zz, c2 = xy * yz - xz * yy;
    double determinant = xx * c0 + xy * c1 + xz * c2;
    if (!(fabs(determinant) > 1e-30))
        return false;
    x[0] = (c0 * b[0] + c1 * b[1] + c2 * b[2]) / determinant;
    x[1] = (c1 * b[0] + (xx * zz - xz * xz) * b[1] + (xy * xz - xx * yz) * b[2]) / determinant;
    x[2] = (c2 * b[0] + (xy * xz - xx * yz) * b[1] + (xx * yy - xy * xy) * b[2]) / determinant;
    return true;
}

/* The small turn of the joint, in model space, that best brings its children back to where they
 * belong although the joint itself is off by `off`: least squares over the children's origins and
 * the joint's own shell. */
static void aim(const chain *c, uint32_t joint, uint32_t frame, const double *off, double *turn)
{
    const enc_skeleton *skeleton = c->source->skeleton;
    double own = 2.0 * c->budget->shell.distance_m * c->budget->shell.distance_m;
    double a[6] = {own, 0.0, 0.0, own, 0.0, own}, b[3] = {0.0, 0.0, 0.0}, theta[3];
    const enc_matrix *here = chain_source(c, joint, frame);
    int32_t k = skeleton->first_child[joint];
    for (uint32_t i = 0; k >= 0 || i < c->carried_count;) {
        uint32_t point = k >= 0 ? (uint32_t)k : c->carried[i].joint;
        const enc_matrix *there = chain_source(c, point, frame);
        if (k >= 0)
            k = skeleton->next_sibling[k];
        else
            i++;
        double x = there->m[3] - here->m[3], y = there->m[7] - here->m[7];
        double z = there->m[11] - here->m[11];
        a[0] += y * y + z * z;
        a[1] -= x * y;
        a[2] -= x * z;
        a[3] += x * x + z * z;
        a[4] -= y * z;
        a[5] += x * x + y * y;
        b[0] -= y * off[2] - z * off[1];
        b[1] -= z * off[0] - x * off[2];
        b[2] -= x * off[1] - y * off[0];
    }
    turn[0] = turn[1] = turn[2] = 0.0;
    turn[3] = 1.0;
    if (solve3(a, b, theta)) {
        for (int i = 0; i < 3; i++)
            turn[i] = theta[i] / 2.0;
        normalise(turn);
    }
}

/* The local rotation that gives the joint its source's model rotation, turned. */
static void wanted_rotation(const chain *c, uint32_t joint, uint32_t frame, const double *turn,
                            double *out)
{
    int32_t parent = c->source->skeleton->parents[joint];
    size_t frames = c->source->frame_count;
    enc_quaternion_multiply(turn, c->source->turn + (joint * frames + frame) * 4u, out);
    if (parent >= 0) {
        const double *p = c->stage->turn + ((size_t)parent * frames + frame) * 4u;
        const double back[4] = {-p[0], -p[1], -p[2], p[3]};
        enc_quaternion_multiply(back, out, out);
    }
    normalise(out);
}

/* What the rotation has to follow. The turn that is best for all children together can be too much
 * for one of them; then half of it, or none, is taken. */
static void rotation_target(chain *c, uint32_t joint, const chain_test *test)
{
    const enc_source *source = c->source;
    int32_t parent = source->skeleton->parents[joint];
    const double *raw = enc_track(source, ENC_ROTATION, joint);
    bool follow = !c->budget->finest && c->stage->rigid[joint] != 0;
    for (uint32_t f = 0; f < source->row_count; f++, raw += 4) {
        double *target = c->target + (size_t)f * 4u;
        memcpy(target, raw, 4u * sizeof *raw);
        if (!follow)
            continue;
        double local[3], origin[3], turn[4];
        chain_values(c, joint, ENC_TRANSLATION, f, local);
        chain_transform(chain_played(c, parent, f), local, origin);
        const enc_matrix *here = chain_source(c, joint, f);
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

/* ---- the loop ---- */

/* Within a few of the finest steps of the target; the rebuilt component of a rotation amplifies
 * them. */
static bool nearly_exact(const void *context, uint32_t frame, const int32_t *row)
{
    const chain_test *test = context;
    uint32_t components = enc_components(test->kind);
    const double *target = test->chain->target + (size_t)frame * components;
    double plus = 0.0, minus = 0.0;
    for (uint32_t i = 0; i < components; i++) {
        double value = row[i] / (double)OSC_ONE_Q20;
        plus = fmax(plus, fabs(value - target[i]));
        minus = fmax(minus, fabs(value + target[i]));
    }
    return (components == 4u ? fmin(plus, minus) : plus) <= NEARLY_EXACT;
}

static bool choose(chain *c, uint32_t joint, uint32_t kind, const enc_fit *fit)
{
    enc_track_choice *choice = chain_choice(c, joint, kind);
    const int32_t *bind = c->source->skeleton->bind_q20 + joint * 10u + enc_first(kind);
    if (enc_still_default(fit, bind, &choice->still) || enc_still_constant(fit, &choice->still)) {
        c->out->bits += choice->still.bits;
        return true;
    }
    choice->still.track_kind = ENC_TRACK_ANIMATED;
    choice->coded = c->codec->fit(fit, &c->out_of_memory);
    if (choice->coded == NULL)
        return false;
    c->out->bits += choice->coded->bits;
    return true;
}

/* Of a loop, until the last row blends into the first: coarse steps can stretch what lies between.
 */
static bool choose_closed(chain *c, chain_test *test, enc_fit *fit)
{
    enc_track_choice *choice = chain_choice(c, test->joint, test->kind);
    for (int tries = 0; choose(c, test->joint, test->kind, fit); tries++) {
        if (enc_seam_blends(c->source, choice, test->kind, test->joint))
            return true;
        if (tries == SEAM_TRIES)
            return false;
        c->out->bits -= choice->coded->bits;
        enc_coded_free(choice->coded);
        choice->coded = NULL;
        fit->before = NULL;
        test->origin /= 2.0;
        test->shell /= 2.0;
        test->scale_limit /= 2.0;
        fit->slack /= 2.0;
    }
    return false;
}

/* The joints that are turned so that they make up for an error of this track. */
static uint32_t followers(const chain *c, uint32_t joint, uint32_t kind)
{
    const enc_source *source = c->source;
    const enc_skeleton *skeleton = source->skeleton;
    bool turns = (source->still[joint] >> ENC_ROTATION & 1u) == 0u;
    uint32_t count = kind == ENC_TRANSLATION && turns ? 1u : 0u;
    for (int32_t k = skeleton->first_child[joint]; k >= 0; k = skeleton->next_sibling[k])
        count += source->moves[k];
    return count;
}

/* before: see enc_fit. */
static bool solve_track(chain *c, uint32_t joint, uint32_t kind, const enc_coded *before)
{
    static bool (*const holds[ENC_KINDS])(const void *, uint32_t, const int32_t *) = {
        rotation_holds, translation_holds, scale_holds};
    static uint32_t (*const places[ENC_KINDS])(const void *, uint32_t, const enc_slopes *,
                                               enc_place *) = {
        enc_chain_rotation_places, enc_chain_translation_places, enc_chain_scale_places};
    const enc_budget *budget = c->budget;
    const enc_limits *limits = &budget->limits[joint];
    double reach = c->source->reach[joint], tolerance = limits->tolerance;
    double origin = limits->origin;
    /* in a hurry midpoints are left to settle_middles() */
    bool looks_between = kind == ENC_ROTATION && c->options->effort > ENC_EFFORT_FAST;
    chain_test test = {c, joint, kind, origin, limits->shell, SCALE_SHARE * tolerance / reach};
    enc_fit fit = {kind,
                   c->source->row_count,
                   enc_restart_log2(c->codec, c->options),
                   c->target,
                   enc_breaks(c->source, kind, joint),
                   0.0,
                   c->options->effort,
                   c->options->keys,
                   NULL,
                   followers(c, joint, kind),
                   before,
                   holds[kind],
                   &test,
                   places[kind],
                   looks_between ? rotation_between : NULL};
    if (kind == ENC_ROTATION) {
        list_carried(c, joint);
        rotation_target(c, joint, &test);
        double lever = budget->shell.distance_m;
        const enc_skeleton *skeleton = c->source->skeleton;
        for (int32_t k = skeleton->first_child[joint]; k >= 0; k = skeleton->next_sibling[k]) {
            const double *t = enc_track(c->source, ENC_TRANSLATION, (uint32_t)k);
            lever = fmax(lever, sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]));
        }
        for (uint32_t i = 0; i < c->carried_count; i++) {
            const double *t = c->carried[i].offset;
            lever = fmax(lever, sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]));
        }
        fit.slack = 0.5 * tolerance / lever;
    } else if (kind == ENC_TRANSLATION) {
        translation_target(c, joint);
        fit.slack = origin;
    } else {
        memcpy(c->target, enc_track(c->source, kind, joint),
               (size_t)c->source->frame_count * 3u * sizeof *c->target);
        fit.slack = test.scale_limit;
    }
    if (budget->finest) {
        fit.holds = nearly_exact;
        fit.places = NULL;
        fit.between = NULL;
        fit.slack = 0.0;
    }
    return choose_closed(c, &test, &fit);
}

/* Composes the joint as played at frames, for its descendants. */
static void play_joint(chain *c, uint32_t joint)
{
    int32_t parent = c->source->skeleton->parents[joint];
    uint32_t frames = c->source->frame_count, samples = c->source->sample_count;
    enc_matrix *model = c->stage->model + (size_t)joint * samples;
    double *turn = c->stage->turn + (size_t)joint * frames * 4u;
    bool rigid = parent < 0 || c->stage->rigid[parent] != 0;
    for (uint32_t f = 0; f < c->source->row_count; f++, turn += 4) {
        double rotation[4], translation[3], scale[3];
        enc_matrix local;
        chain_values(c, joint, ENC_ROTATION, f, rotation);
        chain_values(c, joint, ENC_TRANSLATION, f, translation);
        chain_values(c, joint, ENC_SCALE, f, scale);
        enc_matrix_local(rotation, translation, scale, &local);
        enc_matrix_multiply(chain_played(c, parent, f), &local, &model[2u * f]);
        rigid = rigid && scale[0] == 1.0 && scale[1] == 1.0 && scale[2] == 1.0;
        normalise(rotation);
        if (parent < 0)
            memcpy(turn, rotation, sizeof rotation);
        else
            enc_quaternion_multiply(c->stage->turn + ((size_t)parent * frames + f) * 4u, rotation,
                                    turn);
    }
    if (c->source->loop) /* which ends in its first row */
        model[c->source->grid_count - 1u] = model[0];
    c->stage->rigid[joint] = rigid;
}

/* What may be mended of a track. */
static const enc_coded *coded_before(const chain *c, uint32_t joint, uint32_t kind)
{
    const enc_budget *budget = c->budget;
    return budget->known != NULL && budget->mend
               ? budget->known->tracks[joint * ENC_KINDS + kind].coded
               : NULL;
}

/* Takes over what is known of a joint. */
static void share_known(chain *c, uint32_t joint)
{
    const enc_track_choice *known = &c->budget->known->tracks[joint * ENC_KINDS];
    for (uint32_t kind = 0; kind < ENC_KINDS; kind++) {
        *chain_choice(c, joint, kind) = known[kind];
        if (known[kind].coded != NULL)
            known[kind].coded->shared++;
        c->out->bits +=
            known[kind].coded != NULL ? known[kind].coded->bits : known[kind].still.bits;
    }
}

/* ---- midpoints ---- */

/* Composes the joint as played between frames: half way, and at the source's own positions. */
static void play_between(chain *c, uint32_t joint)
{
    const enc_source *source = c->source;
    int32_t parent = source->skeleton->parents[joint];
    enc_matrix *model = c->stage->model + (size_t)joint * source->sample_count;
    for (uint32_t sample = 1; sample < source->sample_count;
         sample += sample + 1u < source->grid_count ? 2u : 1u) {
        enc_matrix local;
        enc_play_local(c->source, chain_choice(c, joint, 0), joint, sample, &local);
        enc_matrix_multiply(chain_played_at(c, parent, sample), &local, &model[sample]);
    }
}

/* Makes a joint's limits tighter at the frames beside a midpoint that is over one by `over`. */
static void tighten_beside(const chain *c, uint32_t joint, uint32_t frame, double over)
{
    double *tight = c->budget->tight + (size_t)joint * c->source->frame_count;
    uint32_t next = frame + 1u < c->source->row_count ? frame + 1u : 0u;
    enc_tighten(&tight[frame], MIDDLE_TIGHTER / over, c->budget->least_tight);
    enc_tighten(&tight[next], MIDDLE_TIGHTER / over, c->budget->least_tight);
}

static double distance2(const enc_matrix *a, const enc_matrix *b)
{
    const double origin[3] = {a->m[3], a->m[7], a->m[11]};
    return chain_distance2(origin, b);
}

/* Checks midpoints of the joint's shell and of its children, as far as it places them; tightens
 * where they are over the limits, and where that can help. Whether there are such. */
static bool tighten_middles(const chain *c, uint32_t joint)
{
    const enc_source *source = c->source;
    const enc_skeleton *skeleton = source->skeleton;
    uint32_t frames = source->frame_count;
    bool any = false;
    for (uint32_t f = 0; f + 1u < frames; f++) {
        const enc_matrix *played = chain_played_at(c, (int32_t)joint, 2u * f + 1u);
        const enc_matrix *wanted = source_middle(c, joint, f);
        double error = sqrt(enc_shell_error2(wanted, played, &c->budget->shell));
        double limit = c->budget->limits[joint].shell, most = LEFT_TO_ANCESTORS * limit;
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

/* Codes the joint's rotation anew until its midpoints are within the limits, too. The last word on
 * them is spoken when the whole clip is measured. */
static void settle_middles(chain *c, uint32_t joint)
{
    enc_track_choice *choice = chain_choice(c, joint, ENC_ROTATION);
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

/* Whether the joints so far are dearer than they may be beside the rival's; said once they are a
 * good part of the clip. */
static bool loses(const chain *c, uint32_t joint)
{
    const enc_solution *rival = c->budget->rival;
    uint64_t bits = 0;
    if (rival == NULL)
        return false;
    for (uint32_t i = 0; i < (joint + 1u) * ENC_KINDS; i++)
        bits += rival->tracks[i].coded != NULL ? rival->tracks[i].coded->bits
                                               : rival->tracks[i].still.bits;
    return 8u * bits > rival->bits && (double)c->out->bits > c->budget->worth * (double)bits;
}

static void report_failure(const chain *c, uint32_t joint, enc_report *report)
{
    report->tight_joint = (int32_t)joint;
    report->tight_start = -1;
    report->tight_frame = 0.0;
    report->tight_error_m = enc_limit_m(c->options, joint);
}

int32_t enc_chain_solve(const enc_source *source, const enc_codec *codec, const enc_budget *budget,
                        const enc_options *options, enc_solution *out, enc_report *report)
{
    static const uint32_t order[ENC_KINDS] = {ENC_SCALE, ENC_TRANSLATION, ENC_ROTATION};
    uint32_t joints = source->skeleton->joint_count;
    chain c = {.source = source,
               .codec = codec,
               .budget = budget,
               .options = options,
               .out = out,
               .stage = budget->stage,
               .target = malloc((size_t)source->frame_count * 4u * sizeof(double)),
               .carried = malloc(joints * sizeof(chain_carried))};
    memset(out, 0, sizeof *out);
    out->tracks = calloc((size_t)joints * ENC_KINDS, sizeof *out->tracks);
    out->track_count = joints * ENC_KINDS;
    int32_t status = ENC_OK;
    if (c.target == NULL || c.carried == NULL || out->tracks == NULL)
        status = ENC_ERROR_MEMORY;
    bool lost = false;
    for (uint32_t joint = 0; joint < joints && status == ENC_OK && !lost; joint++) {
        int32_t parent = source->skeleton->parents[joint];
        bool known = budget->known != NULL && budget->same[joint] != 0;
        bool played = known && budget->mend;
        if (!played)
            c.stage->rigid[joint] = parent < 0 || c.stage->rigid[parent] != 0;
        if (known)
            share_known(&c, joint);
        if (known && !played)
            play_between(&c, joint);
        for (uint32_t i = 0; i < ENC_KINDS && status == ENC_OK && !known; i++)
            if (!solve_track(&c, joint, order[i], coded_before(&c, joint, order[i]))) {
                status = c.out_of_memory ? ENC_ERROR_MEMORY : ENC_ERROR_TOLERANCE;
                report_failure(&c, joint, report);
            }
        if (status == ENC_OK && !budget->finest && !known)
            settle_middles(&c, joint);
        if (c.out_of_memory)
            status = ENC_ERROR_MEMORY;
        if (status == ENC_OK && !played)
            play_joint(&c, joint);
        lost = status == ENC_OK && loses(&c, joint);
    }
    free(c.target);
    free(c.carried);
    if (status != ENC_OK || lost)
        enc_solution_release(out);
    return status;
}

void enc_solution_release(enc_solution *solution)
{
    for (uint32_t i = 0; i < solution->track_count && solution->tracks != NULL; i++)
        enc_coded_free(solution->tracks[i].coded);
    free(solution->tracks);
    memset(solution, 0, sizeof *solution);
}

void enc_coded_free(enc_coded *coded)
{
    if (coded == NULL)
        return;
    if (coded->shared-- != 0u)
        return;
    coded->release(coded->data);
    free(coded);
}
