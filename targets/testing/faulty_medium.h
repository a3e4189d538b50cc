/* SPDX-License-Identifier: MIT */
/* A medium of osc_stream.h that goes wrong by chance in every way that media do: reads take long,
 * never end, end early, fail, arrive in any order or twice, come from another place, or are
 * damaged. For tests of a game's streaming as a whole, without a driver; mock_spi_nor.h and
 * mock_card.h have the chips that drivers talk to. It uses no C library and allocates nothing.
 *
 *     static faulty_medium medium;
 *     faulty_medium_init(&medium, &(faulty_medium_setup){
 *         .image = card, .image_bytes = sizeof card, .seed = seed, .wrong_q8 = 64});
 *     osc_stream_init(&stream, &medium.medium, memory, memory_words, 16);
 *     ..                                               // a test plays, then the faults stop:
 *     medium.setup.wrong_q8 = 0;
 *     osc_stream_retry(&stream);
 *
 * The same seed and the same calls give the same faults on every machine. `violations`
 * counts what no correct stream does, such as a read during another, and such a read fails: tests
 * assert that it is 0. */
#ifndef FAULTY_MEDIUM_H
#define FAULTY_MEDIUM_H

#include "mock_random.h"
#include "osc_stream.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The fault of a read. */
typedef enum faulty_read {
    FAULTY_RIGHT,     /* nothing */
    FAULTY_FAILS,     /* ends with OSC_ERROR_READ */
    FAULTY_HANGS,     /* never ends; parts of it arrive */
    FAULTY_SHORT,     /* only its beginning arrives, without an error */
    FAULTY_DAMAGED,   /* one to four bits are wrong, without an error */
    FAULTY_ELSEWHERE, /* comes from another place of the image, without an error */
    FAULTY_SHUFFLED,  /* parts arrive in any order, and in the end all */
    FAULTY_TWICE,     /* arrives at once, and then again in parts */
    FAULTY_REFUSED,   /* cannot begin: OSC_ERROR_READ */
    FAULTY_BUSY,      /* cannot begin now: OSC_MEDIUM_BUSY */
    FAULTY_READS
} faulty_read;

/* The name of a fault, for messages: "right", "fails", .. */
extern const char *const faulty_read_names[FAULTY_READS];

/* Zero stands for the default in brackets. */
typedef struct faulty_medium_setup {
    const void *image; /* what the medium holds; must outlive it */
    uint32_t image_bytes;
    uint32_t unit_bytes, align_bytes, most_bytes; /* as of osc_medium [4, 4, 4096 or a unit] */
    uint32_t timeout_us;                          /* as of osc_medium [100000] */
    const void *memory;  /* the only place where reads may go [null: anywhere] */
    size_t memory_bytes; /* of that place */
    uint64_t seed;       /* changes with everything that is drawn */
    uint32_t wrong_q8;   /* the chance, of 256, that something happens to a read */
    uint32_t most_polls; /* how many polls find a read under way, at most [2] */
} faulty_medium_setup;

typedef struct faulty_medium {
    osc_medium medium; /* for osc_stream_init */

    /* to be set by tests, at any time */
    faulty_medium_setup setup;
    uint32_t out; /* how many of the next starts are refused: the card is not there */

    /* to be read */
    const char *violation; /* a description of the last one, or null */
    uint32_t violations;
    uint32_t starts;                   /* reads asked for; the last one: */
    uint32_t offset_bytes, size_bytes; /* where it was, and how long */
    faulty_read fault;                 /* what happens to it */

    /* private */
    bool reading;
    uint32_t polls_left;
    uint8_t *destination;
} faulty_medium;

/* Fills the medium, which must not move: no read is under way. */
void faulty_medium_init(faulty_medium *medium, const faulty_medium_setup *setup);

/* A power cut: the read that is under way is forgotten without a cancel. */
void faulty_medium_cut(faulty_medium *medium);

#ifdef __cplusplus
}
#endif

#endif
