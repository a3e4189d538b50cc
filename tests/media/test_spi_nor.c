/* targets/media/osc_spi_nor.c: what goes over the bus, how long it takes, and what the chip is busy
 * with. */
#include "check.h"
#include "mock_spi_nor.h"

#include <stdlib.h>
#include <string.h>

#define SMALL_BYTES 0x20000u
#define EDGE 0x1000000u /* from here on addresses need four bytes */
#define CHUNK_BYTES 2048u
#define LONGEST_US 200000u

static mock_spi_nor mock;
static osc_spi_nor flash;
static uint8_t out[8192] __attribute__((aligned(64)));

typedef struct chip {
    uint32_t size_bytes, clock_hz, align_bytes;
    bool fast_read;
} chip;

/* A chip that is filled around each megabyte: all of a large one would take long. */
static uint8_t *insert(const chip *chip)
{
    uint32_t *words = calloc(1, chip->size_bytes);
    assert_non_null(words);
    uint64_t seed = chip->size_bytes;
    for (uint32_t i = 0; i < chip->size_bytes / 4u; i++)
        if (chip->size_bytes <= SMALL_BYTES || (i + 1024u) % 0x40000u < 2048u)
            words[i] = random_u32(&seed);
    mock_spi_nor_insert(&mock, &(mock_spi_nor_part){.words = words,
                                                    .writable = words,
                                                    .size_bytes = chip->size_bytes,
                                                    .clock_hz = chip->clock_hz,
                                                    .align_bytes = chip->align_bytes});
    osc_spi_nor_init(&flash, &(osc_spi_nor_setup){.bus = &mock.bus,
                                                  .size_bytes = chip->size_bytes,
                                                  .fast_read = chip->fast_read,
                                                  .align_bytes = chip->align_bytes});
    return (uint8_t *)words;
}

static int insert_small(void **state)
{
    *state = insert(&(chip){.size_bytes = SMALL_BYTES, .fast_read = true});
    return 0;
}

static int take_out(void **state)
{
    free(*state);
    return 0;
}

static int32_t start(uint32_t offset, uint32_t size_bytes)
{
    return flash.medium.start(&flash, offset, out, size_bytes);
}

static int32_t poll(void)
{
    return flash.medium.poll(&flash);
}

static void assert_idle(void)
{
    assert_int_equal(mock.selects, mock.deselects);
    assert_false(mock.is_moving);
    if (mock.violations != 0u)
        fail_msg("%s", mock.violation);
}

/* The one violation that a test makes on purpose. */
static void assert_violated(const char *what)
{
    assert_int_equal(mock.violations, 1);
    assert_string_equal(mock.violation, what);
    mock.violations = 0;
}

static int32_t finish(void)
{
    for (uint32_t us = 0; us < LONGEST_US; us++) {
        int32_t status = poll();
        if (status != OSC_MEDIUM_BUSY)
            return status;
        mock_spi_nor_advance_us(&mock, 1);
    }
    fail_msg("a read does not end");
    return OSC_MEDIUM_BUSY;
}

static void assert_reads(const uint8_t *expected, uint32_t offset, uint32_t size_bytes)
{
    assert_int_equal(start(offset, size_bytes), OSC_OK);
    assert_int_equal(finish(), OSC_OK);
    assert_memory_equal(out, expected, size_bytes);
    assert_idle();
}

static void the_bus_carries_the_command_and_the_data_alone(void **state)
{
    (void)state;
    static const struct {
        chip chip;
        uint32_t offset;
        uint8_t sent[OSC_SPI_NOR_COMMAND_BYTES];
        uint32_t count;
    } cases[] = {
        {{.size_bytes = SMALL_BYTES}, 0x1f004u, {0x03, 0x01, 0xf0, 0x04}, 4},
        {{.size_bytes = SMALL_BYTES, .fast_read = true}, 0x104u, {0x0b, 0x00, 0x01, 0x04, 0}, 5},
        {{.size_bytes = EDGE}, 0xfffe00u, {0x03, 0xff, 0xfe, 0x00}, 4},
        {{.size_bytes = 2u * EDGE}, 0x1000ff0u, {0x13, 0x01, 0x00, 0x0f, 0xf0}, 5},
        {{.size_bytes = 2u * EDGE, .fast_read = true}, 0xffff00u, {0x0c, 0, 0xff, 0xff, 0, 0}, 6},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t *content = insert(&cases[i].chip);
        assert_reads(content + cases[i].offset, cases[i].offset, 512);
        assert_int_equal(mock.sent_count, cases[i].count);
        assert_memory_equal(mock.sent, cases[i].sent, cases[i].count);
        assert_int_equal(mock.received_count, 512);
        assert_int_equal(mock.bytes, 2u + cases[i].count + 512u); /* 2: the status */
        assert_int_equal(mock.selects, 2);
        assert_int_equal(mock.transfers, 1);
        free(content);
    }
}

