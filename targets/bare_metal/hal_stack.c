/* SPDX-License-Identifier: MIT */
/* The stack watermark: paint what is free, look later how far the paint is gone. The lowest words
 * are painted before main, so that a program fails if its stack has reached its data. */
#include "hal.h"
#include "stack_guard.h"

#define PAINT 0x5ac3a53cu
#define EXIT_STACK_OVERFLOW 98
#define GUARD_WORDS 16u /* several, because a stack frame may leave words unwritten */

extern uint32_t link_stack_limit[]; /* lowest word that the stack may use */

static uint32_t *painted_from, *painted_to, *callers_stack;

static inline uint32_t *stack_pointer(void)
{
    uint32_t *pointer;
#if defined(__riscv)
    __asm__ volatile("mv %0, sp" : "=r"(pointer));
#else
    __asm__ volatile("mov %0, sp" : "=r"(pointer));
#endif
    return pointer;
}

__attribute__((noinline)) void hal_stack_fill(void)
{
    callers_stack = (uint32_t *)__builtin_dwarf_cfa();
    painted_to = stack_pointer();
    painted_from = link_stack_limit;
    if ((uintptr_t)painted_to - (uintptr_t)painted_from > HAL_STACK_PAINT_BYTES)
        painted_from = painted_to - HAL_STACK_PAINT_BYTES / sizeof *painted_to;
    for (volatile uint32_t *word = painted_from; word < painted_to; word++)
        *word = PAINT;
}

uint32_t hal_stack_used(void)
{
    const uint32_t *word = painted_from;
    while (word < painted_to && *word == PAINT)
        word++;
    return (uint32_t)((uintptr_t)callers_stack - (uintptr_t)word);
}

void stack_guard_paint(void)
{
    for (uint32_t i = 0; i < GUARD_WORDS; i++)
        link_stack_limit[i] = PAINT;
}

int stack_guard_exit_code(int code)
{
    for (uint32_t i = 0; i < GUARD_WORDS; i++)
        if (link_stack_limit[i] != PAINT) {
            hal_write("error: the stack has grown into the data\n");
            return EXIT_STACK_OVERFLOW;
        }
    return code;
}
