/* Crowds: never more rows than are permitted, the nearest first, nobody more than a frame behind
 * while the rows suffice. */
#include "bank_tools.h"
#include "check.h"
#include "osc_crowd.h"
#include "row_counter.h"
#include "sample_banks.h"

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

/* Where a player stands, in the clip. */
static int32_t stands_at(const osc_player *player)
{
    return (int32_t)((player->first_frame + player->left_frame) << 11 | player->fraction_q11);
}

/* How far a player is behind its clock, in the direction of play. */
static int32_t behind(const osc_crowd_member *member)
{
    int32_t end = (int32_t)member->playback->end_q11;
    int32_t way = (int32_t)member->playback->position_q11 - stands_at(member->player);
    way = member->playback->speed_q16 < 0 ? -way : way;
    return way < 0 ? way + end : way;
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
    (void)step(&c, 0, 1000); /* jumps, which nobody has to wait for */
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

/* Too few rows: the crowd is late as a whole, and says so. */
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

/* A clip that begins far from its start needs many rows at once: they are made alone. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(enough_rows_leave_nobody_behind),
        cmocka_unit_test(phases_speeds_and_directions_differ),
        cmocka_unit_test(the_nearest_come_first),
        cmocka_unit_test(too_few_rows_are_told),
        cmocka_unit_test(a_large_jump_has_a_step_of_its_own),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
