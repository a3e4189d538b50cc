/* Key rows with the backend for WebAssembly. The contract of this file is in platforms/README.md.
 */
#ifndef OSC_ROWS_H
#define OSC_ROWS_H

#include "osc_wasm.h"

#include "../vector/osc_vector_rows.h"

#endif
