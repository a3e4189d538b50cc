/* libFuzzer target: any bytes as a bank with tiers, whose chunks a stream brings. All checksums are
 * made right, of the bank and of its chunks, so that damage reaches the directory and what lies in
 * the chunks. What opens must play, whatever has arrived, without reading outside; once all has
 * arrived, a clip plays as in the bank that contains its tiers.
 *
 * The seeds are banks of the tests, which the mutator brings in now and then. */
#include "tier_bank.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bank/osc_codecs.h"
#include "bank/osc_tiers.h"
#include "osc_stream.h"

enum {
    MAX_CLIPS = 4,
    MAX_FRAMES = 48, /* of a clip that are played: those behind may be dear to reach */
    MAX_UPDATES = 200,
    MAX_WORDS = 1 << 14,
    POOL_WORDS = 3000,
    SLOTS = 24,
    HIDDEN_TAG = 0x21212121 /* of no section that a reader knows */
};

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void fail(const char *what)
{
    fprintf(stderr, "fuzz_stream: %s\n", what);
    abort();
}

/* ---- inputs ---- */

static test_bank seed_bank(uint32_t number)
{
    static tier_bank (*const makers[])(void) = {tier_bank_of_codecs, tier_bank_of_sparse,
                                                tier_bank_of_blocks, tier_bank_of_keys};
    static test_bank seeds[sizeof makers / sizeof *makers];
    number %= sizeof makers / sizeof *makers;
    if (seeds[number].words == 0) {
        tier_bank made = makers[number]();
        seeds[number] = tier_bank_whole(&made);
        tier_bank_free(&made);
    }
    return seeds[number];
}

