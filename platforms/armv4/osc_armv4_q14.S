/* SPDX-License-Identifier: MIT */
/* Products of small matrices (Q14) in ARM state. Two columns of the right factor stay in registers
 * while the rows of the left one pass; compilers run out of registers there. Linked only with
 * OSC_FAST_ROWS; platforms/README.md states what it saves and what it costs.
 *
 *   r0                      the left factor, a row at a time
 *   r1 r2                   the right factor, the result
 *   r3 r4, r5 r6, r7 r8     what the two columns have for x, y, z
 *   r9 r10 r11 (r12)        a row of the left factor, whose small numbers end a product early
 *   r12 or r1, lr           the two sums
 */
#include "osc_port_config.h"

#ifdef OSC_ARMV4_ASSEMBLER

    .syntax unified
    .arm
    .cfi_sections .debug_frame

#define OSC_ONE_Q20 0x100000
#define SAVED_BYTES 40 /* r3 .. r11 and lr; r3 is an argument, or keeps the stack aligned */

    .macro function name
#if defined(OSC_HOT_SECTION) && defined(OSC_HOT_EXACT) && OSC_HOT_EXACT
    .section OSC_HOT_SECTION, "ax", %progbits, unique, 1
#elif defined(OSC_HOT_SECTION)
    .section OSC_HOT_SECTION.text.osc_armv4_q14, "ax"
#else
    .section .text.osc_armv4_q14, "ax"
#endif
    .balign 4
    .global \name
    .type \name, %function
\name:
    .cfi_startproc
    push {r3-r11, lr}
    .cfi_def_cfa_offset SAVED_BYTES
    .endm

    .macro end_function name
    add sp, sp, #4
    .cfi_def_cfa_offset SAVED_BYTES - 4
    pop {r4-r11, lr}
    .cfi_def_cfa_offset 0
    bx lr
    .cfi_endproc
    .size \name, . - \name
    .endm

    /* The sums of a row, rounded half up: the shift leaves in the carry what rounds. sum0 may be
     * r12. */
    .macro row sum0, sum1
    ldmia r0!, {r9-r12}
    mul \sum0, r3, r9
    mul \sum1, r4, r9
    mla \sum0, r5, r10, \sum0
    mla \sum1, r6, r10, \sum1
    mla \sum0, r7, r11, \sum0
    mla \sum1, r8, r11, \sum1
    movs \sum0, \sum0, asr #14
    adc \sum0, \sum0, #0
    movs \sum1, \sum1, asr #14
    adc \sum1, \sum1, #0
    .endm

    /* to += the row r9-r11 times x y z, rounded half up; r1 is lost. */
    .macro offset_row x, y, z, to
    mul r1, \x, r9
    mla r1, \y, r10, r1
    mla r1, \z, r11, r1
    movs r1, r1, asr #14
    adc \to, \to, r1
    .endm

    /* floor((number + 2^5) / 2^6): Q20 to Q14 */
    .macro to_q14 numbers:vararg
    .irp number, \numbers
    add \number, \number, #32
    mov \number, \number, asr #6
    .endr
    .endm

    /* The translation in r4 r6 r8, rounded half up by lr bits. */
    .macro translations_shift
    mov r12, #1
    mov r12, r12, lsl lr
    mov r12, r12, lsr #1
    .irp number, r4, r6, r8
    add \number, \number, r12
    mov \number, \number, asr lr
    .endr
    .endm

/* void osc_armv4_child_q14(const int32_t *parent, const osc_quaternion *rotation, int32_t *out,
 * const osc_vector *translation, uint32_t shift): parent * local; out is not the parent. shift takes
 * translations from Q20 to the model's format. */
