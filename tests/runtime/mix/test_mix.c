/* Mixing poses: against weighted sums in double precision, and results that have to be exact. */
#include "arithmetic/osc_mix_arithmetic.h"
#include "bank/osc_bits.h"
#include "check.h"
#include "osc_mix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_JOINTS 70u
#define ROUNDS 100000
#define ONE_Q40 ((int64_t)1 << 40)

/* In units of 2^-20: the largest error of a component, and of the length. */
#define BLEND_LIMIT_Q20 64.0
#define CHAIN_LIMIT_Q20 128.0             /* of up to six poses */
#define ADD_LIMIT_Q20 90.5                /* 2^-13.5 */
#define LENGTH_LIMIT_Q20 (32.0 + 1.0 / 8) /* of finished ones: squares are right to 2^-22 */
#define BLEND_LENGTH_LIMIT_Q20 64.0
#define ADD_LENGTH_LIMIT_Q20 90.5
#define BLENDS_LENGTH_LIMIT_Q20 96.0 /* of eight blends, one into the other */

typedef struct mixed_pose {
    osc_quaternion rotations[MAX_JOINTS];
    osc_vector translations[MAX_JOINTS], scales[MAX_JOINTS];
} mixed_pose;

typedef struct mixed_bank {
    osc_bank bank;
    uint32_t masks[9];
} mixed_bank;

static osc_pose view(mixed_pose *pose)
{
    osc_pose made = {pose->rotations, pose->translations, pose->scales};
    return made;
}

static bool has(const mixed_bank *made, uint32_t kind, uint32_t joint)
{
    uint32_t words = (made->bank.joint_count + 31u) >> 5;
    return (osc_word(made->masks[kind * words + (joint >> 5)]) >> (joint & 31u) & 1u) != 0u;
}

/* A skeleton with sub-tracks for some joints, or for all of them. */
static void random_bank(uint64_t *seed, mixed_bank *made)
{
    uint32_t joints = 1u + random_u32(seed) % MAX_JOINTS, choice = random_u32(seed) & 3u;
    uint32_t words = (joints + 31u) >> 5;
    memset(made, 0, sizeof *made);
    made->bank.joint_count = (uint16_t)joints;
    made->bank.has_scale = (random_u32(seed) & 1u) != 0u;
    made->bank.subtrack_masks = made->masks;
    for (uint32_t kind = 0; kind < (made->bank.has_scale ? 3u : 2u); kind++)
        for (uint32_t word = 0; word < words; word++) {
            uint32_t bits = choice == 0u ? 0xffffffffu : random_u32(seed) | random_u32(seed);
            if (word == words - 1u && (joints & 31u) != 0u)
                bits &= (1u << (joints & 31u)) - 1u;
            made->masks[kind * words + word] = osc_word(bits);
        }
}

static int32_t garbage(uint64_t *seed)
{
    uint32_t choice = random_u32(seed) & 7u;
    return choice == 0u ? 0 : random_i32(seed) >> (choice < 3u ? 0u : 11u);
}

static void random_pose(uint64_t *seed, mixed_pose *pose)
{
    int32_t *words = &pose->rotations[0].x;
    for (size_t i = 0; i < sizeof *pose / 4u; i++)
        words[i] = garbage(seed);
}

static void random_mask(uint64_t *seed, uint16_t mask[MAX_JOINTS])
{
    for (uint32_t i = 0; i < MAX_JOINTS; i++)
        mask[i] =
            (random_u32(seed) & 1u) != 0u && i != 0u ? mask[i - 1u] : (uint16_t)random_u32(seed);
}

static uint32_t random_weight(uint64_t *seed)
{
    uint32_t choice = random_u32(seed) & 7u;
    return choice == 0u ? 0u : choice == 1u ? 1u << 15 : random_u32(seed) & 0x7fffu;
}

static double length_of(const osc_quaternion *q)
{
    double x = q->x, y = q->y, z = q->z, w = q->w;
    return sqrt(x * x + y * y + z * z + w * w);
}

static void check_length(const osc_quaternion *q, double limit)
{
    assert_true(fabs(length_of(q) - OSC_ONE_Q20) <= limit);
}

