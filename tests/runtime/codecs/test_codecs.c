/* All codecs but delta: what opens, that every way to a frame gives the same pose, and that none of
 * them reads beyond its bank nor writes beyond the memory asked for. */
#include "bank/osc_codecs.h"
#include "bank/osc_format.h"
#include "bank_tools.h"
#include "check.h"
#include "codecs/osc_transform_arithmetic.h"
#include "sample_banks.h"

#include <stdlib.h>
#include <string.h>

enum { CLIPS = 5, STEP = 1024, MOST = 37 * 2048 / STEP, GUARD_WORDS = 8, SKELETON, CLIP, DATA };

typedef struct codec_sample {
    const uint32_t *words;
    size_t count;
    const sample_query *queries;
    size_t query_count;
} codec_sample;

static codec_sample curve = {sample_curve, sizeof sample_curve / 4u, sample_curve_queries,
                             sizeof sample_curve_queries / sizeof *sample_curve_queries};
static codec_sample transform = {
    sample_transform, sizeof sample_transform / 4u, sample_transform_queries,
    sizeof sample_transform_queries / sizeof *sample_transform_queries};

static codec_sample velocity = {sample_velocity, sizeof sample_velocity / 4u,
                                sample_velocity_queries,
                                sizeof sample_velocity_queries / sizeof *sample_velocity_queries};

static codec_sample sparse = {sample_sparse, sizeof sample_sparse / 4u, sample_sparse_queries,
                              sizeof sample_sparse_queries / sizeof *sample_sparse_queries};

static codec_sample dense = {sample_dense, sizeof sample_dense / 4u, sample_dense_queries,
                             sizeof sample_dense_queries / sizeof *sample_dense_queries};

/* The sections in the order of the table. */
static uint32_t section_of(const test_bank *bank, int name)
{
    return bank_section(bank, (uint32_t)(name - SKELETON));
}

/* The shape of the first clip; the number of rates, a rate and the clip's name precede it. */
static uint32_t *shape_of(const test_bank *bank)
{
    return &bank->words[section_of(bank, CLIP) + 4u];
}

/* The first word of the first clip's stream. */
static uint32_t *stream_of(const test_bank *bank)
{
    uint32_t *data = &bank->words[section_of(bank, DATA)], shape = *shape_of(bank);
    return data + 1u + (*data >> 18) + ((shape & 0xfffffu) >> (shape >> 24 & 31u));
}

static uint32_t hash_at(test_player *made, int32_t position)
{
    assert_true(osc_player_seek_q11(&made->player, position) >= 0);
    return pose_hash(made);
}

/* Banks and players in blocks of their exact size, so that ASan sees every step beyond. */
static void samples_give_the_reference_hashes(void **state)
{
    const codec_sample *sample = *state;
    test_bank bank = bank_copy(sample->words, sample->count);
    test_player made;
    player_make(&made, bank.words, bank.count);
    for (size_t i = 0; i < sample->query_count; i++) {
        const sample_query *query = &sample->queries[i];
        assert_int_equal(osc_player_start(&made.player, query->clip, (osc_play_mode)query->mode),
                         OSC_OK);
        assert_int_equal(hash_at(&made, query->position_q11), query->pose_hash);
        assert_int_equal(model_hash(&made), query->model_hash);
    }
    player_free(&made);
    bank_free(&bank);
}

static int32_t expect_clip(const codec_sample *sample, uint32_t clip, uint32_t expected[MOST])
{
    test_player made;
    osc_clip_info info;
    player_make(&made, sample->words, sample->count);
    assert_int_equal(osc_clip_describe(&made.bank, clip, &info), OSC_OK);
    int32_t count = (int32_t)(info.frame_count - 1u) * 2048 / STEP + 1;
    assert_true(count <= MOST);
    for (int32_t i = 0; i < count; i++) {
        assert_int_equal(osc_player_start(&made.player, clip, OSC_PLAY_ONCE), OSC_OK);
        expected[i] = hash_at(&made, i * STEP);
    }
    player_free(&made);
    return count;
}

