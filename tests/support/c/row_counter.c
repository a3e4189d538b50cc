/* Codecs that count; see the header. */
#include "row_counter.h"

#include "bank/osc_codecs.h"
#include "bank/osc_internal.h"

uint32_t rows_unpacked;

static const osc_codec *const *real;

static void count_unpack(osc_player *player, uint32_t frame)
{
    rows_unpacked++;
    real[osc_shape_codec(player->shape)]->unpack(player, frame);
}

void count_rows(osc_bank *bank)
{
    static osc_codec counted[OSC_CODEC_COUNT];
    static const osc_codec *codecs[OSC_CODEC_COUNT];
    real = bank->codecs;
    codecs[OSC_CODEC_BASE_ROW] = real[OSC_CODEC_BASE_ROW];
    for (uint32_t codec = 1; codec < OSC_CODEC_COUNT; codec++) {
        counted[codec] = (osc_codec){real[codec]->start, count_unpack};
        codecs[codec] = &counted[codec];
    }
    bank->codecs = codecs;
}
