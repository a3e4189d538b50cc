/* The check of the delta codec. */
#include "valid.h"

#include "codecs/osc_delta.c"

void prove_valid_delta(void)
{
    check_streams(osc_delta_valid);
}
