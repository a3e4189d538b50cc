/* SPDX-License-Identifier: MIT */
/* The upper display of the Nintendo DS: 256 x 192 pixels of RGB555, two pages in video memory A and
 * B. */
#include "screen.h"
#include "../gba/pad.h"
#include "debug.h"

#define REGISTER(address) (*(volatile uint16_t *)(address))
#define DISPCNT (*(volatile uint32_t *)0x04000000u)
#define VCOUNT REGISTER(0x04000006u)
#define DMA_3_FROM (*(volatile uint32_t *)0x040000d4u)
#define DMA_3_TO (*(uint16_t *volatile *)0x040000d8u)
#define DMA_3_CONTROL (*(volatile uint32_t *)0x040000dcu)
#define DMA_3_FILL (*(volatile uint32_t *)0x040000ecu) /* what it fills memory with */
#define DMA_3_FILL_ADDRESS 0x040000ecu
#define VRAMCNT_A_AND_B REGISTER(0x04000240u)
#define POWCNT1 REGISTER(0x04000304u)
#define PAGES ((uint16_t *)0x06800000u)

#define POWER 0x8003u   /* both displays, graphics of the upper one */
#define LCD 0x8080u     /* both banks are plain memory */
#define PAGE_A 0x20000u /* shown as it lies in memory */
#define PAGE_B 0x40000u /* to be added */
#define PAGE_HALFWORDS 0x10000u
#define DMA_FILL 0x85000000u /* words, all from one place, at once */
#define DMA_ON 0x80000000u

static stage_picture picture;
const uint32_t pad_tick_us_q8 = 489u; /* 64 / 33.513982 = 1.9097 */

static void flip_page(void)
{
    picture.pixels = PAGES + ((DISPCNT & PAGE_B) != 0u ? 0u : PAGE_HALFWORDS);
}

void screen_open(const uint16_t *palette, uint32_t count)
{
    (void)palette;
    (void)count;
    picture.width = NDS_WIDTH;
    picture.height = NDS_HEIGHT;
    picture.format = STAGE_RGB555;
    POWCNT1 = POWER;
    VRAMCNT_A_AND_B = LCD;
    DISPCNT = PAGE_A;
    flip_page();
    pad_open();
}

const stage_picture *screen_picture(void)
{
    return &picture;
}

void screen_clear(uint16_t colour)
{
    DMA_3_FILL = (uint32_t)colour << 16 | colour;
    DMA_3_FROM = DMA_3_FILL_ADDRESS;
    DMA_3_TO = picture.pixels;
    DMA_3_CONTROL = DMA_FILL | NDS_WIDTH * NDS_HEIGHT / 2u;
    while ((DMA_3_CONTROL & DMA_ON) != 0u)
        continue;
}

void screen_show(void)
{
    while (VCOUNT >= NDS_HEIGHT)
        continue;
    while (VCOUNT < NDS_HEIGHT)
        continue;
    DISPCNT ^= PAGE_B;
    flip_page();
}

void screen_keep(const char *name)
{
    nds_keep(PAGES + ((DISPCNT & PAGE_B) != 0u ? PAGE_HALFWORDS : 0u), name);
}
