/* All chunks of a bank through a stream and a medium: from a serial flash, and from a card. In the
 * end the poses are, bit for bit, those of the bank whose tiers are attached. */
#include "bank/osc_codecs.h"
#include "check.h"
#include "mock_card.h"
#include "mock_spi_nor.h"
#include "tier_bank.h"

#include <stdlib.h>

#define FRAME_US 16667u
#define MOST_FRAMES 2000u
#define SECTOR_BYTES 512u
#define SLOTS 64u
#define SPARE_BYTES 0x2000u
#define STEP_Q11 1500

typedef struct rig {
    tier_bank tiers;
    test_player made, full; /* `full` has all tiers attached */
    osc_stream stream;
    osc_stream_source source;
    uint32_t *memory;
    void (*advance_us)(uint32_t us);
} rig;

static mock_spi_nor chip;
static osc_spi_nor flash;
static mock_card card;
static osc_block_medium sectors;

static void advance_chip(uint32_t us)
{
    mock_spi_nor_advance_us(&chip, us);
}

static void advance_card(uint32_t us)
{
    mock_card_advance_us(&card, us);
}

static void open_rig(rig *r, const osc_medium *medium)
{
    uint32_t words = r->tiers.medium.count + SLOTS * OSC_STREAM_SLOT_WORDS + r->tiers.chunk_count;
    player_make(&r->made, r->tiers.bank.words, r->tiers.bank.count);
    player_make(&r->full, r->tiers.bank.words, r->tiers.bank.count);
    for (uint32_t tier = 1; tier <= r->tiers.tier_count; tier++)
        assert_int_equal(osc_bank_attach_tier(&r->full.bank, tier, r->tiers.tiers[tier - 1u].words,
                                              r->tiers.tiers[tier - 1u].count * 4u),
                         OSC_OK);
    r->memory = malloc(words * 4u);
    assert_non_null(r->memory);
    assert_int_equal(osc_stream_init(&r->stream, medium, r->memory, words, SLOTS), OSC_OK);
    assert_int_equal(
        osc_stream_add(&r->stream, &r->source, &r->made.bank, osc_all_checks, r->tiers.places),
        OSC_OK);
}

static void open_flash(rig *r, tier_bank tiers)
{
    r->tiers = tiers;
    tier_bank_lay(&r->tiers, 0x1004, 0x104);
    mock_spi_nor_insert(&chip, &(mock_spi_nor_part){.words = r->tiers.medium.words,
                                                    .writable = r->tiers.medium.words,
                                                    .size_bytes = r->tiers.medium.count * 4u,
                                                    .clock_hz = 25000000});
    osc_spi_nor_init(
        &flash, &(osc_spi_nor_setup){.bus = &chip.bus, .size_bytes = r->tiers.medium.count * 4u});
    r->advance_us = advance_chip;
    open_rig(r, &flash.medium);
}

static void open_card(rig *r, tier_bank tiers, bool waits)
{
    r->tiers = tiers;
    tier_bank_lay(&r->tiers, 0, 4);
    uint32_t count = r->tiers.medium.count * 4u / SECTOR_BYTES;
    mock_card_insert(&card,
                     &(mock_card_part){.words = r->tiers.medium.words, .sector_count = count});
    osc_block_medium_init(&sectors,
                          &(osc_block_setup){.device = waits ? card.blocking : card.device,
                                             .sector_count = count,
                                             .timeout_us = 10u * FRAME_US});
    r->advance_us = advance_card;
    open_rig(r, &sectors.medium);
}

static void close_rig(rig *r)
{
    if (chip.violations != 0u)
        fail_msg("%s", chip.violation);
    if (card.violations != 0u)
        fail_msg("%s", card.violation);
    player_free(&r->made);
    player_free(&r->full);
    tier_bank_free(&r->tiers);
    free(r->memory);
}

/* A frame in which the game wants every block of every clip. Returns the chunks that are missing.
 */
static uint32_t want_all(rig *r)
{
    int32_t missing = 0;
    for (uint32_t clip = 0; clip < r->made.bank.clip_count; clip++) {
        osc_clip_info info;
        assert_int_equal(osc_clip_describe(&r->made.bank, clip, &info), OSC_OK);
        for (uint32_t frame = 0; frame < info.frame_count; frame += 1u << r->made.bank.block_log2) {
            const osc_want want = {.bank = &r->made.bank, .clip = clip, .frame = frame};
            int32_t more = osc_stream_want(&r->stream, &want);
            assert_true(more >= 0);
            missing += more;
        }
    }
    osc_stream_update(&r->stream, FRAME_US);
    r->advance_us(FRAME_US);
    return (uint32_t)missing;
}

