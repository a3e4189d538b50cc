/* A word that does not lie at a multiple of four. */
#include "hal.h"

int main(void)
{
    static uint8_t bytes[8];
    uintptr_t odd = (uintptr_t)bytes | 1u;
    uint32_t word;
    __asm__ volatile("ldr %0, [%1]" : "=l"(word) : "l"(odd));
    return (int)word;
}
