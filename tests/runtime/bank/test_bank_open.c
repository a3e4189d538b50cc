/* Every rule of SPEC.md sections 2 and 3.2, broken one at a time in a valid bank with a CRC made
 * right again; and damage of every bit, which the CRC must find. */
#include "bank_tools.h"
#include "check.h"
#include "sample_banks.h"

#include <stdlib.h>
#include <string.h>

#define OFFSET 0x3ffffffu /* of a clip in DATA; its rate is above */
#define WALK_WORDS (sizeof sample_walk / 4u)
#define SCALE_WORDS (sizeof sample_scale / 4u)

/* The origins of word numbers in the walk bank. It has two rates. Its clip 0 has three tracks and
 * a restart point after the first, its clip 1 two tracks and three breaks, its clip 3 no track. */
enum place { HEADER, SKEL, RATES, CLIP, CLIP1, CLIP3, DATA0, DATA1 };

static uint32_t place_of(const test_bank *bank, enum place place)
{
    uint32_t skeleton = bank_section(bank, 0), clips = bank_section(bank, 1);
    uint32_t data = bank_section(bank, 2), rates = clips;
    clips += 5u;
    const uint32_t places[] = {0,
                               skeleton,
                               rates,
                               clips,
                               clips + 3u,
                               clips + 9u,
                               data + (bank->words[clips + 2u] & OFFSET),
                               data + (bank->words[clips + 5u] & OFFSET)};
    return places[place];
}

typedef struct mutation {
    const char *what;
    enum place place;
    uint32_t word, clear, set;
    int32_t error;
} mutation;

#define ALL 0xffffffffu
#define BREAK(frame, subtrack) ((uint32_t)(frame) << 12 | (uint32_t)(subtrack))
#define PACKING (7u << 5)

