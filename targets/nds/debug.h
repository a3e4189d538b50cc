/* SPDX-License-Identifier: MIT */
/* Messages for run_rom.py, which runs programs in an emulator. On the console they have no effect.
 */
#ifndef NDS_DEBUG_H
#define NDS_DEBUG_H

#include <stdint.h>

#define NDS_WIDTH 256u
#define NDS_HEIGHT 192u

/* The first letter of a message tells run_rom.py what to do. */
#define NDS_DEBUG_EXIT 'E'    /* end the program with the exit code in the text */
#define NDS_DEBUG_PICTURE 'P' /* save the rows that were sent under this name */
#define NDS_DEBUG_ROW 'R'     /* pixels from the left, see nds_keep */
#define NDS_DEBUG_TEXT 'T'    /* print it */

/* A number in a row is a letter: NDS_ZERO and the number. */
#define NDS_ZERO 0x40u
#define NDS_MOST_EQUAL 62u /* pixels in a run */

/* Sends the text, in pieces if it is long. It must not contain %. */
void nds_debug(char kind, const char *text);

/* Sends a picture of NDS_WIDTH by NDS_HEIGHT pixels, RGB555 with red lowest, and its name. */
void nds_keep(const uint16_t *pixels, const char *name);

#endif
