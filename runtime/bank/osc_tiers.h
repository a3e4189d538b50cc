/* SPDX-License-Identifier: MIT */
/* Tiers: finer versions of clips, and keys of dense clips, in chunks that come and go while the
 * bank plays. The bank contains their directory, by which a chunk is found in a whole tier or among
 * the chunks that a stream has read. */
#ifndef OSC_TIERS_H
#define OSC_TIERS_H

#include "bank/osc_codecs.h"
#include "bank/osc_internal.h"

typedef struct osc_section {
    const uint32_t *words; /* null if the bank does not have it */
    uint32_t count;
} osc_section;

typedef struct osc_tier_sections {
    osc_section table, whole[OSC_MAX_TIERS];
} osc_tier_sections;

/* Checks the directory and the tiers that the bank contains, whose clips are open. */
int32_t osc_tiers_open(osc_bank *bank, const osc_tier_sections *found,
                       osc_codec_check *const *checks);

/* The kind of a chunk, by its number in the directory. */
typedef struct osc_chunk_entry {
    uint32_t tier, clip, block, codec;
    uint32_t offset_words, word_count, crc; /* in the tier */
} osc_chunk_entry;

static inline const uint32_t *osc_tier_record(const osc_bank *bank, uint32_t tier)
{
    return bank->tier_table + OSC_TIERS_HEADER_WORDS + (tier - 1u) * OSC_TIER_WORDS;
}

/* The number of the first entry after those of a tier; tier 0: 0. */
static inline uint32_t osc_chunks_end(const osc_bank *bank, uint32_t tier)
{
    return tier == 0u ? 0u : osc_word(osc_tier_record(bank, tier)[OSC_TIER_CHUNKS_END]);
}

static inline const uint32_t *osc_chunk_words(const osc_bank *bank, uint32_t entry)
{
    return osc_tier_record(bank, bank->tier_count + 1u) + entry * OSC_CHUNK_ENTRY_WORDS;
}

/* The block of a clip's frame. The clip's last frame belongs to the block that ends with it. */
static inline uint32_t osc_block_of(const osc_bank *bank, const uint32_t *clip, uint32_t frame)
{
    uint32_t block = frame >> bank->block_log2,
             last = osc_shape_frame_count(osc_clip_shape(clip)) - 1u;
    return block != 0u && frame == last && block << bank->block_log2 == frame ? block - 1u : block;
}

/* The number of a chunk's entry, or a negative number if the tier has no such chunk. tier: 1.. */
int32_t osc_chunk_number(const osc_bank *bank, uint32_t tier, uint32_t clip, uint32_t block);

/* The number of the chunk that serves a block of a clip, or a negative number. All blocks of a clip
 * share a chunk of keys. */
int32_t osc_chunk_for_block(const osc_bank *bank, uint32_t tier, uint32_t clip, uint32_t block);

osc_chunk_entry osc_chunk_describe(const osc_bank *bank, uint32_t tier, uint32_t number);

/* The chunk of a tier (1 .. tier_count) for a block of a clip: in the whole tier if that is
 * attached, otherwise among the separately loaded chunks. */
osc_chunk osc_tier_chunk(const osc_bank *bank, uint32_t tier, uint32_t clip, uint32_t block);

/* Checks the contents of a chunk, but not its CRC. */
int32_t osc_chunk_check(const osc_bank *bank, const osc_chunk_entry *entry, const uint32_t *words,
                        osc_codec_check *const *checks);

#endif
