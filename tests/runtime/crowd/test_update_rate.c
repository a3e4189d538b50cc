/* Rates: the load of a tick is even, the clock loses nothing, and the shown pose is on time, moves
 * forward only, and never further than what has passed. */
#include "bank_tools.h"
#include "check.h"
#include "osc_crowd.h"
#include "osc_mix.h"
#include "sample_banks.h"

#include <math.h>
#include <string.h>

enum { TICK_US = 16667, MEMBERS = 24, ROUNDS = 300, TICKS = 400 };

#define MOST_WAY_US ((double)OSC_UPDATE_RATE_MOST_TICKS * OSC_UPDATE_RATE_MOST_US * 2.0)

/* The rounding of weights, as a part of the distance between two poses that are so many ticks
 * apart. */
#define WEIGHTS_ERROR(ticks) (0x1p-15 * (1.0 + (ticks) / 2.0))

/* A character whose pose equals the time of its clock. */
typedef struct runner {
    osc_update_rate rate;
    double clock_us; /* and that of the next pose */
    double shown_us, now_us;
    uint32_t due;
} runner;

static runner runner_make(uint32_t index, uint32_t tick_us)
{
    runner r = {.clock_us = 0.0};
    osc_update_rate_start(&r.rate, index, tick_us);
    return r;
}

static void step(runner *r, uint32_t elapsed_us, uint32_t ticks)
{
    bool due = osc_update_rate_tick(&r->rate, elapsed_us, ticks);
    if (due)
        r->clock_us += r->rate.advance_us;
    assert_in_range(r->rate.weight_q15, r->rate.left_us > 0 ? 0 : OSC_ONE_Q15, OSC_ONE_Q15);
    r->now_us += elapsed_us < OSC_UPDATE_RATE_MOST_US ? elapsed_us : OSC_UPDATE_RATE_MOST_US;
    r->shown_us += (r->clock_us - r->shown_us) * r->rate.weight_q15 / OSC_ONE_Q15;
    r->due += due;
}

/* Each tick brings the poses of as many characters, from the third one on, also after the rate of
 * all has changed in the same tick. */
static void the_load_is_even(void **state)
{
    (void)state;
    static const uint32_t rates[] = {4, 8, 2, 1, 3, 8};
    runner all[MEMBERS];
    for (uint32_t i = 0; i < MEMBERS; i++)
        all[i] = runner_make(i, TICK_US);
    for (uint32_t change = 0; change < 6u; change++)
        for (uint32_t tick = 0; tick < 32u; tick++) {
            uint32_t due = 0;
            for (uint32_t i = 0; i < MEMBERS; i++) {
                all[i].due = 0;
                step(&all[i], TICK_US, rates[change]);
                due += all[i].due;
            }
            if (tick > 8u)
                assert_int_equal(due, MEMBERS / rates[change]);
            else if (change != 0u)
                assert_in_range(due, 0, MEMBERS / rates[change - 1u] + MEMBERS / rates[change]);
        }
}

/* Of usual ticks the shown pose is always that of now, and each pose is reached in the tick that it
 * was evaluated for. */
static void usual_ticks_are_on_time(void **state)
{
    (void)state;
    for (uint32_t ticks = 0; ticks <= OSC_UPDATE_RATE_MOST_TICKS + 1u; ticks++) {
        runner r = runner_make(ticks * 7u, TICK_US);
        uint32_t held = ticks == 0u ? 1u : ticks < 64u ? ticks : 64u;
        for (uint32_t tick = 0; tick < TICKS; tick++) {
            bool last = r.rate.ticks_left == 1u;
            step(&r, TICK_US, ticks);
            assert_true(fabs(r.shown_us - r.now_us) <= held * TICK_US * WEIGHTS_ERROR(held));
            if (last)
                assert_true(r.shown_us == r.now_us && r.rate.weight_q15 == OSC_ONE_Q15);
        }
        assert_in_range(r.due, TICKS / held, TICKS / held + 2u);
    }
}

/* The first tick shows the pose of its time, and with a rate of 1 each tick does. */
static void the_first_tick_is_a_pose(void **state)
{
    (void)state;
    uint64_t random = 5;
    for (uint32_t ticks = 0; ticks < 70u; ticks++) {
        runner r = runner_make(ticks, TICK_US);
        uint32_t elapsed = random_u32(&random) % 100000u;
        step(&r, elapsed, ticks);
        assert_true(r.due == 1u && r.rate.weight_q15 == OSC_ONE_Q15 && r.shown_us == elapsed);
    }
    runner r = runner_make(3, TICK_US);
    for (uint32_t tick = 0; tick < TICKS; tick++) {
        step(&r, random_u32(&random) % 100000u, 1);
        assert_true(r.due == tick + 1u && r.shown_us == r.now_us);
    }
}

