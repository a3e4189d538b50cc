/* SPDX-License-Identifier: MIT */
/* The calls to pico_run besides those that debuggers know. */
#ifndef PICO_DEBUG_H
#define PICO_DEBUG_H

/* Saves the picture on the display; the argument is its name. Semihosting leaves the numbers from
 * 0x100 to its users. */
#define PICO_DEBUG_PICTURE 0x100u

#endif
