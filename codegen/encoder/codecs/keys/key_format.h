/* The published formats of keys: what a track's header says of them, and from a value to the bits
 * of a key and the very row that the device makes of them (SPEC.md, 12). Exact at Q20; of floating
 * point only what IEEE 754 rounds exactly. */
#ifndef ENCODER_CODECS_KEYS_KEY_FORMAT_H
#define ENCODER_CODECS_KEYS_KEY_FORMAT_H

#include <stdbool.h>

#include "base/bit_writer.h"
#include "codecs/osc_keys.h"
#include "encoder.h"

/* A format with all that a header adds to it. */
typedef struct {
    osc_key_format device; /* the same as the runtime reads it */
    uint32_t kind;         /* ENC_ROTATION .. ENC_SCALE */
    uint32_t coding;       /* OSC_KEY_* */
    bool four;             /* of rotations: all four components are written */
    bool has_sign;         /* of rotations: a bit says whether the key is negated */
    bool negated;          /* the whole track is: then most keys need no sign */
    uint32_t layout;       /* OSC_KEY_WIDTHS_* */
    uint32_t width[4];     /* bits of each written component */
    uint32_t exponent;     /* of fixed: the range is +-2^exponent */
    int32_t minimum[4];    /* Q20, of ranged and variable */
    uint32_t extent[4];    /* Q20 */
    uint32_t components;   /* that are written */
    uint32_t key_bits;     /* of a key; of variable 0, as they are the rate's */
    uint32_t header_bits;
} enc_key_format;

enum { ENC_KEY_WORDS = 5 }; /* 129 bits at most, and what a reader looks at behind them */

/* A key as it is written. */
typedef struct {
    uint32_t words[ENC_KEY_WORDS];
} enc_key;

/* The format for a track [frame_count][4 or 3] whose rotations are unit, neighbours in one
 * hemisphere: ranges, exponent and sign as the track needs them. format: enc_format but BEST;
 * FLOAT128 of a vector is FLOAT96. False where the format is none of this kind. */
bool enc_key_format_choose(enc_key_format *out, uint32_t format, uint32_t kind, const double *track,
                           uint32_t frame_count);

/* Gives a component of a ranged or variable format the range low .. high. */
void enc_key_set_range(enc_key_format *format, uint32_t component, double low, double high);

/* Makes all components of a half angle `width` bits wide, 1..21. False: no memory. */
bool enc_key_format_set_width(enc_key_format *format, uint32_t width);

/* Writes the format into a track's header. */
void enc_key_format_put(const enc_key_format *format, enc_bit_writer *out);

/* The key nearest to a value (4 or 3 components) and its row; not of variable. A key has key_bits
 * bits. */
void enc_key_make(const enc_key_format *format, const double *value, enc_key *key, int32_t *row);

void enc_key_put(const enc_key_format *format, const enc_key *key, enc_bit_writer *out);

/* The code c, `width` bits, whose value minimum + share(c << (32 - width), extent) comes nearest to
 * value, Q20. */
uint32_t enc_key_ranged_code(double value_q20, int32_t minimum, uint32_t extent, uint32_t width);

/* The bits of a component in the coding float. */
uint32_t enc_key_float_bits(double value);

#endif
