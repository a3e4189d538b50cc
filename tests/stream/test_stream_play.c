/* A character that plays one clip after another, with room for one of them. */
#include "check.h"
#include "stream_tools.h"

#define FRAME_US 16667u
#define FRAMES 10u
#define MOST_FRAMES 4u /* from a start to a chunk that is there: noticed, read, taken */

enum { FINE = 3 };

static osc_want block_of(const test_stream *s, uint32_t block)
{
    return (osc_want){.bank = &s->made.bank, .clip = PLAIN_LONG, .frame = block * PLAIN_BLOCK};
}

/* Coarser tiers are there as a whole. */
static void make(test_stream *s)
{
    tier_bank tiers = tier_bank_of_blocks();
    stream_make(s, tiers, (stream_setup){.pool_words = tiers.most_words, .unit_bytes = 4});
    for (uint32_t tier = 1; tier < FINE; tier++)
        assert_int_equal(osc_bank_attach_tier(&s->made.bank, tier, tiers.tiers[tier - 1u].words,
                                              tiers.tiers[tier - 1u].count * 4u),
                         OSC_OK);
}

static void play_frame(test_stream *s, const osc_want *wants, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        assert_true(osc_stream_want(&s->stream, &wants[i]) >= 0);
    osc_stream_update(&s->stream, FRAME_US);
}

/* Clips played until now are no more urgent than those played now. */
static void a_clip_that_has_ended_makes_room_for_the_next(void **state)
{
    (void)state;
    test_stream s;
    make(&s);
    for (uint32_t block = 0; block < 3u; block++) {
        const osc_want want = block_of(&s, block);
        for (uint32_t frame = 0; frame < MOST_FRAMES; frame++)
            play_frame(&s, &want, 1);
        assert_true(stream_has(&s, FINE, PLAIN_LONG, block));
        for (uint32_t frame = 0; frame < FRAMES; frame++)
            play_frame(&s, &want, 1);
    }
    assert_int_equal(s.stream.counts.dropped, 2);
    stream_free(&s);
}

/* Two characters do not take the room from each other, in whichever order they are followed. */
static void what_plays_keeps_its_room(void **state)
{
    (void)state;
    for (uint32_t first = 0; first < 2u; first++) {
        test_stream s;
        make(&s);
        const osc_want wants[] = {block_of(&s, first), block_of(&s, 1u - first)};
        for (uint32_t frame = 0; frame < MOST_FRAMES; frame++)
            play_frame(&s, wants, 1);
        for (uint32_t frame = 0; frame < 10u * FRAMES; frame++)
            play_frame(&s, wants, 2);
        assert_true(stream_has(&s, FINE, PLAIN_LONG, first));
        assert_int_equal(s.stream.counts.dropped, 0);
        stream_free(&s);
    }
}

/* A want that was due and is not repeated keeps its room from what is due later. A hint, even if it
 * was given twice in a frame, keeps it from what is due at the same time. */
static void hints_are_no_reason_to_go(void **state)
{
    (void)state;
    test_stream s;
    make(&s);
    osc_want played = block_of(&s, 0), hint = block_of(&s, 1);
    hint.due_us = 4u * OSC_STREAM_GRACE_US;
    for (uint32_t frame = 0; frame < MOST_FRAMES; frame++)
        play_frame(&s, &played, 1);
    for (uint32_t us = 0; us + 2u * FRAME_US < OSC_STREAM_GRACE_US; us += FRAME_US) {
        play_frame(&s, &hint, 1);
        assert_true(stream_has(&s, FINE, PLAIN_LONG, 0));
    }
    osc_stream_drop(&s.stream);
    hint.due_us = 1;
    const osc_want twice[] = {hint, hint};
    play_frame(&s, twice, 2);
    for (uint32_t frame = 0; frame < FRAMES; frame++)
        play_frame(&s, &played, frame != 0u ? 1 : 0);
    assert_true(stream_has(&s, FINE, PLAIN_LONG, 1));
    stream_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_clip_that_has_ended_makes_room_for_the_next),
        cmocka_unit_test(what_plays_keeps_its_room),
        cmocka_unit_test(hints_are_no_reason_to_go),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
