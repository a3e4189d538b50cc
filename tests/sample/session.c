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

/* The most that a joint turns against its parent in a tick: in the clips alone 14.5 degrees (an arm
 * of the jump), and with a transition, whose offset moves as well, a little more; a cut from a run
 * to a stand turns one by more than CUT_DEGREES. The hips move in the world: a run has 5 cm a tick,
 * and a leap rises as well. */
#define MOST_TURN_DEGREES 16.0
#define CUT_DEGREES 40.0
#define MOST_MOVE_M 0.08
#define LEAP_TICKS 108u /* 54 frames at 30 Hz */

static sample game;
static uint32_t passed[HERO_EVENT_COUNT];
static uint32_t travelled_q20;

static void start(void)
{
    memset(&game, 0, sizeof game);
    memset(passed, 0, sizeof passed);
    travelled_q20 = 0;
    assert_int_equal(hero_graph_start(&game.hero, &hero_embedded), OSC_OK);
    game.hero.set.look = (osc_vector){0, 6 * OSC_ONE_Q20 / 5, 4 * OSC_ONE_Q20};
}

static void step(uint32_t buttons, uint32_t ticks)
{
    sample_step(&game, buttons, ticks);
    for (osc_graph_event event; hero_graph_next_event(&game.hero, &event);)
        passed[event.name] += (event.what & OSC_GRAPH_EVENT_PHASE) != OSC_EVENT_END;
    travelled_q20 += (uint32_t)game.hero.moved.z;
}

static void hold(uint32_t buttons, uint32_t ticks)
{
    for (uint32_t i = 0; i < ticks; i++)
        step(buttons, 1);
}

static void assert_state(uint32_t state)
{
    assert_true(hero_graph_in(&game.hero, state));
}

static const osc_placement *place(void)
{
    return &game.hero.now.graph.place;
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
    osc_placement_matrix(place(), &world);
    osc_matrix_multiply(&world, &game.model.joints[HERO_JOINT_HIPS], &world);
    for (int i = 0; i < 3; i++)
        at[i] = metres(world.m[4 * i + 3]);
}

static void test_buttons_choose_the_state(void **state)
{
    (void)state;
    start();
    hold(0, 30);
    assert_state(HERO_STATE_IDLE);
    hold(SAMPLE_DOWN, 1);
    assert_state(HERO_STATE_MOVE);
    hold(SAMPLE_RUN, 1);
    assert_state(HERO_STATE_IDLE);
    hold(SAMPLE_DOWN | SAMPLE_UP, 1); /* opposites are no direction */
    assert_state(HERO_STATE_IDLE);
    hold(SAMPLE_DOWN, 1);
    hold(SAMPLE_JUMP, 1);
    assert_state(HERO_STATE_LEAP);
    hold(SAMPLE_DOWN | SAMPLE_JUMP, 60); /* a leap is not left, nor begun again */
    hold(SAMPLE_DOWN, LEAP_TICKS - 62u);
    assert_state(HERO_STATE_LEAP);
    assert_int_equal(passed[HERO_EVENT_AIR], 1);
    assert_int_equal(passed[HERO_EVENT_LAND], 1);
    hold(SAMPLE_DOWN, 1);
    assert_state(HERO_STATE_MOVE);
    hold(0, 1);
    assert_state(HERO_STATE_IDLE);
}

static void test_it_turns_the_short_way(void **state)
{
    (void)state;
    start();
    hold(SAMPLE_RIGHT, 16);
    assert_int_equal(place()->yaw_q24, OSC_ONE_Q24 / 4);
    hold(SAMPLE_RIGHT | SAMPLE_UP, 60);
    assert_int_equal(place()->yaw_q24, OSC_ONE_Q24 / 8 * 3);
    hold(SAMPLE_LEFT | SAMPLE_UP, 16);
    assert_int_equal(place()->yaw_q24, OSC_ONE_Q24 / 8 * 5);
    hold(SAMPLE_DOWN, 24);
    assert_int_equal(place()->yaw_q24, OSC_ONE_Q24);
    hold(SAMPLE_LEFT, 1);
    assert_int_equal(place()->yaw_q24, OSC_ONE_Q24 / 64 * 63);
    hold(SAMPLE_JUMP, 1);
    hold(SAMPLE_RIGHT, 60); /* not in the air */
    assert_int_equal(place()->yaw_q24, OSC_ONE_Q24 / 64 * 63);
}

