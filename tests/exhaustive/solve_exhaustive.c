/* Ten million random limbs and looks against double precision: part of `scons roots`. Another
 * number of cases, and where their random numbers begin, may be given. */
#include "solve_properties.h"

#include <stdlib.h>

int main(int count, char **arguments)
{
    uint64_t cases = count > 1 ? strtoull(arguments[1], 0, 0) : 10000000u;
    uint64_t seed = count > 2 ? strtoull(arguments[2], 0, 0) : 1u;
    property found[SOLVE_COUNT] = SOLVE_PROPERTIES;
    for (uint64_t i = 0; i < cases; i++) {
        limb_case(found, &seed);
        look_case(found, &seed);
    }
    return all_hold(found, SOLVE_COUNT, true) ? 0 : 1;
}
