/* Banks with tiers; see the header. */
#include "tier_bank.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bank/osc_format.h"
#include "bank/osc_internal.h"
#include "bank/osc_tiers.h"
#include "published/osc_published_format.h"
#include "sample_banks.h"

static void stop(const char *why)
{
    fprintf(stderr, "tier_bank: %s\n", why);
    abort();
}

/* ---- words ---- */

static void put(test_bank *to, uint32_t word)
{
    to->words = realloc(to->words, (to->count + 1u) * 4u);
    if (to->words == 0)
        stop("no memory");
    to->words[to->count++] = word;
}

static void put_all(test_bank *to, const uint32_t *words, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        put(to, words[i]);
}

/* A stream of bits, the lowest of a word first. */
typedef struct bit_writer {
    test_bank words;
    uint32_t used; /* bits of the last word */
} bit_writer;

static void put_bits(bit_writer *to, uint32_t value, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++, to->used = (to->used + 1u) & 31u) {
        if (to->used == 0u)
            put(&to->words, 0);
        to->words.words[to->words.count - 1u] |= (value >> i & 1u) << to->used;
    }
}

static uint32_t bits_written(const bit_writer *of)
{
    return of->used == 0u ? 32u * of->words.count : 32u * (of->words.count - 1u) + of->used;
}

static uint32_t crc_of(const uint32_t *words, uint32_t count)
{
    return osc_crc_words(0xffffffffu, words, count) ^ 0xffffffffu;
}

/* ---- the directory ---- */

typedef struct maker {
    test_bank base; /* a bank without tiers */
    tier_bank made;
    test_bank entries;
    uint32_t ends[OSC_MAX_TIERS]; /* chunks of each tier and those before */
} maker;

/* Adds a chunk: to the last tier that has any or the next, in the order of clips and blocks. */
static void add_chunk(maker *to, uint32_t tier, uint32_t clip, uint32_t block, uint32_t codec,
                      const test_bank *words)
{
    test_bank *whole = &to->made.tiers[tier - 1u];
    put(&to->entries, codec | block << OSC_CHUNK_BLOCK_SHIFT | clip << OSC_CHUNK_CLIP_SHIFT);
    put(&to->entries, whole->count);
    put(&to->entries, crc_of(words->words, words->count));
    put_all(whole, words->words, words->count);
    to->made.chunk_count++;
    for (uint32_t i = tier; i <= OSC_MAX_TIERS; i++)
        to->ends[i - 1u] = to->made.chunk_count;
    if (tier > to->made.tier_count)
        to->made.tier_count = tier;
    if (words->count > to->made.most_words)
        to->made.most_words = words->count;
}

/* The base with another section behind all others. */
static test_bank with_section(const test_bank *base, uint32_t tag, const test_bank *section)
{
    test_bank bank = bank_copy(base->words, base->count);
    uint32_t sections = bank.words[4], at = 5u + 3u * sections;
    bank_resize_at(&bank, at, 3, 0);
    for (uint32_t i = 0; i < sections; i++)
        bank.words[5u + 3u * i + 1u] += 3u;
    bank.words[4]++;
    bank.words[at] = tag;
    bank.words[at + 1u] = bank.count;
    bank.words[at + 2u] = section->count;
    put_all(&bank, section->words, section->count);
    bank_seal(&bank);
    return bank;
}

static test_bank directory_of(const maker *of, uint32_t block_log2, const uint32_t *errors)
{
    test_bank table = {0, 0};
    put(&table, of->made.tier_count | block_log2 << OSC_TIERS_BLOCK_SHIFT);
    put(&table, errors[0]);
    for (uint32_t tier = 0; tier < of->made.tier_count; tier++) {
        put(&table, of->made.tiers[tier].count);
        put(&table, of->ends[tier]);
        put(&table, errors[tier + 1u]);
    }
    put_all(&table, of->entries.words, of->entries.count);
    return table;
}

/* ---- errors ---- */

static int32_t larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static int32_t distance(const int32_t *a, const int32_t *b, uint32_t count, int32_t sign)
{
    int64_t most = 0;
    for (uint32_t i = 0; i < count; i++) {
        int64_t apart = (int64_t)a[i] - (int64_t)sign * b[i];
        apart = apart < 0 ? -apart : apart;
        most = apart > most ? apart : most;
    }
    return most > INT32_MAX ? INT32_MAX : (int32_t)most;
}

