/* The check of the transform codec. */
#include "valid.h"

#include "codecs/osc_transform_arithmetic.h"

/* The same, three components and four as cases of their own. */
static uint32_t count_apart(uint32_t packing)
{
    uint32_t count = osc_transform_component_count(packing);
    //@ split count;
    return count;
}
#define osc_transform_component_count count_apart
#include "codecs/osc_transform.c"

void prove_valid_transform(void)
{
    check_streams(osc_transform_valid);
}
