/* Sync: marks of clips meet, phases and positions lead to one another, and time is that of the
 * clips by their weights. */
#include "bank/osc_format.h"
#include "bank_tools.h"
#include "check.h"
#include "osc_motion.h"
#include "sample_banks.h"

#define TAG 0x544e5645u
#define FRAME 2048u
#define WALK_US (1000000.0 / 30.0) /* a frame */
#define JUMP_US (1000000.0 / 24.0)
#define STEP_ERROR_US 2.0 /* rounding of a step's time */

enum { LEFT, RIGHT, CLAP, NAMES, WALK = 0, JUMP = 1 };

static const uint32_t feet[2] = {LEFT, RIGHT};

typedef struct mark {
    uint32_t position, name;
} mark;

typedef struct fixture {
    test_bank words;
    osc_bank bank;
    osc_events events;
} fixture;

static void make(fixture *f, const mark *walk, uint32_t walk_count, const mark *jump,
                 uint32_t jump_count)
{
    uint32_t words[64], at = 0, total = walk_count + jump_count;
    words[at++] = NAMES | NAMES << 16;
    words[at++] = 2u | total << 16;
    for (uint32_t i = 0; i < NAMES; i++)
        words[at++] = 0xabc0u + i;
    for (uint32_t i = 0; i < NAMES; i++) {
        words[at++] = i;
        words[at++] = 0;
    }
    words[at++] = WALK << 16 | walk_count;
    words[at++] = JUMP << 16 | total;
    for (uint32_t i = 0; i < total; i++) {
        mark one = i < walk_count ? walk[i] : jump[i - walk_count];
        words[at++] = one.position;
        words[at++] = one.name;
    }
    f->words = bank_with_section(sample_walk, TAG, words, at);
    assert_int_equal(bank_open(&f->words, &f->bank), OSC_OK);
    assert_int_equal(osc_events_open(&f->events, &f->bank), OSC_OK);
}

/* A walk that begins with the left foot, and a jump that begins in the middle of its cycle. */
static void make_feet(fixture *f, osc_sync_clip clips[2])
{
    static const mark walk[] = {{FRAME, LEFT}, {3u * FRAME, CLAP}, {5u * FRAME, RIGHT}};
    static const mark jump[] = {{FRAME / 2u, RIGHT}, {3u * FRAME, LEFT}};
    make(f, walk, 3, jump, 2);
    assert_int_equal(osc_sync_open(&clips[0], &f->events, WALK, feet, 2), OSC_OK);
    assert_int_equal(osc_sync_open(&clips[1], &f->events, JUMP, feet, 2), OSC_OK);
}

static void marks_meet(void **state)
{
    (void)state;
    fixture f;
    osc_sync_clip clips[2];
    make_feet(&f, clips);
    for (uint32_t mark = 0; mark < 10u; mark++) {
        osc_phase phase = {mark, 0};
        assert_int_equal(osc_sync_position_q11(&clips[0], &phase), mark % 2u == 0u ? 2048 : 10240);
        assert_int_equal(osc_sync_position_q11(&clips[1], &phase), mark % 2u == 0u ? 6144 : 1024);
    }
    osc_phase half = {1, 1u << 19};
    assert_int_equal(osc_sync_position_q11(&clips[0], &half), 7 * 2048); /* 5 to 9, which is 1 */
    assert_int_equal(osc_sync_position_q11(&clips[1], &half), 1024 + (6144 - 1024) / 2);
    osc_phase end = {1, 3u << 18}; /* three of the four frames, and so the first position */
    assert_int_equal(osc_sync_position_q11(&clips[0], &end), 0);
    bank_free(&f.words);
}

/* From a position to its phase and back: the error is at most 2^-15 of the distance between marks.
 */
static void phases_lead_back(void **state)
{
    (void)state;
    fixture f;
    osc_sync_clip clips[2];
    make_feet(&f, clips);
    for (uint32_t c = 0; c < 2u; c++) {
        uint32_t end = (c == 0u ? 8u : 5u) * FRAME;
        for (uint32_t position = 0; position < end; position++) {
            osc_phase phase = osc_sync_phase(&clips[c], position);
            uint32_t back = (uint32_t)osc_sync_position_q11(&clips[c], &phase);
            assert_true(phase.fraction_q20 < 1u << 20);
            assert_in_range((position + end - back) % end, 0, 2);
        }
        for (uint32_t mark = 0; mark < clips[c].count; mark++) {
            osc_phase phase = osc_sync_phase(&clips[c], clips[c].marks_q11[mark]);
            assert_true(phase.mark == mark && phase.fraction_q20 == 0u);
        }
    }
    bank_free(&f.words);
}

