/* Allocation of several arrays with one check at the end. */
#ifndef ENCODER_BASE_ARRAYS_H
#define ENCODER_BASE_ARRAYS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* Returns an array of `count` elements, all bytes zero, to be released with free(). Without memory
 * it returns null and sets *complete to false; otherwise *complete is unchanged, so that one check
 * after the last array is enough. */
static inline void *enc_array(size_t count, size_t element_bytes, bool *complete)
{
    void *array = calloc(count, element_bytes);
    *complete = *complete && array != NULL;
    return array;
}

/* The same, but its bytes are not set: for large arrays that are written before they are read. */
static inline void *enc_room(size_t count, size_t element_bytes, bool *complete)
{
    void *room = count <= SIZE_MAX / element_bytes ? malloc(count * element_bytes) : NULL;
    *complete = *complete && room != NULL;
    return room;
}

#endif
