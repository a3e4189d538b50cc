/* Chunks play when they arrive: bits of the finest version that is there, in every codec, whatever
 * comes and goes while a clip plays. */
#include "bank/osc_codecs.h"
#include "bank/osc_tiers.h"
#include "check.h"
#include "stream_tools.h"

#include <stdlib.h>
#include <string.h>

static const int32_t quarter = 512;

static uint32_t frames_of(const test_stream *s, uint32_t clip)
{
    osc_clip_info info;
    assert_int_equal(osc_clip_describe(&s->made.bank, clip, &info), OSC_OK);
    return info.frame_count;
}

/* Without the last frame of a loop, which plays as its first. */
static uint32_t rows_of(const test_stream *s, uint32_t clip)
{
    osc_clip_info info;
    assert_int_equal(osc_clip_describe(&s->made.bank, clip, &info), OSC_OK);
    return info.frame_count - (info.loop ? 1u : 0u);
}

/* Every quarter of a frame has the bits of the bank with all tiers attached. */
static void assert_plays_full(test_stream *s, uint32_t clip)
{
    int32_t end = (int32_t)(frames_of(s, clip) - 1u) * 2048;
    for (int32_t position = 0; position <= end; position += quarter)
        assert_int_equal(stream_hash(s, clip, position), full_hash(s, clip, position));
    for (int32_t position = end; position >= 0; position -= 3 * quarter)
        assert_int_equal(stream_hash(s, clip, position), full_hash(s, clip, position));
}

static void bring_clip(test_stream *s, uint32_t clip)
{
    for (uint32_t frame = 0; frame < frames_of(s, clip); frame++)
        assert_true(stream_bring(s, (osc_want){.clip = clip, .frame = frame}) < 1000u);
}

static void bring_all(test_stream *s)
{
    for (uint32_t clip = 0; clip < s->made.bank.clip_count; clip++)
        bring_clip(s, clip);
}

static tier_bank (*const banks[])(void) = {tier_bank_of_codecs, tier_bank_of_sparse,
                                           tier_bank_of_blocks, tier_bank_of_keys};
enum { BANKS = sizeof banks / sizeof *banks };

static void what_is_wanted_arrives_and_plays(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < BANKS; i++) {
        test_stream s;
        stream_make(&s, banks[i](), (stream_setup){0});
        osc_quality quality;
        osc_bank_quality(&s.made.bank, &quality);
        assert_int_equal(quality.chunks_there, 0);
        assert_true(quality.error_q20 > quality.finest_error_q20);
        bring_all(&s);
        osc_stream_retry(&s.stream); /* nothing has failed */
        osc_bank_quality(&s.made.bank, &quality);
        assert_int_equal(quality.error_q20, quality.finest_error_q20);
        for (uint32_t clip = 0; clip < s.made.bank.clip_count; clip++)
            assert_plays_full(&s, clip);
        assert_int_equal(s.stream.counts.failures, 0);
        assert_int_equal(s.stream.counts.given_up, 0);
        stream_free(&s);
    }
}

/* Tiers play the same whether they are in the bank, attached, or streamed. */
static void a_bank_that_contains_its_tiers_plays_them(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < BANKS; i++) {
        test_stream s;
        stream_make(&s, banks[i](), (stream_setup){0});
        test_bank words = tier_bank_whole(&s.tiers);
        test_player whole;
        player_make(&whole, words.words, words.count);
        assert_int_equal(whole.bank.tiers_there, (1u << s.tiers.tier_count) - 1u);
        for (uint32_t clip = 0; clip < whole.bank.clip_count; clip++) {
            assert_int_equal(osc_player_start(&whole.player, clip, OSC_PLAY_AS_MADE), OSC_OK);
            for (uint32_t frame = 0; frame < frames_of(&s, clip); frame++) {
                assert_true(osc_player_seek_q11(&whole.player, (int32_t)(2048u * frame)) >= 0);
                assert_int_equal(pose_hash(&whole), full_hash(&s, clip, (int32_t)(2048u * frame)));
            }
        }
        player_free(&whole);
        bank_free(&words);
        stream_free(&s);
    }
}

/* Without requests nothing is read, and the base plays. */
static void nothing_comes_unasked(void **state)
{
    (void)state;
    test_stream s;
    stream_make(&s, tier_bank_of_codecs(), (stream_setup){0});
    stream_pass_ms(&s, 100);
    assert_int_equal(s.medium.starts, 0);
    assert_int_equal(stream_chunks_there(&s), 0);
    stream_free(&s);
}

