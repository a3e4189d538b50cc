/* The bits of a track of sparse keys: what each frame items from the stream. */
#ifndef ENCODER_CODECS_CURVE_CODE_H
#define ENCODER_CODECS_CURVE_CODE_H

#include "base/bit_writer.h"
#include "codecs/curve/keys.h"

typedef struct {
    uint32_t basis, packing, shift, unit, mode, width, gap_rice, jumps, components;
    uint32_t coarsening[CURVE_MAX_COMPONENTS];
    uint32_t rice[CURVE_MAX_COMPONENTS], tangent_rice[CURVE_MAX_COMPONENTS];
    uint32_t predictor[CURVE_MAX_COMPONENTS], quarters[CURVE_MAX_COMPONENTS]; /* dense tracks */
} curve_header;

/* shift: the one of the track before in the clip. */
void curve_put_header(const curve_header *header, uint32_t shift, enc_bit_writer *out);

/* Bits of the plain key's component c. */
uint32_t curve_plain_width(const curve_header *header, uint32_t c);

typedef struct {
    curve_header header;
    uint32_t frame_count, restart_log2;
    enc_bit_writer plain;    /* the keys at restart points, one behind the other */
    enc_bit_writer streamed; /* all others, in the order of the frames that item them */
    uint32_t *streamed_at; /* [frame + 1]: frame f items streamed_at[f] .. streamed_at[f + 1] - 1 */
    uint32_t plain_bits;   /* of one plain key */
    uint32_t bits;         /* of everything, header included */
} curve_code;

/* False: no memory, or (`*unfit`) a value that the stream cannot say. */
bool curve_code_make(curve_code *code, const curve_keys *keys, bool *unfit);
void curve_code_release(curve_code *code);

/* The bits that curve_code_make would write; UINT32_MAX where it would fail. */
uint32_t curve_code_bits(const curve_keys *keys, bool *unfit);

#endif
