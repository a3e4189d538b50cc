/* Events: every mark of a clip is passed exactly once, in playing order, whatever the step size,
 * and a damaged section is refused. */
#include "bank/osc_format.h"
#include "bank_tools.h"
#include "check.h"
#include "osc_motion.h"
#include "sample_banks.h"

#include <stdlib.h>
#include <string.h>

#define TAG 0x544e5645u
#define WALK_END (8u << 11)
#define JUMP_END (5u << 11)

enum {
    NAMES = 3,
    MOST_MARKS = 24,
    MOST_WORDS = 2 + NAMES + 2 * 2 * NAMES + 2 + 4 * MOST_MARKS,
    MOST_PASSED = 1 << 16
};

typedef struct mark {
    uint32_t position, kind, phase, other;
} mark;

typedef struct fixture {
    test_bank words;
    osc_bank bank;
    osc_events events;
    mark marks[2][MOST_MARKS];
    uint32_t counts[2];
} fixture;

static int by_position(const void *a, const void *b)
{
    const mark *left = a, *right = b;
    if (left->position != right->position)
        return left->position < right->position ? -1 : 1;
    return (left->other > right->other) - (left->other < right->other);
}

/* Marks at random positions, at both ends and in the same place; some are spans, also round a
 * loop's end. `other` tells pairs apart until the marks are in order. */
static void make_marks(mark *marks, uint32_t *count, uint32_t end, uint64_t *seed)
{
    uint32_t made = 0;
    while (made + 2u <= MOST_MARKS && (random_u32(seed) & 15u) != 0u) {
        uint32_t choice = random_u32(seed), at = random_u32(seed) % (end + 1u);
        if ((choice & 3u) == 0u)
            at = (choice & 4u) != 0u ? end : 0u;
        mark one = {at, random_u32(seed) % (2u * NAMES), OSC_EVENT_ONCE, 1000u + made};
        marks[made++] = one;
        if ((choice & 24u) == 0u) {
            marks[made - 1u].phase = OSC_EVENT_BEGIN;
            one.phase = OSC_EVENT_END;
            one.position = random_u32(seed) % (end + 1u);
            marks[made++] = one;
        }
    }
    qsort(marks, made, sizeof marks[0], by_position);
    for (uint32_t i = 0; i < made; i++)
        for (uint32_t j = 0; j < i; j++)
            if (marks[i].other == marks[j].other) {
                marks[i].other = j;
                marks[j].other = i;
            }
    for (uint32_t i = 0; i < made; i++)
        if (marks[i].phase == OSC_EVENT_ONCE)
            marks[i].other = 0;
    *count = made;
}

static uint32_t write_section(uint32_t words[MOST_WORDS], const fixture *f)
{
    uint32_t at = 0, end = 0;
    words[at++] = NAMES | 2u * NAMES << 16;
    words[at++] = 2u | (f->counts[0] + f->counts[1]) << 16;
    for (uint32_t i = 0; i < NAMES; i++)
        words[at++] = 0xabc00000u + i;
    for (uint32_t i = 0; i < 2u * NAMES; i++) {
        words[at++] = i % NAMES;
        words[at++] = 7u * i - 9u;
    }
    for (uint32_t clip = 0; clip < 2u; clip++)
        words[at++] = clip << 16 | (end += f->counts[clip]);
    for (uint32_t clip = 0; clip < 2u; clip++)
        for (uint32_t i = 0; i < f->counts[clip]; i++) {
            const mark *one = &f->marks[clip][i];
            words[at++] = one->position;
            words[at++] = one->kind | one->phase << 14 | one->other << 16;
        }
    return at;
}

static void make(fixture *f, uint64_t *seed)
{
    uint32_t words[MOST_WORDS];
    make_marks(f->marks[0], &f->counts[0], WALK_END, seed);
    make_marks(f->marks[1], &f->counts[1], JUMP_END, seed);
    f->words = bank_with_section(sample_walk, TAG, words, write_section(words, f));
    assert_int_equal(bank_open(&f->words, &f->bank), OSC_OK);
    assert_int_equal(osc_events_open(&f->events, &f->bank), OSC_OK);
}

