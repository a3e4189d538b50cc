/* The functions of each codec in osc_codecs.def, which the bank and the player call. */
#ifndef OSC_CODECS_H
#define OSC_CODECS_H

#include "bank/osc_internal.h"

/* osc_name_valid: whether the decoder can follow the clip's headers with this bank's state words.
 *
 * osc_name_unpack: fills the row of `frame`, and the chords from the other row of all rotations that
 * move. Those of constant rotations are 0 and stay so.
 *
 * start: see osc_codecs.def. osc_no_start is for codecs that keep nothing of their headers. */
#define OSC_CODEC(NAME, name, start, direct)                                                       \
    bool osc_##name##_valid(const osc_bank *bank, const osc_clip_parts *parts);                    \
    void osc_##name##_unpack(osc_player *player, uint32_t frame);                                  \
    void start(osc_player *player);
#include "osc_codecs.def"
#undef OSC_CODEC
void osc_no_start(osc_player *player);

#endif
