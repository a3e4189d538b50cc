/* Blends of what clips move a character by, and placements as seen from others. Random ones are in
 * test_pose_properties.c. */
#include "double_math.h"
#include "osc_mix.h"
#include "osc_motion.h"

#include <stdlib.h>

#define ROUNDS 50000
#define SEEN_LIMIT_Q20 3.0 /* of a placement that was seen and joined again, within 8 m */

static osc_placement metres(double x, double y, double z)
{
    osc_vector v = to_q20((vec){x, y, z});
    return (osc_placement){v.x, v.y, v.z, 0};
}

static void assert_moved(const osc_placement *got, double x, double z)
{
    assert_true(fabs(got->x - x * ONE) <= 64.0); /* 0.06 mm of moves of 3 m */
    assert_true(fabs(got->z - z * ONE) <= 64.0);
}

/* Facts of ozz-animation's tests of MotionBlendingJob: moves over the ground of 2 and 3 metres at a
 * right angle, by 0.8 and 0.2 and by weights of any sum; none; and opposite ones. */
static void moves_blend_as_peers_do(void **state)
{
    const osc_placement across = metres(2, 0, 0), ahead = metres(0, 0, 3), none = metres(0, 0, 0);
    const osc_placement two = metres(0, 0, 2), back = metres(0, 0, -2);
    osc_placement got;
    (void)state;
    static const uint32_t weights[3][2] = {{8, 2}, {800, 200}, {52424, 13106}};
    for (int i = 0; i < 3; i++) {
        uint32_t share = osc_mix_share(weights[i][1], weights[i][0] + weights[i][1]);
        osc_placement_blend(&across, &ahead, share, &got);
        assert_moved(&got, 2.134313, 0.533578);
    }
    osc_placement_blend(&none, &two, OSC_ONE_Q15 / 5u, &got);
    assert_moved(&got, 0.0, 0.4);
    osc_placement_blend(&back, &two, OSC_ONE_Q15 / 2u, &got);
    assert_int_equal(got.x | got.z, 0);
    osc_placement_blend(&none, &none, OSC_ONE_Q15 / 2u, &got);
    assert_int_equal(got.x | got.z, 0);
}

/* Half of each of two walks of 1.4 m/s, at any angle, in steps of a tick: the speed stays. */
static void speeds_stay_whatever_the_angle(void **state)
{
    uint64_t seed = 41;
    (void)state;
    for (int i = 0; i < ROUNDS; i++) {
        double from = uniform(&seed, -PI, PI), to = from + uniform(&seed, -3.05, 3.05);
        double step = 1.4 / 60.0;
        osc_placement a = metres(step * sin(from), 0, step * cos(from));
        osc_placement b = metres(step * sin(to), 0, step * cos(to)), got;
        osc_placement_blend(&a, &b, OSC_ONE_Q15 / 2u, &got);
        assert_true(fabs(hypot(got.x, got.z) - step * ONE) <= 3.0);
        double middle = (from + to) / 2.0;
        assert_true(fabs(got.x * cos(middle) - got.z * sin(middle)) <= 3.0);
    }
}

/* Weights at the ends give the moves themselves, whatever they hold, and the result may lie where
 * a move does. */
static void ends_are_the_moves(void **state)
{
    uint64_t seed = 42;
    (void)state;
    for (int i = 0; i < ROUNDS; i++) {
        osc_placement a = {random_i32(&seed), random_i32(&seed), random_i32(&seed),
                           random_i32(&seed)};
        osc_placement b = {random_i32(&seed), random_i32(&seed), random_i32(&seed),
                           random_i32(&seed)};
        osc_placement got, in_place;
        osc_placement_blend(&a, &b, 0, &got);
        assert_memory_equal(&got, &a, sizeof got);
        osc_placement_blend(&a, &b, OSC_ONE_Q15 + (i & 1 ? random_u32(&seed) >> 1 : 0u), &got);
        assert_memory_equal(&got, &b, sizeof got);
        uint32_t weight = random_u32(&seed) & 0x7fffu;
        osc_placement_blend(&a, &a, weight, &got);
        assert_memory_equal(&got, &a, sizeof got);
        osc_placement_blend(&a, &b, weight, &got);
        in_place = a;
        osc_placement_blend(&in_place, &b, weight, &in_place);
        assert_memory_equal(&in_place, &got, sizeof got);
        in_place = b;
        osc_placement_blend(&a, &in_place, weight, &in_place);
        assert_memory_equal(&in_place, &got, sizeof got);
    }
}

