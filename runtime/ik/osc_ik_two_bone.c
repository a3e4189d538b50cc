/* SPDX-License-Identifier: MIT */
/* Limbs of two bones that reach for a point, by the law of cosines.
 *
 * The unit of length is chosen for each limb so that its bones have 24 bits: limbs of any size are
 * solved to the same relative error. Squares are exact to 1 in 2^28, because the middle joint of a
 * nearly straight limb moves by the root of their error. All else uses 18 of the bits. The angle at
 * the middle joint is a complex number in the plane across its axis: one number for the present
 * angle and one for the required angle. Half the angle of their quotient gives the quaternion. */
#include "arithmetic/osc_unit.h"
#include "ik/osc_ik_turn.h"

#define LIMB_TOP_BIT 23u
#define LESS_BITS 6u             /* dropped from 24 bits in most of the solution: 18 are left */
#define FAR_UNITS 0xf0000u       /* in 18 bits: longer than any limb */
#define LONGEST_UNITS (1u << 22) /* farther targets count as this far */
#define FAR_SQUARES 0xffffffffu
#define REACH_BITS 18u /* bits of the squares to which a reached target agrees */

/* Vectors, one after the other: from the middle joint to the start and to the end; the axis x the
 * bone to the end; the axis. */
enum { TO_START = 0, TO_END = 3, SIDE = 6, AXIS = 9 };

typedef struct bones {
    int32_t vector[12];  /* of 18 bits; the last six Q20 */
    int32_t along[2];    /* the axis, of 24 bits */
    uint32_t squares[2]; /* squared lengths of the parts across it */
    int32_t shift;       /* the unit of 24 bits is 2^(shift - 20) metres */
} bones;

static int32_t bits18(int32_t x)
{
    return osc_half_up(x, LESS_BITS);
}

/* 18 bits */
static int32_t root_of_squares(uint32_t squares)
{
    return (int32_t)((osc_root_q15(squares) + 1024u) >> 11);
}

/* Returns false if all joints are at the same point. */
static bool measure(const osc_ik_limb *limb, const osc_matrix *model, bones *b)
{
    const int32_t *start = model[limb->start].m + 3, *mid = model[limb->mid].m + 3;
    const int32_t *end = model[limb->end].m + 3;
    int32_t *vector = b->vector;
    uint32_t sizes = 0;
    OSC_UNROLLED
    for (uint32_t i = 0; i < 3u; i++) {
        int32_t u = osc_sub(start[4u * i], mid[4u * i]), v = osc_sub(end[4u * i], mid[4u * i]);
        vector[TO_START + i] = u, vector[TO_END + i] = v;
        sizes |= osc_size_of(u) | osc_size_of(v);
    }
    if (sizes == 0u)
        return false;
    b->shift = osc_shift_to(sizes, LIMB_TOP_BIT);
    osc_shift_all(vector, 6u, b->shift);
    OSC_UNROLLED
    for (uint32_t i = 0; i < 2u; i++) {
        int32_t *bone = vector + 3u * i;
        uint32_t squares = osc_squares_q20(bone[0], bone[1], bone[2]);
        OSC_UNROLLED
        for (uint32_t j = 0; j < 3u; j++)
            bone[j] = bits18(bone[j]);
        b->along[i] = osc_half_up(osc_dot3_q30(bone, 1u, vector + AXIS), 10u - LESS_BITS);
        uint32_t rest = squares - osc_squares_q20(b->along[i], 0, 0);
        b->squares[i] = rest > squares ? 0u : rest;
    }
    osc_cross_q20(vector + AXIS, vector + TO_END, vector + SIDE);
    return true;
}

/* The softened length of a limb near its full length. */
static int32_t soften(const bones *b, uint32_t soften_q15, int32_t length, bool *softened)
{
    int32_t whole = root_of_squares(b->squares[0]) + root_of_squares(b->squares[1]);
    int32_t hard = osc_ik_product(whole, (int32_t)(soften_q15 << 5)), soft = whole - hard;
    *softened = length > hard;
    if (length <= hard)
        return length;
    /* The remaining length follows 1 - (3 / (3 + x))^4, which begins with slope 1. */
    int32_t ratio = osc_ratio((uint32_t)(3 * soft), (uint32_t)(length - hard + 3 * soft));
    ratio = osc_ik_product(ratio, ratio);
    return whole - osc_ik_product(soft, osc_ik_product(ratio, ratio));
}

/* The square of the required distance from start to end, measured across the axis. to_target: from
 * the start, Q20, of this length; its contents are replaced. */
static uint32_t reach(const bones *b, uint32_t soften_q15, int32_t to_target[3],
                      uint32_t length_q20, bool *softened)
{
    int32_t shift = b->shift + (int32_t)LESS_BITS;
    uint32_t units = length_q20 >> (shift < 0 ? 0 : shift), squares = FAR_SQUARES;
    if (shift < 0)
        units = units < LONGEST_UNITS >> -shift ? units << -shift : LONGEST_UNITS;
    int32_t length = (int32_t)(units < LONGEST_UNITS ? units : LONGEST_UNITS);
    if (length < (int32_t)FAR_UNITS) {
        osc_shift_all(to_target, 3u, b->shift);
        uint32_t rest = osc_squares_q20(to_target[0], to_target[1], to_target[2]);
        uint32_t along = osc_squares_q20(osc_sub(b->along[1], b->along[0]), 0, 0);
        squares = rest < along ? 0u : rest - along;
    }
    *softened = false;
    if (soften_q15 < OSC_ONE_Q15) {
        if (squares != FAR_SQUARES)
            length = root_of_squares(squares);
        length = soften(b, soften_q15, length, softened);
        if (*softened)
            squares = (uint32_t)osc_product_q30(length, length) << 2;
    }
    return squares;
}

