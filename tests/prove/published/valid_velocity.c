/* The check of the velocity codec. */
#include "valid.h"

#include "published/osc_velocity.c"

void prove_valid_velocity(void)
{
    check_streams(osc_velocity_valid);
}
