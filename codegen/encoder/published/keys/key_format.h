/* The published key formats: their parameters in a track's header, and the conversion of a value to
 * the bits of a key and the exact row that the device computes from it (runtime/published/SPEC.md,
 * 12). Of floating-point operations it uses only those that IEEE 754 rounds exactly. */
#ifndef ENCODER_PUBLISHED_KEYS_KEY_FORMAT_H
#define ENCODER_PUBLISHED_KEYS_KEY_FORMAT_H

#include <stdbool.h>

#include "base/archive.h"
#include "base/bit_writer.h"
#include "encoder.h"
#include "published/osc_keys.h"

/* A format with all parameters of its header. */
typedef struct {
    osc_key_format device; /* the same as read by the runtime */
    uint32_t kind;         /* ENC_ROTATION .. ENC_SCALE */
    uint32_t coding;       /* OSC_KEY_* */
    bool four;             /* rotations: all four components are written */
    bool has_sign;         /* rotations: a bit states whether the key is negated */
    bool negated;          /* the whole track is negated, so that most keys need no sign */
    uint32_t layout;       /* OSC_KEY_WIDTHS_* */
    uint32_t width[4];     /* [component]: bits of each written component */
    uint32_t exponent;     /* fixed: the range is +-2^exponent */
    int32_t minimum[4];    /* Q20; ranged and variable */
    uint32_t extent[4];    /* Q20 */
    uint32_t components;   /* written components */
    uint32_t key_bits;     /* of a key; 0 for variable, where the rate decides */
    uint32_t header_bits;
} enc_key_format;

enum { ENC_KEY_WORDS = 5 }; /* 129 bits at most, and the words that a reader fetches after them */

/* A key as written. */
typedef struct {
    uint32_t words[ENC_KEY_WORDS];
} enc_key;

/* Chooses the parameters of a format for a track: its ranges, exponent and sign. track:
 * [frame_count][4 or 3], unit rotations with neighbours in one hemisphere; format: enc_format
 * except BEST; FLOAT128 of a vector is FLOAT96. Returns false if the format does not suit this kind
 * of track. */
bool enc_key_format_choose(enc_key_format *out, uint32_t format, uint32_t kind, const double *track,
                           uint32_t frame_count);

/* Sets the range of a component in a ranged or variable format. */
void enc_key_set_range(enc_key_format *format, uint32_t component, double low, double high);

/* Sets the width of all components of a half angle, 1..21 bits. Returns false without memory. */
bool enc_key_format_set_width(enc_key_format *format, uint32_t width);

/* Writes the format into a track's header. */
void enc_key_format_put(const enc_key_format *format, enc_bit_writer *out);

/* Archives the parameters of a format. kind: of the track. Reading requires parameters that a
 * header can state, and derives the other fields from them. */
void enc_key_format_archive(enc_key_format *format, uint32_t kind, enc_archive *archive);

/* Computes the key nearest to a value (4 or 3 components), and its row; not for variable formats. A
 * key has key_bits bits. */
void enc_key_make(const enc_key_format *format, const double *value, enc_key *key, int32_t *row);

void enc_key_put(const enc_key_format *format, const enc_key *key, enc_bit_writer *out);

/* The code c of `width` bits whose value minimum + share(c << (32 - width), extent) is nearest to
 * value_q20. */
uint32_t enc_key_ranged_code(double value_q20, int32_t minimum, uint32_t extent, uint32_t width);

/* The bits of a component as a float. */
uint32_t enc_key_float_bits(double value);

#endif
