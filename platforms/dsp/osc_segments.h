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
    int32_t *at;               /* r0: behind the three words of a component */
    uint32_t left;             /* r2: the window, as in osc_window_store */
    const osc_dsp_slot *slots; /* r9: of parameter 0 */
    int32_t grid;              /* r10: of the track */
    uint32_t position;         /* r11 */
    uint32_t tracks;           /* lr: from this one on */
    const uint32_t *words;
    uint32_t last_pair;
    const osc_dsp_slot *slot; /* of the coefficient that comes */
    int32_t stop;             /* what the definition has to go on with */
    uint32_t word;            /* of the component */
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

/* One end and the way to the next. The bits that come are in `left`, those behind the code in
 * `next`. r1: the component's word, r3: its start, r4: its chord, r5: the parameter, r8: what the
 * table says, r10: the grid. */
#define OSC_DSP_END(n, left, next)                                                                 \
    "ldmdb r0,{r1,r3,r4}\n\t"                                                                      \
    "add r3,r3,r4\n"                                                                               \
    "look" n "%=:\n\t"                                                                             \
    "ubfx r5,r1,#13,#4\n\t"                                                                        \
    "tbb [pc,r5]\n"                                                                                \
    "ks" n "%=:\n\t"                                                                               \
    ".rept 5\n\t"                                                                                  \
    ".byte (table" n "%=-ks" n "%=)/2\n\t"                                                         \
    ".endr\n\t"                                                                                    \
    ".rept 10\n\t"                                                                                 \
    ".byte (count" n "%=-ks" n "%=)/2\n\t"                                                         \
    ".endr\n\t"                                                                                    \
    ".byte (none" n "%=-ks" n "%=)/2\n"                                                            \
    "none" n "%=:\n\t"                                                                             \
    "mov r4,#0\n\t"                                                                                \
    "mov " next "," left "\n\t"                                                                    \
    "b chord" n "%=\n"                                                                             \
    "table" n "%=:\n\t"                                                                            \
    "add r8,r9,r5,lsl #3\n\t"                                                                      \
    "ldrd r4,r8,[r8]\n\t"                                                                          \
    "and r8,r8," left "\n\t"                                                                       \
    "ldr r8,[r4,r8,lsl #2]\n\t"                                                                    \
    "lsrs " next "," left ",r8\n\t"                                                                \
    "beq hard" n "%=\n\t"                                                                          \
    "asr r8,r8,#16\n"                                                                              \
    "store" n "%=:\n\t"                                                                            \
    "mul r4,r8,r10\n"                                                                              \
    "chord" n "%=:\n\t"                                                                            \
    "strd r3,r4,[r0,#-8]\n\t" OSC_DSP_ADD_BYTE_0("r0", "r1", "r5")

/* Where an end's code is not in the table. r8: ones and the zero, then the number, r4: the bits
 * behind them, `next`: those behind all. */
#define OSC_DSP_LONG_END(n, left, next)                                                            \
    "hard" n "%=:\n\t"                                                                             \
    "cmn r8,#1\n\t"                                                                                \
    "bne refill" n "%=\n"                                                                          \
    "count" n "%=:\n\t"                                                                            \
    "rbit r8," left "\n\t"                                                                         \
    "clz r8,r8\n\t"                                                                                \
    "add r8,r8,#1\n\t"                                                                             \
    "lsr r4," left ",r8\n\t"                                                                       \
    "lsrs " next ",r4,r5\n\t"                                                                      \
    "beq short" n "%=\n\t"                                                                         \
    "cmp r8,#15\n\t"                                                                               \
    "bhi stop" n "%=\n\t"                                                                          \
    "add r8,r8," next "\n\t"                                                                       \
    "lsl r8,r8,r5\n\t"                                                                             \
    "sub r4,r4,r8\n\t"                                                                             \
    "sbfx r8,r4,#0,#1\n\t"                                                                         \
    "eor r8,r8,r4,asr #1\n\t"                                                                      \
    "b store" n "%=\n"                                                                             \
    "short" n "%=:\n\t"                                                                            \
    "cmp " left ",#0\n\t"                                                                          \
    "bmi stop" n "%=\n"                                                                            \
    "refill" n "%=:\n\t" OSC_DSP_REFILL(left, "r4", "r5", "r8", "fails" n "%=") /* */              \
    "b look" n "%=\n"                                                                              \
    "fails" n "%=:\n\t"                                                                            \
    "clz r4," left "\n\t"                                                                          \
    "sub r11,r11,r4\n"                                                                             \
    "stop" n "%=:\n\t"                                                                             \
    "mov r2," left "\n\t"                                                                          \
    "mov r4,#" n "\n\t"                                                                            \
    "b stop%=\n"