/* Forward, backward and in jumps, each pose as right after a start. */
static void every_path_gives_the_same_pose(void **state)
{
    const codec_sample *sample = *state;
    uint64_t seed = 21;
    test_player made;
    player_make(&made, sample->words, sample->count);
    assert_true(made.bank.clip_count >= CLIPS);
    for (uint32_t clip = 0; clip < made.bank.clip_count; clip++) {
        uint32_t expected[MOST];
        int32_t count = expect_clip(sample, clip, expected);
        assert_int_equal(osc_player_start(&made.player, clip, OSC_PLAY_ONCE), OSC_OK);
        for (int32_t i = 0; i < count; i++)
            assert_int_equal(hash_at(&made, i * STEP), expected[i]);
        for (int32_t i = count - 1; i >= 0; i--)
            assert_int_equal(hash_at(&made, i * STEP), expected[i]);
        for (int jump = 0; jump < 3000; jump++) {
            int32_t i = (int32_t)(random_u32(&seed) % (uint32_t)count);
            assert_int_equal(hash_at(&made, i * STEP), expected[i]);
        }
    }
    player_free(&made);
}

static void a_loop_goes_on_over_its_end(void **state)
{
    const codec_sample *sample = *state;
    uint32_t expected[MOST];
    int32_t count = expect_clip(sample, 0, expected), end = (count - 1) * STEP;
    test_player made;
    player_make(&made, sample->words, sample->count);
    assert_int_equal(osc_player_start(&made.player, 0, OSC_PLAY_LOOP), OSC_OK);
    for (int32_t i = 0; i < 3 * (count - 1); i++)
        assert_int_equal(hash_at(&made, i * STEP - end), expected[i % (count - 1)]);
    player_free(&made);
}

static void too_few_state_words_are_refused(void **state)
{
    const codec_sample *sample = *state;
    test_bank bank = bank_copy(sample->words, sample->count);
    osc_bank opened;
    uint32_t *flags = &bank.words[section_of(&bank, SKELETON) + 1u];
    assert_int_equal(bank_open(&bank, &opened), OSC_OK);
    for (uint32_t kept = *flags >> 8; kept != 0u; kept--) {
        *flags -= 1u << 8;
        bank_seal(&bank);
        assert_int_equal(bank_open(&bank, &opened), OSC_ERROR_CLIP);
    }
    *flags |= 0x10000u << 8;
    bank_seal(&bank);
    assert_int_equal(bank_open(&bank, &opened), OSC_ERROR_SKELETON);
    bank_free(&bank);
}

static void play_before_guard(const uint32_t *bank, size_t count)
{
    test_player made;
    player_make(&made, bank, count);
    size_t words = osc_player_memory_words(&made.bank);
    int32_t *memory = malloc((words + GUARD_WORDS) * 4u), guard[GUARD_WORDS];
    assert_non_null(memory);
    memset(guard, 0x5a, sizeof guard);
    memcpy(memory + words, guard, sizeof guard);
    assert_int_equal(osc_player_init(&made.player, &made.bank, memory, words - 1u),
                     OSC_ERROR_MEMORY);
    assert_int_equal(osc_player_init(&made.player, &made.bank, memory, words), OSC_OK);
    for (uint32_t clip = 0; clip < CLIPS; clip++) {
        assert_int_equal(osc_player_start(&made.player, clip, OSC_PLAY_ONCE), OSC_OK);
        for (int32_t i = 0; i < MOST; i++)
            hash_at(&made, i * STEP);
    }
    assert_memory_equal(memory + words, guard, sizeof guard);
    free(memory);
    player_free(&made);
}

static void no_word_beyond_the_memory_changes(void **state)
{
    const codec_sample *sample = *state;
    play_before_guard(sample->words, sample->count);
}

/* A clip without headers has no tracks and keeps nothing for them, whatever its stream contains:
 * here, those headers. */
static void clips_without_headers_keep_no_tracks(void **state)
{
    const codec_sample *sample = *state;
    test_bank bank = bank_copy(sample->words, sample->count);
    osc_bank opened;
    assert_int_equal(bank_open(&bank, &opened), OSC_OK);
    for (uint32_t clip = 0; clip < opened.clip_count; clip++) {
        uint32_t place = opened.clips[clip * OSC_CLIP_ENTRY_WORDS + OSC_CLIP_PLACE];
        bank.words[opened.data - bank.words + (place & OSC_CLIP_OFFSET_MASK)] &=
            ~OSC_DATA_HEADER_MASK;
    }
    uint32_t *flags = &bank.words[section_of(&bank, SKELETON) + 1u];
    *flags = (*flags & 0xffu) | OSC_TRANSFORM_STATE_WORDS << 8;
    bank_seal(&bank);
    play_before_guard(bank.words, bank.count);
    bank_free(&bank);
}

