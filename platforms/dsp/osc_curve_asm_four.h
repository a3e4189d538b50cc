/* Dense tracks in packing four, in the loop of osc_curve_asm.h. */
#ifndef OSC_CURVE_ASM_FOUR_H
#define OSC_CURVE_ASM_FOUR_H

/* clang-format off */
#define OSC_CURVE_ASM_FOUR \
    /* A component, unless r5 says that it was largest. r6: row; r7: what counts of the table's \
     * entries: no change of the parameter where it does not adapt */ \
    "    .macro osc_curve_corner place\n" \
    "    cmp r5, #\\place\n" \
    "    beq .Lcurve_corner_largest_\\place\n" \
    "    ldmia r0!, {r1, r2, r3, r8}\n" \
    "    ubfx r4, r1, #14, #2\n" \
    "    tbb [pc, r4]\n" \
    "8:\n" \
    "    .byte (0f - 8b) / 2, (1f - 8b) / 2, (2f - 8b) / 2, (3f - 8b) / 2\n" \
    "3:  rsb r9, r8, r8, lsl #3\n" \
    "    add r3, r3, r3, lsl #1\n" \
    "    sub r9, r9, r3\n" \
    "    lsl r9, r9, #1\n" \
    "    b 6f\n" \
    "0:  mov r9, #0\n" \
    "    b 6f\n" \
    "1:  rsb r9, r3, r8, lsl #3\n" \
    "    sub r9, r9, r3, lsl #1\n" \
    "    b 6f\n" \
    "2:  add r9, r8, r8, lsl #1\n" \
    "    sub r9, r9, r3\n" \
    "    rsb r9, r8, r9, lsl #2\n" \
    "6:  ubfx r3, r1, #0, #14\n" \
    "    bfi r3, r10, #2, #OSC_CURVE_INDEX_BITS\n" \
    "    ldr r3, [r11, r3]\n" \
    "    lsrs r4, r10, r3\n" \
    "    beq .Lcurve_corner_code_\\place\n" \
    "    mov r10, r4\n" \
    "    and r3, r3, r7\n" \
    "    add r9, r9, r3, asr #24\n" \
    "    asr r9, r9, #3\n" \
    "    sxtah r1, r1, r3, ror #8\n" \
    ".Lcurve_corner_moves_\\place\\():\n" \
    "    add r2, r2, r9\n" \
    "    stmdb r0, {r1, r2, r8, r9}\n" \
    "    ubfx r3, r1, #17, #5\n" \
    "    lsl r3, r2, r3\n" \
    "    str r3, [r6, #4 * \\place]\n" \
    ".Lcurve_corner_next_\\place\\():\n" \
    "    .endm\n" \
    "    .macro osc_curve_corner_rarely place\n" \
    ".Lcurve_corner_largest_\\place\\():\n" \
    "    add r0, r0, #16\n" \
    "    b .Lcurve_corner_next_\\place\n" \
    /* No code of the table; none at all where there are no codes, whose parameter is a long one */ \
    ".Lcurve_corner_code_\\place\\():\n" \
    "    tst r1, #1 << 16\n" \
    "    bne .Lcurve_corner_codeless_\\place\n" \
    "    mov r3, r10\n" \
    "    bl .Lcurve_long\n" \
    "    ldr lr, [sp, #.Lcurve_frame]\n" \
    "    mov r10, r3\n" \
    "    cmp r7, #-1\n" \
    "    it ne\n" \
    "    ldrne r1, [r0, #-16]\n" \
    "    b .Lcurve_corner_moves_\\place\n" \
    ".Lcurve_corner_codeless_\\place\\():\n" \
    "    add r9, r9, #4\n" \
    "    asr r9, r9, #3\n" \
    "    b .Lcurve_corner_moves_\\place\n" \
    "    .endm\n" \
    /* A dense track in packing four. */ \
    ".Lcurve_four:\n" \
    "    lsrs r1, r10, #OSC_CURVE_FEW_BITS\n" \
    "    beq .Lcurve_refill\n" \
    "    sub r0, r0, #4\n" \
    "    ldrd r1, r4, [r0]\n" \
    "    ldrd r2, r5, [r0, #16]\n" \
    "    ldrd r3, r6, [r0, #32]\n" \
    "    ldrd r8, r7, [r0, #48]\n" \
    "    ubfx r1, r1, #17, #5\n" \
    "    lsl r4, r4, r1\n" \
    "    ubfx r2, r2, #17, #5\n" \
    "    lsl r5, r5, r2\n" \
    "    ubfx r3, r3, #17, #5\n" \
    "    lsl r6, r6, r3\n" \
    "    ubfx r8, r8, #17, #5\n" \
    "    lsl r7, r7, r8\n" \
    "    eor r1, r4, r4, asr #31\n" \
    "    sub r1, r1, r4, asr #31\n" \
    "    eor r2, r5, r5, asr #31\n" \
    "    sub r2, r2, r5, asr #31\n" \
    "    eor r3, r6, r6, asr #31\n" \
    "    sub r3, r3, r6, asr #31\n" \
    "    eor r8, r7, r7, asr #31\n" \
    "    sub r8, r8, r7, asr #31\n" \
    "    mov r9, #0\n" \
    "    cmp r2, r1\n" \
    "    itt hi\n" \
    "    movhi r9, #1\n" \
    "    movhi r1, r2\n" \
    "    mov r2, #2\n" \
    "    cmp r8, r3\n" \
    "    itt hi\n" \
    "    movhi r2, #3\n" \
    "    movhi r3, r8\n" \
    "    cmp r3, r1\n" \
    "    it hi\n" \
    "    movhi r9, r2\n" \
    "    ubfx r1, r12, #8, #14\n" \
    "    ldr r2, [sp]\n" \
    "    add r2, r2, r1, lsl #2\n" \
    "    stmia r2, {r4, r5, r6, r7}\n" \
    "    mov r5, r9\n" \
    "    mov r6, r2\n" \
    "    tst r12, #1\n" \
    "    ite ne\n" \
    "    movne r7, #-1\n" \
    "    moveq r7, #0xff000000\n" \
    "    .irp place, 0, 1, 2, 3\n" \
    "    osc_curve_corner \\place\n" \
    "    .endr\n" \
    ".Lcurve_four_finish:\n" \
    "    osc_curve_place\n" \
    "    add r3, r3, r9\n" \
    "    mov r9, r5\n" \
    "    ldr r8, [r1, r9, lsl #2]\n" \
    "    mov r4, #0\n" \
    "    str r4, [r1, r9, lsl #2]\n" \
    "    ldmia r1, {r4, r5, r6, r7}\n" \
    "    smull r12, lr, r4, r4\n" \
    "    smlal r12, lr, r5, r5\n" \
    "    smlal r12, lr, r6, r6\n" \
    "    smlal r12, lr, r7, r7\n" \
    "    lsrs r12, r12, #12\n" \
    "    adc r12, r12, lr, lsl #20\n" \
    "    cmp lr, #256\n" \
    "    bhs 3f\n" \
    "    rsb r12, r12, #1 << 28\n" \
    "    osc_curve_root lr, r12, r4\n" \
    "2:  cmp r8, #0\n" \
    "    it mi\n" \
    "    rsbmi lr, lr, #0\n" \
    "    str lr, [r1, r9, lsl #2]\n" \
    "    sub r4, r0, #64\n" \
    "    add r4, r4, r9, lsl #4\n" \
    "    ldmia r4!, {r5, r6, r7, r8}\n" \
    "    ubfx r5, r5, #17, #5\n" \
    "    mov r7, #1\n" \
    "    lsl r7, r7, r5\n" \
    "    add r7, lr, r7, lsr #1\n" \
    "    asr r7, r7, r5\n" \
    "    sub r9, r7, r6\n" \
    "    sub r4, r4, #12\n" \
    "    stmia r4, {r7, r8, r9}\n" \
    "    ldr lr, [sp, #.Lcurve_frame]\n" \
    "    ldmia r1, {r4, r5, r6, r7}\n" \
    "    mov r9, #0\n" \
    "    osc_curve_chord r4, r5, r6, r7, r8\n" \
    "3:  cmp r9, #1\n" \
    "    it eq\n" \
    "    moveq r5, r4\n" \
    "    cmp r9, #2\n" \
    "    it eq\n" \
    "    moveq r6, r4\n" \
    "    cmp r9, #3\n" \
    "    it eq\n" \
    "    moveq r7, r4\n" \
    "    push {r1, r2, r3, r8}\n" \
    "    bl .Lcurve_squares\n" \
    "    mov lr, r1\n" \
    "    pop {r1, r2, r3, r8}\n" \
    "    b 2b\n" \
    "    .irp place, 0, 1, 2, 3\n" \
    "    osc_curve_corner_rarely \\place\n" \
    "    .endr\n"
/* clang-format on */

#endif