/* Both steps take the weighted time of the clips, for any division into ticks. */
static void time_is_that_of_the_weights(void **state)
{
    (void)state;
    fixture f;
    osc_sync_clip clips[2];
    uint64_t random = 9;
    make_feet(&f, clips);
    for (uint32_t run = 0; run < 200u; run++) {
        uint16_t weights[2] = {(uint16_t)(random_u32(&random) % 32769u), 0};
        weights[1] = (uint16_t)(32768u - weights[0]);
        double share = weights[1] / 32768.0;
        double times[2] = {4.0 * WALK_US * (1.0 - share) + 2.5 * JUMP_US * share,
                           4.0 * WALK_US * (1.0 - share) + 2.5 * JUMP_US * share};
        osc_phase phase = {0, 0};
        double passed = 0;
        uint32_t steps = 0;
        while (phase.mark < 40u) {
            uint32_t elapsed = random_u32(&random) % 60000u;
            passed += elapsed;
            steps++;
            osc_sync_advance(&phase, clips, weights, 2, elapsed);
            double wanted = passed / ((times[0] + times[1]) / 2.0);
            double got = phase.mark + phase.fraction_q20 / 1048576.0;
            double error = got - wanted,
                   limit = (steps + phase.mark * STEP_ERROR_US) / times[0] + steps * 0x1p-15;
            assert_true(error < limit && error > -limit);
        }
    }
    bank_free(&f.words);
}

static void one_clip_keeps_its_own_time(void **state)
{
    (void)state;
    fixture f;
    osc_sync_clip clips[2];
    const uint16_t only[2] = {32768, 0}, none[2] = {0, 0};
    make_feet(&f, clips);
    osc_phase phase = {0, 0}, other = {0, 0};
    osc_sync_advance(&phase, clips, only, 2, 133332); /* 4 frames of 33333 us */
    assert_int_equal(phase.mark, 1);
    assert_int_equal(phase.fraction_q20, 0);
    osc_sync_advance(&other, clips, none, 2, 133332);
    assert_int_equal(other.mark, 1);
    osc_sync_advance(&phase, clips, only, 2, 0);
    assert_int_equal(phase.mark, 1);
    assert_int_equal(phase.fraction_q20, 0);
    bank_free(&f.words);
}

static int32_t open_marks(const mark *marks, uint32_t count, uint32_t clip)
{
    fixture f;
    osc_sync_clip sync;
    make(&f, marks, count, 0, 0);
    int32_t status = osc_sync_open(&sync, &f.events, clip, feet, 2);
    bank_free(&f.words);
    return status;
}

static void marks_that_do_not_follow_are_refused(void **state)
{
    (void)state;
    const mark twice[] = {{0, LEFT}, {FRAME, LEFT}, {2u * FRAME, RIGHT}, {3u * FRAME, RIGHT}};
    const mark odd[] = {{0, LEFT}, {FRAME, RIGHT}, {2u * FRAME, LEFT}};
    const mark same[] = {{FRAME, LEFT}, {FRAME, RIGHT}};
    const mark single[] = {{0, CLAP}, {FRAME, LEFT}};
    mark many[10];
    for (uint32_t i = 0; i < 10u; i++)
        many[i] = (mark){i * FRAME / 2u, i % 2u};
    assert_int_equal(open_marks(twice, 4, WALK), OSC_ERROR_CLIP);
    assert_int_equal(open_marks(odd, 3, WALK), OSC_ERROR_CLIP);
    assert_int_equal(open_marks(same, 2, WALK), OSC_ERROR_CLIP);
    assert_int_equal(open_marks(single, 2, WALK), OSC_ERROR_NOT_FOUND);
    assert_int_equal(open_marks(many, 8, WALK), OSC_OK);
    assert_int_equal(open_marks(many, 10, WALK), OSC_ERROR_MEMORY);
    assert_int_equal(open_marks(many, 8, 99), OSC_ERROR_NOT_FOUND);
    assert_int_equal(open_marks(many, 8, JUMP), OSC_ERROR_NOT_FOUND);
}

/* A clip with one mark takes a step a loop. */
static void a_single_mark_goes_round(void **state)
{
    (void)state;
    const mark single[] = {{3u * FRAME, CLAP}};
    const uint32_t claps[1] = {CLAP};
    const uint16_t weight[1] = {32768};
    fixture f;
    osc_sync_clip sync;
    osc_phase phase = {0, 0};
    make(&f, single, 1, 0, 0);
    assert_int_equal(osc_sync_open(&sync, &f.events, WALK, claps, 1), OSC_OK);
    uint32_t loop_us = sync.end_q11 / FRAME * 33333u;
    osc_sync_advance(&phase, &sync, weight, 1, loop_us / 2u);
    assert_int_equal(phase.mark, 0);
    assert_in_range(phase.fraction_q20, (1u << 19) - 64u, (1u << 19) + 64u);
    osc_sync_advance(&phase, &sync, weight, 1, loop_us);
    assert_int_equal(phase.mark, 1);
    bank_free(&f.words);
}

