/* The evaluator's arithmetic at its extremes: within the encoder's limits (|D| < 2^20, squared
 * chord below 3 * 2^18) no intermediate may leave 32 bits, and the length stays near one. */
#include "check.h"
#include "chord_limit.h"
#include "port/osc_port.h"

#define PAIRS 400
#define ONE_Q40 ((int64_t)1 << 40)

/* The permitted error of the squared length: 4.3 * 10^-4 of the length, and 2^-15 for short chords.
 */
#define SQUARE_LIMIT_Q40 (ONE_Q40 / 1150)
#define SHORT_CHORD_Q20 (1u << 18)
#define SHORT_SQUARE_LIMIT_Q40 (ONE_Q40 >> 14)

static int64_t fits(int64_t value)
{
    assert_true(value >= INT32_MIN && value <= INT32_MAX);
    return value;
}

static int64_t fits_unsigned(int64_t value)
{
    assert_true(value >= 0 && value <= UINT32_MAX);
    return value;
}

static int64_t exact_lerp(int32_t left, int32_t right, int64_t a)
{
    int64_t step = fits(((int64_t)right - left) * a);
    return fits(left + (fits(step + 1024) >> 11));
}

static int64_t exact_renormaliser(const int32_t left[4], const int32_t right[4], int64_t a)
{
    int64_t sum = 0;
    for (int i = 0; i < 4; i++) {
        int64_t half = ((int64_t)right[i] - left[i]) >> 5;
        sum += half * half;
    }
    int64_t chord = fits_unsigned(sum) >> 10, sag = a * (2048 - a) >> 8;
    int64_t e = fits_unsigned(chord * sag + 8192) >> 14, f = (e + 16) >> 5;
    int64_t f2 = fits_unsigned(f * f + 16384) >> 15, f3 = fits_unsigned(f2 * f + 16384) >> 15;
    return fits(((e + 4) >> 3) + 3 * f2 + (fits_unsigned(5 * f3) >> 1));
}

/* Unit quaternion from three random components. */
static void random_unit(uint64_t *seed, int32_t q[4])
{
    do {
        for (int i = 0; i < 3; i++)
            q[i] = (int32_t)random_u32(seed) >> 11;
        q[3] = osc_rebuild_q20(q[0], q[1], q[2]);
    } while (q[3] < 1 << 10);
    int32_t swap = q[3];
    uint32_t at = random_u32(seed) & 3u;
    q[3] = q[at];
    q[at] = swap;
}

/* A pair inside the encoder's limits; about a third of them with a chord near the limit. */
static void random_pair(uint64_t *seed, int32_t left[4], int32_t right[4])
{
    uint32_t chord, least = random_u32(seed) % 3u == 0u ? CHORD_LIMIT_Q20 - (1u << 15) : 0u;
    bool close;
    do {
        random_unit(seed, left);
        random_unit(seed, right);
        close = true;
        for (int i = 0; i < 4; i++)
            close = close && right[i] - left[i] < 1 << 20 && left[i] - right[i] < 1 << 20;
        chord = osc_chord_q20(left, right);
    } while (!close || chord >= CHORD_LIMIT_Q20 || chord < least);
}

static void chords_at_the_limit(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 3u; i++)
        for (uint32_t turn = 0; turn < 4u; turn++) {
            int32_t left[4], right[4], row[4];
            for (uint32_t j = 0; j < 4u; j++) {
                left[j] = (int32_t)(j * 1000u) - (1 << 18);
                right[j] = left[j] + chord_limit_steps[i][(j + turn) & 3u];
            }
            const uint32_t chord = CHORD_LIMIT_Q20 - 1u + i;
            assert_int_equal(osc_chord_q20(left, right), chord);
            assert_int_equal(osc_chord_q20(right, left), chord);
            assert_int_equal(osc_store_rotation(row, left, right[0], right[1], right[2], right[3]),
                             chord);
            assert_memory_equal(row, right, sizeof row);
        }
}

