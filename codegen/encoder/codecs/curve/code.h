/* The coded bits of a curve track, and the frame at which each of them is read from the stream. */
#ifndef ENCODER_CODECS_CURVE_CODE_H
#define ENCODER_CODECS_CURVE_CODE_H

#include "base/bit_writer.h"
#include "codecs/curve/keys.h"

typedef struct {
    uint32_t basis, packing, shift, unit, mode, width, gap_rice, jumps, components;
    uint32_t coarsening[CURVE_MAX_COMPONENTS];
    uint32_t rice[CURVE_MAX_COMPONENTS], tangent_rice[CURVE_MAX_COMPONENTS];
    uint32_t predictor[CURVE_MAX_COMPONENTS],
        quarters[CURVE_MAX_COMPONENTS]; /* dense tracks only */
} curve_header;

/* Writes a track header. shift: of the track before in the clip. */
void curve_put_header(const curve_header *header, uint32_t shift, enc_bit_writer *out);

/* Returns whether curve_put_header can write this header for this kind of track. */
bool curve_header_is_sound(const curve_header *header, uint32_t kind);

/* Bits of component c of a plain key. */
uint32_t curve_plain_width(const curve_header *header, uint32_t c);

typedef struct {
    curve_header header;
    uint32_t frame_count, restart_log2;
    enc_bit_writer plain;    /* the keys at restart points, one after another */
    enc_bit_writer streamed; /* all other keys, in the order in which frames read them */
    uint32_t *streamed_at; /* [frame + 1]: frame f reads streamed_at[f] .. streamed_at[f + 1] - 1 */
    uint32_t plain_bits;   /* of one plain key */
    uint32_t bits;         /* of the track, including its header */
} curve_code;

/* Codes keys. Returns false without memory, or if the stream cannot represent a value; *unfit: set
 * in the latter case. */
bool curve_code_make(curve_code *code, const curve_keys *keys, bool *unfit);
void curve_code_release(curve_code *code);

/* The bits that curve_code_make would write; UINT32_MAX if it would fail. */
uint32_t curve_code_bits(const curve_keys *keys, bool *unfit);

#endif
