/* SPDX-License-Identifier: MIT */
/* From reset to main: the vector table, memory as C expects it, and faults that are seen. */
#include "../bare_metal/fault.h"
#include "../bare_metal/stack_guard.h"
#include "hal.h"

#define CPACR (*(volatile uint32_t *)0xe000ed88u)
#define CPACR_FPU (0xfu << 20)
#define CCR (*(volatile uint32_t *)0xe000ed14u)
#define CCR_UNALIGN_TRP 8u

extern uint32_t link_data_start[], link_data_end[], link_bss_start[], link_bss_end[];
extern const uint32_t link_data_load[];
extern uint32_t link_stack_top[];

int main(void);
void reset(void);

__attribute__((noreturn)) static void fault(void)
{
    uint32_t number;
    __asm__ volatile("mrs %0, ipsr" : "=r"(number));
    fault_exit(number);
}

/* Address 0: initial stack pointer, reset, and every exception up to SysTick. */
typedef void (*vector)(void);
__attribute__((section(".vectors"), used)) static const vector vectors[16] = {
    (vector)(uintptr_t)link_stack_top,
    reset,
    fault,
    fault,
    fault,
    fault,
    fault,
    fault,
    fault,
    fault,
    fault,
    fault,
    fault,
    fault,
    fault,
    fault};

/* A board that has more to start than its core, such as clocks, defines it. */
void start_board(void);
__attribute__((weak)) void start_board(void)
{
}

static void start_core(void)
{
#if defined(__ARM_FP)
    CPACR |= CPACR_FPU;
    __asm__ volatile("dsb\n isb");
#endif
#if __ARM_ARCH >= 7
    /* the smallest cores have no unaligned access: let the larger ones find it, too */
    CCR |= CCR_UNALIGN_TRP;
#endif
}

__attribute__((used, noreturn)) void reset(void)
{
    const uint32_t *load = link_data_load;
    for (uint32_t *word = link_data_start; word < link_data_end; word++)
        *word = *load++;
    for (uint32_t *word = link_bss_start; word < link_bss_end; word++)
        *word = 0;
    start_core();
    stack_guard_paint();
    start_board();
    hal_exit(main());
}