/* Chunks come, move and go between any two positions of a player, also of one that goes on from
 * frame to frame; what is no longer there is overwritten, so that a pointer into it would show. */
static void no_player_keeps_what_moves_or_goes(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < BANKS; i++) {
        test_stream s;
        stream_make(&s, banks[i](), (stream_setup){0});
        test_player base;
        player_make(&base, s.tiers.bank.words, s.tiers.bank.count);
        uint64_t random = 20 + i;
        for (uint32_t clip = 0; clip < s.made.bank.clip_count; clip++) {
            uint32_t frames = rows_of(&s, clip);
            assert_int_equal(osc_player_start(&base.player, clip, OSC_PLAY_AS_MADE), OSC_OK);
            for (uint32_t frame = 0; frame < frames; frame++) {
                int32_t position = (int32_t)(frame * 2048u);
                bool drop = random_u32(&random) % 2u == 0u;
                if (drop) {
                    osc_stream_drop(&s.stream);
                    memset(s.stream.pool, 0xff, s.stream.pool_words * 4u);
                    assert_int_equal(stream_chunks_there(&s), 0);
                    assert_true(osc_player_seek_q11(&base.player, position) >= 0);
                    assert_int_equal(stream_hash(&s, clip, position), pose_hash(&base));
                } else {
                    assert_true(stream_bring(&s, (osc_want){.clip = clip, .frame = frame}) < 1000u);
                    assert_int_equal(stream_hash(&s, clip, position),
                                     full_hash(&s, clip, position));
                }
            }
        }
        player_free(&base);
        stream_free(&s);
    }
}

/* A pool that is filled and emptied at random moves chunks together all the time. */
static void chunks_move_while_they_play(void **state)
{
    (void)state;
    test_stream s;
    tier_bank tiers = tier_bank_of_blocks();
    stream_make(&s, tiers, (stream_setup){.pool_words = 4u * tiers.most_words, .unit_bytes = 4});
    const osc_want playing = {.bank = &s.made.bank, .clip = PLAIN_CYCLE, .frame = 3};
    assert_true(osc_stream_hold(&s.stream, &playing) >= 0);
    assert_true(stream_bring(&s, playing) < 1000u);
    uint64_t random = 5;
    uint32_t moves = 0;
    for (uint32_t step = 0; step < 2000u; step++) {
        const uint32_t *before = osc_tier_chunk(&s.made.bank, 3, PLAIN_CYCLE, 0).words;
        const osc_want other = {.bank = &s.made.bank,
                                .clip = PLAIN_LONG,
                                .frame = random_u32(&random) % PLAIN_LONG_FRAMES,
                                .tiers = (uint8_t)(1u + random_u32(&random) % 3u)};
        assert_true(osc_stream_want(&s.stream, &other) >= 0);
        osc_stream_update(&s.stream, 600000);
        if (step % 31u == 0u) {
            osc_stream_release(&s.stream, &playing);
            osc_stream_drop(&s.stream);
            assert_true(osc_stream_want(&s.stream, &other) >= 0);
            osc_stream_update(&s.stream, 1000);
            assert_true(osc_stream_hold(&s.stream, &playing) >= 0);
            assert_true(stream_bring(&s, playing) < 1000u);
        }
        const uint32_t *after = osc_tier_chunk(&s.made.bank, 3, PLAIN_CYCLE, 0).words;
        assert_non_null(after);
        moves += before != after ? 1u : 0u;
        int32_t position = (int32_t)(step % 32u * 2048u + 700u);
        assert_int_equal(stream_hash(&s, PLAIN_CYCLE, position),
                         full_hash(&s, PLAIN_CYCLE, position));
    }
    assert_true(moves > 10u);
    stream_free(&s);
}

/* The error that is stated bounds how far a pose is from the finest, and so what moves when a chunk
 * comes or goes. */
