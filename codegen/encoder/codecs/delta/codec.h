/* A track coded by the delta codec, for the codecs that hold such tracks too. */
#ifndef ENCODER_CODECS_DELTA_CODEC_H
#define ENCODER_CODECS_DELTA_CODEC_H

#include "base/bit_writer.h"

/* A track in the making, and afterwards what write() needs of it. */
typedef struct {
    uint32_t kind, frame_count, restart_log2;
    uint32_t packing, shift;
    int32_t *memory;
    int32_t *rows;     /* in memory: [frame][4 or 3], Q20: what the device unpacks */
    uint8_t *packings; /* [frame]: 0xff, or the packing that a moving track states explicitly */
    uint32_t *zigzag;  /* [order][component][frame]: residuals that are Rice coded */
    uint32_t record;   /* the track record, without its gap */
    uint32_t bits;
} enc_delta_track;

/* Appends what a frame of the track takes in the stream. */
void enc_delta_write_frame(const enc_delta_track *track, uint32_t frame, enc_bit_writer *out);

#endif
