/* SPDX-License-Identifier: MIT */
/* Cortex-M55 and M85: MVE blends, 64-bit products compose. */
#ifndef OSC_PORT_CONFIG_H
#define OSC_PORT_CONFIG_H

#define OSC_PORT_NAME "mve"
#define OSC_PORT_VECTORS "osc_mve.h" /* for the headers in ../vector */
#define OSC_PORT_BLEND "../vector/osc_vector_blend.h"
#define OSC_PORT_BLEND_4 "../vector/osc_vector_blend_4.h"
#define OSC_PORT_LOCAL_MATRIX "../long/osc_long_local.h"
#define OSC_PORT_MATRIX_MULTIPLY "../dsp/osc_dsp_multiply.h"
#define OSC_PORT_ROWS "../vector/osc_vector_rows.h"
#define OSC_PORT_MIX "../vector/osc_vector_mix.h"
#define OSC_PORT_MIX_RUNS "../vector/osc_vector_mix.h"

#endif