/* The marks that were passed, one after the other. */
typedef struct passed {
    uint32_t marks[MOST_PASSED];
    uint32_t count;
} passed;

static void note(passed *list, uint32_t number)
{
    assert_true(list->count < MOST_PASSED);
    list->marks[list->count++] = number;
}

/* Looks at every mark of one loop's part of a step. */
static void scan(passed *list, const fixture *f, uint32_t clip, uint32_t from, uint32_t to,
                 bool with_from, bool with_to, bool backward)
{
    uint32_t count = f->counts[clip];
    for (uint32_t i = 0; i < count; i++) {
        uint32_t number = backward ? count - 1u - i : i, at = f->marks[clip][number].position;
        bool past_from = backward ? at < from : at > from;
        bool before_to = backward ? at > to : at < to;
        if ((past_from || (with_from && at == from)) && (before_to || (with_to && at == to)))
            note(list, number);
    }
}

static void scan_step(passed *list, const fixture *f, uint32_t clip, const osc_step *step,
                      uint32_t end)
{
    bool backward = osc_step_is_backward(step);
    uint32_t first = backward ? end : 0u, last = backward ? 0u : end, from = step->from_q11;
    if (step->from_q11 == step->to_q11 && step->wraps == 0 && !step->ended)
        return;
    for (int32_t loop = abs(step->wraps); loop > 0; loop--, from = first)
        scan(list, f, clip, from, last, true, true, backward);
    scan(list, f, clip, from, step->to_q11, from != step->to_q11 || step->ended, step->ended,
         backward);
}

static void walk_step(passed *list, const fixture *f, uint32_t clip, const osc_step *step)
{
    osc_event_walk walk = osc_events_passed(&f->events, clip, step);
    bool backward = osc_step_is_backward(step);
    for (osc_event event; osc_event_next(&walk, &event);) {
        uint32_t number = (uint32_t)(walk.backward ? walk.next : walk.next - 1u);
        const mark *one = &f->marks[clip][number];
        assert_int_equal(event.name, one->kind % NAMES);
        assert_int_equal(event.value, 7 * (int32_t)one->kind - 9);
        assert_int_equal(event.position_q11, one->position);
        assert_int_equal(event.phase, one->phase);
        assert_int_equal(event.inside, one->phase == (backward ? OSC_EVENT_END : OSC_EVENT_BEGIN));
        uint32_t other = one->phase == OSC_EVENT_ONCE ? number : one->other;
        assert_int_equal(event.other_q11, f->marks[clip][other].position);
        note(list, number);
    }
    osc_event untouched = {.name = 77};
    assert_false(osc_event_next(&walk, &untouched));
    assert_int_equal(untouched.name, 77);
}

static void assert_same(const passed *a, const passed *b)
{
    assert_int_equal(a->count, b->count);
    assert_memory_equal(a->marks, b->marks, a->count * sizeof a->marks[0]);
}

/* A clock passes the same marks as a search of all of them; in one direction each mark is passed as
 * often as the clock was there. */
