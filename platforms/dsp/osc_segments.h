/* Segments of the transform codec on Cortex-M3 and up, in Thumb-2: all components of a segment in
 * one loop, the stream in registers. The contract of this file is in platforms/README.md.
 *
 * A code is looked up by the next bits; what is too long for its table is taken apart by counting
 * bits, still inside the loop. What that does not reach, codes with an escape and those at the
 * stream's end, leaves the loop for the definition and comes back. No instruction here reads more
 * of the stream than osc_window_refill would. */
#if !defined(__GNUC__) || !defined(__thumb2__)
#include "../scalar/osc_segments.h"
#else
#ifndef OSC_SEGMENTS_H
#define OSC_SEGMENTS_H

#include "osc_dsp_code_table.h"
#include "osc_transform_segments.h"

/* What the loops begin with and leave behind: the offsets are spelled out in them. */
typedef struct osc_dsp_reader {
    int32_t *at;       /* r0: behind the three words of a component */
    uint32_t left;     /* r2: the window, as in osc_window_store */
    const void *table; /* r9: osc_codes_table, or the slot of parameter 0 */
    int32_t grid;      /* r10: of the track */
    uint32_t position; /* r11 */
    uint32_t tracks;   /* lr: from this one on */
    const uint32_t *words;
    uint32_t last_pair;
    const osc_dsp_slot *slot; /* of the coefficient that comes */
    int32_t stop;             /* what the definition has to go on with */
    uint32_t word;            /* of the component; or the width of the track's ends */
    const uint8_t *counts;    /* r10, a row of osc_dsp_counts */
} osc_dsp_reader;

/* With the extension for signal processing a byte of a register is added at once. */
#if defined(__ARM_FEATURE_DSP) && __ARM_FEATURE_DSP
#define OSC_DSP_ADD_BYTE_0(to, from, spare) "uxtab " to "," to "," from "\n\t"
#define OSC_DSP_ADD_BYTE_1(to, from, spare) "uxtab " to "," to "," from ",ror #8\n\t"
#else
#define OSC_DSP_ADD_BYTE_0(to, from, spare)                                                        \
    "uxtb " spare "," from "\n\tadd " to "," to "," spare "\n\t"
#define OSC_DSP_ADD_BYTE_1(to, from, spare)                                                        \
    "ubfx " spare "," from ",#8,#8\n\tadd " to "," to "," spare "\n\t"
#endif

/* Loads the window anew; the position moves to the next bit. r12: the reader. */
#define OSC_DSP_REFILL(left, a, b, c, fails)                                                       \
    "clz " a "," left "\n\t"                                                                       \
    "add r11,r11," a "\n\t"                                                                        \
    "ldrd " a "," b ",[r12,#24]\n\t"                                                               \
    "cmp " b ",r11,lsr #5\n\t"                                                                     \
    "bls " fails "\n\t"                                                                            \
    "lsr " b ",r11,#5\n\t"                                                                         \
    "add " a "," a "," b ",lsl #2\n\t"                                                             \
    "ldrd " a "," b ",[" a "]\n\t"                                                                 \
    "and " c ",r11,#31\n\t"                                                                        \
    "lsr " a "," a "," c "\n\t"                                                                    \
    "rsb " c "," c ",#32\n\t"                                                                      \
    "lsl " b "," b "," c "\n\t"                                                                    \
    "orr " a "," a "," b "\n\t"                                                                    \
    "mvn " left "," a "\n\t"                                                                       \
    "orr " left "," left ",#0x80000000\n\t"

/* ---- ends ---- */

/* The way to a component's right end. The bits that come are in `left`, those behind the code in
 * `next`. r1: the component's word, r3: its start, r4: the chord, r5: 0xf00, r8: what the table
 * says, r10: the grid. */
