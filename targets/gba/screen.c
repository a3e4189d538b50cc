/* The display of the Game Boy Advance in mode 4: 240 x 160 pixels of a palette, two pages. */
#include "screen.h"
#include "debug.h"
#include "registers.h"

#define MODE_4 0x0404u /* with background 2 */
#define SECOND_PAGE 0x10u
#define PAGE_HALFWORDS 0x5000u
#define DMA_FILL 0x8500u /* words, all from one place, at once */
#define WIDTH 240u
#define HEIGHT 160u
#define KEYS 0x3ffu
enum { KEY_A = 1, KEY_B = 2, KEY_SELECT = 4, KEY_START = 8, KEY_R = 256, KEY_L = 512 };
enum { KEY_RIGHT = 16, KEY_LEFT = 32, KEY_UP = 64, KEY_DOWN = 128 };

static stage_picture picture;
static uint32_t held, last_count;

static void turn_over(void)
{
    picture.pixels = PAGES + ((DISPCNT & SECOND_PAGE) != 0u ? 0u : PAGE_HALFWORDS);
}

void screen_open(const uint16_t *palette, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        PALETTE[i] = palette[i];
    picture.width = WIDTH;
    picture.height = HEIGHT;
    picture.format = STAGE_PALETTE;
    DISPCNT = MODE_4;
    turn_over();
    TIMER_CONTROL(1) = TIMER_ON | TIMER_CASCADE;
    TIMER_CONTROL(0) = TIMER_ON | TIMER_OF_64;
}

const stage_picture *screen_picture(void)
{
    return &picture;
}

void screen_clear(uint16_t colour)
{
    volatile uint32_t words = (uint32_t)colour << 16 | colour;
    DMA_3_FROM = &words;
    DMA_3_TO = picture.pixels;
    DMA_3_COUNT = WIDTH * HEIGHT / 4u;
    DMA_3_CONTROL = DMA_FILL;
}

void screen_show(void)
{
    while (VCOUNT >= HEIGHT)
        continue;
    while (VCOUNT < HEIGHT)
        continue;
    DISPCNT ^= SECOND_PAGE;
    turn_over();
}

/* The picture is on the display once a whole frame of it has been sent there. */
void screen_keep(const char *name)
{
    while (VCOUNT >= HEIGHT)
        continue;
    while (VCOUNT < HEIGHT)
        continue;
    gba_debug(GBA_DEBUG_PICTURE, name);
}

uint32_t screen_buttons(void)
{
    static const struct {
        uint16_t keys, means;
        bool repeats;
    } buttons[] = {
        {KEY_START | KEY_A, SCREEN_NEXT, false}, {KEY_SELECT | KEY_B, SCREEN_PREVIOUS, false},
        {KEY_UP, SCREEN_FASTER, false},          {KEY_DOWN, SCREEN_SLOWER, false},
        {KEY_LEFT | KEY_L, SCREEN_LEFT, true},   {KEY_RIGHT | KEY_R, SCREEN_RIGHT, true},
    };
    uint32_t now = ~(uint32_t)KEYINPUT & KEYS, pressed = 0;
    for (uint32_t i = 0; i < sizeof buttons / sizeof *buttons; i++)
        if ((now & (buttons[i].repeats ? KEYS : ~held) & buttons[i].keys) != 0u)
            pressed |= buttons[i].means;
    held = now;
    return pressed;
}

uint32_t screen_elapsed_us(void)
{
    uint32_t high, low;
    do {
        high = TIMER_COUNT(1);
        low = TIMER_COUNT(0);
    } while (high != TIMER_COUNT(1));
    uint32_t count = high << 16 | low, passed = count - last_count;
    last_count = count;
    /* 64 / 16.777216 = 3.8147; in parts, for a product would be too large after a minute */
    return passed * 3u + (passed >> 8) * 209u + (((passed & 255u) * 209u) >> 8);
}
