/* Trajectories: where a clip moves its character, and that nothing drifts, however the trajectory
 * is cut into steps. */
#include "bank_tools.h"
#include "check.h"
#include "osc_mix.h"
#include "osc_motion.h"
#include "sample_banks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TAG 0x544f4f52u
#define WALK_END (8u << 11)
#define JUMP_END (5u << 11)
#define STILL 3u /* the last clip, of two frames; the one before it has one */
#define DIRECTION_LIMIT_Q30 4.0
#define PLACE_LIMIT_Q20 3.0 /* of a single placement, beside its exact value */
#define LOOP_LIMIT_Q20 1.5  /* that a loop adds to it: two products, and a direction */

enum { MOST_SEGMENTS = 9, MOST_WORDS = 1 + 2 * 4 + 2 * (8 + 2 * (MOST_SEGMENTS + 3)) };

static const double pi = 3.14159265358979323846;

typedef struct trajectory {
    uint32_t form, segments, multiple, shift[2];
    bool wide, has_start;
    int32_t end[4], start[4], keys[MOST_SEGMENTS + 3][4];
} trajectory;

typedef struct fixture {
    test_bank words;
    osc_bank bank;
    osc_trajectories trajectories;
    trajectory written[2];
} fixture;

static int32_t within(uint64_t *seed, int32_t most)
{
    return (int32_t)(random_u32(seed) % (2u * (uint32_t)most + 1u)) - most;
}

static void make_trajectory(trajectory *made, uint64_t *seed)
{
    memset(made, 0, sizeof *made);
    uint32_t choice = random_u32(seed);
    made->form = 1u + choice % 15u;
    made->multiple = 1;
    made->segments = random_u32(seed) % (MOST_SEGMENTS + 1u);
    made->wide = (choice & 256u) != 0u;
    made->has_start = (choice & 512u) != 0u;
    made->shift[0] = made->wide ? random_u32(seed) % 5u : random_u32(seed) % 13u;
    made->shift[1] = random_u32(seed) % 9u;
    for (uint32_t i = 0; i < 4u; i++) {
        if ((made->form >> i & 1u) == 0u)
            continue;
        made->end[i] = within(seed, i == 3u ? 1 << 25 : 5 << 20);
        made->start[i] = made->has_start ? within(seed, 9 << 20) : 0;
        for (uint32_t key = 0; key < made->segments + 3u; key++)
            made->keys[key][i] = within(seed, made->wide ? 32767 : 127);
        made->keys[1][i] = made->keys[made->segments + 1u][i] = 0;
    }
}

static uint32_t write_trajectory(uint32_t *entry, uint32_t *words, uint32_t at, uint32_t clip,
                                 uint32_t end_q11, const trajectory *made)
{
    uint32_t keys = 0, per_word = made->wide ? 2u : 4u, bits = 32u / per_word;
    uint64_t length = end_q11 / made->multiple;
    while ((length & 0x40000000u) == 0u)
        length <<= 1;
    entry[0] = made->form | made->shift[0] << 4 | made->shift[1] << 8 | clip << 16;
    entry[1] = made->segments | (made->has_start ? 0x4000u : 0u) | (made->wide ? 0x8000u : 0u) |
               made->multiple << 16;
    entry[2] = (uint32_t)(((1ull << 62) - 1u) / length);
    entry[3] = at;
    for (uint32_t i = 0; i < 4u; i++)
        if ((made->form >> i & 1u) != 0u)
            words[at++] = (uint32_t)made->end[i];
    for (uint32_t i = 0; i < 4u; i++)
        if ((made->form >> i & 1u) != 0u && made->has_start)
            words[at++] = (uint32_t)made->start[i];
    for (uint32_t key = 0; made->segments != 0u && key < made->segments + 3u; key++)
        for (uint32_t i = 0; i < 4u; i++) {
            if ((made->form >> i & 1u) == 0u)
                continue;
            if (keys % per_word == 0u)
                words[at++] = 0;
            uint32_t value = (uint32_t)made->keys[key][i] & (bits == 32u ? ~0u : (1u << bits) - 1u);
            words[at - 1u] |= value << bits * (keys++ % per_word);
        }
    return at;
}

