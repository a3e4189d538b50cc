/* The check of the dense codec. */
#include "valid.h"

#include "published/osc_dense.c"

void prove_valid_dense(void)
{
    check_streams(osc_dense_valid);
}
