/* SPDX-License-Identifier: MIT */
/* From the entry point to main on the RISC-V cores of QEMU's board `virt`: stack, memory as C
 * expects it, and faults that are seen. */
#include "../bare_metal/fault.h"
#include "../bare_metal/stack_guard.h"
#include "hal.h"

extern uint32_t link_data_start[], link_data_end[], link_bss_start[], link_bss_end[];
extern const uint32_t link_data_load[];

int main(void);
__attribute__((noreturn)) void start_c(void);
__attribute__((noreturn)) void fault(uint32_t number);

/* The core begins at the first word. Every trap is the end. */
__asm__(".section .vectors, \"ax\"\n"
        ".global reset\n"
        "reset:\n"
        "    la sp, link_stack_top\n"
        "    la t0, trap\n"
        ".option arch, +zicsr\n"
        "    csrw mtvec, t0\n"
        "    j start_c\n"
        ".balign 4\n"
        "trap:\n"
        "    csrr a0, mcause\n"
        "    la sp, link_stack_top\n"
        "    j fault\n"
        ".text\n");

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