/* Unit to within rounding; sometimes near an axis, where components are 0 or 1. */
static osc_quaternion random_unit(uint64_t *seed)
{
    double v[4], sum = 0;
    for (int i = 0; i < 4; i++) {
        v[i] = (double)(random_i32(seed) >> (random_u32(seed) & 7u ? 0 : 28));
        sum += v[i] * v[i];
    }
    double k = sum > 0 ? OSC_ONE_Q20 / sqrt(sum) : 0;
    osc_quaternion q = {(int32_t)lrint(v[0] * k), (int32_t)lrint(v[1] * k),
                        (int32_t)lrint(v[2] * k), (int32_t)lrint(v[3] * k)};
    if (sum == 0)
        q.w = OSC_ONE_Q20;
    return q;
}

/* A rotation that is not far from another. */
static osc_quaternion random_near(uint64_t *seed, const osc_quaternion *other)
{
    double share = (random_u32(seed) & 0xffffu) / 65536.0, v[4], sum = 0;
    const int32_t from[4] = {other->x, other->y, other->z, other->w};
    osc_quaternion to = random_unit(seed);
    const int32_t step[4] = {to.x, to.y, to.z, to.w};
    for (int i = 0; i < 4; i++) {
        v[i] = from[i] + share * step[i];
        sum += v[i] * v[i];
    }
    double k = OSC_ONE_Q20 / sqrt(sum + 1);
    osc_quaternion q = {(int32_t)lrint(v[0] * k), (int32_t)lrint(v[1] * k),
                        (int32_t)lrint(v[2] * k), (int32_t)lrint(v[3] * k)};
    return length_of(&q) > OSC_ONE_Q20 / 2 ? q : to;
}

static void check_near(const osc_quaternion *got, const double exact[4], double limit)
{
    double sum = 0;
    for (int i = 0; i < 4; i++)
        sum += exact[i] * exact[i];
    double k = OSC_ONE_Q20 / sqrt(sum);
    assert_true(fabs(got->x - exact[0] * k) <= limit && fabs(got->y - exact[1] * k) <= limit);
    assert_true(fabs(got->z - exact[2] * k) <= limit && fabs(got->w - exact[3] * k) <= limit);
}

/* A sum of rotations, each in the hemisphere of the sum before it. */
static double sum_up(double sum[4], const osc_quaternion *q, double weight)
{
    const double v[4] = {q->x, q->y, q->z, q->w};
    double dot = 0;
    for (int i = 0; i < 4; i++)
        dot += sum[i] * v[i];
    for (int i = 0; i < 4; i++)
        sum[i] += (dot < 0 ? -v[i] : v[i]) * weight;
    return fabs(dot);
}

static void two_rotations_blend_as_in_doubles(void **state)
{
    uint64_t seed = 61;
    (void)state;
    for (int i = 0; i < 10 * ROUNDS; i++) {
        osc_quaternion a = random_unit(&seed);
        osc_quaternion b = (i & 1) != 0 ? random_unit(&seed) : random_near(&seed, &a), got = a;
        uint32_t weight = random_weight(&seed);
        double w = weight / 32768.0;
        double exact[4] = {a.x * (1 - w), a.y * (1 - w), a.z * (1 - w), a.w * (1 - w)};
        double from[4] = {a.x, a.y, a.z, a.w};
        if (sum_up(from, &b, 0) < 4e-3 * ONE_Q40)
            continue; /* as far as can be: either way is the shorter one */
        const double v[4] = {b.x, b.y, b.z, b.w};
        double dot = 0;
        for (int j = 0; j < 4; j++)
            dot += from[j] * v[j];
        for (int j = 0; j < 4; j++)
            exact[j] += (dot < 0 ? -v[j] : v[j]) * w;
        osc_mix_unit_rotation(&got, &b, (int32_t)weight);
        check_near(&got, exact, BLEND_LIMIT_Q20);
        check_length(&got, BLEND_LENGTH_LIMIT_Q20);
    }
}

/* A blend's own rounding adds to the weighted errors of its inputs, and no more. */
static void blends_of_blends_stay_unit(void **state)
{
    uint64_t seed = 71;
    (void)state;
    for (int i = 0; i < ROUNDS; i++) {
        osc_quaternion got = random_unit(&seed);
        uint32_t most = (random_u32(&seed) & 1u) != 0u ? 32769u : 4096u;
        for (int step = 0; step < 8; step++) {
            osc_quaternion next = (i & 1) != 0 ? random_unit(&seed) : random_near(&seed, &got);
            osc_mix_unit_rotation(&got, &next, (int32_t)(random_u32(&seed) % most));
            check_length(&got, BLENDS_LENGTH_LIMIT_Q20);
        }
    }
}

