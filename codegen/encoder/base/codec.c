#include "base/codec.h"

void enc_coded_free(enc_coded *coded)
{
    if (coded == NULL)
        return;
    if (coded->shared-- != 0u)
        return;
    coded->release(coded->data);
    free(coded);
}
