/* targets/gba/screen.c on a mocked console: pages shown, buttons, and time. */
#include "check.h"
#include "debug.h"
#include "mock_gba.h"
#include "screen.h"

#include <string.h>

#define WIDTH 240u
#define HEIGHT 160u
#define PICTURE_HALFWORDS (WIDTH * HEIGHT / 2u)
#define CANARY 0x5aa5u
#define CYCLES_A_SECOND 16777216.0
#define ROUNDS 300
#define LAST_CHANGE 222u
#define ACCESS_CYCLES 64u
#define READING_US                                                                                 \
    (3.0 * ACCESS_CYCLES * 1e6 / CYCLES_A_SECOND) /* of both timers, one of them twice */
#define A 1u
#define B 2u
#define SELECT 4u
#define START 8u
#define RIGHT 16u
#define LEFT 32u
#define UP 64u
#define DOWN 128u
#define R 256u
#define L 512u

static uint16_t palette[256];
static struct {
    unsigned calls;
    uint32_t level, line;
    const char *text;
} debug;

void __wrap_gba_debug(uint32_t level, const char *text);
void __wrap_gba_debug(uint32_t level, const char *text)
{
    debug.calls++;
    debug.level = level;
    debug.line = mock_line();
    debug.text = text;
}

static int open_screen(void **state)
{
    (void)state;
    mock_reset();
    memset(&debug, 0, sizeof debug);
    mock.access_cycles = ACCESS_CYCLES;
    for (uint32_t i = 0; i < 256u; i++)
        palette[i] = (uint16_t)(i * 127u + 3u);
    screen_open(palette, 200);
    mock_settle();
    (void)screen_elapsed_us();
    (void)screen_buttons();
    return 0;
}

static uint16_t *hidden_page(void)
{
    return mock.pages[1u - mock.shown];
}

static void the_display_is_turned_on(void **state)
{
    (void)state;
    assert_memory_equal(mock.palette, palette, 200 * sizeof *palette);
    assert_int_equal(mock.palette[200], 0);
    const stage_picture *picture = screen_picture();
    assert_int_equal(picture->width, WIDTH);
    assert_int_equal(picture->height, HEIGHT);
    assert_int_equal(picture->format, STAGE_PALETTE);
    assert_null(picture->depths);
    assert_ptr_equal(picture->pixels, hidden_page());
    assert_int_equal(mock.changes, 1);
}

static void the_hidden_picture_is_filled_and_nothing_else(void **state)
{
    (void)state;
    for (int turn = 0; turn < 2; turn++) {
        memset(mock.pages, CANARY & 0xffu, sizeof mock.pages);
        uint16_t other = mock.pages[mock.shown][0];
        screen_clear(0x1234);
        mock_settle();
        assert_int_equal(mock.fills, turn + 1);
        for (uint32_t i = 0; i < MOCK_PAGE_HALFWORDS; i++) {
            assert_int_equal(hidden_page()[i], i < PICTURE_HALFWORDS ? 0x1234 : other);
            assert_int_equal(mock.pages[mock.shown][i], other);
        }
        screen_show();
        mock_settle();
    }
}

/* The display must not show one half of each picture: pages are changed while it draws nothing, and
 * not at the end of that time, which may be too short to finish in. */
static void pages_are_turned_while_nothing_is_drawn(void **state)
{
    uint64_t seed = 5;
    (void)state;
    for (int i = 0; i < ROUNDS; i++) {
        uint32_t shown = mock.shown, changes = mock.changes;
        mock_pass(random_u32(&seed) % (2u * MOCK_LINES * MOCK_LINE_CYCLES));
        screen_show();
        mock_settle();
        assert_int_equal(mock.shown, 1u - shown);
        assert_int_equal(mock.changes, changes + 1u);
        assert_in_range(mock.changed_line, MOCK_FIRST_HIDDEN, LAST_CHANGE);
        assert_ptr_equal(screen_picture()->pixels, hidden_page());
    }
}

static void a_picture_is_kept_when_all_of_it_was_shown(void **state)
{
    (void)state;
    screen_show();
    mock_settle();
    uint32_t shown = mock.shown;
    screen_keep("03-014");
    assert_int_equal(debug.calls, 1);
    assert_int_equal(debug.level, GBA_DEBUG_PICTURE);
    assert_string_equal(debug.text, "03-014");
    assert_int_equal(debug.line, MOCK_FIRST_HIDDEN);
    assert_int_equal(mock.shown, shown);
}

static uint32_t buttons_with(uint32_t keys)
{
    mock.keys = keys;
    return screen_buttons();
}

