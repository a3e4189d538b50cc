/* Measurements in addition to encoding: of a source, and of an encoded clip at further
 * positions. */
#include <math.h>
#include <stdlib.h>

#include "base/arrays.h"
#include "model/measure.h"
#include "writer/clip.h"

static void play_frames(const void *context, uint32_t first, uint32_t count, uint32_t stride,
                        enc_matrix *local)
{
    const enc_source *source = context;
    for (uint32_t joint = 0; joint < source->skeleton->joint_count; joint++)
        for (uint32_t i = 0; i < count; i++)
            enc_source_blend(source, joint, enc_sample_q11(source, first + i),
                             &local[(size_t)joint * stride + i]);
}

int32_t enc_resampling_error(const enc_skeleton *skeleton, const enc_input *input,
                             const enc_options *options, enc_report *report)
{
    enc_source source;
    enc_input open = *input;
    open.loop = 0; /* closing the loop is not part of this error */
    enc_report_clear(report);
    int32_t status = enc_source_prepare(&source, skeleton, &open, &options->shell, report);
    if (status == ENC_OK)
        status = enc_measure_played(&source, play_frames, &source, options, report, NULL);
    enc_source_release(&source);
    return status;
}

/* Composes a joint from its local transform and its parent's model matrix, parents first. */
static void compose_joint(const enc_skeleton *skeleton, uint32_t joint, const enc_matrix *local,
                          enc_matrix *model)
{
    int32_t parent = skeleton->parents[joint];
    if (parent < 0)
        model[joint] = *local;
    else
        enc_matrix_multiply(&model[parent], local, &model[joint]);
}

int32_t enc_travel(const enc_skeleton *skeleton, uint32_t frame_count, const double *frames,
                   const enc_shell *shell, double *travel_m)
{
    uint32_t joints = skeleton->joint_count;
    bool complete = true;
    enc_matrix *before = enc_array(joints, sizeof *before, &complete);
    enc_matrix *here = enc_array(joints, sizeof *here, &complete);
    for (uint32_t f = 0; f < frame_count && complete; f++) {
        double most2 = 0.0;
        enc_matrix *swapped = before;
        before = here;
        here = swapped;
        for (uint32_t j = 0; j < joints; j++, frames += 10) {
            enc_matrix local;
            enc_matrix_local(frames + enc_first(ENC_ROTATION), frames + enc_first(ENC_TRANSLATION),
                             frames + enc_first(ENC_SCALE), &local);
            compose_joint(skeleton, j, &local, here);
            if (f > 0u)
                most2 = fmax(most2,
                             enc_shell_error2(&before[j], &here[j], shell, &skeleton->spaces[j]));
        }
        if (f > 0u)
            travel_m[f - 1u] = sqrt(most2);
    }
    free(before);
    free(here);
    return complete ? ENC_OK : ENC_ERROR_MEMORY;
}

/* Copies a track's value. Rotations are normalised, into the hemisphere of `before` if given. */
static void copy_value(uint32_t kind, const double *value, const double *before, double *out)
{
    double dot = 0.0, length2 = 0.0;
    for (uint32_t i = 0; i < enc_components(kind); i++) {
        out[i] = value[i];
        length2 += value[i] * value[i];
        dot += before != NULL ? value[i] * before[i] : 0.0;
    }
    double factor = (dot < 0.0 ? -1.0 : 1.0) / sqrt(length2);
    for (uint32_t i = 0; kind == ENC_ROTATION && i < 4u; i++)
        out[i] *= factor;
}

void enc_fast_moves(uint32_t joint_count, uint32_t frame_count, const double *frames,
                    uint32_t parts, uint8_t *fast)
{
    size_t frame = (size_t)joint_count * 10u;
    for (uint32_t f = 0; f < frame_count; f++)
        for (uint32_t j = 0; j < joint_count; j++)
            for (uint32_t kind = 0; kind < ENC_KINDS; kind++, fast++) {
                double before[4], here[4];
                const double *at = frames + f * frame + j * 10u + enc_first(kind);
                *fast = 0;
                if (f == 0u)
                    continue;
                copy_value(kind, at - frame, NULL, before);
                copy_value(kind, at, before, here);
                *fast = enc_moves_too_fast(kind, before, here, parts);
            }
}

int32_t enc_clip_probe(const enc_clip *clip, const enc_probes *probes, double *error_m,
                       uint32_t *joint, uint32_t *probe)
{
    const enc_source *source = &clip->source;
    uint32_t joints = source->skeleton->joint_count;
    double most = -1.0;
    bool complete = true;
    *error_m = 0.0;
    *joint = *probe = 0;
    enc_matrix *wanted = enc_array(joints, sizeof *wanted, &complete);
    enc_matrix *played = enc_array(joints, sizeof *played, &complete);
    for (uint32_t i = 0; i < probes->count && complete; i++)
        for (uint32_t j = 0; j < joints; j++) {
            uint32_t position_q11 = probes->positions_q11[i];
            enc_matrix local;
            enc_source_local(source, j, probes->transforms + 10u * ((size_t)i * joints + j),
                             &local);
            compose_joint(source->skeleton, j, &local, wanted);
            enc_play_at(source, enc_clip_track(clip, j, 0), j, position_q11, &local);
            compose_joint(source->skeleton, j, &local, played);
            double apart = sqrt(enc_shell_error2(&wanted[j], &played[j], &clip->options.shell,
                                                 &source->skeleton->spaces[j]));
            double limit = enc_limit_m(&clip->options, j), over = apart / limit;
            if (isinf(limit))
                over = apart;
            if (over > most) {
                most = over;
                *error_m = apart;
                *joint = j;
                *probe = i;
            }
        }
    free(wanted);
    free(played);
    return complete ? ENC_OK : ENC_ERROR_MEMORY;
}
