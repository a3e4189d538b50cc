/* The backend for x86: SSE2, SSE4.1 or AVX2, whatever the compiler may use (-msse4.1, -mavx2). The
 * contract of a backend is in platforms/README.md. */
#ifndef OSC_BACKEND_H
#define OSC_BACKEND_H

#include "osc_sse.h"

#include "../vector/osc_vector_blend.h"
#if defined(__AVX2__)
#include "osc_avx2_blend.h"
#else
#include "../vector/osc_vector_blend_4.h"
#endif
#if defined(__SSE4_1__)
#include "osc_compose_sse.h"
#else
#include "../long/osc_long_local.h"
#include "../long/osc_long_multiply.h"
#endif

#define OSC_BACKEND_NAME "sse"

#endif
