/* The choice of a bank's base row. */
#ifndef ENCODER_WRITER_BASE_ROW_H
#define ENCODER_WRITER_BASE_ROW_H

#include "codecs/codecs.h"
#include "writer/subtracks.h"

/* Returns whether the first keys of a version are differences from the base row if the bank has one
 * (osc_shape_has_base). */
static inline bool enc_clip_may_have_base(const enc_clip *clip)
{
    return clip->codec->codec == OSC_CODEC_CURVE && clip->source.over == NULL &&
           (clip->source.row_count - 1u) >> enc_restart_log2(clip->codec, &clip->options) == 0u;
}

/* Gives the bank a base row if that saves more than `least_bits` in addition to the section.
 * versions: of all clips. Returns ENC_OK or ENC_ERROR_MEMORY. */
int32_t enc_base_row_choose(enc_subtracks *subtracks, uint32_t version_count,
                            const enc_clip *const *versions, uint64_t least_bits);

/* The words of the section. */
static inline uint32_t enc_base_row_words(const enc_base_row *base, uint32_t subtracks)
{
    return (enc_base_offset(base, subtracks) + 1u) / 2u;
}

#endif
