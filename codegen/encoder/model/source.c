#include "model/source.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "model/composed.h"
#include "ossicle.h"

/* A pair of rows can be blended only below these motions per frame; larger ones are breaks
 * (SPEC.md). Rotations: squared distance of two unit quaternions, about 100 degrees. The
 * evaluator's limit is 0.75, and its sum rounds up by 1.1e-4 at most. */
#define BREAK_CHORD2 0.7498
#define BREAK_TRAVEL 0.98    /* metres, or units of scale; the evaluator's limit is one */
#define RANGE_LIMIT 2047.0   /* metres, or units of scale, that Q20 in 32 bits can hold */
#define CONSTANT_SPREAD 1e-6 /* a component that varies less than this does not move */
#define STRAIGHT_SHARE 3u /* a clip is straight if one moving frame in this many lies on a line */
#define LEAST_MOVE 1e-4   /* shorter moves from frame to frame may be rounding, and do not count */
#define LEAST_BEND 0.02   /* relative to the longer move: a frame off by more is not on a line */
#define SAME_SCALE 2e-6   /* a bind scale closer to one than this counts as one */
#define HIDDEN_SCALE 5e-4 /* a smaller bind scale hides a joint */

static void order_subtrees(enc_skeleton *skeleton)
{
    uint32_t next = 0;
    for (uint32_t j = skeleton->joint_count; j-- > 0u;) {
        skeleton->subtree_size[j] = 1;
        for (int32_t k = skeleton->first_child[j]; k >= 0; k = skeleton->next_sibling[k])
            skeleton->subtree_size[j] += skeleton->subtree_size[k];
    }
    for (uint32_t j = 0; j < skeleton->joint_count; j++) {
        if (skeleton->parents[j] < 0) {
            skeleton->preorder_index[j] = next;
            next += skeleton->subtree_size[j];
        }
        skeleton->preorder[skeleton->preorder_index[j]] = j;
        uint32_t below = skeleton->preorder_index[j] + 1u;
        for (int32_t k = skeleton->first_child[j]; k >= 0; k = skeleton->next_sibling[k]) {
            skeleton->preorder_index[k] = below;
            below += skeleton->subtree_size[k];
        }
    }
}

/* Finds the shell points of all joints in their own spaces. Along an axis that the bind pose hides
 * by its scale, the joint counts as unscaled. model: work memory for a matrix per joint. */
static void find_spaces(const enc_skeleton *skeleton, enc_matrix *model)
{
    for (uint32_t j = 0; j < skeleton->joint_count; j++) {
        const double *bind = skeleton->bind + (size_t)j * 10u;
        const double *scale = bind + enc_first(ENC_SCALE);
        double shown[3];
        enc_matrix local;
        for (int i = 0; i < 3; i++)
            shown[i] = fabs(scale[i]) < HIDDEN_SCALE ? 1.0 : scale[i];
        enc_matrix_local(bind + enc_first(ENC_ROTATION), bind + enc_first(ENC_TRANSLATION), shown,
                         &local);
        if (skeleton->parents[j] < 0)
            model[j] = local;
        else
            enc_matrix_multiply(&model[skeleton->parents[j]], &local, &model[j]);
        enc_joint_space_of(&model[j], &skeleton->spaces[j]);
    }
}

