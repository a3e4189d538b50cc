/* Assembling the bank: the union of all clips' lanes, then one piece of data a clip. */
#include <stdlib.h>
#include <string.h>

#include "clip.h"
#include "osc_format.h"
#include "ossicle.h"

/* A growing run of words. */
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

/* The lanes of the bank: which tracks at least one clip does not leave at the bind pose. */
typedef struct {
    uint32_t joints;
    uint16_t *number; /* [joint * ENC_KINDS + kind]: lane, or NO_LANE */
    uint32_t count;
    bool has_scale;
} lane_map;

#define NO_LANE 0xffffu

static int32_t number_lanes(lane_map *lanes, const enc_skeleton *skeleton, uint32_t clip_count,
                            const enc_clip *const *clips)
{
    lanes->joints = skeleton->joint_count;
    lanes->count = 0;
    lanes->has_scale = skeleton->bind_scale;
    lanes->number = malloc((size_t)lanes->joints * ENC_KINDS * sizeof *lanes->number);
    if (lanes->number == NULL)
        return ENC_ERROR_MEMORY;
    ENC_FOR_EACH_LANE(lanes->joints, joint, kind)
    {
        uint32_t track = joint * ENC_KINDS + kind;
        lanes->number[track] = NO_LANE;
        for (uint32_t i = 0; i < clip_count; i++)
            if (clips[i]->tracks[track].lane_kind != OSC_LANE_DEFAULT) {
                lanes->number[track] = (uint16_t)lanes->count++;
                lanes->has_scale = lanes->has_scale || kind == ENC_SCALE;
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
            ENC_FOR_EACH_LANE(source->skeleton->joint_count, joint, kind)
            here += clips[i]->tracks[joint * ENC_KINDS + kind].lane_kind == OSC_LANE_ANIMATED &&
                    enc_breaks(source, kind, joint)[f] != 0;
            most = here > most ? here : most;
        }
    }
    return most;
}

static void put_skeleton(word_buffer *out, const enc_skeleton *skeleton, const lane_map *lanes,
                         uint32_t max_held)
{
    uint32_t joints = skeleton->joint_count;
    put(out, joints | max_held << 16);
    put(out, lanes->has_scale ? OSC_SKELETON_HAS_SCALE : 0u);
    for (uint32_t j = 0; j < joints; j += 2u) {
        uint32_t low = (uint32_t)skeleton->parents[j] & 0xffffu;
        uint32_t high = j + 1u < joints ? (uint32_t)skeleton->parents[j + 1u] & 0xffffu : 0u;
        put(out, low | high << 16);
    }
    for (uint32_t j = 0; j < joints; j++)
        for (uint32_t i = 0; i < (lanes->has_scale ? 10u : 7u); i++)
            put(out, (uint32_t)skeleton->bind_q20[j * 10u + i]);
    for (uint32_t kind = 0; kind < ENC_KINDS; kind++)
        for (uint32_t first = 0; first < joints; first += 32u) {
            uint32_t mask = 0;
            for (uint32_t j = first; j < joints && j < first + 32u; j++)
                if (lanes->number[j * ENC_KINDS + kind] != NO_LANE)
                    mask |= 1u << (j - first);
            put(out, mask);
        }
}

/* Track records in lane order; gaps longer than a record can say get records of their own. */
static uint32_t put_records(word_buffer *out, const enc_clip *clip, const lane_map *lanes)
{
    uint32_t next = 0, count = 0;
    ENC_FOR_EACH_LANE(lanes->joints, joint, kind)
    {
        const enc_clip_track *track = &clip->tracks[joint * ENC_KINDS + kind];
        if (track->lane_kind != OSC_LANE_ANIMATED)
            continue;
        uint32_t lane = lanes->number[joint * ENC_KINDS + kind], gap = lane - next;
        for (; gap > 63u; gap -= 63u, count++)
            put(out, OSC_CHART_SKIP << 5 | 63u << 26);
        put(out, track->record | gap << 26);
        next = lane + 1u;
        count++;
    }
    return count;
}

static uint32_t put_breaks(word_buffer *out, const enc_clip *clip, const lane_map *lanes)
{
    uint32_t count = 0;
    for (uint32_t f = 1; f < clip->source.frame_count; f++)
        ENC_FOR_EACH_LANE(lanes->joints, joint, kind)
        {
            uint32_t track = joint * ENC_KINDS + kind;
            if (clip->tracks[track].lane_kind != OSC_LANE_ANIMATED ||
                enc_breaks(&clip->source, kind, joint)[f] == 0)
                continue;
            put(out, f << OSC_BREAK_FRAME_SHIFT | lanes->number[track]);
            count++;
        }
    return count;
}

static void append_bits(enc_bit_writer *out, const enc_bit_writer *from, size_t first, size_t count)
{
    for (size_t i = first; i < first + count; i++)
        enc_bits_put(out, from->words[i / 32u] >> (i % 32u), 1u);
}