#define OSC_DSP_CHORD(n, left, next)                                                               \
    ".Llook" n "%=:\n\t"                                                                           \
    "and r8,r5,r1,lsr #5\n\t"                                                                      \
    "bfi r8," left ",#1,#7\n\t"                                                                    \
    "ldrsh r8,[r9,r8]\n\t"                                                                         \
    "lsrs " next "," left ",r8\n\t"                                                                \
    "beq .Lhard" n "%=\n\t"                                                                        \
    "asr r8,r8,#8\n"                                                                               \
    ".Lstore" n "%=:\n\t"                                                                          \
    "mul r4,r8,r10\n\t"                                                                            \
    "strd r3,r4,[r0,#-8]\n\t" OSC_DSP_ADD_BYTE_0("r0", "r1", "r4")

/* One end and that way: 11 instructions. */
#define OSC_DSP_END(n, left, next)                                                                 \
    "ldmdb r0,{r1,r3,r4}\n\t"                                                                      \
    "add r3,r3,r4\n" OSC_DSP_CHORD(n, left, next)

/* Where a chord's code is not in the table. r5: the parameter, r8: ones and the zero, then the
 * number, r4: the bits behind them, `next`: those behind all. */
#define OSC_DSP_HARD_CHORD(n, left, next)                                                          \
    ".Lhard" n "%=:\n\t"                                                                           \
    "cmp r8,#255\n\t"                                                                              \
    "bne .Lrefill" n "%=\n\t"                                                                      \
    "ubfx r5,r1,#13,#4\n\t"                                                                        \
    "rbit r8," left "\n\t"                                                                         \
    "clz r8,r8\n\t"                                                                                \
    "add r8,r8,#1\n\t"                                                                             \
    "lsr r4," left ",r8\n\t"                                                                       \
    "lsrs " next ",r4,r5\n\t"                                                                      \
    "beq .Lshort" n "%=\n\t"                                                                       \
    "cmp r8,#15\n\t"                                                                               \
    "bhi .Lstop" n "%=\n\t"                                                                        \
    "add r8,r8," next "\n\t"                                                                       \
    "lsl r8,r8,r5\n\t"                                                                             \
    "sub r4,r4,r8\n\t"                                                                             \
    "sbfx r8,r4,#0,#1\n\t"                                                                         \
    "mov r5,#0xf00\n\t"                                                                            \
    "eor r8,r8,r4,asr #1\n\t"                                                                      \
    "b .Lstore" n "%=\n"                                                                           \
    ".Lshort" n "%=:\n\t"                                                                          \
    "cmp " left ",#0\n\t"                                                                          \
    "bmi .Lstop" n "%=\n"                                                                          \
    ".Lrefill" n                                                                                   \
    "%=:\n\t" OSC_DSP_REFILL(left, "r4", "r5", "r8", ".Lfails" n "%=") "mov r5,#0xf00\n\t"         \
                                                                       "b .Llook" n "%=\n"         \
                                                                       ".Lfails" n "%=:\n\t"       \
                                                                       "clz r4," left "\n\t"       \
                                                                       "sub r11,r11,r4\n"          \
                                                                       ".Lstop" n "%=:\n\t"        \
                                                                       "mov r2," left "\n\t"       \
                                                                       "mov r4,#" n "\n\t"         \
                                                                       "b .Lstop%=\n"

#define OSC_DSP_CLOBBERS                                                                           \
    "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r8", "r9", "r10", "r11", "lr", "cc", "memory"

/* From the ends of the segment before, from the component that r0 lies behind the words of. stop: 4
 * less the components of a track that are left. */
