/* SPDX-License-Identifier: MIT */
/* The bank format: word numbers and bit fields. SPEC.md explains them. A word is 32 bits, little
 * endian. */
#ifndef OSC_FORMAT_H
#define OSC_FORMAT_H

#include <stdint.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
static inline uint32_t osc_word(uint32_t stored)
{
    return (stored >> 24) | ((stored >> 8) & 0xff00u) | ((stored << 8) & 0xff0000u) |
           (stored << 24);
}
#else
static inline uint32_t osc_word(uint32_t stored)
{
    return stored;
}
#endif

/* header */
#define OSC_BANK_MAGIC 0x4253534fu /* "OSSB" */
enum {
    OSC_HEADER_MAGIC,
    OSC_HEADER_FORMAT,
    OSC_HEADER_SIZE_BYTES,
    OSC_HEADER_CRC,      /* CRC-32 over the bank without this word */
    OSC_HEADER_SECTIONS, /* number of section entries that follow */
    OSC_HEADER_WORDS
};
#define OSC_MAX_SECTIONS 32u

/* section entry */
enum { OSC_SECTION_TAG, OSC_SECTION_PLACE, OSC_SECTION_WORDS, OSC_SECTION_ENTRY_WORDS };
#define OSC_SECTION_REQUIRED 0x80000000u /* in PLACE, above the offset in words */
#define OSC_TAG_SKELETON 0x4c454b53u     /* "SKEL" */
#define OSC_TAG_CLIPS 0x50494c43u        /* "CLIP" */
#define OSC_TAG_DATA 0x41544144u         /* "DATA" */
#define OSC_TAG_NAMES 0x454d414eu        /* "NAME" */
#define OSC_TAG_SKIN 0x4e494b53u         /* "SKIN" */
#define OSC_TAG_SKIN_JOINTS 0x4e4a4b53u  /* "SKJN" */
#define OSC_TAG_TIERS 0x52454954u        /* "TIER" */
#define OSC_TAG_TIER_1 0x31454954u       /* "TIE1"; the next three follow */
#define OSC_TAG_TIER_STEP 0x01000000u    /* from one to the next */
#define OSC_TAG_EVENTS 0x544e5645u       /* "EVNT"; osc_bank_open skips it and the next two */
#define OSC_TAG_TRAJECTORIES 0x544f4f52u /* "ROOT" */
#define OSC_TAG_GRAPH 0x48505247u        /* "GRPH" */
#define OSC_TAG_BASE 0x45534142u         /* "BASE" */

/* SKEL */
enum {
    OSC_SKELETON_COUNTS, /* joints, low half; most tracks that break at one frame, high half */
    OSC_SKELETON_FLAGS,  /* bits 0..7; words of codec state that a player needs, bits 8..31 */
    OSC_SKELETON_HEADER_WORDS
};
#define OSC_SKELETON_HAS_SCALE 1u
#define OSC_SKELETON_STATE_SHIFT 8u
#define OSC_MAX_STATE_WORDS 0xffffu
#define OSC_NO_PARENT 0xffffu

/* SKIN: a 3x4 matrix a joint */
#define OSC_SKIN_WORDS 12u

/* TIER: a header, a record for each tier, and an entry for each chunk of a tier, in the order of
 * tiers, clips and blocks */
enum {
    OSC_TIERS_FORM,      /* number of tiers, bits 0..7; log2 of a block's frames, bits 8..15 */
    OSC_TIERS_ERROR_Q20, /* of clips without tiers, metres */
    OSC_TIERS_HEADER_WORDS
};
#define OSC_TIERS_BLOCK_SHIFT 8u
enum {
    OSC_TIER_SIZE_WORDS,
    OSC_TIER_CHUNKS_END, /* entries of this tier and those before it */
    OSC_TIER_ERROR_Q20,  /* of clips with this tier and those before it */
    OSC_TIER_WORDS
};
enum {
    OSC_CHUNK_KEY,    /* codec, bits 0..3, 0: keys of a dense clip; block, 4..15; clip, 16..31 */
    OSC_CHUNK_OFFSET, /* in words from the start of the tier */
    OSC_CHUNK_CRC,
    OSC_CHUNK_ENTRY_WORDS
};
#define OSC_CHUNK_CODEC_MASK 0xfu
#define OSC_CHUNK_BLOCK_SHIFT 4u
#define OSC_CHUNK_BLOCK_MASK 0xfffu
#define OSC_CHUNK_CLIP_SHIFT 16u
#define OSC_CHUNK_LEAST_WORDS 2u    /* readers load pairs of words */
#define OSC_VERSION_LEAST_WORDS 4u  /* shape, sizes, stream */
#define OSC_BLOCK_LOG2_MAX 31u      /* all of a clip */
#define OSC_DENSE_BLOCK_LOG2_MAX 6u /* between restart points, for keys in tiers */

