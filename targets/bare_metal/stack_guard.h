/* Finds a stack that has grown into the program's data, which would go on with other numbers. */
#ifndef STACK_GUARD_H
#define STACK_GUARD_H

/* Paints the lowest words that the stack may use: before main, when .bss is clear. */
void stack_guard_paint(void);

/* The exit code of a program that ends with `code`: another one, after a message, if the stack has
 * reached these words. */
int stack_guard_exit_code(int code);

#endif