static inline void osc_dsp_take_ends(osc_dsp_reader *reader)
{
    register osc_dsp_reader *io __asm__("r12") = reader;
    __asm__ volatile(
        "ldmia r12,{r0,r2,r9,r10,r11,lr}\n\t"
        "mov r5,#0xf00\n"
        ".Ltrack%=:\n\t"
        "ldr r10,[r0,#-16]\n\t"
        "cmp r10,#0\n\t"
        "ubfx r10,r10,#24,#4\n\t"
        "bmi .Lfour%=\n"
        ".Lthree%=:\n\t" /* clang-format off */
        OSC_DSP_END("1", "r2", "r6")
        OSC_DSP_END("2", "r6", "r2")
        OSC_DSP_END("3", "r2", "r6")
        "subs lr,lr,#1\n\t"
        "mov r2,r6\n\t"
        "bne .Ltrack%=\n\t"
        "b .Ldone%=\n"
        ".Lfour%=:\n\t"
        OSC_DSP_END("0", "r2", "r6")
        "mov r2,r6\n\t"
        "b .Lthree%=\n"
        OSC_DSP_HARD_CHORD("0", "r2", "r6")
        OSC_DSP_HARD_CHORD("1", "r2", "r6")
        OSC_DSP_HARD_CHORD("2", "r6", "r2")
        OSC_DSP_HARD_CHORD("3", "r2", "r6")
        /* clang-format on */
        ".Lstop%=:\n\t"
        "str r4,[r12,#36]\n"
        ".Ldone%=:\n\t"
        "stmia r12,{r0,r2,r9,r10,r11,lr}"
        : "+r"(io)
        :
        : OSC_DSP_CLOBBERS);
}

/* The ends of a block's first segment, as plain numbers, from a track's first component on. stop: 0
 * where a component's start has to be read, 1 where it has been. The number of a track's components
 * that are left stands in the upper half of lr. */
static inline void osc_dsp_take_first_ends(osc_dsp_reader *reader)
{
    register osc_dsp_reader *io __asm__("r12") = reader;
    __asm__ volatile("ldmia r12,{r0,r2,r9,r10,r11,lr}\n\t"
                     "mov r5,#0xf00\n"
                     ".Ltrack%=:\n\t"
                     "ldr r4,[r0,#-16]\n\t"
                     "ubfx r10,r4,#24,#4\n\t"
                     "ubfx r6,r4,#18,#6\n\t"
                     "str r6,[r12,#40]\n\t"
                     "lsr r4,r4,#31\n\t"
                     "add r4,r4,#3\n\t"
                     "add lr,lr,r4,lsl #16\n"
                     ".Lstart%=:\n\t" /* r4: its width */
                     "ldr r4,[r12,#40]\n\t"
                     "ldr r1,[r0,#-12]\n\t"
                     "lsrs r6,r2,r4\n\t"
                     "beq .Lwide%=\n\t"
                     "rsb r4,r4,#32\n\t"
                     "lsl r3,r2,r4\n\t"
                     "asr r3,r3,r4\n\t"
                     "mvn r3,r3\n\t"
                     "mul r3,r3,r10\n\t"
                     "mov r2,r6\n" OSC_DSP_CHORD("1", "r2", "r6") /* */
                     "sub lr,lr,#0x10000\n\t"
                     "mov r2,r6\n\t"
                     "cmp lr,#0x10000\n\t"
                     "bhs .Lstart%=\n\t"
                     "subs lr,lr,#1\n\t"
                     "bne .Ltrack%=\n\t"
                     "b .Ldone%=\n"
                     ".Lwide%=:\n\t"
                     "cmp r2,#0\n\t"
                     "bmi .Lnone%=\n\t" OSC_DSP_REFILL("r2", "r4", "r5", "r8", ".Lend%=") /* */
                     "mov r5,#0xf00\n\t"
                     "b .Lstart%=\n"
                     ".Lend%=:\n\t"
                     "clz r4,r2\n\t"
                     "sub r11,r11,r4\n"
                     ".Lnone%=:\n\t"
                     "mov r4,#0\n\t"
                     "b .Lstop%=\n" OSC_DSP_HARD_CHORD("1", "r2", "r6") /* */
                     ".Lstop%=:\n\t"
                     "str r3,[r0,#-8]\n\t"
                     "str r4,[r12,#36]\n"
                     ".Ldone%=:\n\t"
                     "stmia r12,{r0,r2,r9,r10,r11,lr}"
                     : "+r"(io)
                     :
                     : OSC_DSP_CLOBBERS);
}

