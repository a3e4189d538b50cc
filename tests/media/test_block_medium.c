/* targets/media/osc_block_medium.c: which sectors are read, and what happens when they do not come.
 */
#include "check.h"
#include "mock_card.h"

#include <stdlib.h>
#include <string.h>

#define SECTOR_BYTES 512u
#define SECTORS 64u
#define FIRST 20u
#define COUNT 30u

static mock_card mock;
static osc_block_medium card;
static uint32_t *words;
static uint8_t out[8 * SECTOR_BYTES] __attribute__((aligned(64)));

static int insert(void **state)
{
    uint64_t seed = 3;
    words = malloc(SECTORS * SECTOR_BYTES);
    assert_non_null(words);
    for (uint32_t i = 0; i < SECTORS * SECTOR_BYTES / 4u; i++)
        words[i] = random_u32(&seed);
    mock_card_insert(&mock, &(mock_card_part){.words = words, .sector_count = SECTORS});
    osc_block_medium_init(
        &card,
        &(osc_block_setup){.device = mock.device, .first_sector = FIRST, .sector_count = COUNT});
    *state = words;
    return 0;
}

static int insert_blocking(void **state)
{
    insert(state);
    osc_block_medium_init(
        &card,
        &(osc_block_setup){.device = mock.blocking, .first_sector = FIRST, .sector_count = COUNT});
    return 0;
}

static int take_out(void **state)
{
    assert_int_equal(mock.violations, 0);
    free(*state);
    return 0;
}

static int32_t start(uint32_t offset, uint32_t size_bytes)
{
    return card.medium.start(&card, offset, out, size_bytes);
}

static int32_t poll(void)
{
    return card.medium.poll(&card);
}

/* Polls every 10 us, and gives up after so many. */
static int32_t finish(uint32_t most_us)
{
    int32_t status = poll();
    for (uint32_t us = 0; us < most_us && status == OSC_MEDIUM_BUSY; us += 10u) {
        mock_card_advance_us(&mock, 10);
        status = poll();
    }
    return status;
}

static void assert_reads(uint32_t sector, uint32_t count)
{
    assert_int_equal(start(sector * SECTOR_BYTES, count * SECTOR_BYTES), OSC_OK);
    assert_int_equal(finish(10000), OSC_OK);
    assert_memory_equal(out, (const uint8_t *)words + (FIRST + sector) * SECTOR_BYTES,
                        count * SECTOR_BYTES);
}

static void sectors_count_from_the_first_of_the_run(void **state)
{
    (void)state;
    assert_reads(0, 1);
    assert_int_equal(mock.first_sector, FIRST);
    assert_reads(3, 8);
    assert_int_equal(mock.first_sector, FIRST + 3u);
    assert_int_equal(mock.count, 8);
    assert_reads(COUNT - 1u, 1);
    assert_int_equal(start(COUNT * SECTOR_BYTES, SECTOR_BYTES), OSC_ERROR_READ);
    assert_int_equal(start((COUNT - 1u) * SECTOR_BYTES, 2u * SECTOR_BYTES), OSC_ERROR_READ);
    assert_int_equal(mock.starts, 3);
}

static void a_read_takes_latency_and_sectors(void **state)
{
    (void)state;
    assert_int_equal(start(0, 4u * SECTOR_BYTES), OSC_OK);
    mock_card_advance_us(&mock, 500 + 4 * 50 - 1);
    assert_int_equal(poll(), OSC_MEDIUM_BUSY);
    mock_card_advance_us(&mock, 1);
    assert_int_equal(poll(), OSC_OK);
    assert_int_equal(mock.sectors, 4);
}

static void wrong_checksums_are_errors(void **state)
{
    (void)state;
    mock.crc_errors = 1; /* the driver says so by a number above zero */
    assert_int_equal(start(0, SECTOR_BYTES), OSC_OK);
    assert_int_equal(finish(10000), OSC_ERROR_READ);
    assert_int_equal(poll(), OSC_ERROR_READ);
    assert_reads(0, 1);
}

