/* Formats of keys at their limits, and the order of the keys of a dense block in any stream. */
#include "check.h"

#pragma GCC diagnostic ignored "-Wunused-function" /* the codec uses the others */
#include "published/osc_dense_keys.h"

/* Components of half angles have 21 bits at most. */
static void half_angles_have_21_bits(void **state)
{
    (void)state;
    for (uint32_t width = 21; width <= 22u; width++) {
        uint32_t layout = OSC_KEY_HALF_ANGLE | OSC_KEY_WIDTHS_SAME << 4 | (width - 1u) << 6;
        const uint32_t words[3] = {osc_word(layout), 0, 0}; /* three components, not signed */
        osc_bits bits = {words, 1u, 0};
        osc_key_format format;
        assert_int_equal(osc_key_format_take(&bits, OSC_KEY_ROTATION, &format), width == 21u);
    }
}

/* The first and the last key of a block are the first two in its order, whatever the stream says.
 */
static void the_ends_of_a_block_come_first(void **state)
{
    const uint32_t words[3] = {osc_word(0x3543u), 0, 0}; /* the places 3, 4, 5, 3 */
    const osc_dense_key_map map = {.order = {words, 1u, 0}, .last_key = 3, .order_bits = 4};
    static const uint32_t wanted[4] = {0, 4, 5, 1};
    (void)state;
    for (uint32_t key = 0; key < 4u; key++)
        assert_int_equal(osc_dense_place_of_key(&map, key), wanted[key]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(half_angles_have_21_bits),
        cmocka_unit_test(the_ends_of_a_block_come_first),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