/* ---- coefficients ---- */

/* The n-th of seven coefficients, from the last ones on: 8 instructions. r8: the slot, which moves
 * on by what the table says; r6: what the table says. */
#define OSC_DSP_COEFFICIENT(n, left, next)                                                         \
    ".Llook" n "%=:\n\t"                                                                           \
    "ldrd r4,r5,[r8]\n\t"                                                                          \
    "and r6,r5," left "\n\t"                                                                       \
    "ldr r6,[r4,r6,lsl #2]\n\t"                                                                    \
    "lsrs " next "," left ",r6\n\t"                                                                \
    "beq .Lhard" n "%=\n\t" OSC_DSP_ADD_BYTE_1("r8", "r6", "r4") /* */                             \
        "asr r6,r6,#16\n"                                                                          \
        ".Lstore" n "%=:\n\t"                                                                      \
        "str r6,[r0],#4\n\t"

/* What is called where a coefficient is not in the table: it returns with the number in r6. r4: the
 * parameter, r5: ones and the zero, r6: the bits behind them, `next`: those behind all. */
#define OSC_DSP_HARD_COEFFICIENT(name, left, next)                                                 \
    ".Lhard" name "%=:\n\t"                                                                        \
    "tst r6,#128\n\t"                                                                              \
    "bne .Llong" name "%=\n"                                                                       \
    ".Lrefill" name                                                                                \
    "%=:\n\t" OSC_DSP_REFILL(left, "r4", "r5", "r6",                                               \
                             ".Lfails" name                                                        \
                             "%=") "ldrd r4,r5,[r8]\n\t"                                           \
                                   "and r6,r5," left "\n\t"                                        \
                                   "ldr r6,[r4,r6,lsl #2]\n\t"                                     \
                                   "lsrs " next "," left ",r6\n\t"                                 \
                                   "beq .Llong" name "%=\n\t" OSC_DSP_ADD_BYTE_1(                  \
                                       "r8", "r6", "r4") "asr r6,r6,#16\n\t"                       \
                                                         "bx lr\n"                                 \
                                                         ".Llong" name "%=:\n\t"                   \
                                                         "rbit r5," left "\n\t"                    \
                                                         "clz r5,r5\n\t"                           \
                                                         "ubfx r4,r6,#8,#4\n\t"                    \
                                                         "add r5,r5,#1\n\t"                        \
                                                         "lsr r6," left ",r5\n\t"                  \
                                                         "lsrs " next ",r6,r4\n\t"                 \
                                                         "beq .Lshort" name "%=\n\t"               \
                                                         "cmp r5,#15\n\t"                          \
                                                         "bhi .Lstop" name "%=\n\t"                \
                                                         "add " left "," next ",r5\n\t"            \
                                                         "lsl r4," left ",r4\n\t"                  \
                                                         "sub r6,r6,r4\n\t"                        \
                                                         "adr.w r4,.Lless%=\n\t"                   \
                                                         "ldrb r4,[r4,r5]\n\t"                     \
                                                         "sbfx r5,r6,#0,#1\n\t"                    \
                                                         "add r8,r8,r4\n\t"                        \
                                                         "eor r6,r5,r6,asr #1\n\t"                 \
                                                         "bx lr\n"                                 \
                                                         ".Lshort" name "%=:\n\t"                  \
                                                         "cmp " left ",#0\n\t"                     \
                                                         "bpl .Lrefill" name "%=\n\t"              \
                                                         "b .Lstop" name "%=\n"                    \
                                                         ".Lfails" name "%=:\n\t"                  \
                                                         "clz r4," left "\n\t"                     \
                                                         "sub r11,r11,r4\n"                        \
                                                         ".Lstop" name "%=:\n\t"                   \
                                                         "mov r2," left "\n\t"                     \
                                                         "b .Lstop%=\n"