static uint32_t some_ticks(uint64_t *random)
{
    static const uint32_t rates[] = {0, 1, 2, 3, 4, 8, 16, 64, 65, 0xffffffffu};
    return rates[random_u32(random) % 10u];
}

/* Any ticks and rates: the shown pose never goes back nor ahead of time, moves by no more than what
 * has passed since it was on time, and is late by what ticks took longer than usual. */
static void nothing_jumps(void **state)
{
    (void)state;
    uint64_t random = 11;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        uint32_t usual = random_u32(&random) % 40000u, spread = random_u32(&random) % 60000u + 1u;
        uint32_t ticks = some_ticks(&random);
        runner r = runner_make(random_u32(&random), usual);
        double longer_us = 0.0, late_us = 0.0, before_us = 0.0;
        for (uint32_t tick = 0; tick < TICKS; tick++) {
            if (random_u32(&random) % 8u == 0u)
                ticks = some_ticks(&random);
            uint32_t elapsed = random_u32(&random) % spread, due = r.due;
            double before = r.shown_us;
            step(&r, elapsed, ticks);
            double error = (r.clock_us - before) * WEIGHTS_ERROR(64.0) + 1e-6;
            assert_true(r.shown_us >= before && r.shown_us <= r.now_us + error);
            assert_true(r.shown_us - before <= late_us + elapsed + error);
            if (r.due != due) { /* the lateness of the way before goes down on this one */
                longer_us = 0.0;
                before_us = late_us;
            } else {
                longer_us += fmax(0.0, (double)elapsed - usual);
            }
            late_us = r.now_us - r.shown_us;
            assert_true(late_us <= fmax(before_us, longer_us) + error);
        }
    }
}

/* The clock always has the time that has passed and that it is ahead. */
static void the_clock_loses_nothing(void **state)
{
    (void)state;
    uint64_t random = 17;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        uint32_t usual = random_u32(&random) >> (random_u32(&random) % 31u);
        runner r = runner_make(random_u32(&random), usual);
        for (uint32_t tick = 0; tick < TICKS; tick++) {
            step(&r, random_u32(&random) >> (random_u32(&random) % 31u), some_ticks(&random));
            assert_true(r.clock_us == r.now_us + r.rate.left_us);
            assert_true(fabs((double)r.rate.left_us) <= MOST_WAY_US);
        }
    }
}

/* Poses of a bank: each is reached to the bit, and shown poses stay between their neighbours. */
static void poses_are_reached_exactly(void **state)
{
    (void)state;
    test_player far, truth;
    osc_playback ahead, clock;
    osc_update_rate rate;
    osc_quaternion rotations[3];
    osc_vector translations[3];
    osc_pose shown = {rotations, translations, 0};
    player_make(&far, sample_walk, sizeof sample_walk / 4u);
    player_make(&truth, sample_walk, sizeof sample_walk / 4u);
    assert_int_equal(far.bank.joint_count, 3);
    assert_int_equal(osc_player_play(&far.player, &ahead, 0, OSC_LOOPS_FOREVER), OSC_OK);
    assert_int_equal(osc_player_play(&truth.player, &clock, 0, OSC_LOOPS_FOREVER), OSC_OK);
    osc_update_rate_start(&rate, 1, TICK_US);
    uint32_t reached = 0;
    for (uint32_t tick = 0; tick < TICKS; tick++) {
        if (osc_update_rate_tick(&rate, TICK_US, 4)) {
            (void)osc_player_advance(&far.player, &ahead, rate.advance_us);
            osc_player_evaluate(&far.player, &far.pose);
        }
        (void)osc_player_advance(&truth.player, &clock, TICK_US);
        osc_player_evaluate(&truth.player, &truth.pose);
        if (rate.weight_q15 == OSC_ONE_Q15) {
            memcpy(rotations, far.pose.rotations, sizeof rotations);
            memcpy(translations, far.pose.translations, sizeof translations);
            assert_memory_equal(rotations, truth.pose.rotations, sizeof rotations);
            assert_memory_equal(translations, truth.pose.translations, sizeof translations);
            reached++;
        } else {
            osc_mix_blend(&far.bank, &shown, &far.pose, rate.weight_q15, 0);
        }
    }
    assert_in_range(reached, TICKS / 4, TICKS / 4 + 2);
    player_free(&far);
    player_free(&truth);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_load_is_even),         cmocka_unit_test(usual_ticks_are_on_time),
        cmocka_unit_test(the_first_tick_is_a_pose), cmocka_unit_test(nothing_jumps),
        cmocka_unit_test(the_clock_loses_nothing),  cmocka_unit_test(poses_are_reached_exactly),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
