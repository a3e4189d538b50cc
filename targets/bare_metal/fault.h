/* SPDX-License-Identifier: MIT */
/* Faults that are seen. */
#ifndef FAULT_H
#define FAULT_H

#include "hal.h"

/* Prints the number of an exception, modulo 64, and ends the program with exit code 99. */
__attribute__((noreturn)) static inline void fault_exit(uint32_t number)
{
    char text[] = "fault: exception 00\n";
    text[17] = (char)('0' + (number & 63u) / 10u);
    text[18] = (char)('0' + (number & 63u) % 10u);
    hal_write(text);
    hal_exit(99);
}

#endif
