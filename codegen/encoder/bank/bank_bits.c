/* Counts the bits of clips by track. */
#include <stdlib.h>

#include "bank/osc_tiers.h"
#include "base/account.h"
#include "codecs/codecs.h"

/* A break says when its track jumps. */
static void claim_breaks(enc_account *account, const enc_place *breaks)
{
    for (uint32_t i = 0; i < account->parts.break_count; i++) {
        uint32_t subtrack = osc_word(account->parts.breaks[i]) & OSC_BREAK_SUBTRACK_MASK;
        enc_account_claim_at(account, breaks, subtrack, ENC_BITS_KEYS, 32u * i, 32u * i + 32u);
    }
}

/* What osc_clip_fill_constants reads. */
static void claim_constants(enc_account *account)
{
    const osc_bank *bank = account->player.bank;
    osc_bits bits = osc_clip_stream(&account->parts, account->parts.header_bits);
    uint32_t left = osc_bits_take_rice_unsigned(&bits, OSC_CONSTANT_COUNT_RICE);
    for (uint32_t subtrack = 0; left != 0u; subtrack++, left--) {
        uint32_t from = bits.position, width;
        uint32_t gap = osc_bits_take_rice_unsigned(&bits, OSC_CONSTANT_GAP_RICE);
        if (gap >= osc_subtrack_count(bank) - subtrack)
            break;
        subtrack += gap;
        if (subtrack < bank->rotation_subtracks) {
            uint32_t shift = osc_bits_take(&bits, 7u) >> 2;
            width = OSC_CONSTANT_ROTATION_WIDTH -
                    (shift < OSC_ROTATION_SHIFT_MAX ? shift : OSC_ROTATION_SHIFT_MAX);
        } else {
            width = (osc_bits_take(&bits, 10u) >> 5) + 1u;
        }
        enc_account_claim(account, subtrack, ENC_BITS_HEADER, from, bits.position);
        from = bits.position;
        bits.position += 3u * width;
        enc_account_claim(account, subtrack, ENC_BITS_VALUES, from, bits.position);
    }
}

/* Where a clip's data ends: at that of the next clip, or at the word of zeros after the last. */
static const uint32_t *data_end(const osc_bank *bank, uint32_t clip)
{
    if (clip + 1u == bank->clip_count)
        return bank->data + bank->data_words - 1u;
    return bank->data + osc_clip_offset(bank->clips + (clip + 1u) * OSC_CLIP_ENTRY_WORDS);
}

/* The bits between two words; none where a damaged clip's tables reach over the end. */
static enc_place place_between(const uint32_t *from, const uint32_t *end)
{
    return (enc_place){from, from < end ? 32u * (uint32_t)(end - from) : 0u};
}

/* The data of the version that plays, up to `end`. Returns false without memory. */
static bool claim_version(enc_account *account, const uint32_t *end)
{
    static bool (*const codecs[OSC_CODEC_COUNT])(enc_account *) = {
        NULL,
#define OSC_CODEC(NAME, name, direct) enc_account_##name,
#include "osc_codecs.def"
#undef OSC_CODEC
    };
    const osc_player *player = &account->player;
    account->parts = osc_player_parts(player);
    enc_place breaks = place_between(account->parts.breaks, end);
    account->stream = place_between(account->parts.stream, end);
    claim_breaks(account, &breaks);
    claim_constants(account);
    return account->parts.header_bits == 0u || codecs[osc_shape_codec(player->shape)](account);
}

/* What a tier has for the first block of a clip: a version (its codec), or keys or nothing (0). */
static uint32_t first_version(const osc_bank *bank, uint32_t tier, uint32_t clip)
{
    int32_t number = osc_chunk_number(bank, tier, clip, 0);
    return number < 0 ? 0u : osc_chunk_describe(bank, tier, (uint32_t)number).codec;
}

/* Takes away the tiers that have another version of the clip than its own. */
static void keep_base(osc_bank *bank, const osc_bank *whole, uint32_t clip)
{
    for (uint32_t tier = 1; tier <= whole->tier_count; tier++)
        bank->tiers[tier - 1u] =
            first_version(bank, tier, clip) == 0u ? whole->tiers[tier - 1u] : NULL;
    bank->tier_changes++;
}

static void keep_tier(osc_bank *bank, const osc_bank *whole, uint32_t kept)
{
    for (uint32_t tier = 1; tier <= whole->tier_count; tier++)
        bank->tiers[tier - 1u] = tier == kept ? whole->tiers[tier - 1u] : NULL;
    bank->tier_changes++;
}

/* The versions that a tier has of a clip. */
static bool claim_tier(enc_account *account, osc_bank *bank, const osc_bank *whole, uint32_t tier,
                       uint32_t clip)
{
    keep_tier(bank, whole, tier);
    for (uint32_t number = osc_chunks_end(bank, tier - 1u); number < osc_chunks_end(bank, tier);
         number++) {
        osc_chunk_entry entry = osc_chunk_describe(bank, tier, number);
        if (entry.clip != clip || entry.codec == 0u || bank->tiers[tier - 1u] == NULL)
            continue;
        uint32_t frame = entry.block << bank->block_log2;
        const uint32_t *words = bank->tiers[tier - 1u] + entry.offset_words;
        if (osc_player_start(&account->player, clip, OSC_PLAY_ONCE) != OSC_OK ||
            osc_player_seek_q11(&account->player, (int32_t)(frame * OSC_ONE_Q11)) < 0)
            return false;
        if (!claim_version(account, words + entry.word_count - 1u))
            return false;
    }
    return true;
}

/* All that a bank contains of a clip. Keys in tiers are part of the base's version. */
static bool claim_clip(enc_account *account, osc_bank *bank, const osc_bank *whole, uint32_t clip)
{
    keep_base(bank, whole, clip);
    if (osc_player_start(&account->player, clip, OSC_PLAY_ONCE) != OSC_OK ||
        !claim_version(account, data_end(bank, clip)))
        return false;
    bool complete = true;
    for (uint32_t tier = 1; tier <= bank->tier_count && complete; tier++)
        complete = claim_tier(account, bank, whole, tier, clip);
    return complete;
}

int32_t enc_bank_bits(const uint32_t *words, uint32_t word_count, uint32_t first_clip,
                      uint32_t clip_count, uint32_t *claimed, uint32_t *bits)
{
    osc_bank bank;
    int32_t status = osc_bank_open(&bank, words, (size_t)word_count * 4u);
    if (status != OSC_OK)
        return status;
    const osc_bank whole = bank;
    enc_account account = {.words = words, .claimed = claimed, .bits = bits};
    uint32_t memory_words = osc_player_memory_words(&bank);
    int32_t *memory = calloc(memory_words + 1u, sizeof *memory);
    if (memory == NULL)
        return OSC_ERROR_MEMORY;
    status = osc_player_init(&account.player, &bank, memory, memory_words);
    for (uint32_t i = 0; i < clip_count && status == OSC_OK; i++) {
        if (!claim_clip(&account, &bank, &whole, first_clip + i))
            status = first_clip + i < bank.clip_count ? OSC_ERROR_MEMORY : OSC_ERROR_NOT_FOUND;
        account.bits += ENC_BITS_PARTS * osc_subtrack_count(&bank);
    }
    free(memory);
    return status;
}
