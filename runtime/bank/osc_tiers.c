/* SPDX-License-Identifier: MIT */
/* The directory of tiers: checked once, looked up whenever a player chooses a version. */
#include "bank/osc_tiers.h"

static uint32_t chunk_key(uint32_t clip, uint32_t block)
{
    return clip << OSC_CHUNK_CLIP_SHIFT | block << OSC_CHUNK_BLOCK_SHIFT;
}

int32_t osc_chunk_number(const osc_bank *bank, uint32_t tier, uint32_t clip, uint32_t block)
{
    uint32_t low = osc_chunks_end(bank, tier - 1u), high = osc_chunks_end(bank, tier);
    uint32_t key = chunk_key(clip, block);
    /* Usually a tier has one chunk for every clip; the first guess then finds it. */
    uint32_t number = low + clip < high ? low + clip : (low + high) >> 1;
    while (low < high) {
        uint32_t found =
            osc_word(osc_chunk_words(bank, number)[OSC_CHUNK_KEY]) & ~OSC_CHUNK_CODEC_MASK;
        if (found == key)
            return (int32_t)number;
        if (found < key)
            low = number + 1u;
        else
            high = number;
        number = (low + high) >> 1;
    }
    return OSC_ERROR_NOT_FOUND;
}

/* Words of a chunk, which ends where the next chunk begins or at the end of the tier. */
static uint32_t chunk_word_count(const osc_bank *bank, uint32_t tier, uint32_t number)
{
    const uint32_t *words = osc_chunk_words(bank, number);
    uint32_t end = number + 1u < osc_chunks_end(bank, tier)
                       ? osc_word(words[OSC_CHUNK_ENTRY_WORDS + OSC_CHUNK_OFFSET])
                       : osc_word(osc_tier_record(bank, tier)[OSC_TIER_SIZE_WORDS]);
    return end - osc_word(words[OSC_CHUNK_OFFSET]);
}

osc_chunk_entry osc_chunk_describe(const osc_bank *bank, uint32_t tier, uint32_t number)
{
    const uint32_t *words = osc_chunk_words(bank, number);
    uint32_t key = osc_word(words[OSC_CHUNK_KEY]);
    osc_chunk_entry entry;
    entry.tier = tier;
    entry.clip = key >> OSC_CHUNK_CLIP_SHIFT;
    entry.block = (key >> OSC_CHUNK_BLOCK_SHIFT) & OSC_CHUNK_BLOCK_MASK;
    entry.codec = key & OSC_CHUNK_CODEC_MASK;
    entry.offset_words = osc_word(words[OSC_CHUNK_OFFSET]);
    entry.word_count = chunk_word_count(bank, tier, number);
    entry.crc = osc_word(words[OSC_CHUNK_CRC]);
    return entry;
}

int32_t osc_chunk_for_block(const osc_bank *bank, uint32_t tier, uint32_t clip, uint32_t block)
{
    int32_t number = osc_chunk_number(bank, tier, clip, block);
    if (number < 0 && block != 0u) {
        number = osc_chunk_number(bank, tier, clip, 0);
        if (number >= 0 && osc_chunk_describe(bank, tier, (uint32_t)number).codec != 0u)
            number = OSC_ERROR_NOT_FOUND;
    }
    return number;
}

osc_chunk osc_tier_chunk(const osc_bank *bank, uint32_t tier, uint32_t clip, uint32_t block)
{
    osc_chunk chunk = {0, 0, 0};
    const uint32_t *whole = bank->tiers[tier - 1u];
    int32_t number = osc_chunk_number(bank, tier, clip, block);
    if (number < 0)
        return chunk;
    const uint32_t *entry = osc_chunk_words(bank, (uint32_t)number);
    chunk.codec = osc_word(entry[OSC_CHUNK_KEY]) & OSC_CHUNK_CODEC_MASK;
    chunk.word_count = chunk_word_count(bank, tier, (uint32_t)number);
    if (whole != 0)
        chunk.words = whole + osc_word(entry[OSC_CHUNK_OFFSET]);
    else if (bank->chunks != 0)
        chunk.words = bank->chunks->find(bank->chunks, (uint32_t)number);
    return chunk;
}

/* ---- choice of versions ---- */

/* Chooses the finest version of a block of frames in memory. */
static void take_finest(osc_player *player, uint32_t block)
{
    const osc_bank *bank = player->bank;
    osc_player_take_base(player);
    for (uint32_t tier = bank->tier_count; tier > 0u; tier--) {
        osc_chunk chunk = bank->tier_code->find(bank, tier, player->clip_number, block);
        if (chunk.words == 0 || chunk.codec == 0u)
            continue;
        player->data = chunk.words + 1;
        player->data_words = chunk.word_count - 1u;
        player->shape = osc_word(chunk.words[0]);
        player->first_frame = block << bank->block_log2;
        player->tier = (uint8_t)tier;
        return;
    }
}