static void clocks_pass_every_mark_once(void **state)
{
    uint64_t seed = 11;
    (void)state;
    for (uint32_t run = 0; run < 400u; run++) {
        fixture f;
        osc_clip_info info;
        osc_playback clock;
        make(&f, &seed);
        uint32_t clip = run & 1u, end = clip == 0u ? WALK_END : JUMP_END, wraps = 0;
        (void)osc_clip_describe(&f.bank, clip, &info);
        uint32_t loops = (run & 2u) != 0u ? OSC_LOOPS_FOREVER : 1u + random_u32(&seed) % 5u;
        bool backward = (run & 4u) != 0u;
        osc_playback_start(&clock, &info, loops);
        clock.speed_q16 = (int32_t)(random_u32(&seed) >> 12 | 1u);
        if (backward) {
            clock.speed_q16 = -clock.speed_q16;
            clock.position_q11 = end;
        }
        static passed walked, scanned;
        walked.count = scanned.count = 0;
        bool ended = false;
        for (uint32_t i = 0; i < 60u; i++) {
            osc_step step;
            uint32_t elapsed_us = random_u32(&seed) & ((i & 7u) == 0u ? 0xfffffu : 0x3fffu);
            osc_playback twin = clock;
            assert_int_equal(osc_playback_step(&clock, elapsed_us, &step),
                             osc_playback_advance(&twin, elapsed_us));
            assert_memory_equal(&clock, &twin, sizeof clock);
            assert_int_equal(step.to_q11, clock.position_q11);
            assert_false(ended && !osc_step_is_empty(&step));
            ended = ended || step.ended;
            wraps += (uint32_t)abs(step.wraps);
            walk_step(&walked, &f, clip, &step);
            scan_step(&scanned, &f, clip, &step, end);
        }
        assert_same(&walked, &scanned);
        uint64_t rest = backward ? end - clock.position_q11 : clock.position_q11;
        uint64_t length = (uint64_t)wraps * end + rest;
        for (uint32_t number = 0; number < f.counts[clip]; number++) {
            uint32_t at = f.marks[clip][number].position, times = 0, due = 0;
            at = backward ? end - at : at;
            for (uint64_t start = 0; start <= length; start += end)
                due += start + at < length || (at == end && start + at == length) ? 1u : 0u;
            for (uint32_t i = 0; i < walked.count; i++)
                times += walked.marks[i] == number ? 1u : 0u;
            assert_int_equal(times, due);
        }
        bank_free(&f.words);
    }
}

/* Steps that reverse, and jump over many loops: their parts, joined, are the whole. */
static void parts_join_to_the_whole(void **state)
{
    uint64_t seed = 12;
    (void)state;
    for (uint32_t run = 0; run < 3000u; run++) {
        static passed whole, parts;
        fixture f;
        osc_step step;
        make(&f, &seed);
        uint32_t clip = run & 1u, end = clip == 0u ? WALK_END : JUMP_END;
        bool loop = (run & 2u) != 0u;
        int32_t span = (int32_t)end * ((run & 4u) != 0u ? 9 : 2);
        int32_t from = (int32_t)(random_u32(&seed) % (uint32_t)(2 * span)) - span;
        int32_t to = (int32_t)(random_u32(&seed) % (uint32_t)(2 * span)) - span;
        if ((run & 8u) != 0u)
            from -= from % (int32_t)end;
        if ((run & 16u) != 0u)
            to -= to % (int32_t)end;
        whole.count = parts.count = 0;
        osc_step_between(&step, from, to, end, loop);
        walk_step(&whole, &f, clip, &step);
        scan_step(&parts, &f, clip, &step, end);
        assert_same(&whole, &parts);
        parts.count = 0;
        int32_t at = from;
        while (at != to) {
            uint32_t rest = (uint32_t)(to < at ? at - to : to - at);
            uint32_t part =
                1u + random_u32(&seed) % (random_u32(&seed) % 3u ? rest : rest / 8u + 1u);
            part = part > rest ? rest : part;
            int32_t next = to < at ? at - (int32_t)part : at + (int32_t)part;
            osc_step_between(&step, at, next, end, loop);
            walk_step(&parts, &f, clip, &step);
            at = next;
        }
        assert_same(&whole, &parts);
        osc_step_between(&step, to, to, end, loop);
        assert_true(osc_step_is_empty(&step));
        bank_free(&f.words);
    }
}