static const mutation mutations[] = {
    {"no sections", HEADER, 4, ALL, 0, OSC_ERROR_SECTION},
    {"too few sections", HEADER, 4, ALL, 2, OSC_ERROR_SECTION},
    {"33 sections", HEADER, 4, ALL, 33, OSC_ERROR_SECTION},
    {"2^32 - 1 sections", HEADER, 4, ALL, ALL, OSC_ERROR_SECTION},
    {"sections whose size wraps", HEADER, 4, ALL, 0x55555556u, OSC_ERROR_SECTION},
    {"unknown required section", HEADER, 5, ALL, 0x31415926u, OSC_ERROR_SECTION},
    {"no clip section", HEADER, 8, ALL, 0x454d414eu, OSC_ERROR_SECTION},
    {"skeleton twice", HEADER, 8, ALL, 0x4c454b53u, OSC_ERROR_SECTION},
    {"skeleton twice, nothing missing", HEADER, 14, ALL, 0x4c454b53u, OSC_ERROR_SECTION},
    {"data twice, nothing missing", HEADER, 14, ALL, 0x41544144u, OSC_ERROR_SECTION},
    {"section inside the table", HEADER, 6, 0x7fffffffu, 16, OSC_ERROR_SECTION},
    {"section at zero", HEADER, 6, 0x7fffffffu, 0, OSC_ERROR_SECTION},
    {"section beyond the end", HEADER, 6, 0x7fffffffu, 0x7fffffffu, OSC_ERROR_SECTION},
    {"section that ends outside", HEADER, 16, ALL, 0x1000, OSC_ERROR_SECTION},
    {"section whose end wraps", HEADER, 16, ALL, ALL, OSC_ERROR_SECTION},
    {"overlap: the first is longer", HEADER, 7, ALL, 29, OSC_ERROR_SECTION},
    {"skeleton shorter than its header", HEADER, 7, ALL, 1, OSC_ERROR_SKELETON},
    {"empty skeleton", HEADER, 7, ALL, 0, OSC_ERROR_SKELETON},
    {"skeleton one word short", HEADER, 7, ALL, 27, OSC_ERROR_SKELETON},

    {"no joints", SKEL, 0, 0xffffu, 0, OSC_ERROR_SKELETON},
    {"1025 joints", SKEL, 0, 0xffffu, 1025, OSC_ERROR_SKELETON},
    {"65535 joints", SKEL, 0, 0xffffu, 65535, OSC_ERROR_SKELETON},
    {"a joint more", SKEL, 0, 0xffffu, 4, OSC_ERROR_SKELETON},
    {"a joint less", SKEL, 0, 0xffffu, 2, OSC_ERROR_SKELETON},
    {"more held than subtracks", SKEL, 0, 0xffff0000u, 5u << 16, OSC_ERROR_SKELETON},
    {"fewer held than breaks", SKEL, 0, 0xffff0000u, 1u << 16, OSC_ERROR_CLIP},
    {"unknown flag", SKEL, 1, ALL, 2, OSC_ERROR_SKELETON},
    {"scale without room", SKEL, 1, ALL, 1, OSC_ERROR_SKELETON},
    {"2^16 words of codec state", SKEL, 1, ALL, 0x10000u << 8, OSC_ERROR_SKELETON},
    {"first joint its own parent", SKEL, 2, 0xffffu, 0, OSC_ERROR_SKELETON},
    {"joint its own parent", SKEL, 2, 0xffff0000u, 1u << 16, OSC_ERROR_SKELETON},
    {"parent after child", SKEL, 2, 0xffff0000u, 2u << 16, OSC_ERROR_SKELETON},
    {"parent that is none", SKEL, 3, 0xffffu, 0xfffe, OSC_ERROR_SKELETON},
    {"rotation subtrack without joint", SKEL, 25, 0, 8, OSC_ERROR_SKELETON},
    {"translation subtrack without joint", SKEL, 26, 0, 1u << 31, OSC_ERROR_SKELETON},
    {"scale subtrack without scale", SKEL, 27, 0, 1, OSC_ERROR_SKELETON},

    {"empty directory", HEADER, 10, ALL, 0, OSC_ERROR_CLIP},
    {"directory of half a clip", HEADER, 10, ALL, 16, OSC_ERROR_CLIP},
    {"a rate less than room for it", RATES, 0, ALL, 1, OSC_ERROR_CLIP},
    {"more rates than words", RATES, 0, ALL, 9, OSC_ERROR_CLIP},
    {"rates whose size wraps", RATES, 0, ALL, 0x80000002u, OSC_ERROR_CLIP},
    {"2^32 - 1 rates", RATES, 0, ALL, ALL, OSC_ERROR_CLIP},
    {"most frames, too few restart points", CLIP, 1, 0xfffffu, 0xfffffu, OSC_ERROR_CLIP},
    {"a restart point every frame, too few", CLIP, 1, 0x1f000000u, 0, OSC_ERROR_CLIP},
    {"no codec", CLIP, 1, 0xf00000u, 0, OSC_ERROR_CLIP},
    {"unknown codec", CLIP, 1, 0xf00000u, 0xf00000u, OSC_ERROR_CLIP},
    {"a loop of one frame", CLIP3, 1, 0xfffffu, 1u << 31, OSC_ERROR_CLIP},
    {"a loop of one frame and one restart point", CLIP, 1, 0x1fffffffu & ~0xf00000u,
     1u << 31 | 31u << 24, OSC_ERROR_CLIP},
    {"rate 2 of 2", CLIP, 2, ~OFFSET, 2u << 26, OSC_ERROR_CLIP},
    {"rate 63", CLIP3, 2, ~OFFSET, ~OFFSET, OSC_ERROR_CLIP},
    {"clip beyond the data", CLIP, 2, OFFSET, 0x10000, OSC_ERROR_CLIP},
    {"clip at the last offset", CLIP3, 2, OFFSET, OFFSET, OSC_ERROR_CLIP},
    {"two clips in one place", CLIP1, 2, OFFSET, 0, OSC_ERROR_CLIP},

    {"more records than words", DATA0, 0, 0x3ffffu, 0x3ffe0, OSC_ERROR_CLIP},
    {"records that are no whole words", DATA0, 0, 0, 1, OSC_ERROR_CLIP},
    {"more breaks than words", DATA0, 0, 0, 0xfffc0000u, OSC_ERROR_CLIP},
    {"gap beyond the subtracks", DATA0, 4, 0xfc000000u, 1u << 26, OSC_ERROR_CLIP},
    {"largest gap", DATA0, 2, 0xfc000000u, 0xfc000000u, OSC_ERROR_CLIP},
    {"packing 7", DATA0, 2, 0, PACKING, OSC_ERROR_CLIP},
    {"packing 7 on a vector", DATA0, 4, 0, PACKING, OSC_ERROR_CLIP},
    {"vector packing on a rotation", DATA0, 2, PACKING, 5u << 5, OSC_ERROR_CLIP},
    {"rotation packing on a vector", DATA0, 4, PACKING, 3u << 5, OSC_ERROR_CLIP},
    {"moving packing on a vector", DATA0, 4, PACKING, 4u << 5, OSC_ERROR_CLIP},
    {"rotation shift 21", DATA0, 2, 31, 21, OSC_ERROR_CLIP},
    {"rotation shift 31", DATA0, 2, 31, 31, OSC_ERROR_CLIP},
    {"restart point beyond the data", DATA0, 1, ALL, 0x10000, OSC_ERROR_CLIP},
    {"the last offset there is", DATA0, 1, ALL, ALL, OSC_ERROR_CLIP},

    {"break at frame 0", DATA1, 1, ALL, BREAK(0, 0), OSC_ERROR_CLIP},
    {"break at frame 0, some subtrack", DATA1, 1, ALL, BREAK(0, 1), OSC_ERROR_CLIP},
    {"break at frame_count", DATA1, 3, ALL, BREAK(6, 3), OSC_ERROR_CLIP},
    {"break at the last frame number", DATA1, 3, ALL, BREAK(0xfffff, 3), OSC_ERROR_CLIP},
    {"break of subtrack 4 of 4", DATA1, 3, ALL, BREAK(5, 4), OSC_ERROR_CLIP},
    {"break of subtrack 4095", DATA1, 3, ALL, BREAK(5, 4095), OSC_ERROR_CLIP},
    {"equal breaks", DATA1, 2, ALL, BREAK(3, 0), OSC_ERROR_CLIP},
    {"breaks that descend", DATA1, 2, ALL, BREAK(2, 3), OSC_ERROR_CLIP},
    {"three breaks where two are held", DATA1, 3, ALL, BREAK(3, 3), OSC_ERROR_CLIP},
};

