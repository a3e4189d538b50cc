/* The faults of mock_spi_nor and mock_card: counted out, or by chance and seed. */
#include "check.h"
#include "mock_card.h"
#include "mock_spi_nor.h"

#include <string.h>

#define READS 2000u
#define READ_BYTES 64u
#define SECTOR_BYTES 512u
#define LONG_US 100000u
#define CHANCE_Q8 64u /* a quarter: 500 of 2000, with a standard deviation of 19 */
#define LEAST (READS / 4u - 100u)
#define MOST (READS / 4u + 100u)

static mock_spi_nor chip;
static mock_card card;
static uint32_t words[SECTOR_BYTES / 4u], out[SECTOR_BYTES / 4u];

static int insert(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (uint32_t i = 0; i < SECTOR_BYTES / 4u; i++)
        words[i] = random_u32(&seed);
    mock_spi_nor_insert(&chip, &(mock_spi_nor_part){.words = words, .size_bytes = sizeof words});
    mock_card_insert(&card, &(mock_card_part){.words = words, .sector_count = 1});
    return 0;
}

typedef struct counts {
    uint32_t taken, refused, failed, flipped;
    uint32_t digest; /* of what happened, and of all that arrived */
} counts;

static uint32_t wrong_bits(uint32_t bytes)
{
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < bytes / 4u; i++)
        for (uint32_t differing = out[i] ^ words[i]; differing != 0u; differing &= differing - 1u)
            wrong++;
    return wrong;
}

static void mix(counts *seen, uint32_t number)
{
    seen->digest = (seen->digest ^ number) * 16777619u;
}

static void read_chip(counts *seen)
{
    uint8_t command[] = {0x0b, 0, 0, 0, 0};
    if (!chip.bus.select(&chip)) {
        seen->taken++;
        return;
    }
    chip.bus.exchange(&chip, command, sizeof command);
    int32_t status = chip.bus.receive(&chip, out, READ_BYTES);
    seen->refused += status != OSC_OK;
    if (status == OSC_OK) {
        mock_spi_nor_advance_us(&chip, LONG_US);
        status = chip.bus.received(&chip);
        assert_int_not_equal(status, OSC_MEDIUM_BUSY);
        seen->failed += status != OSC_OK;
        uint32_t wrong = status == OSC_OK ? wrong_bits(READ_BYTES) : 0u;
        assert_true(wrong <= 1u);
        seen->flipped += wrong;
        mix(seen, osc_hash_words(OSC_HASH_START, out, READ_BYTES / 4u));
    }
    mix(seen, (uint32_t)status);
    chip.bus.deselect(&chip);
}

static counts chip_of_seed(uint64_t seed)
{
    counts seen = {0};
    (void)insert(NULL);
    chip.seed = seed;
    chip.taken_q8 = chip.refused_q8 = chip.failing_q8 = chip.flipped_q8 = CHANCE_Q8;
    for (uint32_t i = 0; i < READS; i++)
        read_chip(&seen);
    assert_int_equal(chip.violations, 0);
    return seen;
}

static void a_chip_fails_by_its_seed(void **state)
{
    (void)state;
    counts first = chip_of_seed(1), again = chip_of_seed(1), other = chip_of_seed(2);
    assert_memory_equal(&first, &again, sizeof first);
    assert_int_not_equal(first.digest, other.digest);
    assert_int_equal(first.digest, 0x21652f7a); /* on every machine */
    assert_in_range(first.taken, LEAST, MOST);
    assert_in_range(first.refused, LEAST * 3u / 4u, MOST * 3u / 4u);
    assert_in_range(first.failed, LEAST * 9u / 16u, MOST * 9u / 16u);
    assert_in_range(first.flipped, LEAST * 27u / 64u, MOST * 27u / 64u);
}

static counts card_of_seed(uint64_t seed)
{
    counts seen = {0};
    (void)insert(NULL);
    card.seed = seed;
    card.writing_q8 = card.timeouts_q8 = card.crc_errors_q8 = card.flipped_q8 = CHANCE_Q8;
    for (uint32_t i = 0; i < READS; i++) {
        int32_t status = card.device.start(&card, 0, 1, out);
        seen.taken += status == OSC_MEDIUM_BUSY;
        if (status == OSC_OK) {
            mock_card_advance_us(&card, LONG_US);
            status = card.device.poll(&card);
            if (status == OSC_MEDIUM_BUSY) {
                seen.refused++;
                card.device.cancel(&card);
            } else {
                seen.failed += status != OSC_OK;
                seen.flipped += status == OSC_OK && wrong_bits(SECTOR_BYTES) == 1u;
                assert_true(wrong_bits(SECTOR_BYTES) <= 1u);
            }
        }
        mix(&seen, (uint32_t)status);
    }
    assert_int_equal(card.violations, 0);
    return seen;
}

static void a_card_fails_by_its_seed(void **state)
{
    (void)state;
    counts first = card_of_seed(1), again = card_of_seed(1), other = card_of_seed(2);
    assert_memory_equal(&first, &again, sizeof first);
    assert_int_not_equal(first.digest, other.digest);
    assert_in_range(first.taken, LEAST, MOST);
    assert_in_range(first.refused, LEAST * 3u / 4u, MOST * 3u / 4u);
    assert_in_range(first.failed, LEAST * 9u / 16u, MOST * 9u / 16u);
    assert_in_range(first.flipped, LEAST * 27u / 64u, MOST * 27u / 64u);
}

static void faults_that_are_counted_out_come_first(void **state)
{
    (void)state;
    counts seen = {0};
    chip.failing = 3;
    chip.flipped = 5; /* three of them in the transfers that fail */
    for (uint32_t i = 0; i < 10u; i++)
        read_chip(&seen);
    assert_int_equal(seen.failed, 3);
    assert_int_equal(seen.flipped, 2);
    card.flipped = 1;
    assert_int_equal(card.blocking.read(&card, 0, 1, out), 0);
    assert_int_equal(wrong_bits(SECTOR_BYTES), 1);
    assert_int_equal(card.blocking.read(&card, 0, 1, out), 0);
    assert_int_equal(wrong_bits(SECTOR_BYTES), 0);
}

#define TEST(name) cmocka_unit_test_setup(name, insert)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_chip_fails_by_its_seed),
        TEST(a_card_fails_by_its_seed),
        TEST(faults_that_are_counted_out_come_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
