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

#include "osc_dsp_coefficients.h"
#include "osc_dsp_ends.h"

#endif
#endif
