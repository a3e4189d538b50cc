/* Ten million random limbs, looks, blends and moves against double precision: part of `scons
 * roots`. Another number of cases, and where their random numbers begin, may be given. */
#include "mix_properties.h"
#include "solve_properties.h"

#include <stdlib.h>
#include <string.h>

int main(int count, char **arguments)
{
    uint64_t cases = count > 1 ? strtoull(arguments[1], 0, 0) : 10000000u;
    uint64_t seed = count > 2 ? strtoull(arguments[2], 0, 0) : 1u;
    property solved[SOLVE_COUNT], mixes[MIX_COUNT];
    memcpy(solved, SOLVE_PROPERTIES, sizeof solved);
    memcpy(mixes, MIX_PROPERTIES, sizeof mixes);
    for (uint64_t i = 0; i < cases; i++) {
        limb_case(solved, &seed);
        look_case(solved, &seed);
        mix_case(mixes, &seed);
        move_case(mixes, &seed);
    }
    bool solves = all_hold(solved, SOLVE_COUNT, true);
    return all_hold(mixes, MIX_COUNT, true) && solves ? 0 : 1;
}
