/* targets/testing/mock_display.c: pictures take turns, time passes, buttons count once. */
#include "check.h"
#include "mock_display.h"

#define WIDTH 8u
#define HEIGHT 4u
#define FRAME_US 16667u
#define RED 0x001fu
#define GREEN 0x03e0u
#define BLUE 0x7c00u

static const uint16_t palette[] = {RED, GREEN, BLUE};
static uint16_t pixels[2u * WIDTH * HEIGHT], depths[WIDTH * HEIGHT];
static mock_clock test_clock;
static mock_display display;

static void connect(stage_format format)
{
    mock_clock_start(&test_clock, &(mock_clock_setup){.start_us = 1000});
    mock_display_connect(&display, &(mock_display_part){.clock = &test_clock,
                                                        .pixels = pixels,
                                                        .depths = depths,
                                                        .width = WIDTH,
                                                        .height = HEIGHT,
                                                        .format = format});
}

static int open_display(void **state)
{
    (void)state;
    connect(STAGE_PALETTE);
    screen_open(palette, 3);
    return 0;
}

/* Red, but for a green and a blue pixel. */
static void draw(uint32_t red, uint32_t green, uint32_t blue)
{
    const stage_picture *picture = screen_picture();
    screen_clear((uint16_t)red);
    stage_put(picture, 3, green);
    stage_put(picture, 2u * WIDTH + 6u, blue);
    screen_show();
}

static void what_is_drawn_is_shown_next(void **state)
{
    (void)state;
    const stage_picture *first = screen_picture();
    assert_int_equal(first->width, WIDTH);
    assert_int_equal(first->height, HEIGHT);
    assert_int_equal(mock_display_hash(&display), 0);
    assert_int_equal(mock_display_colour(&display, 0, 0), 0xffff);
    draw(0, 1, 2);
    assert_ptr_equal(display.picture, first);
    assert_int_equal(mock_display_colour(&display, 3, 0), GREEN);
    assert_int_equal(mock_display_colour(&display, 6, 2), BLUE);
    assert_int_equal(mock_display_colour(&display, 7, 3), RED);
    assert_int_equal(mock_display_colour(&display, WIDTH, 0), 0xffff);
    assert_int_equal(mock_display_colour(&display, 0, HEIGHT), 0xffff);
    assert_int_equal(depths[WIDTH * HEIGHT - 1u], 0xffff);
    screen_clear(0x0202);
    assert_int_equal(mock_display_colour(&display, 3, 0), GREEN); /* hidden until it is shown */
    screen_show();
    assert_int_equal(mock_display_colour(&display, 3, 0), BLUE);
    assert_ptr_equal(screen_picture(), first);
    assert_int_equal(display.shown, 2);
}

static void a_hash_is_of_the_colours(void **state)
{
    (void)state;
    draw(0, 1, 2);
    uint32_t first = mock_display_hash(&display);
    connect(STAGE_RGB555);
    screen_open(palette, 0);
    draw(RED, GREEN, BLUE);
    assert_int_equal(mock_display_hash(&display), first);
    connect(STAGE_RGB565);
    screen_open(palette, 0);
    draw(0xf800, 0x07e0, 0x001f);
    assert_int_equal(mock_display_hash(&display), first);
    draw(0xf800, 0x001f, 0x07e0);
    assert_int_not_equal(mock_display_hash(&display), first);
    assert_int_equal(first, 0xe630b704); /* on every machine */
}

static void showing_takes_a_frame(void **state)
{
    (void)state;
    assert_int_equal(screen_elapsed_us(), 0);
    mock_clock_advance_us(&test_clock, 40000); /* the game works for longer than two frames */
    screen_show();
    assert_int_equal(screen_elapsed_us(), 3u * FRAME_US);
    assert_int_equal(screen_elapsed_us(), 0);
}

static void buttons_count_once_or_while_held(void **state)
{
    (void)state;
    display.buttons = SCREEN_NEXT | SCREEN_LEFT;
    assert_int_equal(screen_buttons(), SCREEN_NEXT | SCREEN_LEFT);
    assert_int_equal(screen_buttons(), SCREEN_LEFT);
    display.buttons = SCREEN_FASTER;
    assert_int_equal(screen_buttons(), SCREEN_FASTER);
    display.buttons = 0;
    assert_int_equal(screen_buttons(), 0);
    display.buttons = SCREEN_NEXT;
    assert_int_equal(screen_buttons(), SCREEN_NEXT);
    display.pad = SCREEN_PAD_A | SCREEN_PAD_LEFT;
    assert_int_equal(screen_pad(), SCREEN_PAD_A | SCREEN_PAD_LEFT);
    assert_int_equal(screen_pad(), SCREEN_PAD_A | SCREEN_PAD_LEFT);
}

static void pictures_are_kept_by_name(void **state)
{
    (void)state;
    screen_keep("00-000");
    assert_string_equal(display.violation, "a picture is kept before one is shown");
    screen_show();
    screen_keep("00-001");
    assert_int_equal(display.violations, 1);
    assert_int_equal(display.kept, 2);
    assert_string_equal(display.kept_name, "00-001");
}

static void wrong_use_is_counted(void **state)
{
    (void)state;
    screen_open(palette, 3);
    assert_string_equal(display.violation, "a display that is opened again");
    connect(STAGE_PALETTE);
    screen_show();
    assert_string_equal(display.violation, "a display that is not open");
    static const uint16_t large[257];
    screen_open(large, 257);
    assert_string_equal(display.violation, "a palette of more than 256 colours");
}

static void without_a_clock_no_time_passes(void **state)
{
    (void)state;
    mock_display_connect(&display,
                         &(mock_display_part){.pixels = pixels, .width = WIDTH, .height = HEIGHT});
    screen_open(palette, 3);
    screen_show();
    assert_int_equal(screen_elapsed_us(), 0);
    assert_int_equal(display.violations, 0);
}

#define TEST(name) cmocka_unit_test_setup(name, open_display)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_is_drawn_is_shown_next),    TEST(a_hash_is_of_the_colours),
        TEST(showing_takes_a_frame),          TEST(buttons_count_once_or_while_held),
        TEST(pictures_are_kept_by_name),      TEST(wrong_use_is_counted),
        TEST(without_a_clock_no_time_passes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