static uint32_t write_section(uint32_t words[MOST_WORDS], const fixture *f)
{
    words[0] = 2;
    uint32_t at = write_trajectory(words + 1, words, 9, 0, WALK_END, &f->written[0]);
    return write_trajectory(words + 5, words, at, 1, JUMP_END, &f->written[1]);
}

static void make(fixture *f, uint64_t *seed)
{
    uint32_t words[MOST_WORDS];
    make_trajectory(&f->written[0], seed);
    make_trajectory(&f->written[1], seed);
    f->written[0].multiple = 1u << (random_u32(seed) & 3u);
    f->written[1].multiple = (random_u32(seed) & 1u) != 0u ? 5u : 1u;
    f->words = bank_with_section(sample_walk, TAG, words, write_section(words, f));
    assert_int_equal(bank_open(&f->words, &f->bank), OSC_OK);
    assert_int_equal(osc_trajectories_open(&f->trajectories, &f->bank), OSC_OK);
}

/* The exact displacement: metres * 2^20, turns * 2^24. */
typedef struct place {
    double at[4];
} place;

static place exact_frame(const trajectory *made, double share)
{
    place result = {{0.0, 0.0, 0.0, 0.0}};
    double u = share * made->segments, s;
    uint32_t first = made->segments != 0u ? (uint32_t)u : 0u;
    if (first >= made->segments && made->segments != 0u)
        first = made->segments - 1u;
    s = u - first;
    for (uint32_t i = 0; i < 4u; i++) {
        double k[4] = {0, 0, 0, 0};
        for (uint32_t j = 0; made->segments != 0u && j < 4u; j++)
            k[j] = ldexp(made->keys[first + j][i], (int)made->shift[i == 3u]);
        double cubic = 3.0 * (k[1] - k[2]) + k[3] - k[0];
        double square = 2.0 * k[0] - 5.0 * k[1] + 4.0 * k[2] - k[3];
        result.at[i] = made->end[i] * share +
                       (2.0 * k[1] + s * (k[2] - k[0] + s * (square + s * cubic))) / 2.0;
    }
    return result;
}

static place exact_trajectory(const trajectory *made, double share, uint32_t frames)
{
    double at = share * (frames / made->multiple), left = floor(at), last = frames / made->multiple;
    place result = exact_frame(made, left / last);
    if (at > left) {
        place right = exact_frame(made, (left + 1.0) / last);
        for (uint32_t i = 0; i < 4u; i++)
            result.at[i] += (right.at[i] - result.at[i]) * (at - left);
    }
    return result;
}

static place exact_join(place a, place b)
{
    double angle = a.at[3] * 2.0 * pi / OSC_ONE_Q24, c = cos(angle), s = sin(angle);
    place joined = {{a.at[0] + b.at[0] * c + b.at[2] * s, a.at[1] + b.at[1],
                     a.at[2] + b.at[2] * c - b.at[0] * s, a.at[3] + b.at[3]}};
    return joined;
}

static void assert_near(const osc_placement *a, place b, double limit)
{
    assert_true(fabs(a->x - b.at[0]) <= limit && fabs(a->y - b.at[1]) <= limit &&
                fabs(a->z - b.at[2]) <= limit);
    assert_true(fabs(remainder(a->yaw_q24 - b.at[3], ldexp(1.0, 32))) <= PLACE_LIMIT_Q20);
}

static void assert_same(const osc_placement *a, const osc_placement *b)
{
    assert_true(a->x == b->x && a->y == b->y && a->z == b->z && a->yaw_q24 == b->yaw_q24);
}

