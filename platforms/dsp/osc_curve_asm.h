/* The loop of osc_curve_rows.h, for the assembler.
 *
 * A track's kind, and the kinds of its components, say where to jump; from there a track runs to
 * its end, and to the next one, without a call. Registers: r0 the track's words, r5 r6 r7 the
 * components, r11 the table, r12 `go`, lr the frame; r10 the bits at hand, the next one lowest, with
 * a single one above them; between components it changes places with r4. */
#ifndef OSC_CURVE_ASM_H
#define OSC_CURVE_ASM_H

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
#define OSC_CURVE_PUSHES 132

/* clang-format off */
#define OSC_CURVE_ASM \
    ".equ OSC_CURVE_INDEX_BITS, " OSC_CURVE_TEXT(OSC_CURVE_INDEX_BITS) "\n" \
    ".equ OSC_CURVE_TABLE_ROWS, " OSC_CURVE_TEXT(OSC_CURVE_TABLE_ROWS) "\n" \
    ".equ OSC_CURVE_FEW_BITS, " OSC_CURVE_TEXT(OSC_CURVE_FEW_BITS) "\n" \
    ".equ OSC_CURVE_LONG_ROW, " OSC_CURVE_TEXT(OSC_CURVE_LONG_ROW) "\n" \
    "    .syntax unified\n" \
    /* r0: behind `go` and `form` of a track, then through its words; r5 r6 r7: x y z; r10: bits not yet read, below a one that ends them; r11: the table; r12: go; lr: frame On the stack: rows, chords, frame; words, last pair; run; bits before `at`, at, last at */ \
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
    "    .endm\n" \
    /* One component: predictor, whether the parameter adapts, place 0..2; result, bits before, bits after */ \
    "    .macro osc_curve_point kind, predictor, adapts, place, out, old, new\n" \
    ".Lcurve_point_\\place\\()_\\kind\\():\n" \
    "    .if \\place == 0\n" \
    "    cmp r10, #1 << OSC_CURVE_FEW_BITS\n" \
    "    blo .Lcurve_refill\n" \
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
    "    .endif\n" \
    "    add r9, r9, #4\n" \
    "    .endif\n" \
    "    ubfx r3, r1, #0, #14\n" \
    "    bfi r3, \\old, #2, #OSC_CURVE_INDEX_BITS\n" \
    "    ldr r3, [r11, r3]\n" \
    "    lsrs \\new, \\old, r3\n" \
    "    beq 9f\n" \
    "    .if \\predictor == 0\n" \
    "    sxtb r9, r3, ror #8\n" \
    "    .else\n" \
    "    sxtb \\out, r3, ror #8\n" \
    "    add r9, \\out, r9, asr #3\n" \
    "    .endif\n" \
    "    .if \\adapts\n" \
    "    add r1, r1, r3, asr #24 - OSC_CURVE_INDEX_BITS\n" \
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
    "    .elseif \\adapts\n" \
    "    stmdb r0, {r1, \\out, r8, r9}\n" \
    "    .else\n" \
    "    sub r3, r0, #12\n" \
    "    stmia r3, {\\out, r8, r9}\n" \
    "    .endif\n" \
    "    .if \\place == 0\n" \
    "    ubfx r1, r12, #4, #4\n" \
    "    osc_curve_kinds point_1\n" \
    "    .elseif \\place == 1\n" \
    "    and r1, r12, #15\n" \
    "    osc_curve_kinds point_2\n" \
    "    .else\n" \
    "    mov r10, r4\n" \
    "    osc_curve_to_finish\n" \
    "    .endif\n" \
    "9:\n" \
    "    .if \\predictor == 0\n" \
    "    mov r9, #0\n" \
    "    .else\n" \
    "    asr r9, r9, #3\n" \
    "    .endif\n" \
    "    mov r3, \\old\n" \
    "    bl .Lcurve_long\n" \
    "    ldr lr, [sp, #.Lcurve_frame]\n" \
    "    mov \\new, r3\n" \
    "    b 7b\n" \
    "    .endm\n" \
    "    .macro osc_curve_still place, out, old, new\n" \
    ".Lcurve_point_\\place\\()_0:\n" \
    "    ldrd r1, \\out, [r0], #16\n" \
    "    .if \\place == 0\n" \
    "    mov r4, r10\n" \
    "    ubfx r1, r12, #4, #4\n" \
    "    osc_curve_kinds point_1\n" \
    "    .elseif \\place == 1\n" \
    "    mov r10, r4\n" \
    "    and r1, r12, #15\n" \
    "    osc_curve_kinds point_2\n" \
    "    .else\n" \
    "    osc_curve_to_finish\n" \
    "    .endif\n" \
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
    "    .endm\n" \
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
    "    .endm\n" \
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
    "    .macro osc_curve_chord q0, q1, q2, q3, t0\n" \
    "    ldmia r2, {r1, r2, \\t0, r12}\n" \
    "    sub \\q0, \\q0, r1\n" \
    "    asr \\q0, \\q0, #5\n" \
    "    sub \\q1, \\q1, r2\n" \
    "    asr \\q1, \\q1, #5\n" \
    "    sub \\q2, \\q2, \\t0\n" \
    "    asr \\q2, \\q2, #5\n" \
    "    sub \\q3, \\q3, r12\n" \
    "    asr \\q3, \\q3, #5\n" \
    "    mul \\q0, \\q0, \\q0\n" \
    "    mla \\q0, \\q1, \\q1, \\q0\n" \
    "    mla \\q0, \\q2, \\q2, \\q0\n" \
    "    mla \\q0, \\q3, \\q3, \\q0\n" \
    "    lsr \\q0, \\q0, #10\n" \
    "    str \\q0, [r3, r9]\n" \
    "    osc_curve_next\n" \
    "    .endm\n" \
    /* q2 q1 q0 q3 of the turned rotation, from its sum and one, in r8 */ \
    "    .macro osc_curve_turn x, y, z, w\n" \
    "    sub r1, r8, \\y, lsl #1\n" \
    "    sub r2, r8, \\z, lsl #1\n" \
    "    sub r3, r8, \\x, lsl #1\n" \
    "    rsb r8, r8, \\w, lsl #1\n" \
    "    add r8, r8, #2\n" \
    "    asr r4, r1, #1\n" \
    "    asr r5, r2, #1\n" \
    "    asr r6, r3, #1\n" \
    "    asr r7, r8, #1\n" \
    "    b .Lcurve_turned\n" \
    "    .endm\n" \
    "    .macro osc_curve_turn_back x, y, z, w\n" \
    "    sub r9, r8, \\w, lsl #1\n" \
    "    sub r1, r9, \\z, lsl #1\n" \
    "    sub r2, r9, \\x, lsl #1\n" \
    "    sub r3, r9, \\y, lsl #1\n" \
    "    asr r4, r1, #1\n" \
    "    asr r5, r2, #1\n" \
    "    asr r6, r3, #1\n" \
    "    asr r7, r8, #1\n" \
    "    b .Lcurve_turned\n" \
    "    .endm\n" \
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
    "    b .Lcurve_end\n" \
    /* Bits for a track, where there are few */ \
    ".Lcurve_refill:\n" \
    "    ldrd r1, r2, [sp, #.Lcurve_at]\n" \
    "    cmp r1, r2\n" \
    "    bhi .Lcurve_leave\n" \
    "    clz r3, r10\n" \
    "    ldrh r2, [r1], #2\n" \
    "    str r1, [sp, #.Lcurve_at]\n" \
    "    rsb r3, r3, #31\n" \
    "    orr r2, r2, #1 << 16\n" \
    "    sub r2, r2, #1\n" \
    "    lsl r2, r2, r3\n" \
    "    add r10, r10, r2\n" \
    "    lsr r1, r12, #27\n" \
    "    ldr pc, [r11, r1, lsl #2]\n" \
    "    osc_curve_points 0, r5, r10, r4\n" \
    "    osc_curve_points 1, r6, r4, r10\n" \
    "    osc_curve_points 2, r7, r10, r4\n" \
    /* A code that the table does not have. r3: bits; r1: parameter, adapted afterwards; r9: number added */ \
    ".Lcurve_long:\n" \
    "    push {r2, r5, r6, r7, r8, lr}\n" \
    "    ubfx r7, r1, #OSC_CURVE_INDEX_BITS, #14 - OSC_CURVE_INDEX_BITS\n" \
    "    cmp r7, #4 * OSC_CURVE_LONG_ROW\n" \
    "    bhs 1f\n" \
    "    subs r7, r7, #8\n" \
    "    it mi\n" \
    "    movmi r7, #0\n" \
    "    b 2f\n" \
    "1:  and r7, r7, #3\n" \
    "    and r6, r1, #0x3c\n" \
    "    add r7, r7, r6\n" \
    "    add r7, r7, #4 * OSC_CURVE_TABLE_ROWS\n" \
    "2:  lsr r6, r7, #2\n" \
    "    mvn r5, r3\n" \
    "    rbit r5, r5\n" \
    "    clz r5, r5\n" \
    "    lsr r2, r3, r5\n" \
    "    lsr r2, r2, #1\n" \
    "    lsr r8, r2, r6\n" \
    "    cmp r8, #0\n" \
    "    beq .Lcurve_anywhere\n" \
    "    cmp r5, #15\n" \
    "    bhs .Lcurve_anywhere\n" \
    "    lsl r3, r8, r6\n" \
    "    sub r2, r2, r3\n" \
    "    lsl r3, r5, r6\n" \
    "    add r2, r2, r3\n" \
    "    mov r3, r8\n" \
    ".Lcurve_number:\n" \
    "    and r8, r2, #1\n" \
    "    rsb r8, r8, #0\n" \
    "    eor r8, r8, r2, lsr #1\n" \
    "    add r9, r9, r8\n" \
    "    subs r5, r5, #1\n" \
    "    cmp r5, #2\n" \
    "    it ge\n" \
    "    movge r5, #3\n" \
    "    adds r7, r7, r5\n" \
    "    it mi\n" \
    "    movmi r7, #0\n" \
    "    cmp r7, #59\n" \
    "    it gt\n" \
    "    movgt r7, #59\n" \
    "    subs r5, r7, #4 * OSC_CURVE_TABLE_ROWS\n" \
    "    ittt lo\n" \
    "    addlo r7, r7, #8\n" \
    "    lsllo r7, r7, #OSC_CURVE_INDEX_BITS\n" \
    "    blo 3f\n" \
    "    and r7, r5, #3\n" \
    "    lsl r7, r7, #OSC_CURVE_INDEX_BITS\n" \
    "    and r5, r5, #0x3c\n" \
    "    add r7, r7, r5\n" \
    "    add r7, r7, #OSC_CURVE_LONG_ROW << (OSC_CURVE_INDEX_BITS + 2)\n" \
    "3:  bfi r1, r7, #0, #14\n" \
    "    pop {r2, r5, r6, r7, r8, pc}\n" \
    ".Lcurve_anywhere:\n" \
    "    push {r9}\n" \
    "    add r9, sp, #.Lcurve_saved + 4\n" \
    "    bl .Lcurve_any\n" \
    "    pop {r9}\n" \
    "    b .Lcurve_number\n" \
    /* 32 bits at r2 to r3; beyond the last pair of words it stands for what follows */ \
    "    .macro osc_curve_peek\n" \
    "    ldrd r5, r8, [r9, #.Lcurve_words]\n" \
    "    lsr lr, r2, #5\n" \
    "    cmp lr, r8\n" \
    "    it hi\n" \
    "    movhi lr, r8\n" \
    "    add lr, r5, lr, lsl #2\n" \
    "    ldr r3, [lr]\n" \
    "    ldr lr, [lr, #4]\n" \
    "    and r8, r2, #31\n" \
    "    lsr r3, r3, r8\n" \
    "    rsb r8, r8, #31\n" \
    "    lsl lr, lr, #1\n" \
    "    lsl lr, lr, r8\n" \
    "    orr r3, r3, lr\n" \
    "    .endm\n" \
    /* Any code with parameter r6 behind the bits r3, which has to be looked for in the words: its number to r2, by 2^r6 to r5, at most 15, and bits to r3. r9: the frame on the stack */ \
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
    "    osc_curve_peek\n" \
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
    "4:  osc_curve_peek\n" \
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
    "    pop {pc}\n" \
    /* What the next section is made of, on the stack */ \
    "    .equ .Lcurve_beyond, 0\n" \
    "    .equ .Lcurve_pace, 8\n" \
    "    .equ .Lcurve_lead, 12\n" \
    "    .equ .Lcurve_gap, 16\n" \
    "    .equ .Lcurve_shift, 20\n" \
    "    .equ .Lcurve_rice, 24\n" \
    "    .equ .Lcurve_sizes, 32\n" \
    "    .equ .Lcurve_count, 40\n" \
    "    .equ .Lcurve_section_bytes, 44\n" \
    /* The number of a code with parameter r8 to r8, 0 for 15. Takes r9 r11 r12 */ \
    ".Lcurve_code:\n" \
    "    cmp r8, #15\n" \
    "    beq 2f\n" \
    "    mvn r9, r10\n" \
    "    rbit r9, r9\n" \
    "    clz r9, r9\n" \
    "    lsr r11, r10, r9\n" \
    "    lsr r11, r11, #1\n" \
    "    lsrs r12, r11, r8\n" \
    "    beq 3f\n" \
    "    cmp r9, #15\n" \
    "    bhs 3f\n" \
    "    mov r10, r12\n" \
    "    lsl r9, r9, r8\n" \
    "    lsl r8, r12, r8\n" \
    "    sub r11, r11, r8\n" \
    "    add r8, r9, r11\n" \
    "1:  lsrs r8, r8, #1\n" \
    "    it cs\n" \
    "    mvncs r8, r8\n" \
    "    bx lr\n" \
    "2:  mov r8, #0\n" \
    "    bx lr\n" \
    "3:  lsrs r9, r10, #16\n" \
    "    bne 4f\n" \
    "    ldrd r11, r12, [sp, #.Lcurve_section_bytes + .Lcurve_at]\n" \
    "    cmp r11, r12\n" \
    "    bhi 4f\n" \
    "    ldrh r12, [r11], #2\n" \
    "    str r11, [sp, #.Lcurve_section_bytes + .Lcurve_at]\n" \
    "    clz r9, r10\n" \
    "    rsb r9, r9, #31\n" \
    "    orr r12, r12, #1 << 16\n" \
    "    sub r12, r12, #1\n" \
    "    lsl r12, r12, r9\n" \
    "    add r10, r10, r12\n" \
    "    b .Lcurve_code\n" \
    "4:  push {r1, r2, r3, r4, r5, r6, r7, lr}\n" \
    "    mov r3, r10\n" \
    "    mov r6, r8\n" \
    "    add r9, sp, #32 + .Lcurve_section_bytes\n" \
    "    bl .Lcurve_any\n" \
    "    mov r10, r3\n" \
    "    mov r8, r2\n" \
    "    pop {r1, r2, r3, r4, r5, r6, r7, lr}\n" \
    "    b 1b\n" \
    /* Where the section of this frame is one that the loop can begin: no jump, no first or last one of its block, and no key of the next one. r0: lanes; r6: later */ \
    ".Lcurve_section_ends:\n" \
    "    ldr r7, [r0, #-28]\n" \
    "    ldrd r1, r2, [sp, #.Lcurve_block_end]\n" \
    "    cmp lr, r1\n" \
    "    beq .Lcurve_rest\n" \
    "    lsrs r3, r10, #16\n" \
    "    bne 1f\n" \
    "    ldrd r4, r5, [sp, #.Lcurve_at]\n" \
    "    cmp r4, r5\n" \
    "    bhi .Lcurve_give_up\n" \
    "    ldrh r5, [r4], #2\n" \
    "    str r4, [sp, #.Lcurve_at]\n" \
    "    clz r4, r10\n" \
    "    rsb r4, r4, #31\n" \
    "    orr r5, r5, #1 << 16\n" \
    "    sub r5, r5, #1\n" \
    "    lsl r5, r5, r4\n" \
    "    add r10, r10, r5\n" \
    "1:  mov r3, lr\n" \
    "    ubfx r8, r7, #4, #2\n" \
    "    cmp r8, #2\n" \
    "    blo .Lcurve_give_up\n" \
    "    bne 2f\n" \
    "    lsls r4, r6, #22\n" \
    "    lsrs r4, r4, #30\n" \
    "    bne .Lcurve_give_up\n" \
    "    uxtb r6, r6\n" \
    "    add r3, lr, r6\n" \
    "2:  subs r1, r1, r3\n" \
    "    beq .Lcurve_last_section\n" \
    "    mvn r4, r10\n" \
    "    rbit r4, r4\n" \
    "    clz r4, r4\n" \
    "    cmp r4, #12\n" \
    "    bhs .Lcurve_give_up\n" \
    "    ubfx r5, r7, #17, #2\n" \
    "    lsr r8, r10, r4\n" \
    "    lsr r8, r8, #1\n" \
    "    lsr r9, r8, r5\n" \
    "    lsl r4, r4, r5\n" \
    "    lsl r5, r9, r5\n" \
    "    sub r8, r8, r5\n" \
    "    add r4, r4, r8\n" \
    "    tst r7, #1 << 19\n" \
    "    beq 3f\n" \
    "    subs r4, r4, #1\n" \
    "    bmi .Lcurve_give_up\n" \
    "3:  add r4, r4, #1\n" \
    "    cmp r1, #64\n" \
    "    it hi\n" \
    "    movhi r1, #64\n" \
    "    cmp r4, r1\n" \
    "    it hi\n" \
    "    movhi r4, r1\n" \
    "    add r5, r3, r4\n" \
    "    cmp r5, r2\n" \
    "    beq .Lcurve_give_up\n" \
    "    mov r10, r9\n" \
    "    ldr r9, [r11, #128]\n" \
    "    sub sp, sp, #.Lcurve_section_bytes\n" \
    "    ubfx r8, r7, #4, #2\n" \
    "    cmp r8, #2\n" \
    "    bne .Lcurve_hermite\n" \
    "    str r3, [r0, #-24]\n" \
    "    ldr r5, [r0, #-4]\n" \
    "    bfi r5, r4, #0, #10\n" \
    "    str r5, [r0, #-4]\n" \
    "    add r5, r9, r4, lsl #1\n" \
    "    ldrh r5, [r5, #-2]\n" \
    "    clz r8, r4\n" \
    "    sub r8, r8, #15\n" \
    "    lsl r5, r5, r8\n" \
    "    add r2, r6, r4\n" \
    "    add r8, r9, r2, lsl #1\n" \
    "    ldrh r8, [r8, #-2]\n" \
    "    mul r8, r8, r6\n" \
    "    clz r2, r2\n" \
    "    rsb r2, r2, #31\n" \
    "    lsr r8, r8, r2\n" \
    "    lsl r8, r8, #16\n" \
    "    strd r5, r8, [sp, #.Lcurve_beyond]\n" \
    "    bl .Lcurve_set_pace\n" \
    "    str r1, [sp, #.Lcurve_pace]\n" \
    "    b .Lcurve_components\n" \
    /* Nothing is read for the last section of a block */ \
    ".Lcurve_last_section:\n" \
    "    str r3, [r0, #-24]\n" \
    "    ldr r5, [r0, #-4]\n" \
    "    bfc r5, #0, #10\n" \
    "    str r5, [r0, #-4]\n" \
    "    ldr r9, [r11, #128]\n" \
    "    sub sp, sp, #.Lcurve_section_bytes\n" \
    "    bl .Lcurve_set_pace\n" \
    "    mov r2, #0\n" \
    "    str r1, [sp, #.Lcurve_beyond]\n" \
    "    str r2, [sp, #.Lcurve_pace]\n" \
    "    b .Lcurve_components\n" \
    ".Lcurve_hermite:\n" \
    "    str r5, [r0, #-24]\n" \
    "    mov r6, r4\n" \
    "    bl .Lcurve_set_pace\n" \
    "    mov r1, #0\n" \
    "    str r1, [sp, #.Lcurve_pace]\n" \
    "    str r1, [sp, #.Lcurve_beyond]\n" \
    "    mov r4, r6\n" \
    "    ldr r1, [r0, #-8]\n" \
    "    lsr r1, r1, #16\n" \
    "    lsr r2, r7, #22\n" \
    "    ubfx r3, r7, #20, #2\n" \
    "    rsb r3, r3, #10\n" \
    "    mov r5, #3\n" \
    "    add r6, r0, #48\n" \
    "1:  ldr r9, [r6, #4]\n" \
    "    str r9, [r0, #4]\n" \
    "    and r8, r1, #15\n" \
    "    bl .Lcurve_code\n" \
    "    and r9, r2, #3\n" \
    "    add r9, r9, r3\n" \
    "    lsl r8, r8, r9\n" \
    "    ldr r9, [r0, #4]\n" \
    "    tst r7, #1 << 11\n" \
    "    it ne\n" \
    "    addne r8, r8, r9\n" \
    "    str r8, [r6, #4]\n" \
    "    lsr r1, r1, #4\n" \
    "    lsr r2, r2, #2\n" \
    "    add r0, r0, #16\n" \
    "    add r6, r6, #12\n" \
    "    subs r5, r5, #1\n" \
    "    bne 1b\n" \
    "    sub r0, r0, #48\n" \
    "    ldr r6, [sp, #.Lcurve_gap]\n" \
    ".Lcurve_components:\n" \
    "    tst r7, #1 << 10\n" \
    "    it eq\n" \
    "    moveq r4, #0\n" \
    "    str r4, [sp, #.Lcurve_lead]\n" \
    "    and r1, r7, #15\n" \
    "    str r1, [sp, #.Lcurve_shift]\n" \
    "    ldr r8, [r0, #-8]\n" \
    "    lsr r9, r7, #22\n" \
    "    strd r8, r9, [sp, #.Lcurve_rice]\n" \
    "    mov r1, #0\n" \
    "    mov r2, #0\n" \
    "    strd r1, r2, [sp, #.Lcurve_sizes]\n" \
    "    mov r1, #3\n" \
    "    str r1, [sp, #.Lcurve_count]\n" \
    "    add r7, r0, #48\n" \
    ".Lcurve_component:\n" \
    "    ldmia r7, {r1, r2, r3}\n" \
    "    ldrd r12, r11, [sp, #.Lcurve_pace]\n" \
    "    cmp r12, #0\n" \
    "    beq 1f\n" \
    "    sub r4, r3, r1\n" \
    "    lsl r5, r4, #11\n" \
    "    and r6, r5, r12, asr #31\n" \
    "    smmla r5, r5, r12, r6\n" \
    "    mul r6, r5, r11\n" \
    "    add r6, r6, #512\n" \
    "    add r6, r3, r6, asr #10\n" \
    "    b 2f\n" \
    "5:  sub r4, r3, r1\n" \
    "    lsl r5, r4, #11\n" \
    "    and r6, r5, r12, asr #31\n" \
    "    smmla r5, r5, r12, r6\n" \
    "    rsb r5, r2, r5, lsl #1\n" \
    "    stmia r7!, {r3, r5}\n" \
    "    add r7, r7, #4\n" \
    "    b 4f\n" \
    "1:  ldr r12, [sp, #.Lcurve_beyond]\n" \
    "    cmp r12, #0\n" \
    "    bne 5b\n" \
    "    mov r5, r2\n" \
    "    ldr r2, [r0, #4]\n" \
    "    add r6, r2, r5\n" \
    "    asr r6, r6, #1\n" \
    "    mul r6, r6, r11\n" \
    "    add r6, r6, #512\n" \
    "    add r6, r1, r6, asr #10\n" \
    "2:  ldrd r8, r9, [sp, #.Lcurve_rice]\n" \
    "    and r9, r9, #3\n" \
    "    mov r11, #1\n" \
    "    lsl r11, r11, r9\n" \
    "    add r6, r6, r11, lsr #1\n" \
    "    asr r6, r6, r9\n" \
    "    and r8, r8, #15\n" \
    "    bl .Lcurve_code\n" \
    "    add r6, r6, r8\n" \
    "    ldrd r8, r9, [sp, #.Lcurve_rice]\n" \
    "    and r11, r9, #3\n" \
    "    lsl r6, r6, r11\n" \
    "    lsr r8, r8, #4\n" \
    "    lsr r9, r9, #2\n" \
    "    strd r8, r9, [sp, #.Lcurve_rice]\n" \
    "    ldr r12, [sp, #.Lcurve_pace]\n" \
    "    cmp r12, #0\n" \
    "    beq 3f\n" \
    "    ldrd r8, r9, [sp, #.Lcurve_beyond]\n" \
    "    sub r11, r6, r3\n" \
    "    lsl r11, r11, #11\n" \
    "    and r12, r11, r8, asr #31\n" \
    "    smmla r11, r11, r8, r12\n" \
    "    sub r11, r11, r5\n" \
    "    lsl r11, r11, #1\n" \
    "    smmla r5, r11, r9, r5\n" \
    "    stmia r7!, {r3, r5, r6}\n" \
    "    b 4f\n" \
    "3:  sub r4, r6, r1\n" \
    "    str r6, [r7], #12\n" \
    "4:  ldrd r11, r12, [sp, #.Lcurve_gap]\n" \
    "    lsl r8, r1, r12\n" \
    "    mul r9, r2, r11\n" \
    "    mul r12, r5, r11\n" \
    "    add r12, r12, r9\n" \
    "    sub r12, r12, r4, lsl #11\n" \
    "    rsb r11, r9, r4, lsl #10\n" \
    "    sub r11, r11, r12\n" \
    "    stmia r0!, {r8, r9, r11, r12}\n" \
    "    ldrd r1, r2, [sp, #.Lcurve_sizes]\n" \
    "    eor r9, r9, r9, asr #31\n" \
    "    eor r11, r11, r11, asr #31\n" \
    "    eor r12, r12, r12, asr #31\n" \
    "    orr r2, r2, r9\n" \
    "    orr r2, r2, r11\n" \
    "    orr r2, r2, r12\n" \
    "    add r9, r9, r11\n" \
    "    add r9, r9, r12\n" \
    "    orr r1, r1, r9\n" \
    "    strd r1, r2, [sp, #.Lcurve_sizes]\n" \
    "    ldr r3, [sp, #.Lcurve_count]\n" \
    "    subs r3, r3, #1\n" \
    "    str r3, [sp, #.Lcurve_count]\n" \
    "    bne .Lcurve_component\n" \
    "    ldr r7, [sp, #.Lcurve_shift]\n" \
    "    mov r8, #0\n" \
    "    lsrs r3, r1, #16\n" \
    "    beq 1f\n" \
    "    clz r8, r1\n" \
    "    rsb r8, r8, #16\n" \
    "1:  add sp, sp, #.Lcurve_section_bytes\n" \
    "    adr.w r11, .Lcurve_table\n" \
    "    ldr lr, [sp, #.Lcurve_frame]\n" \
    "    rsb r9, r7, #25\n" \
    "    subs r9, r9, r8\n" \
    "    it lo\n" \
    "    movlo r9, #0\n" \
    "    sub r0, r0, #48\n" \
    "    ldr r12, [r0, #-32]\n" \
    "    lsl r7, r9, #8\n" \
    "    lsrs r2, r2, #30\n" \
    "    bne .Lcurve_section_is_other\n" \
    "    cmp r9, #2\n" \
    "    blo .Lcurve_section_is_other\n" \
    "    mov r3, #0\n" \
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
    "    sub r0, r0, #48\n" \
    "    add r3, r3, r11\n" \
    "    ldrb r3, [r3, #132]\n" \
    "    bfi r12, r3, #27, #5\n" \
    "    subs r9, r9, #16\n" \
    "    ite lo\n" \
    "    rsblo r6, r9, #0\n" \
    "    movhs r6, #0\n" \
    "    ite lo\n" \
    "    movlo r4, #16\n" \
    "    rsbhs r4, r9, #16\n" \
    "    orr r7, r7, r4\n" \
    "    bfi r12, r6, #0, #8\n" \
    "    str r12, [r0, #-32]\n" \
    "    str r7, [r0, #-12]\n" \
    "    sub r0, r0, #24\n" \
    "    lsr r1, r12, #27\n" \
    "    ldr pc, [r11, r1, lsl #2]\n" \
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
    "    ldr pc, [r11, #44]\n" \
    /* What the loop does not evaluate */ \
    ".Lcurve_section_is_other:\n" \
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
    "    add r1, r9, r6, lsl #1\n" \
    "    ldrh r1, [r1, #-2]\n" \
    "    clz r2, r6\n" \
    "    sub r2, r2, #15\n" \
    "    lsl r1, r1, r2\n" \
    "    ldr r2, [sp, #.Lcurve_section_bytes + .Lcurve_frame]\n" \
    "    mul r2, r2, r1\n" \
    "    rsb r2, r2, #1 << 15\n" \
    "    strd r2, r1, [r0, #-20]\n" \
    "    bx lr\n" \
    "    .irp mask, 1, 2, 3, 4, 5, 6, 7\n" \
    "    osc_curve_section \\mask\n" \
    "    .endr\n" \
    ".Lcurve_vector:\n" \
    "    ldr r2, [sp]\n" \
    "    ubfx r1, r12, #8, #14\n" \
    "    add r2, r2, r1, lsl #2\n" \
    "    stmia r2, {r5, r6, r7}\n" \
    "    osc_curve_next\n" \
    ".Lcurve_chart_0:\n" \
    "    osc_curve_rebuild r4\n" \
    "    osc_curve_place\n" \
    "    stmia r1, {r4, r5, r6, r7}\n" \
    "    osc_curve_chord r4, r5, r6, r7, r8\n" \
    "    osc_curve_rebuild_rarely r4\n" \
    ".Lcurve_chart_1:\n" \
    "    osc_curve_rebuild r4\n" \
    "    osc_curve_place\n" \
    "    strd r7, r4, [r1]\n" \
    "    strd r5, r6, [r1, #8]\n" \
    "    osc_curve_chord r7, r4, r5, r6, r8\n" \
    "    osc_curve_rebuild_rarely r4\n" \
    ".Lcurve_chart_2:\n" \
    "    osc_curve_rebuild r4\n" \
    "    osc_curve_place\n" \
    "    strd r6, r7, [r1]\n" \
    "    strd r4, r5, [r1, #8]\n" \
    "    osc_curve_chord r6, r7, r4, r5, r8\n" \
    "    osc_curve_rebuild_rarely r4\n" \
    ".Lcurve_chart_3:\n" \
    "    osc_curve_rebuild r8\n" \
    "    osc_curve_place\n" \
    "    stmia r1, {r5, r6, r7, r8}\n" \
    "    osc_curve_chord r5, r6, r7, r8, r4\n" \
    "    osc_curve_rebuild_rarely r8\n" \
    ".Lcurve_turn:\n" \
    "    osc_curve_rebuild r4\n" \
    "    add r8, r5, r6\n" \
    "    add r8, r8, r7\n" \
    "    add r8, r8, r4\n" \
    "    add r8, r8, #1\n" \
    "    ubfx r1, r12, #22, #4\n" \
    "    tbb [pc, r1]\n" \
    "8:\n" \
    "    .byte 0, 0, 0, 0\n" \
    "    .irp chart, 4, 5, 6, 7, 8, 9, 10, 11\n" \
    "    .byte (.Lcurve_turn_\\chart - 8b) / 2\n" \
    "    .endr\n" \
    "    osc_curve_rebuild_rarely r4\n" \
    ".Lcurve_turn_4:\n" \
    "    osc_curve_turn r4, r5, r6, r7\n" \
    ".Lcurve_turn_5:\n" \
    "    osc_curve_turn r7, r4, r5, r6\n" \
    ".Lcurve_turn_6:\n" \
    "    osc_curve_turn r6, r7, r4, r5\n" \
    ".Lcurve_turn_7:\n" \
    "    osc_curve_turn r5, r6, r7, r4\n" \
    ".Lcurve_turn_8:\n" \
    "    osc_curve_turn_back r4, r5, r6, r7\n" \
    ".Lcurve_turn_9:\n" \
    "    osc_curve_turn_back r7, r4, r5, r6\n" \
    ".Lcurve_turn_10:\n" \
    "    osc_curve_turn_back r6, r7, r4, r5\n" \
    ".Lcurve_turn_11:\n" \
    "    osc_curve_turn_back r5, r6, r7, r4\n" \
    ".Lcurve_turned:\n" \
    "    osc_curve_place\n" \
    "    stmia r1, {r4, r5, r6, r7}\n" \
    "    osc_curve_chord r4, r5, r6, r7, r8\n" \
    /* A dense track in chart four. r5: the component that was largest; r6: row; r7: component */ \
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
    "    mov r7, #0\n" \
    ".Lcurve_corner:\n" \
    "    cmp r7, r5\n" \
    "    beq 4f\n" \
    "    ldmia r0!, {r1, r2, r3, r8}\n" \
    "    ubfx r4, r1, #14, #3\n" \
    "    tbb [pc, r4]\n" \
    "8:\n" \
    "    .byte (0f - 8b) / 2, (1f - 8b) / 2, (2f - 8b) / 2, (3f - 8b) / 2, (5f - 8b) / 2, 0\n" \
    "5:  mov r9, #0\n" \
    "    b 7f\n" \
    "3:  rsb r9, r8, r8, lsl #3\n" \
    "    add r3, r3, r3, lsl #1\n" \
    "    sub r9, r9, r3\n" \
    "    lsl r9, r9, #1\n" \
    "    b 6f\n" \
    "2:  add r9, r8, r8, lsl #1\n" \
    "    sub r9, r9, r3\n" \
    "    rsb r9, r8, r9, lsl #2\n" \
    "    b 6f\n" \
    "0:  mov r9, #0\n" \
    "    b 6f\n" \
    "1:  rsb r9, r3, r8, lsl #3\n" \
    "    sub r9, r9, r3, lsl #1\n" \
    "6:  add r9, r9, #4\n" \
    "    ubfx r3, r1, #0, #14\n" \
    "    bfi r3, r10, #2, #OSC_CURVE_INDEX_BITS\n" \
    "    ldr r3, [r11, r3]\n" \
    "    lsrs r4, r10, r3\n" \
    "    beq 9f\n" \
    "    mov r10, r4\n" \
    "    sxtb r4, r3, ror #8\n" \
    "    add r9, r4, r9, asr #3\n" \
    "    add r1, r1, r3, asr #24 - OSC_CURVE_INDEX_BITS\n" \
    "7:  tst r12, #1\n" \
    "    it eq\n" \
    "    ldreq r1, [r0, #-16]\n" \
    "    add r2, r2, r9\n" \
    "    stmdb r0, {r1, r2, r8, r9}\n" \
    "    ubfx r3, r1, #17, #5\n" \
    "    lsl r3, r2, r3\n" \
    "    str r3, [r6], #4\n" \
    "    add r7, r7, #1\n" \
    "    cmp r7, #4\n" \
    "    bne .Lcurve_corner\n" \
    "    b .Lcurve_four_finish\n" \
    "4:  add r0, r0, #16\n" \
    "    add r6, r6, #4\n" \
    "    add r7, r7, #1\n" \
    "    cmp r7, #4\n" \
    "    bne .Lcurve_corner\n" \
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
    "9:  asr r9, r9, #3\n" \
    "    mov r3, r10\n" \
    "    bl .Lcurve_long\n" \
    "    ldr lr, [sp, #.Lcurve_frame]\n" \
    "    mov r10, r3\n" \
    "    b 7b\n" \
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
    "    bx lr\n" \
    "    .macro osc_curve_row k, less, one, two, more\n" \
    "    .set .Lcurve_i, 0\n" \
    "    .rept 1 << OSC_CURVE_INDEX_BITS\n" \
    "    .set .Lcurve_ones, 0\n" \
    "    .irp ones, 1, 2, 3, 4, 5, 6, 7\n" \
    "    .if (.Lcurve_i & ((1 << \\ones) - 1)) == (1 << \\ones) - 1\n" \
    "    .set .Lcurve_ones, \\ones\n" \
    "    .endif\n" \
    "    .endr\n" \
    "    .if .Lcurve_ones + 1 + \\k > OSC_CURVE_INDEX_BITS\n" \
    "    .word 255\n" \
    "    .else\n" \
    "    .set .Lcurve_zigzag, (.Lcurve_ones << \\k) | ((.Lcurve_i >> (.Lcurve_ones + 1)) & ((1 << \\k) - 1))\n" \
    "    .set .Lcurve_zigzag, ((.Lcurve_zigzag >> 1) ^ -(.Lcurve_zigzag & 1)) & 255\n" \
    "    .set .Lcurve_change, \\more\n" \
    "    .if .Lcurve_ones == 0\n" \
    "    .set .Lcurve_change, \\less\n" \
    "    .elseif .Lcurve_ones == 1\n" \
    "    .set .Lcurve_change, \\one\n" \
    "    .elseif .Lcurve_ones == 2\n" \
    "    .set .Lcurve_change, \\two\n" \
    "    .endif\n" \
    "    .word ((.Lcurve_change & 255) << 24) | (.Lcurve_zigzag << 8) | (.Lcurve_ones + 1 + \\k)\n" \
    "    .endif\n" \
    "    .set .Lcurve_i, .Lcurve_i + 1\n" \
    "    .endr\n" \
    "    .endm\n" \
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
    "    osc_curve_next\n" \
    "    .balign 4\n" \
    ".Lcurve_table:\n" \
    "    .irp kind, 0, 1, 2, 3, 4, 5, 6, 7, 8\n" \
    "    .word .Lcurve_point_0_\\kind + 1\n" \
    "    .endr\n" \
    "    .word .Lcurve_leave + 1, .Lcurve_leave + 1\n" \
    "    .irp mask, 1, 2, 3, 4, 5\n" \
    "    .word .Lcurve_section_\\mask + 1\n" \
    "    .endr\n" \
    "    .irp chart, 0, 1, 2, 3\n" \
    "    .word .Lcurve_chart_\\chart + 1\n" \
    "    .endr\n" \
    "    .rept 8\n" \
    "    .word .Lcurve_turn + 1\n" \
    "    .endr\n" \
    "    .word .Lcurve_section_6 + 1\n" \
    "    .word .Lcurve_vector + 1\n" \
    "    .word .Lcurve_section_7 + 1\n" \
    "    .word .Lcurve_four + 1\n" \
    "    .word osc_curve_reciprocal\n" \
    "    .byte 11, 11, 12, 13, 14, 15, 28, 30\n" \
    "    .space (4 << OSC_CURVE_INDEX_BITS) - 140\n" \
    "    osc_curve_row 0, 0, 0, 2, 4\n" \
    "    .irp k, 0, 1, 2, 3, 4, 5, 6\n" \
    "    .if \\k < OSC_CURVE_TABLE_ROWS\n" \
    "    osc_curve_row \\k, -1, 0, 1, 3\n" \
    "    .endif\n" \
    "    .endr\n" \
    "    .rept 1 << OSC_CURVE_INDEX_BITS\n" \
    "    .word 255\n" \
    "    .endr\n" \
    ".Lcurve_end:\n" \
    "    pop {r7}\n"
/* clang-format on */

#endif
