/* Where a section begins, in the loop of osc_curve_asm.h: its coefficients from keys, and the key
 * beyond it from the stream or from the restart point that it ends at. */
#ifndef OSC_CURVE_ASM_KEYS_H
#define OSC_CURVE_ASM_KEYS_H

/* clang-format off */
/* What a section is made of, and its components. */
#define OSC_CURVE_ASM_KEY_MACROS \
    /* What the next section is made of, on the stack */ \
    "    .equ .Lcurve_beyond, 0\n" \
    "    .equ .Lcurve_pace, 8\n" \
    "    .equ .Lcurve_lead, 12\n" \
    "    .equ .Lcurve_width, 12\n" \
    "    .equ .Lcurve_gap, 16\n" \
    "    .equ .Lcurve_shift, 20\n" \
    "    .equ .Lcurve_rice, 24\n" \
    "    .equ .Lcurve_plain, 24\n" \
    "    .equ .Lcurve_sizes, 32\n" \
    "    .equ .Lcurve_section_bytes, 40\n" \
    /* From a step in r4, its key r1 and tangents r2 r5 to coefficients, and their size to r9 */ \
    "    .macro osc_curve_bend\n" \
    "    ldrd r11, r12, [sp, #.Lcurve_gap]\n" \
    "    lsl r8, r1, r12\n" \
    "    mul r9, r2, r11\n" \
    "    mul r12, r5, r11\n" \
    "    add r12, r12, r9\n" \
    "    sub r12, r12, r4, lsl #11\n" \
    "    rsb r11, r9, r4, lsl #10\n" \
    "    sub r11, r11, r12\n" \
    "    stmia r0!, {r8, r9, r11, r12}\n" \
    "    eor r9, r9, r9, asr #31\n" \
    "    eor r11, r11, r11, asr #31\n" \
    "    eor r12, r12, r12, asr #31\n" \
    "    qadd r9, r9, r11\n" \
    "    qadd r9, r9, r12\n" \
    "    .endm\n" \
    /* A slope's factor over some frames; r9: the table of reciprocals; takes t */ \
    "    .macro osc_curve_pace out, frames, t\n" \
    "    add \\out, r9, \\frames, lsl #1\n" \
    "    ldrh \\out, [\\out, #-2]\n" \
    "    clz \\t, \\frames\n" \
    "    sub \\t, \\t, #15\n" \
    "    lsl \\out, \\out, \\t\n" \
    "    .endm\n" \
    /* u of a section with the pace r1 that begins at a frame */ \
    "    .macro osc_curve_keep_pace frame\n" \
    "    mul r2, \\frame, r1\n" \
    "    rsb r2, r2, #1 << 15\n" \
    "    strd r2, r1, [r0, #-20]\n" \
    "    .endm\n" \
    /* What all components of a cubic section of r6 frames need, r4 frames beyond it. No instruction \
     * between its first test and its last branch sets flags */ \
    "    .macro osc_curve_cubic_paces\n" \
    "    str r3, [r0, #-24]\n" \
    "    ldr r5, [r0, #-4]\n" \
    "    tst r5, #0x200\n" \
    "    bfi r5, r4, #0, #10\n" \
    "    str r5, [r0, #-4]\n" \
    "    uxtb r6, r6\n" \
    "    osc_curve_pace r5, r4, r8\n" \
    "    add r2, r6, r4\n" \
    "    add r8, r9, r2, lsl #1\n" \
    "    ldrh r8, [r8, #-2]\n" \
    "    mul r8, r8, r6\n" \
    "    clz r2, r2\n" \
    "    rsb r2, r2, #31\n" \
    "    lsr r8, r8, r2\n" \
    "    lsl r8, r8, #16\n" \
    "    strd r5, r8, [sp, #.Lcurve_beyond]\n" \
    "    osc_curve_pace r1, r6, r2\n" \
    "    osc_curve_keep_pace lr\n" \
    "    and r5, r7, #15\n" \
    "    strd r6, r5, [sp, #.Lcurve_gap]\n" \
    "    bne .Lcurve_fresh\n" \
    "    .endm\n" \
    /* The step from one key to another, and its slope. r8: pace; takes t */ \
    "    .macro osc_curve_slope t, from=r1, to=r3, step=r4, slope=r5\n" \
    "    sub \\step, \\to, \\from\n" \
    "    lsl \\slope, \\step, #11\n" \
    "    and \\t, \\slope, r8, asr #31\n" \
    "    smmla \\slope, \\slope, r8, \\t\n" \
    "    .endm\n" \
    /* The tangent r5 at key r3, from the slope r5 and the key r6 beyond */ \
    "    .macro osc_curve_parabola\n" \
    "    ldrd r8, r9, [sp, #.Lcurve_beyond]\n" \
    "    osc_curve_slope r12, r3, r6, r11, r11\n" \
    "    sub r11, r11, r5\n" \
    "    lsl r11, r11, #1\n" \
    "    smmla r5, r11, r9, r5\n" \
    "    .endm\n" \
    /* Where a tangent leads to, to r6, and that in grains of 2^r9; takes r11 */ \
    "    .macro osc_curve_lead key, tangent, frames\n" \
    "    mul r6, \\tangent, \\frames\n" \
    "    add r6, r6, #512\n" \
    "    add r6, \\key, r6, asr #10\n" \
    "    .endm\n" \
    "    .macro osc_curve_coarsen\n" \
    "    mov r11, #1\n" \
    "    lsl r11, r11, r9\n" \
    "    add r6, r6, r11, lsr #1\n" \
    "    asr r6, r6, r9\n" \
    "    .endm\n" \
    /* A component of a cubic section, from r7 on, and its key beyond */ \
    "    .macro osc_curve_cubic i\n" \
    "    ldmia r7, {r1, r2, r3}\n" \
    "    ldrd r8, r9, [sp, #.Lcurve_pace]\n" \
    "    osc_curve_slope r6\n" \
    "    osc_curve_lead r3, r5, r9\n" \
    "    ldr r9, [r0, #-28 - 16 * \\i]\n" \
    "    ubfx r9, r9, #22 + 2 * \\i, #2\n" \
    "    osc_curve_coarsen\n" \
    "    ldrh r8, [r0, #-8 - 16 * \\i]\n" \
    "    ubfx r8, r8, #4 * \\i, #4\n" \
    "    cmp r8, #15\n" \
    "    beq .Lcurve_cubic_\\i\n" \
    "    osc_curve_rice r12, r10, r8, r11, r12, lr, .Lcurve_cubic_code_\\i\n" \
    "    osc_curve_unzigzag r12\n" \
    ".Lcurve_cubic_number_\\i\\():\n" \
    "    add r6, r6, r12\n" \
    ".Lcurve_cubic_\\i\\():\n" \
    "    lsl r6, r6, r9\n" \
    "    osc_curve_parabola\n" \
    "    stmia r7!, {r3, r5, r6}\n" \
    "    osc_curve_bend\n" \
    "    .if \\i == 0\n" \
    "    str r9, [sp, #.Lcurve_sizes]\n" \
    "    .else\n" \
    "    ldr r1, [sp, #.Lcurve_sizes]\n" \
    "    orr r1, r1, r9\n" \
    "    .if \\i == 1\n" \
    "    str r1, [sp, #.Lcurve_sizes]\n" \
    "    .endif\n" \
    "    .endif\n" \
    "    .endm\n" \
    "    .macro osc_curve_cubic_rarely i\n" \
    ".Lcurve_cubic_code_\\i\\():\n" \
    "    bl .Lcurve_code\n" \
    "    mov r12, r8\n" \
    "    ldr r9, [r0, #-28 - 16 * \\i]\n" \
    "    ubfx r9, r9, #22 + 2 * \\i, #2\n" \
    "    b .Lcurve_cubic_number_\\i\n" \
    "    .endm\n"

