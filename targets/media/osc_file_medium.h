/* A medium of osc_stream.h: a file of the C library, on computers and on consoles with a file
 * system.
 *
 *     static osc_file_medium tiers;
 *     FILE *file = fopen("hero.tiers", "rb");
 *     setvbuf(file, NULL, _IONBF, 0);      // reads are large, and go to their place at once
 *     osc_file_medium_init(&tiers, file, 16384);
 *     osc_stream_init(&stream, &tiers.medium, memory, memory_words, 16);
 *
 * stdio cannot read beside the game. A read therefore happens in the medium's poll and is no larger
 * than most_bytes: choose what the disk delivers in the time that a frame can spare. A game with a
 * thread for files writes a medium of its own, whose three functions talk to that thread. */
#ifndef OSC_FILE_MEDIUM_H
#define OSC_FILE_MEDIUM_H

#include "osc_medium_read.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A file. It must not move: `medium` points to it. `medium` is for the stream; the rest is private.
 */
typedef struct osc_file_medium {
    osc_medium medium;
    osc_medium_read read;
    FILE *file;
} osc_file_medium;

/* Fills `medium`. file: open for reading in binary, as long as the stream lasts, and at no one
 * else's disposal; bytes from LONG_MAX on cannot be reached. most_bytes: a multiple of 4; 0 stands
 * for 4096. A file that is too short is an error of the reads that go beyond its end. */
void osc_file_medium_init(osc_file_medium *medium, FILE *file, uint32_t most_bytes);

#ifdef __cplusplus
}
#endif

#endif
