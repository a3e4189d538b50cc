#include "codecs/curve/points.h"

#include <stdlib.h>
#include <string.h>

#include "arithmetic/osc_quaternion.h"
#include "bank/osc_internal.h"
#include "base/quantise.h"

#define PREDICTORS 4u
#define RICES_AROUND 1u /* parameters on either side of the likely one to try */
#define LARGEST_RICE (OSC_RICE_ZERO - 1u)
#define STEP_WIDTH 29u

/* The cheapest coding of a component. */
typedef struct {
    uint32_t predictor, rice; /* rice: at the start of every block */
    uint64_t bits;
} curve_point_code;

static void scale_values(const curve_points *points, uint32_t frame, int32_t *values)
{
    for (uint32_t c = 0; c < points->components; c++)
        values[c] = osc_mul(points->value[frame][c], curve_points_step(points, c));
}

void curve_points_row(const curve_points *points, uint32_t frame, int32_t *row)
{
    int32_t values[CURVE_MAX_COMPONENTS];
    bool four = points->packing == OSC_CURVE_FOUR;
    points->dropped[frame] = OSC_CURVE_NONE;
    if (!four || curve_points_in_block(points, frame) == 0u) {
        scale_values(points, frame, values);
        osc_curve_finish(row, values, points->packing);
        return;
    }
    scale_values(points, frame - 1u, values);
    uint32_t dropped = osc_largest_component(values);
    bool negative = values[dropped] < 0;
    scale_values(points, frame, row);
    enc_rebuild(row, dropped, negative);
    points->dropped[frame] = (uint8_t)dropped;
    points->value[frame][dropped] =
        osc_curve_grid(row[dropped], points->shift + points->coarsening[dropped]);
}

/* The zigzag residual of one component at a frame, as the decoder predicts it. */
static uint32_t residual_at(const curve_points *points, uint32_t frame, uint32_t c,
                            uint32_t predictor)
{
    uint32_t in_block = curve_points_in_block(points, frame);
    int32_t(*value)[CURVE_MAX_COMPONENTS] = points->value + frame;
    osc_curve_point point = {value[-1][c], 0, 0};
    if (in_block > 1u) {
        point.step = osc_sub(value[-1][c], value[-2][c]);
        point.before = in_block > 2u ? osc_sub(value[-2][c], value[-3][c]) : point.step;
    }
    return enc_zigzag(osc_sub(value[0][c], osc_curve_guess(&point, predictor)));
}

/* The bits of a component's residuals if every block begins with the parameter `rice`. */
static uint64_t count_bits(const curve_points *points, uint32_t c, const uint32_t *zigzag,
                           uint32_t rice, bool adapts)
{
    uint64_t bits = 0;
    uint32_t k_q2 = rice << 2;
    for (uint32_t f = 0; f < points->frame_count; f++) {
        if (curve_points_in_block(points, f) == 0u) {
            k_q2 = rice << 2;
            continue;
        }
        if (points->dropped[f] == c)
            continue;
        uint32_t k = k_q2 >> 2;
        bits += enc_rice_bits(zigzag[f], k);
        if (adapts)
            k_q2 = osc_curve_next_k(k_q2, zigzag[f] >> k);
    }
    return bits;
}

/* Lists the parameter that applies to each residual. */
static void list_parameters(const curve_points *points, uint32_t c, const uint32_t *zigzag,
                            uint32_t rice, bool adapts, uint8_t *k)
{
    uint32_t k_q2 = rice << 2;
    for (uint32_t f = 0; f < points->frame_count; f++) {
        if (curve_points_in_block(points, f) == 0u)
            k_q2 = rice << 2;
        if (!curve_points_coded(points, f, c))
            continue;
        k[f] = (uint8_t)(k_q2 >> 2);
        if (adapts)
            k_q2 = osc_curve_next_k(k_q2, zigzag[f] >> k[f]);
    }
}

static void list_residuals(const curve_points *points, uint32_t c, uint32_t predictor,
                           uint32_t *zigzag)
{
    for (uint32_t f = 0; f < points->frame_count; f++)
        zigzag[f] = curve_points_coded(points, f, c) ? residual_at(points, f, c, predictor) : 0u;
}

/* Chooses the cheapest predictor and parameter of a component: best[0] with fixed parameters,
 * best[1] with adaptive ones. */
static void choose(const curve_points *points, uint32_t c, curve_point_code best[2],
                   uint32_t *zigzag)
{
    uint64_t used = 0;
    for (uint32_t f = 0; f < points->frame_count; f++)
        used += curve_points_coded(points, f, c);
    best[0] = best[1] = (curve_point_code){0, OSC_RICE_ZERO, UINT64_MAX};
    for (uint32_t predictor = 0; predictor < PREDICTORS; predictor++) {
        uint64_t sum = 0;
        uint32_t likely = 0;
        list_residuals(points, c, predictor, zigzag);
        for (uint32_t f = 0; f < points->frame_count; f++)
            sum += zigzag[f];
        if (sum == 0u) {
            best[0] = best[1] = (curve_point_code){predictor, OSC_RICE_ZERO, 0};
            return;
        }
        while (likely < LARGEST_RICE && used << (likely + 1u) <= sum)
            likely++;
        uint32_t first = likely > RICES_AROUND ? likely - RICES_AROUND : 0u;
        for (uint32_t rice = first; rice <= likely + RICES_AROUND && rice <= LARGEST_RICE; rice++)
            for (uint32_t adapts = 0; adapts < 2u; adapts++) {
                uint64_t bits = count_bits(points, c, zigzag, rice, adapts != 0u);
                if (bits < best[adapts].bits)
                    best[adapts] = (curve_point_code){predictor, rice, bits};
            }
    }
}

