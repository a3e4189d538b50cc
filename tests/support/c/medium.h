/* A medium whose reads take as long, and fail in such ways, as a test says. It aborts when a stream
 * does not keep to what osc_stream.h promises a medium. */
#ifndef MEDIUM_H
#define MEDIUM_H

#include "bank_tools.h"
#include "osc_stream.h"

#define MEDIUM_MOST_LOG 256u

typedef struct test_medium {
    osc_medium medium; /* its context is this structure */
    const uint8_t *image;
    uint32_t image_bytes;
    const uint32_t *memory; /* where reads may go */
    uint32_t memory_words;

    /* what happens to reads */
    uint32_t polls;          /* BUSY answers before a read is done */
    uint32_t busy_starts;    /* starts that are refused for now */
    uint32_t failing_starts; /* starts that are refused for good */
    uint32_t failing_polls;  /* reads that end with an error */
    uint32_t hanging;        /* reads that never end */
    uint32_t damaged;        /* reads in which a bit is wrong */
    uint32_t damage_bytes;   /* place of that bit on the medium; every read without it is right */

    /* what happened */
    bool reading;
    uint32_t offset_bytes, size_bytes, polls_left;
    bool hangs;
    uint8_t *destination;
    uint32_t starts, cancels;
    uint32_t offsets[MEDIUM_MOST_LOG], sizes[MEDIUM_MOST_LOG]; /* of the first reads that began */
} test_medium;

void medium_make(test_medium *made, const test_bank *image, uint32_t unit_bytes,
                 uint32_t align_bytes, uint32_t most_bytes);

#endif
