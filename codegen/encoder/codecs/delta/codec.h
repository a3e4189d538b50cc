/* A track of the delta codec, which other codecs may use as well. */
#ifndef ENCODER_CODECS_DELTA_CODEC_H
#define ENCODER_CODECS_DELTA_CODEC_H

#include "base/bit_writer.h"

/* A track under construction, and then what write() needs. */
typedef struct {
    uint32_t kind, frame_count, restart_log2;
    uint32_t packing, shift;
    int32_t *memory;
    int32_t *rows;     /* [frame][4 or 3], Q20, as the device unpacks them; within `memory` */
    uint8_t *packings; /* [frame]: the packing that a moving track states, or 0xff */
    uint32_t record;   /* the track's record without its gap */
    uint32_t bits;
} enc_delta_track;

/* Writes a frame of the track into the stream. */
void enc_delta_write_frame(const enc_delta_track *track, uint32_t frame, enc_bit_writer *out);

#endif
