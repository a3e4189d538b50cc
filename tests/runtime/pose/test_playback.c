/* The playback clock: it is as far as the exact sum of its steps says, loops, ends and turns round.
 */
#include "bank_tools.h"
#include "check.h"
#include "sample_banks.h"

#define PER_US_Q32 263882791u /* 30 frames a second */
#define WALK 0u
#define JUMP 1u
#define POSE 2u

static osc_clip_info clip_of(uint32_t frames, uint32_t per_us_q32, bool loop)
{
    osc_clip_info info = {0};
    info.frame_count = frames;
    info.position_per_us_q32 = per_us_q32;
    info.loop = loop;
    return info;
}

static osc_playback playback_of(uint32_t frames, uint32_t loops)
{
    osc_clip_info info = clip_of(frames, PER_US_Q32, false);
    osc_playback playback;
    osc_playback_start(&playback, &info, loops);
    return playback;
}

/* The result of 2^16ths of a microsecond of the clip, as one division. Forward a position is in
 * 0..end-1, backward in 1..end, unless bits below a position remain. */
static uint32_t exact_position(int64_t time_q16, uint32_t per_us_q32, uint32_t end, bool backward)
{
    int64_t scaled = (time_q16 >> 16) * (int64_t)per_us_q32, round = (int64_t)end << 32;
    int64_t rest = scaled % round;
    if (rest < 0)
        rest += round;
    if (backward && rest == 0)
        return end;
    return (uint32_t)(rest >> 32);
}

/* Ten million frames of a game, an uneven clock, and a speed that changes, also its sign. */
static void many_steps_are_their_exact_sum(void **state)
{
    uint64_t seed = 7;
    (void)state;
    for (uint32_t run = 0; run < 40u; run++) {
        uint32_t frames = 2u + random_u32(&seed) % 200u, per_us_q32 = random_u32(&seed) >> 4 | 1u;
        osc_clip_info info = clip_of(frames, per_us_q32, false);
        osc_playback playback;
        osc_playback_start(&playback, &info, OSC_LOOPS_FOREVER);
        int64_t time_q16 = 0;
        for (uint32_t step = 0; step < 250000u; step++) {
            if (step % 1000u == 0u)
                playback.speed_q16 = (int32_t)(random_u32(&seed) >> 14) - (1 << 17);
            uint32_t elapsed_us = random_u32(&seed) & 0x7fffu;
            time_q16 += (int64_t)elapsed_us * playback.speed_q16;
            int32_t position = osc_playback_advance(&playback, elapsed_us);
            if (playback.speed_q16 == 0)
                continue;
            uint32_t exact =
                exact_position(time_q16, per_us_q32, playback.end_q11, playback.speed_q16 < 0);
            if ((uint32_t)position != exact)
                fail_msg("run %u step %u: %d instead of %u", run, step, position, exact);
        }
    }
}

/* Any step, any speed: no result leaves the clip, and a step that is not too long is exact. */
static void single_steps_are_exact(void **state)
{
    uint64_t seed = 8;
    (void)state;
    for (uint32_t i = 0; i < 2000000u; i++) {
        uint32_t frames = 2u + (random_u32(&seed) >> (12u + (random_u32(&seed) & 15u)));
        uint32_t per_us_q32 = random_u32(&seed), elapsed_us = (uint32_t)random_i32(&seed);
        osc_clip_info info = clip_of(frames, per_us_q32, false);
        osc_playback playback;
        osc_playback_start(&playback, &info, OSC_LOOPS_FOREVER);
        playback.speed_q16 = random_i32(&seed);
        int64_t time_q16 = (int64_t)elapsed_us * playback.speed_q16;
        bool backward = playback.speed_q16 < 0;
        uint32_t position = (uint32_t)osc_playback_advance(&playback, elapsed_us);
        assert_true(position <= playback.end_q11);
        if (time_q16 >> 16 > -0x7fffffff && time_q16 >> 16 < 0x7fffffff && playback.speed_q16 != 0)
            assert_int_equal(position,
                             exact_position(time_q16, per_us_q32, playback.end_q11, backward));
    }
}

