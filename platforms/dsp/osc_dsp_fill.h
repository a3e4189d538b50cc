/* Rows of a parsed segment on Cortex-M4 and up with an FPU, in Thumb-2, for osc_rows.h: all tracks
 * in one loop. What it leaves to the definition: direct tracks, those of packing four, and
 * components that no rotation has. */
#ifndef OSC_DSP_FILL_H
#define OSC_DSP_FILL_H

#include "osc_thumb2.h"
#include "osc_port.h"

/* What the loop begins with and leaves behind: the offsets are spelled out in it. */
typedef struct osc_dsp_row {
    const int32_t *at;      /* r0: behind the three words of a track's first component */
    const int16_t *weights; /* r1 */
    const int32_t *steps;   /* r11: osc_transform_step of all codes */
    int32_t *row;
    const int32_t *previous;
    uint32_t *chords;
} osc_dsp_row;

/* To clang-format such strings are no code. */
/* clang-format off */

/* The next coefficient but n; r5: the sum. */
#define OSC_DSP_WEIGH(label, n, spare)                                                             \
    label "%=:\n\t"                                                                                \
    "ldr r6,[r0,#4*" n "-4]\n\t"                                                                   \
    "ldrsh " spare ",[r1,#2*" n "]\n\t"                                                            \
    "mla r5,r6," spare ",r5\n"

/* A component: 12 instructions, and 3 for each coefficient, but for the first 2. r3: its word, r4:
 * its start, r8, r9: the first weights. The product of sum and step is taken whole, and the first
 * shift leaves in the carry what rounds. */
#define OSC_DSP_COMPONENT(i, to)                                                                   \
    "ldmdb r0,{r3,r4,r5}\n\t"                                                                      \
    "lsr r6,r3,#29\n\t"                                                                            \
    "mul r5,r5,r8\n\t"                                                                             \
    "tbb [pc,r6]\n"                                                                                \
    ".Lcounts" i "%=:\n\t"                                                                         \
    ".byte (.Lsum" i "0%=-.Lcounts" i "%=)/2,(.Lsum" i "1%=-.Lcounts" i "%=)/2\n\t"                \
    ".byte (.Lsum" i "2%=-.Lcounts" i "%=)/2,(.Lsum" i "3%=-.Lcounts" i "%=)/2\n\t"                \
    ".byte (.Lsum" i "4%=-.Lcounts" i "%=)/2,(.Lsum" i "5%=-.Lcounts" i "%=)/2\n\t"                \
    ".byte (.Lsum" i "6%=-.Lcounts" i "%=)/2,(.Lsum" i "7%=-.Lcounts" i "%=)/2\n"                  \
    OSC_DSP_WEIGH(".Lsum" i "7", "7", to)                                                          \
    OSC_DSP_WEIGH(".Lsum" i "6", "6", to)                                                          \
    OSC_DSP_WEIGH(".Lsum" i "5", "5", to)                                                          \
    OSC_DSP_WEIGH(".Lsum" i "4", "4", to)                                                          \
    OSC_DSP_WEIGH(".Lsum" i "3", "3", to)                                                          \
    OSC_DSP_WEIGH(".Lsum" i "2", "2", to)                                                          \
    ".Lsum" i "1%=:\n\t"                                                                           \
    "ldr r6,[r0]\n\t"                                                                              \
    "mla r5,r6,r9,r5\n"                                                                            \
    ".Lsum" i "0%=:\n\t"                                                                           \
    "ubfx r6,r3,#21,#6\n\t"                                                                        \
    "ldr r6,[r11,r6,lsl #2]\n\t"                                                                   \
    OSC_T2_ADD_BYTE_0("r0", "r3", to)                                                              \
    "smull r5,r3,r5,r6\n\t"                                                                        \
    "lsrs r5,r5,#10\n\t"                                                                           \
    "adc r5,r5,r3,lsl #22\n\t"                                                                     \
    "mla " to ",r6,r4,r5\n\t"

