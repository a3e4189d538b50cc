/* The transform codec's track: integers of segments with shared ends (runtime/osc_transform.h). */
#ifndef ENCODER_TRANSFORM_H
#define ENCODER_TRANSFORM_H

#include "codec.h"
#include "osc_transform.h"

enum {
    ENC_TRANSFORM_COMPONENTS = 4,
    ENC_TRANSFORM_ORDERS = OSC_TRANSFORM_FRAMES - 1,
    ENC_TRANSFORM_PLACES = ENC_PLACES + 1
};

typedef struct {
    uint32_t kind, frame_count, restart_log2;
    uint32_t chart;
    uint32_t components; /* coded ones: 3 or 4 */
    uint32_t segments;
    uint32_t step[ENC_TRANSFORM_COMPONENTS]; /* codes, osc_transform_step */
    uint32_t end_grid;     /* ends are multiples of this many steps: they need not be as fine */
    int32_t *ends;         /* [segment + 1][ENC_TRANSFORM_COMPONENTS], in steps */
    int32_t *coefficients; /* [segment][ENC_TRANSFORM_COMPONENTS][ENC_TRANSFORM_ORDERS] */
    uint8_t *counts;       /* [segment][ENC_TRANSFORM_COMPONENTS]: up to the last that is not 0 */
    int32_t *rows;         /* [frame][4 or 3] as the device unpacks them */
} enc_transform_track;

/* How a component is coded. */
typedef struct {
    uint32_t end_k, k, most, mode;
} enc_transform_codes;

static inline int32_t *enc_transform_end(const enc_transform_track *track, uint32_t segment,
                                         uint32_t component)
{
    return &track->ends[(size_t)segment * ENC_TRANSFORM_COMPONENTS + component];
}

static inline uint8_t *enc_transform_count(const enc_transform_track *track, uint32_t segment,
                                           uint32_t component)
{
    return &track->counts[(size_t)segment * ENC_TRANSFORM_COMPONENTS + component];
}

static inline int32_t *enc_transform_coefficients(const enc_transform_track *track,
                                                  uint32_t segment, uint32_t component)
{
    return &track->coefficients[((size_t)segment * ENC_TRANSFORM_COMPONENTS + component) *
                                ENC_TRANSFORM_ORDERS];
}

/* ---- transform_code.c: what the integers cost, and writing them ---- */

/* What a number of `count` bits costs in a header that says how near it is to another one. */
uint32_t enc_transform_near_bits(uint32_t value, uint32_t previous, uint32_t count);

/* The cheapest codes of one component after those of the component before, which it replaces.
 * Returns all bits but those of the step and the first ends. */
uint64_t enc_transform_choose(const enc_transform_track *track, uint32_t component,
                              enc_transform_codes *codes);

/* Everything that the track costs, and the codes with which it costs that. */
uint64_t enc_transform_bits(const enc_transform_track *track,
                            enc_transform_codes chosen[ENC_TRANSFORM_COMPONENTS]);

int32_t enc_transform_write(const enc_coded *const *tracks, const uint32_t *lanes,
                            uint32_t track_count, uint32_t frame_count, uint32_t restart_log2,
                            enc_bit_writer *headers, enc_bit_writer *restarts,
                            enc_bit_writer *stream);

/* Bits of a component's coefficients in one segment. */
uint32_t enc_transform_segment_bits(const enc_transform_track *track, uint32_t segment,
                                    uint32_t component, const enc_transform_codes *codes);

/* What a segment's bits are made of, while single coefficients change. */
typedef struct {
    uint32_t most, mode;
    uint32_t before[ENC_TRANSFORM_ORDERS + 1u]; /* bits of the coefficients before each */
    int32_t k_q2[ENC_TRANSFORM_ORDERS];         /* the parameter that each meets */
} enc_transform_bill;

/* Fills the bill of a component's present coefficients. */
void enc_transform_set_bill(enc_transform_bill *bill, const enc_transform_track *track,
                            uint32_t segment, uint32_t component, const enc_transform_codes *codes);

/* Bits if coefficient `order` of those `values` alone were another one. */
uint32_t enc_transform_billed(const enc_transform_bill *bill, const int32_t *values, uint32_t count,
                              uint32_t order, int32_t other);

/* ---- transform_fit.c: integers that hold ---- */

/* What a place of the fit (enc_place) comes to for coded components that are off by d, Q20:
 * at + 2 slope * d + d * bend * d, up to 1. bend is symmetric; beyond the components all is 0. */
