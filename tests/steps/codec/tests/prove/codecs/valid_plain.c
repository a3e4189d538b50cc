/* The check of the plain codec. */
#include "valid.h"

#include "codecs/osc_plain.c"

void prove_valid_plain(void)
{
    check_streams(osc_plain_valid);
}