/* Another value for one word, mostly one of the directory of tiers or of a chunk. */
static void mutate_word(uint32_t *words, size_t count, unsigned seed)
{
    uint32_t sections = words[4] < OSC_MAX_SECTIONS ? words[4] : 0u, at = seed >> 6;
    uint32_t entry = OSC_HEADER_WORDS + OSC_SECTION_ENTRY_WORDS * (seed >> 4 & 7u);
    if ((seed >> 4 & 7u) < sections && entry + 3u <= count && words[entry + 2u] != 0u)
        at = (words[entry + 1u] & ~OSC_SECTION_REQUIRED) + at % words[entry + 2u];
    uint32_t *word = &words[at % count];
    switch (seed & 3u) {
    case 0:
        *word ^= 1u << (seed >> 20 & 31u);
        break;
    case 1:
        *word += (seed >> 20 & 15u) - 8u;
        break;
    case 2:
        *word = (seed >> 20 & 1u) != 0u ? ~0u : 0u;
        break;
    default:
        *word = seed;
        break;
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    unsigned mixed = seed * 2654435761u;
    if (size < 4u * OSC_HEADER_WORDS || mixed >> 25 == 0u) {
        test_bank bank = seed_bank(seed);
        if (bank.count * 4u > max_size)
            return LLVMFuzzerMutate(data, size, max_size);
        memcpy(data, bank.words, bank.count * 4u);
        return bank.count * 4u;
    }
    if ((seed & 3u) == 0u)
        return LLVMFuzzerMutate(data, size, max_size);
    uint32_t *words = malloc(size);
    if (words == 0)
        fail("no memory");
    memcpy(words, data, size);
    mutate_word(words, size / 4u, mixed);
    memcpy(data, words, size);
    free(words);
    return size;
}

/* The positions of sections in the words that are present: 0 words where they do not. */
static osc_section section_of(const test_bank *bank, uint32_t tag, uint32_t **tag_word)
{
    osc_section none = {0, 0};
    for (uint32_t i = 0; i < OSC_MAX_SECTIONS && i < bank->words[4]; i++) {
        uint32_t at = OSC_HEADER_WORDS + OSC_SECTION_ENTRY_WORDS * i;
        if (at + OSC_SECTION_ENTRY_WORDS > bank->count || bank->words[at] != tag)
            continue;
        uint32_t offset = bank->words[at + 1u] & ~OSC_SECTION_REQUIRED,
                 count = bank->words[at + 2u];
        if (offset > bank->count || count > bank->count - offset)
            return none;
        *tag_word = &bank->words[at];
        return (osc_section){bank->words + offset, count};
    }
    return none;
}

static uint32_t tier_tag(uint32_t tier)
{
    return OSC_TAG_TIER_1 + (tier - 1u) * OSC_TAG_TIER_STEP;
}

/* Makes the checksums of all chunks right that lie where the directory says. */
static void seal_chunks(test_bank *bank)
{
    uint32_t *tag = 0;
    osc_section table = section_of(bank, OSC_TAG_TIERS, &tag);
    if (table.count < OSC_TIERS_HEADER_WORDS)
        return;
    uint32_t tiers = table.words[0] & 0xffu, first = 0;
    uint32_t *words = bank->words + (table.words - bank->words);
    for (uint32_t tier = 1; tier <= tiers && tier <= OSC_MAX_TIERS; tier++) {
        osc_section whole = section_of(bank, tier_tag(tier), &tag);
        const uint32_t record = OSC_TIERS_HEADER_WORDS + (tier - 1u) * OSC_TIER_WORDS;
        if (record + OSC_TIER_WORDS > table.count)
            return;
        uint32_t end = words[record + OSC_TIER_CHUNKS_END];
        for (uint32_t number = first; number < end; number++) {
            uint64_t at = OSC_TIERS_HEADER_WORDS + (uint64_t)tiers * OSC_TIER_WORDS +
                          (uint64_t)number * OSC_CHUNK_ENTRY_WORDS;
            if (at + OSC_CHUNK_ENTRY_WORDS > table.count)
                return;
            uint32_t from = words[at + OSC_CHUNK_OFFSET], to = whole.count;
            if (number + 1u < end && at + OSC_CHUNK_ENTRY_WORDS + OSC_CHUNK_CRC < table.count)
                to = words[at + OSC_CHUNK_ENTRY_WORDS + OSC_CHUNK_OFFSET];
            if (from <= to && to <= whole.count && whole.words != 0)
                words[at + OSC_CHUNK_CRC] =
                    osc_crc_words(0xffffffffu, whole.words + from, to - from) ^ 0xffffffffu;
        }
        first = end;
    }
}

static void seal(test_bank *bank)
{
    bank->words[OSC_HEADER_MAGIC] = OSC_BANK_MAGIC;
    bank->words[OSC_HEADER_FORMAT] = OSC_BANK_FORMAT;
    seal_chunks(bank);
    bank_seal(bank);
}

/* ---- the medium: the tiers one behind the other ---- */

typedef struct tier_medium {
    osc_medium medium;
    test_bank image;
    uint32_t places[OSC_MAX_TIERS];
    uint32_t polls;
} tier_medium;

static int32_t start(void *context, uint32_t offset_bytes, void *destination, uint32_t size_bytes)
{
    tier_medium *m = context;
    uint32_t image_bytes = 4u * m->image.count;
    for (uint32_t i = 0; i < size_bytes; i++)
        ((uint8_t *)destination)[i] = offset_bytes + i < image_bytes
                                          ? ((const uint8_t *)m->image.words)[offset_bytes + i]
                                          : 0;
    return OSC_OK;
}

static int32_t poll(void *context)
{
    tier_medium *m = context;
    return (++m->polls & 1u) != 0u ? OSC_MEDIUM_BUSY : OSC_OK;
}

static void cancel(void *context)
{
    (void)context;
}

/* Takes the tiers out of a bank. */
static void take_tiers(test_bank *bank, tier_medium *m)
{
    m->image.count = 0;
    m->image.words = malloc(4u * bank->count * OSC_MAX_TIERS + 1u);
    if (m->image.words == 0)
        fail("no memory");
    for (uint32_t tier = 1; tier <= OSC_MAX_TIERS; tier++) {
        uint32_t *tag = 0;
        osc_section whole = section_of(bank, tier_tag(tier), &tag);
        m->places[tier - 1u] = 4u * m->image.count;
        if (whole.words == 0)
            continue;
        memcpy(m->image.words + m->image.count, whole.words, 4u * whole.count);
        m->image.count += whole.count;
        *tag = HIDDEN_TAG;
    }
    bank_seal(bank);
    m->medium = (osc_medium){start, poll, cancel, m, 64, 4, 4096, 1000};
}

/* ---- playing ---- */

static uint32_t frames_to_play(const osc_bank *bank, uint32_t clip)
{
    osc_clip_info info;
    (void)osc_clip_describe(bank, clip, &info);
    return info.frame_count < MAX_FRAMES ? info.frame_count : MAX_FRAMES;
}

static uint32_t play(test_player *made, uint32_t clip)
{
    uint32_t hash = OSC_HASH_START;
    if (osc_player_start(&made->player, clip, OSC_PLAY_ONCE) != OSC_OK)
        fail("a clip that does not start");
    for (uint32_t frame = 0; frame < frames_to_play(&made->bank, clip); frame++) {
        if (osc_player_seek_q11(&made->player, (int32_t)(2048u * frame + 300u)) < 0)
            fail("a seek that failed");
        uint32_t pose = pose_hash(made);
        hash = osc_hash_words(hash, &pose, 1);
    }
    return hash;
}

/* Plays on while chunks arrive; afterwards as the whole bank does, if nothing was given up. */
static void stream_clip(osc_stream *stream, test_player *made, test_player *whole, uint32_t clip)
{
    uint32_t frames = frames_to_play(&made->bank, clip);
    osc_stream_fault fault;
    if (osc_player_start(&made->player, clip, OSC_PLAY_ONCE) != OSC_OK)
        fail("a clip that does not start");
    int32_t missing = 1;
    for (uint32_t i = 0; i < MAX_UPDATES && missing != 0; i++) {
        missing = osc_stream_follow(stream, &made->player, i % 3u == 0u ? -40 : 40);
        if (missing < 0)
            fail("a player that cannot be followed");
        osc_stream_update(stream, 10000);
        (void)osc_player_seek_q11(&made->player, (int32_t)(i % frames * 2048u));
        (void)pose_hash(made);
        (void)osc_clip_quality_q20(&made->bank, clip, i % frames);
    }
    for (uint32_t block = 0; block < frames; block++) { /* of more than one frame or not */
        const osc_want want = {.bank = &made->bank, .clip = clip, .frame = block};
        for (uint32_t i = 0; i < MAX_UPDATES && osc_stream_want(stream, &want) > 0; i++)
            osc_stream_update(stream, 10000);
    }
    bool same = stream->counts.given_up == 0u && stream->counts.dropped == 0u;
    if (whole != 0 && same && frames < MAX_FRAMES && made->bank.block_log2 >= 20u &&
        osc_stream_want(stream, &(osc_want){&made->bank, .clip = clip}) == 0)
        if (play(made, clip) != play(whole, clip))
            fail("a clip that plays otherwise than in the bank with its tiers");
    while (osc_stream_next_fault(stream, &fault))
        if (fault.bank != &made->bank || fault.tier == 0u || fault.tier > made->bank.tier_count ||
            fault.error >= 0)
            fail("a fault of no chunk");
}

/* Whole tiers that the bank contained, and so are right, play as they did in it. */
static void attach_tiers(test_player *made, const test_player *whole)
{
    for (uint32_t tier = 1; whole != 0 && tier <= made->bank.tier_count; tier++) {
        const uint32_t *words = whole->bank.tiers[tier - 1u];
        uint32_t size_words = osc_tier_record(&made->bank, tier)[OSC_TIER_SIZE_WORDS];
        if (words != 0 && osc_bank_attach_tier(&made->bank, tier, words, 4u * size_words) != OSC_OK)
            fail("a tier that cannot be attached");
    }
    for (uint32_t clip = 0; clip < made->bank.clip_count && clip < MAX_CLIPS; clip++)
        (void)play(made, clip);
}

static void stream_bank(test_bank *bank, test_player *whole)
{
    tier_medium m = {.polls = 0};
    take_tiers(bank, &m);
    osc_bank opened;
    osc_quality quality;
    if (bank_open(bank, &opened) == OSC_OK && opened.tier_count != 0u) {
        test_player made;
        osc_stream stream;
        osc_stream_source source;
        uint32_t words = POOL_WORDS + SLOTS * OSC_STREAM_SLOT_WORDS;
        uint32_t *memory = malloc(4u * words);
        player_make(&made, bank->words, bank->count);
        if (memory == 0 || osc_stream_init(&stream, &m.medium, memory, words, SLOTS) != OSC_OK)
            fail("no stream");
        if (osc_stream_add(&stream, &source, &made.bank, osc_all_checks, m.places) == OSC_OK)
            for (uint32_t clip = 0; clip < made.bank.clip_count && clip < MAX_CLIPS; clip++)
                stream_clip(&stream, &made, whole, clip);
        attach_tiers(&made, whole);
        osc_bank_quality(&made.bank, &quality);
        if (quality.chunks_there > quality.chunks)
            fail("more chunks than there are");
        player_free(&made);
        free(memory);
    }
    bank_free(&m.image);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 4u * OSC_HEADER_WORDS || size > 4u * MAX_WORDS)
        return 0;
    test_bank bank = {malloc(size & ~(size_t)3u), (uint32_t)(size / 4u)};
    if (bank.words == 0)
        fail("no memory");
    memcpy(bank.words, data, 4u * bank.count);
    seal(&bank);
    osc_bank opened;
    test_bank whole = bank_copy(bank.words, bank.count);
    bool plays = bank_open(&whole, &opened) == OSC_OK;
    test_player made;
    if (plays)
        player_make(&made, whole.words, whole.count);
    stream_bank(&bank, plays ? &made : 0);
    if (plays)
        player_free(&made);
    bank_free(&whole);
    bank_free(&bank);
    return 0;
}
