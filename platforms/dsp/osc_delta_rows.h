/* Rows of the delta codec on Cortex-M4 and up with an FPU, in hand-written Thumb-2: all tracks in
 * one loop, the stream in a register. The contract of this file is in platforms/README.md.
 *
 * It leaves to the definition: codes of more than 16 bits, moving packings that say which component
 * they drop, and the end of a bank, where a stream could end. */
#include "osc_port.h"
#if !OSC_SQRT || defined(__clang__) || !defined(__OPTIMIZE__) || defined(__ARM_BIG_ENDIAN)
#include "../scalar/osc_delta_rows.h"
#else
#ifndef OSC_DELTA_ROWS_H
#define OSC_DELTA_ROWS_H

#include "osc_codes.h"
#include "osc_delta_run.h"
#include "osc_internal.h"
#include "osc_thumb2.h"

#define OSC_DELTA_FILLS 1

/* What has no register of its own in the loop. Neighbours are loaded or stored as pairs. */
typedef struct osc_dsp_delta {
    uint32_t left; /* before the track, and */
    const uint32_t *track, *end;
    const uint16_t *half; /* the next of the stream, and */
    uint32_t half_one;    /* OSC_THUMB2_HALF */
    int32_t coded[3];     /* residuals, or components of a rotation */
    const uint16_t *half_before;
    const int16_t *table;
    uint32_t *chord, *chords_end;
    int32_t *row;
    const int32_t *previous;
    uint32_t vectors; /* whether lane is behind all rotations */
    uint32_t leaves;  /* OSC_DSP_NONE .. */
} osc_dsp_delta;

#define OSC_DSP_NONE 0u  /* all tracks are filled */
#define OSC_DSP_TRACK 1u /* a track is left */
#define OSC_DSP_FAR 2u   /* only the root of a rotation is, and its chord */

/* Registers: r3 the record, r8 row, r9 row before, r10 chord, r11 stream, r12 table, lr 0xf00.
 * r7 is none of them, since it may be the frame pointer.
 *
 * To clang-format such strings are no code. */
/* clang-format off */

/* The next record, from r0 on. `gap` moves on by r0 lanes, if it is not 0. */
#define OSC_DELTA_NEXT(gap)                                                                        \
    OSC_T2_FILL("r11", "r1", "r2", "r3", "%[half]")                                                \
    OSC_T2("ldr r3, [r0], #4")                                                                     \
    OSC_T2("strd r11, r0, %[left]")                                                                \
    OSC_T2("lsrs r0, r3, #26")                                                                     \
    OSC_T2("beq 71f")                                                                              \
    gap                                                                                            \
    "71:\n\t"

#define OSC_DELTA_AGAIN(top)                                                                       \
    OSC_T2("ldrd r0, r1, %[track]")                                                                \
    OSC_T2("cmp r0, r1")                                                                           \
    OSC_T2("bne " top)                                                                             \
    OSC_T2("b .Ldelta_end%=")

#define OSC_DELTA_PLACE(label, table) ".short (.Ldelta_" label "%= - .Ldelta_" table "%=) / 2\n\t"

/* A jump forward by bits 5..8 of the record: the packing, and whether it is linear. */
#define OSC_DELTA_JUMP(table, p0, p3, p4, p5, skip, l0, l3, l4, l5)                                     \
    OSC_T2("ubfx r0, r3, #5, #4")                                                                  \
    OSC_T2("tbh [pc, r0, lsl #1]")                                                                 \
    ".Ldelta_" table "%=:\n\t"                                                                     \
    OSC_DELTA_PLACE(p0, table) OSC_DELTA_PLACE(p4, table) OSC_DELTA_PLACE(p4, table)               \
    OSC_DELTA_PLACE(p3, table) OSC_DELTA_PLACE(p4, table) OSC_DELTA_PLACE(p5, table)               \
    OSC_DELTA_PLACE(skip, table) OSC_DELTA_PLACE("leave", table)                                   \
    OSC_DELTA_PLACE(l0, table) OSC_DELTA_PLACE(l4, table) OSC_DELTA_PLACE(l4, table)               \
    OSC_DELTA_PLACE(l3, table) OSC_DELTA_PLACE(l4, table) OSC_DELTA_PLACE(l5, table)               \
    OSC_DELTA_PLACE(skip, table) OSC_DELTA_PLACE("leave", table)

