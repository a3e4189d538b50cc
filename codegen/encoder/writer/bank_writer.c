/* Assembles a bank: its skeleton and sub-tracks, then the data of one clip after another, and the
 * tiers. */
#include <stdlib.h>

#include "bank/osc_format.h"
#include "base/arrays.h"
#include "ossicle.h"
#include "writer/base_row.h"
#include "writer/clip_writer.h"
#include "writer/tier_writer.h"

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

/* The parts of a bank before it is assembled. */
typedef struct {
    enc_word_buffer skeleton, clips, data, base;
    enc_tier_words tiers;
    enc_subtracks subtracks;
    const enc_clip **versions; /* those of the base first, then those of the tiers */
    enc_bit_writer *keys;      /* [clip][ENC_TIERS] */
    uint32_t state_words;
} bank_parts;

/* Writes the directory, and the data of the clips one after another. A clip that equals the
 * previous clip is its mirror image, and shares its data. */
static int32_t put_clips(bank_parts *parts, const enc_bank_content *content)
{
    const enc_clip *const *clips = content->clips;
    const enc_clip_entry *entries = content->entries;
    enc_word_buffer *directory = &parts->clips, *data = &parts->data;
    rate_table rates = {{NULL}, 0};
    for (uint32_t i = 0; i < content->clip_count; i++)
        if (number_rate(&rates, &entries[i]) == OSC_MAX_RATES)
            return ENC_ERROR_TOO_LARGE;
    enc_words_put(directory, rates.count);
    for (uint32_t i = 0; i < rates.count; i++) {
        enc_words_put(directory, rates.first_of[i]->rate_q16);
        enc_words_put(directory, rates.first_of[i]->position_per_us_q32);
    }
    uint32_t offset = 0;
    for (uint32_t i = 0; i < content->clip_count; i++) {
        bool mirrored = i != 0u && clips[i] == clips[i - 1u];
        offset = mirrored ? offset : (uint32_t)data->count;
        enc_words_put(directory, entries[i].name_hash);
        enc_words_put(directory, enc_clip_shape(clips[i]));
        enc_words_put(directory, offset | number_rate(&rates, &entries[i]) << OSC_CLIP_RATE_SHIFT);
        if (mirrored)
            continue;
        int32_t status = enc_clip_write(data, clips[i], &parts->subtracks,
                                        parts->keys + (size_t)i * ENC_TIERS, &parts->state_words);
        if (status != ENC_OK)
            return status;
        if (data->count > OSC_CLIP_OFFSET_MASK)
            return ENC_ERROR_TOO_LARGE;
    }
    enc_words_put(data, 0); /* the reader fetches pairs of words */
    return ENC_OK;
}

static void put_base(bank_parts *parts)
{
    const enc_base_row *base = &parts->subtracks.base;
    uint32_t words = base->values != NULL ? enc_base_row_words(base, parts->subtracks.count) : 0u;
    for (uint32_t i = 0; i < words; i++)
        enc_words_put(&parts->base, (uint16_t)base->values[2u * i] |
                                        (uint32_t)(uint16_t)base->values[2u * i + 1u] << 16);
}

static int32_t make_parts(bank_parts *parts, const enc_bank_content *content)
{
    bool complete = true;
    const enc_tiers *tiers = &content->tiers;
    uint32_t clip_count = content->clip_count, version_count = clip_count + tiers->version_count;
    parts->versions = enc_array(version_count, sizeof *parts->versions, &complete);
    parts->keys = enc_array((size_t)clip_count * ENC_TIERS, sizeof *parts->keys, &complete);
    if (!complete)
        return ENC_ERROR_MEMORY;
    for (uint32_t i = 0; i < version_count; i++)
        parts->versions[i] =
            i < clip_count ? content->clips[i] : tiers->versions[i - clip_count].version;
    int32_t status =
        enc_subtracks_number(&parts->subtracks, content->skeleton, version_count, parts->versions);
    if (status == ENC_OK && content->base_row_bytes != 0u)
        status = enc_base_row_choose(&parts->subtracks, version_count, parts->versions,
                                     8u * (uint64_t)content->base_row_bytes);
    put_base(parts);
    if (status == ENC_OK)
        status = put_clips(parts, content);
    if (status == ENC_OK)
        status = enc_tiers_write(&parts->tiers, content, parts->keys, &parts->subtracks,
                                 &parts->state_words);
    if (status == ENC_OK && parts->state_words > OSC_MAX_STATE_WORDS)
        status = ENC_ERROR_TOO_LARGE;
    if (status != ENC_OK)
        return status;
    put_skeleton(&parts->skeleton, content->skeleton, &parts->subtracks, parts->state_words);
    bool failed =
        parts->skeleton.failed || parts->clips.failed || parts->data.failed || parts->base.failed;
    return failed ? ENC_ERROR_MEMORY : ENC_OK;
}

