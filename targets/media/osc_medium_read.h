/* SPDX-License-Identifier: MIT */
/* Shared by the media of this folder: the read in progress, and the rules of osc_stream.h for
 * reads. */
#ifndef OSC_MEDIUM_READ_H
#define OSC_MEDIUM_READ_H

#include "osc_stream.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A read. A medium whose read has a null destination is idle. */
typedef struct osc_medium_read {
    void *destination;
    uint32_t offset_bytes, size_bytes;
} osc_medium_read;

/* Compares a read with the numbers of a medium of medium_bytes bytes: OSC_OK; OSC_ERROR_ALIGNMENT
 * for an offset, a size or a destination that it does not allow; OSC_ERROR_READ for a read beyond
 * the last byte. */
static inline int32_t osc_medium_check(const osc_medium *medium, uint32_t medium_bytes,
                                       const osc_medium_read *read)
{
    uint32_t offset = read->offset_bytes, size = read->size_bytes;
    if (((offset | size) & (medium->unit_bytes - 1u)) != 0u || size == 0u ||
        size > medium->most_bytes)
        return OSC_ERROR_ALIGNMENT;
    if (read->destination == NULL ||
        ((uintptr_t)read->destination & (medium->align_bytes - 1u)) != 0u)
        return OSC_ERROR_ALIGNMENT;
    return offset <= medium_bytes && size <= medium_bytes - offset ? OSC_OK : OSC_ERROR_READ;
}

/* The same for a medium with one read at a time: OSC_MEDIUM_BUSY for an allowed read during another
 * read. */
static inline int32_t osc_medium_accept(const osc_medium *medium, uint32_t medium_bytes,
                                        const osc_medium_read *under_way,
                                        const osc_medium_read *read)
{
    int32_t status = osc_medium_check(medium, medium_bytes, read);
    return status == OSC_OK && under_way->destination != NULL ? OSC_MEDIUM_BUSY : status;
}

/* Converts the status of a driver to that of a medium: drivers have their own error numbers, some
 * of them above zero. */
static inline int32_t osc_medium_answer(int32_t answer)
{
    return answer == OSC_OK || answer == OSC_MEDIUM_BUSY ? answer : OSC_ERROR_READ;
}

/* A number of a setup, or its default for 0. */
static inline uint32_t osc_medium_or(uint32_t number, uint32_t otherwise)
{
    return number != 0u ? number : otherwise;
}

#ifdef __cplusplus
}
#endif

#endif
