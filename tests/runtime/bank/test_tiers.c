/* Keys in tiers: a bank plays with the tiers that it contains or that are attached, coarser without
 * them, and takes nothing for a tier that is not its own. Versions: test_versions.c. */
#include "bank_tools.h"
#include "check.h"
#include "sample_banks.h"

#include <stdlib.h>
#include <string.h>

enum { SAMPLE_WORDS = sizeof sample_dense / 4u, FAR = 5, FRAMES = 33, TABLE = 4, TIER_1, TIER_2 };

static const uint32_t hidden_tag = 0x21212121u; /* of no section that a reader knows */

/* The sample bank with the tiers of these bits. */
static test_bank bank_with(uint32_t tiers)
{
    test_bank bank = bank_copy(sample_dense, SAMPLE_WORDS);
    for (uint32_t i = 0; i < 2u; i++)
        if ((tiers >> i & 1u) == 0u)
            bank.words[5u + 3u * (TIER_1 + i)] = hidden_tag;
    bank_seal(&bank);
    return bank;
}

/* A tier of the sample in a block of its own. */
static test_bank tier_copy(uint32_t tier)
{
    uint32_t entry = 5u + 3u * (TIER_1 + tier - 1u);
    return bank_copy(sample_dense + (sample_dense[entry + 1u] & 0x7fffffffu),
                     sample_dense[entry + 2u]);
}

static int32_t attach(test_player *made, uint32_t tier, const test_bank *words)
{
    return osc_bank_attach_tier(&made->bank, tier, words->words, words->count * 4u);
}

static uint32_t hash_at(test_player *made, int32_t frame)
{
    assert_true(osc_player_seek_q11(&made->player, frame * 2048) >= 0);
    return pose_hash(made);
}

/* The poses at the frames of the clip that has tiers. */
static void play(test_player *made, uint32_t hashes[FRAMES])
{
    assert_int_equal(osc_player_start(&made->player, FAR, OSC_PLAY_ONCE), OSC_OK);
    for (int32_t frame = 0; frame < FRAMES; frame++)
        hashes[frame] = hash_at(made, frame);
}

static void expect(uint32_t tiers, uint32_t hashes[FRAMES])
{
    test_bank bank = bank_with(tiers);
    test_player made;
    player_make(&made, bank.words, bank.count);
    assert_int_equal(made.bank.tier_count, 2);
    assert_int_equal(made.bank.tiers_there, tiers);
    play(&made, hashes);
    player_free(&made);
    bank_free(&bank);
}

static uint32_t differing(const uint32_t some[FRAMES], const uint32_t full[FRAMES])
{
    uint32_t count = 0;
    for (uint32_t frame = 0; frame < FRAMES; frame++)
        count += some[frame] != full[frame] ? 1u : 0u;
    return count;
}

/* Keys at the ends of blocks are in the clip. The second tier continues the first, and counts for
 * nothing alone. */
static void frames_of_tiers_that_are_absent_are_mixed(void **state)
{
    (void)state;
    uint32_t full[FRAMES], none[FRAMES], first[FRAMES], second[FRAMES];
    expect(3u, full);
    expect(0, none);
    expect(1u, first);
    expect(2u, second);
    for (uint32_t frame = 0; frame < FRAMES; frame++)
        if (frame % 16u == 15u || frame % 16u == 0u) {
            assert_int_equal(none[frame], full[frame]);
            assert_int_equal(first[frame], full[frame]);
        }
    assert_memory_equal(second, none, sizeof none);
    assert_true(differing(none, full) >= differing(first, full));
    assert_true(differing(none, first) > 0u);
    assert_true(differing(first, full) > 0u);
}

static void attached_tiers_play_as_if_they_lay_in_the_bank(void **state)
{
    (void)state;
    uint32_t expected[4][FRAMES], hashes[FRAMES];
    test_bank tiers[2] = {tier_copy(1), tier_copy(2)}, bank = bank_with(0);
    for (uint32_t set = 0; set < 4u; set++)
        expect(set, expected[set]);
    for (uint32_t first = 0; first < 2u; first++) {
        uint32_t second = 1u - first;
        test_player made;
        player_make(&made, bank.words, bank.count);
        assert_int_equal(attach(&made, first + 1u, &tiers[first]), OSC_OK);
        play(&made, hashes);
        assert_memory_equal(hashes, expected[1u << first], sizeof hashes);
        assert_int_equal(attach(&made, second + 1u, &tiers[second]), OSC_OK);
        play(&made, hashes);
        assert_memory_equal(hashes, expected[3], sizeof hashes);
        assert_int_equal(osc_bank_attach_tier(&made.bank, first + 1u, 0, 0), OSC_OK);
        play(&made, hashes);
        assert_memory_equal(hashes, expected[1u << second], sizeof hashes);
        player_free(&made);
    }
    bank_free(&bank);
    bank_free(&tiers[0]);
    bank_free(&tiers[1]);
}