/* A clock that reverses between steps passes a mark at the point of reversal exactly once. */
static void a_turn_passes_its_place_once(void **state)
{
    uint64_t seed = 13;
    (void)state;
    for (uint32_t run = 0; run < 500u; run++) {
        static passed list;
        fixture f;
        make(&f, &seed);
        osc_step there = {100, 0, 0, false}, back = {0, 100, 0, false};
        uint32_t turn = 101u + random_u32(&seed) % (WALK_END - 200u);
        if (f.counts[0] != 0u && (run & 1u) != 0u)
            turn = f.marks[0][f.counts[0] / 2u].position;
        there.to_q11 = back.from_q11 = turn;
        list.count = 0;
        walk_step(&list, &f, 0, &there);
        walk_step(&list, &f, 0, &back);
        for (uint32_t number = 0; number < f.counts[0]; number++) {
            uint32_t at = f.marks[0][number].position, times = 0, low = turn < 100u ? turn : 100u;
            for (uint32_t i = 0; i < list.count; i++)
                times += list.marks[i] == number ? 1u : 0u;
            uint32_t high = turn < 100u ? 100u : turn;
            uint32_t due = at > low && at < high ? 2u : at == turn || at == 100u ? 1u : 0u;
            assert_int_equal(times, turn == 100u ? 0u : due);
        }
        bank_free(&f.words);
    }
}

static void spans_contain_their_positions(void **state)
{
    uint64_t seed = 14;
    (void)state;
    for (uint32_t run = 0; run < 500u; run++) {
        fixture f;
        make(&f, &seed);
        uint32_t at = random_u32(&seed) % (WALK_END + 1u), found = 0, due = 0, names = 0;
        if (f.counts[0] != 0u && (run & 1u) != 0u)
            at = f.marks[0][random_u32(&seed) % f.counts[0]].position;
        for (uint32_t i = 0; i < f.counts[0]; i++) {
            const mark *one = &f.marks[0][i];
            if (one->phase != OSC_EVENT_BEGIN)
                continue;
            uint32_t end = f.marks[0][one->other].position;
            bool around = one->position < end ? one->position <= at && at < end
                                              : one->position <= at || at < end;
            due += around ? 1u : 0u;
            names |= around ? 1u << one->kind % NAMES : 0u;
        }
        osc_event_spans spans = osc_events_around(&f.events, 0, at);
        for (osc_event event; osc_event_next_span(&spans, &event); found++) {
            assert_int_equal(event.phase, OSC_EVENT_BEGIN);
            assert_true((names >> event.name & 1u) != 0u);
        }
        assert_int_equal(found, due);
        for (uint32_t name = 0; name < NAMES; name++)
            assert_int_equal(osc_event_is_inside(&f.events, 0, at, name), names >> name & 1u);
        bank_free(&f.words);
    }
}

static void banks_without_events_have_none(void **state)
{
    osc_bank bank;
    osc_events events;
    osc_event event;
    (void)state;
    assert_int_equal(osc_bank_open(&bank, sample_walk, sizeof sample_walk), OSC_OK);
    assert_int_equal(osc_events_open(&events, &bank), OSC_ERROR_NOT_FOUND);
    osc_step step = {0, WALK_END, 3, true};
    osc_event_walk walk = osc_events_passed(&events, 0, &step);
    assert_false(osc_event_next(&walk, &event));
    osc_event_spans spans = osc_events_around(&events, 0, 5);
    assert_false(osc_event_next_span(&spans, &event));
    assert_int_equal(osc_event_find(&events, 0xabc00000u), OSC_ERROR_NOT_FOUND);

    uint32_t damaged[64] = {1, 2, 3}; /* does not open: its table is not looked at */
    assert_int_not_equal(osc_bank_open(&bank, damaged, sizeof damaged), OSC_OK);
    assert_int_equal(osc_events_open(&events, &bank), OSC_ERROR_NOT_FOUND);

    test_bank made = bank_with_section(sample_walk, TAG, damaged, 2);
    made.words[4]--; /* the table ends before its entry */
    bank_seal(&made);
    assert_int_equal(bank_open(&made, &bank), OSC_OK);
    assert_int_equal(osc_events_open(&events, &bank), OSC_ERROR_NOT_FOUND);
    bank_free(&made);
}

