/* SPDX-License-Identifier: MIT */
/* The arithmetic of small matrices, for osc_port.h: rotations in Q14, translations with `bits`
 * fraction bits, 32-bit products modulo 2^32, which every machine has. SPEC.md states it as
 * formulas. */
#ifndef OSC_COMPOSE_Q14_H
#define OSC_COMPOSE_Q14_H

#ifndef OSC_PORT_H
#error "osc_port.h includes this header; include that one"
#endif

/* The local matrix T * R * S of a joint; scale may be null. */
OSC_HOT static inline void osc_local_matrix_q14(const osc_quaternion *rotation,
                                                const osc_vector *translation,
                                                const osc_vector *scale, uint32_t bits,
                                                osc_matrix *out)
{
    int32_t *m = out->m;
    int32_t x = osc_half_up(rotation->x, 5u), y = osc_half_up(rotation->y, 5u);
    int32_t z = osc_half_up(rotation->z, 5u), w = osc_half_up(rotation->w, 5u);
    int32_t xx = osc_mul(x, x), yy = osc_mul(y, y), zz = osc_mul(z, z);
    m[0] = osc_sub(1 << 14, osc_half_up(osc_add(yy, zz), 15u));
    m[5] = osc_sub(1 << 14, osc_half_up(osc_add(xx, zz), 15u));
    m[10] = osc_sub(1 << 14, osc_half_up(osc_add(xx, yy), 15u));
    int32_t xy = osc_mul(x, y), wz = osc_mul(w, z);
    m[1] = osc_half_up(osc_sub(xy, wz), 15u);
    m[4] = osc_half_up(osc_add(xy, wz), 15u);
    int32_t xz = osc_mul(x, z), wy = osc_mul(w, y);
    m[2] = osc_half_up(osc_add(xz, wy), 15u);
    m[8] = osc_half_up(osc_sub(xz, wy), 15u);
    int32_t yz = osc_mul(y, z), wx = osc_mul(w, x);
    m[6] = osc_half_up(osc_sub(yz, wx), 15u);
    m[9] = osc_half_up(osc_add(yz, wx), 15u);
    if (scale != 0) {
        int32_t kx = osc_half_up(scale->x, 8u), ky = osc_half_up(scale->y, 8u);
        int32_t kz = osc_half_up(scale->z, 8u);
        for (int row = 0; row < 12; row += 4) {
            m[row] = osc_half_up(osc_mul(m[row], kx), 12u);
            m[row + 1] = osc_half_up(osc_mul(m[row + 1], ky), 12u);
            m[row + 2] = osc_half_up(osc_mul(m[row + 2], kz), 12u);
        }
    }
    m[3] = osc_half_up(translation->x, 20u - bits);
    m[7] = osc_half_up(translation->y, 20u - bits);
    m[11] = osc_half_up(translation->z, 20u - bits);
}

/* floor((sum + 2^13) / 2^14), the sum of the products modulo 2^32. Rounded in two shifts: a
 * constant of 2^13 would take a register, and small machines have only eight. */
static inline int32_t osc_dot3_q14(const int32_t row[3], int32_t l0, int32_t l1, int32_t l2)
{
    int32_t sum = osc_mul(row[0], l0);
    sum = osc_add(sum, osc_mul(row[1], l1));
    sum = osc_add(sum, osc_mul(row[2], l2));
    return ((sum >> 13) + 1) >> 1;
}

/* out = parent * local; out may be neither of them. */
static inline void osc_matrix_product_q14(const osc_matrix *parent, const osc_matrix *local,
                                          osc_matrix *out)
{
    /* By columns: three elements of the local matrix fit the registers of machines that have
     * eight. */
    for (int column = 0; column < 4; column++) {
        int32_t l0 = local->m[column], l1 = local->m[4 + column], l2 = local->m[8 + column];
        out->m[column] = osc_dot3_q14(parent->m, l0, l1, l2);
        out->m[4 + column] = osc_dot3_q14(parent->m + 4, l0, l1, l2);
        out->m[8 + column] = osc_dot3_q14(parent->m + 8, l0, l1, l2);
    }
    for (int row = 3; row < 12; row += 4)
        out->m[row] = osc_add(out->m[row], parent->m[row]);
}

static inline void osc_compose_child_q14(const osc_quaternion *rotation,
                                         const osc_vector *translation, const osc_vector *scale,
                                         uint32_t bits, const osc_matrix *parent, osc_matrix *out)
{
    osc_matrix local;
    osc_local_matrix_q14(rotation, translation, scale, bits, &local);
    osc_matrix_product_q14(parent, &local, out);
}

#ifndef OSC_PORT_MATRIX_Q14

static inline void osc_child_matrix_q14(const osc_quaternion *rotation,
                                        const osc_vector *translation, const osc_vector *scale,
                                        uint32_t bits, const osc_matrix *parent, osc_matrix *out)
{
    osc_compose_child_q14(rotation, translation, scale, bits, parent, out);
}

static inline void osc_skin_matrix_q14(const osc_matrix *model, const osc_matrix *inverse_bind,
                                       uint32_t bits, osc_matrix_q14 *out)
{
    const int32_t *m = model->m, *b = inverse_bind->m;
    for (int column = 0; column < 3; column++) {
        int32_t b0 = osc_half_up(b[column], 6u), b1 = osc_half_up(b[4 + column], 6u);
        int32_t b2 = osc_half_up(b[8 + column], 6u);
        out->turn[column] = (int16_t)osc_dot3_q14(m, b0, b1, b2);
        out->turn[3 + column] = (int16_t)osc_dot3_q14(m + 4, b0, b1, b2);
        out->turn[6 + column] = (int16_t)osc_dot3_q14(m + 8, b0, b1, b2);
    }
    out->unused = 0;
    int32_t t0 = osc_half_up(b[3], 20u - bits), t1 = osc_half_up(b[7], 20u - bits);
    int32_t t2 = osc_half_up(b[11], 20u - bits);
    out->translation[0] = osc_add(osc_dot3_q14(m, t0, t1, t2), m[3]);
    out->translation[1] = osc_add(osc_dot3_q14(m + 4, t0, t1, t2), m[7]);
    out->translation[2] = osc_add(osc_dot3_q14(m + 8, t0, t1, t2), m[11]);
}

/* The products with one in Q14 round to the 16 bits that are stored, even where they wrap. */
static inline void osc_skin_offset_q14(const osc_matrix *model, const int32_t offset[3],
                                       osc_matrix_q14 *out)
{
    const int32_t *m = model->m;
    for (int row = 0; row < 3; row++, m += 4) {
        out->turn[3 * row] = (int16_t)m[0];
        out->turn[3 * row + 1] = (int16_t)m[1];
        out->turn[3 * row + 2] = (int16_t)m[2];
        out->translation[row] = osc_add(osc_dot3_q14(m, offset[0], offset[1], offset[2]), m[3]);
    }
    out->unused = 0;
}

#endif
#endif