/* The length of a blend is off by no more than the inputs are, and its own rounding. */
static void blends_pass_errors_of_lengths_on(void **state)
{
    uint64_t seed = 72;
    (void)state;
    for (int i = 0; i < ROUNDS; i++) {
        osc_quaternion pair[2] = {random_unit(&seed), random_unit(&seed)};
        double most = 0;
        for (int j = 0; j < 2; j++) {
            osc_quaternion *q = &pair[j];
            double factor = 1 + (random_i32(&seed) >> 20) / 2048.0 / 4096.0; /* by up to 2^-12 */
            q->x = (int32_t)lrint(q->x * factor), q->y = (int32_t)lrint(q->y * factor);
            q->z = (int32_t)lrint(q->z * factor), q->w = (int32_t)lrint(q->w * factor);
            most = fmax(most, fabs(length_of(q) - OSC_ONE_Q20));
        }
        osc_mix_unit_rotation(&pair[0], &pair[1], (int32_t)random_weight(&seed));
        check_length(&pair[0], most + BLEND_LENGTH_LIMIT_Q20);
    }
}

/* Near enough to each other that they all are in one hemisphere. */
static void many_rotations_blend_as_in_doubles(void **state)
{
    uint64_t seed = 62;
    (void)state;
    for (int i = 0; i < ROUNDS; i++) {
        osc_quaternion first = random_unit(&seed), sum = first;
        uint32_t count = 2u + random_u32(&seed) % 5u, total = random_u32(&seed) & 0xffffu;
        double exact[4] = {first.x * (double)total, first.y * (double)total,
                           first.z * (double)total, first.w * (double)total};
        total += total == 0u ? 1u : 0u;
        exact[3] += total == 1u && exact[3] == 0 ? first.w : 0;
        if (total == 1u)
            exact[0] = first.x, exact[1] = first.y, exact[2] = first.z, exact[3] = first.w;
        for (uint32_t j = 1; j < count; j++) {
            osc_quaternion next = random_near(&seed, &first);
            uint32_t weight = random_u32(&seed) & 0xffffu;
            total += weight;
            (void)sum_up(exact, &next, weight);
            osc_mix_rotations(&sum, &next, 1u, (int32_t)osc_mix_share(weight, total));
        }
        osc_unit_rotation(&sum);
        double size = 0;
        for (int j = 0; j < 4; j++)
            size += exact[j] * exact[j];
        if (sqrt(size) < 0.7 * OSC_ONE_Q20 * total)
            continue;
        check_near(&sum, exact, CHAIN_LIMIT_Q20);
        check_length(&sum, LENGTH_LIMIT_Q20);
    }
}

static void lengths_become_one(void **state)
{
    uint64_t seed = 63;
    (void)state;
    for (int i = 0; i < 10 * ROUNDS; i++) {
        osc_quaternion q = random_unit(&seed), from;
        double factor = (random_u32(&seed) & 0xffffu) / 65536.0 * 1.4;
        for (uint32_t down = random_u32(&seed) % 24u; down != 0u; down--)
            factor *= 0.5;
        q.x = (int32_t)lrint(q.x * factor), q.y = (int32_t)lrint(q.y * factor);
        q.z = (int32_t)lrint(q.z * factor), q.w = (int32_t)lrint(q.w * factor);
        from = q;
        osc_unit_rotation(&q);
        check_length(&q, LENGTH_LIMIT_Q20);
        if ((from.x | from.y | from.z | from.w) != 0) {
            const double exact[4] = {from.x, from.y, from.z, from.w};
            check_near(&q, exact, LENGTH_LIMIT_Q20 + 2);
        }
        from = q;
        osc_unit_rotation(&q);
        assert_memory_equal(&q, &from, sizeof q);
    }
    osc_quaternion near = {0, 0, 0, OSC_ONE_Q20 + 31}, far = {0, 0, 0, OSC_ONE_Q20 + 32};
    osc_unit_rotation(&near);
    assert_int_equal(near.w, OSC_ONE_Q20 + 31); /* within 2^-15 of one */
    osc_unit_rotation(&far);
    assert_in_range(far.w, OSC_ONE_Q20 - 1, OSC_ONE_Q20 + 1);
    osc_quaternion half = {1 << 18, -(1 << 18), 0, 0}; /* of half the squared length when doubled */
    osc_unit_rotation(&half);
    assert_int_equal(half.x, -half.y);
    osc_quaternion quarter = {1 << 16, 1 << 16, 1 << 16,
                              1 << 16}; /* of a quarter, as brought to 19 bits */
    osc_unit_rotation(&quarter);
    assert_true(quarter.x == OSC_ONE_Q20 / 2 - 3 && quarter.w == OSC_ONE_Q20 / 2 - 3);
    osc_quaternion long_one = {OSC_ONE_Q20 / 8, 0, 0,
                               OSC_ONE_Q20}; /* just too long for a stretch */
    osc_unit_rotation(&long_one);
    assert_true(long_one.x == 130058 && long_one.w == 1040471);
}

