/* The backend for Cortex-M3 and up: composition with long products. The contract of a backend is in
 * platforms/README.md. */
#ifndef OSC_BACKEND_H
#define OSC_BACKEND_H

#include "../long/osc_long_local.h"
#include "osc_dsp_blend.h"
#if defined(__GNUC__) && defined(__thumb2__)
#include "osc_dsp_multiply.h"
#else
#include "../long/osc_long_multiply.h"
#endif

#define OSC_BACKEND_NAME "dsp"

#endif