static void a_pop_is_within_the_errors_stated(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < BANKS; i++) {
        test_stream s;
        stream_make(&s, banks[i](), (stream_setup){0});
        for (uint32_t clip = 0; clip < s.made.bank.clip_count; clip++)
            for (uint32_t frame = 0; frame < rows_of(&s, clip); frame++) {
                int32_t position = (int32_t)(frame * 2048u), before_q20 = -1;
                osc_want want = {.bank = &s.made.bank, .clip = clip, .frame = frame};
                osc_stream_drop(&s.stream);
                (void)full_hash(&s, clip, position);
                for (bool more = true; more;) {
                    int32_t error_q20 = osc_clip_quality_q20(&s.made.bank, clip, frame);
                    (void)stream_hash(&s, clip, position);
                    assert_true(pose_difference(&s.made.bank, &s.made.pose, &s.full.pose) <=
                                error_q20);
                    assert_true(before_q20 < 0 || error_q20 <= before_q20 || i == 0u);
                    before_q20 = error_q20;
                    more = osc_stream_want(&s.stream, &want) != 0;
                    osc_stream_update(&s.stream, 1000);
                }
            }
        stream_free(&s);
    }
}

/* Of the versions of a clip the coarser ones come first, and go once a finer one is there. */
static void a_finer_version_replaces_a_coarser_one(void **state)
{
    (void)state;
    test_stream s;
    stream_make(&s, tier_bank_of_blocks(), (stream_setup){0});
    const osc_want want = {.bank = &s.made.bank, .clip = PLAIN_LONG};
    assert_int_equal(osc_stream_want(&s.stream, &want), 3);
    bool seen[4] = {false, false, false, false};
    for (uint32_t step = 0; step < 10u; step++) {
        osc_stream_update(&s.stream, 1000);
        uint32_t there = 0;
        for (uint32_t tier = 1; tier <= 3u; tier++)
            if (stream_has(&s, tier, PLAIN_LONG, 0)) {
                seen[tier] = true;
                there++;
            }
        assert_true(there <= 1u);
    }
    assert_true(seen[1] && seen[2] && seen[3]);
    assert_int_equal(osc_stream_want(&s.stream, &want), 0);
    assert_int_equal(s.stream.counts.dropped, 2);
    stream_free(&s);
}

static void fewer_tiers_may_be_wanted(void **state)
{
    (void)state;
    test_stream s;
    stream_make(&s, tier_bank_of_blocks(), (stream_setup){0});
    osc_want want = {.bank = &s.made.bank, .clip = PLAIN_CYCLE, .tiers = 2};
    assert_int_equal(osc_stream_want(&s.stream, &want), 2);
    (void)stream_bring(&s, want);
    stream_pass_ms(&s, 20);
    assert_true(stream_has(&s, 2, PLAIN_CYCLE, 0) && !stream_has(&s, 3, PLAIN_CYCLE, 0));
    want.tiers = 9; /* more than there are: all */
    assert_int_equal(osc_stream_want(&s.stream, &want), 1);
    (void)stream_bring(&s, want);
    want.tiers = 1; /* something finer is there */
    assert_int_equal(osc_stream_want(&s.stream, &want), 0);
    stream_pass_ms(&s, 20);
    assert_true(stream_has(&s, 3, PLAIN_CYCLE, 0));
    stream_free(&s);
}

/* A whole tier counts for all of its chunks, and all below: they are not read, or make room. */
static void whole_tiers_make_chunks_useless(void **state)
{
    (void)state;
    test_stream s;
    stream_make(&s, tier_bank_of_blocks(), (stream_setup){0});
    const test_bank *whole = &s.tiers.tiers[1];
    const osc_want cycle = {.bank = &s.made.bank, .clip = PLAIN_CYCLE},
                   first = {.bank = &s.made.bank, .clip = PLAIN_SHORT, .tiers = 1};
    (void)stream_bring(&s, (osc_want){.clip = PLAIN_CYCLE, .tiers = 2});
    (void)stream_bring(&s, first);
    assert_int_equal(stream_chunks_there(&s), 2);
    assert_int_equal(osc_bank_attach_tier(&s.made.bank, 2, whole->words, whole->count * 4u),
                     OSC_OK);
    osc_stream_update(&s.stream, 1000);
    assert_null(s.source.chunks.find(&s.source.chunks, stream_number(&s, 2, PLAIN_CYCLE, 0)));
    assert_true(stream_has(&s, 1, PLAIN_SHORT, 0)); /* of which tier 2 has nothing */
    uint32_t reads = s.medium.starts;
    assert_int_equal(osc_stream_want(&s.stream, &cycle), 1); /* tier 3 */
    stream_pass_ms(&s, 20);
    assert_int_equal(s.medium.starts, reads + 1u);
    assert_int_equal(stream_hash(&s, PLAIN_CYCLE, 5000), full_hash(&s, PLAIN_CYCLE, 5000));
    osc_stream_drop(&s.stream);
    assert_int_equal(osc_bank_attach_tier(&s.made.bank, 2, 0, 0), OSC_OK);
    assert_int_equal(osc_stream_want(&s.stream, &cycle), 3);
    stream_free(&s);
}

