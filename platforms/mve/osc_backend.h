/* The backend for Cortex-M55 and M85: MVE blends, long products compose. The contract of a backend
 * is in platforms/README.md. */
#ifndef OSC_BACKEND_H
#define OSC_BACKEND_H

#include "osc_mve.h"

#include "../dsp/osc_dsp_multiply.h"
#include "../long/osc_long_local.h"
#include "../vector/osc_vector_blend.h"
#include "../vector/osc_vector_blend_4.h"

#define OSC_BACKEND_NAME "mve"

#endif
