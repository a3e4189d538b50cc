/* SPDX-License-Identifier: MIT */
/* Console and exit through semihosting. */
#include "hal.h"
#include "semihosting.h"
#include "stack_guard.h"

void hal_write(const char *text)
{
    semihosting_call(SEMIHOSTING_WRITE0, text);
}

void hal_exit(int code)
{
    const uintptr_t block[2] = {SEMIHOSTING_APPLICATION_EXIT,
                                (uintptr_t)stack_guard_exit_code(code)};
    semihosting_call(SEMIHOSTING_EXIT_EXTENDED, block);
    for (;;)
        continue;
}