/* The same places, with values that a reader must accept. */
static const mutation harmless[] = {
    {"unknown optional section for NAME", HEADER, 14, ALL, 0x31415926u, OSC_OK},
    {"known sections not marked required", HEADER, 6, 1u << 31, 0, OSC_OK},
    {"NAME marked required", HEADER, 15, 0, 1u << 31, OSC_OK},
    {"padding of the parents", SKEL, 3, 0, 0xfffe0000u, OSC_OK},
    {"two more roots", SKEL, 2, 0, ALL, OSC_OK},
    {"bind pose of any length", SKEL, 4, 0, ALL, OSC_OK},
    {"most words of codec state", SKEL, 1, ALL, 0xffffu << 8, OSC_OK},
    {"most held", SKEL, 0, 0xffff0000u, 4u << 16, OSC_OK},
    {"2^20 frames", CLIP1, 1, 0xfffffu, 0xfffffu, OSC_OK},
    {"rate zero", RATES, 1, ALL, 0, OSC_OK},
    {"the other rate", CLIP, 2, 0, 1u << 26, OSC_OK},
    {"restart points beyond the clip", CLIP1, 1, 0x1f000000u, 3u << 24, OSC_OK},
    {"rotation shift 20", DATA0, 2, 31, 20, OSC_OK},
    {"vector shift 31", DATA0, 4, 0, 31, OSC_OK},
    {"a skip with a gap beyond the subtracks", DATA0, 4, PACKING | 0xfc000000u,
     (6u << 5) | 0xfc000000u, OSC_OK},
    {"break moved inside its frame", DATA1, 1, ALL, BREAK(3, 1), OSC_OK},
    {"loop bit", CLIP1, 1, 0, 1u << 31, OSC_OK},
    {"layer bit", CLIP1, 1, 0, 1u << 30, OSC_OK},
    {"additive bit", CLIP1, 1, 0, 1u << 29, OSC_OK},
    {"a loop of two frames", CLIP3, 1, 0, 1u << 31, OSC_OK},
};

