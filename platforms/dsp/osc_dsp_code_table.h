/* What the next bits of a segment say on Cortex-M3 and up, for Rice parameters up to 6. */
#ifndef OSC_DSP_CODE_TABLE_H
#define OSC_DSP_CODE_TABLE_H

#include "osc_codes.h"

/* By parameter: `mask` of the next bits, inverted, are the index. An entry holds in bits 0..7 the
 * length of the code, in bits 8..15 the bytes to the next coefficient's slot, in bits 16..31 the
 * number; or it is OSC_DSP_LONG of the parameter, with bit 7 set. */
typedef struct osc_dsp_slot {
    const int32_t *codes;
    uint32_t mask;
} osc_dsp_slot;
#define OSC_DSP_LONG(k) ((k) << 8 | 255)

/* Bits of the index: most codes that are common with the parameter fit, and no number needs more
 * than eight ones. */
#define OSC_DSP_INDEX_0 5
#define OSC_DSP_INDEX_1 6
#define OSC_DSP_INDEX_2 6
#define OSC_DSP_INDEX_3 7
#define OSC_DSP_INDEX_4 7
#define OSC_DSP_INDEX_5 7
#define OSC_DSP_INDEX_6 8

/* Slots stand by the parameter in quarters, the largest first, so that what it decreases by leads
 * to the next. Where it is 0 it stays so, and the slot stays, too. */
#define OSC_DSP_MOST_K_Q2 60
#define OSC_DSP_LEAST_K_Q2 (-1)
#define OSC_DSP_LESS(k, ones)                                                                      \
    ((k) == 0 ? 0 : (ones) == 0 ? 5 : (ones) == 1 ? 4 : (ones) == 2 ? 2 : 0)

#define OSC_DSP_ENTRY(k, bits, i)                                                                  \
    (OSC_CODES_LENGTH(k, i) > (bits)                                                               \
         ? OSC_DSP_LONG(k)                                                                         \
         : OSC_CODES_ZIGZAG(OSC_CODES_NUMBER(k, i)) * 65536 +                                      \
               OSC_DSP_LESS(k, OSC_CODES_ONES(i)) * (int)sizeof(osc_dsp_slot) * 256 +              \
               OSC_CODES_LENGTH(k, i))
#define OSC_DSP_1(k, n, i) OSC_DSP_ENTRY(k, n, (1 << (n)) - 1 - (i))
#define OSC_DSP_4(k, n, i)                                                                         \
    OSC_DSP_1(k, n, i), OSC_DSP_1(k, n, (i) + 1), OSC_DSP_1(k, n, (i) + 2), OSC_DSP_1(k, n, (i) + 3)
#define OSC_DSP_16(k, n, i)                                                                        \
    OSC_DSP_4(k, n, i), OSC_DSP_4(k, n, (i) + 4), OSC_DSP_4(k, n, (i) + 8),                        \
        OSC_DSP_4(k, n, (i) + 12)
#define OSC_DSP_32(k, n, i) OSC_DSP_16(k, n, i), OSC_DSP_16(k, n, (i) + 16)
#define OSC_DSP_64(k, n, i) OSC_DSP_32(k, n, i), OSC_DSP_32(k, n, (i) + 32)
#define OSC_DSP_128(k, n, i) OSC_DSP_64(k, n, i), OSC_DSP_64(k, n, (i) + 64)

static const int32_t osc_dsp_codes_0[1 << OSC_DSP_INDEX_0] = {OSC_DSP_32(0, OSC_DSP_INDEX_0, 0)};
static const int32_t osc_dsp_codes_1[1 << OSC_DSP_INDEX_1] = {OSC_DSP_64(1, OSC_DSP_INDEX_1, 0)};
static const int32_t osc_dsp_codes_2[1 << OSC_DSP_INDEX_2] = {OSC_DSP_64(2, OSC_DSP_INDEX_2, 0)};
static const int32_t osc_dsp_codes_3[1 << OSC_DSP_INDEX_3] = {OSC_DSP_128(3, OSC_DSP_INDEX_3, 0)};
static const int32_t osc_dsp_codes_4[1 << OSC_DSP_INDEX_4] = {OSC_DSP_128(4, OSC_DSP_INDEX_4, 0)};
static const int32_t osc_dsp_codes_5[1 << OSC_DSP_INDEX_5] = {OSC_DSP_128(5, OSC_DSP_INDEX_5, 0)};
static const int32_t osc_dsp_codes_6[1 << OSC_DSP_INDEX_6] = {OSC_DSP_128(6, OSC_DSP_INDEX_6, 0),
                                                              OSC_DSP_128(6, OSC_DSP_INDEX_6, 128)};
/* Parameters from 7 on have no table. */
static const int32_t osc_dsp_long_codes[9] = {OSC_DSP_LONG(7),  OSC_DSP_LONG(8),  OSC_DSP_LONG(9),
                                              OSC_DSP_LONG(10), OSC_DSP_LONG(11), OSC_DSP_LONG(12),
                                              OSC_DSP_LONG(13), OSC_DSP_LONG(14), OSC_DSP_LONG(15)};

#define OSC_DSP_SLOT(k)                                                                            \
    {                                                                                              \
        osc_dsp_codes_##k, (1u << OSC_DSP_INDEX_##k) - 1u                                          \
    }
#define OSC_DSP_SLOTS(k) OSC_DSP_SLOT(k), OSC_DSP_SLOT(k), OSC_DSP_SLOT(k), OSC_DSP_SLOT(k)
#define OSC_DSP_LONG_SLOT(k)                                                                       \
    {                                                                                              \
        osc_dsp_long_codes + (k)-7, 0                                                              \
    }
#define OSC_DSP_LONG_SLOTS(k)                                                                      \
    OSC_DSP_LONG_SLOT(k), OSC_DSP_LONG_SLOT(k), OSC_DSP_LONG_SLOT(k), OSC_DSP_LONG_SLOT(k)

static const osc_dsp_slot osc_dsp_slots[OSC_DSP_MOST_K_Q2 - OSC_DSP_LEAST_K_Q2 + 1] = {
    OSC_DSP_LONG_SLOT(15),  OSC_DSP_LONG_SLOTS(14), OSC_DSP_LONG_SLOTS(13), OSC_DSP_LONG_SLOTS(12),
    OSC_DSP_LONG_SLOTS(11), OSC_DSP_LONG_SLOTS(10), OSC_DSP_LONG_SLOTS(9),  OSC_DSP_LONG_SLOTS(8),
    OSC_DSP_LONG_SLOTS(7),  OSC_DSP_SLOTS(6),       OSC_DSP_SLOTS(5),       OSC_DSP_SLOTS(4),
    OSC_DSP_SLOTS(3),       OSC_DSP_SLOTS(2),       OSC_DSP_SLOTS(1),       OSC_DSP_SLOTS(0),
    OSC_DSP_SLOT(0)};

#endif
