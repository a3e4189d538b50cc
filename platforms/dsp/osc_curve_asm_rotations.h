/* From the components of a track to its row and chord, in the loop of osc_curve_asm.h. */
#ifndef OSC_CURVE_ASM_ROTATIONS_H
#define OSC_CURVE_ASM_ROTATIONS_H

/* clang-format off */
/* Root, place, chord and turn. */
#define OSC_CURVE_ASM_ROTATION \
    /* As osc_sqrt.h and osc_root_round do it */ \
    "    .macro osc_curve_root out, n, t\n" \
    "    vmov s0, \\n\n" \
    "    vcvt.f32.u32 s0, s0\n" \
    "    vsqrt.f32 s0, s0\n" \
    "    vcvt.u32.f32 s0, s0, #6\n" \
    "    vmov \\out, s0\n" \
    "    mla \\t, \\out, \\out, \\out\n" \
    "    sub \\t, \\t, \\n, lsl #12\n" \
    "    sub \\out, \\out, \\t, asr #31\n" \
    "    .endm\n" \
    /* The dropped component, from r5 r6 r7 */ \
    "    .macro osc_curve_rebuild out\n" \
    "    smull r1, r2, r5, r5\n" \
    "    smlal r1, r2, r6, r6\n" \
    "    smlal r1, r2, r7, r7\n" \
    "    lsrs r1, r1, #12\n" \
    "    adc r1, r1, r2, lsl #20\n" \
    "    cmp r2, #256\n" \
    "    bhs 9f\n" \
    "    rsb r1, r1, #1 << 28\n" \
    "    osc_curve_root \\out, r1, r2\n" \
    "7:\n" \
    "    .endm\n" \
    "    .macro osc_curve_rebuild_rarely out\n" \
    "9:\n" \
    "    bl .Lcurve_squares\n" \
    "    ldr lr, [sp, #.Lcurve_frame]\n" \
    "    mov \\out, r1\n" \
    "    b 7b\n" \
    "    .endm\n" \
    /* Where a rotation goes, its chord, and what lay there in the row before: r1, r3, r2 */ \
    "    .macro osc_curve_place\n" \
    "    ubfx r9, r12, #8, #14\n" \
    "    ldmia sp, {r1, r2, r3}\n" \
    "    add r1, r1, r9, lsl #2\n" \
    "    add r2, r2, r9, lsl #2\n" \
    "    .endm\n" \
    "    .macro osc_curve_chord q0, q1, q2, q3, t, before=r2, a=r1, b=r2, to=r3\n" \
    "    ldmia \\before, {\\a, \\b, \\t, r12}\n" \
    "    sub \\q0, \\q0, \\a\n" \
    "    asr \\q0, \\q0, #5\n" \
    "    sub \\q1, \\q1, \\b\n" \
    "    asr \\q1, \\q1, #5\n" \
    "    sub \\q2, \\q2, \\t\n" \
    "    asr \\q2, \\q2, #5\n" \
    "    sub \\q3, \\q3, r12\n" \
    "    asr \\q3, \\q3, #5\n" \
    "    mul \\q0, \\q0, \\q0\n" \
    "    mla \\q0, \\q1, \\q1, \\q0\n" \
    "    mla \\q0, \\q2, \\q2, \\q0\n" \
    "    mla \\q0, \\q3, \\q3, \\q0\n" \
    "    lsr \\q0, \\q0, #10\n" \
    "    str \\q0, [\\to, r9]\n" \
    "    osc_curve_next\n" \
    "    .endm\n" \
    /* osc_turn, from and to r1 r2 r3 r8; r8: the sum of all. The last of 31 bits, which are enough \
     * where no component is longer than a unit */ \
    "    .macro osc_curve_turn x, y, z, w\n" \
    "    add r9, r8, #1\n" \
    "    asr r9, r9, #1\n" \
    "    sub r1, r9, \\y\n" \
    "    sub r2, r9, \\z\n" \
    "    sub r3, r9, \\x\n" \
    "    sub r8, \\w, r8, asr #1\n" \
    "    .endm\n" \
    "    .macro osc_curve_turn_back x, y, z, w\n" \
    "    add r8, r8, #1\n" \
    "    asr r8, r8, #1\n" \
    "    sub r9, r8, \\w\n" \
    "    sub r1, r9, \\z\n" \
    "    sub r2, r9, \\x\n" \
    "    sub r3, r9, \\y\n" \
    "    .endm\n" \
    "    .macro osc_curve_sum\n" \
    "    add r8, r5, r6\n" \
    "    add r8, r8, r7\n" \
    "    add r8, r8, r4\n" \
    "    .endm\n"

