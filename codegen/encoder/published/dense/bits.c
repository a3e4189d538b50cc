/* The bits of dense clips. Keys are at every n-th frame, so no bits state times; a block's range of
 * a variable track counts as its description. */
#include <string.h>

#include "codecs/codecs.h"
#include "published/osc_dense_keys.h"

static void claim_headers(enc_account *account)
{
    const osc_bank *bank = account->player.bank;
    osc_headers headers = osc_headers_open(&account->parts);
    (void)osc_dense_take_form(&headers.bits);
    uint32_t from = headers.bits.position;
    while (osc_headers_next(&headers, bank)) {
        osc_key_format format;
        (void)osc_key_format_take(&headers.bits, osc_subtrack_kind(bank, headers.subtrack),
                                  &format);
        enc_account_claim(account, headers.subtrack, ENC_BITS_HEADER, from, headers.bits.position);
        from = headers.bits.position;
    }
}

/* A block's fields for a variable track. With rate 0 they are its value. Returns the field with the
 * rate. */
static uint32_t claim_rate(enc_account *account, uint32_t form, osc_bits *rates)
{
    uint32_t from = rates->position, subtrack = OSC_KEY_OWN(form);
    uint32_t field = osc_bits_take(rates, OSC_KEY_RATE_BITS), rate = osc_key_rate_bits(field);
    uint32_t fields = rate != 0u ? rates->position + 48u : rates->position;
    rates->position += 48u + (rate == 0u && OSC_KEY_IS_SIGNED(form) ? 1u : 0u);
    enc_account_claim(account, subtrack, ENC_BITS_HEADER, from, fields);
    enc_account_claim(account, subtrack, ENC_BITS_VALUES, fields, rates->position);
    return field;
}

/* The positions of the keys of a block, by class. */
typedef struct {
    osc_bits readers[OSC_DENSE_CLASSES][OSC_MAX_TIERS + 1u]; /* at the first key of the class */
    uint32_t at[OSC_DENSE_CLASSES]; /* of the next track in a key of the class */
    uint32_t tiers;                 /* that are there */
} class_positions;

/* The first positions of all classes. A clip without tiers has one, with the keys of all tracks. */
static void find_classes(const osc_dense_key_map *map, class_positions *positions)
{
    const uint32_t *of_class = map->state + OSC_DENSE_STATE_WORDS;
    osc_bits readers[OSC_MAX_TIERS + 1u], unused;
    positions->tiers = map->player->key_tiers < map->tiers ? map->player->key_tiers : map->tiers;
    osc_dense_place_readers(map, readers, positions->tiers);
    for (uint32_t number = 0; number < OSC_DENSE_CLASSES_OF(map->state[OSC_DENSE_STATE_FORM]);
         number++, of_class += OSC_DENSE_CLASS_WORDS) {
        memcpy(positions->readers[number], readers, sizeof readers);
        positions->at[number] = 0;
        if (map->tiers != 0u)
            osc_dense_pass_class(map, of_class, readers, positions->tiers, OSC_DENSE_NO_PLACE,
                                 &unused);
    }
}

static enc_place place_of(const enc_account *account, const osc_bits *bits)
{
    if (bits->words == account->stream.words)
        return account->stream;
    return (enc_place){bits->words, 32u * (bits->last_pair + 2u)};
}

/* A track's part of all keys of a block. width: its bits in a key */
static void claim_keys(enc_account *account, const osc_dense_key_map *map,
                       class_positions *positions, uint32_t subtrack, uint32_t number,
                       uint32_t width)
{
    const uint32_t *of_class = map->state + OSC_DENSE_STATE_WORDS + OSC_DENSE_CLASS_WORDS * number;
    uint32_t at = positions->at[number];
    for (uint32_t key = 0; key <= map->last_key; key++) {
        osc_bits bits = positions->readers[0][0];
        if (map->tiers == 0u) {
            bits.position += key * map->state[OSC_DENSE_STATE_KEY_BITS];
        } else {
            uint32_t index = osc_dense_place_of_key(map, key);
            if (index >= osc_dense_keys_with(map, of_class, positions->tiers))
                continue;
            bits = osc_dense_key_at(map, of_class, positions->readers[number], index);
        }
        enc_place in = place_of(account, &bits);
        enc_account_claim_at(account, &in, subtrack, ENC_BITS_VALUES, bits.position + at,
                             bits.position + at + width);
    }
    positions->at[number] += width;
}

static void claim_block(enc_account *account, uint32_t number)
{
    osc_player *player = &account->player;
    uint32_t *state = (uint32_t *)player->state;
    uint32_t order_bits = osc_dense_order_bits(account->parts.restart_log2);
    osc_bits rates =
        osc_clip_stream(&account->parts, osc_clip_block_position(player, &account->parts, number));
    osc_dense_block block = osc_dense_block_at(number << account->parts.restart_log2,
                                               player->row_count, account->parts.restart_log2,
                                               OSC_DENSE_PERIOD(state[OSC_DENSE_STATE_FORM]));
    class_positions positions;
    osc_dense_open_block(player, rates, number, osc_dense_key_count(&block), order_bits);
    osc_dense_key_map map = osc_dense_map(player, &block, rates, order_bits);
    find_classes(&map, &positions);
    const osc_key_format *format = osc_dense_formats(state);
    for (uint32_t count = state[OSC_DENSE_STATE_TRACKS]; count != 0u; count--, format++) {
        uint32_t field = 0;
        if (osc_dense_is_variable(format->form))
            field = claim_rate(account, format->form, &rates);
        claim_keys(account, &map, &positions, OSC_KEY_OWN(format->form),
                   osc_dense_class_of(field, OSC_DENSE_CLASSES_OF(state[OSC_DENSE_STATE_FORM])),
                   osc_key_bits(format->form, osc_key_rate_bits(field)));
    }
}

bool enc_account_dense(enc_account *account)
{
    claim_headers(account);
    for (uint32_t number = 0; number <= account->parts.restart_count; number++)
        claim_block(account, number);
    return true;
}
