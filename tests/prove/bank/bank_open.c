/* osc_bank_open around its parts: tables of any of the known sections, of several sizes, in banks
 * that end with their memory. All words but the table are free. */
#include "bank.h"

enum { HEADER = 5, ENTRY = 3, KINDS = 8, MOST_EACH = 2 };
enum { WORDS = HEADER + KINDS * (ENTRY + MOST_EACH) };

static const uint32_t tags[KINDS] = {
    OSC_TAG_SKELETON, OSC_TAG_CLIPS, OSC_TAG_DATA,   OSC_TAG_SKIN,
    OSC_TAG_BASE,     OSC_TAG_TIERS, OSC_TAG_TIER_1, OSC_TAG_TIER_1 + OSC_TAG_TIER_STEP};
static uint32_t words[WORDS];

/* present: a bit for each section that the bank has */
static void open_with(uint32_t present, uint32_t each)
{
    uint32_t count = 0, total;
    for (uint32_t kind = 0; kind < KINDS; kind++)
        count += present >> kind & 1u;
    total = HEADER + count * (ENTRY + each);
    uint32_t *bank_words = words + (WORDS - total), *entry = bank_words + HEADER;
    uint32_t at = HEADER + count * ENTRY;
    osc_bank bank;
    forget(words);
    bank_words[OSC_HEADER_SECTIONS] = count;
    for (uint32_t kind = 0; kind < KINDS; kind++) {
        if ((present >> kind & 1u) == 0u)
            continue;
        entry[OSC_SECTION_TAG] = tags[kind];
        entry[OSC_SECTION_PLACE] = at;
        entry[OSC_SECTION_WORDS] = each;
        entry += ENTRY;
        at += each;
    }
    (void)osc_bank_open(&bank, bank_words, 4u * total);
}

void prove_open(void)
{
    /*@ loop unroll 256; */
    for (uint32_t present = 0; present < 1u << KINDS; present++)
        for (uint32_t each = 0; each <= MOST_EACH; each++)
            open_with(present, each);
}
