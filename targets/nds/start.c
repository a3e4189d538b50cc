/* SPDX-License-Identifier: MIT */
/* Start-up: memory protection, caches, fast memories, and memory as C expects it. Also the code of
 * the second processor. */
#include "../bare_metal/fault.h"
#include "../bare_metal/stack_guard.h"

#define STRING(text) #text
#define STRING_OF(macro) STRING(macro)

/* A region of the memory protection unit: its origin, its size as a power of two (n - 1 stands for
 * 2^n bytes), and a bit that enables it. */
#define REGION(origin, power) "    .word " #origin " + ((" #power " - 1) << 1) + 1\n"
/* All exceptions are faults: no interrupt is enabled. Each mode has its own stack pointer. */
#define EXCEPTION_VECTOR(number) "    b exception_" #number "\n"
#define EXCEPTION(number)                                                                          \
    "exception_" #number ":\n"                                                                     \
    "    mov r0, #" #number "\n"                                                                   \
    "    ldr sp, =link_stack_top\n"                                                                \
    "    ldr pc, =fault\n"

#define CACHED 4           /* a bit for each region: only main memory */
#define ACCESS 0x33333     /* a digit for each region: 3 allows reading and writing */
#define CONTROL 0x0005507d /* protection, both caches, both fast memories, vectors at 0 */

/* clang-format off */
__asm__(".section .start, \"ax\"\n"
        ".arm\n"
        ".global reset\n"
        "reset:\n"
        "    mov r0, #0xdf\n" /* system mode, without interrupts */
        "    msr cpsr_c, r0\n"
        "    ldr r0, =0x00002078\n" /* protection, caches and fast memories are off */
        "    mcr p15, 0, r0, c1, c0, 0\n"
        "    mov r0, #0\n"
        "    mcr p15, 0, r0, c7, c5, 0\n"  /* invalidates the instruction cache */
        "    mcr p15, 0, r0, c7, c6, 0\n"  /* invalidates the data cache */
        "    mcr p15, 0, r0, c7, c10, 4\n" /* drains the write buffer */
        "    adr r1, regions\n"
        "    ldmia r1!, {r2-r6}\n"
        "    mcr p15, 0, r2, c6, c0, 0\n"
        "    mcr p15, 0, r3, c6, c1, 0\n"
        "    mcr p15, 0, r4, c6, c2, 0\n"
        "    mcr p15, 0, r5, c6, c3, 0\n"
        "    mcr p15, 0, r6, c6, c4, 0\n"
        "    mcr p15, 0, r0, c6, c5, 0\n"
        "    mcr p15, 0, r0, c6, c6, 0\n"
        "    mcr p15, 0, r0, c6, c7, 0\n"
        "    mov r0, #" STRING_OF(CACHED) "\n"
        "    mcr p15, 0, r0, c2, c0, 0\n"
        "    mcr p15, 0, r0, c2, c0, 1\n"
        "    mcr p15, 0, r0, c3, c0, 0\n"
        "    ldr r0, =" STRING_OF(ACCESS) "\n"
        "    mcr p15, 0, r0, c5, c0, 2\n"
        "    mcr p15, 0, r0, c5, c0, 3\n"
        "    ldr r0, =0x0b00000a\n" /* DTCM: 16 KiB */
        "    mcr p15, 0, r0, c9, c1, 0\n"
        "    mov r0, #0x20\n" /* ITCM: mirrored in the first 32 MiB, so that it holds the vectors */
        "    mcr p15, 0, r0, c9, c1, 1\n"
        "    ldr r0, =" STRING_OF(CONTROL) "\n"
        "    mcr p15, 0, r0, c1, c0, 0\n"
        "    ldr sp, =link_stack_top\n"
        "    ldr r0, =start_c\n"
        "    bx r0\n"
        "regions:\n"
        REGION(0x04000000, 26) /* registers and video memory */
        REGION(0xffff0000, 16) /* BIOS */
        REGION(0x02000000, 22) /* main memory */
        REGION(0x0b000000, 14) /* DTCM */
        REGION(0x01ff8000, 15) /* ITCM */
        ".ltorg\n"
        ".section .vectors, \"ax\"\n"
        EXCEPTION_VECTOR(0) EXCEPTION_VECTOR(1) EXCEPTION_VECTOR(2) EXCEPTION_VECTOR(3)
        EXCEPTION_VECTOR(4) EXCEPTION_VECTOR(5) EXCEPTION_VECTOR(6) EXCEPTION_VECTOR(7)
        EXCEPTION(0) EXCEPTION(1) EXCEPTION(2) EXCEPTION(3)
        EXCEPTION(4) EXCEPTION(5) EXCEPTION(6) EXCEPTION(7)
        ".ltorg\n"
        /* The ARM7 sleeps: no interrupt is enabled that would wake it. */
        ".section .arm7, \"ax\"\n"
        "    mov r0, #0x04000000\n"
        "    str r0, [r0, #0x208]\n"
        "    mov r1, #0x80\n"
        "halt:\n"
        "    strb r1, [r0, #0x301]\n"
        "    b halt\n"
        ".text\n");
/* clang-format on */

extern uint32_t link_data_start[], link_data_end[], link_bss_start[], link_bss_end[];
extern uint32_t link_fast_start[], link_fast_end[], link_fast_data_start[], link_fast_data_end[];
extern const uint32_t link_data_load[], link_fast_load[], link_fast_data_load[];

int main(void);
__attribute__((noreturn)) void start_c(void);
__attribute__((noreturn)) void fault(uint32_t number);

void fault(uint32_t number)
{
    fault_exit(number);
}

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
    load(link_fast_start, link_fast_end, link_fast_load);
    load(link_fast_data_start, link_fast_data_end, link_fast_data_load);
    load(link_data_start, link_data_end, link_data_load);
    clear(link_bss_start, link_bss_end);
    stack_guard_paint();
    hal_exit(main());
}
