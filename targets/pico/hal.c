/* SPDX-License-Identifier: MIT */
/* Raspberry Pi Pico: clocks, the console on UART 0 (GPIO 0, 115200 baud), cycles from SysTick.
 * The end of a program is a semihosting call, which emulators and debuggers answer. */
#include <stdbool.h>

#include "../bare_metal/semihosting.h"
#include "../bare_metal/stack_guard.h"
#include "../cortex_m/systick.h"
#include "hal.h"
#include "registers.h"

#define RESET_IO (1u << 5)
#define RESET_PADS (1u << 8)
#define RESET_PLL (1u << 12)
#define RESET_UART (1u << 22)
#define STARTED (RESET_IO | RESET_PADS | RESET_PLL | RESET_UART)

#define XOSC_CONTROL REGISTER(0x40024000u)
#define XOSC_STATUS REGISTER(0x40024004u)
#define XOSC_DELAY REGISTER(0x4002400cu)
#define XOSC_ENABLE 0xfabaa0u /* a crystal of 1 to 15 MHz */
#define XOSC_STABLE 0x80000000u
#define XOSC_MILLISECOND 47u /* in 256 turns of 12 MHz */

#define PLL_STATUS REGISTER(0x40028000u)
#define PLL_POWER 0x40028004u
#define PLL_TIMES REGISTER(0x40028008u)
#define PLL_DIVIDE REGISTER(0x4002800cu)
#define PLL_LOCKED 0x80000000u
#define PLL_POWER_OFF 0x21u /* of itself and its oscillator */
#define PLL_DIVIDE_OFF 8u

#define CLOCK_REFERENCE REGISTER(0x40008030u)
#define CLOCK_REFERENCE_IS REGISTER(0x40008038u)
#define CLOCK_SYSTEM REGISTER(0x4000803cu)
#define CLOCK_SYSTEM_IS REGISTER(0x40008044u)
#define CLOCK_PERIPHERAL REGISTER(0x40008048u)
#define CLOCK_FROM_XOSC 2u
#define CLOCK_FROM_PLL 1u
#define CLOCK_ON (1u << 11)

#define UART_PIN 0u
#define UART_DATA REGISTER(0x40034000u)
#define UART_FLAGS REGISTER(0x40034018u)
#define UART_DIVISOR REGISTER(0x40034024u)
#define UART_FRACTION REGISTER(0x40034028u)
#define UART_LINE REGISTER(0x4003402cu)
#define UART_CONTROL REGISTER(0x40034030u)
#define UART_FULL (1u << 5)
#define UART_BUSY (1u << 3)
#define UART_8_BITS 0x70u
#define UART_ON 0x301u

const char hal_unit[] = "cycles";

/* 12 MHz * 125 / 6 / 2 = 125 MHz, for the processor and what is around it. */
static void start_clocks(void)
{
    XOSC_DELAY = XOSC_MILLISECOND;
    XOSC_CONTROL = XOSC_ENABLE;
    while ((XOSC_STATUS & XOSC_STABLE) == 0u)
        continue;
    CLOCK_REFERENCE = CLOCK_FROM_XOSC;
    while (CLOCK_REFERENCE_IS != 1u << CLOCK_FROM_XOSC)
        continue;
    PLL_STATUS = 1;
    PLL_TIMES = 125;
    REGISTER(PLL_POWER + CLEAR) = PLL_POWER_OFF;
    while ((PLL_STATUS & PLL_LOCKED) == 0u)
        continue;
    PLL_DIVIDE = 6u << 16 | 2u << 12;
    REGISTER(PLL_POWER + CLEAR) = PLL_DIVIDE_OFF;
    CLOCK_SYSTEM = CLOCK_FROM_PLL;
    while (CLOCK_SYSTEM_IS != 1u << CLOCK_FROM_PLL)
        continue;
    CLOCK_PERIPHERAL = CLOCK_ON;
}

void start_board(void);
void start_board(void)
{
    REGISTER(RESETS + CLEAR) = STARTED;
    while ((RESETS_DONE & RESET_PLL) == 0u)
        continue;
    start_clocks();
    while ((RESETS_DONE & STARTED) != STARTED) /* some need the clocks */
        continue;
    GPIO_FUNCTION(UART_PIN) = FUNCTION_UART;
    UART_DIVISOR = 67; /* 125 MHz / 16 / 115200 = 67 + 52 / 64 */
    UART_FRACTION = 52;
    UART_LINE = UART_8_BITS;
    UART_CONTROL = UART_ON;
}

void hal_write(const char *text)
{
    while (*text != 0) {
        while ((UART_FLAGS & UART_FULL) != 0u)
            continue;
        UART_DATA = (uint8_t)*text++;
    }
}

void hal_exit(int code)
{
    const uintptr_t block[2] = {SEMIHOSTING_APPLICATION_EXIT,
                                (uintptr_t)stack_guard_exit_code(code)};
    while ((UART_FLAGS & UART_BUSY) != 0u)
        continue;
    semihosting_call(SEMIHOSTING_EXIT_EXTENDED, block);
    for (;;)
        continue;
}

/* Called as it stands, never inlined or specialised: what the two functions cost between their
 * readings is then the same for calibration, which takes it off, and for everybody else. */
#define PLAIN_CALL __attribute__((noipa))

static uint32_t begin_ticks, empty_ticks;
static bool calibrated;

PLAIN_CALL void hal_ticks_start(void)
{
    SYSTICK_CONTROL = 0;
    SYSTICK_RELOAD = SYSTICK_RANGE;
    SYSTICK_VALUE = 0;
    SYSTICK_CONTROL = SYSTICK_RUN;
    while (SYSTICK_VALUE == 0u) /* it reloads at the first tick */
        continue;
    (void)SYSTICK_CONTROL; /* reading clears the wrapped flag */
    begin_ticks = SYSTICK_VALUE;
}

PLAIN_CALL uint32_t hal_instructions(void)
{
    uint32_t ticks = begin_ticks - SYSTICK_VALUE; /* it counts down */
    bool wrapped = (SYSTICK_CONTROL & SYSTICK_WRAPPED) != 0u;
    if (!calibrated) {
        calibrated = true;
        hal_ticks_start();
        empty_ticks = hal_instructions();
    }
    return wrapped ? HAL_UNKNOWN : ticks - empty_ticks;
}