static void release_parts(bank_parts *parts, uint32_t clip_count)
{
    for (size_t i = 0; parts->keys != NULL && i < (size_t)clip_count * ENC_TIERS; i++)
        enc_bits_release(&parts->keys[i]);
    free(parts->keys);
    free(parts->versions);
    enc_subtracks_release(&parts->subtracks);
    enc_words_release(&parts->skeleton);
    enc_words_release(&parts->clips);
    enc_words_release(&parts->data);
    enc_words_release(&parts->base);
    enc_tier_words_release(&parts->tiers);
}

static int32_t assemble_parts(enc_word_buffer *bank, const bank_parts *parts,
                              const enc_more_sections *more)
{
    section_body sections[8 + ENC_TIERS] = {
        {OSC_TAG_SKELETON, OSC_SECTION_REQUIRED, parts->skeleton.words, parts->skeleton.count},
        {OSC_TAG_CLIPS, OSC_SECTION_REQUIRED, parts->clips.words, parts->clips.count},
        {OSC_TAG_DATA, OSC_SECTION_REQUIRED, parts->data.words, parts->data.count},
        {OSC_TAG_BASE, OSC_SECTION_REQUIRED, parts->base.words, parts->base.count},
        {OSC_TAG_SKIN, 0u, more->skin.words, more->skin.word_count},
        {OSC_TAG_TIERS, 0u, parts->tiers.table.words, parts->tiers.table.count},
        {OSC_TAG_SKIN_JOINTS, 0u, more->skin_joints.words, more->skin_joints.word_count},
        {OSC_TAG_NAMES, 0u, more->names.words, more->names.word_count},
    };
    for (uint32_t i = 0; i < ENC_TIERS; i++)
        sections[8u + i] = (section_body){OSC_TAG_TIER_1 + i * OSC_TAG_TIER_STEP, 0u,
                                          parts->tiers.words[i].words, parts->tiers.words[i].count};
    return assemble(bank, sections, sizeof sections / sizeof sections[0]);
}

static uint16_t count_kind(const enc_subtracks *subtracks, uint32_t kind)
{
    uint16_t count = 0;
    for (uint32_t j = 0; j < subtracks->joints; j++)
        if (subtracks->number[j * ENC_KINDS + kind] != ENC_NO_SUBTRACK)
            count++;
    return count;
}

static void measure_parts(const bank_parts *parts, enc_bank_size *size)
{
    const enc_subtracks *subtracks = &parts->subtracks;
    const osc_bank bank = {.rotation_subtracks = count_kind(subtracks, ENC_ROTATION),
                           .translation_subtracks = count_kind(subtracks, ENC_TRANSLATION),
                           .scale_subtracks = count_kind(subtracks, ENC_SCALE),
                           .max_held = (uint16_t)subtracks->max_held,
                           .state_words = (uint16_t)parts->state_words};
    size->data_words = (uint32_t)parts->data.count - 1u; /* without the word of zeros */
    for (uint32_t i = 0; i < ENC_TIERS; i++)
        size->tier_words[i] = (uint32_t)parts->tiers.words[i].count;
    size->player_words = osc_player_memory_words(&bank);
    size->subtracks = subtracks->count;
}

int32_t enc_bank_write(const enc_bank_content *content, uint32_t **out, enc_bank_size *size)
{
    enc_word_buffer bank = {0};
    bank_parts parts = {0};
    if (out != NULL)
        *out = NULL;
    *size = (enc_bank_size){0};
    if (content->clip_count > 0xffffu)
        return ENC_ERROR_TOO_LARGE;
    int32_t status = make_parts(&parts, content);
    if (status == ENC_OK)
        measure_parts(&parts, size);
    if (status == ENC_OK && out != NULL)
        status = assemble_parts(&bank, &parts, &content->more);
    release_parts(&parts, content->clip_count);
    if (status != ENC_OK) {
        enc_words_release(&bank);
        return status;
    }
    if (out != NULL)
        *out = bank.words;
    size->words = (uint32_t)bank.count;
    return ENC_OK;
}

void enc_words_free(uint32_t *words)
{
    free(words);
}
