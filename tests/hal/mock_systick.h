/* SysTick of a Cortex-M, and a processor whose instructions take a fixed time. It is included
 * before the code under test. */
#ifndef MOCK_SYSTICK_H
#define MOCK_SYSTICK_H

#include <stdbool.h>
#include <stdint.h>

typedef struct mock_systick {
    bool missing;                     /* its registers read as zero */
    uint32_t ticks, per_instructions; /* so many ticks in so many instructions */
    uint32_t access_instructions;     /* that an access to a register takes */
} mock_systick;

extern mock_systick mock;

/* Lets the processor work. */
void mock_work(uint64_t instructions);

/* The place of a register. */
uintptr_t mock_address(uint32_t address);
#define SYSTICK_ADDRESS(address) mock_address(address)
#define SYSTICK_LOOP(turns) mock_work(2u * (turns))

#endif
