/* The coefficients of one segment: a cheap point of the grid at which all its frames hold.
 *
 * The search sees the quadratic forms alone; what it finds is checked by holds(). */
#include <math.h>
#include <string.h>

#include "transform.h"
#include "transform_segment.h"

#define BEST_MOVES 8u    /* looked at closely, of those whose slope is steepest */
#define LEAST_PAY 0.05   /* bits; less is not worth it, nor sure in floating point */
#define LEAST_GAIN 0.999 /* less is not worth a move */
#define REPAIRABLE 3.0   /* levels beyond are not worth repairs: hardly any pay */

typedef enc_transform_segment segment;

static int32_t *coefficients(const segment *s, uint32_t component)
{
    return enc_transform_coefficients(s->fitter->track, s->index, component);
}

void enc_transform_segment_measure(segment *s)
{
    const enc_transform_track *track = s->fitter->track;
    s->length = osc_transform_length(track->frame_count, s->index);
    s->components = track->components;
    s->places = s->fitter->places;
    s->forms = s->fitter->forms + (size_t)s->index * OSC_TRANSFORM_FRAMES * s->places;
    double off[OSC_TRANSFORM_FRAMES][ENC_TRANSFORM_COMPONENTS] = {{0.0}};
    for (uint32_t c = 0; c < s->components; c++) {
        const int32_t *values = coefficients(s, c);
        double start = *enc_transform_end(track, s->index, c);
        double chord = *enc_transform_end(track, s->index + 1u, c) - start;
        double step = osc_transform_step(track->step[c]);
        for (uint32_t f = 1; f < s->length; f++) {
            const int16_t *weights = osc_transform_row_weights(s->length, f);
            double sum = chord * weights[0];
            for (uint32_t i = 0; i < *enc_transform_count(track, s->index, c); i++)
                sum += (double)values[i] * weights[1u + i];
            for (uint32_t i = 0; i + 1u < s->length; i++)
                s->gain[c][i][f] = weights[1u + i] / 1024.0 * step;
            off[f][c] = (start + sum / 1024.0) * step -
                        s->fitter->values[(size_t)(s->index * OSC_TRANSFORM_FRAMES + f) *
                                              ENC_TRANSFORM_COMPONENTS +
                                          c];
        }
    }
    for (uint32_t f = 1; f < s->length; f++)
        for (uint32_t p = 0; p < s->places; p++) {
            const enc_transform_form *form = &s->forms[f * s->places + p];
            double level = form->at, *slope = s->now.slope[f][p];
            memcpy(slope, form->slope, sizeof form->slope);
            for (uint32_t d = 0; d < ENC_TRANSFORM_COMPONENTS; d++)
                for (uint32_t c = 0; c < ENC_TRANSFORM_COMPONENTS; c++)
                    slope[c] += form->bend[d][c] * off[f][d];
            for (uint32_t c = 0; c < ENC_TRANSFORM_COMPONENTS; c++)
                level += (slope[c] + form->slope[c]) * off[f][c];
            s->now.level[f][p] = level;
        }
}

/* ---- moves ---- */

typedef struct {
    uint32_t component, order;
    int32_t by;
} move;

/* Grows so fast with the worst frame that it is what matters. */
static double eighth_power(double level)
{
    double square = level * level;
    return square * square;
}

/* The levels of one frame after a move. */
static void levels_after(const segment *s, move m, uint32_t frame, double *levels)
{
    uint32_t c = m.component;
    double h = m.by * s->gain[c][m.order][frame];
    const enc_transform_form *forms = s->forms + frame * s->places;
    for (uint32_t p = 0; p < s->places; p++)
        levels[p] = s->now.level[frame][p] +
                    h * (2.0 * s->now.slope[frame][p][c] + h * forms[p].bend[c][c]);
}

/* The badness after a move; any number from `enough` on where it is more than that. */
static double badness_after(const segment *s, move m, double enough)
{
    double levels[ENC_TRANSFORM_PLACES], sum = 0.0;
    for (uint32_t f = 1; f < s->length && sum < enough; f++) {
        levels_after(s, m, f, levels);
        for (uint32_t p = 0; p < s->places; p++)
            sum += eighth_power(levels[p] * s->tight[f]);
    }
    return sum;
}