/* EVNT: a header, the hash of each name, the kinds, an entry for each clip with events, the marks
 * of all clips, and the names, for tools */
enum {
    OSC_EVENTS_NAMES, /* number of names, bits 0..15; of kinds, 16..31 */
    OSC_EVENTS_CLIPS, /* number of clips with events, bits 0..15; of marks, 16..31 */
    OSC_EVENTS_HEADER_WORDS
};
enum { OSC_EVENT_KIND_NAME, OSC_EVENT_KIND_VALUE, OSC_EVENT_KIND_WORDS };
#define OSC_EVENT_CLIP_SHIFT 16u /* of the clip; below it the end of its marks */
enum {
    OSC_EVENT_POSITION_Q11,
    OSC_EVENT_WHAT, /* kind, bits 0..13; what happens, 14..15; the span's other mark, 16..31 */
    OSC_EVENT_WORDS
};
#define OSC_EVENTS_PER_FRAME 32u /* most marks in a frame: what a step passes is bounded */
#define OSC_EVENT_KIND_MASK 0x3fffu
#define OSC_EVENT_PHASE_SHIFT 14u
#define OSC_EVENT_PHASE_MASK 3u
#define OSC_EVENT_OTHER_SHIFT 16u

/* ROOT: the number of clips with a trajectory, an entry for each, and their numbers */
enum {
    OSC_TRAJECTORY_FORM,    /* components, bits 0..3; shifts of keys; the clip, bits 16..31 */
    OSC_TRAJECTORY_COUNTS,  /* segments, bits 0..13; start, 14; wide, 15; multiple, 16..23 */
    OSC_TRAJECTORY_INVERSE, /* of the clip's length */
    OSC_TRAJECTORY_PLACE,   /* of its numbers, in words from the start of the section */
    OSC_TRAJECTORY_WORDS
};
#define OSC_TRAJECTORY_X 1u
#define OSC_TRAJECTORY_Y 2u
#define OSC_TRAJECTORY_Z 4u
#define OSC_TRAJECTORY_YAW 8u
#define OSC_TRAJECTORY_COMPONENTS 4u
#define OSC_TRAJECTORY_SHIFT_SHIFT 4u     /* of keys of positions */
#define OSC_TRAJECTORY_YAW_SHIFT_SHIFT 8u /* of keys of the yaw */
#define OSC_TRAJECTORY_SHIFT_MASK 15u
#define OSC_TRAJECTORY_RESERVED_MASK 0xf000u
#define OSC_TRAJECTORY_CLIP_SHIFT 16u
#define OSC_TRAJECTORY_SEGMENTS_MASK 0x3fffu
#define OSC_TRAJECTORY_HAS_START 0x4000u
#define OSC_TRAJECTORY_WIDE 0x8000u       /* keys of 16 bits */
#define OSC_TRAJECTORY_MULTIPLE_SHIFT 16u /* frames of the clip in one of the trajectory */
#define OSC_TRAJECTORY_MORE_KEYS 3u       /* than segments: at both ends, and one beyond each */

/* GRPH: a header, the parameters (triggers first, then numbers with a slew), the machines, the
 * states, the members of blends, their marks, the triangles of blends by two numbers, the
 * transitions in the order of the file, the list of those that leave each state (two a word), the
 * watches, the conditions, the waits (the trigger, bits 0..7, for which a machine waits, 8..15; in
 * the order of the machines), the masks (the weight of each joint, Q15, two a word), the choices,
 * the looks, the limbs, the groups, and the names, for tools */