static void directions_are_exact(void **state)
{
    double most = 0.0;
    (void)state;
    for (uint64_t yaw = 0; yaw < (1u << 24); yaw += yaw % 4096u < 64u ? 1u : 37u) {
        osc_direction one = osc_direction_of((int32_t)(uint32_t)(yaw + (yaw << 24)));
        double angle = (double)yaw * 2.0 * pi / OSC_ONE_Q24;
        most = fmax(most, fabs(one.cos_q30 - ldexp(cos(angle), 30)));
        most = fmax(most, fabs(one.sin_q30 - ldexp(sin(angle), 30)));
    }
    assert_true(most <= DIRECTION_LIMIT_Q30);
    for (int32_t quarter = -8; quarter < 8; quarter++) {
        osc_direction one = osc_direction_of(quarter * (OSC_ONE_Q24 / 4));
        const int32_t cosines[4] = {1 << 30, 0, -(1 << 30), 0};
        assert_int_equal(one.cos_q30, cosines[quarter & 3]);
        assert_int_equal(one.sin_q30, cosines[(quarter + 3) & 3]);
    }
}

static void ways_are_as_written(void **state)
{
    uint64_t seed = 21;
    (void)state;
    for (uint32_t run = 0; run < 2000u; run++) {
        fixture f;
        osc_placement moved, start;
        make(&f, &seed);
        for (uint32_t clip = 0; clip < 2u; clip++) {
            const trajectory *made = &f.written[clip];
            uint32_t end = clip == 0u ? WALK_END : JUMP_END;
            for (uint32_t i = 0; i < 20u; i++) {
                uint32_t position = random_u32(&seed) % end;
                osc_trajectory_at(&f.trajectories, clip, position, &moved);
                place exact = exact_trajectory(made, (double)position / end, end >> 11);
                double most = ldexp(made->wide ? 32767.0 : 127.0, (int)made->shift[0]);
                double turn = ldexp(made->wide ? 32767.0 : 127.0, (int)made->shift[1]);
                /* that of a segment has 16 bits, and that between frames 20 */
                double slack = PLACE_LIMIT_Q20 + ldexp(most, -12);
                slack += made->multiple != 1u ? ldexp((32 << 20) + 12.0 * (most + turn), -20) : 0.0;
                assert_true(fabs(moved.x - exact.at[0]) <= slack &&
                            fabs(moved.y - exact.at[1]) <= slack &&
                            fabs(moved.z - exact.at[2]) <= slack &&
                            fabs(moved.yaw_q24 - exact.at[3]) <= slack + ldexp(turn, -12));
            }
            osc_trajectory_at(&f.trajectories, clip, 0, &moved);
            assert_true(moved.x == 0 && moved.y == 0 && moved.z == 0 && moved.yaw_q24 == 0);
            osc_trajectory_at(&f.trajectories, clip, end + (run & 1u) * 5000u, &moved);
            assert_true(moved.x == made->end[0] && moved.y == made->end[1] &&
                        moved.z == made->end[2] && moved.yaw_q24 == made->end[3]);
            osc_trajectory_start(&f.trajectories, clip, &start);
            assert_true(start.x == made->start[0] && start.y == made->start[1] &&
                        start.z == made->start[2] && start.yaw_q24 == made->start[3]);
        }
        osc_trajectory_at(&f.trajectories, 2, 5, &moved);
        assert_true(moved.x == 0 && moved.y == 0 && moved.z == 0 && moved.yaw_q24 == 0);
        bank_free(&f.words);
    }
}

/* At frames, a straight trajectory is rounded towards its start, so that the opposite trajectory is
 * exactly opposite. */
static void opposite_ways_are_opposite(void **state)
{
    uint64_t seed = 28;
    (void)state;
    for (uint32_t run = 0; run < 50u; run++) {
        osc_placement moved[2];
        fixture f;
        uint32_t words[MOST_WORDS];
        make_trajectory(&f.written[0], &seed);
        make_trajectory(&f.written[1], &seed);
        f.written[0].segments = 0;
        f.written[0].end[0] = run == 0u ? 1 : within(&seed, 5 << 20);
        f.written[0].form |= 1u;
        int32_t end = f.written[0].end[0];
        for (uint32_t frame = 0; frame <= WALK_END >> 11; frame++) {
            for (uint32_t back = 0; back < 2u; back++) {
                f.written[0].end[0] = back != 0u ? -end : end;
                f.words = bank_with_section(sample_walk, TAG, words, write_section(words, &f));
                assert_int_equal(bank_open(&f.words, &f.bank), OSC_OK);
                assert_int_equal(osc_trajectories_open(&f.trajectories, &f.bank), OSC_OK);
                osc_trajectory_at(&f.trajectories, 0, frame << 11, &moved[back]);
                bank_free(&f.words);
            }
            assert_int_equal(moved[0].x, -moved[1].x);
        }
    }
}

