#include "published/rates/first_order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "model/composed.h"
#include "ossicle.h"

#define FLAT 1e-12 /* volume, relative to the product of the edges, that counts as zero */

static size_t matrix_index(const enc_dense_model *model, uint32_t joint, uint32_t frame)
{
    return (size_t)joint * model->source->row_count + frame;
}

static void source_local(const enc_source *source, uint32_t joint, uint32_t frame, enc_matrix *out)
{
    enc_source_matrix(source, joint, enc_track(source, ENC_ROTATION, joint) + (size_t)frame * 4u,
                      enc_track(source, ENC_TRANSLATION, joint) + (size_t)frame * 3u,
                      enc_track(source, ENC_SCALE, joint) + (size_t)frame * 3u, out);
}

/* The inverse of the linear part, or zeros for a flat joint, which no turn moves. */
static void invert(const enc_matrix *a, enc_matrix *out)
{
    const double *m = a->m;
    double edges = 1.0;
    double adjugate[9], volume = enc_adjugate(a, adjugate);
    for (int axis = 0; axis < 3; axis++)
        edges *= sqrt(m[axis] * m[axis] + m[4 + axis] * m[4 + axis] + m[8 + axis] * m[8 + axis]);
    memset(out, 0, sizeof *out);
    for (int i = 0; i < 9 && edges > 0.0 && fabs(volume) > FLAT * edges; i++)
        out->m[i / 3 * 4 + i % 3] = adjugate[i] / volume;
}

bool enc_dense_model_prepare(enc_dense_model *model, const enc_source *source)
{
    uint32_t joints = source->skeleton->joint_count, rows = source->row_count;
    bool complete = enc_source_hold(source);
    model->source = source;
    model->model = enc_array((size_t)joints * rows, sizeof *model->model, &complete);
    model->inverse = enc_array((size_t)joints * rows, sizeof *model->inverse, &complete);
    for (uint32_t joint = 0; joint < joints && complete; joint++) {
        int32_t parent = source->skeleton->parents[joint];
        for (uint32_t f = 0; f < rows; f++) {
            enc_matrix local, *here = &model->model[matrix_index(model, joint, f)];
            source_local(source, joint, f, &local);
            if (parent < 0)
                *here = local;
            else
                enc_matrix_multiply(&model->model[matrix_index(model, (uint32_t)parent, f)], &local,
                                    here);
            invert(here, &model->inverse[matrix_index(model, joint, f)]);
        }
    }
    return complete;
}

void enc_dense_model_release(enc_dense_model *model)
{
    free(model->model);
    free(model->inverse);
    memset(model, 0, sizeof *model);
}

/* The shift of a rotation or scale, which keeps the joint's origin in place: P * L' * M^-1 - 1
 * about that origin. */
static void shift_linear(const enc_matrix *parent, const enc_matrix *local, const enc_matrix *model,
                         const enc_matrix *inverse, enc_shift *out)
{
    enc_matrix played, change;
    enc_matrix_multiply(parent, local, &played);
    played.m[3] = played.m[7] = played.m[11] = 0.0;
    enc_matrix_multiply(&played, inverse, &change);
    bool flat = inverse->m[0] == 0.0 && inverse->m[1] == 0.0 && inverse->m[2] == 0.0;
    for (int row = 0; row < 3; row++) {
        double *to = out->m + row * 4;
        for (int i = 0; i < 3; i++)
            to[i] = flat ? 0.0 : change.m[row * 4 + i] - (row == i ? 1.0 : 0.0);
        to[3] = -(to[0] * model->m[3] + to[1] * model->m[7] + to[2] * model->m[11]);
    }
}

void enc_dense_shift(const enc_dense_model *model, uint32_t joint, uint32_t kind, uint32_t frame,
                     const int32_t *row, enc_shift *out)
{
    static const enc_matrix world = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};
    const enc_source *source = model->source;
    int32_t above = source->skeleton->parents[joint];
    const enc_matrix *parent =
        above < 0 ? &world : &model->model[matrix_index(model, (uint32_t)above, frame)];
    const double *track = enc_track(source, kind, joint) + (size_t)frame * enc_components(kind);
    double value[4] = {0};
    for (uint32_t i = 0; i < enc_components(kind); i++)
        value[i] = row[i] / (double)OSC_ONE_Q20;
    memset(out, 0, sizeof *out);
    if (kind == ENC_TRANSLATION) {
        for (int axis = 0; axis < 3; axis++)
            for (int i = 0; i < 3; i++)
                out->m[axis * 4 + 3] += parent->m[axis * 4 + i] * (value[i] - track[i]);
        return;
    }
    enc_matrix local;
    const double *rotation = enc_track(source, ENC_ROTATION, joint) + (size_t)frame * 4u;
    const double *scale = enc_track(source, ENC_SCALE, joint) + (size_t)frame * 3u;
    static const double nowhere[3];
    enc_source_matrix(source, joint, kind == ENC_ROTATION ? value : rotation, nowhere,
                      kind == ENC_SCALE ? value : scale, &local);
    size_t at = matrix_index(model, joint, frame);
    shift_linear(parent, &local, &model->model[at], &model->inverse[at], out);
}

double enc_shift_error2(const enc_shift *shift, const double *points)
{
    const double *m = shift->m;
    double worst = 0.0;
    for (int i = 0; i < 3; i++, points += 3) {
        double x = m[0] * points[0] + m[1] * points[1] + m[2] * points[2] + m[3];
        double y = m[4] * points[0] + m[5] * points[1] + m[6] * points[2] + m[7];
        double z = m[8] * points[0] + m[9] * points[1] + m[10] * points[2] + m[11];
        double error2 = x * x + y * y + z * z;
        worst = error2 > worst ? error2 : worst;
    }
    return worst;
}

void enc_dense_points(const enc_dense_model *model, uint32_t joint, uint32_t frame, double shell_m,
                      double *points)
{
    const double *m = model->model[matrix_index(model, joint, frame)].m;
    const double *axes = model->source->skeleton->spaces[joint].axis;
    for (int axis = 0; axis < 3; axis++)
        for (int row = 0; row < 3; row++)
            *points++ = m[row * 4 + 3] + shell_m * axes[axis] * m[row * 4 + axis];
}
