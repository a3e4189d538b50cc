/* Row pools: every pose has the bits of a player, and clips make room for others in the documented
 * order. */
#include "bank_tools.h"
#include "check.h"
#include "osc_crowd.h"
#include "sample_banks.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_CLIPS = 8 };

typedef struct sample {
    const uint32_t *words;
    size_t count;
} sample;

#define SAMPLE(name)                                                                               \
    {                                                                                              \
        sample_##name, sizeof sample_##name / 4u                                                   \
    }
static const sample samples[] = {SAMPLE(walk), SAMPLE(scale), SAMPLE(versions), SAMPLE(curve),
                                 SAMPLE(transform)};

static const osc_play_mode modes[] = {OSC_PLAY_AS_MADE, OSC_PLAY_ONCE, OSC_PLAY_LOOP};

/* A pool with its own player, and a player to compare with. */
typedef struct pooled {
    test_player filler, other;
    osc_row_pool pool;
    osc_row_pool_clip clips[MOST_CLIPS];
    int32_t *memory; /* in a block of its size */
} pooled;

static void pooled_begin(pooled *p, const sample *of, uint32_t most_clips, uint32_t memory_words)
{
    player_make(&p->filler, of->words, of->count);
    player_make(&p->other, of->words, of->count);
    p->memory = malloc(4u * (size_t)memory_words + (memory_words == 0u));
    osc_row_pool_init(&p->pool, &p->filler.player, p->clips, most_clips, p->memory, memory_words);
}

static void pooled_end(pooled *p)
{
    free(p->memory);
    player_free(&p->filler);
    player_free(&p->other);
}

/* Asks for a pose, and compares it with that of the other player. */
static void ask(pooled *p, uint32_t clip, osc_play_mode mode, int32_t position_q11)
{
    assert_int_equal(osc_player_start(&p->other.player, clip, mode), OSC_OK);
    assert_true(osc_player_seek_q11(&p->other.player, position_q11) >= 0);
    uint32_t wanted = pose_hash(&p->other);
    pose_wipe(&p->other);
    osc_row_pool_evaluate(&p->pool, clip, mode, position_q11, &p->other.pose);
    assert_int_equal(written_pose_hash(&p->other), wanted);
}

static bool is_loop(const osc_bank *bank, uint32_t clip, osc_play_mode mode)
{
    osc_clip_info info;
    assert_int_equal(osc_clip_describe(bank, clip, &info), OSC_OK);
    return mode == OSC_PLAY_LOOP || (mode == OSC_PLAY_AS_MADE && info.loop);
}

/* A clip in the pool as the test expects it: the number of the clip, and one bit for a loop. */
typedef struct expected {
    uint32_t keys[MOST_CLIPS], ticks[MOST_CLIPS], words[MOST_CLIPS], count, tick;
} expected;

static uint32_t words_of(const expected *e, bool busy_only)
{
    uint32_t words = 0;
    for (uint32_t i = 0; i < e->count; i++)
        words += busy_only && e->tick - e->ticks[i] > 1u ? 0u : e->words[i];
    return words;
}

static void forget_longest_idle(expected *e)
{
    uint32_t at = 0;
    for (uint32_t i = 1; i < e->count; i++)
        if (e->ticks[i] < e->ticks[at])
            at = i;
    e->count--;
    for (uint32_t i = at; i < e->count; i++) {
        e->keys[i] = e->keys[i + 1u];
        e->ticks[i] = e->ticks[i + 1u];
        e->words[i] = e->words[i + 1u];
    }
}

static void expect(expected *e, const osc_row_pool *pool, uint32_t key, uint32_t most_words)
{
    for (uint32_t i = 0; i < e->count; i++)
        if (e->keys[i] == key) {
            e->ticks[i] = e->tick;
            return;
        }
    uint32_t busy = 0;
    for (uint32_t i = 0; i < e->count; i++)
        busy += e->tick - e->ticks[i] <= 1u ? 1u : 0u;
    if (busy == pool->most_clips || most_words > pool->memory_words - words_of(e, true))
        return;
    while (e->count == pool->most_clips || most_words > pool->memory_words - words_of(e, false))
        forget_longest_idle(e);
    e->keys[e->count] = key;
    e->ticks[e->count] = e->tick;
    e->words[e->count] = pool->clips[e->count].words;
    e->count++;
}