enum {
    OSC_GRAPH_PARAMETERS, /* number, bits 0..7; of triggers, 8..15; of slewed numbers, 16..23; of
                             points, 24..31 */
    OSC_GRAPH_MACHINES, /* number, bits 0..7; of waits, 8..15; of masks, 16..23; of looks, 24..31 */
    OSC_GRAPH_STATES,   /* number, bits 0..15; of transitions, 16..31 */
    OSC_GRAPH_MEMBERS,  /* number, bits 0..15; of sync records, 16..31 */
    OSC_GRAPH_LISTS,    /* entries of the list, bits 0..15; watches, 16..31 */
    OSC_GRAPH_ATOMS,    /* words of conditions, bits 0..15; groups, 16..31 */
    OSC_GRAPH_NEEDS,    /* OSC_GRAPH_NEEDS_.., bits 0..15; events of a step, 16..31 */
    OSC_GRAPH_LONGEST_US, /* the longest step */
    OSC_GRAPH_TRIANGLES,  /* number, bits 0..15 */
    OSC_GRAPH_LAYOUT_CRC, /* of what generated code depends on: kinds, groups, names */
    OSC_GRAPH_EXTRAS,     /* number of limbs, bits 0..7; of choices, 8..15 */
    OSC_GRAPH_HEADER_WORDS
};
#define OSC_GRAPH_NEEDS_INERTIA 1u
#define OSC_GRAPH_NEEDS_BLENDS 2u
#define OSC_GRAPH_NEEDS_LAYERS 4u
#define OSC_GRAPH_NEEDS_ADDITIVE 8u
#define OSC_GRAPH_NEEDS_PLANES 16u /* blends by two numbers */
#define OSC_GRAPH_NEEDS_FADES 32u
#define OSC_GRAPH_NEEDS_MIRROR 64u /* clips are mirror images */
#define OSC_GRAPH_NEEDS_POOL 128u  /* generated code plays from a row pool */
#define OSC_GRAPH_NEEDS_STEPS 256u
#define OSC_GRAPH_NEEDS_POSITIONS 512u
#define OSC_GRAPH_MOST_PARAMETERS 64u
#define OSC_GRAPH_MOST_TRIGGERS 32u
#define OSC_GRAPH_MOST_MACHINES 8u
#define OSC_GRAPH_MOST_WAITS 64u
#define OSC_GRAPH_MOST_MASKS 8u
#define OSC_GRAPH_MOST_POINTS 8u
#define OSC_GRAPH_MOST_LOOKS 8u
#define OSC_GRAPH_MOST_LIMBS 8u
#define OSC_GRAPH_MOST_CHOICES 64u
#define OSC_GRAPH_MOST_STATES 255u
#define OSC_GRAPH_MOST_TRANSITIONS 1024u
#define OSC_GRAPH_MOST_WATCHES 64u /* of a state */
#define OSC_GRAPH_MOST_EVENTS 255u /* of a step */
#define OSC_GRAPH_MOST_SYNC_MARKS 8u
#define OSC_GRAPH_LONGEST_MOST_US 1000000u
#define OSC_GRAPH_TIME_MOST_US 0x3fffffffu /* of a watch, a hold and a trigger: 18 minutes */
enum {
    OSC_GRAPH_PARAMETER_KIND, /* OSC_GRAPH_TRIGGER.., bits 0..7; slew in microseconds, 8..31 */
    OSC_GRAPH_PARAMETER_LEAST,
    OSC_GRAPH_PARAMETER_MOST, /* of a trigger the time that it waits, in microseconds; of a point 1
                                 if it is in the world, not in model space */
    OSC_GRAPH_PARAMETER_DEFAULT,
    OSC_GRAPH_PARAMETER_WORDS
};
enum {
    OSC_GRAPH_TRIGGER,
    OSC_GRAPH_FLAG,
    OSC_GRAPH_CHOICE,
    OSC_GRAPH_NUMBER,
    OSC_GRAPH_POINT /* these come last; three values each, x y z */
};
#define OSC_GRAPH_SLEW_SHIFT 8u
#define OSC_GRAPH_WAITS_FOREVER 0xffffffffu
/* A machine: the base, then layers, whose states follow one another. */
enum {
    OSC_GRAPH_MACHINE_STATES, /* the first, bits 0..7; number, 8..15; the one that is entered first,
                                 16..23; players, 24..31 */
    OSC_GRAPH_MACHINE_KIND,   /* OSC_GRAPH_MACHINE_.. flags, bits 0..7; the mask, 8..15, or
                                 OSC_GRAPH_NO_MASK; the parameter that is its weight, 16..23, or
                                 OSC_GRAPH_NO_PARAMETER */
    OSC_GRAPH_MACHINE_WEIGHT, /* Q15, without a parameter */
    OSC_GRAPH_MACHINE_FADE_US,
    OSC_GRAPH_MACHINE_WHILE, /* a condition: the number of its first word, or OSC_GRAPH_ANYTIME */
    OSC_GRAPH_MACHINE_WORDS
};
#define OSC_GRAPH_MACHINE_INERTIA 1u  /* needs memory for the poses that were shown */
#define OSC_GRAPH_MACHINE_ADDITIVE 2u /* adds differences */
#define OSC_GRAPH_MACHINE_BLENDS 4u
#define OSC_GRAPH_MACHINE_PLANES 8u /* blends by two numbers */
#define OSC_GRAPH_MACHINE_FADES 16u /* two states play together; needs the memory, too */
#define OSC_GRAPH_NO_MASK 0xffu
#define OSC_GRAPH_ANYTIME 0xffffffffu
enum {
    OSC_GRAPH_STATE_CLIP,  /* clip, bits 0..15; number of the parameter that is its speed, 16..23,
                              or OSC_GRAPH_NO_PARAMETER; OSC_GRAPH_STATE_.. flags, 24..31. Of a
                              blend by two numbers the first of its triangles, and the parameter
                              of y */
    OSC_GRAPH_STATE_LOOPS, /* as osc_playback.loops_left, at least 1 */
    OSC_GRAPH_STATE_SPEED, /* Q16, without a parameter */
    OSC_GRAPH_STATE_LIST,  /* first entry of its transitions, bits 0..15; number, 16..31 */
    OSC_GRAPH_STATE_WATCH, /* first of its watches, bits 0..15; positions, 16..23; times, 24..31 */
    OSC_GRAPH_STATE_BLEND, /* 0 for one clip; otherwise the number of members, bits 0..7; the
                              parameter that blends them, 8..15; the first of them, 16..31. Of a
                              blend by two numbers, the parameter is that of x */
    OSC_GRAPH_STATE_WORDS
};
#define OSC_GRAPH_STATE_NOTHING 1u  /* plays nothing, in a layer; clip 0 */
#define OSC_GRAPH_STATE_ONE_SHOT 2u /* its layer has faded out when the clip ends */
#define OSC_GRAPH_STATE_POSITION 4u /* the parameter is where it is in its clip, not its speed */
#define OSC_GRAPH_BLEND_MOST_MEMBERS 16u
#define OSC_GRAPH_BLEND_MOST_TRIANGLES 27u
#define OSC_GRAPH_PLANE_ONE 0x4000u /* the range of a number, in coordinates of a blend by two */
#define OSC_GRAPH_KNEE_Q15 512u     /* smaller weights of a blend are 0 */
/* a member of a blend; of a blend by one number, in its order */
enum {
    OSC_GRAPH_MEMBER_CLIP,   /* clip, bits 0..15; its sync record, 16..31 */
    OSC_GRAPH_MEMBER_AT,     /* where the parameter shows only this member. Of a blend by two
                                numbers x, bits 0..15, and y, 16..31, Q14 of the ranges */
    OSC_GRAPH_MEMBER_STRIDE, /* metres along z from mark to mark, Q20; 0: the clip's trajectory */
    OSC_GRAPH_MEMBER_WORDS
};
enum { /* the marks of a clip, as in osc_sync_clip */
       OSC_GRAPH_SYNC_END_Q11,
       OSC_GRAPH_SYNC_FRAME_US,
       OSC_GRAPH_SYNC_COUNT,
       OSC_GRAPH_SYNC_MARKS_Q11 /* OSC_GRAPH_MOST_SYNC_MARKS of them */
};
#define OSC_GRAPH_SYNC_WORDS 11u
/* A triangle of a blend by two numbers: its corners, counter-clockwise, as numbers of members of
 * the state, bits 0..7, 8..15, 16..23; flags. HULL: no other triangle has the edge opposite to the
 * first corner; the next two bits: of the other corners. */