/* Two branches of four bytes each, so that lr says which. */
#define OSC_DSP_CALL_BYTES 8u
#define OSC_DSP_CALL(n, name)                                                                      \
    ".Lhard" n "%=:\n\t"                                                                           \
    "bl.w .Lhard" name "%=\n\t"                                                                    \
    "b.w .Lstore" n "%=\n"

/* All components from the one that r0 lies behind the words of, to the end's word. stop: negative
 * at the end; else, counted in OSC_DSP_CALL_BYTES, 0 where a component's number of coefficients has
 * to be read, and 1 .. 7 where 7 .. 1 of its coefficients have. */
static inline void osc_dsp_take_coefficients(osc_dsp_reader *reader)
{
    register osc_dsp_reader *io __asm__("r12") = reader;
    __asm__ volatile(
        "ldmia r12,{r0,r2,r9,r10,r11}\n\t"
        "ldr r10,[r12,#44]\n\t"
        "b .Lbegin%=\n"
        ".Lcounted%=:\n\t" /* r6: their number; r3: the window */
        "mov r2,r3\n"
        ".Lset%=:\n\t"
        "bfi r1,r6,#29,#3\n\t"
        "str r1,[r0,#-12]\n\t"
        "ubfx r4,r1,#17,#4\n\t"
        "sub r8,r9,r4,lsl #5\n\t"
        "tbb [pc,r6]\n"
        ".Lnumbers%=:\n\t"
        ".byte (.Lnone%=-.Lnumbers%=)/2,(.Llook7%=-.Lnumbers%=)/2\n\t"
        ".byte (.Llook6%=-.Lnumbers%=)/2,(.Llook5%=-.Lnumbers%=)/2\n\t"
        ".byte (.Llook4%=-.Lnumbers%=)/2,(.Llook3%=-.Lnumbers%=)/2\n\t"
        ".byte (.Llook2%=-.Lnumbers%=)/2,(.Llook1%=-.Lnumbers%=)/2\n" /* clang-format off */
        OSC_DSP_COEFFICIENT("1", "r3", "r2")
        OSC_DSP_COEFFICIENT("2", "r2", "r3")
        OSC_DSP_COEFFICIENT("3", "r3", "r2")
        OSC_DSP_COEFFICIENT("4", "r2", "r3")
        OSC_DSP_COEFFICIENT("5", "r3", "r2")
        OSC_DSP_COEFFICIENT("6", "r2", "r3")
        OSC_DSP_COEFFICIENT("7", "r3", "r2")
        "sub r0,r0,r1,lsr #27\n"
        ".Lnone%=:\n\t"
        OSC_DSP_ADD_BYTE_0("r0", "r1", "r4")
        ".Lbegin%=:\n\t"
        "ldr r1,[r0,#-12]\n"
        ".Lcount%=:\n\t"
        "ubfx r6,r1,#8,#5\n\t"
        "tbb [pc,r6]\n" /* clang-format on */
                                                               ".Lmodes%=:\n\t"
                                                               ".byte (.Lzero%=-.Lmodes%=)/2\n\t"
                                                               ".rept 7\n\t"
                                                               ".byte (.Lalways%=-.Lmodes%=)/2\n\t"
                                                               ".endr\n\t"
                                                               ".byte (.Lend%=-.Lmodes%=)/2\n\t"
                                                               ".rept 7\n\t"
                                                               ".byte (.Lup%=-.Lmodes%=)/2\n\t"
                                                               ".endr\n\t"
                                                               ".byte (.Lend%=-.Lmodes%=)/2\n\t"
                                                               ".rept 7\n\t"
                                                               ".byte (.Ldown%=-.Lmodes%=)/2\n\t"
                                                               ".endr\n\t"
                                                               ".byte (.Lend%=-.Lmodes%=)/2\n\t"
                                                               ".rept 6\n\t"
                                                               ".byte (.Lplain%=-.Lmodes%=)/2\n\t"
                                                               ".endr\n\t"
                                                               ".byte (.Lplain7%=-.Lmodes%=)/2\n"
                                                               ".Lzero%=:\n\t" OSC_DSP_ADD_BYTE_0(
                                                                   "r0", "r1", "r4") /* */
        "b .Lbegin%=\n"
        ".Lend%=:\n\t"
        "mov r4,#-1\n\t"
        "b .Ldone%=\n"
        ".Lalways%=:\n\t"
        "ubfx r6,r1,#8,#3\n\t"
        "ldrb r6,[r10,r6]\n\t"
        "mov r3,r2\n\t"
        "b .Lset%=\n"
        ".Lplain7%=:\n\t"
        "orn r4,r2,#7\n\t"
        "lsrs r3,r2,#3\n\t"
        "ldrb r6,[r10,r4]\n\t"
        "bne .Lcounted%=\n\t"
        "b .Lhard0%=\n"
        ".Lplain%=:\n\t"
        "orn r4,r2,#7\n\t"
        "ldrb r6,[r10,r4]\n\t"
        "ubfx r4,r1,#8,#3\n\t"
        "cmp r6,r4\n\t"
        "it hi\n\t"
        "movhi r6,r4\n\t"
        "lsrs r3,r2,#3\n\t"
        "bne .Lcounted%=\n\t"
        "b .Lhard0%=\n"
        ".Lup%=:\n\t"
        "lsls r4,r2,#31\n\t"
        "bmi .Lup0%=\n\t"
        "rbit r6,r2\n\t"
        "ubfx r4,r1,#8,#3\n\t"
        "clz r6,r6\n\t"
        "ldrb r4,[r10,r4]\n\t"
        "cmp r6,r4\n\t"
        "bhs .Lall%=\n\t"
        "add r5,r6,#1\n\t"
        "lsrs r3,r2,r5\n\t"
        "bne .Lcounted%=\n\t"
        "b .Lhard0%=\n"
        ".Lall%=:\n\t" /* there are so many bits, for the lowest one that is set lies above them */
        "mov r6,r4\n\t"
        "lsr r3,r2,r4\n\t"
        "b .Lcounted%=\n"
        ".Lup0%=:\n\t"
        "lsrs r3,r2,#1\n\t"
        "beq .Lhard0%=\n\t"
        "bfc r1,#29,#3\n\t"
        "mov r2,r3\n\t"
        "str r1,[r0,#-12]\n\t"
        "b .Lnone%=\n"
        ".Ldown%=:\n\t"
        "rbit r5,r2\n\t"
        "ubfx r4,r1,#8,#3\n\t"
        "clz r5,r5\n\t"
        "ldrb r4,[r10,r4]\n\t"
        "subs r6,r4,r5\n\t"
        "bls .Lnothing%=\n\t"
        "add r5,r5,#1\n\t"
        "lsrs r3,r2,r5\n\t"
        "bne .Lcounted%=\n\t"
        "b .Lhard0%=\n"
        ".Lnothing%=:\n\t"
        "mov r6,#0\n\t"
        "lsr r3,r2,r4\n\t"
        "b .Lcounted%=\n" /* clang-format off */
        ".Lcalls%=:\n"
        OSC_DSP_CALL("1", "a")
        OSC_DSP_CALL("2", "b")
        OSC_DSP_CALL("3", "a")
        OSC_DSP_CALL("4", "b")
        OSC_DSP_CALL("5", "a")
        OSC_DSP_CALL("6", "b")
        OSC_DSP_CALL("7", "a")
        OSC_DSP_HARD_COEFFICIENT("a", "r3", "r2")
        OSC_DSP_HARD_COEFFICIENT("b", "r2", "r3")
        /* clang-format on */
        ".Lless%=:\n\t"
        ".byte 0,40,32,16,0,0,0,0,0,0,0,0,0,0,0,0\n"
        ".Lhard0%=:\n\t" OSC_DSP_REFILL("r2", "r4", "r5", "r6", ".Lfails0%=") /* */
        "b .Lcount%=\n"
        ".Lfails0%=:\n\t"
        "clz r4,r2\n\t"
        "sub r11,r11,r4\n\t"
        "mov r4,#0\n\t"
        "b .Ldone%=\n"
        ".Lstop%=:\n\t"
        "adr.w r4,.Lcalls%=\n\t"
        "sub r4,lr,r4\n\t"
        "add r4,r4,#8\n"
        ".Ldone%=:\n\t"
        "stmia r12!,{r0,r2,r9,r10,r11}\n\t"
        "str r8,[r12,#12]\n\t"
        "str r4,[r12,#16]\n\t"
        "str r1,[r12,#20]"
        : "+r"(io)
        :
        : OSC_DSP_CLOBBERS);
}