static void any_numbers_become_a_rotation(void **state)
{
    static const int32_t sizes[] = {0,   1,       -1,         2,       -255,
                                    256, 1 << 19, -(1 << 19), 1 << 20, -(1 << 20)};
    const size_t count = sizeof sizes / sizeof sizes[0];
    (void)state;
    for (size_t i = 0; i < count * count * count * count; i++) {
        osc_quaternion q = {sizes[i % count], sizes[i / count % count],
                            sizes[i / count / count % count], sizes[i / count / count / count]};
        bool none = (q.x | q.y | q.z | q.w) == 0;
        if (length_of(&q) > 1.41 * OSC_ONE_Q20)
            continue;
        osc_quaternion many[2] = {q, q};
        osc_unit_rotation(&q);
        osc_unit_each_rotation(many, 2u);
        assert_true(memcmp(&many[0], &q, sizeof q) == 0 && memcmp(&many[1], &q, sizeof q) == 0);
        check_length(&q, LENGTH_LIMIT_Q20);
        if (none)
            assert_true(q.x == 0 && q.y == 0 && q.z == 0 && q.w == OSC_ONE_Q20);
    }
}

static void stretches_are_right_to_16_bits(void **state)
{
    (void)state;
    const int32_t first = osc_missing_q16(OSC_STRETCH_END_Q31 - 1u);
    const int32_t last = osc_missing_q16(OSC_STRETCH_LEAST_Q31);
    assert_int_equal(last, 1 << 15);
    assert_true(first < 0);
    for (int32_t u = first; u <= last; u++) {
        int32_t stretch = osc_stretch_q16(u);
        double length = (1.0 + stretch / 65536.0) * sqrt(1.0 - u / 65536.0);
        assert_true(fabs(length - 1.0) <= 1.2e-5);
        assert_in_range(stretch + 1024, 0, 1024 + 32767);
    }
    assert_int_equal(osc_stretch_q16(0), 0);
    assert_int_equal(osc_missing_q16(OSC_UNIT_Q31), 0);
    assert_int_equal(osc_missing_q16(OSC_UNIT_Q31 - (1u << 14)), 1);
}

static void equal_rotations_and_weight_zero_stay(void **state)
{
    uint64_t seed = 64;
    (void)state;
    for (int i = 0; i < ROUNDS; i++) {
        mixed_pose from, got;
        random_pose(&seed, &from);
        got = from;
        osc_quaternion unit = random_unit(&seed), same = unit;
        osc_mix_rotations(&got.rotations[0], &from.rotations[1], 1u, 0);
        osc_mix_vector(&got.translations[0], &from.translations[1], 0);
        osc_mix_vector(&got.translations[2], &from.translations[2], (int32_t)random_weight(&seed));
        osc_add_vector(&got.translations[3], &from.translations[1], 0);
        osc_add_scales(&got.scales[0], &from.scales[1], 1u, 0);
        assert_memory_equal(&got, &from, sizeof got);
        osc_mix_vector(&got.translations[0], &from.translations[1], OSC_ONE_Q15);
        assert_memory_equal(&got.translations[0], &from.translations[1], sizeof(osc_vector));
        osc_mix_unit_rotation(&unit, &same, (int32_t)random_weight(&seed));
        assert_memory_equal(&unit, &same, sizeof unit);
        osc_mix_unit_rotation(&unit, &from.rotations[0], 0);
        osc_add_rotation(&unit, &from.rotations[0], 0);
        assert_memory_equal(&unit, &same, sizeof unit);
    }
}

