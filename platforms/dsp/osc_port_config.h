/* SPDX-License-Identifier: MIT */
/* Cortex-M3 and up, and Armv6 in ARM state: pairs of words, products of 32 by 32 bits to 64, and
 * the root instruction if the compiler may use an FPU of Cortex-M. */
#ifndef OSC_PORT_CONFIG_H
#define OSC_PORT_CONFIG_H

#define OSC_PORT_NAME "dsp"
#define OSC_PORT_BLEND "osc_dsp_blend.h"
#define OSC_PORT_LOCAL_MATRIX "../long/osc_long_local.h"
#if defined(__GNUC__) && defined(__thumb2__)
#define OSC_PORT_MATRIX_MULTIPLY "osc_dsp_multiply.h"
#define OSC_PORT_TRACK "osc_dsp_track.h"
#define OSC_PORT_MIX "osc_dsp_mix.h"
#if defined(__ARM_FEATURE_DSP) && !defined(__ARM_BIG_ENDIAN)
#define OSC_PORT_OFFSET "osc_dsp_offset.h"
#endif
#if defined(__ARM_FP) && !defined(__SOFTFP__)
#if (__ARM_FP & 4) != 0
#define OSC_PORT_SQRT "osc_dsp_sqrt.h"
#if defined(OSC_FAST_ROWS) && OSC_FAST_ROWS && defined(__ARM_FEATURE_DSP) &&                       \
    !defined(__ARM_BIG_ENDIAN)
#define OSC_PORT_CURVE_ROWS "osc_dsp_curve_rows.h"
#endif
#endif
#endif
#elif defined(__GNUC__) && defined(__ARM_FEATURE_SIMD32) && !defined(__thumb__)
#define OSC_PORT_MATRIX_MULTIPLY "../long/osc_long_multiply.h"
#define OSC_PORT_TRACK "osc_dsp_track.h"
#define OSC_PORT_MIX "osc_dsp_mix.h"
#if !defined(__ARM_BIG_ENDIAN)
#define OSC_PORT_OFFSET "osc_dsp_offset.h"
#endif
#else
#define OSC_PORT_MATRIX_MULTIPLY "../long/osc_long_multiply.h"
#endif

#endif
