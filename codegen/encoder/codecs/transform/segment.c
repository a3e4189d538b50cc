/* Searches the coefficients of one segment: a cheap grid point at which all its frames hold.
 *
 * The search uses the quadratic forms only; holds() checks its result. */
#include "codecs/transform/segment.h"

#include <math.h>
#include <string.h>

#include "codecs/transform/code.h"

#define BEST_MOVES 8u    /* examined closely, those with the steepest slopes */
#define LEAST_PAY 0.05   /* bits; smaller gains are not certain in floating point */
#define LEAST_GAIN 0.999 /* factor of the badness from which a change is worthwhile */
#define TRIM_BITS 3.0    /* approximate saving from removing a coefficient of one */
#define REPAIRS 3u       /* most changes that compensate for one that saves bits */
#define REPAIRABLE 3.0   /* levels above are not repaired, because that hardly ever pays */

typedef enc_transform_segment segment;

static int32_t *coefficients(const segment *s, uint32_t component)
{
    return enc_transform_coefficients(s->fitter->track, s->index, component);
}

/* Computes the deviations of the coded components at inner frames, Q20, and how coefficients change
 * them. */
static void measure_component(segment *s, uint32_t c, double *off)
{
    const enc_transform_track *track = s->fitter->track;
    const enc_transform_basis *basis = enc_transform_basis_of(s->fitter, s->index);
    const double *wanted =
        s->fitter->values + (size_t)s->index * OSC_TRANSFORM_FRAMES * ENC_TRANSFORM_COMPONENTS + c;
    const int32_t *values = coefficients(s, c);
    double start = *enc_transform_end(track, s->index, c), sum[OSC_TRANSFORM_FRAMES];
    double chord = *enc_transform_end(track, s->index + 1u, c) - start;
    double step = osc_transform_step(track->step[c]);
    for (uint32_t f = 0; f < OSC_TRANSFORM_FRAMES; f++)
        sum[f] = chord * basis->chord[f];
    for (uint32_t i = 0; i < *enc_transform_count(track, s->index, c); i++)
        for (uint32_t f = 0; f < OSC_TRANSFORM_FRAMES; f++)
            sum[f] += values[i] * basis->at[i][f];
    for (uint32_t f = 0; f < OSC_TRANSFORM_FRAMES; f++)
        off[f] = f > 0u && f < s->length
                     ? (start + sum[f] / 1024.0) * step - wanted[f * ENC_TRANSFORM_COMPONENTS]
                     : 0.0;
    for (uint32_t i = 0; i < ENC_TRANSFORM_ORDERS; i++)
        for (uint32_t f = 0; f < OSC_TRANSFORM_FRAMES; f++)
            s->gain[c][i][f] = basis->at[i][f] / 1024.0 * step;
    for (uint32_t f = 0; f < OSC_TRANSFORM_FRAMES; f++)
        for (uint32_t i = 0; i < OSC_TRANSFORM_FRAMES; i++)
            s->gain_of[c][f][i] = basis->of[f][i] / 1024.0 * step;
}

/* Loads the quadratics of a point: its levels and slopes without deviations. */
static void take_quadratics(segment *s, uint32_t p)
{
    static const enc_transform_quadratic none;
    const enc_transform_quadratic *quadratics =
        s->fitter->quadratics + (size_t)s->index * OSC_TRANSFORM_FRAMES * s->points + p;
    const enc_transform_quadratic *quadratic[OSC_TRANSFORM_FRAMES];
    for (uint32_t f = 0; f < OSC_TRANSFORM_FRAMES; f++)
        quadratic[f] = f > 0u && f < s->length ? &quadratics[f * s->points] : &none;
    for (uint32_t f = 0; f < OSC_TRANSFORM_FRAMES; f++) {
        s->now.level[p][f] = quadratic[f]->at;
        s->price[p][f] = quadratic[f]->price;
    }
    for (uint32_t c = 0; c < s->components; c++) {
        for (uint32_t f = 0; f < OSC_TRANSFORM_FRAMES; f++)
            s->now.slope[c][p][f] = quadratic[f]->slope[c];
        for (uint32_t d = 0; d < s->components; d++)
            for (uint32_t f = 0; f < OSC_TRANSFORM_FRAMES; f++)
                s->bend[c][d][p][f] = quadratic[f]->bend[c][d];
    }
}

