#include "writer/tier_writer.h"

#include <math.h>
#include <stdlib.h>

#include "bank/osc_format.h"
#include "base/arrays.h"
#include "ossicle.h"

/* An entry of the directory. */
typedef struct {
    uint32_t key, offset, crc;
} chunk_entry;

typedef struct {
    chunk_entry *entries;
    uint32_t count;
} chunk_list;

/* Ends a chunk that began at word `first` of a tier. */
static void list_chunk(chunk_list *list, const enc_word_buffer *tier, size_t first, uint32_t clip,
                       uint32_t block, uint32_t codec)
{
    if (tier->failed)
        return;
    list->entries[list->count++] = (chunk_entry){
        .key = clip << OSC_CHUNK_CLIP_SHIFT | block << OSC_CHUNK_BLOCK_SHIFT | codec,
        .offset = (uint32_t)first,
        .crc = enc_words_crc(0xffffffffu, tier->words + first, tier->count - first) ^ 0xffffffffu};
}

static void put_keys(chunk_list *list, enc_word_buffer *tier, uint32_t clip,
                     const enc_bit_writer *keys)
{
    size_t first = tier->count;
    enc_words_append_bits(tier, keys);
    do /* the reader fetches pairs of words */
        enc_words_put(tier, 0);
    while (!tier->failed && tier->count - first < OSC_CHUNK_LEAST_WORDS);
    list_chunk(list, tier, first, clip, 0, 0);
}

/* Returns whether a clip has keys in this tier or a higher one, which needs a chunk of every lower
 * tier. */
static bool has_keys_from(const enc_bit_writer *of_clip, uint32_t tier)
{
    while (tier <= ENC_TIERS && of_clip[tier - 1u].bits == 0u)
        tier++;
    return tier <= ENC_TIERS;
}

static int32_t put_version(chunk_list *list, enc_word_buffer *tier, const enc_version *version,
                           const enc_subtracks *subtracks, uint32_t *state_words)
{
    size_t first = tier->count;
    enc_bit_writer keys[ENC_TIERS] = {{0}};
    enc_words_put(tier, enc_clip_shape(version->version));
    int32_t status = enc_clip_write(tier, version->version, subtracks, keys, state_words);
    enc_words_put(tier, 0);                    /* the reader fetches pairs of words */
    for (uint32_t i = 0; i < ENC_TIERS; i++) { /* only the base's keys can be in tiers */
        if (keys[i].bits != 0u && status == ENC_OK)
            status = ENC_ERROR_INTERNAL;
        enc_bits_release(&keys[i]);
    }
    list_chunk(list, tier, first, version->clip, version->block, version->version->codec->codec);
    return status;
}

/* All tiers of a bank. */
typedef struct {
    const enc_bank_content *content;
    const enc_bit_writer *keys; /* [clip][ENC_TIERS] */
    const enc_subtracks *subtracks;
    uint32_t *state_words;
    chunk_list list;
} tier_writer;

/* The chunks of a tier in the order of clips: keys of clips of the base, and versions. */
static int32_t put_tier(tier_writer *writer, enc_word_buffer *words, uint32_t tier)
{
    const enc_tiers *tiers = &writer->content->tiers;
    uint32_t next = 0, count = tiers->version_count;
    int32_t status = ENC_OK;
    while (next < count && tiers->versions[next].tier < tier)
        next++;
    for (uint32_t clip = 0; clip < writer->content->clip_count && status == ENC_OK; clip++) {
        const enc_bit_writer *of_clip = &writer->keys[(size_t)clip * ENC_TIERS];
        if (has_keys_from(of_clip, tier))
            put_keys(&writer->list, words, clip, &of_clip[tier - 1u]);
        for (; next < count && tiers->versions[next].tier == tier &&
               tiers->versions[next].clip == clip && status == ENC_OK;
             next++)
            status = put_version(&writer->list, words, &tiers->versions[next], writer->subtracks,
                                 writer->state_words);
    }
    return status == ENC_OK && words->count > OSC_CLIP_OFFSET_MASK ? ENC_ERROR_TOO_LARGE : status;
}

/* ---- the errors in the directory ---- */

/* The error of a clip with only the first tiers, as determined by its keys. */
static double base_error_m(const enc_clip *clip, uint32_t tiers)
{
    return tiers < clip->report.tiers ? clip->report.tier_error_m[tiers] : clip->report.error_m;
}

