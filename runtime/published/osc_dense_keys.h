/* SPDX-License-Identifier: MIT */
/* Finds the keys of a block of a dense clip, for the codec and for the encoder, which counts
 * their bits. Functions are not inline: that keyword would enlarge the codec by up to a fifth. */
#ifndef OSC_DENSE_KEYS_H
#define OSC_DENSE_KEYS_H

#include "codecs/osc_headers.h"
#include "published/osc_dense_arithmetic.h"

/* state: a header, then for each class of a clip with tiers its OSC_DENSE_CLASS_WORDS, then for
 * each track its format, whose own bits are the subtrack */
enum {
    OSC_DENSE_STATE_TRACKS,
    OSC_DENSE_STATE_FORM,  /* as in the clip's headers: period, tiers, classes */
    OSC_DENSE_STATE_BLOCK, /* the one that was opened, or OSC_DENSE_NO_BLOCK */
    OSC_DENSE_STATE_KEYS,  /* bit offset of its keys in the clip */
    OSC_DENSE_STATE_KEY_BITS
};
enum {
    OSC_DENSE_CLASS_KEY_BITS, /* of all tracks of the class */
    OSC_DENSE_CLASS_COUNTS /* a byte a tier: its keys in the clip and the tiers below; above: all */
};
#define OSC_DENSE_NO_BLOCK 0xffffffffu
#define OSC_DENSE_NO_PLACE 0xffffffffu
#define OSC_DENSE_COUNTS_IN_WORD 4u
#define OSC_DENSE_PERIOD_BITS OSC_SPARSE_TIME_BITS
#define OSC_DENSE_FORM_BITS (OSC_DENSE_PERIOD_BITS + OSC_DENSE_TIER_BITS)
#define OSC_DENSE_PERIOD(form) (((form) & ((1u << OSC_DENSE_PERIOD_BITS) - 1u)) + 1u)
#define OSC_DENSE_TIERS(form)                                                                      \
    (((form) >> OSC_DENSE_PERIOD_BITS) & ((1u << OSC_DENSE_TIER_BITS) - 1u))
#define OSC_DENSE_CLASSES_OF(form) (((form) >> OSC_DENSE_FORM_BITS) + 1u)

OSC_STATIC_ASSERT(OSC_DENSE_STATE_KEY_BITS + 1u == OSC_DENSE_STATE_WORDS, state_words_agree);
OSC_STATIC_ASSERT(OSC_DENSE_CLASS_COUNTS + 1u == OSC_DENSE_CLASS_WORDS, class_words_agree);
OSC_STATIC_ASSERT(sizeof(osc_key_format) == 4u * OSC_DENSE_TRACK_WORDS, dense_track_words_agree);

/* Words of state that the classes take. */
static uint32_t osc_dense_class_words(uint32_t form)
{
    return OSC_DENSE_TIERS(form) != 0u ? OSC_DENSE_CLASS_WORDS * OSC_DENSE_CLASSES_OF(form) : 0u;
}

static osc_key_format *osc_dense_formats(uint32_t *state)
{
    return (osc_key_format *)(state + OSC_DENSE_STATE_WORDS +
                              osc_dense_class_words(state[OSC_DENSE_STATE_FORM]));
}

static uint32_t osc_dense_take_form(osc_bits *bits)
{
    uint32_t form = osc_bits_take(bits, OSC_DENSE_FORM_BITS);
    return OSC_DENSE_TIERS(form) != 0u
               ? form | osc_bits_take(bits, OSC_DENSE_CLASS_BITS) << OSC_DENSE_FORM_BITS
               : form;
}

static bool osc_dense_is_variable(uint32_t form)
{
    return OSC_KEY_CODING(form) == OSC_KEY_VARIABLE;
}

/* The class of a track's keys. rate_field: 0 for tracks without. */
static uint32_t osc_dense_class_of(uint32_t rate_field, uint32_t classes)
{
    uint32_t number = osc_key_class(rate_field);
    return number < classes ? number : classes - 1u;
}

