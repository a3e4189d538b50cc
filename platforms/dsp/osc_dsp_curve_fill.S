/* SPDX-License-Identifier: MIT */
/* Rows of curve clips for Cortex-M with DSP instructions and an FPU: osc_curve_fill of
 * runtime/codecs/osc_port_rows.h. Linked only with OSC_FAST_ROWS; platforms/README.md states what it
 * saves and what it costs.
 *
 * A track's kind, and the kinds of its components, say where to jump. From there a track runs to
 * its end, and on to the next one, without a call. What the loop does not do, it leaves to
 * osc_curve.c: it stops before that track.
 *
 *   r0            the words of the track: after `dispatch` and `form`, then through all of them
 *   r5 r6 r7      the components x y z; also w, in one of r4, r8
 *   r10           bits not yet read, the next one lowest, with a single one above them; between the
 *                 components of a dense track they are in r7 and r4
 *   r11           the table: jumps, and below them the codes
 *   r12           `dispatch`
 *   lr            the frame
 *   the others    free
 */
#include "osc_port_config.h"

#ifdef OSC_PORT_CURVE_ROWS
#include "codecs/osc_curve_fields.h"
#include "osc_dsp_curve_table.h"

    .syntax unified
    .thumb
    .cfi_sections .debug_frame

/* ---- names ---- */

/* The loop's frame on the stack. The first four are the beginning of osc_curve_run. */
#define STACK_ROW 0
#define STACK_FRAME 12
#define STACK_WORDS 16
#define STACK_LAST_PAIR 20
#define STACK_RUN 24
#define STACK_EXTRA_BITS 28 /* bits of the stream before STACK_AT that never were in r10 */
#define STACK_AT 32         /* the next 16 bits of the stream */
#define STACK_LAST_AT 36
#define STACK_BLOCK_END 40
#define STACK_AHEAD_END 44
#define STACK_BYTES 48
#define SAVED_BYTES 36 /* r4 .. r11 and lr */

/* The frame below it while a section begins. Some words serve two names at different times. */
#define SECTION_BEYOND 0 /* two factors: a slope's to the key after the section; the parabola's */
#define SECTION_PACE 8
#define SECTION_LEAD 12 /* frames of extrapolation */
#define SECTION_WIDTH 12
#define SECTION_GAP 16
#define SECTION_SHIFT 20
#define SECTION_RICE 24
#define SECTION_PLAIN 24
#define SECTION_SIZES 32
#define SECTION_BYTES 40

/* What subroutines push. */
#define LONG_CODE_BYTES 24
#define CODE_BYTES 32

/* Masks and limits. */
#define RICE_MASK ((1 << OSC_CURVE_RICE_BITS) - 1)
#define COARSENING_MASK ((1 << OSC_CURVE_FORM_COARSENING_BITS) - 1)
#define GAP_ONES 12 /* of 16 bits at hand, so that a gap with parameter 3 is whole */
#define LONG_K_MOST (OSC_CURVE_K_Q2_MOST - OSC_DSP_CURVE_LONG_K_Q2)

/* An entry of the code table: the length of the code, or more than there are bits; what the
 * parameter changes by; eight times the number, and four. */
#define CODE_TOO_LONG 255
#define CODE_CHANGE_AT 8
#define CODE_NUMBER_AT 24

/* Where other things lie between the jumps and the codes. */
#define TABLE_RECIPROCAL (4 * 32)
#define TABLE_SECTION_KINDS (TABLE_RECIPROCAL + 4)
#define TABLE_JUMPS_BYTES (TABLE_SECTION_KINDS + 8)

/* ---- functions and frames ---- */

    .macro function name
    .balign 2
    .type \name, %function
    .thumb_func
\name:
    .cfi_startproc
    .endm

    .macro end_function name
    .cfi_endproc
    .size \name, . - \name
    .endm

