/* Plays the sample on the host: states as the buttons say, steps as the feet say, and no pose that
 * jumps. Built by test_sample.py, with the sanitizers. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "sample.h"
#include "sample_script.h"

/* The most that a joint turns against its parent in a tick, in the clips alone (an arm of the jump)
 * as with all that the game does to them; a cut from a run to a stand turns one by more than
 * CUT_DEGREES. The hips move in the world: a run has 5 cm a tick, and a leap rises as well. */
#define MOST_TURN_DEGREES 15.0
#define CUT_DEGREES 40.0
#define MOST_MOVE_M 0.08
#define LEAP_TICKS 108u /* 54 frames at 30 Hz */

static sample game;
static const osc_vector lamp = {0, 6 * OSC_ONE_Q20 / 5, 4 * OSC_ONE_Q20};

static void start(void)
{
    assert_int_equal(sample_start(&game), OSC_OK);
}

static void hold(uint32_t buttons, uint32_t ticks)
{
    for (uint32_t i = 0; i < ticks; i++)
        sample_tick(&game, buttons, &lamp);
}

static double degrees_between(const osc_quaternion *a, const osc_quaternion *b)
{
    double ab =
        (double)a->x * b->x + (double)a->y * b->y + (double)a->z * b->z + (double)a->w * b->w;
    double aa =
        (double)a->x * a->x + (double)a->y * a->y + (double)a->z * a->z + (double)a->w * a->w;
    double bb =
        (double)b->x * b->x + (double)b->y * b->y + (double)b->z * b->z + (double)b->w * b->w;
    return 2.0 * acos(fmin(1.0, fabs(ab) / sqrt(aa * bb))) * 180.0 / acos(-1.0);
}

static double most_turn(const hero_pose *a, const hero_pose *b)
{
    double most = 0.0;
    for (uint32_t joint = 0; joint < HERO_JOINT_COUNT; joint++)
        most = fmax(most, degrees_between(&a->rotations[joint], &b->rotations[joint]));
    return most;
}

static double metres(int32_t q20)
{
    return q20 / (double)OSC_ONE_Q20;
}

/* The position of the hips in the world. */
static void hips(double at[3])
{
    osc_matrix world;
    osc_placement_matrix(&game.place, &world);
    osc_matrix_multiply(&world, &game.model.joints[HERO_JOINT_HIPS], &world);
    for (int i = 0; i < 3; i++)
        at[i] = metres(world.m[4 * i + 3]);
}

static void test_buttons_choose_the_state(void **state)
{
    (void)state;
    start();
    hold(0, 30);
    assert_int_equal(game.state, SAMPLE_IDLE);
    hold(SAMPLE_FORWARD, 1);
    assert_int_equal(game.state, SAMPLE_MOVE);
    hold(SAMPLE_FAST, 1);
    assert_int_equal(game.state, SAMPLE_IDLE);
    hold(SAMPLE_FORWARD | SAMPLE_FAST, 32);
    assert_int_equal(game.run_q15, OSC_ONE_Q15);
    hold(SAMPLE_FORWARD, 16);
    assert_int_equal(game.run_q15, OSC_ONE_Q15 / 2);
    hold(SAMPLE_JUMP, 1);
    assert_int_equal(game.state, SAMPLE_LEAP);
    hold(SAMPLE_FORWARD | SAMPLE_JUMP, LEAP_TICKS - 1u); /* a leap is not left, nor begun again */
    assert_int_equal(game.state, SAMPLE_LEAP);
    assert_int_equal(game.counts.jumps, 1);
    assert_int_equal(game.counts.landings, 1);
    hold(SAMPLE_FORWARD, 1);
    assert_int_equal(game.state, SAMPLE_MOVE);
    hold(0, 1);
    assert_int_equal(game.state, SAMPLE_IDLE);
    hold(SAMPLE_WAVE, 1);
    hold(SAMPLE_WAVE | SAMPLE_FORWARD, 60); /* a gesture ends before the next one */
    assert_int_equal(game.counts.waves, 1);
    assert_int_equal(game.state, SAMPLE_MOVE);
}

