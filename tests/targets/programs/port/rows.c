/* Fills rows of pseudo-random segments of the transform codec, in the state and transposed, and
 * compares every word with the result of the definition. */
#include "codecs/osc_port_rows.h"
#include "hal.h"
#include "port.h"

#define CASES 150u
#define BOUNDS_EVERY 50u /* one case in so many is tried with spare memory of every size */
#define MOST_TRACKS 11u
#define ROW_WORDS (4u * MOST_TRACKS)
#define TRACK_WORDS (1u + 4u * 10u)
#define TRANSPOSED_WORDS 1400u
#define GUARD_WORDS 132u /* more than a group takes */

/* Typical output of encoders (kind 0), words of all sizes (kind 1), and segments with all
 * coefficients that there can be (kind 2). */
static int32_t next_number(uint32_t kind)
{
    int32_t random = (int32_t)next_random();
    return kind == 1u ? random : random >> 21;
}

#define STATE_WORDS (MOST_TRACKS * TRACK_WORDS + 16u)

static int32_t tracks[STATE_WORDS];
static uint32_t track_words;                                        /* of them, with their end */
static int32_t state[STATE_WORDS + TRANSPOSED_WORDS + GUARD_WORDS]; /* and spare memory */
static int32_t previous[ROW_WORDS], expected[ROW_WORDS], row[ROW_WORDS];
static uint32_t expected_chords[MOST_TRACKS], chords[MOST_TRACKS];

static void make_tracks(uint32_t count, uint32_t kind)
{
    int32_t *at = tracks;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t packing = next_random() >> 9;
        bool direct = (next_random() >> 9) % 7u == 0u;
        packing = (packing & 3u) == 0u ? 12u + ((packing >> 2) & 1u) : (packing >> 2) % 12u;
        *at++ = (int32_t)osc_transform_track(4u * i, packing, 16u, 1u, direct);
        for (uint32_t c = osc_transform_component_count(packing); c != 0u; c--) {
            uint32_t most = (next_random() >> 9) & 7u, used = (next_random() >> 9) & 7u;
            uint32_t step =
                kind == 1u ? (next_random() >> 9) & 63u : 30u + ((next_random() >> 9) & 7u);
            if (kind == 2u)
                used = most = OSC_TRANSFORM_FRAMES - 1u;
            used = used < most ? used : most;
            uint32_t word = osc_transform_component(most, OSC_TRANSFORM_ALWAYS, 0u, 0u, step);
            if (c == 1u && i + 1u != count)
                word += (uint32_t)sizeof *at; /* the next track's word */
            at[OSC_COMPONENT_WORD] = (int32_t)osc_transform_counted(word, used);
            for (uint32_t n = OSC_COMPONENT_START; n < OSC_COMPONENT_WORDS + most; n++)
                at[n] = next_number(kind);
            at += OSC_COMPONENT_WORDS + most;
        }
    }
    *at++ = (int32_t)OSC_TRANSFORM_END;
    track_words = (uint32_t)(at - tracks);
}

static void clear(void)
{
    for (uint32_t i = 0; i < ROW_WORDS; i++)
        row[i] = 0;
    for (uint32_t i = 0; i < MOST_TRACKS; i++)
        chords[i] = 0;
}

static void compare(const char *how, uint32_t number)
{
    bool equal = true;
    for (uint32_t i = 0; i < ROW_WORDS; i++)
        equal = equal && row[i] == expected[i];
    for (uint32_t i = 0; i < MOST_TRACKS; i++)
        equal = equal && chords[i] == expected_chords[i];
    if (!equal) {
        print_text(how);
        print_line(" differs in case ", number);
        hal_exit(1);
    }
}

/* Transposes a copy of the tracks before it gets their numbers, as a player does. words: the spare
 * memory. Returns the transposed numbers, or null. */
static const int32_t *transpose(uint32_t count, uint32_t words)
{
    const int32_t *from = tracks;
    int32_t *to = state;
    for (uint32_t i = 0; i < track_words; i++)
        state[i] = tracks[i];
    uint32_t moved_to = osc_transpose_tracks(state, count, track_words + words);
    int32_t *transposed = moved_to != 0u ? state + moved_to : 0;
    osc_clear_coefficients(transposed);
    for (; count != 0u; count--) {
        uint32_t track = (uint32_t)*to++;
        bool moved = OSC_TRANSFORM_IS_TRANSPOSED((uint32_t)*to);
        from++;
        for (uint32_t i = OSC_TRANSFORM_TRACK_FOUR(track) + 3u; i != 0u; i--) {
            uint32_t word = (uint32_t)*from;
            int32_t *number = osc_transform_numbers(state, to, moved);
            for (uint32_t n = 0; n < 2u + OSC_TRANSFORM_COUNT(word); n++)
                number[n * OSC_TRANSFORM_APART(moved)] = from[OSC_COMPONENT_START + n];
            from += OSC_COMPONENT_WORDS + OSC_TRANSFORM_MOST(word);
            to += osc_transform_component_words(to) - (i == 1u && count != 1u ? 1u : 0u);
        }
    }
    return transposed;
}