static void pages_sectors_and_the_long_address_are_crossed(void **state)
{
    (void)state;
    uint8_t *content = insert(&(chip){.size_bytes = 2u * EDGE, .fast_read = true});
    assert_reads(content + 252, 252, 8);
    assert_reads(content + EDGE - 1024u, EDGE - 1024u, CHUNK_BYTES);
    assert_reads(content + 2u * EDGE - 4096u, 2u * EDGE - 4096u, 4096);
    assert_memory_not_equal(content + EDGE - 1024u, content, CHUNK_BYTES);
    free(content);
}

static void a_chunk_takes_the_time_of_its_bits(void **state)
{
    (void)state;
    static const struct {
        uint32_t clock_hz, us;
    } cases[] = {{50000000, 328}, {25000000, 657}, {33000000, 497}, {1000000, 16432}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t *content =
            insert(&(chip){.size_bytes = SMALL_BYTES, .clock_hz = cases[i].clock_hz});
        assert_int_equal(start(0, CHUNK_BYTES), OSC_OK);
        assert_true(mock_spi_nor_now_us(&mock) * cases[i].clock_hz <= 48u * 1000000u);
        mock_spi_nor_advance_us(&mock, cases[i].us - 2u - (uint32_t)mock_spi_nor_now_us(&mock));
        assert_int_equal(poll(), OSC_MEDIUM_BUSY);
        assert_int_equal(finish(), OSC_OK);
        assert_in_range(mock_spi_nor_now_us(&mock), cases[i].us, cases[i].us + 1u);
        assert_int_equal(mock.bytes, 2u + 4u + CHUNK_BYTES);
        assert_idle();
        free(content);
    }
}

static void data_arrives_while_the_game_goes_on(void **state)
{
    const uint8_t *content = *state;
    memset(out, 0, sizeof out);
    assert_int_equal(start(0, CHUNK_BYTES), OSC_OK);
    mock_spi_nor_advance_us(&mock, 160); /* 1000 bytes at 50 MHz */
    assert_memory_equal(out, content, 1000);
    assert_int_equal(out[1000] | out[1001] | out[1002] | out[1003], 0);
    assert_int_equal(poll(), OSC_MEDIUM_BUSY);
    flash.medium.cancel(&flash);
    assert_int_equal(mock.aborts, 1);
    assert_idle();
    mock_spi_nor_advance_us(&mock, 1000);
    assert_int_equal(out[1000] | out[1001] | out[1002] | out[1003], 0);
    assert_reads(content + 4096, 4096, CHUNK_BYTES);
}

static void reads_wait_while_the_chip_writes(void **state)
{
    const uint8_t *content = *state, zero = 0;
    const uint32_t busy_us[] = {45000, 700};
    for (uint32_t i = 0; i < 2u; i++) {
        if (i == 0u)
            mock_spi_nor_erase(&mock, 0);
        else
            mock_spi_nor_program(&mock, 0, &zero, 1);
        uint64_t begun_us = mock_spi_nor_now_us(&mock);
        int32_t status;
        while ((status = start(256, 256)) == OSC_MEDIUM_BUSY) {
            assert_idle();
            assert_true(mock_spi_nor_now_us(&mock) - begun_us <= busy_us[i]);
            mock_spi_nor_advance_us(&mock, 10);
        }
        assert_int_equal(status, OSC_OK);
        assert_true(mock_spi_nor_now_us(&mock) - begun_us >= busy_us[i] - 1u);
        assert_int_equal(finish(), OSC_OK);
        assert_memory_equal(out, content + 256, 256);
    }
    assert_int_equal(mock.erases, 1);
    assert_int_equal(mock.programs, 1);
    assert_int_equal(content[0] | content[256], 0xff);
    assert_int_equal(content[0], 0);
    assert_idle();
}

static void an_image_is_written_page_by_page_and_read_back(void **state)
{
    enum { IMAGE_BYTES = 3 * MOCK_NOR_SECTOR_BYTES + 100, FIRST = 2 * MOCK_NOR_SECTOR_BYTES };
    static uint8_t image[IMAGE_BYTES];
    uint64_t seed = 9;
    (void)state;
    for (uint32_t i = 0; i < IMAGE_BYTES; i++)
        image[i] = (uint8_t)random_u32(&seed);
    for (uint32_t i = 0; i < IMAGE_BYTES; i += MOCK_NOR_SECTOR_BYTES) {
        mock_spi_nor_erase(&mock, FIRST + i);
        mock_spi_nor_advance_us(&mock, 45001);
    }
    for (uint32_t i = 0; i < IMAGE_BYTES; i += MOCK_NOR_PAGE_BYTES) {
        uint32_t left = IMAGE_BYTES - i;
        mock_spi_nor_program(&mock, FIRST + i, image + i,
                             left < MOCK_NOR_PAGE_BYTES ? left : MOCK_NOR_PAGE_BYTES);
        mock_spi_nor_advance_us(&mock, 701);
    }
    for (uint32_t i = 0; i < IMAGE_BYTES; i += 1444u) {
        uint32_t size = IMAGE_BYTES - i < 1444u ? IMAGE_BYTES - i : 1444u;
        assert_reads(image + i, FIRST + i, size);
    }
}