/* The depth of the stack in code that only jumps reach: outside of a section's frame, or inside. */
    .macro outside_section
    .cfi_def_cfa_offset SAVED_BYTES + STACK_BYTES
    .endm
    .macro inside_section
    .cfi_def_cfa_offset SAVED_BYTES + STACK_BYTES + SECTION_BYTES
    .endm
    .macro open_section
    sub sp, sp, #SECTION_BYTES
    inside_section
    .endm
    .macro close_section
    add sp, sp, #SECTION_BYTES
    outside_section
    .endm

    .macro load_table out
    movw \out, #:lower16:osc_dsp_curve_table
    movt \out, #:upper16:osc_dsp_curve_table
    .endm

#include "osc_dsp_curve_macros.inc"

/* ---- entry and exit ---- */

    .section .text.osc_curve_fill, "ax", %progbits
    .global osc_curve_fill
    function osc_curve_fill
    push {r4, r5, r6, r7, r8, r9, r10, r11, lr}
    .cfi_def_cfa_offset SAVED_BYTES
    .cfi_rel_offset r4, 0
    .cfi_rel_offset r5, 4
    .cfi_rel_offset r6, 8
    .cfi_rel_offset r7, 12
    .cfi_rel_offset r8, 16
    .cfi_rel_offset r9, 20
    .cfi_rel_offset r10, 24
    .cfi_rel_offset r11, 28
    .cfi_rel_offset lr, 32

    mov r7, r0
    /* to r1 .. r4 the rows, chords and frame; r5 r6 the words, r8 the position, r9 the bits left;
     * r10 the track, r11 r12 the ends of the block */
    ldmia r0, {r1, r2, r3, r4, r5, r6, r8, r9, r10, r11, r12}
    mov r0, r10
    clz r9, r9
    add r8, r8, r9
    mov lr, r4
    add r10, r5, r6, lsl #2
    add r10, r10, #2
    lsr r9, r8, #4
    add r4, r5, r9, lsl #1
    sub r9, r9, #1
    cmp r9, r6, lsl #1
    bgt 1f
    ldrh r9, [r4], #2
    push {r4, r10, r11, r12}
    .cfi_def_cfa_offset SAVED_BYTES + 4 * 4
    orr r10, r9, #1 << 16
    and r8, r8, #15
    lsr r10, r10, r8
    mov r8, #0
    b 2f
    .cfi_def_cfa_offset SAVED_BYTES
1:
    add r4, r10, #2
    push {r4, r10, r11, r12}
    .cfi_def_cfa_offset SAVED_BYTES + 4 * 4
    mov r10, #1
    sub r9, r4, r5
    sub r8, r8, r9, lsl #3
2:
    mov r4, lr
    push {r1, r2, r3, r4, r5, r6, r7, r8}
    outside_section
    load_table r11
    next_track

/* Stops before a section, or before any track. */

.Lstop_at_section:
    sub r0, r0, #OSC_CURVE_TRACK_COMPONENTS - OSC_CURVE_TRACK_END
