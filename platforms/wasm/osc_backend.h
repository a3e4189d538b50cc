/* The backend for WebAssembly with SIMD (-msimd128). The contract of a backend is in
 * platforms/README.md. */
#ifndef OSC_BACKEND_H
#define OSC_BACKEND_H

#include "osc_wasm.h"

#include "../long/osc_long_local.h"
#include "../long/osc_long_multiply.h"
#include "../vector/osc_vector_blend.h"
#include "../vector/osc_vector_blend_4.h"

#define OSC_BACKEND_NAME "wasm"

#endif
