/* The dense codec: a key at every n-th frame. All keys of a block have the same length, so that any
 * row can be filled independently.
 *
 * The state contains the key formats of the headers and, for one block, the length and the start of
 * its keys. The fields of variable tracks are read from the block again for each row, which saves
 * memory. */
#include "arithmetic/osc_quaternion.h"
#include "bank/osc_codecs.h"
#include "codecs/osc_headers.h"
#include "published/osc_dense_arithmetic.h"

/* state: a header, then the CLASS_ words of each class of a clip with tiers, then each track's
 * format, whose own bits are the subtrack */
enum {
    STATE_TRACKS,
    STATE_FORM,  /* as in the clip's headers: period, tiers, classes */
    STATE_BLOCK, /* the open block, or NO_BLOCK */
    STATE_KEYS,  /* bit offset of its keys in the clip */
    STATE_KEY_BITS,
    STATE_HEADER_WORDS
};
enum {
    CLASS_KEY_BITS, /* of all tracks of the class */
    CLASS_COUNTS,   /* a byte a tier: the class's keys in the clip and lower tiers; above: all */
    CLASS_WORDS
};
#define NO_BLOCK 0xffffffffu
#define NO_PLACE 0xffffffffu
#define COUNTS_IN_WORD 4u
#define PERIOD_BITS OSC_SPARSE_TIME_BITS
#define FORM_BITS (PERIOD_BITS + OSC_DENSE_TIER_BITS)
#define PERIOD(form) (((form) & ((1u << PERIOD_BITS) - 1u)) + 1u)
#define TIERS(form) (((form) >> PERIOD_BITS) & ((1u << OSC_DENSE_TIER_BITS) - 1u))
#define CLASSES(form) (((form) >> FORM_BITS) + 1u)

OSC_STATIC_ASSERT((uint32_t)STATE_HEADER_WORDS == OSC_DENSE_STATE_WORDS, state_words_agree);
OSC_STATIC_ASSERT((uint32_t)CLASS_WORDS == OSC_DENSE_CLASS_WORDS, class_words_agree);
OSC_STATIC_ASSERT(sizeof(osc_key_format) == 4u * OSC_DENSE_TRACK_WORDS, dense_track_words_agree);

/* Words of state that the classes take. */
static uint32_t class_words(uint32_t form)
{
    return TIERS(form) != 0u ? CLASS_WORDS * CLASSES(form) : 0u;
}

static osc_key_format *formats_of(uint32_t *state)
{
    return (osc_key_format *)(state + STATE_HEADER_WORDS + class_words(state[STATE_FORM]));
}

/* ---- headers ---- */

static uint32_t take_form(osc_bits *bits)
{
    uint32_t form = osc_bits_take(bits, FORM_BITS);
    return TIERS(form) != 0u ? form | osc_bits_take(bits, OSC_DENSE_CLASS_BITS) << FORM_BITS : form;
}

