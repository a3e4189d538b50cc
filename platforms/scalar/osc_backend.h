/* The scalar backend: plain C, and the definition that every other backend must match bit for bit.
 * The contract of a backend is in platforms/README.md. */
#ifndef OSC_BACKEND_H
#define OSC_BACKEND_H

#include "osc_blend.h"

#include "osc_blend_4.h"
#include "osc_compose.h"

#define OSC_BACKEND_NAME "scalar"

#endif
