/* Blends of rotations and of moves against double precision: also opposite ones, and weights at
 * both ends. */
#ifndef MIX_PROPERTIES_H
#define MIX_PROPERTIES_H

#include "arithmetic/osc_mix_arithmetic.h"
#include "bank/osc_bits.h"
#include "double_math.h"
#include "osc_mix.h"
#include "osc_motion.h"
#include "properties.h"

#define MIX_JOINTS 5u           /* four at a time, and one */
#define BLEND_Q20 90.5          /* 2^-13.5, of a component and of the length */
#define BLENDS_Q20 128.0        /* 2^-13, of the length after eight blends */
#define CHAIN_Q20 128.0         /* of three poses, finished */
#define ADD_Q20 128.0           /* 2^-13 */
#define CHAIN_LEAST_COSINE 4e-3 /* the same of rotations that are not finished */
#define LEAST_COSINE 1e-3       /* nearer to a right angle, a blend may go either way */
#define MOVE_SHARE 3.0517e-5    /* 2^-15 of the longer move */
#define MOVE_LEAST_DEGREES 15.0 /* from opposite */

enum {
    MIX_BLEND,
    MIX_LENGTH,
    MIX_BLENDS,
    MIX_CHAIN,
    MIX_ADD,
    MIX_ADD_LENGTH,
    MIX_MOVE,
    MIX_OPPOSITE,
    MIX_COUNT
};

static const property MIX_PROPERTIES[MIX_COUNT] = {
    [MIX_BLEND] = {.name = "blend of two, a component (2^-20)", .bound = BLEND_Q20},
    [MIX_LENGTH] = {.name = "blend of two, its length (2^-20)", .bound = BLEND_Q20},
    [MIX_BLENDS] = {.name = "eight blends, their length (2^-20)", .bound = BLENDS_Q20},
    [MIX_CHAIN] = {.name = "three poses, a component (2^-20)", .bound = CHAIN_Q20},
    [MIX_ADD] = {.name = "additive layer, a component (2^-20)", .bound = ADD_Q20},
    [MIX_ADD_LENGTH] = {.name = "additive layer, its length (2^-20)", .bound = ADD_Q20},
    [MIX_MOVE] = {.name = "blend of moves (share of the longer)", .bound = MOVE_SHARE},
    [MIX_OPPOSITE] = {.name = "blend of opposite moves, its length (the same)",
                      .bound = MOVE_SHARE},
};

/* A rotation that is opposite to another, equal, at a right angle in four dimensions, or any. */
static inline quat other_rotation(quat q, uint64_t *seed)
{
    switch (random_u32(seed) % 5u) {
    case 0:
        return (quat){scaled(q.v, -1.0), -q.w};
    case 1: /* half a turn and next to it: cosines near 0 */
        return product(q, about(random_direction(seed), PI + small_number(seed, -7.0, -1.0)));
    case 2:
        return product(q, about(random_direction(seed), small_number(seed, -7.0, -1.0)));
    default:
        return random_rotation(seed);
    }
}

static inline uint32_t any_weight(uint64_t *seed)
{
    uint32_t word = random_u32(seed), choice = word & 7u;
    if (choice < 2u)
        return choice * OSC_ONE_Q15;
    return choice == 2u   ? word >> 31
           : choice == 3u ? OSC_ONE_Q15 - (word >> 31)
                          : (word >> 8) % (OSC_ONE_Q15 + 1u);
}

static inline quat weighted_sum(quat a, double weight_a, quat b, double weight_b)
{
    return (quat){sum(scaled(a.v, weight_a), scaled(b.v, weight_b)),
                  a.w * weight_a + b.w * weight_b};
}

static inline double size_of_quat(quat q)
{
    return sqrt(dot(q.v, q.v) + q.w * q.w);
}

static inline double cosine_of(quat a, quat b)
{
    return dot(a.v, b.v) + a.w * b.w;
}

static inline quat normalised(quat q)
{
    double n = size_of_quat(q);
    return (quat){scaled(q.v, 1.0 / n), q.w / n};
}

static inline quat mixed(quat a, quat b, double weight)
{
    return weighted_sum(a, 1.0 - weight, b, cosine_of(a, b) < 0.0 ? -weight : weight);
}

static inline void judge_rotation(property *found, osc_quaternion got, quat wanted, uint64_t seed)
{
    quat q = quaternion_of(got);
    if (cosine_of(q, wanted) < 0.0)
        wanted = (quat){scaled(wanted.v, -1.0), -wanted.w};
    vec d = difference(q.v, wanted.v);
    judge(found, ONE * fmax(fmax(fabs(d.x), fabs(d.y)), fmax(fabs(d.z), fabs(q.w - wanted.w))),
          seed);
}

