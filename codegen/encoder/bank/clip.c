#include "bank/clip.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bank/osc_format.h"
#include "base/arrays.h"
#include "model/measure.h"
#include "solve/search.h"

/* A loop wraps from the last frame to the first without a wrap only where they agree. Reports the
 * joint where they differ most for its tolerance. */
static int32_t check_loop(const enc_clip *clip, enc_report *report)
{
    const enc_source *source = &clip->source;
    double worst = -1.0;
    for (uint32_t joint = 0; joint < source->skeleton->joint_count; joint++) {
        double apart = 2.0 * source->wrap_m[joint],
               over = apart / enc_limit_m(&clip->options, joint);
        if (over > worst) {
            worst = over;
            report->joint = (int32_t)joint;
            report->error_m = apart;
        }
    }
    report->frame = source->frame_count - 1u;
    return worst <= 1.0 ? ENC_OK : ENC_ERROR_LOOP;
}

/* The joint of the chains that begin at `start` that differs most at the ends of the clip, as the
 * first frame's chain under the last frame's pose shows it. local: the first frame; model: room for
 * one matrix a joint. Notes what is worse than *worst. */
static void check_chains(const enc_clip *clip, uint32_t start, const enc_matrix *local,
                         enc_matrix *model, double *worst, enc_report *report)
{
    const enc_source *source = &clip->source;
    const uint32_t *subtree = source->skeleton->preorder + source->skeleton->preorder_index[start];
    uint32_t last = source->grid_count - 1u;
    for (uint32_t i = 0; i < source->skeleton->subtree_size[start]; i++) {
        uint32_t joint = subtree[i];
        const enc_matrix *end = &source->model[(size_t)joint * source->sample_count + last];
        enc_play_below(source, &local[joint], joint, last, start, model);
        double apart = sqrt(enc_shell_error2(end, &model[joint], &clip->options.shell));
        double over = apart / enc_limit_m(&clip->options, joint);
        if (over > *worst) {
            *worst = over;
            report->chain_start = (int32_t)start;
            report->chain_joint = (int32_t)joint;
            report->chain_error_m = apart;
        }
    }
}

/* The same for every chain of a layer: each keeps the tolerance by itself, so each has to be closed
 * by itself. frames: the source's, whose ends the prepared tracks no longer have. */
static int32_t check_layer_loop(const enc_clip *clip, const double *frames, enc_report *report)
{
    const enc_source *source = &clip->source;
    const int32_t *parents = source->skeleton->parents;
    uint32_t joints = source->skeleton->joint_count;
    double worst = 1.0;
    bool complete = true;
    enc_matrix *local = enc_array(joints, sizeof *local, &complete);
    enc_matrix *model = enc_array(joints, sizeof *model, &complete);
    for (uint32_t joint = 0; joint < joints && complete; joint++) {
        const double *first = frames + (size_t)joint * 10u;
        enc_matrix_local(first + enc_first(ENC_ROTATION), first + enc_first(ENC_TRANSLATION),
                         first + enc_first(ENC_SCALE), &local[joint]);
    }
    for (uint32_t start = 0; start < joints && complete; start++)
        if (parents[start] >= 0)
            check_chains(clip, start, local, model, &worst, report);
    report->chain_frame = source->frame_count - 1u;
    free(local);
    free(model);
    return !complete ? ENC_ERROR_MEMORY : worst > 1.0 ? ENC_ERROR_LOOP : ENC_OK;
}

static void describe(enc_clip *clip)
{
    enc_report *report = &clip->report;
    report->codec = clip->codec->codec;
    ENC_FOR_EACH_TRACK(clip->source.skeleton->joint_count, joint, kind)
    {
        uint32_t track_kind = enc_clip_track(clip, joint, kind)->constant.track_kind;
        report->default_tracks += track_kind == ENC_TRACK_DEFAULT;
        report->constant_tracks += track_kind == ENC_TRACK_CONSTANT;
        report->animated_tracks += track_kind == ENC_TRACK_ANIMATED;
        for (uint32_t f = 1; f < clip->source.frame_count; f++)
            report->breaks += enc_clip_track_breaks(clip, joint, kind, f);
    }
}

static bool pins_any(const enc_options *options, uint32_t joint_count)
{
    uint32_t joint = 0;
    while (options->pinned != NULL && joint < joint_count && options->pinned[joint] == 0)
        joint++;
    return options->pinned != NULL && joint < joint_count;
}

/* Takes over the caller's options, arrays included: the clip is measured again when it is in a
 * bank. Without pinned joints there is no array of them, so that nobody solves for them. */
