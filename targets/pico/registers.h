/* SPDX-License-Identifier: MIT */
/* Registers of the RP2040 that more than one file sets. */
#ifndef PICO_REGISTERS_H
#define PICO_REGISTERS_H

#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t *)(address))
#define CLEAR 0x3000u /* added to a register's address: clears the bits that are written */

#define RESETS 0x4000c000u
#define RESETS_DONE REGISTER(RESETS + 8u)

#define GPIO_FUNCTION(pin) REGISTER(0x40014004u + 8u * (pin))
enum { FUNCTION_SPI = 1, FUNCTION_UART = 2, FUNCTION_PROGRAM = 5 };

#endif