/* Beyond 2 km the length is held, and nothing turns round. */
static void moves_that_are_too_long_keep_their_direction(void **state)
{
    const osc_placement a = {INT32_MAX, 0, INT32_MAX, 0}, b = {INT32_MAX, 0, INT32_MAX - 99999, 0};
    osc_placement got;
    (void)state;
    osc_placement_blend(&a, &b, OSC_ONE_Q15 / 2u, &got);
    assert_true(got.x > 1 << 30 && got.z > 1 << 30);
}

static void what_is_seen_leads_there(void **state)
{
    uint64_t seed = 43;
    (void)state;
    for (int i = 0; i < ROUNDS; i++) {
        osc_placement from = {random_i32(&seed) >> 9, random_i32(&seed) >> 9,
                              random_i32(&seed) >> 9, random_i32(&seed)};
        osc_placement at = {random_i32(&seed) >> 9, random_i32(&seed) >> 9, random_i32(&seed) >> 9,
                            random_i32(&seed)};
        osc_placement seen, again;
        osc_placement_seen(&from, &at, &seen);
        double yaw = 2.0 * PI * from.yaw_q24 / OSC_ONE_Q24, x = at.x - from.x, z = at.z - from.z;
        assert_true(fabs(seen.x - (x * cos(yaw) - z * sin(yaw))) <= SEEN_LIMIT_Q20);
        assert_true(fabs(seen.z - (z * cos(yaw) + x * sin(yaw))) <= SEEN_LIMIT_Q20);
        osc_placement_join(&from, &seen, &again);
        assert_true(abs(again.x - at.x) <= SEEN_LIMIT_Q20 && abs(again.z - at.z) <= SEEN_LIMIT_Q20);
        assert_true(again.y == at.y && again.yaw_q24 == at.yaw_q24);
    }
    osc_placement here = {5, 6, 7, 8};
    osc_placement_seen(&here, &here, &here);
    assert_int_equal(here.x | here.y | here.z | here.yaw_q24, 0);
}

static void an_inverse_undoes(void **state)
{
    uint64_t seed = 44;
    (void)state;
    for (int i = 0; i < ROUNDS; i++) {
        osc_placement a = {random_i32(&seed) >> 9, random_i32(&seed) >> 9, random_i32(&seed) >> 9,
                           random_i32(&seed)};
        osc_placement inverse, joined[2];
        osc_placement_inverse(&a, &inverse);
        osc_placement_join(&a, &inverse, &joined[0]);
        osc_placement_join(&inverse, &a, &joined[1]);
        for (int j = 0; j < 2; j++) {
            assert_true(abs(joined[j].x) <= SEEN_LIMIT_Q20 && abs(joined[j].z) <= SEEN_LIMIT_Q20);
            assert_int_equal(joined[j].y | joined[j].yaw_q24, 0);
        }
        osc_placement_inverse(&a, &a);
        assert_memory_equal(&a, &inverse, sizeof a);
    }
    osc_placement none = {0, 0, 0, 0};
    osc_placement_inverse(&none, &none);
    assert_int_equal(none.x | none.y | none.z | none.yaw_q24, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_blend_as_peers_do),
        cmocka_unit_test(speeds_stay_whatever_the_angle),
        cmocka_unit_test(ends_are_the_moves),
        cmocka_unit_test(moves_that_are_too_long_keep_their_direction),
        cmocka_unit_test(what_is_seen_leads_there),
        cmocka_unit_test(an_inverse_undoes),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