#define OSC_DELTA_UNIT(unit, a)                                                                    \
    OSC_T2("and " a ", r3, #31")                                                                   \
    OSC_T2("mov " unit ", #1")                                                                     \
    OSC_T2("lsl " unit ", " unit ", " a)

/* Adds the three residuals to steps, or makes steps of them. */
#define OSC_DELTA_ADD(step, number, unit) OSC_T2("mla " step ", " number ", " unit ", " step)
#define OSC_DELTA_SET(step, number, unit) OSC_T2("mul " step ", " number ", " unit)

/* Z is set where a code is not in the table, or they are more than the stream has. */
#define OSC_DELTA_CODES(number, unit, d0, d1, d2, put)                                             \
    OSC_DELTA_UNIT(unit, number)                                                                   \
    OSC_T2_CODE(number, "r3", "1", "r11", "r12", "lr", "lsr")                                      \
    put(d0, number, unit)                                                                          \
    OSC_T2_CODE(number, "r3", "5", "r11", "r12", "lr", "lsr")                                      \
    put(d1, number, unit)                                                                          \
    OSC_T2_CODE(number, "r3", "9", "r11", "r12", "lr", "lsrs")                                     \
    put(d2, number, unit)

/* The steps that led to the row before, in d0, d1, d2. */
#define OSC_DELTA_SUBTRACT(d0, d1, d2, a, b, c)                                                    \
    OSC_T2("sub " d0 ", " d0 ", " a)                                                               \
    OSC_T2("sub " d1 ", " d1 ", " b)                                                               \
    OSC_T2("sub " d2 ", " d2 ", " c)
#define OSC_DELTA_STEPS_0                                                                          \
    OSC_T2("ldm r8, {r2, r4, r5, r6}")                                                             \
    OSC_T2("ldr r0, [r9, #4]")                                                                     \
    OSC_T2("ldrd r1, r2, [r9, #8]")                                                                \
    OSC_DELTA_SUBTRACT("r0", "r1", "r2", "r4", "r5", "r6")
#define OSC_DELTA_STEPS_3                                                                          \
    OSC_T2("ldm r9, {r4, r5, r6}")                                                                 \
    OSC_T2("ldm r8, {r0, r1, r2}")                                                                 \
    OSC_DELTA_SUBTRACT("r4", "r5", "r6", "r0", "r1", "r2")

/* Rotations in packing 0 or 3, which most are: plain ones, linear ones, and those whose residuals come
 * from memory. before: the registers of the row before, x, y, z and `old`; after: those of the row,
 * x, y, z and `new`. sum, a and new are d0, d1, d2. */
