/* Chooses the frames of a block that have keys. */
#include <string.h>

#include "base/quantise.h"
#include "ossicle.h"
#include "published/sparse/codec.h"

#define LEAST_ERROR 1e-30 /* error of a row that does not hold, at least */
#define LONGEST 256u      /* most frames of a growing section; longer ones save next to nothing */

enum { UNKNOWN, GOOD, BAD };

/* Computes the key of a frame. Returns whether it holds. */
static bool key_holds(enc_sparse_work *work, uint32_t frame)
{
    const enc_fit *fit = work->fit;
    const enc_key_format *format = &work->track->format;
    uint32_t components = enc_components(fit->kind);
    enc_sparse_key *key = &work->made[frame];
    if (work->known[frame] == UNKNOWN) {
        key->frame = frame;
        enc_key_make(format, fit->target + (size_t)frame * components, &key->key, key->row);
        for (uint32_t i = 0; i < components && format->coding == OSC_KEY_FLOAT; i++)
            key->value[i] = osc_key_float(key->key.words[i]);
        work->known[frame] = fit->holds(fit->context, frame, key->row) ? GOOD : BAD;
    }
    return work->known[frame] == GOOD;
}

static double distance2(const enc_sparse_work *work, uint32_t frame)
{
    uint32_t components = enc_components(work->track->kind);
    const int32_t *row = work->track->rows + (size_t)frame * components;
    const double *target = work->fit->target + (size_t)frame * components;
    double plus = 0.0, minus = 0.0;
    for (uint32_t i = 0; i < components; i++) {
        double value = row[i] / (double)OSC_ONE_Q20;
        plus += (value - target[i]) * (value - target[i]);
        minus += (value + target[i]) * (value + target[i]);
    }
    return components == 4u && minus < plus ? minus : plus;
}

static bool holds_at(const enc_sparse_work *work, uint32_t frame)
{
    const int32_t *row = work->track->rows + (size_t)frame * enc_components(work->track->kind);
    return work->fit->holds(work->fit->context, frame, row);
}

/* Returns whether the rows before and at a frame can blend, or need not. */
static bool blends_at(const enc_sparse_work *work, uint32_t frame)
{
    uint32_t components = enc_components(work->track->kind);
    const int32_t *row = work->track->rows + (size_t)(frame - 1u) * components;
    return work->fit->scheme->fixed != 0u ||
           enc_steps_blend(row, components, 2u, work->fit->breaks + frame - 1u);
}

static bool is_hermite(const enc_sparse_work *work)
{
    return work->track->basis == OSC_SPARSE_HERMITE;
}

/* Computes the rows of section i in work->at. */
static void play_section(enc_sparse_work *work, uint32_t i)
{
    uint32_t from = work->at[i], to = work->at[i + 1u];
    uint32_t before = i > 0u ? work->at[i - 1u] : from;
    uint32_t after = i + 2u < work->count ? work->at[i + 2u] : to;
    if (is_hermite(work))
        enc_sparse_fit_tangents(work, from, to);
    enc_sparse_play(work, before, from, to, after);
}

/* The largest error of the rows in a section that do not hold; 0 if all hold. */
static double section_error(enc_sparse_work *work, uint32_t i)
{
    uint32_t from = work->at[i], to = work->at[i + 1u];
    double worst = 0.0;
    play_section(work, i);
    for (uint32_t f = from + 1u; f <= to && to - from > 1u; f++)
        if ((f < to && !holds_at(work, f)) || !blends_at(work, f)) {
            double error = distance2(work, f) + LEAST_ERROR;
            worst = error > worst ? error : worst;
        }
    return worst;
}

static void play_all(enc_sparse_work *work)
{
    if (work->count == 1u)
        enc_sparse_play(work, work->first, work->first, work->first, work->first);
    for (uint32_t i = 0; i + 1u < work->count; i++)
        play_section(work, i);
}

/* Places keys at the block's ends and at jumps. Hermite sections end in a value of their own at
 * jumps; all other bases need a key on either side. */
static bool put_first_keys(enc_sparse_work *work)
{
    bool hold = true;
    work->count = 0;
    for (uint32_t f = work->first; f <= work->end; f++) {
        bool jumps = f > work->first && work->fit->breaks[f] != 0;
        bool jumps_next = !is_hermite(work) && f < work->end && work->fit->breaks[f + 1u] != 0;
        if (f == work->first || f == work->end || jumps || jumps_next) {
            work->at[work->count++] = f;
            hold = hold && key_holds(work, f);
        }
    }
    return hold;
}

static void measure(enc_sparse_work *work, uint32_t first, uint32_t last)
{
    for (uint32_t i = first; i <= last && i + 1u < work->count; i++)
        work->error[i] = section_error(work, i);
}