static int32_t copy_options(enc_clip *clip, const enc_options *options, uint32_t joint_count)
{
    clip->options = *options;
    clip->options.joint_tolerance_m = NULL;
    clip->options.pinned = NULL;
    if (options->scheme != NULL) {
        clip->scheme = *options->scheme;
        clip->options.scheme = &clip->scheme;
    }
    if (options->joint_tolerance_m != NULL) {
        clip->joint_tolerance_m = malloc(joint_count * sizeof *clip->joint_tolerance_m);
        if (clip->joint_tolerance_m == NULL)
            return ENC_ERROR_MEMORY;
        memcpy(clip->joint_tolerance_m, options->joint_tolerance_m,
               joint_count * sizeof *clip->joint_tolerance_m);
        clip->options.joint_tolerance_m = clip->joint_tolerance_m;
    }
    if (pins_any(options, joint_count)) {
        clip->pinned = malloc(joint_count);
        if (clip->pinned == NULL)
            return ENC_ERROR_MEMORY;
        memcpy(clip->pinned, options->pinned, joint_count);
        clip->options.pinned = clip->pinned;
    }
    return ENC_OK;
}

static void clear_report(enc_report *report)
{
    *report = (enc_report){.joint = -1, .chain_joint = -1, .tight_joint = -1};
}

int32_t enc_clip_encode(const enc_skeleton *skeleton, const enc_input *input,
                        const enc_options *options, enc_clip **out, enc_report *report)
{
    enc_clip *clip = calloc(1, sizeof *clip);
    clear_report(report);
    *out = NULL;
    if (clip == NULL)
        return ENC_ERROR_MEMORY;
    clear_report(&clip->report);
    int32_t status = copy_options(clip, options, skeleton->joint_count);
    if (status == ENC_OK)
        status = enc_source_prepare(&clip->source, skeleton, input, &options->shell, report);
    if (status == ENC_OK && clip->source.loop)
        status = check_loop(clip, report);
    if (status == ENC_OK && clip->source.loop && options->layer != 0)
        status = check_layer_loop(clip, input->frames, report);
    if (status == ENC_OK) {
        status =
            enc_search(&clip->source, &clip->options, &clip->codec, &clip->solution, &clip->report);
        if (status == ENC_OK)
            status = enc_measure_points(&clip->source, &clip->solution, options, &clip->report);
        if (status == ENC_OK)
            describe(clip);
        *report = clip->report;
    }
    if (status != ENC_OK) {
        enc_clip_free(clip);
        return status;
    }
    *out = clip;
    return ENC_OK;
}

void enc_clip_free(enc_clip *clip)
{
    if (clip == NULL)
        return;
    enc_source_release(&clip->source);
    enc_solution_release(&clip->solution);
    free(clip->joint_tolerance_m);
    free(clip->pinned);
    free(clip);
}

int32_t enc_resampling_error(const enc_skeleton *skeleton, const enc_input *input,
                             const enc_options *options, enc_report *report)
{
    enc_source source;
    enc_input open = *input;
    open.loop = 0; /* the error of closing a loop does not count */
    clear_report(report);
    int32_t status = enc_source_prepare(&source, skeleton, &open, &options->shell, report);
    size_t count = (size_t)skeleton->joint_count * source.sample_count;
    enc_matrix *local = status == ENC_OK ? malloc(count * sizeof *local) : NULL;
    if (status == ENC_OK && local == NULL)
        status = ENC_ERROR_MEMORY;
    for (uint32_t joint = 0; joint < skeleton->joint_count && status == ENC_OK; joint++)
        for (uint32_t sample = 0; sample < source.sample_count; sample++)
            enc_source_blend(&source, joint, enc_sample_q11(&source, sample),
                             &local[(size_t)joint * source.sample_count + sample]);
    if (status == ENC_OK)
        status = enc_measure_locals(&source, local, options, report, NULL);
    free(local);
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
                most2 = fmax(most2, enc_shell_error2(&before[j], &here[j], shell));
        }
        if (f > 0u)
            travel_m[f - 1u] = sqrt(most2);
    }
    free(before);
    free(here);
    return complete ? ENC_OK : ENC_ERROR_MEMORY;
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
            enc_source_local(source, j, position_q11,
                             probes->transforms + 10u * ((size_t)i * joints + j), &local);
            compose_joint(source->skeleton, j, &local, wanted);
            enc_play_at(source, enc_clip_track(clip, j, 0), j, position_q11, &local);
            compose_joint(source->skeleton, j, &local, played);
            double apart = sqrt(enc_shell_error2(&wanted[j], &played[j], &clip->options.shell));
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

uint32_t enc_clip_breaks(const enc_clip *clip, uint32_t *triples, uint32_t capacity)
{
    uint32_t count = 0;
    for (uint32_t f = 1; f < clip->source.frame_count; f++)
        ENC_FOR_EACH_TRACK(clip->source.skeleton->joint_count, joint, kind)
        {
            if (!enc_clip_track_breaks(clip, joint, kind, f))
                continue;
            if (count < capacity) {
                uint32_t *triple = triples + 3u * (size_t)count;
                triple[0] = f;
                triple[1] = joint;
                triple[2] = kind;
            }
            count++;
        }
    return count;
}
