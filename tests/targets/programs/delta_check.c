/* Plays pseudo-random clips of the delta codec: every packing, codes short, long and escaped,
 * streams that end early, restart points anywhere. Prints a hash of all rows and chords, which has
 * to be the same everywhere. */
#include "hal.h"
#include "ossicle.h"
#include "print.h"
#include "random_words.h"

#define CASES 400u
#define MOST_JOINTS 12u
#define MOST_FRAMES 20u
#define BANK_WORDS 900u
#define MEMORY_WORDS (2u * 10u * MOST_JOINTS + MOST_JOINTS)
#define MOST_STREAM 160u

static uint32_t words[BANK_WORDS];
static uint32_t count;
static int32_t memory[MEMORY_WORDS];

static uint32_t below(uint32_t limit)
{
    return (next_random() >> 9) % limit;
}

static void put(uint32_t word)
{
    words[count++] = word;
}

static void section(uint32_t number, uint32_t tag, uint32_t begin)
{
    words[5u + 3u * number] = tag;
    words[6u + 3u * number] = begin | 1u << 31;
    words[7u + 3u * number] = count - begin;
}

static uint32_t crc_of_all(void)
{
    uint32_t crc = 0xffffffffu;
    for (uint32_t i = 0; i < count; i++) {
        crc ^= i == 3u ? 0u : words[i];
        for (uint32_t bit = 0; bit < 32u && i != 3u; bit++)
            crc = crc >> 1 ^ (0xedb88320u & (0u - (crc & 1u)));
    }
    return ~crc;
}

/* A lane of every kind for each joint. */
static void put_skeleton(uint32_t joints)
{
    uint32_t begin = count;
    put(joints);
    put(1u);
    for (uint32_t i = 0; i < joints; i += 2u)
        put(i == 0u ? 0x0000ffffu : 0u);
    for (uint32_t i = 0; i < 10u * joints; i++)
        put(next_random() >> 12);
    for (uint32_t i = 0; i < 3u; i++)
        put((1u << joints) - 1u);
    section(0, 0x4c454b53u, begin);
}

/* A Rice parameter: mostly small, as encoders choose them. */
static uint32_t next_k(void)
{
    uint32_t kind = below(16u);
    return kind < 11u ? below(6u) : kind < 13u ? 15u : below(15u);
}

static uint32_t record_of(uint32_t packing, uint32_t gap, bool wild)
{
    uint32_t shift = wild ? below(21u) : 4u + below(10u);
    uint32_t width = wild ? below(32u) : 18u - shift + below(2u);
    if (packing == 5u && wild)
        shift += below(12u);
    return shift | packing << 5 | (below(4u) != 0u ? 1u : 0u) << 8 | next_k() << 9 |
           next_k() << 13 | next_k() << 17 | width << 21 | gap << 26;
}

/* Tracks and skips by ascending lane. Returns how many records. */
static uint32_t put_records(uint32_t joints, bool wild)
{
    uint32_t records = 0, gap = 0, passing = 1u + below(4u), one_packing = below(12u);
    for (uint32_t lane = 0; lane < 3u * joints; lane++) {
        uint32_t packing = lane >= joints ? 5u : one_packing < 5u ? one_packing : below(5u);
        if (below(6u) == 0u) {
            put(record_of(6u, gap, wild));
            records++;
            gap = 0;
        }
        if (below(4u) < passing) {
            put(record_of(packing, gap, wild));
            records++;
            gap = 0;
        } else {
            gap++;
        }
    }
    return records;
}

/* The words of codes lean to zeros or to ones, so that short and long ones come up. */
static void put_stream(uint32_t kind, uint32_t size)
{
    for (uint32_t i = 0; i < size; i++) {
        uint32_t word = next_random(), other = next_random();
        put(kind == 0u ? word : kind == 1u ? word | other : word & other);
    }
}

/* One clip, whose stream is the bank's last one. Returns its frames. */
static uint32_t put_clip(uint32_t joints)
{
    bool wild = below(4u) == 0u;
    uint32_t frames = 3u + below(MOST_FRAMES - 2u),
             restart_log2 = below(2u) == 0u ? below(5u) : 31u;
    bool loop = below(3u) == 0u;
    uint32_t restarts = (frames - (loop ? 1u : 0u) - 1u) >> restart_log2;
    uint32_t begin = count, size = 2u + below(MOST_STREAM);
    put(1u);
    put(30u << 16);
    put(263882791u);
    put(1u);
    put((frames - 1u) | 1u << 20 | restart_log2 << 24 | (loop ? 1u << 31 : 0u));
    put(0);
    section(1u, 0x50494c43u, begin);

    begin = count;
    put(0);
    count += restarts;
    uint32_t stream = count, records = put_records(joints, wild);
    words[begin] = records << 5;
    if (below(4u) != 0u)
        put(0); /* no constants */
    put_stream(below(3u), size);
    put(0);
    for (uint32_t i = 0; i < restarts; i++)
        words[begin + 1u + i] = records * 32u + below(32u * (count - stream - records));
    section(2u, 0x41544144u, begin);
    return frames;
}

static uint32_t hash_rows(uint32_t hash, const osc_player *player, const osc_bank *bank)
{
    uint32_t row_words = 10u * bank->rotation_lanes;
    hash = hash_words(hash, player->rows[0], row_words);
    hash = hash_words(hash, player->rows[1], row_words);
    return hash_words(hash, (const int32_t *)player->chords, bank->rotation_lanes);
}

static void check(bool holds, const char *what, uint32_t number)
{
    if (!holds) {
        print_line(what, number);
        hal_exit(1);
    }
}

int main(void)
{
    uint32_t hash = OSC_HASH_START;
    for (uint32_t number = 0; number < CASES; number++) {
        osc_bank bank;
        osc_player player;
        uint32_t joints = 1u + below(MOST_JOINTS), frames;
        count = 14u;
        put_skeleton(joints);
        frames = put_clip(joints);
        words[0] = 0x4253534fu;
        words[1] = 1u;
        words[2] = 4u * count;
        words[4] = 3u;
        words[3] = crc_of_all();
        check(osc_bank_open(&bank, words, 4u * count) == OSC_OK, "no bank in case ", number);
        check(osc_player_init(&player, &bank, memory, MEMORY_WORDS) == OSC_OK &&
                  osc_player_start(&player, 0, OSC_PLAY_AS_MADE) == OSC_OK,
              "no player in case ", number);
        for (uint32_t frame = 0; frame < frames + 3u; frame++) {
            (void)osc_player_seek_q11(&player, (int32_t)(frame << 11));
            hash = hash_rows(hash, &player, &bank);
        }
        if (number % 50u == 49u)
            print_line("rows ", hash);
    }
    hal_exit(0);
}
