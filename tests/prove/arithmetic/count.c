/* Counts of zeros and ones, for every number. */
#include "any.h"
#include "contracts.h"

void prove_count(void)
{
    for (uint32_t bit = 0; bit < 32u; bit++) {
        uint32_t zeros = osc_leading_zeros(any_from(1u << bit, (1u << bit) + ((1u << bit) - 1u)));
        /*@ assert zeros == 31 - bit; */
        uint32_t free_bits = bit < 31u ? any_up_to(UINT32_MAX >> (bit + 1u)) << (bit + 1u) : 0u;
        zeros = osc_trailing_zeros(free_bits | 1u << bit);
        /*@ assert zeros == bit; */
    }
    for (uint32_t ones = 0; ones <= 15u; ones++) {
        uint32_t above = ones < 15u ? ones + 1u : 15u; /* what 15 ones are followed by is free */
        uint32_t value = any_up_to(UINT32_MAX >> above) << above | ((1u << ones) - 1u);
        uint32_t counted = osc_trailing_ones_15(value);
        /*@ assert counted == ones; */
    }
}
