/* Key rows with the backend for MVE. The contract of this file is in platforms/README.md. */
#ifndef OSC_ROWS_H
#define OSC_ROWS_H

#include "osc_mve.h"

#include "../vector/osc_vector_rows.h"

#endif
