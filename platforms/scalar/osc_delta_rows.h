/* Rows of the delta codec with the scalar backend: none is filled in any other way than track by
 * track, as osc_delta.c does. The contract of this file is in platforms/README.md. */
#ifndef OSC_DELTA_ROWS_H
#define OSC_DELTA_ROWS_H

#define OSC_DELTA_FILLS 0

#endif