/* Platforms may use what a player has more than it needs: however much that is, poses are the same,
 * and ASan sees every step beyond the block. */
static void spare_memory_changes_no_pose(void **state)
{
    enum { MOST_SPARE = 600, FAR_TOO_MUCH = 1 << 16 };
    const codec_sample *sample = *state;
    test_player made;
    player_make(&made, sample->words, sample->count);
    size_t words = osc_player_memory_words(&made.bank);
    for (size_t step = 0; step <= MOST_SPARE + 1; step++) {
        size_t spare = step <= MOST_SPARE ? step : FAR_TOO_MUCH;
        int32_t *memory = malloc((words + spare) * 4u);
        assert_non_null(memory);
        memset(memory, 0x5a, (words + spare) * 4u);
        assert_int_equal(osc_player_init(&made.player, &made.bank, memory, words + spare), OSC_OK);
        for (size_t i = 0; i < sample->query_count; i++) {
            const sample_query *query = &sample->queries[i];
            (void)osc_player_start(&made.player, query->clip, (osc_play_mode)query->mode);
            assert_int_equal(hash_at(&made, query->position_q11), query->pose_hash);
        }
        free(memory);
    }
    player_free(&made);
}

static const osc_codec *const without_base_row[OSC_CODEC_COUNT] = {
    0,
#define OSC_CODEC(NAME, name, direct) &osc_##name##_codec,
#include "bank/osc_codecs.def"
#undef OSC_CODEC
};

static int32_t open_without_base_row(osc_bank *bank, const uint32_t *words, size_t count)
{
    return osc_bank_open_codecs(bank, words, count * 4u, without_base_row, osc_all_checks);
}

/* A base row has a number for each of a pose, and needs its code. */
static void base_rows_are_checked(void **state)
{
    (void)state;
    test_player made;
    osc_bank opened;
    static const uint32_t row[256] = {0};
    player_make(&made, curve.words, curve.count);
    uint32_t numbers = 4u * made.bank.rotation_subtracks + 3u * made.bank.translation_subtracks +
                       3u * made.bank.scale_subtracks;
    uint32_t words = (numbers + 1u) / 2u;
    for (uint32_t more = 0; more < 2u; more++) {
        test_bank bank = bank_with_section(curve.words, OSC_TAG_BASE, row, words + more);
        assert_int_equal(bank_open(&bank, &opened), more == 0u ? OSC_OK : OSC_ERROR_SECTION);
        assert_int_equal(open_without_base_row(&opened, bank.words, bank.count),
                         more == 0u ? OSC_ERROR_CODEC : OSC_ERROR_SECTION);
        bank_free(&bank);
    }
    player_free(&made);
}

static void banks_without_a_base_row_do_without_its_code(void **state)
{
    (void)state;
    test_player made;
    player_make(&made, curve.words, curve.count);
    assert_int_equal(open_without_base_row(&made.bank, curve.words, curve.count), OSC_OK);
    for (size_t i = 0; i < curve.query_count; i++) {
        const sample_query *query = &curve.queries[i];
        (void)osc_player_start(&made.player, query->clip, (osc_play_mode)query->mode);
        assert_int_equal(hash_at(&made, query->position_q11), query->pose_hash);
    }
    player_free(&made);
}

/* Numbers of tracks that the headers do not hold. */
static void headers_that_do_not_fit_are_refused(void **state)
{
    const codec_sample *sample = *state;
    test_bank bank = bank_copy(sample->words, sample->count);
    uint32_t *headers = stream_of(&bank), count_before = *headers & 0xfffu;
    osc_bank opened;
    for (uint32_t count = count_before + 1u; count <= 0xfffu; count += 1u + count / 2u) {
        *headers = (*headers & ~0xfffu) | count;
        bank_seal(&bank);
        assert_int_equal(bank_open(&bank, &opened), OSC_ERROR_CLIP);
    }
    *headers = (*headers & ~0xfffu) | count_before;
    bank_seal(&bank);
    assert_int_equal(bank_open(&bank, &opened), OSC_OK);
    bank_free(&bank);
}

