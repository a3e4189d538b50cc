/* The transform codec: segments of eight frames, each component a chord between shared ends and a
 * few coefficients of a basis that vanishes at both.
 *
 * The state holds one segment, parsed; every frame inside it and its two ends are evaluated from
 * there. Within a block (the segments of one restart point) the ends are coded as differences, so
 * that reaching a segment reads the ends of those before it and skips their coefficients. */
#include "osc_rows.h"
#include "osc_unit.h"
#include "osc_window.h"

/* state: a header, then for each track one word and for each of its components three and as many
 * as it has coefficients at most */
enum {
    STATE_SEGMENT, /* the one that is parsed, or NO_SEGMENT */
    STATE_TRACKS,
    STATE_CLIP, /* width of sizes, as in the records */
    STATE_HEADER_WORDS = OSC_TRANSFORM_STATE_WORDS
};
#define NO_SEGMENT 0xffffffffu
#define CLIP_RESERVED(word) ((word)&7u)
#define CLIP_SIZE_BITS(word) (((word) >> 3) + 1u)

OSC_STATIC_ASSERT(OSC_MAX_JOINTS * 10u <= 0x4000u, row_offsets_fit_14_bits);

/* ---- records ---- */

/* One track after the other; what stays the same from one to the next costs a bit. */
typedef struct record_reader {
    osc_bits bits;
    uint32_t lane; /* first that the next record can mean */
    uint32_t chart, width, grid, components;
    uint32_t step, end_k, k;
    uint32_t words[4];
} record_reader;

/* A number of `count` bits: 0: as `previous`; 10: one less or, with another 1, more; 11: plain. */
static uint32_t take_near(osc_bits *bits, uint32_t previous, uint32_t count)
{
    uint32_t prefix = osc_bits_peek(bits) & 7u, mask = (1u << count) - 1u;
    if ((prefix & 1u) == 0u) {
        bits->position += 1u;
        return previous;
    }
    if ((prefix & 2u) == 0u) {
        bits->position += 3u;
        return ((prefix & 4u) != 0u ? previous + 1u : previous - 1u) & mask;
    }
    bits->position += 2u;
    return osc_bits_take(bits, count);
}

/* Returns the clip word; *track_count is what the records say, for a clip without any 0. */
static uint32_t begin_records(record_reader *reader, const osc_clip_parts *parts,
                              uint32_t *track_count)
{
    reader->bits = osc_clip_stream(parts, 0);
    reader->lane = 0;
    reader->width = OSC_TRANSFORM_FIRST_WIDTH;
    reader->grid = OSC_TRANSFORM_FIRST_GRID;
    reader->step = OSC_TRANSFORM_FIRST_STEP;
    reader->end_k = reader->k = OSC_TRANSFORM_FIRST_K;
    *track_count = 0;
    if (parts->header_bits == 0u)
        return 0;
    *track_count = osc_bits_take(&reader->bits, 12u);
    return osc_bits_take(&reader->bits, 8u);
}

/* Returns the lane of the next record. */
static uint32_t take_record(record_reader *reader, uint32_t rotation_lanes)
{
    osc_bits *bits = &reader->bits;
    uint32_t lane = reader->lane + take_near(bits, 0u, 12u);
    reader->lane = lane + 1u;
    reader->chart = lane < rotation_lanes ? osc_bits_take(bits, 4u) : OSC_TRANSFORM_VECTOR;
    reader->width = take_near(bits, reader->width, 5u);
    reader->grid = take_near(bits, reader->grid, 3u);
    reader->components = osc_transform_component_count(reader->chart);
    for (uint32_t i = 0; i < reader->components; i++) {
        reader->step = take_near(bits, reader->step, 6u);
        reader->end_k = take_near(bits, reader->end_k, 4u);
        uint32_t most = osc_bits_take(bits, 3u), mode = 0;
        if (most != 0u) {
            reader->k = take_near(bits, reader->k, 4u);
            mode = osc_bits_take(bits, 2u);
        }
        reader->words[i] =
            reader->step | reader->end_k << 6 | reader->k << 10 | most << 14 | mode << 17;
    }
    return lane;
}

bool osc_transform_valid(const osc_bank *bank, const osc_clip_parts *parts)
{
    record_reader reader;
    uint32_t tracks, lanes = osc_lane_count(bank), words = STATE_HEADER_WORDS;
    if (CLIP_RESERVED(begin_records(&reader, parts, &tracks)) != 0u)
        return false;
    for (; tracks != 0u; tracks--) {
        if (take_record(&reader, bank->rotation_lanes) >= lanes)
            return false;
        if (reader.chart > OSC_TRANSFORM_VECTOR ||
            (reader.chart == OSC_TRANSFORM_VECTOR) != (reader.lane > bank->rotation_lanes))
            return false;
        words++;
        for (uint32_t i = 0; i < reader.components; i++)
            words += OSC_COMPONENT_WORDS + OSC_TRANSFORM_MOST(reader.words[i]);
    }
    return words <= bank->state_words && reader.bits.position <= parts->header_bits;
}

