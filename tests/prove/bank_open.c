/* osc_bank_open and osc_bank_load around their parts: every table of three sections in a short
 * bank, and of more in a shorter one, so that the parts are seen to be given what they ask for. */
#include "bank.h"

enum { HEADER = 5, ENTRY = 3, ROOM = 3, MOST_SECTIONS = 7 };
enum { WORDS = HEADER + ENTRY * MOST_SECTIONS + ROOM };

static uint32_t words[WORDS];

static void open(uint32_t sections)
{
    osc_bank bank;
    (void)osc_bank_open(&bank, words, 4u * (HEADER + ENTRY * sections + ROOM));
}
void prove_open(void)
{
    forget(words);
    for (uint32_t a = 0; a < 3; a++) {
        words[4] = 3;
        words[5] = OSC_TAG_SKELETON;
        words[6] = 14;
        words[7] = a;
        words[8] = OSC_TAG_CLIPS;
        words[9] = 14 + a;
        words[10] = 1;
        words[11] = OSC_TAG_DATA;
        words[12] = 15 + a;
        words[13] = 17 - 15 - a;
        open(3);
    }
}
