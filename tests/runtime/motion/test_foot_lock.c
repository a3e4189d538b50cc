/* Planted feet: the lowest point stays where it is, the higher it is the less, and places have no
 * influence that is not over the ground. */
#include "check.h"
#include "osc_motion.h"

#include <string.h>

enum { JOINTS = 3, POINTS = 4, HEIGHT = 1 << 17, NEAR = 4 /* what a turn rounds, Q20 */ };

static const osc_foot_lock_point points[POINTS] = {
    {1, {0, 0, -50000}}, {1, {0, 0, 150000}}, {2, {0, 0, -50000}}, {2, {0, 0, 150000}}};

static void stand(osc_matrix model[JOINTS], int32_t x, int32_t left, int32_t right)
{
    memset(model, 0, JOINTS * sizeof *model);
    for (uint32_t joint = 0; joint < JOINTS; joint++)
        for (uint32_t i = 0; i < 3u; i++)
            model[joint].m[5u * i] = 1 << 20;
    model[1].m[3] = x + 100000;
    model[2].m[3] = x - 100000;
    model[1].m[7] = left;
    model[2].m[7] = right;
}

static osc_vector point_in_world(const osc_matrix *model, const osc_placement *here, uint32_t which)
{
    osc_matrix world;
    osc_vector at;
    osc_placement_matrix(here, &world);
    osc_matrix_point(&model[points[which].joint], &points[which].at, &at);
    osc_matrix_point(&world, &at, &at);
    return at;
}

static void the_first_tick_changes_nothing(void **state)
{
    (void)state;
    osc_foot_lock lock;
    osc_matrix model[JOINTS];
    osc_placement here = {1 << 20, 5, -(1 << 21), 77777};
    const osc_placement before = here;
    memset(&lock, 0x5a, sizeof lock);
    osc_foot_lock_start(&lock, points, POINTS, HEIGHT);
    stand(model, 0, 0, 0);
    osc_foot_lock_follow(&lock, model, &here);
    assert_memory_equal(&here, &before, sizeof here);
}

/* A foot on the ground does not move, with any clips. */
static void the_lowest_point_stays(void **state)
{
    (void)state;
    osc_foot_lock lock;
    osc_matrix model[JOINTS];
    osc_placement here = {0, 0, 0, 0};
    uint64_t random = 3;
    memset(&lock, 0x5a, sizeof lock);
    const osc_vector unused = lock.last[POINTS];
    osc_foot_lock_start(&lock, points, POINTS, HEIGHT);
    stand(model, 0, 0, HEIGHT);
    osc_foot_lock_follow(&lock, model, &here);
    const osc_vector first = point_in_world(model, &here, 0);
    for (uint32_t tick = 0; tick < 1000u; tick++) {
        int32_t lifted = (int32_t)(random_u32(&random) % (HEIGHT / 2 + 1)) - 300;
        stand(model, (int32_t)(random_u32(&random) % 200000u), lifted, HEIGHT * 2);
        here.x += (int32_t)(random_u32(&random) % 40000u);
        here.z -= (int32_t)(random_u32(&random) % 40000u);
        osc_placement moved = here;
        osc_foot_lock_follow(&lock, model, &here);
        osc_vector now = point_in_world(model, &here, 0);
        assert_true(now.x == first.x && now.z == first.z);
        assert_true(here.y == moved.y && here.yaw_q24 == moved.yaw_q24);
    }
    assert_memory_equal(&lock.last[POINTS], &unused, sizeof unused);
}

/* A character that turns does so about the foot. */
static void turns_are_about_the_foot(void **state)
{
    (void)state;
    osc_foot_lock lock;
    osc_matrix model[JOINTS];
    osc_placement here = {0, 0, 0, 0};
    osc_foot_lock_start(&lock, points, POINTS, HEIGHT);
    stand(model, 0, HEIGHT, 0);
    osc_foot_lock_follow(&lock, model, &here);
    const osc_vector first = point_in_world(model, &here, 2);
    for (uint32_t tick = 0; tick < 100u; tick++) {
        here.yaw_q24 += 20000;
        osc_foot_lock_follow(&lock, model, &here);
        osc_vector now = point_in_world(model, &here, 2);
        assert_in_range(now.x - first.x + NEAR, 0, 2 * NEAR);
        assert_in_range(now.z - first.z + NEAR, 0, 2 * NEAR);
    }
}