static osc_placement somewhere(uint64_t *seed)
{
    osc_placement at = {within(seed, 99 << 20), within(seed, 9 << 20), within(seed, 99 << 20),
                        (int32_t)random_u32(seed)};
    return at;
}

static void add_change(osc_placement *sum, const osc_placement *now, const osc_placement *then)
{
    sum->x = (int32_t)((uint32_t)sum->x + (uint32_t)now->x - (uint32_t)then->x);
    sum->y = (int32_t)((uint32_t)sum->y + (uint32_t)now->y - (uint32_t)then->y);
    sum->z = (int32_t)((uint32_t)sum->z + (uint32_t)now->z - (uint32_t)then->z);
    sum->yaw_q24 =
        (int32_t)((uint32_t)sum->yaw_q24 + (uint32_t)now->yaw_q24 - (uint32_t)then->yaw_q24);
}

/* Goes from one position to another in random parts, some of which turn round. */
static void go(osc_motion *motion, osc_placement *sum, int32_t from, int32_t to, uint32_t end,
               uint64_t *seed)
{
    while (from != to) {
        osc_step step;
        osc_placement then = motion->now;
        int32_t next = from + within(seed, 2 * (int32_t)end);
        if ((random_u32(seed) & 3u) == 0u)
            next = to;
        osc_step_between(&step, from, next, end, true);
        osc_motion_follow(motion, &step);
        add_change(sum, &motion->now, &then);
        from = next;
    }
}

/* A hundred thousand trajectories, each in one step and in several: forward, backward, over any
 * number of loops. The ends, and the sums of what the steps moved, are equal to the last bit. */
static void any_cut_ends_at_the_same_bits(void **state)
{
    uint64_t seed = 22;
    (void)state;
    for (uint32_t run = 0; run < 100000u / 50u; run++) {
        fixture f;
        make(&f, &seed);
        for (uint32_t i = 0; i < 50u; i++) {
            uint32_t clip = i & 1u, end = clip == 0u ? WALK_END : JUMP_END;
            osc_motion whole, parts;
            osc_step step;
            osc_placement at = somewhere(&seed), sum = {0, 0, 0, 0};
            int32_t span = (int32_t)end * ((i & 2u) != 0u ? 20 : 2);
            int32_t from = (int32_t)(random_u32(&seed) % end), to = within(&seed, span);
            osc_motion_start(&whole, &f.trajectories, clip, (uint32_t)from, &at);
            assert_same(&whole.now, &at);
            parts = whole;
            osc_step_between(&step, from, to, end, true);
            osc_motion_follow(&whole, &step);
            go(&parts, &sum, from, to, end, &seed);
            assert_same(&whole.now, &parts.now);
            add_change(&at, &sum, &(osc_placement){0, 0, 0, 0});
            assert_same(&at, &whole.now);
            go(&parts, &sum, to, from, end, &seed); /* and back */
            assert_true(sum.x == 0 && sum.y == 0 && sum.z == 0 && sum.yaw_q24 == 0);
        }
        bank_free(&f.words);
    }
}

