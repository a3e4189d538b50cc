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
 * The chords of constant rotations remain 0. */
struct osc_codec {
    void (*start)(osc_player *player);
    void (*unpack)(osc_player *player, uint32_t frame);
};

/* The entry OSC_CODEC_BASE_ROW of a table of codecs is the first member of such a struct, or null
 * in programs without banks that have a base row.
 *
 * take: reads the first keys of a curve clip, which curve has read as plain keys, as differences
 * from that row, and moves the reader behind them. */
struct osc_bits;
typedef struct osc_base_row {
    osc_codec entry; /* no functions */
    void (*take)(const osc_player *player, struct osc_bits *bits);
} osc_base_row;

extern const osc_base_row osc_base_row_codec;

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