/* A span of a clip is refused if its marks do not refer to each other; one that ends where it
 * begins is as long as the clip. */
static void spans_of_clips_are_checked(void **state)
{
    enum { CLIPS = 4, BEGINS = OSC_EVENT_BEGIN << 14, ENDS = OSC_EVENT_END << 14 };
    static const struct {
        uint32_t clip, begin, end;
        int32_t status;
    } cases[] = {
        {0, BEGINS | 1 << 16, ENDS, OSC_OK},
        {CLIPS - 1, BEGINS | 1 << 16, ENDS, OSC_OK},
        {CLIPS, BEGINS | 1 << 16, ENDS, OSC_ERROR_SECTION},
        {0, BEGINS | 1 << 16, 0, OSC_ERROR_SECTION},        /* no end */
        {0, BEGINS | 1 << 16, ENDS | 1, OSC_ERROR_SECTION}, /* that of another kind */
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const uint32_t clip = cases[i].clip, entry = clip << 16 | 2u;
        const uint32_t words[] = {
            1u | 2u << 16, 1u | 2u << 16, 0xabcu, 0, 0, 0, 0, entry, 0, cases[i].begin, 0,
            cases[i].end};
        osc_bank bank;
        osc_events events;
        test_bank made = bank_with_section(sample_walk, TAG, words, sizeof words / sizeof *words);
        assert_int_equal(bank_open(&made, &bank), OSC_OK);
        assert_int_equal(bank.clip_count, CLIPS);
        assert_int_equal(osc_events_open(&events, &bank), cases[i].status);
        assert_int_equal(osc_event_is_inside(&events, clip, 1, 0), cases[i].status == OSC_OK);
        bank_free(&made);
    }
}

/* A span ends in its own clip, even if the first mark of the next clip refers back to it; and no
 * mark behind the last one is read. */
static void spans_end_in_their_clip(void **state)
{
    enum { BEGINS = OSC_EVENT_BEGIN << 14, ENDS = OSC_EVENT_END << 14 };
    static const struct {
        uint32_t begin, ends[2], second; /* second: clip of the second entry */
        int32_t status;
    } cases[] = {
        {0, {2, 4}, 1, OSC_OK},
        {0, {2, 4}, 0, OSC_ERROR_SECTION},
        {BEGINS | 2 << 16, {2, 4}, 1, OSC_ERROR_SECTION},
        {0, {2, 5}, 1, OSC_ERROR_SECTION},
        {0, {4, 2}, 1, OSC_ERROR_SECTION},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const uint32_t words[] = {1u | 1u << 16,
                                  2u | 4u << 16,
                                  0xabcu,
                                  0,
                                  0,
                                  cases[i].ends[0],
                                  cases[i].second << 16 | cases[i].ends[1],
                                  0,
                                  0,
                                  0,
                                  cases[i].begin,
                                  0,
                                  ENDS | 1u << 16,
                                  0,
                                  BEGINS};
        osc_bank bank;
        osc_events events;
        test_bank made = bank_with_section(sample_walk, TAG, words, sizeof words / sizeof *words);
        assert_int_equal(bank_open(&made, &bank), OSC_OK);
        assert_int_equal(osc_events_open(&events, &bank), cases[i].status);
        bank_free(&made);
    }
}

