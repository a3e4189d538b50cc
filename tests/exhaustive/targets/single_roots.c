/* osc_root_q20 over its whole domain as a processor with an instruction for the square root
 * computes it: 0 .. 2^28, in order, so that the true root only ever grows. */
#include "hal.h"
#include "port/osc_port.h"
#include "print.h"

int main(void)
{
    uint32_t root = 0;
    uint64_t boundary = 1u; /* four times the square of root + 1/2 */
    for (uint32_t n_q28 = 0; n_q28 <= 1u << 28; n_q28++) {
        for (; boundary < (uint64_t)n_q28 << 14; boundary += (uint64_t)root << 3)
            root++;
        if (osc_root_q20(n_q28) != root) {
            print_line("the root is wrong of ", n_q28);
            hal_exit(1);
        }
    }
    print_line(OSC_SQRT ? "all roots are right with an instruction, up to "
                        : "no instruction, up to ",
               root);
    hal_exit(OSC_SQRT ? 0 : 1);
}
