/* A medium that does wrong what media do wrong, by chance: reads take long, never end, end early,
 * fail, deliver bytes in any order or twice, or of another place, or damaged. */
#ifndef FAULTY_MEDIUM_H
#define FAULTY_MEDIUM_H

#include "osc_stream.h"

typedef struct faulty_medium {
    osc_medium medium; /* its context is this structure */
    const uint8_t *image;
    uint32_t image_bytes;
    const uint8_t *memory; /* where reads may go */
    size_t memory_bytes;
    uint64_t random;
    uint32_t wrong_q8; /* the chance that something goes wrong with a read, of 256 */
    uint32_t out;      /* starts that fail from now on: the card is not there */
    bool tells;        /* what happens */

    /* the read that goes on */
    bool reading;
    uint32_t kind, polls_left, offset_bytes, size_bytes;
    uint8_t *destination;
} faulty_medium;

uint32_t faults_random(uint64_t *random);

/* A random number below `end`. */
uint32_t faults_below(uint64_t *random, uint32_t end);

void faulty_medium_make(faulty_medium *m);

/* As if it had lost its power: no read goes on. */
void faulty_medium_reset(faulty_medium *m);

#endif
