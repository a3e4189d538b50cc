/* Two bones that reach for a point, by the law of cosines.
 *
 * Lengths are in a unit of the limb's own, in which its bones have 17 bits: limbs of any size are
 * solved to the same share of their length. The angle at the middle joint is a complex number in
 * the plane across its axis. There is one of what the bones have and one of what they need; half
 * the angle of their quotient makes the quaternion. */
#include "arithmetic/osc_unit.h"
#include "ik/osc_ik_turn.h"

#define TOP_BIT 17u
#define LONG_UNITS (1u << 20)    /* more than any limb has */
#define LONGEST_UNITS (1u << 22) /* targets beyond are as good as that */

/* The two bones, from the middle joint to the start and to the end. */
typedef struct bones {
    int32_t vector[6];
    int32_t along[2];  /* the axis */
    int32_t across[2]; /* it; not negative */
    int32_t shift;     /* the unit is 2^(shift - 20) metres */
} bones;

static int32_t root_of_squares(uint32_t squares)
{
    return (int32_t)((osc_root_q15(squares) + 512u) >> 10);
}

static int32_t size_of(int32_t x)
{
    return (int32_t)osc_size_of(x);
}

/* False where all joints are at one place. */
static bool measure(const osc_ik_limb *limb, const osc_matrix *model, const int32_t axis[3],
                    bones *b)
{
    const int32_t *start = model[limb->start].m, *mid = model[limb->mid].m;
    const int32_t *end = model[limb->end].m;
    for (uint32_t i = 0; i < 3u; i++) {
        b->vector[i] = osc_sub(start[4u * i + 3u], mid[4u * i + 3u]);
        b->vector[3u + i] = osc_sub(end[4u * i + 3u], mid[4u * i + 3u]);
    }
    b->shift = osc_bring_to(b->vector, 6u, TOP_BIT);
    if (b->shift == OSC_NO_SHIFT)
        return false;
    for (uint32_t i = 0; i < 2u; i++) {
        const int32_t *bone = b->vector + 3u * i;
        int32_t along = osc_ik_dot(bone, 1u, axis);
        uint32_t squares = (uint32_t)osc_dot3_q30(bone, 1u, bone);
        uint32_t rest = squares - (uint32_t)osc_product_q30(along, along);
        b->along[i] = along;
        b->across[i] = root_of_squares(rest > squares ? 0u : rest);
    }
    return true;
}

/* How far the end is to be from the start, measured across the axis. */
static int32_t reach(const bones *b, uint32_t soften_q15, uint32_t length_q20, bool *reached)
{
    int32_t whole = b->across[0] + b->across[1], least = size_of(b->across[0] - b->across[1]);
    int32_t along = size_of(b->along[1] - b->along[0]), hard = whole, length;
    uint32_t units = length_q20 >> (b->shift < 0 ? 0 : b->shift);
    if (b->shift < 0)
        units = units < LONGEST_UNITS >> -b->shift ? units << -b->shift : LONGEST_UNITS;
    length = (int32_t)(units < LONGEST_UNITS ? units : LONGEST_UNITS);
    if (length <= along)
        length = 0;
    else if (length < (int32_t)LONG_UNITS)
        length = root_of_squares((uint32_t)osc_product_q30(length - along, length + along));
    if (soften_q15 < OSC_ONE_Q15)
        hard = osc_ik_product(whole, (int32_t)(soften_q15 << 5));
    *reached = length > least && length <= hard;
    if (length > hard && hard < whole) {
        /* The rest of the limb straightens as 1 - (3 / (3 + x))^4, which begins with slope 1. */
        int32_t soft = whole - hard;
        int32_t ratio = osc_ratio((uint32_t)(3 * soft), (uint32_t)(length - hard + 3 * soft));
        ratio = osc_ik_product(ratio, ratio);
        length = whole - osc_ik_product(soft, osc_ik_product(ratio, ratio));
    }
    return length < whole ? length : whole;
}

/* sqrt(p * q), to 15 bits. */
static int32_t geometric_mean(int32_t first, int32_t second)
{
    uint32_t p = (uint32_t)first, q = (uint32_t)second;
    if (p == 0u || q == 0u)
        return 0;
    uint32_t p_zeros = osc_leading_zeros(p), q_zeros = osc_leading_zeros(q),
             zeros = p_zeros + q_zeros;
    uint32_t product = ((p << p_zeros) >> 16) * ((q << q_zeros) >> 16) >> (zeros & 1u);
    return (int32_t)(osc_root_q15(product) >> ((zeros >> 1) - 1u));
}

