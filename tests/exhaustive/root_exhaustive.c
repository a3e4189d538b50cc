/* osc_root_q20 over its whole domain, n = 0 .. 2^28. Ends with status 0 when all roots are right.
 */
#include "arithmetic/osc_fixed.h"
#include "root_edges.h"

#include <inttypes.h>
#include <stdio.h>

int main(void)
{
    const uint32_t last = 1u << 28;
    uint64_t wrong = 0;
    for (uint32_t n = 0; n <= last; n++) {
        uint32_t root = osc_root_q20(n);
        if (!is_rounded_root(n, root)) {
            if (wrong++ < 10u)
                fprintf(stderr, "root_exhaustive: n = %" PRIu32 " gives %" PRIu32 "\n", n, root);
        }
    }
    printf("root_exhaustive: %" PRIu32 " arguments, %" PRIu64 " wrong\n", last + 1u, wrong);
    return wrong == 0u ? 0 : 1;
}
