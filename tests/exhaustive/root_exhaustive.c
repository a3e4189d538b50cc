/* osc_root_q20 over its whole domain, n = 0 .. 2^28: the result r must satisfy
 * (2r - 1)^2 < n * 2^14 < (2r + 1)^2. Ends with status 0 when all do. */
#include "osc_fixed.h"

#include <inttypes.h>
#include <stdio.h>

int main(void)
{
    const uint32_t last = 1u << 28;
    uint64_t wrong = 0;
    for (uint32_t n = 0; n <= last; n++) {
        uint64_t root = osc_root_q20(n), target = (uint64_t)n << 14;
        uint64_t above = (2u * root + 1u) * (2u * root + 1u);
        uint64_t below = root == 0u ? 0u : (2u * root - 1u) * (2u * root - 1u);
        if (target >= above || (root != 0u && target <= below)) {
            if (wrong++ < 10u)
                fprintf(stderr, "root_exhaustive: n = %" PRIu32 " gives %" PRIu64 "\n", n, root);
        }
    }
    printf("root_exhaustive: %" PRIu32 " arguments, %" PRIu64 " wrong\n", last + 1u, wrong);
    return wrong == 0u ? 0 : 1;
}
