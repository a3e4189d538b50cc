/* A display with an ST7789 on a serial bus, and four buttons, wired as on Pimoroni's Pico Display. DMA
 * sends a picture of 240 x 160 pixels while the next one is drawn. */
#include "screen.h"
#include "../bare_metal/semihosting.h"

#define REGISTER(address) (*(volatile uint32_t *)(address))
#define SET 0x2000u   /* added to a register's address: sets the bits that are written */
#define CLEAR 0x3000u /* clears them */

#define RESETS 0x4000c000u
#define RESETS_DONE REGISTER(RESETS + 8u)
#define RESET_DMA (1u << 2)
#define RESET_SPI (1u << 16)
#define RESET_TIMER (1u << 21)
#define STARTED (RESET_DMA | RESET_SPI | RESET_TIMER)
#define WATCHDOG_TICK REGISTER(0x4005802cu)
#define TICK_A_MICROSECOND (1u << 9 | 12u) /* of the crystal's 12 MHz */
#define TIME_US REGISTER(0x40054028u)

#define PIN_FUNCTION(pin) REGISTER(0x40014004u + 8u * (pin))
#define PIN_PAD(pin) REGISTER(0x4001c004u + 4u * (pin))
#define FUNCTION_SPI 1u
#define FUNCTION_PLAIN 5u
#define PAD_INPUT_PULLED_UP 0x48u
#define PIN_IN REGISTER(0xd0000004u)
#define PIN_SET REGISTER(0xd0000014u)
#define PIN_CLEAR REGISTER(0xd0000018u)
#define PIN_DRIVEN_SET REGISTER(0xd0000024u)

#define SPI_CONTROL REGISTER(0x4003c000u)
#define SPI_ON REGISTER(0x4003c004u)
#define SPI_DATA REGISTER(0x4003c008u)
#define SPI_STATUS REGISTER(0x4003c00cu)
#define SPI_PRESCALE REGISTER(0x4003c010u)
#define SPI_DMA REGISTER(0x4003c024u)
#define SPI_NOT_FULL 2u
#define SPI_BUSY 16u
#define SPI_OF_8_BITS 7u
#define SPI_OF_16_BITS 15u

#define DMA(channel, index) REGISTER(0x50000000u + 0x40u * (channel) + 4u * (index))
enum { DMA_FROM, DMA_TO, DMA_COUNT, DMA_START };
enum { SENDS, FILLS }; /* channels, chained to themselves, which is to none */
#define DMA_SEND (1u | 1u << 2 | 1u << 4 | SENDS << 11 | 16u << 15)  /* halfwords, as the bus asks */
#define DMA_FILL (1u | 2u << 2 | 1u << 5 | FILLS << 11 | 0x3fu << 15) /* words, from one place, at once */
#define DMA_BUSY (1u << 24)

enum { PIN_A = 12, PIN_B, PIN_X, PIN_Y, PIN_COMMAND, PIN_SELECT, PIN_CLOCK, PIN_SENT, PIN_LIGHT };

#define WIDTH 240u
#define HEIGHT 160u
#define PANEL 240u /* pixels in each direction; the picture lies in the middle */
#define BLACK 0u
#define KEEP 0x101u /* a semihosting call of its own: the emulator saves the picture with this name */

/* Commands of the ST7789. */
enum { RESET = 0x01, WAKE = 0x11, INVERT = 0x21, SHOW = 0x29, COLUMNS = 0x2a, ROWS = 0x2b, PIXELS = 0x2c, FORMAT = 0x3a };
#define FORMAT_RGB565 0x55u
#define SETTLE_US 5000u

static uint16_t pages[2][WIDTH * HEIGHT] __attribute__((aligned(4)));
static stage_picture picture;
static uint32_t held, last_us;

static void wait_for_bus(void)
{
    while ((DMA(SENDS, DMA_START) & DMA_BUSY) != 0u)
        continue;
    while ((SPI_STATUS & SPI_BUSY) != 0u)
        continue;
}

static void send(uint32_t value)
{
    while ((SPI_STATUS & SPI_NOT_FULL) == 0u)
        continue;
    SPI_DATA = value;
}

static void command(uint32_t code)
{
    wait_for_bus();
    SPI_CONTROL = SPI_OF_8_BITS;
    PIN_CLEAR = 1u << PIN_COMMAND;
    send(code);
    wait_for_bus();
    PIN_SET = 1u << PIN_COMMAND;
}

static void command_range(uint32_t code, uint32_t first, uint32_t last)
{
    command(code);
    SPI_CONTROL = SPI_OF_16_BITS;
    send(first);
    send(last);
}

