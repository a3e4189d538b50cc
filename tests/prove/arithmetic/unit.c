/* Making a rotation of any four numbers. */
#include "any.h"
#include "arithmetic/osc_unit.h"
#include "contracts.h"

/* The same, split by sign: the analyser keeps the range of converted numbers that have one sign. */
static int32_t shl_by_sign(int32_t a, uint32_t bits)
{
    return a < 0 ? osc_shl(a, bits) : osc_shl(a, bits);
}
#define osc_shl shl_by_sign
#include "arithmetic/osc_unit.c"

/* By the highest bit of all sizes, and a component that has it. */
void prove_unit(void)
{
    int32_t q[4] = {0, 0, 0, 0};
    osc_unit(q);
    for (uint32_t bit = 0; bit < 31u; bit++)
        for (uint32_t largest = 0; largest < 4u; largest++)
            for (uint32_t negative = 0; negative < 2u; negative++) {
                int32_t least = (int32_t)(1u << bit), most = (int32_t)((2u << bit) - 1u);
                for (uint32_t i = 0; i < 4u; i++)
                    q[i] = any_between(-most, most);
                q[largest] = negative ? any_between(-most, -least) : any_between(least, most);
                osc_unit(q);
            }
    for (uint32_t largest = 0; largest < 4u; largest++) {
        for (uint32_t i = 0; i < 4u; i++)
            q[i] = any_number();
        q[largest] = INT32_MIN;
        osc_unit(q);
    }
}

void prove_near_unit(void)
{
    int32_t q[4] = {any_number(), any_number(), any_number(), any_number()};
    osc_near_unit(q);
}