/* The number of leading tiers whose keys for the bank's own version are in memory. */
static uint32_t count_key_tiers(const osc_player *player)
{
    const osc_bank *bank = player->bank;
    uint32_t tiers = 0;
    while (tiers < bank->tier_count && player->tier == 0u) {
        osc_chunk chunk = bank->tier_code->find(bank, tiers + 1u, player->clip_number, 0);
        if (chunk.words == 0 || chunk.codec != 0u)
            break;
        tiers++;
    }
    return tiers;
}

/* If the version is unchanged, its words may still have moved in memory. */
static bool choose_version(osc_player *player, uint32_t frame)
{
    const osc_bank *bank = player->bank;
    uint32_t first_frame = player->first_frame, tier = player->tier;
    player->tier_changes = bank->tier_changes;
    player->block = (uint16_t)(frame >> bank->block_log2);
    take_finest(player, osc_block_of(bank, player->clip, frame));
    uint32_t key_tiers = count_key_tiers(player);
    if (player->key_tiers != key_tiers)
        player->primed = false;
    player->key_tiers = (uint8_t)key_tiers;
    return player->tier != tier || player->first_frame != first_frame;
}

const osc_tier_code osc_tier_functions = {osc_tier_chunk, choose_version};

/* ---- checks ---- */

/* The frames of a block, which shares its last frame with the next block. */
static uint32_t frames_of_block(const osc_bank *bank, const uint32_t *clip, uint32_t block)
{
    uint32_t frames = osc_shape_frame_count(osc_clip_shape(clip));
    uint32_t left = frames - (block << bank->block_log2);
    return left - 1u > 1u << bank->block_log2 ? (1u << bank->block_log2) + 1u : left;
}

static uint32_t last_block(const osc_bank *bank, const uint32_t *clip)
{
    return osc_block_of(bank, clip, osc_shape_frame_count(osc_clip_shape(clip)) - 1u);
}

int32_t osc_chunk_check(const osc_bank *bank, const osc_chunk_entry *entry, const uint32_t *words,
                        osc_codec_check *const *checks)
{
    const uint32_t *clip = bank->clips + entry->clip * OSC_CLIP_ENTRY_WORDS;
    if (entry->codec == 0u)
        return OSC_OK; /* any bits are valid keys */
    uint32_t shape = osc_word(words[0]);
    bool loops = last_block(bank, clip) == 0u && osc_shape_loops(osc_clip_shape(clip));
    if (osc_shape_additive(shape) != osc_shape_additive(osc_clip_shape(clip)) ||
        osc_shape_codec(shape) != entry->codec || osc_shape_loops(shape) != loops ||
        osc_shape_frame_count(shape) != frames_of_block(bank, clip, entry->block))
        return OSC_ERROR_CLIP;
    return osc_clip_check(bank, shape, words + 1, entry->word_count - 1u, checks);
}

/* Returns whether an entry names a block of a clip. All keys of a dense clip are in one chunk. */
static bool entry_valid(const osc_bank *bank, const osc_chunk_entry *entry)
{
    if (entry->clip >= bank->clip_count || entry->codec > OSC_CODEC_LAST)
        return false;
    const uint32_t *clip = bank->clips + entry->clip * OSC_CLIP_ENTRY_WORDS;
    if (entry->codec == 0u)
        return entry->block == 0u && osc_shape_codec(osc_clip_shape(clip)) == OSC_CODEC_DENSE &&
               entry->word_count >= OSC_CHUNK_LEAST_WORDS;
    return entry->block <= last_block(bank, clip) && entry->word_count >= OSC_VERSION_LEAST_WORDS;
}

/* Returns whether the entries of a tier ascend and its chunks follow each other without gaps. */
static bool entries_valid(const osc_bank *bank, uint32_t tier)
{
    uint32_t first = osc_chunks_end(bank, tier - 1u), end = osc_chunks_end(bank, tier);
    uint32_t size_words = osc_word(osc_tier_record(bank, tier)[OSC_TIER_SIZE_WORDS]);
    if ((first == end) != (size_words == 0u) || size_words > OSC_CLIP_OFFSET_MASK)
        return false;
    for (uint32_t number = first; number < end; number++) {
        osc_chunk_entry entry = osc_chunk_describe(bank, tier, number);
        if (entry.offset_words >= size_words || entry.word_count > size_words - entry.offset_words)
            return false;
        if (number == first ? entry.offset_words != 0u
                            : chunk_key(entry.clip, entry.block) <=
                                  (osc_word(osc_chunk_words(bank, number - 1u)[OSC_CHUNK_KEY]) &
                                   ~OSC_CHUNK_CODEC_MASK))
            return false;
        if (!entry_valid(bank, &entry))
            return false;
    }
    return true;
}

