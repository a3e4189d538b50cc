/* The time to a position: with a microsecond less, the clock has not reached it yet. */
#include "check.h"
#include "osc_motion.h"

#include <string.h>

#define PER_US_Q32 263882791u /* 30 frames a second */
#define UNCHANGED 0x5a5a5a5au

static osc_playback clock_of(uint32_t frames, uint32_t loops)
{
    osc_clip_info info = {0};
    info.frame_count = frames;
    info.position_per_us_q32 = PER_US_Q32;
    osc_playback clock;
    osc_playback_start(&clock, &info, loops);
    return clock;
}

/* Whether a step of this time reaches a position, from the loops and positions that it passes. */
static bool reaches(const osc_playback *clock, uint32_t position, uint32_t elapsed_us)
{
    osc_playback copy = *clock;
    osc_step step;
    (void)osc_playback_step(&copy, elapsed_us, &step);
    bool backward = clock->speed_q16 < 0;
    uint32_t end = clock->end_q11, last = backward ? 0u : end;
    uint32_t wraps = (uint32_t)(backward ? -step.wraps : step.wraps);
    /* at a wrap already: nothing less than a whole loop comes to the next one */
    bool at_wrap = clock->position_q11 == last && !(backward && clock->fraction_q32 != 0u);
    if (position == 0u || position == end) {
        uint32_t more = at_wrap && clock->loops_left != 1u && end != 0u ? 1u : 0u;
        return wraps + (step.ended && position == last ? 1u : 0u) > more;
    }
    bool ahead = backward ? position < step.from_q11 : position > step.from_q11;
    bool there = step.ended || (backward ? step.to_q11 <= position : step.to_q11 >= position);
    return wraps + (ahead ? 1u : 0u) + (there ? 1u : 0u) > 1u;
}

/* A step that plays more than OSC_MAX_STEP_US of the clip, unless there is none. */
static uint32_t longest_us(const osc_playback *clock)
{
    int64_t speed = clock->speed_q16;
    uint64_t longest =
        speed != 0 ? ((uint64_t)1 << 47) / (uint64_t)(speed < 0 ? -speed : speed) : 0;
    return longest < 0xffffffffu ? (uint32_t)longest + 1u : 0xffffffffu;
}

/* By bisection: clocks do not go back. */
static bool search(const osc_playback *clock, uint32_t position, uint32_t *time_us)
{
    uint32_t least = 0, most = longest_us(clock);
    osc_playback as_recorded = *clock; /* what a step as long as the longest reaches */
    if (clock->speed_q16 != 0)
        as_recorded.speed_q16 = clock->speed_q16 < 0 ? -OSC_ONE_Q16 : OSC_ONE_Q16;
    if (position > clock->end_q11 || !reaches(clock, position, most) ||
        !reaches(&as_recorded, position, OSC_MAX_STEP_US))
        return false;
    while (least < most) {
        uint32_t middle = least + (most - least) / 2u;
        if (reaches(clock, position, middle))
            most = middle;
        else
            least = middle + 1u;
    }
    *time_us = least;
    return true;
}

static uint32_t edge_or(uint64_t *seed, uint32_t end)
{
    static const uint32_t near_edges[] = {0, 0, 1, 2};
    uint32_t random = random_u32(seed), edge = near_edges[random & 3u];
    edge = edge < end ? edge : end;
    switch (random >> 2 & 3u) {
    case 0:
        return edge;
    case 1:
        return end - edge;
    default:
        return (uint32_t)(((uint64_t)random_u32(seed) * ((uint64_t)end + 1u)) >> 32);
    }
}