/* How many coefficients there can be, by what the record says is the most (0 .. 7), and behind that
 * by three bits, inverted (-8 .. -1), in segments of 1 .. 7 inner frames. */
#define OSC_DSP_COUNT(n, most) ((n) < (most) ? (n) : (most))
#define OSC_DSP_COUNTS(most)                                                                       \
    {                                                                                              \
        7 > (most) ? (most) : 7, OSC_DSP_COUNT(6, most), OSC_DSP_COUNT(5, most),                   \
            OSC_DSP_COUNT(4, most), OSC_DSP_COUNT(3, most), OSC_DSP_COUNT(2, most),                \
            OSC_DSP_COUNT(1, most), 0, 0, OSC_DSP_COUNT(1, most), OSC_DSP_COUNT(2, most),          \
            OSC_DSP_COUNT(3, most), OSC_DSP_COUNT(4, most), OSC_DSP_COUNT(5, most),                \
            OSC_DSP_COUNT(6, most), OSC_DSP_COUNT(7, most)                                         \
    }
static const uint8_t osc_dsp_counts[8][16] = {
    OSC_DSP_COUNTS(0), OSC_DSP_COUNTS(1), OSC_DSP_COUNTS(2), OSC_DSP_COUNTS(3),
    OSC_DSP_COUNTS(4), OSC_DSP_COUNTS(5), OSC_DSP_COUNTS(6), OSC_DSP_COUNTS(7)};

