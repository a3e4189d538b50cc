/* Console and exit through the debug registers of the emulator mGBA, and cycles from two timers. On
 * the console, nothing listens to the registers. */
#include <stdbool.h>

#include "debug.h"
#include "hal.h"
#include "registers.h"

#define DEBUG_TEXT_BYTES 256u
#define DEBUG_MAGIC 0xc0deu
#define DEBUG_SEND 0x100u /* and a level */

const char hal_unit[] = "cycles";

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
    const char digits[] = {(char)('0' + (code & 255) / 100), (char)('0' + (code & 255) / 10 % 10),
                           (char)('0' + (code & 255) % 10), 0};
    gba_debug(GBA_DEBUG_EXIT, digits);
    for (;;)
        continue;
}

/* Called as it stands, never inlined or specialised: what the two functions cost between their
 * readings is then the same for calibration, which takes it off, and for everybody else. */
#define PLAIN_CALL __attribute__((noipa))

static uint32_t empty_cycles;
static bool calibrated;

PLAIN_CALL void hal_ticks_start(void)
{
    TIMER_CONTROL(2) = TIMER_CONTROL(3) = 0;
    TIMER_COUNT(2) = TIMER_COUNT(3) = 0;
    TIMER_CONTROL(3) = TIMER_ON | TIMER_CASCADE;
    TIMER_CONTROL(2) = TIMER_ON;
}

PLAIN_CALL uint32_t hal_instructions(void)
{
    TIMER_CONTROL(2) = 0;
    uint32_t cycles = (uint32_t)TIMER_COUNT(3) << 16 | TIMER_COUNT(2);
    if (!calibrated) {
        calibrated = true;
        hal_ticks_start();
        empty_cycles = hal_instructions();
    }
    return cycles - empty_cycles;
}
