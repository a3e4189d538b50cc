/* SPDX-License-Identifier: MIT */
/* The debug registers of the emulator mGBA. On the console, nothing listens to them. */
#ifndef GBA_DEBUG_H
#define GBA_DEBUG_H

#include <stdint.h>

/* Levels of mGBA's log, by which gba_run handles a text. */
#define GBA_DEBUG_EXIT 0u    /* ends the program with the exit code in the text */
#define GBA_DEBUG_PICTURE 2u /* saves the picture on the display under this name */
#define GBA_DEBUG_TEXT 3u    /* prints it */

/* Sends the text, in pieces if it is long. */
void gba_debug(uint32_t level, const char *text);

#endif
