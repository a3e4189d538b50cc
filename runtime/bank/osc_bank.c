/* SPDX-License-Identifier: MIT */
/* Opens a bank: the only place where untrusted words are checked. */
#include "bank/osc_internal.h"
#include "bank/osc_tiers.h"

static uint32_t count_bits(const uint32_t *words, uint32_t count)
{
    uint32_t total = 0;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t rest = osc_word(words[i]); rest != 0u; rest &= rest - 1u)
            total++;
    return total;
}

static int32_t check_header(const uint32_t *words, size_t size_bytes)
{
    if (((uintptr_t)words & 3u) != 0u)
        return OSC_ERROR_ALIGNMENT;
    if (size_bytes < OSC_HEADER_WORDS * 4u)
        return OSC_ERROR_SIZE;
    if (osc_word(words[OSC_HEADER_MAGIC]) != OSC_BANK_MAGIC)
        return OSC_ERROR_MAGIC;
    if (osc_word(words[OSC_HEADER_FORMAT]) != OSC_BANK_FORMAT)
        return OSC_ERROR_FORMAT;
    if (osc_word(words[OSC_HEADER_SIZE_BYTES]) != size_bytes || (size_bytes & 3u) != 0u)
        return OSC_ERROR_SIZE;
    uint32_t crc = osc_crc_words(0xffffffffu, words, OSC_HEADER_CRC);
    crc = osc_crc_words(crc, words + OSC_HEADER_CRC + 1, size_bytes / 4u - OSC_HEADER_CRC - 1u);
    return (crc ^ 0xffffffffu) == osc_word(words[OSC_HEADER_CRC]) ? OSC_OK : OSC_ERROR_CRC;
}

/* The sections that this runtime knows; skin and those after it are optional. */
typedef struct section_set {
    osc_section skeleton, clips, data, skin, base;
    osc_tier_sections tiers;
} section_set;

/* Finds the sections. Unknown sections must be optional. */
static int32_t find_sections(const uint32_t *words, uint32_t total, section_set *found)
{
    uint32_t count = osc_word(words[OSC_HEADER_SECTIONS]);
    if (count > OSC_MAX_SECTIONS || OSC_HEADER_WORDS + count * OSC_SECTION_ENTRY_WORDS > total)
        return OSC_ERROR_SECTION;
    uint32_t end = OSC_HEADER_WORDS + count * OSC_SECTION_ENTRY_WORDS;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *entry = words + OSC_HEADER_WORDS + i * OSC_SECTION_ENTRY_WORDS;
        uint32_t place = osc_word(entry[OSC_SECTION_PLACE]);
        uint32_t offset = place & ~OSC_SECTION_REQUIRED;
        uint32_t size = osc_word(entry[OSC_SECTION_WORDS]);
        if (offset < end || offset > total || size > total - offset)
            return OSC_ERROR_SECTION;
        end = offset + size;
        osc_section *known = 0;
        uint32_t tag = osc_word(entry[OSC_SECTION_TAG]);
        switch (tag) {
        case OSC_TAG_SKELETON:
            known = &found->skeleton;
            break;
        case OSC_TAG_CLIPS:
            known = &found->clips;
            break;
        case OSC_TAG_DATA:
            known = &found->data;
            break;
        case OSC_TAG_SKIN:
            known = &found->skin;
            break;
        case OSC_TAG_BASE:
            known = &found->base;
            break;
        case OSC_TAG_TIERS:
            known = &found->tiers.table;
            break;
        case OSC_TAG_TIER_1:
        case OSC_TAG_TIER_1 + OSC_TAG_TIER_STEP:
        case OSC_TAG_TIER_1 + 2u * OSC_TAG_TIER_STEP:
        case OSC_TAG_TIER_1 + 3u * OSC_TAG_TIER_STEP:
            known = &found->tiers.whole[(tag - OSC_TAG_TIER_1) / OSC_TAG_TIER_STEP];
            break;
        case OSC_TAG_NAMES: /* for tools; a device finds clips by hash */
            continue;
        default:
            if ((place & OSC_SECTION_REQUIRED) != 0u)
                return OSC_ERROR_SECTION;
            continue;
        }
        if (known->words != 0)
            return OSC_ERROR_SECTION;
        known->words = words + offset;
        known->count = size;
    }
    return found->skeleton.words && found->clips.words && found->data.words ? OSC_OK
                                                                            : OSC_ERROR_SECTION;
}