#define OSC_GRAPH_TRIANGLE_HULL 0x01000000u
#define OSC_GRAPH_TRIANGLE_LAST 0x08000000u /* of its state */
#define OSC_GRAPH_TRIANGLE_UNKNOWN 0xf0000000u
#define OSC_GRAPH_NO_PARAMETER 0xffu
enum {
    OSC_GRAPH_TRANSITION_TARGET, /* state, bits 0..7; kind, 8..15; condition, 16..31: the number of
                                    its first word */
    OSC_GRAPH_TRANSITION_OVER_US,
    OSC_GRAPH_TRANSITION_START_Q11, /* the position at which the target begins */
    OSC_GRAPH_TRANSITION_HOLD_US,
    OSC_GRAPH_TRANSITION_WORDS
};
enum { /* kinds of transitions */
       OSC_GRAPH_INERTIA,
       OSC_GRAPH_CUT,
       OSC_GRAPH_FADE,
       OSC_GRAPH_STEP /* a fade between blends that share a phase */
};
/* A choice: states that follow one another, of which one is entered instead of the first. */
enum {
    OSC_GRAPH_CHOICE_STATES, /* the first, bits 0..7; number, 8..15; 0, or 1 + the flag that chooses
                                the second, 16..31 */
    OSC_GRAPH_CHOICE_WEIGHTS /* a byte for each state; if all are 0, the states take turns. The
                                words below are numbers */
};
#define OSC_GRAPH_CHOICE_WORDS 5u
#define OSC_GRAPH_CHOICE_MOST_STATES 16u
/* A look: a chain of joints that turns to a point, as in osc_ik_aim. Cosines are those of angles
 * from the direction of the eyes, signed. */