static osc_playback any_clock(uint64_t *seed)
{
    static const uint32_t loops[] = {0, 1, 1, 2, 2, 3, 1000, OSC_LOOPS_FOREVER};
    uint32_t random = random_u32(seed);
    osc_playback clock = clock_of(1u, 1u);
    clock.loops_left = loops[random & 7u];
    clock.end_q11 = ((random_u32(seed) >> 12) >> (random >> 3 & 15u) >> (random >> 7 & 7u)) << 11;
    clock.position_per_us_q32 = random_u32(seed) >> (random >> 10 & 15u) >> (random >> 14 & 15u);
    clock.position_q11 = edge_or(seed, clock.end_q11);
    clock.speed_q16 = (random >> 18 & 1u) != 0u ? random_i32(seed) : OSC_ONE_Q16;
    if ((random >> 19 & 3u) == 0u)
        clock.speed_q16 >>= random >> 21 & 31u;
    if ((random >> 26 & 1u) != 0u)
        clock.speed_q16 = clock.speed_q16 == INT32_MIN ? 1 : -clock.speed_q16;
    clock.paused = random >> 27 == 31u;
    clock.fraction_q32 = random_u32(seed);
    clock.fraction_q32 = (clock.fraction_q32 & 3u) == 0u ? 0u : clock.fraction_q32;
    clock.fraction_q32 |= (clock.fraction_q32 & 28u) == 0u ? 0u - clock.fraction_q32 : 0u;
    clock.time_fraction_q16 = (uint16_t)random_u32(seed);
    return clock;
}

static void expect_time(const osc_playback *clock, uint32_t position, bool reached, uint32_t due_us)
{
    uint32_t time_us = UNCHANGED;
    osc_playback before = *clock;
    bool found = osc_playback_time_to(clock, position, &time_us);
    if (found != reached || time_us != (reached ? due_us : UNCHANGED))
        fail_msg("to %u of %u at %u + %u / 2^32, %u loops, speed %d, rate %u: %d %u, not %d %u",
                 position, clock->end_q11, clock->position_q11, clock->fraction_q32,
                 clock->loops_left, clock->speed_q16, clock->position_per_us_q32, found, time_us,
                 reached, due_us);
    assert_memory_equal(clock, &before, sizeof before);
}

static void any_clock_is_exact(void **state)
{
    uint64_t seed = 31;
    (void)state;
    for (uint32_t i = 0; i < 400000u; i++) {
        osc_playback clock = any_clock(&seed);
        uint32_t position = edge_or(&seed, clock.end_q11), due_us = 0;
        if ((random_u32(&seed) & 7u) == 0u)
            position = clock.position_q11;
        bool reached = search(&clock, position, &due_us);
        expect_time(&clock, position, reached, due_us);
    }
}

/* Every microsecond of clocks that play: what the search assumes, too. */
static void each_microsecond_counts(void **state)
{
    uint64_t seed = 32;
    (void)state;
    for (uint32_t run = 0; run < 200u; run++) {
        osc_playback clock = clock_of(2u + random_u32(&seed) % 3u, 1u + random_u32(&seed) % 4u);
        clock.position_per_us_q32 = random_u32(&seed) >> (random_u32(&seed) & 3u);
        clock.speed_q16 = (int32_t)(random_u32(&seed) >> 14) - (1 << 17);
        clock.position_q11 = edge_or(&seed, clock.end_q11);
        uint32_t position = edge_or(&seed, clock.end_q11), due_us = 0;
        while (due_us < 20000u && !reaches(&clock, position, due_us))
            due_us++;
        if (due_us < 20000u)
            expect_time(&clock, position, true, due_us);
    }
}

/* A game that stops at each mark sees all of them, as one that does not. */
static void marks_cut_time_without_loss(void **state)
{
    uint64_t seed = 33;
    (void)state;
    for (uint32_t run = 0; run < 100u; run++) {
        osc_playback clock = clock_of(31, 3), whole;
        clock.speed_q16 = (int32_t)(random_u32(&seed) >> 12) - (1 << 19);
        clock.speed_q16 += clock.speed_q16 < 0 ? -1000 : 1000;
        clock.position_q11 = clock.speed_q16 < 0 ? clock.end_q11 : 0u;
        whole = clock;
        uint32_t mark = 1u + random_u32(&seed) % (clock.end_q11 - 1u), passed = 0, time_us, sum = 0;
        while (osc_playback_time_to(&clock, mark, &time_us)) {
            (void)osc_playback_advance(&clock, time_us);
            sum += time_us;
            passed++;
        }
        assert_int_equal(passed, 3);
        (void)osc_playback_advance(&whole, sum);
        assert_memory_equal(&clock, &whole, sizeof clock);
    }
}

