#include "writer/clip.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bank/osc_format.h"
#include "base/arrays.h"
#include "base/memory.h"
#include "codecs/codecs.h"
#include "model/composed.h"
#include "model/measure.h"
#include "writer/clip_tiers.h"

/* Checks that the first and last frames of a loop agree within the tolerance. Reports the joint
 * whose difference is largest relative to its tolerance. */
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

/* Compares the ends of the clip in the chains that begin at `start`: the first frame's chain, under
 * the last frame's pose, against the last frame. local: the first frame; model: work memory for one
 * matrix per joint. Reports differences larger than *worst. */
static void check_chains(const enc_clip *clip, uint32_t start, const enc_matrix *local,
                         enc_matrix *model, double *worst, enc_report *report)
{
    const enc_source *source = &clip->source;
    const uint32_t *subtree = source->skeleton->preorder + source->skeleton->preorder_index[start];
    uint32_t last = source->grid_count - 1u, parent = (uint32_t)source->skeleton->parents[start];
    for (uint32_t i = 0; i < source->skeleton->subtree_size[start]; i++) {
        uint32_t joint = subtree[i];
        enc_play_below(source->skeleton, &local[joint], joint, start,
                       enc_source_model(source, parent, last), model);
        const enc_matrix *end = enc_source_model(source, joint, last);
        double apart = sqrt(enc_shell_error2(end, &model[joint], &clip->options.shell,
                                             &source->skeleton->spaces[joint]));
        double over = apart / enc_limit_m(&clip->options, joint);
        if (over > *worst) {
            *worst = over;
            report->chain_start = (int32_t)start;
            report->chain_joint = (int32_t)joint;
            report->chain_error_m = apart;
        }
    }
}

/* Checks the ends of every chain of a layer, which keeps the tolerance on its own and must
 * therefore close on its own. */
static int32_t check_layer_loop(const enc_clip *clip, enc_report *report)
{
    const enc_source *source = &clip->source;
    const int32_t *parents = source->skeleton->parents;
    uint32_t joints = source->skeleton->joint_count;
    double worst = 1.0;
    bool complete = enc_source_hold(source);
    enc_matrix *local = enc_array(joints, sizeof *local, &complete);
    enc_matrix *model = enc_array(joints, sizeof *model, &complete);
    for (uint32_t joint = 0; joint < joints && complete; joint++)
        enc_source_local_at(source, joint, 0, &local[joint]);
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

/* Copies the caller's options, arrays included, because the clip is measured again once it is in a
 * bank. If no joint is pinned, the array is left out, so that the solvers take no account of it. */
static int32_t copy_options(enc_clip *clip, const enc_options *options, uint32_t joint_count)
{
    clip->options = *options;
    clip->options.like = NULL;
    clip->options.joint_tolerance_m = NULL;
    clip->options.pinned = clip->options.values = NULL;
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
    if (options->values != NULL) {
        clip->values = malloc(joint_count);
        if (clip->values == NULL)
            return ENC_ERROR_MEMORY;
        memcpy(clip->values, options->values, joint_count);
        clip->options.values = clip->values;
    }
    return ENC_OK;
}

int32_t enc_clip_begin(enc_clip **out, const enc_skeleton *skeleton, const enc_input *input,
                       const enc_options *options, enc_report *report)
{
    enc_clip *clip = *out = calloc(1, sizeof *clip);
    enc_report_clear(report);
    if (clip == NULL)
        return ENC_ERROR_MEMORY;
    enc_report_clear(&clip->report);
    clip->input = *input;
    int32_t status = copy_options(clip, options, skeleton->joint_count);
    if (status == ENC_OK)
        status = enc_source_prepare(&clip->source, skeleton, input, &options->shell, report);
    if (status == ENC_OK && clip->source.loop)
        status = check_loop(clip, report);
    if (status == ENC_OK && clip->source.loop && options->layer != 0)
        status = check_layer_loop(clip, report);
    return status;
}

int32_t enc_clip_end(enc_clip *clip, int32_t status, enc_clip **out)
{
    size_t cells = 0;
    *out = status == ENC_OK ? clip : NULL;
    if (clip != NULL && clip->source.skeleton != NULL)
        cells = (size_t)clip->source.skeleton->joint_count * clip->source.frame_count;
    if (status != ENC_OK)
        enc_clip_free(clip);
    else if (clip->plan.track_count == 0u)
        enc_source_settle(&clip->source);
    enc_give_back(cells);
    return status;
}

int32_t enc_clip_conclude(enc_clip *clip)
{
    int32_t status = enc_clip_plan_tiers(clip, clip->input.kept);
    if (status == ENC_OK)
        describe(clip);
    return status;
}

int32_t enc_clip_encode(const enc_skeleton *skeleton, const enc_input *input,
                        const enc_options *options, enc_clip **out, enc_report *report)
{
    enc_clip *clip;
    int32_t status = enc_clip_begin(&clip, skeleton, input, options, report);
    if (status == ENC_OK)
        status = enc_source_study(&clip->source, &options->shell);
    if (status == ENC_OK) {
        status = enc_search(&clip->source, &clip->options,
                            options->like != NULL ? &options->like->tried : NULL, &clip->codec,
                            &clip->solution, &clip->report, &clip->tried);
        if (status == ENC_OK)
            status =
                enc_measure_points(&clip->source, &clip->solution, &clip->options, &clip->report);
        if (status == ENC_OK)
            status = enc_clip_conclude(clip);
        *report = clip->report;
    }
    return enc_clip_end(clip, status, out);
}

void enc_clip_free(enc_clip *clip)
{
    if (clip == NULL)
        return;
    enc_tier_plan_release(&clip->plan);
    enc_source_release(&clip->source);
    enc_solution_release(&clip->solution);
    free(clip->tried.shares);
    free(clip->joint_tolerance_m);
    free(clip->pinned);
    free(clip->values);
    free(clip);
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
