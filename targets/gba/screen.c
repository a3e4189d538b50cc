/* SPDX-License-Identifier: MIT */
/* The display of the Game Boy Advance in mode 4: 240 x 160 pixels of a palette, two pages. */
#include "screen.h"
#include "debug.h"
#include "pad.h"
#include "registers.h"

#define MODE_4 0x0404u /* with background 2 */
#define SECOND_PAGE 0x10u
#define PAGE_HALFWORDS 0x5000u
#define DMA_FILL 0x8500u /* words, all from one place, at once */
#define WIDTH 240u
#define HEIGHT 160u
#define LAST_LINE 220u /* after which a change may come too late for line 0, which follows 227 */

static stage_picture picture;
const uint32_t pad_tick_us_q8 = 977u; /* 64 / 16.777216 = 3.8147 */

static void flip_page(void)
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
    flip_page();
    pad_open();
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

/* A picture that is ready while the display begins a new one is shown at once: to wait for the next
 * time would take a frame. */
void screen_show(void)
{
    uint32_t line;
    do
        line = VCOUNT;
    while (line < HEIGHT || line > LAST_LINE);
    DISPCNT ^= SECOND_PAGE;
    flip_page();
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