/* One step at a time, left and right alternately, and as many as the distance takes. */
static void walk_for_a_minute(uint32_t buttons, double step_m, uint32_t step_ticks)
{
    start();
    hold(SAMPLE_FORWARD | buttons, 32);
    sample_counts begun = game.counts;
    bool left = begun.left_steps == begun.right_steps;
    uint32_t last = 0, since_last;
    for (uint32_t tick = 1; tick <= 3600; tick++) {
        sample_counts before = game.counts;
        hold(SAMPLE_FORWARD | buttons, 1);
        uint32_t lefts = game.counts.left_steps - before.left_steps;
        uint32_t rights = game.counts.right_steps - before.right_steps;
        if (lefts + rights == 0u)
            continue;
        assert_int_equal(lefts, left ? 1 : 0);
        assert_int_equal(rights, left ? 0 : 1);
        since_last = tick - last;
        if (last != 0u)
            assert_in_range(since_last, step_ticks - 1u, step_ticks + 1u);
        last = tick;
        left = !left;
    }
    double steps =
        game.counts.left_steps + game.counts.right_steps - begun.left_steps - begun.right_steps;
    double distance = metres((int32_t)(game.counts.travelled_q20 - begun.travelled_q20));
    assert_true(fabs(steps - 3600.0 / step_ticks) <= 1.0);
    assert_true(fabs(distance - steps * step_m) <= 1.01 * step_m);
    assert_true(fabs(metres(game.place.z) - metres((int32_t)game.counts.travelled_q20)) < 0.001);
}

static void test_a_foot_comes_down_once_a_step(void **state)
{
    (void)state;
    walk_for_a_minute(0, 0.60, 30);
    walk_for_a_minute(SAMPLE_FAST, 1.05, 21);
}

static void test_a_leap_rises_and_comes_down(void **state)
{
    (void)state;
    start();
    hold(SAMPLE_FORWARD | SAMPLE_FAST, 120);
    osc_placement from = game.place;
    double highest = 0.0;
    hold(SAMPLE_JUMP, 1);
    for (uint32_t tick = 1; tick < LEAP_TICKS; tick++) {
        hold(0, 1);
        highest = fmax(highest, metres(game.place.y));
    }
    assert_true(highest > 0.25 && highest < 0.6);
    assert_true(fabs(metres(game.place.y)) < 0.02);
    double far = metres(game.place.z - from.z);
    assert_true(far > 1.4 && far < 1.6); /* half a second at 3 m/s */
    hold(0, 1);
    assert_int_equal(game.place.y, 0);
}

static void test_a_wave_moves_the_upper_body_alone(void **state)
{
    (void)state;
    start();
    hold(SAMPLE_FORWARD, 40);
    hold(SAMPLE_FORWARD | SAMPLE_WAVE, 1);
    hold(SAMPLE_FORWARD, 40);
    hero_pose waving = game.pose;
    start();
    hold(SAMPLE_FORWARD, 81);
    for (uint32_t joint = 0; joint < HERO_JOINT_COUNT; joint++)
        if (hero_mask_upper[joint] == 0u)
            assert_memory_equal(&waving.rotations[joint], &game.pose.rotations[joint],
                                sizeof(osc_quaternion));
    assert_true(degrees_between(&waving.rotations[HERO_JOINT_RIGHT_UPPER_ARM],
                                &game.pose.rotations[HERO_JOINT_RIGHT_UPPER_ARM]) > 45.0);
}

