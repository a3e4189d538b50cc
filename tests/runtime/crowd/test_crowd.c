/* Crowds: never more rows than are permitted, the nearest first, no character more than a frame
 * behind while the rows suffice. */
#include "bank/osc_internal.h"
#include "bank_tools.h"
#include "check.h"
#include "osc_crowd.h"
#include "row_counter.h"
#include "sample_banks.h"
#include "tier_bank.h"

#include <stdlib.h>
#include <string.h>

enum { MEMBERS = 12, FRAME_US = 1000000 / 30, STEP_US = 1000000 / 60 };

typedef struct crowd {
    test_player made[MEMBERS];
    osc_playback playbacks[MEMBERS];
    osc_crowd_member members[MEMBERS];
} crowd;

static void crowd_make(crowd *c)
{
    for (uint32_t i = 0; i < MEMBERS; i++) {
        player_make(&c->made[i], sample_walk, sizeof sample_walk / 4u);
        c->members[i] = (osc_crowd_member){
            .player = &c->made[i].player, .playback = &c->playbacks[i], .distance = MEMBERS - i};
        assert_int_equal(
            osc_player_play(&c->made[i].player, &c->playbacks[i], 0, OSC_LOOPS_FOREVER), OSC_OK);
        count_rows(&c->made[i].bank);
    }
}

static void crowd_free(crowd *c)
{
    for (uint32_t i = 0; i < MEMBERS; i++)
        player_free(&c->made[i]);
}

/* The position of a player in the clip. */
static int32_t stands_at(const osc_player *player)
{
    return (int32_t)((player->first_frame + player->left_frame) << 11 | player->fraction_q11);
}

/* The lag of a player behind its clock, in the direction of play. */
static int32_t behind(const osc_crowd_member *member)
{
    int32_t end = (int32_t)member->playback->end_q11;
    int32_t distance = (int32_t)member->playback->position_q11 - stands_at(member->player);
    distance = member->playback->speed_q16 < 0 ? -distance : distance;
    return distance < 0 ? distance + end : distance;
}

static uint32_t step(crowd *c, uint32_t elapsed_us, uint32_t most_rows)
{
    rows_unpacked = 0;
    uint32_t late = osc_crowd_advance(c->members, MEMBERS, elapsed_us, most_rows);
    uint32_t counted = 0;
    for (uint32_t i = 0; i < MEMBERS; i++) {
        bool is_late = behind(&c->members[i]) > OSC_ONE_Q11;
        assert_int_equal(is_late, c->members[i].is_late);
        assert_true(c->members[i].rows != 0u || behind(&c->members[i]) == 0);
        counted += is_late;
    }
    assert_int_equal(late, counted);
    return late;
}

/* All begin in phase, and two steps of the game are a frame of the clip: half as many rows a step
 * as there are characters are enough. */
static void enough_rows_leave_nobody_behind(void **state)
{
    (void)state;
    crowd c;
    crowd_make(&c);
    for (uint32_t i = 0; i < 2000u; i++) {
        assert_int_equal(step(&c, STEP_US, MEMBERS / 2), 0);
        assert_in_range(rows_unpacked, 0, MEMBERS / 2);
    }
    crowd_free(&c);
}

static void phases_speeds_and_directions_differ(void **state)
{
    (void)state;
    crowd c;
    uint64_t random = 3;
    crowd_make(&c);
    for (uint32_t i = 0; i < MEMBERS; i++) {
        c.playbacks[i].speed_q16 =
            i % 3u == 0u ? -OSC_ONE_Q16 / 2 : OSC_ONE_Q16 / 2 + (int32_t)(i * 4000u);
        c.playbacks[i].position_q11 = random_u32(&random) % c.playbacks[i].end_q11;
    }
    (void)step(&c, 0, 1000); /* jumps, which need no waiting */
    for (uint32_t i = 0; i < 3000u; i++) {
        for (uint32_t m = 0; m < MEMBERS; m++)
            c.members[m].distance = random_u32(&random) % 4u;
        (void)step(&c, random_u32(&random) % STEP_US, MEMBERS);
    }
    crowd_free(&c);
}

static void the_nearest_come_first(void **state)
{
    (void)state;
    crowd c;
    crowd_make(&c);
    for (uint32_t i = 0; i < 8u && step(&c, STEP_US, 3) == 0u; i++)
        for (uint32_t a = 0; a < MEMBERS; a++)
            for (uint32_t b = 0; b < MEMBERS; b++)
                if (c.members[a].distance < c.members[b].distance && !c.members[b].is_late)
                    assert_true(behind(&c.members[a]) == 0 || behind(&c.members[b]) != 0);
    crowd_free(&c);
}

