/* Mixing two rotations and two vectors: any numbers and weights. */
#include "any.h"
#include "arithmetic/osc_mix_arithmetic.h"

static osc_quaternion any_rotation(void)
{
    osc_quaternion q = {any_number(), any_number(), any_number(), any_number()};
    return q;
}

static osc_vector any_vector(void)
{
    osc_vector v = {any_number(), any_number(), any_number()};
    return v;
}

void prove_mix(void)
{
    osc_quaternion with = any_rotation(), stepped = any_rotation(), blended = any_rotation();
    osc_quaternion added = any_rotation();
    osc_vector vector = any_vector(), other = any_vector();
    int32_t weight = any_number();
    osc_mix_rotations(&stepped, &with, 1u, weight);
    osc_mix_unit_rotation(&blended, &with, weight);
    osc_add_rotation(&added, &with, weight);
    osc_mix_vectors(&vector, &other, 1u, weight);
    osc_add_vectors(&vector, &other, 1u, weight);
    osc_add_scales(&vector, &other, 1u, weight);
    (void)osc_masked_weight(any_word(), any_word());
}