#define OSC_DELTA_ROTATION(packing, steps, number, unit, d0, d1, d2, before, after, x, y, z, old,    \
                           sum, a, new)                                                            \
    ".Ldelta_plain" packing "%=:\n\t"                                                                \
    OSC_DELTA_CODES(number, unit, d0, d1, d2, OSC_DELTA_SET)                                       \
    OSC_T2("bne .Ldelta_have" packing "%=")                                                          \
    OSC_T2("b .Ldelta_long%=")                                                                     \
    ".Ldelta_linear" packing "%=:\n\t"                                                               \
    steps                                                                                          \
    OSC_DELTA_CODES(number, unit, d0, d1, d2, OSC_DELTA_ADD)                                       \
    OSC_T2("beq .Ldelta_long%=")                                                                   \
    ".Ldelta_have" packing "%=:\n\t"                                                                 \
    OSC_T2("ldm r9!, " before)                                                                     \
    OSC_T2("add " x ", " x ", " d0)                                                                \
    OSC_T2("add " y ", " y ", " d1)                                                                \
    OSC_T2("add " z ", " z ", " d2)                                                                \
    OSC_T2_SQUARES(sum, a, new)                                                                    \
    OSC_T2_ROOT(x, y, z, a, new, ".Ldelta_far" packing "%=")                                         \
    OSC_T2("sub " a ", " new ", " old)                                                             \
    OSC_T2_CHORD(sum, a, "r10")                                                                    \
    OSC_T2("stm r8!, " after)                                                                      \
    OSC_DELTA_AGAIN(".Ldelta_top%=")                                                               \
    ".Ldelta_slow_plain" packing "%=:\n\t"                                                           \
    OSC_T2("ldrd " d0 ", " d1 ", %[residuals]")                                                    \
    OSC_T2("ldr " d2 ", %[residual2]")                                                             \
    OSC_T2("b .Ldelta_have" packing "%=")                                                            \
    ".Ldelta_slow_linear" packing "%=:\n\t"                                                          \
    steps                                                                                          \
    OSC_T2("ldrd " number ", " unit ", %[residuals]")                                              \
    OSC_T2("add " d0 ", " d0 ", " number)                                                          \
    OSC_T2("add " d1 ", " d1 ", " unit)                                                            \
    OSC_T2("ldr " number ", %[residual2]")                                                         \
    OSC_T2("add " d2 ", " d2 ", " number)                                                          \
    OSC_T2("b .Ldelta_have" packing "%=")                                                            \
    ".Ldelta_far" packing "%=:\n\t"                                                                  \
    OSC_T2("strd " x ", " y ", %[residuals]")                                                      \
    OSC_T2("str " z ", %[residual2]")                                                              \
    OSC_T2("b .Ldelta_far%=")

/* A linear vector's prediction. */
#define OSC_DELTA_GUESS                                                                            \
    OSC_T2("ldm r9!, {r4, r5, r6}")                                                                \
    OSC_T2("ldm r8, {r0, r1, r2}")                                                                 \
    OSC_T2("rsb r4, r0, r4, lsl #1")                                                               \
    OSC_T2("rsb r5, r1, r5, lsl #1")                                                               \
    OSC_T2("rsb r6, r2, r6, lsl #1")

/* lr = number of the component of the row before that is largest in size, the first of equals */
#define OSC_DELTA_SIZE(value)                                                                      \
    OSC_T2("eor lr, " value ", " value ", asr #31")                                                \
    OSC_T2("sub " value ", lr, " value ", asr #31")
#define OSC_DELTA_LARGEST                                                                          \
    OSC_T2("ldm r9, {r0, r1, r2, r3}")                                                             \
    OSC_DELTA_SIZE("r0")                                                                           \
    OSC_DELTA_SIZE("r1")                                                                           \
    OSC_DELTA_SIZE("r2")                                                                           \
    OSC_DELTA_SIZE("r3")                                                                           \
    OSC_T2("mov lr, #0")                                                                           \
    OSC_T2("cmp r1, r0")                                                                           \
    OSC_T2("itt hi")                                                                               \
    OSC_T2("movhi lr, #1")                                                                         \
    OSC_T2("movhi r0, r1")                                                                         \
    OSC_T2("mov r1, #2")                                                                           \
    OSC_T2("cmp r3, r2")                                                                           \
    OSC_T2("itt hi")                                                                               \
    OSC_T2("movhi r1, #3")                                                                         \
    OSC_T2("movhi r2, r3")                                                                         \
    OSC_T2("cmp r2, r0")                                                                           \
    OSC_T2("it hi")                                                                                \
    OSC_T2("movhi lr, r1")