/* Headers that end before the last word of DATA, and in it. */
static void headers_end_before_the_last_word(void **state)
{
    const codec_sample *sample = *state;
    test_bank bank = bank_copy(sample->words, sample->count);
    uint32_t *counts = &bank.words[section_of(&bank, DATA)], size = bank.words[5 + 3 * 2 + 2];
    uint32_t bits = 32u * (size - 1u - (uint32_t)(stream_of(&bank) - counts));
    osc_bank opened;
    assert_true(bits < 1u << 18);
    *counts = (*counts & ~0x3ffffu) | (bits - 1u);
    bank_seal(&bank);
    assert_int_equal(bank_open(&bank, &opened), OSC_OK);
    ++*counts;
    bank_seal(&bank);
    assert_int_equal(bank_open(&bank, &opened), OSC_ERROR_CLIP);
    bank_free(&bank);
}

static void codecs_that_nobody_knows_are_refused(void **state)
{
    const codec_sample *sample = *state;
    test_bank bank = bank_copy(sample->words, sample->count);
    uint32_t *shape = shape_of(&bank), rest = *shape & ~0xf00000u;
    osc_bank opened;
    for (uint32_t codec = 0; codec < 16u; codec += codec == 0u ? 7u : 1u) {
        *shape = rest | codec << 20;
        bank_seal(&bank);
        assert_int_equal(bank_open(&bank, &opened), OSC_ERROR_CLIP);
    }
    bank_free(&bank);
}

/* DATA with noise in it, at the end of a block of memory: banks that open play within bounds (under
 * ASan), and the start of a clip does not depend on what was played before. */
static void noise_plays_within_bounds(void **state)
{
    const codec_sample *sample = *state;
    uint64_t seed = 22;
    int opened = 0;
    for (int round = 0; round < 1500; round++) {
        test_bank bank = bank_with_last(sample->words, DATA - SKELETON);
        uint32_t last = bank.words[4] - 1u, size = bank.words[5u + 3u * last + 2u];
        uint32_t data = bank_section(&bank, last);
        osc_bank test;
        for (uint32_t i = 0; i < 1u + (uint32_t)round % 30u; i++)
            bank.words[data + random_u32(&seed) % size] ^= random_u32(&seed);
        bank_seal(&bank);
        if (bank_open(&bank, &test) == OSC_OK) {
            test_player made;
            opened++;
            player_make(&made, bank.words, bank.count);
            for (uint32_t clip = 0; clip < CLIPS; clip++) {
                uint32_t hashes[2];
                for (int turn = 0; turn < 2; turn++) {
                    assert_int_equal(osc_player_start(&made.player, clip, OSC_PLAY_ONCE), OSC_OK);
                    hashes[turn] = hash_at(&made, 2048);
                    for (int32_t i = 0; i < MOST; i += 1 + i / 3)
                        hash_at(&made, i * STEP);
                }
                assert_int_equal(hashes[0], hashes[1]);
            }
            player_free(&made);
        }
        bank_free(&bank);
    }
    assert_true(opened > 50);
}

#define FOR_ALL(test)                                                                              \
    {#test " curve", test, 0, 0, &curve}, {#test " transform", test, 0, 0, &transform},            \
        {#test " velocity", test, 0, 0, &velocity}, {#test " sparse", test, 0, 0, &sparse},        \
    {                                                                                              \
#test " dense", test, 0, 0, &dense                                                         \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        FOR_ALL(samples_give_the_reference_hashes),
        FOR_ALL(every_path_gives_the_same_pose),
        FOR_ALL(a_loop_goes_on_over_its_end),
        FOR_ALL(too_few_state_words_are_refused),
        FOR_ALL(no_word_beyond_the_memory_changes),
        FOR_ALL(headers_that_do_not_fit_are_refused),
        FOR_ALL(codecs_that_nobody_knows_are_refused),
        FOR_ALL(noise_plays_within_bounds),
        FOR_ALL(spare_memory_changes_no_pose),
        FOR_ALL(headers_end_before_the_last_word),
        FOR_ALL(clips_without_headers_keep_no_tracks),
        cmocka_unit_test(base_rows_are_checked),
        cmocka_unit_test(banks_without_a_base_row_do_without_its_code),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
