/* The accuracy of a bank with the tiers that are present. */
#include "bank/osc_tiers.h"
#include "player.h"

/* Counts tiers and chunks that have come or gone. */
EXPORT("changes") uint32_t changes(const stage *stage);
uint32_t changes(const stage *stage)
{
    return stage->opened->bank.tier_changes;
}

/* The error that a clip keeps at a frame, in metres as Q20; 0 where the bank does not know it. */
EXPORT("quality") int32_t quality(const stage *stage, uint32_t clip, uint32_t frame);
int32_t quality(const stage *stage, uint32_t clip, uint32_t frame)
{
    return osc_clip_quality_q20(&stage->opened->bank, clip, frame);
}

/* The finest tier that is there of a clip at a frame; 0: the base. */
EXPORT("tier_at") uint32_t tier_at(const stage *stage, uint32_t clip, uint32_t frame);
uint32_t tier_at(const stage *stage, uint32_t clip, uint32_t frame)
{
    const osc_bank *bank = &stage->opened->bank;
    const uint32_t *entry = bank->clips + clip * OSC_CLIP_ENTRY_WORDS;
    uint32_t block = osc_block_of(bank, entry, frame);
    for (uint32_t tier = bank->tier_count; tier > 0u; tier--) {
        int32_t number = osc_chunk_for_block(bank, tier, clip, block);
        if (number < 0)
            continue;
        osc_chunk_entry chunk = osc_chunk_describe(bank, tier, (uint32_t)number);
        if (osc_tier_chunk(bank, tier, clip, chunk.block).words != 0)
            return tier;
    }
    return 0;
}