#define OSC_DELTA_NEAR(label, table) ".byte (.Ldelta_" label "%= - .Ldelta_" table "%=) / 2\n\t"
#define OSC_DELTA_BY_LARGEST(name)                                                                 \
    OSC_T2("tbb [pc, lr]")                                                                         \
    ".Ldelta_" name "%=:\n\t"                                                                      \
    OSC_DELTA_NEAR(name "0", name) OSC_DELTA_NEAR(name "1", name)                                  \
    OSC_DELTA_NEAR(name "2", name) OSC_DELTA_NEAR(name "3", name)

/* Adds the linear predictions of three components to r4, r5, r6. */
#define OSC_DELTA_GUESSES(component, x, y, z)                                                      \
    ".Ldelta_guess" component "%=:\n\t"                                                            \
    OSC_T2("ldm r9, {r0, r1, r2, r3}")                                                             \
    OSC_T2("add r4, r4, " x ", lsl #1")                                                            \
    OSC_T2("add r5, r5, " y ", lsl #1")                                                            \
    OSC_T2("add r6, r6, " z ", lsl #1")                                                            \
    OSC_T2("ldm r8, {r0, r1, r2, r3}")                                                             \
    OSC_DELTA_SUBTRACT("r4", "r5", "r6", x, y, z)

/* Linear rotations in the moving packing and packings 1 and 2, which are rare. Plain ones are such with
 * two equal rows before them. */
