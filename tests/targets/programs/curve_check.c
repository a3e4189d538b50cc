/* Plays pseudo-random curve clips, well-made or not, and prints a hash of their rows: every
 * platform prints what the definition does. Streams end early, restart points lie anywhere. */
#include "bank/osc_codecs.h"
#include "bank/osc_internal.h"
#include "hal.h"
#include "print.h"
#include "random_words.h"

#define CASES 1000u
#define JOINTS 12u
#define LANES (2u * JOINTS)
#define MOST_TRACKS 9u
#define HEADER_WORDS 40u
#define STREAM_WORDS 400u
#define MOST_RESTARTS 12u
#define ROW_WORDS (7u * JOINTS)
#define STATE_WORDS (1u + 36u * MOST_TRACKS)
#define MEMORY_WORDS (2u * ROW_WORDS + JOINTS + STATE_WORDS)

static uint32_t data[1u + MOST_RESTARTS + HEADER_WORDS + STREAM_WORDS];
static uint32_t masks[3] = {(1u << JOINTS) - 1u, (1u << JOINTS) - 1u, 0};
static uint32_t rates[2] = {30u << 16, 0};
static uint32_t bind[7u * JOINTS];
static uint32_t entry[OSC_CLIP_ENTRY_WORDS];
static int32_t memory[MEMORY_WORDS];

static uint32_t below(uint32_t limit)
{
    return (next_random() >> 9) % limit;
}

/* Words whose codes are short (0), of any kind (1), long (2). */
static uint32_t next_word(uint32_t kind)
{
    uint32_t word = next_random(), other = next_random();
    return kind == 0u ? word & other : kind == 1u ? word : word | other;
}

/* Words as a bank has them, whatever the byte order of the processor. */
static void store(uint32_t *words, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        words[i] = osc_word(words[i]);
}

static void put(uint32_t *stream, uint32_t *at, uint32_t value, uint32_t bits)
{
    for (uint32_t i = 0; i < bits; i++, (*at)++)
        stream[*at / 32u] |= ((value >> i) & 1u) << *at % 32u;
}

/* Headers of dense tracks in packing four, with components without codes: rare among any bits. */
static void make_corners(uint32_t *stream)
{
    uint32_t at = 0, tracks = 1u + below(MOST_TRACKS);
    for (uint32_t i = 0; i < HEADER_WORDS; i++)
        stream[i] = 0;
    put(stream, &at, tracks, OSC_TRACK_COUNT_BITS);
    for (uint32_t i = 0; i < tracks; i++) {
        put(stream, &at, 0, 3u); /* no gap, dense, the same shift */
        put(stream, &at, OSC_CURVE_FOUR << 1, 5u);
        put(stream, &at, below(8u), 3u); /* mode and width */
        for (uint32_t c = 0; c < 4u; c++) {
            put(stream, &at, 0, c < 3u ? 1u : 0u);
            if (below(2u) == 0u)
                put(stream, &at, 0x17fu, 9u); /* parameter 15 */
            else
                put(stream, &at, below(2u) << 2 | 1u, 3u); /* 2 or 3 */
            put(stream, &at, below(4u), 2u);
        }
    }
}

static void make_clip(osc_bank *bank)
{
    static const uint32_t lengths[4] = {12u, 60u, 200u, STREAM_WORDS};
    uint32_t log2 = 2u + below(5u), rows = 2u + below(45u), restarts = (rows - 1u) >> log2;
    uint32_t words = lengths[below(4u)], kind = below(8u), header_bits = 32u * HEADER_WORDS;
    kind = kind < 6u ? 0u : kind - 5u;
    entry[OSC_CLIP_SHAPE] = osc_word((rows - 1u) | OSC_CODEC_CURVE << OSC_CLIP_CODEC_SHIFT |
                                     log2 << OSC_CLIP_RESTART_SHIFT);
    data[0] = header_bits;
    uint32_t *stream = data + 1u + restarts;
    for (uint32_t i = 0; i < restarts; i++)
        data[1u + i] = below(16u) == 0u ? next_random() : header_bits + below(32u * words);
    for (uint32_t i = 0; i < words; i++)
        stream[HEADER_WORDS + i] = next_word(kind);
    for (uint32_t i = 1; i < words; i++) { /* escapes, of small numbers too */
        if (below(12u) == 0u) {
            stream[HEADER_WORDS + i - 1u] = 0x7fffu << below(17u);
            stream[HEADER_WORDS + i] = 0;
        }
    }
    bank->data_words = 1u + restarts + HEADER_WORDS + words;
    store(data, 1u + restarts);
    store(stream + HEADER_WORDS, words);
    if (below(8u) == 0u) {
        make_corners(stream);
        store(stream, HEADER_WORDS);
        return;
    }
    do {
        for (uint32_t i = 0; i < HEADER_WORDS; i++)
            stream[i] = next_word(i % 3u != 0u);
        stream[0] = (stream[0] & ~0xfffu) | (1u + below(MOST_TRACKS));
        store(stream, HEADER_WORDS);
        osc_clip_parts parts = osc_clip_locate(data, bank->data_words, osc_clip_shape(entry));
        if (osc_curve_valid(bank, &parts))
            break;
    } while (true);
}

int main(void)
{
    uint32_t hash = OSC_HASH_START;
    const osc_codec *const codecs[OSC_CODEC_COUNT] = {[OSC_CODEC_CURVE] = &osc_curve_codec};
    osc_bank bank = {.codecs = codecs,
                     .subtrack_masks = masks,
                     .bind = bind,
                     .rates = rates,
                     .clips = entry,
                     .data = data,
                     .joint_count = JOINTS,
                     .clip_count = 1,
                     .rotation_subtracks = JOINTS,
                     .translation_subtracks = JOINTS,
                     .state_words = STATE_WORDS,
                     .block_log2 = OSC_BLOCK_LOG2_MAX};
    store(masks, 3u);
    store(rates, 2u);
    for (uint32_t number = 0; number < CASES; number++) {
        osc_player player;
        make_clip(&bank);
        if (osc_player_init(&player, &bank, memory, MEMORY_WORDS) != OSC_OK ||
            osc_player_start(&player, 0, OSC_PLAY_ONCE) != OSC_OK)
            hal_exit(1);
        for (uint32_t frame = 0; frame < player.row_count; frame++) {
            (void)osc_player_seek_q11(&player, (int32_t)(frame << 11));
            hash = hash_words(hash, player.rows[0], ROW_WORDS);
            hash = hash_words(hash, player.rows[1], ROW_WORDS);
            hash = hash_words(hash, (const int32_t *)player.chords, JOINTS);
        }
        if (number % 25u == 24u)
            print_line("rows ", hash);
    }
    hal_exit(0);
}