static inline void osc_dsp_fill(osc_dsp_row *row)
{
    register osc_dsp_row *io __asm__("r12") = row;
    __asm__ volatile(
        "ldm r12,{r0,r1,r11}\n\t"
        "ldrsh r8,[r1]\n\t"
        "ldrsh r9,[r1,#2]\n"
        ".Ltrack%=:\n\t"
        "ldr r3,[r0,#-16]\n\t"
        "str r0,[r12]\n\t"
        "tst r3,#0x90000000\n\t" /* packing four, or direct */
        "bne .Ldone%=\n\t"
        OSC_DSP_COMPONENT("x", "r2")
        OSC_DSP_COMPONENT("y", "r10")
        OSC_DSP_COMPONENT("z", "lr")
        "ldr r3,[r12]\n\t"
        "ldr r3,[r3,#-16]\n\t"
        "ubfx r6,r3,#14,#4\n\t"
        "cmp r6,#13\n\t"
        "beq .Lvector%=\n\t"
        OSC_T2_ROOT("r2", "r10", "lr", "r5", "r4", ".Ldone%=")
        "tbb [pc,r6]\n"
        ".Lpackings%=:\n\t"
        ".byte (.L0_%=-.Lpackings%=)/2,(.L1_%=-.Lpackings%=)/2\n\t"
        ".byte (.L2_%=-.Lpackings%=)/2,(.Lxyzw%=-.Lpackings%=)/2\n\t"
        ".byte (.L0_%=-.Lpackings%=)/2,(.L1_%=-.Lpackings%=)/2\n\t"
        ".byte (.L2_%=-.Lpackings%=)/2,(.Lturn%=-.Lpackings%=)/2\n\t"
        ".byte (.L0_%=-.Lpackings%=)/2,(.L1_%=-.Lpackings%=)/2\n\t"
        ".byte (.L2_%=-.Lpackings%=)/2,(.Lback%=-.Lpackings%=)/2\n"
        ".Lvector%=:\n\t"
        "ldr r5,[r12,#12]\n\t"
        "ubfx r3,r3,#0,#14\n\t"
        "add r5,r5,r3,lsl #2\n\t"
        "strd r2,r10,[r5]\n\t"
        "str lr,[r5,#8]\n\t"
        "b .Lnext%=\n"
        ".L0_%=:\n\t"
        "mov r6,r4\n\t"
        "mov r4,lr\n\t"
        "mov lr,r10\n\t"
        "mov r10,r2\n\t"
        "mov r2,r6\n\t"
        "b .Lordered%=\n"
        ".L1_%=:\n\t"
        "mov r6,r4\n\t"
        "mov r4,lr\n\t"
        "mov lr,r10\n\t"
        "mov r10,r6\n\t"
        "b .Lordered%=\n"
        ".L2_%=:\n\t"
        "mov r6,r4\n\t"
        "mov r4,lr\n\t"
        "mov lr,r6\n"
        ".Lordered%=:\n\t"
        "ubfx r6,r3,#16,#2\n\t"
        "cmp r6,#1\n\t"
        "blo .Lxyzw%=\n\t"
        "beq .Lturn%=\n"
        ".Lback%=:\n\t" /* osc_turn */
        "add r5,r2,r10\n\t"
        "add r5,r5,lr\n\t"
        "add r5,r5,#1\n\t"
        "sub r6,r5,r4\n\t"
        "add r4,r5,r4\n\t"
        "asr r4,r4,#1\n\t"
        "sub r5,r6,lr,lsl #1\n\t"
        "sub lr,r6,r10,lsl #1\n\t"
        "sub r10,r6,r2,lsl #1\n\t"
        "asr r2,r5,#1\n\t"
        "asr r10,r10,#1\n\t"
        "asr lr,lr,#1\n\t"
        "b .Lxyzw%=\n"
        ".Lturn%=:\n\t"
        "add r5,r2,r10\n\t"
        "add r5,r5,lr\n\t"
        "add r4,r4,#1\n\t"
        "add r6,r4,r5\n\t"
        "sub r4,r4,r5\n\t"
        "asr r4,r4,#1\n\t"
        "sub r5,r6,r10,lsl #1\n\t"
        "sub r10,r6,lr,lsl #1\n\t"
        "sub lr,r6,r2,lsl #1\n\t"
        "asr r2,r5,#1\n\t"
        "asr r10,r10,#1\n\t"
        "asr lr,lr,#1\n"
        ".Lxyzw%=:\n\t" /* osc_store_rotation */
        "ldrd r5,r6,[r12,#12]\n\t"
        "ubfx r3,r3,#0,#14\n\t"
        "add r5,r5,r3,lsl #2\n\t"
        "add r6,r6,r3,lsl #2\n\t"
        "strd r2,r10,[r5]\n\t"
        "strd lr,r4,[r5,#8]\n\t"
        "ldm r6,{r5,r6,r8,r9}\n\t"
        "sub r5,r2,r5\n\t"
        "sub r6,r10,r6\n\t"
        "sub r8,lr,r8\n\t"
        "sub r9,r4,r9\n\t"
        "asr r5,r5,#5\n\t"
        "asr r6,r6,#5\n\t"
        "mul r5,r5,r5\n\t"
        "mla r5,r6,r6,r5\n\t"
        "asr r8,r8,#5\n\t"
        "asr r9,r9,#5\n\t"
        "mla r5,r8,r8,r5\n\t"
        "mla r5,r9,r9,r5\n\t"
        "ldr r6,[r12,#20]\n\t"
        "ldrsh r8,[r1]\n\t"
        "ldrsh r9,[r1,#2]\n\t"
        "lsr r5,r5,#10\n\t"
        "str r5,[r6,r3]\n"
        ".Lnext%=:\n\t"
        "ldr r3,[r0,#-12]\n\t"
        "cmp r3,#0x800\n\t" /* OSC_TRANSFORM_END */
        "bne .Ltrack%=\n\t"
        "mov r0,#0\n\t"
        "str r0,[r12]\n"
        ".Ldone%=:"
        : "+r"(io)
        :
        : "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r8", "r9", "r10", "r11", "lr", "s0", "cc",
        "memory");
}

/* clang-format on */

/* Here `tracks` only says whether there are some: the list has an end. */
static inline void osc_fill_tracks(const int32_t *at, uint32_t tracks, const int32_t *transposed,
                                   const osc_rows *rows)
{
    (void)transposed;
    osc_dsp_row row = {at, rows->weights, osc_dsp_steps, rows->row, rows->previous, rows->chords};
    if (tracks == 0u)
        return;
    for (;;) {
        row.at += 1 + OSC_COMPONENT_WORDS;
        osc_dsp_fill(&row);
        if (row.at == NULL)
            return;
        row.at = osc_fill_track(row.at - 1 - OSC_COMPONENT_WORDS, rows);
        if ((uint32_t)*row.at == OSC_TRANSFORM_END)
            return;
    }
}

#endif
