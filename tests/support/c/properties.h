/* Properties of numbers: the worst error of many random cases beside a bound. */
#ifndef PROPERTIES_H
#define PROPERTIES_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct property {
    const char *name;
    double bound, worst;
    uint64_t cases, seed; /* seed: of the worst case */
} property;

static inline void judge(property *p, double error, uint64_t seed)
{
    p->cases++;
    if (!(error <= p->worst)) { /* not a number is worst */
        p->worst = error;
        p->seed = seed;
    }
}

/* Tells if all properties hold and had cases. Prints those that do not hold, or all. */
static inline bool all_hold(const property *properties, uint32_t count, bool print_all)
{
    bool good = true;
    for (uint32_t i = 0; i < count; i++) {
        const property *p = &properties[i];
        bool holds = p->cases != 0u && p->worst <= p->bound;
        if (print_all || !holds)
            printf("%s: worst %.3g, bound %.3g, %" PRIu64 " cases%s (seed %#" PRIx64 ")\n", p->name,
                   p->worst, p->bound, p->cases, holds ? "" : ": FAILS", p->seed);
        good = good && holds;
    }
    return good;
}

#endif
