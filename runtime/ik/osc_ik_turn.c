/* SPDX-License-Identifier: MIT */
/* Shared by limbs and aims: axes of joints, rotations in model space, corrections. */
#include "ik/osc_ik_turn.h"

#include "arithmetic/osc_unit.h"

/* Directions whose sum is smaller than this in each component, Q20, are opposite. */
#define OPPOSITE_Q20 8u
/* Directions whose sum is smaller than this are so far apart that their rounding matters. */
#define WIDE_Q20 (1u << 19)
#define WIDE_TOP_BIT 19u
#define LEAST_SQUARES_Q30 (1u << 20)

OSC_HOT void osc_ik_axes(const osc_matrix *matrix, bool scaled, int32_t axes[9])
{
    const int32_t *m = matrix->m;
    axes[0] = osc_low22(m[0]), axes[1] = osc_low22(m[4]), axes[2] = osc_low22(m[8]);
    axes[3] = osc_low22(m[1]), axes[4] = osc_low22(m[5]), axes[5] = osc_low22(m[9]);
    axes[6] = osc_low22(m[2]), axes[7] = osc_low22(m[6]), axes[8] = osc_low22(m[10]);
    for (uint32_t i = 0; scaled && i < 3u; i++) {
        for (uint32_t j = 0; j < 3u; j++)
            axes[3u * i + j] = m[4u * j + i]; /* of any size */
        (void)osc_make_direction(axes + 3u * i);
    }
}

/* Computes the complex number whose half angle rotates `side`, after the shortest rotation, to the
 * direction required by the pole: its components along to x pole and (to x pole) x to. 16-bit
 * products suffice, because only the twist about `to` depends on them; poles are below 2. Returns
 * false for a pole of zeros. */
static bool twist_to_pole(const int32_t to[3], const int32_t half[3], const int32_t side[3],
                          const osc_vector *pole, int32_t z[2])
{
    int32_t t0 = osc_half_up(to[0], 5), t1 = osc_half_up(to[1], 5), t2 = osc_half_up(to[2], 5);
    int32_t h0 = osc_half_up(half[0], 5), h1 = osc_half_up(half[1], 5),
            h2 = osc_half_up(half[2], 5);
    int32_t s0 = osc_half_up(side[0], 5), s1 = osc_half_up(side[1], 5),
            s2 = osc_half_up(side[2], 5);
    int32_t p0 = osc_half_up(osc_low22(pole->x), 5), p1 = osc_half_up(osc_low22(pole->y), 5),
            p2 = osc_half_up(osc_low22(pole->z), 5);
    if ((p0 | p1 | p2) == 0)
        return false;
    /* The shortest rotation is a half turn about `from` and another about `half`. Except for its
     * component along `to`, which does not matter, they reflect `side` in the plane across
     * `half`. */
    int32_t twice = osc_dot3(h0, s0, h1, s1, h2, s2) >> 14;
    s0 = osc_sub(s0, osc_mul(twice, h0) >> 15);
    s1 = osc_sub(s1, osc_mul(twice, h1) >> 15);
    s2 = osc_sub(s2, osc_mul(twice, h2) >> 15);
    int32_t a0 = osc_sub(osc_mul(t1, p2), osc_mul(t2, p1)) >> 15;
    int32_t a1 = osc_sub(osc_mul(t2, p0), osc_mul(t0, p2)) >> 15;
    int32_t a2 = osc_sub(osc_mul(t0, p1), osc_mul(t1, p0)) >> 15;
    z[0] = osc_dot3(s0, a0, s1, a1, s2, a2);
    int32_t b0 = osc_sub(osc_mul(a1, t2), osc_mul(a2, t1)) >> 15;
    int32_t b1 = osc_sub(osc_mul(a2, t0), osc_mul(a0, t2)) >> 15;
    int32_t b2 = osc_sub(osc_mul(a0, t1), osc_mul(a1, t0)) >> 15;
    z[1] = osc_dot3(s0, b0, s1, b1, s2, b2);
    return true;
}

/* Removes from the sum of two directions its part along their difference, which is not zero because
 * their lengths differ by rounding. Scales the sum up first, or the correction would be lost. */
