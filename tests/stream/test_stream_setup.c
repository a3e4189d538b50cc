/* A stream needs memory, and numbers in range. */
#include "bank/osc_codecs.h"
#include "check.h"
#include "sample_banks.h"
#include "stream/osc_stream_pool.h"
#include "stream_tools.h"

#include <stdlib.h>
#include <string.h>

enum { WORDS = 1024 };

static _Alignas(64) uint32_t memory[WORDS + 16];

static int32_t init_with(osc_medium medium, uint32_t words, uint32_t slots)
{
    osc_stream stream;
    return osc_stream_init(&stream, &medium, memory, words, slots);
}

static const osc_medium fine = {.unit_bytes = 256, .align_bytes = 32, .most_bytes = 1024};

static void numbers_of_a_medium_are_checked(void **state)
{
    (void)state;
    assert_int_equal(init_with(fine, WORDS, 4), OSC_OK);
    const osc_medium wrong[] = {
        {.unit_bytes = 0, .align_bytes = 4, .most_bytes = 1024},
        {.unit_bytes = 384, .align_bytes = 4, .most_bytes = 768},
        {.unit_bytes = 2, .align_bytes = 2, .most_bytes = 1024},
        {.unit_bytes = 256, .align_bytes = 0, .most_bytes = 1024},
        {.unit_bytes = 256, .align_bytes = 12, .most_bytes = 1024},
        {.unit_bytes = 256, .align_bytes = 128, .most_bytes = 1024},
        {.unit_bytes = 16, .align_bytes = 32, .most_bytes = 1024},
        {.unit_bytes = 256, .align_bytes = 32, .most_bytes = 0},
        {.unit_bytes = 256, .align_bytes = 32, .most_bytes = 1000},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(init_with(wrong[i], WORDS, 4), OSC_ERROR_ALIGNMENT);
    const osc_medium right[] = {
        {.unit_bytes = 4, .align_bytes = 4, .most_bytes = 4},
        {.unit_bytes = 64, .align_bytes = 64, .most_bytes = 64},
        {.unit_bytes = 2048, .align_bytes = 4, .most_bytes = 1u << 30},
    };
    for (size_t i = 0; i < sizeof right / sizeof *right; i++)
        assert_int_equal(init_with(right[i], WORDS, 4), OSC_OK);
}

static void memory_is_aligned_as_reads_are(void **state)
{
    (void)state;
    osc_stream stream;
    osc_medium medium = fine;
    for (uint32_t words = 0; words < 16u; words++)
        assert_int_equal(osc_stream_init(&stream, &medium, memory + words, WORDS, 4),
                         words % 8u == 0u ? OSC_OK : OSC_ERROR_ALIGNMENT);
}

static void memory_has_room_for_slots_and_a_unit(void **state)
{
    (void)state;
    assert_int_equal(init_with(fine, 4u * 8u + 64u, 4), OSC_OK);
    assert_int_equal(init_with(fine, 4u * 8u + 63u, 4), OSC_ERROR_MEMORY);
    assert_int_equal(init_with(fine, 4u * 8u - 1u, 4), OSC_ERROR_MEMORY);
    assert_int_equal(init_with(fine, WORDS, 0), OSC_ERROR_MEMORY);
    assert_int_equal(init_with(fine, ~0u, 65536u), OSC_ERROR_MEMORY);
    const osc_medium wide = {.unit_bytes = 64, .align_bytes = 64, .most_bytes = 64};
    assert_int_equal(init_with(wide, 16u + 16u, 1), OSC_OK); /* slots end at 16 words, not at 8 */
    assert_int_equal(init_with(wide, 16u + 15u, 1), OSC_ERROR_MEMORY);
}

/* Sums of places and sizes have 32 bits, whatever the memory. */
static void a_pool_has_two_gigabytes_at_most(void **state)
{
    (void)state;
    osc_stream stream;
    assert_int_equal(osc_stream_init(&stream, &fine, memory, OSC_POOL_MOST_WORDS + 1024u, 1),
                     OSC_OK);
    assert_int_equal(stream.pool_words, OSC_POOL_MOST_WORDS);
}

static void a_bank_needs_tiers(void **state)
{
    (void)state;
    test_stream s;
    stream_make(&s, tier_bank_of_codecs(), (stream_setup){0});
    osc_bank bank = s.made.bank;
    osc_stream_source source;
    bank.tier_count = 0;
    assert_int_equal(osc_stream_add(&s.stream, &source, &bank, osc_all_checks, s.tiers.places),
                     OSC_ERROR_NOT_FOUND);
    stream_free(&s);
}

/* Part of a header of tiers ends the bank, in a block that ends with it. */
static void a_bank_has_no_part_of_a_header_of_tiers(void **state)
{
    enum { TIERS = 4 }; /* the section */
    (void)state;
    for (uint32_t count = 0; count < 2u; count++) {
        osc_bank opened;
        test_bank bank = bank_with_last(sample_dense, TIERS);
        uint32_t *size = &bank.words[5u + 3u * bank.words[4] - 1u];
        int32_t more = (int32_t)(*size - count);
        *size = count;
        bank_resize_at(&bank, bank.count - (uint32_t)more, -more, 0);
        bank_seal(&bank);
        assert_int_equal(bank_open(&bank, &opened), OSC_ERROR_SECTION);
        bank_free(&bank);
    }
}

static void places_are_multiples_of_words_in_four_gigabytes(void **state)
{
    (void)state;
    test_stream s;
    stream_make(&s, tier_bank_of_codecs(), (stream_setup){0});
    const uint32_t size_bytes = s.tiers.tiers[1].count * 4u, unit_bytes = 256;
    const struct {
        uint32_t place;
        int32_t status;
    } places[] = {{1, OSC_ERROR_ALIGNMENT},
                  {2, OSC_ERROR_ALIGNMENT},
                  {1u << 31, OSC_OK},
                  {0u - unit_bytes - size_bytes, OSC_OK},
                  {0u - unit_bytes - size_bytes + 4u, OSC_ERROR_ALIGNMENT},
                  {0u - 4u, OSC_ERROR_ALIGNMENT},
                  {0u - unit_bytes, OSC_OK}}; /* of an empty tier */
    const uint32_t *record = osc_tier_record(&s.made.bank, 2);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        test_player made;
        osc_stream_source source;
        player_make(&made, s.tiers.bank.words, s.tiers.bank.count);
        const uint32_t both[2] = {0, places[i].place};
        if (both[1] == 0u - unit_bytes)
            s.tiers.bank.words[record + OSC_TIER_SIZE_WORDS - s.tiers.bank.words] = 0;
        assert_int_equal(osc_stream_add(&s.stream, &source, &made.bank, osc_all_checks, both),
                         places[i].status);
        assert_true((made.bank.chunks != 0) == (places[i].status == OSC_OK));
        player_free(&made);
        s.stream.sources = &s.source; /* forget it */
    }
    stream_free(&s);
}

