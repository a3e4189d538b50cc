/* Assembles a bank: its skeleton and sub-tracks, then the data of one clip after another, and the
 * tiers. */
#include <stdlib.h>

#include "bank/clip_writer.h"
#include "bank/osc_format.h"
#include "bank/tier_writer.h"
#include "base/arrays.h"
#include "ossicle.h"

static void put_skeleton(enc_word_buffer *out, const enc_skeleton *skeleton,
                         const enc_subtracks *subtracks, uint32_t state_words)
{
    uint32_t joints = skeleton->joint_count;
    enc_words_put(out, joints | subtracks->max_held << 16);
    enc_words_put(out, (subtracks->has_scale ? OSC_SKELETON_HAS_SCALE : 0u) |
                           state_words << OSC_SKELETON_STATE_SHIFT);
    for (uint32_t j = 0; j < joints; j += 2u) {
        uint32_t low = (uint32_t)skeleton->parents[j] & 0xffffu;
        uint32_t high = j + 1u < joints ? (uint32_t)skeleton->parents[j + 1u] & 0xffffu : 0u;
        enc_words_put(out, low | high << 16);
    }
    for (uint32_t j = 0; j < joints; j++)
        for (uint32_t i = 0; i < (subtracks->has_scale ? 10u : 7u); i++)
            enc_words_put(out, (uint32_t)skeleton->bind_q20[j * 10u + i]);
    for (uint32_t kind = 0; kind < ENC_KINDS; kind++)
        for (uint32_t first = 0; first < joints; first += 32u) {
            uint32_t mask = 0;
            for (uint32_t j = first; j < joints && j < first + 32u; j++)
                if (subtracks->number[j * ENC_KINDS + kind] != ENC_NO_SUBTRACK)
                    mask |= 1u << (j - first);
            enc_words_put(out, mask);
        }
}

static void put_section(enc_word_buffer *out, uint32_t tag, uint32_t required, size_t *offset,
                        size_t words)
{
    enc_words_put(out, tag);
    enc_words_put(out, (uint32_t)*offset | required);
    enc_words_put(out, (uint32_t)words);
    *offset += words;
}

/* A section of the bank; it is left out if `words` is null. */
typedef struct {
    uint32_t tag, required;
    const uint32_t *words;
    size_t count;
} section_body;

/* Writes the header, the section table, and the sections in the order of the table. */
static int32_t assemble(enc_word_buffer *out, const section_body *sections, uint32_t section_count)
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
    enc_words_put(out, OSC_BANK_MAGIC);
    enc_words_put(out, OSC_BANK_FORMAT);
    enc_words_put(out, (uint32_t)(total * 4u));
    enc_words_put(out, 0); /* filled in below with the CRC */
    enc_words_put(out, present);
    size_t offset = OSC_HEADER_WORDS + present * OSC_SECTION_ENTRY_WORDS;
    for (uint32_t i = 0; i < section_count; i++)
        if (sections[i].words != NULL)
            put_section(out, sections[i].tag, sections[i].required, &offset, sections[i].count);
    for (uint32_t i = 0; i < section_count; i++)
        if (sections[i].words != NULL)
            enc_words_append(out, sections[i].words, sections[i].count);
    if (out->failed)
        return ENC_ERROR_MEMORY;
    uint32_t crc = enc_words_crc(0xffffffffu, out->words, OSC_HEADER_CRC);
    crc = enc_words_crc(crc, out->words + OSC_HEADER_CRC + 1, out->count - OSC_HEADER_CRC - 1u);
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

/* Writes the directory, and the data of the clips one after another. One that is that of the clip
 * before it is the mirror image of that, and has the same data. */
static int32_t put_clips(enc_word_buffer *directory, enc_word_buffer *data, uint32_t clip_count,
                         const enc_clip *const *clips, const enc_clip_entry *entries,
                         const enc_subtracks *subtracks, enc_bit_writer *keys,
                         uint32_t *state_words)
{
    rate_table rates = {{NULL}, 0};
    for (uint32_t i = 0; i < clip_count; i++)
        if (number_rate(&rates, &entries[i]) == OSC_MAX_RATES)
            return ENC_ERROR_TOO_LARGE;
    enc_words_put(directory, rates.count);
    for (uint32_t i = 0; i < rates.count; i++) {
        enc_words_put(directory, rates.first_of[i]->rate_q16);
        enc_words_put(directory, rates.first_of[i]->position_per_us_q32);
    }
    uint32_t offset = 0;
    for (uint32_t i = 0; i < clip_count; i++) {
        bool mirrored = i != 0u && clips[i] == clips[i - 1u];
        offset = mirrored ? offset : (uint32_t)data->count;
        enc_words_put(directory, entries[i].name_hash);
        enc_words_put(directory, enc_clip_shape(clips[i]));
        enc_words_put(directory, offset | number_rate(&rates, &entries[i]) << OSC_CLIP_RATE_SHIFT);
        if (mirrored)
            continue;
        int32_t status =
            enc_clip_write(data, clips[i], subtracks, keys + (size_t)i * ENC_TIERS, state_words);
        if (status != ENC_OK)
            return status;
        if (data->count > OSC_CLIP_OFFSET_MASK)
            return ENC_ERROR_TOO_LARGE;
    }
    enc_words_put(data, 0); /* the reader fetches pairs of words */
    return ENC_OK;
}