/* Computes half the rotation about the axis that gives the limb the length of `squares`. Returns
 * whether the limb can be that long. */
static bool bend(const bones *b, uint32_t squares, int32_t half[2])
{
    const int32_t *to_start = b->vector + TO_START;
    int32_t product = (int32_t)osc_root_of_product(b->squares[0], b->squares[1]);
    int32_t least = product >> REACH_BITS; /* smaller differences count as none */
    int32_t angles[5]; /* the present and the required angle, both of length `product` */
    int32_t along = osc_product_q30(bits18(b->along[0]), bits18(b->along[1]));
    angles[0] = osc_shl(osc_sub(osc_dot3_q30(to_start, 1u, b->vector + TO_END), along), 2u);
    angles[1] = osc_shl(osc_sub(0, osc_dot3_q30(to_start, 1u, b->vector + SIDE)), 2u);
    angles[2] = osc_sub((int32_t)((b->squares[0] + b->squares[1]) >> 1), (int32_t)(squares >> 1));
    bool there = angles[2] >= -product - least && angles[2] <= product + least;
    if (angles[2] > -product && angles[2] < product)
        angles[3] = (int32_t)osc_root_of_product((uint32_t)(product - angles[2]),
                                                 (uint32_t)(product + angles[2]));
    else
        angles[2] = angles[2] < 0 ? -product : product, angles[3] = 0;
    angles[4] = product;
    if (product == 0) {
        half[0] = OSC_ONE_Q20, half[1] = 0;
        return false;
    }
    osc_shift_all(angles, 5u, osc_shift_to((uint32_t)product, 18u));
    int32_t real = osc_dot2_q30(angles[2], angles[0], angles[3], angles[1]);
    int32_t imaginary = osc_dot2_q30(angles[3], angles[0], osc_sub(0, angles[2]), angles[1]);
    /* The half angle has the direction of the number plus its length or, on the left, of the length
     * minus the number, rotated by a quarter. */
    uint32_t large = (uint32_t)osc_product_q30(angles[4], angles[4]) + osc_size_of(real);
    uint32_t small = osc_size_of(imaginary);
    half[0] = (int32_t)(real < 0 ? small : large);
    half[1] = (int32_t)(real < 0 ? large : small);
    if (imaginary < 0)
        half[1] = osc_sub(0, half[1]);
    (void)osc_make_turn(half);
    return there;
}

OSC_HOT bool osc_ik_two_bone(const osc_ik_limb *limb, const osc_ik_goal *goal,
                             const osc_matrix *model, const osc_pose *pose)
{
    OSC_ASSERT(limb->start < limb->mid && limb->mid < limb->end);
    uint32_t weight_q15 = osc_ik_weight(goal->weight_q15);
    const int32_t local_axis[3] = {osc_low22(limb->mid_axis.x), osc_low22(limb->mid_axis.y),
                                   osc_low22(limb->mid_axis.z)};
    int32_t axes[9], turn[3], half[2], from[3], to[3], q[4];
    bones b;
    bool softened, scaled = pose->scales != 0;
    osc_ik_axes(&model[limb->mid], scaled, axes);
    OSC_UNROLLED
    for (uint32_t i = 0; i < 3u; i++)
        b.vector[AXIS + i] = osc_ik_dot(axes + i, 3u, local_axis);
    if (weight_q15 == 0u || !measure(limb, model, &b))
        return false;
    const int32_t *start = model[limb->start].m;
    from[0] = to[0] = osc_sub(goal->target.x, start[3]);
    from[1] = to[1] = osc_sub(goal->target.y, start[7]);
    from[2] = to[2] = osc_sub(goal->target.z, start[11]);
    uint32_t length_q20 = osc_make_unit(to);
    uint32_t squares = reach(&b, goal->soften_q15, from, length_q20, &softened);
    bool reached = bend(&b, squares, half) && !softened;

    OSC_UNROLLED
    for (uint32_t i = 0; i < 3u; i++)
        q[i] = osc_ik_product(local_axis[i], half[1]);
    q[3] = half[0];
    osc_ik_weigh(q, weight_q15);
    osc_ik_apply(&pose->rotations[limb->mid], q);

    /* From the start to the current end. */
    turn[0] = osc_half_up(osc_product_q30(half[0], half[0]), 9u) - OSC_ONE_Q20;
    turn[1] = osc_half_up(osc_product_q30(half[0], half[1]), 9u);
    turn[2] = osc_ik_product(bits18(b.along[1]), OSC_ONE_Q20 - turn[0]);
    OSC_UNROLLED
    for (uint32_t i = 0; i < 3u; i++)
        from[i] = osc_sub(osc_ik_dot(b.vector + TO_END + i, 3u, turn), b.vector[TO_START + i]);
    if (length_q20 == 0u || !osc_make_direction(from) ||
        !osc_ik_swing(from, to, b.vector + AXIS, &goal->pole, false, q))
        return false;
    osc_ik_weigh(q, weight_q15);
    osc_ik_axes(&model[limb->start], scaled, axes);
    osc_ik_apply_model(&pose->rotations[limb->start], axes, q);
    return reached && weight_q15 == OSC_ONE_Q15;
}
