#include "model/incremental_check.h"

#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "model/composed.h"

int32_t enc_check_prepare(enc_check *check, const enc_source *source, const enc_options *options)
{
    uint32_t joints = source->skeleton->joint_count;
    memset(check, 0, sizeof *check);
    check->source = source;
    check->options = options;
    size_t samples = (size_t)joints * source->sample_count;
    bool complete = true;
    check->local = enc_array(samples, sizeof *check->local, &complete);
    check->changed = enc_array(source->sample_count, sizeof *check->changed, &complete);
    check->model = enc_array(joints, sizeof *check->model, &complete);
    check->limit2 = enc_array(joints, sizeof *check->limit2, &complete);
    check->path = enc_array(joints, sizeof *check->path, &complete);
    for (uint32_t joint = 0; joint < joints && complete; joint++)
        check->limit2[joint] = enc_limit_m(options, joint) * enc_limit_m(options, joint);
    complete = complete && enc_source_hold(source);
    return complete ? ENC_OK : ENC_ERROR_MEMORY;
}

void enc_check_release(enc_check *check)
{
    free(check->local);
    free(check->changed);
    free(check->model);
    free(check->limit2);
    free(check->path);
    memset(check, 0, sizeof *check);
}

static enc_matrix *locals_of(const enc_check *check, uint32_t joint)
{
    return check->local + (size_t)joint * check->source->sample_count;
}

/* Composes a joint of the chains that begin at `start`. */
static void compose_below(enc_check *check, const enc_matrix *local, uint32_t joint,
                          uint32_t sample, uint32_t start)
{
    const enc_source *source = check->source;
    int32_t parent = source->skeleton->parents[start];
    enc_play_below(source->skeleton, local, joint, start,
                   parent < 0 ? NULL : enc_source_model(source, (uint32_t)parent, sample),
                   check->model);
}

/* Composes a joint of the chains that begin at `start` and compares it with the source. */
static bool joint_holds(enc_check *check, const enc_matrix *local, uint32_t joint, uint32_t sample,
                        uint32_t start)
{
    const enc_source *source = check->source;
    compose_below(check, local, joint, sample, start);
    return enc_shell_error2(enc_source_model(source, joint, sample), &check->model[joint],
                            &check->options->shell,
                            &source->skeleton->spaces[joint]) <= check->limit2[joint];
}

/* Lists the joint and its ancestors; returns their number. */
static uint32_t find_path(enc_check *check, uint32_t joint)
{
    uint32_t count = 0;
    for (int32_t j = (int32_t)joint; j >= 0; j = check->source->skeleton->parents[j])
        check->path[count++] = (uint32_t)j;
    return count;
}

/* Checks the chains that begin at path[first], lead down the path to the joint with new local
 * transforms, and continue below it. */
static bool chains_hold(enc_check *check, uint32_t first, const enc_matrix *changed,
                        uint32_t sample)
{
    const enc_skeleton *skeleton = check->source->skeleton;
    uint32_t start = check->path[first], joint = check->path[0];
    for (uint32_t i = first; i > 0u; i--)
        compose_below(check, &locals_of(check, check->path[i])[sample], check->path[i], sample,
                      start);
    if (!joint_holds(check, changed, joint, sample, start))
        return false;
    for (uint32_t i = 1; i < skeleton->subtree_size[joint]; i++) {
        uint32_t below = skeleton->preorder[skeleton->preorder_index[joint] + i];
        if (!joint_holds(check, &locals_of(check, below)[sample], below, sample, start))
            return false;
    }
    return true;
}

/* Checks all chains that contain path[0]: for layers those that begin anywhere on the path,
 * otherwise the one from the root. */
static bool sample_holds(enc_check *check, uint32_t path_count, const enc_matrix *changed,
                         uint32_t sample)
{
    for (uint32_t first = check->options->layer != 0 ? 0u : path_count - 1u; first < path_count;
         first++)
        if (!chains_hold(check, first, changed, sample))
            return false;
    return true;
}

void enc_check_set(enc_check *check, uint32_t joint, const enc_track_choice choices[ENC_KINDS])
{
    enc_joint_player player;
    enc_joint_begin(&player, check->source, choices, joint);
    for (uint32_t sample = 0; sample < check->source->sample_count; sample++)
        enc_joint_play(&player, sample, &locals_of(check, joint)[sample]);
}

bool enc_check_change(enc_check *check, uint32_t joint, const enc_track_choice choices[ENC_KINDS])
{
    const enc_source *source = check->source;
    uint32_t path_count = find_path(check, joint);
    enc_joint_player player;
    enc_joint_begin(&player, source, choices, joint);
    enc_joint_play(&player, check->hint, &check->changed[check->hint]);
    if (!sample_holds(check, path_count, &check->changed[check->hint], check->hint))
        return false;
    for (uint32_t sample = 0; sample < source->sample_count; sample++) {
        enc_joint_play(&player, sample, &check->changed[sample]);
        if (!sample_holds(check, path_count, &check->changed[sample], sample)) {
            check->hint = sample;
            return false;
        }
    }
    memcpy(locals_of(check, joint), check->changed, source->sample_count * sizeof *check->changed);
    return true;
}

bool enc_check_holds(enc_check *check)
{
    const enc_skeleton *skeleton = check->source->skeleton;
    for (uint32_t i = 0; i < check->source->sample_count; i++) {
        uint32_t sample = (check->hint + i) % check->source->sample_count;
        for (uint32_t start = 0; start < skeleton->joint_count; start++) {
            check->path[0] = start;
            if ((check->options->layer != 0 || skeleton->parents[start] < 0) &&
                !chains_hold(check, 0, &locals_of(check, start)[sample], sample)) {
                check->hint = sample;
                return false;
            }
        }
    }
    return true;
}
