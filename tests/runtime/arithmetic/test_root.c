/* The rebuilt component: the root by its defining inequality, the argument by exact sums. All n are
 * gone through by tests/exhaustive/root_exhaustive.c. */
#include "check.h"
#include "port/osc_port.h"
#include "root_edges.h"

#define ROUNDS 200000
#define TOP (1u << 28)

static void check_root(uint32_t n)
{
    assert_true(is_rounded_root(n, osc_root_q20(n)));
}

static void root_at_the_edges_of_its_rounding(void **state)
{
    (void)state;
    assert_int_equal(check_root_edges(check_root), 8192);
}

static void root_near_powers_of_two(void **state)
{
    (void)state;
    for (uint32_t bit = 0; bit <= 28u; bit++)
        for (int32_t near = -300; near <= 300; near++) {
            int64_t n = (int64_t)(1u << bit) + near;
            if (n >= 0 && n <= TOP)
                check_root((uint32_t)n);
        }
}

static void root_of_random_numbers(void **state)
{
    uint64_t seed = 3;
    (void)state;
    for (int i = 0; i < ROUNDS; i++)
        check_root((random_u32(&seed) >> 4) >> (random_u32(&seed) % 28u));
}

static void root_at_the_ends(void **state)
{
    (void)state;
    assert_int_equal(osc_root_q20(0), 0);
    assert_int_equal(osc_root_q20(1), 64);
    assert_int_equal(osc_root_q20(2), 91);
    assert_int_equal(osc_root_q20(TOP), 1 << 20);
    assert_int_equal(osc_root_q20(TOP - 1u), (1 << 20));
    assert_int_equal(osc_root_q20(1u << 26), 1 << 19);
}

/* n by the short formula of SPEC.md, which holds below 2^29. */
static uint32_t argument_of(int32_t a, int32_t b, int32_t c)
{
    int64_t sum = (int64_t)a * a + (int64_t)b * b + (int64_t)c * c + 2048;
    uint32_t n = TOP - (uint32_t)(uint64_t)(sum >> 12);
    return n > TOP ? 0u : n;
}

static void rebuild_within_the_ball(void **state)
{
    uint64_t seed = 4;
    (void)state;
    for (int i = 0; i < ROUNDS; i++) {
        int32_t q[3];
        for (int j = 0; j < 3; j++)
            q[j] = (int32_t)random_u32(&seed) >> (11u + random_u32(&seed) % 12u);
        int32_t rebuilt = osc_rebuild_q20(q[0], q[1], q[2]);
        assert_int_equal(rebuilt, osc_root_q20(argument_of(q[0], q[1], q[2])));
    }
}

static void rebuild_below_two_to_the_29(void **state)
{
    uint64_t seed = 5;
    (void)state;
    for (int i = 0; i < ROUNDS; i++) {
        int32_t q[3];
        for (int j = 0; j < 3; j++)
            q[j] = random_i32(&seed) >> 2;
        int32_t rebuilt = osc_rebuild_q20(q[0], q[1], q[2]);
        assert_int_equal(rebuilt, osc_root_q20(argument_of(q[0], q[1], q[2])));
    }
}

static void rebuild_of_anything_stays_in_range(void **state)
{
    uint64_t seed = 6;
    (void)state;
    for (int i = 0; i < ROUNDS; i++) {
        int32_t a = random_i32(&seed), b = random_i32(&seed), c = random_i32(&seed);
        assert_in_range(osc_rebuild_q20(a, b, c), 0, 1 << 20);
    }
}

static void rebuild_of_the_axes(void **state)
{
    const int32_t one = 1 << 20;
    (void)state;
    assert_int_equal(osc_rebuild_q20(0, 0, 0), one);
    assert_int_equal(osc_rebuild_q20(one, 0, 0), 0);
    assert_int_equal(osc_rebuild_q20(0, -one, 0), 0);
    assert_int_equal(osc_rebuild_q20(0, 0, one + 1), 0);
    assert_int_equal(osc_rebuild_q20(one / 2, -one / 2, one / 2), one / 2);
}

/* A component near the ball that unit quaternions fill, or anything; a multiple of 2^shift. */
static int32_t component(uint64_t *seed, uint32_t shift)
{
    uint32_t choice = random_u32(seed);
    int32_t x =
        (choice & 7u) == 0u ? random_i32(seed) : random_i32(seed) >> (10u + (choice >> 8) % 6u);
    if ((choice >> 16 & 15u) == 0u)
        x = (1 << 20) - (int32_t)(choice >> 24);
    return (int32_t)((uint32_t)x >> shift << shift);
}

/* The inline code of the decoders, against the definition. */
static void inline_rebuild_equals_the_other(void **state)
{
    uint64_t seed = 7;
    uint32_t near = 0;
    (void)state;
    for (int i = 0; i < 5 * ROUNDS; i++) {
        uint32_t shift = i % 3 == 0 ? 0u : random_u32(&seed) % 16u;
        int32_t a = component(&seed, shift), b = component(&seed, shift),
                c = component(&seed, shift), wanted = osc_rebuild_q20(a, b, c);
        assert_int_equal(osc_rebuild_here_q20(a, b, c), wanted);
        uint32_t m_q28 = osc_root_short_q28(a, b, c), long_q28 = osc_root_long_q28(a, b, c);
        if (m_q28 < OSC_ROOT_NEAR_LENGTH_Q28 || long_q28 < OSC_ROOT_NEAR_LENGTH_Q28) {
            assert_int_equal(m_q28, long_q28);
            assert_int_equal(osc_root_round(osc_root_low(m_q28), m_q28), wanted);
        }
        m_q28 = osc_root_coarse_q28(a, b, c);
        if (shift < OSC_ROOT_COARSE || m_q28 >= OSC_ROOT_NEAR_LENGTH_Q28)
            continue;
        assert_int_equal(osc_root_round(osc_root_low(m_q28), m_q28), wanted);
        near++;
    }
    assert_true(near > ROUNDS / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(root_at_the_edges_of_its_rounding),
        cmocka_unit_test(root_near_powers_of_two),
        cmocka_unit_test(root_of_random_numbers),
        cmocka_unit_test(root_at_the_ends),
        cmocka_unit_test(rebuild_within_the_ball),
        cmocka_unit_test(rebuild_below_two_to_the_29),
        cmocka_unit_test(rebuild_of_anything_stays_in_range),
        cmocka_unit_test(rebuild_of_the_axes),
        cmocka_unit_test(inline_rebuild_equals_the_other),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
