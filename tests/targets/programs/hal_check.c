/* Prints what the target measures of pieces of known length, stack and contents. */
#include "hal.h"
#include "print.h"

/* The empty statement at the end keeps the last call from becoming a jump, an instruction more. */
#define COUNTED(name, body)                                                                        \
    __attribute__((noinline)) static uint32_t name(void)                                           \
    {                                                                                              \
        hal_ticks_start();                                                                         \
        __asm__ volatile(body);                                                                    \
        uint32_t instructions = hal_instructions();                                                \
        __asm__ volatile("" : "+r"(instructions));                                                 \
        return instructions;                                                                       \
    }

COUNTED(count_0, "")
COUNTED(count_1, "nop")
COUNTED(count_17, ".rept 17\n nop\n .endr")
COUNTED(count_400, ".rept 400\n nop\n .endr")

static uint32_t count_too_many(void)
{
    uint32_t turns = 6000000u;
    hal_ticks_start();
#if defined(__aarch64__)
    __asm__ volatile("1: subs %w0, %w0, #1\n bne 1b" : "+r"(turns) : : "cc");
#elif defined(__riscv)
    __asm__ volatile("1: addi %0, %0, -1\n bnez %0, 1b" : "+r"(turns));
#else
    __asm__ volatile(".syntax unified\n1: subs %0, %0, #1\n bne 1b" : "+l"(turns) : : "cc");
#endif
    return hal_instructions();
}

__attribute__((noinline)) static void use_stack(void)
{
    volatile uint8_t room[1000];
    for (uint32_t i = 0; i < sizeof room; i++)
        room[i] = 0;
}

static uint32_t initialised = 0x12345678u, zeroed;

int main(void)
{
    static const uint8_t image[5] = {10, 11, 12, 13, 14};
    uint8_t piece[4] = {0, 0, 0, 0};
    print_line("initialised ", initialised++);
    print_line("zeroed ", zeroed++);
    (void)(count_0() + count_1() + count_17() + count_400()); /* fills caches */
    print_line("instructions ", count_0());
    print_line("instructions ", count_1());
    print_line("instructions ", count_17());
    print_line("instructions ", count_400());
    print_line("instructions ", count_400());
    print_line("too many ", count_too_many());
    hal_stack_fill();
    print_line("stack before ", hal_stack_used());
    hal_stack_fill();
    use_stack();
    print_line("stack after ", hal_stack_used());
    hal_flash_attach(image, sizeof image);
    print_line("flash ", (uint32_t)hal_flash_read(3, piece, 4));
    print_line("flash ", (uint32_t)(piece[0] * 1000000u + piece[1] * 1000u + piece[2]));
    print_line("flash ", (uint32_t)hal_flash_read(5, piece, 4));
    print_line("flash ", (uint32_t)hal_flash_read(0xffffffffu, piece, 4));
    hal_exit(7);
}
