/* Counts the bits of clips, and of their versions in tiers, by track. */
#include <stdlib.h>

#include "bank/osc_tiers.h"
#include "base/account.h"
#include "codecs/codecs.h"

/* Claims breaks, which state when their tracks jump. */
static void claim_breaks(enc_account *account, const enc_place *breaks)
{
    for (uint32_t i = 0; i < account->parts.break_count; i++) {
        uint32_t subtrack = osc_word(account->parts.breaks[i]) & OSC_BREAK_SUBTRACK_MASK;
        enc_account_claim_at(account, breaks, subtrack, ENC_BITS_KEYS, 32u * i, 32u * i + 32u);
    }
}

/* Claims the bits that osc_clip_fill_constants reads. */
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

/* A view of a bank in which a player sees only one version of its tiers, or only keys. */
typedef struct {
    osc_bank bank;
    uint32_t tier, block; /* of the version; tier 0: the base with its keys */
} bank_view;

/* The find function of a view: a starting player requests the first block, and gets the block to be
 * counted. */
static osc_chunk find_in_view(const osc_bank *bank, uint32_t tier, uint32_t clip, uint32_t block)
{
    const bank_view *view = (const bank_view *)bank;
    osc_chunk chunk = osc_tier_chunk(bank, tier, clip, view->tier != 0u ? view->block : block);
    if (view->tier != 0u ? tier != view->tier : chunk.codec != 0u)
        chunk.words = NULL;
    return chunk;
}

/* Returns the end of the current version's data: the last word of its chunk or, in the base, the
 * data of the next clip or the word of zeros after the last. */
static const uint32_t *data_end(const bank_view *view, const osc_player *player)
{
    const osc_bank *bank = &view->bank;
    uint32_t next = player->clip_number + 1u;
    if (next < bank->clip_count &&
        osc_clip_mirrored(bank, bank->clips + next * OSC_CLIP_ENTRY_WORDS))
        next++;
    if (view->tier != 0u || next == bank->clip_count)
        return player->data + player->data_words - 1u;
    return bank->data + osc_clip_offset(bank->clips + next * OSC_CLIP_ENTRY_WORDS);
}

/* The bits between two words; none if a damaged clip's tables reach beyond the end. */
static enc_place place_between(const uint32_t *from, const uint32_t *end)
{
    return (enc_place){from, from < end ? 32u * (uint32_t)(end - from) : 0u};
}

/* Claims the clip or version that the player of the account has started. */
static bool claim_version(enc_account *account, const bank_view *view)
{
    static bool (*const codecs[OSC_CODEC_COUNT])(enc_account *) = {
        NULL,
#define OSC_CODEC(NAME, name, direct) enc_account_##name,
#include "bank/osc_codecs.def"
#undef OSC_CODEC
    };
    const osc_player *player = &account->player;
    const uint32_t *end = data_end(view, player);
    account->parts = osc_player_parts(player);
    enc_place breaks = place_between(account->parts.breaks, end);
    account->stream = place_between(account->parts.stream, end);
    claim_breaks(account, &breaks);
    claim_constants(account);
    return account->parts.header_bits == 0u || codecs[osc_shape_codec(player->shape)](account);
}

static int32_t start_and_claim(enc_account *account, const bank_view *view, uint32_t clip)
{
    int32_t status = osc_player_start(&account->player, clip, OSC_PLAY_ONCE);
    return status == OSC_OK && !claim_version(account, view) ? OSC_ERROR_MEMORY : status;
}

/* Claims the base of a clip with its keys, and then each version that the bank contains. */
static int32_t claim_clip(enc_account *account, bank_view *view, uint32_t clip)
{
    const osc_bank *bank = &view->bank;
    const uint32_t *entry = bank->clips + clip * OSC_CLIP_ENTRY_WORDS;
    uint32_t last = osc_shape_frame_count(osc_clip_shape(entry)) - 1u;
    view->tier = 0;
    int32_t status = start_and_claim(account, view, clip);
    for (uint32_t tier = 1; tier <= bank->tier_count; tier++)
        for (uint32_t block = 0; block <= osc_block_of(bank, entry, last); block++) {
            osc_chunk chunk = osc_tier_chunk(bank, tier, clip, block);
            if (chunk.words == NULL || chunk.codec == 0u || status != OSC_OK)
                continue;
            view->tier = tier;
            view->block = block;
            status = start_and_claim(account, view, clip);
        }
    return status;
}

int32_t enc_bank_bits(const uint32_t *words, uint32_t word_count, uint32_t first_clip,
                      uint32_t clip_count, uint32_t *claimed, uint32_t *bits)
{
    bank_view view = {.tier = 0};
    const osc_bank *bank = &view.bank;
    int32_t status = osc_bank_open(&view.bank, words, (size_t)word_count * 4u);
    if (status != OSC_OK)
        return status;
    const osc_tier_code code = {find_in_view, osc_tier_functions.choose};
    if (bank->tier_count != 0u)
        view.bank.tier_code = &code;
    enc_account account = {.words = words, .claimed = claimed, .bits = bits};
    uint32_t memory_words = osc_player_memory_words(bank);
    int32_t *memory = calloc(memory_words + 1u, sizeof *memory);
    if (memory == NULL)
        return OSC_ERROR_MEMORY;
    status = osc_player_init(&account.player, bank, memory, memory_words);
    for (uint32_t i = 0; i < clip_count && status == OSC_OK; i++) {
        status = claim_clip(&account, &view, first_clip + i);
        account.bits += ENC_BITS_PARTS * osc_subtrack_count(bank);
    }
    free(memory);
    return status;
}