/* The longest steps, and the shortest that saturate, in a clip of the greatest length. */
static void long_steps_saturate(void **state)
{
    osc_clip_info info = clip_of(OSC_MAX_FRAMES, 0xffffffffu, false);
    osc_playback playback, same;
    (void)state;
    for (uint32_t i = 0; i < 4u; i++) {
        int32_t sign = i % 2u == 0u ? -1 : 1;
        osc_playback_start(&playback, &info, OSC_LOOPS_FOREVER);
        playback.speed_q16 = sign * (i < 2u ? 0x7fffffff : OSC_ONE_Q16);
        playback.position_q11 = playback.end_q11 / 2u;
        same = playback;
        same.speed_q16 = sign * OSC_ONE_Q16;
        assert_int_equal(osc_playback_advance(&playback, i < 2u ? 0xffffffffu : 0x80000000u),
                         osc_playback_advance(&same, OSC_MAX_STEP_US));
        assert_true(playback.position_q11 <= playback.end_q11);
    }
}

static void loops_are_counted(void **state)
{
    osc_playback playback = playback_of(31, 3); /* a second */
    (void)state;
    assert_int_equal(osc_playback_advance(&playback, 500000), 15 * 2048);
    assert_int_equal(playback.loops_left, 3);
    assert_int_equal(osc_playback_advance(&playback, 1750000), 7 * 2048 + 1024);
    assert_int_equal(playback.loops_left, 1);
    assert_false(osc_playback_finished(&playback));
    assert_int_equal(osc_playback_advance(&playback, 749000), 29 * 2048 + 1986);
    assert_false(osc_playback_finished(&playback));
    assert_int_equal(osc_playback_advance(&playback, 1001), 30 * 2048);
    assert_true(osc_playback_finished(&playback));
    assert_int_equal(osc_playback_advance(&playback, 12345678), 30 * 2048);

    playback.loops_left = 1; /* and back */
    playback.speed_q16 = -2 * OSC_ONE_Q16;
    assert_int_equal(osc_playback_advance(&playback, 250000), 15 * 2048 - 1);
    assert_false(osc_playback_finished(&playback));
    assert_int_equal(osc_playback_advance(&playback, 4000000), 0);
    assert_true(osc_playback_finished(&playback));
}

static void backward_loops_are_counted(void **state)
{
    osc_playback playback = playback_of(31, 2);
    (void)state;
    playback.position_q11 = playback.end_q11;
    playback.speed_q16 = -OSC_ONE_Q16;
    assert_int_equal(osc_playback_advance(&playback, 500000), 15 * 2048 - 1);
    assert_int_equal(osc_playback_advance(&playback, 1000000), 15 * 2048 - 1);
    assert_int_equal(playback.loops_left, 1);
    assert_int_equal(osc_playback_advance(&playback, 499999), 0);
    assert_false(osc_playback_finished(&playback)); /* a part of a position is left */
    assert_int_equal(osc_playback_advance(&playback, 1), 0);
    assert_true(osc_playback_finished(&playback));
}

static void a_pause_keeps_everything(void **state)
{
    osc_playback playback = playback_of(31, 1), before;
    (void)state;
    (void)osc_playback_advance(&playback, 333333);
    before = playback;
    playback.paused = true;
    assert_int_equal(osc_playback_advance(&playback, 99999999), (int32_t)before.position_q11);
    playback.paused = false;
    playback.speed_q16 = 0;
    assert_int_equal(osc_playback_advance(&playback, 99999999), (int32_t)before.position_q11);
    playback.speed_q16 = before.speed_q16;
    assert_int_equal(playback.fraction_q32, before.fraction_q32);
    assert_int_equal(playback.time_fraction_q16, before.time_fraction_q16);
    assert_int_equal(playback.loops_left, 1);
}

/* A hundredth of the speed, a microsecond a step: nothing that is rounded off is lost. */
static void slow_motion_moves(void **state)
{
    osc_playback playback = playback_of(31, 1);
    (void)state;
    playback.speed_q16 = OSC_ONE_Q16 / 64;
    for (uint32_t i = 0; i < 64u * 100000u; i++)
        (void)osc_playback_advance(&playback, 1);
    assert_int_equal(playback.position_q11, 3 * 2048);
}

static void a_single_frame_ends_at_once(void **state)
{
    osc_playback once = playback_of(1, 2), forever = playback_of(1, OSC_LOOPS_FOREVER);
    (void)state;
    assert_int_equal(osc_playback_advance(&once, 16667), 0);
    assert_true(osc_playback_finished(&once));
    for (int32_t sign = -1; sign <= 1; sign += 2) {
        forever.speed_q16 = sign * OSC_ONE_Q16;
        assert_int_equal(osc_playback_advance(&forever, 16667), 0);
        assert_false(osc_playback_finished(&forever));
    }
}

