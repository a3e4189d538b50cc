/* The table of sections: nothing beyond it is read, and sections found are within the bank. */
#include "bank.h"

enum { WORDS = 16, HEADER = 5, ENTRY = 3 };

static uint32_t words[WORDS];

static void check(const osc_section *found)
{
    if (found->words != 0) {
        /*@ assert READABLE(found->words, found->count); */
    }
}

static section_set find(const uint32_t *bank, uint32_t total)
{
    section_set found = {{0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}, {{0, 0}, {{0, 0}}}};
    (void)find_sections(bank, total, &found);
    return found;
}

static void find_and_check(const uint32_t *bank, uint32_t total)
{
    section_set found = find(bank, total);
    check(&found.skeleton);
    check(&found.clips);
    check(&found.data);
    check(&found.skin);
    check(&found.base);
    check(&found.tiers.table);
    for (uint32_t tier = 0; tier < OSC_MAX_TIERS; tier++)
        check(&found.tiers.whole[tier]);
}

/* Each offset in the bank and at its end, then all offsets beyond. */
static uint32_t place_at(uint32_t offset, uint32_t total, uint32_t required)
{
    uint32_t bit = required != 0u ? OSC_SECTION_REQUIRED : 0u;
    return offset <= total ? bit | offset : any_from(bit | offset, bit | ~OSC_SECTION_REQUIRED);
}

/* A section of any tag and size, behind one that ends anywhere. The next step of the loop knows no
 * more about the sections before it than where they end, and which tags were there. */
static void find_behind(uint32_t *bank, uint32_t total, uint32_t before)
{
    for (uint32_t at = 0; at <= total + 1u; at++)
        for (uint32_t required = 0; required < 2u; required++) {
            uint32_t *entry = bank + HEADER;
            forget(words);
            bank[OSC_HEADER_SECTIONS] = before <= total ? 2u : 1u;
            if (before <= total) {
                entry[OSC_SECTION_TAG] = OSC_TAG_NAMES;
                entry[OSC_SECTION_PLACE] = before;
                entry += ENTRY;
            }
            entry[OSC_SECTION_PLACE] = place_at(at, total, required);
            find_and_check(bank, total);
        }
}

void prove_sections(void)
{
    for (uint32_t total = HEADER; total <= WORDS; total++) {
        uint32_t *bank = words + (WORDS - total);
        for (uint32_t count = 0; count <= OSC_MAX_SECTIONS + 1u; count++) {
            forget(words);
            bank[OSC_HEADER_SECTIONS] =
                count <= OSC_MAX_SECTIONS ? count : any_from(count, UINT32_MAX);
            (void)find(bank, total);
        }
        if (total >= HEADER + ENTRY)
            find_behind(bank, total, total + 1u);
        if (total >= HEADER + 2 * ENTRY)
            for (uint32_t before = 0; before <= total; before++)
                find_behind(bank, total, before);
    }
}
