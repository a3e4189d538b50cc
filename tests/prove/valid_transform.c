/* The check of the transform codec. */
#include "valid.h"

#include "osc_transform.h"

/* The same, three components and four as cases of their own. */
static uint32_t count_apart(uint32_t chart)
{
    uint32_t count = osc_transform_component_count(chart);
    //@ split count;
    return count;
}
#define osc_transform_component_count count_apart
#include "osc_transform.c"

void prove_valid_transform(void)
{
    check_streams(osc_transform_valid);
}