static void a_bus_that_another_has_is_waited_for(void **state)
{
    const uint8_t *content = *state;
    mock.is_taken = true;
    assert_int_equal(start(0, 256), OSC_MEDIUM_BUSY);
    assert_int_equal(mock.bytes, 0);
    mock.is_taken = false;
    mock.lost_select = 2; /* between the status and the read */
    assert_int_equal(start(0, 256), OSC_MEDIUM_BUSY);
    assert_int_equal(mock.reads, 0);
    assert_idle();
    assert_reads(content, 0, 256);
}

static void errors_of_the_bus_end_the_read(void **state)
{
    const uint8_t *content = *state;
    mock.refused = 1;
    assert_int_equal(start(0, 256), OSC_ERROR_READ);
    assert_idle();
    assert_int_equal(poll(), OSC_ERROR_READ);
    mock.failing = 1;
    assert_int_equal(start(0, 256), OSC_OK);
    assert_int_equal(finish(), OSC_ERROR_READ);
    assert_idle();
    mock.flipped = 1; /* which the checksum of a chunk finds */
    assert_int_equal(start(0, 256), OSC_OK);
    assert_int_equal(finish(), OSC_OK);
    assert_memory_not_equal(out, content, 256);
    assert_reads(content, 0, 256);
}

static void without_a_chip_reads_fail(void **state)
{
    const uint8_t *content = *state;
    uint32_t id = 0;
    mock.is_removed = true;
    assert_int_equal(start(0, 256), OSC_ERROR_READ);
    assert_int_equal(osc_spi_nor_identify(&flash, &id), OSC_ERROR_READ);
    assert_int_equal(osc_spi_nor_sleep(&flash), OSC_ERROR_READ);
    assert_idle();
    mock.is_removed = false;
    assert_reads(content, 0, 256);
}

static void the_chip_tells_what_it_is(void **state)
{
    (void)state;
    uint32_t id = 0;
    assert_int_equal(osc_spi_nor_identify(&flash, &id), OSC_OK);
    assert_int_equal(id, 0xef4018);
    mock.lost_select = 2;
    assert_int_equal(osc_spi_nor_identify(&flash, &id), OSC_MEDIUM_BUSY);
    assert_int_equal(start(0, 256), OSC_OK);
    assert_int_equal(osc_spi_nor_identify(&flash, &id), OSC_MEDIUM_BUSY);
    assert_int_equal(finish(), OSC_OK);
    mock.part.id = 0;
    assert_int_equal(osc_spi_nor_identify(&flash, &id), OSC_ERROR_READ);
    mock.part.id = 0xffffff;
    assert_int_equal(osc_spi_nor_identify(&flash, &id), OSC_ERROR_READ);
    assert_idle();
}

static void a_chip_that_sleeps_is_left_alone(void **state)
{
    const uint8_t *content = *state;
    mock.part.wake_us = OSC_SPI_NOR_WAKE_US;
    assert_int_equal(osc_spi_nor_sleep(&flash), OSC_OK);
    assert_true(mock.is_asleep);
    uint64_t bytes = mock.bytes;
    assert_int_equal(osc_spi_nor_sleep(&flash), OSC_OK);
    assert_int_equal(start(0, 256), OSC_MEDIUM_BUSY);
    assert_int_equal(mock.bytes, bytes);
    mock_spi_nor_advance_us(&mock, 10);
    mock.is_taken = true;
    assert_int_equal(osc_spi_nor_wake(&flash), OSC_MEDIUM_BUSY);
    mock.is_taken = false;
    assert_int_equal(osc_spi_nor_wake(&flash), OSC_OK);
    mock_spi_nor_advance_us(&mock, OSC_SPI_NOR_WAKE_US);
    assert_reads(content, 0, 256);
}

static void nothing_sleeps_that_has_work_to_do(void **state)
{
    const uint8_t *content = *state;
    assert_int_equal(start(0, 256), OSC_OK);
    assert_int_equal(osc_spi_nor_sleep(&flash), OSC_MEDIUM_BUSY);
    assert_int_equal(osc_spi_nor_wake(&flash), OSC_MEDIUM_BUSY);
    assert_int_equal(finish(), OSC_OK);
    mock_spi_nor_erase(&mock, 0);
    assert_int_equal(osc_spi_nor_sleep(&flash), OSC_MEDIUM_BUSY);
    mock_spi_nor_advance_us(&mock, 45001);
    mock.lost_select = 2;
    assert_int_equal(osc_spi_nor_sleep(&flash), OSC_MEDIUM_BUSY);
    assert_false(mock.is_asleep);
    assert_reads(content + 8192, 8192, 256);
}

