/* Assembles a bank: its sub-tracks, which are the union of those of its clips, then the data of one
 * clip after another. */
#include <stdlib.h>
#include <string.h>

#include "bank/clip.h"
#include "bank/osc_format.h"
#include "ossicle.h"

/* A growing array of words. */
typedef struct {
    uint32_t *words;
    size_t count, capacity;
    bool failed;
} word_buffer;

static void put(word_buffer *out, uint32_t word)
{
    if (out->count == out->capacity) {
        size_t capacity = out->capacity * 2u + 256u;
        uint32_t *words = realloc(out->words, capacity * sizeof *words);
        if (words == NULL) {
            out->failed = true;
            return;
        }
        out->words = words;
        out->capacity = capacity;
    }
    out->words[out->count++] = word;
}

/* The sub-tracks of the bank: the tracks that leave the bind pose in at least one clip. */
typedef struct {
    uint32_t joints;
    uint16_t *number; /* [joint * ENC_KINDS + kind]: number of the sub-track, or NO_SUBTRACK */
    uint32_t count;
    bool has_scale;
} subtrack_map;

#define NO_SUBTRACK 0xffffu

static int32_t number_subtracks(subtrack_map *subtracks, const enc_skeleton *skeleton,
                                uint32_t clip_count, const enc_clip *const *clips)
{
    subtracks->joints = skeleton->joint_count;
    subtracks->count = 0;
    subtracks->has_scale = skeleton->bind_scale;
    subtracks->number = malloc((size_t)subtracks->joints * ENC_KINDS * sizeof *subtracks->number);
    if (subtracks->number == NULL)
        return ENC_ERROR_MEMORY;
    ENC_FOR_EACH_TRACK(subtracks->joints, joint, kind)
    {
        uint32_t track = joint * ENC_KINDS + kind;
        subtracks->number[track] = NO_SUBTRACK;
        for (uint32_t i = 0; i < clip_count; i++)
            if (enc_clip_track(clips[i], joint, kind)->constant.track_kind != ENC_TRACK_DEFAULT) {
                subtracks->number[track] = (uint16_t)subtracks->count++;
                subtracks->has_scale = subtracks->has_scale || kind == ENC_SCALE;
                break;
            }
    }
    return ENC_OK;
}

static uint32_t most_held(uint32_t clip_count, const enc_clip *const *clips)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < clip_count; i++) {
        const enc_source *source = &clips[i]->source;
        for (uint32_t f = 1; f < source->frame_count; f++) {
            uint32_t here = 0;
            ENC_FOR_EACH_TRACK(source->skeleton->joint_count, joint, kind)
            here += enc_clip_track_breaks(clips[i], joint, kind, f);
            most = here > most ? here : most;
        }
    }
    return most;
}

static void put_skeleton(word_buffer *out, const enc_skeleton *skeleton,
                         const subtrack_map *subtracks, uint32_t max_held, uint32_t state_words)
{
    uint32_t joints = skeleton->joint_count;
    put(out, joints | max_held << 16);
    put(out, (subtracks->has_scale ? OSC_SKELETON_HAS_SCALE : 0u) |
                 state_words << OSC_SKELETON_STATE_SHIFT);
    for (uint32_t j = 0; j < joints; j += 2u) {
        uint32_t low = (uint32_t)skeleton->parents[j] & 0xffffu;
        uint32_t high = j + 1u < joints ? (uint32_t)skeleton->parents[j + 1u] & 0xffffu : 0u;
        put(out, low | high << 16);
    }
    for (uint32_t j = 0; j < joints; j++)
        for (uint32_t i = 0; i < (subtracks->has_scale ? 10u : 7u); i++)
            put(out, (uint32_t)skeleton->bind_q20[j * 10u + i]);
    for (uint32_t kind = 0; kind < ENC_KINDS; kind++)
        for (uint32_t first = 0; first < joints; first += 32u) {
            uint32_t mask = 0;
            for (uint32_t j = first; j < joints && j < first + 32u; j++)
                if (subtracks->number[j * ENC_KINDS + kind] != NO_SUBTRACK)
                    mask |= 1u << (j - first);
            put(out, mask);
        }
}

static uint32_t put_breaks(word_buffer *out, const enc_clip *clip, const subtrack_map *subtracks)
{
    uint32_t count = 0;
    for (uint32_t f = 1; f < clip->source.frame_count; f++)
        ENC_FOR_EACH_TRACK(subtracks->joints, joint, kind)
        {
            if (!enc_clip_track_breaks(clip, joint, kind, f))
                continue;
            put(out, f << OSC_BREAK_FRAME_SHIFT | subtracks->number[joint * ENC_KINDS + kind]);
            count++;
        }
    return count;
}