/* Both need rows, and there are not enough for both. */
static void the_late_come_before_the_nearest(void **state)
{
    (void)state;
    crowd c;
    crowd_make(&c);
    for (uint32_t i = 0; i < MEMBERS; i++)
        c.members[i].distance = i;
    (void)step(&c, 0, 100); /* all stand at the start */
    c.playbacks[0].position_q11 = 1u * OSC_ONE_Q11;
    c.playbacks[1].position_q11 = 2u * OSC_ONE_Q11 + 1u;
    (void)step(&c, 0, 2);
    assert_true(c.members[0].rows != 0u && !c.members[0].is_late);
    assert_true(c.members[1].rows == 0u && behind(&c.members[1]) == 0);
    crowd_free(&c);
}

static void equals_go_in_their_order(void **state)
{
    (void)state;
    crowd c;
    crowd_make(&c);
    for (uint32_t i = 0; i < MEMBERS; i++)
        c.members[i].distance = 7;
    (void)step(&c, 0, 100); /* all stand at the start */
    for (uint32_t i = 0; i < MEMBERS; i++)
        c.playbacks[i].position_q11 = 2048u;
    for (uint32_t done = 1; done <= MEMBERS / 3u; done++) {
        (void)step(&c, 0, 3);
        for (uint32_t i = 0; i < MEMBERS; i++)
            assert_int_equal(c.members[i].rows == 0u, i < 3u * done);
    }
    crowd_free(&c);
}

/* Too few rows: the whole crowd is late, and reports it. */
static void too_few_rows_are_told(void **state)
{
    (void)state;
    crowd c;
    uint32_t late = 0;
    crowd_make(&c);
    for (uint32_t i = 0; i < 600u; i++) {
        late += step(&c, STEP_US, 4);
        assert_true(rows_unpacked <= 4u || c.members[0].rows == 0u);
    }
    assert_true(late > 0u);
    crowd_free(&c);
}

/* A clip that begins far from its start needs many rows in one step: it gets a step of its own. */
static void a_large_jump_has_a_step_of_its_own(void **state)
{
    (void)state;
    crowd c;
    crowd_make(&c);
    (void)step(&c, STEP_US, 1);
    c.playbacks[5].position_q11 = c.playbacks[5].end_q11 - 1u;
    uint32_t needed = osc_player_rows_to(c.members[5].player, (int32_t)c.playbacks[5].position_q11);
    assert_true(needed > 1u);
    (void)step(&c, 0, 1);
    assert_int_equal(rows_unpacked, needed);
    assert_int_equal(behind(&c.members[5]), 0);
    crowd_free(&c);
}

/* ---- tiers that come and go ---- */

/* All members play the same bank, and the game attaches its tiers while they play. */
typedef struct tiered_crowd {
    tier_bank tiered;
    osc_bank bank;
    osc_player players[MEMBERS];
    osc_playback playbacks[MEMBERS];
    osc_crowd_member members[MEMBERS];
    int32_t *memory[MEMBERS];
} tiered_crowd;

static void tiered_make(tiered_crowd *c, tier_bank tiered)
{
    c->tiered = tiered;
    assert_int_equal(bank_open(&tiered.bank, &c->bank), OSC_OK);
    count_rows(&c->bank);
    uint32_t words = osc_player_memory_words(&c->bank);
    for (uint32_t i = 0; i < MEMBERS; i++) {
        c->memory[i] = malloc(words * sizeof *c->memory[i]);
        assert_int_equal(osc_player_init(&c->players[i], &c->bank, c->memory[i], words), OSC_OK);
        uint32_t clip = i % c->bank.clip_count;
        assert_int_equal(osc_player_play(&c->players[i], &c->playbacks[i], clip, OSC_LOOPS_FOREVER),
                         OSC_OK);
        c->members[i] = (osc_crowd_member){
            .player = &c->players[i], .playback = &c->playbacks[i], .distance = i};
    }
}

static void tiered_free(tiered_crowd *c)
{
    for (uint32_t i = 0; i < MEMBERS; i++)
        free(c->memory[i]);
    tier_bank_free(&c->tiered);
}

static void attach(tiered_crowd *c, uint32_t tier, bool there)
{
    const test_bank *words = &c->tiered.tiers[tier];
    assert_int_equal(osc_bank_attach_tier(&c->bank, tier + 1u, there ? words->words : 0,
                                          there ? words->count * 4u : 0),
                     OSC_OK);
}

/* Never more rows than permitted, except those of one player that cannot do with fewer; what is
 * told of each member is so. Returns how many are late. */
