/* Messages for a program that runs this one in an emulator. On the console they cost a few
 * instructions and nothing more. */
#ifndef NDS_DEBUG_H
#define NDS_DEBUG_H

#include <stdint.h>

#define NDS_WIDTH 256u
#define NDS_HEIGHT 192u

/* What run_rom.py does with a message: its first letter. */
#define NDS_DEBUG_EXIT 'E'    /* ends the program with the exit code in the text */
#define NDS_DEBUG_PICTURE 'P' /* saves the rows of a picture that came before under this name */
#define NDS_DEBUG_ROW 'R'     /* pixels of a picture from the left, see nds_keep */
#define NDS_DEBUG_TEXT 'T'    /* prints it */

/* Numbers in rows are letters. */
#define NDS_ZERO 0x40u
#define NDS_MOST_EQUAL 62u

/* Sends the text, in pieces if it is long. It must not contain %. */
void nds_debug(char kind, const char *text);

/* Sends a picture of NDS_WIDTH by NDS_HEIGHT pixels, RGB555 with red lowest, and its name. */
void nds_keep(const uint16_t *pixels, const char *name);

#endif