int32_t pose_difference(const osc_bank *bank, const osc_pose *a, const osc_pose *b)
{
    int32_t most = 0;
    for (uint32_t joint = 0; joint < bank->joint_count; joint++) {
        const int32_t *left = &a->rotations[joint].x, *right = &b->rotations[joint].x;
        int32_t same = distance(left, right, 4, 1), other = distance(left, right, 4, -1);
        most = larger(most, same < other ? same : other);
        most = larger(most, distance(&a->translations[joint].x, &b->translations[joint].x, 3, 1));
        if (bank->has_scale)
            most = larger(most, distance(&a->scales[joint].x, &b->scales[joint].x, 3, 1));
    }
    return most;
}

static void attach(const tier_bank *from, osc_bank *to, uint32_t tiers)
{
    for (uint32_t tier = 1; tier <= from->tier_count; tier++) {
        const test_bank *whole = &from->tiers[tier - 1u];
        const uint32_t *words = (tiers >> (tier - 1u) & 1u) != 0u ? whole->words : 0;
        if (osc_bank_attach_tier(to, tier, words, whole->count * 4u) != OSC_OK)
            stop("a tier that cannot be attached");
    }
}

/* The greatest difference of any pose with these tiers and with all, at quarters of frames. */
static int32_t difference_with(const tier_bank *of, uint32_t tiers)
{
    test_player some, all;
    int32_t most = 0;
    player_make(&some, of->bank.words, of->bank.count);
    player_make(&all, of->bank.words, of->bank.count);
    attach(of, &some.bank, tiers);
    attach(of, &all.bank, (1u << of->tier_count) - 1u);
    for (uint32_t clip = 0; clip < some.bank.clip_count; clip++) {
        osc_clip_info info;
        (void)osc_clip_describe(&some.bank, clip, &info);
        (void)osc_player_start(&some.player, clip, OSC_PLAY_AS_MADE);
        (void)osc_player_start(&all.player, clip, OSC_PLAY_AS_MADE);
        for (uint32_t quarter = 0; quarter <= 4u * (info.frame_count - 1u); quarter++) {
            (void)osc_player_seek_q11(&some.player, (int32_t)(quarter * 512u));
            (void)osc_player_seek_q11(&all.player, (int32_t)(quarter * 512u));
            osc_player_evaluate(&some.player, &some.pose);
            osc_player_evaluate(&all.player, &all.pose);
            most = larger(most, pose_difference(&some.bank, &some.pose, &all.pose));
        }
    }
    player_free(&some);
    player_free(&all);
    return most;
}

/* The error that is stated with a number of tiers is that of any set of tiers that has those but
 * not the next one. */
static void measure(const tier_bank *of, uint32_t *errors)
{
    uint32_t all = (1u << of->tier_count) - 1u;
    for (uint32_t tiers = 0; tiers <= all; tiers++) {
        uint32_t complete = 0;
        while ((tiers >> complete & 1u) != 0u)
            complete++;
        errors[complete] = (uint32_t)larger((int32_t)errors[complete], difference_with(of, tiers));
    }
}

static tier_bank finish(maker *of, uint32_t block_log2)
{
    uint32_t errors[OSC_MAX_TIERS + 1u] = {0, 0, 0, 0, 0};
    for (uint32_t pass = 0; pass < 2u; pass++) {
        test_bank table = directory_of(of, block_log2, errors);
        bank_free(&of->made.bank);
        of->made.bank = with_section(&of->base, OSC_TAG_TIERS, &table);
        bank_free(&table);
        if (pass == 0u)
            measure(&of->made, errors);
    }
    bank_free(&of->base);
    bank_free(&of->entries);
    tier_bank_lay(&of->made, 0, 0);
    return of->made;
}

void tier_bank_lay(tier_bank *bank, uint32_t place, uint32_t gap)
{
    const uint32_t spare_words = 0x2000u / 4u; /* units reach beyond the last chunk */
    bank_free(&bank->medium);
    bank->medium.count = 0;
    for (uint32_t tier = 0; tier < bank->tier_count; tier++) {
        for (uint32_t i = 0; i < (tier == 0u ? place : gap) / 4u; i++)
            put(&bank->medium, 0xdeadbeefu);
        bank->places[tier] = bank->medium.count * 4u;
        put_all(&bank->medium, bank->tiers[tier].words, bank->tiers[tier].count);
    }
    for (uint32_t i = 0; i < spare_words; i++)
        put(&bank->medium, 0xdeadbeefu);
}

