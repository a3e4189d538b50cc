/* SPDX-License-Identifier: MIT */
/* The dense codec: a key at every n-th frame. All keys of a block have the same length, so that any
 * row can be filled independently.
 *
 * The state contains the key formats of the headers and, for one block, the length and the start of
 * its keys. The fields of variable tracks are read from the block again for each row, which saves
 * memory. */
#include "arithmetic/osc_quaternion.h"
#include "bank/osc_codecs.h"
#include "codecs/osc_headers.h"
#include "codecs/osc_port_rows.h"
#include "published/osc_dense_arithmetic.h"
#include "published/osc_dense_keys.h"

/* ---- headers ---- */

bool osc_dense_valid(const osc_bank *bank, const osc_clip_parts *parts)
{
    if (parts->header_bits == 0u)
        return true;
    osc_headers headers = osc_headers_open(parts);
    uint32_t count = headers.left, form = osc_dense_take_form(&headers.bits);
    if (OSC_DENSE_TIERS(form) > OSC_MAX_TIERS ||
        (OSC_DENSE_TIERS(form) != 0u && parts->restart_log2 > OSC_DENSE_BLOCK_LOG2_MAX))
        return false;
    while (osc_headers_next(&headers, bank)) {
        osc_key_format format;
        if (!osc_key_format_take(&headers.bits, osc_subtrack_kind(bank, headers.subtrack), &format))
            return false;
    }
    uint32_t words =
        OSC_DENSE_STATE_WORDS + osc_dense_class_words(form) + OSC_DENSE_TRACK_WORDS * count;
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
    state[OSC_DENSE_STATE_TRACKS] = headers.left;
    state[OSC_DENSE_STATE_FORM] = osc_dense_take_form(&headers.bits);
    state[OSC_DENSE_STATE_BLOCK] = OSC_DENSE_NO_BLOCK;
    osc_key_format *format = osc_dense_formats(state);
    for (; osc_headers_next(&headers, bank); format++) {
        (void)osc_key_format_take(&headers.bits, osc_subtrack_kind(bank, headers.subtrack), format);
        format->form |= headers.subtrack << OSC_KEY_OWN_SHIFT;
    }
}

/* ---- keys ---- */

/* The two keys around a row, for all tracks of a class. */
typedef struct key_pair {
    osc_bits left, right; /* at the next track */
    int32_t part_q20;     /* weight of the right key; 0: the row is the left key */
} key_pair;

/* The keys of a class in an open block. readers: at its first keys in the clip and each tier; most:
 * how many of the first keys in the order are there. */
typedef struct class_keys {
    const osc_dense_key_map *map;
    const uint32_t *of_class;
    osc_bits *readers;
    uint32_t most;
} class_keys;

/* Finds the keys of a class around a frame that has none there. key: the last one at or before that
 * frame, whether it is there or not, and its place; returns the place of the left key. */
OSC_HOT_DENSE static uint32_t find_keys(class_keys keys, uint32_t frame, uint32_t key,
                                        uint32_t place, key_pair *pair)
{
    const osc_dense_key_map *map = keys.map;
    uint32_t left = key, right = key + 1u, right_place;
    while (place >= keys.most)
        place = osc_dense_place_of_key(map, --left);
    uint32_t before = osc_dense_key_frame(map->block, left);
    while ((right_place = osc_dense_place_of_key(map, right)) >= keys.most)
        right++;
    pair->right = osc_dense_key_at(map, keys.of_class, keys.readers, right_place);
    pair->part_q20 = osc_ratio(frame - before, osc_dense_key_frame(map->block, right) - before);
    return place;
}

/* Finds the keys around a frame of a clip with tiers, for each class. Where the frame has a key and
 * a class has that, nothing is looked for. */
OSC_HOT_DENSE static void find_all_keys(const osc_dense_key_map *map, uint32_t frame,
                                        key_pair *pairs)
{
    osc_bits readers[OSC_MAX_TIERS + 1u];
    const uint32_t *of_class = map->state + OSC_DENSE_STATE_WORDS;
    uint32_t tiers = map->player->key_tiers < map->tiers ? map->player->key_tiers : map->tiers;
    uint32_t key = osc_dense_key_before(map->block, frame),
             first_place = osc_dense_place_of_key(map, key);
    bool at_key = osc_dense_key_frame(map->block, key) == frame;
    osc_dense_place_readers(map, readers, tiers);
    for (uint32_t left = OSC_DENSE_CLASSES_OF(map->state[OSC_DENSE_STATE_FORM]); left != 0u;
         left--, of_class += OSC_DENSE_CLASS_WORDS, pairs++) {
        uint32_t place = first_place, most = osc_dense_keys_with(map, of_class, tiers);
        pairs->part_q20 = 0;
        if (of_class[OSC_DENSE_CLASS_KEY_BITS] == 0u) {
            pairs->left = readers[0];
            continue;
        }
        if (!at_key || place >= most) {
            class_keys keys = {.map = map, .of_class = of_class, .readers = readers, .most = most};
            place = find_keys(keys, frame, key, place, pairs);
        }
        osc_dense_pass_class(map, of_class, readers, tiers, place, &pairs->left);
    }
}

