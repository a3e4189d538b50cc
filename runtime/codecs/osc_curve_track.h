/* What a player keeps of the tracks of a curve clip, one behind the other, and after them a word
 * that says that there is none (OSC_CURVE_END in the place of `go`). */
#ifndef OSC_CURVE_TRACK_H
#define OSC_CURVE_TRACK_H

#include "bank/osc_window.h"
#include "codecs/osc_curve.h"

/* Every track begins with these. */
typedef struct osc_curve_track {
    uint32_t go;   /* what a row needs to know before all else, see below */
    uint32_t form; /* what the header says, see below */
} osc_curve_track;

/* A track of sections. */
typedef struct osc_curve_sparse {
    uint32_t go, form;
    uint32_t end; /* the section ends before this frame, OSC_CURVE_NEVER after the last key */
    uint32_t bias, pace;    /* u is (frame * pace + bias) >> 16 */
    uint32_t fit;           /* scale of the section, in bits 8..15; the rest is the platform's */
    uint32_t rice;          /* parameters, 4 bits a component; of tangents from bit 16 on */
    uint32_t later;         /* see below */
    osc_curve_lane lanes[]; /* three, or four in packing four, and then as many osc_curve_key */
} osc_curve_sparse;

/* A component of a track with a key on every frame. */
typedef struct osc_curve_gauge {
    uint32_t step_q20_k;  /* Q20 value of one grain, from bit 14 on; below it what the platform's
                             osc_curve_keep_k makes of the parameter that adapts */
    int32_t value;        /* Q20 */
    int32_t before, step; /* the last steps, in grains */
} osc_curve_gauge;

/* A track with a key on every frame, in all packings but four. The fields of its form that only
 * others need hold the parameters that it begins a block with. */
typedef struct osc_curve_dense {
    uint32_t go, form;
    osc_curve_gauge gauges[3];
} osc_curve_dense;

/* The same in packing four. There `values` are in grains, and in `own` each component has, from bit
 * 14 on, what its OSC_CURVE_OWN_* say. */
typedef struct osc_curve_corner {
    uint32_t own;
    int32_t value, before, step;
} osc_curve_corner;

typedef struct osc_curve_dense_four {
    uint32_t go; /* bit 0: the parameters adapt */
    osc_curve_corner corners[4];
} osc_curve_dense_four;

OSC_STATIC_ASSERT(sizeof(osc_curve_sparse) == 4u * OSC_CURVE_SPARSE_WORDS, sparse_words);
OSC_STATIC_ASSERT(sizeof(osc_curve_dense) ==
                      4u * (OSC_CURVE_DENSE_WORDS + 3u * OSC_CURVE_POINT_WORDS),
                  dense_words);
OSC_STATIC_ASSERT(sizeof(osc_curve_dense_four) ==
                      4u * (OSC_CURVE_DENSE_WORDS + 4u * OSC_CURVE_POINT_WORDS),
                  dense_four_words);

#define OSC_CURVE_NEVER 0xffffffffu

/* own: predictor; whether there are no codes; grains of 2^shift; the first parameter; bits of a
 * plain key, less one; whether there is no such key and the component is zero */
#define OSC_CURVE_OWN(predictor, codeless, shift, k, width, absent)                                \
    ((predictor) << 14 | (codeless) << 16 | (shift) << 17 | (k) << 22 | (width) << 26 |            \
     (absent) << 31)
#define OSC_CURVE_OWN_PREDICTOR(own) (((own) >> 14) & 3u)
#define OSC_CURVE_OWN_CODELESS(own) (((own) >> 16) & 1u)
#define OSC_CURVE_OWN_SHIFT(own) (((own) >> 17) & 31u)
#define OSC_CURVE_OWN_K(own) (((own) >> 22) & 15u)
#define OSC_CURVE_OWN_WIDTH(own) ((((own) >> 26) & 31u) + 1u)
#define OSC_CURVE_OWN_ABSENT(own) ((own) >> 31)

/* form */
#define OSC_CURVE_SHIFT(form) ((form)&15u)
#define OSC_CURVE_BASIS(form) (((form) >> 4) & 3u)
#define OSC_CURVE_PACKING(form) (((form) >> 6) & 15u)
#define OSC_CURVE_MODE(form) (((form) >> 10) & 3u)
#define OSC_CURVE_WIDTH(form) ((((form) >> 12) & 31u) + 1u)
#define OSC_CURVE_GAP_RICE(form) (((form) >> 17) & 3u)
#define OSC_CURVE_HAS_JUMPS(form) (((form) >> 19) & 1u)
#define OSC_CURVE_UNIT(form) (((form) >> 20) & 3u)
#define OSC_CURVE_GRAIN_SHIFT 22u
#define OSC_CURVE_GRAIN(form, i) (((form) >> (OSC_CURVE_GRAIN_SHIFT + 2u * (i))) & 3u)

