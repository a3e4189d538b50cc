/* The dense codec: a key at every n-th frame, all keys of a block of the same length, so that any
 * row can be filled by itself.
 *
 * The state holds the key formats of the headers, and for one block the length of its keys and
 * where they begin. The fields of variable tracks are read from the block again for each row: that
 * takes no memory. */
#include "arithmetic/osc_quaternion.h"
#include "codecs/osc_dense_arithmetic.h"
#include "codecs/osc_headers.h"
#include "osc_codecs.h"

/* state: a header, then for each track its format, whose own bits are the subtrack */
enum {
    STATE_TRACKS,
    STATE_FORM,  /* frames from key to key, less one; above them the number of tiers */
    STATE_BLOCK, /* the one that was opened, or NO_BLOCK */
    STATE_KEYS,  /* bit offset of its keys */
    STATE_KEY_BITS,
    STATE_HEADER_WORDS
};
#define NO_BLOCK 0xffffffffu
#define PERIOD_BITS OSC_SPARSE_TIME_BITS
#define FORM_BITS (PERIOD_BITS + OSC_DENSE_TIER_BITS)
#define PERIOD(form) (((form) & ((1u << PERIOD_BITS) - 1u)) + 1u)
#define TIERS(form) ((form) >> PERIOD_BITS)

OSC_STATIC_ASSERT((uint32_t)STATE_HEADER_WORDS == OSC_DENSE_STATE_WORDS, state_words_agree);
OSC_STATIC_ASSERT(sizeof(osc_key_format) == 4u * OSC_DENSE_TRACK_WORDS, dense_track_words_agree);

/* ---- headers ---- */

bool osc_dense_valid(const osc_bank *bank, const osc_clip_parts *parts)
{
    if (parts->header_bits == 0u)
        return true;
    osc_headers headers = osc_headers_open(parts);
    uint32_t count = headers.left;
    if (TIERS(osc_bits_take(&headers.bits, FORM_BITS)) > OSC_MAX_TIERS)
        return false;
    while (osc_headers_next(&headers, bank)) {
        osc_key_format format;
        if (!osc_key_format_take(&headers.bits, osc_subtrack_kind(bank, headers.subtrack), &format))
            return false;
    }
    return headers.left == 0u &&
           OSC_DENSE_STATE_WORDS + OSC_DENSE_TRACK_WORDS * count <= bank->state_words &&
           headers.bits.position <= parts->header_bits;
}

static void dense_start(osc_player *player)
{
    const osc_bank *bank = player->bank;
    osc_clip_parts parts = osc_player_parts(player);
    if (parts.header_bits == 0u)
        return;
    osc_headers headers = osc_headers_open(&parts);
    uint32_t *state = (uint32_t *)player->state;
    state[STATE_TRACKS] = headers.left;
    state[STATE_FORM] = osc_bits_take(&headers.bits, FORM_BITS);
    state[STATE_BLOCK] = NO_BLOCK;
    osc_key_format *format = (osc_key_format *)(player->state + STATE_HEADER_WORDS);
    for (; osc_headers_next(&headers, bank); format++) {
        (void)osc_key_format_take(&headers.bits, osc_subtrack_kind(bank, headers.subtrack), format);
        format->form |= headers.subtrack << OSC_KEY_OWN_SHIFT;
    }
}

/* ---- blocks ---- */

static bool is_variable(uint32_t form)
{
    return OSC_KEY_CODING(form) == OSC_KEY_VARIABLE;
}

/* Bits of a block's map of keys to tiers. */
static uint32_t map_bits(uint32_t keys, uint32_t tiers)
{
    return tiers != 0u ? OSC_DENSE_TIER_BITS * keys + 32u * tiers : 0u;
}

/* Passes over the block's fields for its tracks, and adds up the bits of a key. */
static void open_block(osc_player *player, osc_bits bits, uint32_t block, uint32_t keys)
{
    uint32_t *state = (uint32_t *)player->state, key_bits = 0;
    const osc_key_format *format = (osc_key_format *)(player->state + STATE_HEADER_WORDS);
    for (uint32_t count = state[STATE_TRACKS]; count != 0u; count--, format++) {
        uint32_t rate = 0;
        if (is_variable(format->form)) {
            rate = osc_key_rate_bits(osc_bits_take(&bits, OSC_KEY_RATE_BITS));
            bits.position += 48u + (rate == 0u && OSC_KEY_IS_SIGNED(format->form) ? 1u : 0u);
        }
        key_bits += osc_key_bits(format->form, rate);
    }
    state[STATE_BLOCK] = block;
    state[STATE_KEYS] = bits.position + map_bits(keys, TIERS(state[STATE_FORM]));
    state[STATE_KEY_BITS] = key_bits;
}

/* ---- rows ---- */

/* Where the two keys of a row are. */
typedef struct key_pair {
    osc_bits rates;       /* the block's fields of the next variable track */
    osc_bits left, right; /* the next track's keys */
    int32_t part_q20;     /* weight of the right key; 0: the row is the left key */
} key_pair;