/* The reader at the first component of a list of tracks. */
static inline osc_dsp_reader osc_dsp_reader_of(const osc_window_store *store, int32_t *tracks,
                                               uint32_t count, const void *table)
{
    osc_dsp_reader reader;
    reader.at = tracks + 1 + OSC_COMPONENT_WORDS;
    reader.left = store->left;
    reader.table = table;
    reader.position = store->bits.position;
    reader.tracks = count;
    reader.words = store->bits.words;
    reader.last_pair = store->bits.last_pair;
    return reader;
}

/* Where the loops stop the definition has the window. */
static inline osc_window osc_dsp_hand_over(const osc_dsp_reader *reader, osc_window_store *store)
{
    store->left = reader->left;
    store->bits.position = reader->position;
    return osc_window_resume(store);
}

static inline void osc_dsp_take_back(osc_dsp_reader *reader, const osc_window *window)
{
    reader->left = window->left;
    reader->position = window->store->bits.position;
}

OSC_APART void osc_take_ends(int32_t *tracks, uint32_t count, osc_window_store *store)
{
    osc_dsp_reader reader = osc_dsp_reader_of(store, tracks, count, osc_codes_table);
    while (reader.tracks != 0u) {
        osc_dsp_take_ends(&reader);
        osc_window window = osc_dsp_hand_over(&reader, store);
        if (reader.tracks == 0u)
            return;
        for (; reader.stop != 4; reader.stop++)
            reader.at += osc_take_end(reader.at - OSC_COMPONENT_WORDS, reader.grid, &window);
        osc_window_suspend(&window);
        osc_dsp_take_back(&reader, &window);
        reader.tracks--;
    }
}

