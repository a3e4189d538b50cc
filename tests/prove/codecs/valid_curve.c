/* The check of the curve codec. */
#include "valid.h"

#include "codecs/osc_curve.c"

void prove_valid_curve(void)
{
    check_streams(osc_curve_valid);
}
