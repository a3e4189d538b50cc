/* Pieces of hand-written Thumb-2: the text of instructions, for __asm__. Their arguments are names
 * of registers, all different, unless said otherwise.
 *
 * A stream of Rice codes lies in a register as osc_window.h has it: inverted, the next bit lowest,
 * a single one above the bits that are there. */
#ifndef OSC_THUMB2_H
#define OSC_THUMB2_H

#define OSC_T2(instruction) instruction "\n\t"

/* Adds a half word to a stream that has less than 16 bits. next: a place in memory with the address
 * of the half word, and behind it OSC_THUMB2_HALF. */
#define OSC_THUMB2_HALF 0x1fffeu
#define OSC_T2_REFILL(left, a, b, c, next)                                                         \
    OSC_T2("ldrd " a ", " b ", " next)                                                             \
    OSC_T2("ldrh " c ", [" a "], #2")                                                              \
    OSC_T2("str " a ", " next)                                                                     \
    OSC_T2("clz " a ", " left)                                                                     \
    OSC_T2("rsb " a ", " a ", #31")                                                                \
    OSC_T2("sub " b ", " b ", " c) /* inverted, 1 above them, and 1 off the old one above left */  \
    OSC_T2("lsl " b ", " b ", " a)                                                                 \
    OSC_T2("add " left ", " left ", " b)

/* Has 16 bits at least, if `left` had some. */
#define OSC_T2_FILL(left, a, b, c, next)                                                           \
    OSC_T2("lsrs " a ", " left ", #16")                                                            \
    OSC_T2("bne 70f")                                                                              \
    OSC_T2_REFILL(left, a, b, c, next)                                                             \
    "70:\n\t"

/* The entry of the next code in osc_codes_table. mask: 0xf00; the parameter is in bits shift + 8 ..
 * shift + 11 of `record`. */
#define OSC_T2_ENTRY(entry, record, shift, left, table, mask)                                      \
    OSC_T2("and " entry ", " mask ", " record ", lsr #" shift)                                     \
    OSC_T2("bfi " entry ", " left ", #1, #7")                                                      \
    OSC_T2("ldrsh " entry ", [" table ", " entry "]")

/* The number of a code. shifts: "lsr", or "lsrs" to see whether any of the codes was too long or
 * beyond the end: then nothing is left. */
#define OSC_T2_CODE(number, record, shift, left, table, mask, shifts)                              \
    OSC_T2_ENTRY(number, record, shift, left, table, mask)                                         \
    OSC_T2(shifts " " left ", " left ", " number)                                                  \
    OSC_T2("asr " number ", " number ", #8")

/* b = the dropped component of x, y, z in Q20, which osc_rebuild_here_q20 gives, by the FPU's s0.
 * Jumps to `far` where their squares are 2^40 or more. */
#define OSC_T2_ROOT(x, y, z, a, b, far)                                                            \
    OSC_T2("smull " a ", " b ", " x ", " x)                                                        \
    OSC_T2("smlal " a ", " b ", " y ", " y)                                                        \
    OSC_T2("smlal " a ", " b ", " z ", " z)                                                        \
    OSC_T2("lsrs " a ", " a ", #12") /* the carry rounds */                                        \
    OSC_T2("adc " a ", " a ", " b ", lsl #20")                                                     \
    OSC_T2("cmp " b ", #256")                                                                      \
    OSC_T2("bhs " far)                                                                             \
    OSC_T2("rsb " a ", " a ", #0x10000000")                                                        \
    OSC_T2("vmov s0, " a)                                                                          \
    OSC_T2("vcvt.f32.u32 s0, s0")                                                                  \
    OSC_T2("vsqrt.f32 s0, s0")                                                                     \
    OSC_T2("vcvt.u32.f32 s0, s0, #6")                                                              \
    OSC_T2("vmov " b ", s0")                                                                       \
    OSC_T2("sub " a ", " b ", " a ", lsl #12") /* osc_root_round */                                \
    OSC_T2("mla " a ", " b ", " b ", " a)                                                          \
    OSC_T2("sub " b ", " b ", " a ", asr #31")

/* The chord of three squares in sum and a fourth step a, to where `to` points, which moves on. */
#define OSC_T2_CHORD(sum, a, to)                                                                   \
    OSC_T2("asr " a ", " a ", #5")                                                                 \
    OSC_T2("mla " sum ", " a ", " a ", " sum)                                                      \
    OSC_T2("lsr " sum ", " sum ", #10")                                                            \
    OSC_T2("str " sum ", [" to "], #4")

/* sum = the squares of the steps sum, a, b, which it changes, as a chord has them. */
#define OSC_T2_SQUARES(sum, a, b)                                                                  \
    OSC_T2("asr " sum ", " sum ", #5")                                                             \
    OSC_T2("mul " sum ", " sum ", " sum)                                                           \
    OSC_T2("asr " a ", " a ", #5")                                                                 \
    OSC_T2("mla " sum ", " a ", " a ", " sum)                                                      \
    OSC_T2("asr " b ", " b ", #5")                                                                 \
    OSC_T2("mla " sum ", " b ", " b ", " sum)

/* Adds bits 0..7 of `from`, or bits 8..15. spare: a register, where the machine has no instruction
 * for that. */
#if defined(__ARM_FEATURE_DSP) && __ARM_FEATURE_DSP
#define OSC_T2_ADD_BYTE_0(to, from, spare) OSC_T2("uxtab " to ", " to ", " from)
#define OSC_T2_ADD_BYTE_1(to, from, spare) OSC_T2("uxtab " to ", " to ", " from ", ror #8")
#else
#define OSC_T2_ADD_BYTE_0(to, from, spare)                                                         \
    OSC_T2("uxtb " spare ", " from)                                                                \
    OSC_T2("add " to ", " to ", " spare)
#define OSC_T2_ADD_BYTE_1(to, from, spare)                                                         \
    OSC_T2("ubfx " spare ", " from ", #8, #8")                                                     \
    OSC_T2("add " to ", " to ", " spare)
#endif

#endif
