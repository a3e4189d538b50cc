/* SPDX-License-Identifier: MIT */
/* The parts of the runtime that generated code names, so that the linker keeps those that its bank
 * needs and drops the rest: tables of the codecs in osc_codecs.def, and the chunks of tiers. */
#ifndef OSC_CODECS_H
#define OSC_CODECS_H

#include "bank/osc_format.h"
#include "ossicle.h"

/* The functions that play a codec's clips.
 *
 * start: reads the track headers into the player's state once a clip is chosen; null for codecs
 * that do not keep them.
 *
 * unpack: fills the row of `frame`, and the chords from the other row for all rotations that move.
 * The chords of constant rotations remain 0.
 *
 * first_keys: that of a bank with a base row; null in other codecs, and in osc_curve_codec, which
 * is for banks without one. */
struct osc_codec {
    void (*start)(osc_player *player);
    void (*unpack)(osc_player *player, uint32_t frame);
    osc_first_keys *first_keys;
};

/* The codec curve for banks with a base row, and osc_bank.first_keys of these. */
extern const osc_codec osc_curve_base_codec;
osc_first_keys osc_curve_first_keys;

/* osc_name_valid: returns whether the decoder can read the clip's headers with this bank's state
 * words.
 */
#define OSC_CODEC(NAME, name, direct)                                                              \
    extern const osc_codec osc_##name##_codec;                                                     \
    bool osc_##name##_valid(const osc_bank *bank, const struct osc_clip_parts *parts);
#include "bank/osc_codecs.def"
#undef OSC_CODEC

/* osc_bank.tier_code of every bank that has tiers. */
extern const osc_tier_code osc_tier_functions;

/* The checks of all codecs, by number: for osc_stream_add in a program that opens any bank. */
extern osc_codec_check *const osc_all_checks[OSC_CODEC_COUNT];

#endif