/* A second of 30 frames. */
static void loops_end_where_they_say(void **state)
{
    osc_playback clock = clock_of(31, 2);
    uint32_t end = clock.end_q11;
    (void)state;
    expect_time(&clock, 15 * 2048, true, 500000);
    expect_time(&clock, end, true, 1000000);
    expect_time(&clock, 0, true, 1000000);
    expect_time(&clock, end + 1u, false, 0);
    clock.loops_left = 1;
    expect_time(&clock, end, true, 1000000);
    expect_time(&clock, 0, false, 0);
    clock.position_q11 = 15 * 2048;
    expect_time(&clock, 15 * 2048, false, 0);
    expect_time(&clock, 14 * 2048, false, 0);
    clock.loops_left = OSC_LOOPS_FOREVER;
    expect_time(&clock, 15 * 2048, true, 1000000);
    expect_time(&clock, 14 * 2048, true, 966667);
    clock.position_q11 = end;
    expect_time(&clock, end, true, 1000000);

    clock = clock_of(31, 1); /* at the end of its last loop, which any step finishes */
    clock.position_q11 = end;
    expect_time(&clock, end, true, 0);
    expect_time(&clock, 0, false, 0);
    expect_time(&clock, 2048, false, 0);
    clock.speed_q16 = -2 * OSC_ONE_Q16;
    expect_time(&clock, 0, true, 500000);
    expect_time(&clock, end, false, 0);
    clock.position_q11 = 0;
    expect_time(&clock, 0, true, 0);
    clock.fraction_q32 = 1; /* which is left to play */
    expect_time(&clock, 0, true, 1);
    clock.paused = true;
    expect_time(&clock, 0, false, 0);

    clock = clock_of(1, 5);
    expect_time(&clock, 0, true, 0);
    clock.loops_left = OSC_LOOPS_FOREVER;
    expect_time(&clock, 0, false, 0);
}

/* The longest times that a clock can step, and those that are longer. */
static void times_have_a_limit(void **state)
{
    osc_playback clock = clock_of(OSC_MAX_FRAMES, 1);
    uint32_t time_us = 0;
    (void)state;
    clock.position_per_us_q32 = 1u << 31; /* two microseconds to a position */
    assert_true(osc_playback_time_to(&clock, 0x3fffffffu, &time_us));
    assert_int_equal(time_us, OSC_MAX_STEP_US - 1u);
    expect_time(&clock, 0x40000000u, false, 0);
    clock.fraction_q32 = 1u << 31;
    expect_time(&clock, 0x40000000u, true, OSC_MAX_STEP_US);
    clock.speed_q16 = OSC_ONE_Q16 / 2;
    expect_time(&clock, 0x40000000u, true, 2u * OSC_MAX_STEP_US);
    clock.speed_q16 = OSC_ONE_Q16 / 2 - 1;
    expect_time(&clock, 0x40000000u, false, 0);
    clock.speed_q16 = 1;
    expect_time(&clock, 0x8000u, true, 0xffffu << 16);
    clock.fraction_q32 = 0;
    expect_time(&clock, 0x8000u, false, 0);
    expect_time(&clock, 0x8001u, false, 0);
    clock.time_fraction_q16 = 1;
    expect_time(&clock, 0x8000u, true, 0xffffffffu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_clock_is_exact),          cmocka_unit_test(each_microsecond_counts),
        cmocka_unit_test(marks_cut_time_without_loss), cmocka_unit_test(loops_end_where_they_say),
        cmocka_unit_test(times_have_a_limit),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
