/* The other parts of a bank, each in sections of several lengths that end with their memory. */
#include "bank.h"

enum { WORDS = 16, FEW = 4, TIER_CLIPS = 2, TOO_MANY_CLIPS = 65536 };

static uint32_t words[WORDS], others[FEW], entries[3 * TIER_CLIPS],
    too_many[1 + 3 * TOO_MANY_CLIPS];

void prove_crc(void)
{
    for (uint32_t count = 0; count <= WORDS; count++) {
        forget(words);
        (void)osc_crc_words(any_word(), words + (WORDS - count), count);
        (void)count_bits(words + (WORDS - count), count);
    }
}

void prove_header(void)
{
    for (uint32_t size = 0; size <= 4u * WORDS; size++) {
        forget(words);
        (void)check_header(words + (WORDS - size / 4u), size);
    }
}

void prove_skin(void)
{
    osc_bank bank;
    bank.joint_count = (uint16_t)any_from(1u, OSC_MAX_JOINTS);
    (void)open_skin(&bank, (osc_section){0, 0});
    for (uint32_t count = 0; count <= WORDS; count++) {
        forget(words);
        (void)open_skin(&bank, (osc_section){words + (WORDS - count), count});
    }
}

/* The next digit of a case's number. */
static uint32_t digit(uint32_t *number, uint32_t base)
{
    uint32_t value = *number % base;
    *number /= base;
    return value;
}

/* 0 .. most, each a case of its own, then all that is more. */
static uint32_t each_up_to(uint32_t *number, uint32_t most)
{
    uint32_t value = digit(number, most + 2u);
    return value <= most ? value : any_from(most + 1u, UINT32_MAX);
}

/* Tables whose last words are `chunks` entries. What places depend on has a case for each value:
 * the analyser forgets how numbers in memory are related. */
static osc_section any_table(uint32_t tiers, uint32_t chunks, uint32_t number)
{
    uint32_t count =
        OSC_TIERS_HEADER_WORDS + tiers * OSC_TIER_WORDS + chunks * OSC_CHUNK_ENTRY_WORDS;
    uint32_t *table = words + (WORDS - count), *record = table + OSC_TIERS_HEADER_WORDS;
    forget(words);
    table[OSC_TIERS_FORM] = tiers | any_up_to(UINT32_MAX >> 8) << OSC_TIERS_BLOCK_SHIFT;
    for (uint32_t tier = 0; tier < tiers; tier++, record += OSC_TIER_WORDS) {
        record[OSC_TIER_SIZE_WORDS] = each_up_to(&number, FEW);
        record[OSC_TIER_CHUNKS_END] = each_up_to(&number, chunks);
    }
    for (uint32_t chunk = 0; chunk < chunks; chunk++, record += OSC_CHUNK_ENTRY_WORDS) {
        uint32_t known = TIER_CLIPS << OSC_CHUNK_CLIP_SHIFT;
        record[OSC_CHUNK_KEY] =
            digit(&number, 2u) == 0u ? any_up_to(known - 1u) : any_from(known, UINT32_MAX);
        /* the first one begins at 0: any gap is refused */
        record[OSC_CHUNK_OFFSET] = each_up_to(&number, chunk == 0u ? 0u : FEW);
    }
    return (osc_section){table, count};
}

/* A bank with clips and this table and, where `there` has their bits, tiers; then tiers from
 * elsewhere. */
static void open_tiers_of(osc_section table, uint32_t there)
{
    osc_bank bank = any_bank();
    osc_tier_sections found = {table, {{0, 0}}};
    forget(others);
    forget(entries);
    bank.clips = entries;
    bank.clip_count = TIER_CLIPS;
    for (uint32_t tier = 0; tier < OSC_MAX_TIERS; tier++)
        if ((there >> tier & 1u) != 0u)
            found.whole[tier] = (osc_section){others, FEW};
    if (osc_tiers_open(&bank, &found, osc_all_checks) != OSC_OK)
        return;
    for (uint32_t tier = 0; tier <= OSC_MAX_TIERS + 1u; tier++) {
        for (uint32_t size = 0; size <= FEW; size++)
            (void)osc_bank_attach_tier_codecs(&bank, tier, others + (FEW - size), 4u * size,
                                              osc_all_checks);
        (void)osc_bank_attach_tier_codecs(&bank, tier, others, 4u * FEW - 1u, osc_all_checks);
        (void)osc_bank_attach_tier_codecs(&bank, tier, 0, any_word(), osc_all_checks);
    }
}

/* Banks without a table, and tables that are too short or in which only the first word is wrong. */
static void open_no_tiers(void)
{
    for (uint32_t there = 0; there < 1u << OSC_MAX_TIERS; there++)
        open_tiers_of((osc_section){0, 0}, there);
    for (uint32_t count = 1; count < OSC_TIERS_HEADER_WORDS + OSC_TIER_WORDS; count++) {
        forget(words);
        open_tiers_of((osc_section){words + (WORDS - count), count}, 0);
    }
    forget(words);
    words[OSC_TIERS_FORM] = any_from(OSC_MAX_TIERS + 1u, 0xffu);
    open_tiers_of((osc_section){words, WORDS}, 0);
}

enum { TIER_CASES = 6, ONE_CHUNK = 3 * 2 * 2, TWO_CHUNKS = 4 * (2 * 2) * (2 * 6) };

void prove_tiers(void)
{
    open_no_tiers();
    /*@ loop unroll 72; */
    for (uint32_t number = 0; number < TIER_CASES * ONE_CHUNK; number++)
        for (uint32_t there = 0; there < 2u; there++)
            open_tiers_of(any_table(1u, 1u, number), there);
    /*@ loop unroll 1152; */
    for (uint32_t number = 0; number < TIER_CASES * TWO_CHUNKS; number++)
        open_tiers_of(any_table(1u, 2u, number), 1u);
    /*@ loop unroll 1296; */
    for (uint32_t number = 0; number < TIER_CASES * TIER_CASES * 3 * ONE_CHUNK; number++)
        open_tiers_of(any_table(2u, 1u, number), 1u);
}

static void open_clips_of(uint32_t count, uint32_t rates)
{
    osc_bank bank = any_bank();
    const osc_section clips = {words + (WORDS - count), count}, data = {others, FEW};
    forget(words);
    forget(others);
    if (count != 0u)
        words[WORDS - count] = rates;
    (void)open_clips(&bank, clips, data, osc_all_checks);
}

static void open_too_many_clips(void)
{
    osc_bank bank = any_bank();
    const osc_section clips = {too_many, 1 + 3 * TOO_MANY_CLIPS}, data = {others, FEW};
    forget(too_many);
    too_many[0] = 0;
    (void)open_clips(&bank, clips, data, osc_all_checks);
}

/* Each number of rates that fits, then all numbers that do not. */
void prove_clips(void)
{
    open_too_many_clips();
    for (uint32_t count = 0; count <= WORDS; count++) {
        for (uint32_t rates = 0; OSC_RATE_WORDS * rates < count; rates++)
            open_clips_of(count, rates);
        open_clips_of(count, any_from((count + 1u) / OSC_RATE_WORDS, UINT32_MAX));
    }
}
