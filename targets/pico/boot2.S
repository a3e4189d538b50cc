/* SPDX-License-Identifier: MIT */
/* The second stage of the boot: the ROM of the RP2040 copies these 256 bytes to RAM, compares their
 * checksum and runs them. They let the processor read the flash as memory, with the command that
 * every serial flash has, and go on to the vector table behind them. RP2040 datasheet, 2.8.1.3 and
 * 4.10. */
    .syntax unified
    .cpu cortex-m0plus
    .thumb

#define FLASH_INTERFACE 0x18000000
#define CONTROL_0 0x00
#define CONTROL_1 0x04
#define ENABLE 0x08
#define DIVISOR 0x14
#define SPI_CONTROL_0 0xf4
#define VTOR 0xe000ed08
#define VECTORS 0x10000100

    .cfi_sections .debug_frame
    .section .boot2, "ax"
    .thumb_func
boot2:
    .cfi_startproc
    ldr r3, =FLASH_INTERFACE
    movs r1, #0
    str r1, [r3, #ENABLE]
    movs r1, #4 /* the flash has a fourth of the processor's clock */
    str r1, [r3, #DIVISOR]
    ldr r1, =(31 << 16) | (3 << 8) /* an address gives a word of 32 bits */
    str r1, [r3, #CONTROL_0]
    ldr r1, =(0x03 << 24) | (2 << 8) | (6 << 2) /* read: 8 bits of command, 24 of address */
    ldr r0, =FLASH_INTERFACE + SPI_CONTROL_0
    str r1, [r0]
    movs r1, #0
    str r1, [r3, #CONTROL_1]
    movs r1, #1
    str r1, [r3, #ENABLE]
    ldr r0, =VECTORS
    ldr r1, =VTOR
    str r0, [r1]
    ldmia r0!, {r1, r2}
    msr msp, r1
    bx r2
    .pool
    .org 252
    .cfi_endproc
    .word 0x7459b5de /* CRC-32/MPEG-2 of the bytes before; whoever changes them changes it, too */
