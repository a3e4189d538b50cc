/* SPDX-License-Identifier: MIT */
/* The dense tracks of curve clips, which have a number for every frame. */
#ifndef OSC_CURVE_DENSE_H
#define OSC_CURVE_DENSE_H

#include "codecs/osc_port_rows.h"

/* If the platform fills rows, the C code is rarely used and is compiled for size. */
#if OSC_CURVE_FILLS && defined(__GNUC__)
#define OSC_CURVE_RARE __attribute__((cold))
#else
#define OSC_CURVE_RARE
#endif

/* Store the header of a track in its state. form, rice: from the header. */
void osc_curve_open_dense(osc_curve_dense *track, uint32_t rice);
void osc_curve_open_dense_four(osc_curve_dense_four *track, uint32_t form, uint32_t rice);

/* Read the plain keys that begin a block. */
void osc_curve_start_dense(osc_bits *bits, osc_curve_dense *track);
void osc_curve_start_dense_four(osc_bits *bits, osc_curve_dense_four *track);

/* Reads the next values of a track, in all packings but four. */
OSC_CURVE_RARE void osc_curve_take_dense(osc_window_store *store, osc_curve_dense *track);

/* Fills the next row of a track in packing four, including the block's first row. Returns the
 * chord. */
OSC_CURVE_RARE uint32_t osc_curve_fill_four(osc_window_store *store, osc_curve_dense_four *track,
                                            bool first, int32_t *row, const int32_t *previous);

/* Gives a dense track its steps after a block's second frame: no step precedes that frame. Does
 * nothing to other tracks. */
void osc_curve_begin_steps(osc_curve_track *track);

#endif