test_bank tier_bank_whole(const tier_bank *bank)
{
    test_bank whole = bank_copy(bank->bank.words, bank->bank.count);
    for (uint32_t tier = 0; tier < bank->tier_count; tier++) {
        test_bank more =
            with_section(&whole, OSC_TAG_TIER_1 + tier * OSC_TAG_TIER_STEP, &bank->tiers[tier]);
        bank_free(&whole);
        whole = more;
    }
    return whole;
}

void tier_bank_free(tier_bank *bank)
{
    bank_free(&bank->bank);
    bank_free(&bank->medium);
    for (uint32_t tier = 0; tier < OSC_MAX_TIERS; tier++)
        bank_free(&bank->tiers[tier]);
}

/* ---- banks of samples ---- */

static test_bank sample_copy(const uint32_t *words, uint32_t size_bytes, uint32_t state_words)
{
    test_bank bank = bank_copy(words, size_bytes / 4u);
    uint32_t *flags = bank.words + bank_section(&bank, 0) + OSC_SKELETON_FLAGS;
    *flags = (*flags & 0xffu) | state_words << OSC_SKELETON_STATE_SHIFT;
    bank.words[OSC_HEADER_FORMAT] = OSC_BANK_FORMAT;
    bank_seal(&bank);
    return bank;
}

/* The chunk of a clip that a bank has, as a version of `frames` frames. */
static test_bank version_of(const osc_bank *bank, uint32_t clip, uint32_t frames)
{
    osc_clip_info info;
    test_bank chunk = {0, 0};
    const uint32_t *entry = bank->clips + clip * OSC_CLIP_ENTRY_WORDS;
    (void)osc_clip_describe(bank, clip, &info);
    uint32_t shape = entry[OSC_CLIP_SHAPE] & ~(OSC_CLIP_LAST_FRAME_MASK | OSC_CLIP_LAYER);
    put(&chunk, shape | (frames - 1u));
    put_all(&chunk, bank->data + osc_clip_offset(entry), info.size_bytes / 4u);
    put(&chunk, 0);
    return chunk;
}

static void add_version(maker *to, uint32_t tier, uint32_t clip, const osc_bank *from,
                        uint32_t source, uint32_t frames)
{
    test_bank chunk = version_of(from, source, frames);
    add_chunk(to, tier, clip, 0, osc_shape_codec(chunk.words[0]), &chunk);
    bank_free(&chunk);
}

static uint32_t frames_of(const osc_bank *bank, uint32_t clip)
{
    return osc_shape_frame_count(bank->clips[clip * OSC_CLIP_ENTRY_WORDS + OSC_CLIP_SHAPE]);
}

enum { CODEC_STATE_WORDS = 200 };

tier_bank tier_bank_of_codecs(void)
{
    maker making;
    memset(&making, 0, sizeof making);
    test_bank tiers[2] = {sample_copy(sample_transform, sizeof sample_transform, CODEC_STATE_WORDS),
                          sample_copy(sample_curve, sizeof sample_curve, CODEC_STATE_WORDS)};
    making.base = sample_copy(sample_velocity, sizeof sample_velocity, CODEC_STATE_WORDS);
    osc_bank base, finer;
    if (bank_open(&making.base, &base) != OSC_OK)
        stop("a sample that does not open");
    for (uint32_t tier = 1; tier <= 2u; tier++) {
        if (bank_open(&tiers[tier - 1u], &finer) != OSC_OK || finer.layout_crc != base.layout_crc)
            stop("samples of different skeletons");
        for (uint32_t clip = 0; clip < base.clip_count; clip++)
            add_version(&making, tier, clip, &finer, clip, frames_of(&base, clip));
    }
    tier_bank made = finish(&making, OSC_BLOCK_LOG2_MAX);
    bank_free(&tiers[0]);
    bank_free(&tiers[1]);
    return made;
}