/* The same by clocks, which may turn round between steps. */
static void clocks_do_not_drift(void **state)
{
    uint64_t seed = 23;
    (void)state;
    for (uint32_t run = 0; run < 300u; run++) {
        fixture f;
        osc_clip_info info;
        osc_playback clock, twin;
        osc_motion motion, other;
        osc_step step;
        make(&f, &seed);
        uint32_t clip = run & 1u;
        osc_placement at = somewhere(&seed);
        (void)osc_clip_describe(&f.bank, clip, &info);
        osc_playback_start(&clock, &info, OSC_LOOPS_FOREVER);
        twin = clock;
        osc_motion_start(&motion, &f.trajectories, clip, 0, &at);
        other = motion;
        for (uint32_t turn = 0; turn < 6u; turn++) {
            uint32_t whole_us = 0;
            clock.speed_q16 = twin.speed_q16 = (turn & 1u) != 0u ? -OSC_ONE_Q16 : OSC_ONE_Q16;
            for (uint32_t i = 0; i < 40u; i++) {
                uint32_t elapsed_us = random_u32(&seed) & 0x3ffffu;
                (void)osc_playback_step(&clock, elapsed_us, &step);
                osc_motion_follow(&motion, &step);
                whole_us += elapsed_us;
            }
            (void)osc_playback_step(&twin, whole_us, &step);
            osc_motion_follow(&other, &step);
            assert_int_equal(clock.position_q11, twin.position_q11);
            assert_same(&motion.now, &other.now);
        }
        bank_free(&f.words);
    }
}

/* After thousands of loops the place is where exact arithmetic has it, but for what a loop may add.
 */
static void long_ways_are_near_the_exact_one(void **state)
{
    uint64_t seed = 24;
    (void)state;
    for (uint32_t run = 0; run < 20u; run++) {
        fixture f;
        osc_motion motion;
        make(&f, &seed);
        f.written[0].end[3] /= 1 << run;
        osc_placement at = {0, 0, 0, 0};
        uint32_t words[MOST_WORDS], loops = 3000;
        bank_free(&f.words);
        for (uint32_t i = 0; i < 3u; i++)
            f.written[0].end[i] /= 16; /* stays within 2 km */
        f.words = bank_with_section(sample_walk, TAG, words, write_section(words, &f));
        assert_int_equal(bank_open(&f.words, &f.bank), OSC_OK);
        assert_int_equal(osc_trajectories_open(&f.trajectories, &f.bank), OSC_OK);
        osc_motion_start(&motion, &f.trajectories, 0, 0, &at);
        place exact = {{0, 0, 0, 0}};
        for (uint32_t i = 1; i <= loops; i++) {
            osc_step step = {0, 0, 1, false};
            osc_motion_follow(&motion, &step);
            exact = exact_join(exact, exact_trajectory(&f.written[0], 1.0, 8));
            assert_near(&motion.now, exact, PLACE_LIMIT_Q20 + LOOP_LIMIT_Q20 * i);
        }
        osc_step back = {0, 0, -(int32_t)loops, false};
        osc_motion_follow(&motion, &back);
        assert_same(&motion.now, &at);
        bank_free(&f.words);
    }
}

/* A step that goes round more often than any game does costs no more than the most. */
static void endless_steps_are_bounded(void **state)
{
    static const int32_t wraps[2] = {INT32_MAX, INT32_MIN};
    uint64_t seed = 25;
    fixture f;
    (void)state;
    make(&f, &seed);
    for (uint32_t i = 0; i < 2u; i++) {
        osc_motion most, more;
        osc_placement at = {1, 2, 3, 4};
        osc_step step = {0, 0, i == 0u ? OSC_STEP_MOST_LOOPS : -OSC_STEP_MOST_LOOPS, false};
        osc_motion_start(&most, &f.trajectories, 0, 0, &at);
        osc_motion_start(&more, &f.trajectories, 0, 0, &at);
        osc_motion_follow(&most, &step);
        step.wraps = wraps[i];
        osc_motion_follow(&more, &step);
        assert_same(&most.now, &more.now);
    }
    bank_free(&f.words);
}