/* The turn about the axis that makes the limb `length` long. side: the axis x the bone to the end.
 */
static void bend(const bones *b, const int32_t side[3], int32_t length, int32_t turn[3],
                 int32_t half[2])
{
    const int32_t *to_start = b->vector, *to_end = b->vector + 3;
    int32_t p = b->across[0], q = b->across[1], whole = p + q, least = size_of(p - q);
    int32_t angles[4]; /* what the bones have and what they need, both with the length p * q */
    angles[0] = osc_dot3_q30(to_start, 1u, to_end);
    angles[0] = osc_sub(angles[0], osc_product_q30(b->along[0], b->along[1]));
    angles[1] = osc_sub(0, osc_dot3_q30(to_start, 1u, side));
    angles[2] = osc_sub(osc_dot2_q30(p, p, q, q), osc_product_q30(length, length)) >> 1;
    angles[3] = length <= least ? 0
                                : geometric_mean(osc_product_q30(length - least, length + least),
                                                 osc_product_q30(whole - length, whole + length)) >>
                                      1;
    (void)osc_bring_to(angles, 4u, 18u);
    turn[0] = osc_dot2_q30(angles[2], angles[0], angles[3], angles[1]);
    turn[1] = osc_dot2_q30(angles[3], angles[0], osc_sub(0, angles[2]), angles[1]);
    turn[2] = 0;
    if (!osc_half_turn(turn, half)) {
        turn[0] = half[0] = OSC_ONE_Q20;
        half[1] = 0;
    }
}

OSC_HOT bool osc_ik_two_bone(const osc_ik_limb *limb, const osc_ik_goal *goal,
                             const osc_matrix *model, const osc_pose *pose)
{
    OSC_ASSERT(limb->start < limb->mid && limb->mid < limb->end);
    uint32_t weight_q15 = osc_ik_weight(goal->weight_q15);
    const int32_t local_axis[3] = {osc_low22(limb->mid_axis.x), osc_low22(limb->mid_axis.y),
                                   osc_low22(limb->mid_axis.z)};
    int32_t axes[9], axis[3], side[3], turn[3], half[2], from[3], to[3], q[4];
    bones b;
    bool reached, scaled = pose->scales != 0;
    osc_ik_axes(&model[limb->mid], scaled, axes);
    for (uint32_t i = 0; i < 3u; i++)
        axis[i] = osc_ik_dot(axes + i, 3u, local_axis);
    if (weight_q15 == 0u || !measure(limb, model, axis, &b))
        return false;
    const int32_t *start = model[limb->start].m;
    to[0] = osc_sub(goal->target.x, start[3]);
    to[1] = osc_sub(goal->target.y, start[7]);
    to[2] = osc_sub(goal->target.z, start[11]);
    uint32_t length_q20 = osc_make_unit(to);
    osc_cross_q20(axis, b.vector + 3, side);
    bend(&b, side, reach(&b, goal->soften_q15, length_q20, &reached), turn, half);

    for (uint32_t i = 0; i < 3u; i++)
        q[i] = osc_ik_product(local_axis[i], half[1]);
    q[3] = half[0];
    osc_ik_weigh(q, weight_q15);
    osc_ik_apply(&pose->rotations[limb->mid], q);

    /* From the start to where the end is now. */
    int32_t lift = osc_ik_product(b.along[1], OSC_ONE_Q20 - turn[0]);
    for (uint32_t i = 0; i < 3u; i++) {
        int32_t part = osc_dot2_q30(b.vector[3u + i], turn[0], side[i], turn[1]);
        part = osc_add(part, osc_product_q30(axis[i], lift));
        from[i] = osc_sub(osc_q20_of_q30(part), b.vector[i]);
    }
    if (length_q20 == 0u || osc_make_unit(from) == 0u ||
        !osc_ik_swing(from, to, axis, &goal->pole, false, q))
        return false;
    osc_ik_weigh(q, weight_q15);
    osc_ik_axes(&model[limb->start], scaled, axes);
    osc_ik_apply_model(&pose->rotations[limb->start], axes, q);
    return reached && weight_q15 == OSC_ONE_Q15;
}