static uint32_t tiered_step(tiered_crowd *c, uint32_t elapsed_us, uint32_t most_rows)
{
    uint32_t needed[MEMBERS], late = 0;
    bool in_pair[MEMBERS]; /* a player that shows its clock's position even if it has to wait */
    for (uint32_t i = 0; i < MEMBERS; i++) {
        osc_playback clock = c->playbacks[i];
        int32_t position = osc_playback_advance(&clock, elapsed_us);
        in_pair[i] = c->players[i].primed && stands_at(&c->players[i]) >> 11 == position >> 11;
        uint32_t rows = osc_player_rows_to(&c->players[i], position);
        uint32_t as_before = osc_player_rows_as_before(&c->players[i], position);
        needed[i] = as_before < rows ? as_before : rows;
    }
    rows_unpacked = 0;
    uint32_t told = osc_crowd_advance(c->members, MEMBERS, elapsed_us, most_rows);
    for (uint32_t i = 0; i < MEMBERS; i++) {
        const osc_crowd_member *member = &c->members[i];
        int32_t distance = behind(member); /* where a loop ends, it begins */
        if (member->rows == 0u || in_pair[i])
            assert_true(distance == 0 || distance == (int32_t)c->playbacks[i].end_q11);
        bool is_late = member->rows != 0u &&
                       (!c->players[i].primed || (distance > OSC_ONE_Q11 && !in_pair[i]));
        assert_int_equal(member->is_late, is_late);
        late += is_late ? 1u : 0u;
    }
    assert_int_equal(told, late);
    bool is_permitted = rows_unpacked <= most_rows;
    for (uint32_t i = 0; i < MEMBERS && !is_permitted; i++)
        is_permitted = rows_unpacked == needed[i] && c->members[i].rows == 0u;
    assert_true(is_permitted);
    return late;
}

/* While all play, tiers arrive, for which most would need all rows from a restart point on. None
 * falls behind for that, and all play the tier soon. */
static void a_tier_that_arrives_keeps_the_limit(void **state)
{
    (void)state;
    static tiered_crowd c;
    tiered_make(&c, tier_bank_of_codecs());
    for (uint32_t i = 0; i < MEMBERS; i++) {
        c.playbacks[i].position_q11 = 3000u * i % (c.playbacks[i].end_q11 + 1u);
        (void)osc_player_seek_q11(&c.players[i], (int32_t)c.playbacks[i].position_q11);
    }
    for (uint32_t tier = 0; tier <= c.tiered.tier_count; tier++) {
        for (uint32_t i = 0; i < 200u; i++) {
            assert_int_equal(tiered_step(&c, STEP_US, MEMBERS), 0);
            assert_in_range(rows_unpacked, 0, MEMBERS);
        }
        for (uint32_t i = 0; i < MEMBERS; i++)
            assert_int_equal(c.players[i].tier, tier);
        if (tier < c.tiered.tier_count)
            attach(&c, tier, true);
    }
    tiered_free(&c);
}

/* In one step tiers come and go, clips change and start again, clocks jump and turn round. */
static void nothing_exceeds_the_limit(void **state)
{
    tier_bank (*const *make)(void) = *state;
    static tiered_crowd c;
    uint64_t random = 7;
    tiered_make(&c, (*make)());
    for (uint32_t i = 0; i < 4000u; i++) {
        uint32_t m = random_u32(&random) % MEMBERS;
        osc_playback *clock = &c.playbacks[m];
        c.members[m].distance = random_u32(&random) % 4u;
        switch (random_u32(&random) % 24u) {
        case 0:
            attach(&c, random_u32(&random) % c.tiered.tier_count, random_u32(&random) & 1u);
            break;
        case 1:
            clock->position_q11 = random_u32(&random) % (clock->end_q11 + 1u);
            break;
        case 2:
            clock->speed_q16 = random_i32(&random) >> 12;
            break;
        case 3:
            assert_int_equal(osc_player_play(&c.players[m], clock,
                                             random_u32(&random) % c.bank.clip_count,
                                             1u + random_u32(&random) % 3u),
                             OSC_OK);
            break;
        default:
            break;
        }
        (void)tiered_step(&c, random_u32(&random) % STEP_US, 1u + random_u32(&random) % 9u);
    }
    tiered_free(&c);
}

