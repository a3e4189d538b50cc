/* The packings of rotations in the curve and the transform codec, against quaternions in double
 * precision: a rotation is the same from any three of its components that say enough about it. */
#include "arithmetic/osc_fixed.h"
#include "check.h"
#include "codecs/osc_curve_arithmetic.h"
#include "codecs/osc_curve_dense.h"
#include "codecs/osc_transform_arithmetic.h"
#include "ossicle.h"

#include <math.h>

enum { ROUNDS = 20000, TURNED = 12, FOUR = 12, VECTOR = 13, OFF = 8 };

static const double one = OSC_ONE_Q20;

static double random_part(uint64_t *seed)
{
    return random_u32(seed) / 4294967295.0 * 2.0 - 1.0;
}

/* A unit quaternion. */
static void random_rotation(uint64_t *seed, double q[4])
{
    double squares;
    do {
        squares = 0;
        for (int i = 0; i < 4; i++) {
            q[i] = random_part(seed);
            squares += q[i] * q[i];
        }
    } while (squares < 0.1 || squares > 1.0);
    for (int i = 0; i < 4; i++)
        q[i] /= sqrt(squares);
}

/* (sign + i + j + k) / 2 times q, with x y z w. */
static void turn(const double q[4], double sign, double to[4])
{
    double x = q[0], y = q[1], z = q[2], w = q[3];
    to[0] = (sign * x + w + z - y) / 2;
    to[1] = (sign * y + w + x - z) / 2;
    to[2] = (sign * z + w + y - x) / 2;
    to[3] = (sign * w - x - y - z) / 2;
}

/* The components of a rotation that a packing codes: packings 4..7 turn forward, 8..11 back. */
static void coded_of(const double q[4], uint32_t packing, double coded[4])
{
    if (packing < 4u || packing >= FOUR) {
        for (int i = 0; i < 4; i++)
            coded[i] = q[i];
        return;
    }
    turn(q, packing < 8u ? -1.0 : 1.0, coded);
    for (int i = 0; i < 4; i++)
        coded[i] = packing < 8u ? -coded[i] : coded[i];
}

static int32_t q20(double value)
{
    return (int32_t)lround(value * one);
}

/* q or, as another sign of the component that is rebuilt gives it, its negative. */
static void expect_rotation(const int32_t made[4], const double q[4], double sign)
{
    for (int i = 0; i < 4; i++)
        assert_true(fabs(made[i] - sign * q[i] * one) <= OFF);
}

static void a_rotation_is_the_same_in_all_packings(void **state)
{
    uint64_t seed = 1;
    (void)state;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        uint32_t packing = round % TURNED, dropped = packing & 3u;
        double q[4], coded[4];
        random_rotation(&seed, q);
        coded_of(q, packing, coded);
        if (fabs(coded[dropped]) < 0.4)
            continue; /* the other three say too little about it */
        double sign = coded[dropped] < 0.0 ? -1.0 : 1.0;
        int32_t row[4], made[4], values[4] = {0, 0, 0, 0};
        for (uint32_t i = 0; i < 4u; i++)
            row[i] = q20(sign * coded[i]);
        row[dropped] = 12345;
        for (uint32_t i = 0; i < 3u; i++)
            values[i] = row[(dropped + 1u + i) & 3u];
        osc_transform_finish(row, packing);
        expect_rotation(row, q, sign);
        osc_curve_finish(made, values, packing);
        assert_memory_equal(made, row, sizeof row);
    }
}

/* Four components need not be of unit length: one codec scales them, the other one takes the
 * largest from the others. */
static void four_components_become_unit(void **state)
{
    uint64_t seed = 2;
    (void)state;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        double q[4], largest = 0;
        int32_t scaled[4], exact[4], made[4], most = 0;
        random_rotation(&seed, q);
        double length = 1.0 + random_part(&seed) / 256.0;
        for (int i = 0; i < 4; i++) {
            scaled[i] = q20(q[i] * length);
            exact[i] = q20(q[i]);
            if (fabs(q[i]) > largest) {
                largest = fabs(q[i]);
                most = i;
            }
        }
        osc_transform_finish(scaled, FOUR);
        expect_rotation(scaled, q, 1.0);
        exact[most] += exact[most] < 0 ? -777 : 777; /* still the largest */
        osc_curve_finish(made, exact, FOUR);
        expect_rotation(made, q, 1.0);
    }
}

/* The sign of a largest component of zero is positive, also in the first row of a block. */
static void zeros_become_a_positive_rotation(void **state)
{
    static const int32_t zeros[4];
    int32_t row[4] = {0}, previous[4] = {0};
    osc_curve_dense_four track = {0};
    (void)state;
    osc_curve_finish(row, zeros, FOUR);
    assert_int_equal(row[0] + row[1] + row[2] + row[3], OSC_ONE_Q20);
    (void)osc_curve_fill_four(0, &track, true, row, previous);
    assert_int_equal(row[0] + row[1] + row[2] + row[3], OSC_ONE_Q20);
}

static void vectors_stay_as_they_are(void **state)
{
    int32_t row[4] = {INT32_MIN, -1, INT32_MAX, 7}, made[4] = {0, 0, 0, 7};
    (void)state;
    osc_curve_finish(made, row, VECTOR);
    assert_memory_equal(made, row, sizeof row);
    osc_transform_finish(row, VECTOR);
    assert_memory_equal(made, row, sizeof row);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rotation_is_the_same_in_all_packings),
        cmocka_unit_test(four_components_become_unit),
        cmocka_unit_test(zeros_become_a_positive_rotation),
        cmocka_unit_test(vectors_stay_as_they_are),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
