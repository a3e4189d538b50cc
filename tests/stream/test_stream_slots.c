/* Slots are for urgent chunks, held chunks, and reads under way. */
#include "block_stream.h"
#include "check.h"

static void a_hold_needs_slots(void **state)
{
    (void)state;
    test_stream s;
    stream_make(&s, tier_bank_of_blocks(), (stream_setup){.slots = 4});
    const osc_want cycle = {&s.made.bank, .clip = PLAIN_CYCLE},
                   other = {&s.made.bank, .clip = PLAIN_LONG};
    assert_int_equal(osc_stream_want(&s.stream, &other), 3);
    assert_int_equal(osc_stream_hold(&s.stream, &cycle), 3);
    assert_int_equal(osc_stream_hold(&s.stream, &other), OSC_ERROR_MEMORY);
    osc_stream_release(&s.stream, &cycle); /* nothing of the hold that failed is left */
    assert_int_equal(osc_stream_hold(&s.stream, &other), 3);
    stream_free(&s);
}

/* Slots are given as room is. */
static void urgent_wants_take_slots(void **state)
{
    (void)state;
    test_stream s;
    block_stream_make(&s, 9, 2);
    for (uint32_t i = 0; i < 2u; i++) {
        osc_want want = block_of(&s, fine_blocks[i]);
        want.due_us = 5000000u * (i + 1u);
        stream_bring_now(&s, want);
    }
    osc_want late = block_of(&s, fine_blocks[2]);
    late.due_us = 20000000u;
    stream_bring_now(&s, late);
    assert_true(has_block(&s, fine_blocks[0]) && has_block(&s, fine_blocks[1]));
    late.due_us = 1000;
    stream_bring_now(&s, late);
    assert_true(has_block(&s, fine_blocks[0]) && !has_block(&s, fine_blocks[1]) &&
                has_block(&s, fine_blocks[2]));
    assert_int_equal(s.stream.counts.dropped, 1);
    stream_free(&s);
}

/* Also those of chunks that are not read yet, but for held ones. */
static void urgent_wants_take_slots_of_unread_chunks(void **state)
{
    (void)state;
    for (uint32_t held = 0; held < 2u; held++) {
        test_stream s;
        block_stream_make(&s, 9, held ? FINE_TIER : 1); /* also the coarser tiers are held */
        osc_want late = block_of(&s, fine_blocks[0]), urgent = block_of(&s, fine_blocks[1]);
        late.due_us = 5000000u;
        assert_int_equal(
            held ? osc_stream_hold(&s.stream, &late) : osc_stream_want(&s.stream, &late), 1);
        stream_bring_now(&s, urgent);
        assert_int_equal(has_block(&s, fine_blocks[0]), held);
        assert_int_equal(has_block(&s, fine_blocks[1]), !held);
        stream_free(&s);
    }
}

/* However urgent another want is, a read that is under way comes to its end. */
static void a_read_keeps_its_slot(void **state)
{
    (void)state;
    test_stream s;
    block_stream_make(&s, 9, 1);
    s.medium.polls = 5;
    osc_want slow = block_of(&s, fine_blocks[0]), urgent = block_of(&s, fine_blocks[1]);
    slow.due_us = 5000000u;
    urgent.due_us = 1;
    assert_true(osc_stream_want(&s.stream, &slow) >= 0);
    osc_stream_update(&s.stream, 1);
    assert_int_equal(s.medium.starts, 1);
    (void)osc_stream_want(&s.stream, &urgent);
    stream_pass_ms(&s, 20);
    assert_true(has_block(&s, fine_blocks[0]) && !has_block(&s, fine_blocks[1]));
    assert_int_equal(s.medium.starts, 1);
    stream_free(&s);
}

/* A free slot is taken before that of any chunk. */
static void free_slots_are_taken_first(void **state)
{
    (void)state;
    test_stream s;
    stream_make(&s, tier_bank_of_blocks(), (stream_setup){.slots = 4});
    (void)stream_bring(&s, (osc_want){.clip = PLAIN_STILL});
    let_wants_fade(&s);
    (void)stream_bring(&s, (osc_want){.clip = PLAIN_CYCLE});
    (void)stream_bring(&s, (osc_want){.clip = PLAIN_SHORT, .tiers = 1});
    assert_true(stream_has(&s, FINE_TIER, PLAIN_STILL, 0));
    stream_free(&s);
}

/* The slots of versions that whole tiers replace are free when their hold ends. */
static void releasing_frees_slots_of_useless_versions(void **state)
{
    (void)state;
    test_stream s;
    block_stream_make(&s, 4, FINE_TIER);
    const osc_want held = block_of(&s, 0), next = block_of(&s, 1);
    assert_int_equal(osc_stream_hold(&s.stream, &held), 1);
    osc_stream_update(&s.stream, 1);
    osc_stream_release(&s.stream, &held);
    stream_bring_now(&s, next);
    stream_pass_ms(&s, 1);
    assert_true(has_block(&s, 1));
    stream_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hold_needs_slots),
        cmocka_unit_test(urgent_wants_take_slots),
        cmocka_unit_test(urgent_wants_take_slots_of_unread_chunks),
        cmocka_unit_test(a_read_keeps_its_slot),
        cmocka_unit_test(free_slots_are_taken_first),
        cmocka_unit_test(releasing_frees_slots_of_useless_versions),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