/* Rows that are in memory do not outlive the tiers that they were made of. */
static void players_notice_at_their_next_position(void **state)
{
    (void)state;
    uint32_t none[FRAMES], full[FRAMES];
    test_bank tiers[2] = {tier_copy(1), tier_copy(2)}, bank = bank_with(0);
    test_player made;
    expect(0, none);
    expect(3u, full);
    player_make(&made, bank.words, bank.count);
    assert_int_equal(osc_player_start(&made.player, FAR, OSC_PLAY_ONCE), OSC_OK);
    for (int32_t frame = 0; frame < FRAMES; frame++) {
        assert_int_equal(hash_at(&made, frame), none[frame]);
        assert_int_equal(attach(&made, 1, &tiers[0]), OSC_OK);
        assert_int_equal(attach(&made, 2, &tiers[1]), OSC_OK);
        assert_int_equal(hash_at(&made, frame), full[frame]);
        assert_int_equal(osc_bank_attach_tier(&made.bank, 2, 0, 0), OSC_OK);
        assert_int_equal(osc_bank_attach_tier(&made.bank, 1, 0, 0), OSC_OK);
    }
    player_free(&made);
    bank_free(&bank);
    bank_free(&tiers[0]);
    bank_free(&tiers[1]);
}

static void other_words_are_no_tier(void **state)
{
    (void)state;
    uint32_t before[FRAMES], after[FRAMES];
    test_bank one = tier_copy(1), two = tier_copy(2), bank = bank_with(1u);
    test_player made;
    player_make(&made, bank.words, bank.count);
    play(&made, before);
    assert_int_equal(attach(&made, 0, &one), OSC_ERROR_NOT_FOUND);
    assert_int_equal(attach(&made, 3, &one), OSC_ERROR_NOT_FOUND);
    assert_int_equal(attach(&made, 2, &one), OSC_ERROR_SIZE);
    for (size_t more = 1; more < 4u; more++) { /* whole words, and bytes of another one */
        assert_int_equal(osc_bank_attach_tier(&made.bank, 2, two.words, two.count * 4u + more),
                         OSC_ERROR_SIZE);
        assert_int_equal(osc_bank_attach_tier(&made.bank, 2, two.words, two.count * 4u - more),
                         OSC_ERROR_SIZE);
    }
    const uint32_t *odd = (const uint32_t *)((const char *)two.words + 2);
    assert_int_equal(osc_bank_attach_tier(&made.bank, 2, odd, two.count * 4u), OSC_ERROR_ALIGNMENT);
    two.words[0] ^= 1u << 31;
    assert_int_equal(attach(&made, 2, &two), OSC_ERROR_CRC);
    play(&made, after);
    assert_memory_equal(before, after, sizeof before);
    two.words[0] ^= 1u << 31;
    assert_int_equal(attach(&made, 2, &two), OSC_OK);
    player_free(&made);
    bank_free(&bank);
    bank_free(&one);
    bank_free(&two);
}

static void a_bank_without_tiers_takes_none(void **state)
{
    (void)state;
    test_bank one = tier_copy(1);
    osc_bank bank;
    assert_int_equal(osc_bank_open(&bank, sample_walk, sizeof sample_walk), OSC_OK);
    assert_int_equal(bank.tier_count, 0);
    assert_int_equal(osc_bank_attach_tier(&bank, 1, one.words, one.count * 4u),
                     OSC_ERROR_NOT_FOUND);
    bank_free(&one);
}

/* Words of TIER: a header of two, three words a tier, three words a chunk. */
enum { TIER_1_SIZE = 2, CHUNK_0 = 2 + 3 * 2, CHUNK_CRC = 2 };

