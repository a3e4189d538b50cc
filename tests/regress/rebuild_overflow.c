/* The mixed products of three hostile components come to 2^31 - 2; adding the carry of the low ones
 * was a signed overflow. */
#include "arithmetic/osc_fixed.h"

int main(void)
{
    int32_t rebuilt = osc_rebuild_q20(0x7fffffff, (2051 << 10) | 1023, 0);
    return rebuilt >= 0 && rebuilt <= 1 << 20 ? 0 : 1;
}