/* The largest level after a move, and what the levels cost then; any level beyond `most` where it
 * is more than that. */
static double worst_after(const segment *s, move m, double most, double *price)
{
    double levels[ENC_TRANSFORM_PLACES], worst = 0.0;
    *price = 0.0;
    for (uint32_t f = 1; f < s->length && worst <= most; f++) {
        const enc_transform_form *forms = s->forms + f * s->places;
        levels_after(s, m, f, levels);
        for (uint32_t p = 0; p < s->places; p++) {
            double level = levels[p] * s->tight[f];
            *price += levels[p] * forms[p].price;
            worst = level > worst ? level : worst;
        }
    }
    return worst;
}

static void make(segment *s, move m)
{
    uint32_t c = m.component;
    int32_t *value = &coefficients(s, c)[m.order];
    *value = osc_add(*value, m.by);
    for (uint32_t f = 1; f < s->length; f++) {
        double h = m.by * s->gain[c][m.order][f];
        const enc_transform_form *forms = s->forms + f * s->places;
        for (uint32_t p = 0; p < s->places; p++) {
            double *slope = s->now.slope[f][p];
            s->now.level[f][p] += h * (2.0 * slope[c] + h * forms[p].bend[c][c]);
            for (uint32_t d = 0; d < ENC_TRANSFORM_COMPONENTS; d++)
                slope[d] += h * forms[p].bend[c][d];
        }
    }
}

static double worst_level(const segment *s, double *badness, double *price)
{
    double worst = 0.0, sum = 0.0, cost = 0.0;
    for (uint32_t f = 1; f < s->length; f++)
        for (uint32_t p = 0; p < s->places; p++) {
            double level = s->now.level[f][p] * s->tight[f];
            worst = level > worst ? level : worst;
            sum += eighth_power(level);
            cost += s->now.level[f][p] * s->forms[f * s->places + p].price;
        }
    *badness = sum;
    *price = cost;
    return worst;
}

/* How steep each move is of the first orders[c] coefficients; their number. */
static uint32_t list_slopes(const segment *s, const uint32_t *orders, move *moves, double *sizes)
{
    double pull[ENC_TRANSFORM_COMPONENTS][OSC_TRANSFORM_FRAMES];
    uint32_t count = 0;
    for (uint32_t f = 1; f < s->length; f++) {
        double sums[ENC_TRANSFORM_COMPONENTS] = {0.0};
        for (uint32_t p = 0; p < s->places; p++) {
            double level = s->now.level[f][p] * s->tight[f];
            double cube = level * level * level * s->tight[f];
            for (uint32_t c = 0; c < ENC_TRANSFORM_COMPONENTS; c++)
                sums[c] += cube * s->now.slope[f][p][c];
        }
        for (uint32_t c = 0; c < s->components; c++)
            pull[c][f] = sums[c];
    }
    for (uint32_t c = 0; c < s->components; c++)
        for (uint32_t i = 0; i < orders[c]; i++) {
            double slope = 0.0;
            for (uint32_t f = 1; f < s->length; f++)
                slope += pull[c][f] * s->gain[c][i][f];
            sizes[count] = fabs(slope);
            moves[count++] = (move){c, i, slope > 0.0 ? -1 : 1};
        }
    return count;
}

/* The moves by one down the steepest slopes of the badness, of the first orders[c] coefficients.
 * Ranks are counted rather than sorted: no branch depends on the slopes, which are as good as
 * random. */
static uint32_t steepest(const segment *s, const uint32_t *orders, move *out)
{
    enum { MOVES = ENC_TRANSFORM_COMPONENTS * ENC_TRANSFORM_ORDERS };
    move moves[MOVES];
    double sizes[MOVES];
    uint32_t rank[MOVES] = {0}, count = list_slopes(s, orders, moves, sizes);
    for (uint32_t i = 1; i < count; i++)
        for (uint32_t j = 0; j < i; j++) {
            uint32_t before = sizes[j] >= sizes[i];
            rank[i] += before;
            rank[j] += 1u - before;
        }
    for (uint32_t i = 0; i < count; i++)
        if (rank[i] < BEST_MOVES)
            out[rank[i]] = moves[i];
    return count < BEST_MOVES ? count : BEST_MOVES;
}