/* The stream goes on for r12->tracks tracks from the component that r0 lies behind the words of; r4
 * is 4 less the components of the first track that are left. */
static inline void osc_dsp_take_ends(osc_dsp_reader *reader)
{
    register osc_dsp_reader *io __asm__("r12") = reader;
    __asm__ volatile(
        "ldmia r12,{r0,r2,r9,r10,r11,lr}\n"
        "track%=:\n\t"
        "ldr r10,[r0,#-16]\n\t"
        "cmp r10,#0\n\t"
        "ubfx r10,r10,#24,#4\n\t"
        "bmi four%=\n"
        "three%=:\n\t" /* clang-format off */
        OSC_DSP_END("1", "r2", "r6")
        OSC_DSP_END("2", "r6", "r2")
        OSC_DSP_END("3", "r2", "r6")
        "subs lr,lr,#1\n\t"
        "mov r2,r6\n\t"
        "bne track%=\n\t"
        "b done%=\n"
        OSC_DSP_LONG_END("1", "r2", "r6")
        OSC_DSP_LONG_END("2", "r6", "r2")
        OSC_DSP_LONG_END("3", "r2", "r6")
        "four%=:\n\t"
        OSC_DSP_END("0", "r2", "r6")
        "mov r2,r6\n\t"
        "b three%=\n"
        OSC_DSP_LONG_END("0", "r2", "r6")
        /* clang-format on */
        "stop%=:\n\t"
        "str r4,[r12,#36]\n"
        "done%=:\n\t"
        "stmia r12,{r0,r2,r9,r10,r11,lr}"
        : "+r"(io)
        :
        : "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r8", "r9", "r10", "r11", "lr", "cc", "memory");
}

/* ---- coefficients ---- */

/* The n-th of seven coefficients, from the last ones on: 8 instructions. r8: the slot, which moves
 * on by what the table says; r6: what the table says. */
#define OSC_DSP_COEFFICIENT(n, left, next)                                                         \
    "look" n "%=:\n\t"                                                                             \
    "ldrd r4,r5,[r8]\n\t"                                                                          \
    "and r6,r5," left "\n\t"                                                                       \
    "ldr r6,[r4,r6,lsl #2]\n\t"                                                                    \
    "lsrs " next "," left ",r6\n\t"                                                                \
    "beq hard" n "%=\n\t" OSC_DSP_ADD_BYTE_1("r8", "r6", "r4") /* */                               \
    "asr r6,r6,#16\n"                                                                              \
    "store" n "%=:\n\t"                                                                            \
    "str r6,[r0],#4\n\t"

/* What is called where a coefficient is not in the table: it returns to try again, or 4 bytes on
 * with the number in r6. */
