/* Room is for urgent chunks, held chunks, and those used last. */
#include "bank/osc_codecs.h"
#include "bank/osc_tiers.h"
#include "block_stream.h"
#include "check.h"
#include "stream/osc_stream_pool.h"

static void the_longest_unused_goes_first(void **state)
{
    (void)state;
    test_stream s;
    block_stream_make(&s, 3, 0);
    for (uint32_t i = 0; i < 3u; i++)
        stream_bring_now(&s, block_of(&s, fine_blocks[i]));
    stream_bring_now(&s, block_of(&s, fine_blocks[0])); /* used again */
    let_wants_fade(&s);
    assert_int_equal(stream_chunks_there(&s) > 0u, true);
    stream_bring_now(&s, block_of(&s, fine_blocks[3]));
    assert_true(has_block(&s, fine_blocks[0]) && !has_block(&s, fine_blocks[1]) &&
                has_block(&s, fine_blocks[2]));
    assert_true(has_block(&s, fine_blocks[3]));
    let_wants_fade(&s);
    stream_bring_now(&s, block_of(&s, fine_blocks[4]));
    assert_true(has_block(&s, fine_blocks[0]) && !has_block(&s, fine_blocks[2]) &&
                has_block(&s, fine_blocks[3]));
    const osc_want wants[] = {block_of(&s, fine_blocks[0]), block_of(&s, fine_blocks[3])};
    for (uint32_t i = 0; i < 2u; i++)
        assert_int_equal(osc_stream_want(&s.stream, &wants[i]), 0);
    stream_bring_now(&s, block_of(&s, fine_blocks[4]));
    let_wants_fade(&s);
    osc_stream_update(&s.stream, 1);
    stream_bring_now(
        &s, block_of(&s, fine_blocks[5])); /* of two in one frame the first in the pool goes */
    assert_true(!has_block(&s, fine_blocks[0]) && has_block(&s, fine_blocks[3]));
    stream_free(&s);
}

/* A want counts until it was due, and half a second longer. */
static void wants_fade_after_they_were_due(void **state)
{
    (void)state;
    const uint32_t due_us = 3000000;
    test_stream s;
    block_stream_make(&s, 1, 0);
    osc_want first = block_of(&s, 0), second = block_of(&s, 1);
    first.due_us = due_us;
    second.due_us = due_us + OSC_STREAM_GRACE_US;
    stream_bring_now(&s, first);
    osc_stream_update(&s.stream, due_us + OSC_STREAM_GRACE_US - 5u);
    second.due_us = 1; /* the first is due now */
    stream_bring_now(&s, second);
    assert_true(has_block(&s, 0) && !has_block(&s, 1));
    stream_bring_now(&s, second);
    assert_true(!has_block(&s, 0) && has_block(&s, 1));
    stream_free(&s);
}

/* A chunk counts its holds. One more is an error, after which the others stand. */
static void holds_have_an_end(void **state)
{
    (void)state;
    test_stream s;
    block_stream_make(&s, 4, 0);
    osc_want want = block_of(&s, 0);
    stream_bring_now(&s, want);
    for (uint32_t i = 0; i < OSC_MOST_HOLDS; i++)
        assert_int_equal(osc_stream_hold(&s.stream, &want), 0);
    assert_int_equal(osc_stream_hold(&s.stream, &want), OSC_ERROR_MEMORY);
    osc_stream_release(&s.stream, &want);
    assert_int_equal(osc_stream_hold(&s.stream, &want), 0);
    stream_free(&s);
}

/* Nothing is read for a want that has faded. */
static void wants_that_faded_are_forgotten(void **state)
{
    (void)state;
    test_stream s;
    block_stream_make(&s, 4, 0);
    s.medium.busy_starts = 1;
    osc_want want = block_of(&s, 0), later = block_of(&s, 1);
    assert_int_equal(osc_stream_want(&s.stream, &want), 1);
    assert_int_equal(osc_stream_want(&s.stream, &later), 1);
    let_wants_fade(&s);
    stream_pass_ms(&s, 5);
    assert_int_equal(s.medium.starts, 0);
    want.due_us = ~0u; /* lasts as long as 32 bits count */
    assert_int_equal(osc_stream_want(&s.stream, &want), 1);
    osc_stream_update(&s.stream, ~1u);
    stream_pass_ms(&s, 5);
    assert_int_equal(s.medium.starts, 1);
    stream_free(&s);
}

