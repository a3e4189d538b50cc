/* The coefficients of a segment's components in Thumb-2, for osc_segments.h. */
#ifndef OSC_DSP_COEFFICIENTS_H
#define OSC_DSP_COEFFICIENTS_H

#include "osc_dsp_code_table.h"
#include "osc_dsp_reader.h"

/* To clang-format such strings are no code. */
/* clang-format off */

/* The n-th of seven coefficients, from the last ones on: 8 instructions. r8: the slot, which moves
 * on by what the table says; r6: what the table says. */
#define OSC_DSP_COEFFICIENT(n, left, next)                                                         \
    ".Llook" n "%=:\n\t"                                                                           \
    "ldrd r4,r5,[r8]\n\t"                                                                          \
    "and r6,r5," left "\n\t"                                                                       \
    "ldr r6,[r4,r6,lsl #2]\n\t"                                                                    \
    "lsrs " next "," left ",r6\n\t"                                                                \
    "beq .Lhard" n "%=\n\t"                                                                        \
    OSC_T2_ADD_BYTE_1("r8", "r6", "r4")                                                            \
    "asr r6,r6,#16\n"                                                                              \
    ".Lstore" n "%=:\n\t"                                                                          \
    "str r6,[r0],#4\n\t"

/* What is called where a coefficient is not in the table: it returns with the number in r6. r4: the
 * parameter, r5: ones and the zero, r6: the bits behind them, `next`: those behind all. */
#define OSC_DSP_HARD_COEFFICIENT(name, left, next)                                                 \
    ".Lhard" name "%=:\n\t"                                                                        \
    "tst r6,#128\n\t"                                                                              \
    "bne .Llong" name "%=\n"                                                                       \
    ".Lrefill" name "%=:\n\t"                                                                      \
    OSC_DSP_REFILL(left, "r4", "r5", "r6", ".Lfails" name "%=")                                    \
    "ldrd r4,r5,[r8]\n\t"                                                                          \
    "and r6,r5," left "\n\t"                                                                       \
    "ldr r6,[r4,r6,lsl #2]\n\t"                                                                    \
    "lsrs " next "," left ",r6\n\t"                                                                \
    "beq .Llong" name "%=\n\t"                                                                     \
    OSC_T2_ADD_BYTE_1("r8", "r6", "r4")                                                            \
    "asr r6,r6,#16\n\t"                                                                            \
    "bx lr\n"                                                                                      \
    ".Llong" name "%=:\n\t"                                                                        \
    "ubfx r4,r6,#8,#4\n\t"                                                                         \
    OSC_DSP_LONG_CODE(left, next, "r4", "r5", "r6", left, ".Lshort" name "%=", ".Lstop" name "%=") \
    "adr.w r4,.Lless%=\n\t"                                                                        \
    "ldrb r4,[r4,r5]\n\t"                                                                          \
    "sbfx r5,r6,#0,#1\n\t"                                                                         \
    "add r8,r8,r4\n\t"                                                                             \
    "eor r6,r5,r6,asr #1\n\t"                                                                      \
    "bx lr\n"                                                                                      \
    ".Lshort" name "%=:\n\t"                                                                       \
    "cmp " left ",#0\n\t"                                                                          \
    "bpl .Lrefill" name "%=\n\t"                                                                   \
    "b .Lstop" name "%=\n"                                                                         \
    ".Lfails" name "%=:\n\t"                                                                       \
    "clz r4," left "\n\t"                                                                          \
    "sub r11,r11,r4\n"                                                                             \
    ".Lstop" name "%=:\n\t"                                                                        \
    "mov r2," left "\n\t"                                                                          \
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
        ".byte (.Llook2%=-.Lnumbers%=)/2,(.Llook1%=-.Lnumbers%=)/2\n"
        OSC_DSP_COEFFICIENT("1", "r3", "r2")
        OSC_DSP_COEFFICIENT("2", "r2", "r3")
        OSC_DSP_COEFFICIENT("3", "r3", "r2")
        OSC_DSP_COEFFICIENT("4", "r2", "r3")
        OSC_DSP_COEFFICIENT("5", "r3", "r2")
        OSC_DSP_COEFFICIENT("6", "r2", "r3")
        OSC_DSP_COEFFICIENT("7", "r3", "r2")
        "sub r0,r0,r1,lsr #27\n"
        ".Lnone%=:\n\t"
        OSC_T2_ADD_BYTE_0("r0", "r1", "r4")
        ".Lbegin%=:\n\t"
        "ldr r1,[r0,#-12]\n"
        ".Lcount%=:\n\t"
        "ubfx r6,r1,#8,#5\n\t"
        "tbb [pc,r6]\n"
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
        ".Lzero%=:\n\t"
        OSC_T2_ADD_BYTE_0("r0", "r1", "r4")
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
        ".Lall%=:\n\t"
        /* there are so many bits, for the lowest one that is set lies above them */
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
        "b .Lcounted%=\n"
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
        ".balign 4\n" /* of the section too: adr counts from a multiple of 4 */
        ".Lless%=:\n\t"
        ".byte 0,40,32,16,0,0,0,0,0,0,0,0,0,0,0,0\n"
        ".Lhard0%=:\n\t"
        OSC_DSP_REFILL("r2", "r4", "r5", "r6", ".Lfails0%=")
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