/* One word of the section table or of TIER changed. */
static void tiers_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    const uint32_t table = 5u + 3u * TABLE;
    const uint32_t at_table = sample_dense[table + 1u] & 0x7fffffffu;
    const struct {
        uint32_t at, value;
        int32_t status;
    } changes[] = {
        {table, hidden_tag, OSC_ERROR_SECTION},        /* tiers of nothing */
        {table + 2u, 1u, OSC_ERROR_SECTION},           /* half a header */
        {table + 2u, CHUNK_0 - 1u, OSC_ERROR_SECTION}, /* a part of a record */
        {table + 2u, CHUNK_0, OSC_ERROR_SECTION},      /* no chunks */
        {table + 3u, 0x32454954u, OSC_ERROR_SECTION},  /* a tier twice */
        {at_table + TIER_1_SIZE, sample_dense[at_table + TIER_1_SIZE] + 1u, OSC_ERROR_SECTION},
        {at_table + CHUNK_0 + CHUNK_CRC, 0u,
         OSC_OK}, /* the bank's own CRC is enough for what lies in it */
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        test_bank bank = bank_copy(sample_dense, SAMPLE_WORDS);
        osc_bank opened;
        bank.words[changes[i].at] = changes[i].value;
        bank_seal(&bank);
        assert_int_equal(bank_open(&bank, &opened), changes[i].status);
        bank_free(&bank);
    }
    test_bank bank = bank_with(0); /* a tier of one word, which no reader can look into */
    osc_bank opened;
    bank.words[at_table + TIER_1_SIZE] = 1u;
    bank_seal(&bank);
    assert_int_equal(bank_open(&bank, &opened), OSC_ERROR_SECTION);
    bank_free(&bank);
}

/* The sample with this directory of tiers in place of its own, at the end. */
static test_bank bank_with_table(const uint32_t *table, uint32_t count)
{
    test_bank bank = bank_with(0);
    uint32_t *last = bank.words + 5u + 3u * TIER_2, at = bank.count;
    bank.words[5u + 3u * TABLE] = hidden_tag;
    last[0] = 0x52454954u; /* TIER */
    last[1] = at;
    last[2] = count;
    bank_resize_at(&bank, at, (int32_t)count, 0u);
    memcpy(bank.words + at, table, 4u * count);
    bank_seal(&bank);
    return bank;
}

/* A directory of empty tiers. */
static void tiers_are_at_most_four(void **state)
{
    (void)state;
    for (uint32_t tiers = 0; tiers <= OSC_MAX_TIERS + 1u; tiers++) {
        const uint32_t table[2 + 3 * (OSC_MAX_TIERS + 1)] = {tiers};
        test_bank bank = bank_with_table(table, 2u + 3u * tiers);
        osc_bank opened;
        bool valid = tiers >= 1u && tiers <= OSC_MAX_TIERS;
        assert_int_equal(bank_open(&bank, &opened), valid ? OSC_OK : OSC_ERROR_SECTION);
        if (valid) /* nothing is missing of tiers without chunks, but they are not there */
            assert_int_equal(opened.tiers_there, 0);
        bank_free(&bank);
    }
}

/* Three tiers, in blocks of 16 frames, with one chunk. */
static void directories_that_contradict_themselves_are_refused(void **state)
{
    enum { CURVE = 2, CLIPS = 7 };
    const struct {
        uint32_t ends[3], sizes[3], key;
        int32_t status;
    } tables[] = {
        {{1, 1, 1}, {4, 0, 0}, FAR << 16, OSC_OK},                   /* all keys */
        {{1, 1, 1}, {4, 0, 0}, FAR << 16 | 1u << 4 | CURVE, OSC_OK}, /* only the second block */
        {{1, 1, 1}, {4, 0, 0}, CLIPS << 16 | CURVE, OSC_ERROR_SECTION},
        {{1, 0, 1}, {4, 4, 4}, FAR << 16, OSC_ERROR_SECTION}, /* less than no chunks */
        {{1, 1, 1}, {4, 4, 0}, FAR << 16, OSC_ERROR_SECTION}, /* words without a chunk */
        {{1, 1, 1}, {0x3ffffff, 0, 0}, FAR << 16, OSC_OK},
        {{1, 1, 1}, {0x4000000, 0, 0}, FAR << 16, OSC_ERROR_SECTION},
    };
    const int32_t base_error = 9;
    osc_bank opened;
    (void)state;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        uint32_t table[CHUNK_0 + 3 + 3] = {3u | 4u << 8, (uint32_t)base_error};
        for (uint32_t tier = 0; tier < 3u; tier++) {
            table[TIER_1_SIZE + 3u * tier] = tables[i].sizes[tier];
            table[TIER_1_SIZE + 3u * tier + 1u] = tables[i].ends[tier];
        }
        table[CHUNK_0 + 3] = tables[i].key;
        test_bank bank = bank_with_table(table, sizeof table / sizeof *table);
        assert_int_equal(bank_open(&bank, &opened), tables[i].status);
        if (tables[i].status == OSC_OK) { /* the chunk of its second block is not there */
            assert_int_equal(opened.clip_count, CLIPS);
            assert_int_equal(osc_clip_quality_q20(&opened, FAR, 20), base_error);
        }
        bank_free(&bank);
    }
}

