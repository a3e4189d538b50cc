/* The curve codec: each track as sparse keys in the cheapest basis, or a key on every frame. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "codec.h"
#include "curve_code.h"
#include "curve_dense.h"
#include "curve_search.h"
#include "delta_codec.h"
#include "osc_curve.h"
#include "ossicle.h"
#include "quantise.h"

#define MIN_FIXED_DROPPED 0.2 /* below this the rebuilt component amplifies the steps too much */

#define DENSE_WORTH 0.8 /* sparse keys below this part of delta's bits are not beaten */

/* A coded track: as `code` says, or (where there is none) as the delta codec has it. */
typedef struct {
    curve_code code;
    enc_coded *dense;
    int32_t *rows;
} curve_track;

/* UINT32_MAX: nothing has been found for it. */
static uint32_t track_bits(const curve_track *track)
{
    if (track->dense != NULL)
        return track->dense->bits;
    return track->code.bits != 0 ? track->code.bits : UINT32_MAX;
}

static void release(void *data)
{
    curve_track *track = data;
    curve_code_release(&track->code);
    enc_coded_free(track->dense);
    free(track->rows);
    free(track);
}

/* The component that can be dropped over the whole track, if there is one. */
static uint32_t choose_chart(const enc_fit *fit)
{
    double least;
    if (fit->kind != ENC_ROTATION)
        return OSC_CHART_VECTOR;
    uint32_t chart = enc_fixed_chart(fit->target, fit->frame_count, fit->breaks, &least);
    return least >= MIN_FIXED_DROPPED ? chart : OSC_CHART_MOVING;
}

static curve_header dense_header(const enc_delta_track *dense)
{
    curve_header header = {0};
    header.basis = OSC_CURVE_DENSE;
    header.chart = dense->chart;
    header.shift = dense->shift;
    header.mode = OSC_TRACK_LINEAR(dense->record);
    header.width = OSC_TRACK_WIDTH(dense->record);
    header.components = 3u;
    for (uint32_t c = 0; c < 3u; c++)
        header.rice[c] = OSC_TRACK_RICE(dense->record, c);
    return header;
}

/* Takes over the best keys, if there are any. */
static bool take_keys(curve_track *track, const curve_search *search)
{
    bool unfit;
    if (search->best.count == 0)
        return true;
    curve_play(&search->best, 0, search->best.count - 1u, track->rows);
    return curve_code_make(&track->code, &search->best, &unfit);
}

/* Codes every frame where that is cheaper than `track` as it is; from what delta finds. */
static void take_dense(curve_track *track, const enc_fit *fit, uint32_t chart, enc_coded *delta,
                       bool *out_of_memory)
{
    size_t words = (size_t)fit->frame_count * enc_components(fit->kind);
    uint32_t shift = ((const enc_delta_track *)delta->data)->shift;
    uint32_t least = track_bits(track);
    if (least < DENSE_WORTH * delta->bits) {
        enc_coded_free(delta);
        return;
    }
    if (delta->bits < least) {
        curve_code_release(&track->code);
        memcpy(track->rows, delta->rows, words * sizeof *track->rows);
        track->dense = delta;
        least = delta->bits;
    } else {
        enc_coded_free(delta);
    }
    int32_t *rows = malloc(words * sizeof *rows);
    curve_code code;
    *out_of_memory = *out_of_memory || rows == NULL;
    if (rows == NULL || chart == OSC_CHART_MOVING ||
        !curve_dense_fit(fit, chart, shift, rows, &code, out_of_memory)) {
        free(rows);
    } else if (code.bits >= least) {
        curve_code_release(&code);
        free(rows);
    } else {
        enc_coded_free(track->dense);
        curve_code_release(&track->code);
        free(track->rows);
        *track = (curve_track){code, NULL, rows};
    }
}

static curve_track *make_track(const enc_fit *fit, bool *out_of_memory)
{
    uint32_t chart = choose_chart(fit);
    curve_track *track = calloc(1, sizeof *track);
    enc_coded *delta = enc_delta_codec.fit(fit, out_of_memory);
    curve_search search;
    if (delta != NULL && ((const enc_delta_track *)delta->data)->shift > OSC_CURVE_SHIFT_MAX) {
        enc_coded_free(delta); /* no header can say it; so coarse a track has few keys */
        delta = NULL;
    }
    bool ready =
        curve_search_prepare(&search, fit, chart, delta != NULL ? delta->bits : UINT32_MAX);
    if (ready && track != NULL) {
        track->rows =
            malloc((size_t)fit->frame_count * enc_components(fit->kind) * sizeof *track->rows);
        curve_search_keys(&search);
        ready = track->rows != NULL && take_keys(track, &search) && !search.out_of_memory;
    }
    curve_search_release(&search);
    *out_of_memory = *out_of_memory || track == NULL || !ready;
    if (delta != NULL && !*out_of_memory)
        take_dense(track, fit, chart, delta, out_of_memory);
    else
        enc_coded_free(delta);
    if (track != NULL && (*out_of_memory || track_bits(track) == UINT32_MAX)) {
        release(track);
        return NULL;
    }
    return track;
}

