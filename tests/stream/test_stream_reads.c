/* Reads: whole units, several chunks in one read, in parts; and reads that fail. */
#include "bank/osc_codecs.h"
#include "bank/osc_tiers.h"
#include "check.h"
#include "stream_tools.h"

#include <stdlib.h>
#include <string.h>

/* Wants all of the clips of this bank. */
static void want_all(test_stream *s)
{
    for (uint32_t clip = 0; clip < s->made.bank.clip_count; clip++)
        (void)osc_stream_want(&s->stream, &(osc_want){&s->made.bank, .clip = clip});
}

static void bring_all(test_stream *s)
{
    for (uint32_t step = 0; step < 500u; step++) {
        want_all(s);
        osc_stream_update(&s->stream, 1000);
    }
}

static void assert_plays_full(test_stream *s)
{
    for (uint32_t clip = 0; clip < s->made.bank.clip_count; clip++)
        assert_int_equal(stream_hash(s, clip, 1000), full_hash(s, clip, 1000));
}

static osc_chunk_entry entry_of(const test_stream *s, uint32_t tier, uint32_t clip, uint32_t block)
{
    return osc_chunk_describe(&s->made.bank, tier, stream_number(s, tier, clip, block));
}

/* Units from 4 bytes to 4 KB, tiers that begin anywhere, and every alignment: the medium of the
 * tests looks after the rules. */
static void units_cover_chunks_wherever_they_lie(void **state)
{
    (void)state;
    static const uint32_t units[] = {4, 64, 256, 512, 2048, 4096};
    for (uint32_t i = 0; i < sizeof units / sizeof *units; i++)
        for (uint32_t align = 4; align <= 64u && align <= units[i]; align *= 8u)
            for (uint32_t place = 0; place < 1024u; place += 340u) {
                test_stream s;
                stream_make(&s, tier_bank_of_codecs(),
                            (stream_setup){.unit_bytes = units[i],
                                           .align_bytes = align,
                                           .most_bytes = units[i] < 512u ? 512u : units[i],
                                           .place = place,
                                           .gap = 12});
                bring_all(&s);
                assert_plays_full(&s);
                assert_int_equal(s.stream.counts.arrived, 10);
                assert_int_equal(s.stream.counts.failures, 0);
                stream_free(&s);
            }
}

/* One read brings adjacent chunks that are wanted. */
static void neighbours_are_read_at_once(void **state)
{
    (void)state;
    test_stream s;
    stream_make(&s, tier_bank_of_codecs(), (stream_setup){.unit_bytes = 256});
    want_all(&s);
    stream_pass_ms(&s, 2);
    assert_int_equal(s.stream.counts.arrived, 5);
    stream_pass_ms(&s, 10);
    assert_int_equal(s.stream.counts.arrived, 10);
    assert_int_equal(s.medium.starts, 2); /* tier 1, tier 2 */
    assert_int_equal(s.stream.counts.reads, 2);
    assert_int_equal(s.stream.counts.read_bytes, s.medium.sizes[0] + s.medium.sizes[1]);
    assert_plays_full(&s);
    stream_free(&s);
}

/* The most urgent chunk lies in the middle of others, of which one is the first of the tier. A read
 * of all three may fill the pool and be the largest that the medium has. */
static void neighbours_on_both_sides_are_read_along(void **state)
{
    (void)state;
    test_stream s;
    for (uint32_t words = 0, i = 0; i < 2u; i++) {
        stream_make(
            &s, tier_bank_of_codecs(),
            (stream_setup){
                .unit_bytes = 4, .pool_words = words, .most_bytes = 4u * words, .slots = 12});
        for (uint32_t clip = 0; clip < 3u; clip++)
            (void)osc_stream_want(&s.stream, &(osc_want){&s.made.bank, .clip = clip, .tiers = 1,
                                                         .priority = clip == 1u ? 1 : 0});
        stream_pass_ms(&s, 5);
        assert_int_equal(s.medium.starts, 1);
        osc_chunk_entry first = entry_of(&s, 1, 0, 0), last = entry_of(&s, 1, 2, 0);
        words = last.offset_words + last.word_count - first.offset_words;
        assert_int_equal(s.medium.offsets[0], s.tiers.places[0] + 4u * first.offset_words);
        assert_int_equal(s.medium.sizes[0], 4u * words);
        stream_free(&s);
    }
}

