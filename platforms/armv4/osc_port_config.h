/* SPDX-License-Identifier: MIT */
/* ARM7TDMI and ARM9 in ARM state: products of 32 by 32 bits to 64 by one instruction. Thumb state
 * has none, and gets the definition. */
#ifndef OSC_PORT_CONFIG_H
#define OSC_PORT_CONFIG_H

#define OSC_PORT_NAME "armv4"
#if defined(__arm__) && !defined(__thumb__)
#define OSC_PORT_LOCAL_MATRIX "../long/osc_long_local.h"
#define OSC_PORT_MATRIX_MULTIPLY "../long/osc_long_multiply.h"
#if defined(OSC_FAST_ROWS) && OSC_FAST_ROWS && defined(__GNUC__)
#define OSC_ARMV4_ASSEMBLER
#define OSC_PORT_MATRIX_Q14 "osc_armv4_q14.h"
#endif
#elif defined(__thumb__) && defined(__GNUC__)
#warning "platforms/armv4 is for ARM state: compile the runtime and generated code with -marm"
#endif

#endif