static void what_is_due_sooner_is_read_first(void **state)
{
    (void)state;
    test_stream s;
    block_stream_make(&s, 9, 0);
    s.medium.polls = 1;
    s.medium.medium.most_bytes = 4u * s.tiers.most_words; /* reads are not merged */
    for (uint32_t i = 0; i < 6u; i++) {
        osc_want want = block_of(&s, fine_blocks[i]);
        want.due_us = 1000000u * (1u + i * 5u % 6u);
        assert_int_equal(osc_stream_want(&s.stream, &want), 1);
    }
    osc_want more = block_of(&s, 7);
    more.due_us = ~0u;
    more.priority = 1;
    assert_int_equal(osc_stream_want(&s.stream, &more), 1);
    stream_pass_ms(&s, 40);
    assert_int_equal(s.medium.starts, 7);
    const uint32_t order[] = {7, 0, 6, 5, 4, 2, 1};
    for (uint32_t i = 0; i < 7u; i++) {
        osc_chunk_entry entry = osc_chunk_describe(
            &s.made.bank, FINE_TIER, stream_number(&s, FINE_TIER, PLAIN_LONG, order[i]));
        assert_int_equal(s.medium.offsets[i],
                         s.tiers.places[FINE_TIER - 1u] + 4u * entry.offset_words);
    }
    stream_free(&s);
}

/* Of chunks due at the same time, coarse tiers come first, then those first on the medium. */
static void equal_wants_are_read_by_tiers_and_places(void **state)
{
    (void)state;
    test_stream s;
    tier_bank tiers = tier_bank_of_codecs();
    stream_make(&s, tiers, (stream_setup){.unit_bytes = 4, .most_bytes = 4, .slots = 20});
    for (uint32_t clip = 5; clip-- > 0u;)
        assert_int_equal(
            osc_stream_want(&s.stream, &(osc_want){.bank = &s.made.bank, .clip = clip}), 2);
    while (stream_chunks_there(&s) < 1u || s.stream.counts.arrived < 10u)
        stream_pass_ms(&s, 1);
    for (uint32_t i = 1; i < s.medium.starts && i < MEDIUM_MOST_LOG; i++)
        assert_true(s.medium.offsets[i] == s.medium.offsets[i - 1u] + 4u);
    stream_free(&s);
}

/* Also where the coarse tier lies behind the fine one on the medium. */
static void tiers_come_before_places(void **state)
{
    (void)state;
    test_stream s;
    stream_make(&s, tier_bank_of_codecs(), (stream_setup){.unit_bytes = 4});
    s.source.places[0] = s.tiers.places[1] + 4u;
    assert_int_equal(osc_stream_want(&s.stream, &(osc_want){.bank = &s.made.bank}), 2);
    osc_stream_update(&s.stream, 1000);
    osc_chunk_entry entry = osc_chunk_describe(&s.made.bank, 1, stream_number(&s, 1, 0, 0));
    assert_int_equal(s.medium.offsets[0], s.source.places[0] + 4u * entry.offset_words);
    stream_free(&s);
}