/* The best of the steepest moves; its badness. */
static double best_move(const segment *s, const uint32_t *orders, move *best)
{
    move moves[BEST_MOVES];
    uint32_t count = steepest(s, orders, moves);
    double least = HUGE_VAL;
    for (uint32_t i = 0; i < count; i++) {
        double badness = badness_after(s, moves[i], least);
        if (badness < least) {
            least = badness;
            *best = moves[i];
        }
    }
    return least;
}

/* The best pair of moves where no single one helps; its badness. */
static double best_pair(segment *s, const uint32_t *orders, move best[2])
{
    move moves[BEST_MOVES];
    uint32_t count = steepest(s, orders, moves);
    double least = HUGE_VAL;
    for (uint32_t i = 0; i < count; i++) {
        enc_transform_levels kept = s->now;
        move second, back = moves[i];
        back.by = -back.by;
        make(s, moves[i]);
        double badness = best_move(s, orders, &second);
        if (badness < least) {
            least = badness;
            best[0] = moves[i];
            best[1] = second;
        }
        coefficients(s, back.component)[back.order] += back.by;
        s->now = kept;
    }
    return least;
}

/* Moves coefficients by one while that makes the worst frames better, until all hold. */
static bool repair(segment *s, const uint32_t *orders, bool pairs, uint32_t rounds)
{
    double badness, price;
    double worst = worst_level(s, &badness, &price);
    for (uint32_t round = 0; worst > 1.0; round++) {
        move best[2];
        if (round == rounds)
            return false;
        if (best_move(s, orders, best) < badness * LEAST_GAIN) {
            make(s, best[0]);
        } else if (pairs && best_pair(s, orders, best) < badness * LEAST_GAIN) {
            make(s, best[0]);
            make(s, best[1]);
        } else {
            return false;
        }
        worst = worst_level(s, &badness, &price);
    }
    return true;
}

static void recount(segment *s, uint32_t component)
{
    enc_transform_recount(s->fitter->track, s->index, component, s->length - 1u);
}

bool enc_transform_segment_repair(segment *s, uint32_t rounds)
{
    uint32_t orders[ENC_TRANSFORM_COMPONENTS];
    for (uint32_t c = 0; c < s->components; c++)
        orders[c] = s->length - 1u;
    bool holds = repair(s, orders, true, rounds);
    for (uint32_t c = 0; c < s->components; c++)
        recount(s, c);
    return holds;
}

/* ---- fewer bits ---- */

/* Something cheaper to try: a coefficient nearer to zero. */
typedef struct {
    move move;
    int32_t saved; /* bits */
} saving;

static int32_t bits_of(const segment *s, uint32_t component)
{
    return (int32_t)enc_transform_segment_bits(s->fitter->track, s->index, component,
                                               &s->fitter->codes[component]);
}

static int32_t all_bits(const segment *s)
{
    int32_t bits = 0;
    for (uint32_t c = 0; c < s->components; c++)
        bits += bits_of(s, c);
    return bits;
}

/* All moves of one coefficient of a component that save bits: to zero, and to the next shorter
 * code. Their number. */
static uint32_t list_component(const segment *s, uint32_t component, saving *out)
{
    const enc_transform_track *track = s->fitter->track;
    const int32_t *values = coefficients(s, component);
    uint32_t count = 0, orders = *enc_transform_count(track, s->index, component);
    enc_transform_bill bill;
    if (orders == 0u)
        return 0;
    enc_transform_set_bill(&bill, track, s->index, component, &s->fitter->codes[component]);
    int32_t before = bits_of(s, component);
    for (uint32_t i = 0; i < orders; i++) {
        int32_t value = values[i], size = value < 0 ? -value : value;
        if (value == 0)
            continue;
        /* the largest value of the next shorter code */
        uint32_t k = osc_transform_rice_k(bill.k_q2[i]), zigzag = enc_zigzag(value);
        int32_t shorter = (int32_t)(((zigzag >> k) << k) >> 1) - (value > 0 ? 1 : 0);
        int32_t sizes[2] = {shorter < size && shorter > 0 ? shorter : size - 1, 0};
        for (uint32_t t = 0; t < (sizes[0] != 0 ? 2u : 1u); t++) {
            int32_t other = value < 0 ? -sizes[t] : sizes[t];
            int32_t saved =
                before - (int32_t)enc_transform_billed(&bill, values, orders, i, other);
            if (saved > 0)
                out[count++] = (saving){{component, i, other - value}, saved};
        }
    }
    return count;
}