/* The rest of the track that the loop stopped in. */
static void osc_dsp_finish_first(osc_dsp_reader *reader, osc_window *window)
{
    uint32_t left = reader->tracks >> 16;
    for (; left != 0u; left--) {
        int32_t *component = reader->at - OSC_COMPONENT_WORDS;
        if (reader->stop == 0)
            component[OSC_COMPONENT_START] = osc_take_start(reader->word, reader->grid, window);
        reader->at += osc_take_chord(component, reader->grid, window);
        reader->stop = 0;
    }
    reader->tracks = (reader->tracks & 0xffffu) - 1u;
}

OSC_APART void osc_take_first_ends(int32_t *tracks, uint32_t count, osc_window_store *store)
{
    osc_dsp_reader reader = osc_dsp_reader_of(store, tracks, count, osc_codes_table);
    while (reader.tracks != 0u) {
        osc_dsp_take_first_ends(&reader);
        osc_window window = osc_dsp_hand_over(&reader, store);
        if (reader.tracks == 0u)
            return;
        osc_dsp_finish_first(&reader, &window);
        osc_window_suspend(&window);
        osc_dsp_take_back(&reader, &window);
    }
}

/* The rest of the component that the loop stopped in. */
static void osc_dsp_finish(osc_dsp_reader *reader, uint32_t longest, osc_window *window)
{
    uint32_t word = reader->word, stop = (uint32_t)reader->stop / OSC_DSP_CALL_BYTES;
    uint32_t left = 8u - stop, most = OSC_TRANSFORM_MOST(word);
    int32_t k_q2 = (int32_t)(osc_dsp_slots + OSC_DSP_MOST_K_Q2 - reader->slot);
    if (stop == 0u) {
        left = osc_take_count(OSC_TRANSFORM_MODE(word), most < longest ? most : longest, window);
        word = osc_transform_counted(word, left);
        k_q2 = (int32_t)(OSC_TRANSFORM_K(word) << 2);
        *(reader->at - OSC_COMPONENT_WORDS) = (int32_t)word;
    }
    osc_take_numbers(reader->at, left, k_q2, window);
    reader->at += left;
    reader->at -= OSC_TRANSFORM_COUNT(word);
    reader->at += OSC_TRANSFORM_SKIP_BYTES(word) / sizeof *reader->at;
}

/* In a segment without inner frames the numbers of coefficients are 0 and take no bits. */
static void osc_dsp_clear_counts(int32_t *component)
{
    for (; (uint32_t)*component != OSC_TRANSFORM_END; component += osc_component_words(component))
        *component = (int32_t)osc_transform_counted((uint32_t)*component, 0u);
}

OSC_APART void osc_take_coefficients(int32_t *tracks, uint32_t count, osc_window_store *store,
                                     uint32_t longest)
{
    if (count == 0u)
        return;
    if (longest == 0u) {
        osc_dsp_clear_counts(tracks + 1);
        return;
    }
    osc_dsp_reader reader =
        osc_dsp_reader_of(store, tracks, count, osc_dsp_slots + OSC_DSP_MOST_K_Q2);
    reader.counts = osc_dsp_counts[longest] + 8;
    for (;;) {
        osc_dsp_take_coefficients(&reader);
        osc_window window = osc_dsp_hand_over(&reader, store);
        if (reader.stop < 0)
            return;
        osc_dsp_finish(&reader, longest, &window);
        osc_dsp_take_back(&reader, &window);
    }
}

#endif
#endif