/* Chooses the header's predictors, parameters and mode. Returns false without memory. */
static bool choose_all(const curve_points *points, curve_header *header, uint8_t *k)
{
    uint32_t *zigzag = malloc(points->frame_count * sizeof *zigzag);
    curve_point_code codes[CURVE_MAX_COMPONENTS][2];
    uint64_t bits[2] = {0, 0};
    if (zigzag == NULL)
        return false;
    for (uint32_t c = 0; c < points->components; c++) {
        choose(points, c, codes[c], zigzag);
        bits[0] += codes[c][0].bits;
        bits[1] += codes[c][1].bits;
    }
    header->mode = bits[1] < bits[0] ? 1u : 0u;
    for (uint32_t c = 0; c < points->components; c++) {
        header->rice[c] = codes[c][header->mode].rice;
        header->predictor[c] = codes[c][header->mode].predictor;
        if (header->rice[c] == OSC_RICE_ZERO)
            continue;
        list_residuals(points, c, header->predictor[c], zigzag);
        list_parameters(points, c, zigzag, header->rice[c], header->mode != 0u,
                        k + (size_t)c * points->frame_count);
    }
    free(zigzag);
    return true;
}

/* The width of plain values; 0 if the header cannot represent it. */
static uint32_t plain_width(const curve_points *points)
{
    uint32_t width = 1, most = OSC_CURVE_ROTATION_WIDTH - points->shift;
    for (uint32_t f = 0; f < points->frame_count; f++)
        for (uint32_t c = 0; c < points->components && curve_points_in_block(points, f) == 0u;
             c++) {
            uint32_t w = enc_signed_width(points->value[f][c]) + points->coarsening[c];
            width = w > width ? w : width;
        }
    if (points->packing == OSC_CURVE_VECTOR)
        return width <= 32u ? width : 0u;
    if (width > most)
        return 0;
    return width + 3u < most ? most - 3u : width;
}

/* Returns whether the decoder can add every step from a frame to the next, whose eighths have to
 * fit into 32 bits. */
static bool steps_fit(const curve_points *points)
{
    for (uint32_t f = 0; f < points->frame_count; f++)
        for (uint32_t c = 0; c < points->components; c++) {
            if (!curve_points_coded(points, f, c))
                continue;
            int32_t step = osc_sub(points->value[f][c], points->value[f - 1u][c]);
            if (enc_signed_width(step) > STEP_WIDTH)
                return false;
        }
    return true;
}

static bool is_zero(const curve_points *points, uint32_t c)
{
    for (uint32_t f = 0; f < points->frame_count; f++)
        if (points->value[f][c] != 0)
            return false;
    return true;
}

/* Writes the residuals of a frame. */
static void put_frame(const curve_points *points, const curve_header *header, uint32_t frame,
                      uint32_t *k_q2, enc_bit_writer *out)
{
    for (uint32_t c = 0; c < points->components; c++) {
        if (header->rice[c] == OSC_RICE_ZERO || points->dropped[frame] == c)
            continue;
        uint32_t zigzag = residual_at(points, frame, c, header->predictor[c]);
        uint32_t k = k_q2[c] >> 2;
        enc_bits_put_rice(out, zigzag, k);
        if (header->mode != 0u)
            k_q2[c] = osc_curve_next_k(k_q2[c], zigzag >> k);
    }
}

static void put_all(const curve_points *points, curve_code *code)
{
    const curve_header *header = &code->header;
    uint32_t k_q2[CURVE_MAX_COMPONENTS] = {0};
    for (uint32_t f = 0; f < points->frame_count; f++) {
        code->streamed_at[f] = (uint32_t)code->streamed.bits;
        if (curve_points_in_block(points, f) != 0u) {
            put_frame(points, header, f, k_q2, &code->streamed);
            continue;
        }
        for (uint32_t c = 0; c < points->components; c++) {
            k_q2[c] = header->rice[c] << 2;
            enc_bits_put(&code->plain, (uint32_t)points->value[f][c], curve_plain_width(header, c));
        }
    }
    code->streamed_at[points->frame_count] = (uint32_t)code->streamed.bits;
}

bool curve_points_code(const curve_points *points, curve_code *code, uint8_t *k, bool *unfit)
{
    curve_header *header = &code->header;
    enc_bit_writer bits = {0};
    memset(code, 0, sizeof *code);
    *unfit = false;
    if (!choose_all(points, header, k))
        return false;
    header->basis = OSC_CURVE_DENSE;
    header->packing = points->packing;
    header->shift = points->shift;
    header->components = points->components;
    header->width = plain_width(points);
    *unfit = header->width == 0u || !steps_fit(points);
    if (*unfit)
        return false;
    for (uint32_t c = 0; c < points->components; c++) {
        header->coarsening[c] =
            c < 3u && is_zero(points, c) ? OSC_CURVE_ABSENT : points->coarsening[c];
        header->quarters[c] = points->quarters[c];
    }
    code->frame_count = points->frame_count;
    code->restart_log2 = points->restart_log2;
    for (uint32_t c = 0; c < points->components; c++)
        code->plain_bits += curve_plain_width(header, c);
    code->streamed_at = malloc((code->frame_count + 1u) * sizeof *code->streamed_at);
    if (code->streamed_at != NULL) {
        put_all(points, code);
        curve_put_header(header, header->shift, &bits);
        code->bits = (uint32_t)(bits.bits + code->plain.bits + code->streamed.bits) + 1u;
    }
    bool done =
        code->streamed_at != NULL && !code->plain.failed && !code->streamed.failed && !bits.failed;
    enc_bits_release(&bits);
    if (!done)
        curve_code_release(code);
    return done;
}
