/* Rows of sections in the loop of osc_curve_asm.h: values from coefficients. */
#ifndef OSC_CURVE_ASM_SECTIONS_H
#define OSC_CURVE_ASM_SECTIONS_H

/* clang-format off */
/* A row of a section. */
#define OSC_CURVE_ASM_SECTION \
    /* start + c1 u + c2 u^2 + c3 u^3, or start alone */ \
    "    .macro osc_curve_lane moves, out\n" \
    "    .if \\moves\n" \
    "    ldmia r0!, {r1, r2, r3, r4}\n" \
    "    smlawb r4, r4, r8, r3\n" \
    "    mul r4, r4, r8\n" \
    "    add r4, r2, r4, asr #15\n" \
    "    lsl r4, r4, r12\n" \
    "    smmlar \\out, r4, r9, r1\n" \
    "    .else\n" \
    "    ldr \\out, [r0], #16\n" \
    "    .endif\n" \
    "    .endm\n" \
    "    .macro osc_curve_section mask\n" \
    ".Lcurve_section_\\mask\\():\n" \
    "    ldmia r0!, {r1, r2, r3, r4, r5, r6}\n" \
    "    cmp lr, r1\n" \
    "    beq .Lcurve_section_ends\n" \
    "    mla r2, lr, r3, r2\n" \
    "    lsr r8, r2, #16\n" \
    "    lsl r9, r8, r4\n" \
    "    osc_curve_lane (\\mask & 1), r5\n" \
    "    osc_curve_lane (\\mask & 2), r6\n" \
    "    osc_curve_lane (\\mask & 4), r7\n" \
    "    add r0, r0, #36\n" \
    "    osc_curve_to_finish\n" \
    "    .endm\n"

/* The sections, by which of their components move. */
#define OSC_CURVE_ASM_SECTIONS \
    "    .irp mask, 1, 2, 3, 4, 5, 6, 7\n" \
    "    osc_curve_section \\mask\n" \
    "    .endr\n" \
    /* A rotation that the row before has */ \
    ".Lcurve_copy:\n" \
    "    ldmia r0!, {r1, r2, r3, r4, r5, r6}\n" \
    "    cmp lr, r1\n" \
    "    beq .Lcurve_section_ends\n" \
    "    add r0, r0, #84\n" \
    "    osc_curve_place\n" \
    "    ldmia r2, {r4, r5, r6, r7}\n" \
    "    stmia r1, {r4, r5, r6, r7}\n" \
    "    mov r1, #0\n" \
    "    str r1, [r3, r9]\n" \
    "    osc_curve_next\n"
/* clang-format on */

#endif