static void try_mutation(const mutation *change)
{
    test_bank bank = bank_copy(sample_walk, WALK_WORDS);
    uint32_t *word = bank.words + place_of(&bank, change->place) + change->word;
    uint32_t before = *word;
    *word = (before & ~change->clear) | change->set;
    if (*word == before)
        fail_msg("%s: the mutation changes nothing", change->what);
    bank_seal(&bank);
    osc_bank opened;
    int32_t status = bank_open(&bank, &opened);
    if (status != change->error)
        fail_msg("%s: %d instead of %d", change->what, (int)status, (int)change->error);
    if (status != OSC_OK && (opened.clip_count != 0 || opened.layout_crc != 0))
        fail_msg("%s: players accept the bank", change->what);
    bank_free(&bank);
}

static void broken_rules_are_errors(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof mutations / sizeof mutations[0]; i++)
        try_mutation(&mutations[i]);
}

static void what_the_rules_allow_opens(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof harmless / sizeof harmless[0]; i++)
        try_mutation(&harmless[i]);
}

/* The first value that is out, and the last one that is in, of the numbers that depend on others.
 */
static void limits_are_exact(void **state)
{
    test_bank bank = bank_copy(sample_walk, WALK_WORDS);
    uint32_t clip3 = place_of(&bank, CLIP3), data0 = place_of(&bank, DATA0);
    uint32_t stream_words = bank.words[13] - 2u;
    const struct {
        uint32_t word, last;
    } limits[] = {
        {16, bank.words[16]},                  /* NAME ends with the bank */
        {clip3 + 2u, bank.words[clip3 + 2u]},  /* the last clip has two words of stream */
        {data0 + 1u, 32u * stream_words - 1u}, /* a restart point on the last bit of DATA */
    };
    osc_bank opened;
    (void)state;
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        uint32_t before = bank.words[limits[i].word];
        bank.words[limits[i].word] = limits[i].last;
        bank_seal(&bank);
        assert_int_equal(bank_open(&bank, &opened), OSC_OK);
        bank.words[limits[i].word] = limits[i].last + 1u;
        bank_seal(&bank);
        assert_int_equal(bank_open(&bank, &opened), i == 0u ? OSC_ERROR_SECTION : OSC_ERROR_CLIP);
        bank.words[limits[i].word] = before;
    }
    bank_free(&bank);
}

static void check_flips(const uint32_t *words, size_t count)
{
    static const int32_t header[3] = {OSC_ERROR_MAGIC, OSC_ERROR_FORMAT, OSC_ERROR_SIZE};
    test_bank bank = bank_copy(words, count);
    osc_bank opened;
    for (uint32_t bit = 0; bit < 32u * bank.count; bit++) {
        uint32_t at = bit >> 5;
        bank.words[at] ^= 1u << (bit & 31u);
        assert_int_equal(bank_open(&bank, &opened), at < 3u ? header[at] : OSC_ERROR_CRC);
        bank.words[at] ^= 1u << (bit & 31u);
    }
    assert_int_equal(bank_open(&bank, &opened), OSC_OK);
    bank_free(&bank);
}

static void every_flipped_bit_is_found(void **state)
{
    (void)state;
    check_flips(sample_walk, WALK_WORDS);
}

static void every_other_size_is_an_error(void **state)
{
    osc_bank opened;
    (void)state;
    for (size_t size = 0; size < sizeof sample_walk; size++) {
        void *cut = malloc(size + 1u); /* one byte more, so that size 0 has an address */
        assert_non_null(cut);
        memcpy(cut, sample_walk, size);
        assert_int_equal(osc_bank_open(&opened, cut, size), OSC_ERROR_SIZE);
        free(cut);
    }
    test_bank longer = bank_copy(sample_walk, WALK_WORDS);
    bank_resize_at(&longer, longer.count, 1, 0);
    assert_int_equal(bank_open(&longer, &opened), OSC_ERROR_SIZE);
    bank_seal(&longer);
    assert_int_equal(bank_open(&longer, &opened), OSC_OK); /* words after the last section */
    bank_free(&longer);
}

static void a_size_that_is_no_multiple_of_four_is_an_error(void **state)
{
    osc_bank opened;
    test_bank bank = bank_copy(sample_walk, WALK_WORDS);
    (void)state;
    bank.words[2] -= 2u;
    assert_int_equal(osc_bank_open(&opened, bank.words, bank.words[2]), OSC_ERROR_SIZE);
    bank_free(&bank);
}