static void what_is_less_urgent_makes_room(void **state)
{
    (void)state;
    const struct {
        uint32_t due_us, new_due_us;
        uint8_t priority, new_priority;
        bool goes;
    } cases[] = {{1000, 1000, 0, 0, false}, {2000, 1000, 0, 0, true}, {1000, 2000, 0, 0, false},
                 {1000, 1000, 1, 0, false}, {1000, 1000, 0, 1, true}, {0, 9000, 0, 1, true},
                 {9000, 0, 1, 0, false},    {2, 0, 0, 0, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        test_stream s;
        block_stream_make(&s, 1, 0);
        osc_want first = block_of(&s, 0), second = block_of(&s, 1);
        first.due_us = cases[i].due_us + 2u;
        first.priority = cases[i].priority;
        second.due_us = cases[i].new_due_us;
        second.priority = cases[i].new_priority;
        stream_bring_now(&s, first);
        assert_true(has_block(&s, 0));
        stream_bring_now(&s, second);
        stream_pass_ms(&s, 0);
        assert_int_equal(has_block(&s, 1), cases[i].goes);
        assert_int_equal(has_block(&s, 0), !cases[i].goes);
        stream_free(&s);
    }
}

/* The chunk that is due last leaves first. */
static void the_least_urgent_goes(void **state)
{
    (void)state;
    test_stream s;
    block_stream_make(&s, 3, 0);
    for (uint32_t i = 0; i < 3u; i++) {
        osc_want want = block_of(&s, fine_blocks[i]);
        want.due_us = i == 1u ? 9000000u : 1000000u * (1u + i);
        stream_bring_now(&s, want);
    }
    stream_bring_now(&s, block_of(&s, fine_blocks[3]));
    assert_true(has_block(&s, fine_blocks[0]) && !has_block(&s, fine_blocks[1]) &&
                has_block(&s, fine_blocks[2]));
    stream_free(&s);
}

/* Small chunks do not go for a large one for which their room would not be enough. */
static void nothing_goes_in_vain(void **state)
{
    (void)state;
    test_stream s;
    block_stream_make(&s, 2, 0);
    const osc_want held = block_of(&s, 0), small = {&s.made.bank, .clip = PLAIN_STILL};
    assert_int_equal(osc_stream_hold(&s.stream, &held), 1);
    stream_pass_ms(&s, 5);
    s.stream.pool_words -= 8u;
    stream_bring_now(&s, small);
    assert_true(has_block(&s, 0) && stream_has(&s, FINE_TIER, PLAIN_STILL, 0));
    let_wants_fade(&s);
    osc_want large = block_of(&s, 1);
    stream_bring_now(&s, large);
    assert_true(!has_block(&s, 1) && has_block(&s, 0) && stream_has(&s, FINE_TIER, PLAIN_STILL, 0));
    s.stream.pool_words += 8u;
    stream_bring_now(&s, large);
    stream_pass_ms(&s, 5);
    assert_true(has_block(&s, 1) && has_block(&s, 0) && !stream_has(&s, FINE_TIER, PLAIN_STILL, 0));
    stream_free(&s);
}

/* A chunk without room does not keep others from being read. */
static void others_are_read_meanwhile(void **state)
{
    (void)state;
    test_stream s;
    block_stream_make(&s, 2, 0);
    const osc_want held = block_of(&s, 0);
    assert_int_equal(osc_stream_hold(&s.stream, &held), 1);
    stream_pass_ms(&s, 5);
    s.stream.pool_words -= 8u;
    for (uint32_t step = 0; step < 12u; step++) {
        for (uint32_t i = 1; i < 6u; i++)
            assert_int_equal(
                osc_stream_want(&s.stream,
                                &(osc_want){&s.made.bank, .clip = PLAIN_LONG,
                                            .frame = fine_blocks[i] * PLAIN_BLOCK, .priority = 1}),
                1);
        assert_true(osc_stream_want(&s.stream, &(osc_want){&s.made.bank, .clip = PLAIN_STILL}) >=
                    0);
        osc_stream_update(&s.stream, 1000);
    }
    assert_true(stream_has(&s, FINE_TIER, PLAIN_STILL, 0));
    stream_free(&s);
}

/* A chunk for which the free words suffice, but no gap, comes after the others were moved. */
static void chunks_move_together_before_any_goes(void **state)
{
    (void)state;
    test_stream s;
    for (uint32_t chunks = 2; chunks <= 3u; chunks++) {
        block_stream_make(&s, chunks, 0);
        const osc_want played = block_of(&s, 2);
        stream_bring_now(&s, (osc_want){&s.made.bank, .clip = PLAIN_STILL});
        stream_bring_now(&s, played);
        const uint32_t *before = osc_tier_chunk(&s.made.bank, FINE_TIER, PLAIN_LONG, 2).words;
        const int32_t position = 70 * 2048;
        assert_int_equal(stream_hash(&s, PLAIN_LONG, position),
                         full_hash(&s, PLAIN_LONG, position));
        assert_int_equal(osc_stream_hold(&s.stream, &played), 0);
        osc_stream_drop(&s.stream);
        uint32_t changes = s.made.bank.tier_changes, dropped = s.stream.counts.dropped;
        assert_true(before > s.stream.pool);
        stream_bring_now(&s, block_of(&s, 1));
        assert_true(has_block(&s, 1));
        assert_ptr_equal(osc_tier_chunk(&s.made.bank, FINE_TIER, PLAIN_LONG, 2).words,
                         chunks == 2u ? s.stream.pool : before);
        assert_int_equal(s.stream.counts.dropped, dropped);
        /* one has come and, where there is no gap behind it, one has moved */
        assert_int_equal(s.made.bank.tier_changes, changes + (chunks == 2u ? 2u : 1u));
        for (int32_t i = 0; i < 8; i++)
            assert_int_equal(stream_hash(&s, PLAIN_LONG, position + 900 * i),
                             full_hash(&s, PLAIN_LONG, position + 900 * i));
        stream_free(&s);
    }
}

static void what_is_held_stays(void **state)
{
    (void)state;
    test_stream s;
    block_stream_make(&s, 2, 0);
    const osc_want held = block_of(&s, 0);
    assert_int_equal(osc_stream_hold(&s.stream, &held), 1);
    assert_int_equal(osc_stream_hold(&s.stream, &held), 1);
    stream_pass_ms(&s, 5);
    for (uint32_t round = 0; round < 3u; round++) {
        for (uint32_t i = 1; i < 6u; i++) {
            osc_want want = block_of(&s, fine_blocks[i]);
            want.priority = 9;
            let_wants_fade(&s);
            stream_bring_now(&s, want);
            assert_int_equal(has_block(&s, 0), round < 2u);
            assert_true(has_block(&s, fine_blocks[i]) || round == 2u);
        }
        osc_stream_drop(&s.stream);
        assert_int_equal(has_block(&s, 0), round < 2u);
        osc_stream_release(&s.stream, &held);
        if (round == 1u) { /* released as often as held: it may go */
            osc_stream_drop(&s.stream);
            assert_false(has_block(&s, 0));
        }
    }
    osc_stream_release(&s.stream, &held); /* once too often: nothing happens */
    stream_free(&s);
}

/* A hold is a want that does not fade. */
static void what_is_held_is_brought_whenever_there_is_room(void **state)
{
    (void)state;
    test_stream s;
    block_stream_make(&s, 1, 2u * FINE_TIER);
    const osc_want first = block_of(&s, 0), second = block_of(&s, 1);
    assert_int_equal(osc_stream_hold(&s.stream, &first), 1);
    stream_pass_ms(&s, 5);
    assert_int_equal(osc_stream_hold(&s.stream, &second), 1); /* in the last slot */
    for (uint32_t i = 0; i < 5u; i++)
        let_wants_fade(&s);
    assert_true(has_block(&s, 0) && !has_block(&s, 1));
    osc_stream_release(&s.stream, &first);
    for (uint32_t i = 0; i < 5u; i++)
        let_wants_fade(&s);
    assert_true(!has_block(&s, 0) && has_block(&s, 1));
    stream_free(&s);
}

/* A hold of several tiers: the coarser ones make room for the finest, unless another hold needs
 * them. */
static void coarser_versions_that_are_held_make_room(void **state)
{
    (void)state;
    test_stream s;
    stream_make(&s, tier_bank_of_blocks(), (stream_setup){0});
    const osc_want two = {&s.made.bank, .clip = PLAIN_CYCLE, .tiers = 2},
                   three = {&s.made.bank, .clip = PLAIN_CYCLE};
    assert_int_equal(osc_stream_hold(&s.stream, &two), 2);
    stream_pass_ms(&s, 10);
    assert_true(!stream_has(&s, 1, PLAIN_CYCLE, 0) && stream_has(&s, 2, PLAIN_CYCLE, 0));
    assert_int_equal(osc_stream_hold(&s.stream, &three), 1);
    stream_pass_ms(&s, 10);
    assert_true(stream_has(&s, 2, PLAIN_CYCLE, 0) && stream_has(&s, 3, PLAIN_CYCLE, 0));
    osc_stream_release(&s.stream, &three);
    osc_stream_drop(&s.stream);
    assert_true(stream_has(&s, 2, PLAIN_CYCLE, 0) && !stream_has(&s, 3, PLAIN_CYCLE, 0));
    osc_stream_release(&s.stream, &two);
    osc_stream_drop(&s.stream);
    assert_int_equal(stream_chunks_there(&s), 0);
    stream_free(&s);
}

/* A finer version that is not held may go at any time: it takes nothing that is held away. */
static void what_is_held_stays_beside_a_finer_version(void **state)
{
    (void)state;
    test_stream s;
    stream_make(&s, tier_bank_of_blocks(), (stream_setup){0});
    const osc_want held = {&s.made.bank, .clip = PLAIN_CYCLE, .tiers = 1};
    assert_int_equal(osc_stream_hold(&s.stream, &held), 1);
    (void)stream_bring(&s, (osc_want){.clip = PLAIN_CYCLE});
    assert_true(stream_has(&s, 3, PLAIN_CYCLE, 0) && stream_has(&s, 1, PLAIN_CYCLE, 0));
    osc_stream_drop(&s.stream);
    assert_true(!stream_has(&s, 3, PLAIN_CYCLE, 0) && stream_has(&s, 1, PLAIN_CYCLE, 0));
    stream_free(&s);
}

/* Nor does it once a whole tier comes that has nothing of the clip. */
static void what_is_held_stays_with_a_tier_of_other_clips(void **state)
{
    (void)state;
    test_stream s;
    stream_make(&s, tier_bank_of_blocks(), (stream_setup){0});
    const test_bank *whole = &s.tiers.tiers[1];
    const osc_want held = {&s.made.bank, .clip = PLAIN_SHORT, .tiers = 1};
    assert_int_equal(osc_stream_hold(&s.stream, &held), 1);
    (void)stream_bring(&s, (osc_want){.clip = PLAIN_SHORT});
    assert_true(stream_has(&s, 3, PLAIN_SHORT, 0) && stream_has(&s, 1, PLAIN_SHORT, 0));
    assert_int_equal(osc_bank_attach_tier(&s.made.bank, 2, whole->words, whole->count * 4u),
                     OSC_OK);
    osc_stream_update(&s.stream, 1000);
    osc_stream_drop(&s.stream);
    assert_true(!stream_has(&s, 3, PLAIN_SHORT, 0) && stream_has(&s, 1, PLAIN_SHORT, 0));
    stream_free(&s);
}

/* Releasing a chunk that is wanted but not held changes nothing. */
static void only_holds_are_released(void **state)
{
    (void)state;
    test_stream s;
    block_stream_make(&s, 1, 0);
    const osc_want want = block_of(&s, 0);
    osc_want later = block_of(&s, 1);
    later.due_us = 1000;
    stream_bring_now(&s, want);
    osc_stream_release(&s.stream, &want);
    stream_bring_now(&s, later);
    assert_true(has_block(&s, 0) && !has_block(&s, 1));
    let_wants_fade(&s);
    stream_bring_now(&s, later);
    assert_true(!has_block(&s, 0) && has_block(&s, 1));
    stream_free(&s);
}

/* The stream numbers frames in 32 bits. A hold may outlast them: a want in the frame of the number
 * that the last one had is not a second want in that frame. */
static void frames_are_numbered_round(void **state)
{
    (void)state;
    test_stream s;
    block_stream_make(&s, 1, 0);
    const osc_want want = block_of(&s, 0);
    osc_want later = block_of(&s, 1);
    later.due_us = 1000;
    uint32_t tick = s.stream.tick;
    assert_int_equal(osc_stream_hold(&s.stream, &want), 1);
    let_wants_fade(&s);
    let_wants_fade(&s);
    assert_true(has_block(&s, 0));
    s.stream.tick = tick; /* after 2^32 frames */
    assert_true(osc_stream_want(&s.stream, &want) >= 0);
    osc_stream_release(&s.stream, &want);
    stream_bring_now(&s, later);
    assert_true(has_block(&s, 0) && !has_block(&s, 1));
    stream_free(&s);
}

/* Keys refine the base of a clip and not a version, which does not go for them. */
static void keys_replace_no_version(void **state)
{
    (void)state;
    test_stream s;
    tier_bank tiers = tier_bank_of_versions(true);
    stream_make(&s, tiers, (stream_setup){.unit_bytes = 4});
    const osc_want want = {&s.made.bank, .clip = VERSIONS_KEYED};
    uint32_t words = 0;
    for (uint32_t tier = 1; tier <= 2u; tier++) {
        osc_chunk_entry entry =
            osc_chunk_describe(&s.made.bank, tier, stream_number(&s, tier, VERSIONS_KEYED, 0));
        assert_int_equal(entry.codec == 0u, tier == 2u);
        words += entry.word_count;
    }
    for (uint32_t less = 0; less < 2u; less++) {
        s.stream.pool_words = words - less;
        for (uint32_t i = 0; i < 10u; i++)
            stream_bring_now(&s, want);
        assert_true(stream_has(&s, 1, VERSIONS_KEYED, 0));
        assert_int_equal(stream_has(&s, 2, VERSIONS_KEYED, 0), less == 0u);
        osc_stream_drop(&s.stream);
    }
    stream_free(&s);
}

/* Nor do keys go for a version, which has only one of the blocks. */
static void no_version_replaces_keys(void **state)
{
    (void)state;
    test_stream s;
    stream_make(&s, tier_bank_of_versions(false), (stream_setup){0});
    (void)stream_bring(&s, (osc_want){.clip = VERSIONS_KEYED});
    assert_true(stream_has(&s, 1, VERSIONS_KEYED, 0) && stream_has(&s, 2, VERSIONS_KEYED, 0));
    assert_int_equal(s.stream.counts.dropped, 0);
    stream_free(&s);
}

/* Chunks that are no longer wanted leave first, however urgent they were. */
static void past_urgency_does_not_count(void **state)
{
    (void)state;
    test_stream s;
    block_stream_make(&s, 2, 0);
    osc_want past = block_of(&s, fine_blocks[0]), low = block_of(&s, fine_blocks[1]);
    past.priority = 3;
    stream_bring_now(&s, past);
    let_wants_fade(&s);
    stream_bring_now(&s, low);
    osc_want urgent = block_of(&s, fine_blocks[2]);
    urgent.priority = 1;
    stream_bring_now(&s, urgent);
    assert_true(!has_block(&s, fine_blocks[0]) && has_block(&s, fine_blocks[1]) &&
                has_block(&s, fine_blocks[2]));
    stream_free(&s);
}

/* The same clip of another bank is no version of it. */
static void clips_of_other_banks_stay(void **state)
{
    (void)state;
    test_stream s;
    tier_bank tiers = tier_bank_of_blocks();
    stream_make(&s, tiers,
                (stream_setup){.pool_words = tiers.most_words + (tiers.chunk_count + 3u) / 4u,
                               .unit_bytes = 4});
    test_player other;
    osc_stream_source source;
    player_make(&other, tiers.bank.words, tiers.bank.count);
    assert_int_equal(
        osc_stream_add(&s.stream, &source, &other.bank, osc_all_checks, s.tiers.places), OSC_OK);
    osc_want first = block_of(&s, 0), second = first;
    second.bank = &other.bank;
    first.tiers = second.tiers = 1;
    (void)osc_stream_want(&s.stream, &first);
    stream_bring_now(&s, second);
    assert_true(stream_has(&s, 1, PLAIN_LONG, 0)); /* of equal requests the first is read first */
    first.priority = 1;
    second.tiers = 0;
    for (first.tiers = 1; first.tiers <= FINE_TIER; first.tiers += 2u) {
        for (uint32_t i = 0; i < 10u; i++)
            stream_bring_now(&s, first);
        uint32_t dropped = s.stream.counts.dropped;
        for (uint32_t i = 0; i < 10u; i++) {
            stream_bring_now(&s, first);
            stream_bring_now(&s, second);
        }
        assert_true(stream_has(&s, first.tiers, PLAIN_LONG, 0));
        assert_int_equal(s.stream.counts.dropped, dropped);
    }
    player_free(&other);
    stream_free(&s);
}

/* Aligned chunks, too, are not evicted for a chunk that then has no room: with any room for about
 * two chunks, either the new chunk arrives or the old one stays. */
static void nothing_goes_in_vain_where_chunks_are_aligned(void **state)
{
    (void)state;
    uint32_t came = 0;
    for (uint32_t room = 0; room < 64u; room++) {
        test_stream s;
        tier_bank tiers = tier_bank_of_blocks();
        stream_make(&s, tiers,
                    (stream_setup){.pool_words = 3u * tiers.most_words + 64u,
                                   .unit_bytes = 64,
                                   .align_bytes = 64});
        for (uint32_t tier = 1; tier < FINE_TIER; tier++)
            assert_int_equal(osc_bank_attach_tier(&s.made.bank, tier, tiers.tiers[tier - 1u].words,
                                                  tiers.tiers[tier - 1u].count * 4u),
                             OSC_OK);
        const osc_want held = block_of(&s, fine_blocks[0]),
                       small = {&s.made.bank, .clip = PLAIN_STILL};
        assert_int_equal(osc_stream_hold(&s.stream, &held), 1);
        stream_pass_ms(&s, 20);
        assert_true(has_block(&s, fine_blocks[0]));
        const osc_stream_slot *first = s.stream.slots + s.stream.first;
        uint32_t words = first->word_count;
        stream_bring_now(&s, small);
        stream_pass_ms(&s, 20);
        assert_true(stream_has(&s, FINE_TIER, PLAIN_STILL, 0));
        let_wants_fade(&s);
        s.stream.pool_words = 2u * words + room;
        const osc_want large = block_of(&s, fine_blocks[1]);
        for (uint32_t i = 0; i < 20u; i++)
            stream_bring_now(&s, large);
        assert_true(has_block(&s, fine_blocks[1]) || stream_has(&s, FINE_TIER, PLAIN_STILL, 0));
        came += has_block(&s, fine_blocks[1]) ? 1u : 0u;
        stream_free(&s);
    }
    assert_in_range(came, 1, 63);
}

/* The last frame with requests of a block decides, and of that frame the most urgent request. */
static void the_last_requests_count(void **state)
{
    (void)state;
    const struct {
        uint8_t first, second;
        bool together, stays;
    } cases[] = {{2, 0, false, false}, {0, 2, false, true}, {2, 0, true, true}, {0, 2, true, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        test_stream s;
        block_stream_make(&s, 1, 0);
        osc_want want = block_of(&s, 0), rival = block_of(&s, 1);
        stream_bring_now(&s, want);
        want.priority = cases[i].first;
        assert_int_equal(osc_stream_want(&s.stream, &want), 0);
        if (!cases[i].together)
            osc_stream_update(&s.stream, 1);
        want.priority = cases[i].second;
        assert_int_equal(osc_stream_want(&s.stream, &want), 0);
        rival.priority = 1;
        stream_bring_now(&s, rival);
        assert_int_equal(has_block(&s, 0), cases[i].stays);
        stream_free(&s);
    }
}

/* They are read at once when the whole tiers go. */
static void held_versions_return_when_whole_tiers_go(void **state)
{
    (void)state;
    test_stream s;
    block_stream_make(&s, 4, 0);
    for (uint32_t block = 0; block < 2u; block++) {
        osc_want held = block_of(&s, block);
        held.tiers = 2;
        assert_int_equal(osc_stream_hold(&s.stream, &held), 0);
    }
    osc_stream_update(&s.stream, 1);
    for (uint32_t tier = 1; tier <= 2u; tier++)
        assert_int_equal(osc_bank_attach_tier(&s.made.bank, tier, 0, 0), OSC_OK);
    osc_stream_update(&s.stream, 1);
    assert_int_equal(s.medium.starts, 1);
    stream_free(&s);
}

/* A chunk that fits a gap takes no other's room, although aligned sums would exceed the pool. */
static void what_fits_replaces_nothing(void **state)
{
    (void)state;
    for (uint32_t place = 0; place < 64u; place += 4u) {
        test_stream s;
        stream_make(&s, tier_bank_of_codecs(),
                    (stream_setup){.unit_bytes = 64, .align_bytes = 64, .place = place});
        const osc_want first = {&s.made.bank, .clip = 0, .tiers = 1},
                       second = {&s.made.bank, .clip = 2, .tiers = 1};
        stream_bring_now(&s, first);
        assert_int_equal(osc_stream_hold(&s.stream, &second), 1);
        stream_pass_ms(&s, 2);
        osc_stream_drop(&s.stream);
        osc_stream_release(&s.stream, &second);
        let_wants_fade(&s);
        const osc_stream_slot *left = s.stream.slots + s.stream.first;
        s.stream.pool_words = left->at + left->word_count;
        stream_bring_now(&s, first);
        assert_true(stream_has(&s, 1, 0, 0) && stream_has(&s, 1, 2, 0));
        stream_free(&s);
    }
}

/* One slot, and room for the largest chunk alone, bring the finest version in the end. */
static void the_least_memory_is_enough_for_one_clip(void **state)
{
    (void)state;
    for (uint32_t slots = 1; slots <= 3u; slots++) {
        test_stream s;
        tier_bank tiers = tier_bank_of_blocks();
        stream_make(
            &s, tiers,
            (stream_setup){.slots = slots, .unit_bytes = 4, .pool_words = tiers.most_words});
        for (uint32_t i = 0; i < 50u; i++) {
            const osc_want want = block_of(&s, 1);
            (void)osc_stream_want(&s.stream, &want);
            osc_stream_update(&s.stream, 1000);
        }
        assert_true(has_block(&s, 1));
        assert_true(s.medium.starts <= 4u);
        stream_free(&s);
    }
}

static void what_cannot_fit_is_given_up_once(void **state)
{
    (void)state;
    test_stream s;
    tier_bank tiers = tier_bank_of_blocks();
    stream_make(&s, tiers, (stream_setup){.pool_words = tiers.most_words - 1u, .unit_bytes = 4});
    osc_stream_fault fault;
    const osc_want small = {&s.made.bank, .clip = PLAIN_STILL, .due_us = 1},
                   large = block_of(&s, 1);
    (void)stream_bring(&s, small);
    assert_false(osc_stream_next_fault(&s.stream, &fault));
    (void)osc_stream_want(&s.stream,
                          &(osc_want){&s.made.bank, PLAIN_LONG, PLAIN_BLOCK, .tiers = 3});
    (void)stream_bring(&s, large);
    assert_true(stream_has(&s, 2, PLAIN_LONG, 1) && !has_block(&s, 1));
    assert_int_equal(osc_stream_want(&s.stream, &large), 0);
    assert_true(osc_stream_next_fault(&s.stream, &fault));
    assert_ptr_equal(fault.bank, &s.made.bank);
    assert_int_equal(fault.tier, FINE_TIER);
    assert_int_equal(fault.clip, PLAIN_LONG);
    assert_int_equal(fault.block, 1);
    assert_int_equal(fault.error, OSC_ERROR_MEMORY);
    stream_pass_ms(&s, 50);
    assert_false(osc_stream_next_fault(&s.stream, &fault));
    assert_true(stream_has(&s, FINE_TIER, PLAIN_STILL, 0)); /* nothing has gone for it */
    assert_int_equal(s.stream.counts.given_up, 1);
    stream_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_longest_unused_goes_first),
        cmocka_unit_test(wants_fade_after_they_were_due),
        cmocka_unit_test(holds_have_an_end),
        cmocka_unit_test(wants_that_faded_are_forgotten),
        cmocka_unit_test(what_is_due_sooner_is_read_first),
        cmocka_unit_test(equal_wants_are_read_by_tiers_and_places),
        cmocka_unit_test(tiers_come_before_places),
        cmocka_unit_test(what_is_less_urgent_makes_room),
        cmocka_unit_test(the_least_urgent_goes),
        cmocka_unit_test(nothing_goes_in_vain),
        cmocka_unit_test(others_are_read_meanwhile),
        cmocka_unit_test(chunks_move_together_before_any_goes),
        cmocka_unit_test(what_is_held_stays),
        cmocka_unit_test(what_is_held_is_brought_whenever_there_is_room),
        cmocka_unit_test(coarser_versions_that_are_held_make_room),
        cmocka_unit_test(what_is_held_stays_beside_a_finer_version),
        cmocka_unit_test(what_is_held_stays_with_a_tier_of_other_clips),
        cmocka_unit_test(only_holds_are_released),
        cmocka_unit_test(frames_are_numbered_round),
        cmocka_unit_test(keys_replace_no_version),
        cmocka_unit_test(no_version_replaces_keys),
        cmocka_unit_test(past_urgency_does_not_count),
        cmocka_unit_test(clips_of_other_banks_stay),
        cmocka_unit_test(nothing_goes_in_vain_where_chunks_are_aligned),
        cmocka_unit_test(the_last_requests_count),
        cmocka_unit_test(held_versions_return_when_whole_tiers_go),
        cmocka_unit_test(what_fits_replaces_nothing),
        cmocka_unit_test(the_least_memory_is_enough_for_one_clip),
        cmocka_unit_test(what_cannot_fit_is_given_up_once),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