static int32_t put_clip(word_buffer *out, const enc_clip *clip, const lane_map *lanes)
{
    enc_bit_writer stream = {NULL, 0, 0, false};
    size_t header = out->count;
    put(out, 0); /* the counts, known below */
    put(out, clip->options.restart_log2);
    uint32_t records = put_records(out, clip, lanes), breaks = put_breaks(out, clip, lanes);
    if (records > 0xffffu || breaks > 0xffffu)
        return ENC_ERROR_TOO_LARGE;
    ENC_FOR_EACH_LANE(lanes->joints, joint, kind)
    {
        const enc_clip_track *track = &clip->tracks[joint * ENC_KINDS + kind];
        if (lanes->number[joint * ENC_KINDS + kind] == NO_LANE)
            continue;
        enc_bits_put(&stream, track->lane_kind, 2u);
        if (track->lane_kind == OSC_LANE_CONSTANT)
            append_bits(&stream, &clip->constants, track->constant_at, track->constant_bits);
    }
    uint32_t prefix = (uint32_t)stream.bits;
    append_bits(&stream, &clip->frames, 0, clip->frames.bits);
    enc_bits_put(&stream, 0, 1u); /* so that a restart offset lies inside even if no bit follows */
    for (uint32_t i = 0; i < clip->restart_count; i++)
        put(out, prefix + clip->restarts[i]);
    size_t words = (stream.bits + 31u) / 32u;
    for (size_t i = 0; i < words && !stream.failed; i++)
        put(out, stream.words[i]);
    put(out, 0); /* the reader looks at pairs of words */
    bool failed = stream.failed || out->failed;
    enc_bits_release(&stream);
    if (failed)
        return ENC_ERROR_MEMORY;
    out->words[header] = records | breaks << 16;
    return ENC_OK;
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

/* Header, section table, then the sections in the order of the table. */
static int32_t assemble(word_buffer *out, const word_buffer *skeleton, const word_buffer *clips,
                        const word_buffer *data, const uint32_t *names, uint32_t names_words)
{
    uint32_t sections = names != NULL ? 4u : 3u;
    size_t offset = OSC_HEADER_WORDS + sections * OSC_SECTION_ENTRY_WORDS;
    size_t total = offset + skeleton->count + clips->count + data->count + names_words;
    if (total > 0x1fffffffu)
        return ENC_ERROR_TOO_LARGE;
    put(out, OSC_BANK_MAGIC);
    put(out, OSC_BANK_FORMAT);
    put(out, (uint32_t)(total * 4u));
    put(out, 0); /* the CRC, known below */
    put(out, sections);
    put_section(out, OSC_TAG_SKELETON, OSC_SECTION_REQUIRED, &offset, skeleton->count);
    put_section(out, OSC_TAG_CLIPS, OSC_SECTION_REQUIRED, &offset, clips->count);
    put_section(out, OSC_TAG_DATA, OSC_SECTION_REQUIRED, &offset, data->count);
    if (names != NULL)
        put_section(out, OSC_TAG_NAMES, 0u, &offset, names_words);
    append_words(out, skeleton->words, skeleton->count);
    append_words(out, clips->words, clips->count);
    append_words(out, data->words, data->count);
    if (names != NULL)
        append_words(out, names, names_words);
    if (out->failed)
        return ENC_ERROR_MEMORY;
    uint32_t crc = crc32_words(0xffffffffu, out->words, OSC_HEADER_CRC);
    crc = crc32_words(crc, out->words + OSC_HEADER_CRC + 1, out->count - OSC_HEADER_CRC - 1u);
    out->words[OSC_HEADER_CRC] = crc ^ 0xffffffffu;
    return ENC_OK;
}

int32_t enc_bank_write(const enc_skeleton *skeleton, uint32_t clip_count,
                       const enc_clip *const *clips, const enc_clip_entry *entries,
                       const uint32_t *names, uint32_t names_words, uint32_t **out,
                       uint32_t *out_words)
{
    word_buffer skeleton_words = {0}, clip_words = {0}, data = {0}, bank = {0};
    lane_map lanes = {0};
    *out = NULL;
    *out_words = 0;
    if (clip_count > 0xffffu)
        return ENC_ERROR_TOO_LARGE;
    int32_t status = number_lanes(&lanes, skeleton, clip_count, clips);
    if (status == ENC_OK)
        put_skeleton(&skeleton_words, skeleton, &lanes, most_held(clip_count, clips));
    for (uint32_t i = 0; i < clip_count && status == ENC_OK; i++) {
        size_t place = data.count;
        status = put_clip(&data, clips[i], &lanes);
        put(&clip_words, entries[i].name_hash);
        put(&clip_words, clips[i]->source.frame_count | OSC_CODEC_DELTA << OSC_CLIP_CODEC_SHIFT |
                             (entries[i].loop != 0u ? OSC_CLIP_LOOP : 0u));
        put(&clip_words, entries[i].rate_q16);
        put(&clip_words, entries[i].position_per_us_q32);
        put(&clip_words, (uint32_t)place);
        put(&clip_words, (uint32_t)(data.count - place));
    }
    if (status == ENC_OK && (skeleton_words.failed || clip_words.failed || data.failed))
        status = ENC_ERROR_MEMORY;
    if (status == ENC_OK)
        status = assemble(&bank, &skeleton_words, &clip_words, &data, names, names_words);
    free(lanes.number);
    free(skeleton_words.words);
    free(clip_words.words);
    free(data.words);
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