#define CHILD_TRANSLATION 12 /* on the stack, above three elements of the local matrix */
#define CHILD_SHIFT (CHILD_TRANSLATION + SAVED_BYTES)
    function osc_armv4_child_q14
    sub sp, sp, #CHILD_TRANSLATION
    .cfi_def_cfa_offset CHILD_SHIFT
    ldmia r1, {r4-r7}
    orr r8, r4, r5
    orrs r8, r8, r6
    cmpeq r7, #OSC_ONE_Q20
    beq .Lat_rest
    .irp number, r4, r5, r6, r7
    add \number, \number, #16
    mov \number, \number, asr #5
    .endr
    mov r12, #0x4000 /* one, and one half before the shifts by 15 */
    mla r8, r4, r4, r12
    mul r9, r5, r5
    mul r10, r6, r6
    add r11, r8, r9
    add r8, r8, r10
    add r9, r9, r10
    add r9, r9, r12
    sub r3, r12, r9, asr #15 /* 1 - yy - zz */
    sub lr, r12, r8, asr #15 /* 1 - xx - zz */
    sub r11, r12, r11, asr #15 /* 1 - xx - yy */
    mla r8, r4, r5, r12
    mul r9, r7, r6
    sub r10, r8, r9 /* xy - wz */
    add r9, r8, r9 /* xy + wz */
    mla r8, r4, r6, r12
    mla r12, r6, r5, r12
    mul r1, r7, r5
    mul r5, r7, r4
    sub r7, r8, r1 /* xz - wy */
    add r1, r8, r1 /* xz + wy */
    add r8, r12, r5 /* yz + wx */
    sub r12, r12, r5 /* yz - wx */
    mov r6, lr
    mov r4, r10, asr #15
    mov r5, r9, asr #15
    mov r7, r7, asr #15
    mov r8, r8, asr #15
    mov r1, r1, asr #15
    mov r9, r12, asr #15
    stmia sp, {r1, r9, r11}
    .rept 3
    row r12, lr
    stmia r2, {r12, lr}
    add r2, r2, #16
    .endr
    sub r0, r0, #48
    sub r2, r2, #40
    ldr r1, [sp, #CHILD_TRANSLATION]
    ldr lr, [sp, #CHILD_SHIFT]
    ldmia sp, {r3, r5, r7}
    ldmia r1, {r4, r6, r8}
    translations_shift
    .rept 3
    row r1, lr
    add lr, lr, r12
    stmia r2, {r1, lr}
    add r2, r2, #16
    .endr
    add sp, sp, #CHILD_TRANSLATION
    .cfi_def_cfa_offset SAVED_BYTES
    end_function osc_armv4_child_q14

/* A joint without rotation, as most are in some clips if rotations are relative to the bind pose:
 * the product of a turn with one in Q14 is its low 18 bits. */
    .cfi_startproc
    .cfi_def_cfa_offset CHILD_SHIFT
.Lat_rest:
    ldr r1, [sp, #CHILD_TRANSLATION]
    ldr lr, [sp, #CHILD_SHIFT]
    ldmia r1, {r4, r6, r8}
    translations_shift
    .rept 3
    ldmia r0!, {r9-r12}
    offset_row r4, r6, r8, r12
    .irp number, r9, r10, r11
    mov \number, \number, lsl #14
    mov \number, \number, asr #14
    .endr
    stmia r2!, {r9-r12}
    .endr
    add sp, sp, #CHILD_SHIFT - SAVED_BYTES + 4
    .cfi_def_cfa_offset SAVED_BYTES - 4
    pop {r4-r11, lr}
    .cfi_def_cfa_offset 0
    bx lr
    .cfi_endproc

/* void osc_armv4_skin_q14(const int32_t *model, const int32_t *inverse_bind, osc_matrix_q14 *out,
 * uint32_t shift): model * inverse bind matrix, which is in Q20. */
#define TURN_BYTES 18
#define TRANSLATION 20
    function osc_armv4_skin_q14
    ldmia r1, {r3, r4}
    add r1, r1, #16
    ldmia r1, {r5, r6}
    add r1, r1, #16
    ldmia r1, {r7, r8}
    sub r1, r1, #24
    to_q14 r3, r4, r5, r6, r7, r8
    .rept 3
    row r12, lr
    strh r12, [r2], #2
    strh lr, [r2], #4
    .endr
    sub r0, r0, #48
    sub r2, r2, #TURN_BYTES
    ldr lr, [sp]
    ldmia r1, {r3, r4}
    add r1, r1, #16
    ldmia r1, {r5, r6}
    add r1, r1, #16
    ldmia r1, {r7, r8}
    to_q14 r3, r5, r7
    translations_shift
    .irp which, 0, 1, 2
    row r1, lr
    add lr, lr, r12
    strh r1, [r2, #4 + 6 * \which]
    str lr, [r2, #TRANSLATION + 4 * \which]
    .endr
    mov r1, #0
    strh r1, [r2, #TURN_BYTES]
    end_function osc_armv4_skin_q14

/* void osc_armv4_skin_offset_q14(const int32_t *model, const int32_t *offset, osc_matrix_q14 *out):
 * model * inverse bind matrix that does not turn. */
    function osc_armv4_skin_offset_q14
    ldmia r1, {r3-r5}
    .irp which, 0, 1, 2
    ldmia r0!, {r9-r12}
    offset_row r3, r4, r5, r12
    strh r9, [r2], #2
    strh r10, [r2], #2
    strh r11, [r2], #2
    str r12, [r2, #TRANSLATION + 4 * \which - 6 * (\which + 1)]
    .endr
    mov r1, #0
    strh r1, [r2]
    end_function osc_armv4_skin_offset_q14

#endif
