/* The bits of dense clips. Keys come at every n-th frame, so that none say when; what a block says
 * about a variable track's range describes the track. */
#define osc_dense_codec enc_account_dense_codec
#define osc_dense_valid enc_account_dense_valid
#include "codecs/osc_dense.c"

#include "codecs/codecs.h"

static void claim_headers(enc_account *account)
{
    const osc_bank *bank = account->player.bank;
    osc_headers headers = osc_headers_open(&account->parts);
    headers.bits.position += FORM_BITS;
    uint32_t from = headers.bits.position;
    while (osc_headers_next(&headers, bank)) {
        osc_key_format format;
        (void)osc_key_format_take(&headers.bits, osc_subtrack_kind(bank, headers.subtrack),
                                  &format);
        enc_account_claim(account, headers.subtrack, ENC_BITS_HEADER, from, headers.bits.position);
        from = headers.bits.position;
    }
}

/* A block's fields for a variable track. With rate 0 they are its value. Returns the bits of its
 * components. */
static uint32_t claim_rate(enc_account *account, uint32_t form, osc_bits *rates)
{
    uint32_t from = rates->position, subtrack = OSC_KEY_OWN(form);
    uint32_t rate = osc_key_rate_bits(osc_bits_take(rates, OSC_KEY_RATE_BITS));
    uint32_t fields = rate != 0u ? rates->position + 48u : rates->position;
    rates->position += 48u + (rate == 0u && OSC_KEY_IS_SIGNED(form) ? 1u : 0u);
    enc_account_claim(account, subtrack, ENC_BITS_HEADER, from, fields);
    enc_account_claim(account, subtrack, ENC_BITS_VALUES, fields, rates->position);
    return rate;
}

/* Where the next key of each tier is; words is null before the first. */
typedef struct {
    osc_bits next[OSC_MAX_TIERS + 1u];
} tier_readers;

static enc_place place_of(const enc_account *account, uint32_t tier)
{
    if (tier == 0u)
        return account->stream;
    const osc_player *player = &account->player;
    osc_chunk chunk = player->bank->find_chunk(player->bank, tier, player->clip_number, 0);
    return (enc_place){chunk.words, 32u * chunk.word_count};
}

/* A track's part of all keys of a block. at, width: where it lies in a key, and its bits. */
static void claim_keys(enc_account *account, const key_map *map, uint32_t subtrack, uint32_t at,
                       uint32_t width)
{
    tier_readers readers = {{{0, 0, 0}}};
    for (uint32_t key = 0; key <= map->last_key; key++) {
        uint32_t tier = tier_of(map, key);
        if (!is_there(map, key))
            continue;
        osc_bits *bits = &readers.next[tier];
        if (bits->words == NULL)
            *bits = key_at(map, key);
        enc_place place = place_of(account, tier);
        enc_account_claim_at(account, &place, subtrack, ENC_BITS_VALUES, bits->position + at,
                             bits->position + at + width);
        bits->position += map->state[STATE_KEY_BITS];
    }
}

static void claim_block(enc_account *account, uint32_t number)
{
    osc_player *player = &account->player;
    const uint32_t *state = (const uint32_t *)player->state;
    uint32_t tiers = TIERS(state[STATE_FORM]), at = 0;
    osc_bits rates =
        osc_clip_stream(&account->parts, osc_clip_block_position(player, &account->parts, number));
    osc_dense_block block =
        osc_dense_block_at(number << account->parts.restart_log2, player->row_count,
                           account->parts.restart_log2, PERIOD(state[STATE_FORM]));
    uint32_t keys = osc_dense_key_count(&block);
    open_block(player, rates, number, keys);
    key_map map = {player, state, rates, keys - 1u, tiers};
    map.clip.position = state[STATE_KEYS] - map_bits(keys, tiers);
    const osc_key_format *format = (osc_key_format *)(player->state + STATE_HEADER_WORDS);
    for (uint32_t count = state[STATE_TRACKS]; count != 0u; count--, format++) {
        uint32_t rate = 0;
        if (is_variable(format->form))
            rate = claim_rate(account, format->form, &rates);
        uint32_t width = osc_key_bits(format->form, rate);
        claim_keys(account, &map, OSC_KEY_OWN(format->form), at, width);
        at += width;
    }
}

bool enc_account_dense(enc_account *account)
{
    claim_headers(account);
    for (uint32_t number = 0; number <= account->parts.restart_count; number++)
        claim_block(account, number);
    return true;
}
