/* The first keys that differ from a base row: for each packing, any numbers of the row, at its end,
 * and any bits of the stream, which ends with its memory. */
#include "any.h"
#include "contracts.h"

#include "arithmetic/osc_quaternion.c"
#include "codecs/osc_curve_base.c"

enum { STREAM_WORDS = 4, ROW_WORDS = 2, QUARTERS = 4 };

static uint32_t stream[STREAM_WORDS], row[ROW_WORDS];

/* A component in any of its steps, with any width of a header. */
static void take_with(const first_keys *keys, uint32_t i, uint32_t shift)
{
    for (uint32_t coarsening = 0; coarsening < OSC_CURVE_ABSENT; coarsening++)
        for (uint32_t quarters = 0; quarters < QUARTERS; quarters++) {
            uint32_t step = ((4u + quarters) << (shift + coarsening)) >> 2;
            (void)take_first(keys, i, coarsening, step);
        }
}

void prove_base_row(void)
{
    forget(stream);
    forget(row);
    /*@ loop unroll 16; */
    for (uint32_t packing = 0; packing <= OSC_CURVE_VECTOR; packing++) {
        uint32_t count = packing > OSC_CURVE_FOUR ? 3u : 4u;
        osc_bits bits = {stream, STREAM_WORDS - 2u, any_word()};
        first_keys keys = {&bits, packing, any_from(1u, 64u), {0}};
        open_first(&keys, row, 2u * ROW_WORDS - count);
        /*@ loop unroll 16; */
        for (uint32_t shift = 0; shift <= OSC_CURVE_SHIFT_MAX; shift++)
            for (uint32_t i = 0; i < count; i++)
                take_with(&keys, i, shift);
    }
}
