/* SPDX-License-Identifier: MIT */
/* The functions that a demo needs of a display and of buttons. Each target that has them implements
 * all of it. */
#ifndef SCREEN_H
#define SCREEN_H

#include "stage/stage.h"

#define SCREEN_NEXT 1u     /* the next clip */
#define SCREEN_PREVIOUS 2u /* the one before */
#define SCREEN_FASTER 4u
#define SCREEN_SLOWER 8u
#define SCREEN_LEFT 16u /* the camera turns while these two are held */
#define SCREEN_RIGHT 32u

/* Turns the display on. palette: the colours of STAGE_PALETTE, as many as there are from 0 on,
 * RGB555 with red lowest; displays of 16 bits a pixel do without. */
void screen_open(const uint16_t *palette, uint32_t count);

/* The picture to draw next, which is not the one that is seen. */
const stage_picture *screen_picture(void);

/* Fills it as stage_clear does; a machine may have a faster way. */
void screen_clear(uint16_t colour);

/* Shows the picture, from the next time on that the display begins with a new one. */
void screen_show(void);

/* Keeps what is shown under a name, where a program that runs this one collects pictures. */
void screen_keep(const char *name);

/* The buttons that were pressed since the last call; SCREEN_LEFT and SCREEN_RIGHT while they are.
 */
uint32_t screen_buttons(void);

/* The buttons of a pad that are held now, for games. A machine without some of them never has their
 * bits. */
enum { SCREEN_PAD_UP = 1, SCREEN_PAD_DOWN = 2, SCREEN_PAD_LEFT = 4, SCREEN_PAD_RIGHT = 8 };
enum { SCREEN_PAD_B = 16, SCREEN_PAD_A = 32, SCREEN_PAD_OTHER = 64 };
uint32_t screen_pad(void);

/* Microseconds since the last call. */
uint32_t screen_elapsed_us(void);

#endif