/* Every bank takes a byte for each of its chunks from the end of the pool. */
static void banks_are_added_until_the_memory_ends(void **state)
{
    (void)state;
    tier_bank tiers = tier_bank_of_keys();
    const uint32_t fault_words = (tiers.chunk_count + 3u) / 4u, unit_words = 64;
    assert_int_equal(tiers.chunk_count, 4u * fault_words); /* no byte is left */
    for (uint32_t most = 0; most < 4u; most++) {
        osc_medium medium = {.unit_bytes = 256, .align_bytes = 4, .most_bytes = 256};
        osc_stream stream;
        osc_stream_source sources[4];
        osc_bank banks[4];
        uint32_t words = 8u + unit_words + most * fault_words;
        memory[words] = ~0u;
        assert_int_equal(osc_stream_init(&stream, &medium, memory, words, 1), OSC_OK);
        for (uint32_t i = 0; i <= most; i++) {
            assert_int_equal(bank_open(&tiers.bank, &banks[i]), OSC_OK);
            assert_int_equal(
                osc_stream_add(&stream, &sources[i], &banks[i], osc_all_checks, tiers.places),
                i < most ? OSC_OK : OSC_ERROR_MEMORY);
        }
        assert_int_equal(memory[words], ~0u);
    }
    tier_bank_free(&tiers);
}