/* Finds them in a clip without tiers, where the keys of a block lie in the order of frames. */
static void find_keys_in_clip(const osc_dense_key_map *map, uint32_t frame, key_pair *pair)
{
    uint32_t left = osc_dense_key_before(map->block, frame);
    uint32_t before = osc_dense_key_frame(map->block, left);
    pair->left = map->order;
    pair->left.position =
        map->state[OSC_DENSE_STATE_KEYS] + left * map->state[OSC_DENSE_STATE_KEY_BITS];
    pair->part_q20 = 0;
    if (before == frame)
        return;
    pair->right = pair->left;
    pair->right.position += map->state[OSC_DENSE_STATE_KEY_BITS];
    pair->part_q20 = osc_ratio(frame - before, osc_dense_key_frame(map->block, left + 1u) - before);
}

/* ---- rows ---- */

/* A row, and the offsets of its rotations of which w is still to be rebuilt. */
typedef struct dense_rows {
    int32_t *row;
    const int32_t *previous;
    uint32_t *chords;
#if OSC_REBUILDS_FOUR
    uint32_t offsets[4], waiting;
#endif
} dense_rows;

static void note_chord(const dense_rows *rows, uint32_t offset)
{
    rows->chords[offset >> 2] = osc_chord_q20(rows->previous + offset, rows->row + offset);
}

#if OSC_REBUILDS_FOUR
static void rebuild_waiting(dense_rows *rows)
{
    for (uint32_t i = rows->waiting; i < 4u && i != 0u; i++)
        rows->offsets[i] = rows->offsets[i - 1u];
    if (rows->waiting != 0u &&
        !osc_rebuild_four(rows->offsets, rows->row, rows->previous, rows->chords))
        for (uint32_t i = 0; i < rows->waiting; i++) {
            osc_key_finish(rows->row + rows->offsets[i], OSC_KEY_VARIABLE, 3u, false);
            note_chord(rows, rows->offsets[i]);
        }
    rows->waiting = 0;
}

static void rebuild_later(dense_rows *rows, uint32_t offset)
{
    rows->offsets[rows->waiting++] = offset;
    if (rows->waiting == 4u)
        rebuild_waiting(rows);
}
#endif

/* The next track's row. rates: at the block's fields of the next variable track */
static void take_dense_row(osc_bits *rates, key_pair *pairs, uint32_t classes,
                           const osc_key_format *format, dense_rows *rows, uint32_t offset)
{
    int32_t *row = rows->row + offset;
    bool rotation = OSC_KEY_KIND(format->form) == OSC_KEY_ROTATION;
    osc_key_block part = {0, 0};
    if (osc_dense_is_variable(format->form)) {
        if ((osc_bits_peek(rates) & OSC_KEY_RATE_MASK) == 0u) {
            rates->position += OSC_KEY_RATE_BITS;
            osc_key_take_constant(rates, format, row);
            if (rotation)
                note_chord(rows, offset);
            return;
        }
        part.rate_low = osc_bits_take(rates, 32u);
        part.size = osc_bits_take(rates, 24u);
    }
    key_pair *pair = pairs + osc_dense_class_of(part.rate_low, classes);
#if OSC_REBUILDS_FOUR
    if (osc_dense_is_variable(format->form) && pair->part_q20 == 0 && rotation &&
        !OSC_KEY_IS_SIGNED(format->form)) {
        osc_key_take_parts(&pair->left, rates, format, &part, row);
        rebuild_later(rows, offset);
        return;
    }
#endif
    osc_key_take_apart(&pair->left, rates, format, &part, row);
    if (pair->part_q20 != 0) {
        int32_t right[4];
        osc_key_take_apart(&pair->right, rates, format, &part, right);
        osc_dense_mix(row, right, pair->part_q20, rotation);
    }
    if (rotation)
        note_chord(rows, offset);
}

OSC_HOT_DENSE static void dense_unpack(osc_player *player, uint32_t frame)
{
    const osc_bank *bank = player->bank;
    osc_clip_parts parts = osc_player_parts(player);
    if (parts.header_bits == 0u)
        return;
    uint32_t *state = (uint32_t *)player->state;
    uint32_t number = frame >> parts.restart_log2, form = state[OSC_DENSE_STATE_FORM];
    uint32_t order_bits = osc_dense_order_bits(parts.restart_log2);
    osc_bits rates = osc_clip_stream(&parts, osc_clip_block_position(player, &parts, number));
    osc_dense_block block =
        osc_dense_block_at(frame, player->row_count, parts.restart_log2, OSC_DENSE_PERIOD(form));
    if (state[OSC_DENSE_STATE_BLOCK] != number)
        osc_dense_open_block(player, rates, number, osc_dense_key_count(&block), order_bits);
    key_pair pairs[OSC_DENSE_CLASSES];
    osc_dense_key_map map = osc_dense_map(player, &block, rates, order_bits);
    if (map.tiers != 0u)
        find_all_keys(&map, frame, pairs);
    else
        find_keys_in_clip(&map, frame, pairs);
    const osc_key_format *format = osc_dense_formats(state);
    dense_rows rows;
    rows.row = player->rows[frame & 1u];
    rows.previous = player->rows[(frame & 1u) ^ 1u];
    rows.chords = player->chords;
#if OSC_REBUILDS_FOUR
    rows.waiting = 0;
#endif
    for (uint32_t count = state[OSC_DENSE_STATE_TRACKS]; count != 0u; count--, format++)
        take_dense_row(&rates, pairs, OSC_DENSE_CLASSES_OF(form), format, &rows,
                       osc_subtrack_offset(bank, OSC_KEY_OWN(format->form)));
#if OSC_REBUILDS_FOUR
    rebuild_waiting(&rows);
#endif
}

const osc_codec osc_dense_codec = {dense_start, dense_unpack};
