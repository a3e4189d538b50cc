/* Console and exit through semihosting. */
#include "hal.h"
#include "semihosting.h"

void hal_write(const char *text)
{
    (void)semihosting_call(SEMIHOSTING_WRITE0, text);
}

void hal_exit(int code)
{
    const uint32_t block[2] = {SEMIHOSTING_APPLICATION_EXIT, (uint32_t)code};
    (void)semihosting_call(SEMIHOSTING_EXIT_EXTENDED, block);
    for (;;)
        continue;
}