/* Writes the constants, each with the number of sub-tracks skipped since the one before. */
static void put_constants(enc_bit_writer *stream, const enc_clip *clip,
                          const subtrack_map *subtracks)
{
    uint32_t next = 0, count = 0;
    ENC_FOR_EACH_TRACK(subtracks->joints, joint, kind)
    count += enc_clip_track(clip, joint, kind)->constant.track_kind == ENC_TRACK_CONSTANT;
    enc_bits_put_rice(stream, count, OSC_CONSTANT_COUNT_RICE);
    ENC_FOR_EACH_TRACK(subtracks->joints, joint, kind)
    {
        const enc_constant *constant = &enc_clip_track(clip, joint, kind)->constant;
        uint32_t subtrack = subtracks->number[joint * ENC_KINDS + kind];
        if (constant->track_kind != ENC_TRACK_CONSTANT)
            continue;
        enc_bits_put_rice(stream, subtrack - next, OSC_CONSTANT_GAP_RICE);
        enc_constant_write(constant, stream);
        next = subtrack + 1u;
    }
}

/* The animated tracks of a clip in the order of sub-tracks. */
typedef struct {
    const enc_coded **tracks;
    uint32_t *subtracks;
    uint32_t count;
} animated_set;

static int32_t collect_animated(animated_set *set, const enc_clip *clip,
                                const subtrack_map *subtracks)
{
    size_t most = (size_t)subtracks->joints * ENC_KINDS;
    set->count = 0;
    set->tracks = malloc(most * sizeof *set->tracks);
    set->subtracks = malloc(most * sizeof *set->subtracks);
    if (set->tracks == NULL || set->subtracks == NULL)
        return ENC_ERROR_MEMORY;
    ENC_FOR_EACH_TRACK(subtracks->joints, joint, kind)
    {
        const enc_coded *coded = enc_clip_track(clip, joint, kind)->coded;
        if (coded == NULL)
            continue;
        set->tracks[set->count] = coded;
        set->subtracks[set->count++] = subtracks->number[joint * ENC_KINDS + kind];
    }
    return ENC_OK;
}

static void put_words(word_buffer *out, const enc_bit_writer *bits)
{
    for (size_t i = 0; i < (bits->bits + 31u) / 32u; i++)
        put(out, bits->words[i]);
    out->failed = out->failed || bits->failed;
}

static int32_t put_clip(word_buffer *out, const enc_clip *clip, const subtrack_map *subtracks,
                        enc_bit_writer *tiers, uint32_t *state_words)
{
    enc_bit_writer stream = {0}, restarts = {0}, blocks = {0};
    animated_set set = {0};
    uint32_t log2 = enc_restart_log2(clip->codec, &clip->options);
    uint32_t rows = clip->source.row_count;
    size_t first = out->count, header_bits = 0;
    put(out, 0); /* filled in below with the counts */
    size_t breaks = put_breaks(out, clip, subtracks);
    int32_t status = collect_animated(&set, clip, subtracks);
    if (status == ENC_OK && clip->codec->write_tiers != NULL)
        status = clip->codec->write_tiers(set.tracks, set.subtracks, set.count, rows, log2, &stream,
                                          &restarts, &blocks, tiers);
    else if (status == ENC_OK)
        status = clip->codec->write(set.tracks, set.subtracks, set.count, rows, log2, &stream,
                                    &restarts, &blocks);
    header_bits = stream.bits;
    put_constants(&stream, clip, subtracks);
    for (size_t i = 0; i < restarts.bits / 32u; i++)
        put(out, restarts.words[i] + (uint32_t)stream.bits);
    enc_bits_append(&stream, &blocks);
    put_words(out, &stream);
    if (status == ENC_OK) {
        uint32_t needed = clip->codec->state_words(set.tracks, set.count, rows);
        *state_words = needed > *state_words ? needed : *state_words;
        if (header_bits > OSC_DATA_HEADER_MASK || breaks > OSC_MAX_BREAKS)
            status = ENC_ERROR_TOO_LARGE;
        if (out->failed || restarts.failed)
            status = ENC_ERROR_MEMORY;
    }
    if (status == ENC_OK)
        out->words[first] = (uint32_t)header_bits | (uint32_t)breaks << OSC_DATA_BREAKS_SHIFT;
    enc_bits_release(&stream);
    enc_bits_release(&restarts);
    enc_bits_release(&blocks);
    free(set.tracks);
    free(set.subtracks);
    return status;
}

