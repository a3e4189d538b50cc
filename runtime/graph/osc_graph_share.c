/* SPDX-License-Identifier: MIT */
/* Shares of times and of ranges. */
#include "graph/osc_graph_code.h"

uint32_t osc_graph_share_q15(uint32_t part, uint32_t whole)
{
    if (part == whole) /* needs no division */
        return OSC_ONE_Q15;
    for (; whole > 0xffffu; whole >>= 1)
        part >>= 1;
    return osc_mix_share(part, whole);
}
