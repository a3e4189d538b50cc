/* Rigs for the tests of all media: each medium on a machine of its own. */
#ifndef MEDIA_RIGS_H
#define MEDIA_RIGS_H

#include "osc_stream.h"

#define RIG_BYTES 0x10000u /* that every medium has */

typedef struct rig {
    const char *name;
    const osc_medium *medium;
    const uint8_t *content;
    void (*advance_us)(uint32_t us); /* lets time pass */
    void (*check)(bool is_reading);  /* fails the test when a rule of the machine was broken */
} rig;

#define RIG_COUNT 8u

/* Resets the rig and fills it with numbers of its own. There is only one. */
const rig *rig_open(uint32_t number);
void rig_close(void);

/* The name of a rig that need not be open. */
const char *rig_name(uint32_t number);

/* Polls until the read has ended; fails the test when it takes longer than a second. */
int32_t rig_finish(const rig *rig);

/* Starts a read and finishes it: how it ended. */
int32_t rig_read(const rig *rig, uint32_t offset_bytes, void *destination, uint32_t size_bytes);

#endif
