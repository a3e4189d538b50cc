/* Messages for a program that runs this one in an emulator. On the console they cost a few
 * instructions and nothing more. */
#ifndef NDS_DEBUG_H
#define NDS_DEBUG_H

/* What run_rom.py does with a message: its first letter. */
#define NDS_DEBUG_EXIT 'E'    /* ends the program with the exit code in the text */
#define NDS_DEBUG_PICTURE 'P' /* saves the rows of a picture that came before under this name */
#define NDS_DEBUG_ROW 'R'     /* pixels of a picture from the left, each four hexadecimal digits */
#define NDS_DEBUG_TEXT 'T'    /* prints it */

/* Sends the text, in pieces if it is long. It must not contain %. */
void nds_debug(char kind, const char *text);

#endif
