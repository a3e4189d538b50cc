/* SPDX-License-Identifier: MIT */
/* Plain C for all machines: replaces nothing of runtime/port/osc_port.h. */
#ifndef OSC_PORT_CONFIG_H
#define OSC_PORT_CONFIG_H

#define OSC_PORT_NAME "scalar"

#endif