enum {
    OSC_GRAPH_LOOK_KIND,   /* the point, bits 0..7; the parameter that is its weight, 8..15, or
                              OSC_GRAPH_NO_PARAMETER; joints, 16..23 */
    OSC_GRAPH_LOOK_WEIGHT, /* Q15, without a parameter */
    OSC_GRAPH_LOOK_FADE_US,
    OSC_GRAPH_LOOK_LAG_US,
    OSC_GRAPH_LOOK_FORWARD /* x y z, Q20; the words below are numbers */
};
#define OSC_GRAPH_LOOK_UP 7u          /* x y z, Q20 */
#define OSC_GRAPH_LOOK_EYES 10u       /* x y z, Q20 */
#define OSC_GRAPH_LOOK_WITHIN_Q20 13u /* cosine within which it turns towards the point */
#define OSC_GRAPH_LOOK_BEYOND_Q20 14u /* and beyond which it turns away */
#define OSC_GRAPH_LOOK_LINKS 15u      /* two words each: joint, bits 0..15, weight, 16..31; limit */
#define OSC_GRAPH_LOOK_WORDS 31u
#define OSC_GRAPH_MOST_LINKS 8u
/* A limb: three joints as in osc_ik_two_bone, whose end reaches for a point, or stays where it was
 * when a span of the base began. */