static void keep_across(const int32_t from[3], const int32_t to[3], int32_t half[3], uint32_t sizes)
{
    int32_t apart[3];
    osc_shift_all(half, 3u, osc_shift_to(sizes, WIDE_TOP_BIT));
    for (uint32_t i = 0; i < 3u; i++)
        apart[i] = osc_sub(from[i], to[i]) >> 1;
    int32_t excess = osc_ik_dot(half, 1u, apart);
    for (uint32_t i = 0; i < 3u; i++)
        half[i] = osc_sub(half[i], osc_ik_product(excess, apart[i]));
}

OSC_HOT bool osc_ik_swing(const int32_t from[3], const int32_t to[3], const int32_t side[3],
                          const osc_vector *pole, bool up, int32_t q[4])
{
    int32_t half[3], z[2], twist[2];
    uint32_t sizes = 0;
    OSC_UNROLLED
    for (uint32_t i = 0; i < 3u; i++) {
        half[i] = osc_add(from[i], to[i]);
        sizes |= osc_size_of(half[i]);
    }
    if (sizes < OPPOSITE_Q20)
        osc_cross_q20(side, from, half);
    else if (sizes < WIDE_Q20)
        keep_across(from, to, half, sizes);
    if (!osc_make_direction(half))
        return false;
    osc_cross_q20(from, half, q);
    q[3] = osc_ik_dot(from, 1u, half);
    if (!twist_to_pole(to, half, side, pole, z))
        return true;
    if (up) {
        int32_t real = z[1];
        z[1] = osc_sub(0, z[0]);
        z[0] = real;
    }
    if (!osc_half_turn(z, twist))
        return true;
    OSC_UNROLLED
    for (uint32_t i = 0; i < 3u; i++)
        q[i] = osc_q20_of_q30(osc_dot2_q30(twist[0], q[i], twist[1], half[i]));
    q[3] = osc_ik_product(twist[0], q[3]);
    return true;
}

OSC_HOT void osc_ik_weigh(int32_t q[4], uint32_t weight_q15)
{
    int32_t weight_q20 = (int32_t)(weight_q15 << 5);
    if (q[3] < 0)
        for (uint32_t i = 0; i < 4u; i++)
            q[i] = osc_sub(0, q[i]);
    if (weight_q15 >= OSC_ONE_Q15)
        return;
    for (uint32_t i = 0; i < 4u; i++)
        q[i] = osc_ik_product(q[i], weight_q20);
    q[3] = osc_add(q[3], OSC_ONE_Q20 - weight_q20);
    /* Between 1/2 and 1 if q and its axis are unit; much smaller values remain small. */
    uint32_t squares = osc_squares_q30(q[0], q[1], q[2]);
    squares += (uint32_t)osc_product_q30(q[3], q[3]);
    if (squares < LEAST_SQUARES_Q30)
        return;
    uint32_t pairs = osc_leading_zeros(squares) >> 1;
    int32_t inverse_q20 = (int32_t)(osc_inverse_root_q21(squares << (2u * pairs)) >> 1);
    for (uint32_t i = 0; i < 4u; i++)
        q[i] = osc_half_up(osc_product_q30(q[i], inverse_q20), 10u - pairs);
}

OSC_HOT void osc_ik_apply(osc_quaternion *rotation, const int32_t q[4])
{
    int32_t x = osc_low22(rotation->x), y = osc_low22(rotation->y), z = osc_low22(rotation->z);
    int32_t w = osc_low22(rotation->w), bx = q[0], by = q[1], bz = q[2], bw = q[3];
    rotation->x = osc_q20_of_q30(osc_dot4_q30(w, bx, x, bw, y, bz, -z, by));
    rotation->y = osc_q20_of_q30(osc_dot4_q30(w, by, y, bw, z, bx, -x, bz));
    rotation->z = osc_q20_of_q30(osc_dot4_q30(w, bz, z, bw, x, by, -y, bx));
    rotation->w = osc_q20_of_q30(osc_dot4_q30(w, bw, -x, bx, -y, by, -z, bz));
}

OSC_HOT void osc_ik_apply_model(osc_quaternion *rotation, const int32_t axes[9], const int32_t q[4])
{
    int32_t local[4];
    OSC_UNROLLED
    for (uint32_t i = 0; i < 3u; i++)
        local[i] = osc_ik_dot(axes + 3u * i, 1u, q);
    local[3] = q[3];
    osc_ik_apply(rotation, local);
}