/* The head's z axis points to the lamp while the character turns before it. */
static void test_the_head_looks_at_the_lamp(void **state)
{
    (void)state;
    const osc_vector beside = {2 * OSC_ONE_Q20, 3 * OSC_ONE_Q20 / 2, 4 * OSC_ONE_Q20};
    start();
    sample_tick(&game, 0, &beside);
    hero_pose aside = game.pose;
    start();
    sample_tick(&game, 0, &(osc_vector){0, 3 * OSC_ONE_Q20 / 2, -4 * OSC_ONE_Q20});
    double turn =
        degrees_between(&aside.rotations[HERO_JOINT_HEAD], &game.pose.rotations[HERO_JOINT_HEAD]);
    double neck =
        degrees_between(&aside.rotations[HERO_JOINT_NECK], &game.pose.rotations[HERO_JOINT_NECK]);
    assert_true(turn + neck > 10.0 &&
                turn + neck < 30.0); /* 27 degrees, at less than full weight */
}

static void test_no_pose_jumps(void **state)
{
    (void)state;
    start();
    sample_script script = {1, 0, 0};
    hold(0, 1);
    hero_pose before = game.pose;
    double from[3], to[3], most_degrees = 0.0, most_m = 0.0;
    hips(from);
    for (uint32_t tick = 0; tick < 10000; tick++) {
        sample_tick(&game, sample_script_next(&script), &lamp);
        hips(to);
        most_degrees = fmax(most_degrees, most_turn(&before, &game.pose));
        most_m = fmax(most_m, sqrt((to[0] - from[0]) * (to[0] - from[0]) +
                                   (to[1] - from[1]) * (to[1] - from[1]) +
                                   (to[2] - from[2]) * (to[2] - from[2])));
        before = game.pose;
        memcpy(from, to, sizeof from);
    }
    print_message("a joint turns by at most %.2f degrees a tick, the hips move by %.4f m\n",
                  most_degrees, most_m);
    assert_true(most_degrees < MOST_TURN_DEGREES);
    assert_true(most_m < MOST_MOVE_M);
}

/* The bound is meaningful: the clips alone come near it, and a cut is far above it. */
static void test_the_bound_tells_cuts(void **state)
{
    (void)state;
    static hero_player player;
    osc_playback clock;
    hero_pose before, after, running = {0}, standing = {0};
    double most = 0.0;
    assert_int_equal(hero_player_init(&player, &hero_embedded), OSC_OK);
    for (uint32_t clip = 0; clip < HERO_CLIP_COUNT; clip++) {
        assert_int_equal(osc_player_play(&player.player, &clock, clip, 1), OSC_OK);
        hero_evaluate(&player, &before);
        if (clip == HERO_CLIP_IDLE)
            standing = before;
        if (clip == HERO_CLIP_RUN)
            running = before;
        while (!osc_playback_finished(&clock)) {
            (void)osc_player_advance(&player.player, &clock, SAMPLE_TICK_US);
            hero_evaluate(&player, &after);
            most = fmax(most, most_turn(&before, &after));
            before = after;
        }
    }
    print_message("clips alone: %.2f degrees; a cut: %.2f\n", most, most_turn(&running, &standing));
    assert_true(most < MOST_TURN_DEGREES);
    assert_true(most_turn(&running, &standing) > CUT_DEGREES);
}

static void test_a_script_is_played_again_with_the_same_bits(void **state)
{
    (void)state;
    uint32_t hashes[2];
    for (uint32_t run = 0; run < 2u; run++) {
        sample_script script = {7, 0, 0};
        start();
        hashes[run] = OSC_HASH_START;
        for (uint32_t tick = 0; tick < 500; tick++) {
            sample_tick(&game, sample_script_next(&script), &lamp);
            hashes[run] = osc_hash_words(hashes[run], &game.model, sizeof game.model / 4u);
        }
    }
    assert_int_equal(hashes[0], hashes[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_buttons_choose_the_state),
        cmocka_unit_test(test_a_foot_comes_down_once_a_step),
        cmocka_unit_test(test_a_leap_rises_and_comes_down),
        cmocka_unit_test(test_a_wave_moves_the_upper_body_alone),
        cmocka_unit_test(test_the_head_looks_at_the_lamp),
        cmocka_unit_test(test_no_pose_jumps),
        cmocka_unit_test(test_the_bound_tells_cuts),
        cmocka_unit_test(test_a_script_is_played_again_with_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