#define OSC_DSP_HARD(name, left, next)                                                             \
    "hard" name "%=:\n\t"                                                                          \
    "cmn r6,#1\n\t"                                                                                \
    "beq long" name "%=\n"                                                                         \
    "refill" name "%=:\n\t" OSC_DSP_REFILL(left, "r4", "r5", "r6", "fails" name "%=") /* */        \
    "bx lr\n"                                                                                      \
    "long" name "%=:\n\t" /* r4: k, r5: ones and the zero, r6: the bits behind, next: behind all */ \
    "sub r4,r9,r8\n\t"                                                                             \
    "usat r4,#5,r4,asr #5\n\t"                                                                     \
    "rbit r5," left "\n\t"                                                                         \
    "clz r5,r5\n\t"                                                                                \
    "add r5,r5,#1\n\t"                                                                             \
    "lsr r6," left ",r5\n\t"                                                                       \
    "lsrs " next ",r6,r4\n\t"                                                                      \
    "beq short" name "%=\n\t"                                                                      \
    "cmp r5,#15\n\t"                                                                               \
    "bhi stop" name "%=\n\t"                                                                       \
    "add " left "," next ",r5\n\t"                                                                 \
    "lsl r4," left ",r4\n\t"                                                                       \
    "sub r6,r6,r4\n\t"                                                                             \
    "adr r4,less%=\n\t"                                                                            \
    "ldrb r4,[r4,r5]\n\t"                                                                          \
    "add r8,r8,r4\n\t"                                                                             \
    "sbfx r4,r6,#0,#1\n\t"                                                                         \
    "eor r6,r4,r6,asr #1\n\t"                                                                      \
    "add lr,lr,#4\n\t"                                                                             \
    "bx lr\n"                                                                                      \
    "short" name "%=:\n\t"                                                                         \
    "cmp " left ",#0\n\t"                                                                          \
    "bpl refill" name "%=\n\t"                                                                     \
    "b stop" name "%=\n"                                                                           \
    "fails" name "%=:\n\t"                                                                         \
    "clz r4," left "\n\t"                                                                          \
    "sub r11,r11,r4\n"                                                                             \
    "stop" name "%=:\n\t"                                                                          \
    "mov r2," left "\n\t"                                                                          \
    "b stop%=\n"

/* Three branches of four bytes each, so that lr says which. */
#define OSC_DSP_CALL(n, name, again, then)                                                         \
    "hard" n "%=:\n\t"                                                                             \
    "bl hard" name "%=\n\t"                                                                        \
    "b.w " again "%=\n\t"                                                                          \
    "b.w " then "%=\n"

/* All components from the one that r0 lies behind the words of, to the end's word. stop / 12 is then
 * 0 where a component's number of coefficients has to be read, and 1 .. 7 where 7 .. 1 of its
 * coefficients have; negative at the end. */
