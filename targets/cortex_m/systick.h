/* SPDX-License-Identifier: MIT */
/* SysTick, the timer of Cortex-M processors, and a loop of known length to compare it with. */
#ifndef SYSTICK_H
#define SYSTICK_H

#include <stdint.h>

/* The test in tests/hal runs on a PC and has both in another place. */
#if !defined(SYSTICK_ADDRESS)
#define SYSTICK_ADDRESS(address) ((uintptr_t)(address))
#define SYSTICK_LOOP(turns)                                                                        \
    __asm__ volatile(".syntax unified\n"                                                           \
                     "1: subs %0, %0, #1\n"                                                        \
                     "   bne 1b\n"                                                                 \
                     : "+l"(turns)                                                                 \
                     :                                                                             \
                     : "cc")
#endif
#define SYSTICK_REGISTER(address) (*(volatile uint32_t *)SYSTICK_ADDRESS(address))

#define SYSTICK_CONTROL SYSTICK_REGISTER(0xe000e010u)
#define SYSTICK_RELOAD SYSTICK_REGISTER(0xe000e014u)
#define SYSTICK_VALUE SYSTICK_REGISTER(0xe000e018u)
#define SYSTICK_RUN 5u           /* processor clock, no interrupt */
#define SYSTICK_WRAPPED 0x10000u /* until it is read */
#define SYSTICK_RANGE 0xffffffu

#define SYSTICK_LOOP_INSTRUCTIONS 2u /* of a turn: subs and bne */

#endif