static void matrices_are_placements(void **state)
{
    uint64_t seed = 25;
    (void)state;
    for (uint32_t run = 0; run < 5000u; run++) {
        osc_placement a = somewhere(&seed),
                      b = {within(&seed, 5 << 20), within(&seed, 5 << 20), within(&seed, 5 << 20),
                           0},
                      joined;
        osc_matrix matrix;
        osc_vector point = {b.x, b.y, b.z};
        osc_placement_matrix(&a, &matrix);
        osc_matrix_point(&matrix, &point, &point);
        osc_placement_join(&a, &b, &joined);
        assert_true(abs(point.x - joined.x) <= 7 && abs(point.z - joined.z) <= 7 &&
                    point.y == joined.y);
        double angle = a.yaw_q24 * 2.0 * pi / OSC_ONE_Q24;
        assert_true(fabs(matrix.m[0] - ldexp(cos(angle), 20)) <= 1.0 &&
                    fabs(matrix.m[2] - ldexp(sin(angle), 20)) <= 1.0);
    }
}

static void damaged_sections_are_refused(void **state)
{
    uint64_t seed = 26;
    uint32_t opened = 0;
    (void)state;
    for (uint32_t run = 0; run < 40000u; run++) {
        fixture f;
        uint32_t words[MOST_WORDS];
        make_trajectory(&f.written[0], &seed);
        make_trajectory(&f.written[1], &seed);
        uint32_t count = write_section(words, &f), reach = (run & 1u) != 0u ? 9u : count;
        for (uint32_t i = 1u + random_u32(&seed) % 3u; i-- > 0u;) {
            uint32_t *at = &words[random_u32(&seed) % reach], choice = random_u32(&seed);
            *at = (choice & 3u) == 0u   ? (uint32_t)random_i32(&seed)
                  : (choice & 3u) == 1u ? *at ^ 1u << (choice >> 8 & 31u)
                                        : *at + (choice >> 8 & 3u) - 1u;
        }
        if ((random_u32(&seed) & 7u) == 0u)
            count = random_u32(&seed) % (count + 1u);
        f.words = bank_with_section(sample_walk, TAG, words, count);
        assert_int_equal(bank_open(&f.words, &f.bank), OSC_OK);
        int32_t status = osc_trajectories_open(&f.trajectories, &f.bank);
        assert_true(status == OSC_OK || status == OSC_ERROR_SECTION);
        opened += status == OSC_OK ? 1u : 0u;
        for (uint32_t clip = 0; clip < 3u; clip++) {
            osc_motion motion;
            osc_placement at = {random_i32(&seed), random_i32(&seed), random_i32(&seed),
                                random_i32(&seed)};
            osc_motion_start(&motion, &f.trajectories, clip, (uint32_t)random_i32(&seed), &at);
            assert_same(&motion.now, &at);
            osc_step step = {0, (uint32_t)random_i32(&seed), within(&seed, 5), false};
            osc_motion_follow(&motion, &step);
            osc_trajectory_start(&f.trajectories, clip, &at);
            for (uint32_t i = 0; i < 4u; i++)
                osc_trajectory_at(&f.trajectories, clip, random_u32(&seed) % WALK_END, &at);
        }
        bank_free(&f.words);
    }
    assert_in_range(opened, 3000, 37000);
}

/* Makes the clip "still" longer, which has no data that depends on it. */
static void stretch_still(test_bank *bank, uint32_t last_frame)
{
    uint32_t *shape = &bank->words[bank_section(bank, 1) + 5u + 3u * STILL + 1u];
    *shape = (*shape & 0xffff0000u) | last_frame;
    bank_seal(bank);
}

