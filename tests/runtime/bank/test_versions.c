/* Versions of clips in tiers: they play where they are there, in blocks of long clips too, come and
 * go in the middle of a clip, and are refused when they are damaged. The sample has five clips of
 * one motion: one in four blocks, the last of which ends with a multiple of a block; a loop in
 * three; a loop in one; a dense one with keys in the first tier; and one of which no tier has
 * anything. */
#include "bank_tools.h"
#include "check.h"
#include "sample_banks.h"

enum {
    SAMPLE_WORDS = sizeof sample_versions / 4u,
    TABLE = 4, /* sections */
    TIERS = 2,
    CLIPS = 5,
    JOINTS = 3,
    BLOCK_LOG2 = 3,
    FORM = 0, /* words of the section TIER */
    BASE_ERROR = 1,
    RECORDS = 2,
    ENTRIES = RECORDS + 3 * TIERS,
    POSITION_STEP = 1024,
    DIVIDED = 0,
    ROUND = 1,
    SHORT = 2,
    KEYED = 3,
    PLAIN = 4
};

static const uint32_t hidden_tag = 0x21212121u; /* of no section that a reader knows */

typedef struct chunk {
    uint32_t tier, clip, block, codec, first, count;
} chunk;

static const uint32_t *section(uint32_t index)
{
    return sample_versions + (sample_versions[5u + 3u * index + 1u] & 0x7fffffffu);
}

static uint32_t chunk_count(void)
{
    return section(TABLE)[RECORDS + 3 * TIERS - 2];
}

static chunk chunk_at(uint32_t number)
{
    const uint32_t *table = section(TABLE), *entry = table + ENTRIES + 3u * number;
    uint32_t tier = number < table[RECORDS + 1] ? 1u : 2u;
    bool last = number + 1u == table[RECORDS + 3u * (tier - 1u) + 1u];
    uint32_t end = last ? table[RECORDS + 3u * (tier - 1u)] : entry[3 + 1];
    return (chunk){tier,          entry[0] >> 16, entry[0] >> 4 & 0xfffu,
                   entry[0] & 15, entry[1],       end - entry[1]};
}

static int32_t error_with(uint32_t tiers)
{
    const uint32_t *table = section(TABLE);
    return (int32_t)(tiers == 0u ? table[BASE_ERROR] : table[RECORDS + 3u * (tiers - 1u) + 2u]);
}

/* The sample bank, which contains the tiers of these bits. */
static test_bank bank_with(uint32_t tiers)
{
    test_bank bank = bank_copy(sample_versions, SAMPLE_WORDS);
    for (uint32_t i = 0; i < TIERS; i++)
        if ((tiers >> i & 1u) == 0u)
            bank.words[5u + 3u * (TABLE + 1u + i)] = hidden_tag;
    bank_seal(&bank);
    return bank;
}

/* A tier of the sample in a block of its own. */
static test_bank tier_copy(uint32_t tier)
{
    return bank_copy(section(TABLE + tier), sample_versions[5u + 3u * (TABLE + tier) + 2u]);
}

static int32_t attach(osc_bank *bank, uint32_t tier, const test_bank *words)
{
    if (words == 0)
        return osc_bank_attach_tier(bank, tier, 0, 0);
    return osc_bank_attach_tier(bank, tier, words->words, words->count * 4u);
}

static int32_t last_position(const osc_bank *bank, uint32_t clip)
{
    osc_clip_info info;
    assert_int_equal(osc_clip_describe(bank, clip, &info), OSC_OK);
    return (int32_t)((info.frame_count - 1u) << 11);
}

static uint32_t hash_at(test_player *made, int32_t position)
{
    assert_int_equal(osc_player_seek_q11(&made->player, position) >= 0, true);
    return pose_hash(made);
}

/* A player that was just started plays this at the position. */
static uint32_t fresh_hash(const test_bank *bank, uint32_t clip, osc_play_mode mode,
                           int32_t position)
{
    test_player made;
    player_make(&made, bank->words, bank->count);
    assert_int_equal(osc_player_start(&made.player, clip, mode), OSC_OK);
    uint32_t hash = hash_at(&made, position);
    player_free(&made);
    return hash;
}