/* What list_component finds, component by component. */
typedef struct {
    saving savings[ENC_TRANSFORM_COMPONENTS][2 * ENC_TRANSFORM_ORDERS];
    uint32_t count[ENC_TRANSFORM_COMPONENTS];
} saving_lists;

static void list_all(segment *s, saving_lists *lists)
{
    for (uint32_t c = 0; c < s->components; c++)
        lists->count[c] = list_component(s, c, lists->savings[c]);
}

/* The saving that pays most; null if there is none that holds and pays. */
static const saving *best_saving(const segment *s, const saving_lists *lists)
{
    const saving *best = NULL;
    double badness, price, before, most = LEAST_PAY;
    worst_level(s, &badness, &before);
    for (uint32_t c = 0; c < s->components; c++)
        for (uint32_t i = 0; i < lists->count[c]; i++) {
            const saving *one = &lists->savings[c][i];
            if (worst_after(s, one->move, 1.0, &price) > 1.0)
                continue;
            double pays = one->saved - (price - before);
            if (pays > most) {
                most = pays;
                best = one;
            }
        }
    return best;
}

/* Takes the saving that pays most, as long as there is one. lists: of what can be saved then. */
static void save_directly(segment *s, saving_lists *lists)
{
    const saving *best;
    list_all(s, lists);
    while ((best = best_saving(s, lists)) != NULL) {
        uint32_t c = best->move.component;
        make(s, best->move);
        recount(s, c);
        lists->count[c] = list_component(s, c, lists->savings[c]);
    }
}

/* Tries one that holds only once other coefficients make up for it; whether it pays. before: what
 * the segment costs. */
static bool try_saving(segment *s, move m, double before, uint32_t rounds)
{
    enc_transform_levels kept = s->now;
    int32_t values[ENC_TRANSFORM_COMPONENTS][ENC_TRANSFORM_ORDERS];
    uint32_t orders[ENC_TRANSFORM_COMPONENTS];
    double badness, after;
    memcpy(values, coefficients(s, 0), sizeof values);
    make(s, m);
    for (uint32_t c = 0; c < s->components; c++) {
        recount(s, c);
        orders[c] = *enc_transform_count(s->fitter->track, s->index, c);
    }
    bool holds = repair(s, orders, false, rounds);
    for (uint32_t c = 0; c < s->components && holds; c++)
        recount(s, c);
    worst_level(s, &badness, &after);
    if (holds && after + all_bits(s) < before - LEAST_PAY)
        return true;
    memcpy(coefficients(s, 0), values, sizeof values);
    s->now = kept;
    for (uint32_t c = 0; c < s->components; c++)
        recount(s, c);
    return false;
}

/* Tries savings that hold only with repairs; whether one did. */
static bool save_with_repair(segment *s, const saving_lists *lists, uint32_t rounds)
{
    double badness, before, price;
    worst_level(s, &badness, &before);
    before += all_bits(s);
    for (uint32_t c = 0; c < s->components; c++)
        for (uint32_t i = 0; i < lists->count[c]; i++) {
            move m = lists->savings[c][i].move;
            double worst = worst_after(s, m, REPAIRABLE, &price);
            if (worst > 1.0 && worst <= REPAIRABLE && try_saving(s, m, before, rounds))
                return true; /* what holds as it is does not pay */
        }
    return false;
}

void enc_transform_segment_save(segment *s, uint32_t repairs)
{
    saving_lists lists;
    save_directly(s, &lists);
    while (repairs != 0u && save_with_repair(s, &lists, repairs))
        save_directly(s, &lists);
}
