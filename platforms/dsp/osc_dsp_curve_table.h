/* SPDX-License-Identifier: MIT */
/* Definitions that osc_dsp_curve_fill.S and the platform's C share: kinds of sections, and rows of
 * the code table. Preprocessor definitions only. */
#ifndef OSC_DSP_CURVE_TABLE_H
#define OSC_DSP_CURVE_TABLE_H

/* Codes of up to INDEX_BITS bits are in the table, of the parameters below TABLE_ROWS. LONG_ROW is
 * that of all others; the jumps precede the rows. */
#define OSC_DSP_CURVE_INDEX_BITS 6
#define OSC_DSP_CURVE_TABLE_ROWS 6
#define OSC_DSP_CURVE_LONG_ROW 8
#define OSC_DSP_CURVE_LONG_K_Q2 (4 * OSC_DSP_CURVE_TABLE_ROWS)

/* With fewer bits loaded, a dense track first loads 16 more. */
#define OSC_DSP_CURVE_FEW_BITS 16

/* Kinds of sections: COPY, a still rotation that the previous row already contains; and the mask of
 * the components that move, 1..7 (x: 1). A section in which none moves has mask 1. */
#define OSC_DSP_CURVE_COPY 10
#define OSC_DSP_CURVE_SECTION_1 11
#define OSC_DSP_CURVE_SECTION_6 28
#define OSC_DSP_CURVE_SECTION_7 30

#endif
