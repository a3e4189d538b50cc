/* SPDX-License-Identifier: MIT */
/* Local matrices with 64-bit products. */
#ifndef OSC_LONG_LOCAL_H
#define OSC_LONG_LOCAL_H

#include "osc_long.h"

/* The local matrix T * R * S of a joint; scale may be null. */
OSC_HOT static inline void osc_local_matrix(const osc_quaternion *rotation,
                                            const osc_vector *translation, const osc_vector *scale,
                                            osc_matrix *out)
{
    int32_t x = rotation->x, y = rotation->y, z = rotation->z, w = rotation->w;
    int32_t x2 = osc_add(x, x), y2 = osc_add(y, y), z2 = osc_add(z, z);
    int32_t xx = osc_long_mul_q20(x, x2), yy = osc_long_mul_q20(y, y2);
    int32_t zz = osc_long_mul_q20(z, z2);
    int32_t m[9];
    m[0] = osc_sub(OSC_ONE_Q20, osc_add(yy, zz));
    m[4] = osc_sub(OSC_ONE_Q20, osc_add(xx, zz));
    m[8] = osc_sub(OSC_ONE_Q20, osc_add(xx, yy));
    int32_t xy = osc_long_mul_q20(x, y2), wz = osc_long_mul_q20(w, z2);
    m[1] = osc_sub(xy, wz);
    m[3] = osc_add(xy, wz);
    int32_t xz = osc_long_mul_q20(x, z2), wy = osc_long_mul_q20(w, y2);
    m[2] = osc_add(xz, wy);
    m[6] = osc_sub(xz, wy);
    int32_t yz = osc_long_mul_q20(y, z2), wx = osc_long_mul_q20(w, x2);
    m[5] = osc_sub(yz, wx);
    m[7] = osc_add(yz, wx);
    if (scale != 0) {
        int32_t kx = scale->x, ky = scale->y, kz = scale->z;
        m[0] = osc_long_mul_q20(m[0], kx);
        m[1] = osc_long_mul_q20(m[1], ky);
        m[2] = osc_long_mul_q20(m[2], kz);
        m[3] = osc_long_mul_q20(m[3], kx);
        m[4] = osc_long_mul_q20(m[4], ky);
        m[5] = osc_long_mul_q20(m[5], kz);
        m[6] = osc_long_mul_q20(m[6], kx);
        m[7] = osc_long_mul_q20(m[7], ky);
        m[8] = osc_long_mul_q20(m[8], kz);
    }
    out->m[0] = m[0], out->m[1] = m[1], out->m[2] = m[2], out->m[3] = translation->x;
    out->m[4] = m[3], out->m[5] = m[4], out->m[6] = m[5], out->m[7] = translation->y;
    out->m[8] = m[6], out->m[9] = m[7], out->m[10] = m[8], out->m[11] = translation->z;
}

#endif