static void the_bank_is_what_these_tests_think(void **state)
{
    (void)state;
    test_bank bank = bank_copy(sample_versions, SAMPLE_WORDS);
    osc_bank opened;
    assert_int_equal(bank_open(&bank, &opened), OSC_OK);
    assert_int_equal(opened.tier_count, TIERS);
    assert_int_equal(opened.tiers_there, 3);
    assert_int_equal(opened.block_log2, BLOCK_LOG2);
    assert_int_equal(opened.clip_count, CLIPS);
    assert_int_equal(opened.joint_count, JOINTS);
    uint32_t codecs = 0, keys = 0;
    for (uint32_t number = 0; number < chunk_count(); number++) {
        codecs |= 1u << chunk_at(number).codec;
        keys += chunk_at(number).codec == 0u ? 1u : 0u;
        assert_true(chunk_at(number).clip != PLAIN);
    }
    assert_true(keys == 1u && (codecs & (codecs - 1u)) != 0u);
    assert_int_equal(last_position(&opened, DIVIDED) >> 11, 4 << BLOCK_LOG2);
    bank_free(&bank);
}

/* A clip that is played forward, backward, or in jumps shows at each position what a player shows
 * that comes to it first: over the borders of blocks, too, between the base and versions of several
 * codecs. */
static void blocks_play_in_any_order(void **state)
{
    (void)state;
    uint64_t random = 3;
    for (uint32_t tiers = 0; tiers < 4u; tiers++) {
        test_bank bank = bank_with(tiers);
        test_player made;
        player_make(&made, bank.words, bank.count);
        for (uint32_t clip = 0; clip < CLIPS; clip++) {
            int32_t last = last_position(&made.bank, clip), step = 512;
            uint32_t fresh[2][4 * 32 + 1];
            for (int32_t i = 0; i <= last / step; i++)
                for (uint32_t loop = 0; loop < 2u; loop++)
                    fresh[loop][i] = fresh_hash(
                        &bank, clip, loop != 0u ? OSC_PLAY_LOOP : OSC_PLAY_ONCE, i * step);
            for (uint32_t loop = 0; loop < 2u; loop++) {
                assert_int_equal(osc_player_start(&made.player, clip,
                                                  loop != 0u ? OSC_PLAY_LOOP : OSC_PLAY_ONCE),
                                 OSC_OK);
                for (int32_t turn = 0; turn < (loop != 0u ? 2 : 1); turn++)
                    for (int32_t i = 0; i <= last / step; i++)
                        assert_int_equal(hash_at(&made, turn * last + i * step), fresh[loop][i]);
                for (int32_t i = last / step; i >= 0; i--)
                    assert_int_equal(hash_at(&made, i * step), fresh[loop][i]);
                for (uint32_t jump = 0; jump < 200u; jump++) {
                    int32_t i = (int32_t)(random_u32(&random) % ((uint32_t)(last / step) + 1u));
                    assert_int_equal(hash_at(&made, i * step), fresh[loop][i]);
                }
            }
            if (last / step * step == last) /* where a loop wraps, it is at its start */
                assert_int_equal(fresh[1][last / step], fresh[1][0]);
        }
        player_free(&made);
        bank_free(&bank);
    }
}

/* The last frame of a clip has no block of its own, even if its number is a multiple of a block. */
static void the_last_frame_belongs_to_the_block_before(void **state)
{
    (void)state;
    test_bank whole = bank_with(3u), base = bank_with(0);
    int32_t last = 4 << BLOCK_LOG2 << 11;
    assert_true(fresh_hash(&whole, DIVIDED, OSC_PLAY_ONCE, last) !=
                fresh_hash(&base, DIVIDED, OSC_PLAY_ONCE, last));
    test_player made;
    player_make(&made, whole.words, whole.count);
    assert_int_equal(osc_player_start(&made.player, DIVIDED, OSC_PLAY_ONCE), OSC_OK);
    assert_int_equal(osc_player_seek_q11(&made.player, last), 4 << BLOCK_LOG2);
    assert_int_equal(made.player.tier, 2);
    assert_int_equal(made.player.first_frame, 3 << BLOCK_LOG2);
    player_free(&made);
    bank_free(&whole);
    bank_free(&base);
}