/* Returns whether the numbers of all blocks fit their bits. */
static bool blocks_numbered(const osc_bank *bank)
{
    const uint32_t *clip = bank->clips;
    for (uint32_t i = 0; i < bank->clip_count; i++, clip += OSC_CLIP_ENTRY_WORDS)
        if (last_block(bank, clip) > OSC_CHUNK_BLOCK_MASK)
            return false;
    return true;
}

static bool directory_valid(osc_bank *bank, osc_section table)
{
    if (table.count < OSC_TIERS_HEADER_WORDS)
        return false;
    uint32_t form = osc_word(table.words[OSC_TIERS_FORM]);
    uint32_t tiers = form & ((1u << OSC_TIERS_BLOCK_SHIFT) - 1u);
    uint32_t block_log2 = form >> OSC_TIERS_BLOCK_SHIFT;
    if (tiers == 0u || tiers > OSC_MAX_TIERS || block_log2 > OSC_BLOCK_LOG2_MAX)
        return false;
    uint32_t left = table.count - OSC_TIERS_HEADER_WORDS, before = 0;
    if (left < tiers * OSC_TIER_WORDS)
        return false;
    left -= tiers * OSC_TIER_WORDS;
    bank->tier_count = (uint8_t)tiers;
    bank->block_log2 = (uint8_t)block_log2;
    if (!blocks_numbered(bank))
        return false;
    for (uint32_t tier = 1; tier <= tiers; tier++) {
        uint32_t end = osc_chunks_end(bank, tier);
        if (end < before || end > left / OSC_CHUNK_ENTRY_WORDS)
            return false;
        before = end;
    }
    if (left != before * OSC_CHUNK_ENTRY_WORDS)
        return false;
    for (uint32_t tier = 1; tier <= tiers; tier++)
        if (!entries_valid(bank, tier))
            return false;
    return true;
}

/* Checks the chunks of a whole tier. crc: also check their checksums, which the bank's own checksum
 * covers if it contains the tier. */
static int32_t check_tier(const osc_bank *bank, uint32_t tier, const uint32_t *words, bool crc,
                          osc_codec_check *const *checks)
{
    for (uint32_t number = osc_chunks_end(bank, tier - 1u); number < osc_chunks_end(bank, tier);
         number++) {
        osc_chunk_entry entry = osc_chunk_describe(bank, tier, number);
        const uint32_t *chunk = words + entry.offset_words;
        if (crc && (osc_crc_words(0xffffffffu, chunk, entry.word_count) ^ 0xffffffffu) != entry.crc)
            return OSC_ERROR_CRC;
        int32_t status = osc_chunk_check(bank, &entry, chunk, checks);
        if (status != OSC_OK)
            return status;
    }
    return OSC_OK;
}

int32_t osc_tiers_open(osc_bank *bank, const osc_tier_sections *found,
                       osc_codec_check *const *checks)
{
    bank->tier_table = found->table.words;
    bank->tier_code = 0;
    bank->chunks = 0;
    bank->tier_changes = 0;
    bank->tier_count = bank->tiers_there = 0;
    bank->block_log2 = OSC_BLOCK_LOG2_MAX;
    if (found->table.words != 0) {
        if (!directory_valid(bank, found->table))
            return OSC_ERROR_SECTION;
        bank->tier_code = &osc_tier_functions;
    }
    for (uint32_t i = 0; i < OSC_MAX_TIERS; i++) {
        osc_section tier = found->whole[i];
        if (tier.words != 0 &&
            (i >= bank->tier_count ||
             tier.count != osc_word(osc_tier_record(bank, i + 1u)[OSC_TIER_SIZE_WORDS])))
            return OSC_ERROR_SECTION;
        bank->tiers[i] = tier.words;
        bank->tiers_there = (uint8_t)(bank->tiers_there | (tier.words != 0 ? 1u << i : 0u));
    }
    int32_t status = OSC_OK;
    for (uint32_t tier = 1; tier <= bank->tier_count && status == OSC_OK; tier++)
        if (bank->tiers[tier - 1u] != 0)
            status = check_tier(bank, tier, bank->tiers[tier - 1u], false, checks);
    return status;
}

