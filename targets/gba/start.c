/* SPDX-License-Identifier: MIT */
/* The cartridge's header, and the way from there to main: stack, wait states, memory as C expects
 * it. */
#include "../bare_metal/stack_guard.h"
#include "hal.h"
#include "registers.h"

/* The complement makes the bytes 0xa0..0xbd and 0x19 add up to 0: whoever changes the title changes
 * it, too. */
__asm__(".section .cartridge, \"ax\"\n"
        ".arm\n"
        ".global cartridge\n"
        "cartridge:\n"
        "    b reset\n"
        "    .fill 156, 1, 0\n" /* the logo, see codegen/ossicle/machines/images.py */
        "    .ascii \"OSSICLE\\0\\0\\0\\0\\0\"\n" /* title */
        "    .ascii \"AOSE00\"\n"                 /* game and maker */
        "    .byte 0x96\n"
        "    .fill 9, 1, 0\n"
        "    .byte 0\n"    /* version */
        "    .byte 0xb7\n" /* complement */
        "    .fill 2, 1, 0\n"
        "reset:\n"
        "    mov r0, #0x1f\n" /* system mode, without interrupts until a program asks for them */
        "    msr cpsr_c, r0\n"
        "    ldr sp, =link_stack_top\n"
        "    ldr r0, =start_c\n"
        "    bx r0\n"
        ".ltorg\n"
        ".text\n");

#define WAITCNT_OF_GAMES 0x4317u /* cartridge: 3 and 1 wait states, prefetch */

extern uint32_t link_data_start[], link_data_end[], link_bss_start[], link_bss_end[];
extern uint32_t link_fast_start[], link_fast_end[];
extern const uint32_t link_data_load[], link_fast_load[];

int main(void);
__attribute__((noreturn)) void start_c(void);

static void load(uint32_t *to, const uint32_t *end, const uint32_t *from)
{
    while (to < end)
        *to++ = *from++;
}

static void clear(uint32_t *from, const uint32_t *end)
{
    for (volatile uint32_t *word = from; word < end; word++)
        *word = 0;
}

void start_c(void)
{
    WAITCNT = WAITCNT_OF_GAMES;
    load(link_fast_start, link_fast_end, link_fast_load);
    load(link_data_start, link_data_end, link_data_load);
    clear(link_bss_start, link_bss_end);
    stack_guard_paint();
    hal_exit(main());
}