static uint32_t square_root_up(uint64_t square)
{
    uint32_t root = 0;
    while ((uint64_t)root * root < square)
        root++;
    return root;
}

/* The largest displacement of a joint, Q20, rounded up. */
static int32_t moved(test_player *made, int32_t places[JOINTS][3])
{
    uint64_t most = 0;
    (void)model_hash(made);
    for (uint32_t joint = 0; joint < JOINTS; joint++) {
        uint64_t square = 0;
        for (uint32_t i = 0; i < 3u; i++) {
            int64_t now = made->model[joint].m[4u * i + 3u], by = now - places[joint][i];
            square += (uint64_t)(by * by);
            places[joint][i] = (int32_t)now;
        }
        most = square > most ? square : most;
    }
    return (int32_t)square_root_up(most);
}

/* Tiers come and go at every position: the pose moves by no more than the errors before and after,
 * and is that of a bank that contains what is there now. */
static void tiers_come_and_go_in_the_middle_of_a_clip(void **state)
{
    (void)state;
    static const uint32_t sets[] = {0, 1, 3, 2, 0, 2,
                                    3, 1, 0, 3, 0}; /* every way from one to another */
    test_bank banks[4], tiers[TIERS] = {tier_copy(1), tier_copy(2)};
    for (uint32_t set = 0; set < 4u; set++)
        banks[set] = bank_with(set);
    test_player made;
    int32_t most = 0;
    player_make(&made, banks[0].words, banks[0].count);
    for (uint32_t clip = 0; clip < CLIPS; clip++) {
        int32_t places[JOINTS][3] = {{0}}, last = last_position(&made.bank, clip);
        assert_int_equal(osc_player_start(&made.player, clip, OSC_PLAY_ONCE), OSC_OK);
        for (int32_t position = 0; position <= last; position += POSITION_STEP) {
            int32_t before = 0;
            for (uint32_t i = 0; i < sizeof sets / sizeof *sets; i++) {
                for (uint32_t tier = 0; tier < TIERS; tier++)
                    assert_int_equal(attach(&made.bank, tier + 1u,
                                            (sets[i] >> tier & 1u) != 0u ? &tiers[tier] : 0),
                                     OSC_OK);
                assert_int_equal(made.bank.tiers_there, sets[i]);
                assert_int_equal(hash_at(&made, position),
                                 fresh_hash(&banks[sets[i]], clip, OSC_PLAY_ONCE, position));
                int32_t error = osc_clip_quality_q20(&made.bank, clip, (uint32_t)position >> 11);
                int32_t by = moved(&made, places);
                if (i != 0u) {
                    assert_true(by <= before + error);
                    most = by > most ? by : most;
                }
                before = error;
            }
        }
    }
    assert_true(most > error_with(2)); /* more than nothing */
    player_free(&made);
    for (uint32_t set = 0; set < 4u; set++)
        bank_free(&banks[set]);
    for (uint32_t tier = 0; tier < TIERS; tier++)
        bank_free(&tiers[tier]);
}

