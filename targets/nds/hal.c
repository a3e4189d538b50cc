/* SPDX-License-Identifier: MIT */
/* Console and exit through the messages that the emulators no$gba, DeSmuME and melonDS print, and
 * cycles from two timers. */
#include "../bare_metal/stack_guard.h"
#include "debug.h"
#include "port/osc_fast_memory.h"

/* The timers run at half the processor's rate. In fast memory the two functions cost the same
 * whatever the caches hold. */
#define HAL_TICK_CYCLES 2u
#define HAL_TICKS_CODE OSC_HOT
#define HAL_TICKS_DATA OSC_HOT_DATA
#include "../gba/hal_ticks.h"

/* Emulators recognise a message by the first instruction and the number behind the second, and
 * print the text up to a zero. The processor jumps over it. */
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

/* Mark the messages in the output of the emulator. */
#define BEGIN 1
#define END 2

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

/* Four letters stand for a run of equal pixels: its length, red, green and blue. */
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
    code = stack_guard_exit_code(code);
    const char digits[] = {(char)('0' + (code & 255) / 100), (char)('0' + (code & 255) / 10 % 10),
                           (char)('0' + (code & 255) % 10), 0};
    for (;;) /* repeated, because emulators buffer their output */
        nds_debug(NDS_DEBUG_EXIT, digits);
}
