/* Allocation of several arrays with one check at the end. */
#ifndef ENCODER_BASE_ARRAYS_H
#define ENCODER_BASE_ARRAYS_H

#include <stdbool.h>
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

#endif