static inline void osc_dsp_take_coefficients(osc_dsp_reader *reader)
{
    register osc_dsp_reader *io __asm__("r12") = reader;
    __asm__ volatile(
        "ldmia r12,{r0,r2,r9,r10,r11}\n\t"
        "ldr r10,[r12,#44]\n\t"
        "b begin%=\n"
        "counted%=:\n\t" /* r6: their number; r3: the window */
        "bfi r1,r6,#29,#3\n\t"
        "str r1,[r0,#-12]\n\t"
        "ubfx r4,r1,#17,#4\n\t"
        "sub r8,r9,r4,lsl #5\n\t"
        "mov r2,r3\n\t"
        "tbb [pc,r6]\n"
        "numbers%=:\n\t"
        ".byte (none%=-numbers%=)/2,(look7%=-numbers%=)/2,(look6%=-numbers%=)/2\n\t"
        ".byte (look5%=-numbers%=)/2,(look4%=-numbers%=)/2,(look3%=-numbers%=)/2\n\t"
        ".byte (look2%=-numbers%=)/2,(look1%=-numbers%=)/2\n" /* clang-format off */
        OSC_DSP_COEFFICIENT("1", "r3", "r2")
        OSC_DSP_COEFFICIENT("2", "r2", "r3")
        OSC_DSP_COEFFICIENT("3", "r3", "r2")
        OSC_DSP_COEFFICIENT("4", "r2", "r3")
        OSC_DSP_COEFFICIENT("5", "r3", "r2")
        OSC_DSP_COEFFICIENT("6", "r2", "r3")
        OSC_DSP_COEFFICIENT("7", "r3", "r2")
        "sub r0,r0,r1,lsr #27\n"
        "none%=:\n\t"
        OSC_DSP_ADD_BYTE_0("r0", "r1", "r4")
        "begin%=:\n\t"
        "ldr r1,[r0,#-12]\n"
        "count%=:\n\t"
        "ubfx r6,r1,#8,#5\n\t"
        "tbb [pc,r6]\n"
        /* clang-format on */
        "modes%=:\n\t"
        ".byte (zero%=-modes%=)/2\n\t"
        ".rept 7\n\t"
        ".byte (always%=-modes%=)/2\n\t"
        ".endr\n\t"
        ".byte (end%=-modes%=)/2\n\t"
        ".rept 7\n\t"
        ".byte (up%=-modes%=)/2\n\t"
        ".endr\n\t"
        ".byte (end%=-modes%=)/2\n\t"
        ".rept 7\n\t"
        ".byte (down%=-modes%=)/2\n\t"
        ".endr\n\t"
        ".byte (end%=-modes%=)/2\n\t"
        ".rept 6\n\t"
        ".byte (plain%=-modes%=)/2\n\t"
        ".endr\n\t"
        ".byte (plain7%=-modes%=)/2\n"
        "zero%=:\n\t" OSC_DSP_ADD_BYTE_0("r0", "r1", "r4") /* */
        "b begin%=\n"
        "end%=:\n\t"
        "mov r4,#-1\n\t"
        "b done%=\n"
        "always%=:\n\t"
        "ubfx r6,r1,#8,#3\n\t"
        "ldrb r6,[r10,r6]\n\t"
        "mov r3,r2\n\t"
        "b counted%=\n"
        "plain7%=:\n\t"
        "orn r4,r2,#7\n\t"
        "lsrs r3,r2,#3\n\t"
        "ldrb r6,[r10,r4]\n\t"
        "bne counted%=\n\t"
        "b hard0%=\n"
        "plain%=:\n\t"
        "orn r4,r2,#7\n\t"
        "ldrb r6,[r10,r4]\n\t"
        "ubfx r4,r1,#8,#3\n\t"
        "cmp r6,r4\n\t"
        "it hi\n\t"
        "movhi r6,r4\n\t"
        "lsrs r3,r2,#3\n\t"
        "bne counted%=\n\t"
        "b hard0%=\n"
        "up%=:\n\t"
        "rbit r6,r2\n\t"
        "ubfx r4,r1,#8,#3\n\t"
        "clz r6,r6\n\t"
        "ldrb r4,[r10,r4]\n\t"
        "cmp r6,r4\n\t"
        "bhs all%=\n\t"
        "add r5,r6,#1\n\t"
        "lsrs r3,r2,r5\n\t"
        "bne counted%=\n\t"
        "b hard0%=\n"
        "all%=:\n\t"
        "mov r6,r4\n\t"
        "lsrs r3,r2,r4\n\t"
        "bne counted%=\n\t"
        "b hard0%=\n"
        "down%=:\n\t"
        "rbit r5,r2\n\t"
        "ubfx r4,r1,#8,#3\n\t"
        "clz r5,r5\n\t"
        "ldrb r4,[r10,r4]\n\t"
        "subs r6,r4,r5\n\t"
        "bls nothing%=\n\t"
        "add r5,r5,#1\n\t"
        "lsrs r3,r2,r5\n\t"
        "bne counted%=\n\t"
        "b hard0%=\n"
        "nothing%=:\n\t"
        "mov r6,#0\n\t"
        "lsrs r3,r2,r4\n\t"
        "bne counted%=\n"
        "calls%=:\n" /* clang-format off */
        OSC_DSP_CALL("0", "b", "count", "count")
        OSC_DSP_CALL("1", "a", "look1", "store1")
        OSC_DSP_CALL("2", "b", "look2", "store2")
        OSC_DSP_CALL("3", "a", "look3", "store3")
        OSC_DSP_CALL("4", "b", "look4", "store4")
        OSC_DSP_CALL("5", "a", "look5", "store5")
        OSC_DSP_CALL("6", "b", "look6", "store6")
        OSC_DSP_CALL("7", "a", "look7", "store7")
        OSC_DSP_HARD("a", "r3", "r2")
        OSC_DSP_HARD("b", "r2", "r3")
        /* clang-format on */
        "less%=:\n\t"
        ".byte 0,40,32,16,0,0,0,0,0,0,0,0,0,0,0,0\n"
        "stop%=:\n\t"
        "adr.w r4,calls%=\n\t"
        "sub r4,lr,r4\n"
        "done%=:\n\t"
        "stmia r12!,{r0,r2,r9,r10,r11}\n\t"
        "str r8,[r12,#12]\n\t"
        "str r4,[r12,#16]\n\t"
        "str r1,[r12,#20]"
        : "+r"(io)
        :
        : "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r8", "r9", "r10", "r11", "lr", "cc", "memory");
}

/* How many coefficients there can be, by what the record says is the most (0 .. 7), and behind that
 * by three bits, inverted (-8 .. -1), in segments of 1 .. 7 inner frames. */