/* The number of blocks of a clip. */
static uint32_t block_count(const enc_clip *clip, const enc_tiers *tiers)
{
    uint32_t last = clip->source.frame_count - 1u;
    return last == 0u ? 1u : ((last - 1u) >> tiers->block_log2) + 1u;
}

static int by_clip_and_block(const void *left, const void *right)
{
    const enc_version *a = *(const enc_version *const *)left;
    const enc_version *b = *(const enc_version *const *)right;
    if (a->clip != b->clip)
        return a->clip < b->clip ? -1 : 1;
    if (a->block != b->block)
        return a->block < b->block ? -1 : 1;
    return a->tier < b->tier ? -1 : a->tier > b->tier;
}

/* The largest error of any clip with only the first tiers: for each block, the version of the
 * highest of these tiers plays. versions: by clip, block and tier. */
static double error_m(const enc_bank_content *content, const enc_version *const *versions,
                      uint32_t with)
{
    const enc_tiers *tiers = &content->tiers;
    uint32_t i = 0;
    double worst = 0.0;
    for (uint32_t clip = 0; clip < content->clip_count; clip++) {
        uint32_t replaced = 0;
        while (i < tiers->version_count && versions[i]->clip == clip) {
            const enc_version *plays = NULL;
            uint32_t block = versions[i]->block;
            for (; i < tiers->version_count && versions[i]->clip == clip &&
                   versions[i]->block == block;
                 i++)
                if (versions[i]->tier <= with)
                    plays = versions[i];
            if (plays != NULL) {
                worst = fmax(worst, plays->version->report.error_m);
                replaced++;
            }
        }
        if (replaced < block_count(content->clips[clip], tiers))
            worst = fmax(worst, base_error_m(content->clips[clip], with));
    }
    return worst;
}

static uint32_t error_q20(double metres)
{
    double q20 = ceil(metres * OSC_ONE_Q20);
    return q20 < INT32_MAX ? (uint32_t)q20 : (uint32_t)INT32_MAX;
}

int32_t enc_tiers_write(enc_tier_words *out, const enc_bank_content *content,
                        const enc_bit_writer *keys, const enc_subtracks *subtracks,
                        uint32_t *state_words)
{
    const enc_tiers *tiers = &content->tiers;
    uint32_t count = tiers->tier_count;
    for (uint32_t i = 0; i < content->clip_count; i++)
        count = content->clips[i]->report.tiers > count ? content->clips[i]->report.tiers : count;
    if (count == 0u)
        return ENC_OK;
    bool complete = true;
    tier_writer writer = {
        .content = content, .keys = keys, .subtracks = subtracks, .state_words = state_words};
    const enc_version **sorted = enc_array(tiers->version_count, sizeof *sorted, &complete);
    writer.list.entries = enc_array((size_t)content->clip_count * ENC_TIERS + tiers->version_count,
                                    sizeof *writer.list.entries, &complete);
    int32_t status = complete ? ENC_OK : ENC_ERROR_MEMORY;
    for (uint32_t i = 0; i < tiers->version_count && complete; i++)
        sorted[i] = &tiers->versions[i];
    if (complete)
        qsort(sorted, tiers->version_count, sizeof *sorted, by_clip_and_block);
    enc_words_put(&out->table, count | tiers->block_log2 << OSC_TIERS_BLOCK_SHIFT);
    if (complete)
        enc_words_put(&out->table, error_q20(error_m(content, sorted, 0)));
    for (uint32_t tier = 1; tier <= count && status == ENC_OK; tier++) {
        enc_word_buffer *words = &out->words[tier - 1u];
        status = put_tier(&writer, words, tier);
        enc_words_put(&out->table, (uint32_t)words->count);
        enc_words_put(&out->table, writer.list.count);
        enc_words_put(&out->table, error_q20(error_m(content, sorted, tier)));
        if (words->failed)
            status = ENC_ERROR_MEMORY;
    }
    for (uint32_t i = 0; i < writer.list.count && status == ENC_OK; i++) {
        enc_words_put(&out->table, writer.list.entries[i].key);
        enc_words_put(&out->table, writer.list.entries[i].offset);
        enc_words_put(&out->table, writer.list.entries[i].crc);
    }
    free(writer.list.entries);
    free(sorted);
    return status == ENC_OK && out->table.failed ? ENC_ERROR_MEMORY : status;
}

void enc_tier_words_release(enc_tier_words *tiers)
{
    enc_words_release(&tiers->table);
    for (uint32_t i = 0; i < ENC_TIERS; i++)
        enc_words_release(&tiers->words[i]);
}
