/* Transitions: from the pose that was shown last to another clip, without a second player.
 *
 * At the switch, the offset of every moving joint from the new clip's pose is taken, and the speed
 * at which the joint moved. Both fade over a stated time while the new clip plays
 * ("inertialization", David Bollo, GDC 2018): the pose neither jumps nor stops, and ends exactly on
 * the new clip.
 *
 *     osc_transition_init(&transition, &bank, memory, HERO_TRANSITION_WORDS);
 *
 *     // a switch: the new clip's pose at the moment of the last tick
 *     osc_player_play(&hero.player, &playback, HERO_CLIP_RUN, OSC_LOOPS_AS_MADE);
 *     hero_evaluate(&hero, &pose);
 *     osc_transition_begin(&transition, &view, 200000);
 *
 *     // every tick, also without a transition
 *     osc_player_advance(&hero.player, &playback, elapsed_us);
 *     hero_evaluate(&hero, &pose);
 *     osc_transition_apply(&transition, &view, elapsed_us); // view: hero_pose_view(&pose)
 *
 * A switch during a transition starts from the pose that is shown, and so never jumps.
 *
 * Two other ways need no more than a blend of poses: a frozen fade blends from a copy of the last
 * pose, whose weight falls to 0; a cross-fade blends from a second player that plays on. They cost
 * a pose of RAM, or a player and the decoding of two clips, and a frozen fade stops the motion.
 */
#ifndef OSC_TRANSITION_H
#define OSC_TRANSITION_H

#include "ossicle.h"

#ifdef __cplusplus
extern "C" {
#endif

/* RAM, in words of four bytes, for each moving sub-track: an offset and a speed of three 16-bit
 * numbers each, and the last two poses that were shown. Two whole poses would take 8 and 6 words
 * for each joint, moving or not, beside the 3 words of an offset. */
#define OSC_TRANSITION_ROTATION_WORDS 7u
#define OSC_TRANSITION_VECTOR_WORDS 9u

/* The words of a bank with so many rotation sub-tracks, and translation and scale sub-tracks. */
#define OSC_TRANSITION_WORDS(rotations, vectors)                                                   \
    (OSC_TRANSITION_ROTATION_WORDS * (rotations) + OSC_TRANSITION_VECTOR_WORDS * (vectors))

#define OSC_TRANSITION_MAX_US 0xffffffu /* 16.7 seconds */

/* A transition. All fields are private. It may not be moved apart from its memory; a copy shares
 * the memory of the original. */
typedef struct osc_transition {
    const osc_bank *bank;
    uint32_t *memory;
    uint32_t duration_us; /* 0: none under way */
    uint32_t elapsed_us;
    uint32_t per_us_q32; /* 1 / duration */
    uint32_t step_us;    /* between the two poses that are kept */
    uint8_t kept;        /* poses, 0..2 */
    uint8_t newest;      /* the slot of the last one, 0 or 1 */
} osc_transition;

/* The words of memory that transitions of this bank need. */
uint32_t osc_transition_memory_words(const osc_bank *bank);

/* Binds a transition to a bank and to the caller's memory; both must outlive it. No pose has been
 * shown yet: call it again where a character appears elsewhere, and must not move there.
 * Errors: OSC_ERROR_MEMORY when memory_words < osc_transition_memory_words(bank). */
int32_t osc_transition_init(osc_transition *transition, const osc_bank *bank, uint32_t *memory,
                            size_t memory_words);

/* Begins a transition from the last shown pose to a clip, also during another one.
 *
 * pose: the pose of the new clip at the moment of the last osc_transition_apply; it is only read.
 * duration_us: until the pose is the new clip's, at most OSC_TRANSITION_MAX_US, which it is held
 * at; 0 ends a transition. Without a pose that was shown, nothing begins.
 *
 * Format: offsets of rotations in Q15, the shorter way round; of translations and scales in Q13,
 * held at +-4 m, beyond which the pose jumps. Speeds come from the last two shown poses, as if the
 * new clip stood still. They are limited in each component: an offset never changes its sign, and
 * grows by at most 37 %, and not at all where it is a turn by more than 90 degrees.
 * Rounding: the pose moves by at most OSC_TRANSITION_JUMP_Q15 in each component of a rotation, and
 * by 2^-14 m. Turns of more than 178.2 degrees begin as turns by that.
 * Cost: two 32-bit divisions, and two for each rotation; five to seven ticks. */
void osc_transition_begin(osc_transition *transition, const osc_pose *pose, uint32_t duration_us);

#define OSC_TRANSITION_JUMP_Q15 4

/* One tick: moves the transition on, adds what is left of its offsets to the new clip's pose, and
 * keeps the pose, which the game shows, for the next transition.
 *
 * pose: of the new clip, all joints; only moving sub-tracks are written, and none once the
 * transition has ended. elapsed_us: since the last call. Returns whether the transition goes on.
 * Format: local pose in Q20. Rotations keep their length to within 2^-13, and 3 * 2^-14
 * for turns of more than 176 degrees. Results modulo 2^32.
 * Rounding: down, to 2^-13 m, and to 2^-15 of a rotation's component. An offset of 0 leaves the
 * pose as it is.
 * Cost: for a rotation 28 products of 16 bits, 195 instructions on a Cortex-M0, 83 on a Cortex-M4
 * and 38 with SSE4.1; for a vector 6 products; independent of the data. Without a transition: a
 * copy of the pose in 16-bit numbers. */
bool osc_transition_apply(osc_transition *transition, const osc_pose *pose, uint32_t elapsed_us);

/* Whether a transition is under way. */
static inline bool osc_transition_active(const osc_transition *transition)
{
    return transition->duration_us != 0u;
}

#ifdef __cplusplus
}
#endif

#endif
