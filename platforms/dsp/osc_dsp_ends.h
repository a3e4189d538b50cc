/* The ends of a segment's components in Thumb-2, for osc_segments.h. */
#ifndef OSC_DSP_ENDS_H
#define OSC_DSP_ENDS_H

#include "osc_codes.h"
#include "osc_dsp_reader.h"

/* To clang-format such strings are no code. */
/* clang-format off */

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
    "strd r3,r4,[r0,#-8]\n\t"                                                                      \
    OSC_T2_ADD_BYTE_0("r0", "r1", "r4")

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
    OSC_DSP_LONG_CODE(left, next, "r5", "r8", "r4", "r8", ".Lshort" n "%=", ".Lstop" n "%=")       \
    "sbfx r8,r4,#0,#1\n\t"                                                                         \
    "mov r5,#0xf00\n\t"                                                                            \
    "eor r8,r8,r4,asr #1\n\t"                                                                      \
    "b .Lstore" n "%=\n"                                                                           \
    ".Lshort" n "%=:\n\t"                                                                          \
    "cmp " left ",#0\n\t"                                                                          \
    "bmi .Lstop" n "%=\n"                                                                          \
    ".Lrefill" n "%=:\n\t"                                                                         \
    OSC_DSP_REFILL(left, "r4", "r5", "r8", ".Lfails" n "%=")                                       \
    "mov r5,#0xf00\n\t"                                                                            \
    "b .Llook" n "%=\n"                                                                            \
    ".Lfails" n "%=:\n\t"                                                                          \
    "clz r4," left "\n\t"                                                                          \
    "sub r11,r11,r4\n"                                                                             \
    ".Lstop" n "%=:\n\t"                                                                           \
    "mov r2," left "\n\t"                                                                          \
    "mov r4,#" n "\n\t"                                                                            \
    "b .Lstop%=\n"

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
        ".Lthree%=:\n\t"
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

/* clang-format on */

/* A chord as the definition reads it; the reader moves to the next component. */
static void osc_dsp_take_chord(osc_dsp_reader *reader, osc_window_store *store)
{
    int32_t *component = reader->at - OSC_COMPONENT_WORDS;
    uint32_t word = (uint32_t)component[OSC_COMPONENT_WORD], k = OSC_TRANSFORM_END_K(word);
    component[OSC_COMPONENT_CHORD] =
        k == OSC_RICE_ZERO ? 0 : osc_mul(osc_unzigzag(osc_dsp_take_rice(store, k)), reader->grid);
    reader->at += OSC_TRANSFORM_SKIP_BYTES(word) / sizeof *component;
}

OSC_NOINLINE void osc_take_ends(int32_t *tracks, uint32_t count, osc_window_store *store)
{
    osc_dsp_reader reader = osc_dsp_reader_of(store, tracks, count, osc_codes_table);
    while (reader.tracks != 0u) {
        osc_dsp_take_ends(&reader);
        osc_dsp_leave(&reader, store);
        if (reader.tracks == 0u)
            return;
        for (; reader.stop != 4; reader.stop++) {
            int32_t *start = reader.at - OSC_COMPONENT_WORDS + OSC_COMPONENT_START;
            *start = osc_add(start[0], start[1]);
            osc_dsp_take_chord(&reader, store);
        }
        osc_dsp_go_on(&reader, store);
        reader.tracks--;
    }
}

OSC_NOINLINE void osc_take_first_ends(int32_t *tracks, uint32_t count, osc_window_store *store)
{
    osc_dsp_reader reader = osc_dsp_reader_of(store, tracks, count, osc_codes_table);
    while (reader.tracks != 0u) {
        osc_dsp_take_first_ends(&reader);
        osc_dsp_leave(&reader, store);
        if (reader.tracks == 0u)
            return;
        for (; reader.tracks >> 16 != 0u; reader.tracks -= 1u << 16) {
            int32_t *start = reader.at - OSC_COMPONENT_WORDS + OSC_COMPONENT_START;
            if (reader.stop == 0) {
                int32_t plain = osc_bits_take_signed(osc_dsp_bits(store), reader.word);
                *start = osc_mul(plain, reader.grid);
                osc_window_fill(store);
            }
            osc_dsp_take_chord(&reader, store);
            reader.stop = 0;
        }
        osc_dsp_go_on(&reader, store);
        reader.tracks--;
    }
}

#endif