static enc_coded *fit_track(const enc_fit *fit, bool *out_of_memory)
{
    curve_track *track = make_track(fit, out_of_memory);
    if (track == NULL)
        return NULL;
    enc_coded *coded = calloc(1, sizeof *coded);
    if (coded == NULL) {
        *out_of_memory = true;
        release(track);
        return NULL;
    }
    coded->codec = OSC_CODEC_CURVE;
    coded->kind = fit->kind;
    coded->frame_count = fit->frame_count;
    coded->rows = track->rows;
    coded->bits = track_bits(track);
    coded->data = track;
    coded->release = release;
    return coded;
}

static curve_header header_of(const curve_track *track)
{
    return track->dense != NULL ? dense_header(track->dense->data) : track->code.header;
}

static uint32_t state_words(const enc_coded *const *tracks, uint32_t track_count,
                            uint32_t frame_count)
{
    uint32_t words = 1;
    (void)frame_count;
    for (uint32_t i = 0; i < track_count; i++) {
        curve_header header = header_of(tracks[i]->data);
        words += osc_curve_state_words(header.basis, header.components);
    }
    return track_count == 0 ? 0u : words;
}

static void put_bits(const enc_bit_writer *from, uint32_t first, uint32_t last, enc_bit_writer *out)
{
    for (uint32_t at = first; at < last; at++)
        enc_bits_put(out, from->words[at / 32u] >> (at % 32u), 1u);
}

static void write_headers(const enc_coded *const *tracks, const uint32_t *lanes,
                          uint32_t track_count, enc_bit_writer *headers)
{
    uint32_t next = 0, shift = OSC_CURVE_SHIFT_FIRST;
    enc_bits_put(headers, track_count, OSC_CURVE_COUNT_BITS);
    for (uint32_t i = 0; i < track_count; i++) {
        curve_header header = header_of(tracks[i]->data);
        enc_bits_put_rice(headers, lanes[i] - next, OSC_CURVE_LANE_RICE);
        curve_put_header(&header, shift, headers);
        shift = header.shift;
        next = lanes[i] + 1u;
    }
}

static void write_frame(const curve_track *track, uint32_t frame, bool plain, enc_bit_writer *out)
{
    const curve_code *code = &track->code;
    bool restart = (frame >> code->restart_log2) << code->restart_log2 == frame;
    if (track->dense != NULL) {
        const enc_delta_track *dense = track->dense->data;
        restart = (frame >> dense->restart_log2) << dense->restart_log2 == frame;
        if (plain == restart)
            enc_delta_write_frame(dense, frame, out);
    } else if (plain) {
        uint32_t width = code->plain_bits, block = frame >> code->restart_log2;
        put_bits(&code->plain, block * width, (block + 1u) * width, out);
    } else {
        put_bits(&code->pulled, code->pulled_at[frame], code->pulled_at[frame + 1u], out);
    }
}

static int32_t write_clip(const enc_coded *const *tracks, const uint32_t *lanes,
                          uint32_t track_count, uint32_t frame_count, uint32_t restart_log2,
                          enc_bit_writer *headers, enc_bit_writer *restarts, enc_bit_writer *stream)
{
    if (track_count != 0)
        write_headers(tracks, lanes, track_count, headers);
    for (uint32_t f = 0; f < frame_count; f++) {
        bool restart = (f >> restart_log2) << restart_log2 == f;
        if (restart && f != 0u)
            enc_bits_put(restarts, (uint32_t)stream->bits, 32u);
        for (uint32_t i = 0; i < track_count && restart; i++)
            write_frame(tracks[i]->data, f, true, stream);
        for (uint32_t i = 0; i < track_count; i++)
            write_frame(tracks[i]->data, f, false, stream);
        if (stream->bits > UINT32_MAX / 2u)
            return ENC_ERROR_TOO_LARGE;
    }
    return ENC_OK;
}

const enc_codec enc_curve_codec = {OSC_CODEC_CURVE, "curve",     false,
                                   fit_track,       state_words, write_clip};
