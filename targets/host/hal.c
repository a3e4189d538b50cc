/* SPDX-License-Identifier: MIT */
/* The host: a process with standard output. It has no exact counter and no stack of its own;
 * instructions are counted from outside, by running the program under valgrind. */
#include <stdio.h>
#include <stdlib.h>

#include "hal.h"

void hal_write(const char *text)
{
    if (fputs(text, stdout) == EOF)
        exit(EXIT_FAILURE);
}

void hal_exit(int code)
{
    if (fflush(stdout) != 0)
        code = EXIT_FAILURE;
    exit(code);
}

const char hal_unit[] = "instructions";

void hal_ticks_start(void)
{
}

uint32_t hal_instructions(void)
{
    return HAL_UNKNOWN;
}

void hal_stack_fill(void)
{
}

uint32_t hal_stack_used(void)
{
    return HAL_UNKNOWN;
}