enc_skeleton *enc_skeleton_new(uint32_t joint_count, const int32_t *parents, const double *bind)
{
    enc_skeleton *skeleton = calloc(1, sizeof *skeleton);
    if (skeleton == NULL)
        return NULL;
    size_t values = (size_t)joint_count * 10u;
    skeleton->joint_count = joint_count;
    skeleton->parents = malloc(joint_count * sizeof *parents);
    skeleton->bind = malloc(values * sizeof *bind);
    skeleton->bind_q20 = malloc(values * sizeof *skeleton->bind_q20);
    skeleton->first_child = malloc(joint_count * sizeof *skeleton->first_child);
    skeleton->next_sibling = malloc(joint_count * sizeof *skeleton->next_sibling);
    skeleton->preorder = malloc(joint_count * sizeof *skeleton->preorder);
    skeleton->preorder_index = malloc(joint_count * sizeof *skeleton->preorder_index);
    skeleton->subtree_size = malloc(joint_count * sizeof *skeleton->subtree_size);
    skeleton->spaces = malloc(joint_count * sizeof *skeleton->spaces);
    enc_matrix *model = malloc(joint_count * sizeof *model);
    if (skeleton->parents == NULL || skeleton->bind == NULL || skeleton->bind_q20 == NULL ||
        skeleton->first_child == NULL || skeleton->next_sibling == NULL ||
        skeleton->preorder == NULL || skeleton->preorder_index == NULL ||
        skeleton->subtree_size == NULL || skeleton->spaces == NULL || model == NULL) {
        free(model);
        enc_skeleton_free(skeleton);
        return NULL;
    }
    memcpy(skeleton->parents, parents, joint_count * sizeof *parents);
    memcpy(skeleton->bind, bind, values * sizeof *bind);
    for (uint32_t j = 0; j < joint_count; j++)
        skeleton->first_child[j] = skeleton->next_sibling[j] = -1;
    for (uint32_t j = joint_count; j-- > 0u;) /* backwards, so that siblings ascend */
        if (parents[j] >= 0) {
            skeleton->next_sibling[j] = skeleton->first_child[parents[j]];
            skeleton->first_child[parents[j]] = (int32_t)j;
        }
    order_subtrees(skeleton);
    find_spaces(skeleton, model);
    free(model);
    for (size_t i = 0; i < values; i++) {
        double value = bind[i];
        if (i % 10u >= 7u && fabs(value - 1.0) < SAME_SCALE)
            value = 1.0;
        if (value > RANGE_LIMIT)
            value = RANGE_LIMIT;
        if (value < -RANGE_LIMIT)
            value = -RANGE_LIMIT;
        skeleton->bind_q20[i] = (int32_t)floor(value * OSC_ONE_Q20 + 0.5);
        if (i % 10u >= 7u && skeleton->bind_q20[i] != OSC_ONE_Q20)
            skeleton->bind_scale = true;
    }
    return skeleton;
}

int32_t enc_skeleton_bind(const enc_skeleton *skeleton, int32_t *bind_q20)
{
    memcpy(bind_q20, skeleton->bind_q20, skeleton->joint_count * 10u * sizeof *bind_q20);
    return skeleton->bind_scale;
}

int32_t enc_skeleton_mirror(enc_skeleton *skeleton, const int32_t *partners, const uint8_t *apart)
{
    size_t bytes = skeleton->joint_count * sizeof *partners;
    size_t tracks = (size_t)skeleton->joint_count * ENC_KINDS;
    skeleton->partners = malloc(bytes);
    skeleton->apart = malloc(tracks);
    if (skeleton->partners == NULL || skeleton->apart == NULL)
        return ENC_ERROR_MEMORY;
    memcpy(skeleton->partners, partners, bytes);
    memcpy(skeleton->apart, apart, tracks);
    return ENC_OK;
}

void enc_skeleton_free(enc_skeleton *skeleton)
{
    if (skeleton == NULL)
        return;
    free(skeleton->parents);
    free(skeleton->partners);
    free(skeleton->apart);
    free(skeleton->bind);
    free(skeleton->bind_q20);
    free(skeleton->first_child);
    free(skeleton->next_sibling);
    free(skeleton->preorder);
    free(skeleton->preorder_index);
    free(skeleton->subtree_size);
    free(skeleton->spaces);
    free(skeleton);
}

static bool leaves_range(const double *values, uint32_t kind, double *value)
{
    for (uint32_t i = 0; kind != ENC_ROTATION && i < 3u; i++)
        if (!(fabs(values[i]) < RANGE_LIMIT)) {
            *value = values[i];
            return true;
        }
    return false;
}

bool enc_moves_too_fast(uint32_t kind, const double *before, const double *here, uint32_t parts)
{
    double chord2 = 0.0, travel = 0.0;
    for (uint32_t i = 0; i < enc_components(kind); i++) {
        double step = here[i] - before[i], size = fabs(step);
        chord2 += step * step;
        travel = size > travel ? size : travel; /* fmax is a call */
    }
    if (kind == ENC_ROTATION)
        return parts == 1u && chord2 >= BREAK_CHORD2;
    return travel >= BREAK_TRAVEL * parts;
}

/* Finds where the numbers of the input are. */
static void find_columns(const enc_source *source, const enc_input *input)
{
    size_t numbers = (size_t)source->skeleton->joint_count * 10u;
    for (size_t i = 0; i < numbers; i++) {
        source->columns[i] = input->columns != NULL ? input->columns[i] : input->frames + i;
        source->strides[i] = input->columns == NULL ? numbers : input->varies[i] != 0;
    }
}

