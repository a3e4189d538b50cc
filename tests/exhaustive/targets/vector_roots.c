/* osc_v4_root_q20 of the target's platform over its whole domain, n = 0 .. 2^28, in whichever lane
 * n comes. */
#include "../../support/c/root_edges.h"
#include "hal.h"
#include "port/osc_port.h"
#include "print.h"

#define LAST (1u << 28)

int main(void)
{
    for (uint32_t first = 0; first <= LAST; first += 4u) {
        int32_t n[4], roots[4];
        for (uint32_t i = 0; i < 4u; i++)
            n[i] = (int32_t)(first + i <= LAST ? first + i : LAST);
        osc_v4_store(roots, osc_v4_root_q20(osc_v4_load(n)));
        for (uint32_t i = 0; i < 4u; i++) {
            if (!is_rounded_root((uint32_t)n[i], (uint32_t)roots[i])) {
                print_line("wrong root of ", (uint32_t)n[i]);
                hal_exit(1);
            }
        }
    }
    print_line("all roots are right: arguments ", LAST + 1u);
    hal_exit(0);
}
