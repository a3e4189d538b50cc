/* Limbs, looks, blends and moves against double precision, in the places where digits get lost.
 * `scons roots` has ten million of these cases. */
#include "mix_properties.h"
#include "solve_properties.h"

#include <string.h>

#define CASES 40000

static void solutions_are_within_their_bounds(void **state)
{
    property found[SOLVE_COUNT];
    uint64_t seed = 1;
    (void)state;
    memcpy(found, SOLVE_PROPERTIES, sizeof found);
    for (int i = 0; i < CASES; i++) {
        limb_case(found, &seed);
        look_case(found, &seed);
    }
    assert_true(all_hold(found, SOLVE_COUNT, false));
}

static void mixes_are_within_their_bounds(void **state)
{
    property found[MIX_COUNT];
    uint64_t seed = 2;
    (void)state;
    memcpy(found, MIX_PROPERTIES, sizeof found);
    for (int i = 0; i < CASES; i++) {
        mix_case(found, &seed);
        move_case(found, &seed);
    }
    assert_true(all_hold(found, MIX_COUNT, false));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(solutions_are_within_their_bounds),
                                       cmocka_unit_test(mixes_are_within_their_bounds)};
    return cmocka_run_group_tests(tests, 0, 0);
}