static void a_card_that_is_silent_is_left(void **state)
{
    (void)state;
    memset(out, 0x5a, sizeof out);
    mock.timeouts = 1;
    assert_int_equal(start(0, SECTOR_BYTES), OSC_OK);
    assert_int_equal(finish(card.medium.timeout_us), OSC_MEDIUM_BUSY);
    card.medium.cancel(&card);
    assert_int_equal(mock.cancels, 1);
    mock_card_advance_us(&mock, 100000);
    assert_int_equal(out[0], 0x5a);
    assert_reads(7, 2);
}

static void a_card_that_writes_is_asked_again(void **state)
{
    (void)state;
    mock.writing = 2;
    assert_int_equal(start(0, SECTOR_BYTES), OSC_MEDIUM_BUSY);
    assert_int_equal(poll(), OSC_ERROR_READ); /* nothing began */
    assert_int_equal(start(0, SECTOR_BYTES), OSC_MEDIUM_BUSY);
    assert_reads(0, 1);
}

static void a_card_may_go_and_come_back(void **state)
{
    (void)state;
    assert_int_equal(start(0, 8u * SECTOR_BYTES), OSC_OK);
    mock_card_advance_us(&mock, 700);
    assert_int_equal(poll(), OSC_MEDIUM_BUSY);
    mock.is_removed = true;
    mock_card_advance_us(&mock, 100);
    assert_int_equal(poll(), OSC_ERROR_READ);
    assert_int_equal(start(0, SECTOR_BYTES), OSC_ERROR_READ);
    mock.is_removed = false;
    assert_reads(0, 8);
}

static void a_driver_that_waits_does_so_in_poll_and_not_for_long(void **state)
{
    (void)state;
    assert_int_equal(card.medium.most_bytes, 2u * SECTOR_BYTES);
    assert_int_equal(start(0, 2u * SECTOR_BYTES), OSC_OK);
    assert_int_equal(mock.reads, 0);
    assert_int_equal(mock.now_us, 0);
    assert_int_equal(poll(), OSC_OK);
    assert_int_equal(mock.now_us, 500 + 2 * 50);
    assert_int_equal(start(0, 3u * SECTOR_BYTES), OSC_ERROR_ALIGNMENT);
    assert_reads(9, 2);
    assert_int_equal(mock.reads, 2);
}

static void errors_of_a_driver_that_waits(void **state)
{
    (void)state;
    mock.crc_errors = 1;
    assert_int_equal(start(0, SECTOR_BYTES), OSC_OK);
    assert_int_equal(poll(), OSC_ERROR_READ);
    mock.timeouts = 1;
    assert_int_equal(start(0, SECTOR_BYTES), OSC_OK);
    assert_int_equal(poll(), OSC_ERROR_READ);
    mock.is_removed = true;
    assert_int_equal(start(0, SECTOR_BYTES), OSC_OK);
    assert_int_equal(poll(), OSC_ERROR_READ);
    mock.is_removed = false;
    assert_reads(0, 1);
    uint32_t reads = mock.reads;
    assert_int_equal(start(0, SECTOR_BYTES), OSC_OK);
    card.medium.cancel(&card);
    assert_int_equal(poll(), OSC_ERROR_READ);
    assert_int_equal(mock.reads, reads);
}

static void break_something(uint64_t *seed)
{
    uint32_t number = random_u32(seed);
    mock.crc_errors = number % 4u == 0u;
    mock.timeouts = number % 5u == 0u;
    mock.writing = number % 3u == 0u;
    mock.is_removed = number % 7u == 0u;
}

/* Tries to read as a stream does; OSC_OK, or the error. */
static int32_t try_to_read(uint32_t offset, uint32_t size_bytes)
{
    int32_t status;
    while ((status = start(offset, size_bytes)) == OSC_MEDIUM_BUSY)
        mock_card_advance_us(&mock, 100);
    if (status != OSC_OK)
        return status;
    status = finish(5000);
    if (status == OSC_MEDIUM_BUSY)
        card.medium.cancel(&card);
    return status == OSC_MEDIUM_BUSY ? OSC_ERROR_READ : status;
}

