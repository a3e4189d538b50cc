/* The headers of a clip's tracks, which every codec checks. */
#ifndef VALID_H
#define VALID_H

#include "any.h"
#include "contracts.h"

enum { STREAM_WORDS = 6 };

static uint32_t stream[STREAM_WORDS];

/* Streams of several lengths that end with their memory, with headers of any length. */
static void check_streams(bool (*valid)(const osc_bank *bank, const osc_clip_parts *parts))
{
    osc_bank bank = any_bank();
    for (uint32_t count = 2; count <= STREAM_WORDS; count++) {
        osc_clip_parts parts = {0, 0, stream + (STREAM_WORDS - count), count, 0, 0, 0, 0};
        parts.header_bits = any_up_to(32u * count - 1u);
        parts.restart_log2 = any_up_to(31u);
        forget(stream);
        (void)valid(&bank, &parts);
    }
}

#endif