/* A whole tier is attached while a chunk of it is on its way. */
static void a_chunk_that_comes_too_late_goes(void **state)
{
    (void)state;
    test_stream s;
    stream_make(&s, tier_bank_of_blocks(), (stream_setup){0});
    s.medium.polls = 3;
    const test_bank *whole = &s.tiers.tiers[2];
    assert_int_equal(osc_stream_want(&s.stream, &(osc_want){&s.made.bank, .clip = PLAIN_CYCLE}), 3);
    osc_stream_update(&s.stream, 1000);
    assert_int_equal(osc_bank_attach_tier(&s.made.bank, 3, whole->words, whole->count * 4u),
                     OSC_OK);
    stream_pass_ms(&s, 20);
    assert_int_equal(s.medium.starts, 1);
    assert_null(s.source.chunks.find(&s.source.chunks, stream_number(&s, 1, PLAIN_CYCLE, 0)));
    stream_free(&s);
}

static void several_banks_share_a_stream(void **state)
{
    (void)state;
    test_stream s;
    stream_make(&s, tier_bank_of_codecs(), (stream_setup){0});
    tier_bank others[2] = {tier_bank_of_blocks(), tier_bank_of_keys()};
    test_player made[2], full[2];
    osc_stream_source sources[2];
    uint32_t places[OSC_MAX_TIERS], bytes = s.tiers.medium.count * 4u;
    test_bank image = bank_copy(s.tiers.medium.words, s.tiers.medium.count);
    for (uint32_t i = 0; i < 2u; i++) {
        bank_resize_at(&image, image.count, (int32_t)others[i].medium.count, 0);
        memcpy((uint8_t *)image.words + bytes, others[i].medium.words, others[i].medium.count * 4u);
        for (uint32_t tier = 0; tier < others[i].tier_count; tier++)
            places[tier] = bytes + others[i].places[tier];
        bytes += others[i].medium.count * 4u;
        player_make(&made[i], others[i].bank.words, others[i].bank.count);
        player_make(&full[i], others[i].bank.words, others[i].bank.count);
        for (uint32_t tier = 0; tier < others[i].tier_count; tier++)
            assert_int_equal(osc_bank_attach_tier(&full[i].bank, tier + 1u,
                                                  others[i].tiers[tier].words,
                                                  others[i].tiers[tier].count * 4u),
                             OSC_OK);
        assert_int_equal(
            osc_stream_add(&s.stream, &sources[i], &made[i].bank, osc_all_checks, places), OSC_OK);
    }
    s.medium.image = (const uint8_t *)image.words;
    s.medium.image_bytes = image.count * 4u;
    for (uint32_t step = 0; step < 100u; step++) {
        (void)osc_stream_want(&s.stream, &(osc_want){&s.made.bank, .clip = 0});
        (void)osc_stream_want(&s.stream, &(osc_want){&made[0].bank, .clip = PLAIN_SHORT});
        (void)osc_stream_want(&s.stream, &(osc_want){&made[1].bank, .clip = 0});
        osc_stream_update(&s.stream, 1000);
    }
    assert_plays_full(&s, 0);
    for (uint32_t i = 0; i < 2u; i++) {
        uint32_t clip = i == 0u ? PLAIN_SHORT : 0;
        assert_int_equal(osc_player_start(&made[i].player, clip, OSC_PLAY_AS_MADE), OSC_OK);
        assert_int_equal(osc_player_start(&full[i].player, clip, OSC_PLAY_AS_MADE), OSC_OK);
        for (int32_t frame = 0; frame < 19; frame++) {
            assert_true(osc_player_seek_q11(&made[i].player, frame * 2048) >= 0);
            assert_true(osc_player_seek_q11(&full[i].player, frame * 2048) >= 0);
            assert_int_equal(pose_hash(&made[i]), pose_hash(&full[i]));
        }
    }
    for (uint32_t i = 0; i < 2u; i++) {
        player_free(&made[i]);
        player_free(&full[i]);
        tier_bank_free(&others[i]);
    }
    bank_free(&image);
    stream_free(&s);
}