static void misaligned_banks_are_errors(void **state)
{
    osc_bank opened;
    unsigned char *block = malloc(sizeof sample_walk + 4u);
    (void)state;
    assert_non_null(block);
    for (size_t offset = 1; offset < 4u; offset++) {
        unsigned char *start = block + offset;
        const uint32_t *words;
        memcpy(start, sample_walk, sizeof sample_walk);
        memcpy(&words, &start, sizeof words);
        assert_int_equal(osc_bank_open(&opened, words, sizeof sample_walk), OSC_ERROR_ALIGNMENT);
    }
    free(block);
}

/* The scale bank begins with an optional section that no reader knows. */
static void unknown_sections_are_skipped_unless_required(void **state)
{
    osc_bank opened;
    test_bank bank = bank_copy(sample_scale, SCALE_WORDS);
    (void)state;
    assert_int_equal(bank_open(&bank, &opened), OSC_OK);
    assert_int_equal(opened.joint_count, 40);
    assert_true(opened.has_scale);
    assert_int_equal(opened.rotation_subtracks, 40);
    assert_int_equal(opened.translation_subtracks, 40);
    assert_int_equal(opened.scale_subtracks, 2);
    assert_int_equal(opened.skin_crc, 0);
    bank.words[6] |= 0x80000000u;
    bank_seal(&bank);
    assert_int_equal(bank_open(&bank, &opened), OSC_ERROR_SECTION);
    bank_free(&bank);
}

/* Empty sections that no reader knows, up to the most that there can be, and one more. */
static void the_number_of_sections_is_limited(void **state)
{
    enum { MOST_SECTIONS = 32 };
    (void)state;
    for (uint32_t count = MOST_SECTIONS - 1u; count <= MOST_SECTIONS + 1u; count++) {
        test_bank bank = bank_copy(sample_walk, WALK_WORDS);
        uint32_t before = bank.words[4], table = 5u + 3u * before, more = count - before;
        osc_bank opened;
        for (uint32_t i = 0; i < before; i++)
            bank.words[5u + 3u * i + 1u] += 3u * more;
        bank_resize_at(&bank, table, (int32_t)(3u * more), 0);
        bank.words[4] = count;
        for (uint32_t i = 0; i < more; i++)
            bank.words[table + 3u * i + 1u] = bank.count;
        bank_seal(&bank);
        assert_int_equal(bank_open(&bank, &opened),
                         count <= MOST_SECTIONS ? OSC_OK : OSC_ERROR_SECTION);
        bank_free(&bank);
    }
}

/* A table of so many sections that its size wraps, of which those that fit the bank are harmless:
 * whoever goes on reads behind the bank. */
static void a_table_that_wraps_is_not_read(void **state)
{
    enum { ENTRIES = 100 };
    uint32_t words[5 + 3 * ENTRIES] = {0};
    osc_bank opened;
    (void)state;
    memcpy(words, sample_walk, 5u * sizeof *words);
    words[4] = 0x55555556u;
    for (uint32_t i = 0; i < ENTRIES; i++)
        words[5u + 3u * i + 1u] = sizeof words / sizeof *words;
    test_bank bank = bank_copy(words, sizeof words / sizeof *words);
    bank_seal(&bank);
    assert_int_equal(bank_open(&bank, &opened), OSC_ERROR_SECTION);
    bank_free(&bank);
}

/* A bank of nothing but joints, all of them roots. */
static test_bank bank_of_joints(uint32_t joints)
{
    uint32_t masks = (joints + 31u) / 32u, parents = (joints + 1u) / 2u;
    uint32_t skeleton = 2u + parents + 7u * joints + 3u * masks, at = 5u + 3u * 3u;
    const uint32_t header[] = {0x4253534fu, OSC_BANK_FORMAT, 0, 0, 3};
    const uint32_t sections[3][2] = {
        {0x4c454b53u, skeleton}, {0x50494c43u, 1}, {0x41544144u, 1}}; /* SKEL, CLIP, DATA */
    test_bank bank = bank_copy(header, 5);
    bank_resize_at(&bank, 5, (int32_t)(at - 5u + skeleton + 2u), 0);
    for (uint32_t i = 0, place = at; i < 3u; i++) {
        bank.words[5u + 3u * i] = sections[i][0];
        bank.words[5u + 3u * i + 1u] = place;
        bank.words[5u + 3u * i + 2u] = sections[i][1];
        place += sections[i][1];
    }
    bank.words[at] = joints;
    memset(bank.words + at + 2u, 0xff, 4u * parents);
    bank_seal(&bank);
    return bank;
}

