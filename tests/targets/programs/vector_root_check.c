/* The root of four numbers as the target's platform computes it, at all edges of its rounding and
 * in every lane. */
#include "../../support/c/root_edges.h"
#include "hal.h"
#include "port/osc_port.h"
#include "print.h"

#define ONE_Q28 (1u << 28)

static int32_t numbers[4];
static uint32_t checked;

/* The number comes into one lane after the other, and stays there for four calls. */
static void check_root(uint32_t n_q28)
{
    int32_t roots[4];
    numbers[checked++ & 3u] = (int32_t)n_q28;
    osc_v4_store(roots, osc_v4_root_q20(osc_v4_load(numbers)));
    for (uint32_t lane = 0; lane < 4u; lane++) {
        if (!is_rounded_root((uint32_t)numbers[lane], (uint32_t)roots[lane])) {
            print_line("wrong root of ", (uint32_t)numbers[lane]);
            hal_exit(1);
        }
    }
}

int main(void)
{
    uint32_t edges = check_root_edges(check_root);
    for (uint32_t i = 0; i < 1000u; i++) {
        check_root(i);
        check_root(ONE_Q28 - i);
    }
    print_line("edges ", edges);
    hal_exit(0);
}