/* While nothing comes or goes, a player does not look for versions, and keeps its rows. */
static void rows_outlive_tiers_that_do_not_concern_them(void **state)
{
    (void)state;
    test_bank bank = bank_with(0), one = tier_copy(1), two = tier_copy(2);
    test_player made;
    player_make(&made, bank.words, bank.count);
    assert_int_equal(osc_player_start(&made.player, PLAIN, OSC_PLAY_ONCE), OSC_OK);
    uint32_t hash = hash_at(&made, 3000);
    assert_true(made.player.primed);
    made.player.rows[0][0] ^= 1 << 12; /* would be gone if the row was unpacked again */
    uint32_t changed = pose_hash(&made);
    assert_true(changed != hash);
    assert_int_equal(attach(&made.bank, 1, &one), OSC_OK);
    assert_int_equal(hash_at(&made, 3000), changed);
    assert_int_equal(osc_player_start(&made.player, SHORT, OSC_PLAY_ONCE), OSC_OK);
    assert_int_equal(made.player.tier, 1);
    hash = hash_at(&made, 3000);
    assert_int_equal(attach(&made.bank, 2, &two), OSC_OK);
    assert_int_equal(attach(&made.bank, 2, 0), OSC_OK);
    assert_int_equal(hash_at(&made, 3000), hash);
    player_free(&made);
    bank_free(&bank);
    bank_free(&one);
    bank_free(&two);
}

static void damaged_chunks_are_refused(void **state)
{
    (void)state;
    test_bank bank = bank_with(0);
    osc_bank opened;
    assert_int_equal(bank_open(&bank, &opened), OSC_OK);
    for (uint32_t number = 0; number < chunk_count(); number++) {
        chunk one = chunk_at(number);
        test_bank tier = tier_copy(one.tier);
        for (uint32_t at = 0; at < one.count;
             at += one.count - 1u) { /* its first word and its last */
            tier.words[one.first + at] ^= 1u << (number & 31u);
            assert_int_equal(attach(&opened, one.tier, &tier), OSC_ERROR_CRC);
            assert_int_equal(opened.tiers_there, 0);
            assert_int_equal(opened.tier_changes, 0);
            tier.words[one.first + at] ^= 1u << (number & 31u);
        }
        bank_free(&tier);
    }
    bank_free(&bank);
}

/* The bank with a correct checksum of a chunk in this tier, with any contents. */
static void accept(test_bank *bank, uint32_t number, const test_bank *tier)
{
    chunk one = chunk_at(number);
    uint32_t *entry = bank->words + bank_section(bank, TABLE) + ENTRIES + 3u * number;
    entry[2] = words_crc(tier->words + one.first, one.count);
    bank_seal(bank);
}

/* Versions with a correct checksum, but wrong contents or a wrong entry in the directory. */
static void versions_that_contradict_themselves_are_refused(void **state)
{
    (void)state;
    for (uint32_t number = 0; number < chunk_count(); number++) {
        chunk one = chunk_at(number);
        const struct {
            uint32_t at, bits;
            int32_t status;
        } changes[] = {
            {0, 1u << 30, OSC_OK},              /* a layer: information only */
            {0, 1u << 29, OSC_ERROR_CLIP},      /* differences in the place of poses */
            {0, 1u, OSC_ERROR_CLIP},            /* a frame more or less */
            {0, 1u << 31, OSC_ERROR_CLIP},      /* a loop and none */
            {0, 15u << 20, OSC_ERROR_CLIP},     /* another codec */
            {1, 0x3ffffu, OSC_ERROR_CLIP},      /* headers of other lengths, beyond the end */
            {1, 0x3fffu << 18, OSC_ERROR_CLIP}, /* breaks beyond the end */
        };
        for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
            test_bank bank = bank_with(0), tier = tier_copy(one.tier);
            osc_bank opened;
            tier.words[one.first + changes[i].at] ^= changes[i].bits;
            accept(&bank, number, &tier);
            assert_int_equal(bank_open(&bank, &opened), OSC_OK);
            assert_int_equal(attach(&opened, one.tier, &tier),
                             one.codec == 0u ? OSC_OK : changes[i].status); /* any bits are keys */
            bank_free(&bank);
            bank_free(&tier);
        }
    }
}

/* The contents of a bank are checked when it is opened. */
static void damaged_versions_in_the_bank_are_refused(void **state)
{
    (void)state;
    for (uint32_t number = 0; number < chunk_count(); number++) {
        chunk one = chunk_at(number);
        test_bank bank = bank_with(3u);
        osc_bank opened;
        bank.words[bank_section(&bank, TABLE + one.tier) + one.first] ^= 1u << 29;
        bank_seal(&bank);
        assert_int_equal(bank_open(&bank, &opened), one.codec == 0u ? OSC_OK : OSC_ERROR_CLIP);
        bank_free(&bank);
    }
}