/* A long clip in a pool that is smaller than the clip, at 30 frames a second: what is ahead comes
 * in time, and no frame is played coarser than it could be after the first block. */
static void a_long_clip_is_followed(void **state)
{
    (void)state;
    for (int32_t direction = -1; direction <= 1; direction += 2) {
        test_stream s;
        tier_bank tiers = tier_bank_of_blocks();
        uint32_t pool_words = 5u * tiers.most_words;
        assert_true(pool_words < tiers.tiers[2].count);
        stream_make(&s, tiers,
                    (stream_setup){.pool_words = pool_words, .slots = 10, .unit_bytes = 64});
        s.medium.polls = 2;
        uint32_t coarse = 0;
        assert_int_equal(osc_player_start(&s.made.player, PLAIN_LONG, OSC_PLAY_ONCE), OSC_OK);
        for (uint32_t step = 0; step < PLAIN_LONG_FRAMES; step++) {
            int32_t frame =
                direction > 0 ? (int32_t)step : (int32_t)(PLAIN_LONG_FRAMES - 1u - step);
            (void)stream_hash(&s, PLAIN_LONG, frame * 2048);
            assert_true(osc_stream_follow(&s.stream, &s.made.player, 20 * direction) >= 0);
            for (uint32_t ms = 0; ms < 33u; ms += 11u)
                osc_stream_update(&s.stream, 11111);
            bool full = stream_hash(&s, PLAIN_LONG, frame * 2048) ==
                        full_hash(&s, PLAIN_LONG, frame * 2048);
            coarse += full ? 0u : 1u;
            assert_true(full || step < 12u);
        }
        assert_true(coarse > 0u && coarse < 12u);
        assert_true(s.stream.counts.dropped > 10u);
        stream_free(&s);
    }
}

/* At the end of a loop the block at its other end comes next. */
static void a_loop_is_followed_around_its_end(void **state)
{
    (void)state;
    test_stream s;
    stream_make(&s, tier_bank_of_blocks(), (stream_setup){0});
    assert_int_equal(osc_player_start(&s.made.player, PLAIN_CYCLE, OSC_PLAY_LOOP), OSC_OK);
    assert_int_equal(osc_player_seek_q11(&s.made.player, 38 * 2048), 38);
    for (uint32_t step = 0; step < 50u; step++) {
        (void)osc_stream_follow(&s.stream, &s.made.player, 1);
        osc_stream_update(&s.stream, 1000);
    }
    assert_true(stream_has(&s, 3, PLAIN_CYCLE, 1) && !stream_has(&s, 3, PLAIN_CYCLE, 0));
    for (uint32_t step = 0; step < 50u; step++) {
        (void)osc_stream_follow(&s.stream, &s.made.player, 2);
        osc_stream_update(&s.stream, 1000);
    }
    assert_true(stream_has(&s, 3, PLAIN_CYCLE, 0));
    osc_stream_drop(&s.stream);
    assert_int_equal(osc_player_seek_q11(&s.made.player, 0), 0);
    for (uint32_t step = 0; step < 50u; step++) {
        (void)osc_stream_follow(&s.stream, &s.made.player, -1);
        osc_stream_update(&s.stream, 1000);
    }
    assert_true(stream_has(&s, 3, PLAIN_CYCLE, 0) && stream_has(&s, 3, PLAIN_CYCLE, 1));
    stream_free(&s);
}