/* Clips with marks are listed, and others are before, between and after them. */
static void clips_between_those_with_marks_have_none(void **state)
{
    enum { CLIPS = 4, LISTED = 2 };
    static const uint32_t counts[CLIPS] = {0, 1, 0, 1};
    const uint32_t words[] = {
        1u | 1u << 16, LISTED | 2u << 16, 0xabcu, 0, 0, 1u << 16 | 1u, 3u << 16 | 2u, 0, 0, 0, 0};
    const osc_step empty = {0, 0, 0, false}, end = {0, 0, 0, true}; /* as in a clip of one frame */
    osc_bank bank;
    osc_events events;
    osc_event event;
    (void)state;
    test_bank made = bank_with_section(sample_walk, TAG, words, sizeof words / sizeof *words);
    assert_int_equal(bank_open(&made, &bank), OSC_OK);
    assert_int_equal(bank.clip_count, CLIPS);
    assert_int_equal(osc_events_open(&events, &bank), OSC_OK);
    for (uint32_t clip = 0; clip < CLIPS; clip++) {
        osc_event_walk walk = osc_events_passed(&events, clip, &empty);
        assert_false(osc_event_next(&walk, &event));
        walk = osc_events_passed(&events, clip, &end);
        assert_int_equal(osc_event_next(&walk, &event), counts[clip]);
    }
    bank_free(&made);
}

static void names_and_clips_are_found(void **state)
{
    uint64_t seed = 15;
    fixture f;
    osc_event event;
    (void)state;
    make(&f, &seed);
    for (uint32_t i = 0; i < NAMES; i++)
        assert_int_equal(osc_event_find(&f.events, 0xabc00000u + i), i);
    osc_step step = {0, 1u << 30, 0, true};
    for (uint32_t clip = 2; clip < 70000u; clip += 997u) {
        osc_event_walk walk = osc_events_passed(&f.events, clip, &step);
        assert_false(osc_event_next(&walk, &event));
    }
    bank_free(&f.words);
}

/* Any section: either it is refused, or everything that is asked of it stays inside the bank. Steps
 * are garbage, too. */
static void damaged_sections_are_refused(void **state)
{
    uint64_t seed = 16;
    uint32_t opened = 0;
    (void)state;
    for (uint32_t run = 0; run < 60000u; run++) {
        fixture f;
        uint32_t words[MOST_WORDS];
        make_marks(f.marks[0], &f.counts[0], WALK_END, &seed);
        make_marks(f.marks[1], &f.counts[1], JUMP_END, &seed);
        uint32_t count = write_section(words, &f);
        for (uint32_t i = random_u32(&seed) % 3u; i-- > 0u;) {
            uint32_t *at = &words[random_u32(&seed) % count], choice = random_u32(&seed);
            *at = (choice & 3u) == 0u   ? (uint32_t)random_i32(&seed)
                  : (choice & 3u) == 1u ? *at ^ 1u << (choice >> 8 & 31u)
                                        : *at + (choice >> 8 & 3u) - 1u;
        }
        if ((random_u32(&seed) & 7u) == 0u)
            count = random_u32(&seed) % (count + 1u);
        uint32_t *exact = malloc(count * 4u + 4u);
        memcpy(exact, words, count * 4u);
        f.words = bank_with_section(sample_walk, TAG, exact, count);
        free(exact);
        assert_int_equal(bank_open(&f.words, &f.bank), OSC_OK);
        int32_t status = osc_events_open(&f.events, &f.bank);
        assert_true(status == OSC_OK || status == OSC_ERROR_SECTION);
        opened += status == OSC_OK ? 1u : 0u;
        for (uint32_t clip = 0; clip < 3u; clip++) {
            osc_step step = {(uint32_t)random_i32(&seed), (uint32_t)random_i32(&seed),
                             random_i32(&seed), (random_u32(&seed) & 1u) != 0u};
            osc_event event;
            osc_event_walk walk = osc_events_passed(&f.events, clip, &step);
            for (uint32_t i = 0; i < 50u && osc_event_next(&walk, &event); i++)
                assert_true(event.name < f.events.name_count);
            (void)osc_event_is_inside(&f.events, clip, step.to_q11, 0);
        }
        bank_free(&f.words);
    }
    assert_in_range(opened, 5000, 55000);
}

/* A section with one kind and these marks of clip 0. Returns what osc_events_open does; `passed`:
 * how many events a step gives that goes round without end. */