static void quality_is_that_of_what_is_there(void **state)
{
    (void)state;
    test_bank bank = bank_with(0), tiers[TIERS] = {tier_copy(1), tier_copy(2)};
    uint32_t in_first = section(TABLE)[RECORDS + 1], all = chunk_count();
    const struct {
        uint32_t there, chunks, complete; /* tiers up to which all clips are complete */
        uint32_t divided[4], round[3], short_, keyed[2]; /* and each block of the clips is */
    } sets[] = {
        {0, 0, 0, {0, 0, 1, 0}, {0, 0, 0}, 0, {0, 0}},
        {1, in_first, 1, {2, 1, 1, 1}, {2, 2, 1}, 1, {1, 2}},
        {2, all - in_first, 0, {0, 2, 2, 2}, {0, 0, 2}, 2, {2, 0}},
        {3, all, 2, {2, 2, 2, 2}, {2, 2, 2}, 2, {2, 2}},
    };
    osc_bank opened;
    assert_int_equal(bank_open(&bank, &opened), OSC_OK);
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        osc_quality quality;
        for (uint32_t tier = 0; tier < TIERS; tier++)
            assert_int_equal(
                attach(&opened, tier + 1u, (sets[i].there >> tier & 1u) != 0u ? &tiers[tier] : 0),
                OSC_OK);
        osc_bank_quality(&opened, &quality);
        assert_int_equal(quality.chunks, all);
        assert_int_equal(quality.chunks_there, sets[i].chunks);
        assert_int_equal(quality.error_q20, error_with(sets[i].complete));
        assert_int_equal(quality.finest_error_q20, error_with(TIERS));
        for (uint32_t frame = 0; frame <= 40u; frame++) {
            uint32_t block = frame >> BLOCK_LOG2;
            assert_int_equal(osc_clip_quality_q20(&opened, DIVIDED, frame),
                             error_with(sets[i].divided[block < 3u ? block : 3u]));
            assert_int_equal(osc_clip_quality_q20(&opened, ROUND, frame),
                             error_with(sets[i].round[block < 2u ? block : 2u]));
            assert_int_equal(osc_clip_quality_q20(&opened, SHORT, frame),
                             error_with(sets[i].short_));
            assert_int_equal(osc_clip_quality_q20(&opened, KEYED, frame),
                             error_with(sets[i].keyed[block < 1u ? block : 1u]));
            assert_int_equal(osc_clip_quality_q20(&opened, PLAIN, frame), error_with(TIERS));
        }
        assert_int_equal(osc_clip_quality_q20(&opened, CLIPS, 0), OSC_ERROR_NOT_FOUND);
    }
    bank_free(&bank);
    for (uint32_t tier = 0; tier < TIERS; tier++)
        bank_free(&tiers[tier]);
}

/* Chunks that are there one by one. */
typedef struct some_chunks {
    osc_chunk_source source;
    uint32_t there; /* a bit for each, by number */
} some_chunks;

static const uint32_t *find_some(const osc_chunk_source *source, uint32_t number)
{
    const some_chunks *some = (const some_chunks *)source;
    chunk one = chunk_at(number);
    return (some->there >> number & 1u) != 0u ? section(TABLE + one.tier) + one.first : 0;
}

static uint32_t complete(const osc_bank *bank)
{
    osc_quality quality;
    osc_bank_quality(bank, &quality);
    for (uint32_t tiers = TIERS; tiers > 0u; tiers--)
        if (quality.error_q20 == error_with(tiers))
            return tiers;
    assert_int_equal(quality.error_q20, error_with(0));
    return 0;
}

/* With one chunk missing, the bank has the error of the tiers before it, unless a higher version of
 * the same block is there; keys serve all blocks of their clip, and other blocks do not make up for
 * them. */
