/* A Game Boy Advance as targets/gba sees it: registers with their effects, time that passes with
 * each access to one, video memory. It is included before the code under test. */
#ifndef MOCK_GBA_H
#define MOCK_GBA_H

#include <stdbool.h>
#include <stdint.h>

#define MOCK_LINE_CYCLES 1232u
#define MOCK_LINES 228u
#define MOCK_FIRST_HIDDEN 160u
#define MOCK_PAGE_HALFWORDS 0x5000u
#define MOCK_TEXT_BYTES 2048u

typedef struct mock_gba {
    uint32_t access_cycles; /* that pass with each access to a register */
    uint32_t keys;          /* those that are held, by the bits of KEYINPUT */
    uint16_t palette[256];
    uint16_t pages[2][MOCK_PAGE_HALFWORDS] __attribute__((aligned(4)));
    uint32_t shown;                 /* the page that the display shows */
    uint32_t changes, changed_line; /* how often DISPCNT was changed, and in which line */
    uint32_t fills;                 /* of DMA 3 */
    char text[MOCK_TEXT_BYTES];     /* what was sent to the debug registers */
    uint32_t sent, longest, level;  /* in how many pieces, the longest, and the level of the last */
} mock_gba;

extern mock_gba mock;

/* As the console is when it is turned on. */
void mock_reset(void);

/* Lets time pass. */
void mock_pass(uint64_t cycles);

/* Cycles until timer 0 begins again, which counts every 64. */
uint64_t mock_until_overflow(void);

/* The line that the display draws now. */
uint32_t mock_line(void);

/* Gives the last write its effect; every access to a register does so first. */
void mock_settle(void);

/* The place of an address of the console. */
uintptr_t mock_address(uint32_t address);
#define GBA_ADDRESS(address) mock_address(address)

#endif
