/* targets/gba/hal.c on a mocked console: cycles from two timers, and the debug registers. */
#include "check.h"
#include "debug.h"
#include "hal.h"
#include "mock_gba.h"

#include <string.h>

#define LONG_TEXT 700u
#define MOST_AT_ONCE 255u /* of 256 bytes, the last of which is 0 */

static uint32_t measured(uint64_t cycles)
{
    hal_ticks_start();
    mock_pass(cycles);
    return hal_instructions();
}

/* The cost of the readings is measured with the first piece, and subtracted from it, too.
 * The code keeps it: there is one test of it. */
static void cycles_are_exact_from_the_first_piece_on(void **state)
{
    static const uint32_t pieces[] = {1000,  0,      1,          65535,      65536,
                                      65537, 200000, 0x7fffffff, 0xfffe0000, 0};
    uint64_t seed = 3;
    (void)state;
    mock_reset();
    mock.access_cycles = 7;
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
        assert_int_equal(measured(pieces[i]), pieces[i]);
    for (int i = 0; i < 1000; i++) {
        uint32_t piece = random_u32(&seed) >> (1u + random_u32(&seed) % 31u);
        assert_int_equal(measured(piece), piece);
    }
    assert_string_equal(hal_unit, "cycles");
}

static void text_is_sent_whole_and_in_pieces(void **state)
{
    char text[LONG_TEXT + 1u];
    (void)state;
    mock_reset();
    for (uint32_t i = 0; i < LONG_TEXT; i++)
        text[i] = (char)('a' + i % 26u);
    text[LONG_TEXT] = 0;
    hal_write(text);
    mock_settle();
    assert_string_equal(mock.text, text);
    assert_int_equal(mock.sent, 3);
    assert_int_equal(mock.longest, MOST_AT_ONCE);
    assert_int_equal(mock.level, GBA_DEBUG_TEXT);
    gba_debug(GBA_DEBUG_PICTURE, "end");
    mock_settle();
    assert_string_equal(mock.text + LONG_TEXT, "end");
    assert_int_equal(mock.level, GBA_DEBUG_PICTURE);
    hal_write("");
    mock_settle();
    assert_int_equal(mock.sent, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cycles_are_exact_from_the_first_piece_on),
        cmocka_unit_test(text_is_sent_whole_and_in_pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
