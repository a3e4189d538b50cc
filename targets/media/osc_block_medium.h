/* SPDX-License-Identifier: MIT */
/* A medium of osc_stream.h for devices that are read in whole sectors, such as SD and MMC cards,
 * eMMC, NAND behind a translation layer, or a disk.
 *
 *     static osc_block_medium card;
 *     osc_block_medium_init(&card, &(osc_block_setup){
 *         .device = {.start = card_start, .poll = card_poll, .cancel = card_cancel},
 *         .first_sector = first, .sector_count = count});
 *     osc_stream_init(&stream, &card.medium, memory, memory_words, 16);
 *
 * The tiers are in one run of sectors: a partition of their own, or a contiguous file. In FatFs,
 * the cluster link map contains the position of such a file (FF_USE_FASTSEEK 1):
 *
 *     DWORD map[4] = {4};          // room for a file in one piece: size, clusters, first, end
 *     file.cltbl = map;
 *     if (f_lseek(&file, CREATE_LINKMAP) != FR_OK)   // FR_NOT_ENOUGH_CORE: in more than one piece
 *         return false;
 *     first = file.obj.fs->database + (map[2] - 2) * file.obj.fs->csize;
 *     count = (f_size(&file) + 511) / 512;
 *
 * A file that is copied to a newly formatted card is contiguous; f_expand creates such a file on
 * the device. For a partition, `first` is its first sector in the partition table. */
#ifndef OSC_BLOCK_MEDIUM_H
#define OSC_BLOCK_MEDIUM_H

#include "osc_medium_read.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The driver, provided by the game. Sectors count from the beginning of the device.
 *
 * start: begins to read `count` sectors, and does not wait. Returns OSC_OK; OSC_MEDIUM_BUSY if the
 * device cannot begin now, such as a card that is still writing; anything else for an error.
 *
 * poll: returns OSC_MEDIUM_BUSY while it reads, OSC_OK once all sectors are in memory, visible to
 * the processor, with correct checksums; anything else after an error, which must have ended the
 * read.
 *
 * cancel: ends the read. Nothing is written to the destination afterwards: wait until the DMA
 * channel reports that it is off. A card then needs CMD12, which `start` can send when it is next
 * called.
 *
 * read: instead of these three, for drivers that can only wait. Returns 0 after reading all
 * sectors, and anything else after an error, like disk_read of FatFs and disk_access_read of
 * Zephyr. It is called in the medium's poll; most_bytes limits its duration. */
typedef struct osc_block_device {
    int32_t (*start)(void *context, uint32_t first_sector, uint32_t count, void *destination);
    int32_t (*poll)(void *context);
    void (*cancel)(void *context);
    int32_t (*read)(void *context, uint32_t first_sector, uint32_t count, void *destination);
    void *context;
} osc_block_device;

/* Zero selects the default in brackets. */
typedef struct osc_block_setup {
    osc_block_device device;
    uint32_t first_sector, sector_count; /* the run with the tiers */
    uint32_t sector_bytes;               /* a power of two: 2048 for NAND of such pages [512] */
    uint32_t align_bytes;                /* required by the driver's DMA [4] */
    uint32_t most_bytes; /* whole sectors [eight sectors; two for a driver that waits] */
    uint32_t timeout_us; /* a card may take 100 ms for its first sector [250000] */
} osc_block_setup;

/* A run of sectors. It must not move: `medium` points to it. `medium` is for the stream; the rest
 * is private. */
typedef struct osc_block_medium {
    osc_medium medium;
    osc_medium_read read;
    osc_block_device device;
    uint32_t first_sector, size_bytes;
    uint32_t sector_log2;
} osc_block_medium;

/* Fills `block`. Reads nothing. osc_stream_init checks the numbers. Offsets in the run have 32
 * bits, so bytes from 4 GB on cannot be reached; the position of the run does not matter. */
void osc_block_medium_init(osc_block_medium *block, const osc_block_setup *setup);

#ifdef __cplusplus
}
#endif

#endif