tier_bank tier_bank_of_sparse(void)
{
    const uint32_t clip = 2, version = 0; /* of as many blocks, but three frames more */
    maker making;
    memset(&making, 0, sizeof making);
    making.base = sample_copy(sample_sparse, sizeof sample_sparse, CODEC_STATE_WORDS);
    osc_bank base;
    if (bank_open(&making.base, &base) != OSC_OK)
        stop("a sample that does not open");
    add_version(&making, 1, clip, &base, version, frames_of(&base, clip));
    return finish(&making, OSC_BLOCK_LOG2_MAX);
}

tier_bank tier_bank_of_versions(bool turned)
{
    enum { TABLE = 4, TIERS = 2 }; /* sections: the directory, and behind it the tiers */
    const uint32_t hidden_tag = 0x21212121u;
    maker making;
    memset(&making, 0, sizeof making);
    test_bank whole = bank_copy(sample_versions, sizeof sample_versions / 4u);
    osc_bank opened;
    if (bank_open(&whole, &opened) != OSC_OK || opened.tier_count != TIERS)
        stop("a sample of other tiers");
    for (uint32_t tier = 1; tier <= TIERS; tier++) {
        uint32_t from = turned ? TIERS + 1u - tier : tier;
        for (uint32_t i = osc_chunks_end(&opened, from - 1u); i < osc_chunks_end(&opened, from);
             i++) {
            osc_chunk_entry entry = osc_chunk_describe(&opened, from, i);
            test_bank chunk =
                bank_copy(opened.tiers[from - 1u] + entry.offset_words, entry.word_count);
            add_chunk(&making, tier, entry.clip, entry.block, entry.codec, &chunk);
            bank_free(&chunk);
        }
    }
    making.base = bank_copy(whole.words, whole.count);
    for (uint32_t i = 0; i <= TIERS; i++)
        making.base.words[OSC_HEADER_WORDS + (TABLE + i) * OSC_SECTION_ENTRY_WORDS] = hidden_tag;
    bank_seal(&making.base);
    uint32_t block_log2 = opened.block_log2;
    bank_free(&whole);
    return finish(&making, block_log2);
}

/* ---- banks that are written here ---- */

enum { JOINTS = 2, MOTION_BITS = 21 };

/* The motion of a component of a joint: a wave of parabolas, which loops after `period` frames. */
static int32_t motion(uint32_t clip, uint32_t component, uint32_t frame, uint32_t period)
{
    uint32_t waves = 1u + (clip + component) % 3u;
    int32_t phase = (int32_t)((frame * waves * 4096u / period + 700u * component) & 4095u) - 2048;
    int32_t size = phase < 0 ? -phase : phase;
    return phase * (2048 - size) / 2 + (int32_t)(component * 4001u);
}

static uint32_t period_of(uint32_t clip, uint32_t frames)
{
    return clip == PLAIN_LONG || frames < 2u ? 97u : frames - 1u;
}

/* A version of the delta codec with a restart point on every frame, where numbers are plain, as
 * multiples of 2^shift: its shape, and then its data as in DATA. */
static test_bank plain_version(uint32_t clip, uint32_t frames, uint32_t from, uint32_t end,
                               uint32_t shift, bool loop)
{
    uint32_t width = MOTION_BITS + 1u - shift, rows = end - from - (loop ? 1u : 0u);
    bit_writer bits = {{0, 0}, 0};
    test_bank version = {0, 0};
    for (uint32_t joint = 0; joint < JOINTS; joint++)
        put_bits(&bits, shift | OSC_PACKING_VECTOR << 5 | (width - 1u) << 21, 32);
    put_bits(&bits, 0, 1u + OSC_CONSTANT_COUNT_RICE); /* no constants */
    put(&version,
        (end - from - 1u) | OSC_CODEC_DELTA << OSC_CLIP_CODEC_SHIFT | (loop ? OSC_CLIP_LOOP : 0u));
    put(&version, 32u * JOINTS);
    for (uint32_t row = 0; row < rows; row++) {
        if (row != 0u)
            put(&version, bits_written(&bits));
        for (uint32_t i = 0; i < 3u * JOINTS; i++) {
            int32_t value = motion(clip, i, from + row, period_of(clip, frames));
            put_bits(&bits, (uint32_t)((value + (1 << shift >> 1)) >> shift), width);
        }
    }
    put_all(&version, bits.words.words, bits.words.count);
    put(&version, 0);
    bank_free(&bits.words);
    return version;
}