/* One step at a time, left and right alternately, and as many as the distance takes. */
static void walk_for_a_minute(uint32_t buttons, double step_m, uint32_t step_ticks)
{
    start();
    hold(SAMPLE_DOWN | buttons, 60);
    uint32_t begun = passed[HERO_EVENT_LEFT_FOOT] + passed[HERO_EVENT_RIGHT_FOOT];
    uint32_t from_q20 = travelled_q20, last = 0;
    bool left = passed[HERO_EVENT_LEFT_FOOT] == passed[HERO_EVENT_RIGHT_FOOT];
    for (uint32_t tick = 1; tick <= 3600; tick++) {
        uint32_t lefts = passed[HERO_EVENT_LEFT_FOOT], rights = passed[HERO_EVENT_RIGHT_FOOT];
        hold(SAMPLE_DOWN | buttons, 1);
        lefts = passed[HERO_EVENT_LEFT_FOOT] - lefts;
        rights = passed[HERO_EVENT_RIGHT_FOOT] - rights;
        if (lefts + rights == 0u)
            continue;
        assert_int_equal(lefts, left ? 1 : 0);
        assert_int_equal(rights, left ? 0 : 1);
        if (last != 0u)
            assert_in_range(tick - last, step_ticks - 1u, step_ticks + 1u);
        last = tick;
        left = !left;
    }
    double steps = passed[HERO_EVENT_LEFT_FOOT] + passed[HERO_EVENT_RIGHT_FOOT] - begun;
    double distance = metres((int32_t)(travelled_q20 - from_q20));
    assert_true(fabs(steps - 3600.0 / step_ticks) <= 1.0);
    assert_true(fabs(distance - steps * step_m) <= 1.01 * step_m);
    assert_true(fabs(metres(place()->z) - metres((int32_t)travelled_q20)) < 0.001);
}

static void test_a_foot_comes_down_once_a_step(void **state)
{
    (void)state;
    walk_for_a_minute(0, 0.60, 30);
    walk_for_a_minute(SAMPLE_RUN, 1.05, 21);
}

static void test_a_leap_rises_and_comes_down(void **state)
{
    (void)state;
    start();
    hold(SAMPLE_DOWN | SAMPLE_RUN, 120);
    osc_placement from = *place();
    double highest = 0.0;
    hold(SAMPLE_DOWN | SAMPLE_RUN | SAMPLE_JUMP, 1);
    for (uint32_t tick = 1; tick < LEAP_TICKS; tick++) {
        hold(0, 1);
        highest = fmax(highest, metres(place()->y));
    }
    assert_true(highest > 0.25 && highest < 0.6);
    assert_true(fabs(metres(place()->y)) < 0.02);
    double far = metres(place()->z - from.z);
    assert_true(far > 1.4 && far < 1.7); /* half a second at 3 m/s */
    hold(0, 2);
    assert_int_equal(place()->y, 0);
}

/* A slow machine plays two ticks as one step. */
static void test_longer_steps_lead_to_the_same_place(void **state)
{
    (void)state;
    osc_placement places[2];
    for (uint32_t ticks = 1; ticks <= 2u; ticks++) {
        start();
        for (uint32_t tick = 0; tick < 600; tick += ticks)
            step(SAMPLE_RIGHT | (tick % 200 < 100 ? SAMPLE_RUN : 0u), ticks);
        places[ticks - 1u] = *place();
    }
    assert_int_equal(places[0].yaw_q24, places[1].yaw_q24);
    assert_true(fabs(metres(places[0].x - places[1].x)) < 0.1);
    assert_true(fabs(metres(places[0].z - places[1].z)) < 0.1);
}

