/* The functions of the C library that the encoder's character needs, over the memory of the module.
 * Nothing is ever freed but all of it, with the module; new memory is zero. */
#ifndef VIEWER_STDLIB_H
#define VIEWER_STDLIB_H

#include <stddef.h>

#include "module_memory.h"

static inline void *malloc(size_t bytes)
{
    return reserve((uint32_t)bytes);
}

static inline void *calloc(size_t count, size_t bytes)
{
    return reserve((uint32_t)(count * bytes));
}

static inline void free(void *memory)
{
    (void)memory;
}

#endif
