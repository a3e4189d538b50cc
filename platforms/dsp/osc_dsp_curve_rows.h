/* Rows of curve clips on Cortex-M with DSP instructions and an FPU: all tracks that have no key of
 * a section to read, in one loop that keeps its bits in a register. */
#ifndef OSC_DSP_CURVE_ROWS_H
#define OSC_DSP_CURVE_ROWS_H

#include "osc_port.h"

#include <stddef.h>

#include "osc_curve_asm.h"

#define OSC_CURVE_FILLS 1

/* Which components of a section move, 1..7 (x: 1), makes its kind; COPY: none of a rotation does,
 * and the row before has it already. Without COPY, 1 does for 0. */
#define OSC_CURVE_SECTION(mask) ((mask) < 6u ? 10u + (mask) : (mask) == 6u ? 28u : 30u)
#define OSC_CURVE_COPY 10u
#define OSC_CURVE_BEGINS OSC_CURVE_SECTION(1u)

/* The parameter, in quarters, is where its row of the table begins: rows of the parameters
 * 0 .. ROWS - 1, the quarters in the upper bits of the index, which the loop does not read. Of
 * parameter 0 there are two rows, so that the first one's parameter does not fall below 0. The last
 * row is that of all others, where every code is long: there the index holds what they are above.
 */
#define OSC_CURVE_LONG_K_Q2 (4u * OSC_CURVE_TABLE_ROWS)
#define OSC_CURVE_LONG_AT ((uint32_t)OSC_CURVE_LONG_ROW << (OSC_CURVE_INDEX_BITS + 2))
static inline uint32_t osc_curve_keep_k(uint32_t k_q2)
{
    if (k_q2 < OSC_CURVE_LONG_K_Q2)
        return (k_q2 + 8u) << OSC_CURVE_INDEX_BITS;
    return OSC_CURVE_LONG_AT | (k_q2 - OSC_CURVE_LONG_K_Q2) << 2;
}

static inline uint32_t osc_curve_kept_k(uint32_t kept)
{
    uint32_t place = kept >> OSC_CURVE_INDEX_BITS;
    if (kept >= OSC_CURVE_LONG_AT)
        return OSC_CURVE_LONG_K_Q2 + ((kept - OSC_CURVE_LONG_AT) >> 2);
    return place < 8u ? 0u : place - 8u;
}

static inline uint32_t osc_curve_ones_of(int32_t a)
{
    return (uint32_t)(a ^ (a >> 31));
}

/* The loop takes a section if no product in it can leave 32 bits. It wants the coefficient of u^3
 * doubled, and the shift by `scale` as two shifts to the left, before and behind the last product
 * of which it takes the upper half. */
static inline void osc_curve_ready(osc_curve_sparse *track, bool filled)
{
    uint32_t packing = OSC_CURVE_GO_PACKING(track->go), sizes = 0, mask = 0;
    uint32_t scale = (track->fit >> 8) & 31u;
    track->go = OSC_CURVE_GO(OSC_CURVE_OTHER, packing, OSC_CURVE_GO_PLACE(track->go));
    if (packing == OSC_CURVE_FOUR || scale == 1u)
        return;
    for (uint32_t i = 0; i < 3u; i++) {
        const osc_curve_lane *lane = &track->lanes[i];
        uint32_t parts =
            osc_curve_ones_of(lane->a) | osc_curve_ones_of(lane->b) | osc_curve_ones_of(lane->c);
        sizes |= parts | osc_curve_size(lane);
        mask |= (lane->a | lane->b | lane->c) != 0 ? 1u << i : 0u;
    }
    if (sizes >> 16 != 0u || (scale == 0u && mask != 0u))
        return;
    for (uint32_t i = 0; i < 3u; i++)
        track->lanes[i].c = osc_shl(track->lanes[i].c, 1u);
    track->fit = (track->fit & 0xff00u) | (scale < 16u ? 16u : 32u - scale);
    uint32_t kind = OSC_CURVE_SECTION(mask == 0u ? 1u : mask);
    if (mask == 0u && filled && packing < OSC_CURVE_FOUR)
        kind = OSC_CURVE_COPY;
    track->go = OSC_CURVE_GO(kind, packing, OSC_CURVE_GO_PLACE(track->go)) |
                (scale < 16u && scale != 0u ? 16u - scale : 0u);
}

/* The loop counts on these. */
OSC_STATIC_ASSERT(offsetof(osc_curve_run, store) == 16u, run_begins_with_the_rows);
OSC_STATIC_ASSERT(offsetof(osc_window_store, left) == 12u, bits_are_three_words);
OSC_STATIC_ASSERT(offsetof(osc_curve_run, track) == 32u, track_follows_the_store);
OSC_STATIC_ASSERT(offsetof(osc_curve_run, ahead_end) == 40u, ends_follow_the_track);
OSC_STATIC_ASSERT(offsetof(osc_curve_run, ahead) == 44u, and_the_restart_point);
OSC_STATIC_ASSERT(offsetof(osc_curve_sparse, lanes) == 32u, lanes_follow_eight_words);
OSC_STATIC_ASSERT(OSC_CURVE_OTHER == 9u && OSC_CURVE_DENSE_FOUR == 31u, kinds_in_the_table);

/* r7 may be the frame pointer: it is no operand, and saved. `pushed` stands for what is pushed, so
 * that the compiler, and who sums up the stack, know of it. */
OSC_NOINLINE __attribute__((noclone, unused)) void osc_curve_fill(osc_curve_run *run)
{
    register osc_curve_run *first __asm__("r0") = run;
    uint8_t pushed[OSC_CURVE_PUSHES];
    __asm__ volatile(OSC_CURVE_ASM
                     : "+r"(first), "=m"(pushed)
                     :
                     : "r1", "r2", "r3", "r4", "r5", "r6", "r8", "r9", "r10", "r11", "r12", "lr",
                       "s0", "cc", "memory");
}

#endif