/* Each rule of an entry is checked: one word of the section is changed at a time. */
static void entries_that_break_a_rule_are_refused(void **state)
{
    static const struct {
        uint32_t word, keep, set, last_frame; /* the last one of the clip "still" */
        int32_t status;
    } cases[] = {
        {2, ~0u, 0, 1, OSC_OK},
        {2, 0xff00ffffu, 0, 1, OSC_ERROR_SECTION},            /* no multiple */
        {2, 0xff00ffffu, 8u << 16, 1, OSC_OK},                /* of 8 frames */
        {2, 0xff00ffffu, 3u << 16, 1, OSC_ERROR_SECTION},     /* not a divisor of them */
        {2, 0xff00ffffu, 16u << 16, 1, OSC_ERROR_SECTION},    /* the same */
        {6, 0x0000ffffu, 257u << 16, 257, OSC_ERROR_SECTION}, /* of more than 8 bits */
        {6, 0x0000ffffu, 1u << 16, 257, OSC_OK},
        {6, 0x0000ffffu, 255u << 16, 255, OSC_OK},
        {0, 0, 200, 1, OSC_ERROR_SECTION},                   /* more entries than words */
        {0, 0, 0x10000, 1, OSC_ERROR_SECTION},               /* the same */
        {1, 0xfffffff0u, 0, 1, OSC_ERROR_SECTION},           /* no component */
        {1, ~0u, 1u << 12, 1, OSC_ERROR_SECTION},            /* reserved */
        {1, 0x0000ffffu, STILL << 16, 1, OSC_ERROR_SECTION}, /* the next entry's clip is below */
        {5, 0x0000ffffu, 0, 1, OSC_ERROR_SECTION},           /* the same clip again */
        {5, 0x0000ffffu, (STILL - 1u) << 16, 1, OSC_ERROR_SECTION}, /* a pose */
        {5, 0x0000ffffu, STILL << 16, 1, OSC_OK},
        {5, 0x0000ffffu, (STILL + 1u) << 16, 1, OSC_ERROR_SECTION}, /* no clip */
        {4, 0, 0xffffffffu, 1, OSC_ERROR_SECTION},                  /* beyond the section */
        {2, 0xffffc000u, 0x3fffu, 1, OSC_ERROR_SECTION},            /* more keys than there are */
    };
    uint64_t seed = 27;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture f;
        uint32_t words[MOST_WORDS];
        make_trajectory(&f.written[0], &seed);
        make_trajectory(&f.written[1], &seed);
        uint32_t count = write_section(words, &f);
        if (cases[i].last_frame != 1u)
            words[5] = (words[5] & 0xffffu) | STILL << 16;
        words[cases[i].word] = (words[cases[i].word] & cases[i].keep) | cases[i].set;
        f.words = bank_with_section(sample_walk, TAG, words, count);
        stretch_still(&f.words, cases[i].last_frame);
        assert_int_equal(bank_open(&f.words, &f.bank), OSC_OK);
        assert_int_equal(osc_trajectories_open(&f.trajectories, &f.bank), cases[i].status);
        bank_free(&f.words);
    }
}

/* One for each of the most clips, in a bank with no other data. */
static void every_clip_may_have_a_trajectory(void **state)
{
    enum { CLIPS = 65535, SECTION = 8 + 3 * CLIPS, NUMBERS = 1 + 4 * CLIPS };
    uint32_t *words = calloc(SECTION + NUMBERS + 1, sizeof *words), *section = words + SECTION;
    const uint32_t table[] = {1, TAG, SECTION, NUMBERS + 1};
    const osc_bank bank = {.words = words, .clips = words + 8, .clip_count = CLIPS};
    osc_trajectories trajectories;
    (void)state;
    memcpy(words + 4, table, sizeof table);
    section[0] = CLIPS;
    for (uint32_t clip = 0; clip < CLIPS; clip++) {
        const uint32_t entry[] = {1u | clip << 16, 1u << 16, 0, NUMBERS}; /* with x */
        words[9u + 3u * clip] = 1;                                        /* last frame */
        memcpy(section + 1u + 4u * clip, entry, sizeof entry);
    }
    assert_int_equal(osc_trajectories_open(&trajectories, &bank), OSC_OK);
    assert_int_equal(trajectories.count, CLIPS);
    section[0] = CLIPS + 1;
    assert_int_equal(osc_trajectories_open(&trajectories, &bank), OSC_ERROR_SECTION);
    free(words);
}

static void a_section_may_be_empty(void **state)
{
    const uint32_t none = 0;
    osc_bank bank;
    osc_trajectories trajectories;
    (void)state;
    test_bank made = bank_with_section(sample_walk, TAG, &none, 1);
    assert_int_equal(bank_open(&made, &bank), OSC_OK);
    assert_int_equal(osc_trajectories_open(&trajectories, &bank), OSC_OK);
    assert_int_equal(trajectories.count, 0);
    bank_free(&made);
}

