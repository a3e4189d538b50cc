/* What the loops of osc_segments.h have in common: a stream in registers. */
#ifndef OSC_DSP_READER_H
#define OSC_DSP_READER_H

#include "osc_thumb2.h"
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

/* A code with parameter k, taken apart by counting bits: bits = the complement of its zigzag
 * number. ones: with the zero behind them; product may be `left` or `ones`. Jumps to `short` where
 * `left` does not hold it whole, to `stop` where it is an escape; `next`: what is left behind it.
 */
#define OSC_DSP_LONG_CODE(left, next, k, ones, bits, product, short, stop)                         \
    "rbit " ones "," left "\n\t"                                                                   \
    "clz " ones "," ones "\n\t"                                                                    \
    "add " ones "," ones ",#1\n\t"                                                                 \
    "lsr " bits "," left "," ones "\n\t"                                                           \
    "lsrs " next "," bits "," k "\n\t"                                                             \
    "beq " short "\n\t"                                                                            \
                 "cmp " ones ",#15\n\t"                                                            \
                 "bhi " stop "\n\t"                                                                \
                 "add " product "," next "," ones "\n\t"                                           \
                 "lsl " product "," product "," k "\n\t"                                           \
                 "sub " bits "," bits "," product "\n\t"

#define OSC_DSP_CLOBBERS                                                                           \
    "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r8", "r9", "r10", "r11", "lr", "cc", "memory"

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

/* Where a loop has stopped, and from there on again. */
static inline void osc_dsp_leave(const osc_dsp_reader *reader, osc_window_store *store)
{
    store->left = reader->left;
    store->bits.position = reader->position;
}

static inline void osc_dsp_go_on(osc_dsp_reader *reader, const osc_window_store *store)
{
    reader->left = store->left;
    reader->position = store->bits.position;
}

/* The bits that come next, with the window to be filled anew. */
static inline osc_bits *osc_dsp_bits(osc_window_store *store)
{
    store->bits.position = osc_window_stored_position(store);
    return &store->bits;
}

/* Any code. */
static inline uint32_t osc_dsp_take_rice(osc_window_store *store, uint32_t k)
{
    (void)osc_dsp_bits(store);
    return osc_window_take_long_rice(store, k);
}

#endif
