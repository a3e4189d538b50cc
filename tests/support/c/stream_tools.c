/* A stream in a test; see the header. */
#include "stream_tools.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bank/osc_codecs.h"
#include "bank/osc_tiers.h"

static uint32_t or_else(uint32_t value, uint32_t otherwise)
{
    return value != 0u ? value : otherwise;
}

void stream_make(test_stream *s, tier_bank tiers, stream_setup setup)
{
    memset(s, 0, sizeof *s);
    s->tiers = tiers;
    tier_bank_lay(&s->tiers, setup.place, setup.gap);
    uint32_t unit = or_else(setup.unit_bytes, 256), align = or_else(setup.align_bytes, 4);
    medium_make(&s->medium, &s->tiers.medium, unit, align, or_else(setup.most_bytes, 4096));
    player_make(&s->made, tiers.bank.words, tiers.bank.count);
    player_make(&s->full, tiers.bank.words, tiers.bank.count);
    for (uint32_t tier = 0; tier < tiers.tier_count; tier++)
        if (osc_bank_attach_tier(&s->full.bank, tier + 1u, tiers.tiers[tier].words,
                                 tiers.tiers[tier].count * 4u) != OSC_OK)
            abort();
    uint32_t slots = or_else(setup.slots, tiers.chunk_count + 1u);
    uint32_t slot_words = (slots * OSC_STREAM_SLOT_WORDS + 15u) & ~15u;
    uint32_t pool_words = or_else(setup.pool_words, tiers.medium.count);
    uint32_t words = slot_words + pool_words + (tiers.chunk_count + 3u) / 4u;
    s->memory = aligned_alloc(64, ((size_t)words * 4u + 63u) & ~(size_t)63u);
    if (s->memory == 0)
        abort();
    memset(s->memory, 0xa5, (size_t)words * 4u);
    s->medium.memory = s->memory;
    s->medium.memory_words = words;
    if (osc_stream_init(&s->stream, &s->medium.medium, s->memory, words, slots) != OSC_OK ||
        osc_stream_add(&s->stream, &s->source, &s->made.bank, osc_all_checks, s->tiers.places) !=
            OSC_OK) {
        fprintf(stderr, "the test's stream does not begin\n");
        abort();
    }
}

void stream_free(test_stream *s)
{
    player_free(&s->made);
    player_free(&s->full);
    tier_bank_free(&s->tiers);
    free(s->memory);
}

uint32_t stream_bring(test_stream *s, osc_want want)
{
    uint32_t calls = 0;
    want.bank = &s->made.bank;
    while (calls < 1000u && osc_stream_want(&s->stream, &want) != 0) {
        osc_stream_update(&s->stream, 1000);
        calls++;
    }
    return calls;
}

static uint32_t hash_of(test_player *made, uint32_t clip, int32_t position_q11)
{
    if (made->player.clip == 0 || made->player.clip_number != clip)
        (void)osc_player_start(&made->player, clip, OSC_PLAY_AS_MADE);
    (void)osc_player_seek_q11(&made->player, position_q11);
    return pose_hash(made);
}

uint32_t stream_hash(test_stream *s, uint32_t clip, int32_t position_q11)
{
    return hash_of(&s->made, clip, position_q11);
}

uint32_t full_hash(test_stream *s, uint32_t clip, int32_t position_q11)
{
    return hash_of(&s->full, clip, position_q11);
}

uint32_t stream_chunks_there(const test_stream *s)
{
    osc_quality quality;
    osc_bank_quality(&s->made.bank, &quality);
    return quality.chunks_there;
}

uint32_t stream_number(const test_stream *s, uint32_t tier, uint32_t clip, uint32_t block)
{
    int32_t number = osc_chunk_number(&s->made.bank, tier, clip, block);
    if (number < 0)
        abort();
    return (uint32_t)number;
}

bool stream_has(const test_stream *s, uint32_t tier, uint32_t clip, uint32_t block)
{
    return osc_tier_chunk(&s->made.bank, tier, clip, block).words != 0;
}

void stream_pass_ms(test_stream *s, uint32_t ms)
{
    for (uint32_t i = 0; i < ms; i++)
        osc_stream_update(&s->stream, 1000);
}