static uint32_t crc32_words(uint32_t crc, const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        crc ^= words[i];
        for (int bit = 0; bit < 32; bit++)
            crc = (crc >> 1) ^ (0xedb88320u & (0u - (crc & 1u)));
    }
    return crc;
}

static void append_words(word_buffer *out, const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        put(out, words[i]);
}

static void put_section(word_buffer *out, uint32_t tag, uint32_t required, size_t *offset,
                        size_t words)
{
    put(out, tag);
    put(out, (uint32_t)*offset | required);
    put(out, (uint32_t)words);
    *offset += words;
}

/* A section of the bank; it is left out if `words` is null. */
typedef struct {
    uint32_t tag, required;
    const uint32_t *words;
    size_t count;
} section_body;

/* Writes the header, the section table, and the sections in the order of the table. */
static int32_t assemble(word_buffer *out, const section_body *sections, uint32_t section_count)
{
    uint32_t present = 0;
    size_t total = OSC_HEADER_WORDS;
    for (uint32_t i = 0; i < section_count; i++)
        if (sections[i].words != NULL) {
            present++;
            total += OSC_SECTION_ENTRY_WORDS + sections[i].count;
        }
    if (total > OSC_CLIP_OFFSET_MASK)
        return ENC_ERROR_TOO_LARGE;
    put(out, OSC_BANK_MAGIC);
    put(out, OSC_BANK_FORMAT);
    put(out, (uint32_t)(total * 4u));
    put(out, 0); /* filled in below with the CRC */
    put(out, present);
    size_t offset = OSC_HEADER_WORDS + present * OSC_SECTION_ENTRY_WORDS;
    for (uint32_t i = 0; i < section_count; i++)
        if (sections[i].words != NULL)
            put_section(out, sections[i].tag, sections[i].required, &offset, sections[i].count);
    for (uint32_t i = 0; i < section_count; i++)
        if (sections[i].words != NULL)
            append_words(out, sections[i].words, sections[i].count);
    if (out->failed)
        return ENC_ERROR_MEMORY;
    uint32_t crc = crc32_words(0xffffffffu, out->words, OSC_HEADER_CRC);
    crc = crc32_words(crc, out->words + OSC_HEADER_CRC + 1, out->count - OSC_HEADER_CRC - 1u);
    out->words[OSC_HEADER_CRC] = crc ^ 0xffffffffu;
    return ENC_OK;
}

/* The distinct rates of the clips, in the order of their first use. */
typedef struct {
    const enc_clip_entry *first_of[OSC_MAX_RATES];
    uint32_t count;
} rate_table;

/* The number of the entry's rate; OSC_MAX_RATES if the table is full. */
static uint32_t number_rate(rate_table *rates, const enc_clip_entry *entry)
{
    for (uint32_t i = 0; i < rates->count; i++)
        if (rates->first_of[i]->rate_q16 == entry->rate_q16 &&
            rates->first_of[i]->position_per_us_q32 == entry->position_per_us_q32)
            return i;
    if (rates->count < OSC_MAX_RATES)
        rates->first_of[rates->count++] = entry;
    else
        return OSC_MAX_RATES;
    return rates->count - 1u;
}

/* Writes the directory, and the data of the clips one after another. */
static int32_t put_clips(word_buffer *directory, word_buffer *data, uint32_t clip_count,
                         const enc_clip *const *clips, const enc_clip_entry *entries,
                         const subtrack_map *subtracks, enc_bit_writer *tiers,
                         uint32_t *state_words)
{
    rate_table rates = {{NULL}, 0};
    for (uint32_t i = 0; i < clip_count; i++)
        if (number_rate(&rates, &entries[i]) == OSC_MAX_RATES)
            return ENC_ERROR_TOO_LARGE;
    put(directory, rates.count);
    for (uint32_t i = 0; i < rates.count; i++) {
        put(directory, rates.first_of[i]->rate_q16);
        put(directory, rates.first_of[i]->position_per_us_q32);
    }
    for (uint32_t i = 0; i < clip_count; i++) {
        put(directory, entries[i].name_hash);
        put(directory,
            (clips[i]->source.frame_count - 1u) | clips[i]->codec->codec << OSC_CLIP_CODEC_SHIFT |
                enc_restart_log2(clips[i]->codec, &clips[i]->options) << OSC_CLIP_RESTART_SHIFT |
                (clips[i]->options.layer != 0u ? OSC_CLIP_LAYER : 0u) |
                (clips[i]->source.loop ? OSC_CLIP_LOOP : 0u));
        put(directory, (uint32_t)data->count | number_rate(&rates, &entries[i])
                                                   << OSC_CLIP_RATE_SHIFT);
        int32_t status = put_clip(data, clips[i], subtracks, tiers, state_words);
        if (status != ENC_OK)
            return status;
        if (data->count > OSC_CLIP_OFFSET_MASK)
            return ENC_ERROR_TOO_LARGE;
    }
    put(data, 0); /* the reader fetches pairs of words */
    return ENC_OK;
}

