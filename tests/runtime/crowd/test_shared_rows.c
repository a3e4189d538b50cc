/* Shared rows: every position of every clip has the bits of a player. */
#include "bank/osc_format.h"
#include "bank_tools.h"
#include "check.h"
#include "osc_crowd.h"
#include "sample_banks.h"

#include <stdlib.h>
#include <string.h>

typedef struct sample {
    const uint32_t *words;
    size_t count;
} sample;

#define SAMPLE(name)                                                                               \
    {                                                                                              \
        sample_##name, sizeof sample_##name / 4u                                                   \
    }
static const sample samples[] = {SAMPLE(walk),   SAMPLE(scale),     SAMPLE(turn),
                                 SAMPLE(sparse), SAMPLE(dense),     SAMPLE(versions),
                                 SAMPLE(curve),  SAMPLE(transform), SAMPLE(velocity)};

static const osc_play_mode modes[] = {OSC_PLAY_AS_MADE, OSC_PLAY_ONCE, OSC_PLAY_LOOP};

typedef struct filled {
    osc_shared_rows rows;
    int32_t *memory;
    int32_t used;
} filled;

/* Rows in a block of exactly the words that they use, so that ASan detects reads beyond. */
static filled fill(test_player *made, uint32_t clip, osc_play_mode mode)
{
    filled f;
    int32_t most = osc_shared_rows_most_words(&made->bank, clip);
    assert_true(most > 0);
    f.memory = malloc((size_t)most * 4u);
    memset(f.memory, 0x5a, (size_t)most * 4u);
    f.used = osc_shared_rows_fill(&f.rows, &made->player, clip, mode, f.memory, (uint32_t)most);
    assert_in_range(f.used, 1, most);
    int32_t used = f.used;
    f.memory = realloc(f.memory, (size_t)used * 4u);
    f.used = osc_shared_rows_fill(&f.rows, &made->player, clip, mode, f.memory, (uint32_t)used);
    assert_int_equal(f.used, used);
    return f;
}

static void compare(test_player *made, const osc_shared_rows *rows, int32_t position_q11)
{
    assert_true(osc_player_seek_q11(&made->player, position_q11) >= 0);
    uint32_t wanted = pose_hash(made);
    pose_wipe(made);
    osc_shared_rows_evaluate(rows, position_q11, &made->pose);
    assert_int_equal(written_pose_hash(made), wanted);
}

static void poses_are_those_of_a_player(void **state)
{
    (void)state;
    uint64_t random = 20;
    for (uint32_t s = 0; s < sizeof samples / sizeof *samples; s++) {
        test_player made;
        player_make(&made, samples[s].words, samples[s].count);
        for (uint32_t clip = 0; clip < made.bank.clip_count; clip++)
            for (uint32_t m = 0; m < 3u; m++) {
                filled f = fill(&made, clip, modes[m]);
                osc_clip_info info;
                assert_int_equal(osc_clip_describe(&made.bank, clip, &info), OSC_OK);
                assert_int_equal(osc_player_start(&made.player, clip, modes[m]), OSC_OK);
                int32_t end = (int32_t)((info.frame_count - 1u) << 11);
                for (int32_t position = -3000; position < 2 * end + 3000; position += 487)
                    compare(&made, &f.rows, position);
                for (int32_t frame = -2; frame <= 2 * (int32_t)info.frame_count; frame++)
                    for (int32_t beside = -1; beside <= 1; beside++)
                        compare(&made, &f.rows, frame * 2048 + beside);
                for (uint32_t i = 0; i < 100u; i++)
                    compare(&made, &f.rows, random_i32(&random));
                free(f.memory);
            }
        player_free(&made);
    }
}

/* Less memory is refused at every size, and nothing beyond it is written. */
static void memory_that_is_too_small_is_refused(void **state)
{
    (void)state;
    for (uint32_t s = 0; s < 3u; s++) {
        test_player made;
        player_make(&made, samples[s].words, samples[s].count);
        filled f = fill(&made, 0, OSC_PLAY_AS_MADE);
        for (int32_t words = 0; words < f.used; words++) {
            int32_t *memory = malloc((size_t)words * 4u + (words == 0));
            osc_shared_rows rows;
            assert_int_equal(osc_shared_rows_fill(&rows, &made.player, 0, OSC_PLAY_AS_MADE, memory,
                                                  (uint32_t)words),
                             OSC_ERROR_MEMORY);
            free(memory);
        }
        free(f.memory);
        player_free(&made);
    }
}

