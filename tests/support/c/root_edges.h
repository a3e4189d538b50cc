/* Arguments whose roots are hardest to round: the root of n * 2^12 is rounded up from (r + 1/2)^2 =
 * r * (r + 1) + 1/4 on, so the arguments beside that are the hardest where r * (r + 1) is nearly a
 * multiple of 2^12. For the nearest of all the true root is within 2^-23 of a half. */
#ifndef ROOT_EDGES_H
#define ROOT_EDGES_H

#include <stdbool.h>
#include <stdint.h>

#define ROOT_EDGE_NEAR 8u /* how near, of 2^12 */

/* Returns whether root - 1/2 and root + 1/2 enclose the root of n * 2^12: all three squared, times
 * four. */
static inline bool is_rounded_root(uint32_t n_q28, uint32_t root)
{
    uint64_t twice = 2u * (uint64_t)root, square = (uint64_t)n_q28 << 14;
    return square < (twice + 1u) * (twice + 1u) &&
           (root == 0u ? n_q28 == 0u : (twice - 1u) * (twice - 1u) < square);
}

/* Calls check with both arguments beside every such edge, ascending; returns how many. */
static inline uint32_t check_root_edges(void (*check)(uint32_t n_q28))
{
    uint32_t count = 0;
    for (uint32_t root = 0; root < 1u << 20; root++) {
        uint64_t edge = (uint64_t)root * (root + 1u);
        uint32_t beyond = (uint32_t)edge & 4095u;
        if (beyond >= ROOT_EDGE_NEAR && beyond < 4096u - ROOT_EDGE_NEAR)
            continue;
        check((uint32_t)(edge >> 12));
        check((uint32_t)(edge >> 12) + 1u);
        count += 2u;
    }
    return count;
}

#endif
