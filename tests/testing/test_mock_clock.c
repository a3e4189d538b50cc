/* targets/testing/mock_clock.c: one time for all mocks, and frames that are late by seed. */
#include "check.h"
#include "mock_card.h"
#include "mock_clock.h"
#include "mock_spi_nor.h"

#define FRAME_US 16667u
#define FRAMES 1000u
#define CHIP_HZ 3000000u /* a byte takes 2 2/3 us */
#define ADDRESS_BYTES 5u

static mock_clock test_clock;
static mock_spi_nor chip;
static mock_card card;
static uint32_t words[1024], out[256];

static int start_clock(void **state)
{
    (void)state;
    mock_clock_start(&test_clock, &(mock_clock_setup){0});
    mock_spi_nor_insert(&chip, &(mock_spi_nor_part){.clock = &test_clock,
                                                    .words = words,
                                                    .size_bytes = sizeof words,
                                                    .clock_hz = CHIP_HZ});
    mock_card_insert(&card,
                     &(mock_card_part){.clock = &test_clock, .words = words, .sector_count = 8});
    return 0;
}

static void frames_are_even_without_a_chance(void **state)
{
    (void)state;
    for (uint32_t i = 1; i <= FRAMES; i++) {
        assert_int_equal(mock_clock_frame(&test_clock), FRAME_US);
        assert_int_equal(test_clock.now_us, (uint64_t)i * FRAME_US);
    }
}

/* Microseconds of all frames, each mixed with its number. */
static uint64_t play(uint64_t seed, uint32_t late_q8, uint32_t *late)
{
    uint64_t sum = 0;
    *late = 0;
    mock_clock_start(&test_clock,
                     &(mock_clock_setup){.late_q8 = late_q8, .most_late = 2, .seed = seed});
    for (uint32_t i = 0; i < FRAMES; i++) {
        uint32_t frame_us = mock_clock_frame(&test_clock);
        assert_true(frame_us % FRAME_US == 0u && frame_us / FRAME_US - 1u <= 2u);
        *late += frame_us != FRAME_US;
        sum = 3u * sum + frame_us;
    }
    return sum;
}

static void late_frames_follow_the_seed(void **state)
{
    (void)state;
    uint32_t late;
    uint64_t first = play(7, 64, &late);
    assert_in_range(late, FRAMES / 5u, FRAMES / 3u);
    assert_true(play(8, 64, &late) != first);
    assert_true(play(7, 64, &late) == first);
    assert_true(first == 0xa48132074a1ad111u); /* on every machine */
    (void)play(7, 256, &late);
    assert_int_equal(late, FRAMES);
    (void)play(7, 0, &late);
    assert_int_equal(late, 0);
}

static void a_timer_of_32_bits_wraps(void **state)
{
    (void)state;
    mock_clock_start(&test_clock, &(mock_clock_setup){.start_us = 0xfffffff0u});
    assert_int_equal(mock_clock_us(&test_clock), 0xfffffff0u);
    mock_clock_advance_us(&test_clock, 32);
    assert_int_equal(mock_clock_us(&test_clock), 16);
}

static void begin_a_transfer(void)
{
    uint8_t command[ADDRESS_BYTES] = {0x0b};
    assert_true(chip.bus.select(&chip));
    chip.bus.exchange(&chip, command, sizeof command);
    assert_int_equal(chip.bus.receive(&chip, out, sizeof out), OSC_OK);
}

/* While a driver waits for its device, other transfers continue and the frame gets late. */
static void a_driver_that_waits_takes_everybodys_time(void **state)
{
    (void)state;
    begin_a_transfer();
    assert_int_equal(test_clock.now_us, ADDRESS_BYTES * 8u / 3u);
    card.timeouts = 1;
    assert_true(card.blocking.read(&card, 0, 1, words) != 0);
    assert_int_equal(chip.bus.received(&chip), OSC_OK);
    chip.bus.deselect(&chip);
    assert_int_equal(mock_clock_frame(&test_clock), 7u * FRAME_US); /* of 100 ms, which take six */
    assert_int_equal(chip.violations + card.violations, 0);
}

/* Microseconds are whole, and what is left of them counts in the next exchange. */
static void bytes_on_the_bus_have_no_rest(void **state)
{
    (void)state;
    uint8_t byte = 0x05;
    for (uint32_t i = 0; i < 3000u; i++) {
        (void)chip.bus.select(&chip);
        chip.bus.exchange(&chip, &byte, 1);
        chip.bus.deselect(&chip);
    }
    assert_int_equal(test_clock.now_us, 8000);
    assert_int_equal(mock_spi_nor_now_us(&chip), 8000);
}

static void a_mock_is_connected_once(void **state)
{
    (void)state;
    static mock_card cards[MOCK_CLOCK_DEVICES];
    const mock_card_part part = {.clock = &test_clock, .words = words, .sector_count = 8};
    mock_card_insert(&card, &part); /* a power cut */
    mock_clock_advance_us(&test_clock, 5);
    assert_int_equal(card.now_us, 5);
    for (uint32_t i = 0; i < MOCK_CLOCK_DEVICES; i++) {
        mock_card_insert(&cards[i], &part);
        assert_int_equal(cards[i].violations, i >= MOCK_CLOCK_DEVICES - 2u);
    }
}

#define TEST(name) cmocka_unit_test_setup(name, start_clock)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(frames_are_even_without_a_chance), TEST(late_frames_follow_the_seed),
        TEST(a_timer_of_32_bits_wraps),         TEST(a_driver_that_waits_takes_everybodys_time),
        TEST(bytes_on_the_bus_have_no_rest),    TEST(a_mock_is_connected_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