typedef struct {
    double at, slope[ENC_TRANSFORM_COMPONENTS];
    double price; /* in bits of other tracks, of each unit */
    double bend[ENC_TRANSFORM_COMPONENTS][ENC_TRANSFORM_COMPONENTS];
} enc_transform_form;

/* The weights of the basis in segments of one length: of the chord and the coefficients by frame,
 * and of the coefficients by order; 0 where there is no inner frame or no such order. */
typedef struct {
    double chord[OSC_TRANSFORM_FRAMES];
    double at[ENC_TRANSFORM_ORDERS][OSC_TRANSFORM_FRAMES];
    double of[OSC_TRANSFORM_FRAMES][OSC_TRANSFORM_FRAMES];
} enc_transform_basis;

/* A fit of one track in one chart. */
typedef struct {
    const enc_fit *fit;
    enc_transform_track *track;
    double *values; /* [frame][ENC_TRANSFORM_COMPONENTS]: the target's coded components, Q20; 0
                     * beyond them */
    enc_transform_form *forms; /* [frame][places], at most ENC_TRANSFORM_PLACES */
    uint32_t places;
    enc_transform_basis basis[2]; /* of whole segments, and of the last one */
    enc_slopes axes;              /* of the rotation's own components by what the chart codes, */
    double dropped_axis[4];       /* and by what it drops */
    double holding[ENC_TRANSFORM_COMPONENTS];            /* how far each may be off about, Q20 */
    enc_transform_codes codes[ENC_TRANSFORM_COMPONENTS]; /* what the search reckons with */
    uint32_t hint, end_hint;                             /* a segment and an end that failed last */
} enc_transform_fitter;

/* Sets both bases for the frames of the fitter's track. */
void enc_transform_set_basis(enc_transform_fitter *fitter);

static inline const enc_transform_basis *enc_transform_basis_of(const enc_transform_fitter *fitter,
                                                                uint32_t segment)
{
    return &fitter->basis[segment + 1u == fitter->track->segments ? 1 : 0];
}

/* Makes a row of coded components (Q20) as the device does, and keeps it as the track's; whether it
 * holds. */
bool enc_transform_row_holds(const enc_transform_fitter *fitter, uint32_t frame,
                             const int32_t *values);

/* Whether the steps between the track's rows are short enough wherever they blend. */
bool enc_transform_blends(const enc_transform_fitter *fitter);

/* Counts a segment's coefficients, of which those from `most` on are zero. */
void enc_transform_recount(enc_transform_track *track, uint32_t segment, uint32_t component,
                           uint32_t most);

/* Measures how far each component may be off, by trying. */
void enc_transform_probe(enc_transform_fitter *fitter);

/* What the track's deviations cost other tracks, in bits, about. */
double enc_transform_price(const enc_transform_fitter *fitter);

/* Quantises the ends with the present steps; false when one does not hold. */
bool enc_transform_fit_ends(enc_transform_fitter *fitter);

/* Quantises one end with the present steps; false when it does not hold. */
bool enc_transform_fit_end(const enc_transform_fitter *fitter, uint32_t index);

/* Quantises a segment between its ends, as cheaply as the effort allows; false when some frame does
 * not hold. */
bool enc_transform_fit_segment(const enc_transform_fitter *fitter, uint32_t index);

/* Quantises the track with its present steps; false when some frame does not hold. */
bool enc_transform_solve(enc_transform_fitter *fitter);

/* Drops what such a track does not need, by the fitter's codes; false when some frame does not hold
 * exactly. */
bool enc_transform_save(enc_transform_fitter *fitter);

/* Both at once: for efforts that do not look at the fitter's codes. */
bool enc_transform_fit(enc_transform_fitter *fitter);

/* ---- transform_places.c ---- */

/* Sets the axes of the track's chart, which the forms need. */
void enc_transform_set_axes(enc_transform_fitter *fitter);

/* Sets the forms of all frames, and from them how far each component may be off. */
void enc_transform_set_forms(enc_transform_fitter *fitter);

/* Sets the forms of one frame. The fit has to know places. */
void enc_transform_set_frame(enc_transform_fitter *fitter, uint32_t frame);

/* ---- transform_mend.c ---- */

/* Fits what is not good enough of a track that has all its numbers and rows, with its steps; false
 * when that cannot be. finely: ends need not keep to their grid, those of faulty segments neither.
 * All else stays as it is, so that what was built on it holds. */
bool enc_transform_mend(enc_transform_fitter *fitter, bool finely);

/* ---- transform_direct.c ---- */

/* Codes every frame on its own, with the coarsest steps that hold; false when even the finest do
 * not. */
bool enc_transform_fit_direct(enc_transform_fitter *fitter);

#endif
