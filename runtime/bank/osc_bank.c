/* Opens a bank: the only place where untrusted words are checked. */
#include "bank/osc_internal.h"

/* CRC-32 (reflected 0xedb88320) of the values 0..15. */
static const uint32_t crc_of_nibble[16] = {0x00000000u, 0x1db71064u, 0x3b6e20c8u, 0x26d930acu,
                                           0x76dc4190u, 0x6b6b51f4u, 0x4db26158u, 0x5005713cu,
                                           0xedb88320u, 0xf00f9344u, 0xd6d6a3e8u, 0xcb61b38cu,
                                           0x9b64c2b0u, 0x86d3d2d4u, 0xa00ae278u, 0xbdbdf21cu};

/* Eight bits a step. Their table lies on the stack, 1 KB, where a handheld reads it several times
 * faster than from the ROM, which would have to hold it, too. */
OSC_HOT static uint32_t crc_words(uint32_t crc, const uint32_t *words, size_t count)
{
    uint32_t of_byte[256];
    for (uint32_t i = 0; i < 256u; i++) {
        uint32_t low = (i >> 4) ^ crc_of_nibble[i & 15u];
        of_byte[i] = (low >> 4) ^ crc_of_nibble[low & 15u];
    }
    for (size_t i = 0; i < count; i++) {
        crc ^= osc_word(words[i]);
        crc = (crc >> 8) ^ of_byte[crc & 255u];
        crc = (crc >> 8) ^ of_byte[crc & 255u];
        crc = (crc >> 8) ^ of_byte[crc & 255u];
        crc = (crc >> 8) ^ of_byte[crc & 255u];
    }
    return crc;
}

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
    uint32_t crc = crc_words(0xffffffffu, words, OSC_HEADER_CRC);
    crc = crc_words(crc, words + OSC_HEADER_CRC + 1, size_bytes / 4u - OSC_HEADER_CRC - 1u);
    return (crc ^ 0xffffffffu) == osc_word(words[OSC_HEADER_CRC]) ? OSC_OK : OSC_ERROR_CRC;
}

typedef struct bank_section {
    const uint32_t *words;
    uint32_t count;
} bank_section;

/* The sections that this runtime knows; skin and those after it are optional. */
typedef struct section_set {
    bank_section skeleton, clips, data, skin, tier_table, tiers[OSC_MAX_TIERS];
} section_set;

/* Finds the sections. An unknown one has to be optional. */
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
        bank_section *known = 0;
        switch (osc_word(entry[OSC_SECTION_TAG])) {
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
        case OSC_TAG_TIERS:
            known = &found->tier_table;
            break;
        case OSC_TAG_TIER_1:
            known = &found->tiers[0];
            break;
        case OSC_TAG_TIER_2:
            known = &found->tiers[1];
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

/* The tiers that belong to the bank, and which of them it contains. */
static int32_t open_tiers(osc_bank *bank, const section_set *found)
{
    bank->tier_count = bank->tiers_there = 0;
    bank_section table = found->tier_table;
    if (table.count > OSC_MAX_TIERS * OSC_TIER_WORDS || table.count % OSC_TIER_WORDS != 0u)
        return OSC_ERROR_SECTION;
    bank->tier_table = table.words;
    bank->tier_count = (uint8_t)(table.count / OSC_TIER_WORDS);
    for (uint32_t i = 0; i < OSC_MAX_TIERS; i++) {
        bank_section tier = found->tiers[i];
        uint32_t size_words = i < bank->tier_count ? osc_tier_words(bank, i) : 0u;
        bank->tiers[i] = tier.words;
        if (i < bank->tier_count && size_words < 2u) /* the reader looks at word pairs */
            return OSC_ERROR_SECTION;
        if (tier.words == 0)
            continue;
        if (i >= bank->tier_count || tier.count != size_words)
            return OSC_ERROR_SECTION;
        bank->tiers_there = (uint8_t)(bank->tiers_there | 1u << i);
    }
    return OSC_OK;
}

int32_t osc_bank_attach_tier(osc_bank *bank, uint32_t tier, const uint32_t *words,
                             size_t size_bytes)
{
    OSC_ASSERT(bank != 0);
    if (tier == 0u || tier > bank->tier_count)
        return OSC_ERROR_NOT_FOUND;
    uint32_t i = tier - 1u, size_words = osc_tier_words(bank, i);
    if (words != 0) {
        if (((uintptr_t)words & 3u) != 0u)
            return OSC_ERROR_ALIGNMENT;
        if ((size_bytes & 3u) != 0u || size_bytes / 4u != size_words)
            return OSC_ERROR_SIZE;
        if ((crc_words(0xffffffffu, words, size_words) ^ 0xffffffffu) !=
            osc_word(bank->tier_table[i * OSC_TIER_WORDS + OSC_TIER_CRC]))
            return OSC_ERROR_CRC;
    }
    bank->tiers[i] = words;
    bank->tiers_there = (uint8_t)((bank->tiers_there & ~(1u << i)) | (words != 0 ? 1u << i : 0u));
    return OSC_OK;
}

static int32_t open_skeleton(osc_bank *bank, bank_section skeleton)
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
        crc_words(0xffffffffu, bank->parents, skeleton.count - OSC_SKELETON_HEADER_WORDS);
    bank->layout_crc = crc ^ 0xffffffffu;
    return OSC_OK;
}