static void test_a_wave_moves_the_upper_body_alone(void **state)
{
    (void)state;
    start();
    hold(SAMPLE_DOWN, 40);
    hold(SAMPLE_DOWN | SAMPLE_WAVE, 1);
    hold(SAMPLE_DOWN, 40);
    assert_state(HERO_STATE_GESTURE_WAVE);
    assert_state(HERO_STATE_MOVE);
    hero_pose waving = game.hero.pose;
    start();
    hold(SAMPLE_DOWN, 81);
    for (uint32_t joint = 0; joint < HERO_JOINT_COUNT; joint++)
        if (hero_mask_upper[joint] == 0u)
            assert_memory_equal(&waving.rotations[joint], &game.hero.pose.rotations[joint],
                                sizeof(osc_quaternion));
    assert_true(degrees_between(&waving.rotations[HERO_JOINT_RIGHT_UPPER_ARM],
                                &game.hero.pose.rotations[HERO_JOINT_RIGHT_UPPER_ARM]) > 45.0);
    hold(SAMPLE_WAVE, 1);
    hold(0, 240);
    assert_int_equal(passed[HERO_EVENT_HELLO], 1);
    assert_state(HERO_STATE_GESTURE_NONE);
}

/* Head and neck turn to a lamp at the side; not to one behind the character. */
static void test_the_head_looks_at_the_lamp(void **state)
{
    (void)state;
    start();
    game.hero.set.look = (osc_vector){2 * OSC_ONE_Q20, 3 * OSC_ONE_Q20 / 2, 4 * OSC_ONE_Q20};
    hold(0, 120);
    hero_pose aside = game.hero.pose;
    start();
    game.hero.set.look = (osc_vector){0, 3 * OSC_ONE_Q20 / 2, -4 * OSC_ONE_Q20};
    hold(0, 120);
    double turn = 0.0;
    static const uint32_t joints[] = {HERO_JOINT_HEAD, HERO_JOINT_NECK};
    for (uint32_t i = 0; i < 2u; i++)
        turn += degrees_between(&aside.rotations[joints[i]], &game.hero.pose.rotations[joints[i]]);
    assert_true(turn > 15.0 && turn < 40.0); /* the lamp is 27 degrees aside */
}

static void test_no_pose_jumps(void **state)
{
    (void)state;
    start();
    sample_script script = {1, 0, 0};
    hold(0, 1);
    hero_pose before = game.hero.pose;
    double from[3], to[3], most_degrees = 0.0, most_m = 0.0;
    hips(from);
    for (uint32_t tick = 0; tick < 10000; tick++) {
        step(sample_script_next(&script), 1);
        hips(to);
        most_degrees = fmax(most_degrees, most_turn(&before, &game.hero.pose));
        most_m = fmax(most_m, sqrt((to[0] - from[0]) * (to[0] - from[0]) +
                                   (to[1] - from[1]) * (to[1] - from[1]) +
                                   (to[2] - from[2]) * (to[2] - from[2])));
        before = game.hero.pose;
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
            step(sample_script_next(&script), 1);
            hashes[run] = osc_hash_words(hashes[run], &game.model, sizeof game.model / 4u);
        }
    }
    assert_int_equal(hashes[0], hashes[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_buttons_choose_the_state),
        cmocka_unit_test(test_it_turns_the_short_way),
        cmocka_unit_test(test_a_foot_comes_down_once_a_step),
        cmocka_unit_test(test_a_leap_rises_and_comes_down),
        cmocka_unit_test(test_longer_steps_lead_to_the_same_place),
        cmocka_unit_test(test_a_wave_moves_the_upper_body_alone),
        cmocka_unit_test(test_the_head_looks_at_the_lamp),
        cmocka_unit_test(test_no_pose_jumps),
        cmocka_unit_test(test_the_bound_tells_cuts),
        cmocka_unit_test(test_a_script_is_played_again_with_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