static int32_t open_skeleton(osc_bank *bank, osc_section skeleton)
{
    if (skeleton.count < OSC_SKELETON_HEADER_WORDS)
        return OSC_ERROR_SKELETON;
    uint32_t counts = osc_word(skeleton.words[OSC_SKELETON_COUNTS]);
    uint32_t flags = osc_word(skeleton.words[OSC_SKELETON_FLAGS]);
    uint32_t joints = counts & 0xffffu;
    uint32_t state_words = flags >> OSC_SKELETON_STATE_SHIFT;
    flags &= (1u << OSC_SKELETON_STATE_SHIFT) - 1u;
    if (joints == 0u || joints > OSC_MAX_JOINTS || (flags & ~OSC_SKELETON_HAS_SCALE) != 0u ||
        state_words > OSC_MAX_STATE_WORDS)
        return OSC_ERROR_SKELETON;
    bank->joint_count = (uint16_t)joints;
    bank->max_held = (uint16_t)(counts >> 16);
    bank->state_words = (uint16_t)state_words;
    bank->has_scale = (flags & OSC_SKELETON_HAS_SCALE) != 0u;

    uint32_t parent_words = (joints + 1u) >> 1, mask_words = (joints + 31u) >> 5;
    uint32_t bind_words = joints * osc_bind_words(bank);
    if (skeleton.count != OSC_SKELETON_HEADER_WORDS + parent_words + bind_words + 3u * mask_words)
        return OSC_ERROR_SKELETON;
    bank->parents = skeleton.words + OSC_SKELETON_HEADER_WORDS;
    bank->bind = bank->parents + parent_words;
    bank->subtrack_masks = bank->bind + bind_words;
    for (uint32_t joint = 0; joint < joints; joint++) {
        uint32_t parent = osc_parent(bank, joint);
        if (parent >= joint && parent != OSC_NO_PARENT)
            return OSC_ERROR_SKELETON;
    }

    uint16_t *const subtracks[3] = {&bank->rotation_subtracks, &bank->translation_subtracks,
                                    &bank->scale_subtracks};
    for (uint32_t kind = 0; kind < 3u; kind++) {
        const uint32_t *mask = bank->subtrack_masks + kind * mask_words;
        uint32_t beyond = (joints & 31u) != 0u ? 0xffffffffu << (joints & 31u) : 0u;
        if ((osc_word(mask[mask_words - 1u]) & beyond) != 0u)
            return OSC_ERROR_SKELETON;
        *subtracks[kind] = (uint16_t)count_bits(mask, mask_words);
    }
    if ((bank->scale_subtracks != 0u && !bank->has_scale) ||
        bank->max_held > osc_subtrack_count(bank))
        return OSC_ERROR_SKELETON;
    /* the layout does not depend on the words of codec state, which are in the header */
    uint32_t crc =
        osc_crc_words(0xffffffffu, bank->parents, skeleton.count - OSC_SKELETON_HEADER_WORDS);
    bank->layout_crc = crc ^ 0xffffffffu;
    return OSC_OK;
}

/* The matrices may contain any numbers: composition only multiplies them. */
static int32_t open_skin(osc_bank *bank, osc_section skin)
{
    bank->inverse_bind = skin.words;
    bank->skin_crc = 0;
    if (skin.words == 0)
        return OSC_OK;
    if (skin.count != bank->joint_count * OSC_SKIN_WORDS)
        return OSC_ERROR_SKELETON;
    bank->skin_crc = osc_crc_words(0xffffffffu, skin.words, skin.count) ^ 0xffffffffu;
    return OSC_OK;
}