/* A read contains no unwanted chunk, and is no larger than the medium permits. */
static void reads_are_no_larger_than_they_may_be(void **state)
{
    (void)state;
    test_stream s;
    stream_make(&s, tier_bank_of_codecs(), (stream_setup){.unit_bytes = 4, .most_bytes = 256});
    (void)osc_stream_want(&s.stream, &(osc_want){&s.made.bank, .clip = 0, .tiers = 1});
    (void)osc_stream_want(&s.stream, &(osc_want){&s.made.bank, .clip = 2, .tiers = 1});
    stream_pass_ms(&s, 5);
    assert_int_equal(s.medium.starts, 2);
    for (uint32_t i = 0; i < 2u; i++) {
        osc_chunk_entry entry = entry_of(&s, 1, 2u * i, 0);
        assert_int_equal(s.medium.offsets[i], s.tiers.places[0] + 4u * entry.offset_words);
        assert_int_equal(s.medium.sizes[i], 4u * entry.word_count);
    }
    osc_stream_drop(&s.stream);
    want_all(&s);
    stream_pass_ms(&s, 20);
    assert_int_equal(s.stream.counts.arrived, 12);
    assert_true(s.medium.starts > 4u);
    stream_free(&s);
}

/* A neighbour for which there is no room is read later. */
static void merged_reads_fit_the_room(void **state)
{
    (void)state;
    test_stream s;
    tier_bank tiers = tier_bank_of_codecs();
    stream_make(&s, tiers, (stream_setup){.unit_bytes = 4, .pool_words = tiers.most_words + 8u});
    want_all(&s);
    stream_pass_ms(&s, 2);
    for (uint32_t i = 0; i < s.medium.starts; i++)
        assert_true(s.medium.sizes[i] <= 4u * (tiers.most_words + 8u));
    assert_true(s.stream.counts.arrived > 0u);
    stream_free(&s);
}

/* Chunks of more than a read takes come in parts, also when the medium is busy between them. */
static void large_chunks_come_in_parts(void **state)
{
    (void)state;
    for (uint32_t busy = 0; busy < 2u; busy++) {
        test_stream s;
        stream_make(&s, tier_bank_of_sparse(),
                    (stream_setup){.unit_bytes = 64, .most_bytes = 128, .place = 44});
        s.medium.polls = 1;
        const osc_want want = {.bank = &s.made.bank, .clip = 2};
        for (uint32_t i = 0; i < 100u && osc_stream_want(&s.stream, &want) != 0; i++) {
            s.medium.busy_starts = i % 2u == 0u ? busy : 0u;
            osc_stream_update(&s.stream, 1000);
        }
        uint32_t bytes = 4u * s.tiers.tiers[0].count;
        assert_int_equal(s.medium.starts, ((44u + bytes + 63u) / 64u * 64u + 127u) / 128u);
        for (uint32_t i = 0; i < s.medium.starts; i++)
            assert_int_equal(s.medium.offsets[i], 128u * i);
        assert_int_equal(stream_hash(&s, 2, 9000), full_hash(&s, 2, 9000));
        assert_int_equal(s.stream.counts.failures, 0);
        stream_free(&s);
    }
}

/* ---- faults ---- */

enum { FAULT_START, FAULT_POLL, FAULT_HANG, FAULT_DAMAGE, FAULTS };