static void the_number_of_joints_is_limited(void **state)
{
    (void)state;
    test_bank none = bank_of_joints(0);
    osc_bank empty;
    assert_int_equal(bank_open(&none, &empty), OSC_ERROR_SKELETON);
    bank_free(&none);
    for (uint32_t joints = OSC_MAX_JOINTS - 1u; joints <= OSC_MAX_JOINTS + 1u; joints++) {
        test_bank bank = bank_of_joints(joints);
        osc_bank opened;
        assert_int_equal(bank_open(&bank, &opened),
                         joints > OSC_MAX_JOINTS ? OSC_ERROR_SKELETON : OSC_OK);
        bank_free(&bank);
    }
}

static void mask_bits_beyond_the_joints_are_errors(void **state)
{
    osc_bank opened;
    (void)state;
    for (uint32_t kind = 0; kind < 3u; kind++) {
        test_bank bank = bank_copy(sample_scale, SCALE_WORDS);
        uint32_t masks = bank_section(&bank, 1) + 2u + 20u + 400u;
        bank.words[masks + 2u * kind + 1u] |= 1u << 8; /* joint 40 of 40 */
        bank_seal(&bank);
        assert_int_equal(bank_open(&bank, &opened), OSC_ERROR_SKELETON);
        bank_free(&bank);
    }
}

/* A clip with all that the one before it has is the mirror image of that. */
static void make_image(test_bank *bank)
{
    uint32_t *clip2 = &bank->words[place_of(bank, CLIP3) - 3u], *clip3 = clip2 + 3;
    clip3[1] = clip2[1];
    clip3[2] = clip2[2];
}

static void a_clip_may_be_a_mirror_image(void **state)
{
    osc_bank opened;
    osc_clip_info before, origin, image;
    test_bank bank = bank_copy(sample_walk, WALK_WORDS);
    (void)state;
    make_image(&bank);
    bank_seal(&bank);
    assert_int_equal(bank_open(&bank, &opened), OSC_OK);
    assert_int_equal(osc_clip_describe(&opened, 1, &before), OSC_OK);
    assert_int_equal(osc_clip_describe(&opened, 2, &origin), OSC_OK);
    assert_int_equal(osc_clip_describe(&opened, 3, &image), OSC_OK);
    assert_true(image.mirrored && !origin.mirrored && !before.mirrored);
    assert_int_equal(image.size_bytes, 0);
    assert_int_equal(image.frame_count, origin.frame_count);
    uint32_t end = 4u * (opened.data_words - 1u);
    assert_int_equal(origin.size_bytes,
                     end - 4u * (bank.words[place_of(&bank, CLIP3) + 2u] & OFFSET));
    bank_free(&bank);
}

/* The first clip plays on after its image, and has its own size. */
static void images_play_what_they_mirror(void **state)
{
    (void)state;
    osc_clip_info info, whole;
    osc_bank opened;
    test_player made;
    test_bank bank = bank_copy(sample_walk, WALK_WORDS);
    assert_int_equal(bank_open(&bank, &opened), OSC_OK);
    assert_int_equal(osc_clip_describe(&opened, 0, &whole), OSC_OK);
    uint32_t *clip1 = &bank.words[place_of(&bank, CLIP1)];
    clip1[1] = clip1[-2];
    clip1[2] = clip1[-1];
    bank_seal(&bank);
    player_make(&made, bank.words, bank.count);
    assert_int_equal(osc_clip_describe(&made.bank, 0, &info), OSC_OK);
    assert_true(info.size_bytes > whole.size_bytes && !info.mirrored); /* with what was the next */
    uint32_t hashes[2];
    for (uint32_t clip = 0; clip < 2u; clip++) {
        assert_int_equal(osc_player_start(&made.player, clip, OSC_PLAY_AS_MADE), OSC_OK);
        (void)osc_player_seek_q11(&made.player, 5000);
        hashes[clip] = pose_hash(&made);
    }
    assert_int_equal(hashes[0], hashes[1]);
    player_free(&made);
    bank_free(&bank);
}

