/* SPDX-License-Identifier: MIT */
/* The format of the codecs of published schemes; SPEC.md in this folder explains it. Track headers
 * begin like those of the curve codec (bank/osc_format.h). */
#ifndef OSC_PUBLISHED_FORMAT_H
#define OSC_PUBLISHED_FORMAT_H

/* the velocity codec */
#define OSC_VELOCITY_SHIFT_MAX 31u
#define OSC_VELOCITY_SHIFT_FIRST 8u
#define OSC_VELOCITY_DIFFERENCE 0u /* kinds of keys */
#define OSC_VELOCITY_SPEED 1u
#define OSC_VELOCITY_FULL 2u
#define OSC_VELOCITY_SEED 3u
#define OSC_VELOCITY_SPEED_BITS 8u

/* key formats of the sparse and the dense codec */
#define OSC_KEY_FIXED 0u /* codings */
#define OSC_KEY_RANGED 1u
#define OSC_KEY_FLOAT 2u
#define OSC_KEY_SMALL_FLOAT 3u
#define OSC_KEY_SMALLEST_THREE 4u
#define OSC_KEY_HALF_ANGLE 5u
#define OSC_KEY_NONE 6u
#define OSC_KEY_VARIABLE 7u    /* dense only: a rate and a range in every block */
#define OSC_KEY_WIDTHS_16 0u   /* layouts: 16 16 16 */
#define OSC_KEY_WIDTHS_32 1u   /* 11 11 10 */
#define OSC_KEY_WIDTHS_SAME 2u /* one width for all, in 5 bits */
#define OSC_KEY_EXPONENT_MAX 11u
#define OSC_KEY_RATE_BITS 8u /* the rate, and above it the class of a track's keys in tiers */
#define OSC_KEY_RATE_MASK 0x1fu
#define OSC_KEY_RATE_MAX 24u
#define OSC_KEY_CLASS_SHIFT 5u

/* the sparse codec; headers of the dense codec begin in the same way */
#define OSC_SPARSE_TIME_BITS 5u /* width of times, less one; in the dense codec, the period */
#define OSC_SPARSE_TAG_BITS 8u
#define OSC_SPARSE_EVERY 0u /* bases: a key on every frame */
#define OSC_SPARSE_STEP 1u
#define OSC_SPARSE_LINEAR 2u
#define OSC_SPARSE_UNIFORM 3u /* Catmull-Rom; these three differ in the lengths between knots */
#define OSC_SPARSE_TIMED 4u
#define OSC_SPARSE_CHORDAL 5u
#define OSC_SPARSE_CENTRIPETAL 6u
#define OSC_SPARSE_HERMITE 7u

/* the dense codec */
#define OSC_DENSE_TIER_BITS 3u  /* width of the number of tiers */
#define OSC_DENSE_CLASS_BITS 3u /* width of the number of classes, less one */
#define OSC_DENSE_CLASSES 8u    /* most */
#define OSC_DENSE_LEAST_KEYS 2u /* of a track in the clip itself: both ends of the block */

#endif