/* With two rows a step, a player changes to a tier when it enters a restart point of the tier. */
static void a_restart_point_is_taken(void **state)
{
    (void)state;
    static tiered_crowd c;
    uint32_t taken = 0;
    tiered_make(&c, tier_bank_of_codecs());
    osc_player *player = &c.players[0];
    c.playbacks[0].position_q11 = 3u * OSC_ONE_Q11; /* too far from the tier's start */
    (void)osc_player_seek_q11(player, 3 * OSC_ONE_Q11);
    attach(&c, 1, true);
    for (uint32_t i = 0; i < 200u && taken == 0u; i++) {
        osc_playback clock = c.playbacks[0];
        int32_t position = osc_playback_advance(&clock, STEP_US);
        bool fits = osc_player_rows_as_before(player, position) == 1u &&
                    osc_player_rows_to(player, position) == 2u;
        assert_int_equal(osc_crowd_advance(c.members, 1, STEP_US, 2), 0);
        taken += fits ? 1u : 0u;
        assert_int_equal(player->tier, 2u * taken);
    }
    assert_int_equal(taken, 1);
    tiered_free(&c);
}

/* A player that was started, but has not sought yet, has no rows to show: it is late, and stands
 * where it was started. */
static void late_before_the_first_rows(uint32_t position_q11)
{
    crowd c;
    crowd_make(&c);
    for (uint32_t i = 0; i < MEMBERS; i++) {
        assert_int_equal(osc_player_start(&c.made[i].player, 0, OSC_PLAY_ONCE), OSC_OK);
        c.playbacks[i].position_q11 = position_q11;
    }
    for (uint32_t begun = 1; begun <= MEMBERS; begun++) {
        assert_int_equal(osc_crowd_advance(c.members, MEMBERS, 0, 1), MEMBERS - begun);
        for (uint32_t i = 0; i < MEMBERS; i++) /* the last one is the nearest */
            assert_int_equal(c.members[i].is_late, i < MEMBERS - begun);
        for (uint32_t i = 0; i < MEMBERS; i++)
            assert_int_equal(stands_at(c.members[i].player),
                             i < MEMBERS - begun ? 0 : (int32_t)position_q11);
    }
    crowd_free(&c);
}

static void who_has_not_begun_is_late(void **state)
{
    (void)state;
    late_before_the_first_rows(5000u);
    late_before_the_first_rows(500u); /* in the first pair */
}

/* The copy of a player that has no memory of its own does not move: neither with its version, nor
 * with one that arrives, nor where it waits. */
static void copies_without_memory_stand_still(void **state)
{
    (void)state;
    static tiered_crowd c;
    osc_player copies[MEMBERS], before[MEMBERS];
    tiered_make(&c, tier_bank_of_codecs());
    uint32_t words = osc_player_memory_words(&c.bank);
    int32_t *rows[MEMBERS];
    for (uint32_t i = 0; i < MEMBERS; i++) {
        c.playbacks[i].position_q11 = 5000u * i % (c.playbacks[i].end_q11 + 1u);
        (void)osc_player_seek_q11(&c.players[i], (int32_t)c.playbacks[i].position_q11);
        rows[i] = malloc(words * sizeof *rows[i]);
        memcpy(rows[i], c.memory[i], words * sizeof *rows[i]);
        copies[i] = before[i] = c.players[i];
        c.members[i].player = &copies[i];
    }
    rows_unpacked = 0;
    for (uint32_t step = 0; step < 60u; step++) {
        if (step == 20u)
            attach(&c, 0, true);
        (void)osc_crowd_advance(c.members, MEMBERS, STEP_US, MEMBERS);
    }
    assert_int_equal(rows_unpacked, 0);
    for (uint32_t i = 0; i < MEMBERS; i++) {
        assert_int_equal(stands_at(&copies[i]), stands_at(&before[i]));
        assert_memory_equal(rows[i], c.memory[i], words * sizeof *rows[i]);
        free(rows[i]);
    }
    tiered_free(&c);
}

int main(void)
{
    static tier_bank (*banks[])(void) = {tier_bank_of_codecs, tier_bank_of_blocks,
                                         tier_bank_of_keys};

    const struct CMUnitTest tests[] = {
        cmocka_unit_test(enough_rows_leave_nobody_behind),
        cmocka_unit_test(phases_speeds_and_directions_differ),
        cmocka_unit_test(the_nearest_come_first),
        cmocka_unit_test(the_late_come_before_the_nearest),
        cmocka_unit_test(equals_go_in_their_order),
        cmocka_unit_test(too_few_rows_are_told),
        cmocka_unit_test(a_large_jump_has_a_step_of_its_own),
        cmocka_unit_test(who_has_not_begun_is_late),
        cmocka_unit_test(a_tier_that_arrives_keeps_the_limit),
        cmocka_unit_test(a_restart_point_is_taken),
        cmocka_unit_test(copies_without_memory_stand_still),
        cmocka_unit_test_prestate(nothing_exceeds_the_limit, &banks[0]),
        cmocka_unit_test_prestate(nothing_exceeds_the_limit, &banks[1]),
        cmocka_unit_test_prestate(nothing_exceeds_the_limit, &banks[2]),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