/* Takes the order of a block's keys and their numbers, which stand before the keys. */
static void osc_dense_open_classes(uint32_t *state, osc_bits *bits, uint32_t keys,
                                   uint32_t order_bits)
{
    uint32_t tiers = OSC_DENSE_TIERS(state[OSC_DENSE_STATE_FORM]),
             *at = state + OSC_DENSE_STATE_WORDS;
    bits->position += order_bits * keys;
    for (uint32_t left = OSC_DENSE_CLASSES_OF(state[OSC_DENSE_STATE_FORM]); left != 0u;
         left--, at += OSC_DENSE_CLASS_WORDS) {
        uint32_t counts = 0; /* built by fixed shifts: compilers vectorise others with floats */
        for (uint32_t tier = 0; tier < OSC_DENSE_COUNTS_IN_WORD; tier++) {
            uint32_t count = keys;
            if (tier < tiers)
                count = osc_bits_take(bits, order_bits) + OSC_DENSE_LEAST_KEYS;
            counts = counts >> 8 | (count < keys ? count : keys) << 24;
        }
        at[OSC_DENSE_CLASS_COUNTS] = counts;
    }
    bits->position += 32u * tiers;
}

/* Passes over the block's fields for its tracks, and adds up the bits of a key. */
static void osc_dense_open_block(osc_player *player, osc_bits bits, uint32_t block, uint32_t keys,
                                 uint32_t order_bits)
{
    uint32_t *state = (uint32_t *)player->state, *classes = state + OSC_DENSE_STATE_WORDS;
    uint32_t form = state[OSC_DENSE_STATE_FORM], key_bits = 0;
    const osc_key_format *format = osc_dense_formats(state);
    for (uint32_t i = 0; i < osc_dense_class_words(form); i++)
        classes[i] = 0;
    for (uint32_t count = state[OSC_DENSE_STATE_TRACKS]; count != 0u; count--, format++) {
        uint32_t field = 0, rate = 0;
        if (osc_dense_is_variable(format->form)) {
            field = osc_bits_take(&bits, OSC_KEY_RATE_BITS);
            rate = osc_key_rate_bits(field);
            bits.position += 48u + (rate == 0u && OSC_KEY_IS_SIGNED(format->form) ? 1u : 0u);
        }
        uint32_t width = osc_key_bits(format->form, rate);
        key_bits += width;
        if (OSC_DENSE_TIERS(form) != 0u)
            classes[OSC_DENSE_CLASS_WORDS * osc_dense_class_of(field, OSC_DENSE_CLASSES_OF(form)) +
                    OSC_DENSE_CLASS_KEY_BITS] += width;
    }
    if (OSC_DENSE_TIERS(form) != 0u)
        osc_dense_open_classes(state, &bits, keys, order_bits);
    state[OSC_DENSE_STATE_BLOCK] = block;
    state[OSC_DENSE_STATE_KEYS] = bits.position;
    state[OSC_DENSE_STATE_KEY_BITS] = key_bits;
}

/* The positions of the keys of an open block: their order, and for each class how many of the
 * first ones in that order the clip has, and each tier. */
typedef struct osc_dense_key_map {
    const osc_player *player;
    const uint32_t *state;
    const osc_dense_block *block;
    osc_bits order;
    uint32_t last_key, order_bits, tiers;
} osc_dense_key_map;

static osc_dense_key_map osc_dense_map(const osc_player *player, const osc_dense_block *block,
                                       osc_bits clip, uint32_t order_bits)
{
    osc_dense_key_map map = {player, (const uint32_t *)player->state, block, clip, 0, order_bits,
                             0};
    uint32_t form = map.state[OSC_DENSE_STATE_FORM], keys = osc_dense_key_count(block);
    map.last_key = keys - 1u;
    map.tiers = OSC_DENSE_TIERS(form);
    map.order.position = map.state[OSC_DENSE_STATE_KEYS] - 32u * map.tiers -
                         order_bits * (keys + map.tiers * OSC_DENSE_CLASSES_OF(form));
    return map;
}