/* The base row may contain any numbers. */
static int32_t check_base(const osc_bank *bank, osc_section base)
{
    if (base.words == 0)
        return OSC_OK;
    if (base.count != (osc_row_words(bank) + 1u) >> 1)
        return OSC_ERROR_SECTION;
    return bank->codecs[OSC_CODEC_BASE_ROW] != 0 ? OSC_OK : OSC_ERROR_CODEC;
}

static int32_t check_clip(const osc_bank *bank, const uint32_t *entry, uint32_t rate_count,
                          osc_codec_check *const *checks)
{
    uint32_t offset = osc_clip_offset(entry), shape = osc_clip_shape(entry);
    if (osc_word(entry[OSC_CLIP_PLACE]) >> OSC_CLIP_RATE_SHIFT >= rate_count)
        return OSC_ERROR_CLIP;
    if (offset >= bank->data_words || osc_shape_row_count(shape) == 0u)
        return OSC_ERROR_CLIP;
    return osc_clip_check(bank, shape, bank->data + offset, bank->data_words - offset, checks);
}

/* Returns whether a clip may be the mirror image of the previous clip and share its data: the two
 * entries are equal, and the previous clip is not a mirror image itself. Additive clips have no
 * mirror images, because their poses are differences.
 */
static bool may_mirror(const osc_bank *bank, const uint32_t *entry)
{
    const uint32_t *before = entry - OSC_CLIP_ENTRY_WORDS;
    return entry[OSC_CLIP_PLACE] == before[OSC_CLIP_PLACE] &&
           entry[OSC_CLIP_SHAPE] == before[OSC_CLIP_SHAPE] &&
           !osc_shape_additive(osc_clip_shape(entry)) && !osc_clip_mirrored(bank, before);
}

/* Checks the rates, the clips, and each clip's data; the data are in the order of the clips. */
static int32_t open_clips(osc_bank *bank, osc_section clips, osc_section data,
                          osc_codec_check *const *checks)
{
    uint32_t rate_count = clips.count != 0u ? osc_word(clips.words[0]) : ~0u;
    if (rate_count > OSC_MAX_RATES || clips.count - 1u < rate_count * OSC_RATE_WORDS)
        return OSC_ERROR_CLIP;
    uint32_t entry_words = clips.count - 1u - rate_count * OSC_RATE_WORDS;
    uint32_t clip_count = entry_words / OSC_CLIP_ENTRY_WORDS;
    if (entry_words % OSC_CLIP_ENTRY_WORDS != 0u || clip_count > 0xffffu)
        return OSC_ERROR_CLIP;
    bank->rates = clips.words + 1;
    bank->clips = bank->rates + rate_count * OSC_RATE_WORDS;
    bank->clip_count = (uint16_t)clip_count;
    bank->data = data.words;
    bank->data_words = data.count;
    const uint32_t *entry = bank->clips;
    for (uint32_t clip = 0; clip < clip_count; clip++, entry += OSC_CLIP_ENTRY_WORDS) {
        if (clip != 0u && osc_clip_offset(entry) <= osc_clip_offset(entry - OSC_CLIP_ENTRY_WORDS) &&
            !may_mirror(bank, entry))
            return OSC_ERROR_CLIP;
        int32_t status = check_clip(bank, entry, rate_count, checks);
        if (status != OSC_OK)
            return status;
    }
    return OSC_OK;
}

int32_t osc_bank_open_codecs(osc_bank *bank, const uint32_t *words, size_t size_bytes,
                             const osc_codec *const *codecs, osc_codec_check *const *checks)
{
    OSC_ASSERT(bank != 0 && words != 0 && codecs != 0 && checks != 0);
    section_set found = {{0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}, {{0, 0}, {{0, 0}}}};
    bank->words = words;
    bank->codecs = codecs;
    int32_t status = check_header(words, size_bytes);
    if (status == OSC_OK)
        status = find_sections(words, (uint32_t)(size_bytes / 4u), &found);
    if (status == OSC_OK)
        status = open_skeleton(bank, found.skeleton);
    if (status == OSC_OK)
        status = open_skin(bank, found.skin);
    if (status == OSC_OK)
        status = check_base(bank, found.base);
    if (status == OSC_OK)
        status = open_clips(bank, found.clips, found.data, checks);
    if (status == OSC_OK)
        status = osc_tiers_open(bank, &found.tiers, checks);
    if (status != OSC_OK) { /* a caller that ignores the error gets one from every player */
        bank->layout_crc = 0;
        bank->clip_count = 0;
    }
    return status;
}

