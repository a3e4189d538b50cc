/* Stands for the Pico SDK's library in the tests: there is no second core. */
#include "pico/multicore.h"

void multicore_launch_core1(void (*entry)(void))
{
    entry();
}

void multicore_fifo_push_blocking(uint32_t data)
{
    (void)data;
}

uint32_t multicore_fifo_pop_blocking(void)
{
    return 0;
}
