#include "published/schemes/pinned.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/composed.h"
#include "model/measure.h"

/* Lists the chain from `joint` up to its root; returns its length. */
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
            enc_play_below(skeleton, &local, chain[i], none, NULL, model);
        }
        const double *there = enc_source_model(source, joint, sample)->m;
        const double offset[3] = {there[3] - model[parent].m[3], there[7] - model[parent].m[7],
                                  there[11] - model[parent].m[11]};
        if (enc_solve(&model[parent], offset, target))
            enc_source_subtract(source, ENC_TRANSLATION, joint, target);
        else
            enc_source_value(source, ENC_TRANSLATION, joint, frame, target);
    }
    free(chain);
    free(model);
    return true;
}