static void banks_without_trajectories_stay(void **state)
{
    osc_bank bank;
    osc_trajectories trajectories;
    osc_motion motion;
    (void)state;
    assert_int_equal(osc_bank_open(&bank, sample_walk, sizeof sample_walk), OSC_OK);
    assert_int_equal(osc_trajectories_open(&trajectories, &bank), OSC_ERROR_NOT_FOUND);
    osc_placement at = {1, 2, 3, 4};
    osc_step step = {5, 6, 7, false};
    osc_motion_start(&motion, &trajectories, 0, 99, &at);
    osc_motion_follow(&motion, &step);
    assert_same(&motion.now, &at);
}

/* A blend of clips moves as its parts do, blended in turn; clips without weight count for nothing,
 * but are followed. */
static void a_blend_moves_by_its_weights(void **state)
{
    uint64_t seed = 29;
    (void)state;
    for (uint32_t run = 0; run < 500u; run++) {
        fixture f;
        make(&f, &seed);
        osc_motion motions[3], alone[3];
        osc_step steps[3];
        osc_placement here = somewhere(&seed), at = here, moved[3], blended = {0, 0, 0, 0};
        uint32_t weights[3], total = 0;
        for (uint32_t i = 0; i < 3u; i++) {
            uint32_t end = (i & 1u) == 0u ? WALK_END : JUMP_END;
            const osc_placement there = somewhere(&seed);
            weights[i] = run % (i + 2u) != 0u ? random_u32(&seed) % 65536u : 0u;
            osc_motion_start(&motions[i], &f.trajectories, i & 1u, 5u, &there);
            alone[i] = motions[i];
            osc_step_between(&steps[i], 5, within(&seed, (int32_t)end), end, true);
            osc_motion_follow(&alone[i], &steps[i]);
            osc_placement_seen(&there, &alone[i].now, &moved[i]);
            total += weights[i];
            osc_placement_blend(&blended, &moved[i], osc_mix_share(weights[i], total), &blended);
        }
        osc_placement_join(&at, &blended, &at);
        osc_motion_blend(motions, steps, weights, 3, &here);
        assert_same(&here, &at);
        for (uint32_t i = 0; i < 3u; i++)
            assert_same(&motions[i].now, &alone[i].now);
        const uint32_t second[2] = {0, 7}, none[2] = {0, 0};
        osc_placement_join(&here, &moved[1], &at);
        for (uint32_t i = 0; i < 2u; i++)
            osc_motion_start(&motions[i], &f.trajectories, i & 1u, 5u, &here);
        osc_placement before = here;
        osc_motion_blend(motions, steps, second, 2, &here);
        assert_true(abs(here.x - at.x) <= 3 && abs(here.z - at.z) <= 3 && here.y == at.y &&
                    here.yaw_q24 == at.yaw_q24);
        here = before;
        osc_motion_blend(motions, steps, none, 2, &here);
        osc_motion_blend(0, 0, 0, 0, &here);
        assert_same(&here, &before);
        bank_free(&f.words);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(directions_are_exact),
        cmocka_unit_test(ways_are_as_written),
        cmocka_unit_test(opposite_ways_are_opposite),
        cmocka_unit_test(any_cut_ends_at_the_same_bits),
        cmocka_unit_test(clocks_do_not_drift),
        cmocka_unit_test(long_ways_are_near_the_exact_one),
        cmocka_unit_test(endless_steps_are_bounded),
        cmocka_unit_test(matrices_are_placements),
        cmocka_unit_test(damaged_sections_are_refused),
        cmocka_unit_test(entries_that_break_a_rule_are_refused),
        cmocka_unit_test(every_clip_may_have_a_trajectory),
        cmocka_unit_test(a_section_may_be_empty),
        cmocka_unit_test(banks_without_trajectories_stay),
        cmocka_unit_test(a_blend_moves_by_its_weights),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