/* A read succeeds exactly if nothing was broken, and does not affect the next read. */
static void faults_end_in_errors_and_with_themselves(void **state)
{
    uint64_t seed = 11;
    uint32_t whole = 0;
    (void)state;
    for (uint32_t i = 0; i < 20000u; i++) {
        uint32_t most = card.medium.most_bytes / SECTOR_BYTES;
        uint32_t count = 1u + random_u32(&seed) % most;
        uint32_t sector = random_u32(&seed) % (COUNT - count + 1u);
        break_something(&seed);
        bool is_broken = mock.is_removed || mock.timeouts != 0u || mock.crc_errors != 0u;
        int32_t status = try_to_read(sector * SECTOR_BYTES, count * SECTOR_BYTES);
        assert_int_equal(status, is_broken ? OSC_ERROR_READ : OSC_OK);
        mock.crc_errors = mock.timeouts = mock.writing = 0;
        mock.is_removed = false;
        if (is_broken)
            continue;
        assert_memory_equal(out, (const uint8_t *)words + (FIRST + sector) * SECTOR_BYTES,
                            count * SECTOR_BYTES);
        whole++;
    }
    assert_in_range(whole, 5000, 15000);
    assert_reads(0, 2);
}

/* A device of 2 TB, which only records requests. */
static uint32_t asked_first, asked_count;

static int32_t note(void *context, uint32_t first_sector, uint32_t count, void *destination)
{
    (void)context;
    (void)destination;
    asked_first = first_sector;
    asked_count = count;
    return 0;
}

static void large_devices_are_reached_up_to_4_gb(void **state)
{
    static const struct {
        uint32_t sector_bytes, sector_count, last_offset, last_sector;
    } cases[] = {
        {512, 0xffffffffu, 0xfffffc00u, 0x7ffffeu},  {512, 0x800000u, 0xfffffc00u, 0x7ffffeu},
        {512, 0x7fffffu, 0xfffffc00u, 0x7ffffeu},    {512, 0x7ffffeu, 0xfffffa00u, 0x7ffffdu},
        {2048, 0xffffffffu, 0xfffff000u, 0x1ffffeu}, {4, 0xffffffffu, 0xfffffff8u, 0x3ffffffeu},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t size = cases[i].sector_bytes, first = 0x80000000u;
        osc_block_medium_init(&card, &(osc_block_setup){.device = {.read = note},
                                                        .first_sector = first,
                                                        .sector_count = cases[i].sector_count,
                                                        .sector_bytes = size});
        assert_int_equal(start(cases[i].last_offset, size), OSC_OK);
        assert_int_equal(poll(), OSC_OK);
        assert_int_equal(asked_first, first + cases[i].last_sector);
        assert_int_equal(asked_count, 1);
        assert_int_equal(start(cases[i].last_offset + size, size), OSC_ERROR_READ);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, insert, take_out)
#define BLOCKING_TEST(name) cmocka_unit_test_setup_teardown(name, insert_blocking, take_out)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(sectors_count_from_the_first_of_the_run),
        TEST(a_read_takes_latency_and_sectors),
        TEST(wrong_checksums_are_errors),
        TEST(a_card_that_is_silent_is_left),
        TEST(a_card_that_writes_is_asked_again),
        TEST(a_card_may_go_and_come_back),
        BLOCKING_TEST(a_driver_that_waits_does_so_in_poll_and_not_for_long),
        BLOCKING_TEST(errors_of_a_driver_that_waits),
        TEST(faults_end_in_errors_and_with_themselves),
        BLOCKING_TEST(faults_end_in_errors_and_with_themselves),
        cmocka_unit_test(large_devices_are_reached_up_to_4_gb),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