#define OSC_DELTA_MOVING                                                                           \
    ".Ldelta_plain4%=:\n\t"                                                                        \
    OSC_T2("ldm r9, {r0, r1, r2, r4}")                                                             \
    OSC_T2("stm r8, {r0, r1, r2, r4}")                                                             \
    ".Ldelta_linear4%=:\n\t"                                                                       \
    OSC_T2("tst r3, #0x80")                                                                        \
    OSC_T2("beq 78f")                                                                              \
    OSC_T2("lsrs r11, r11, #1") /* a zero, which is inverted */                                    \
    OSC_T2("bcc .Ldelta_leave%=")                                                                  \
    "78:\n\t"                                                                                      \
    OSC_DELTA_CODES("r2", "r1", "r4", "r5", "r6", OSC_DELTA_SET)                                   \
    OSC_T2("beq .Ldelta_long%=")                                                                   \
    ".Ldelta_have4%=:\n\t"                                                                         \
    OSC_T2("mov r12, r1")                                                                          \
    OSC_T2("tst r3, #0x80")                                                                        \
    OSC_T2("ubfx lr, r3, #5, #2")                                                                  \
    OSC_T2("beq 79f")                                                                              \
    OSC_DELTA_LARGEST                                                                              \
    "79:\n\t"                                                                                      \
    OSC_DELTA_BY_LARGEST("guess")                                                                  \
    OSC_DELTA_GUESSES("0", "r1", "r2", "r3")                                                       \
    OSC_T2("b 76f")                                                                                \
    OSC_DELTA_GUESSES("1", "r0", "r2", "r3")                                                       \
    OSC_T2("b 76f")                                                                                \
    OSC_DELTA_GUESSES("2", "r0", "r1", "r3")                                                       \
    OSC_T2("b 76f")                                                                                \
    OSC_DELTA_GUESSES("3", "r0", "r1", "r2")                                                       \
    "76:\n\t"                                                                                      \
    OSC_T2("rsb r0, r12, #0") /* round to multiples of the step */                                 \
    OSC_T2("add r4, r4, r12, lsr #1")                                                              \
    OSC_T2("add r5, r5, r12, lsr #1")                                                              \
    OSC_T2("add r6, r6, r12, lsr #1")                                                              \
    OSC_T2("and r4, r4, r0")                                                                       \
    OSC_T2("and r5, r5, r0")                                                                       \
    OSC_T2("and r6, r6, r0")                                                                       \
    OSC_T2_ROOT("r4", "r5", "r6", "r0", "r1", ".Ldelta_far4%=")                                     \
    OSC_T2("ldr r2, [r9, lr, lsl #2]")                                                             \
    OSC_T2("eor r1, r1, r2, asr #31")                                                              \
    OSC_T2("sub r1, r1, r2, asr #31")                                                              \
    OSC_DELTA_BY_LARGEST("store")                                                                  \
    ".Ldelta_store0%=:\n\t"                                                                        \
    OSC_T2("stm r8, {r1, r4, r5, r6}")                                                             \
    OSC_T2("b 77f")                                                                                \
    ".Ldelta_store1%=:\n\t"                                                                        \
    OSC_T2("strd r4, r1, [r8]")                                                                    \
    OSC_T2("strd r5, r6, [r8, #8]")                                                                \
    OSC_T2("b 77f")                                                                                \
    ".Ldelta_store2%=:\n\t"                                                                        \
    OSC_T2("strd r4, r5, [r8]")                                                                    \
    OSC_T2("strd r1, r6, [r8, #8]")                                                                \
    OSC_T2("b 77f")                                                                                \
    ".Ldelta_store3%=:\n\t"                                                                        \
    OSC_T2("strd r4, r5, [r8]")                                                                    \
    OSC_T2("strd r6, r1, [r8, #8]")                                                                \
    "77:\n\t"                                                                                      \
    OSC_T2("ldm r8!, {r0, r1, r2, r3}")                                                            \
    OSC_T2("ldm r9!, {r4, r5, r6, lr}")                                                            \
    OSC_DELTA_SUBTRACT("r0", "r1", "r2", "r4", "r5", "r6")                                         \
    OSC_T2("sub r3, r3, lr")                                                                       \
    OSC_T2_SQUARES("r0", "r1", "r2")                                                               \
    OSC_T2_CHORD("r0", "r3", "r10")                                                                \
    OSC_T2("ldr r12, %[table]")                                                                    \
    OSC_T2("mov lr, #0xf00")                                                                       \
    OSC_DELTA_AGAIN(".Ldelta_top%=")                                                               \
    ".Ldelta_far4%=:\n\t"                                                                          \
    OSC_T2("strd r4, r5, %[residuals]")                                                            \
    OSC_T2("str r6, %[residual2]")                                                                 \
    OSC_T2("b .Ldelta_far%=")                                                                      \
    ".Ldelta_slow_linear4%=:\n\t"                                                                  \
    OSC_DELTA_UNIT("r1", "r0")                                                                     \
    OSC_T2("ldrd r4, r5, %[residuals]")                                                            \
    OSC_T2("ldr r6, %[residual2]")                                                                 \
    OSC_T2("b .Ldelta_have4%=")

/* One code of up to the bits that are there, times r0: by the table, or else by its parts. */
#define OSC_DELTA_CAREFUL(residual, shift, k)                                                      \
    OSC_T2_FILL("r11", "r1", "r2", residual, "%[half]")                                            \
    OSC_T2_ENTRY(residual, "r3", shift, "r11", "r12", "lr")                                        \
    OSC_T2("lsrs r1, r11, " residual)                                                              \
    OSC_T2("bne 72f")                                                                              \
    OSC_T2("ubfx " residual ", r3, #" k ", #4")                                                    \
    OSC_T2("rbit r1, r11")                                                                         \
    OSC_T2("clz r1, r1")                                                                           \
    OSC_T2("lsr r2, r11, r1")                                                                      \
    OSC_T2("lsr r2, r2, #1")                                                                       \
    OSC_T2("lsrs r11, r2, " residual)                                                              \
    OSC_T2("beq .Ldelta_leave_long%=")                                                             \
    OSC_T2("cmp r1, #15")                                                                          \
    OSC_T2("bhs .Ldelta_leave_long%=")                                                             \
    OSC_T2("add r1, r1, #1")                                                                       \
    OSC_T2("add r1, r1, r11")                                                                      \
    OSC_T2("lsl r1, r1, " residual)                                                                \
    OSC_T2("sub r1, r2, r1")                                                                       \
    OSC_T2("sbfx r2, r1, #0, #1")                                                                  \
    OSC_T2("eor " residual ", r2, r1, asr #1")                                                     \
    OSC_T2("b 73f")                                                                                \
    "72:\n\t"                                                                                      \
    OSC_T2("mov r11, r1")                                                                          \
    OSC_T2("asr " residual ", " residual ", #8")                                                   \
    "73:\n\t"                                                                                      \
    OSC_T2("mul " residual ", " residual ", r0")

