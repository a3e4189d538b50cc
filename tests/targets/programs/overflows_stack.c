/* Goes down to the lowest words of the stack, and ends as if nothing had happened. It does not go
 * beyond them, where some boards have no memory and would fault. */
#include <stdbool.h>

#include "hal.h"

#define LOWEST_WORDS 16

extern uint32_t link_stack_limit[];

__attribute__((noinline)) static uint32_t descend(uint32_t depth)
{
    volatile uint32_t frame[8];
    for (uint32_t i = 0; i < 8u; i++)
        frame[i] = depth;
    bool above = (uint32_t *)frame >= link_stack_limit + LOWEST_WORDS;
    return above ? descend(depth + 1u) + frame[depth & 7u] : depth;
}

int main(void)
{
    return descend(0) == 0u ? 1 : 0;
}
