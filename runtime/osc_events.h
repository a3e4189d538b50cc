/* Ossicle: events. A clip may have named marks at positions: a foot touches the ground, a hit
 * counts from here to there. A game asks which of them a step of its clock has passed:
 *
 *     osc_player_seek_q11(&player.player, osc_playback_step(&clock, elapsed_us, &step));
 *     osc_event_walk walk = osc_events_passed(&events, HERO_CLIP_WALK, &step);
 *     for (osc_event event; osc_event_next(&walk, &event);)
 *         if (event.name == HERO_EVENT_FOOTSTEP_LEFT)
 *             play_sound(event.value);
 *
 * Each event is given exactly once, in playing order, whatever the step size, forward
 * and backward, over any number of loops. A clip's marks are found by binary search; frames do not
 * count. Events are an optional part of a bank (SPEC.md section 21): osc_events_open finds them. An
 * embedded bank has them as a constant, hero_events, which needs neither a call nor RAM. */
#ifndef OSC_EVENTS_H
#define OSC_EVENTS_H

#include "osc_step.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The events of a bank: pointers into its words. All fields are private. */
typedef struct osc_events {
    const osc_bank *bank;
    const uint32_t *names, *kinds, *clips, *marks;
    uint16_t name_count, kind_count, clip_count, mark_count;
} osc_events;

/* Checks the events of an open bank completely and fills `events`; nothing is checked again. The
 * bank must outlive it. Errors: OSC_ERROR_NOT_FOUND for a bank without events, OSC_ERROR_SECTION
 * when they contradict themselves; `events` is then as for a bank without events, which has none
 * to give. Cost: one pass over the events. */
int32_t osc_events_open(osc_events *events, const osc_bank *bank);

/* The number of the event with this name hash (osc_name_hash), as events give it, or
 * OSC_ERROR_NOT_FOUND. The enumeration of a generated header has the numbers of its own bank; a
 * game with several banks of one skeleton looks names up. Cost: linear in the number of names. */
int32_t osc_event_find(const osc_events *events, uint32_t name_hash);

typedef enum osc_event_phase {
    OSC_EVENT_ONCE,  /* an event that has no length */
    OSC_EVENT_BEGIN, /* a span begins here; backward, it is left */
    OSC_EVENT_END    /* a span ends here; backward, it is entered */
} osc_event_phase;

/* An event as it was passed. */
typedef struct osc_event {
    uint32_t name;         /* HERO_EVENT_.. */
    int32_t value;         /* as the file has it, 0 where it has none */
    uint32_t position_q11; /* in the clip */
    uint32_t other_q11;    /* of a span: where it ends, or, at its end, where it begins */
    osc_event_phase phase;
    bool inside; /* of a span: whether it is entered here, not left */
} osc_event;

/* The events of a step that are still to be given. All fields are private. */
typedef struct osc_event_walk {
    const osc_events *events;
    const uint32_t *marks; /* of the clip */
    uint32_t mark_count;
    uint32_t next, stop; /* forward, marks next .. stop - 1 remain; backward, next - 1 .. stop */
    uint32_t last_stop;  /* in the last loop of the step */
    uint32_t wraps_left;
    bool backward;
} osc_event_walk;

/* Begins to enumerate the events of a clip that a step has passed. clip: any number; a clip
 * without events, or that the bank does not have, gives none. Range: any step; at most
 * OSC_STEP_MOST_LOOPS loops count. A step gives at most 32 marks for each frame that it passes or
 * begins, and 32 more for each loop. Cost: three binary searches, of the clip and of both ends. */
osc_event_walk osc_events_passed(const osc_events *events, uint32_t clip, const osc_step *step);

/* Gives the next event. Returns false when there is none; `event` is then as before. Cost: the same
 * for every event. */
bool osc_event_next(osc_event_walk *walk, osc_event *event);

/* The spans around a position that are still to be given. All fields are private. */
typedef struct osc_event_spans {
    const osc_events *events;
    const uint32_t *marks;
    uint32_t mark_count, next;
    uint32_t position_q11;
} osc_event_spans;

/* Begins to enumerate the spans of a clip that contain a position, in the order of their
 * beginnings. A span contains its first position and not its last. One that begins near the end of
 * a loop and ends in the next one contains what is behind its beginning or before its end. Cost:
 * one binary search. */
osc_event_spans osc_events_around(const osc_events *events, uint32_t clip, uint32_t position_q11);

/* Gives the next span, as its beginning. Returns false when there is none; `event` is then as
 * before. Cost: linear in the clip's marks for all spans together. */
bool osc_event_next_span(osc_event_spans *spans, osc_event *event);

/* Whether a span of this name contains a position of the clip. Cost: linear in the clip's marks. */
bool osc_event_is_inside(const osc_events *events, uint32_t clip, uint32_t position_q11,
                         uint32_t name);

#ifdef __cplusplus
}
#endif

#endif