static void rows_are_kept_once(void **state)
{
    (void)state;
    test_player made;
    player_make(&made, sample_curve, sizeof sample_curve / 4u);
    for (uint32_t clip = 0; clip < made.bank.clip_count; clip++) {
        filled f = fill(&made, clip, OSC_PLAY_ONCE);
        uint32_t frames = (f.rows.end_q11 >> 11) + 1u;
        assert_int_equal((uint32_t)f.used, frames * (f.rows.row_words + f.rows.rotation_count) +
                                               f.rows.seam_count * (f.rows.row_words + 1u));
        free(f.memory);
    }
    player_free(&made);
}

static void no_clip_no_rows(void **state)
{
    (void)state;
    test_player made;
    osc_shared_rows rows;
    int32_t memory[4];
    player_make(&made, sample_walk, sizeof sample_walk / 4u);
    uint32_t none = made.bank.clip_count;
    assert_int_equal(osc_shared_rows_most_words(&made.bank, none), OSC_ERROR_NOT_FOUND);
    assert_int_equal(osc_shared_rows_fill(&rows, &made.player, none, OSC_PLAY_ONCE, memory, 4u),
                     OSC_ERROR_NOT_FOUND);
    player_free(&made);
}

/* A break in any version makes room for a seam: here, in the last block of a clip in the last tier.
 */
static void breaks_in_tiers_have_room(void **state)
{
    enum { CLIP = 1, BLOCK = 2, BREAK_FRAME = 3 };
    test_bank words = bank_copy(sample_versions, sizeof sample_versions / 4u);
    osc_bank bank;
    (void)state;
    assert_int_equal(bank_open(&words, &bank), OSC_OK);
    int32_t most = osc_shared_rows_most_words(&bank, CLIP);
    osc_chunk chunk = bank.tier_code->find(&bank, bank.tier_count, CLIP, BLOCK);
    uint32_t *data = words.words + (chunk.words - words.words) + 1;
    data[0] = 1u << OSC_DATA_BREAKS_SHIFT;
    data[1] = BREAK_FRAME << OSC_BREAK_FRAME_SHIFT; /* the stream becomes another */
    words.words[bank_section(&words, 0) + OSC_SKELETON_COUNTS] |= 1u << 16;
    bank_seal(&words);
    test_player made;
    player_make(&made, words.words, words.count);
    filled f = fill(&made, CLIP, OSC_PLAY_ONCE);
    assert_int_equal(osc_shared_rows_most_words(&made.bank, CLIP),
                     most + (int32_t)f.rows.row_words + 1);
    free(f.memory);
    player_free(&made);
    bank_free(&words);
}

/* A bank of 64 joints that may turn and move, and of one clip in which none does: it is small
 * however many frames it has. */
static test_bank still_bank(uint32_t frames)
{
    enum {
        JOINTS = 64,
        SECTIONS = 3,
        MASK_WORDS = JOINTS / 32,
        SKELETON = OSC_HEADER_WORDS + SECTIONS * OSC_SECTION_ENTRY_WORDS,
        PARENTS = SKELETON + OSC_SKELETON_HEADER_WORDS,
        MASKS = PARENTS + JOINTS / 2 + 7 * JOINTS,
        CLIPS = MASKS + 3 * MASK_WORDS,
        DATA = CLIPS + 1 + OSC_RATE_WORDS + OSC_CLIP_ENTRY_WORDS,
        WORDS = DATA + 4
    };
    static const uint32_t tags[SECTIONS] = {OSC_TAG_SKELETON, OSC_TAG_CLIPS, OSC_TAG_DATA};
    static const uint32_t places[SECTIONS + 1] = {SKELETON, CLIPS, DATA, WORDS};
    const uint32_t once = 31u << OSC_CLIP_RESTART_SHIFT; /* no restart point but the start */
    uint32_t words[WORDS] = {OSC_BANK_MAGIC, OSC_BANK_FORMAT, 0, 0, SECTIONS};
    for (uint32_t i = 0; i < SECTIONS; i++) {
        uint32_t *entry = words + OSC_HEADER_WORDS + i * OSC_SECTION_ENTRY_WORDS;
        entry[OSC_SECTION_TAG] = tags[i];
        entry[OSC_SECTION_PLACE] = places[i] | OSC_SECTION_REQUIRED;
        entry[OSC_SECTION_WORDS] = places[i + 1u] - places[i];
    }
    words[SKELETON + OSC_SKELETON_COUNTS] = JOINTS;
    words[PARENTS] = OSC_NO_PARENT;
    for (uint32_t i = 0; i < 2u * MASK_WORDS; i++)
        words[MASKS + i] = ~0u;
    words[CLIPS] = 1; /* rate */
    uint32_t *clip = words + CLIPS + 1u + OSC_RATE_WORDS;
    words[DATA + 1] = ~0u; /* of the stream: there are no breaks */
    clip[OSC_CLIP_SHAPE] = (frames - 1u) | OSC_CODEC_DELTA << OSC_CLIP_CODEC_SHIFT | once;
    test_bank bank = bank_copy(words, WORDS);
    bank_seal(&bank);
    return bank;
}