static void check_length(const osc_quaternion *q, uint32_t chord_q20)
{
    int64_t square =
        (int64_t)q->x * q->x + (int64_t)q->y * q->y + (int64_t)q->z * q->z + (int64_t)q->w * q->w;
    int64_t off = square - ONE_Q40;
    int64_t limit = chord_q20 <= SHORT_CHORD_Q20 ? SHORT_SQUARE_LIMIT_Q40 : SQUARE_LIMIT_Q40;
    assert_true(off <= limit && off >= -limit);
}

static void rotations_within_the_limits(void **state)
{
    uint64_t seed = 7;
    (void)state;
    for (int pair = 0; pair < PAIRS; pair++) {
        int32_t left[4], right[4];
        random_pair(&seed, left, right);
        uint32_t chord = osc_chord_q20(left, right);
        for (uint32_t a = 0; a < 2048u; a++) {
            osc_quaternion q;
            osc_blend_rotation(left, right, chord, osc_blend_at(a), &q);
            const int32_t got[4] = {q.x, q.y, q.z, q.w};
            int64_t m = exact_renormaliser(left, right, a);
            for (int i = 0; i < 4; i++) {
                int64_t x = exact_lerp(left[i], right[i], a);
                int64_t stretch = fits(fits((x >> 5) * m) + 4096);
                assert_int_equal(got[i], fits(x + (stretch >> 13)));
            }
            check_length(&q, chord);
        }
    }
}

/* The largest difference that the encoder may leave, at every fraction. */
static void lerp_of_the_largest_step(void **state)
{
    const int32_t step = (1 << 20) - 1;
    const int32_t lefts[] = {
        0, 1, -1, -(1 << 20), 1 << 20, 1 << 30, -(1 << 30), INT32_MAX - step, INT32_MIN + step};
    (void)state;
    for (size_t i = 0; i < sizeof lefts / sizeof lefts[0]; i++)
        for (uint32_t a = 0; a < 2048u; a++) {
            osc_blend blend = osc_blend_at(a);
            if (lefts[i] <= INT32_MAX - step)
                assert_int_equal(osc_lerp(lefts[i], lefts[i] + step, blend),
                                 exact_lerp(lefts[i], lefts[i] + step, a));
            if (lefts[i] >= INT32_MIN + step)
                assert_int_equal(osc_lerp(lefts[i], lefts[i] - step, blend),
                                 exact_lerp(lefts[i], lefts[i] - step, a));
        }
}

static void fraction_zero_is_the_left_row(void **state)
{
    uint64_t seed = 8;
    (void)state;
    for (int i = 0; i < 100000; i++) {
        int32_t left[4], right[4];
        for (int j = 0; j < 4; j++) {
            left[j] = random_i32(&seed);
            right[j] = random_i32(&seed);
        }
        osc_quaternion q;
        osc_vector v;
        osc_blend_rotation(left, right, random_u32(&seed), osc_blend_at(0), &q);
        osc_blend_vector(left, right, osc_blend_at(0), &v);
        assert_memory_equal(&q, left, sizeof q);
        assert_memory_equal(&v, left, sizeof v);
    }
}

static void equal_rows_stay_at_every_fraction(void **state)
{
    uint64_t seed = 9;
    (void)state;
    for (uint32_t a = 0; a < 2048u; a++) {
        int32_t row[4];
        osc_quaternion q;
        for (int j = 0; j < 4; j++)
            row[j] = random_i32(&seed);
        osc_blend_rotation(row, row, osc_chord_q20(row, row), osc_blend_at(a), &q);
        assert_memory_equal(&q, row, sizeof q);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chords_at_the_limit),
        cmocka_unit_test(rotations_within_the_limits),
        cmocka_unit_test(lerp_of_the_largest_step),
        cmocka_unit_test(fraction_zero_is_the_left_row),
        cmocka_unit_test(equal_rows_stay_at_every_fraction),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
