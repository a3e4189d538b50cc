/* The numbers that the curve codec decodes with: parameters that adapt, reciprocals, what a track
 * keeps of its components, and which component of a rotation is the largest; and the weights of the
 * transform codec. */
#include "arithmetic/osc_quaternion.h"
#include "bank/osc_internal.h"
#include "check.h"
#include "codecs/osc_curve_track.h"
#include "codecs/osc_transform_arithmetic.h"

#include <math.h>

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

static void reciprocals_are_rounded(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 2u * OSC_CURVE_MAX_GAP; n++)
        assert_int_equal(osc_curve_reciprocal[n - 1u],
                         ((1u << 16 << osc_floor_log2(n)) / n + 1u) >> 1);
}

/* The sum of the products of two functions at a segment's inner frames, by its length. */
static double product(const double *a, const double *b, uint32_t length)
{
    double sum = 0.0;
    for (uint32_t frame = 1; frame < length; frame++)
        sum += a[frame] * b[frame];
    return sum / length;
}

/* Of the chord, and of the functions (1 - x^2) x^i, x = -1 .. 1, made orthogonal in that order. */
static void weights_are_those_of_an_orthogonal_basis(void **state)
{
    double basis[OSC_TRANSFORM_FRAMES][OSC_TRANSFORM_FRAMES];
    (void)state;
    for (uint32_t length = 2; length <= OSC_TRANSFORM_FRAMES; length++)
        for (uint32_t i = 0; i < length; i++) {
            for (uint32_t frame = 1; frame < length; frame++) {
                double x = 2.0 * frame / length - 1.0;
                basis[i][frame] = i == 0u ? (double)frame / length : (1 - x * x) * pow(x, i - 1.0);
            }
            for (uint32_t j = 1; j < i; j++) {
                double part = product(basis[i], basis[j], length);
                for (uint32_t frame = 1; frame < length; frame++)
                    basis[i][frame] -= part * basis[j][frame];
            }
            double size = i == 0u ? 1.0 : sqrt(product(basis[i], basis[i], length));
            for (uint32_t frame = 1; frame < length; frame++) {
                basis[i][frame] /= size;
                double weight = osc_transform_row_weights(length, frame)[i];
                assert_true(fabs(weight - 1024.0 * basis[i][frame]) <= 0.5 + 1e-6);
            }
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
        cmocka_unit_test(reciprocals_are_rounded),
        cmocka_unit_test(weights_are_those_of_an_orthogonal_basis),
        cmocka_unit_test(tracks_keep_what_their_headers_say),
        cmocka_unit_test(the_largest_component_is_the_first_of_equals),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
