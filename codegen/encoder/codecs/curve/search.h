/* Searches for the basis and the steps with which sparse keys of a track are cheapest. */
#ifndef ENCODER_CODECS_CURVE_SEARCH_H
#define ENCODER_CODECS_CURVE_SEARCH_H

#include "codecs/curve/solve.h"

#define CURVE_CANDIDATES 5u

/* Keys that hold, and their cost. */
typedef struct {
    curve_keys keys;
    uint32_t bits; /* UINT32_MAX: there are no keys */
} curve_candidate;

typedef struct {
    curve_solver solver;
    curve_candidate candidates[CURVE_CANDIDATES];
    curve_keys best;
    uint32_t best_bits; /* size to improve on; that of `best` if it has keys */
    uint32_t least;     /* size of the cheapest sparse keys so far */
    bool out_of_memory;
} curve_search;

bool curve_search_prepare(curve_search *search, const enc_fit *fit, uint32_t packing,
                          uint32_t bits);
void curve_search_release(curve_search *search);

/* Fills `best` if it finds something cheaper. */
void curve_search_keys(curve_search *search);

#endif
