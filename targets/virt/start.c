/* SPDX-License-Identifier: MIT */
/* From the entry point to main on the A-profile cores of QEMU's board `virt`: stack, vector unit,
 * memory as C expects it, and faults that are seen. */
#include "../bare_metal/fault.h"
#include "../bare_metal/stack_guard.h"
#include "hal.h"

extern uint32_t link_data_start[], link_data_end[], link_bss_start[], link_bss_end[];
extern const uint32_t link_data_load[];

int main(void);
__attribute__((noreturn)) void start_c(void);
__attribute__((noreturn)) void fault(uint32_t number);

#if defined(__aarch64__)

/* Entered in EL1. Every one of the 16 exceptions is the end. */
__asm__(".section .vectors, \"ax\"\n"
        ".balign 2048\n"
        "vectors:\n"
        ".rept 16\n"
        "    .balign 128\n"
        "    mrs x0, esr_el1\n"
        "    lsr x0, x0, #26\n" /* the exception's class */
        "    b fault\n"
        ".endr\n"
        ".balign 128\n"
        ".global reset\n"
        "reset:\n"
        "    ldr x0, =link_stack_top\n"
        "    mov sp, x0\n"
        "    ldr x0, =vectors\n"
        "    msr vbar_el1, x0\n"
        "    mrs x0, cpacr_el1\n"
        "    orr x0, x0, #(3 << 20)\n" /* vector and floating-point registers */
        "    msr cpacr_el1, x0\n"
        "    isb\n"
        "    b start_c\n"
        ".ltorg\n"
        ".text\n");

#else

/* Entered as supervisor. Each mode has a stack pointer of its own: faults use the supervisor's. */
__asm__(".section .vectors, \"ax\"\n"
        ".arm\n"
        ".fpu neon\n"
        ".balign 32\n"
        "vectors:\n"
        "    b reset\n"
        "    b fault_1\n" /* undefined instruction */
        "    b fault_2\n" /* supervisor call */
        "    b fault_3\n" /* prefetch abort */
        "    b fault_4\n" /* data abort */
        "    b fault_5\n"
        "    b fault_6\n"
        "    b fault_7\n"
        ".irp number, 1, 2, 3, 4, 5, 6, 7\n"
        "fault_\\number:\n"
        "    mov r0, #\\number\n"
        "    b seen\n"
        ".endr\n"
        "seen:\n"
        "    cps #0x13\n"
        "    b fault\n"
        ".global reset\n"
        ".type reset, %function\n"
        "reset:\n"
        "    ldr sp, =link_stack_top\n"
        "    ldr r0, =vectors\n"
        "    mcr p15, 0, r0, c12, c0, 0\n" /* VBAR */
        "    mrc p15, 0, r0, c1, c0, 2\n"  /* CPACR: vector and floating-point registers */
        "    orr r0, r0, #(0xf << 20)\n"
        "    mcr p15, 0, r0, c1, c0, 2\n"
        "    isb\n"
        "    mov r0, #0x40000000\n"
        "    vmsr fpexc, r0\n"
        "    b start_c\n"
        ".ltorg\n"
        ".text\n");

#endif

void fault(uint32_t number)
{
    fault_exit(number);
}

void start_c(void)
{
    const uint32_t *load = link_data_load;
    for (uint32_t *word = link_data_start; word < link_data_end; word++)
        *word = *load++;
    for (uint32_t *word = link_bss_start; word < link_bss_end; word++)
        *word = 0;
    stack_guard_paint();
    hal_exit(main());
}
