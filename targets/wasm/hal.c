/* SPDX-License-Identifier: MIT */
/* WebAssembly: console and exit are functions of the script that loads the program (run.mjs). It
 * cannot count instructions, and the stack is the engine's. */
#include "hal.h"

#define IMPORT(name) __attribute__((import_module("hal"), import_name(name)))

IMPORT("write") void script_write(const char *text);
IMPORT("exit") __attribute__((noreturn)) void script_exit(int code);

int main(void);

__attribute__((export_name("run"))) void run(void);
void run(void)
{
    script_exit(main());
}

void hal_write(const char *text)
{
    script_write(text);
}

void hal_exit(int code)
{
    script_exit(code);
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
