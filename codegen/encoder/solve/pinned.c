#include "solve/pinned.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/measure.h"

#define FLAT 1e-9 /* axes that span less than this have no inverse */

/* Solves m x = v for the 3x3 part of m; false where it is flat. */
static bool solve(const double *m, const double *v, double *x)
{
    double a = m[5] * m[10] - m[6] * m[9], b = m[6] * m[8] - m[4] * m[10];
    double c = m[4] * m[9] - m[5] * m[8], volume = m[0] * a + m[1] * b + m[2] * c;
    if (!(fabs(volume) > FLAT))
        return false;
    const double inverse[9] = {a, m[2] * m[9] - m[1] * m[10], m[1] * m[6] - m[2] * m[5],
                               b, m[0] * m[10] - m[2] * m[8], m[2] * m[4] - m[0] * m[6],
                               c, m[1] * m[8] - m[0] * m[9],  m[0] * m[5] - m[1] * m[4]};
    for (int i = 0; i < 3; i++)
        x[i] = (inverse[3 * i] * v[0] + inverse[3 * i + 1] * v[1] + inverse[3 * i + 2] * v[2]) /
               volume;
    return true;
}

/* The chain from `joint` up to its root; returns its length. */
static uint32_t climb(const enc_skeleton *skeleton, int32_t joint, uint32_t *chain)
{
    uint32_t count = 0;
    for (; joint >= 0; joint = skeleton->parents[joint])
        chain[count++] = (uint32_t)joint;
    return count;
}

bool enc_pinned_target(const enc_source *source, const enc_solution *solution, uint32_t joint,
                       double *target)
{
    const enc_skeleton *skeleton = source->skeleton;
    uint32_t *chain = malloc(skeleton->joint_count * sizeof *chain);
    enc_matrix *model = malloc(skeleton->joint_count * sizeof *model), local;
    if (chain == NULL || model == NULL) {
        free(chain);
        free(model);
        return false;
    }
    uint32_t parent = (uint32_t)skeleton->parents[joint], none = skeleton->joint_count;
    uint32_t count = climb(skeleton, (int32_t)parent, chain);
    for (uint32_t frame = 0; frame < source->row_count; frame++, target += 3) {
        uint32_t sample = 2u * frame;
        for (uint32_t i = count; i-- > 0u;) {
            enc_play_local(source, &solution->tracks[chain[i] * ENC_KINDS], chain[i], sample,
                           &local);
            enc_play_below(source, &local, chain[i], sample, none, model);
        }
        const double *there = source->model[(size_t)joint * source->sample_count + sample].m;
        const double *here = model[parent].m;
        const double way[3] = {there[3] - here[3], there[7] - here[7], there[11] - here[11]};
        if (!solve(here, way, target))
            memcpy(target, enc_track(source, ENC_TRANSLATION, joint) + 3u * (size_t)frame,
                   3u * sizeof *target);
    }
    free(chain);
    free(model);
    return true;
}
