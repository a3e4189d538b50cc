/* Console and exit through the messages that the emulators no$gba, DeSmuME and melonDS print, and
 * cycles from two timers. */
#include <stdbool.h>

#include "debug.h"
#include "hal.h"
#include "osc_place.h"

/* Emulators know a message by the first of these instructions, the number behind the second, and
 * print the text that follows until a zero. The processor jumps over it. */
#define MESSAGE_BYTES 120u
__asm__(".section .data.nds_message, \"awx\"\n"
        ".arm\n"
        ".global nds_message, nds_message_text\n"
        "nds_message:\n"
        "    mov r12, r12\n"
        "    b 1f\n"
        "    .hword 0x6464, 0\n"
        "nds_message_text:\n"
        "    .space 120\n"
        "1:  bx lr\n"
        ".text\n");
void nds_message(void);
extern char nds_message_text[MESSAGE_BYTES];

/* Tells messages from what else the emulator prints. */
#define BEGIN 1
#define END 2

/* Timer 3 counts how often timer 2 overflows. They count at half the processor's rate. */
#define TIMER_2 ((volatile uint16_t *)0x04000108u)
#define TIMER_3 ((volatile uint16_t *)0x0400010cu)
enum { TIMER_COUNT, TIMER_CONTROL };
#define TIMER_START 0x80u
#define TIMER_CASCADE 4u
#define CYCLES_A_TICK 2u

const char hal_unit[] = "cycles";

void nds_debug(char kind, const char *text)
{
    while (*text != 0) {
        volatile char *to = nds_message_text;
        *to++ = BEGIN;
        *to++ = kind;
        while (*text != 0 && to < nds_message_text + MESSAGE_BYTES - 2)
            *to++ = *text++;
        *to++ = END;
        *to = 0;
        nds_message();
    }
}

/* Equal pixels after each other are four letters: how many, red, green and blue. */
void nds_keep(const uint16_t *pixels, const char *name)
{
    char row[4u * NDS_WIDTH + 1u];
    for (const uint16_t *end = pixels + NDS_WIDTH * NDS_HEIGHT; pixels != end;) {
        char *to = row;
        for (const uint16_t *row_end = pixels + NDS_WIDTH; pixels != row_end;) {
            uint32_t pixel = *pixels & 0x7fffu, count = 0;
            while (pixels != row_end && (*pixels & 0x7fffu) == pixel && count < NDS_MOST_EQUAL) {
                pixels++;
                count++;
            }
            *to++ = (char)(NDS_ZERO + count);
            for (uint32_t channel = 0; channel < 3u; channel++)
                *to++ = (char)(NDS_ZERO + (pixel >> (5u * channel) & 31u));
        }
        *to = 0;
        nds_debug(NDS_DEBUG_ROW, row);
    }
    nds_debug(NDS_DEBUG_PICTURE, name);
}

void hal_write(const char *text)
{
    nds_debug(NDS_DEBUG_TEXT, text);
}

void hal_exit(int code)
{
    const char digits[] = {(char)('0' + (code & 255) / 100), (char)('0' + (code & 255) / 10 % 10),
                           (char)('0' + (code & 255) % 10), 0};
    for (;;) /* again and again: emulators keep some of what they print until there is more */
        nds_debug(NDS_DEBUG_EXIT, digits);
}

/* Called as it stands, never inlined or specialised, and without the caches: what the two functions
 * cost between their readings is then the same for calibration, which takes it off, and for
 * everybody else. */
#define PLAIN_CALL __attribute__((noipa)) OSC_HOT

OSC_HOT_DATA static uint32_t empty_ticks = 0;
OSC_HOT_DATA static bool calibrated = false;

PLAIN_CALL void hal_ticks_start(void)
{
    TIMER_2[TIMER_CONTROL] = TIMER_3[TIMER_CONTROL] = 0;
    TIMER_2[TIMER_COUNT] = TIMER_3[TIMER_COUNT] = 0;
    TIMER_3[TIMER_CONTROL] = TIMER_START | TIMER_CASCADE;
    TIMER_2[TIMER_CONTROL] = TIMER_START;
}

PLAIN_CALL uint32_t hal_instructions(void)
{
    TIMER_2[TIMER_CONTROL] = 0;
    uint32_t ticks = (uint32_t)TIMER_3[TIMER_COUNT] << 16 | TIMER_2[TIMER_COUNT];
    if (!calibrated) {
        calibrated = true;
        hal_ticks_start();
        empty_ticks = hal_instructions() / CYCLES_A_TICK;
    }
    return (ticks - empty_ticks) * CYCLES_A_TICK;
}
