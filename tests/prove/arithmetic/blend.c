/* Blending two rows: any numbers, though rows hold rotations and lengths. */
#include "any.h"
#include "port/osc_port.h"

void prove_blend(void)
{
    int32_t left[4] = {any_number(), any_number(), any_number(), any_number()}, row[4];
    int32_t right[4] = {any_number(), any_number(), any_number(), any_number()};
    osc_blend blend = osc_blend_at(any_up_to(2047u));
    osc_quaternion rotation;
    osc_vector vector;
    (void)osc_chord_q20(left, right);
    (void)osc_store_rotation(row, left, any_number(), any_number(), any_number(), any_number());
    (void)osc_same_hemisphere(left, right);
    osc_blend_rotation(left, right, any_word(), blend, &rotation);
    osc_blend_vector(left, right, blend, &vector);
}