static void only_near_rotations_are_not_stretched(void **state)
{
    static const int32_t near = 1 << 17, one = 1 << 30, sag_q15 = 1 << 14;
    (void)state;
    for (int32_t apart = 0; apart < near; apart += 999) {
        assert_int_equal(osc_dot_stretch_q16(one - apart, sag_q15), 0);
        assert_int_equal(osc_dot_stretch_q16(apart - one, sag_q15), 0);
    }
    assert_int_equal(osc_dot_stretch_q16(one - near + 1, sag_q15), 0);
    assert_int_equal(osc_dot_stretch_q16(one - near, sag_q15), 2);
    assert_int_equal(osc_dot_stretch_q16(near - one, sag_q15), 2);
}

static int32_t exactly_weighted(int64_t x, int64_t weight)
{
    return (int32_t)(uint32_t)((x * weight + 0x4000) >> 15);
}

static void vectors_are_exact_and_rounded_once(void **state)
{
    uint64_t seed = 65;
    (void)state;
    for (int i = 0; i < ROUNDS; i++) {
        int32_t x = random_i32(&seed), factor = random_i32(&seed);
        int32_t weight = (int32_t)random_weight(&seed);
        assert_int_equal(osc_weighted(x, weight), exactly_weighted(x, weight));
        int32_t more = exactly_weighted(osc_sub(factor, OSC_ONE_Q20), weight);
        int64_t product = ((int64_t)x * more + (1 << 19)) >> 20;
        assert_int_equal(osc_scaled(x, factor, weight), osc_add(x, (int32_t)(uint32_t)product));
        assert_int_equal(osc_stretched(x, weight - 1024),
                         osc_add(x, (int32_t)(uint32_t)(((int64_t)x * (weight - 1024)) >> 16)));
    }
}

