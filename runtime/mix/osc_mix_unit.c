/* Rotations of any length. */
#include "arithmetic/osc_mix_arithmetic.h"
#include "arithmetic/osc_unit.h"

uint32_t osc_near_unit_q31(osc_quaternion *rotation)
{
    int32_t q[4] = {rotation->x, rotation->y, rotation->z, rotation->w};
    uint32_t sizes = 0;
    for (uint32_t i = 0; i < 4u; i++)
        sizes |= osc_size_of(q[i]);
    /* The largest one to 2^18 .. 2^19, so that the square of the length is from 1/16 to 1. */
    uint32_t size = osc_log2(sizes);
    if (sizes == 0u)
        q[3] = OSC_ONE_Q20;
    else
        for (uint32_t i = 0; i < 4u; i++)
            q[i] = size > 18u ? q[i] >> (size - 18u) : osc_shl(q[i], 18u - size);
    rotation->x = q[0], rotation->y = q[1], rotation->z = q[2], rotation->w = q[3];
    uint32_t n = osc_squared_length_q31(rotation);
    if (n < OSC_UNIT_LEAST_Q31) {
        rotation->x = osc_shl(q[0], 1u), rotation->y = osc_shl(q[1], 1u);
        rotation->z = osc_shl(q[2], 1u), rotation->w = osc_shl(q[3], 1u);
        n = osc_squared_length_q31(rotation);
    }
    return n;
}
