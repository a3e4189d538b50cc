/* SPDX-License-Identifier: MIT */
/* The registers and memories of the Game Boy Advance that targets/gba uses. */
#ifndef GBA_REGISTERS_H
#define GBA_REGISTERS_H

#include <stdint.h>

/* The memory at an address. The tests in tests/hal run on a PC and have another place for each. */
#if !defined(GBA_ADDRESS)
#define GBA_ADDRESS(address) ((uintptr_t)(address))
#endif
#define GBA_REGISTER(address) (*(volatile uint16_t *)GBA_ADDRESS(address))

#define DISPCNT GBA_REGISTER(0x04000000u)
#define VCOUNT GBA_REGISTER(0x04000006u)
#define DMA_3_FROM (*(const volatile uint32_t *volatile *)GBA_ADDRESS(0x040000d4u))
#define DMA_3_TO (*(uint16_t *volatile *)GBA_ADDRESS(0x040000d8u))
#define DMA_3_COUNT GBA_REGISTER(0x040000dcu)
#define DMA_3_CONTROL GBA_REGISTER(0x040000deu)
#define TIMER_COUNT(timer) GBA_REGISTER(0x04000100u + 4u * (timer))
#define TIMER_CONTROL(timer) GBA_REGISTER(0x04000102u + 4u * (timer))
#define TIMER_OF_64 1u   /* counts every 64 cycles, which are 3.81 microseconds */
#define TIMER_CASCADE 4u /* counts how often the timer before it overflows */
#define TIMER_ON 0x80u
#define KEYINPUT GBA_REGISTER(0x04000130u)
#define WAITCNT GBA_REGISTER(0x04000204u)
#define PALETTE ((volatile uint16_t *)GBA_ADDRESS(0x05000000u))
#define PAGES ((uint16_t *)GBA_ADDRESS(0x06000000u))

/* Of mGBA; see debug.h. */
#define DEBUG_TEXT ((volatile char *)GBA_ADDRESS(0x04fff600u))
#define DEBUG_FLAGS GBA_REGISTER(0x04fff700u)
#define DEBUG_ENABLE GBA_REGISTER(0x04fff780u)

#endif