static void arm(test_stream *s, uint32_t fault, uint32_t times)
{
    uint32_t *counts[FAULTS] = {&s->medium.failing_starts, &s->medium.failing_polls,
                                &s->medium.hanging, &s->medium.damaged};
    *counts[fault] = times;
    s->medium.damage_bytes = s->tiers.places[0] + 8u; /* in the first chunk of tier 1 */
}

static osc_want first_chunk(const test_stream *s)
{
    return (osc_want){.bank = &s->made.bank, .clip = 0, .tiers = 1};
}

/* Fewer failures than OSC_STREAM_TRIES: it only takes longer, 20, 40 and 80 ms. */
static void what_fails_is_read_again_after_pauses(void **state)
{
    (void)state;
    for (uint32_t fault = 0; fault < FAULTS; fault++)
        for (uint32_t times = 0; times < OSC_STREAM_TRIES; times++) {
            test_stream s;
            stream_make(&s, tier_bank_of_codecs(), (stream_setup){.unit_bytes = 4});
            s.medium.medium.timeout_us = 0;
            arm(&s, fault, times);
            uint32_t calls = stream_bring(&s, first_chunk(&s));
            uint32_t pauses_ms = (1u << times) * 20u - 20u;
            assert_true(calls >= pauses_ms && calls <= pauses_ms + 2u * (times + 1u));
            assert_true(stream_has(&s, 1, 0, 0));
            assert_int_equal(s.stream.counts.failures, times);
            assert_int_equal(s.stream.counts.given_up, 0);
            osc_stream_fault told;
            assert_false(osc_stream_next_fault(&s.stream, &told));
            stream_free(&s);
        }
}

static void what_fails_too_often_is_given_up(void **state)
{
    (void)state;
    static const int32_t errors[FAULTS] = {OSC_ERROR_READ, OSC_ERROR_READ, OSC_ERROR_READ,
                                           OSC_ERROR_CRC};
    for (uint32_t fault = 0; fault < FAULTS; fault++) {
        test_stream s;
        stream_make(&s, tier_bank_of_codecs(), (stream_setup){.unit_bytes = 4});
        s.medium.medium.timeout_us = 3000;
        arm(&s, fault, ~0u);
        uint32_t base = stream_hash(&s, 0, 1000);
        (void)stream_bring(&s, first_chunk(&s)); /* ends: what was given up is not missing */
        assert_int_equal(s.stream.counts.failures, OSC_STREAM_TRIES);
        assert_int_equal(s.stream.counts.given_up, 1);
        assert_int_equal(stream_hash(&s, 0, 1000), base);
        osc_stream_fault told;
        assert_true(osc_stream_next_fault(&s.stream, &told));
        assert_ptr_equal(told.bank, &s.made.bank);
        assert_int_equal(told.tier, 1);
        assert_int_equal(told.clip, 0);
        assert_int_equal(told.block, 0);
        assert_int_equal(told.error, errors[fault]);
        assert_false(osc_stream_next_fault(&s.stream, &told));
        uint32_t starts = s.medium.starts;
        for (uint32_t i = 0; i < 300u; i++) {
            const osc_want want = first_chunk(&s);
            assert_int_equal(osc_stream_want(&s.stream, &want), 0);
            osc_stream_update(&s.stream, 1000);
        }
        assert_int_equal(s.medium.starts, starts);
        assert_false(osc_stream_next_fault(&s.stream, &told));
        /* the card is back */
        arm(&s, fault, 0);
        osc_stream_retry(&s.stream);
        (void)stream_bring(&s, first_chunk(&s));
        assert_true(stream_has(&s, 1, 0, 0));
        stream_free(&s);
    }
}