/* A code is not in the table, or they are more than the stream has: one code after the other, from
 * where the track begins. */
#define OSC_DELTA_LONG                                                                             \
    OSC_T2("ldr r11, %[left]")                                                                     \
    OSC_T2("ubfx r1, r3, #5, #3")                                                                  \
    OSC_T2("cmp r1, #4")                                                                           \
    OSC_T2("it eq")                                                                                \
    OSC_T2("lsreq r11, r11, #1") /* the moving packing's bit */                                      \
    OSC_T2("ldr r0, %[half]")                                                                      \
    OSC_T2("str r0, %[half_before]")                                                               \
    OSC_DELTA_UNIT("r0", "r1")                                                                     \
    OSC_DELTA_CAREFUL("r4", "1", "9")                                                              \
    OSC_DELTA_CAREFUL("r5", "5", "13")                                                             \
    OSC_DELTA_CAREFUL("r6", "9", "17")                                                             \
    OSC_T2("strd r4, r5, %[residuals]")                                                            \
    OSC_T2("str r6, %[residual2]")                                                                 \
    OSC_DELTA_JUMP("jump_slow", "slow_plain0", "slow_plain3", "slow_linear4", "slow_linear5",      \
                   "leave", "slow_linear0", "slow_linear3", "slow_linear4", "slow_linear5")

/* Vectors. The first one's lane, times 4, is what r10 is past the chords. */
#define OSC_DELTA_VECTORS                                                                          \
    ".Ldelta_cross%=:\n\t"                                                                         \
    OSC_T2("mov r0, #1")                                                                           \
    OSC_T2("str r0, %[vectors]")                                                                   \
    OSC_T2("ldr r0, %[chords_end]")                                                                \
    OSC_T2("sub r0, r0, r10")                                                                      \
    OSC_T2("add r8, r8, r0")                                                                       \
    OSC_T2("add r9, r9, r0")                                                                       \
    OSC_T2("b .Ldelta_vector%=")                                                                   \
    ".Ldelta_vectors%=:\n\t"                                                                       \
    OSC_DELTA_NEXT(OSC_T2("add r0, r0, r0, lsl #1")                                                \
                   OSC_T2("add r8, r8, r0, lsl #2")                                                \
                   OSC_T2("add r9, r9, r0, lsl #2"))                                               \
    ".Ldelta_vector%=:\n\t"                                                                        \
    OSC_DELTA_JUMP("jump_vector", "leave", "leave", "leave", "plain5", "skip_vector", "leave",     \
                   "leave", "leave", "linear5")                                                    \
    ".Ldelta_skip_vector%=:\n\t"                                                                   \
    OSC_DELTA_AGAIN(".Ldelta_vectors%=")                                                           \
    ".Ldelta_plain5%=:\n\t"                                                                        \
    OSC_T2("ldm r9, {r0, r1, r2}")                                                                 \
    OSC_T2("stm r8, {r0, r1, r2}")                                                                 \
    ".Ldelta_linear5%=:\n\t"                                                                       \
    OSC_DELTA_GUESS                                                                                \
    OSC_DELTA_CODES("r2", "r1", "r4", "r5", "r6", OSC_DELTA_ADD)                                   \
    OSC_T2("beq .Ldelta_long%=")                                                                   \
    ".Ldelta_have5%=:\n\t"                                                                         \
    OSC_T2("stm r8!, {r4, r5, r6}")                                                                \
    OSC_DELTA_AGAIN(".Ldelta_vectors%=")                                                           \
    ".Ldelta_slow_linear5%=:\n\t"                                                                  \
    OSC_T2("sub r9, r9, #12")                                                                      \
    OSC_DELTA_GUESS                                                                                \
    OSC_T2("ldrd r0, r1, %[residuals]")                                                            \
    OSC_T2("ldr r2, %[residual2]")                                                                 \
    OSC_T2("add r4, r4, r0")                                                                       \
    OSC_T2("add r5, r5, r1")                                                                       \
    OSC_T2("add r6, r6, r2")                                                                       \
    OSC_T2("b .Ldelta_have5%=")

