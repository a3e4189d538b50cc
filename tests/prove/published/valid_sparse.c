/* The check of the sparse codec. */
#include "valid.h"

#include "published/osc_sparse.c"

void prove_valid_sparse(void)
{
    check_streams(osc_sparse_valid);
}
