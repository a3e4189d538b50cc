/* SPDX-License-Identifier: MIT */
/* The difference of two poses, for additive layers. */
#include "arithmetic/osc_mix_arithmetic.h"
#include "arithmetic/osc_unit.h"
#include "osc_mix.h"

/* 1 + conjugate(reference) * (pose - reference), the pose in the hemisphere of the reference:
 * exactly 1 for equal rotations. Factors are in Q15. */
static void difference_of_rotations(const osc_quaternion *pose, const osc_quaternion *reference,
                                    osc_quaternion *out)
{
    int32_t x = osc_half_up(reference->x, 5), y = osc_half_up(reference->y, 5);
    int32_t z = osc_half_up(reference->z, 5), w = osc_half_up(reference->w, 5);
    int32_t px = pose->x, py = pose->y, pz = pose->z, pw = pose->w;
    int32_t dot = osc_add(osc_mul(x, px >> 5), osc_mul(y, py >> 5));
    dot = osc_add(dot, osc_add(osc_mul(z, pz >> 5), osc_mul(w, pw >> 5)));
    if (dot < 0) {
        px = osc_sub(0, px);
        py = osc_sub(0, py);
        pz = osc_sub(0, pz);
        pw = osc_sub(0, pw);
    }
    px = osc_half_up(osc_sub(px, reference->x), 5);
    py = osc_half_up(osc_sub(py, reference->y), 5);
    pz = osc_half_up(osc_sub(pz, reference->z), 5);
    pw = osc_half_up(osc_sub(pw, reference->w), 5);
    int32_t dx = osc_sub(osc_add(osc_mul(w, px), osc_mul(z, py)), osc_mul(y, pz));
    int32_t dy = osc_sub(osc_add(osc_mul(w, py), osc_mul(x, pz)), osc_mul(z, px));
    int32_t dz = osc_sub(osc_add(osc_mul(w, pz), osc_mul(y, px)), osc_mul(x, py));
    int32_t dw = osc_add(osc_add(osc_mul(w, pw), osc_mul(x, px)), osc_mul(y, py));
    out->x = osc_half_up(osc_sub(dx, osc_mul(x, pw)), 10);
    out->y = osc_half_up(osc_sub(dy, osc_mul(y, pw)), 10);
    out->z = osc_half_up(osc_sub(dz, osc_mul(z, pw)), 10);
    out->w = osc_add(OSC_ONE_Q20, osc_half_up(osc_add(dw, osc_mul(z, pz)), 10));
    osc_unit_rotation(out);
}

/* 1 + (pose - reference) / reference: exactly 1 for equal scales */
static int32_t quotient(int32_t pose, int32_t reference)
{
    int32_t more = osc_sub(pose, reference);
    int32_t size = osc_ratio(osc_size_of(more), osc_size_of(reference));
    return (more < 0) != (reference < 0) ? OSC_ONE_Q20 - size : OSC_ONE_Q20 + size;
}

void osc_mix_difference(const osc_bank *bank, const osc_pose *difference, const osc_pose *pose,
                        const osc_pose *reference)
{
    OSC_ASSERT(!bank->has_scale ||
               (difference->scales != 0 && pose->scales != 0 && reference->scales != 0));
    for (uint32_t joint = 0; joint < bank->joint_count; joint++) {
        difference_of_rotations(&pose->rotations[joint], &reference->rotations[joint],
                                &difference->rotations[joint]);
        const osc_vector *to = &pose->translations[joint], *from = &reference->translations[joint];
        osc_vector *out = &difference->translations[joint];
        out->x = osc_sub(to->x, from->x);
        out->y = osc_sub(to->y, from->y);
        out->z = osc_sub(to->z, from->z);
    }
    for (uint32_t joint = 0; bank->has_scale && joint < bank->joint_count; joint++) {
        const osc_vector *to = &pose->scales[joint], *from = &reference->scales[joint];
        osc_vector *out = &difference->scales[joint];
        out->x = quotient(to->x, from->x);
        out->y = quotient(to->y, from->y);
        out->z = quotient(to->z, from->z);
    }
}