void enc_transform_segment_measure(segment *s)
{
    const enc_transform_track *track = s->fitter->track;
    double off[ENC_TRANSFORM_COMPONENTS][OSC_TRANSFORM_FRAMES];
    s->length = osc_transform_length(track->frame_count, s->index);
    s->components = track->components;
    s->points = s->fitter->points;
    for (uint32_t c = 0; c < s->components; c++)
        measure_component(s, c, off[c]);
    for (uint32_t p = 0; p < s->points; p++) {
        double *level = s->now.level[p];
        take_quadratics(s, p);
        for (uint32_t c = 0; c < s->components; c++) {
            double *slope = s->now.slope[c][p], more[OSC_TRANSFORM_FRAMES] = {0.0};
            for (uint32_t d = 0; d < s->components; d++)
                for (uint32_t f = 0; f < OSC_TRANSFORM_FRAMES; f++)
                    more[f] += s->bend[c][d][p][f] * off[d][f];
            for (uint32_t f = 0; f < OSC_TRANSFORM_FRAMES; f++) {
                level[f] += (2.0 * slope[f] + more[f]) * off[c][f];
                slope[f] += more[f];
            }
        }
    }
}

/* ---- moves ---- */

typedef struct {
    uint32_t component, order;
    int32_t by;
} move;

/* The eighth power of a level, which grows so fast that the worst frame dominates. */
static double eighth_power(double level)
{
    double square = level * level;
    return square * square;
}

/* Computes the levels of a point after a move. h: the change that the move causes. */
static void levels_after(const segment *s, uint32_t component, uint32_t point, const double *h,
                         double *levels)
{
    const double *level = s->now.level[point], *slope = s->now.slope[component][point];
    const double *bend = s->bend[component][component][point];
    for (uint32_t f = 0; f < OSC_TRANSFORM_FRAMES; f++)
        levels[f] = level[f] + h[f] * (2.0 * slope[f] + h[f] * bend[f]);
}

/* Computes how a move changes the coded component, Q20. */
static void list_changes(const segment *s, move m, double *h)
{
    for (uint32_t f = 0; f < OSC_TRANSFORM_FRAMES; f++)
        h[f] = m.by * s->gain[m.component][m.order][f];
}