/* The tiers of a bank: their contents, and the section that lists them. */
typedef struct {
    enc_bit_writer bits[ENC_TIERS];
    word_buffer words[ENC_TIERS], table;
} tier_set;

/* Completes and lists the tiers in which some clip has keys. */
static void put_tiers(tier_set *tiers, uint32_t clip_count, const enc_clip *const *clips)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < clip_count; i++)
        count = clips[i]->report.tiers > count ? clips[i]->report.tiers : count;
    for (uint32_t i = 0; i < count; i++) {
        word_buffer *words = &tiers->words[i];
        put_words(words, &tiers->bits[i]);
        put(words, 0); /* the reader fetches pairs of words */
        if (words->count < 2u)
            put(words, 0);
        put(&tiers->table, (uint32_t)words->count);
        put(&tiers->table, crc32_words(0xffffffffu, words->words, words->count) ^ 0xffffffffu);
    }
}

static bool tiers_failed(const tier_set *tiers)
{
    bool failed = tiers->table.failed;
    for (uint32_t i = 0; i < ENC_TIERS; i++)
        failed = failed || tiers->words[i].failed;
    return failed;
}

static void release_tiers(tier_set *tiers)
{
    for (uint32_t i = 0; i < ENC_TIERS; i++) {
        enc_bits_release(&tiers->bits[i]);
        free(tiers->words[i].words);
    }
    free(tiers->table.words);
}

int32_t enc_bank_write(const enc_skeleton *skeleton, uint32_t clip_count,
                       const enc_clip *const *clips, const enc_clip_entry *entries,
                       const enc_more_sections *more, uint32_t **out, uint32_t *out_words)
{
    word_buffer skeleton_words = {0}, clip_words = {0}, data = {0}, bank = {0};
    subtrack_map subtracks = {0};
    tier_set tiers = {0};
    *out = NULL;
    *out_words = 0;
    if (clip_count > 0xffffu)
        return ENC_ERROR_TOO_LARGE;
    int32_t status = number_subtracks(&subtracks, skeleton, clip_count, clips);
    uint32_t state_words = 0;
    if (status == ENC_OK)
        status = put_clips(&clip_words, &data, clip_count, clips, entries, &subtracks, tiers.bits,
                           &state_words);
    if (status == ENC_OK)
        put_tiers(&tiers, clip_count, clips);
    if (status == ENC_OK && state_words > OSC_MAX_STATE_WORDS)
        status = ENC_ERROR_TOO_LARGE;
    if (status == ENC_OK)
        put_skeleton(&skeleton_words, skeleton, &subtracks, most_held(clip_count, clips),
                     state_words);
    if (status == ENC_OK &&
        (skeleton_words.failed || clip_words.failed || data.failed || tiers_failed(&tiers)))
        status = ENC_ERROR_MEMORY;
    const section_body sections[] = {
        {OSC_TAG_SKELETON, OSC_SECTION_REQUIRED, skeleton_words.words, skeleton_words.count},
        {OSC_TAG_CLIPS, OSC_SECTION_REQUIRED, clip_words.words, clip_words.count},
        {OSC_TAG_DATA, OSC_SECTION_REQUIRED, data.words, data.count},
        {OSC_TAG_SKIN, 0u, more->skin.words, more->skin.word_count},
        {OSC_TAG_TIERS, 0u, tiers.table.words, tiers.table.count},
        {OSC_TAG_SKIN_JOINTS, 0u, more->skin_joints.words, more->skin_joints.word_count},
        {OSC_TAG_NAMES, 0u, more->names.words, more->names.word_count},
        {OSC_TAG_TIER_1, 0u, tiers.words[0].words, tiers.words[0].count},
        {OSC_TAG_TIER_2, 0u, tiers.words[1].words, tiers.words[1].count},
    };
    if (status == ENC_OK)
        status = assemble(&bank, sections, sizeof sections / sizeof sections[0]);
    free(subtracks.number);
    free(skeleton_words.words);
    free(clip_words.words);
    free(data.words);
    release_tiers(&tiers);
    if (status != ENC_OK) {
        free(bank.words);
        return status;
    }
    *out = bank.words;
    *out_words = (uint32_t)bank.count;
    return ENC_OK;
}

void enc_words_free(uint32_t *words)
{
    free(words);
}
