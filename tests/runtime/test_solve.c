/* Limbs and looks against double precision, in the places where digits get lost. `scons roots` has
 * ten million of these cases. */
#include "solve_properties.h"

#define CASES 40000

static void solutions_are_within_their_bounds(void **state)
{
    property found[SOLVE_COUNT] = SOLVE_PROPERTIES;
    uint64_t seed = 1;
    (void)state;
    for (int i = 0; i < CASES; i++) {
        limb_case(found, &seed);
        look_case(found, &seed);
    }
    assert_true(all_hold(found, SOLVE_COUNT, false));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(solutions_are_within_their_bounds)};
    return cmocka_run_group_tests(tests, 0, 0);
}