/* A request made once, long before it is due, and a hold outlive the fault. */
static void what_is_wanted_is_read_again_on_retry(void **state)
{
    (void)state;
    for (uint32_t held = 0; held < 2u; held++) {
        test_stream s;
        stream_make(&s, tier_bank_of_codecs(), (stream_setup){.unit_bytes = 4});
        osc_want want = first_chunk(&s);
        want.due_us = held != 0u ? 0 : 2000000u;
        arm(&s, FAULT_POLL, ~0u);
        if (held != 0u)
            assert_int_equal(osc_stream_hold(&s.stream, &want), 1);
        else
            assert_int_equal(osc_stream_want(&s.stream, &want), 1);
        stream_pass_ms(&s, 200); /* it is in the pause after the last try */
        assert_int_equal(s.stream.counts.given_up, 1);
        arm(&s, FAULT_POLL, 0);
        osc_stream_retry(&s.stream);
        osc_stream_fault told;
        assert_false(osc_stream_next_fault(&s.stream, &told)); /* it is forgotten */
        uint32_t starts = s.medium.starts;
        osc_stream_update(&s.stream, 0); /* at once */
        assert_int_equal(s.medium.starts, starts + 1u);
        stream_pass_ms(&s, 5);
        assert_true(stream_has(&s, 1, 0, 0));
        stream_free(&s);
    }
}

/* A finer version that is good plays although a coarser one is damaged, and the other way round. */
static void a_damaged_version_does_not_stop_the_others(void **state)
{
    (void)state;
    for (uint32_t tier = 1; tier <= 2u; tier++) {
        test_stream s;
        stream_make(&s, tier_bank_of_codecs(), (stream_setup){.unit_bytes = 4});
        arm(&s, FAULT_DAMAGE, ~0u);
        s.medium.damage_bytes = s.tiers.places[tier - 1u] + 8u;
        (void)stream_bring(&s, (osc_want){.clip = 0});
        assert_int_equal(stream_has(&s, 1, 0, 0), tier == 2u);
        assert_int_equal(stream_has(&s, 2, 0, 0), tier == 1u);
        assert_int_equal(s.stream.counts.given_up, tier == 2u ? 1u : 0u);
        osc_stream_fault told;
        assert_int_equal(osc_stream_next_fault(&s.stream, &told), tier == 2u);
        assert_true(tier != 2u || told.tier == 2u);
        stream_free(&s);
    }
}

/* One bad chunk in a merged read costs the others nothing; it is read alone afterwards. */
static void a_damaged_chunk_is_read_alone(void **state)
{
    (void)state;
    test_stream s;
    stream_make(&s, tier_bank_of_codecs(), (stream_setup){.unit_bytes = 4});
    arm(&s, FAULT_DAMAGE, 2);
    for (uint32_t clip = 0; clip < 5u; clip++)
        (void)osc_stream_want(&s.stream, &(osc_want){&s.made.bank, .clip = clip, .tiers = 1});
    stream_pass_ms(&s, 3);
    assert_int_equal(s.stream.counts.arrived, 4);
    stream_pass_ms(&s, 100);
    assert_int_equal(s.stream.counts.arrived, 5);
    assert_int_equal(s.medium.starts, 3);
    for (uint32_t i = 1; i < 3u; i++)
        assert_int_equal(s.medium.sizes[i], 4u * entry_of(&s, 1, 0, 0).word_count);
    stream_free(&s);
}

/* The words of a version may be right, but not be a version of this clip. */
static void a_chunk_that_contradicts_its_clip_is_refused(void **state)
{
    (void)state;
    test_stream s;
    stream_make(&s, tier_bank_of_codecs(), (stream_setup){.unit_bytes = 4});
    test_bank bank = bank_copy(s.tiers.bank.words, s.tiers.bank.count);
    uint32_t entry = (uint32_t)(osc_chunk_words(&s.made.bank, 0) - s.made.bank.words);
    osc_chunk_entry chunk = entry_of(&s, 1, 0, 0);
    uint32_t *words = s.tiers.medium.words + s.tiers.places[0] / 4u;
    words[0] ^= 1u; /* one frame more or less */
    bank.words[entry + OSC_CHUNK_CRC] =
        osc_crc_words(0xffffffffu, words, chunk.word_count) ^ 0xffffffffu;
    bank_seal(&bank);
    osc_bank changed;
    osc_stream_source source;
    assert_int_equal(bank_open(&bank, &changed), OSC_OK);
    assert_int_equal(osc_stream_add(&s.stream, &source, &changed, osc_all_checks, s.tiers.places),
                     OSC_OK);
    osc_stream_fault told;
    const osc_want want = {.bank = &changed, .clip = 0, .tiers = 1};
    for (uint32_t i = 0; i < 300u && osc_stream_want(&s.stream, &want) != 0; i++)
        osc_stream_update(&s.stream, 1000);
    assert_true(osc_stream_next_fault(&s.stream, &told));
    assert_ptr_equal(told.bank, &changed);
    assert_int_equal(told.error, OSC_ERROR_CLIP);
    bank_free(&bank);
    stream_free(&s);
}