/* Fills tracks to the end, or one that it leaves. */
OSC_INLINE void osc_dsp_fill_delta(osc_dsp_delta *s)
{
    __asm__ volatile(
        OSC_T2("ldr r8, %[row]")
        OSC_T2("ldr r9, %[previous]")
        OSC_T2("ldr r10, %[chord]")
        OSC_T2("ldr r12, %[table]")
        OSC_T2("mov lr, #0xf00")
        OSC_T2("ldr r1, %[vectors]")
        OSC_T2("ldrd r11, r0, %[left]")
        OSC_T2("cmp r1, #0")
        OSC_T2("bne .Ldelta_vectors%=")
        ".Ldelta_top%=:\n\t"
        OSC_DELTA_NEXT(OSC_T2("add r8, r8, r0, lsl #4")
                       OSC_T2("add r9, r9, r0, lsl #4")
                       OSC_T2("add r10, r10, r0, lsl #2"))
        OSC_DELTA_JUMP("jump", "plain0", "plain3", "plain4", "cross", "skip", "linear0", "linear3",
                       "linear4", "cross")
        ".Ldelta_skip%=:\n\t"
        OSC_DELTA_AGAIN(".Ldelta_top%=")
        ".Ldelta_long%=:\n\t"
        OSC_DELTA_LONG
        OSC_DELTA_ROTATION("0", OSC_DELTA_STEPS_0, "r6", "r5", "r0", "r1", "r2",
                           "{r3, r4, r5, r6}", "{r2, r4, r5, r6}", "r4", "r5", "r6", "r3", "r0",
                           "r1", "r2")
        OSC_DELTA_ROTATION("3", OSC_DELTA_STEPS_3, "r2", "r1", "r4", "r5", "r6",
                           "{r0, r1, r2, r3}", "{r0, r1, r2, r6}", "r0", "r1", "r2", "r3", "r4",
                           "r5", "r6")
        OSC_DELTA_MOVING
        OSC_DELTA_VECTORS
        ".Ldelta_leave_long%=:\n\t"
        OSC_T2("ldr r0, %[half_before]")
        OSC_T2("str r0, %[half]")
        ".Ldelta_leave%=:\n\t"
        OSC_T2("mov r0, #1")
        OSC_T2("b 75f")
        ".Ldelta_far%=:\n\t"
        OSC_T2("mov r0, #2")
        OSC_T2("str r11, %[left]")
        OSC_T2("b 75f")
        ".Ldelta_end%=:\n\t"
        OSC_T2("mov r0, #0")
        OSC_T2("str r11, %[left]")
        "75:\n\t"
        OSC_T2("str r0, %[leaves]")
        OSC_T2("str r8, %[row]")
        OSC_T2("str r10, %[chord]")
        : "+m"(*s)
        : [left] "m"(s->left), [track] "m"(s->track), [half] "m"(s->half),
          [residuals] "m"(s->coded[0]), [residual2] "m"(s->coded[2]),
          [half_before] "m"(s->half_before), [table] "m"(s->table), [chord] "m"(s->chord),
          [chords_end] "m"(s->chords_end), [row] "m"(s->row), [previous] "m"(s->previous),
          [vectors] "m"(s->vectors), [leaves] "m"(s->leaves)
        : "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r8", "r9", "r10", "r11", "r12", "lr", "s0",
          "cc", "memory");
}
/* clang-format on */