#define OSC_DSP_COUNT(n, most) ((n) < (most) ? (n) : (most))
#define OSC_DSP_COUNTS(most)                                                                       \
    {7 > (most) ? (most) : 7, OSC_DSP_COUNT(6, most), OSC_DSP_COUNT(5, most),                      \
     OSC_DSP_COUNT(4, most),  OSC_DSP_COUNT(3, most), OSC_DSP_COUNT(2, most),                      \
     OSC_DSP_COUNT(1, most),  0,                      0,                                           \
     OSC_DSP_COUNT(1, most),  OSC_DSP_COUNT(2, most), OSC_DSP_COUNT(3, most),                      \
     OSC_DSP_COUNT(4, most),  OSC_DSP_COUNT(5, most), OSC_DSP_COUNT(6, most),                      \
     OSC_DSP_COUNT(7, most)}
static const uint8_t osc_dsp_counts[8][16] = {
    OSC_DSP_COUNTS(0), OSC_DSP_COUNTS(1), OSC_DSP_COUNTS(2), OSC_DSP_COUNTS(3),
    OSC_DSP_COUNTS(4), OSC_DSP_COUNTS(5), OSC_DSP_COUNTS(6), OSC_DSP_COUNTS(7)};

/* The reader at the first component of a list of tracks. */
static inline osc_dsp_reader osc_dsp_reader_of(const osc_window_store *store, int32_t *first,
                                               uint32_t tracks, const osc_dsp_slot *slots)
{
    osc_dsp_reader reader;
    reader.at = first + 1 + OSC_COMPONENT_WORDS;
    reader.left = store->left;
    reader.slots = slots;
    reader.position = store->bits.position;
    reader.tracks = tracks;
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

static inline void osc_dsp_take_back(osc_dsp_reader *reader, const osc_window *window,
                                     int32_t *component)
{
    reader->left = window->left;
    reader->position = window->store->bits.position;
    reader->at = component + OSC_COMPONENT_WORDS;
}

OSC_APART void osc_take_ends(int32_t *tracks, uint32_t count, osc_window_store *store)
{
    if (count == 0u)
        return;
    osc_dsp_reader reader = osc_dsp_reader_of(store, tracks, count, osc_dsp_end_slots);
    for (;;) {
        osc_dsp_take_ends(&reader);
        osc_window window = osc_dsp_hand_over(&reader, store);
        if (reader.tracks == 0u)
            return;
        int32_t *component = reader.at - OSC_COMPONENT_WORDS;
        for (int32_t i = reader.stop; i < 4; i++)
            component = osc_take_end(component, reader.grid, &window);
        osc_window_suspend(&window);
        if (--reader.tracks == 0u)
            return;
        osc_dsp_take_back(&reader, &window, component);
    }
}

OSC_APART void osc_take_coefficients(int32_t *tracks, uint32_t count, osc_window_store *store,
                                     uint32_t longest)
{
    if (count == 0u)
        return;
    if (longest == 0u) { /* then a number of coefficients takes no bits, in any mode */
        osc_window window = osc_window_resume(store);
        for (int32_t *at = tracks + 1; (uint32_t)*at != OSC_TRANSFORM_END;)
            at = osc_take_component(at, longest, &window);
        return;
    }
    osc_dsp_reader reader =
        osc_dsp_reader_of(store, tracks, count, osc_dsp_slots + OSC_DSP_MOST_K_Q2);
    reader.counts = osc_dsp_counts[longest] + 8;
    for (;;) {
        osc_dsp_take_coefficients(&reader);
        if (reader.stop < 0)
            return;
        osc_window window = osc_dsp_hand_over(&reader, store);
        uint32_t stop = (uint32_t)reader.stop / 12u;
        int32_t *component = reader.at;
        if (stop == 0u) {
            component = osc_take_component(component - OSC_COMPONENT_WORDS, longest, &window);
        } else {
            uint32_t left = 8u - stop;
            osc_take_numbers(component, left, (int32_t)(reader.slots - reader.slot), &window);
            component += left;
            component -= OSC_TRANSFORM_COUNT(reader.word) + OSC_COMPONENT_WORDS;
            component += OSC_TRANSFORM_SKIP_BYTES(reader.word) / sizeof *component;
        }
        osc_dsp_take_back(&reader, &window, component);
    }
}

#endif
#endif