void osc_transform_start(osc_player *player)
{
    record_reader reader;
    osc_clip_parts parts = osc_clip_locate(player->bank, player->clip);
    uint32_t *state = (uint32_t *)player->state, tracks;
    state[STATE_SEGMENT] = NO_SEGMENT;
    state[STATE_CLIP] = begin_records(&reader, &parts, &tracks);
    state[STATE_TRACKS] = tracks;
    uint32_t *at = state + STATE_HEADER_WORDS;
    for (; tracks != 0u; tracks--) {
        uint32_t lane = take_record(&reader, player->bank->rotation_lanes);
        uint32_t direct = OSC_TRANSFORM_STEP(reader.words[0]) >= OSC_TRANSFORM_DIRECT ? 1u : 0u;
        *at++ = osc_lane_offset(player->bank, lane) | reader.chart << 14 | reader.width << 18 |
                reader.grid << 23 | direct << 26;
        for (uint32_t i = 0; i < reader.components; i++) {
            at[OSC_COMPONENT_WORD] = reader.words[i];
            at[OSC_COMPONENT_START] = at[OSC_COMPONENT_CHORD] = 0;
            at += OSC_COMPONENT_WORDS + OSC_TRANSFORM_MOST(reader.words[i]);
        }
    }
}

/* ---- segments ---- */

/* The left ends, in a block's first segment as plain numbers, else where the last one ended, and
 * the way to the right ends. */
OSC_APART void take_ends(osc_player *player, osc_window_store *store, bool first, bool pose)
{
    int32_t *at = player->state + STATE_HEADER_WORDS;
    osc_window window = osc_window_resume(store);
    for (uint32_t tracks = (uint32_t)player->state[STATE_TRACKS]; tracks != 0u; tracks--) {
        uint32_t track = (uint32_t)*at++;
        int32_t grid = OSC_TRANSFORM_TRACK_GRID(track);
        for (uint32_t i = osc_transform_component_count(OSC_TRANSFORM_TRACK_CHART(track)); i != 0u;
             i--) {
            uint32_t word = (uint32_t)at[OSC_COMPONENT_WORD], k = OSC_TRANSFORM_END_K(word);
            int32_t start = osc_add(at[OSC_COMPONENT_START], at[OSC_COMPONENT_CHORD]), chord = 0;
            if (first) {
                uint32_t unused = 32u - OSC_TRANSFORM_TRACK_WIDTH(track);
                start = (int32_t)(osc_window_take(&window, 32u - unused) << unused) >> unused;
                start = osc_mul(start, grid);
            }
            if (k != OSC_RICE_ZERO && !pose)
                chord = osc_mul(osc_window_take_rice(&window, k), grid);
            at[OSC_COMPONENT_START] = start;
            at[OSC_COMPONENT_CHORD] = chord;
            at += OSC_COMPONENT_WORDS + OSC_TRANSFORM_MOST(word);
        }
    }
    osc_window_suspend(&window);
}

/* The number of ones before a zero, without it after `most` ones. */
static inline uint32_t take_unary(osc_window *window, uint32_t most)
{
    for (;;) {
        uint32_t ones = osc_trailing_zeros(window->left);
        uint32_t left = ones < most ? window->left >> ones >> 1 : window->left >> most;
        if (!OSC_UNLIKELY(left == 0u)) {
            window->left = left;
            return ones < most ? ones : most;
        }
        if (!osc_window_again(window)) {
            osc_bits *bits = &window->store->bits;
            ones = osc_trailing_ones_15(osc_bits_peek(bits));
            bits->position += ones < most ? ones + 1u : most;
            osc_window_reopen(window);
            return ones < most ? ones : most;
        }
    }
}

/* How many coefficients a component has in this segment, of at most `most`. */
static inline uint32_t take_count(osc_window *window, uint32_t mode, uint32_t most)
{
    if (mode == OSC_TRANSFORM_ALWAYS || most == 0u)
        return most;
    if (mode == OSC_TRANSFORM_PLAIN) {
        uint32_t value = osc_window_take(window, 3u);
        return value < most ? value : most;
    }
    uint32_t ones = take_unary(window, most);
    return mode == OSC_TRANSFORM_UP ? ones : most - ones;
}

