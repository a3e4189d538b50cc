/* The loop of osc_curve_rows.h, for the assembler.
 *
 * A track's kind, and the kinds of its components, say where to jump; from there a track runs to
 * its end, and to the next one, without a call. Registers: r0 the track's words, r5 r6 r7 the
 * components, r11 the table, r12 `go`, lr the frame; r10 the bits at hand, the next one lowest,
 * with a single one above them; between components they are in r7 and r4. */
#ifndef OSC_CURVE_ASM_H
#define OSC_CURVE_ASM_H

#include "osc_curve_asm_dense.h"
#include "osc_curve_asm_four.h"
#include "osc_curve_asm_keys.h"
#include "osc_curve_asm_rotations.h"
#include "osc_curve_asm_sections.h"
#include "osc_curve_asm_settle.h"
#include "osc_curve_asm_table.h"

/* Codes of up to this many bits are in the table, of parameters below ROWS. The row behind them is
 * that of all long codes; before them lie the jumps. */
#define OSC_CURVE_INDEX_BITS 6
#define OSC_CURVE_TABLE_ROWS 6
#define OSC_CURVE_LONG_ROW 8

/* With fewer bits at hand a dense track takes 16 more first. */
#define OSC_CURVE_FEW_BITS 16

#define OSC_CURVE_TEXT(x) OSC_CURVE_TEXT_OF(x)
#define OSC_CURVE_TEXT_OF(x) #x

/* Bytes that it pushes */
#define OSC_CURVE_PUSHES 128

/* clang-format off */
/* What all parts have in common. */
#define OSC_CURVE_ASM_REGISTERS \
    ".equ OSC_CURVE_INDEX_BITS, " OSC_CURVE_TEXT(OSC_CURVE_INDEX_BITS) "\n" \
    ".equ OSC_CURVE_TABLE_ROWS, " OSC_CURVE_TEXT(OSC_CURVE_TABLE_ROWS) "\n" \
    ".equ OSC_CURVE_FEW_BITS, " OSC_CURVE_TEXT(OSC_CURVE_FEW_BITS) "\n" \
    ".equ OSC_CURVE_LONG_ROW, " OSC_CURVE_TEXT(OSC_CURVE_LONG_ROW) "\n" \
    "    .syntax unified\n" \
    /* r0: behind `go` and `form` of a track, then through its words; r5 r6 r7: x y z; r10: bits \
     * not yet read, below a one that ends them; r11: the table; r12: go; lr: frame On the stack: \
     * rows, chords, frame; words, last pair; run; bits before `at`, at, last at */ \
    "    .equ .Lcurve_row, 0\n" \
    "    .equ .Lcurve_frame, 12\n" \
    "    .equ .Lcurve_words, 16\n" \
    "    .equ .Lcurve_last, 20\n" \
    "    .equ .Lcurve_run, 24\n" \
    "    .equ .Lcurve_extra, 28\n" \
    "    .equ .Lcurve_at, 32\n" \
    "    .equ .Lcurve_last_at, 36\n" \
    "    .equ .Lcurve_block_end, 40\n" \
    "    .equ .Lcurve_frame_bytes, 48\n" \
    "    .equ .Lcurve_saved, 24\n" \
    "    .macro osc_curve_next\n" \
    "    ldr r12, [r0], #8\n" \
    "    lsr r1, r12, #27\n" \
    "    ldr pc, [r11, r1, lsl #2]\n" \
    "    .endm\n" \
    /* 16 bits more; takes a b c. pushed: bytes on the stack since the loop began */ \
    "    .macro osc_curve_half bits, a, b, c, at_end, pushed=0\n" \
    "    ldrd \\a, \\b, [sp, #\\pushed + .Lcurve_at]\n" \
    "    cmp \\a, \\b\n" \
    "    bhi \\at_end\n" \
    "    clz \\c, \\bits\n" \
    "    ldrh \\b, [\\a], #2\n" \
    "    str \\a, [sp, #\\pushed + .Lcurve_at]\n" \
    "    rsb \\c, \\c, #31\n" \
    "    eor \\b, \\b, #0x10001\n" \
    "    lsl \\b, \\b, \\c\n" \
    "    eor \\bits, \\bits, \\b\n" \
    "    .endm\n" \
    /* The number of a code, unsigned; not one of too many bits, or more than there are */ \
    "    .macro osc_curve_rice number, bits, k, ones, tail, left, fails\n" \
    "    mvn \\ones, \\bits\n" \
    "    rbit \\ones, \\ones\n" \
    "    clz \\ones, \\ones\n" \
    "    lsr \\tail, \\bits, \\ones\n" \
    "    lsr \\tail, \\tail, #1\n" \
    "    lsrs \\left, \\tail, \\k\n" \
    "    beq \\fails\n" \
    "    cmp \\ones, #15\n" \
    "    bhs \\fails\n" \
    "    mov \\bits, \\left\n" \
    "    sub \\left, \\left, \\ones\n" \
    "    lsl \\left, \\left, \\k\n" \
    "    sub \\number, \\tail, \\left\n" \
    "    .endm\n" \
    /* 0, -1, 1, -2 of 0, 1, 2, 3 */ \
    "    .macro osc_curve_unzigzag number\n" \
    "    lsrs \\number, \\number, #1\n" \
    "    it cs\n" \
    "    mvncs \\number, \\number\n" \
    "    .endm\n" \
    /* 32 bits at a position; beyond the last pair of words it stands for what follows. frame: a \ \
     * register and the bytes to the loop's stack; takes a b */ \
    "    .macro osc_curve_peek out, position, frame, pushed, a, b\n" \
    "    ldrd \\a, \\b, [\\frame, #\\pushed + .Lcurve_words]\n" \
    "    lsr \\out, \\position, #5\n" \
    "    cmp \\out, \\b\n" \
    "    it hi\n" \
    "    movhi \\out, \\b\n" \
    "    add \\out, \\a, \\out, lsl #2\n" \
    "    ldrd \\out, \\b, [\\out]\n" \
    "    and \\a, \\position, #31\n" \
    "    lsr \\out, \\out, \\a\n" \
    "    rsb \\a, \\a, #31\n" \
    "    lsl \\b, \\b, #1\n" \
    "    lsl \\b, \\b, \\a\n" \
    "    orr \\out, \\out, \\b\n" \
    "    .endm\n" \
    "    .macro osc_curve_to_finish\n" \
    "    ubfx r1, r12, #22, #5\n" \
    "    ldr pc, [r11, r1, lsl #2]\n" \
    "    .endm\n" \
    "    .macro osc_curve_kinds name\n" \
    "    tbh [pc, r1, lsl #1]\n" \
    "8:\n" \
    "    .irp kind, 0, 1, 2, 3, 4, 5, 6, 7, 8\n" \
    "    .hword (.Lcurve_\\name\\()_\\kind - 8b) / 2\n" \
    "    .endr\n" \
    "    .endm\n"

