#include "solve/codec_table.h"

const enc_codec *const enc_codecs[ENC_CODECS] = {
#define OSC_CODEC(NAME, name, direct) &enc_##name##_codec,
#include "bank/osc_codecs.def"
#undef OSC_CODEC
};

const enc_codec *enc_codec_of(uint32_t codec)
{
    for (uint32_t i = 0; i < ENC_CODECS; i++)
        if (enc_codecs[i]->codec == codec)
            return enc_codecs[i];
    return NULL;
}