/* Each clip is valid; only their order or their description is not. */
static void other_clips_that_share_their_data_are_an_error(void **state)
{
    osc_bank opened;
    test_bank bank = bank_copy(sample_walk, WALK_WORDS);
    uint32_t *clip2 = &bank.words[place_of(&bank, CLIP3) - 3u], *clip3 = clip2 + 3;
    (void)state;
    static const uint32_t changes[][2] = {{1, 1u << 30}, {1, 1u << 29}, {2, 1u << 26}};
    for (uint32_t i = 0; i < 3u; i++) {
        make_image(&bank);
        clip3[changes[i][0]] ^= changes[i][1];
        bank_seal(&bank);
        assert_int_equal(bank_open(&bank, &opened), OSC_ERROR_CLIP);
    }
    make_image(&bank);
    clip2[1] |= 1u << 29; /* both are additive */
    clip3[1] |= 1u << 29;
    bank_seal(&bank);
    assert_int_equal(bank_open(&bank, &opened), OSC_ERROR_CLIP);
    clip2[1] &= ~(1u << 29);
    clip3[1] &= ~(1u << 29);
    uint32_t shape = clip2[-2], place = clip2[-1];
    clip2[-2] = clip2[1]; /* an image of an image */
    clip2[-1] = clip2[2];
    bank_seal(&bank);
    assert_int_equal(bank_open(&bank, &opened), OSC_ERROR_CLIP);
    clip3[1] = clip2[1] = shape; /* descending */
    clip3[2] = clip2[2] = place;
    bank_seal(&bank);
    assert_int_equal(bank_open(&bank, &opened), OSC_ERROR_CLIP);
    bank_free(&bank);
}

/* Adds the section SKIN of `count` words behind all others. */
static test_bank bank_with_skin(uint32_t count)
{
    test_bank bank = bank_copy(sample_walk, WALK_WORDS);
    uint32_t entry = 5u + 3u * bank.words[4];
    for (uint32_t i = 0; i < bank.words[4]; i++)
        bank.words[5u + 3u * i + 1u] += 3u; /* moves behind the longer table */
    bank_resize_at(&bank, entry, 3, 0);
    bank.words[4]++;
    bank.words[entry] = 0x4e494b53u; /* "SKIN" */
    bank.words[entry + 1u] = bank.count;
    bank.words[entry + 2u] = count;
    bank_resize_at(&bank, bank.count, (int32_t)count, 1u << 20);
    bank_seal(&bank);
    return bank;
}

static void every_joint_has_an_inverse_bind_matrix(void **state)
{
    enum { JOINTS = 3, MATRIX_WORDS = 12 };
    (void)state;
    for (uint32_t count = 0; count <= (JOINTS + 2u) * MATRIX_WORDS; count++) {
        test_bank bank = bank_with_skin(count);
        osc_bank opened;
        assert_int_equal(bank_open(&bank, &opened),
                         count == JOINTS * MATRIX_WORDS ? OSC_OK : OSC_ERROR_SKELETON);
        bank_free(&bank);
    }
}

static void a_bank_without_clips_opens(void **state)
{
    osc_bank opened;
    osc_player player;
    int32_t memory[64];
    test_bank bank = bank_copy(sample_walk, WALK_WORDS);
    (void)state;
    bank.words[10] = 5; /* the directory ends with the rates; the clips become a gap */
    bank_seal(&bank);
    assert_int_equal(bank_open(&bank, &opened), OSC_OK);
    assert_int_equal(opened.clip_count, 0);
    assert_int_equal(osc_clip_find(&opened, osc_name_hash("walk")), OSC_ERROR_NOT_FOUND);
    assert_int_equal(osc_player_init(&player, &opened, memory, 64), OSC_OK);
    assert_int_equal(osc_player_start(&player, 0, OSC_PLAY_ONCE), OSC_ERROR_NOT_FOUND);
    bank_free(&bank);
}

static void rates_are_at_most_64(void **state)
{
    (void)state;
    for (uint32_t rates = 64; rates <= 65u; rates++) {
        test_bank bank = bank_copy(sample_walk, WALK_WORDS);
        uint32_t first = place_of(&bank, RATES), more = 2u * (rates - bank.words[first]);
        osc_bank opened;
        bank.words[first] = rates;
        bank_resize_at(&bank, first + 1u, (int32_t)more, 0);
        bank.words[10] += more; /* the directory is longer, and DATA and NAME move */
        bank.words[12] += more;
        bank.words[15] += more;
        bank_seal(&bank);
        assert_int_equal(bank_open(&bank, &opened), rates == 64u ? OSC_OK : OSC_ERROR_CLIP);
        bank_free(&bank);
    }
}