static void check_clips(const expected *e, const osc_row_pool *pool)
{
    assert_int_equal(pool->clip_count, e->count);
    assert_int_equal(pool->used_words, words_of(e, false));
    assert_true(pool->used_words <= pool->memory_words && pool->clip_count <= pool->most_clips);
    for (uint32_t i = 0; i < e->count; i++) {
        assert_int_equal(pool->clips[i].clip * 2u + pool->clips[i].rows.loop, e->keys[i]);
        assert_int_equal(pool->clips[i].words, e->words[i]);
    }
}

/* Random clips, modes and positions, with ticks between them, in pools from nothing to enough. */
static void every_pose_is_that_of_a_player(void **state)
{
    (void)state;
    uint64_t random = 21;
    for (uint32_t s = 0; s < sizeof samples / sizeof *samples; s++) {
        osc_bank bank;
        assert_int_equal(osc_bank_open(&bank, samples[s].words, 4u * samples[s].count), OSC_OK);
        uint32_t most = (uint32_t)osc_shared_rows_most_words(&bank, 0);
        const uint32_t budgets[] = {0u, most - 1u, most, most * 2u, most * 4u, most * 20u};
        for (uint32_t b = 0; b < 6u * 3u; b++) {
            pooled p;
            expected e = {{0}, {0}, {0}, 0, 0};
            static const uint32_t most_clips[] = {1, 3, MOST_CLIPS};
            pooled_begin(&p, &samples[s], most_clips[b % 3u], budgets[b / 3u]);
            for (uint32_t i = 0; i < 300u; i++) {
                uint32_t clip = random_u32(&random) % bank.clip_count;
                osc_play_mode mode = modes[random_u32(&random) % 3u];
                ask(&p, clip, mode, (int32_t)(random_u32(&random) % 60000u) - 9000);
                expect(&e, &p.pool, clip * 2u + is_loop(&bank, clip, mode),
                       (uint32_t)osc_shared_rows_most_words(&bank, clip));
                check_clips(&e, &p.pool);
                for (uint32_t ticks = random_u32(&random) % 3u; ticks != 0u; ticks--, e.tick++)
                    osc_row_pool_tick(&p.pool);
            }
            pooled_end(&p);
        }
    }
}

/* Clips that are on the screen never make room: with memory for one clip, the second is not kept
 * until the first was not asked for during a whole tick. */
static void clips_that_play_stay(void **state)
{
    (void)state;
    const sample *walk = &samples[0];
    osc_bank bank;
    pooled p;
    assert_int_equal(osc_bank_open(&bank, walk->words, 4u * walk->count), OSC_OK);
    assert_in_range(bank.clip_count, 2, 100);
    uint32_t words[2] = {(uint32_t)osc_shared_rows_most_words(&bank, 0),
                         (uint32_t)osc_shared_rows_most_words(&bank, 1)};
    pooled_begin(&p, walk, MOST_CLIPS, words[0] > words[1] ? words[0] : words[1]);
    ask(&p, 0, OSC_PLAY_ONCE, 100);
    assert_ptr_equal(osc_row_pool_at(&p.pool, 0, OSC_PLAY_ONCE, 100).left, p.clips[0].rows.rows);
    for (uint32_t tick = 0; tick < 2u; tick++) {
        ask(&p, 1, OSC_PLAY_ONCE, 100);
        assert_int_equal(p.pool.clip_count, 1);
        assert_int_equal(p.pool.clips[0].clip, 0);
        osc_row_pool_tick(&p.pool);
    }
    ask(&p, 1, OSC_PLAY_ONCE, 100);
    assert_int_equal(p.pool.clip_count, 1);
    assert_int_equal(p.pool.clips[0].clip, 1);
    pooled_end(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pose_is_that_of_a_player),
        cmocka_unit_test(clips_that_play_stay),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