/* The player shows what a seek to the clock's position shows; the last pose of a clip that jumps
 * back is its own. */
static void players_follow_their_clock(void **state)
{
    static const uint32_t clips[] = {WALK, JUMP, POSE};
    test_player made, other;
    osc_playback playback;
    (void)state;
    player_make(&made, sample_walk, sizeof sample_walk / 4u);
    player_make(&other, sample_walk, sizeof sample_walk / 4u);
    for (uint32_t i = 0; i < 3u; i++) {
        assert_int_equal(osc_player_play(&made.player, &playback, clips[i], 2), OSC_OK);
        assert_int_equal(osc_player_start(&other.player, clips[i], OSC_PLAY_ONCE), OSC_OK);
        (void)osc_player_seek_q11(&other.player, 0);
        assert_int_equal(pose_hash(&made), pose_hash(&other)); /* before the first step */
        for (uint32_t step = 0; step < 100u; step++) {
            int32_t left = osc_player_advance(&made.player, &playback, 7001);
            assert_int_equal(left, (int32_t)(playback.position_q11 >> 11));
            (void)osc_player_seek_q11(&other.player, (int32_t)playback.position_q11);
            assert_int_equal(pose_hash(&made), pose_hash(&other));
        }
        assert_true(osc_playback_finished(&playback));
        assert_int_equal(playback.position_q11, playback.end_q11);
    }
    player_free(&other);
    player_free(&made);
}

static void loops_as_made(void **state)
{
    test_player made;
    osc_playback playback;
    (void)state;
    player_make(&made, sample_walk, sizeof sample_walk / 4u);
    assert_int_equal(osc_player_play(&made.player, &playback, WALK, OSC_LOOPS_AS_MADE), OSC_OK);
    assert_int_equal(playback.loops_left, OSC_LOOPS_FOREVER);
    assert_int_equal(osc_player_play(&made.player, &playback, JUMP, OSC_LOOPS_AS_MADE), OSC_OK);
    assert_int_equal(playback.loops_left, 1);
    osc_playback before = playback;
    assert_int_equal(osc_player_play(&made.player, &playback, 99, 1), OSC_ERROR_NOT_FOUND);
    assert_memory_equal(&playback, &before, sizeof playback);
    player_free(&made);
}

/* A game that gives osc_player_play a mode means its loops, and the other way round. */
static void modes_and_loops_mean_the_same(void **state)
{
    test_player made;
    osc_playback playback;
    (void)state;
    player_make(&made, sample_walk, sizeof sample_walk / 4u);
    for (uint32_t clip = WALK; clip <= JUMP; clip++) {
        const uint32_t as_made = clip == WALK ? OSC_LOOPS_FOREVER : 1u;
        (void)osc_player_play(&made.player, &playback, clip, (uint32_t)OSC_PLAY_LOOP);
        assert_int_equal(playback.loops_left, OSC_LOOPS_FOREVER);
        (void)osc_player_play(&made.player, &playback, clip, OSC_PLAY_ONCE);
        assert_int_equal(playback.loops_left, 1);
        (void)osc_player_play(&made.player, &playback, clip, OSC_PLAY_AS_MADE);
        assert_int_equal(playback.loops_left, as_made);
        assert_int_equal(osc_player_start(&made.player, clip, (osc_play_mode)OSC_LOOPS_FOREVER),
                         OSC_OK);
        assert_true(made.player.loop);
        assert_int_equal(osc_player_start(&made.player, clip, (osc_play_mode)1), OSC_OK);
        assert_false(made.player.loop);
    }
    player_free(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_steps_are_their_exact_sum),
        cmocka_unit_test(single_steps_are_exact),
        cmocka_unit_test(long_steps_saturate),
        cmocka_unit_test(loops_are_counted),
        cmocka_unit_test(backward_loops_are_counted),
        cmocka_unit_test(a_pause_keeps_everything),
        cmocka_unit_test(slow_motion_moves),
        cmocka_unit_test(a_single_frame_ends_at_once),
        cmocka_unit_test(players_follow_their_clock),
        cmocka_unit_test(loops_as_made),
        cmocka_unit_test(modes_and_loops_mean_the_same),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
