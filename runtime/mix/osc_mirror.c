/* SPDX-License-Identifier: MIT */
/* Mirrored poses: runtime/SPEC.md 17. */
#include "osc_mix.h"

#include "mix/osc_port_mirror.h"

/* Rows of constants times a column. */
static void multiply(const int32_t *rows, const int32_t *column, uint32_t size, int32_t *out)
{
    for (uint32_t i = 0; i < size; i++, rows += size) {
        out[i] = osc_dot3_q20(rows[0], column[0], rows[1], column[1], rows[2], column[2]);
        if (size == 4u)
            out[i] = osc_add(out[i], osc_mul_q20(rows[3], column[3]));
    }
}

static void turn_joint(const osc_mirror_turn *turn, osc_quaternion q, osc_vector v, uint32_t joint,
                       const osc_pose *out)
{
    const int32_t rotation[4] = {q.x, q.y, q.z, q.w}, translation[3] = {v.x, v.y, v.z};
    multiply(turn->rotation, rotation, 4, &out->rotations[joint].x);
    multiply(turn->translation, translation, 3, &out->translations[joint].x);
}

static void mirror_turned(const osc_mirror_turned *turned, const osc_mirror_turn *turns,
                          const osc_pose *pose)
{
    uint32_t a = turned->joint, b = turned->partner;
    osc_quaternion q = pose->rotations[a];
    osc_vector v = pose->translations[a];
    turn_joint(&turns[turned->turn], pose->rotations[b], pose->translations[b], a, pose);
    if (a != b)
        turn_joint(&turns[turned->back], q, v, b, pose);
}

/* Scales belong to axes and stay with them in a mirror image: in groups always; in turned joints if
 * they are equal or each axis maps to itself. */
static void exchange(osc_vector *scales, uint32_t a, uint32_t b)
{
    osc_vector scale = scales[a];
    scales[a] = scales[b];
    scales[b] = scale;
}

static void copy_pose(const osc_pose *pose, uint32_t joint_count, const osc_pose *out)
{
    for (uint32_t joint = 0; joint < joint_count; joint++) {
        out->rotations[joint] = pose->rotations[joint];
        out->translations[joint] = pose->translations[joint];
        if (pose->scales != 0 && out->scales != 0)
            out->scales[joint] = pose->scales[joint];
    }
}

/* Out of line, so that its loops have all registers. Returns the first pair of the next group. */
OSC_NOINLINE const uint16_t *mirror_group(const osc_mirror_group *group, const uint16_t *pairs,
                                          osc_quaternion *rotations, osc_vector *vectors)
{
    osc_mirror_joints(group, pairs, rotations, vectors);
    return pairs + 2u * ((uint32_t)group->pair_count + group->middle_count);
}

OSC_HOT void osc_mirror_pose(const osc_mirror *mirror, const osc_pose *pose, const osc_pose *out)
{
    const uint16_t *pair = mirror->pairs;
    if (out->rotations != pose->rotations)
        copy_pose(pose, mirror->joint_count, out);
    for (uint32_t i = 0; i < mirror->group_count; i++)
        pair = mirror_group(&mirror->groups[i], pair, out->rotations, out->translations);
    for (uint32_t i = 0; i < mirror->turned_count; i++)
        mirror_turned(&mirror->turned[i], mirror->turns, out);
    if (pose->scales == 0 || out->scales == 0)
        return;
    for (const uint16_t *all = mirror->pairs; all != pair; all += 2)
        exchange(out->scales, all[0] >> 2, all[1] >> 2);
    for (uint32_t i = 0; i < mirror->turned_count; i++)
        exchange(out->scales, mirror->turned[i].joint, mirror->turned[i].partner);
}
