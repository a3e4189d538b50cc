/* The rounded square root as the target computes it: around every kind of boundary, against the
 * squares beside it. */
#include "../../support/c/root_edges.h"
#include "hal.h"
#include "port/osc_port.h"
#include "print.h"
#include "random_words.h"

#define CASES 20000u
#define ONE_Q20 (1u << 20)
#define ONE_Q28 (1u << 28)

static void check(bool holds, const char *what, uint32_t number)
{
    if (!holds) {
        print_line(what, number);
        hal_exit(1);
    }
}

static void check_root(uint32_t n_q28)
{
    check(is_rounded_root(n_q28, osc_root_q20(n_q28)), "a root is not rounded: ", n_q28);
}

/* A component near the ball that unit quaternions fill, or anything. */
static int32_t component(void)
{
    uint32_t choice = next_random() >> 9;
    int32_t word = (int32_t)next_random();
    if ((choice & 15u) == 0u)
        return word;
    return (choice & 15u) == 1u ? (int32_t)(ONE_Q20 - (choice >> 12)) : word >> (11u + choice % 4u);
}

int main(void)
{
    uint32_t hollow = 0, edges = check_root_edges(check_root);
    for (uint32_t i = 0; i < CASES; i++) {
        uint32_t root = (next_random() >> 9) % ONE_Q20;
        uint32_t n_q28 = (uint32_t)(((uint64_t)(2u * root + 1u) * (2u * root + 1u)) >> 14);
        check_root(n_q28); /* right below the boundary between this root and the next one */
        check_root(n_q28 + (n_q28 < ONE_Q28 ? 1u : 0u));
        check_root(next_random() >> 4);
        check_root(i);
        check_root(ONE_Q28 - i);
        int32_t a = component(), b = component(), c = component();
        int32_t kept = osc_rebuild_here_q20(a, b, c);
        check(kept == osc_rebuild_q20(a, b, c), "a component is rebuilt in two ways in case ", i);
        hollow += kept == 0 ? 1u : 0u;
    }
    check(hollow > CASES / 16u && hollow < CASES / 2u, "too few or too many are outside: ", hollow);
    print_line("edges ", edges);
    hal_exit(0);
}
