#include "trial.h"

#include <stdlib.h>
#include <string.h>

#include "arrays.h"

int32_t enc_trial_prepare(enc_trial *trial, const enc_source *source, const enc_options *options)
{
    uint32_t joints = source->skeleton->joint_count;
    memset(trial, 0, sizeof *trial);
    trial->source = source;
    trial->options = options;
    size_t samples = (size_t)joints * source->sample_count;
    bool complete = true;
    trial->local = enc_array(samples, sizeof *trial->local, &complete);
    trial->changed = enc_array(source->sample_count, sizeof *trial->changed, &complete);
    trial->model = enc_array(joints, sizeof *trial->model, &complete);
    trial->limit2 = enc_array(joints, sizeof *trial->limit2, &complete);
    trial->path = enc_array(joints, sizeof *trial->path, &complete);
    for (uint32_t joint = 0; joint < joints && complete; joint++)
        trial->limit2[joint] = enc_limit_m(options, joint) * enc_limit_m(options, joint);
    return complete ? ENC_OK : ENC_ERROR_MEMORY;
}

void enc_trial_release(enc_trial *trial)
{
    free(trial->local);
    free(trial->changed);
    free(trial->model);
    free(trial->limit2);
    free(trial->path);
    memset(trial, 0, sizeof *trial);
}

static enc_matrix *locals_of(const enc_trial *trial, uint32_t joint)
{
    return trial->local + (size_t)joint * trial->source->sample_count;
}

/* Composes a joint of the chains that begin at `start` and compares it. */
static bool joint_holds(enc_trial *trial, const enc_matrix *local, uint32_t joint, uint32_t sample,
                        uint32_t start)
{
    const enc_source *source = trial->source;
    enc_play_below(source, local, joint, sample, start, trial->model);
    return enc_shell_error2(&source->model[(size_t)joint * source->sample_count + sample],
                            &trial->model[joint], &trial->options->shell) <= trial->limit2[joint];
}

/* Lists the joint and all above it; returns how many. */
static uint32_t find_path(enc_trial *trial, uint32_t joint)
{
    uint32_t count = 0;
    for (int32_t j = (int32_t)joint; j >= 0; j = trial->source->skeleton->parents[j])
        trial->path[count++] = (uint32_t)j;
    return count;
}

/* The chains that begin at path[first], come down the path to `joint`, which has new locals, and go
 * on below it. */
static bool chains_hold(enc_trial *trial, uint32_t first, const enc_matrix *changed,
                        uint32_t sample)
{
    const enc_skeleton *skeleton = trial->source->skeleton;
    uint32_t start = trial->path[first], joint = trial->path[0];
    for (uint32_t i = first; i > 0u; i--)
        enc_play_below(trial->source, &locals_of(trial, trial->path[i])[sample], trial->path[i],
                       sample, start, trial->model);
    if (!joint_holds(trial, changed, joint, sample, start))
        return false;
    for (uint32_t i = 1; i < skeleton->subtree_size[joint]; i++) {
        uint32_t below = skeleton->preorder[skeleton->place[joint] + i];
        if (!joint_holds(trial, &locals_of(trial, below)[sample], below, sample, start))
            return false;
    }
    return true;
}

/* All chains that the change of path[0] touches: of layers those that begin anywhere on the path,
 * else the one from the root. */
static bool sample_holds(enc_trial *trial, uint32_t path_count, const enc_matrix *changed,
                         uint32_t sample)
{
    for (uint32_t first = trial->options->layer != 0 ? 0u : path_count - 1u; first < path_count;
         first++)
        if (!chains_hold(trial, first, changed, sample))
            return false;
    return true;
}

void enc_trial_set(enc_trial *trial, uint32_t joint, const enc_track_choice choices[ENC_KINDS])
{
    for (uint32_t sample = 0; sample < trial->source->sample_count; sample++)
        enc_play_local(trial->source, choices, joint, sample, &locals_of(trial, joint)[sample]);
}

bool enc_trial_change(enc_trial *trial, uint32_t joint, const enc_track_choice choices[ENC_KINDS])
{
    const enc_source *source = trial->source;
    uint32_t path_count = find_path(trial, joint);
    enc_play_local(source, choices, joint, trial->hint, &trial->changed[trial->hint]);
    if (!sample_holds(trial, path_count, &trial->changed[trial->hint], trial->hint))
        return false;
    for (uint32_t sample = 0; sample < source->sample_count; sample++) {
        enc_play_local(source, choices, joint, sample, &trial->changed[sample]);
        if (!sample_holds(trial, path_count, &trial->changed[sample], sample)) {
            trial->hint = sample;
            return false;
        }
    }
    memcpy(locals_of(trial, joint), trial->changed, source->sample_count * sizeof *trial->changed);
    return true;
}

bool enc_trial_holds(enc_trial *trial)
{
    const enc_skeleton *skeleton = trial->source->skeleton;
    for (uint32_t i = 0; i < trial->source->sample_count; i++) {
        uint32_t sample = (trial->hint + i) % trial->source->sample_count;
        for (uint32_t start = 0; start < skeleton->joint_count; start++) {
            trial->path[0] = start;
            if ((trial->options->layer != 0 || skeleton->parents[start] < 0) &&
                !chains_hold(trial, 0, &locals_of(trial, start)[sample], sample)) {
                trial->hint = sample;
                return false;
            }
        }
    }
    return true;
}