/* A player of 64 joints begins with the bind pose, and stays in its memory, although the masks of
 * its joints are followed by others. */
static void players_stay_in_their_memory(void **state)
{
    test_bank words = still_bank(9);
    osc_bank bank;
    osc_player player;
    (void)state;
    words.words[words.count - 3u] = 0; /* of the stream: there are no constants */
    bank_seal(&words);
    assert_int_equal(bank_open(&words, &bank), OSC_OK);
    uint32_t count = osc_player_memory_words(&bank);
    int32_t *memory = malloc(4u * (count + 16u));
    memset(memory, 0x5a, 4u * (count + 16u));
    assert_int_equal(osc_player_init(&player, &bank, memory, count), OSC_OK);
    assert_int_equal(osc_player_start(&player, 0, OSC_PLAY_ONCE), OSC_OK);
    assert_int_equal(osc_player_seek_q11(&player, 3000), 1);
    for (uint32_t i = 64u * 4u; i < 64u * (4u + 3u); i++)
        assert_int_equal(memory[i] | memory[64u * (4u + 3u) + i], 0); /* translations */
    for (uint32_t i = 0; i < 16u; i++)
        assert_int_equal(memory[count + i], 0x5a5a5a5a);
    free(memory);
    bank_free(&words);
}

/* The word after the last break is none, even if it looks like one. */
static void breaks_end_with_their_list(void **state)
{
    enum { FRAME = 3 };
    test_bank words = still_bank(9);
    test_player made;
    uint32_t *data = words.words + words.count - 4;
    (void)state;
    words.words[bank_section(&words, 0) + OSC_SKELETON_COUNTS] |= 2u << 16; /* breaks at a frame */
    data[0] = 1u << OSC_DATA_BREAKS_SHIFT;
    data[1] = FRAME << OSC_BREAK_FRAME_SHIFT;
    data[2] = FRAME << OSC_BREAK_FRAME_SHIFT | 1u; /* of the stream */
    bank_seal(&words);
    player_make(&made, words.words, words.count);
    assert_int_equal(osc_player_start(&made.player, 0, OSC_PLAY_ONCE), OSC_OK);
    assert_int_equal(osc_player_seek_q11(&made.player, (FRAME << 11) - 1024), FRAME - 1);
    assert_int_equal(made.player.held_count, 1);
    player_free(&made);
    bank_free(&words);
}

/* No clip has room for more words than 2 GiB hold, and the sum of its words does not overflow. */
static void rows_have_two_gigabytes_at_most(void **state)
{
    (void)state;
    const int64_t row = 64 * (4 + 3), chords = 64, most_words = 0x1fffffff;
    const uint32_t most_frames = OSC_CLIP_LAST_FRAME_MASK + 1u;
    uint32_t refused = 0;
    for (uint32_t frames = most_frames - 4096u; frames <= most_frames; frames++) {
        test_bank words = still_bank(frames);
        osc_bank bank;
        assert_int_equal(bank_open(&words, &bank), OSC_OK);
        int64_t needed = (frames + 1) * row + frames * chords + 1;
        int32_t stated = osc_shared_rows_most_words(&bank, 0);
        if (stated == OSC_ERROR_MEMORY) /* with a seam at every row, of which none has one here */
            assert_true(needed + chords + frames > most_words);
        else
            assert_true(stated == needed && needed <= most_words);
        refused += stated == OSC_ERROR_MEMORY ? 1u : 0u;
        bank_free(&words);
    }
    assert_in_range(refused, 1, 4096);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(poses_are_those_of_a_player),
        cmocka_unit_test(memory_that_is_too_small_is_refused),
        cmocka_unit_test(rows_are_kept_once),
        cmocka_unit_test(no_clip_no_rows),
        cmocka_unit_test(breaks_in_tiers_have_room),
        cmocka_unit_test(players_stay_in_their_memory),
        cmocka_unit_test(breaks_end_with_their_list),
        cmocka_unit_test(rows_have_two_gigabytes_at_most),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
