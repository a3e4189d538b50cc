/* Dense tracks in the loop of osc_curve_asm.h: a code for each component, and what it adds to. */
#ifndef OSC_CURVE_ASM_DENSE_H
#define OSC_CURVE_ASM_DENSE_H

/* clang-format off */
/* The ways of a component, by its kind. */
#define OSC_CURVE_ASM_POINTS \
    /* To the next component, or to the track's end */ \
    "    .macro osc_curve_onward place\n" \
    "    .if \\place == 0\n" \
    "    ubfx r1, r12, #4, #4\n" \
    "    osc_curve_kinds point_1\n" \
    "    .elseif \\place == 1\n" \
    "    and r1, r12, #15\n" \
    "    osc_curve_kinds point_2\n" \
    "    .else\n" \
    "    osc_curve_to_finish\n" \
    "    .endif\n" \
    "    .endm\n" \
    /* One component: predictor, whether the parameter adapts, place 0..2; result, bits before, \
     * bits after */ \
    "    .macro osc_curve_point kind, predictor, adapts, place, out, old, new\n" \
    ".Lcurve_point_\\place\\()_\\kind\\():\n" \
    "    .if \\place == 0\n" \
    "    cmp r10, #1 << OSC_CURVE_FEW_BITS\n" \
    "    .if \\predictor == 3\n" \
    "    blo .Lcurve_refill\n" \
    "    .else\n" \
    "    bhs 6f\n" \
    "    osc_curve_half r10, r1, r2, r3, .Lcurve_leave\n" \
    "6:\n" \
    "    .endif\n" \
    "    .endif\n" \
    "    .if \\predictor == 0\n" \
    "    ldrd r1, r2, [r0], #16\n" \
    "    .else\n" \
    "    ldmia r0!, {r1, r2, r3, r8}\n" \
    "    .if \\predictor == 1\n" \
    "    rsb r9, r3, r8, lsl #3\n" \
    "    sub r9, r9, r3, lsl #1\n" \
    "    .elseif \\predictor == 2\n" \
    "    add r9, r8, r8, lsl #1\n" \
    "    sub r9, r9, r3\n" \
    "    rsb r9, r8, r9, lsl #2\n" \
    "    .else\n" \
    "    rsb r9, r8, r8, lsl #3\n" \
    "    add r3, r3, r3, lsl #1\n" \
    "    sub r9, r9, r3\n" \
    "    lsl r9, r9, #1\n" \
    "    b .Lcurve_further_\\place\\()_\\adapts\n" \
    "    .endif\n" \
    "    .if \\predictor == 2\n" \
    ".Lcurve_further_\\place\\()_\\adapts:\n" \
    "    .endif\n" \
    "    .endif\n" \
    "    .if \\predictor != 3\n" \
    "    ubfx r3, r1, #0, #14\n" \
    "    bfi r3, \\old, #2, #OSC_CURVE_INDEX_BITS\n" \
    "    ldr r3, [r11, r3]\n" \
    "    lsrs \\new, \\old, r3\n" \
    "    beq 9f\n" \
    "    .if \\predictor == 0\n" \
    "    asr r9, r3, #24 + 3\n" \
    "    .else\n" \
    "    add r9, r9, r3, asr #24\n" \
    "    asr r9, r9, #3\n" \
    "    .endif\n" \
    "    .if \\adapts\n" \
    "    sxtah r1, r1, r3, ror #8\n" \
    "    .endif\n" \
    "7:\n" \
    "    lsr r3, r1, #14\n" \
    "    mla \\out, r9, r3, r2\n" \
    "    .if \\predictor == 0\n" \
    "    .if \\adapts\n" \
    "    strd r1, \\out, [r0, #-16]\n" \
    "    .else\n" \
    "    str \\out, [r0, #-12]\n" \
    "    .endif\n" \
    "    .else\n" \
    "    stmdb r0, {r1, \\out, r8, r9}\n" \
    "    .endif\n" \
    "    osc_curve_onward \\place\n" \
    "9:\n" \
    "    .if \\predictor == 0\n" \
    "    mov r9, #0\n" \
    "    .endif\n" \
    "    mov r3, \\old\n" \
    "    bl .Lcurve_long\n" \
    "    ldr lr, [sp, #.Lcurve_frame]\n" \
    "    .if \\adapts == 0 && \\predictor != 0\n" \
    "    ldr r1, [r0, #-16]\n" \
    "    .endif\n" \
    "    mov \\new, r3\n" \
    "    b 7b\n" \
    "    .endif\n" \
    "    .endm\n" \
    "    .macro osc_curve_still place, out, old, new\n" \
    ".Lcurve_point_\\place\\()_0:\n" \
    "    mov \\new, \\old\n" \
    "    ldrd r1, \\out, [r0], #16\n" \
    "    osc_curve_onward \\place\n" \
    "    .endm\n" \
    "    .macro osc_curve_points place, out, old, new\n" \
    "    osc_curve_still \\place, \\out, \\old, \\new\n" \
    "    osc_curve_point 1, 0, 0, \\place, \\out, \\old, \\new\n" \
    "    osc_curve_point 2, 0, 1, \\place, \\out, \\old, \\new\n" \
    "    osc_curve_point 3, 1, 0, \\place, \\out, \\old, \\new\n" \
    "    osc_curve_point 4, 1, 1, \\place, \\out, \\old, \\new\n" \
    "    osc_curve_point 5, 2, 0, \\place, \\out, \\old, \\new\n" \
    "    osc_curve_point 6, 2, 1, \\place, \\out, \\old, \\new\n" \
    "    osc_curve_point 7, 3, 0, \\place, \\out, \\old, \\new\n" \
    "    osc_curve_point 8, 3, 1, \\place, \\out, \\old, \\new\n" \
    "    .endm\n"