/* What a bank is made of before it is assembled. */
typedef struct {
    enc_word_buffer skeleton, clips, data;
    enc_tier_words tiers;
    enc_subtracks subtracks;
    const enc_clip **versions; /* of the base, then of the tiers */
    enc_bit_writer *keys;      /* [clip][ENC_TIERS] */
    uint32_t state_words;
} parts;

static int32_t make_parts(parts *made, const enc_skeleton *skeleton, uint32_t clip_count,
                          const enc_clip *const *clips, const enc_clip_entry *entries,
                          const enc_tiers *tiers)
{
    bool complete = true;
    uint32_t version_count = clip_count + tiers->version_count;
    made->versions = enc_array(version_count, sizeof *made->versions, &complete);
    made->keys = enc_array((size_t)clip_count * ENC_TIERS, sizeof *made->keys, &complete);
    if (!complete)
        return ENC_ERROR_MEMORY;
    for (uint32_t i = 0; i < version_count; i++)
        made->versions[i] = i < clip_count ? clips[i] : tiers->versions[i - clip_count].version;
    int32_t status =
        enc_subtracks_number(&made->subtracks, skeleton, version_count, made->versions);
    if (status == ENC_OK)
        status = put_clips(&made->clips, &made->data, clip_count, clips, entries, &made->subtracks,
                           made->keys, &made->state_words);
    if (status == ENC_OK)
        status = enc_tiers_write(&made->tiers, clip_count, clips, tiers, made->keys,
                                 &made->subtracks, &made->state_words);
    if (status == ENC_OK && made->state_words > OSC_MAX_STATE_WORDS)
        status = ENC_ERROR_TOO_LARGE;
    if (status != ENC_OK)
        return status;
    put_skeleton(&made->skeleton, skeleton, &made->subtracks, made->state_words);
    bool failed = made->skeleton.failed || made->clips.failed || made->data.failed;
    return failed ? ENC_ERROR_MEMORY : ENC_OK;
}

static void release_parts(parts *made, uint32_t clip_count)
{
    for (size_t i = 0; made->keys != NULL && i < (size_t)clip_count * ENC_TIERS; i++)
        enc_bits_release(&made->keys[i]);
    free(made->keys);
    free(made->versions);
    enc_subtracks_release(&made->subtracks);
    enc_words_release(&made->skeleton);
    enc_words_release(&made->clips);
    enc_words_release(&made->data);
    enc_tier_words_release(&made->tiers);
}

int32_t enc_bank_write(const enc_skeleton *skeleton, uint32_t clip_count,
                       const enc_clip *const *clips, const enc_clip_entry *entries,
                       const enc_tiers *tiers, const enc_more_sections *more, uint32_t **out,
                       uint32_t *out_words)
{
    enc_word_buffer bank = {0};
    parts made = {0};
    *out = NULL;
    *out_words = 0;
    if (clip_count > 0xffffu)
        return ENC_ERROR_TOO_LARGE;
    int32_t status = make_parts(&made, skeleton, clip_count, clips, entries, tiers);
    section_body sections[7 + ENC_TIERS] = {
        {OSC_TAG_SKELETON, OSC_SECTION_REQUIRED, made.skeleton.words, made.skeleton.count},
        {OSC_TAG_CLIPS, OSC_SECTION_REQUIRED, made.clips.words, made.clips.count},
        {OSC_TAG_DATA, OSC_SECTION_REQUIRED, made.data.words, made.data.count},
        {OSC_TAG_SKIN, 0u, more->skin.words, more->skin.word_count},
        {OSC_TAG_TIERS, 0u, made.tiers.table.words, made.tiers.table.count},
        {OSC_TAG_SKIN_JOINTS, 0u, more->skin_joints.words, more->skin_joints.word_count},
        {OSC_TAG_NAMES, 0u, more->names.words, more->names.word_count},
    };
    for (uint32_t i = 0; i < ENC_TIERS; i++)
        sections[7u + i] = (section_body){OSC_TAG_TIER_1 + i * OSC_TAG_TIER_STEP, 0u,
                                          made.tiers.words[i].words, made.tiers.words[i].count};
    if (status == ENC_OK)
        status = assemble(&bank, sections, sizeof sections / sizeof sections[0]);
    release_parts(&made, clip_count);
    if (status != ENC_OK) {
        enc_words_release(&bank);
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