static void pause_us(uint32_t microseconds)
{
    for (uint32_t from = TIME_US; TIME_US - from < microseconds;)
        continue;
}

static void start_parts(void)
{
    REGISTER(RESETS + CLEAR) = STARTED;
    while ((RESETS_DONE & STARTED) != STARTED)
        continue;
    WATCHDOG_TICK = TICK_A_MICROSECOND;
    PIN_FUNCTION(PIN_CLOCK) = PIN_FUNCTION(PIN_SENT) = FUNCTION_SPI;
    PIN_FUNCTION(PIN_COMMAND) = PIN_FUNCTION(PIN_SELECT) = PIN_FUNCTION(PIN_LIGHT) = FUNCTION_PLAIN;
    PIN_DRIVEN_SET = 1u << PIN_COMMAND | 1u << PIN_SELECT | 1u << PIN_LIGHT;
    for (uint32_t pin = PIN_A; pin <= PIN_Y; pin++) {
        PIN_FUNCTION(pin) = FUNCTION_PLAIN;
        PIN_PAD(pin) = PAD_INPUT_PULLED_UP;
    }
    SPI_PRESCALE = 2; /* 125 MHz / 2, the most that there is */
    SPI_DMA = 2;      /* of what is sent */
    SPI_ON = 2;
    PIN_CLEAR = 1u << PIN_SELECT; /* for good: nobody else is on the bus */
}

static void start_display(void)
{
    command(RESET);
    pause_us(SETTLE_US);
    command(WAKE);
    pause_us(SETTLE_US);
    command(FORMAT);
    send(FORMAT_RGB565);
    command(INVERT); /* these panels show the opposite */
    command_range(COLUMNS, 0, PANEL - 1u);
    command_range(ROWS, 0, PANEL - 1u);
    command(PIXELS);
    SPI_CONTROL = SPI_OF_16_BITS;
    for (uint32_t pixel = 0; pixel < PANEL * PANEL; pixel++)
        send(BLACK);
    command_range(ROWS, (PANEL - HEIGHT) / 2u, (PANEL + HEIGHT) / 2u - 1u);
    command(SHOW);
    PIN_SET = 1u << PIN_LIGHT;
}

void screen_open(const uint16_t *palette, uint32_t count)
{
    (void)palette;
    (void)count;
    picture.width = WIDTH;
    picture.height = HEIGHT;
    picture.format = STAGE_RGB565;
    picture.pixels = pages[0];
    start_parts();
    start_display();
    last_us = TIME_US;
}

const stage_picture *screen_picture(void)
{
    return &picture;
}

void screen_clear(uint16_t colour)
{
    volatile uint32_t words = (uint32_t)colour << 16 | colour;
    DMA(FILLS, DMA_FROM) = (uint32_t)(uintptr_t)&words;
    DMA(FILLS, DMA_TO) = (uint32_t)(uintptr_t)picture.pixels;
    DMA(FILLS, DMA_COUNT) = WIDTH * HEIGHT / 2u;
    DMA(FILLS, DMA_START) = DMA_FILL;
    while ((DMA(FILLS, DMA_START) & DMA_BUSY) != 0u)
        continue;
}

void screen_show(void)
{
    command(PIXELS);
    SPI_CONTROL = SPI_OF_16_BITS;
    DMA(SENDS, DMA_FROM) = (uint32_t)(uintptr_t)picture.pixels;
    DMA(SENDS, DMA_TO) = (uint32_t)(uintptr_t)&SPI_DATA;
    DMA(SENDS, DMA_COUNT) = WIDTH * HEIGHT;
    DMA(SENDS, DMA_START) = DMA_SEND;
    picture.pixels = pages[picture.pixels == pages[0]];
}

void screen_keep(const char *name)
{
    wait_for_bus();
    semihosting_call(KEEP, name);
}

uint32_t screen_buttons(void)
{
    static const struct {
        uint8_t pin, means;
    } buttons[] = {{PIN_A, SCREEN_NEXT}, {PIN_B, SCREEN_PREVIOUS}, {PIN_X, SCREEN_LEFT}, {PIN_Y, SCREEN_RIGHT}};
    uint32_t now = 0, pressed;
    for (uint32_t i = 0; i < sizeof buttons / sizeof *buttons; i++)
        if ((PIN_IN >> buttons[i].pin & 1u) == 0u)
            now |= buttons[i].means;
    pressed = now & ~(held & (SCREEN_NEXT | SCREEN_PREVIOUS));
    held = now;
    return pressed;
}

uint32_t screen_elapsed_us(void)
{
    uint32_t now = TIME_US, passed = now - last_us;
    last_us = now;
    return passed;
}