enum {
    OSC_GRAPH_LIMB_KIND,   /* the point, bits 0..7, or OSC_GRAPH_NO_PARAMETER for a span; the
                              parameter that is its weight, 8..15, and the point to which the
                              middle joint bends, 16..23, or OSC_GRAPH_NO_PARAMETER */
    OSC_GRAPH_LIMB_SPAN,   /* name of the event */
    OSC_GRAPH_LIMB_JOINTS, /* the start, bits 0..15; the middle, 16..31 */
    OSC_GRAPH_LIMB_END,    /* the end, bits 0..15; soften, Q15, 16..31 */
    OSC_GRAPH_LIMB_WEIGHT, /* Q15, without a parameter */
    OSC_GRAPH_LIMB_FADE_US,
    OSC_GRAPH_LIMB_MOST_Q20, /* the distance at which the end no longer stays, metres */
    OSC_GRAPH_LIMB_AXIS /* about which the middle joint bends: x, y, z, Q20; the words below are
                           numbers */
};
#define OSC_GRAPH_LIMB_WORDS 10u
/* An atom: operation, bits 0..7; flags, 8..15; argument, 16..31. Those marked + have a number in
 * the next word. */
enum {
    OSC_GRAPH_ALWAYS,
    OSC_GRAPH_WAITS,    /* the trigger is pending; argument: number of the wait */
    OSC_GRAPH_IS_SET,   /* the flag is not 0 */
    OSC_GRAPH_AT_LEAST, /* + the parameter, signed */
    OSC_GRAPH_EQUALS,   /* + the parameter */
    OSC_GRAPH_FINISHED, /* the clip has ended */
    OSC_GRAPH_AFTER,    /* + microseconds since the entry */
    OSC_GRAPH_AT,       /* the clock has just reached a mark; argument: name of the event */
    OSC_GRAPH_INSIDE,   /* a span of this event */
    OSC_GRAPH_IN,       /* an earlier machine is in one of these states; argument: the first, bits
                           0..7; number, 8..15 */
    OSC_GRAPH_ATOM_KINDS
};
#define OSC_GRAPH_ATOM_NOT 0x100u  /* the opposite; not of WAITS and AT */
#define OSC_GRAPH_ATOM_OR 0x200u   /* ends a clause: another one follows */
#define OSC_GRAPH_ATOM_LAST 0x400u /* ends the condition */
#define OSC_GRAPH_CLAUSE_MOST_ATOMS 8u
#define OSC_GRAPH_MOST_CLAUSES 8u

/* CLIP: the number of rates, the rates, the clips */
enum { OSC_RATE_Q16, OSC_RATE_POSITION_PER_US_Q32, OSC_RATE_WORDS };
#define OSC_MAX_RATES 64u
enum {
    OSC_CLIP_NAME_HASH,
    OSC_CLIP_SHAPE, /* frames less one, bits 0..19; codec, 20..23; restarts, 24..28; additive;
                       layer; loop */
    OSC_CLIP_PLACE, /* offset in words within DATA, bits 0..25; number of the rate, bits 26..31 */
    OSC_CLIP_ENTRY_WORDS
};
#define OSC_CLIP_LAST_FRAME_MASK 0xfffffu
#define OSC_CLIP_CODEC_SHIFT 20u
#define OSC_CLIP_CODEC_MASK 0xfu
#define OSC_CLIP_RESTART_SHIFT 24u /* log2 of the frames between restart points */
#define OSC_CLIP_RESTART_MASK 0x1fu
#define OSC_CLIP_ADDITIVE 0x20000000u
#define OSC_CLIP_LAYER 0x40000000u
#define OSC_CLIP_LOOP 0x80000000u
#define OSC_CLIP_OFFSET_MASK 0x3ffffffu
#define OSC_CLIP_RATE_SHIFT 26u
#define OSC_CODEC_BASE_ROW 0u /* not a codec: the entry of what reads the base row */
#define OSC_CODEC_DELTA 1u
#define OSC_CODEC_CURVE 2u
#define OSC_CODEC_TRANSFORM 3u
#define OSC_CODEC_VELOCITY 4u
#define OSC_CODEC_SPARSE 5u
#define OSC_CODEC_DENSE 6u
#define OSC_CODEC_LAST OSC_CODEC_DENSE
#define OSC_CODEC_COUNT (OSC_CODEC_LAST + 1u) /* entries of a table by number */

/* a clip's data begins with one word: bits of track headers; breaks */
#define OSC_DATA_HEADER_MASK 0x3ffffu
#define OSC_DATA_BREAKS_SHIFT 18u
#define OSC_MAX_BREAKS 0x3fffu