.Lstop:
    sub r0, r0, #OSC_CURVE_TRACK_END
    ldr r7, [sp, #STACK_RUN]
    ldr r1, [sp, #STACK_AT]
    ldr r2, [sp, #STACK_WORDS]
    ldr r3, [sp, #STACK_EXTRA_BITS]
    sub r1, r1, r2
    add r3, r3, r1, lsl #3
    clz r1, r10
    add r3, r3, r1
    sub r3, r3, #62
    mov r1, #1
    str r3, [r7, #OSC_CURVE_RUN_POSITION]
    str r1, [r7, #OSC_CURVE_RUN_LEFT]
    str r0, [r7, #OSC_CURVE_RUN_TRACK]
    add sp, sp, #STACK_BYTES
    .cfi_remember_state
    .cfi_def_cfa_offset SAVED_BYTES
    pop {r4, r5, r6, r7, r8, r9, r10, r11, pc}
    .cfi_restore_state

/* ---- dense tracks ---- */

/* Appends bits to those at hand, and fills the track from its first component on. */
.Lrefill:
    load_half r10, r1, r2, r3, .Lstop
    lsr r1, r12, #OSC_CURVE_KIND_AT
    ldr pc, [r11, r1, lsl #2]
    dense_components 0, r5, r10, r7
    dense_components 1, r6, r7, r4
    dense_components 2, r7, r4, r10

/* ---- sections, by which of their components move ---- */

    .irp mask, 1, 2, 3, 4, 5, 6, 7
    section_row \mask
    .endr

/* A rotation that the row before has already. */
.Lcopy:
    ldmia r0!, {r1, r2, r3, r4, r5, r6}
    cmp lr, r1
    beq .Lsection_ends
    add r0, r0, #3 * (OSC_CURVE_POLYNOMIAL_BYTES + OSC_CURVE_KEY_BYTES)
    row_addresses
    ldmia r2, {r4, r5, r6, r7}
    stmia r1, {r4, r5, r6, r7}
    mov r1, #0
    str r1, [r3, r9]
    next_track

/* ---- the ends of tracks, by their packings ---- */

.Lvector:
    ldr r2, [sp]
    ubfx r1, r12, #OSC_CURVE_OFFSET_AT, #OSC_CURVE_OFFSET_BITS
    add r2, r2, r1, lsl #2
    stmia r2, {r5, r6, r7}
    next_track
.Lpacking_0:
    rebuild r4
    row_addresses
    stmia r1, {r4, r5, r6, r7}
    store_chord r4, r5, r6, r7, r8
    rebuild_long r4
.Lpacking_1:
    rebuild r4
    row_addresses
    strd r7, r4, [r1]
    strd r5, r6, [r1, #8]
    store_chord r7, r4, r5, r6, r8
    rebuild_long r4
.Lpacking_2:
    rebuild r4
    row_addresses
    strd r6, r7, [r1]
    strd r4, r5, [r1, #8]
    store_chord r6, r7, r4, r5, r8
    rebuild_long r4
.Lpacking_3:
    rebuild r8
    row_addresses
    stmia r1, {r5, r6, r7, r8}
    store_chord r5, r6, r7, r8, r4
    rebuild_long r8
.Lturn:
    rebuild r4
    sum_components
    ubfx r1, r12, #OSC_CURVE_TRACK_PACKING_AT, #OSC_CURVE_TRACK_PACKING_BITS
    tbb [pc, r1]
8:
    .byte 0, 0, 0, 0
    .irp packing, 4, 5, 6, 7, 8, 9, 10, 11
    .byte (.Lturn_\packing - 8b) / 2
    .endr
.Lturn_4:
    turn r4, r5, r6, r7
    b .Lturned
.Lturn_5:
    turn r7, r4, r5, r6
    b .Lturned
.Lturn_6:
    turn r6, r7, r4, r5
    b .Lturned
.Lturn_7:
    turn r5, r6, r7, r4
    b .Lturned
.Lturn_8:
    turn_back r4, r5, r6, r7
    b .Lturned
.Lturn_9:
    turn_back r7, r4, r5, r6
    b .Lturned
.Lturn_10:
    turn_back r6, r7, r4, r5
    b .Lturned
.Lturn_11:
    turn_back r5, r6, r7, r4
.Lturned:
    ubfx r9, r12, #OSC_CURVE_OFFSET_AT, #OSC_CURVE_OFFSET_BITS
    ldmia sp, {r4, r5, r6}
    add r4, r4, r9, lsl #2
    add r5, r5, r9, lsl #2
    stmia r4, {r1, r2, r3, r8}
    store_chord r1, r2, r3, r8, r7, r5, r4, r5, r6
/* Components longer than a unit. Pushed twice, they can be loaded in the order x y z w; the sums
 * need all 32 bits. */
9:  bl long_root
    mov r4, r1
    push {r4, r5, r6, r7}
    push {r4, r5, r6, r7}
    .cfi_adjust_cfa_offset 2 * 4 * 4
    ubfx r1, r12, #OSC_CURVE_FINISH_AT, #2 /* the dropped one */
    rsb r1, r1, #4
    add r1, sp, r1, lsl #2
    ldmia r1, {r4, r5, r6, r7}
    add sp, sp, #2 * 4 * 4
    .cfi_adjust_cfa_offset -2 * 4 * 4
    sum_components
    tst r12, #8 << OSC_CURVE_FINISH_AT
    bne 1f
    turn r4, r5, r6, r7
    b 2f
1:  turn_back r4, r5, r6, r7
2:  ldr lr, [sp, #STACK_FRAME]
    sbfx r1, r1, #0, #31
    sbfx r2, r2, #0, #31
    sbfx r3, r3, #0, #31
    sbfx r8, r8, #0, #31
    b .Lturned

/* ---- dense tracks in packing four ---- */

.Lfour:
    lsrs r1, r10, #OSC_DSP_CURVE_FEW_BITS
    beq .Lrefill
    sub r0, r0, #OSC_CURVE_TRACK_END - OSC_CURVE_TRACK_FORM
    ldrd r1, r4, [r0]
    ldrd r2, r5, [r0, #OSC_CURVE_DENSE_BYTES]
    ldrd r3, r6, [r0, #2 * OSC_CURVE_DENSE_BYTES]
    ldrd r8, r7, [r0, #3 * OSC_CURVE_DENSE_BYTES]
    ubfx r1, r1, #OSC_CURVE_FOUR_SHIFT_AT, #OSC_CURVE_FOUR_SHIFT_BITS
    lsl r4, r4, r1
    ubfx r2, r2, #OSC_CURVE_FOUR_SHIFT_AT, #OSC_CURVE_FOUR_SHIFT_BITS
    lsl r5, r5, r2
    ubfx r3, r3, #OSC_CURVE_FOUR_SHIFT_AT, #OSC_CURVE_FOUR_SHIFT_BITS
    lsl r6, r6, r3
    ubfx r8, r8, #OSC_CURVE_FOUR_SHIFT_AT, #OSC_CURVE_FOUR_SHIFT_BITS
    lsl r7, r7, r8
    eor r1, r4, r4, asr #31
    sub r1, r1, r4, asr #31
    eor r2, r5, r5, asr #31
    sub r2, r2, r5, asr #31
    eor r3, r6, r6, asr #31
    sub r3, r3, r6, asr #31
    eor r8, r7, r7, asr #31
    sub r8, r8, r7, asr #31
    mov r9, #0
    cmp r2, r1
    itt hi
    movhi r9, #1
    movhi r1, r2
    mov r2, #2
    cmp r8, r3
    itt hi
    movhi r2, #3
    movhi r3, r8
    cmp r3, r1
    it hi
    movhi r9, r2
    ubfx r1, r12, #OSC_CURVE_OFFSET_AT, #OSC_CURVE_OFFSET_BITS
    ldr r2, [sp]
    add r2, r2, r1, lsl #2
    stmia r2, {r4, r5, r6, r7}
    mov r5, r9
    mov r6, r2
    tst r12, #OSC_CURVE_ADAPTS
    ite ne
    movne r7, #-1
    moveq r7, #0xff << CODE_NUMBER_AT
    .irp i, 0, 1, 2, 3
    four_component \i
    .endr
.Lfour_finish:
    row_addresses
    add r3, r3, r9
    mov r9, r5
    ldr r8, [r1, r9, lsl #2]
    mov r4, #0
    str r4, [r1, r9, lsl #2]
    ldmia r1, {r4, r5, r6, r7}
    smull r12, lr, r4, r4
    smlal r12, lr, r5, r5
    smlal r12, lr, r6, r6
    smlal r12, lr, r7, r7
    lsrs r12, r12, #12
    adc r12, r12, lr, lsl #20
    cmp lr, #256
    bhs 3f
    rsb r12, r12, #1 << 28
    square_root lr, r12, r4
2:  cmp r8, #0
    it mi
    rsbmi lr, lr, #0
    str lr, [r1, r9, lsl #2]
    sub r4, r0, #4 * OSC_CURVE_DENSE_BYTES
    add r4, r4, r9, lsl #4 /* bytes of a component */
    ldmia r4!, {r5, r6, r7, r8}
    ubfx r5, r5, #OSC_CURVE_FOUR_SHIFT_AT, #OSC_CURVE_FOUR_SHIFT_BITS
    mov r7, #1
    lsl r7, r7, r5
    add r7, lr, r7, lsr #1
    asr r7, r7, r5
    sub r9, r7, r6
    sub r4, r4, #12
    stmia r4, {r7, r8, r9}
    ldr lr, [sp, #STACK_FRAME]
    ldmia r1, {r4, r5, r6, r7}
    mov r9, #0
    store_chord r4, r5, r6, r7, r8
3:  cmp r9, #1
    it eq
    moveq r5, r4
    cmp r9, #2
    it eq
    moveq r6, r4
    cmp r9, #3
    it eq
    moveq r7, r4
    push {r1, r2, r3, r8}
    .cfi_adjust_cfa_offset 4 * 4
    bl long_root
    mov lr, r1
    pop {r1, r2, r3, r8}
    .cfi_adjust_cfa_offset -4 * 4
    b 2b
    .irp i, 0, 1, 2, 3
    four_component_rare \i
    .endr

#include "osc_dsp_curve_begin.inc"
    end_function osc_curve_fill

/* ---- subroutines ---- */

/* A code that the table does not have, and the step that follows from it. r3: the bits; r1: the
 * parameter, which it adapts; r9: eight times the step that the number is added to, then the step. */
    function long_code
    push {r2, r5, r6, r7, r8, lr}
    .cfi_adjust_cfa_offset 4 * 6
    .cfi_rel_offset lr, 4 * 5
    ubfx r5, r1, #OSC_DSP_CURVE_INDEX_BITS + 2, #OSC_CURVE_KEPT_K_BITS - (OSC_DSP_CURVE_INDEX_BITS + 2)
    mov r7, #1 << OSC_DSP_CURVE_INDEX_BITS
    subs r6, r5, #2
    blo 1f
    cmp r5, #OSC_DSP_CURVE_LONG_ROW
    bhs 3f
2:  take_rice r2, r3, r6, r5, r2, r8, .Lanywhere
.Lnumber:
    unzigzag r2
    add r9, r9, r2, lsl #3
    add r9, r9, #4
    asr r9, r9, #3
    sub r5, r5, #1
    cmp r5, #2
    it ge
    movge r5, #3
    mla r1, r5, r7, r1
    tst r1, #OSC_DSP_CURVE_LONG_ROW << (OSC_DSP_CURVE_INDEX_BITS + 2)
    bne 4f
    .cfi_remember_state
    pop {r2, r5, r6, r7, r8, pc}
    .cfi_restore_state
/* Parameter 0 has two rows; this is the first one. */
1:  add r1, r1, r7
    mov r6, #0
    b 2b
3:  ubfx r6, r1, #4, #OSC_DSP_CURVE_INDEX_BITS - 2
    add r6, r6, #OSC_DSP_CURVE_TABLE_ROWS
    mov r7, #4
    b 2b
/* The parameter stays among the long ones, or joins them. */
4:  ubfx r5, r1, #2, #OSC_DSP_CURVE_INDEX_BITS
    cmp r7, #4
    it ne
    lsrne r5, r5, #OSC_DSP_CURVE_INDEX_BITS - 2
    cmp r5, #LONG_K_MOST
    it hi
    movhi r5, #LONG_K_MOST
    bfi r1, r5, #2, #OSC_DSP_CURVE_INDEX_BITS
    .cfi_remember_state
    pop {r2, r5, r6, r7, r8, pc}
    .cfi_restore_state
/* 16 more bits may be enough. */
.Lanywhere:
    lsrs r5, r3, #16
    bne 5f
    load_half r3, r5, r8, r2, 5f, LONG_CODE_BYTES
    b 2b
5:  push {r9}
    .cfi_adjust_cfa_offset 4 * 1
    add r9, sp, #LONG_CODE_BYTES + 4
    bl any_code
    pop {r9}
    .cfi_adjust_cfa_offset -4 * 1
    b .Lnumber
    end_function long_code

/* Any code with parameter r6, which is read from the words of the stream, and the bits r3 after it.
 * r2 = its number; r5 = its quotient, at most 15. r9: the loop's frame. */
    function any_code
    push {lr}
    .cfi_adjust_cfa_offset 4 * 1
    .cfi_rel_offset lr, 4 * 0
    ldr r2, [r9, #STACK_AT]
    ldr r5, [r9, #STACK_WORDS]
    ldr r8, [r9, #STACK_EXTRA_BITS]
    sub r2, r2, r5
    add r8, r8, r2, lsl #3
    clz r2, r3
    add r2, r2, r8
    sub r2, r2, #31
    peek_32 r3, r2, r9, 0, r5, r8
    mvn r5, r3
    orr r5, r5, #1 << OSC_CURVE_RICE_ESCAPE
    rbit r5, r5
    clz r5, r5
    add r2, r2, r5
    cmp r5, #OSC_CURVE_RICE_ESCAPE
    beq 4f
    add r2, r2, #1
    add r2, r2, r6
    lsr r3, r3, r5
    lsr r3, r3, #1
    mov r8, #1
    lsl r8, r8, r6
    sub r8, r8, #1
    and r3, r3, r8
    lsl r8, r5, r6
    add r8, r8, r3
    b 5f
4:  peek_32 r3, r2, r9, 0, r5, r8
    add r2, r2, #32
    mov r8, r3
    lsr r5, r8, r6
    cmp r5, #OSC_CURVE_RICE_ESCAPE
    it hi
    movhi r5, #OSC_CURVE_RICE_ESCAPE
5:  ldr lr, [r9, #STACK_WORDS]
    lsr r3, r2, #4
    add r6, lr, r3, lsl #1
    ldr lr, [r9, #STACK_LAST_PAIR]
    sub r3, r3, #1
    cmp r3, lr, lsl #1
    bgt 6f
    ldrh r3, [r6], #2
    orr r3, r3, #1 << 16
    and r2, r2, #15
    lsr r3, r3, r2
    mov r2, #0
    b 7f
6:  ldr r6, [r9, #STACK_LAST_AT]
    ldr lr, [r9, #STACK_WORDS]
    add r6, r6, #2
    sub r3, r6, lr
    sub r2, r2, r3, lsl #3
    mov r3, #1
7:  str r6, [r9, #STACK_AT]
    str r2, [r9, #STACK_EXTRA_BITS]
    mov r2, r8
    .cfi_remember_state
    pop {pc}
    .cfi_restore_state
    end_function any_code

/* r1 = the dropped component of r5 r6 r7, which may be any words. */
    function long_root
    asr r1, r5, #10
    ubfx r2, r5, #0, #10
    mul r3, r1, r1
    mul r4, r1, r2
    mul r8, r2, r2
    asr r1, r6, #10
    ubfx r2, r6, #0, #10
    mla r3, r1, r1, r3
    mla r4, r1, r2, r4
    mla r8, r2, r2, r8
    asr r1, r7, #10
    ubfx r2, r7, #0, #10
    mla r3, r1, r1, r3
    mla r4, r1, r2, r4
    mla r8, r2, r2, r8
    add r8, r8, #2048
    add r4, r4, r8, lsr #11
    asr r4, r4, #1
    add r4, r4, r3, lsl #8
    rsb r3, r4, #1 << 28
    cmp r3, #1 << 28
    it hi
    movhi r3, #0
    square_root r1, r3, r2
    bx lr
    end_function long_root

/* r8 = the number of a code with parameter r8, which is 0 if there is no code. Uses r9, r11, r12. */
    function key_code
.Lkey_code_again:
    cmp r8, #OSC_CURVE_RICE_NO_CODE
    beq 2f
    take_rice r8, r10, r8, r9, r11, r12, 3f
1:  unzigzag r8
    bx lr
2:  mov r8, #0
    bx lr
3:  lsrs r9, r10, #16
    bne 4f
    load_half r10, r11, r12, r9, 4f, SECTION_BYTES
    b .Lkey_code_again
4:  push {r1, r2, r3, r4, r5, r6, r7, lr}
    .cfi_adjust_cfa_offset 4 * 8
    .cfi_rel_offset lr, 4 * 7
    mov r3, r10
    mov r6, r8
    add r9, sp, #CODE_BYTES + SECTION_BYTES
    bl any_code
    mov r10, r3
    mov r8, r2
    pop {r1, r2, r3, r4, r5, r6, r7, lr}
    .cfi_adjust_cfa_offset -4 * 8
    .cfi_restore lr
    b 1b
    end_function key_code

/* The pace of a section of r6 frames that begins at the frame lr had, on the loop's stack. */
    function section_pace
    str r6, [sp, #SECTION_GAP]
    frame_pace r1, r6, r2
    ldr r2, [sp, #SECTION_BYTES + STACK_FRAME]
    store_pace r2
    bx lr
    end_function section_pace

/* ---- the table ---- */

/* The codes of a parameter, and how it changes after the quotients 0, 1, 2 and more, in quarters. */
.macro code_row k, less, one, two, more
    .set .Li, 0
    .rept 1 << OSC_DSP_CURVE_INDEX_BITS
    .set .Lones, 0
    .irp ones, 1, 2, 3, 4, 5, 6, 7
    .if (.Li & ((1 << \ones) - 1)) == (1 << \ones) - 1
    .set .Lones, \ones
    .endif
    .endr
    .if .Lones + 1 + \k > OSC_DSP_CURVE_INDEX_BITS
    .word CODE_TOO_LONG
    .else
    .set .Lzigzag, (.Lones << \k) | ((.Li >> (.Lones + 1)) & ((1 << \k) - 1))
    .set .Lcoded, (.Lzigzag >> 1) ^ -(.Lzigzag & 1)
    .set .Lchange, \more
    .if .Lones == 0
    .set .Lchange, \less
    .elseif .Lones == 1
    .set .Lchange, \one
    .elseif .Lones == 2
    .set .Lchange, \two
    .endif
    .set .Lchange, (.Lchange << OSC_DSP_CURVE_INDEX_BITS) & 0xffff
    .word (((8 * .Lcoded + 4) & 255) << CODE_NUMBER_AT) | (.Lchange << CODE_CHANGE_AT) | (.Lones + 1 + \k)
    .endif
    .set .Li, .Li + 1
    .endr
    .endm

    .section .rodata.osc_dsp_curve_table, "a", %progbits
    .balign 4
    .type osc_dsp_curve_table, %object
osc_dsp_curve_table:

    .irp kind, 0, 1, 2, 3, 4, 5, 6, 7, 8
    .word .Ldense_0_\kind + 1
    .endr
    .word .Lstop + 1, .Lcopy + 1
    .irp mask, 1, 2, 3, 4, 5
    .word .Lsection_\mask + 1
    .endr
    .irp packing, 0, 1, 2, 3
    .word .Lpacking_\packing + 1
    .endr
    .rept 8
    .word .Lturn + 1
    .endr
    .word .Lsection_6 + 1
    .word .Lvector + 1
    .word .Lsection_7 + 1
    .word .Lfour + 1
    .word osc_curve_reciprocal
    /* the kind of a section, by the mask of its components that move */
    .byte OSC_DSP_CURVE_SECTION_1
    .irp mask, 1, 2, 3, 4, 5
    .byte OSC_DSP_CURVE_SECTION_1 - 1 + \mask
    .endr
    .byte OSC_DSP_CURVE_SECTION_6, OSC_DSP_CURVE_SECTION_7
    .space (4 << OSC_DSP_CURVE_INDEX_BITS) - TABLE_JUMPS_BYTES
    code_row 0, 0, 0, 2, 4
    .irp k, 0, 1, 2, 3, 4, 5, 6
    .if \k < OSC_DSP_CURVE_TABLE_ROWS
    code_row \k, -1, 0, 1, 3
    .endif
    .endr
    .rept 1 << OSC_DSP_CURVE_INDEX_BITS
    .word CODE_TOO_LONG
    .endr
    .size osc_dsp_curve_table, . - osc_dsp_curve_table
#endif

#ifdef __linux__
    .section .note.GNU-stack, "", %progbits /* the stack need not be executable */
#endif