int32_t osc_bank_attach_tier_codecs(osc_bank *bank, uint32_t tier, const uint32_t *words,
                                    size_t size_bytes, osc_codec_check *const *checks)
{
    OSC_ASSERT(bank != 0 && checks != 0);
    if (tier == 0u || tier > bank->tier_count)
        return OSC_ERROR_NOT_FOUND;
    if (words != 0) {
        if (((uintptr_t)words & 3u) != 0u)
            return OSC_ERROR_ALIGNMENT;
        if ((size_bytes & 3u) != 0u)
            return OSC_ERROR_SIZE;
        if (size_bytes / 4u != osc_word(osc_tier_record(bank, tier)[OSC_TIER_SIZE_WORDS]))
            return OSC_ERROR_SIZE;
        int32_t status = check_tier(bank, tier, words, true, checks);
        if (status != OSC_OK)
            return status;
    }
    uint32_t bit = 1u << (tier - 1u);
    bank->tiers[tier - 1u] = words;
    bank->tiers_there = (uint8_t)((bank->tiers_there & ~bit) | (words != 0 ? bit : 0u));
    bank->tier_changes++;
    return OSC_OK;
}

/* ---- quality ---- */

static bool is_there(const osc_bank *bank, const osc_chunk_entry *entry)
{
    return osc_tier_chunk(bank, entry->tier, entry->clip, entry->block).words != 0;
}

/* The tiers up to which a block of a clip is complete. A version replaces all tiers below it, and a
 * tier without data for the block counts as complete. */
static uint32_t complete_tiers(const osc_bank *bank, uint32_t clip, uint32_t block)
{
    uint32_t complete = bank->tier_count;
    for (uint32_t tier = bank->tier_count; tier > 0u; tier--) {
        int32_t number = osc_chunk_for_block(bank, tier, clip, block);
        if (number < 0)
            continue;
        osc_chunk_entry entry = osc_chunk_describe(bank, tier, (uint32_t)number);
        if (!is_there(bank, &entry))
            complete = tier - 1u;
        else if (entry.codec != 0u)
            return complete;
    }
    return complete;
}

static int32_t error_with(const osc_bank *bank, uint32_t tiers)
{
    return (int32_t)osc_word(tiers == 0u ? bank->tier_table[OSC_TIERS_ERROR_Q20]
                                         : osc_tier_record(bank, tiers)[OSC_TIER_ERROR_Q20]);
}

int32_t osc_clip_quality_q20(const osc_bank *bank, uint32_t clip, uint32_t frame)
{
    if (clip >= bank->clip_count)
        return OSC_ERROR_NOT_FOUND;
    if (bank->tier_count == 0u)
        return 0;
    const uint32_t *entry = bank->clips + clip * OSC_CLIP_ENTRY_WORDS;
    uint32_t last = osc_shape_frame_count(osc_clip_shape(entry)) - 1u;
    uint32_t block = osc_block_of(bank, entry, frame < last ? frame : last);
    return error_with(bank, complete_tiers(bank, clip, block));
}

/* The tiers up to which all blocks that an entry serves are complete: its block or, for keys, all
 * blocks of the clip, some of which may have versions that need no keys. */
static uint32_t complete_for(const osc_bank *bank, const osc_chunk_entry *entry)
{
    uint32_t last = entry->block, least = bank->tier_count;
    if (entry->codec == 0u)
        last = last_block(bank, bank->clips + entry->clip * OSC_CLIP_ENTRY_WORDS);
    for (uint32_t block = entry->block; block <= last; block++) {
        uint32_t complete = complete_tiers(bank, entry->clip, block);
        least = complete < least ? complete : least;
    }
    return least;
}

void osc_bank_quality(const osc_bank *bank, osc_quality *quality)
{
    uint32_t least = bank->tier_count, chunks_there = 0;
    for (uint32_t tier = 1; tier <= bank->tier_count; tier++)
        for (uint32_t number = osc_chunks_end(bank, tier - 1u); number < osc_chunks_end(bank, tier);
             number++) {
            osc_chunk_entry entry = osc_chunk_describe(bank, tier, number);
            uint32_t complete = complete_for(bank, &entry);
            least = complete < least ? complete : least;
            chunks_there += is_there(bank, &entry) ? 1u : 0u;
        }
    quality->error_q20 = quality->finest_error_q20 = 0;
    quality->chunks = osc_chunks_end(bank, bank->tier_count);
    quality->chunks_there = chunks_there;
    if (bank->tier_count != 0u) {
        quality->error_q20 = error_with(bank, least);
        quality->finest_error_q20 = error_with(bank, bank->tier_count);
    }
}
