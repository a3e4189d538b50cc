/* targets/testing/faulty_medium.c: every fault happens, by seed, and wrong use is counted. */
#include "check.h"
#include "faulty_medium.h"

#include <string.h>

#define READS 4000u
#define IMAGE_BYTES 4096u
#define READ_BYTES 64u
#define MOST_POLLS 8u

static faulty_medium medium;
static uint32_t image[IMAGE_BYTES / 4u], out[2u * READ_BYTES / 4u];

static int fill(void **state)
{
    (void)state;
    uint64_t seed = 9;
    for (uint32_t i = 0; i < IMAGE_BYTES / 4u; i++)
        image[i] = random_u32(&seed);
    faulty_medium_init(&medium, &(faulty_medium_setup){.image = image,
                                                       .image_bytes = IMAGE_BYTES,
                                                       .memory = out,
                                                       .memory_bytes = READ_BYTES,
                                                       .seed = 1,
                                                       .wrong_q8 = 128});
    return 0;
}

static int32_t start(uint32_t offset_bytes, uint32_t size_bytes)
{
    return medium.medium.start(&medium, offset_bytes, out, size_bytes);
}

/* Reads, and cancels what hangs; returns how the read ended. */
static int32_t read_at(uint32_t offset_bytes)
{
    memset(out, 0x5a, sizeof out);
    int32_t status = start(offset_bytes, READ_BYTES);
    if (status != OSC_OK)
        return status;
    uint32_t polls = 0;
    while ((status = medium.medium.poll(&medium)) == OSC_MEDIUM_BUSY)
        if (++polls == MOST_POLLS) {
            medium.medium.cancel(&medium);
            break;
        }
    return status;
}

static bool is_right(uint32_t offset_bytes)
{
    return memcmp(out, (const uint8_t *)image + offset_bytes, READ_BYTES) == 0;
}

static void check_read(uint32_t offset_bytes)
{
    int32_t status = read_at(offset_bytes);
    bool fails = medium.fault == FAULTY_FAILS || medium.fault == FAULTY_REFUSED;
    bool hangs = medium.fault == FAULTY_HANGS || medium.fault == FAULTY_BUSY;
    assert_int_equal(status, fails ? OSC_ERROR_READ : hangs ? OSC_MEDIUM_BUSY : OSC_OK);
    if (medium.fault == FAULTY_RIGHT || medium.fault == FAULTY_SHUFFLED ||
        medium.fault == FAULTY_TWICE)
        assert_true(is_right(offset_bytes));
    if (medium.fault == FAULTY_SHORT)
        assert_false(is_right(offset_bytes));
    for (uint32_t i = READ_BYTES / 4u; i < sizeof out / 4u; i++)
        assert_int_equal(out[i], 0x5a5a5a5a);
}

static void every_fault_happens(void **state)
{
    (void)state;
    uint32_t counts[FAULTY_READS] = {0};
    for (uint32_t i = 0; i < READS; i++) {
        check_read(i % (IMAGE_BYTES / READ_BYTES) * READ_BYTES);
        counts[medium.fault]++;
    }
    for (uint32_t i = 1; i < FAULTY_READS; i++)
        assert_in_range(counts[i], READS / 40u, READS / 10u);
    assert_int_equal(medium.starts, READS);
    assert_int_equal(medium.violations, 0);
}

static uint32_t digest_of(uint64_t seed)
{
    uint32_t hash = OSC_HASH_START;
    (void)fill(NULL);
    medium.setup.seed = seed;
    for (uint32_t i = 0; i < READS; i++) {
        (void)read_at(i % (IMAGE_BYTES / READ_BYTES) * READ_BYTES);
        hash = osc_hash_words(hash, out, sizeof out / 4u);
    }
    return hash;
}

static void faults_follow_the_seed(void **state)
{
    (void)state;
    uint32_t first = digest_of(5);
    assert_int_equal(first, digest_of(5));
    assert_int_not_equal(first, digest_of(6));
    assert_int_equal(first, 0xe0b7e79b); /* on every machine */
}

static void without_a_chance_nothing_happens(void **state)
{
    (void)state;
    medium.setup.wrong_q8 = 0;
    medium.out = 3;
    for (uint32_t i = 0; i < 100u; i++) {
        check_read(0);
        assert_int_equal(medium.fault, i < 3u ? FAULTY_REFUSED : FAULTY_RIGHT);
    }
}

static void assert_violated(int32_t status, const char *what)
{
    assert_int_equal(status, OSC_ERROR_READ);
    assert_string_equal(medium.violation, what);
    medium.violation = NULL;
}

static void wrong_use_is_counted(void **state)
{
    (void)state;
    medium.setup.wrong_q8 = 0;
    assert_violated(start(2, READ_BYTES), "a read of a wrong size");
    assert_violated(start(0, 0), "a read of a wrong size");
    assert_violated(start(0, 8192), "a read of a wrong size");
    assert_violated(start(IMAGE_BYTES, 4), "a read beyond the medium");
    assert_violated(start(0, 2u * READ_BYTES), "a destination outside the memory");
    assert_violated(medium.medium.start(&medium, 0, (uint8_t *)out + 2, 4),
                    "a destination that is not aligned");
    assert_violated(medium.medium.poll(&medium), "a poll without a read");
    medium.medium.cancel(&medium);
    assert_violated(OSC_ERROR_READ, "a cancel without a read");
    assert_int_equal(start(0, READ_BYTES), OSC_OK);
    assert_violated(start(0, READ_BYTES), "a read during another");
    faulty_medium_cut(&medium);
    assert_int_equal(start(0, READ_BYTES), OSC_OK);
    assert_int_equal(medium.violations, 9);
}

#define TEST(name) cmocka_unit_test_setup(name, fill)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_fault_happens),
        TEST(faults_follow_the_seed),
        TEST(without_a_chance_nothing_happens),
        TEST(wrong_use_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