/* The matrices may hold any numbers: composition only multiplies them. */
static int32_t open_skin(osc_bank *bank, bank_section skin)
{
    bank->inverse_bind = skin.words;
    bank->skin_crc = 0;
    if (skin.words == 0)
        return OSC_OK;
    if (skin.count != bank->joint_count * OSC_SKIN_WORDS)
        return OSC_ERROR_SKELETON;
    bank->skin_crc = crc_words(0xffffffffu, skin.words, skin.count) ^ 0xffffffffu;
    return OSC_OK;
}

/* Breaks have to ascend, lie inside the clip, and fit the player's memory at every frame. */
static bool breaks_valid(const osc_bank *bank, const osc_clip_parts *parts, uint32_t frame_count)
{
    uint32_t previous = 0, same_frame = 0;
    for (uint32_t i = 0; i < parts->break_count; i++) {
        uint32_t entry = osc_word(parts->breaks[i]);
        uint32_t frame = entry >> OSC_BREAK_FRAME_SHIFT;
        if (entry <= previous || frame == 0u || frame >= frame_count ||
            (entry & OSC_BREAK_SUBTRACK_MASK) >= osc_subtrack_count(bank))
            return false;
        same_frame = frame == previous >> OSC_BREAK_FRAME_SHIFT ? same_frame + 1u : 1u;
        if (same_frame > bank->max_held)
            return false;
        previous = entry;
    }
    return true;
}

/* Has the clip's codec check the track headers. */
static int32_t check_headers(const osc_bank *bank, const osc_clip_parts *parts, uint32_t codec,
                             osc_codec_check *const *checks)
{
    if (codec == 0u || codec > OSC_CODEC_LAST)
        return OSC_ERROR_CLIP;
    if (checks[codec] == 0)
        return OSC_ERROR_CODEC;
    return checks[codec](bank, parts) ? OSC_OK : OSC_ERROR_CLIP;
}

static int32_t check_clip(const osc_bank *bank, const uint32_t *entry, uint32_t rate_count,
                          osc_codec_check *const *checks)
{
    uint32_t offset = osc_clip_offset(entry), frame_count = osc_clip_frame_count(entry);
    if ((osc_word(entry[OSC_CLIP_SHAPE]) & OSC_CLIP_RESERVED_MASK) != 0u ||
        osc_word(entry[OSC_CLIP_PLACE]) >> OSC_CLIP_RATE_SHIFT >= rate_count)
        return OSC_ERROR_CLIP;
    if (offset >= bank->data_words || osc_clip_row_count(entry) == 0u)
        return OSC_ERROR_CLIP;
    uint32_t before_stream = 1u + (osc_word(bank->data[offset]) >> OSC_DATA_BREAKS_SHIFT) +
                             ((osc_clip_row_count(entry) - 1u) >> osc_clip_restart_log2(entry));
    if (bank->data_words - offset < before_stream + 2u) /* the reader looks at word pairs */
        return OSC_ERROR_CLIP;
    osc_clip_parts parts = osc_clip_locate(bank, entry);
    if (parts.header_bits >> 5 >= parts.stream_words - 1u)
        return OSC_ERROR_CLIP;
    for (uint32_t i = 0; i < parts.restart_count; i++)
        if (osc_word(parts.restarts[i]) >> 5 >= parts.stream_words)
            return OSC_ERROR_CLIP;
    if (!breaks_valid(bank, &parts, frame_count))
        return OSC_ERROR_CLIP;
    return check_headers(bank, &parts, osc_clip_codec(entry), checks);
}

/* The rates, the clips, and each clip's data, which follow each other in the order of the clips. */
static int32_t open_clips(osc_bank *bank, bank_section clips, bank_section data,
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
        if (clip != 0u && osc_clip_offset(entry) <= osc_clip_offset(entry - OSC_CLIP_ENTRY_WORDS))
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
    section_set found = {{0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}, {{0, 0}, {0, 0}}};
    bank->words = words;
    bank->codecs = codecs;
    int32_t status = check_header(words, size_bytes);
    if (status == OSC_OK)
        status = find_sections(words, (uint32_t)(size_bytes / 4u), &found);
    if (status == OSC_OK)
        status = open_tiers(bank, &found);
    if (status == OSC_OK)
        status = open_skeleton(bank, found.skeleton);
    if (status == OSC_OK)
        status = open_skin(bank, found.skin);
    if (status == OSC_OK)
        status = open_clips(bank, found.clips, found.data, checks);
    if (status != OSC_OK) { /* callers that ignore the error get one from every player */
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
    const uint32_t *rate =
        bank->rates + (osc_word(entry[OSC_CLIP_PLACE]) >> OSC_CLIP_RATE_SHIFT) * OSC_RATE_WORDS;
    uint32_t end = bank->data_words - 1u; /* the section's last word belongs to no clip */
    if (clip + 1u < bank->clip_count)
        end = osc_clip_offset(entry + OSC_CLIP_ENTRY_WORDS);
    info->name_hash = osc_word(entry[OSC_CLIP_NAME_HASH]);
    info->frame_count = osc_clip_frame_count(entry);
    info->rate_q16 = osc_word(rate[OSC_RATE_Q16]);
    info->position_per_us_q32 = osc_word(rate[OSC_RATE_POSITION_PER_US_Q32]);
    info->size_bytes = (end - osc_clip_offset(entry)) * 4u;
    info->loop = osc_clip_loops(entry);
    info->layer = (osc_word(entry[OSC_CLIP_SHAPE]) & OSC_CLIP_LAYER) != 0u;
    return OSC_OK;
}