/* Codes of keys. */
#define OSC_CURVE_ASM_KEY_CODES \
    /* The number of a code with parameter r8 to r8, 0 for 15. Takes r9 r11 r12 */ \
    ".Lcurve_code:\n" \
    "    cmp r8, #15\n" \
    "    beq 2f\n" \
    "    osc_curve_rice r8, r10, r8, r9, r11, r12, 3f\n" \
    "1:  osc_curve_unzigzag r8\n" \
    "    bx lr\n" \
    "2:  mov r8, #0\n" \
    "    bx lr\n" \
    "3:  lsrs r9, r10, #16\n" \
    "    bne 4f\n" \
    "    osc_curve_half r10, r11, r12, r9, 4f, .Lcurve_section_bytes\n" \
    "    b .Lcurve_code\n" \
    "4:  push {r1, r2, r3, r4, r5, r6, r7, lr}\n" \
    "    mov r3, r10\n" \
    "    mov r6, r8\n" \
    "    add r9, sp, #32 + .Lcurve_section_bytes\n" \
    "    bl .Lcurve_any\n" \
    "    mov r10, r3\n" \
    "    mov r8, r2\n" \
    "    pop {r1, r2, r3, r4, r5, r6, r7, lr}\n" \
    "    b 1b\n"

/* The ways of a section. */
#define OSC_CURVE_ASM_BEGIN \
    /* The section of this frame, where the loop can begin it: a cubic one that no jump follows, or \
     * a Hermite one of which no key is a restart point's. r0: lanes; r6: later */ \
    ".Lcurve_section_ends:\n" \
    "    ldr r7, [r0, #-28]\n" \
    "    ldrd r1, r2, [sp, #.Lcurve_block_end]\n" \
    "    cmp lr, r1\n" \
    "    beq .Lcurve_rest\n" \
    "    lsrs r3, r10, #16\n" \
    "    bne 1f\n" \
    "    osc_curve_half r10, r4, r5, r8, .Lcurve_give_up\n" \
    "1:  mov r3, lr\n" \
    "    ubfx r8, r7, #4, #2\n" \
    "    cmp r8, #2\n" \
    "    blo .Lcurve_give_up\n" \
    "    bne 2f\n" \
    "    tst r6, #0x100\n" \
    "    bne .Lcurve_give_up\n" \
    "    uxtb r8, r6\n" \
    "    add r3, lr, r8\n" \
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
    "    sub r4, r9, r4\n" \
    "    lsl r4, r4, r5\n" \
    "    sub r4, r8, r4\n" \
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
    "    beq .Lcurve_ahead\n" \
    "    mov r10, r9\n" \
    "    ldr r9, [r11, #128]\n" \
    "    sub sp, sp, #.Lcurve_section_bytes\n" \
    "    cmp r3, lr\n" \
    "    beq .Lcurve_hermite\n" \
    "    osc_curve_cubic_paces\n" \
    "    tst r7, #1 << 10\n" \
    "    it eq\n" \
    "    moveq r4, #0\n" \
    "    strd r1, r4, [sp, #.Lcurve_pace]\n" \
    "    add r7, r0, #48\n" \
    "    osc_curve_cubic 0\n" \
    "    osc_curve_cubic 1\n" \
    "    osc_curve_cubic 2\n" \
    "    b .Lcurve_settle\n" \
    "    osc_curve_cubic_rarely 0\n" \
    "    osc_curve_cubic_rarely 1\n" \
    "    osc_curve_cubic_rarely 2\n"