static void product_of(const double a[4], const double b[4], double out[4])
{
    out[0] = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
    out[1] = a[3] * b[1] + a[1] * b[3] + a[2] * b[0] - a[0] * b[2];
    out[2] = a[3] * b[2] + a[2] * b[3] + a[0] * b[1] - a[1] * b[0];
    out[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
}

static void layers_add_as_in_doubles(void **state)
{
    uint64_t seed = 66;
    (void)state;
    for (int i = 0; i < 5 * ROUNDS; i++) {
        osc_quaternion base = random_unit(&seed), delta = random_unit(&seed), got = base;
        uint32_t weight = random_weight(&seed);
        double w = weight / 32768.0, sign = delta.w < 0 ? -w : w;
        double d[4] = {delta.x * sign, delta.y * sign, delta.z * sign,
                       delta.w * sign + (1 - w) * OSC_ONE_Q20};
        const double b[4] = {base.x, base.y, base.z, base.w};
        double exact[4];
        if (delta.w > -64 && delta.w < 64)
            continue; /* a half turn either way */
        product_of(b, d, exact);
        osc_add_rotation(&got, &delta, (int32_t)weight);
        check_near(&got, exact, ADD_LIMIT_Q20);
        check_length(&got, ADD_LENGTH_LIMIT_Q20);
    }
}

/* The whole pose, and back; joints without sub-tracks keep their values. */
static void differences_lead_back(void **state)
{
    uint64_t seed = 67;
    (void)state;
    for (int i = 0; i < 1000; i++) {
        mixed_bank made;
        mixed_pose from, to, difference, got;
        random_bank(&seed, &made);
        for (uint32_t joint = 0; joint < MAX_JOINTS; joint++) {
            from.rotations[joint] = random_unit(&seed);
            to.rotations[joint] = random_unit(&seed);
            int32_t *a = &from.translations[joint].x, *b = &to.translations[joint].x;
            int32_t *j = &from.scales[joint].x, *k = &to.scales[joint].x;
            for (int c = 0; c < 3; c++) {
                a[c] = random_i32(&seed), b[c] = random_i32(&seed);
                j[c] = (1 << 18) + (int32_t)(random_u32(&seed) >> 11);
                k[c] = (1 << 18) + (int32_t)(random_u32(&seed) >> 11);
            }
        }
        osc_pose one = view(&from), other = view(&to), layer = view(&difference), mix = view(&got);
        osc_mix_difference(&made.bank, &layer, &other, &one);
        got = from;
        osc_mix_add(&made.bank, &mix, &layer, OSC_ONE_Q15, 0);
        for (uint32_t joint = 0; joint < made.bank.joint_count; joint++) {
            osc_quaternion expected = to.rotations[joint], q = got.rotations[joint];
            double exact[4] = {expected.x, expected.y, expected.z, expected.w};
            if ((double)q.x * exact[0] + (double)q.y * exact[1] + (double)q.z * exact[2] +
                    (double)q.w * exact[3] <
                0)
                for (int c = 0; c < 4; c++)
                    exact[c] = -exact[c];
            if (has(&made, 0, joint))
                check_near(&q, exact, 2 * ADD_LIMIT_Q20);
            else
                assert_memory_equal(&q, &from.rotations[joint], sizeof q);
            assert_memory_equal(&got.translations[joint],
                                has(&made, 1, joint) ? &to.translations[joint]
                                                     : &from.translations[joint],
                                sizeof(osc_vector));
            if (!made.bank.has_scale || !has(&made, 2, joint)) {
                assert_memory_equal(&got.scales[joint], &from.scales[joint], sizeof(osc_vector));
            } else {
                const int32_t *k = &got.scales[joint].x, *e = &to.scales[joint].x;
                const int32_t *j = &from.scales[joint].x;
                for (int c = 0; c < 3; c++)
                    assert_true(abs(k[c] - e[c]) <= (j[c] + e[c]) >> 14);
            }
        }
        /* nothing to add where nothing differs */
        osc_mix_difference(&made.bank, &layer, &one, &one);
        got = from;
        osc_mix_add(&made.bank, &mix, &layer, random_weight(&seed), 0);
        assert_memory_equal(&got, &from, sizeof got);
    }
}

/* Differences go the shorter way, so that any share of one does. A half turn keeps its direction.
 */
static void differences_go_the_shorter_way(void **state)
{
    uint64_t seed = 71;
    mixed_bank made = {.bank = {.joint_count = 1}};
    mixed_pose from, to, difference;
    osc_pose one = view(&from), other = view(&to), layer = view(&difference);
    (void)state;
    memset(&from, 0, sizeof from);
    memset(&to, 0, sizeof to);
    for (int i = 0; i < ROUNDS; i++) {
        from.rotations[0] = random_unit(&seed);
        to.rotations[0] = random_unit(&seed);
        osc_mix_difference(&made.bank, &layer, &other, &one);
        assert_true(difference.rotations[0].w >= -(1 << 6)); /* 2^-14 */
    }
    for (int i = 0; i < 3; i++) {
        int32_t *turn = &to.rotations[0].x;
        for (int sign = -OSC_ONE_Q20; sign <= OSC_ONE_Q20; sign += 2 * OSC_ONE_Q20) {
            from.rotations[0] = (osc_quaternion){0, 0, 0, OSC_ONE_Q20};
            to.rotations[0] = (osc_quaternion){0, 0, 0, 0};
            turn[i] = sign;
            osc_mix_difference(&made.bank, &layer, &other, &one);
            assert_memory_equal(&difference.rotations[0], turn, sizeof(osc_quaternion));
        }
    }
}

static void quotients_of_scales_have_signs_and_an_end(void **state)
{
    mixed_bank made = {.bank = {.joint_count = 1, .has_scale = true}};
    mixed_pose from, to, difference;
    memset(&from, 0, sizeof from);
    memset(&to, 0, sizeof to);
    (void)state;
    from.scales[0] = (osc_vector){-(1 << 20), 1 << 21, 0};
    to.scales[0] = (osc_vector){1 << 20, 1 << 20, 1 << 20};
    osc_pose one = view(&from), other = view(&to), layer = view(&difference);
    osc_mix_difference(&made.bank, &layer, &other, &one);
    assert_int_equal(difference.scales[0].x, -(1 << 20));
    assert_int_equal(difference.scales[0].y, 1 << 19);
    assert_int_equal(difference.scales[0].z, 65 << 20);
}

/* By tables and in runs, with any mask, as joint by joint. */
static void poses_mix_joint_by_joint(void **state)
{
    uint64_t seed = 68;
    (void)state;
    for (int i = 0; i < 3000; i++) {
        mixed_bank made;
        mixed_pose from, with, got, expected, blended, both, added, sum;
        uint16_t mask[MAX_JOINTS];
        random_bank(&seed, &made);
        random_pose(&seed, &from);
        random_pose(&seed, &with);
        random_mask(&seed, mask);
        const uint16_t *factors = (random_u32(&seed) & 1u) != 0u ? mask : 0;
        uint32_t weight = random_weight(&seed);
        got = expected = blended = both = added = sum = from;
        osc_pose mix = view(&got), other = view(&with), blend = view(&blended), add = view(&added);
        for (uint32_t joint = 0; joint < made.bank.joint_count; joint++) {
            int32_t w = factors == 0 ? (int32_t)weight : osc_masked_weight(weight, mask[joint]);
            if (has(&made, 0, joint)) {
                osc_mix_rotations(&expected.rotations[joint], &with.rotations[joint], 1u, w);
                osc_mix_unit_rotation(&both.rotations[joint], &with.rotations[joint], w);
                osc_add_rotation(&sum.rotations[joint], &with.rotations[joint], w);
            }
            if (has(&made, 1, joint)) {
                osc_mix_vector(&expected.translations[joint], &with.translations[joint], w);
                osc_add_vector(&sum.translations[joint], &with.translations[joint], w);
            }
            if (made.bank.has_scale && has(&made, 2, joint)) {
                osc_mix_vector(&expected.scales[joint], &with.scales[joint], w);
                osc_add_scales(&sum.scales[joint], &with.scales[joint], 1u, w);
            }
        }
        osc_mix_toward(&made.bank, &mix, &other, weight, factors);
        assert_memory_equal(&got, &expected, sizeof got);
        memcpy(both.translations, got.translations, sizeof got.translations);
        memcpy(both.scales, got.scales, sizeof got.scales);
        osc_mix_blend(&made.bank, &blend, &other, weight, factors);
        assert_memory_equal(&blended, &both, sizeof both);
        osc_mix_finish(&made.bank, &mix);
        osc_mix_add(&made.bank, &add, &other, weight, factors);
        assert_memory_equal(&added, &sum, sizeof sum);
        for (uint32_t joint = 0; joint < made.bank.joint_count; joint++)
            if (has(&made, 0, joint))
                osc_unit_rotation(&expected.rotations[joint]);
        assert_memory_equal(&got, &expected, sizeof got);
    }
}

static void poses_without_scale_need_no_array(void **state)
{
    uint64_t seed = 69;
    (void)state;
    mixed_bank made;
    mixed_pose from, with, layer;
    do
        random_bank(&seed, &made);
    while (made.bank.has_scale);
    random_pose(&seed, &from);
    random_pose(&seed, &with);
    osc_pose mix = {from.rotations, from.translations, 0};
    const osc_pose other = {with.rotations, with.translations, 0};
    const osc_pose difference = {layer.rotations, layer.translations, 0};
    osc_mix_blend(&made.bank, &mix, &other, 1234, 0);
    osc_mix_difference(&made.bank, &difference, &other, &mix);
    osc_mix_add(&made.bank, &mix, &difference, 1234, 0);
}

static void shares_are_rounded_quotients(void **state)
{
    uint64_t seed = 70;
    (void)state;
    assert_int_equal(osc_mix_share(0, 0), 0);
    assert_int_equal(osc_mix_share(65535, 65535), OSC_ONE_Q15);
    for (int i = 0; i < ROUNDS; i++) {
        uint32_t weight = random_u32(&seed) & 0xffffu;
        uint32_t total = weight + (random_u32(&seed) >> (1u + random_u32(&seed) % 31u));
        if (total != 0u)
            assert_int_equal(osc_mix_share(weight, total),
                             (((uint64_t)weight << 15) + total / 2u) / total);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_rotations_blend_as_in_doubles),
        cmocka_unit_test(blends_of_blends_stay_unit),
        cmocka_unit_test(blends_pass_errors_of_lengths_on),
        cmocka_unit_test(many_rotations_blend_as_in_doubles),
        cmocka_unit_test(lengths_become_one),
        cmocka_unit_test(any_numbers_become_a_rotation),
        cmocka_unit_test(stretches_are_right_to_16_bits),
        cmocka_unit_test(equal_rotations_and_weight_zero_stay),
        cmocka_unit_test(only_near_rotations_are_not_stretched),
        cmocka_unit_test(vectors_are_exact_and_rounded_once),
        cmocka_unit_test(layers_add_as_in_doubles),
        cmocka_unit_test(differences_lead_back),
        cmocka_unit_test(differences_go_the_shorter_way),
        cmocka_unit_test(quotients_of_scales_have_signs_and_an_end),
        cmocka_unit_test(poses_mix_joint_by_joint),
        cmocka_unit_test(poses_without_scale_need_no_array),
        cmocka_unit_test(shares_are_rounded_quotients),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