static void single_chunks_count(void **state)
{
    (void)state;
    test_bank bank = bank_with(0), whole = bank_with(3u);
    uint32_t all = (1u << chunk_count()) - 1u;
    some_chunks some = {{find_some}, all};
    test_player made;
    player_make(&made, bank.words, bank.count);
    made.bank.chunks = &some.source;
    assert_int_equal(complete(&made.bank), TIERS);
    for (uint32_t number = 0; number < chunk_count(); number++) {
        chunk one = chunk_at(number);
        bool replaced = false;
        for (uint32_t other = number + 1u; other < chunk_count() && one.codec != 0u; other++)
            replaced = replaced ||
                       (chunk_at(other).clip == one.clip && chunk_at(other).block == one.block);
        some.there = all & ~(1u << number);
        made.bank.tier_changes++;
        assert_int_equal(complete(&made.bank), replaced ? (uint32_t)TIERS : one.tier - 1u);
        osc_quality quality;
        osc_bank_quality(&made.bank, &quality);
        assert_int_equal(quality.chunks_there, chunk_count() - 1u);
        /* only what is missing does not play */
        for (uint32_t clip = 0; clip < CLIPS; clip++) {
            int32_t last = last_position(&made.bank, clip);
            assert_int_equal(osc_player_start(&made.player, clip, OSC_PLAY_ONCE), OSC_OK);
            for (int32_t at = 512; at < last; at += 2048) {
                uint32_t block = (uint32_t)at >> 11 >> BLOCK_LOG2;
                bool same =
                    one.clip != clip || (one.codec != 0u && (one.block != block || replaced));
                uint32_t hash = hash_at(&made, at);
                if (same)
                    assert_int_equal(hash, fresh_hash(&whole, clip, OSC_PLAY_ONCE, at));
                else if (one.codec != 0u)
                    assert_true(hash != fresh_hash(&whole, clip, OSC_PLAY_ONCE, at));
            }
        }
    }
    /* a version of one block does not make up for missing keys, whatever its codec is */
    uint32_t *entries = bank.words + bank_section(&bank, TABLE) + ENTRIES;
    some.there = all;
    for (uint32_t number = 0; number < chunk_count(); number++)
        if (chunk_at(number).clip == KEYED && chunk_at(number).codec == 0u)
            some.there &= ~(1u << number);
        else if (chunk_at(number).clip == KEYED)
            entries[3u * number] ^= 3u;
    assert_int_equal(complete(&made.bank), 0);
    player_free(&made);
    bank_free(&bank);
    bank_free(&whole);
}

static void a_bank_without_tiers_does_not_know_its_error(void **state)
{
    (void)state;
    osc_bank bank;
    osc_quality quality;
    assert_int_equal(osc_bank_open(&bank, sample_walk, sizeof sample_walk), OSC_OK);
    osc_bank_quality(&bank, &quality);
    assert_int_equal(quality.error_q20, 0);
    assert_int_equal(quality.finest_error_q20, 0);
    assert_int_equal(quality.chunks, 0);
    assert_int_equal(quality.chunks_there, 0);
    assert_int_equal(osc_clip_quality_q20(&bank, 0, 0), 0);
    assert_int_equal(osc_clip_quality_q20(&bank, bank.clip_count, 0), OSC_ERROR_NOT_FOUND);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bank_is_what_these_tests_think),
        cmocka_unit_test(blocks_play_in_any_order),
        cmocka_unit_test(the_last_frame_belongs_to_the_block_before),
        cmocka_unit_test(tiers_come_and_go_in_the_middle_of_a_clip),
        cmocka_unit_test(rows_outlive_tiers_that_do_not_concern_them),
        cmocka_unit_test(damaged_chunks_are_refused),
        cmocka_unit_test(versions_that_contradict_themselves_are_refused),
        cmocka_unit_test(damaged_versions_in_the_bank_are_refused),
        cmocka_unit_test(quality_is_that_of_what_is_there),
        cmocka_unit_test(single_chunks_count),
        cmocka_unit_test(a_bank_without_tiers_does_not_know_its_error),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