/* A cubic section beyond which a restart point lies. */
#define OSC_CURVE_ASM_AHEAD \
    /* The key beyond the section is the next block's first */ \
    ".Lcurve_ahead:\n" \
    "    cmp r3, lr\n" \
    "    beq .Lcurve_give_up\n" \
    "    tst r6, #0x200\n" \
    "    bne .Lcurve_give_up\n" \
    "    mov r10, r9\n" \
    "    ldr r9, [r11, #128]\n" \
    "    sub sp, sp, #.Lcurve_section_bytes\n" \
    "    osc_curve_cubic_paces\n" \
    "    ubfx r4, r7, #12, #5\n" \
    "    add r4, r4, #1\n" \
    "    strd r1, r4, [sp, #.Lcurve_pace]\n" \
    "    ldr r8, [sp, #.Lcurve_section_bytes + .Lcurve_run]\n" \
    "    ldr r9, [r0, #-4]\n" \
    "    ldr r8, [r8, #44]\n" \
    "    add r8, r8, r9, lsr #10\n" \
    "    ubfx r9, r7, #22, #6\n" \
    "    orr r9, r9, #1 << 6\n" \
    "    strd r8, r9, [sp, #.Lcurve_plain]\n" \
    "    mov r1, #0\n" \
    "    str r1, [sp, #.Lcurve_sizes]\n" \
    "    add r7, r0, #48\n" \
    ".Lcurve_ahead_component:\n" \
    "    ldmia r7, {r1, r2, r3}\n" \
    "    ldrd r12, r9, [sp, #.Lcurve_plain]\n" \
    "    ldr r11, [sp, #.Lcurve_width]\n" \
    "    and r8, r9, #3\n" \
    "    lsr r9, r9, #2\n" \
    "    mov r6, #0\n" \
    "    cmp r8, #3\n" \
    "    beq 1f\n" \
    "    subs r11, r11, r8\n" \
    "    it ls\n" \
    "    movls r11, #1\n" \
    "    osc_curve_peek r6, r12, sp, .Lcurve_section_bytes, r5, lr\n" \
    "    add r12, r12, r11\n" \
    "    rsb r11, r11, #32\n" \
    "    lsl r6, r6, r11\n" \
    "    asr r6, r6, r11\n" \
    "    lsl r6, r6, r8\n" \
    "1:  strd r12, r9, [sp, #.Lcurve_plain]\n" \
    "    ldr r8, [sp, #.Lcurve_pace]\n" \
    "    osc_curve_slope r11\n" \
    "    osc_curve_parabola\n" \
    "    stmia r7!, {r3, r5, r6}\n" \
    "    osc_curve_bend\n" \
    "    ldr r1, [sp, #.Lcurve_sizes]\n" \
    "    ldr r2, [sp, #.Lcurve_plain + 4]\n" \
    "    orr r1, r1, r9\n" \
    "    str r1, [sp, #.Lcurve_sizes]\n" \
    "    cmp r2, #1\n" \
    "    bne .Lcurve_ahead_component\n" \
    "    b .Lcurve_settle\n"