/* Finds the factors and the breaks of one track. values: work memory, [frame][4 or 3] */
static int32_t prepare_track(const enc_source *source, uint32_t kind, uint32_t joint,
                             const uint8_t *steps, double *values, enc_report *report)
{
    uint32_t joints = source->skeleton->joint_count, components = enc_components(kind);
    double *factors = source->factors + (size_t)joint * source->frame_count;
    uint8_t *breaks = source->breaks + ((size_t)kind * joints + joint) * source->frame_count;
    for (uint32_t f = 0; f < source->frame_count; f++, values += components) {
        size_t at = (size_t)f * joints + joint;
        if (kind == ENC_ROTATION)
            factors[f] = 1.0;
        enc_source_open_value(source, kind, joint, f, values);
        if (leaves_range(values, kind, &report->value)) {
            report->joint = (int32_t)joint;
            report->kind = kind;
            report->frame = f;
            return ENC_ERROR_RANGE;
        }
        const double *before = values - components;
        if (kind == ENC_ROTATION) {
            double dot = 0.0, length2 = 0.0;
            for (uint32_t i = 0; i < 4u; i++) {
                length2 += values[i] * values[i];
                dot += f > 0 ? values[i] * before[i] : 0.0;
            }
            factors[f] = (dot < 0.0 ? -1.0 : 1.0) / sqrt(length2);
            for (uint32_t i = 0; i < 4u; i++)
                values[i] *= factors[f];
        }
        if (f == 0)
            continue;
        breaks[f] = steps[at * 3u + kind] != 0 || enc_moves_too_fast(kind, before, values, 1u);
    }
    return ENC_OK;
}

/* ---- the reference ---- */

/* The model matrices of all joints at a sample. */
static void reference_pose(const enc_source *source, uint32_t sample, enc_matrix *model)
{
    for (uint32_t joint = 0; joint < source->skeleton->joint_count; joint++) {
        int32_t parent = source->skeleton->parents[joint];
        enc_matrix local;
        enc_source_local_at(source, joint, sample, parent < 0 ? &model[joint] : &local);
        if (parent >= 0)
            enc_matrix_multiply(&model[parent], &local, &model[joint]);
    }
}

/* ---- loops ---- */

/* Moves the first frame of a track to the midpoint between it and the last frame, which it also
 * represents. A track that has rotated by 360 degrees ends in the negative of its first
 * quaternion. */
static void close_track(const enc_source *source, uint32_t kind, uint32_t joint, double *closed)
{
    uint32_t components = enc_components(kind);
    double *first = closed + (size_t)joint * 20u + enc_first(kind), *last = first + 10;
    double dot = 0.0, length2 = 0.0;
    enc_source_open_value(source, kind, joint, 0, first);
    enc_source_open_value(source, kind, joint, source->row_count, last);
    for (uint32_t i = 0; i < components; i++)
        dot += first[i] * last[i];
    double sign = kind == ENC_ROTATION && dot < 0.0 ? -1.0 : 1.0;
    for (uint32_t i = 0; i < components; i++) {
        first[i] = (first[i] + sign * last[i]) / 2.0;
        length2 += first[i] * first[i];
    }
    for (uint32_t i = 0; i < components; i++) {
        if (kind == ENC_ROTATION)
            first[i] /= sqrt(length2);
        last[i] = sign * first[i];
    }
}

/* Turns the clip into a loop; the reference does not change. model: work memory, [2][joint];
 * closed: room for the closed ends, which the source then has. */
static void close_loop(enc_source *source, const enc_shell *shell, enc_matrix *model,
                       double *closed)
{
    uint32_t joints = source->skeleton->joint_count;
    reference_pose(source, 0, model);
    reference_pose(source, source->grid_count - 1u, model + joints);
    for (uint32_t joint = 0; joint < joints; joint++) {
        const enc_matrix *first = &model[joint], *last = &model[joints + joint];
        for (int i = 0; i < 12; i++)
            source->wrap[joint].m[i] = (first->m[i] + last->m[i]) / 2.0;
        const enc_joint_space *space = &source->skeleton->spaces[joint];
        source->wrap_m[joint] = sqrt(enc_shell_error2(first, last, shell, space)) / 2.0;
        for (uint32_t kind = 0; kind < ENC_KINDS; kind++)
            close_track(source, kind, joint, closed);
    }
    source->closed = closed;
}

