/* SPDX-License-Identifier: MIT */
/* Calls from the firmware to the debugger or emulator it runs under. */
#ifndef SEMIHOSTING_H
#define SEMIHOSTING_H

#include <stdint.h>

#define SEMIHOSTING_WRITE0 0x04u        /* a zero-terminated text */
#define SEMIHOSTING_EXIT_EXTENDED 0x20u /* a reason and an exit code, each a register wide */
#define SEMIHOSTING_APPLICATION_EXIT 0x20026u

static inline void semihosting_call(uint32_t operation, const void *argument)
{
#if defined(__riscv)
    register uint32_t number __asm__("a0") = operation;
    register const void *block __asm__("a1") = argument;
    /* three instructions in a row of their full length, which a debugger looks for */
    __asm__ volatile(".option push\n"
                     ".option norvc\n"
                     ".balign 16\n"
                     "slli x0, x0, 0x1f\n"
                     "ebreak\n"
                     "srai x0, x0, 7\n"
                     ".option pop\n"
                     : "+r"(number)
                     : "r"(block)
                     : "memory");
#elif defined(__aarch64__)
    register uint64_t number __asm__("x0") = operation;
    register const void *block __asm__("x1") = argument;
    __asm__ volatile("hlt 0xf000" : "+r"(number) : "r"(block) : "memory");
#else
    register uint32_t number __asm__("r0") = operation;
    register const void *block __asm__("r1") = argument;
#if __ARM_ARCH_PROFILE == 'A'
    __asm__ volatile("svc 0x123456" : "+r"(number) : "r"(block) : "memory", "lr");
#else
    __asm__ volatile("bkpt 0xab" : "+r"(number) : "r"(block) : "memory");
#endif
#endif
}

#endif
