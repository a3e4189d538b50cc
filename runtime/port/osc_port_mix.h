/* SPDX-License-Identifier: MIT */
/* The operations with which generated code mixes poses: osc_port.h and the operations of
 * osc_mix_arithmetic.h. */
#ifndef OSC_PORT_MIX_H
#define OSC_PORT_MIX_H

#include "arithmetic/osc_mix_arithmetic.h"

#endif