static void want_for(rig *r, uint32_t frames)
{
    for (uint32_t i = 0; i < frames; i++)
        (void)want_all(r);
}

static void bring_all(rig *r)
{
    uint32_t frames = 0;
    while (want_all(r) != 0u)
        assert_true(++frames < MOST_FRAMES);
}

static uint32_t hash_at(test_player *player, uint32_t clip, int32_t position_q11)
{
    assert_int_equal(osc_player_start(&player->player, clip, OSC_PLAY_ONCE), OSC_OK);
    assert_true(osc_player_seek_q11(&player->player, position_q11) >= 0);
    return pose_hash(player);
}

/* The number of poses that differ from those with all tiers. */
static uint32_t differences(rig *r)
{
    uint32_t count = 0;
    for (uint32_t clip = 0; clip < r->made.bank.clip_count; clip++) {
        osc_clip_info info;
        assert_int_equal(osc_clip_describe(&r->made.bank, clip, &info), OSC_OK);
        for (int32_t at = 0; at >> 11 < (int32_t)info.frame_count; at += STEP_Q11)
            count += hash_at(&r->made, clip, at) != hash_at(&r->full, clip, at);
    }
    return count;
}

static void assert_complete(rig *r)
{
    osc_quality quality;
    osc_bank_quality(&r->made.bank, &quality);
    assert_int_equal(quality.error_q20, quality.finest_error_q20);
    assert_int_equal(differences(r), 0);
    close_rig(r);
}

static tier_bank (*const banks[])(void) = {tier_bank_of_codecs, tier_bank_of_sparse,
                                           tier_bank_of_blocks, tier_bank_of_keys};
#define BANKS (sizeof banks / sizeof *banks)

static void all_chunks_come_from_a_flash(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < BANKS; i++) {
        rig r;
        open_flash(&r, banks[i]());
        assert_true(differences(&r) != 0u);
        bring_all(&r);
        assert_int_equal(r.stream.counts.failures, 0);
        assert_complete(&r);
    }
}

static void all_chunks_come_from_a_card(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 2u * BANKS; i++) {
        rig r;
        open_card(&r, banks[i / 2u](), i % 2u != 0u);
        bring_all(&r);
        assert_int_equal(r.stream.counts.failures, 0);
        assert_complete(&r);
    }
}

/* While the chip erases, clips play as they are, and nothing fails. */
static void a_chip_that_erases_is_waited_for(void **state)
{
    (void)state;
    rig r;
    open_flash(&r, tier_bank_of_codecs());
    mock_spi_nor_erase(&chip, 0); /* in front of the tiers; for 45 ms */
    want_for(&r, 2);
    assert_int_equal(r.stream.counts.reads, 0);
    assert_int_equal(chip.reads, 0);
    bring_all(&r);
    assert_int_equal(r.stream.counts.failures, 0);
    assert_complete(&r);
}

static void wrong_bits_and_broken_transfers_are_read_again(void **state)
{
    (void)state;
    rig r;
    open_flash(&r, tier_bank_of_codecs());
    chip.refused = 1;
    chip.failing = 1;
    chip.flipped = 2; /* the first one in the transfer that fails */
    bring_all(&r);
    assert_int_equal(r.stream.counts.failures, 3);
    assert_int_equal(r.stream.counts.given_up, 0);
    assert_complete(&r);
}

/* Without its card, the game continues; chunks given up are read once the card is back. */
static void a_card_may_go_and_come_back(void **state)
{
    (void)state;
    rig r;
    open_card(&r, tier_bank_of_codecs(), false);
    want_for(&r, 1);
    card.is_removed = true;
    want_for(&r, MOST_FRAMES);
    assert_int_equal(r.stream.counts.given_up, r.tiers.chunk_count);
    osc_stream_fault fault;
    uint32_t told = 0;
    for (; osc_stream_next_fault(&r.stream, &fault); told++)
        assert_int_equal(fault.error, OSC_ERROR_READ);
    assert_int_equal(told, r.tiers.chunk_count);
    assert_true(differences(&r) != 0u);
    card.is_removed = false;
    want_for(&r, 10);
    assert_int_equal(r.stream.counts.arrived, 0);
    osc_stream_retry(&r.stream);
    bring_all(&r);
    assert_complete(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_chunks_come_from_a_flash),
        cmocka_unit_test(all_chunks_come_from_a_card),
        cmocka_unit_test(a_chip_that_erases_is_waited_for),
        cmocka_unit_test(wrong_bits_and_broken_transfers_are_read_again),
        cmocka_unit_test(a_card_may_go_and_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