static int32_t open_marks(const uint32_t *positions, uint32_t count, int32_t wraps,
                          uint32_t *passed)
{
    uint32_t words[6 + 2 * 64] = {1u | 1u << 16, 1u | count << 16, 0xabcu, 0, 0, count};
    osc_bank bank;
    osc_events events;
    for (uint32_t i = 0; i < count; i++)
        words[6u + 2u * i] = positions[i];
    test_bank made = bank_with_section(sample_walk, TAG, words, 6u + 2u * count);
    assert_int_equal(bank_open(&made, &bank), OSC_OK);
    int32_t status = osc_events_open(&events, &bank);
    const osc_step step = {0, 0, wraps, false};
    osc_event_walk walk = osc_events_passed(&events, 0, &step);
    *passed = 0;
    for (osc_event event; osc_event_next(&walk, &event);)
        ++*passed;
    bank_free(&made);
    return status;
}

/* A step in which a clock ends: the last loop ends there, and no other begins. */
static void a_clock_that_ends_goes_round_once_less(void **state)
{
    (void)state;
    for (uint32_t backward = 0; backward < 2u; backward++)
        for (uint32_t loops = 1; loops < 4u; loops++) {
            test_player made;
            osc_playback clock;
            osc_step step;
            player_make(&made, sample_walk, sizeof sample_walk / 4u);
            assert_int_equal(osc_player_play(&made.player, &clock, 0, loops), OSC_OK);
            uint32_t end = clock.end_q11;
            if (backward != 0u) {
                clock.speed_q16 = -clock.speed_q16;
                clock.position_q11 = end;
            }
            (void)osc_playback_step(&clock, 100000000u, &step);
            assert_true(step.ended && clock.loops_left == 0u);
            int32_t wraps = (int32_t)loops - 1;
            assert_int_equal(step.wraps, backward != 0u ? -wraps : wraps);
            assert_int_equal(step.from_q11, backward != 0u ? end : 0u);
            assert_int_equal(step.to_q11, backward != 0u ? 0u : end);
            player_free(&made);
        }
}

/* A clip of one frame ends immediately, in a step from its only position to itself, or goes on
 * without a step. */
static void a_clip_of_one_frame_steps_once_at_most(void **state)
{
    (void)state;
    for (int32_t sign = -1; sign <= 1; sign += 2)
        for (uint32_t forever = 0; forever < 2u; forever++) {
            const osc_clip_info info = {.frame_count = 1, .position_per_us_q32 = 1u << 28};
            osc_playback clock;
            osc_step step;
            osc_playback_start(&clock, &info, forever != 0u ? OSC_LOOPS_FOREVER : 1u);
            clock.speed_q16 *= sign;
            for (uint32_t tick = 0; tick < 2u; tick++) {
                bool ends = forever == 0u && tick == 0u;
                assert_int_equal(osc_playback_step(&clock, 20000, &step), 0);
                assert_true(step.from_q11 == 0 && step.to_q11 == 0 && step.wraps == 0);
                assert_int_equal(step.ended, ends);
                assert_int_equal(osc_step_is_empty(&step), !ends);
                assert_false(osc_step_is_backward(&step));
                assert_int_equal(clock.loops_left, forever != 0u ? OSC_LOOPS_FOREVER : 0u);
            }
        }
}

static void a_tick_passes_no_more_than_stated(void **state)
{
    uint32_t positions[64], passed, most = OSC_EVENTS_PER_FRAME;
    (void)state;
    for (uint32_t i = 0; i < 64u; i++)
        positions[i] = 100u + 2048u * (i / most) + i % most;
    assert_int_equal(open_marks(positions, 64, 0, &passed), OSC_OK);
    assert_int_equal(open_marks(positions, 64, 1, &passed), OSC_OK);
    assert_int_equal(passed, 64);
    assert_int_equal(open_marks(positions, 64, INT32_MIN, &passed), OSC_OK);
    assert_int_equal(passed, 64 * OSC_STEP_MOST_LOOPS);
    assert_int_equal(open_marks(positions, 64, INT32_MAX, &passed), OSC_OK);
    assert_int_equal(passed, 64 * OSC_STEP_MOST_LOOPS);
    positions[most]--;
    assert_int_equal(open_marks(positions, 64, 1, &passed), OSC_ERROR_SECTION);
    assert_int_equal(passed, 0);
    assert_int_equal(open_marks(positions, most, 1, &passed), OSC_OK);
    assert_int_equal(open_marks(positions, most + 1u, 1, &passed), OSC_ERROR_SECTION);
}