/* A program without the codec of a chunk. */
static void a_chunk_of_another_codec_is_refused(void **state)
{
    (void)state;
    test_stream s;
    stream_make(&s, tier_bank_of_codecs(), (stream_setup){.unit_bytes = 4});
    osc_codec_check *checks[OSC_CODEC_COUNT];
    memcpy(checks, osc_all_checks, sizeof checks);
    checks[OSC_CODEC_TRANSFORM] = 0;
    s.source.checks = checks;
    (void)stream_bring(&s, first_chunk(&s));
    osc_stream_fault told;
    assert_true(osc_stream_next_fault(&s.stream, &told));
    assert_int_equal(told.error, OSC_ERROR_CODEC);
    stream_free(&s);
}

/* Each fault of several banks is told once. */
static void every_fault_is_told(void **state)
{
    (void)state;
    test_stream s;
    stream_make(&s, tier_bank_of_blocks(), (stream_setup){.unit_bytes = 4});
    test_player other;
    osc_stream_source source;
    player_make(&other, s.tiers.bank.words, s.tiers.bank.count);
    assert_int_equal(
        osc_stream_add(&s.stream, &source, &other.bank, osc_all_checks, s.tiers.places), OSC_OK);
    arm(&s, FAULT_POLL, ~0u);
    for (uint32_t step = 0; step < 1000u; step++) {
        const osc_bank *both[2] = {&s.made.bank, &other.bank};
        for (uint32_t i = 0; i < 2u; i++) {
            (void)osc_stream_want(&s.stream, &(osc_want){both[i], .clip = PLAIN_CYCLE});
            (void)osc_stream_want(&s.stream,
                                  &(osc_want){both[i], .clip = PLAIN_LONG, .frame = 299});
        }
        osc_stream_update(&s.stream, 1000);
    }
    osc_stream_fault told, seen[12];
    for (uint32_t i = 0; i < 12u; i++) {
        assert_true(osc_stream_next_fault(&s.stream, &told));
        for (uint32_t j = 0; j < i; j++)
            assert_false(seen[j].bank == told.bank && seen[j].tier == told.tier &&
                         seen[j].clip == told.clip);
        assert_int_equal(told.block, told.clip == PLAIN_LONG ? 9 : 0);
        seen[i] = told;
    }
    assert_false(osc_stream_next_fault(&s.stream, &told));
    assert_int_equal(s.stream.counts.given_up, 12);
    player_free(&other);
    stream_free(&s);
}

/* ---- time ---- */

static void a_busy_medium_is_asked_again(void **state)
{
    (void)state;
    test_stream s;
    stream_make(&s, tier_bank_of_codecs(), (stream_setup){0});
    s.medium.busy_starts = 2000; /* longer than any read may take */
    for (uint32_t step = 0; step < 2010u; step++) {
        want_all(&s);
        osc_stream_update(&s.stream, 1000);
    }
    assert_int_equal(s.medium.busy_starts, 0);
    assert_int_equal(s.stream.counts.failures, 0);
    assert_int_equal(s.stream.counts.arrived, 10);
    stream_free(&s);
}