/* However small the spare memory is, nothing is written behind it, and rows stay the same. */
static void check_bounds(uint32_t count, const osc_rows *rows, uint32_t number)
{
    const int32_t guard = 0x5a5a5a5a;
    for (uint32_t words = 0; words <= 3u * GUARD_WORDS; words++) {
        int32_t *spare = state + track_words;
        for (uint32_t i = 0; i < words + GUARD_WORDS; i++)
            spare[i] = guard;
        clear();
        const int32_t *transposed = transpose(count, words);
        for (uint32_t i = words; i < words + GUARD_WORDS; i++) {
            if (spare[i] != guard) {
                print_line("written behind spare memory of words: ", words);
                hal_exit(1);
            }
        }
        osc_fill_tracks(state, count, transposed, rows);
        compare("a row with little spare memory", number);
    }
}

static uint32_t hash_row(uint32_t hash)
{
    return hash_words(hash_words(hash, row, ROW_WORDS), (const int32_t *)chords, MOST_TRACKS);
}

/* Of rotations and of longer ones, whose w is 0. */
static void check_rebuilds(void)
{
    uint32_t done = 0;
    for (uint32_t number = 0; number < 4u * CASES; number++) {
        uint32_t offsets[4];
        bool whole = true;
        clear();
        for (uint32_t i = 0; i < ROW_WORDS; i++) {
            expected[i] = row[i] = next_number(1u) >> (i % 5u == 0u ? 11 : 12);
            previous[i] = next_number(1u) >> 11;
        }
        for (uint32_t i = 0; i < MOST_TRACKS; i++)
            expected_chords[i] = 0;
        for (uint32_t i = 0; i < 4u; i++) {
            offsets[i] = 4u * ((next_random() >> 9) % MOST_TRACKS);
            whole = whole && osc_rebuild_q20(row[offsets[i]], row[offsets[i] + 1u],
                                             row[offsets[i] + 2u]) != 0;
        }
        for (uint32_t i = 0; i < 4u && whole; i++) {
            osc_rebuild(expected + offsets[i], 3u, false);
            expected_chords[offsets[i] >> 2] =
                osc_chord_q20(previous + offsets[i], expected + offsets[i]);
        }
#if OSC_REBUILDS_FOUR
        if (osc_rebuild_four(offsets, row, previous, chords) != whole) {
            print_line("four rotations are rebuilt with a w of 0, or not without: ", number);
            hal_exit(1);
        }
        compare("a rebuilt rotation", number);
#endif
        done += whole ? 1u : 0u;
    }
    if (done < CASES || done == 4u * CASES) {
        print_line("rotations that were rebuilt: ", done);
        hal_exit(1);
    }
}

void check_rows(void)
{
    uint32_t hash = OSC_HASH_START;
    check_rebuilds();
    for (uint32_t number = 0; number < CASES; number++) {
        uint32_t count = 1u + (next_random() >> 9) % MOST_TRACKS;
        uint32_t kind = number % BOUNDS_EVERY == 0u ? 2u : number & 1u;
        const int32_t *at = tracks;
        osc_rows rows;
        make_tracks(count, kind);
        for (uint32_t i = 0; i < ROW_WORDS; i++)
            previous[i] = next_number(1u) >> 11;
        rows.row = row;
        rows.previous = previous;
        rows.chords = chords;
        rows.length = OSC_TRANSFORM_FRAMES;
        rows.frame = 1u + number % (OSC_TRANSFORM_FRAMES - 1u);
        rows.weights = osc_transform_row_weights(rows.length, rows.frame);
        clear();
        for (uint32_t i = 0; i < count; i++)
            at = osc_fill_track(at, &rows);
        for (uint32_t i = 0; i < ROW_WORDS; i++)
            expected[i] = row[i];
        for (uint32_t i = 0; i < MOST_TRACKS; i++)
            expected_chords[i] = chords[i];
        hash = hash_row(hash);

        clear();
        osc_fill_tracks(tracks, count, 0, &rows);
        compare("a row of the state", number);
        clear();
        const int32_t *transposed = transpose(count, TRANSPOSED_WORDS);
        osc_fill_tracks(state, count, transposed, &rows);
        compare("a transposed row", number);
        if (kind == 2u)
            check_bounds(count, &rows, number);
    }
    print_line("osc_fill_tracks: ", hash);
}