static void marks_ascend_in_the_clip(void **state)
{
    static const struct {
        uint32_t count, positions[2];
        int32_t status;
    } cases[] = {{0, {0, 0}, OSC_OK},
                 {2, {4, 4}, OSC_OK},
                 {2, {4, 3}, OSC_ERROR_SECTION},
                 {1, {WALK_END, 0}, OSC_OK},
                 {1, {WALK_END + 1, 0}, OSC_ERROR_SECTION}};
    uint32_t passed;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(open_marks(cases[i].positions, cases[i].count, 0, &passed),
                         cases[i].status);
}

/* A section of no more than its header has no marks; one that is smaller is refused, and then has
 * none either. */
static void the_header_suffices(void **state)
{
    static const uint32_t header[2] = {0, 0};
    (void)state;
    for (uint32_t words = 1; words <= 2u; words++) {
        osc_bank bank;
        osc_events events;
        test_bank made = bank_with_section(sample_walk, TAG, header, words);
        assert_int_equal(bank_open(&made, &bank), OSC_OK);
        assert_int_equal(osc_events_open(&events, &bank), words == 2u ? OSC_OK : OSC_ERROR_SECTION);
        assert_int_equal(events.name_count | events.kind_count, 0);
        assert_int_equal(events.clip_count | events.mark_count, 0);
        bank_free(&made);
    }
}

static void positions_are_held_or_wrap(void **state)
{
    osc_step step;
    (void)state;
    osc_step_between(&step, -5, 30, 20, false);
    assert_true(step.from_q11 == 0 && step.to_q11 == 20 && step.wraps == 0 && step.ended);
    osc_step_between(&step, 30, 25, 20, false);
    assert_true(osc_step_is_empty(&step));
    osc_step_between(&step, 40, -1, 20, true);
    assert_true(step.from_q11 == 0 && step.to_q11 == 19 && step.wraps == -3 && !step.ended);
    osc_step_between(&step, -1, 40, 20, true);
    assert_true(step.from_q11 == 19 && step.to_q11 == 0 && step.wraps == 3 && !step.ended);
    osc_step_between(&step, -1, 40, 0, true);
    assert_true(osc_step_is_empty(&step));
    osc_step_between(&step, INT32_MIN, INT32_MAX, 1, true);
    assert_true(step.from_q11 == 0 && step.to_q11 == 0 && !step.ended);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clocks_pass_every_mark_once),
        cmocka_unit_test(parts_join_to_the_whole),
        cmocka_unit_test(a_turn_passes_its_place_once),
        cmocka_unit_test(spans_contain_their_positions),
        cmocka_unit_test(banks_without_events_have_none),
        cmocka_unit_test(spans_of_clips_are_checked),
        cmocka_unit_test(spans_end_in_their_clip),
        cmocka_unit_test(clips_between_those_with_marks_have_none),
        cmocka_unit_test(names_and_clips_are_found),
        cmocka_unit_test(marks_ascend_in_the_clip),
        cmocka_unit_test(the_header_suffices),
        cmocka_unit_test(damaged_sections_are_refused),
        cmocka_unit_test(a_clock_that_ends_goes_round_once_less),
        cmocka_unit_test(a_clip_of_one_frame_steps_once_at_most),
        cmocka_unit_test(a_tick_passes_no_more_than_stated),
        cmocka_unit_test(positions_are_held_or_wrap),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