static void there_are_at_most_255_banks(void **state)
{
    (void)state;
    tier_bank tiers = tier_bank_of_sparse();
    osc_medium medium = {.unit_bytes = 256, .align_bytes = 4, .most_bytes = 256};
    osc_stream stream;
    osc_stream_source *sources = calloc(OSC_STREAM_MAX_SOURCES + 1u, sizeof *sources);
    osc_bank *opened = calloc(OSC_STREAM_MAX_SOURCES + 1u, sizeof *opened);
    assert_true(sources != 0 && opened != 0);
    assert_int_equal(osc_stream_init(&stream, &medium, memory, WORDS, 1), OSC_OK);
    for (uint32_t i = 0; i <= OSC_STREAM_MAX_SOURCES; i++) {
        assert_int_equal(bank_open(&tiers.bank, &opened[i]), OSC_OK);
        assert_int_equal(
            osc_stream_add(&stream, &sources[i], &opened[i], osc_all_checks, tiers.places),
            i < OSC_STREAM_MAX_SOURCES ? OSC_OK : OSC_ERROR_MEMORY);
    }
    free(sources);
    free(opened);
    tier_bank_free(&tiers);
}

/* No bank is added over a read that goes on, or over chunks, although the header promises nothing.
 */
static void a_bank_is_not_added_over_a_read(void **state)
{
    (void)state;
    test_stream s;
    tier_bank tiers = tier_bank_of_codecs();
    stream_make(&s, tiers, (stream_setup){.pool_words = 128, .unit_bytes = 4});
    test_player made;
    osc_stream_source source;
    player_make(&made, s.tiers.bank.words, s.tiers.bank.count);
    s.medium.polls = 1;
    const osc_want want = {.bank = &s.made.bank, .clip = 0};
    assert_true(osc_stream_want(&s.stream, &want) > 0);
    osc_stream_update(&s.stream, 1000);
    assert_true(s.medium.reading);
    assert_int_equal(osc_stream_add(&s.stream, &source, &made.bank, osc_all_checks, s.tiers.places),
                     OSC_ERROR_MEMORY);
    (void)stream_bring(&s, want);
    assert_int_equal(osc_stream_add(&s.stream, &source, &made.bank, osc_all_checks, s.tiers.places),
                     OSC_OK);
    assert_int_equal(stream_hash(&s, 0, 2048), full_hash(&s, 0, 2048));
    player_free(&made);
    stream_free(&s);
}

/* A bank takes its bytes from what is free behind all chunks, not from one that is there. */
static void a_bank_is_not_added_over_a_chunk(void **state)
{
    (void)state;
    test_stream s;
    tier_bank tiers = tier_bank_of_blocks();
    const uint32_t fault_words = (tiers.chunk_count + 3u) / 4u;
    stream_make(&s, tiers,
                (stream_setup){.pool_words = tiers.most_words + fault_words, .unit_bytes = 4});
    test_player made;
    osc_stream_source source;
    player_make(&made, s.tiers.bank.words, s.tiers.bank.count);
    (void)stream_bring(&s, (osc_want){.clip = PLAIN_LONG, .frame = PLAIN_BLOCK});
    assert_true(stream_has(&s, 3, PLAIN_LONG, 1));
    s.stream.pool_words--;
    assert_int_equal(osc_stream_add(&s.stream, &source, &made.bank, osc_all_checks, s.tiers.places),
                     OSC_ERROR_MEMORY);
    s.stream.pool_words++;
    assert_int_equal(osc_stream_add(&s.stream, &source, &made.bank, osc_all_checks, s.tiers.places),
                     OSC_OK);
    const int32_t position = (int32_t)((PLAIN_BLOCK + 5u) << 11);
    assert_int_equal(stream_hash(&s, PLAIN_LONG, position), full_hash(&s, PLAIN_LONG, position));
    player_free(&made);
    stream_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_of_a_medium_are_checked),
        cmocka_unit_test(memory_is_aligned_as_reads_are),
        cmocka_unit_test(memory_has_room_for_slots_and_a_unit),
        cmocka_unit_test(a_pool_has_two_gigabytes_at_most),
        cmocka_unit_test(a_bank_needs_tiers),
        cmocka_unit_test(a_bank_has_no_part_of_a_header_of_tiers),
        cmocka_unit_test(places_are_multiples_of_words_in_four_gigabytes),
        cmocka_unit_test(banks_are_added_until_the_memory_ends),
        cmocka_unit_test(there_are_at_most_255_banks),
        cmocka_unit_test(a_bank_is_not_added_over_a_read),
        cmocka_unit_test(a_bank_is_not_added_over_a_chunk),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