/* A skeleton of joints that only move, with room for the state of dense clips. */
static test_bank plain_skeleton(uint32_t joints)
{
    test_bank skeleton = {0, 0};
    put(&skeleton, joints);
    put(&skeleton, 64u << OSC_SKELETON_STATE_SHIFT);
    put(&skeleton, 0x0000ffffu); /* a root, and a joint below it */
    for (uint32_t i = 0; i < 7u * joints; i++)
        put(&skeleton, i % 7u == 3u ? (uint32_t)OSC_ONE_Q20 : 0u);
    put(&skeleton, 0);
    put(&skeleton, (1u << joints) - 1u);
    put(&skeleton, 0);
    return skeleton;
}

/* A bank of these sections. */
static test_bank bank_of(test_bank skeleton, test_bank clips, test_bank data)
{
    const struct {
        uint32_t tag;
        test_bank words;
    } sections[3] = {{OSC_TAG_SKELETON, skeleton}, {OSC_TAG_CLIPS, clips}, {OSC_TAG_DATA, data}};
    test_bank bank = {0, 0};
    put(&bank, OSC_BANK_MAGIC);
    put(&bank, OSC_BANK_FORMAT);
    put(&bank, 0);
    put(&bank, 0);
    put(&bank, 3);
    uint32_t at = OSC_HEADER_WORDS + 3u * OSC_SECTION_ENTRY_WORDS;
    for (uint32_t i = 0; i < 3u; i++) {
        put(&bank, sections[i].tag);
        put(&bank, at | OSC_SECTION_REQUIRED);
        put(&bank, sections[i].words.count);
        at += sections[i].words.count;
    }
    for (uint32_t i = 0; i < 3u; i++) {
        put_all(&bank, sections[i].words.words, sections[i].words.count);
        free(sections[i].words.words);
    }
    bank_seal(&bank);
    return bank;
}

/* The table of clips begins with the only rate, 30 frames per second. */
static test_bank clips_begin(void)
{
    test_bank clips = {0, 0};
    put(&clips, 1);
    put(&clips, 30u << 16);
    put(&clips, 263882791u);
    return clips;
}

static void put_clip(test_bank *clips, test_bank *data, uint32_t hash, const test_bank *version)
{
    put(clips, hash);
    put(clips, version->words[0]);
    put(clips, data->count);
    put_all(data, version->words + 1, version->count - 2u); /* without the word of zeros */
}

static const struct {
    uint32_t frames;
    bool loop;
} plain_clips[PLAIN_CLIPS] = {[PLAIN_LONG] = {PLAIN_LONG_FRAMES, false},
                              [PLAIN_CYCLE] = {41, true},
                              [PLAIN_SHORT] = {20, true},
                              [PLAIN_STILL] = {1, false}};

static void add_blocks(maker *to, uint32_t tier, uint32_t clip, uint32_t shift)
{
    uint32_t frames = plain_clips[clip].frames, last = frames - 1u, block = 0;
    for (uint32_t from = 0; from == 0u || from < last; from += PLAIN_BLOCK, block++) {
        uint32_t end = last - from > PLAIN_BLOCK ? from + PLAIN_BLOCK + 1u : frames;
        bool loop = plain_clips[clip].loop && end - from == frames;
        if (clip == PLAIN_LONG && block % (tier + 2u) == 3u)
            continue; /* this tier has nothing for it */
        test_bank version = plain_version(clip, frames, from, end, shift, loop);
        add_chunk(to, tier, clip, block, OSC_CODEC_DELTA, &version);
        bank_free(&version);
    }
}

tier_bank tier_bank_of_blocks(void)
{
    static const uint32_t shifts[4] = {16, 12, 8, 2};
    const uint32_t block_log2 = 5;
    test_bank clips = clips_begin(), data = {0, 0};
    maker making;
    memset(&making, 0, sizeof making);
    for (uint32_t clip = 0; clip < PLAIN_CLIPS; clip++) {
        uint32_t frames = plain_clips[clip].frames;
        test_bank version =
            plain_version(clip, frames, 0, frames, shifts[0], plain_clips[clip].loop);
        put_clip(&clips, &data, clip + 1u, &version);
        bank_free(&version);
    }
    put(&data, 0);
    making.base = bank_of(plain_skeleton(JOINTS), clips, data);
    for (uint32_t tier = 1; tier <= 3u; tier++)
        for (uint32_t clip = 0; clip < PLAIN_CLIPS; clip++)
            if (clip != PLAIN_SHORT || tier != 2u) /* which has nothing of this clip */
                add_blocks(&making, tier, clip, shifts[tier]);
    return finish(&making, block_log2);
}

