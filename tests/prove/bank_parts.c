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

/* A table of `count` words of a bank with clips and, where `there` has their bits, tiers; then
 * tiers from elsewhere. */
static void open_tiers_of(uint32_t count, uint32_t there)
{
    osc_bank bank = any_bank();
    osc_tier_sections found = {{0, 0}, {{0, 0}}};
    forget(words);
    forget(others);
    forget(entries);
    bank.clips = entries;
    bank.clip_count = TIER_CLIPS;
    if (count != 0u)
        found.table = (osc_section){words + (WORDS - count), count};
    for (uint32_t tier = 0; tier < OSC_MAX_TIERS; tier++)
        if ((there >> tier & 1u) != 0u)
            found.whole[tier] = (osc_section){others, FEW};
    if (osc_tiers_open(&bank, &found, osc_all_checks) != OSC_OK)
        return;
    for (uint32_t size = 0; size <= 4u * FEW; size++)
        (void)osc_bank_attach_tier_codecs(&bank, any_word(), others + (FEW - size / 4u), size,
                                          osc_all_checks);
    (void)osc_bank_attach_tier_codecs(&bank, any_word(), 0, any_word(), osc_all_checks);
}

void prove_tiers(void)
{
    for (uint32_t count = 0; count <= WORDS; count++)
        for (uint32_t there = 0; there < 1u << OSC_MAX_TIERS; there++)
            open_tiers_of(count, there);
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