/* clang-format on */

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

/* How many coefficients the component has that the loop stopped at. */
static uint32_t osc_dsp_take_count(uint32_t word, uint32_t longest, osc_window_store *store)
{
    uint32_t most = OSC_TRANSFORM_MOST(word), mode = OSC_TRANSFORM_MODE(word);
    osc_bits *bits = osc_dsp_bits(store);
    uint32_t next = osc_bits_peek(bits), number = next & 7u, taken = 3u;
    most = most < longest ? most : longest;
    if (mode != OSC_TRANSFORM_PLAIN) {
        number = osc_trailing_ones_15(next);
        taken = number < most ? number + 1u : most;
    }
    number = number < most ? number : most;
    bits->position += taken;
    osc_window_fill(store);
    return mode == OSC_TRANSFORM_DOWN ? most - number : number;
}

/* The rest of the component that the loop stopped in. */
static void osc_dsp_finish(osc_dsp_reader *reader, uint32_t longest, osc_window_store *store)
{
    uint32_t word = reader->word, stop = (uint32_t)reader->stop / OSC_DSP_CALL_BYTES;
    uint32_t left = 8u - stop;
    int32_t k_q2 = (int32_t)(osc_dsp_slots + OSC_DSP_MOST_K_Q2 - reader->slot);
    if (stop == 0u) {
        left = osc_dsp_take_count(word, longest, store);
        word = osc_transform_counted(word, left);
        k_q2 = (int32_t)(OSC_TRANSFORM_K(word) << 2);
        *(reader->at - OSC_COMPONENT_WORDS) = (int32_t)word;
    }
    for (; left != 0u; left--) {
        uint32_t k = osc_transform_rice_k(k_q2), value = osc_dsp_take_rice(store, k);
        *reader->at++ = osc_unzigzag(value);
        k_q2 = osc_transform_next_k(k_q2, value >> k);
    }
    reader->at -= OSC_TRANSFORM_COUNT(word);
    reader->at += OSC_TRANSFORM_SKIP_BYTES(word) / sizeof *reader->at;
}

/* In a segment without inner frames the numbers of coefficients are 0 and take no bits. */
static void osc_dsp_clear_counts(int32_t *component)
{
    for (; (uint32_t)*component != OSC_TRANSFORM_END; component += osc_component_words(component))
        *component = (int32_t)osc_transform_counted((uint32_t)*component, 0u);
}

OSC_NOINLINE void osc_take_coefficients(int32_t *tracks, uint32_t count, osc_window_store *store,
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
        osc_dsp_leave(&reader, store);
        if (reader.stop < 0)
            return;
        osc_dsp_finish(&reader, longest, store);
        osc_dsp_go_on(&reader, store);
    }
}

#endif
