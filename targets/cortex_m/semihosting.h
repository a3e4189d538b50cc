/* Calls from the firmware to the debugger or emulator it runs under. */
#ifndef SEMIHOSTING_H
#define SEMIHOSTING_H

#include <stdint.h>

#define SEMIHOSTING_WRITE0 0x04u        /* a zero-terminated text */
#define SEMIHOSTING_EXIT_EXTENDED 0x20u /* a reason and an exit code */
#define SEMIHOSTING_APPLICATION_EXIT 0x20026u

static inline uint32_t semihosting_call(uint32_t operation, const void *argument)
{
    register uint32_t r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

#endif
