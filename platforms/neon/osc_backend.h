/* The backend for Arm's NEON: armv7 (-mfpu=neon) and aarch64. The contract of a backend is in
 * platforms/README.md. */
#ifndef OSC_BACKEND_H
#define OSC_BACKEND_H

#include "osc_neon.h"

#include "../vector/osc_vector_blend.h"
#include "../vector/osc_vector_blend_4.h"
#include "osc_compose_neon.h"

#define OSC_BACKEND_NAME "neon"

#endif
