/* A beam search from frame to frame. The cost of a residual depends on the three values before it,
 * so that paths with the same last value differ; the two best of them are kept. */
#include "codecs/curve/path.h"

#include <stdlib.h>
#include <string.h>

#define CODED 3u     /* components */
#define AROUND 27u   /* values at most one step away in each component */
#define BEAM 16u     /* paths that continue to the next frame */
#define PER_VALUE 2u /* of these, with the same last value */
#define BIT CURVE_PATH_BIT

typedef struct {
    osc_curve_point point[CODED];
    uint32_t cost;
} path;

/* A path's last step at a frame. */
typedef struct {
    int8_t offset[CODED];
    uint8_t before; /* index of the path before it */
} path_end;

typedef struct {
    uint32_t cost;
    uint8_t around, before;
} step;

typedef struct {
    curve_points *points;
    const curve_header *header;
    const uint8_t *k;
    uint32_t move;
    curve_frame_test holds;
    const void *context;
    path paths[2][BEAM];
    uint32_t count;                 /* of paths[frame & 1] */
    path_end (*ends)[BEAM];         /* of paths[frame & 1] */
    bool fine[AROUND];              /* which neighbours of the present values hold */
    uint32_t costs[BEAM][CODED][3]; /* of the next residual, by path, component and offset */
} beam;

static void offsets_of(uint32_t around, int8_t offset[CODED])
{
    offset[0] = (int8_t)(around % 3u) - 1;
    offset[1] = (int8_t)(around / 3u % 3u) - 1;
    offset[2] = (int8_t)(around / 9u) - 1;
}

static void test_around(beam *b, uint32_t frame)
{
    int32_t *value = b->points->value[frame], present[CODED];
    memcpy(present, value, sizeof present);
    for (uint32_t n = 0; n < AROUND; n++) {
        int8_t offset[CODED];
        bool moves = true;
        offsets_of(n, offset);
        for (uint32_t c = 0; c < CODED; c++) {
            value[c] = osc_add(present[c], offset[c]);
            /* a component without residuals cannot change */
            moves = moves && (offset[c] == 0 || b->header->rice[c] != OSC_RICE_ZERO);
        }
        b->fine[n] = n == AROUND / 2u || (moves && b->holds(b->context, frame));
    }
    memcpy(value, present, sizeof present);
}

/* The price of a residual without the steps in the length of its code, so that smaller residuals
 * are always better. */
static uint32_t price_of(uint32_t zigzag, uint32_t k)
{
    uint32_t most = OSC_RICE_ESCAPE << k;
    return BIT * (k + 1u) + (zigzag < most ? zigzag * BIT >> k : OSC_RICE_ESCAPE * BIT);
}

static void price(beam *b, uint32_t frame)
{
    bool plain = curve_points_in_block(b->points, frame) == 0u;
    for (uint32_t p = 0; p < b->count; p++)
        for (uint32_t c = 0; c < CODED; c++) {
            const osc_curve_point *point = &b->paths[(frame & 1u) ^ 1u][p].point[c];
            int32_t guess = osc_curve_guess(point, b->header->predictor[c]);
            for (int32_t i = 0; i < 3; i++) {
                uint32_t zigzag =
                    enc_zigzag(osc_sub(osc_add(b->points->value[frame][c], i - 1), guess));
                uint32_t cost = 0;
                if (!plain && b->header->rice[c] != OSC_RICE_ZERO)
                    cost = price_of(zigzag, b->k[(size_t)c * b->points->frame_count + frame]);
                if (i != 1)
                    cost += b->move;
                b->costs[p][c][i] = cost;
            }
        }
}

/* Inserts a step among the best ones. */
static void keep(step *steps, uint32_t *count, uint32_t most, step one)
{
    uint32_t at = *count;
    while (at > 0u && one.cost < steps[at - 1u].cost)
        at--;
    if (at == most)
        return;
    if (*count < most)
        ++*count;
    memmove(&steps[at + 1u], &steps[at], (*count - 1u - at) * sizeof *steps);
    steps[at] = one;
}

static uint32_t best_steps(const beam *b, uint32_t frame, step *best)
{
    const path *paths = b->paths[(frame & 1u) ^ 1u];
    uint32_t count = 0;
    for (uint32_t n = 0; n < AROUND; n++) {
        step own[PER_VALUE];
        uint32_t own_count = 0;
        if (!b->fine[n])
            continue;
        for (uint32_t p = 0; p < b->count; p++) {
            uint32_t cost = paths[p].cost + b->costs[p][0][n % 3u] + b->costs[p][1][n / 3u % 3u] +
                            b->costs[p][2][n / 9u];
            keep(own, &own_count, PER_VALUE, (step){cost, (uint8_t)n, (uint8_t)p});
        }
        for (uint32_t i = 0; i < own_count; i++)
            keep(best, &count, BEAM, own[i]);
    }
    return count;
}

static void go_on(beam *b, uint32_t frame)
{
    const path *from = b->paths[(frame & 1u) ^ 1u];
    path *to = b->paths[frame & 1u];
    step steps[BEAM];
    uint32_t count, in_block = curve_points_in_block(b->points, frame);
    test_around(b, frame);
    price(b, frame);
    count = best_steps(b, frame, steps);
    for (uint32_t i = 0; i < count; i++) {
        path_end *end = &b->ends[frame][i];
        to[i] = from[steps[i].before];
        to[i].cost = steps[i].cost - steps[0].cost;
        end->before = steps[i].before;
        offsets_of(steps[i].around, end->offset);
        for (uint32_t c = 0; c < CODED; c++) {
            int32_t value = osc_add(b->points->value[frame][c], end->offset[c]);
            if (in_block == 0u)
                to[i].point[c] = (osc_curve_point){value, 0, 0};
            else
                osc_curve_follow(&to[i].point[c], value, in_block == 1u);
        }
    }
    b->count = count;
}

static void take_best(beam *b)
{
    uint32_t at = 0;
    for (uint32_t f = b->points->frame_count; f-- > 0u;) {
        const path_end *end = &b->ends[f][at];
        for (uint32_t c = 0; c < CODED; c++)
            b->points->value[f][c] = osc_add(b->points->value[f][c], end->offset[c]);
        at = end->before;
    }
}

bool curve_path_find(curve_points *points, const curve_header *header, const uint8_t *k,
                     uint32_t move, curve_frame_test holds, const void *context)
{
    uint32_t frames = points->frame_count;
    beam *b = calloc(1, sizeof *b);
    if (b == NULL)
        return false;
    *b = (beam){.points = points,
                .header = header,
                .k = k,
                .move = move,
                .holds = holds,
                .context = context};
    b->ends = malloc(frames * sizeof *b->ends);
    bool ready = b->ends != NULL;
    if (ready) {
        b->count = 1; /* one empty path; the first frame is plain */
        for (uint32_t f = 0; f < frames; f++)
            go_on(b, f);
        take_best(b);
    }
    free(b->ends);
    free(b);
    return ready;
}