OSC_APART void take_coefficients(osc_player *player, osc_window_store *store, uint32_t length)
{
    int32_t *at = player->state + STATE_HEADER_WORDS;
    uint32_t longest = length == 0u ? 0u : length - 1u;
    osc_window window = osc_window_resume(store);
    for (uint32_t tracks = (uint32_t)player->state[STATE_TRACKS]; tracks != 0u; tracks--) {
        uint32_t track = (uint32_t)*at++;
        for (uint32_t i = osc_transform_component_count(OSC_TRANSFORM_TRACK_CHART(track)); i != 0u;
             i--) {
            uint32_t word = (uint32_t)at[OSC_COMPONENT_WORD] & ~(7u << OSC_TRANSFORM_COUNT_SHIFT);
            uint32_t room = OSC_TRANSFORM_MOST(word), most = room < longest ? room : longest;
            uint32_t count = take_count(&window, OSC_TRANSFORM_MODE(word), most);
            at[OSC_COMPONENT_WORD] = (int32_t)(word | count << OSC_TRANSFORM_COUNT_SHIFT);
            int32_t k_q2 = (int32_t)(OSC_TRANSFORM_K(word) << 2);
            int32_t *const next = at + OSC_COMPONENT_WORDS + room;
            for (at += OSC_COMPONENT_WORDS; count != 0u; count--) {
                uint32_t k = osc_transform_rice_k(k_q2), quotient;
                *at++ = osc_window_take_rice_quotient(&window, k, &quotient);
                k_q2 -= osc_transform_less_q2[quotient];
            }
            at = next;
        }
    }
    osc_window_suspend(&window);
}

static void parse_segment(osc_player *player, uint32_t wanted)
{
    osc_clip_parts parts = osc_clip_locate(player->bank, player->clip);
    uint32_t clip = (uint32_t)player->state[STATE_CLIP];
    uint32_t segment = (uint32_t)player->state[STATE_SEGMENT];
    uint32_t last = osc_transform_segments(player->row_count) - 1u;
    uint32_t block = (wanted * OSC_TRANSFORM_FRAMES) >> parts.restart_log2;
    uint32_t begin = (block << parts.restart_log2) / OSC_TRANSFORM_FRAMES;
    segment = segment < wanted && segment >= begin ? segment + 1u : begin;
    osc_bits bits = osc_clip_stream(&parts, player->bit_position);
    osc_window_store store;
    for (;; segment++) {
        uint32_t length = osc_transform_length(player->row_count, segment), size = 0;
        bool first = segment == begin;
        if (first)
            bits.position = osc_clip_block_position(player, &parts, block);
        osc_window_open(&store, bits);
        take_ends(player, &store, first, length == 0u);
        bits.position = osc_window_stored_position(&store);
        if (segment != last && !osc_transform_begins_block(segment + 1u, parts.restart_log2))
            size = osc_bits_take(&bits, CLIP_SIZE_BITS(clip));
        player->bit_position = bits.position + size; /* of the next, on every way to it */
        if (segment == wanted)
            break;
        bits.position = player->bit_position;
    }
    osc_window_open(&store, bits);
    take_coefficients(player, &store, osc_transform_length(player->row_count, wanted));
    player->state[STATE_SEGMENT] = (int32_t)wanted;
    osc_mirror_tracks(player->state + STATE_HEADER_WORDS, (uint32_t)player->state[STATE_TRACKS],
                      player->mirror, player->mirror_words);
}

/* ---- rows ---- */

void osc_transform_finish(int32_t q[4], uint32_t chart)
{
    if (chart >= OSC_TRANSFORM_FOUR) {
        if (chart == OSC_TRANSFORM_FOUR)
            osc_near_unit(q);
        return;
    }
    osc_rebuild(q, chart & 3u, false);
    if (chart >= 4u)
        osc_turn(q, chart >= 8u);
}

/* Evaluates the parsed segment at `frame` of it. */
OSC_APART void fill_row(const osc_player *player, int32_t *row, const int32_t *previous,
                        uint32_t frame, uint32_t length)
{
    static const int16_t left[OSC_TRANSFORM_FRAMES] = {0}, right[OSC_TRANSFORM_FRAMES] = {1024};
    osc_rows rows;
    rows.row = row;
    rows.previous = previous;
    rows.chords = player->chords;
    rows.weights = frame == 0u       ? left
                   : frame == length ? right
                                     : osc_transform_row_weights(length, frame);
    rows.frame = frame;
    rows.length = length;
    osc_fill_tracks(player->state + STATE_HEADER_WORDS, (uint32_t)player->state[STATE_TRACKS],
                    player->mirror, &rows);
}

void osc_transform_unpack(osc_player *player, uint32_t frame)
{
    uint32_t parsed = (uint32_t)player->state[STATE_SEGMENT];
    uint32_t segment = frame / OSC_TRANSFORM_FRAMES;
    /* a shared end is taken from the segment that is there, and the clip's end from the last */
    if (segment * OSC_TRANSFORM_FRAMES == frame && segment != 0u &&
        (parsed == segment - 1u || frame == player->row_count - 1u))
        segment--;
    if (segment != parsed)
        parse_segment(player, segment);
    fill_row(player, player->rows[frame & 1u], player->rows[(frame & 1u) ^ 1u],
             frame - segment * OSC_TRANSFORM_FRAMES,
             osc_transform_length(player->row_count, segment));
}