/* A vector, and rotations by their packings. */
#define OSC_CURVE_ASM_PACKINGS \
    ".Lcurve_vector:\n" \
    "    ldr r2, [sp]\n" \
    "    ubfx r1, r12, #8, #14\n" \
    "    add r2, r2, r1, lsl #2\n" \
    "    stmia r2, {r5, r6, r7}\n" \
    "    osc_curve_next\n" \
    ".Lcurve_packing_0:\n" \
    "    osc_curve_rebuild r4\n" \
    "    osc_curve_place\n" \
    "    stmia r1, {r4, r5, r6, r7}\n" \
    "    osc_curve_chord r4, r5, r6, r7, r8\n" \
    "    osc_curve_rebuild_rarely r4\n" \
    ".Lcurve_packing_1:\n" \
    "    osc_curve_rebuild r4\n" \
    "    osc_curve_place\n" \
    "    strd r7, r4, [r1]\n" \
    "    strd r5, r6, [r1, #8]\n" \
    "    osc_curve_chord r7, r4, r5, r6, r8\n" \
    "    osc_curve_rebuild_rarely r4\n" \
    ".Lcurve_packing_2:\n" \
    "    osc_curve_rebuild r4\n" \
    "    osc_curve_place\n" \
    "    strd r6, r7, [r1]\n" \
    "    strd r4, r5, [r1, #8]\n" \
    "    osc_curve_chord r6, r7, r4, r5, r8\n" \
    "    osc_curve_rebuild_rarely r4\n" \
    ".Lcurve_packing_3:\n" \
    "    osc_curve_rebuild r8\n" \
    "    osc_curve_place\n" \
    "    stmia r1, {r5, r6, r7, r8}\n" \
    "    osc_curve_chord r5, r6, r7, r8, r4\n" \
    "    osc_curve_rebuild_rarely r8\n" \
    ".Lcurve_turn:\n" \
    "    osc_curve_rebuild r4\n" \
    "    osc_curve_sum\n" \
    "    ubfx r1, r12, #22, #4\n" \
    "    tbb [pc, r1]\n" \
    "8:\n" \
    "    .byte 0, 0, 0, 0\n" \
    "    .irp packing, 4, 5, 6, 7, 8, 9, 10, 11\n" \
    "    .byte (.Lcurve_turn_\\packing - 8b) / 2\n" \
    "    .endr\n" \
    ".Lcurve_turn_4:\n" \
    "    osc_curve_turn r4, r5, r6, r7\n" \
    "    b .Lcurve_turned\n" \
    ".Lcurve_turn_5:\n" \
    "    osc_curve_turn r7, r4, r5, r6\n" \
    "    b .Lcurve_turned\n" \
    ".Lcurve_turn_6:\n" \
    "    osc_curve_turn r6, r7, r4, r5\n" \
    "    b .Lcurve_turned\n" \
    ".Lcurve_turn_7:\n" \
    "    osc_curve_turn r5, r6, r7, r4\n" \
    "    b .Lcurve_turned\n" \
    ".Lcurve_turn_8:\n" \
    "    osc_curve_turn_back r4, r5, r6, r7\n" \
    "    b .Lcurve_turned\n" \
    ".Lcurve_turn_9:\n" \
    "    osc_curve_turn_back r7, r4, r5, r6\n" \
    "    b .Lcurve_turned\n" \
    ".Lcurve_turn_10:\n" \
    "    osc_curve_turn_back r6, r7, r4, r5\n" \
    "    b .Lcurve_turned\n" \
    ".Lcurve_turn_11:\n" \
    "    osc_curve_turn_back r5, r6, r7, r4\n" \
    ".Lcurve_turned:\n" \
    "    ubfx r9, r12, #8, #14\n" \
    "    ldmia sp, {r4, r5, r6}\n" \
    "    add r4, r4, r9, lsl #2\n" \
    "    add r5, r5, r9, lsl #2\n" \
    "    stmia r4, {r1, r2, r3, r8}\n" \
    "    osc_curve_chord r1, r2, r3, r8, r7, r5, r4, r5, r6\n" \
    /* Components longer than a unit: twice in a row, to begin with x, and all 32 bits */ \
    "9:  bl .Lcurve_squares\n" \
    "    mov r4, r1\n" \
    "    push {r4, r5, r6, r7}\n" \
    "    push {r4, r5, r6, r7}\n" \
    "    ubfx r1, r12, #22, #2\n" \
    "    rsb r1, r1, #4\n" \
    "    add r1, sp, r1, lsl #2\n" \
    "    ldmia r1, {r4, r5, r6, r7}\n" \
    "    add sp, sp, #32\n" \
    "    osc_curve_sum\n" \
    "    tst r12, #8 << 22\n" \
    "    bne 1f\n" \
    "    osc_curve_turn r4, r5, r6, r7\n" \
    "    b 2f\n" \
    "1:  osc_curve_turn_back r4, r5, r6, r7\n" \
    "2:  ldr lr, [sp, #.Lcurve_frame]\n" \
    "    sbfx r1, r1, #0, #31\n" \
    "    sbfx r2, r2, #0, #31\n" \
    "    sbfx r3, r3, #0, #31\n" \
    "    sbfx r8, r8, #0, #31\n" \
    "    b .Lcurve_turned\n"

/* The slow way to a root. */
#define OSC_CURVE_ASM_SQUARES \
    /* The dropped component where the others are longer than a unit, or anything, to r1 */ \
    ".Lcurve_squares:\n" \
    "    asr r1, r5, #10\n" \
    "    ubfx r2, r5, #0, #10\n" \
    "    mul r3, r1, r1\n" \
    "    mul r4, r1, r2\n" \
    "    mul r8, r2, r2\n" \
    "    asr r1, r6, #10\n" \
    "    ubfx r2, r6, #0, #10\n" \
    "    mla r3, r1, r1, r3\n" \
    "    mla r4, r1, r2, r4\n" \
    "    mla r8, r2, r2, r8\n" \
    "    asr r1, r7, #10\n" \
    "    ubfx r2, r7, #0, #10\n" \
    "    mla r3, r1, r1, r3\n" \
    "    mla r4, r1, r2, r4\n" \
    "    mla r8, r2, r2, r8\n" \
    "    add r8, r8, #2048\n" \
    "    add r4, r4, r8, lsr #11\n" \
    "    asr r4, r4, #1\n" \
    "    add r4, r4, r3, lsl #8\n" \
    "    rsb r3, r4, #1 << 28\n" \
    "    cmp r3, #1 << 28\n" \
    "    it hi\n" \
    "    movhi r3, #0\n" \
    "    osc_curve_root r1, r3, r2\n" \
    "    bx lr\n"
/* clang-format on */

#endif
