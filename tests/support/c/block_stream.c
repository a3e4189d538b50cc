/* A stream that reads blocks of the finest tier; see the header. */
#include "block_stream.h"

#include "bank/osc_tiers.h"
#include "check.h"

const uint32_t fine_blocks[6] = {0, 1, 2, 4, 5, 6};

void block_stream_make(test_stream *s, uint32_t chunks, uint32_t slots)
{
    tier_bank tiers = tier_bank_of_blocks();
    stream_make(
        s, tiers,
        (stream_setup){.pool_words = chunks * tiers.most_words, .slots = slots, .unit_bytes = 4});
    for (uint32_t tier = 1; tier < FINE_TIER; tier++)
        assert_int_equal(osc_bank_attach_tier(&s->made.bank, tier, tiers.tiers[tier - 1u].words,
                                              tiers.tiers[tier - 1u].count * 4u),
                         OSC_OK);
}

osc_want block_of(const test_stream *s, uint32_t block)
{
    return (osc_want){.bank = &s->made.bank, .clip = PLAIN_LONG, .frame = block * PLAIN_BLOCK};
}

bool has_block(const test_stream *s, uint32_t block)
{
    return stream_has(s, FINE_TIER, PLAIN_LONG, block);
}

void stream_bring_now(test_stream *s, osc_want want)
{
    assert_true(osc_stream_want(&s->stream, &want) >= 0);
    osc_stream_update(&s->stream, 1);
    osc_stream_update(&s->stream, 1);
}

void let_wants_fade(test_stream *s)
{
    osc_stream_update(&s->stream, 2u * OSC_STREAM_GRACE_US);
}
