/* The number of rows that a seek unpacks (runtime/README.md): one for the next frame; for a frame
 * behind or far ahead those from the restart point on, and two where every frame is reached
 * directly. */
#include "bank/osc_internal.h"
#include "bank_tools.h"
#include "check.h"
#include "row_counter.h"
#include "sample_banks.h"
#include "tier_bank.h"

typedef struct counted_sample {
    const uint32_t *words;
    size_t count;
    bool direct; /* every frame is reached directly */
} counted_sample;

static counted_sample samples[] = {{sample_walk, sizeof sample_walk / 4u, false},
                                   {sample_curve, sizeof sample_curve / 4u, false},
                                   {sample_transform, sizeof sample_transform / 4u, true},
                                   {sample_velocity, sizeof sample_velocity / 4u, false},
                                   {sample_sparse, sizeof sample_sparse / 4u, false},
                                   {sample_dense, sizeof sample_dense / 4u, true}};

static uint32_t rows_of_seek(osc_player *player, uint32_t frame)
{
    rows_unpacked = 0;
    uint32_t told = osc_player_rows_to(player, (int32_t)(frame * 2048u));
    assert_int_equal(osc_player_seek_q11(player, (int32_t)(frame * 2048u)), (int32_t)frame);
    assert_int_equal(told, rows_unpacked);
    return rows_unpacked;
}

static uint32_t restart_of(const osc_player *player, uint32_t frame)
{
    uint32_t log2 = osc_shape_restart_log2(player->shape);
    return frame >> log2 << log2;
}

static void seeks_unpack_what_is_stated(void **state)
{
    const counted_sample *sample = *state;
    test_player made;
    player_make(&made, sample->words, sample->count);
    osc_player *player = &made.player;
    count_rows(&made.bank);
    assert_int_equal(osc_player_start(player, 0, OSC_PLAY_ONCE), OSC_OK);
    uint32_t most = player->row_count - 2u;
    assert_true(most >= 6u);
    (void)rows_of_seek(player, 0);
    for (uint32_t frame = 1; frame <= most; frame++)
        assert_int_equal(rows_of_seek(player, frame), 1);
    for (uint32_t frame = most; frame-- > 0u;) {
        uint32_t rows = rows_of_seek(player, frame);
        assert_int_equal(rows, sample->direct ? 2u : frame + 2u - restart_of(player, frame));
    }
    for (uint32_t frame = 3; frame <= most; frame++) {
        assert_int_equal(osc_player_start(player, 0, OSC_PLAY_ONCE), OSC_OK);
        (void)rows_of_seek(player, 0);
        uint32_t restart = restart_of(player, frame);
        uint32_t first = restart > 2u ? restart : 2u; /* frames 0 and 1 are at hand */
        assert_int_equal(rows_of_seek(player, frame), sample->direct ? 2u : frame + 2u - first);
    }
    player_free(&made);
}

/* At any position, in every mode, before the clip has begun and after jumps of all kinds. */
static void costs_are_known_before(void **state)
{
    const counted_sample *sample = *state;
    uint64_t random = 4;
    test_player made;
    player_make(&made, sample->words, sample->count);
    count_rows(&made.bank);
    for (uint32_t i = 0; i < 5000u; i++) {
        if (i % 50u == 0u)
            assert_int_equal(osc_player_start(&made.player,
                                              random_u32(&random) % made.bank.clip_count,
                                              random_u32(&random) % 3u),
                             OSC_OK);
        int32_t position = i % 2u == 0u ? random_i32(&random)
                                        : (int32_t)(random_u32(&random) % (64u * 2048u)) - 2048;
        uint32_t told = osc_player_rows_to(&made.player, position);
        rows_unpacked = 0;
        assert_true(osc_player_seek_q11(&made.player, position) >= 0);
        assert_int_equal(told, rows_unpacked);
    }
    player_free(&made);
}

/* Goes to a position in steps of at most `most` rows, and compares with a seek. */
static void approach(test_player *made, test_player *seeking, int32_t position, uint32_t most)
{
    uint32_t least = most < OSC_APPROACH_LEAST_ROWS ? OSC_APPROACH_LEAST_ROWS : most;
    uint32_t before = osc_player_rows_to(&made->player, position);
    int32_t left;
    do {
        rows_unpacked = 0;
        left = osc_player_approach_q11(&made->player, position, most);
        assert_true(left >= 0 && rows_unpacked <= least);
        assert_int_equal(left, osc_player_rows_to(&made->player, position));
        /* all steps but the last are full, and rows that a step has unpacked are done */
        assert_int_equal(left, before - rows_unpacked);
        assert_true(left == 0 || rows_unpacked == least);
        before = (uint32_t)left;
    } while (left != 0);
    assert_true(osc_player_seek_q11(&seeking->player, position) >= 0);
    assert_int_equal(pose_hash(made), pose_hash(seeking));
}