static void a_button_counts_once(void **state)
{
    (void)state;
    assert_int_equal(buttons_with(0), 0);
    assert_int_equal(buttons_with(START), SCREEN_NEXT);
    assert_int_equal(buttons_with(START), 0);
    assert_int_equal(buttons_with(START | UP), SCREEN_FASTER);
    assert_int_equal(buttons_with(UP), 0);
    assert_int_equal(buttons_with(START | UP), SCREEN_NEXT);
    assert_int_equal(buttons_with(SELECT | DOWN), SCREEN_PREVIOUS | SCREEN_SLOWER);
    assert_int_equal(buttons_with(0), 0);
    assert_int_equal(buttons_with(A), SCREEN_NEXT);
}

static void left_and_right_count_while_they_are_held(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++)
        assert_int_equal(buttons_with(LEFT), SCREEN_LEFT);
    for (int i = 0; i < 3; i++)
        assert_int_equal(buttons_with(RIGHT | START), SCREEN_RIGHT | (i == 0 ? SCREEN_NEXT : 0u));
    assert_int_equal(buttons_with(L), SCREEN_LEFT);
    assert_int_equal(buttons_with(0), 0);
}

static void all_keys_of_a_pad_are_read_while_they_are_held(void **state)
{
    static const struct {
        uint32_t keys, means;
    } pads[] = {{UP, SCREEN_PAD_UP},
                {DOWN, SCREEN_PAD_DOWN},
                {LEFT, SCREEN_PAD_LEFT},
                {RIGHT, SCREEN_PAD_RIGHT},
                {B, SCREEN_PAD_B},
                {A, SCREEN_PAD_A},
                {SELECT, SCREEN_PAD_OTHER},
                {L, SCREEN_PAD_OTHER},
                {R, SCREEN_PAD_OTHER},
                {START, 0},
                {0, 0},
                {A | UP | LEFT, SCREEN_PAD_A | SCREEN_PAD_UP | SCREEN_PAD_LEFT}};
    (void)state;
    for (uint32_t i = 0; i < 2u * sizeof pads / sizeof *pads; i++) {
        mock.keys = pads[i / 2u].keys;
        assert_int_equal(screen_pad(), pads[i / 2u].means);
    }
}

static void assert_elapsed(double cycles, double allowed_us)
{
    double exact_us = cycles * 1e6 / CYCLES_A_SECOND, said_us = screen_elapsed_us();
    allowed_us += 5.0 + 0.0006 * exact_us; /* a count of the timer, and what 3 + 209/256 is off */
    assert_true(said_us > exact_us - allowed_us && said_us < exact_us + allowed_us);
}

/* The lower half may begin again between two readings; then all are taken again. */
static void time_is_right_wherever_a_timer_overflows(void **state)
{
    (void)state;
    for (uint64_t early = 0; early < 6u * ACCESS_CYCLES; early++) {
        (void)screen_elapsed_us();
        uint64_t cycles = mock_until_overflow() - early;
        mock_pass(cycles);
        assert_elapsed((double)cycles, 2.0 * READING_US);
    }
}

static void time_goes_on_when_both_timers_overflow(void **state)
{
    (void)state;
    mock_pass(64u * ((1ull << 32) - 1000u));
    (void)screen_elapsed_us();
    mock_pass(64u * 2000u);
    assert_elapsed(64.0 * 2000.0, READING_US);
    mock_pass(16777216u);
    assert_elapsed(CYCLES_A_SECOND, READING_US);
}

static void long_pauses_are_measured(void **state)
{
    (void)state;
    for (uint32_t seconds = 10; seconds <= 4000u; seconds += 30u) {
        mock_pass((uint64_t)seconds << 24);
        assert_elapsed(seconds * CYCLES_A_SECOND, READING_US);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(the_display_is_turned_on, open_screen),
        cmocka_unit_test_setup(the_hidden_picture_is_filled_and_nothing_else, open_screen),
        cmocka_unit_test_setup(pages_are_turned_while_nothing_is_drawn, open_screen),
        cmocka_unit_test_setup(a_picture_is_kept_when_all_of_it_was_shown, open_screen),
        cmocka_unit_test_setup(a_button_counts_once, open_screen),
        cmocka_unit_test_setup(left_and_right_count_while_they_are_held, open_screen),
        cmocka_unit_test_setup(all_keys_of_a_pad_are_read_while_they_are_held, open_screen),
        cmocka_unit_test_setup(time_is_right_wherever_a_timer_overflows, open_screen),
        cmocka_unit_test_setup(time_goes_on_when_both_timers_overflow, open_screen),
        cmocka_unit_test_setup(long_pauses_are_measured, open_screen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