/* The headers of a clip say how many tiers its keys lie in: three bits, behind 12 bits of track
 * count and 5 bits of period. */
static void a_clip_of_five_tiers_is_refused(void **state)
{
    (void)state;
    const uint32_t tier_bits = 7u << 17;
    for (uint32_t tiers = 1; tiers < 8u; tiers++) { /* with none there would be no classes */
        test_bank bank = bank_copy(sample_dense, SAMPLE_WORDS);
        osc_bank opened;
        assert_int_equal(bank_open(&bank, &opened), OSC_OK);
        uint32_t clip = (uint32_t)(opened.clips - bank.words) + 3u * FAR;
        uint32_t data = (uint32_t)(opened.data - bank.words) + (bank.words[clip + 2u] & 0x3ffffffu);
        uint32_t restarts = (FRAMES - 1u) >> (bank.words[clip + 1u] >> 24 & 31u);
        assert_int_equal(bank.words[data] >> 18, 0); /* breaks, which would lie before the stream */
        uint32_t *header = &bank.words[data + 1u + restarts];
        assert_int_equal(*header & tier_bits, 2u << 17);
        *header = (*header & ~tier_bits) | tiers << 17;
        bank_seal(&bank);
        assert_int_equal(bank_open(&bank, &opened),
                         tiers <= OSC_MAX_TIERS ? OSC_OK : OSC_ERROR_CLIP);
        bank_free(&bank);
    }
}

/* The clip states the offset of its keys in a tier. With any offset, only the tier is read. */
static void a_damaged_clip_does_not_lead_out_of_its_tiers(void **state)
{
    (void)state;
    test_bank tiers[2] = {tier_copy(1), tier_copy(2)}, whole = bank_with(0);
    osc_bank opened;
    uint32_t hashes[FRAMES], played = 0;
    assert_int_equal(bank_open(&whole, &opened), OSC_OK);
    uint32_t first = (uint32_t)(opened.data - whole.words);
    for (uint32_t at = first; at < bank_section(&whole, TABLE); at++) {
        test_bank bank = bank_copy(whole.words, whole.count);
        bank.words[at] = ~0u;
        bank_seal(&bank);
        if (bank_open(&bank, &opened) == OSC_OK) {
            test_player made;
            player_make(&made, bank.words, bank.count);
            assert_int_equal(attach(&made, 1, &tiers[0]), OSC_OK);
            assert_int_equal(attach(&made, 2, &tiers[1]), OSC_OK);
            play(&made, hashes);
            player_free(&made);
            played++;
        }
        bank_free(&bank);
    }
    assert_true(played > 0u);
    bank_free(&whole);
    bank_free(&tiers[0]);
    bank_free(&tiers[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_of_tiers_that_are_absent_are_mixed),
        cmocka_unit_test(attached_tiers_play_as_if_they_lay_in_the_bank),
        cmocka_unit_test(players_notice_at_their_next_position),
        cmocka_unit_test(other_words_are_no_tier),
        cmocka_unit_test(a_bank_without_tiers_takes_none),
        cmocka_unit_test(tiers_that_do_not_fit_are_refused),
        cmocka_unit_test(tiers_are_at_most_four),
        cmocka_unit_test(directories_that_contradict_themselves_are_refused),
        cmocka_unit_test(a_clip_of_five_tiers_is_refused),
        cmocka_unit_test(a_damaged_clip_does_not_lead_out_of_its_tiers),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