/* ---- keys ---- */

enum { KEY_FRAMES = 33, KEY_BLOCK_LOG2 = 3, KEY_TIERS = 4, KEY_BITS = 48 };

/* The keys of a block that are there with the first tiers: both ends, and then one more a tier, as
 * long as there are some; all with the last. */
static uint32_t keys_with(uint32_t tiers, uint32_t keys)
{
    return tiers == KEY_TIERS || tiers + 2u > keys ? keys : tiers + 2u;
}

/* The key at a place of the order in which they are needed: the ends first. */
static uint32_t key_at_place(uint32_t place, uint32_t keys)
{
    return place == 0u ? 0u : place == 1u ? keys - 1u : place - 1u;
}

static void put_key(bit_writer *to, uint32_t frame)
{
    for (uint32_t i = 0; i < 3u; i++)
        put_bits(to, (uint32_t)motion(1, i, frame, KEY_FRAMES) >> 6, KEY_BITS / 3u);
}

tier_bank tier_bank_of_keys(void)
{
    bit_writer clip = {{0, 0}, 0}, tiers[KEY_TIERS];
    test_bank clips = clips_begin(), data = {0, 0}, version = {0, 0};
    const uint32_t block = 1u << KEY_BLOCK_LOG2;
    maker making;
    memset(&making, 0, sizeof making);
    memset(tiers, 0, sizeof tiers);
    put_bits(&clip, 1, OSC_TRACK_COUNT_BITS);
    put_bits(&clip, 0, OSC_SPARSE_TIME_BITS); /* a key on every frame */
    put_bits(&clip, KEY_TIERS, OSC_DENSE_TIER_BITS);
    put_bits(&clip, 0, OSC_DENSE_CLASS_BITS); /* one class */
    put_bits(&clip, 0, OSC_TRACK_GAP_RICE + 1u);
    put_bits(&clip, OSC_KEY_FIXED | OSC_KEY_WIDTHS_16 << 3 | 0u << 5, 3u + 2u + 4u);
    uint32_t header_bits = bits_written(&clip);
    put_bits(&clip, 0, 1u + OSC_CONSTANT_COUNT_RICE);
    put(&version, (KEY_FRAMES - 1u) | OSC_CODEC_DENSE << OSC_CLIP_CODEC_SHIFT |
                      (uint32_t)KEY_BLOCK_LOG2 << OSC_CLIP_RESTART_SHIFT);
    put(&version, header_bits);
    for (uint32_t from = 0; from < KEY_FRAMES; from += block) {
        uint32_t keys = KEY_FRAMES - from < block ? KEY_FRAMES - from : block;
        if (from != 0u)
            put(&version, bits_written(&clip));
        for (uint32_t key = 0; key < keys; key++)
            put_bits(&clip, key == 0u ? 0u : key == keys - 1u ? 1u : key + 1u, KEY_BLOCK_LOG2);
        for (uint32_t tier = 0; tier < KEY_TIERS; tier++)
            put_bits(&clip, keys < 2u ? 0u : keys_with(tier, keys) - 2u, KEY_BLOCK_LOG2);
        for (uint32_t tier = 0; tier < KEY_TIERS; tier++)
            put_bits(&clip, bits_written(&tiers[tier]), 32);
        for (uint32_t place = 0, tier = 0; place < keys; place++) {
            while (place >= keys_with(tier, keys))
                tier++;
            put_key(tier == 0u ? &clip : &tiers[tier - 1u], from + key_at_place(place, keys));
        }
    }
    put_all(&version, clip.words.words, clip.words.count);
    put(&version, 0);
    put_clip(&clips, &data, 1, &version);
    put(&data, 0);
    making.base = bank_of(plain_skeleton(1), clips, data);
    for (uint32_t tier = 1; tier <= KEY_TIERS; tier++) {
        test_bank *keys = &tiers[tier - 1u].words;
        put(keys, 0); /* readers load pairs */
        add_chunk(&making, tier, 0, 0, 0, keys);
        bank_free(keys);
    }
    bank_free(&clip.words);
    bank_free(&version);
    return finish(&making, OSC_BLOCK_LOG2_MAX);
}
