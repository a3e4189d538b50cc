#include "base/memory.h"

#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "encoder.h"

#define SHARING 8u                    /* threads that may wait for each other when they allocate */
#define LARGE_CELLS ((size_t)1 << 16) /* joints times frames: less memory need not be returned */

void enc_share_memory(uint32_t threads)
{
#ifdef __GLIBC__
    (void)mallopt(M_ARENA_MAX, (int)((threads + SHARING - 1u) / SHARING));
#else
    (void)threads;
#endif
}

void enc_give_back(size_t cells)
{
#ifdef __GLIBC__
    if (cells >= LARGE_CELLS)
        (void)malloc_trim(0);
#else
    (void)cells;
#endif
}
