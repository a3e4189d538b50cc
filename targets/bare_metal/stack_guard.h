/* SPDX-License-Identifier: MIT */
/* Detects a stack that has grown into the program's data, which otherwise only corrupts results. */
#ifndef STACK_GUARD_H
#define STACK_GUARD_H

/* Paints the lowest words that the stack may use: before main, when .bss is clear. */
void stack_guard_paint(void);

/* Returns the exit code of a program that ends with `code`: 98, after a message, if the stack has
 * reached these words. */
int stack_guard_exit_code(int code);

#endif
