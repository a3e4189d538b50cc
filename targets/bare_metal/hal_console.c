/* Console and exit through semihosting. */
#include "hal.h"
#include "semihosting.h"

void hal_write(const char *text)
{
    semihosting_call(SEMIHOSTING_WRITE0, text);
}

void hal_exit(int code)
{
    const uintptr_t block[2] = {SEMIHOSTING_APPLICATION_EXIT, (uintptr_t)code};
    semihosting_call(SEMIHOSTING_EXIT_EXTENDED, block);
    for (;;)
        continue;
}