bool osc_dense_valid(const osc_bank *bank, const osc_clip_parts *parts)
{
    if (parts->header_bits == 0u)
        return true;
    osc_headers headers = osc_headers_open(parts);
    uint32_t count = headers.left, form = take_form(&headers.bits);
    if (TIERS(form) > OSC_MAX_TIERS ||
        (TIERS(form) != 0u && parts->restart_log2 > OSC_DENSE_BLOCK_LOG2_MAX))
        return false;
    while (osc_headers_next(&headers, bank)) {
        osc_key_format format;
        if (!osc_key_format_take(&headers.bits, osc_subtrack_kind(bank, headers.subtrack), &format))
            return false;
    }
    uint32_t words = OSC_DENSE_STATE_WORDS + class_words(form) + OSC_DENSE_TRACK_WORDS * count;
    return headers.left == 0u && words <= bank->state_words &&
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
    state[STATE_FORM] = take_form(&headers.bits);
    state[STATE_BLOCK] = NO_BLOCK;
    osc_key_format *format = formats_of(state);
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

/* The class of a track's keys. rate_field: 0 for tracks without one. */
static uint32_t class_of(uint32_t rate_field, uint32_t classes)
{
    uint32_t number = osc_key_class(rate_field);
    return number < classes ? number : classes - 1u;
}

/* Reads the order of a block's keys and their numbers, which precede the keys. */
static void open_classes(uint32_t *state, osc_bits *bits, uint32_t keys, uint32_t order_bits)
{
    uint32_t tiers = TIERS(state[STATE_FORM]), *at = state + STATE_HEADER_WORDS;
    bits->position += order_bits * keys;
    for (uint32_t left = CLASSES(state[STATE_FORM]); left != 0u; left--, at += CLASS_WORDS) {
        uint32_t counts =
            0; /* built by fixed shifts, because compilers vectorise variable shifts with floats */
        for (uint32_t tier = 0; tier < COUNTS_IN_WORD; tier++) {
            uint32_t count = keys;
            if (tier < tiers)
                count = osc_bits_take(bits, order_bits) + OSC_DENSE_LEAST_KEYS;
            counts = counts >> 8 | (count < keys ? count : keys) << 24;
        }
        at[CLASS_COUNTS] = counts;
    }
    bits->position += 32u * tiers;
}

/* Skips the block's fields for its tracks, and adds up the bits of a key. */
static void open_block(osc_player *player, osc_bits bits, uint32_t block, uint32_t keys,
                       uint32_t order_bits)
{
    uint32_t *state = (uint32_t *)player->state, *classes = state + STATE_HEADER_WORDS;
    uint32_t form = state[STATE_FORM], key_bits = 0;
    const osc_key_format *format = formats_of(state);
    for (uint32_t i = 0; i < class_words(form); i++)
        classes[i] = 0;
    for (uint32_t count = state[STATE_TRACKS]; count != 0u; count--, format++) {
        uint32_t field = 0, rate = 0;
        if (is_variable(format->form)) {
            field = osc_bits_take(&bits, OSC_KEY_RATE_BITS);
            rate = osc_key_rate_bits(field);
            bits.position += 48u + (rate == 0u && OSC_KEY_IS_SIGNED(format->form) ? 1u : 0u);
        }
        uint32_t width = osc_key_bits(format->form, rate);
        key_bits += width;
        if (TIERS(form) != 0u)
            classes[CLASS_WORDS * class_of(field, CLASSES(form)) + CLASS_KEY_BITS] += width;
    }
    if (TIERS(form) != 0u)
        open_classes(state, &bits, keys, order_bits);
    state[STATE_BLOCK] = block;
    state[STATE_KEYS] = bits.position;
    state[STATE_KEY_BITS] = key_bits;
}

/* ---- keys ---- */

/* The two keys around a row, for all tracks of a class. */
typedef struct key_pair {
    osc_bits left, right; /* at the next track */
    int32_t part_q20;     /* weight of the right key; 0: the row is the left key */
} key_pair;

/* The positions of the keys of an open block: their order and, for each class, the number of keys,
 * in that order, in the clip and in each tier. */
typedef struct key_map {
    const osc_player *player;
    const uint32_t *state;
    const osc_dense_block *block;
    osc_bits order;
    uint32_t last_key, order_bits, tiers;
} key_map;

static key_map map_of(const osc_player *player, const osc_dense_block *block, osc_bits clip,
                      uint32_t order_bits)
{
    key_map map = {player, (const uint32_t *)player->state, block, clip, 0, order_bits, 0};
    uint32_t form = map.state[STATE_FORM], keys = osc_dense_key_count(block);
    map.last_key = keys - 1u;
    map.tiers = TIERS(form);
    map.order.position =
        map.state[STATE_KEYS] - 32u * map.tiers - order_bits * (keys + map.tiers * CLASSES(form));
    return map;
}

/* The index of a key in the order. Both ends come first, whatever the stream contains. */
OSC_HOT_DENSE static uint32_t place_of_key(const key_map *map, uint32_t key)
{
    if (key == 0u || key == map->last_key)
        return key != 0u ? 1u : 0u;
    osc_bits bits = map->order;
    bits.position += map->order_bits * key;
    return osc_bits_take(&bits, map->order_bits);
}

/* The number of keys of a class in the clip and the first tiers. */
static uint32_t keys_with(const key_map *map, const uint32_t *of_class, uint32_t tiers)
{
    return tiers < map->tiers ? of_class[CLASS_COUNTS] >> (8u * tiers) & 255u : map->last_key + 1u;
}

/* Sets the readers of the clip and the tiers to the first key of a block. tiers: in memory */
OSC_HOT_DENSE static void place_readers(const key_map *map, osc_bits *readers, uint32_t tiers)
{
    osc_bits offsets = map->order;
    readers[0] = map->order;
    readers[0].position = map->state[STATE_KEYS];
    offsets.position = map->state[STATE_KEYS] - 32u * map->tiers;
    for (uint32_t tier = 1; tier <= tiers; tier++) {
        readers[tier].words = 0;
        readers[tier].position = osc_bits_take(&offsets, 32u);
    }
}

/* Finds a tier's chunk once a row has a key there. Out of line, because it would take registers
 * from the loop over classes. */
OSC_HOT_DENSE OSC_NOINLINE void find_chunk(const osc_player *player, osc_bits *reader,
                                           uint32_t tier)
{
    osc_chunk chunk = player->bank->tier_code->find(player->bank, tier, player->clip_number, 0);
    reader->words = chunk.words;
    reader->last_pair = chunk.word_count - 2u;
}

/* Moves the readers from the first key of a class to that of the next, and sets another reader to a
 * key that exists. place: of the key in the order */
OSC_HOT_DENSE static void pass_class(const key_map *map, const uint32_t *of_class,
                                     osc_bits *readers, uint32_t tiers, uint32_t place,
                                     osc_bits *key)
{
    uint32_t counts = of_class[CLASS_COUNTS], key_bits = of_class[CLASS_KEY_BITS], before = 0;
    uint32_t all = (map->last_key + 1u) << 24; /* follows the counts of a word */
    for (uint32_t tier = 0; tier <= tiers; tier++, counts = counts >> 8 | all) {
        uint32_t with = counts & 255u, position = readers[tier].position;
        if (place < with) {
            if (readers[tier].words == 0)
                find_chunk(map->player, &readers[tier], tier);
            *key = readers[tier];
            key->position = position + (place - before) * key_bits;
            place = NO_PLACE;
        }
        readers[tier].position = position + (with - before) * key_bits;
        before = with;
    }
}

/* Returns a reader at an existing key: its index in the order is below the keys of the leading
 * tiers. readers: at the class's first keys */
OSC_HOT_DENSE static osc_bits key_at(const key_map *map, const uint32_t *of_class,
                                     osc_bits *readers, uint32_t place)
{
    uint32_t tier = 0, before = 0, with;
    while (place >= (with = keys_with(map, of_class, tier))) {
        before = with;
        tier++;
    }
    if (readers[tier].words == 0)
        find_chunk(map->player, &readers[tier], tier);
    osc_bits bits = readers[tier];
    bits.position += (place - before) * of_class[CLASS_KEY_BITS];
    return bits;
}

/* Finds the keys of a class around a frame without a key of its own. key: the last key at or before
 * that frame, existing or not, and its index; returns the index of the left key. */
OSC_HOT_DENSE static uint32_t find_keys(const key_map *map, const uint32_t *of_class,
                                        osc_bits *readers, uint32_t most, uint32_t frame,
                                        uint32_t key, uint32_t place, key_pair *pair)
{
    uint32_t left = key, right = key + 1u, right_place;
    while (place >= most)
        place = place_of_key(map, --left);
    uint32_t before = osc_dense_key_frame(map->block, left);
    while ((right_place = place_of_key(map, right)) >= most)
        right++;
    pair->right = key_at(map, of_class, readers, right_place);
    pair->part_q20 = osc_ratio(frame - before, osc_dense_key_frame(map->block, right) - before);
    return place;
}

/* Finds the keys around a frame of a clip with tiers, for each class. A class that has a key at the
 * frame needs no search. */
OSC_HOT_DENSE static void find_all_keys(const key_map *map, uint32_t frame, key_pair *pairs)
{
    osc_bits readers[OSC_MAX_TIERS + 1u];
    const uint32_t *of_class = map->state + STATE_HEADER_WORDS;
    uint32_t tiers = map->player->key_tiers < map->tiers ? map->player->key_tiers : map->tiers;
    uint32_t key = osc_dense_key_before(map->block, frame), first_place = place_of_key(map, key);
    bool at_key = osc_dense_key_frame(map->block, key) == frame;
    place_readers(map, readers, tiers);
    for (uint32_t left = CLASSES(map->state[STATE_FORM]); left != 0u;
         left--, of_class += CLASS_WORDS, pairs++) {
        uint32_t place = first_place, most = keys_with(map, of_class, tiers);
        pairs->part_q20 = 0;
        if (of_class[CLASS_KEY_BITS] == 0u) {
            pairs->left = readers[0];
            continue;
        }
        if (!at_key || place >= most)
            place = find_keys(map, of_class, readers, most, frame, key, place, pairs);
        pass_class(map, of_class, readers, tiers, place, &pairs->left);
    }
}

/* Finds them in a clip without tiers, whose keys are in the order of frames. */
static void find_keys_in_clip(const key_map *map, uint32_t frame, key_pair *pair)
{
    uint32_t left = osc_dense_key_before(map->block, frame);
    uint32_t before = osc_dense_key_frame(map->block, left);
    pair->left = map->order;
    pair->left.position = map->state[STATE_KEYS] + left * map->state[STATE_KEY_BITS];
    pair->part_q20 = 0;
    if (before == frame)
        return;
    pair->right = pair->left;
    pair->right.position += map->state[STATE_KEY_BITS];
    pair->part_q20 = osc_ratio(frame - before, osc_dense_key_frame(map->block, left + 1u) - before);
}

/* ---- rows ---- */

/* The next track's row. rates: at the block's fields of the next variable track */
static void take_dense_row(osc_bits *rates, key_pair *pairs, uint32_t classes,
                           const osc_key_format *format, int32_t *row)
{
    osc_key_block part = {0, 0};
    if (is_variable(format->form)) {
        if ((osc_bits_peek(rates) & OSC_KEY_RATE_MASK) == 0u) {
            rates->position += OSC_KEY_RATE_BITS;
            osc_key_take_constant(rates, format, row);
            return;
        }
        part.rate_low = osc_bits_take(rates, 32u);
        part.size = osc_bits_take(rates, 24u);
    }
    key_pair *pair = pairs + class_of(part.rate_low, classes);
    osc_key_take_apart(&pair->left, rates, format, &part, row);
    if (pair->part_q20 == 0)
        return;
    int32_t right[4];
    osc_key_take_apart(&pair->right, rates, format, &part, right);
    osc_dense_mix(row, right, pair->part_q20, OSC_KEY_KIND(format->form) == OSC_KEY_ROTATION);
}

OSC_HOT_DENSE static void dense_unpack(osc_player *player, uint32_t frame)
{
    const osc_bank *bank = player->bank;
    osc_clip_parts parts = osc_player_parts(player);
    if (parts.header_bits == 0u)
        return;
    uint32_t *state = (uint32_t *)player->state;
    uint32_t number = frame >> parts.restart_log2, form = state[STATE_FORM];
    uint32_t order_bits = osc_dense_order_bits(parts.restart_log2);
    osc_bits rates = osc_clip_stream(&parts, osc_clip_block_position(player, &parts, number));
    osc_dense_block block =
        osc_dense_block_at(frame, player->row_count, parts.restart_log2, PERIOD(form));
    if (state[STATE_BLOCK] != number)
        open_block(player, rates, number, osc_dense_key_count(&block), order_bits);
    key_pair pairs[OSC_DENSE_CLASSES];
    key_map map = map_of(player, &block, rates, order_bits);
    if (map.tiers != 0u)
        find_all_keys(&map, frame, pairs);
    else
        find_keys_in_clip(&map, frame, pairs);
    const osc_key_format *format = formats_of(state);
    for (uint32_t count = state[STATE_TRACKS]; count != 0u; count--, format++) {
        uint32_t subtrack = OSC_KEY_OWN(format->form), offset = osc_subtrack_offset(bank, subtrack);
        int32_t *row = player->rows[frame & 1u] + offset;
        take_dense_row(&rates, pairs, CLASSES(form), format, row);
        if (subtrack < bank->rotation_subtracks)
            player->chords[subtrack] = osc_chord_q20(player->rows[(frame & 1u) ^ 1u] + offset, row);
    }
}

const osc_codec osc_dense_codec = {dense_start, dense_unpack};
