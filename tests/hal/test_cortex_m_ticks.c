/* targets/cortex_m/hal_ticks.c on a mocked SysTick: ticks to instructions. */
#include "check.h"
#include "hal.h"
#include "mock_systick.h"

#define RANGE_TICKS 0xffffffu

static uint32_t measured(uint64_t instructions)
{
    hal_ticks_start();
    mock_work(instructions);
    return hal_instructions();
}

/* The micro:bit's nRF51 has no SysTick: nothing waits for it, and no number is made up. The code
 * keeps its calibration, so this test comes first. */
static void a_processor_without_the_timer_counts_nothing(void **state)
{
    (void)state;
    mock.missing = true;
    assert_int_equal(measured(0), HAL_UNKNOWN);
    assert_int_equal(measured(400), HAL_UNKNOWN);
    mock.missing = false;
}

/* 168 MHz and 32 ns an instruction, as QEMU runs the STM32F4: no whole number of ticks. Pieces as
 * long as the loop that the code compares with are exact, those three times as long to an
 * instruction. */
static void instructions_are_exact(void **state)
{
    uint64_t seed = 11;
    (void)state;
    mock.ticks = 168 * 32;
    mock.per_instructions = 1000;
    mock.access_instructions = 4;
    static const uint32_t pieces[] = {17, 0, 1, 2, 400, 1000000, 0};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
        assert_int_equal(measured(pieces[i]), pieces[i]);
    for (int i = 0; i < 1000; i++) {
        uint32_t piece = random_u32(&seed) % 1000000u;
        assert_int_equal(measured(piece), piece);
        assert_in_range(measured(2000000u + piece), 1999999u + piece, 2000001u + piece);
    }
    assert_string_equal(hal_unit, "instructions");
}

static void a_piece_that_is_too_long_is_unknown(void **state)
{
    (void)state;
    uint32_t most = (uint32_t)((uint64_t)RANGE_TICKS * mock.per_instructions / mock.ticks);
    assert_in_range(measured(most - 100u), most - 101u, most - 99u);
    assert_int_equal(measured(most + 1u), HAL_UNKNOWN);
    assert_int_equal(measured(2u * most), HAL_UNKNOWN);
    assert_int_equal(measured(7u * most), HAL_UNKNOWN);
    assert_int_equal(measured(99), 99);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_processor_without_the_timer_counts_nothing),
        cmocka_unit_test(instructions_are_exact),
        cmocka_unit_test(a_piece_that_is_too_long_is_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
