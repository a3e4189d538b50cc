/* SPDX-License-Identifier: MIT */
/* The definition of composition, for ports that do not replace it (osc_port.h). SPEC.md states it
 * as formulas. */
#ifndef OSC_COMPOSE_H
#define OSC_COMPOSE_H

#ifndef OSC_PORT_H
#error "osc_port.h includes this header; include that one"
#endif

#ifndef OSC_PORT_LOCAL_MATRIX

OSC_HOT static inline void osc_local_matrix(const osc_quaternion *rotation,
                                            const osc_vector *translation, const osc_vector *scale,
                                            osc_matrix *out)
{
    int32_t x = rotation->x, y = rotation->y, z = rotation->z, w = rotation->w;
    int32_t x2 = osc_add(x, x), y2 = osc_add(y, y), z2 = osc_add(z, z);
    int32_t xx = osc_mul_q20(x, x2), yy = osc_mul_q20(y, y2), zz = osc_mul_q20(z, z2);
    int32_t xy = osc_mul_q20(x, y2), xz = osc_mul_q20(x, z2), yz = osc_mul_q20(y, z2);
    int32_t wx = osc_mul_q20(w, x2), wy = osc_mul_q20(w, y2), wz = osc_mul_q20(w, z2);
    int32_t *m = out->m;
    m[0] = osc_sub(OSC_ONE_Q20, osc_add(yy, zz));
    m[1] = osc_sub(xy, wz);
    m[2] = osc_add(xz, wy);
    m[3] = translation->x;
    m[4] = osc_add(xy, wz);
    m[5] = osc_sub(OSC_ONE_Q20, osc_add(xx, zz));
    m[6] = osc_sub(yz, wx);
    m[7] = translation->y;
    m[8] = osc_sub(xz, wy);
    m[9] = osc_add(yz, wx);
    m[10] = osc_sub(OSC_ONE_Q20, osc_add(xx, yy));
    m[11] = translation->z;
    if (scale != 0) {
        for (int row = 0; row < 12; row += 4) {
            m[row] = osc_mul_q20(m[row], scale->x);
            m[row + 1] = osc_mul_q20(m[row + 1], scale->y);
            m[row + 2] = osc_mul_q20(m[row + 2], scale->z);
        }
    }
}

#endif
#ifndef OSC_PORT_MATRIX_MULTIPLY

static inline void osc_matrix_product(const osc_matrix *parent, const osc_matrix *local,
                                      osc_matrix *out)
{
    const int32_t *l = local->m;
    for (int row = 0; row < 12; row += 4) {
        const int32_t *p = parent->m + row;
        int32_t p0 = p[0], p1 = p[1], p2 = p[2], p3 = p[3];
        for (int column = 0; column < 4; column++)
            out->m[row + column] =
                osc_dot3_q20(p0, l[column], p1, l[4 + column], p2, l[8 + column]);
        out->m[row + 3] = osc_add(out->m[row + 3], p3);
    }
}

#endif
#ifndef OSC_PORT_CHILD_MATRIX

OSC_INLINE void osc_child_matrix(const osc_quaternion *rotation, const osc_vector *translation,
                                 const osc_vector *scale, const osc_matrix *parent, osc_matrix *out)
{
    osc_matrix local;
    osc_local_matrix(rotation, translation, scale, &local);
    osc_matrix_product(parent, &local, out);
}

#endif
#endif