/* All other sections, with their components in one loop. */
#define OSC_CURVE_ASM_RARE_KEYS \
    /* Nothing comes before the section */ \
    ".Lcurve_fresh:\n" \
    "    tst r7, #1 << 10\n" \
    "    it eq\n" \
    "    moveq r4, #0\n" \
    "    strd r1, r4, [sp, #.Lcurve_pace]\n" \
    "    b .Lcurve_loop\n" \
    /* Nothing is read for the last section of a block */ \
    ".Lcurve_last_section:\n" \
    "    tst r6, #0x200\n" \
    "    bne .Lcurve_give_up\n" \
    "    uxtb r6, r6\n" \
    "    str r3, [r0, #-24]\n" \
    "    ldr r5, [r0, #-4]\n" \
    "    bfc r5, #0, #10\n" \
    "    str r5, [r0, #-4]\n" \
    "    ldr r9, [r11, #128]\n" \
    "    sub sp, sp, #.Lcurve_section_bytes\n" \
    "    bl .Lcurve_set_pace\n" \
    "    str r1, [sp, #.Lcurve_pace]\n" \
    "    mov r1, #0\n" \
    "    str r1, [sp, #.Lcurve_beyond]\n" \
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
    ".Lcurve_loop:\n" \
    "    ldrh r8, [r0, #-8]\n" \
    "    lsr r9, r7, #22\n" \
    "    bfc r8, #12, #4\n" \
    "    orr r8, r8, #1 << 12\n" \
    "    strd r8, r9, [sp, #.Lcurve_rice]\n" \
    "    mov r1, #0\n" \
    "    str r1, [sp, #.Lcurve_sizes]\n" \
    "    add r7, r0, #48\n" \
    ".Lcurve_component:\n" \
    "    ldmia r7, {r1, r2, r3}\n" \
    "    ldrd r8, r11, [sp, #.Lcurve_pace]\n" \
    "    cmp r8, #0\n" \
    "    beq 1f\n" \
    "    osc_curve_slope r6\n" \
    "    ldr r12, [sp, #.Lcurve_beyond]\n" \
    "    cmp r12, #0\n" \
    "    bne 5f\n" \
    "    rsb r5, r2, r5, lsl #1\n" \
    "    stmia r7!, {r3, r5}\n" \
    "    add r7, r7, #4\n" \
    "    ldr r8, [sp, #.Lcurve_rice]\n" \
    "    lsr r8, r8, #4\n" \
    "    str r8, [sp, #.Lcurve_rice]\n" \
    "    b 4f\n" \
    "5:  osc_curve_lead r3, r5, r11\n" \
    "    b 2f\n" \
    "1:  mov r5, r2\n" \
    "    ldr r2, [r0, #4]\n" \
    "    add r6, r2, r5\n" \
    "    asr r6, r6, #1\n" \
    "    osc_curve_lead r1, r6, r11\n" \
    "2:  ldrd r8, r9, [sp, #.Lcurve_rice]\n" \
    "    and r9, r9, #3\n" \
    "    osc_curve_coarsen\n" \
    "    and r8, r8, #15\n" \
    "    bl .Lcurve_code\n" \
    "    add r6, r6, r8\n" \
    "    ldrd r8, r9, [sp, #.Lcurve_rice]\n" \
    "    and r11, r9, #3\n" \
    "    lsl r6, r6, r11\n" \
    "    lsr r8, r8, #4\n" \
    "    lsr r9, r9, #2\n" \
    "    strd r8, r9, [sp, #.Lcurve_rice]\n" \
    "    ldr r12, [sp, #.Lcurve_beyond]\n" \
    "    cmp r12, #0\n" \
    "    beq 3f\n" \
    "    mov r2, r5\n" \
    "    osc_curve_parabola\n" \
    "    rsb r2, r5, r2, lsl #1\n" \
    "    stmia r7!, {r3, r5, r6}\n" \
    "    b 4f\n" \
    "3:  sub r4, r6, r1\n" \
    "    str r6, [r7], #12\n" \
    "4:  ldr r3, [sp, #.Lcurve_sizes]\n" \
    "    osc_curve_bend\n" \
    "    orr r1, r9, r3\n" \
    "    str r1, [sp, #.Lcurve_sizes]\n" \
    "    ldr r3, [sp, #.Lcurve_rice]\n" \
    "    cmp r3, #1\n" \
    "    bne .Lcurve_component\n"
/* clang-format on */

#endif