static void approaches_spread_a_seek(void **state)
{
    const counted_sample *sample = *state;
    uint64_t random = 6;
    test_player made, seeking;
    player_make(&made, sample->words, sample->count);
    player_make(&seeking, sample->words, sample->count);
    count_rows(&made.bank);
    for (uint32_t i = 0; i < 2000u; i++) {
        if (i % 50u == 0u) {
            uint32_t clip = random_u32(&random) % made.bank.clip_count;
            uint32_t mode = random_u32(&random) % 3u;
            assert_int_equal(osc_player_start(&made.player, clip, mode), OSC_OK);
            assert_int_equal(osc_player_start(&seeking.player, clip, mode), OSC_OK);
        }
        int32_t position = i % 2u == 0u ? random_i32(&random)
                                        : (int32_t)(random_u32(&random) % (64u * 2048u)) - 2048;
        approach(&made, &seeking, position, random_u32(&random) % 8u);
    }
    player_free(&made);
    player_free(&seeking);
}

/* The same while tiers come and go: another version may begin, none, or keys of the same version.
 */
static void costs_are_known_with_tiers(void **state)
{
    tier_bank (*const *make)(void) = *state;
    uint64_t random = 5;
    uint32_t changes = 0;
    test_player made;
    tier_bank tiered = (*make)();
    player_make(&made, tiered.bank.words, tiered.bank.count);
    count_rows(&made.bank);
    for (uint32_t i = 0; i < 8000u; i++) {
        if (i % 200u == 0u)
            assert_int_equal(osc_player_start(&made.player,
                                              random_u32(&random) % made.bank.clip_count,
                                              random_u32(&random) % 3u),
                             OSC_OK);
        if (random_u32(&random) % 8u == 0u) {
            uint32_t tier = random_u32(&random) % tiered.tier_count;
            bool there = made.bank.tiers_there >> tier & 1u;
            const test_bank *words = &tiered.tiers[tier];
            assert_int_equal(osc_bank_attach_tier(&made.bank, tier + 1u, there ? 0 : words->words,
                                                  there ? 0 : words->count * 4u),
                             OSC_OK);
        }
        int32_t position = random_u32(&random) % 3u == 0u
                               ? (int32_t)(random_u32(&random) % (400u * 2048u)) - 2048
                               : (int32_t)(i % 300u * 2048u);
        uint32_t before = made.player.tier, told = osc_player_rows_to(&made.player, position);
        rows_unpacked = 0;
        if (i % 2u == 0u)
            assert_true(osc_player_seek_q11(&made.player, position) >= 0);
        else
            assert_int_equal(osc_player_approach_q11(&made.player, position, told), 0);
        assert_int_equal(told, rows_unpacked);
        changes += made.player.tier != before ? 1u : 0u;
    }
    assert_true(changes > 100u || made.player.key_tiers != 0u || made.bank.clip_count == 1u);
    player_free(&made);
    tier_bank_free(&tiered);
}

int main(void)
{
    static tier_bank (*banks[])(void) = {tier_bank_of_codecs, tier_bank_of_blocks,
                                         tier_bank_of_keys};

    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(seeks_unpack_what_is_stated, &samples[0]),
        cmocka_unit_test_prestate(costs_are_known_before, &samples[0]),
        cmocka_unit_test_prestate(approaches_spread_a_seek, &samples[0]),
        cmocka_unit_test_prestate(seeks_unpack_what_is_stated, &samples[1]),
        cmocka_unit_test_prestate(costs_are_known_before, &samples[1]),
        cmocka_unit_test_prestate(approaches_spread_a_seek, &samples[1]),
        cmocka_unit_test_prestate(seeks_unpack_what_is_stated, &samples[2]),
        cmocka_unit_test_prestate(costs_are_known_before, &samples[2]),
        cmocka_unit_test_prestate(approaches_spread_a_seek, &samples[2]),
        cmocka_unit_test_prestate(seeks_unpack_what_is_stated, &samples[3]),
        cmocka_unit_test_prestate(costs_are_known_before, &samples[3]),
        cmocka_unit_test_prestate(approaches_spread_a_seek, &samples[3]),
        cmocka_unit_test_prestate(seeks_unpack_what_is_stated, &samples[4]),
        cmocka_unit_test_prestate(costs_are_known_before, &samples[4]),
        cmocka_unit_test_prestate(approaches_spread_a_seek, &samples[4]),
        cmocka_unit_test_prestate(seeks_unpack_what_is_stated, &samples[5]),
        cmocka_unit_test_prestate(costs_are_known_before, &samples[5]),
        cmocka_unit_test_prestate(approaches_spread_a_seek, &samples[5]),
        cmocka_unit_test_prestate(costs_are_known_with_tiers, &banks[0]),
        cmocka_unit_test_prestate(costs_are_known_with_tiers, &banks[1]),
        cmocka_unit_test_prestate(costs_are_known_with_tiers, &banks[2]),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