/* The place of a key in the order; both ends are first whatever the stream says. */
OSC_HOT_DENSE static uint32_t osc_dense_place_of_key(const osc_dense_key_map *map, uint32_t key)
{
    if (key == 0u || key == map->last_key)
        return key != 0u ? 1u : 0u;
    osc_bits bits = map->order;
    bits.position += map->order_bits * key;
    return osc_bits_take(&bits, map->order_bits);
}

/* The number of keys of a class in the clip and the first tiers. */
static uint32_t osc_dense_keys_with(const osc_dense_key_map *map, const uint32_t *of_class,
                                    uint32_t tiers)
{
    return tiers < map->tiers ? of_class[OSC_DENSE_CLASS_COUNTS] >> (8u * tiers) & 255u
                              : map->last_key + 1u;
}

/* The clip's and the tiers' readers, at the first key of a block. tiers: that are there */
OSC_HOT_DENSE static void osc_dense_place_readers(const osc_dense_key_map *map, osc_bits *readers,
                                                  uint32_t tiers)
{
    osc_bits offsets = map->order;
    readers[0] = map->order;
    readers[0].position = map->state[OSC_DENSE_STATE_KEYS];
    offsets.position = map->state[OSC_DENSE_STATE_KEYS] - 32u * map->tiers;
    for (uint32_t tier = 1; tier <= tiers; tier++) {
        readers[tier].words = 0;
        readers[tier].position = osc_bits_take(&offsets, 32u);
    }
}

/* Looks for a tier's chunk, once a row has a key there. Apart, for it would take registers from the
 * loop over classes. */
OSC_HOT_DENSE OSC_NOINLINE void osc_dense_find_chunk(const osc_player *player, osc_bits *reader,
                                                     uint32_t tier)
{
    osc_chunk chunk = player->bank->tier_code->find(player->bank, tier, player->clip_number, 0);
    reader->words = chunk.words;
    reader->last_pair = chunk.word_count - 2u;
}

/* Moves the readers from the first key of a class to that of the next, and sets another one to a
 * key that is there. place: of the key in the order */
OSC_HOT_DENSE static void osc_dense_pass_class(const osc_dense_key_map *map,
                                               const uint32_t *of_class, osc_bits *readers,
                                               uint32_t tiers, uint32_t place, osc_bits *key)
{
    uint32_t counts = of_class[OSC_DENSE_CLASS_COUNTS],
             key_bits = of_class[OSC_DENSE_CLASS_KEY_BITS], before = 0;
    uint32_t all = (map->last_key + 1u) << 24; /* follows the counts of a word */
    for (uint32_t tier = 0; tier <= tiers; tier++, counts = counts >> 8 | all) {
        uint32_t with = counts & 255u, position = readers[tier].position;
        if (place < with) {
            if (readers[tier].words == 0)
                osc_dense_find_chunk(map->player, &readers[tier], tier);
            *key = readers[tier];
            key->position = position + (place - before) * key_bits;
            place = OSC_DENSE_NO_PLACE;
        }
        readers[tier].position = position + (with - before) * key_bits;
        before = with;
    }
}

/* A reader at a key that is there: its place in the order is below the keys of the first tiers.
 * readers: at the class's first keys */
OSC_HOT_DENSE static osc_bits osc_dense_key_at(const osc_dense_key_map *map,
                                               const uint32_t *of_class, osc_bits *readers,
                                               uint32_t place)
{
    uint32_t tier = 0, before = 0, with;
    while (place >= (with = osc_dense_keys_with(map, of_class, tier))) {
        before = with;
        tier++;
    }
    if (readers[tier].words == 0)
        osc_dense_find_chunk(map->player, &readers[tier], tier);
    osc_bits bits = readers[tier];
    bits.position += (place - before) * of_class[OSC_DENSE_CLASS_KEY_BITS];
    return bits;
}

#endif
