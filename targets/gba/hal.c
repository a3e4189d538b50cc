/* SPDX-License-Identifier: MIT */
/* Console and exit through the debug registers of the emulator mGBA, and cycles from two timers. On
 * the console, nothing listens to the registers. */
#include "../bare_metal/stack_guard.h"
#include "debug.h"
#include "registers.h"

#define HAL_TICK_CYCLES 1u
#define HAL_TICKS_CODE
#define HAL_TICKS_DATA
#include "hal_ticks.h"

#define DEBUG_TEXT_BYTES 256u
#define DEBUG_MAGIC 0xc0deu
#define DEBUG_SEND 0x100u /* and a level */

void gba_debug(uint32_t level, const char *text)
{
    DEBUG_ENABLE = DEBUG_MAGIC;
    while (*text != 0) {
        uint32_t i = 0;
        for (; i < DEBUG_TEXT_BYTES - 1u && *text != 0; i++)
            DEBUG_TEXT[i] = *text++;
        DEBUG_TEXT[i] = 0;
        DEBUG_FLAGS = (uint16_t)(DEBUG_SEND | level);
    }
}

void hal_write(const char *text)
{
    gba_debug(GBA_DEBUG_TEXT, text);
}

void hal_exit(int code)
{
    code = stack_guard_exit_code(code);
    const char digits[] = {(char)('0' + (code & 255) / 100), (char)('0' + (code & 255) / 10 % 10),
                           (char)('0' + (code & 255) % 10), 0};
    gba_debug(GBA_DEBUG_EXIT, digits);
    for (;;)
        continue;
}
