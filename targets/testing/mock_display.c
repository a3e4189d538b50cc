/* SPDX-License-Identifier: MIT */
#include "mock_display.h"

#include <stddef.h>

#define HASH_START 2166136261u /* FNV-1a */
#define HASH_FACTOR 16777619u
#define NO_COLOUR 0xffffu
#define FURTHEST 0xffffu                  /* of a depth, as stage_clear has it */
#define HELD (SCREEN_LEFT | SCREEN_RIGHT) /* count while they are held; others once */

static mock_display *connected;

static void violate(mock_display *display, const char *what)
{
    display->violation = what;
    display->violations++;
}

/* The display that the functions of screen.h use. */
static mock_display *opened_display(void)
{
    if (connected->opened == 0u)
        violate(connected, "a display that is not open");
    return connected;
}

/* The picture to draw next. */
static stage_picture *hidden(mock_display *display)
{
    return &display->pictures[display->picture == &display->pictures[0] ? 1 : 0];
}

void mock_display_connect(mock_display *display, const mock_display_part *part)
{
    const stage_picture picture = {.depths = part->depths,
                                   .width = part->width,
                                   .height = part->height,
                                   .format = part->format};
    *display = (mock_display){.part = *part, .pictures = {picture, picture}};
    display->pictures[0].pixels = part->pixels;
    display->pictures[1].pixels = part->pixels + (size_t)part->width * part->height;
    connected = display;
}

void screen_open(const uint16_t *palette, uint32_t count)
{
    mock_display *display = connected;
    if (display->opened++ != 0u)
        violate(display, "a display that is opened again");
    if (count > MOCK_DISPLAY_COLOURS) {
        violate(display, "a palette of more than 256 colours");
        count = MOCK_DISPLAY_COLOURS;
    }
    for (uint32_t i = 0; i < count; i++)
        display->palette[i] = palette[i];
    if (display->part.clock != NULL)
        display->last_us = display->part.clock->now_us;
}

const stage_picture *screen_picture(void)
{
    return hidden(opened_display());
}

void screen_clear(uint16_t colour)
{
    const stage_picture *picture = screen_picture();
    uint32_t pixels = (uint32_t)picture->width * picture->height;
    for (uint32_t i = 0; i < (picture->format == STAGE_PALETTE ? pixels / 2u : pixels); i++)
        picture->pixels[i] = colour;
    for (uint32_t i = 0; picture->depths != NULL && i < pixels; i++)
        picture->depths[i] = FURTHEST;
}

void screen_show(void)
{
    mock_display *display = opened_display();
    display->picture = hidden(display);
    display->shown++;
    if (display->part.clock != NULL)
        (void)mock_clock_frame(display->part.clock);
}

void screen_keep(const char *name)
{
    mock_display *display = opened_display();
    if (display->picture == NULL)
        violate(display, "a picture is kept before one is shown");
    display->kept++;
    display->kept_name = name;
}

uint32_t screen_buttons(void)
{
    mock_display *display = opened_display();
    uint32_t pressed = display->buttons & ~display->last_buttons;
    display->last_buttons = display->buttons;
    return pressed | (display->buttons & HELD);
}

uint32_t screen_pad(void)
{
    return opened_display()->pad;
}

uint32_t screen_elapsed_us(void)
{
    mock_display *display = opened_display();
    uint64_t last_us = display->last_us;
    if (display->part.clock != NULL)
        display->last_us = display->part.clock->now_us;
    return (uint32_t)(display->last_us - last_us);
}

static uint16_t colour_at(const mock_display *display, uint32_t place)
{
    const stage_picture *picture = display->picture;
    uint32_t pixel = picture->pixels[picture->format == STAGE_PALETTE ? place / 2u : place];
    switch (picture->format) {
    case STAGE_PALETTE:
        return display->palette[place % 2u != 0u ? pixel >> 8 : pixel & 0xffu];
    case STAGE_RGB565:
        return (uint16_t)(pixel >> 11 | (pixel >> 1 & 0x3e0u) | (pixel & 0x1fu) << 10);
    default:
        return (uint16_t)(pixel & 0x7fffu);
    }
}

uint16_t mock_display_colour(const mock_display *display, uint32_t x, uint32_t y)
{
    if (display->picture == NULL || x >= display->part.width || y >= display->part.height)
        return NO_COLOUR;
    return colour_at(display, y * display->part.width + x);
}

uint32_t mock_display_hash(const mock_display *display)
{
    uint32_t hash = HASH_START;
    if (display->picture == NULL)
        return 0;
    for (uint32_t i = 0; i < (uint32_t)display->part.width * display->part.height; i++) {
        uint32_t colour = colour_at(display, i);
        hash = (hash ^ (colour & 0xffu)) * HASH_FACTOR;
        hash = (hash ^ colour >> 8) * HASH_FACTOR;
    }
    return hash;
}
