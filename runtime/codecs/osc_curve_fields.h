/* SPDX-License-Identifier: MIT */
/* The layout of a curve track's words in the player's state. Preprocessor definitions only:
 * osc_curve_track.h derives C from them, and the assembler code of platforms reads the same words.
 *
 * A field NAME of a word lies at bit NAME_AT and has NAME_BITS bits. Offsets are in bytes. */
#ifndef OSC_CURVE_FIELDS_H
#define OSC_CURVE_FIELDS_H

/* dispatch: kind; packing, with one bit above it that is always set; words of a row before the
 * track. Below them, dense tracks have the kinds of y and z, and sections have bits that the
 * platform may use. In dense tracks in packing four, bit 0 states whether the parameters adapt. */
#define OSC_CURVE_KIND_AT 27
#define OSC_CURVE_KIND_BITS 5
#define OSC_CURVE_FINISH_AT 22
#define OSC_CURVE_FINISH_BITS 5
#define OSC_CURVE_FINISH_FIRST 16 /* packing 0 */
#define OSC_CURVE_TRACK_PACKING_AT 22
#define OSC_CURVE_TRACK_PACKING_BITS 4
#define OSC_CURVE_OFFSET_AT 8
#define OSC_CURVE_OFFSET_BITS 14
#define OSC_CURVE_KIND_Y_AT 4
#define OSC_CURVE_KIND_Z_AT 0
#define OSC_CURVE_KIND_YZ_BITS 4
#define OSC_CURVE_PORT_BITS 8
#define OSC_CURVE_ADAPTS 1

/* Kinds 0..8 are dense tracks in packings other than four; each component has one of them. A
 * platform may give sections the kinds in between. */
#define OSC_CURVE_KIND_OTHER 9       /* a section that osc_curve.c fills */
#define OSC_CURVE_KIND_DENSE_FOUR 31 /* a dense track in packing four */

/* form */
#define OSC_CURVE_FORM_SHIFT_AT 0
#define OSC_CURVE_FORM_SHIFT_BITS 4
#define OSC_CURVE_FORM_BASIS_AT 4
#define OSC_CURVE_FORM_BASIS_BITS 2
#define OSC_CURVE_FORM_PACKING_AT 6
#define OSC_CURVE_FORM_PACKING_BITS 4
#define OSC_CURVE_FORM_MODE_AT 10 /* extrapolates; of dense tracks: adapts */
#define OSC_CURVE_FORM_MODE_BITS 1
#define OSC_CURVE_FORM_WIDTH_AT 12
#define OSC_CURVE_FORM_WIDTH_BITS 5
#define OSC_CURVE_FORM_GAP_RICE_AT 17
#define OSC_CURVE_FORM_GAP_RICE_BITS 2
#define OSC_CURVE_FORM_JUMPS_AT 19
#define OSC_CURVE_FORM_JUMPS_BITS 1
#define OSC_CURVE_FORM_UNIT_AT 20
#define OSC_CURVE_FORM_UNIT_BITS 2
#define OSC_CURVE_FORM_COARSENING_AT 22 /* of x; those of y, z and w follow */
#define OSC_CURVE_FORM_COARSENING_BITS 2

/* upcoming: frames from the section's end to the next key; whether the next section or this one is
 * a jump; bits from a restart point to the track's plain key */
#define OSC_CURVE_NEXT_GAP_BITS 8
#define OSC_CURVE_NEXT_JUMP_AT 8
#define OSC_CURVE_THIS_JUMP_AT 9
#define OSC_CURVE_PLAIN_AT 10

/* fit: the scale of a section; the bits below it are the platform's */
#define OSC_CURVE_SCALE_AT 8

/* rice: parameters of the components, and of their tangents */
#define OSC_CURVE_RICE_BITS 4
#define OSC_CURVE_RICE_TANGENTS_AT 16
#define OSC_CURVE_RICE_NO_CODE 15

/* step_q20_k of a dense component: the platform's form of the parameter, and the step */
#define OSC_CURVE_KEPT_K_BITS 14

/* fields of a component in packing four, above the platform's form of the parameter */
#define OSC_CURVE_FOUR_PREDICTOR_AT 14
#define OSC_CURVE_FOUR_PREDICTOR_BITS 2
#define OSC_CURVE_FOUR_CODELESS_AT 16
#define OSC_CURVE_FOUR_CODELESS_BITS 1
#define OSC_CURVE_FOUR_SHIFT_AT 17
#define OSC_CURVE_FOUR_SHIFT_BITS 5
#define OSC_CURVE_FOUR_K_AT 22
#define OSC_CURVE_FOUR_K_BITS 4
#define OSC_CURVE_FOUR_WIDTH_AT 26
#define OSC_CURVE_FOUR_WIDTH_BITS 5
#define OSC_CURVE_FOUR_ABSENT_AT 31
#define OSC_CURVE_FOUR_ABSENT_BITS 1

/* osc_curve_sparse, the track of sections */
#define OSC_CURVE_TRACK_DISPATCH 0
#define OSC_CURVE_TRACK_FORM 4
#define OSC_CURVE_TRACK_END 8
#define OSC_CURVE_TRACK_BIAS 12
#define OSC_CURVE_TRACK_PACE 16
#define OSC_CURVE_TRACK_FIT 20
#define OSC_CURVE_TRACK_RICE 24
#define OSC_CURVE_TRACK_UPCOMING 28
#define OSC_CURVE_TRACK_COMPONENTS 32

/* A component of a section, its key, and a dense component: sizes, and fields that are not read in
 * order */
#define OSC_CURVE_POLYNOMIAL_BYTES 16
#define OSC_CURVE_POLYNOMIAL_A 4
#define OSC_CURVE_KEY_BYTES 12
#define OSC_CURVE_KEY_TANGENT 4
#define OSC_CURVE_DENSE_BYTES 16
#define OSC_CURVE_DENSE_VALUE 4

/* osc_curve_run */
#define OSC_CURVE_RUN_POSITION 24
#define OSC_CURVE_RUN_LEFT 28
#define OSC_CURVE_RUN_TRACK 32
#define OSC_CURVE_RUN_AHEAD 44

/* The values of osc_format.h and osc_curve_arithmetic.h for packings, bases, codes, slopes and
 * ramps */
#define OSC_CURVE_PACKING_FOUR 12
#define OSC_CURVE_BASIS_CUBIC 2
#define OSC_CURVE_COARSENING_ABSENT 3
#define OSC_CURVE_GAP_MOST 64
#define OSC_CURVE_FRACTION_BITS 10
#define OSC_CURVE_RAMP_BITS 15
#define OSC_CURVE_RICE_ESCAPE 15
#define OSC_CURVE_K_Q2_MOST 59

#endif