static double add_up(const double *parts)
{
    return ((parts[0] + parts[4]) + (parts[1] + parts[5])) +
           ((parts[2] + parts[6]) + (parts[3] + parts[7]));
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static double largest(const double *parts)
{
    return larger(larger(larger(parts[0], parts[4]), larger(parts[1], parts[5])),
                  larger(larger(parts[2], parts[6]), larger(parts[3], parts[7])));
}

/* The badness after a move. */
static double badness_after(const segment *s, move m)
{
    double h[OSC_TRANSFORM_FRAMES], levels[OSC_TRANSFORM_FRAMES], sum[OSC_TRANSFORM_FRAMES] = {0.0};
    list_changes(s, m, h);
    for (uint32_t p = 0; p < s->points; p++) {
        levels_after(s, m.component, p, h, levels);
        for (uint32_t f = 0; f < OSC_TRANSFORM_FRAMES; f++)
            sum[f] += eighth_power(levels[f] * s->tight[f]);
    }
    return add_up(sum);
}

/* The largest level after a move, and the price of all levels; any level above `most` if it is
 * larger than that. */
static double worst_after(const segment *s, move m, double most, double *price)
{
    double h[OSC_TRANSFORM_FRAMES], levels[OSC_TRANSFORM_FRAMES];
    double worst[OSC_TRANSFORM_FRAMES] = {0.0}, cost[OSC_TRANSFORM_FRAMES] = {0.0};
    list_changes(s, m, h);
    for (uint32_t p = 0; p < s->points && largest(worst) <= most; p++) {
        levels_after(s, m.component, p, h, levels);
        for (uint32_t f = 0; f < OSC_TRANSFORM_FRAMES; f++) {
            worst[f] = larger(worst[f], levels[f] * s->tight[f]);
            cost[f] += levels[f] * s->price[p][f];
        }
    }
    *price = add_up(cost);
    return largest(worst);
}

/* The present largest level, and the badness. */
static double worst_level(const segment *s, double *badness)
{
    double worst[OSC_TRANSFORM_FRAMES] = {0.0}, sum[OSC_TRANSFORM_FRAMES] = {0.0};
    for (uint32_t p = 0; p < s->points; p++)
        for (uint32_t f = 0; f < OSC_TRANSFORM_FRAMES; f++) {
            double level = s->now.level[p][f] * s->tight[f];
            worst[f] = larger(worst[f], level);
            sum[f] += eighth_power(level);
        }
    *badness = add_up(sum);
    return largest(worst);
}

/* The price of the present levels. */
static double price_now(const segment *s)
{
    double cost[OSC_TRANSFORM_FRAMES] = {0.0};
    for (uint32_t p = 0; p < s->points; p++)
        for (uint32_t f = 0; f < OSC_TRANSFORM_FRAMES; f++)
            cost[f] += s->now.level[p][f] * s->price[p][f];
    return add_up(cost);
}

/* Copies the levels and slopes of the segment's points and components. */
static void copy_levels(const segment *s, enc_transform_levels *to,
                        const enc_transform_levels *from)
{
    memcpy(to->level, from->level, s->points * sizeof from->level[0]);
    for (uint32_t c = 0; c < s->components; c++)
        memcpy(to->slope[c], from->slope[c], s->points * sizeof from->slope[c][0]);
}

static void make(segment *s, move m)
{
    uint32_t c = m.component;
    int32_t *value = &coefficients(s, c)[m.order];
    double h[OSC_TRANSFORM_FRAMES], levels[OSC_TRANSFORM_FRAMES];
    *value = osc_add(*value, m.by);
    list_changes(s, m, h);
    for (uint32_t p = 0; p < s->points; p++) {
        levels_after(s, c, p, h, levels);
        memcpy(s->now.level[p], levels, sizeof levels);
        for (uint32_t d = 0; d < s->components; d++)
            for (uint32_t f = 0; f < OSC_TRANSFORM_FRAMES; f++)
                s->now.slope[d][p][f] += h[f] * s->bend[c][d][p][f];
    }
}

/* Lists the slopes of all moves of the first orders[c] coefficients. Returns their number. */
static uint32_t list_slopes(const segment *s, const uint32_t *orders, move *moves, double *sizes)
{
    double gradient[ENC_TRANSFORM_COMPONENTS][OSC_TRANSFORM_FRAMES] = {{0.0}};
    uint32_t count = 0;
    for (uint32_t p = 0; p < s->points; p++) {
        double cube[OSC_TRANSFORM_FRAMES];
        for (uint32_t f = 0; f < OSC_TRANSFORM_FRAMES; f++) {
            double level = s->now.level[p][f] * s->tight[f];
            cube[f] = level * level * level * s->tight[f];
        }
        for (uint32_t c = 0; c < s->components; c++)
            for (uint32_t f = 0; f < OSC_TRANSFORM_FRAMES; f++)
                gradient[c][f] += cube[f] * s->now.slope[c][p][f];
    }
    for (uint32_t c = 0; c < s->components; c++) {
        double slope[OSC_TRANSFORM_FRAMES] = {0.0};
        for (uint32_t f = 1; f < OSC_TRANSFORM_FRAMES; f++)
            for (uint32_t i = 0; i < OSC_TRANSFORM_FRAMES; i++)
                slope[i] += gradient[c][f] * s->gain_of[c][f][i];
        for (uint32_t i = 0; i < orders[c]; i++) {
            sizes[count] = fabs(slope[i]);
            moves[count] = (move){c, i, sizes[count] == -slope[i] ? 1 : -1}; /* downhill */
            count++;
        }
    }
    return count;
}

/* Maps a size to a unique integer that grows with it; for equal sizes, earlier moves are larger. */
static uint64_t key_of(double size, uint32_t index)
{
    uint64_t bits;
    memcpy(&bits, &size, sizeof bits);
    return (bits & ~(uint64_t)31u) | (31u - index);
}

/* Finds the moves by one along the steepest slopes of the badness, of the first orders[c]
 * coefficients. It counts ranks instead of sorting, because branches on the slopes would be
 * unpredictable. */
static uint32_t steepest(const segment *s, const uint32_t *orders, move *out)
{
    enum { MOVES = ENC_TRANSFORM_COMPONENTS * ENC_TRANSFORM_ORDERS };
    move moves[MOVES];
    double sizes[MOVES];
    uint64_t keys[MOVES];
    uint32_t count = list_slopes(s, orders, moves, sizes);
    if (count <= BEST_MOVES) {
        memcpy(out, moves, count * sizeof *out);
        return count;
    }
    for (uint32_t i = 0; i < count; i++)
        keys[i] = key_of(sizes[i], i);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t larger_ones = 0;
        for (uint32_t j = 0; j < count; j++)
            larger_ones += (keys[i] - keys[j]) >> 63; /* keys are below 2^63 */
        if (larger_ones < BEST_MOVES)
            out[larger_ones] = moves[i];
    }
    return BEST_MOVES;
}