static void a_chip_found_asleep_is_an_error_until_it_is_woken(void **state)
{
    const uint8_t *content = *state;
    mock.is_asleep = true; /* by the program that ran before */
    assert_int_equal(start(0, 256), OSC_ERROR_READ);
    assert_violated("a command to a chip that sleeps");
    assert_int_equal(osc_spi_nor_wake(&flash), OSC_OK);
    mock_spi_nor_advance_us(&mock, OSC_SPI_NOR_WAKE_US);
    assert_reads(content, 0, 256);
}

/* Use of the chip by the game while a stream reads from it, and faults of the bus for both. */
static void step(const uint8_t *content, uint64_t *seed, bool *is_reading)
{
    static uint32_t offset;
    uint8_t bytes[MOCK_NOR_PAGE_BYTES];
    uint32_t place = random_u32(seed) % (SMALL_BYTES / 2u);
    bool is_free = !*is_reading && mock.clocks >= mock.busy_until && !mock.is_taken;
    uint32_t refused = mock.refused;
    switch (random_u32(seed) % 12u) {
    case 0:
        if (is_free && !flash.asleep && mock.clocks >= mock.deaf_until)
            mock_spi_nor_erase(&mock, place);
        break;
    case 1:
        memset(bytes, (int)(place & 0xffu), sizeof bytes);
        if (is_free && !flash.asleep && mock.clocks >= mock.deaf_until)
            mock_spi_nor_program(&mock, place, bytes, 1u + place % MOCK_NOR_PAGE_BYTES);
        break;
    case 2:
        mock.is_taken = !*is_reading && random_u32(seed) % 2u;
        break;
    case 3:
        mock.lost_select = random_u32(seed) % 4u;
        break;
    case 4:
        if (osc_spi_nor_sleep(&flash) == OSC_OK)
            mock_spi_nor_advance_us(&mock, 5);
        break;
    case 5:
        if (osc_spi_nor_wake(&flash) == OSC_OK)
            mock_spi_nor_advance_us(&mock, OSC_SPI_NOR_WAKE_US);
        break;
    case 6:
        flash.medium.cancel(&flash);
        *is_reading = false;
        break;
    case 7:
        mock.refused = random_u32(seed) % 2u;
        mock.failing = random_u32(seed) % 2u;
        break;
    default:
        if (!*is_reading) {
            offset = random_u32(seed) % (SMALL_BYTES - CHUNK_BYTES) & ~3u;
            int32_t status = start(offset, CHUNK_BYTES);
            assert_int_equal(status == OSC_ERROR_READ, mock.refused != refused);
            *is_reading = status == OSC_OK;
        }
        break;
    }
    mock_spi_nor_advance_us(&mock, random_u32(seed) % 400u);
    if (*is_reading) {
        int32_t status = poll();
        assert_int_equal(status == OSC_ERROR_READ, mock.has_failed);
        *is_reading = status == OSC_MEDIUM_BUSY;
        if (status == OSC_OK)
            assert_memory_equal(out, content + offset, CHUNK_BYTES);
    }
    assert_int_equal(mock.selects - mock.deselects, *is_reading);
    if (mock.violations != 0u)
        fail_msg("%s", mock.violation);
}

static void the_game_and_the_stream_share_the_chip(void **state)
{
    uint64_t seed = 77;
    bool is_reading = false;
    mock.part.erase_us = 2000;
    for (uint32_t i = 0; i < 200000u; i++)
        step(*state, &seed, &is_reading);
    assert_true(mock.transfers > 5000u && mock.programs > 500u && mock.erases > 500u);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, insert_small, take_out)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bus_carries_the_command_and_the_data_alone),
        cmocka_unit_test(pages_sectors_and_the_long_address_are_crossed),
        cmocka_unit_test(a_chunk_takes_the_time_of_its_bits),
        TEST(data_arrives_while_the_game_goes_on),
        TEST(reads_wait_while_the_chip_writes),
        TEST(an_image_is_written_page_by_page_and_read_back),
        TEST(a_bus_that_another_has_is_waited_for),
        TEST(errors_of_the_bus_end_the_read),
        TEST(without_a_chip_reads_fail),
        TEST(the_chip_tells_what_it_is),
        TEST(a_chip_that_sleeps_is_left_alone),
        TEST(nothing_sleeps_that_has_work_to_do),
        TEST(a_chip_found_asleep_is_an_error_until_it_is_woken),
        TEST(the_game_and_the_stream_share_the_chip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
