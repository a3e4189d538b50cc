/* The rates of one block: which of the published ones each variable track takes, so that every
 * joint is within its limit at every frame, and the block is small. Two phases: every joint alone
 * under a chain that is exact, then all together, joint by joint. */
#ifndef ENCODER_SOLVE_RATES_SEARCH_H
#define ENCODER_SOLVE_RATES_SEARCH_H

#include "codecs/dense/block.h"
#include "solve/rates/first_order.h"

/* A variable track. */
typedef struct {
    uint32_t joint;
    enc_dense_sample *samples; /* [row] */
    enc_dense_track *coded;    /* into which the search writes */
} enc_dense_variable;

typedef struct {
    const enc_dense_model *model;
    const enc_options *options;
    const enc_dense_variable *tracks; /* joints ascending */
    uint32_t track_count;
    const enc_shift *base; /* [joint][row]: by what all other tracks move a joint */
    const double *limit;   /* [joint][row], metres */
    bool root_first;       /* the second phase goes from the roots down, else from the leaves up */
    bool thorough;         /* also tries what costs a bit here and saves more there */
} enc_dense_task;

typedef struct enc_dense_search enc_dense_search;

/* Room for a task whose blocks have up to `frames` frames. Null: no memory. */
enc_dense_search *enc_dense_search_new(const enc_dense_task *task, uint32_t frames);
void enc_dense_search_free(enc_dense_search *search);

/* Chooses the rates of the block that begins at `first`, and writes it into the tracks. False where
 * not even the finest rates keep the limits: then those are written. */
bool enc_dense_search_block(enc_dense_search *search, uint32_t first, uint32_t count);

/* Whether a track's finest keys in the block move no joint by more than `part` of its limit. */
bool enc_dense_finest_holds(enc_dense_search *search, uint32_t track, uint32_t first,
                            uint32_t count, double part);

#endif
