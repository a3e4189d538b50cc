/* SPDX-License-Identifier: MIT */
/* Finds the sections that osc_bank_open skips. */
#ifndef OSC_SECTION_H
#define OSC_SECTION_H

#include "bank/osc_internal.h"

typedef struct osc_words {
    const uint32_t *words; /* null: the bank has no such section */
    uint32_t count;
} osc_words;

/* Returns the first section with this tag of an open bank. A bank that could not be opened has no
 * clips; its table is not searched, because it is untrusted. */
static inline osc_words osc_section_find(const osc_bank *bank, uint32_t tag)
{
    osc_words found = {0, 0};
    uint32_t count = bank->clip_count != 0u ? osc_word(bank->words[OSC_HEADER_SECTIONS]) : 0u;
    for (uint32_t i = 0; i < count && found.words == 0; i++) {
        const uint32_t *entry = bank->words + OSC_HEADER_WORDS + i * OSC_SECTION_ENTRY_WORDS;
        if (osc_word(entry[OSC_SECTION_TAG]) == tag) {
            found.words =
                bank->words + (osc_word(entry[OSC_SECTION_PLACE]) & ~OSC_SECTION_REQUIRED);
            found.count = osc_word(entry[OSC_SECTION_WORDS]);
        }
    }
    return found;
}

/* The last frame of a clip of the bank, Q11. */
static inline uint32_t osc_clip_end_q11(const osc_bank *bank, uint32_t clip)
{
    uint32_t shape = osc_clip_shape(bank->clips + clip * OSC_CLIP_ENTRY_WORDS);
    return (shape & OSC_CLIP_LAST_FRAME_MASK) << 11;
}

#endif