/* Nothing but a header, in a block that ends with it. */
static void a_section_table_that_leaves_the_bank_is_an_error(void **state)
{
    osc_bank opened;
    test_bank bank = bank_copy(sample_walk, 5);
    (void)state;
    for (uint32_t count = 0; count <= 32u; count++) {
        bank.words[4] = count;
        bank_seal(&bank);
        assert_int_equal(bank_open(&bank, &opened), OSC_ERROR_SECTION);
    }
    bank_free(&bank);
}

static void inverse_bind_matrices_are_one_a_joint(void **state)
{
    (void)state;
    for (uint32_t words = 35; words <= 37u; words++) { /* 12 for each of three joints */
        osc_bank opened;
        test_bank bank = bank_copy(sample_walk, WALK_WORDS);
        bank.words[14] = 0x4e494b53u; /* SKIN instead of NAME, behind all others */
        bank.words[15] = bank.count;
        bank.words[16] = words;
        bank_resize_at(&bank, bank.count, (int32_t)words, 0);
        bank_seal(&bank);
        assert_int_equal(bank_open(&bank, &opened), words == 36u ? OSC_OK : OSC_ERROR_SKELETON);
        bank_free(&bank);
    }
}

/* The turn bank with its first clip many times, each at an offset of its own. */
static test_bank bank_of_clips(uint32_t clips)
{
    enum { TABLE = 5, SECTIONS = 3, FIRST = TABLE + 3 * SECTIONS, SKELETON_WORDS = 13 };
    const uint32_t rates = 3u, entries = 3u * clips, clip_words = 3u, data = clips + clip_words;
    test_bank bank = bank_copy(sample_turn, FIRST + SKELETON_WORDS + rates);
    bank.words[TABLE + 5] = rates + entries;
    bank.words[TABLE + 7] = 0x80000000u | (bank.count + entries);
    bank.words[TABLE + 8] = data;
    bank_resize_at(&bank, bank.count, (int32_t)(entries + data), 0);
    for (uint32_t clip = 0; clip < clips; clip++) {
        uint32_t *entry = bank.words + FIRST + SKELETON_WORDS + rates + 3u * clip;
        entry[1] = 0x1f100000u; /* one frame, delta codec, no restart point */
        entry[2] = clip;
    }
    bank_seal(&bank);
    return bank;
}

static void clips_are_at_most_65535(void **state)
{
    (void)state;
    for (uint32_t clips = 65535u; clips <= 65536u; clips++) {
        osc_bank opened;
        test_bank bank = bank_of_clips(clips);
        assert_int_equal(bank_open(&bank, &opened), clips == 65535u ? OSC_OK : OSC_ERROR_CLIP);
        bank_free(&bank);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(broken_rules_are_errors),
        cmocka_unit_test(what_the_rules_allow_opens),
        cmocka_unit_test(limits_are_exact),
        cmocka_unit_test(every_flipped_bit_is_found),
        cmocka_unit_test(every_other_size_is_an_error),
        cmocka_unit_test(a_size_that_is_no_multiple_of_four_is_an_error),
        cmocka_unit_test(misaligned_banks_are_errors),
        cmocka_unit_test(unknown_sections_are_skipped_unless_required),
        cmocka_unit_test(the_number_of_sections_is_limited),
        cmocka_unit_test(the_number_of_joints_is_limited),
        cmocka_unit_test(a_table_that_wraps_is_not_read),
        cmocka_unit_test(mask_bits_beyond_the_joints_are_errors),
        cmocka_unit_test(a_clip_may_be_a_mirror_image),
        cmocka_unit_test(images_play_what_they_mirror),
        cmocka_unit_test(other_clips_that_share_their_data_are_an_error),
        cmocka_unit_test(every_joint_has_an_inverse_bind_matrix),
        cmocka_unit_test(a_bank_without_clips_opens),
        cmocka_unit_test(rates_are_at_most_64),
        cmocka_unit_test(a_section_table_that_leaves_the_bank_is_an_error),
        cmocka_unit_test(inverse_bind_matrices_are_one_a_joint),
        cmocka_unit_test(clips_are_at_most_65535),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