/* The tracks. */
#define OSC_CURVE_ASM_REFILL \
    /* Bits for a track, where there are few */ \
    ".Lcurve_refill:\n" \
    "    osc_curve_half r10, r1, r2, r3, .Lcurve_leave\n" \
    "    lsr r1, r12, #27\n" \
    "    ldr pc, [r11, r1, lsl #2]\n" \
    "    osc_curve_points 0, r5, r10, r7\n" \
    "    osc_curve_points 1, r6, r7, r4\n" \
    "    osc_curve_points 2, r7, r4, r10\n"

/* What the table does not have. */
#define OSC_CURVE_ASM_CODES \
    /* A code that the table does not have. r3: bits; r1: parameter, adapted afterwards; r9: \
     * eight times the step, which the number is added to, and the step afterwards */ \
    ".Lcurve_long:\n" \
    "    push {r2, r5, r6, r7, r8, lr}\n" \
    "    ubfx r5, r1, #OSC_CURVE_INDEX_BITS + 2, #14 - (OSC_CURVE_INDEX_BITS + 2)\n" \
    "    mov r7, #1 << OSC_CURVE_INDEX_BITS\n" \
    "    subs r6, r5, #2\n" \
    "    blo 1f\n" \
    "    cmp r5, #OSC_CURVE_LONG_ROW\n" \
    "    bhs 3f\n" \
    "2:  osc_curve_rice r2, r3, r6, r5, r2, r8, .Lcurve_anywhere\n" \
    ".Lcurve_number:\n" \
    "    osc_curve_unzigzag r2\n" \
    "    add r9, r9, r2, lsl #3\n" \
    "    add r9, r9, #4\n" \
    "    asr r9, r9, #3\n" \
    "    sub r5, r5, #1\n" \
    "    cmp r5, #2\n" \
    "    it ge\n" \
    "    movge r5, #3\n" \
    "    mla r1, r5, r7, r1\n" \
    "    tst r1, #OSC_CURVE_LONG_ROW << (OSC_CURVE_INDEX_BITS + 2)\n" \
    "    bne 4f\n" \
    "    pop {r2, r5, r6, r7, r8, pc}\n" \
    /* The first of the two rows of parameter 0 */ \
    "1:  add r1, r1, r7\n" \
    "    mov r6, #0\n" \
    "    b 2b\n" \
    "3:  ubfx r6, r1, #4, #OSC_CURVE_INDEX_BITS - 2\n" \
    "    add r6, r6, #OSC_CURVE_TABLE_ROWS\n" \
    "    mov r7, #4\n" \
    "    b 2b\n" \
    /* Among the long ones still, or from now on */ \
    "4:  ubfx r5, r1, #2, #OSC_CURVE_INDEX_BITS\n" \
    "    cmp r7, #4\n" \
    "    it ne\n" \
    "    lsrne r5, r5, #OSC_CURVE_INDEX_BITS - 2\n" \
    "    cmp r5, #59 - 4 * OSC_CURVE_TABLE_ROWS\n" \
    "    it hi\n" \
    "    movhi r5, #59 - 4 * OSC_CURVE_TABLE_ROWS\n" \
    "    bfi r1, r5, #2, #OSC_CURVE_INDEX_BITS\n" \
    "    pop {r2, r5, r6, r7, r8, pc}\n" \
    /* 16 bits more may do */ \
    ".Lcurve_anywhere:\n" \
    "    lsrs r5, r3, #16\n" \
    "    bne 5f\n" \
    "    osc_curve_half r3, r5, r8, r2, 5f, .Lcurve_saved\n" \
    "    b 2b\n" \
    "5:  push {r9}\n" \
    "    add r9, sp, #.Lcurve_saved + 4\n" \
    "    bl .Lcurve_any\n" \
    "    pop {r9}\n" \
    "    b .Lcurve_number\n" \
    /* Any code with parameter r6 behind the bits r3, which has to be looked for in the words: \
     * its number to r2, by 2^r6 to r5, at most 15, and bits to r3. r9: the frame on the stack */ \
    ".Lcurve_any:\n" \
    "    push {lr}\n" \
    "    ldr r2, [r9, #.Lcurve_at]\n" \
    "    ldr r5, [r9, #.Lcurve_words]\n" \
    "    ldr r8, [r9, #.Lcurve_extra]\n" \
    "    sub r2, r2, r5\n" \
    "    add r8, r8, r2, lsl #3\n" \
    "    clz r2, r3\n" \
    "    add r2, r2, r8\n" \
    "    sub r2, r2, #31\n" \
    "    osc_curve_peek r3, r2, r9, 0, r5, r8\n" \
    "    mvn r5, r3\n" \
    "    orr r5, r5, #1 << 15\n" \
    "    rbit r5, r5\n" \
    "    clz r5, r5\n" \
    "    add r2, r2, r5\n" \
    "    cmp r5, #15\n" \
    "    beq 4f\n" \
    "    add r2, r2, #1\n" \
    "    add r2, r2, r6\n" \
    "    lsr r3, r3, r5\n" \
    "    lsr r3, r3, #1\n" \
    "    mov r8, #1\n" \
    "    lsl r8, r8, r6\n" \
    "    sub r8, r8, #1\n" \
    "    and r3, r3, r8\n" \
    "    lsl r8, r5, r6\n" \
    "    add r8, r8, r3\n" \
    "    b 5f\n" \
    "4:  osc_curve_peek r3, r2, r9, 0, r5, r8\n" \
    "    add r2, r2, #32\n" \
    "    mov r8, r3\n" \
    "    lsr r5, r8, r6\n" \
    "    cmp r5, #15\n" \
    "    it hi\n" \
    "    movhi r5, #15\n" \
    "5:  ldr lr, [r9, #.Lcurve_words]\n" \
    "    lsr r3, r2, #4\n" \
    "    add r6, lr, r3, lsl #1\n" \
    "    ldr lr, [r9, #.Lcurve_last]\n" \
    "    sub r3, r3, #1\n" \
    "    cmp r3, lr, lsl #1\n" \
    "    bgt 6f\n" \
    "    ldrh r3, [r6], #2\n" \
    "    orr r3, r3, #1 << 16\n" \
    "    and r2, r2, #15\n" \
    "    lsr r3, r3, r2\n" \
    "    mov r2, #0\n" \
    "    b 7f\n" \
    "6:  ldr r6, [r9, #.Lcurve_last_at]\n" \
    "    ldr lr, [r9, #.Lcurve_words]\n" \
    "    add r6, r6, #2\n" \
    "    sub r3, r6, lr\n" \
    "    sub r2, r2, r3, lsl #3\n" \
    "    mov r3, #1\n" \
    "7:  str r6, [r9, #.Lcurve_at]\n" \
    "    str r2, [r9, #.Lcurve_extra]\n" \
    "    mov r2, r8\n" \
    "    pop {pc}\n"
/* clang-format on */

#endif