int32_t osc_bank_read(const osc_source *source, uint32_t *words, size_t capacity_bytes)
{
    OSC_ASSERT(source != 0 && words != 0);
    const size_t header_bytes = OSC_HEADER_WORDS * 4u;
    if (((uintptr_t)words & 3u) != 0u)
        return OSC_ERROR_ALIGNMENT;
    if (capacity_bytes < header_bytes)
        return OSC_ERROR_MEMORY;
    if (source->read(source->context, 0, words, header_bytes) != header_bytes)
        return OSC_ERROR_READ;
    if (osc_word(words[OSC_HEADER_MAGIC]) != OSC_BANK_MAGIC)
        return OSC_ERROR_MAGIC;
    size_t size_bytes = osc_word(words[OSC_HEADER_SIZE_BYTES]);
    if (size_bytes < header_bytes || size_bytes > 0x7fffffffu)
        return OSC_ERROR_SIZE;
    if (size_bytes > capacity_bytes)
        return OSC_ERROR_MEMORY;
    size_t rest = size_bytes - header_bytes;
    if (source->read(source->context, header_bytes, words + OSC_HEADER_WORDS, rest) != rest)
        return OSC_ERROR_READ;
    return (int32_t)size_bytes;
}

uint32_t osc_name_hash(const char *name)
{
    uint32_t hash = OSC_HASH_START;
    for (; *name != '\0'; name++)
        hash = (hash ^ (uint8_t)*name) * 16777619u;
    return hash;
}

int32_t osc_clip_find(const osc_bank *bank, uint32_t name_hash)
{
    const uint32_t *entry = bank->clips;
    for (uint32_t clip = 0; clip < bank->clip_count; clip++, entry += OSC_CLIP_ENTRY_WORDS)
        if (osc_word(entry[OSC_CLIP_NAME_HASH]) == name_hash)
            return (int32_t)clip;
    return OSC_ERROR_NOT_FOUND;
}

int32_t osc_clip_describe(const osc_bank *bank, uint32_t clip, osc_clip_info *info)
{
    if (clip >= bank->clip_count)
        return OSC_ERROR_NOT_FOUND;
    const uint32_t *entry = bank->clips + clip * OSC_CLIP_ENTRY_WORDS;
    const uint32_t *rate = osc_clip_rate(bank, entry);
    uint32_t end = bank->data_words - 1u; /* the section's last word belongs to no clip */
    uint32_t next = clip + 1u;
    if (next < bank->clip_count &&
        osc_clip_mirrored(bank, bank->clips + next * OSC_CLIP_ENTRY_WORDS))
        next++;
    if (next < bank->clip_count)
        end = osc_clip_offset(bank->clips + next * OSC_CLIP_ENTRY_WORDS);
    info->mirrored = osc_clip_mirrored(bank, entry);
    info->name_hash = osc_word(entry[OSC_CLIP_NAME_HASH]);
    info->frame_count = osc_shape_frame_count(osc_clip_shape(entry));
    info->rate_q16 = osc_word(rate[OSC_RATE_Q16]);
    info->position_per_us_q32 = osc_word(rate[OSC_RATE_POSITION_PER_US_Q32]);
    info->size_bytes = info->mirrored ? 0u : (end - osc_clip_offset(entry)) * 4u;
    info->loop = osc_shape_loops(osc_clip_shape(entry));
    info->layer = (osc_clip_shape(entry) & OSC_CLIP_LAYER) != 0u;
    info->additive = osc_shape_additive(osc_clip_shape(entry));
    return OSC_OK;
}
