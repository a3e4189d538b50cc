/* The end of what begins a section, in the loop of osc_curve_asm.h: its coefficients come to one
 * scale, as osc_curve_settle and osc_curve_ready have it. */
#ifndef OSC_CURVE_ASM_SETTLE_H
#define OSC_CURVE_ASM_SETTLE_H

/* clang-format off */
/* The coefficients of a section to one scale, and what kind of section that is. */
#define OSC_CURVE_ASM_SETTLE \
    /* r1: sizes */ \
    ".Lcurve_settle:\n" \
    "    ldr r9, [sp, #.Lcurve_shift]\n" \
    "    add sp, sp, #.Lcurve_section_bytes\n" \
    "    adr.w r11, .Lcurve_table\n" \
    "    ldr lr, [sp, #.Lcurve_frame]\n" \
    "    sub r0, r0, #48\n" \
    "    ldr r12, [r0, #-32]\n" \
    "    rsb r9, r9, #25\n" \
    "    mov r3, #0\n" \
    "    lsrs r2, r1, #16\n" \
    "    bne .Lcurve_shorten\n" \
    "    .irp bit, 1, 2, 4\n" \
    "    ldmia r0!, {r1, r4, r5, r6}\n" \
    "    orr r4, r4, r5\n" \
    "    orrs r4, r4, r6\n" \
    "    it ne\n" \
    "    orrne r3, r3, #\\bit\n" \
    "    lsl r6, r6, #1\n" \
    "    str r6, [r0, #-4]\n" \
    "    .endr\n" \
    ".Lcurve_settled:\n" \
    "    rsb r5, r9, #16\n" \
    "    usat r6, #5, r5\n" \
    "    sub r5, r5, r6\n" \
    "    add r5, r5, #16\n" \
    "    add r5, r5, r9, lsl #8\n" \
    "    str r5, [r0, #-60]\n" \
    "    add r4, r3, r11\n" \
    "    ldrb r4, [r4, #132]\n" \
    "    bfi r12, r4, #27, #5\n" \
    "    bfi r12, r6, #0, #8\n" \
    "    str r12, [r0, #-80]\n" \
    "    sub r0, r0, #72\n" \
    "    cmp r3, #0\n" \
    "    beq .Lcurve_stands\n" \
    "    ldr pc, [r11, r4, lsl #2]\n" \
    /* Coefficients of more than 16 bits */ \
    ".Lcurve_shorten:\n" \
    "    lsrs r2, r1, #30\n" \
    "    bne .Lcurve_section_is_long\n" \
    "    clz r8, r1\n" \
    "    rsb r8, r8, #16\n" \
    "    subs r9, r9, r8\n" \
    "    it lo\n" \
    "    movlo r9, #0\n" \
    "    cmp r9, #2\n" \
    "    blo .Lcurve_section_is_other\n" \
    "    .irp bit, 1, 2, 4\n" \
    "    ldmia r0, {r1, r4, r5, r6}\n" \
    "    asr r4, r4, r8\n" \
    "    asr r5, r5, r8\n" \
    "    asr r6, r6, r8\n" \
    "    lsl r6, r6, #1\n" \
    "    stmia r0!, {r1, r4, r5, r6}\n" \
    "    orr r4, r4, r5\n" \
    "    orrs r4, r4, r6\n" \
    "    it ne\n" \
    "    orrne r3, r3, #\\bit\n" \
    "    .endr\n" \
    "    b .Lcurve_settled\n" \
    /* From the next row on a rotation is copied */ \
    ".Lcurve_stands:\n" \
    "    ubfx r2, r12, #22, #4\n" \
    "    cmp r2, #12\n" \
    "    bhs 1f\n" \
    "    mov r3, #10\n" \
    "    bfi r12, r3, #27, #5\n" \
    "    str r12, [r0, #-8]\n" \
    "1:  ldr pc, [r11, #44]\n" \
    /* The last key of a block holds */ \
    ".Lcurve_rest:\n" \
    "    and r7, r7, #15\n" \
    "    mov r9, #0\n" \
    "    mov r1, #3\n" \
    "    add r3, r0, #48\n" \
    "    mov r5, #0\n" \
    "    mov r6, #0\n" \
    "    mov r8, #0\n" \
    "1:  ldr r4, [r3], #12\n" \
    "    lsl r4, r4, r7\n" \
    "    stmia r0!, {r4, r5, r6, r8}\n" \
    "    subs r1, r1, #1\n" \
    "    bne 1b\n" \
    "    sub r0, r0, #72\n" \
    "    mvn r1, #0\n" \
    "    mov r2, #0\n" \
    "    mov r3, #0\n" \
    "    mov r4, #0\n" \
    "    stmia r0, {r1, r2, r3, r4}\n" \
    "    mov r1, #11\n" \
    "    bfi r12, r1, #27, #5\n" \
    "    str r12, [r0, #-8]\n" \
    "    b .Lcurve_stands\n" \
    /* What the loop does not evaluate; their sizes as osc_curve_size has them */ \
    ".Lcurve_section_is_long:\n" \
    "    mov r1, #0\n" \
    "    mov r3, #3\n" \
    "1:  ldmia r0!, {r2, r4, r5, r6}\n" \
    "    eor r4, r4, r4, asr #31\n" \
    "    eor r5, r5, r5, asr #31\n" \
    "    eor r6, r6, r6, asr #31\n" \
    "    add r4, r4, r5\n" \
    "    add r4, r4, r6\n" \
    "    orr r1, r1, r4\n" \
    "    subs r3, r3, #1\n" \
    "    bne 1b\n" \
    "    sub r0, r0, #48\n" \
    "    mov r8, #0\n" \
    "    lsrs r2, r1, #16\n" \
    "    beq 2f\n" \
    "    clz r8, r1\n" \
    "    rsb r8, r8, #16\n" \
    "2:  subs r9, r9, r8\n" \
    "    it lo\n" \
    "    movlo r9, #0\n" \
    ".Lcurve_section_is_other:\n" \
    "    lsl r7, r9, #8\n" \
    "    mov r3, #9\n" \
    "    bfi r12, r3, #27, #5\n" \
    "    bfc r12, #0, #8\n" \
    "    str r12, [r0, #-32]\n" \
    "    str r7, [r0, #-12]\n" \
    "    mov r3, #3\n" \
    "1:  ldmia r0, {r1, r4, r5, r6}\n" \
    "    asr r4, r4, r8\n" \
    "    asr r5, r5, r8\n" \
    "    asr r6, r6, r8\n" \
    "    stmia r0!, {r1, r4, r5, r6}\n" \
    "    subs r3, r3, #1\n" \
    "    bne 1b\n" \
    "    sub r0, r0, #72\n" \
    "    b .Lcurve_leave\n" \
    /* Of a section of r6 frames from lr on */ \
    ".Lcurve_set_pace:\n" \
    "    str r6, [sp, #.Lcurve_gap]\n" \
    "    osc_curve_pace r1, r6, r2\n" \
    "    ldr r2, [sp, #.Lcurve_section_bytes + .Lcurve_frame]\n" \
    "    osc_curve_keep_pace r2\n" \
    "    bx lr\n"
/* clang-format on */

#endif
