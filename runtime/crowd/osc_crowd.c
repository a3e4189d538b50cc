/* SPDX-License-Identifier: MIT */
/* Crowds: limits the rows that players unpack. */
#include "osc_crowd.h"

#include "bank/osc_internal.h"

static bool is_backward(const osc_crowd_member *member)
{
    return member->playback->speed_q16 < 0;
}

static uint32_t frame_of(const osc_player *player)
{
    return player->first_frame + player->left_frame;
}

static bool is_inside(const osc_crowd_member *member)
{
    return member->playback->position_q11 >> 11 == frame_of(member->player);
}

/* The end of a player's pair in the direction of play. */
static uint32_t end_of_pair(const osc_crowd_member *member)
{
    uint32_t end = frame_of(member->player) << 11 | (is_backward(member) ? 0u : OSC_ONE_Q11 - 1u);
    return end < member->playback->end_q11 ? end : member->playback->end_q11;
}

/* Returns whether a waiting player is more than a frame behind its clock. A player whose clock is
 * in its pair needs only rows of another version of the clip, and shows its old rows until then. */
static bool falls_behind(const osc_crowd_member *member)
{
    if (!member->player->primed)
        return true;
    int32_t end = (int32_t)end_of_pair(member), clock = (int32_t)member->playback->position_q11;
    int32_t behind = is_backward(member) ? end - clock : clock - end;
    behind += behind < 0 ? (int32_t)member->playback->end_q11 : 0;
    return !is_inside(member) && behind > OSC_ONE_Q11;
}

static int32_t clock_of(const osc_crowd_member *member)
{
    return (int32_t)member->playback->position_q11;
}

/* The number of rows to the clock's position, in the best version of the clip. */
static uint32_t rows_of_best(const osc_crowd_member *member)
{
    return osc_player_rows_to(member->player, clock_of(member));
}

static void look(osc_crowd_member *member)
{
    uint32_t as_before = OSC_ROWS_NONE;
    member->rows = rows_of_best(member);
    if (member->rows != 0u)
        as_before = osc_player_rows_as_before(member->player, clock_of(member));
    if (member->rows > as_before)
        member->rows = as_before;
    member->is_late = member->rows != 0u && falls_behind(member);
}

/* Moves a player to its clock, in the best version if that takes at most one row more and no more
 * than the rows left. Returns the number of rows. */
static uint32_t follow(osc_crowd_member *member, uint32_t left)
{
    uint32_t rows = member->rows, best = rows_of_best(member);
    if (best <= rows || (best == rows + 1u && best <= left)) {
        rows = best;
        (void)osc_player_seek_q11(member->player, clock_of(member));
    } else {
        osc_player_seek_as_before(member->player, clock_of(member));
    }
    member->rows = 0;
    member->is_late = false;
    return rows;
}

/* Moves a waiting player to its clock if that is in its pair, otherwise to the end of the pair.
 * Does not change the version, which would need rows. */
static void wait(const osc_crowd_member *member)
{
    uint32_t at = is_inside(member) ? member->playback->position_q11 : end_of_pair(member);
    osc_player_stay(member->player, at & (OSC_ONE_Q11 - 1u));
}

static bool goes_before(const osc_crowd_member *a, const osc_crowd_member *b)
{
    return a->is_late != b->is_late ? a->is_late : a->distance < b->distance;
}

/* The first member, by goes_before, that needs rows but at most most_rows, or null. */
static osc_crowd_member *first_of(osc_crowd_member *members, uint32_t count, uint32_t most_rows)
{
    osc_crowd_member *first = 0;
    for (; count != 0u; count--, members++)
        if (members->rows != 0u && members->rows <= most_rows &&
            (first == 0 || goes_before(members, first)))
            first = members;
    return first;
}

/* The nearest player that is at its clock and can change to another version, or null. */
static osc_crowd_member *first_to_change(osc_crowd_member *members, uint32_t count, uint32_t left)
{
    osc_crowd_member *first = 0;
    for (; left != 0u && count != 0u; count--, members++)
        if (members->rows == 0u && (first == 0 || goes_before(members, first)) &&
            rows_of_best(members) - 1u < left)
            first = members;
    return first;
}

uint32_t osc_crowd_advance(osc_crowd_member *members, uint32_t count, uint32_t elapsed_us,
                           uint32_t most_rows)
{
    OSC_ASSERT(members != 0 && most_rows != 0u);
    uint32_t late = 0, left = most_rows, most = ~0u; /* the first player may need any number */
    for (uint32_t i = 0; i < count; i++) {
        (void)osc_playback_advance(members[i].playback, elapsed_us);
        look(&members[i]);
        if (members[i].rows == 0u)
            (void)follow(&members[i], 0);
    }
    for (osc_crowd_member *next; (next = first_of(members, count, most)) != 0; most = left) {
        uint32_t rows = follow(next, left);
        left -= rows < left ? rows : left;
    }
    for (osc_crowd_member *next; (next = first_to_change(members, count, left)) != 0;) {
        left -= rows_of_best(next);
        (void)osc_player_seek_q11(next->player, clock_of(next));
    }
    for (uint32_t i = 0; i < count; i++) {
        if (members[i].rows != 0u)
            wait(&members[i]);
        late += members[i].is_late ? 1u : 0u;
    }
    return late;
}
