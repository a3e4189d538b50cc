/* SPDX-License-Identifier: MIT */
/* Opens banks with any codec. A program that does so links all codecs. */
#include "bank/osc_codecs.h"

static const osc_codec *const all_codecs[OSC_CODEC_COUNT] = {
    &osc_base_row_codec.entry,
#define OSC_CODEC(NAME, name, direct) &osc_##name##_codec,
#include "bank/osc_codecs.def"
#undef OSC_CODEC
};

osc_codec_check *const osc_all_checks[OSC_CODEC_COUNT] = {
    0,
#define OSC_CODEC(NAME, name, direct) osc_##name##_valid,
#include "bank/osc_codecs.def"
#undef OSC_CODEC
};

int32_t osc_bank_open(osc_bank *bank, const uint32_t *words, size_t size_bytes)
{
    return osc_bank_open_codecs(bank, words, size_bytes, all_codecs, osc_all_checks);
}

int32_t osc_bank_attach_tier(osc_bank *bank, uint32_t tier, const uint32_t *words,
                             size_t size_bytes)
{
    return osc_bank_attach_tier_codecs(bank, tier, words, size_bytes, osc_all_checks);
}

int32_t osc_bank_load(osc_bank *bank, const osc_source *source, uint32_t *words,
                      size_t capacity_bytes)
{
    int32_t size_bytes = osc_bank_read(source, words, capacity_bytes);
    if (size_bytes < 0)
        return size_bytes;
    int32_t status = osc_bank_open(bank, words, (size_t)size_bytes);
    return status == OSC_OK ? size_bytes : status;
}