static inline void mix_case(property *found, uint64_t *seed)
{
    static uint32_t masks[2];
    masks[0] = osc_word((1u << MIX_JOINTS) - 1u);
    const osc_bank bank = {.joint_count = MIX_JOINTS, .subtrack_masks = masks};
    uint64_t began = *seed;
    osc_quaternion one[MIX_JOINTS], other[MIX_JOINTS], third[MIX_JOINTS], blend[MIX_JOINTS],
        chain[MIX_JOINTS], layer[MIX_JOINTS], blends[MIX_JOINTS];
    osc_vector none[MIX_JOINTS] = {{0, 0, 0}};
    const osc_pose b = {other, none, 0}, c = {third, none, 0};
    const osc_pose into = {blend, none, 0}, all = {chain, none, 0}, sum_pose = {layer, none, 0},
                   much = {blends, none, 0};
    for (uint32_t i = 0; i < MIX_JOINTS; i++) {
        quat q = random_rotation(seed);
        one[i] = quaternion_q20(q);
        other[i] = quaternion_q20(other_rotation(q, seed));
        third[i] = quaternion_q20(other_rotation(q, seed));
        blend[i] = chain[i] = layer[i] = blends[i] = one[i];
    }
    uint32_t weight = any_weight(seed), share = any_weight(seed);
    osc_mix_blend(&bank, &into, &b, weight, 0);
    osc_mix_toward(&bank, &all, &b, weight, 0);
    osc_mix_toward(&bank, &all, &c, share, 0);
    osc_mix_finish(&bank, &all);
    osc_mix_add(&bank, &sum_pose, &b, weight, 0);
    for (int i = 0; i < 8; i++)
        osc_mix_blend(&bank, &much, (i & 1) != 0 ? &b : &c, any_weight(seed), 0);
    double w = weight / 32768.0, s = share / 32768.0;
    for (uint32_t i = 0; i < MIX_JOINTS; i++) {
        judge(&found[MIX_BLENDS], ONE * fabs(size_of_quat(quaternion_of(blends[i])) - 1.0), began);
        quat p = quaternion_of(one[i]), q = quaternion_of(other[i]), r = quaternion_of(third[i]);
        quat two = mixed(p, q, w), three = mixed(two, r, s);
        judge(&found[MIX_LENGTH], ONE * fabs(size_of_quat(quaternion_of(blend[i])) - 1.0), began);
        judge(&found[MIX_ADD_LENGTH],
              ONE * fabs(size_of_quat(quaternion_of(layer[i])) - size_of_quat(p)), began);
        quat sides = {{0, 0, 0}, 1.0};
        if (fabs(q.w) > LEAST_COSINE)
            judge_rotation(&found[MIX_ADD], layer[i], product(p, normalised(mixed(sides, q, w))),
                           began);
        if (fabs(cosine_of(p, q)) < LEAST_COSINE)
            continue;
        judge_rotation(&found[MIX_BLEND], blend[i], normalised(two), began);
        if (fmin(fabs(cosine_of(two, r)), fabs(cosine_of(p, q))) > CHAIN_LEAST_COSINE)
            judge_rotation(&found[MIX_CHAIN], chain[i], normalised(three), began);
    }
}

/* Steps of a tick up to 4 km. */
static inline void move_case(property *found, uint64_t *seed)
{
    uint64_t began = *seed;
    double size = pow(10.0, uniform(seed, -3.0, 3.0)), ratio = pow(10.0, uniform(seed, -2.0, 0.0));
    double from = uniform(seed, -PI, PI), turned_by = uniform(seed, -PI, PI);
    uint32_t kind = random_u32(seed) & 3u, weight = any_weight(seed);
    if (kind == 0u)
        turned_by = PI;
    osc_vector one = to_q20((vec){size * sin(from), 0, size * cos(from)});
    osc_vector to = to_q20(
        (vec){ratio * size * sin(from + turned_by), 0, ratio * size * cos(from + turned_by)});
    if (kind == 0u) /* exactly opposite */
        to = (osc_vector){-one.x, 0, -one.z};
    osc_placement a = {one.x, random_i32(seed) >> 8, one.z, random_i32(seed) >> 8};
    osc_placement b = {to.x, random_i32(seed) >> 8, to.z, random_i32(seed) >> 8}, got;
    osc_placement_blend(&a, &b, weight, &got);
    double w = weight / 32768.0, length_a = hypot(a.x, a.z), length_b = hypot(b.x, b.z);
    double longer = fmax(length_a, length_b), wanted = length_a * (1.0 - w) + length_b * w;
    double scale = longer == 0.0 ? 1.0 : longer;
    vec da = length_a > 0.0 ? (vec){a.x / length_a, 0, a.z / length_a} : (vec){0, 0, 0};
    vec db = length_b > 0.0 ? (vec){b.x / length_b, 0, b.z / length_b} : (vec){0, 0, 0};
    vec d = sum(scaled(da, 1.0 - w), scaled(db, w));
    double off_y = fabs(got.y - (a.y + w * (b.y - (double)a.y)));
    double off_yaw = fabs(got.yaw_q24 - (a.yaw_q24 + w * (b.yaw_q24 - (double)a.yaw_q24)));
    if (fmax(off_y, off_yaw) > 0.5)
        judge(&found[MIX_MOVE], 1.0, began);
    double degrees = length_a * length_b > 0.0 ? degrees_between(da, db) : 0.0;
    if (degrees > 180.0 - MOVE_LEAST_DEGREES) {
        if (weight != OSC_ONE_Q15 / 2u || kind != 0u)
            judge(&found[MIX_OPPOSITE], (fabs(hypot(got.x, got.z) - wanted) - 2.0) / scale, began);
        else
            judge(&found[MIX_OPPOSITE], hypot(got.x, got.z), began);
        return;
    }
    if (length(d) > 0.0)
        d = unit(d);
    judge(&found[MIX_MOVE], (hypot(got.x - d.x * wanted, got.z - d.z * wanted) - 2.0) / scale,
          began);
}

#endif
