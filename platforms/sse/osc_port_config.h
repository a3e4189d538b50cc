/* SPDX-License-Identifier: MIT */
/* x86 with SSE2, SSE4.1 (-msse4.1) or AVX2 (-mavx2), depending on the compiler's options. */
#ifndef OSC_PORT_CONFIG_H
#define OSC_PORT_CONFIG_H

#define OSC_PORT_NAME "sse"
#define OSC_PORT_VECTORS "osc_sse.h" /* for the headers in ../vector */
#define OSC_PORT_BLEND "../vector/osc_vector_blend.h"
#if defined(__AVX2__)
#define OSC_PORT_BLEND_4 "osc_avx2_blend_4.h"
#else
#define OSC_PORT_BLEND_4 "../vector/osc_vector_blend_4.h"
#endif
#if defined(__SSE4_1__)
#define OSC_PORT_MIRROR "osc_sse_mirror.h"
#define OSC_PORT_OFFSETS "osc_sse_offset.h"
#endif
#define OSC_PORT_LOCAL_MATRIX "../long/osc_long_local.h"
#if defined(__AVX2__)
#define OSC_PORT_MATRIX_MULTIPLY "osc_avx2_multiply.h"
#define OSC_PORT_CHILD_MATRIX "osc_avx2_child.h"
#elif defined(__SSE4_1__)
#define OSC_PORT_MATRIX_MULTIPLY "osc_sse_multiply.h"
#define OSC_PORT_CHILD_MATRIX "osc_sse_child.h"
#else
#define OSC_PORT_MATRIX_MULTIPLY "../long/osc_long_multiply.h"
#endif
#define OSC_PORT_ROWS "../vector/osc_vector_rows.h"
#define OSC_PORT_MIX "../vector/osc_vector_mix.h"
#define OSC_PORT_MIX_RUNS "../vector/osc_vector_mix.h"
#define OSC_PORT_BEGIN "../vector/osc_vector_begin.h"

#endif
