/* Crowds: who may unpack rows. */
#include "osc_crowd.h"

static bool is_backward(const osc_crowd_member *member)
{
    return member->playback->speed_q16 < 0;
}

/* The frame that follows another one in the direction of play. */
static uint32_t next_frame(const osc_crowd_member *member, uint32_t frame)
{
    uint32_t pairs = member->playback->end_q11 >> 11;
    if (is_backward(member))
        return frame == 0u ? pairs - 1u : frame - 1u;
    return frame + 1u >= pairs ? 0u : frame + 1u;
}

static uint32_t frame_of(const osc_player *player)
{
    return player->first_frame + player->left_frame;
}

/* What a member needs, and whether it would be more than a frame behind without that: one whose
 * clock is in the next frame stands at the end of its pair. */
static void look(osc_crowd_member *member)
{
    const osc_player *player = member->player;
    uint32_t position_q11 = member->playback->position_q11;
    member->rows = osc_player_rows_to(player, (int32_t)position_q11);
    member->is_late =
        member->rows != 0u &&
        (!player->primed || position_q11 >> 11 != next_frame(member, frame_of(player)));
}

static void follow(osc_crowd_member *member)
{
    (void)osc_player_seek_q11(member->player, (int32_t)member->playback->position_q11);
    member->rows = 0;
    member->is_late = false;
}

/* Where a player stands that does not follow: at the end of its pair. */
static void wait(const osc_crowd_member *member)
{
    uint32_t end = is_backward(member) ? 0u : OSC_ONE_Q11 - 1u;
    if (member->player->primed)
        (void)osc_player_seek_q11(member->player, (int32_t)(frame_of(member->player) << 11 | end));
}

static bool goes_before(const osc_crowd_member *a, const osc_crowd_member *b)
{
    return a->is_late != b->is_late ? a->is_late : a->distance < b->distance;
}

/* The member that comes first of those that need no more rows, or null. */
static osc_crowd_member *first_of(osc_crowd_member *members, uint32_t count, uint32_t most_rows)
{
    osc_crowd_member *first = 0;
    for (; count != 0u; count--, members++)
        if (members->rows != 0u && members->rows <= most_rows &&
            (first == 0 || goes_before(members, first)))
            first = members;
    return first;
}

uint32_t osc_crowd_advance(osc_crowd_member *members, uint32_t count, uint32_t elapsed_us,
                           uint32_t most_rows)
{
    OSC_ASSERT(members != 0 && most_rows != 0u);
    uint32_t late = 0, left = ~0u; /* the first one may need any number */
    for (uint32_t i = 0; i < count; i++) {
        (void)osc_playback_advance(members[i].playback, elapsed_us);
        look(&members[i]);
        if (members[i].rows == 0u)
            follow(&members[i]);
    }
    for (osc_crowd_member *next; (next = first_of(members, count, left)) != 0;) {
        uint32_t rows = next->rows;
        left = left == ~0u ? most_rows : left;
        left -= rows < left ? rows : left;
        follow(next);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (members[i].rows != 0u)
            wait(&members[i]);
        late += members[i].is_late ? 1u : 0u;
    }
    return late;
}
