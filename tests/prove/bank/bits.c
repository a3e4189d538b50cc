/* The bit reader, on streams of several lengths that end with their memory: at any position, with
 * any width that a caller may ask for. */
#include "any.h"
#include "contracts.h"

enum { WORDS = 12, TAKEN = 8 };

static uint32_t stream[WORDS];

void prove_bits(void)
{
    forget(stream);
    for (uint32_t count = 2; count <= WORDS; count++) {
        osc_bits bits = {stream + (WORDS - count), count - 2u, any_word()};
        (void)osc_bits_peek(&bits);
        (void)osc_bits_take(&bits, any_from(1u, 32u));
        (void)osc_bits_take_signed(&bits, any_from(1u, 32u));
        (void)osc_bits_take_rice_unsigned(&bits, any_up_to(14u));
        (void)osc_bits_take_rice(&bits, any_up_to(14u));
        for (uint32_t taken = 0; taken <= TAKEN; taken++) {
            uint32_t to[TAKEN];
            osc_bits_take_words(&bits, to + (TAKEN - taken), taken);
        }
    }
}
