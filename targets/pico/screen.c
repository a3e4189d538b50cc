/* SPDX-License-Identifier: MIT */
/* A display with the controller ST7789 on SPI 0, 320 x 240 pixels, of which the middle 240 x 160
 * are drawn, and four buttons: the wiring of the Pico Display Pack 2.0. DMA sends a picture while
 * the next one is drawn. */
#include "screen.h"
#include "../bare_metal/semihosting.h"
#include "debug.h"
#include "registers.h"

#define WIDTH 240u
#define HEIGHT 160u
#define DISPLAY_WIDTH 320u
#define DISPLAY_HEIGHT 240u

enum { PIN_DATA_OR_COMMAND = 16, PIN_SELECT = 17, PIN_CLOCK = 18, PIN_DATA = 19, PIN_LIGHT = 20 };
enum { PIN_A = 12, PIN_B = 13, PIN_X = 14, PIN_Y = 15 };
#define BIT(pin) (1u << (pin))
#define OUTPUTS (BIT(PIN_DATA_OR_COMMAND) | BIT(PIN_SELECT) | BIT(PIN_LIGHT))
#define PINS_IN REGISTER(0xd0000004u)
#define PINS_SET REGISTER(0xd0000014u)
#define PINS_CLEAR REGISTER(0xd0000018u)
#define PINS_DRIVE REGISTER(0xd0000024u)
#define PAD(pin) REGISTER(0x4001c004u + 4u * (pin))
#define PAD_PULLED_UP 0x4au

#define RESET_DMA (1u << 2)
#define RESET_SPI_0 (1u << 16)
#define RESET_TIMER (1u << 21)
#define STARTED (RESET_DMA | RESET_SPI_0 | RESET_TIMER)

#define SPI_FORM REGISTER(0x4003c000u)
#define SPI_CONTROL REGISTER(0x4003c004u)
#define SPI_DATA_ADDRESS 0x4003c008u
#define SPI_STATUS REGISTER(0x4003c00cu)
#define SPI_DIVISOR REGISTER(0x4003c010u)
#define SPI_DMA REGISTER(0x4003c024u)
#define SPI_MODE_3 0xc0u /* the mode in which no clock passes between two words */
#define SPI_ON 2u
#define SPI_NOT_FULL 2u
#define SPI_BUSY 16u
#define SPI_SENDS_BY_DMA 2u

#define DMA_FROM REGISTER(0x50000000u)
#define DMA_TO REGISTER(0x50000004u)
#define DMA_COUNT REGISTER(0x50000008u)
#define DMA_CONTROL REGISTER(0x5000000cu)
#define DMA_HALFWORDS_TO_SPI_0 (1u | 1u << 2 | 16u << 15)
#define DMA_ADVANCE (1u << 4)
#define DMA_BUSY (1u << 24)

#define MICROSECONDS REGISTER(0x40054028u)
#define TICK_OF_TIMER REGISTER(0x4005802cu)
#define TICK_OF_12_MHZ (1u << 9 | 12u)

/* Commands of the ST7789 */
#define AWAKE 0x11u
#define INVERTED 0x21u /* the panel is wired that way */
#define DISPLAY_ON 0x29u
#define COLUMNS 0x2au
#define ROWS 0x2bu
#define PIXELS 0x2cu
#define DIRECTION 0x36u
#define LANDSCAPE 0x70u
#define PIXEL_FORMAT 0x3au
#define RGB565 0x55u
#define AWAKE_AFTER_US 5000u

typedef uint32_t __attribute__((may_alias)) pixel_pair;
static uint16_t pixels[2][WIDTH * HEIGHT] __attribute__((aligned(4)));
static stage_picture picture;
static uint32_t held, last_us;

static void wait_until_sent(void)
{
    while ((DMA_CONTROL & DMA_BUSY) != 0u)
        continue;
    while ((SPI_STATUS & SPI_BUSY) != 0u)
        continue;
}

/* From the next word on, words have as many bits. */
static void set_bits(uint32_t bits)
{
    SPI_CONTROL = 0;
    SPI_FORM = SPI_MODE_3 | (bits - 1u);
    SPI_CONTROL = SPI_ON;
}

static void send_byte(uint32_t byte)
{
    while ((SPI_STATUS & SPI_NOT_FULL) == 0u)
        continue;
    REGISTER(SPI_DATA_ADDRESS) = byte;
}

static void send_command(uint32_t command, const uint8_t *values, uint32_t count)
{
    wait_until_sent();
    set_bits(8);
    PINS_CLEAR = BIT(PIN_DATA_OR_COMMAND);
    send_byte(command);
    wait_until_sent();
    PINS_SET = BIT(PIN_DATA_OR_COMMAND);
    for (uint32_t i = 0; i < count; i++)
        send_byte(values[i]);
}

/* The pixels in the middle of the display that the next pictures fill. */
static void set_window(uint32_t width, uint32_t height)
{
    const uint32_t left = (DISPLAY_WIDTH - width) / 2u, right = left + width - 1u;
    const uint32_t top = (DISPLAY_HEIGHT - height) / 2u, bottom = top + height - 1u;
    const uint8_t columns[] = {(uint8_t)(left >> 8), (uint8_t)left, (uint8_t)(right >> 8),
                               (uint8_t)right};
    const uint8_t rows[] = {(uint8_t)(top >> 8), (uint8_t)top, (uint8_t)(bottom >> 8),
                            (uint8_t)bottom};
    send_command(COLUMNS, columns, sizeof columns);
    send_command(ROWS, rows, sizeof rows);
}

