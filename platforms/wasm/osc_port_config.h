/* SPDX-License-Identifier: MIT */
/* WebAssembly with SIMD (-msimd128). */
#ifndef OSC_PORT_CONFIG_H
#define OSC_PORT_CONFIG_H

#define OSC_PORT_NAME "wasm"
#define OSC_PORT_VECTORS "osc_wasm.h" /* for the headers in ../vector */
#define OSC_PORT_BLEND "../vector/osc_vector_blend.h"
#define OSC_PORT_BLEND_4 "../vector/osc_vector_blend_4.h"
#define OSC_PORT_LOCAL_MATRIX "osc_wasm_compose.h"
#define OSC_PORT_MATRIX_MULTIPLY "osc_wasm_compose.h"
#define OSC_PORT_CHILD_MATRIX "osc_wasm_compose.h"
#define OSC_PORT_ROWS "../vector/osc_vector_rows.h"
#define OSC_PORT_MIX "../vector/osc_vector_mix.h"
#define OSC_PORT_MIX_RUNS "../vector/osc_vector_mix.h"
#define OSC_PORT_BEGIN "../vector/osc_vector_begin.h"

#endif
