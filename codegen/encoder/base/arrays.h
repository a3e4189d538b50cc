/* Several arrays at once: what a structure needs, or a note that something is missing. */
#ifndef ENCODER_BASE_ARRAYS_H
#define ENCODER_BASE_ARRAYS_H

#include <stdbool.h>
#include <stdlib.h>

/* An array of `count` elements, all bytes zero, for free(). Without memory it is null and *complete
 * becomes false, which it else keeps: one look after the last array is enough. */
static inline void *enc_array(size_t count, size_t element_bytes, bool *complete)
{
    void *array = calloc(count, element_bytes);
    *complete = *complete && array != NULL;
    return array;
}

#endif