/* Inserts keys in the middle of the worst section until all rows hold. Returns false if a key does
 * not hold. */
static bool insert_keys(enc_sparse_work *work)
{
    if (!put_first_keys(work))
        return false;
    measure(work, 0, work->count);
    for (;;) {
        uint32_t worst = 0;
        for (uint32_t i = 1; i + 1u < work->count; i++)
            if (work->error[i] > work->error[worst])
                worst = i;
        if (work->count < 2u || work->error[worst] == 0.0)
            return true;
        size_t after = work->count - worst - 1u;
        memmove(&work->at[worst + 2u], &work->at[worst + 1u], after * sizeof *work->at);
        memmove(&work->error[worst + 1u], &work->error[worst], after * sizeof *work->error);
        work->at[worst + 1u] = (work->at[worst] + work->at[worst + 2u]) / 2u;
        work->count++;
        if (!key_holds(work, work->at[worst + 1u]))
            return false;
        measure(work, worst > 0u ? worst - 1u : 0u, worst + 2u);
    }
}

/* Returns whether one section from the last key of work->at to frame `to` reproduces all rows
 * between. Not for bases whose sections depend on the surrounding keys. */
static bool reaches(enc_sparse_work *work, uint32_t to)
{
    uint32_t from = work->at[work->count - 1u];
    (void)key_holds(work, to);
    if (is_hermite(work))
        enc_sparse_fit_tangents(work, from, to);
    enc_sparse_play(work, from, from, to, to);
    for (uint32_t f = from + 1u; f <= to; f++)
        if ((f < to && !holds_at(work, f)) || !blends_at(work, f))
            return false;
    return true;
}

/* The frame at which the section that begins at the last key of work->at must end. */
static uint32_t farthest(const enc_sparse_work *work)
{
    uint32_t from = work->at[work->count - 1u], to = from + 1u;
    while (to < work->end && to - from < LONGEST &&
           !(is_hermite(work) && work->fit->breaks[to] != 0))
        to++;
    return to;
}

/* Removes keys one after another while the remaining ones reproduce all rows. */
static uint32_t grow_by_one(enc_sparse_work *work)
{
    uint32_t from = work->at[work->count - 1u], last = farthest(work), to = from + 1u;
    for (uint32_t next = to + 1u; next <= last && reaches(work, next); next++)
        if (key_holds(work, next))
            to = next;
    return to;
}

/* Grows sections in large steps, because fitting tangents takes time. */
static uint32_t grow_by_leaps(enc_sparse_work *work)
{
    uint32_t from = work->at[work->count - 1u], last = farthest(work), good = 1, bad;
    while (from + 2u * good <= last && reaches(work, from + 2u * good))
        good *= 2u;
    bad = 2u * good <= last - from ? 2u * good : last - from + 1u;
    while (bad - good > 1u) {
        uint32_t middle = (good + bad) / 2u;
        if (reaches(work, from + middle))
            good = middle;
        else
            bad = middle;
    }
    return from + good;
}

static bool remove_keys(enc_sparse_work *work)
{
    uint32_t to = work->first;
    for (work->count = 0; key_holds(work, to);) {
        work->at[work->count++] = to;
        if (to == work->end) {
            play_all(work);
            return true;
        }
        to = is_hermite(work) ? grow_by_leaps(work) : grow_by_one(work);
    }
    return false;
}

static bool keep_keys(enc_sparse_work *work)
{
    uint32_t period = work->fit->scheme->period;
    bool hold = true;
    if (period == 0u || work->track->basis == OSC_SPARSE_EVERY)
        period = 1;
    work->count = 0;
    for (uint32_t f = work->first; f < work->end && hold; f += period) {
        work->at[work->count++] = f;
        hold = key_holds(work, f);
    }
    work->at[work->count++] = work->end;
    hold = hold && key_holds(work, work->end);
    if (hold)
        play_all(work);
    return hold;
}

static bool all_hold(const enc_sparse_work *work)
{
    for (uint32_t f = work->first; f <= work->end; f++)
        if (!holds_at(work, f))
            return false;
    return true;
}

bool enc_sparse_fit_block(enc_sparse_work *work)
{
    uint32_t reduction = work->fit->scheme->reduction;
    bool hold;
    if (reduction == ENC_REDUCE_NONE || work->track->basis == OSC_SPARSE_EVERY ||
        work->first == work->end)
        hold = keep_keys(work);
    else if (reduction == ENC_REDUCE_REMOVE && !osc_sparse_looks_ahead(work->track->basis))
        hold = remove_keys(work);
    else
        hold = insert_keys(work);
    return hold && all_hold(work);
}