/* Finds the best of the steepest moves. Returns its badness. */
static double best_move(const segment *s, const uint32_t *orders, move *best)
{
    move moves[BEST_MOVES];
    uint32_t count = steepest(s, orders, moves);
    double least = HUGE_VAL;
    for (uint32_t i = 0; i < count; i++) {
        double badness = badness_after(s, moves[i]);
        if (badness < least) {
            least = badness;
            *best = moves[i];
        }
    }
    return least;
}

/* Finds the best pair of moves if no single one helps. Returns its badness. */
static double best_pair(segment *s, const uint32_t *orders, move best[2])
{
    move moves[BEST_MOVES];
    uint32_t count = steepest(s, orders, moves);
    double least = HUGE_VAL;
    for (uint32_t i = 0; i < count; i++) {
        enc_transform_levels kept;
        move second, back = moves[i];
        copy_levels(s, &kept, &s->now);
        back.by = -back.by;
        make(s, moves[i]);
        double badness = best_move(s, orders, &second);
        if (badness < least) {
            least = badness;
            best[0] = moves[i];
            best[1] = second;
        }
        coefficients(s, back.component)[back.order] += back.by;
        copy_levels(s, &s->now, &kept);
    }
    return least;
}

/* Changes coefficients by one while that improves the worst frames, until all hold. */
static bool repair(segment *s, const uint32_t *orders, bool pairs, uint32_t rounds)
{
    double badness, worst = worst_level(s, &badness);
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
        worst = worst_level(s, &badness);
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

/* ---- saving bits ---- */

/* A change that saves bits: a coefficient closer to zero. */
typedef struct {
    move move;
    int32_t saved; /* bits */
} saving;

static int32_t all_bits(const segment *s)
{
    const enc_transform_fitter *fitter = s->fitter;
    uint32_t bits = 0;
    for (uint32_t c = 0; c < s->components; c++)
        bits += enc_transform_segment_bits(fitter->track, s->index, c, &fitter->codes[c]);
    return (int32_t)bits;
}

/* The savings of each component, and the bits of its coefficients. */
typedef struct {
    saving savings[ENC_TRANSFORM_COMPONENTS][2 * ENC_TRANSFORM_ORDERS];
    uint32_t count[ENC_TRANSFORM_COMPONENTS];
    int32_t bits[ENC_TRANSFORM_COMPONENTS];
} saving_lists;

/* Lists all changes of one coefficient of a component that save bits: to zero, and to the next
 * shorter code. */
static void list_component(const segment *s, uint32_t component, saving_lists *lists)
{
    const enc_transform_track *track = s->fitter->track;
    const int32_t *values = coefficients(s, component);
    uint32_t count = 0, orders = *enc_transform_count(track, s->index, component);
    saving *out = lists->savings[component];
    enc_transform_bill bill;
    enc_transform_set_bill(&bill, track, s->index, component, &s->fitter->codes[component]);
    int32_t before = (int32_t)enc_transform_billed(&bill, values, orders, 0, values[0]);
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
            int32_t saved = before - (int32_t)enc_transform_billed(&bill, values, orders, i, other);
            if (saved > 0)
                out[count++] = (saving){{component, i, other - value}, saved};
        }
    }
    lists->count[component] = count;
    lists->bits[component] = before;
}