/* The same of dense tracks that are not in packing four: the parameters of x, y and z. */
#define OSC_CURVE_K_FIELDS 0xf01e000fu
#define OSC_CURVE_KEEP_K(k0, k1, k2) ((k0) | (k1) << 17 | (k2) << 28)
#define OSC_CURVE_FIRST_K(form, i) (((form) >> ((i) == 0u ? 0u : (i) == 1u ? 17u : 28u)) & 15u)

/* go: kind in bits 27..31; 16 + packing in bits 22..26; words of a row before the track in
 * bits 8..21; below them, of dense tracks, the kinds of y and z in bits 4..7 and 0..3. */
#define OSC_CURVE_GO(kind, packing, place)                                                         \
    ((kind) << 27 | 1u << 26 | (packing) << 22 | (place) << 8)
#define OSC_CURVE_GO_KIND(go) ((go) >> 27)
#define OSC_CURVE_GO_PACKING(go) (((go) >> 22) & 15u)
#define OSC_CURVE_GO_PLACE(go) (((go) >> 8) & 0x3fffu)
#define OSC_CURVE_GO_POINT(go, i) (((go) >> ((i) == 0u ? 27u : (i) == 1u ? 4u : 0u)) & 15u)

/* Kinds 0..8 are dense tracks in packings other than four; each component has one of them: no
 * codes, or predictor and whether its parameter adapts. The platform gives sections it is ready for
 * others than these. */
#define OSC_CURVE_POINT_STILL 0u
#define OSC_CURVE_POINT(predictor, adapts) (1u + 2u * (predictor) + (adapts))
#define OSC_CURVE_POINT_PREDICTOR(kind) ((((kind)-1u) >> 1) & 3u)
#define OSC_CURVE_POINT_KINDS 9u
#define OSC_CURVE_OTHER 9u       /* a section */
#define OSC_CURVE_DENSE_FOUR 31u /* a dense track in packing four */
#define OSC_CURVE_END OSC_CURVE_GO(OSC_CURVE_OTHER, 15u, 0x3fffu)

/* later: bits from a restart point to the track's plain key in bits 10..31; below them, cubic only,
 * frames from the section's end to the key after it, and flags */
#define OSC_CURVE_LATER_GAP(later) ((later)&0xffu)
#define OSC_CURVE_NEXT_JUMP 0x100u /* the section after this one is a jump */
#define OSC_CURVE_THIS_JUMP 0x200u /* this one is */
#define OSC_CURVE_PLAIN_SHIFT 10u
#define OSC_CURVE_LATER_MASK ((1u << OSC_CURVE_PLAIN_SHIFT) - 1u)

static inline uint32_t osc_curve_components(uint32_t form)
{
    return OSC_CURVE_PACKING(form) == OSC_CURVE_FOUR ? 4u : 3u;
}

static inline osc_curve_key *osc_curve_keys(osc_curve_sparse *track)
{
    return (osc_curve_key *)(track->lanes + osc_curve_components(track->form));
}

/* Bits of the plain key that begins a component's block. */
static inline uint32_t osc_curve_plain_width(uint32_t form, uint32_t i)
{
    uint32_t grain = OSC_CURVE_GRAIN(form, i), width = OSC_CURVE_WIDTH(form);
    if (grain == OSC_CURVE_ABSENT)
        return 0;
    return width > grain ? width - grain : 1u;
}

/* That key, in grains. */
static inline int32_t osc_curve_take_grains(osc_bits *bits, uint32_t form, uint32_t i)
{
    uint32_t width = osc_curve_plain_width(form, i);
    return width == 0u ? 0 : osc_bits_take_signed(bits, width);
}

/* What the rows of all tracks need. */
typedef struct osc_curve_run {
    int32_t *row;
    const int32_t *previous;
    uint32_t *chords;
    uint32_t frame;
    osc_window_store store;
    osc_curve_track *track; /* the next one */
    uint32_t block_end;     /* frame of the block's last key */
    uint32_t ahead_end;     /* the same where that key is the next restart point's, else NEVER */
    uint32_t ahead;         /* bit position of that restart point */
} osc_curve_run;

#endif
