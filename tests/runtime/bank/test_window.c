/* The window reader, and reads of whole words, give what the plain reader gives, wherever codes
 * begin and end: in the middle of the words, in the last ones, and beyond, where the last pair
 * stands for itself again. */
#include "bank/osc_window.h"
#include "check.h"

#define ROUNDS 4000
#define WORDS_AT_MOST 12u
#define READS 120u

/* Words with runs of ones, so that escapes and long codes occur. */
static void fill_words(uint64_t *seed, uint32_t *words, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        words[i] = random_u32(seed);
        if ((random_u32(seed) & 3u) == 0u)
            words[i] |= random_u32(seed) | random_u32(seed);
        if ((random_u32(seed) & 15u) == 0u)
            words[i] = ~0u;
    }
}

static void read_both(uint64_t *seed, osc_bits *plain, osc_window *window)
{
    uint32_t k = random_u32(seed) % 16u, count = 1u + random_u32(seed) % 32u, quotient = 99u;
    osc_bits again = *plain;
    switch (random_u32(seed) & 3u) {
    case 0:
        assert_int_equal(osc_window_take_rice_unsigned(window, k),
                         osc_bits_take_rice_unsigned(plain, k));
        break;
    case 1:
        assert_int_equal(osc_window_take_rice(window, k), osc_bits_take_rice(plain, k));
        break;
    case 2: {
        int32_t got = osc_window_take_rice_quotient(window, k, &quotient);
        assert_int_equal(got, osc_bits_take_rice(plain, k));
        uint32_t wanted = osc_bits_take_rice_unsigned(&again, k) >> k;
        assert_int_equal(quotient, wanted < 14u ? wanted : 14u);
        break;
    }
    default:
        assert_int_equal(osc_window_take(window, count), osc_bits_take(plain, count));
        break;
    }
    assert_true(window->left != 0u);
}

static void equals_the_plain_reader(void **state)
{
    uint64_t seed = 11;
    (void)state;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        uint32_t words[WORDS_AT_MOST], count = 2u + random_u32(&seed) % (WORDS_AT_MOST - 1u);
        fill_words(&seed, words, count);
        uint32_t position = random_u32(&seed) % (32u * count);
        if (round % 64u == 0u)
            position = random_u32(&seed); /* anywhere at all: it may wrap */
        osc_bits plain = {words, count - 2u, position};
        osc_window_store store;
        osc_window_open(&store, plain);
        for (uint32_t i = 0; i < READS; i++) {
            osc_window window = osc_window_resume(&store);
            read_both(&seed, &plain, &window);
            osc_window_suspend(&window);
            assert_int_equal(osc_window_stored_position(&store), plain.position);
        }
    }
}

static void an_escaped_number_has_all_its_bits(void **state)
{
    static const uint32_t values[] = {0u, 1u, 0x7fffffffu, 0x80000000u, 0x80000001u, 0xffffffffu};
    (void)state;
    for (uint32_t i = 0; i < sizeof values / sizeof *values; i++) {
        uint32_t words[4] = {0x7fffu | values[i] << 15, values[i] >> 17, 0, 0}, v = values[i];
        osc_bits plain = {words, 2u, 0};
        osc_window_store store;
        osc_window_open(&store, plain);
        osc_window window = osc_window_resume(&store);
        assert_int_equal(osc_window_take_rice(&window, 3u), (int32_t)(v >> 1 ^ (0u - (v & 1u))));
        osc_window_suspend(&window);
        assert_int_equal(osc_window_stored_position(&store), 47);
    }
}

/* An escaped number's quotient may be any, and counts as 14 at most. */
static void quotients_end_at_14(void **state)
{
    (void)state;
    for (uint32_t wanted = 12; wanted < 18u; wanted++) {
        uint32_t words[4] = {0x7fffu | wanted << 18, 0, 0, 0}, quotient;
        osc_bits plain = {words, 2u, 0};
        osc_window_store store;
        osc_window_open(&store, plain);
        osc_window window = osc_window_resume(&store);
        (void)osc_window_take_rice_quotient(&window, 3u, &quotient);
        assert_int_equal(quotient, wanted < 14u ? wanted : 14u);
    }
}

/* Groups of numbers of 32 bits, and of three of any width, read at once and one by one. */
static void groups_equal_takes(void **state)
{
    (void)state;
    uint64_t seed = 31;
    for (int round = 0; round < ROUNDS; round++) {
        uint32_t words[WORDS_AT_MOST], got[WORDS_AT_MOST];
        uint32_t size = 2u + random_u32(&seed) % (WORDS_AT_MOST - 1u);
        uint32_t count = 1u + random_u32(&seed) % WORDS_AT_MOST;
        fill_words(&seed, words, size);
        uint32_t position = random_u32(&seed) % (32u * size + 40u);
        if ((random_u32(&seed) & 15u) == 0u)
            position = 0u - random_u32(&seed) % 400u;
        osc_bits at_once = {words, size - 2u, position}, plain = at_once;
        osc_bits_take_words(&at_once, got, count);
        for (uint32_t i = 0; i < count; i++)
            assert_int_equal(got[i], osc_bits_take(&plain, 32u));
        assert_int_equal(at_once.position, plain.position);
        uint32_t width = 1u + random_u32(&seed) % 32u;
        at_once.position = plain.position = position;
        osc_bits_take_three(&at_once, width, got);
        for (uint32_t i = 0; i < 3u; i++)
            assert_int_equal(got[i], osc_bits_take(&plain, width));
        assert_int_equal(at_once.position, plain.position);
    }
    uint32_t words[80], got[1];
    fill_words(&seed, words, 80u);
    osc_bits early = {words, 78u, 1u}, plain = early; /* far from the end */
    osc_bits_take_words(&early, got, 1u);
    assert_int_equal(got[0], osc_bits_take(&plain, 32u));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_the_plain_reader),
        cmocka_unit_test(an_escaped_number_has_all_its_bits),
        cmocka_unit_test(quotients_end_at_14),
        cmocka_unit_test(groups_equal_takes),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