/* Fills a rotation of which the coded components are known, but so large that they need care. */
static inline void osc_dsp_finish_far(const osc_delta_run *run, const int32_t coded[3])
{
    int32_t *row = run->row + 4u * run->lane;
    const int32_t *previous = run->previous + 4u * run->lane;
    uint32_t dropped = OSC_TRACK_PACKING(run->record);
    bool negative = false;
    if (dropped == OSC_PACKING_MOVING) {
        dropped = osc_largest_component(previous);
        negative = previous[dropped] < 0;
    }
    for (uint32_t i = 0; i < 3u; i++)
        row[i < dropped ? i : i + 1u] = coded[i];
    osc_rebuild(row, dropped, negative);
    run->chords[run->lane] = osc_chord_q20(previous, row);
}

/* Any track needs three words at most, and two more are looked at. */
#define OSC_DSP_TRACK_WORDS 3u
static inline uint32_t osc_dsp_safe_tracks(const osc_delta_run *run, uint32_t position)
{
    uint32_t tracks = (uint32_t)(run->end - run->track), word = position >> 5;
    uint32_t words = word < run->bits.last_pair ? run->bits.last_pair - word : 0u;
    if (words >= OSC_DSP_TRACK_WORDS * tracks + 2u)
        return tracks;
    return words < 2u ? 0u : (words - 2u) / OSC_DSP_TRACK_WORDS;
}

/* The half word at a position, and one above it, as a stream. */
static inline uint32_t osc_dsp_half(const uint32_t *words, uint32_t position)
{
    uint32_t half = (~(words[position >> 5] >> (position & 16u)) & 0xffffu) | 1u << 16;
    return half >> (position & 15u);
}

static bool osc_delta_fill_tracks(osc_delta_run *run)
{
    const uint16_t *halves = (const uint16_t *)(const void *)run->bits.words;
    uint32_t position = run->bits.position, lane = run->lane;
    bool leaves = false;
    osc_dsp_delta s;
    s.half_one = OSC_THUMB2_HALF;
    s.table = osc_codes_table[0];
    s.chords_end = run->chords + run->rotation_lanes;
    while (run->track != run->end) {
        uint32_t tracks = osc_dsp_safe_tracks(run, position), offset;
        if (tracks == 0u) {
            leaves = osc_delta_step(run);
            break;
        }
        s.left = osc_dsp_half(run->bits.words, position);
        s.half = halves + (position >> 4) + 1;
        s.track = run->track;
        s.end = run->track + tracks;
        s.vectors = lane >= run->rotation_lanes ? 1u : 0u;
        offset = s.vectors == 0u ? 4u * lane : run->rotation_lanes + 3u * lane;
        s.row = run->row + offset;
        s.previous = run->previous + offset;
        s.chord = run->chords + lane;
        osc_dsp_fill_delta(&s);
        position = ((uint32_t)(s.half - halves) << 4) - 31u + osc_leading_zeros(s.left);
        run->track = s.track;
        if (s.leaves == OSC_DSP_NONE && s.track == run->end)
            break;
        offset = (uint32_t)(s.row - run->row);
        lane = s.vectors == 0u ? offset >> 2 : (offset - run->rotation_lanes) / 3u;
        run->lane = lane;
        run->record = run->track[-1];
        if (s.leaves == OSC_DSP_TRACK) {
            leaves = true;
            break;
        }
        if (s.leaves == OSC_DSP_FAR) {
            osc_dsp_finish_far(run, s.coded);
            lane = ++run->lane;
        }
    }
    run->bits.position = position;
    return leaves;
}

#endif
#endif
