/* SPDX-License-Identifier: MIT */
/* A mock of the display and the buttons of targets/screen.h: the functions screen_open to
 * screen_elapsed_us draw to memory and take their time from a mock_clock. It uses no C library and
 * allocates nothing. Link it in place of a target's screen.c.
 *
 *     static uint16_t pixels[2 * 240 * 160];
 *     static mock_display display;
 *     mock_display_connect(&display, &(mock_display_part){
 *         .clock = &clock, .pixels = pixels, .width = 240, .height = 160});
 *     display.buttons = SCREEN_NEXT;
 *     game_step();                                     // draws, and calls screen_show
 *     assert_int_equal(display.shown, 1);
 *     assert_int_equal(mock_display_hash(&display), 0xe630b704);
 *
 * Two pictures take turns: one is shown while the game draws the other. screen_show lets the time
 * pass to the next frame of the clock (mock_clock_frame), as a display does that changes pictures
 * between frames. `violations` counts what no correct program does, such as showing a picture
 * before screen_open: tests assert that it is 0. */
#ifndef MOCK_DISPLAY_H
#define MOCK_DISPLAY_H

#include "mock_clock.h"
#include "screen.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MOCK_DISPLAY_COLOURS 256u

/* Zero stands for the default in brackets. */
typedef struct mock_display_part {
    mock_clock *clock; /* whose time passes [null: none passes] */
    uint16_t *pixels;  /* of both pictures: 2 * width * height halfwords, also for 8 bits a pixel */
    uint16_t *depths;  /* width * height halfwords, which the stage uses as a buffer [null] */
    uint16_t width, height; /* pixels; width even */
    stage_format format;    /* [STAGE_PALETTE] */
} mock_display_part;

typedef struct mock_display {
    mock_display_part part;

    /* to be set by tests, at any time */
    uint32_t buttons; /* those that are held: SCREEN_NEXT .. SCREEN_RIGHT */
    uint32_t pad;     /* those of a pad that are held: SCREEN_PAD_UP .. SCREEN_PAD_OTHER */

    /* to be read */
    const char *violation; /* a description of the last one, or null */
    uint32_t violations;
    uint32_t opened, shown, kept; /* how often screen_open, screen_show, screen_keep were called */
    const char *kept_name;        /* of the last screen_keep, or null */
    const stage_picture *picture; /* the one that is shown, or null before the first */
    uint16_t palette[MOCK_DISPLAY_COLOURS]; /* that screen_open was given */

    /* private */
    stage_picture pictures[2];
    uint32_t last_buttons;
    uint64_t last_us;
} mock_display;

/* Connects a display, switched off; the functions of screen.h use it until another one is
 * connected. part: is copied; its memory must outlive the mock, which must not move. */
void mock_display_connect(mock_display *display, const mock_display_part *part);

/* Returns the colour of a pixel of the picture that is shown, as RGB555 with red lowest; 0xffff
 * outside of it and before the first picture. x, y: from the top left. */
uint16_t mock_display_colour(const mock_display *display, uint32_t x, uint32_t y);

/* Returns a hash of the colours of all pixels of the picture that is shown: the same picture has
 * the same hash on every machine, in every order of bytes and in either format of 16 bits. 0 before
 * the first picture. */
uint32_t mock_display_hash(const mock_display *display);

#ifdef __cplusplus
}
#endif

#endif