/* The next track's row. */
static void take_dense_row(key_pair *pair, const osc_key_format *format, int32_t *row)
{
    osc_key_block part = {0, 0};
    if (is_variable(format->form)) {
        if ((osc_bits_peek(&pair->rates) & 255u) == 0u) {
            pair->rates.position += OSC_KEY_RATE_BITS;
            osc_key_take_constant(&pair->rates, format, row);
            return;
        }
        part.rate_low = osc_bits_take(&pair->rates, 32u);
        part.size = osc_bits_take(&pair->rates, 24u);
    }
    osc_key_take_apart(&pair->left, &pair->rates, format, &part, row);
    if (pair->part_q20 == 0)
        return;
    int32_t right[4];
    osc_key_take_apart(&pair->right, &pair->rates, format, &part, right);
    osc_dense_mix(row, right, pair->part_q20, OSC_KEY_KIND(format->form) == OSC_KEY_ROTATION);
}

/* Where the keys of a block are: the first and the last in the clip, the others in the tiers of its
 * map. */
typedef struct key_map {
    const osc_player *player;
    const uint32_t *state;
    osc_bits clip; /* at the map */
    uint32_t last_key, tiers;
} key_map;

/* The tier of a key; 0: the clip. */
OSC_HOT_DENSE static uint32_t tier_of(const key_map *map, uint32_t key)
{
    if (map->tiers == 0u || key == 0u || key == map->last_key)
        return 0;
    osc_bits bits = map->clip;
    bits.position += OSC_DENSE_TIER_BITS * key;
    uint32_t tier = osc_bits_take(&bits, OSC_DENSE_TIER_BITS);
    return tier < map->tiers ? tier : map->tiers;
}

static bool is_there(const key_map *map, uint32_t key)
{
    uint32_t tier = tier_of(map, key);
    return tier == 0u || (map->player->key_tiers >> (tier - 1u) & 1u) != 0u;
}

/* A reader at a key whose tier is there. */
OSC_HOT_DENSE static osc_bits key_at(const key_map *map, uint32_t key)
{
    uint32_t tier = tier_of(map, key), before = map->tiers == 0u ? key : 0u;
    osc_bits bits = map->clip;
    for (uint32_t i = 0; i < key && map->tiers != 0u; i++)
        before += tier_of(map, i) == tier ? 1u : 0u;
    if (tier == 0u) {
        bits.position = map->state[STATE_KEYS];
    } else {
        bits.position += map_bits(map->last_key + 1u, tier) - 32u;
        bits.position = osc_bits_take(&bits, 32u);
        osc_chunk chunk = map->player->bank->find_chunk(map->player->bank, tier,
                                                        map->player->clip_number, 0);
        bits.words = chunk.words;
        bits.last_pair = chunk.word_count - 2u;
    }
    bits.position += before * map->state[STATE_KEY_BITS];
    return bits;
}

/* Finds the keys around a frame of the block that was opened. */
static void find_keys(const osc_player *player, const osc_dense_block *block, uint32_t frame,
                      key_pair *pair)
{
    const uint32_t *state = (const uint32_t *)player->state;
    uint32_t keys = osc_dense_key_count(block), tiers = TIERS(state[STATE_FORM]);
    key_map map = {player, state, pair->rates, keys - 1u, tiers};
    map.clip.position = state[STATE_KEYS] - map_bits(keys, tiers);
    uint32_t left = osc_dense_key_before(block, frame), right = left + 1u;
    while (!is_there(&map, left))
        left--;
    uint32_t before = osc_dense_key_frame(block, left);
    pair->left = key_at(&map, left);
    pair->part_q20 = 0;
    if (before == frame)
        return;
    while (!is_there(&map, right))
        right++;
    pair->right = key_at(&map, right);
    pair->part_q20 = osc_ratio(frame - before, osc_dense_key_frame(block, right) - before);
}

OSC_HOT_DENSE static void dense_unpack(osc_player *player, uint32_t frame)
{
    const osc_bank *bank = player->bank;
    osc_clip_parts parts = osc_player_parts(player);
    if (parts.header_bits == 0u)
        return;
    const uint32_t *state = (const uint32_t *)player->state;
    uint32_t number = frame >> parts.restart_log2;
    key_pair pair;
    pair.rates = osc_clip_stream(&parts, osc_clip_block_position(player, &parts, number));
    osc_dense_block block =
        osc_dense_block_at(frame, player->row_count, parts.restart_log2, PERIOD(state[STATE_FORM]));
    if (state[STATE_BLOCK] != number)
        open_block(player, pair.rates, number, osc_dense_key_count(&block));
    find_keys(player, &block, frame, &pair);
    const osc_key_format *format = (osc_key_format *)(player->state + STATE_HEADER_WORDS);
    for (uint32_t count = state[STATE_TRACKS]; count != 0u; count--, format++) {
        uint32_t subtrack = OSC_KEY_OWN(format->form), offset = osc_subtrack_offset(bank, subtrack);
        int32_t *row = player->rows[frame & 1u] + offset;
        take_dense_row(&pair, format, row);
        if (subtrack < bank->rotation_subtracks)
            player->chords[subtrack] = osc_chord_q20(player->rows[(frame & 1u) ^ 1u] + offset, row);
    }
}

const osc_codec osc_dense_codec = {dense_start, dense_unpack};