/* Begins to send pixels. advance: DMA_ADVANCE, or 0 for one colour. */
static void send_pixels(const uint16_t *from, uint32_t count, uint32_t advance)
{
    send_command(PIXELS, 0, 0);
    set_bits(16);
    DMA_FROM = (uint32_t)from;
    DMA_TO = SPI_DATA_ADDRESS;
    DMA_COUNT = count;
    DMA_CONTROL = DMA_HALFWORDS_TO_SPI_0 | advance;
}

static void open_pins(void)
{
    PINS_SET = BIT(PIN_SELECT) | BIT(PIN_DATA_OR_COMMAND);
    PINS_DRIVE = OUTPUTS;
    GPIO_FUNCTION(PIN_DATA_OR_COMMAND) = FUNCTION_PROGRAM;
    GPIO_FUNCTION(PIN_SELECT) = FUNCTION_PROGRAM;
    GPIO_FUNCTION(PIN_LIGHT) = FUNCTION_PROGRAM;
    GPIO_FUNCTION(PIN_CLOCK) = FUNCTION_SPI;
    GPIO_FUNCTION(PIN_DATA) = FUNCTION_SPI;
    for (uint32_t pin = PIN_A; pin <= PIN_Y; pin++) {
        PAD(pin) = PAD_PULLED_UP;
        GPIO_FUNCTION(pin) = FUNCTION_PROGRAM;
    }
}

static void open_bus(void)
{
    REGISTER(RESETS + CLEAR) = STARTED;
    while ((RESETS_DONE & STARTED) != STARTED)
        continue;
    TICK_OF_TIMER = TICK_OF_12_MHZ;
    open_pins();
    SPI_DIVISOR = 2; /* 125 MHz / 2 */
    set_bits(8);
    SPI_DMA = SPI_SENDS_BY_DMA;
    PINS_CLEAR = BIT(PIN_SELECT); /* nothing else is on the bus */
}

void screen_open(const uint16_t *palette, uint32_t count)
{
    static const uint8_t direction[] = {LANDSCAPE}, format[] = {RGB565};
    static const uint16_t black = 0;
    (void)palette;
    (void)count;
    open_bus();
    send_command(AWAKE, 0, 0);
    wait_until_sent();
    for (uint32_t from = MICROSECONDS; MICROSECONDS - from < AWAKE_AFTER_US;)
        continue;
    send_command(PIXEL_FORMAT, format, sizeof format);
    send_command(DIRECTION, direction, sizeof direction);
    send_command(INVERTED, 0, 0);
    set_window(DISPLAY_WIDTH, DISPLAY_HEIGHT);
    send_pixels(&black, DISPLAY_WIDTH * DISPLAY_HEIGHT, 0);
    set_window(WIDTH, HEIGHT);
    send_command(DISPLAY_ON, 0, 0);
    PINS_SET = BIT(PIN_LIGHT);
    picture.width = WIDTH;
    picture.height = HEIGHT;
    picture.format = STAGE_RGB565;
    picture.pixels = pixels[0];
}

const stage_picture *screen_picture(void)
{
    return &picture;
}

void screen_clear(uint16_t colour)
{
    pixel_pair *pairs = (pixel_pair *)(void *)picture.pixels;
    for (uint32_t i = 0; i < WIDTH * HEIGHT / 2u; i++)
        pairs[i] = (uint32_t)colour << 16 | colour;
}

void screen_show(void)
{
    send_pixels(picture.pixels, WIDTH * HEIGHT, DMA_ADVANCE);
    picture.pixels = picture.pixels == pixels[0] ? pixels[1] : pixels[0];
}

void screen_keep(const char *name)
{
    wait_until_sent();
    semihosting_call(PICO_DEBUG_PICTURE, name);
}

uint32_t screen_buttons(void)
{
    uint32_t now = ~PINS_IN, pressed = now & ~held, means = 0;
    if ((pressed & BIT(PIN_A)) != 0u)
        means |= SCREEN_NEXT;
    if ((pressed & BIT(PIN_B)) != 0u)
        means |= SCREEN_PREVIOUS;
    if ((now & BIT(PIN_X)) != 0u)
        means |= SCREEN_LEFT;
    if ((now & BIT(PIN_Y)) != 0u)
        means |= SCREEN_RIGHT;
    held = now;
    return means;
}

/* Four buttons: A jumps, the others are three directions of a pad. */
uint32_t screen_pad(void)
{
    const uint32_t now = ~PINS_IN;
    return ((now & BIT(PIN_A)) != 0u ? SCREEN_PAD_A : 0u) |
           ((now & BIT(PIN_B)) != 0u ? SCREEN_PAD_LEFT : 0u) |
           ((now & BIT(PIN_X)) != 0u ? SCREEN_PAD_UP : 0u) |
           ((now & BIT(PIN_Y)) != 0u ? SCREEN_PAD_RIGHT : 0u);
}

uint32_t screen_elapsed_us(void)
{
    uint32_t now = MICROSECONDS, passed = now - last_us;
    last_us = now;
    return passed;
}