/* break: frame, bits 12..31; subtrack, bits 0..11 */
#define OSC_BREAK_SUBTRACK_MASK 0xfffu
#define OSC_BREAK_FRAME_SHIFT 12u

/* track record of the delta codec */
#define OSC_TRACK_SHIFT(record) ((record)&31u)
#define OSC_TRACK_PACKING(record) (((record) >> 5) & 7u)
#define OSC_TRACK_LINEAR_BIT (1u << 8)
#define OSC_TRACK_LINEAR(record) (((record) >> 8) & 1u)
#define OSC_TRACK_RICE(record, component) (((record) >> (9u + 4u * (component))) & 15u)
#define OSC_TRACK_WIDTH(record) ((((record) >> 21) & 31u) + 1u)
#define OSC_TRACK_GAP(record) ((record) >> 26)
#define OSC_PACKING_MOVING 4u /* the dropped component follows the largest one */
#define OSC_PACKING_VECTOR 5u
#define OSC_PACKING_SKIP 6u /* no track: only the gap counts */
#define OSC_RICE_ZERO 15u   /* the component's residual is always zero */
#define OSC_RICE_ESCAPE 15u /* this many ones: 32 plain bits follow */
#define OSC_ROTATION_SHIFT_MAX 20u

/* track headers of the curve codec */
#define OSC_TRACK_COUNT_BITS 12u
#define OSC_TRACK_GAP_RICE 0u /* of the subtracks passed over before a track */
#define OSC_CURVE_SHIFT_MAX 15u
#define OSC_CURVE_SHIFT_FIRST 8u   /* before the first track's shift */
#define OSC_CURVE_PACKING_USUAL 3u /* has the shortest code */
#define OSC_CURVE_PACKING_RICE 1u
#define OSC_CURVE_WIDTH_RICE 2u
#define OSC_CURVE_VECTOR_WIDTH 16u   /* of a plain key, with the shortest code */
#define OSC_CURVE_ABSENT 3u          /* coarsening of a component that is always zero */
#define OSC_CURVE_ROTATION_WIDTH 22u /* of a plain key with shift 0 */
#define OSC_CURVE_BASE_SHIFT 6u      /* of the base row's numbers, to Q20 */
#define OSC_CURVE_BASE_BITS 17u      /* parameter of a rotation's first keys with shift 0 */
#define OSC_CURVE_DENSE 0u           /* a key on every frame */
#define OSC_CURVE_LINEAR 1u
#define OSC_CURVE_CUBIC 2u   /* tangents from the keys */
#define OSC_CURVE_HERMITE 3u /* tangents of their own */
#define OSC_CURVE_FOUR 12u   /* packing: all four components; the largest is rebuilt */
#define OSC_CURVE_VECTOR 13u /* packing of translations and scales */

/* the transform codec */
#define OSC_TRANSFORM_FRAMES 8u      /* of a segment; it shares its ends with its neighbours */
#define OSC_TRANSFORM_FOUR 12u       /* packing: all four components, normalised */
#define OSC_TRANSFORM_VECTOR 13u     /* packing of translations and scales */
#define OSC_TRANSFORM_ALWAYS 0u      /* modes for the number of coefficients: always the most */
#define OSC_TRANSFORM_UP 1u          /* that many ones */
#define OSC_TRANSFORM_DOWN 2u        /* the most, less that many ones */
#define OSC_TRANSFORM_PLAIN 3u       /* three bits */
#define OSC_TRANSFORM_FIRST_WIDTH 9u /* the first track's numbers are coded relative to these */
#define OSC_TRANSFORM_FIRST_GRID 2u  /* less one */
#define OSC_TRANSFORM_FIRST_STEP 44u
#define OSC_TRANSFORM_FIRST_K 3u

/* the constants that follow the track headers in a clip's stream */
#define OSC_CONSTANT_COUNT_RICE 3u      /* how many */
#define OSC_CONSTANT_GAP_RICE 2u        /* subtracks passed over before each */
#define OSC_CONSTANT_ROTATION_WIDTH 21u /* for shift 0; the largest is not stored */

#endif