/* Updates the squared distance of the joints of a subtree from its root. model: [joint] */
static void note_reach(const enc_source *source, const enc_matrix *const *model)
{
    const int32_t *parents = source->skeleton->parents;
    for (uint32_t k = 0; k < source->skeleton->joint_count; k++)
        for (int32_t j = parents[k]; j >= 0; j = parents[j]) {
            const double *above = model[j]->m, *below = model[k]->m;
            double x = below[3] - above[3], y = below[7] - above[7], z = below[11] - above[11];
            double reach2 = x * x + y * y + z * z;
            source->reach[j] = reach2 > source->reach[j] ? reach2 : source->reach[j];
        }
}

/* Computes the largest distance from each joint to its subtree, shell included. If there is room
 * for the matrices of all joints, solvers find them there. memory, model: [joint] */
static void measure_reach(enc_source *source, const enc_shell *shell, enc_matrix *memory,
                          const enc_matrix **model)
{
    uint32_t joints = source->skeleton->joint_count;
    for (uint32_t j = 0; j < joints && source->models->slots == joints; j++)
        (void)enc_composed_row(source->models, j);
    for (uint32_t sample = 0; sample < source->grid_count; sample += 2u) {
        enc_composed_window(source->models, sample, 1u, 1u, memory, model);
        note_reach(source, model);
    }
    for (uint32_t j = 0; j < joints; j++)
        source->reach[j] = sqrt(source->reach[j]) + shell->distance_m;
}

/* ---- motion ---- */

static bool keeps_value(const double *track, size_t frames, uint32_t components)
{
    for (size_t f = 1; f < frames; f++)
        for (uint32_t i = 0; i < components; i++)
            if (fabs(track[f * components + i] - track[i]) > CONSTANT_SPREAD)
                return false;
    return true;
}

/* Adds to *moving whether a track moves at a frame, and to *straight whether it continues in a
 * straight line; rotations on a great circle. */
static void follow_line(const double *at, uint32_t components, uint64_t *moving, uint64_t *straight)
{
    const double *before = at - components, *after = at + components;
    double moved2 = 0.0, moves2 = 0.0, bend2 = 0.0, along = 0.0;
    for (uint32_t i = 0; i < components; i++) {
        double bend = before[i] - 2.0 * at[i] + after[i];
        moved2 += (at[i] - before[i]) * (at[i] - before[i]);
        moves2 += (after[i] - at[i]) * (after[i] - at[i]);
        bend2 += bend * bend;
        along += bend * at[i];
    }
    if (components == 4u)
        bend2 -= along * along; /* a great circle bends towards its centre */
    double most2 = moved2 > moves2 ? moved2 : moves2;
    if (most2 <= LEAST_MOVE * LEAST_MOVE)
        return;
    ++*moving;
    *straight += bend2 <= LEAST_BEND * LEAST_BEND * most2;
}

/* Finds the tracks that keep their value for the whole clip, the joints that move, and whether they
 * do so in straight lines. values: work memory, [frame][4] */
static void find_motion(enc_source *source, double *values)
{
    uint64_t moving = 0, straight = 0;
    for (uint32_t joint = source->skeleton->joint_count; joint-- > 0u;) {
        int32_t parent = source->skeleton->parents[joint];
        for (uint32_t kind = 0; kind < ENC_KINDS; kind++) {
            uint32_t components = enc_components(kind);
            enc_source_values(source, kind, joint, values);
            if (keeps_value(values, source->frame_count, components))
                source->constant[joint] |= (uint8_t)(1u << kind);
            for (uint32_t f = 1; f + 1u < source->frame_count; f++)
                follow_line(values + (size_t)f * components, components, &moving, &straight);
        }
        source->moves[joint] |= source->constant[joint] != ENC_ALL_CONSTANT;
        if (parent >= 0)
            source->moves[parent] |= source->moves[joint];
    }
    source->straight = STRAIGHT_SHARE * straight > moving;
}

/* Copies the pose to which an additive clip is added, and sets the rows that leave it unchanged. */
static void copy_over(enc_source *source, const double *over)
{
    static const int32_t nothing[10] = {
        [3] = OSC_ONE_Q20, [7] = OSC_ONE_Q20, [8] = OSC_ONE_Q20, [9] = OSC_ONE_Q20};
    const enc_skeleton *skeleton = source->skeleton;
    size_t joints = skeleton->joint_count;
    memcpy(source->rest_q20, skeleton->bind_q20, joints * sizeof nothing);
    for (size_t joint = 0; over != NULL && joint < joints; joint++)
        memcpy(source->rest_q20 + joint * 10u, nothing, sizeof nothing);
    if (over != NULL)
        memcpy(source->over, over, joints * 10u * sizeof *over);
}