/* The saving that pays most; null if none both holds and pays. */
static const saving *best_saving(const segment *s, const saving_lists *lists)
{
    const saving *best = NULL;
    double price, before = price_now(s), most = LEAST_PAY;
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

/* Applies savings that pay, the best first, while there are any. lists: receives what can be saved
 * afterwards. */
static void save_directly(segment *s, saving_lists *lists)
{
    const saving *best;
    for (uint32_t c = 0; c < s->components; c++)
        list_component(s, c, lists);
    while ((best = best_saving(s, lists)) != NULL) {
        uint32_t c = best->move.component;
        make(s, best->move);
        recount(s, c);
        list_component(s, c, lists);
    }
}

/* Tries a saving that holds only if other coefficients compensate. before: present cost of the
 * segment. Returns whether it pays. */
static bool try_saving(segment *s, move m, double before, uint32_t rounds)
{
    enc_transform_levels kept;
    int32_t values[ENC_TRANSFORM_COMPONENTS][ENC_TRANSFORM_ORDERS];
    uint32_t orders[ENC_TRANSFORM_COMPONENTS];
    memcpy(values, coefficients(s, 0), sizeof values);
    copy_levels(s, &kept, &s->now);
    make(s, m);
    for (uint32_t c = 0; c < s->components; c++) {
        recount(s, c);
        orders[c] = *enc_transform_count(s->fitter->track, s->index, c);
    }
    bool holds = repair(s, orders, false, rounds);
    for (uint32_t c = 0; c < s->components && holds; c++)
        recount(s, c);
    if (holds && price_now(s) + all_bits(s) < before - LEAST_PAY)
        return true;
    memcpy(coefficients(s, 0), values, sizeof values);
    copy_levels(s, &s->now, &kept);
    for (uint32_t c = 0; c < s->components; c++)
        recount(s, c);
    return false;
}

/* Tries savings that hold only with repairs, once no other saving pays. Returns whether one did. */
static bool save_with_repair(segment *s, const saving_lists *lists, uint32_t rounds)
{
    double before = price_now(s), price;
    int32_t bits = 0;
    for (uint32_t c = 0; c < s->components; c++)
        bits += lists->bits[c];
    before += bits;
    for (uint32_t c = 0; c < s->components; c++)
        for (uint32_t i = 0; i < lists->count[c]; i++) {
            move m = lists->savings[c][i].move;
            double worst = worst_after(s, m, REPAIRABLE, &price);
            if (worst > 1.0 && worst <= REPAIRABLE && try_saving(s, m, before, rounds))
                return true;
        }
    return false;
}

void enc_transform_segment_save(segment *s)
{
    saving_lists lists;
    save_directly(s, &lists);
    while (save_with_repair(s, &lists, REPAIRS))
        save_directly(s, &lists);
}

void enc_transform_segment_trim(segment *s)
{
    double before = price_now(s), price;
    for (uint32_t c = 0; c < s->components; c++) {
        const int32_t *values = coefficients(s, c);
        for (uint32_t i = *enc_transform_count(s->fitter->track, s->index, c); i-- > 0u;) {
            move gone = {c, i, -values[i]};
            if (gone.by != 1 && gone.by != -1)
                continue;
            if (worst_after(s, gone, 1.0, &price) > 1.0 || price - before > TRIM_BITS)
                continue;
            make(s, gone);
            before = price;
        }
        recount(s, c);
    }
}
