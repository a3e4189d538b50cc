/* Searches the rates of one block: which of the published rates each variable track takes, so that
 * every joint is within its limit at every frame and the block is small. It has two phases: first
 * every joint alone, in an otherwise exact chain; then all joints together, one after another. */
#ifndef ENCODER_PUBLISHED_RATES_SEARCH_H
#define ENCODER_PUBLISHED_RATES_SEARCH_H

#include "published/dense/block.h"
#include "published/rates/first_order.h"

/* A track with variable rates. */
typedef struct {
    uint32_t joint;
    enc_dense_sample *samples; /* [row] */
    enc_dense_track *coded;    /* receives the coding */
} enc_dense_variable;

typedef struct {
    const enc_dense_model *model;
    const enc_options *options;
    const enc_dense_variable *tracks; /* [track_count], by ascending joints */
    uint32_t track_count;
    const enc_shift *base; /* [joint][row]: shift by all other tracks */
    const double *limit;   /* [joint][row], metres */
    bool root_first; /* whether the second phase goes from the roots down or from the leaves up */
    bool thorough;   /* also tries changes that cost a bit here and save more elsewhere */
} enc_dense_task;

typedef struct enc_dense_search enc_dense_search;

/* Creates a search for blocks of up to `frames` frames; null without memory. */
enc_dense_search *enc_dense_search_new(const enc_dense_task *task, uint32_t frames);
void enc_dense_search_free(enc_dense_search *search);

/* Chooses the rates of the block that begins at `first`, and writes it into the tracks. Returns
 * false if even the finest rates, which are then written, do not keep the limits. */
bool enc_dense_search_block(enc_dense_search *search, uint32_t first, uint32_t count);

/* Returns whether a track's finest keys in the block move no joint by more than `part` of its
 * limit. */
bool enc_dense_finest_holds(enc_dense_search *search, uint32_t track, uint32_t first,
                            uint32_t count, double part);

#endif
