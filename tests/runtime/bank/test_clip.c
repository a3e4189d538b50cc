/* Finding and describing clips; time to position; the hashes. */
#include "bank_tools.h"
#include "check.h"
#include "sample_banks.h"

static void open_walk(osc_bank *bank)
{
    assert_int_equal(osc_bank_open(bank, sample_walk, sizeof sample_walk), OSC_OK);
}

static void names_hash_as_published(void **state)
{
    (void)state;
    assert_int_equal(osc_name_hash(""), 0x811c9dc5u);
    assert_int_equal(osc_name_hash("a"), 0xe40c292cu);
    assert_int_equal(osc_name_hash("foobar"), 0xbf9cf968u);
    assert_int_equal(osc_name_hash("\xc3\xa9"), /* bytes above 127 are not sign extended */
                     ((((2166136261u ^ 0xc3u) * 16777619u) ^ 0xa9u) * 16777619u));
}

static void words_hash_one_step_each(void **state)
{
    const uint32_t words[2] = {0xdeadbeefu, 7u};
    (void)state;
    uint32_t first = (2166136261u ^ 0xdeadbeefu) * 16777619u;
    assert_int_equal(osc_hash_words(OSC_HASH_START, words, 0), 2166136261u);
    assert_int_equal(osc_hash_words(OSC_HASH_START, words, 1), first);
    assert_int_equal(osc_hash_words(OSC_HASH_START, words, 2), (first ^ 7u) * 16777619u);
    assert_int_equal(osc_hash_words(first, words + 1, 1), (first ^ 7u) * 16777619u);
}

static void clips_are_found_by_name(void **state)
{
    static const char *const names[] = {"walk", "jump", "pose", "still"};
    osc_bank bank;
    (void)state;
    open_walk(&bank);
    for (int i = 0; i < 4; i++)
        assert_int_equal(osc_clip_find(&bank, osc_name_hash(names[i])), i);
    assert_int_equal(osc_clip_find(&bank, osc_name_hash("Walk")), OSC_ERROR_NOT_FOUND);
    assert_int_equal(osc_clip_find(&bank, 0), OSC_ERROR_NOT_FOUND);
}

static void clips_are_described(void **state)
{
    osc_bank bank;
    osc_clip_info info;
    uint32_t bytes = 0;
    (void)state;
    open_walk(&bank);
    assert_int_equal(bank.joint_count, 3);
    assert_int_equal(bank.clip_count, 4);
    assert_int_equal(osc_clip_describe(&bank, 0, &info), OSC_OK);
    assert_int_equal(info.name_hash, osc_name_hash("walk"));
    assert_int_equal(info.frame_count, 9);
    assert_int_equal(info.rate_q16, 30u << 16);
    assert_int_equal(info.position_per_us_q32, 263882791u); /* 30 * 2048 / 10^6 * 2^32 */
    assert_true(info.loop);
    assert_int_equal(osc_clip_describe(&bank, 1, &info), OSC_OK);
    assert_int_equal(info.frame_count, 6);
    assert_int_equal(info.rate_q16, 24u << 16);
    assert_false(info.loop);
    for (uint32_t clip = 0; clip < 4u; clip++) {
        assert_int_equal(osc_clip_describe(&bank, clip, &info), OSC_OK);
        assert_true(info.size_bytes >= 8u && info.size_bytes % 4u == 0u);
        bytes += info.size_bytes;
    }
    assert_int_equal(bytes + 4u, 4u * bank.data_words); /* behind the last clip lies one word */
    assert_int_equal(osc_clip_describe(&bank, 4, &info), OSC_ERROR_NOT_FOUND);
    assert_int_equal(osc_clip_describe(&bank, UINT32_MAX, &info), OSC_ERROR_NOT_FOUND);
}

/* The directory, the data or a table of empty sections end the bank, in a block that ends with it.
 */
static void nothing_behind_the_last_section_is_read(void **state)
{
    osc_bank opened;
    osc_clip_info info;
    test_bank clips = bank_with_last(sample_walk, 1), data = bank_with_last(sample_walk, 2);
    (void)state;
    assert_int_equal(bank_open(&clips, &opened), OSC_OK);
    assert_int_equal(osc_clip_describe(&opened, 3, &info), OSC_OK);
    uint32_t *place = &data.words[bank_section(&data, 1) + 5u + 3u * 3u + 2u];
    *place = (*place & ~0x3ffffffu) | data.words[5u + 3u * 3u + 2u]; /* just behind the data */
    bank_seal(&data);
    assert_int_equal(bank_open(&data, &opened), OSC_ERROR_CLIP);
    bank_free(&clips);
    bank_free(&data);
    test_bank empty = bank_copy(sample_walk, 5 + 3 * 3);
    empty.words[4] = 3;
    for (uint32_t i = 0; i < 3u; i++) {
        empty.words[5u + 3u * i + 1u] = empty.count;
        empty.words[5u + 3u * i + 2u] = 0;
    }
    bank_seal(&empty);
    assert_int_equal(bank_open(&empty, &opened), OSC_ERROR_SKELETON);
    bank_free(&empty);
}

static void check_position(uint32_t per_us_q32, int32_t time_us)
{
    osc_clip_info info = {0};
    info.position_per_us_q32 = per_us_q32;
    int64_t exact = ((int64_t)time_us * (int64_t)per_us_q32) >> 32;
    assert_int_equal(osc_clip_position_q11(&info, time_us), exact);
}

static void positions_round_down(void **state)
{
    static const int32_t times[] = {
        0, 1, -1, 2, -2, 16, -16, 17, -17, 1000000, -1000000, INT32_MAX, INT32_MIN, INT32_MIN + 1};
    static const uint32_t rates[] = {0, 1, 263882791u, 1u << 28, 1u << 31, UINT32_MAX};
    uint64_t seed = 10;
    (void)state;
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++)
        for (size_t j = 0; j < sizeof rates / sizeof rates[0]; j++)
            check_position(rates[j], times[i]);
    for (int i = 0; i < 100000; i++) {
        uint32_t rate = random_u32(&seed);
        check_position(rate >> (random_u32(&seed) & 31u), random_i32(&seed));
    }
}

/* 30 Hz for 35 minutes: the rounding of the Q32 rate may cost at most one position. */
static void positions_stay_true_over_the_range(void **state)
{
    osc_clip_info info = {0};
    info.position_per_us_q32 = 263882791u;
    (void)state;
    for (int64_t minute = -35; minute <= 35; minute++) {
        int64_t exact = minute * 60 * 30 * 2048;
        int64_t got = osc_clip_position_q11(&info, (int32_t)(minute * 60000000));
        assert_true(got - exact <= 1 && got - exact >= -1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_hash_as_published),
        cmocka_unit_test(words_hash_one_step_each),
        cmocka_unit_test(clips_are_found_by_name),
        cmocka_unit_test(clips_are_described),
        cmocka_unit_test(nothing_behind_the_last_section_is_read),
        cmocka_unit_test(positions_round_down),
        cmocka_unit_test(positions_stay_true_over_the_range),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
