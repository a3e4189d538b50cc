/* SPDX-License-Identifier: MIT */
/* Chains of joints that look at a point, from the eyes down: each joint makes its share of the
 * remaining rotation, and the eyes move with it. */
#include "ik/osc_ik_turn.h"

#define LOOK_TOP_BIT 18u

/* The direction that aims, in model space. */
typedef struct eyes {
    int32_t forward[3];
    int32_t up[3];
    osc_vector place;
} eyes;

/* Computes the direction to rotate towards the target: to the point of the line of sight that is as
 * far from the joint as the target. arm: from the joint to the eyes; to: to the target. Both are
 * scaled to one unit, 2^(shift - 20) metres. Returns false if there is no such point. */
static bool aimed(int32_t arm_to[6], const int32_t forward[3], int32_t from[3], int32_t *shift)
{
    const int32_t *arm = arm_to, *to = arm_to + 3;
    bool bare = (arm[0] | arm[1] | arm[2]) == 0;
    *shift = bare ? 0 : osc_bring_to(arm_to, 6u, LOOK_TOP_BIT);
    OSC_UNROLLED
    for (uint32_t i = 0; i < 3u; i++)
        from[i] = forward[i];
    if (bare)
        return true;
    int32_t ahead = osc_ik_dot(arm, 1u, forward);
    int32_t squares = osc_sub(osc_dot3_q30(to, 1u, to), osc_dot3_q30(arm, 1u, arm));
    squares = osc_add(squares, osc_product_q30(ahead, ahead));
    int32_t root = (int32_t)((osc_root_q15(squares < 0 ? 0u : (uint32_t)squares) + 512u) >> 10);
    OSC_UNROLLED
    for (uint32_t i = 0; i < 3u; i++)
        from[i] = osc_add(arm[i], osc_ik_product(forward[i], root - ahead));
    (void)osc_make_direction(from);
    return squares >= 0;
}

/* Limits a rotation to twice the angle of a cosine. Returns whether it was within the limit. */
static bool keep_limit(int32_t q[4], uint32_t limit_q15)
{
    if (q[3] >= (int32_t)(limit_q15 << 5))
        return true;
    int32_t sine_q20 = (int32_t)(osc_root_q15((1u << 30) - limit_q15 * limit_q15) >> 10);
    (void)osc_make_direction(q);
    OSC_UNROLLED
    for (uint32_t i = 0; i < 3u; i++)
        q[i] = osc_ik_product(q[i], sine_q20);
    q[3] = (int32_t)(limit_q15 << 5);
    return false;
}

static void turn(const int32_t q[4], int32_t v[3])
{
    int32_t once[3], twice[3];
    osc_cross_q20(q, v, once);
    osc_cross_q20(q, once, twice);
    OSC_UNROLLED
    for (uint32_t i = 0; i < 3u; i++)
        v[i] =
            osc_low22(osc_add(v[i], osc_shl(osc_add(osc_ik_product(q[3], once[i]), twice[i]), 1u)));
}

static int32_t shifted_back(int32_t x, int32_t shift)
{
    return shift < 0 ? osc_half_up(x, (uint32_t)-shift) : osc_shl(x, (uint32_t)shift);
}

OSC_HOT bool osc_ik_aim(const osc_ik_chain *chain, const osc_ik_look *look, const osc_matrix *model,
                        const osc_pose *pose)
{
    const osc_ik_link *link = chain->links, *end = link + chain->count;
    uint32_t weight_q15 = osc_ik_weight(look->weight_q15);
    bool scaled = pose->scales != 0, there = false;
    int32_t axes[9], arm_to[6], from[3], q[4], shift;
    const int32_t forward[3] = {osc_low22(chain->forward.x), osc_low22(chain->forward.y),
                                osc_low22(chain->forward.z)};
    const int32_t up[3] = {osc_low22(chain->up.x), osc_low22(chain->up.y), osc_low22(chain->up.z)};
    eyes e;
    if (weight_q15 == 0u)
        return false;
    for (; link != end; link++) {
        const osc_matrix *matrix = &model[link->joint];
        const int32_t *m = matrix->m;
        osc_ik_axes(matrix, scaled, axes);
        if (link == chain->links) {
            OSC_UNROLLED
            for (uint32_t i = 0; i < 3u; i++) {
                e.forward[i] = osc_ik_dot(axes + i, 3u, forward);
                e.up[i] = osc_ik_dot(axes + i, 3u, up);
            }
            e.place = (osc_vector){m[3], m[7], m[11]};
            if ((chain->offset.x | chain->offset.y | chain->offset.z) != 0)
                osc_matrix_point(matrix, &chain->offset, &e.place);
        }
        arm_to[0] = osc_sub(e.place.x, m[3]);
        arm_to[1] = osc_sub(e.place.y, m[7]);
        arm_to[2] = osc_sub(e.place.z, m[11]);
        arm_to[3] = osc_sub(look->target.x, m[3]);
        arm_to[4] = osc_sub(look->target.y, m[7]);
        arm_to[5] = osc_sub(look->target.z, m[11]);
        there = aimed(arm_to, e.forward, from, &shift);
        uint32_t share_q15 = osc_ik_weight(link->weight_q15) * weight_q15 >> 15;
        if (share_q15 == 0u || !osc_make_direction(arm_to + 3) ||
            !osc_ik_swing(from, arm_to + 3, e.up, &look->pole, true, q)) {
            there = false;
            continue;
        }
        osc_ik_weigh(q, share_q15);
        there = keep_limit(q, link->limit_q15) && there && share_q15 == OSC_ONE_Q15;
        osc_ik_apply_model(&pose->rotations[link->joint], axes, q);
        if (link + 1 == end)
            break;
        turn(q, e.forward);
        turn(q, e.up);
        turn(q, arm_to);
        e.place.x = osc_add(m[3], shifted_back(arm_to[0], shift));
        e.place.y = osc_add(m[7], shifted_back(arm_to[1], shift));
        e.place.z = osc_add(m[11], shifted_back(arm_to[2], shift));
    }
    return there;
}
