/* The fixed-point operations against 64 and 128 bit arithmetic. */
#include "arithmetic/osc_fixed.h"
#include "arithmetic/osc_unit.h"
#include "check.h"

__extension__ typedef __int128 wide;

#define ROUNDS 200000

static const int32_t edges[] = {
    INT32_MIN, INT32_MIN + 1, -(1 << 20), -65537,  -65536,        -65535,   -1, 0, 1,
    15,        65535,         65536,      1 << 20, INT32_MAX - 1, INT32_MAX};
#define EDGES (sizeof edges / sizeof edges[0])

static int32_t low_word(wide value)
{
    return (int32_t)(uint32_t)value;
}

static void check_products(int32_t a, int32_t b)
{
    wide exact = ((wide)a * b + (1 << 19)) >> 20;
    assert_int_equal(osc_mul_q20(a, b), low_word(exact));
    uint64_t product = (uint64_t)(uint32_t)a * (uint32_t)b;
    assert_int_equal(osc_mulhi_u32((uint32_t)a, (uint32_t)b), (uint32_t)(product >> 32));
    assert_int_equal(osc_mulhi_spelled_u32((uint32_t)a, (uint32_t)b), (uint32_t)(product >> 32));
    assert_int_equal(osc_add(a, b), low_word((wide)a + b));
    assert_int_equal(osc_sub(a, b), low_word((wide)a - b));
    assert_int_equal(osc_mul(a, b), low_word((wide)a * b));
}

static void products_of_edges(void **state)
{
    (void)state;
    for (size_t i = 0; i < EDGES; i++)
        for (size_t j = 0; j < EDGES; j++)
            check_products(edges[i], edges[j]);
}

static void products_of_random_numbers(void **state)
{
    uint64_t seed = 1;
    (void)state;
    for (int i = 0; i < ROUNDS; i++)
        check_products(random_i32(&seed), random_i32(&seed));
}

static void check_dot(const int32_t a[3], const int32_t b[3])
{
    wide sum = 1 << 19;
    for (int i = 0; i < 3; i++)
        sum += (wide)a[i] * b[i];
    assert_int_equal(osc_dot3_q20(a[0], b[0], a[1], b[1], a[2], b[2]), low_word(sum >> 20));
}

static void dot_of_edges(void **state)
{
    (void)state;
    for (size_t i = 0; i < EDGES; i++)
        for (size_t j = 0; j < EDGES; j++)
            for (size_t k = 0; k < EDGES; k++) {
                const int32_t a[3] = {edges[i], edges[j], edges[k]};
                const int32_t b[3] = {edges[j], edges[k], edges[i]};
                check_dot(a, a);
                check_dot(a, b);
            }
}

static void dot_of_random_numbers(void **state)
{
    uint64_t seed = 2;
    (void)state;
    for (int i = 0; i < ROUNDS; i++) {
        int32_t a[3], b[3];
        for (int j = 0; j < 3; j++) {
            a[j] = random_i32(&seed);
            b[j] = random_i32(&seed);
        }
        check_dot(a, b);
    }
}

/* One rounding and three differ for sums that are exactly a half. */
static void dot_rounds_once(void **state)
{
    const int32_t third = 1 << 18;
    (void)state;
    assert_int_equal(osc_dot3_q20(third, 1, third, 1, 0, 0), 1);
    assert_int_equal(osc_dot3_q20(-third, 1, -third, 1, 0, 0), 0);
    assert_int_equal(osc_dot3_q20(-third, 1, -third, 1, -1, 1), -1);
    assert_int_equal(osc_mul_q20(third, 1), 0);
    assert_int_equal(osc_mul_q20(1 << 19, 1), 1);
    assert_int_equal(osc_mul_q20(-(1 << 19), 1), 0);
    assert_int_equal(osc_mul_q20(-(1 << 19) - 1, 1), -1);
}

static void shifts_wrap(void **state)
{
    (void)state;
    assert_int_equal(osc_shl(1, 31), INT32_MIN);
    assert_int_equal(osc_shl(-1, 31), INT32_MIN);
    assert_int_equal(osc_shl(3, 31), INT32_MIN);
    assert_int_equal(osc_shl(-5, 3), -40);
    assert_int_equal(osc_shl(INT32_MAX, 1), -2);
}

/* 15 bits are right, and the last one of Q20. */
static void check_ratio(uint32_t b, uint32_t a)
{
    int32_t ratio = osc_ratio(b, a);
    if (b == 0u || b / 64u >= a) {
        assert_int_equal(ratio, b == 0u ? 0 : 1 << 26);
        return;
    }
    wide exact = ((wide)b << 20) / a, off = exact - ratio;
    assert_in_range((uint32_t)(off < 0 ? -off : off), 0u, (uint32_t)(exact >> 15) + 1u);
}

static void ratios(void **state)
{
    uint64_t seed = 3;
    (void)state;
    for (size_t i = 0; i < EDGES; i++)
        for (size_t j = 0; j < EDGES; j++)
            check_ratio((uint32_t)edges[i], (uint32_t)edges[j]);
    for (int i = 0; i < ROUNDS; i++) {
        uint32_t down = random_u32(&seed) & 31u;
        check_ratio((uint32_t)random_i32(&seed) >> down, (uint32_t)random_i32(&seed));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_of_edges),
        cmocka_unit_test(products_of_random_numbers),
        cmocka_unit_test(dot_of_edges),
        cmocka_unit_test(dot_of_random_numbers),
        cmocka_unit_test(dot_rounds_once),
        cmocka_unit_test(shifts_wrap),
        cmocka_unit_test(ratios),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