/* All of a move counts up to half the height, half of it at three quarters, nothing from it on. */
static void heights_fade(void **state)
{
    (void)state;
    static const int32_t heights[][2] = {
        {-HEIGHT, 1024}, {HEIGHT / 2, 1024}, {HEIGHT * 3 / 4, 512}, {HEIGHT * 7 / 8, 256},
        {HEIGHT, 0},     {HEIGHT * 3, 0},    {INT32_MAX, 0},        {INT32_MIN, 1024}};
    for (uint32_t i = 0; i < sizeof heights / sizeof *heights; i++) {
        osc_foot_lock lock;
        osc_matrix model[JOINTS];
        osc_placement here = {0, 0, 0, 0};
        osc_foot_lock_start(&lock, points, POINTS, HEIGHT);
        stand(model, 0, heights[i][0], INT32_MAX);
        osc_foot_lock_follow(&lock, model, &here);
        here.x = 1024;
        osc_foot_lock_follow(&lock, model, &here);
        assert_int_equal(here.x, 1024 - heights[i][1]);
        assert_int_equal(here.z, 0);
    }
}

/* The weight changes with the height, but movement that it left is not corrected later. */
static void another_foot_takes_over(void **state)
{
    (void)state;
    osc_foot_lock lock;
    osc_matrix model[JOINTS];
    osc_placement here = {0, 0, 0, 0};
    osc_foot_lock_start(&lock, points, POINTS, HEIGHT);
    stand(model, 0, 0, HEIGHT);
    osc_foot_lock_follow(&lock, model, &here);
    stand(model, 5000, 0, HEIGHT);
    osc_foot_lock_follow(&lock, model, &here);
    assert_int_equal(here.x, -5000);
    stand(model, 5000, HEIGHT, 0); /* the right foot, which has moved with the character */
    osc_foot_lock_follow(&lock, model, &here);
    assert_int_equal(here.x, -5000);
    stand(model, 6000, HEIGHT, 0);
    osc_foot_lock_follow(&lock, model, &here);
    assert_int_equal(here.x, -6000);
}

static void garbage_is_defined(void **state)
{
    (void)state;
    uint64_t random = 9;
    for (uint32_t round = 0; round < 20000u; round++) {
        osc_foot_lock lock;
        osc_matrix model[JOINTS];
        osc_foot_lock_point any[POINTS];
        osc_placement here;
        osc_foot_lock_start(&lock, any, POINTS, (int32_t)(random_u32(&random) >> 1 | 1u));
        for (uint32_t tick = 0; tick < 3u; tick++) {
            uint32_t *words = (uint32_t *)(void *)model;
            for (uint32_t i = 0; i < sizeof model / 4u; i++)
                words[i] = random_u32(&random);
            for (uint32_t i = 0; i < POINTS; i++)
                any[i] = (osc_foot_lock_point){(uint16_t)(random_u32(&random) % JOINTS),
                                               {(int32_t)random_u32(&random),
                                                (int32_t)random_u32(&random),
                                                (int32_t)random_u32(&random)}};
            here = (osc_placement){(int32_t)random_u32(&random), (int32_t)random_u32(&random),
                                   (int32_t)random_u32(&random), (int32_t)random_u32(&random)};
            const osc_placement before = here;
            osc_foot_lock_follow(&lock, model, &here);
            assert_true(here.y == before.y && here.yaw_q24 == before.yaw_q24);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_tick_changes_nothing), cmocka_unit_test(the_lowest_point_stays),
        cmocka_unit_test(turns_are_about_the_foot),       cmocka_unit_test(heights_fade),
        cmocka_unit_test(another_foot_takes_over),        cmocka_unit_test(garbage_is_defined),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
