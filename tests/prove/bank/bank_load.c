/* osc_bank_load: memory of several sizes, and a source that returns any value. */
#include "bank.h"

enum { WORDS = 12 };

static uint32_t words[WORDS];

/* A source stays within its destination if that has room for the request. */
static size_t read_anything(void *context, size_t offset, void *destination, size_t size)
{
    (void)context, (void)offset;
    if (size != 0u) {
        /*@ assert \valid((char *)destination + (0 .. size - 1)); */
    }
    forget(words);
    return any_word();
}

void prove_load(void)
{
    const osc_source source = {read_anything, 0};
    /*@ loop unroll 49; */
    for (uint32_t capacity = 0; capacity <= 4u * WORDS; capacity++) {
        osc_bank bank;
        (void)osc_bank_load(&bank, &source, words + (WORDS - (capacity + 3u) / 4u), capacity);
    }
}
