/* SPDX-License-Identifier: MIT */
/* A medium of osc_stream.h: a file of the C library, on computers and on consoles with a file
 * system.
 *
 *     static osc_file_medium tiers;
 *     FILE *file = fopen("hero.tiers", "rb");
 *     setvbuf(file, NULL, _IONBF, 0);      // reads are large and need no buffer
 *     osc_file_medium_init(&tiers, file, 16384);
 *     osc_stream_init(&stream, &tiers.medium, memory, memory_words, 16);
 *
 * stdio cannot read in parallel with the game. A read therefore happens in the medium's poll and is
 * no larger than most_bytes: choose a size that the disk delivers in the time that a frame can
 * spare. A game with a thread for files provides its own medium, whose three functions communicate
 * with that thread. */
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

/* Fills `medium`. file: open for reading in binary for the lifetime of the stream, and not used
 * otherwise; bytes from LONG_MAX on cannot be reached. most_bytes: a multiple of 4; 0 selects 4096.
 * In a file that is too short, reads beyond its end fail. */
void osc_file_medium_init(osc_file_medium *medium, FILE *file, uint32_t most_bytes);

#ifdef __cplusplus
}
#endif

#endif