static void set_rates(const fixture *f, uint32_t rate_q16)
{
    for (uint32_t rate = 0; rate < 2u; rate++)
        f->words.words[f->bank.rates - f->words.words + rate * OSC_RATE_WORDS] = rate_q16;
}

/* Marks nearer than steps can follow each other are refused; a clip that was made of others anyhow
 * passes no more marks than the time has room for. */
static void near_marks_are_bounded(void **state)
{
    (void)state;
    const uint16_t weights[2][3] = {{1, 65535, 1}, {0}};
    const uint32_t least = OSC_SYNC_LEAST_US * FRAME / 33333u + 1u; /* positions */
    osc_sync_clip clips[3];
    const mark near[] = {{FRAME, LEFT}, {FRAME + least - 2u, RIGHT}};
    const mark far[] = {{FRAME, LEFT}, {FRAME + least, RIGHT}};
    const mark round[] = {{1u, LEFT}, {8u * FRAME - 10u, RIGHT}};
    assert_int_equal(open_marks(near, 2, WALK), OSC_ERROR_CLIP);
    assert_int_equal(open_marks(far, 2, WALK), OSC_OK);
    assert_int_equal(open_marks(round, 2, WALK), OSC_ERROR_CLIP);
    for (uint32_t less = 0; less < 2u; less++) {
        const mark nearest[] = {{FRAME, LEFT}, {FRAME + FRAME / 2u - less, RIGHT}};
        fixture f;
        make(&f, nearest, 2, 0, 0);
        set_rates(&f, 50u << 16); /* 20 ms a frame */
        assert_int_equal(osc_sync_open(&clips[0], &f.events, WALK, feet, 2),
                         less != 0u ? OSC_ERROR_CLIP : OSC_OK);
        set_rates(&f, 1u << 16);
        assert_int_equal(osc_sync_open(&clips[0], &f.events, WALK, feet, 2), OSC_OK);
        assert_int_equal(clips[0].us_per_frame, 1000000);
        bank_free(&f.words);
    }
    for (uint32_t i = 0; i < 3u; i++)
        clips[i] = (osc_sync_clip){
            .count = 2, .marks_q11 = {0, 1}, .end_q11 = 2, .us_per_frame = i == 2u ? 0u : 2083u};
    for (uint32_t i = 0; i < 6u; i++) {
        osc_phase phase = {0, 0};
        uint32_t count = i % 3u + 1u;
        osc_sync_advance(&phase, clips, weights[i / 3u], count, 16667u);
        assert_int_equal(phase.mark, 1);
        phase = (osc_phase){0, 0};
        osc_sync_advance(&phase, clips, weights[i / 3u], count, ~0u);
        assert_int_equal(phase.mark, OSC_SYNC_MOST_US / OSC_SYNC_LEAST_US);
    }
}

/* Any phase, position and time: no undefined behaviour, and results in range. */
static void any_numbers_are_taken(void **state)
{
    (void)state;
    fixture f;
    osc_sync_clip clips[2];
    uint64_t random = 31;
    make_feet(&f, clips);
    for (uint32_t i = 0; i < 2000u; i++) {
        osc_phase phase = {random_u32(&random), (uint32_t)random_i32(&random)};
        uint16_t weights[2] = {(uint16_t)random_u32(&random), (uint16_t)random_i32(&random)};
        assert_in_range(osc_sync_position_q11(&clips[i % 2u], &phase), 0, 9 * 2048);
        osc_sync_advance(&phase, clips, weights, 2, (uint32_t)random_i32(&random));
        assert_true(phase.fraction_q20 < 1u << 20);
        assert_in_range(osc_sync_position_q11(&clips[i % 2u], &phase), 0, 9 * 2048);
        phase = osc_sync_phase(&clips[i % 2u], (uint32_t)random_i32(&random));
        assert_true(phase.mark < 2u && phase.fraction_q20 < 1u << 20);
    }
    bank_free(&f.words);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(marks_meet),
        cmocka_unit_test(phases_lead_back),
        cmocka_unit_test(time_is_that_of_the_weights),
        cmocka_unit_test(one_clip_keeps_its_own_time),
        cmocka_unit_test(marks_that_do_not_follow_are_refused),
        cmocka_unit_test(a_single_mark_goes_round),
        cmocka_unit_test(near_marks_are_bounded),
        cmocka_unit_test(any_numbers_are_taken),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
