/* Quotients, unit rotations and lengths of the codecs that mix keys, against exact ones. */
#include "arithmetic/osc_unit.h"
#include "check.h"
#include "port/osc_port.h"
#include "published/osc_sparse_arithmetic.h"
#include "published/osc_velocity_arithmetic.h"

#include <math.h>

#define ROUNDS 200000
#define ONE_Q40 ((int64_t)1 << 40)

static void ratio_near(uint32_t b, uint32_t a)
{
    uint64_t exact = ((uint64_t)b << 20) / a, got = (uint64_t)osc_ratio(b, a);
    uint64_t off = got > exact ? got - exact : exact - got;
    assert_true(off <= (exact >> 15) + 1u);
}

static void quotients_are_right_to_15_bits(void **state)
{
    uint64_t seed = 31;
    (void)state;
    for (int i = 0; i < ROUNDS; i++) {
        uint32_t a = (random_u32(&seed) >> random_u32(&seed) % 32u) | 1u;
        uint32_t b = random_u32(&seed) >> random_u32(&seed) % 32u;
        if (b >> 6 < a)
            ratio_near(b, a);
    }
}

static void quotients_end_at_64(void **state)
{
    (void)state;
    for (uint32_t a = 1; a < 5000u; a++) {
        ratio_near(64u * a - 1u, a);
        for (uint32_t more = 0; more <= 64u; more++)
            assert_int_equal(osc_ratio(64u * a + more, a), 64 << 20);
    }
    assert_int_equal(osc_ratio(1, 0), 64 << 20);
    assert_int_equal(osc_ratio(UINT32_MAX, 1), 64 << 20);
    assert_int_equal(osc_ratio(0, 0), 0);
    assert_int_equal(osc_ratio(0, 7), 0);
    assert_int_equal(osc_ratio(7, 7), 1 << 20);
}

static void logarithms_are_floors(void **state)
{
    (void)state;
    assert_int_equal(osc_log2(0), 0);
    for (uint32_t bit = 0; bit < 32u; bit++) {
        assert_int_equal(osc_log2(1u << bit), bit);
        assert_int_equal(osc_log2(0xffffffffu >> (31u - bit)), bit);
    }
    assert_int_equal(osc_size_of(INT32_MIN), 1u << 31);
    assert_int_equal(osc_size_of(-5), 5);
}

static int64_t off_unit(const int32_t q[4])
{
    int64_t sum = 0;
    for (int i = 0; i < 4; i++)
        sum += (int64_t)q[i] * q[i];
    return sum > ONE_Q40 ? sum - ONE_Q40 : ONE_Q40 - sum;
}

/* To within two steps of the length, and in the same direction. */
static void any_four_numbers_become_unit(void **state)
{
    uint64_t seed = 32;
    (void)state;
    for (int i = 0; i < ROUNDS; i++) {
        int32_t from[4], q[4];
        uint32_t down = random_u32(&seed) % 12u, largest = 0;
        for (int j = 0; j < 4; j++)
            q[j] = from[j] = random_i32(&seed) >> down;
        osc_unit(q);
        assert_true(off_unit(q) < (int64_t)1 << 22);
        for (uint32_t j = 1; j < 4u; j++)
            if (osc_size_of(from[j]) > osc_size_of(from[largest]))
                largest = j;
        assert_true((from[largest] < 0) == (q[largest] < 0));
    }
}

static void nothing_becomes_the_identity(void **state)
{
    int32_t q[4] = {0, 0, 0, 0};
    (void)state;
    osc_unit(q);
    assert_int_equal(q[0] | q[1] | q[2], 0);
    assert_int_equal(q[3], 1 << 20);
}

/* Rotations that no encoder writes, of lengths whose product wraps. */
static void products_of_nothing_are_positive(void **state)
{
    const osc_velocity by = {{1 << 22, 0, 0}, 0};
    int32_t q[4] = {1 << 30, 0, 0, 0};
    (void)state;
    osc_velocity_turn(q, &by, q);
    assert_int_equal(q[0], 1 << 20);
    assert_int_equal(q[1] | q[2] | q[3], 0);
}

/* In 2^-5 of a unit, of keys up to eight metres apart; 1 of equal keys, so that nothing is divided
 * by nothing. */
static void lengths_between_keys(void **state)
{
    uint64_t seed = 33;
    (void)state;
    for (int i = 0; i < ROUNDS; i++) {
        int32_t a[4], b[4];
        double sum = 0.0;
        uint32_t components = 3u + (random_u32(&seed) & 1u), down = 10u + random_u32(&seed) % 20u;
        for (uint32_t j = 0; j < components; j++) {
            a[j] = (int32_t)random_u32(&seed) >> 9;
            b[j] = a[j] + ((int32_t)random_u32(&seed) >> down);
            double part = (double)b[j] - a[j];
            sum += part * part;
        }
        double exact = 32.0 * sqrt(sum), got = osc_sparse_chord(a, b, components);
        assert_true(fabs(got - fmax(exact, 1.0)) <= exact / 1000.0 + 64.0);
        assert_int_equal(osc_sparse_chord(a, a, components), 1);
        assert_int_equal(osc_sparse_length(OSC_SPARSE_CHORDAL, a, b, components, 7), got);
        assert_int_equal(osc_sparse_length(OSC_SPARSE_CENTRIPETAL, a, a, components, 7), 1);
        assert_int_equal(osc_sparse_length(OSC_SPARSE_UNIFORM, a, b, components, 7), 1);
        assert_int_equal(osc_sparse_length(OSC_SPARSE_TIMED, a, b, components, 7), 7);
    }
    const int32_t here[3] = {0, 0, 0}, near[3] = {0, (8 << 20) - 1, 0}, far[3] = {0, 8 << 20, 0};
    assert_in_range(osc_sparse_chord(here, near, 3), 255u << 20, 256u << 20);
    assert_int_equal(osc_sparse_chord(here, far, 3), 1 << 29);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quotients_are_right_to_15_bits),
        cmocka_unit_test(quotients_end_at_64),
        cmocka_unit_test(logarithms_are_floors),
        cmocka_unit_test(any_four_numbers_become_unit),
        cmocka_unit_test(nothing_becomes_the_identity),
        cmocka_unit_test(products_of_nothing_are_positive),
        cmocka_unit_test(lengths_between_keys),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