/* The blocks that are ahead, and no others, also of one frame each. */
static void only_blocks_ahead_are_requested(void **state)
{
    (void)state;
    static const struct {
        uint32_t clip, mode;
        int32_t frame, ahead;
        bool small_blocks;
        int32_t blocks, tiers;
    } cases[] = {{PLAIN_CYCLE, OSC_PLAY_ONCE, 38, 5, false, 1, 3}, /* the end is no beginning */
                 {PLAIN_SHORT, OSC_PLAY_LOOP, 0, 19, false, 1, 2}, /* there is no other block */
                 {PLAIN_CYCLE, OSC_PLAY_LOOP, 1, -1, true, 2, 3},  /* to the first block */
                 {PLAIN_CYCLE, OSC_PLAY_LOOP, 39, 1, true, 1, 3}}; /* which follows the last */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        test_stream s;
        stream_make(&s, tier_bank_of_blocks(), (stream_setup){0});
        if (cases[i].small_blocks)
            s.made.bank.block_log2 = 0; /* with chunks of frames 0 and 1 */
        assert_int_equal(osc_player_start(&s.made.player, cases[i].clip, cases[i].mode), OSC_OK);
        assert_true(osc_player_seek_q11(&s.made.player, cases[i].frame * 2048) >= 0);
        assert_int_equal(osc_stream_follow(&s.stream, &s.made.player, cases[i].ahead),
                         cases[i].blocks * cases[i].tiers);
        stream_free(&s);
    }
}

/* Frames of clips at a frame in minutes, or in hours, are due when 32 bits of microseconds end, and
 * do not come round to now: their wants are there when others have long faded, as at 30 frames a
 * second. */
static void slow_clips_are_followed(void **state)
{
    (void)state;
    static const uint32_t rates_q16[] = {30u << 16, 30u << 4, 15u, 1u};
    for (size_t i = 0; i < sizeof rates_q16 / sizeof *rates_q16; i++) {
        tier_bank tiers = tier_bank_of_blocks();
        osc_bank opened;
        test_stream s;
        assert_int_equal(bank_open(&tiers.bank, &opened), OSC_OK);
        tiers.bank.words[opened.rates - tiers.bank.words] = rates_q16[i];
        bank_seal(&tiers.bank);
        stream_make(&s, tiers, (stream_setup){0});
        assert_int_equal(osc_player_start(&s.made.player, PLAIN_LONG, OSC_PLAY_ONCE), OSC_OK);
        (void)stream_hash(&s, PLAIN_LONG, 0);
        assert_int_equal(osc_stream_follow(&s.stream, &s.made.player, PLAIN_BLOCK), 6);
        osc_stream_update(&s.stream, 100000000);
        stream_pass_ms(&s, 20);
        assert_false(stream_has(&s, 3, PLAIN_LONG, 0));
        assert_int_equal(stream_has(&s, 3, PLAIN_LONG, 1), i != 0u);
        stream_free(&s);
    }
}

static void strangers_are_not_found(void **state)
{
    (void)state;
    test_stream s;
    stream_make(&s, tier_bank_of_codecs(), (stream_setup){0});
    osc_want want = {.bank = &s.full.bank};
    assert_int_equal(osc_stream_want(&s.stream, &want), OSC_ERROR_NOT_FOUND);
    assert_int_equal(osc_stream_hold(&s.stream, &want), OSC_ERROR_NOT_FOUND);
    osc_stream_release(&s.stream, &want);
    want.bank = &s.made.bank;
    want.clip = s.made.bank.clip_count;
    assert_int_equal(osc_stream_want(&s.stream, &want), OSC_ERROR_NOT_FOUND);
    assert_int_equal(osc_player_start(&s.full.player, 0, OSC_PLAY_ONCE), OSC_OK);
    assert_int_equal(osc_stream_follow(&s.stream, &s.full.player, 5), OSC_ERROR_NOT_FOUND);
    stream_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_wanted_arrives_and_plays),
        cmocka_unit_test(a_bank_that_contains_its_tiers_plays_them),
        cmocka_unit_test(nothing_comes_unasked),
        cmocka_unit_test(no_player_keeps_what_moves_or_goes),
        cmocka_unit_test(chunks_move_while_they_play),
        cmocka_unit_test(a_pop_is_within_the_errors_stated),
        cmocka_unit_test(a_finer_version_replaces_a_coarser_one),
        cmocka_unit_test(fewer_tiers_may_be_wanted),
        cmocka_unit_test(whole_tiers_make_chunks_useless),
        cmocka_unit_test(a_chunk_that_comes_too_late_goes),
        cmocka_unit_test(several_banks_share_a_stream),
        cmocka_unit_test(a_long_clip_is_followed),
        cmocka_unit_test(a_loop_is_followed_around_its_end),
        cmocka_unit_test(only_blocks_ahead_are_requested),
        cmocka_unit_test(slow_clips_are_followed),
        cmocka_unit_test(strangers_are_not_found),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
