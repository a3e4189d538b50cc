#include "clip.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "osc_format.h"
#include "solver.h"

/* The coders of all animated tracks at once, since a frame holds a piece of each. */
typedef struct {
    enc_coder *coders;
    uint32_t count;
} animated_set;

static void release_animated(animated_set *set)
{
    for (uint32_t i = 0; i < set->count; i++)
        enc_coder_release(&set->coders[i]);
    free(set->coders);
}

/* Takes over every track's option; constants are written, animated tracks coded into `set`. */
static int32_t take_tracks(enc_clip *clip, enc_solver *solver, animated_set *set)
{
    uint32_t joints = clip->source.skeleton->joint_count;
    ENC_FOR_EACH_LANE(joints, joint, kind)
    {
        const enc_option *option = enc_solver_option(solver, joint, kind);
        enc_clip_track *track = &clip->tracks[joint * ENC_KINDS + kind];
        track->lane_kind = option->lane_kind;
        if (option->lane_kind == OSC_LANE_DEFAULT) {
            clip->report.default_tracks++;
        } else if (option->lane_kind == OSC_LANE_CONSTANT) {
            clip->report.constant_tracks++;
            enc_track_code(&solver->coder, &clip->source, kind, joint, option);
            track->constant_at = (uint32_t)clip->constants.bits;
            enc_track_write_constant(&solver->coder, option, &clip->constants);
            track->constant_bits = (uint32_t)clip->constants.bits - track->constant_at;
        } else {
            enc_coder *coder = &set->coders[set->count];
            int32_t status =
                enc_coder_prepare(coder, clip->source.frame_count, clip->options.restart_log2);
            set->count++;
            if (status != ENC_OK)
                return status;
            clip->report.animated_tracks++;
            enc_track_code(coder, &clip->source, kind, joint, option);
            track->record = coder->record;
            const uint8_t *breaks = enc_breaks(&clip->source, kind, joint);
            for (uint32_t f = 1; f < clip->source.frame_count; f++)
                clip->report.breaks += breaks[f] != 0;
        }
    }
    return ENC_OK;
}

static int32_t write_frames(enc_clip *clip, const animated_set *set)
{
    uint32_t frames = clip->source.frame_count, log2 = clip->options.restart_log2;
    clip->restart_count = ((frames - 1u) >> log2) + 1u;
    clip->restarts = malloc(clip->restart_count * sizeof *clip->restarts);
    if (clip->restarts == NULL)
        return ENC_ERROR_MEMORY;
    for (uint32_t f = 0; f < frames; f++) {
        if ((f >> log2) << log2 == f)
            clip->restarts[f >> log2] = (uint32_t)clip->frames.bits;
        for (uint32_t i = 0; i < set->count; i++)
            enc_track_write_frame(&set->coders[i], f, &clip->frames);
        if (clip->frames.bits > UINT32_MAX / 2u)
            return ENC_ERROR_TOO_LARGE;
    }
    return clip->constants.failed || clip->frames.failed ? ENC_ERROR_MEMORY : ENC_OK;
}

/* A loop wraps from the last frame to the first without a seam only where they agree. */
static int32_t check_loop(const enc_clip *clip, enc_report *report)
{
    const enc_source *source = &clip->source;
    double worst2 = 0.0;
    for (uint32_t joint = 0; joint < source->skeleton->joint_count; joint++) {
        const enc_matrix *model = source->model + (size_t)joint * source->sample_count;
        double error2 =
            enc_shell_error2(&model[0], &model[source->sample_count - 1u], clip->options.shell_m);
        if (error2 > worst2) {
            worst2 = error2;
            report->joint = (int32_t)joint;
        }
    }
    report->error_m = sqrt(worst2);
    report->frame = source->frame_count - 1u;
    return report->error_m <= clip->options.tolerance_m ? ENC_OK : ENC_ERROR_LOOP;
}

static int32_t encode(enc_clip *clip)
{
    enc_solver solver;
    animated_set set = {NULL, 0};
    uint32_t tracks = clip->source.skeleton->joint_count * ENC_KINDS;
    int32_t status = enc_solver_prepare(&solver, &clip->source, &clip->options);
    if (status == ENC_OK) {
        status = enc_solver_run(&solver, (enc_effort)clip->options.effort);
        if (status != ENC_ERROR_MEMORY)
            enc_solver_measure(&solver, &clip->report);
    }
    if (status == ENC_OK) {
        clip->tracks = calloc(tracks, sizeof *clip->tracks);
        set.coders = calloc(tracks, sizeof *set.coders);
        status = clip->tracks == NULL || set.coders == NULL ? ENC_ERROR_MEMORY
                                                            : take_tracks(clip, &solver, &set);
    }
    if (status == ENC_OK)
        status = write_frames(clip, &set);
    release_animated(&set);
    enc_solver_release(&solver);
    return status;
}

int32_t enc_clip_encode(const enc_skeleton *skeleton, uint32_t frame_count, const double *frames,
                        const uint8_t *steps, int32_t loop, const enc_options *options,
                        enc_clip **out, enc_report *report)
{
    enc_clip *clip = calloc(1, sizeof *clip);
    memset(report, 0, sizeof *report);
    report->joint = -1;
    *out = NULL;
    if (clip == NULL)
        return ENC_ERROR_MEMORY;
    clip->options = *options;
    clip->loop = loop != 0;
    int32_t status = enc_source_prepare(&clip->source, skeleton, frame_count, frames, steps,
                                        options->shell_m, report);
    if (status == ENC_OK && clip->loop)
        status = check_loop(clip, report);
    if (status == ENC_OK) {
        status = encode(clip);
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
    enc_bits_release(&clip->constants);
    enc_bits_release(&clip->frames);
    free(clip->tracks);
    free(clip->restarts);
    free(clip);
}

uint32_t enc_clip_breaks(const enc_clip *clip, uint32_t *triples, uint32_t capacity)
{
    uint32_t count = 0;
    for (uint32_t f = 1; f < clip->source.frame_count; f++)
        ENC_FOR_EACH_LANE(clip->source.skeleton->joint_count, joint, kind)
        {
            if (clip->tracks[joint * ENC_KINDS + kind].lane_kind != OSC_LANE_ANIMATED ||
                enc_breaks(&clip->source, kind, joint)[f] == 0)
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
