/* The numbers that the curve codec decodes with: parameters that adapt, what a track keeps of its
 * components, and which component of a rotation is the largest. */
#include "arithmetic/osc_quaternion.h"
#include "bank/osc_internal.h"
#include "check.h"
#include "codecs/osc_curve_track.h"

static void parameters_stay_within_their_range(void **state)
{
    static const uint32_t escape = OSC_RICE_ESCAPE, most = OSC_CURVE_K_Q2_MAX;
    (void)state;
    for (uint32_t k = 0; k <= most; k++) {
        assert_int_equal(osc_curve_next_k(k, 0), k > 0u ? k - 1u : 0u);
        assert_int_equal(osc_curve_next_k(k, 1), k);
        assert_int_equal(osc_curve_next_k(k, 2), k < most ? k + 1u : most);
        for (uint32_t quotient = 3; quotient <= 2u * escape; quotient++)
            assert_int_equal(osc_curve_next_k(k, quotient), k + 3u < most ? k + 3u : most);
    }
}

static void tracks_keep_what_their_headers_say(void **state)
{
    (void)state;
    for (uint32_t bits = 0; bits < 32u; bits++) {
        uint32_t few = bits & 3u, k = bits & 15u, flag = bits >> 4, shift = 31u - bits;
        uint32_t own = OSC_CURVE_FOUR_FIELDS(few, flag ^ 1u, shift, k, bits, flag);
        assert_int_equal(OSC_CURVE_FOUR_PREDICTOR(own), few);
        assert_int_equal(OSC_CURVE_FOUR_CODELESS(own), flag ^ 1u);
        assert_int_equal(OSC_CURVE_FOUR_SHIFT(own), shift);
        assert_int_equal(OSC_CURVE_FOUR_K(own), k);
        assert_int_equal(OSC_CURVE_FOUR_WIDTH(own), bits + 1u);
        assert_int_equal(OSC_CURVE_FOUR_ABSENT(own), flag);
    }
}

static int64_t size_of(int32_t value)
{
    return value < 0 ? -(int64_t)value : value;
}

/* The first of equal components, with any signs. */
static void the_largest_component_is_the_first_of_equals(void **state)
{
    static const int32_t values[] = {0, 1, -1, 2, -2, 1 << 20, -(1 << 20)};
    enum { COUNT_OF_VALUES = sizeof values / sizeof *values, LAST = COUNT_OF_VALUES - 1 };
    int32_t at[4] = {0, 0, 0, 0};
    uint32_t tried = 0;
    (void)state;
    for (bool more = true; more; tried++) {
        const int32_t q[4] = {values[at[0]], values[at[1]], values[at[2]], values[at[3]]};
        uint32_t largest = 0;
        for (uint32_t i = 1; i < 4u; i++)
            largest = size_of(q[i]) > size_of(q[largest]) ? i : largest;
        assert_int_equal(osc_largest_component(q), largest);
        more = false;
        for (uint32_t i = 0; i < 4u && !more; i++) {
            more = at[i] < LAST;
            at[i] = more ? at[i] + 1 : 0;
        }
    }
    assert_int_equal(tried, COUNT_OF_VALUES * COUNT_OF_VALUES * COUNT_OF_VALUES * COUNT_OF_VALUES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameters_stay_within_their_range),
        cmocka_unit_test(tracks_keep_what_their_headers_say),
        cmocka_unit_test(the_largest_component_is_the_first_of_equals),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
