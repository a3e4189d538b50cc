/* The mock sees what a real chip would not forgive: else the tests that rely on it prove nothing.
 */
#include "check.h"
#include "mock_spi_nor.h"

#include <string.h>

#define SIZE_BYTES 0x4000u

static uint32_t words[SIZE_BYTES / 4u];
static mock_spi_nor mock;

static int insert(void **state)
{
    (void)state;
    memset(words, 0xff, sizeof words);
    mock_spi_nor_insert(
        &mock, &(mock_spi_nor_part){.words = words, .writable = words, .size_bytes = SIZE_BYTES});
    return 0;
}

static void send(uint8_t command, uint32_t zeros)
{
    uint8_t bytes[8] = {command};
    mock.bus.select(&mock);
    mock.bus.exchange(&mock, bytes, 1u + zeros);
    mock.bus.deselect(&mock);
}

static void assert_violated(const char *what)
{
    assert_non_null(mock.violation);
    assert_string_equal(mock.violation, what);
    mock.violation = NULL;
}

static void rules_of_the_selection(void **state)
{
    (void)state;
    uint8_t byte = 0;
    mock.bus.exchange(&mock, &byte, 1);
    assert_violated("bytes outside a selection");
    assert_int_equal(byte, 0xff);
    mock.bus.receive(&mock, words, 4);
    mock_spi_nor_advance_us(&mock, 10);
    assert_violated("bytes outside a selection");
    mock.bus.deselect(&mock);
    assert_violated("a release without a selection");
    mock.bus.select(&mock);
    mock.bus.select(&mock);
    assert_violated("a selection within another");
}

static void rules_of_transfers(void **state)
{
    (void)state;
    static uint32_t out[16];
    uint8_t read[4] = {0x03};
    mock.bus.select(&mock);
    mock.bus.exchange(&mock, read, sizeof read);
    mock.bus.receive(&mock, (uint8_t *)out + 1, 32);
    assert_violated("a destination that is not aligned");
    mock.bus.receive(&mock, out, 32);
    assert_violated("a transfer during another");
    mock.bus.exchange(&mock, read, 1);
    assert_violated("an exchange during a transfer");
    mock.bus.deselect(&mock);
    assert_violated("a release during a transfer");
}

static void rules_of_commands(void **state)
{
    (void)state;
    send(0x6b, 0);
    assert_violated("an unknown command");
    send(0x06, 1);
    assert_violated("more bytes than a command has");
    send(0x02, 5);
    assert_violated("a write that was not enabled");
    send(0x20, 3);
    assert_violated("a write that was not enabled");
    assert_int_equal(mock.programs + mock.erases, 0);
    mock.part.clock_hz = 60000000u;
    send(0x03, 4);
    assert_violated("a slow read with a fast clock");
    send(0x0b, 5);
    assert_null(mock.violation);
    mock.part.size_bytes = 0x2000000u;
    send(0x0b, 3);
    assert_violated("a short address for a large chip");
}

static void rules_of_times(void **state)
{
    (void)state;
    mock_spi_nor_erase(&mock, 0);
    send(0x05, 1);
    assert_null(mock.violation);
    send(0x03, 3);
    assert_violated("a command to a chip that is busy");
    mock_spi_nor_advance_us(&mock, 45000);
    send(0xb9, 0);
    send(0xab, 0);
    assert_violated("a command to a chip that wakes up or falls asleep");
    mock_spi_nor_advance_us(&mock, 10);
    send(0x9f, 3);
    assert_violated("a command to a chip that sleeps");
    send(0xab, 0);
    send(0x9f, 3);
    assert_violated("a command to a chip that wakes up or falls asleep");
    mock_spi_nor_advance_us(&mock, 3);
    send(0x9f, 3);
    assert_null(mock.violation);
}

static void a_chip_without_memory_to_write_refuses(void **state)
{
    (void)state;
    mock.part.writable = NULL;
    mock_spi_nor_erase(&mock, 0);
    assert_violated("a write to a chip that cannot be written");
    assert_int_equal(mock.erases, 0);
}

static void pages_begin_again_at_their_end(void **state)
{
    (void)state;
    const uint8_t *content = (const uint8_t *)words;
    uint8_t bytes[300];
    for (uint32_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i % 251u);
    mock_spi_nor_program(&mock, 0x1000u + 200u, bytes, sizeof bytes);
    for (uint32_t i = 44; i < sizeof bytes; i++) /* later bytes replace the first ones */
        assert_int_equal(content[0x1000u + (200u + i) % 256u], bytes[i]);
    assert_int_equal(content[0x1100], 0xff);
    assert_int_equal(content[0xfff], 0xff);
}

static void addresses_wrap_at_the_end_of_the_chip(void **state)
{
    (void)state;
    uint8_t bytes[5] = {0x03, 0x01, 0x40, 0x02, 0};
    words[0] = 0x00a50000u;
    mock.bus.select(&mock);
    mock.bus.exchange(&mock, bytes, 5);
    mock.bus.deselect(&mock);
    assert_int_equal(bytes[4], 0xa5);
    assert_null(mock.violation);
}

static void programming_only_clears_bits(void **state)
{
    (void)state;
    const uint8_t *content = (const uint8_t *)words, first = 0xf0, second = 0x3c;
    mock_spi_nor_program(&mock, 5, &first, 1);
    mock_spi_nor_advance_us(&mock, 701);
    mock_spi_nor_program(&mock, 5, &second, 1);
    assert_int_equal(content[5], 0x30);
    mock_spi_nor_advance_us(&mock, 701);
    mock_spi_nor_erase(&mock, 4095);
    assert_int_equal(content[5], 0xff);
    assert_int_equal(mock.violations, 0);
}

static void time_has_no_rest(void **state)
{
    (void)state;
    mock.part.clock_hz = 33333333u;
    for (uint32_t i = 0; i < 1000000u; i++)
        mock_spi_nor_advance_us(&mock, 1);
    assert_int_equal(mock.clocks, 33333333u);
    assert_int_equal(mock_spi_nor_now_us(&mock), 1000000u);
}

#define TEST(name) cmocka_unit_test_setup(name, insert)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(rules_of_the_selection),
        TEST(rules_of_transfers),
        TEST(rules_of_commands),
        TEST(rules_of_times),
        TEST(a_chip_without_memory_to_write_refuses),
        TEST(pages_begin_again_at_their_end),
        TEST(addresses_wrap_at_the_end_of_the_chip),
        TEST(programming_only_clears_bits),
        TEST(time_has_no_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
