#include "playing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "osc_kernels.h"

void enc_measure_models(const enc_source *source, const enc_matrix *model,
                        const enc_options *options, enc_report *report)
{
    double worst2 = -1.0, pinned2 = 0.0;
    report->pinned_joint = -1;
    for (uint32_t joint = 0; joint < source->skeleton->joint_count; joint++) {
        size_t first = (size_t)joint * source->sample_count;
        double limit = enc_limit_m(options, joint);
        bool pinned = options->pinned != NULL && options->pinned[joint] != 0;
        for (uint32_t sample = 0; sample < source->sample_count; sample++) {
            double error2 = enc_shell_error2(&source->model[first + sample], &model[first + sample],
                                             options->shell_m);
            if (error2 / (limit * limit) > worst2) {
                worst2 = error2 / (limit * limit);
                report->error_m = sqrt(error2);
                report->joint = (int32_t)joint;
                report->frame = sample / 2.0;
            }
            if (pinned && error2 >= pinned2) {
                pinned2 = error2;
                report->pinned_joint = (int32_t)joint;
            }
        }
    }
    report->pinned_error_m = sqrt(pinned2);
}

/* One track at one sample: a frame, or the blend of two; a track that breaks at the next frame
 * holds. */
static void play_track(const enc_source *source, const enc_track_choice *choice, uint32_t kind,
                       uint32_t joint, uint32_t sample, double *out)
{
    uint32_t frame = sample >> 1;
    const int32_t *left = enc_choice_row(choice, kind, frame);
    int32_t played[4];
    memcpy(played, left, enc_components(kind) * sizeof *played);
    if ((sample & 1u) != 0u && choice->coded != NULL &&
        enc_breaks(source, kind, joint)[frame + 1u] == 0) {
        const int32_t *right = enc_choice_row(choice, kind, frame + 1u);
        osc_blend blend = osc_blend_at(OSC_ONE_Q11 / 2);
        if (kind == ENC_ROTATION) {
            osc_quaternion q;
            osc_blend_rotation(left, right, osc_chord_q20(left, right), blend, &q);
            memcpy(played, &q, sizeof q);
        } else {
            osc_vector v;
            osc_blend_vector(left, right, blend, &v);
            memcpy(played, &v, sizeof v);
        }
    }
    for (uint32_t i = 0; i < enc_components(kind); i++)
        out[i] = played[i] / (double)OSC_ONE_Q20;
}

int32_t enc_measure_solution(const enc_source *source, const enc_solution *solution,
                             const enc_options *options, enc_report *report)
{
    uint32_t joints = source->skeleton->joint_count, samples = source->sample_count;
    enc_matrix *model = malloc((size_t)joints * samples * sizeof *model);
    if (model == NULL)
        return ENC_ERROR_MEMORY;
    for (uint32_t joint = 0; joint < joints; joint++) {
        int32_t parent = source->skeleton->parents[joint];
        const enc_track_choice *choice = &solution->tracks[joint * ENC_KINDS];
        for (uint32_t sample = 0; sample < samples; sample++) {
            double value[ENC_KINDS][4];
            enc_matrix local, *out = &model[(size_t)joint * samples + sample];
            for (uint32_t kind = 0; kind < ENC_KINDS; kind++)
                play_track(source, &choice[kind], kind, joint, sample, value[kind]);
            enc_matrix_local(value[ENC_ROTATION], value[ENC_TRANSLATION], value[ENC_SCALE], &local);
            if (parent < 0)
                *out = local;
            else
                enc_matrix_multiply(&model[(size_t)parent * samples + sample], &local, out);
        }
    }
    enc_measure_models(source, model, options, report);
    free(model);
    return ENC_OK;
}
