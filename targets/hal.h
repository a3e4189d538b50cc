/* SPDX-License-Identifier: MIT */
/* The functions that a test program needs of its machine. Each target implements all of it; the
 * Cortex-M boards share targets/cortex_m, the host has targets/host. */
#ifndef HAL_H
#define HAL_H

#include <stddef.h>
#include <stdint.h>

/* A target that cannot measure something exactly answers this. */
#define HAL_UNKNOWN 0xffffffffu

/* Writes text to the console. */
void hal_write(const char *text);

/* Ends the program; the exit code reaches the shell that started the emulator. */
__attribute__((noreturn)) void hal_exit(int code);

/* Begins to count. */
void hal_ticks_start(void);

/* Instructions since hal_ticks_start, exact and the same in every run, or HAL_UNKNOWN where the
 * machine cannot count (the host) or the piece was too long for the counter (five million). */
uint32_t hal_instructions(void);

/* The unit of its counts: "instructions", or "cycles" where the emulator is exact to the cycle. */
extern const char hal_unit[];

/* Paints the free stack below the caller. */
void hal_stack_fill(void);

/* Bytes of stack used at most below the caller of hal_stack_fill since then, in multiples of four;
 * HAL_UNKNOWN where the operating system owns the stack. Counts down to HAL_STACK_PAINT_BYTES. */
uint32_t hal_stack_used(void);
#define HAL_STACK_PAINT_BYTES 16384u

/* A serial flash, made of an image in memory. Reads behave as on the part: any offset and size,
 * nothing beyond the end. */
void hal_flash_attach(const void *image, size_t size_bytes);

/* Copies `size_bytes` bytes at `offset_bytes` to `destination`; returns the number copied. */
size_t hal_flash_read(size_t offset_bytes, void *destination, size_t size_bytes);

#endif