/* Allocates the arrays of a source whose counts are set. */
static bool allocate(enc_source *source, const enc_input *input)
{
    size_t joints = source->skeleton->joint_count, cells = joints * source->frame_count;
    bool complete = true;
    source->breaks = enc_array(cells * ENC_KINDS, sizeof *source->breaks, &complete);
    source->constant = enc_array(joints, sizeof *source->constant, &complete);
    source->moves = enc_array(joints, sizeof *source->moves, &complete);
    source->reach = enc_array(joints, sizeof *source->reach, &complete);
    source->wrap = enc_array(joints, sizeof *source->wrap, &complete);
    source->wrap_m = enc_array(joints, sizeof *source->wrap_m, &complete);
    source->columns = enc_array(joints * 10u, sizeof *source->columns, &complete);
    source->strides = enc_array(joints * 10u, sizeof *source->strides, &complete);
    source->factors = enc_array(cells, sizeof *source->factors, &complete);
    source->rest_q20 = enc_array(joints * 10u, sizeof *source->rest_q20, &complete);
    if (input->over != NULL)
        source->over = enc_array(joints * 10u, sizeof *source->over, &complete);
    source->models = enc_array(1, sizeof *source->models, &complete);
    return complete && enc_composed_prepare(source->models, source);
}

int32_t enc_source_prepare(enc_source *source, const enc_skeleton *skeleton, const enc_input *input,
                           const enc_shell *shell, enc_report *report)
{
    uint32_t frame_count = input->frame_count, probe_count = input->probes.count;
    memset(source, 0, sizeof *source);
    if (frame_count == 0u || frame_count > OSC_MAX_FRAMES || probe_count > OSC_MAX_FRAMES)
        return ENC_ERROR_TOO_LARGE;
    size_t joints = skeleton->joint_count;
    source->skeleton = skeleton;
    source->frame_count = frame_count;
    source->grid_count = 2u * frame_count - 1u;
    source->sample_count = source->grid_count + probe_count;
    source->loop = input->loop != 0 && frame_count > 1u;
    source->row_count = source->loop ? frame_count - 1u : frame_count;
    source->middles = input->middles;
    source->probes = input->probes;
    bool complete = allocate(source, input);
    enc_matrix *model = enc_array(2u * joints, sizeof *model, &complete);
    double *values = enc_array((size_t)frame_count * 4u, sizeof *values, &complete);
    double *closed = source->loop ? enc_array(joints * 20u, sizeof *closed, &complete) : NULL;
    int32_t status = complete ? ENC_OK : ENC_ERROR_MEMORY;
    if (complete) {
        copy_over(source, input->over);
        find_columns(source, input);
    }
    for (uint32_t joint = 0; joint < joints; joint++)
        for (uint32_t kind = 0; kind < ENC_KINDS && status == ENC_OK; kind++)
            status = prepare_track(source, kind, joint, input->steps, values, report);
    if (status == ENC_OK && source->loop)
        close_loop(source, shell, model, closed);
    if (source->closed == NULL)
        free(closed);
    free(values);
    free(model);
    return status;
}

int32_t enc_source_study(enc_source *source, const enc_shell *shell)
{
    bool complete = true;
    uint32_t joints = source->skeleton->joint_count;
    enc_matrix *memory = enc_array(joints, sizeof *memory, &complete);
    const enc_matrix **model = enc_array(joints, sizeof *model, &complete);
    double *values = enc_array((size_t)source->frame_count * 4u, sizeof *values, &complete);
    if (complete) {
        find_motion(source, values);
        measure_reach(source, shell, memory, model);
    }
    free(values);
    free(model);
    free(memory);
    return complete ? ENC_OK : ENC_ERROR_MEMORY;
}

void enc_source_settle(enc_source *source)
{
    if (source->models != NULL)
        enc_composed_release(source->models);
    free(source->models);
    free(source->columns);
    free(source->strides);
    free(source->factors);
    free(source->closed);
    free(source->constant);
    free(source->moves);
    free(source->reach);
    free(source->wrap);
    free(source->wrap_m);
    source->models = NULL;
    source->columns = NULL;
    source->strides = NULL;
    source->constant = source->moves = NULL;
    source->factors = source->closed = source->reach = source->wrap_m = NULL;
    source->wrap = NULL;
}

void enc_source_release(enc_source *source)
{
    enc_source_settle(source);
    free(source->breaks);
    free(source->over);
    free(source->rest_q20);
    memset(source, 0, sizeof *source);
}