/* The way out where C has to go on. */
#define OSC_CURVE_ASM_LEAVE \
    "    b .Lcurve_begin\n" \
    ".Lcurve_give_up:\n" \
    "    sub r0, r0, #24\n" \
    ".Lcurve_leave:\n" \
    "    sub r0, r0, #8\n" \
    "    ldr r7, [sp, #.Lcurve_run]\n" \
    "    ldr r1, [sp, #.Lcurve_at]\n" \
    "    ldr r2, [sp, #.Lcurve_words]\n" \
    "    ldr r3, [sp, #.Lcurve_extra]\n" \
    "    sub r1, r1, r2\n" \
    "    add r3, r3, r1, lsl #3\n" \
    "    clz r1, r10\n" \
    "    add r3, r3, r1\n" \
    "    sub r3, r3, #62\n" \
    "    mov r1, #1\n" \
    "    str r3, [r7, #24]\n" \
    "    str r1, [r7, #28]\n" \
    "    str r0, [r7, #32]\n" \
    "    add sp, sp, #.Lcurve_frame_bytes\n" \
    "    b .Lcurve_end\n"

/* The way in. */
#define OSC_CURVE_ASM_ENTER \
    ".Lcurve_begin:\n" \
    "    push {r7}\n" \
    "    mov r7, r0\n" \
    "    ldmia r0, {r1, r2, r3, r4, r5, r6, r8, r9, r10, r11, r12}\n" \
    "    mov r0, r10\n" \
    "    clz r9, r9\n" \
    "    add r8, r8, r9\n" \
    "    mov lr, r4\n" \
    "    add r10, r5, r6, lsl #2\n" \
    "    add r10, r10, #2\n" \
    "    lsr r9, r8, #4\n" \
    "    add r4, r5, r9, lsl #1\n" \
    "    sub r9, r9, #1\n" \
    "    cmp r9, r6, lsl #1\n" \
    "    bgt 1f\n" \
    "    ldrh r9, [r4], #2\n" \
    "    push {r4, r10, r11, r12}\n" \
    "    orr r10, r9, #1 << 16\n" \
    "    and r8, r8, #15\n" \
    "    lsr r10, r10, r8\n" \
    "    mov r8, #0\n" \
    "    b 2f\n" \
    "1:\n" \
    "    add r4, r10, #2\n" \
    "    push {r4, r10, r11, r12}\n" \
    "    mov r10, #1\n" \
    "    sub r9, r4, r5\n" \
    "    sub r8, r8, r9, lsl #3\n" \
    "2:\n" \
    "    mov r4, lr\n" \
    "    push {r1, r2, r3, r4, r5, r6, r7, r8}\n" \
    "    adr.w r11, .Lcurve_table\n" \
    "    osc_curve_next\n"

/* The order counts: branches have their reach. */
#define OSC_CURVE_ASM \
    OSC_CURVE_ASM_REGISTERS OSC_CURVE_ASM_POINTS OSC_CURVE_ASM_SECTION \
    OSC_CURVE_ASM_ROTATION OSC_CURVE_ASM_LEAVE OSC_CURVE_ASM_REFILL \
    OSC_CURVE_ASM_CODES OSC_CURVE_ASM_KEY_MACROS OSC_CURVE_ASM_KEY_CODES \
    OSC_CURVE_ASM_BEGIN OSC_CURVE_ASM_AHEAD OSC_CURVE_ASM_RARE_KEYS \
    OSC_CURVE_ASM_SETTLE OSC_CURVE_ASM_SECTIONS \
    OSC_CURVE_ASM_PACKINGS OSC_CURVE_ASM_FOUR OSC_CURVE_ASM_SQUARES \
    OSC_CURVE_ASM_ROW OSC_CURVE_ASM_ENTER OSC_CURVE_ASM_TABLE
/* clang-format on */

#endif
