/* Freed memory that the C library keeps. */
#ifndef ENCODER_BASE_MEMORY_H
#define ENCODER_BASE_MEMORY_H

#include <stddef.h>

/* Returns freed memory to the system after the work on a large clip, which is several times its
 * final size. cells: its joints times frames. */
void enc_give_back(size_t cells);

#endif