/* A read takes as long as the medium allows, and not one call longer. */
static void slow_reads_time_out(void **state)
{
    (void)state;
    for (uint32_t late = 0; late < 2u; late++) {
        test_stream s;
        stream_make(&s, tier_bank_of_codecs(), (stream_setup){0});
        s.medium.medium.timeout_us = 10000;
        s.medium.polls = 10u + late;
        const osc_want want = first_chunk(&s);
        assert_int_equal(osc_stream_want(&s.stream, &want), 1);
        stream_pass_ms(&s, 13);
        assert_int_equal(stream_has(&s, 1, 0, 0), late == 0u);
        assert_int_equal(s.medium.cancels, late);
        assert_int_equal(s.stream.counts.failures, late);
        stream_free(&s);
    }
}

/* The game slept while the read went on: it is done, and has not timed out. */
static void a_read_that_is_done_does_not_time_out(void **state)
{
    (void)state;
    test_stream s;
    stream_make(&s, tier_bank_of_codecs(), (stream_setup){0});
    const osc_want want = first_chunk(&s);
    assert_int_equal(osc_stream_want(&s.stream, &want), 1);
    osc_stream_update(&s.stream, 1000);
    osc_stream_update(&s.stream, ~0u);
    assert_true(stream_has(&s, 1, 0, 0));
    assert_int_equal(s.medium.cancels, 0);
    stream_free(&s);
}

static void a_read_can_be_cancelled(void **state)
{
    (void)state;
    test_stream s;
    stream_make(&s, tier_bank_of_codecs(), (stream_setup){0});
    osc_stream_cancel(&s.stream); /* nothing goes on */
    assert_int_equal(s.medium.cancels, 0);
    s.medium.polls = 5;
    const osc_want want = first_chunk(&s);
    assert_int_equal(osc_stream_want(&s.stream, &want), 1);
    osc_stream_update(&s.stream, 1000);
    assert_true(s.medium.reading);
    osc_stream_cancel(&s.stream);
    assert_int_equal(s.medium.cancels, 1);
    assert_false(s.medium.reading);
    assert_int_equal(s.stream.counts.failures, 0);
    s.medium.busy_starts = 1; /* a read that has not begun */
    osc_stream_update(&s.stream, 1000);
    osc_stream_cancel(&s.stream);
    assert_int_equal(s.medium.cancels, 1);
    (void)stream_bring(&s, want); /* it is still wanted */
    assert_true(stream_has(&s, 1, 0, 0));
    memset(s.stream.pool, 0xff, 32);
    s.stream.pool[6] = 0; /* with the bits of a slot that is not held */
    osc_stream_drop(&s.stream);
    assert_false(stream_has(&s, 1, 0, 0));
    assert_int_equal(s.stream.pool[7], ~0u);
    stream_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_cover_chunks_wherever_they_lie),
        cmocka_unit_test(neighbours_are_read_at_once),
        cmocka_unit_test(neighbours_on_both_sides_are_read_along),
        cmocka_unit_test(reads_are_no_larger_than_they_may_be),
        cmocka_unit_test(merged_reads_fit_the_room),
        cmocka_unit_test(large_chunks_come_in_parts),
        cmocka_unit_test(what_fails_is_read_again_after_pauses),
        cmocka_unit_test(what_fails_too_often_is_given_up),
        cmocka_unit_test(what_is_wanted_is_read_again_on_retry),
        cmocka_unit_test(a_damaged_version_does_not_stop_the_others),
        cmocka_unit_test(a_damaged_chunk_is_read_alone),
        cmocka_unit_test(a_chunk_that_contradicts_its_clip_is_refused),
        cmocka_unit_test(a_chunk_of_another_codec_is_refused),
        cmocka_unit_test(every_fault_is_told),
        cmocka_unit_test(a_busy_medium_is_asked_again),
        cmocka_unit_test(slow_reads_time_out),
        cmocka_unit_test(a_read_that_is_done_does_not_time_out),
        cmocka_unit_test(a_read_can_be_cancelled),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
