/* What limbs and looks share: axes of joints, turns in model space, corrections. */
#include "ik/osc_ik_turn.h"

#include "arithmetic/osc_unit.h"

/* Directions whose sum is smaller than this in each component, Q20, are opposite. */
#define OPPOSITE_Q20 16u
#define LEAST_SQUARES_Q30 (1u << 20)

OSC_HOT void osc_ik_axes(const osc_matrix *matrix, bool scaled, int32_t axes[9])
{
    for (const int32_t *m = matrix->m; m != matrix->m + 3; m++, axes += 3) {
        axes[0] = m[0], axes[1] = m[4], axes[2] = m[8];
        if (scaled)
            (void)osc_make_unit(axes);
        axes[0] = osc_low22(axes[0]), axes[1] = osc_low22(axes[1]), axes[2] = osc_low22(axes[2]);
    }
}

/* Poles are below 2; half of one leaves room for sums. */
static int32_t half_pole(int32_t x)
{
    return osc_low22(x) >> 1;
}

OSC_HOT bool osc_ik_swing(const int32_t from[3], const int32_t to[3], const int32_t side[3],
                          const osc_vector *pole, bool up, int32_t q[4])
{
    int32_t half[3], turned[3], across[3], along[3];
    const int32_t p[3] = {half_pole(pole->x), half_pole(pole->y), half_pole(pole->z)};
    uint32_t sizes = 0;
    for (uint32_t i = 0; i < 3u; i++) {
        half[i] = osc_add(from[i], to[i]);
        sizes |= osc_size_of(half[i]);
    }
    if (sizes < OPPOSITE_Q20)
        osc_cross_q20(side, from, half);
    if (osc_make_unit(half) == 0u)
        return false;
    osc_cross_q20(from, half, q);
    q[3] = osc_ik_dot(from, 1u, half);
    if ((p[0] | p[1] | p[2]) == 0)
        return true;
    /* The shortest turn is a half turn about `from` and one about `half`. They take `side` to its
     * mirror image in the plane across `half`, but for what lies along `to` and does not matter. */
    int32_t twice = osc_half_up(osc_dot3_q30(half, 1u, side), 9u);
    for (uint32_t i = 0; i < 3u; i++)
        turned[i] = osc_sub(side[i], osc_ik_product(twice, half[i]));
    osc_cross_q20(to, p, across);
    osc_cross_q20(across, to, along);
    int32_t z[3] = {osc_dot3_q30(turned, 1u, across), osc_dot3_q30(turned, 1u, along), 0}, twist[2];
    if (up) {
        int32_t real = z[1];
        z[1] = osc_sub(0, z[0]);
        z[0] = real;
    }
    if (!osc_half_turn(z, twist))
        return true;
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
    /* Between a half and one, if q and its axis are unit; what is much smaller stays so. */
    uint32_t squares = osc_squares_q30(q[0], q[1], q[2]);
    squares += (uint32_t)osc_product_q30(q[3], q[3]);
    if (squares < LEAST_SQUARES_Q30)
        return;
    uint32_t pairs = osc_leading_zeros(squares) >> 1;
    int32_t inverse_q20 = (int32_t)(osc_inverse_root_q21(squares << (2u * pairs)) >> 1);
    for (uint32_t i = 0; i < 4u; i++)
        q[i] = osc_half_up(osc_product_q30(q[i], inverse_q20), 10u - pairs);
}

static int32_t sum_of_two(int32_t a, int32_t b, int32_t c, int32_t d)
{
    return osc_q20_of_q30(osc_dot2_q30(a, b, c, d));
}

OSC_HOT void osc_ik_apply(osc_quaternion *rotation, const int32_t q[4])
{
    int32_t x = osc_low22(rotation->x), y = osc_low22(rotation->y), z = osc_low22(rotation->z);
    int32_t w = osc_low22(rotation->w), bx = q[0], by = q[1], bz = q[2], bw = q[3];
    rotation->x = osc_add(sum_of_two(w, bx, x, bw), sum_of_two(y, bz, -z, by));
    rotation->y = osc_add(sum_of_two(w, by, y, bw), sum_of_two(z, bx, -x, bz));
    rotation->z = osc_add(sum_of_two(w, bz, z, bw), sum_of_two(x, by, -y, bx));
    rotation->w = osc_sub(sum_of_two(w, bw, -x, bx), sum_of_two(y, by, z, bz));
}

OSC_HOT void osc_ik_apply_model(osc_quaternion *rotation, const int32_t axes[9], const int32_t q[4])
{
    int32_t local[4];
    for (uint32_t i = 0; i < 3u; i++)
        local[i] = osc_low22(osc_ik_dot(axes + 3u * i, 1u, q));
    local[3] = q[3];
    osc_ik_apply(rotation, local);
}
