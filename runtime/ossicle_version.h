/* SPDX-License-Identifier: MIT */
/* Ossicle: the two versions. Python reads this file too; keep one plain number a line. */
#ifndef OSSICLE_VERSION_H
#define OSSICLE_VERSION_H

/* The library: what the C interface and the generated code look like. */
#define OSC_VERSION_MAJOR 0
#define OSC_VERSION_MINOR 1
#define OSC_VERSION_PATCH 0

/* The bank format (SPEC.md). A runtime opens exactly this one. */
#define OSC_BANK_FORMAT 2

#endif
