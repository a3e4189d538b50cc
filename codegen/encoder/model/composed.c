#include "model/composed.h"

#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "model/play.h"

#define ROOM_BYTES ((size_t)24 << 20) /* for the rows of one clip, but at least two rows */
#define LEAST_ROWS 2u                 /* a joint and its parent */
#define NO_JOINT UINT32_MAX

static bool make_room(enc_composed *composed, uint32_t slots)
{
    const enc_source *source = composed->source;
    bool complete = true;
    free(composed->memory);
    free(composed->joint_of);
    composed->slots = slots;
    composed->next = 0;
    composed->memory =
        enc_room((size_t)slots * source->sample_count, sizeof *composed->memory, &complete);
    composed->joint_of = enc_array(slots, sizeof *composed->joint_of, &complete);
    for (uint32_t slot = 0; slot < slots && complete; slot++)
        composed->joint_of[slot] = NO_JOINT;
    for (uint32_t joint = 0; joint < source->skeleton->joint_count && complete; joint++)
        composed->rows[joint] = NULL;
    return complete;
}

bool enc_composed_prepare(enc_composed *composed, const enc_source *source)
{
    uint32_t joints = source->skeleton->joint_count;
    size_t fit = ROOM_BYTES / (source->sample_count * sizeof(enc_matrix));
    bool complete = true;
    *composed = (enc_composed){.source = source};
    composed->rows = enc_array(joints, sizeof *composed->rows, &complete);
    composed->path = enc_array(joints, sizeof *composed->path, &complete);
    if (fit < LEAST_ROWS)
        fit = LEAST_ROWS;
    return complete && make_room(composed, fit < joints ? (uint32_t)fit : joints);
}

void enc_composed_release(enc_composed *composed)
{
    free(composed->rows);
    free(composed->memory);
    free(composed->joint_of);
    free(composed->path);
    for (uint32_t kind = 0; kind < ENC_KINDS; kind++)
        free(composed->values[kind]);
    memset(composed, 0, sizeof *composed);
}

static bool copy_tracks(enc_composed *composed, const enc_source *source)
{
    size_t joints = source->skeleton->joint_count, frames = source->frame_count;
    bool complete = true;
    for (uint32_t kind = 0; kind < ENC_KINDS; kind++) {
        size_t values = frames * enc_components(kind);
        composed->values[kind] = enc_room(joints * values, sizeof(double), &complete);
        for (uint32_t joint = 0; joint < joints && complete; joint++)
            enc_source_values(source, kind, joint, composed->values[kind] + joint * values);
    }
    return complete;
}

bool enc_source_hold(const enc_source *source)
{
    enc_composed *models = source->models;
    uint32_t joints = source->skeleton->joint_count;
    return (models->slots == joints || make_room(models, joints)) &&
           (models->values[0] != NULL || copy_tracks(models, source));
}

void enc_composed_forget(enc_composed *composed, uint32_t joint)
{
    composed->rows[joint] = NULL;
}

/* Gives a joint a slot that does not have the matrices of `kept`. */
static enc_matrix *take_slot(enc_composed *composed, uint32_t joint, int32_t kept)
{
    uint32_t slot = composed->next;
    if (kept >= 0 && composed->joint_of[slot] == (uint32_t)kept && composed->rows[kept] != NULL)
        slot = (slot + 1u) % composed->slots;
    composed->next = (slot + 1u) % composed->slots;
    uint32_t before = composed->joint_of[slot];
    enc_matrix *row = composed->memory + (size_t)slot * composed->source->sample_count;
    if (before != NO_JOINT && composed->rows[before] == row)
        composed->rows[before] = NULL;
    composed->joint_of[slot] = joint;
    composed->rows[joint] = row;
    return row;
}

enc_matrix *enc_composed_open(enc_composed *composed, uint32_t joint)
{
    if (composed->rows[joint] != NULL)
        return composed->rows[joint];
    return take_slot(composed, joint, composed->source->skeleton->parents[joint]);
}

static void local_at(const enc_composed *composed, uint32_t joint, uint32_t sample, enc_matrix *out)
{
    if (composed->tracks == NULL)
        enc_source_local_at(composed->source, joint, sample, out);
    else
        enc_play_local(composed->source, &composed->tracks[joint * ENC_KINDS], joint, sample, out);
}

/* Composes a joint of the source whose parent, unless it is a root, has the matrices `known`. */
static void fill_below(const enc_composed *composed, uint32_t joint, const enc_matrix *known,
                       enc_matrix *row)
{
    enc_source_locals(composed->source, joint, row);
    for (uint32_t sample = 0; sample < composed->source->sample_count && known != NULL; sample++) {
        enc_matrix local = row[sample];
        enc_matrix_multiply(&known[sample], &local, &row[sample]);
    }
}

/* Composes the chain from the nearest joint whose matrices are known, sample by sample, so that the
 * joints between need no slots. */
enc_matrix *enc_composed_fill(enc_composed *composed, uint32_t joint)
{
    const int32_t *parents = composed->source->skeleton->parents;
    uint32_t length = 0;
    int32_t above = (int32_t)joint;
    for (; above >= 0 && composed->rows[above] == NULL; above = parents[above])
        composed->path[length++] = (uint32_t)above;
    const enc_matrix *known = above < 0 ? NULL : composed->rows[above];
    enc_matrix *row = take_slot(composed, joint, above);
    if (length == 1u && composed->tracks == NULL) {
        fill_below(composed, joint, known, row);
        return row;
    }
    for (uint32_t sample = 0; sample < composed->source->sample_count; sample++) {
        enc_matrix local, model;
        uint32_t left = length;
        if (known == NULL)
            local_at(composed, composed->path[--left], sample, &model);
        else
            model = known[sample];
        while (left > 0u) {
            enc_matrix parent = model;
            local_at(composed, composed->path[--left], sample, &local);
            enc_matrix_multiply(&parent, &local, &model);
        }
        row[sample] = model;
    }
    return row;
}

void enc_composed_window(const enc_composed *composed, uint32_t first, uint32_t count,
                         uint32_t stride, enc_matrix *memory, const enc_matrix **out)
{
    const enc_skeleton *skeleton = composed->source->skeleton;
    for (uint32_t joint = 0; joint < skeleton->joint_count; joint++) {
        int32_t parent = skeleton->parents[joint];
        enc_matrix *here = memory + (size_t)joint * stride;
        out[joint] = here;
        if (composed->rows[joint] != NULL) {
            out[joint] = composed->rows[joint] + first;
            continue;
        }
        for (uint32_t i = 0; i < count; i++) {
            enc_matrix local;
            local_at(composed, joint, first + i, parent < 0 ? &here[i] : &local);
            if (parent >= 0)
                enc_matrix_multiply(&out[parent][i], &local, &here[i]);
        }
    }
}
