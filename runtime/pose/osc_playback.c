/* SPDX-License-Identifier: MIT */
/* Time to positions. The fractions of a microsecond and of a position are kept, so that many steps
 * equal one step of their sum. Products are computed in halves, because the smallest machines have
 * no 64-bit product. */
#include "arithmetic/osc_fixed.h"
#include "bank/osc_internal.h"

void osc_playback_start(osc_playback *playback, const osc_clip_info *info, uint32_t loops)
{
    OSC_ASSERT(playback != 0 && info != 0);
    playback->end_q11 = (info->frame_count - 1u) << 11;
    playback->position_per_us_q32 = info->position_per_us_q32;
    playback->position_q11 = 0;
    playback->fraction_q32 = 0;
    playback->time_fraction_q16 = 0;
    playback->speed_q16 = OSC_ONE_Q16;
    playback->paused = false;
    playback->loops_left = loops;
    if (loops == OSC_LOOPS_AS_MADE)
        playback->loops_left = info->loop ? OSC_LOOPS_FOREVER : 1u;
}

/* Converts to microseconds of the clip: rounded down forward, rounded up backward. */
static uint32_t clip_time_us(osc_playback *playback, uint32_t elapsed_us, uint32_t size_q16)
{
    uint32_t low = elapsed_us * size_q16, high = osc_mulhi_u32(elapsed_us, size_q16);
    uint32_t kept = playback->time_fraction_q16, part = low & 0xffffu;
    if (high >= 0x8000u)
        return OSC_MAX_STEP_US;
    bool backward = playback->speed_q16 < 0;
    playback->time_fraction_q16 = (uint16_t)(backward ? kept - part : kept + part);
    uint32_t whole = high << 16 | low >> 16;
    if (backward)
        return whole + (part > kept ? 1u : 0u);
    return whole + ((kept + part) >> 16);
}

/* Counts `loops` loops. Returns an end of the clip if they are the last, otherwise `position_q11`.
 * A clip of one frame ends immediately. */
static uint32_t count_loops(osc_playback *playback, uint32_t loops, uint32_t position_q11)
{
    if (playback->loops_left == OSC_LOOPS_FOREVER)
        return playback->end_q11 != 0u ? position_q11 : 0u;
    if (loops < playback->loops_left) {
        playback->loops_left -= loops;
        return position_q11;
    }
    playback->loops_left = 0;
    playback->fraction_q32 = 0;
    playback->time_fraction_q16 = 0;
    return playback->speed_q16 < 0 ? 0u : playback->end_q11;
}

static void move_forward(osc_playback *playback, uint32_t step_us)
{
    uint32_t low = step_us * playback->position_per_us_q32, end = playback->end_q11;
    uint32_t position =
        playback->position_q11 + osc_mulhi_u32(step_us, playback->position_per_us_q32);
    playback->fraction_q32 += low;
    position += playback->fraction_q32 < low ? 1u : 0u;
    if (position >= end) {
        uint32_t loops = end != 0u ? position / end : playback->loops_left;
        position = count_loops(playback, loops, position - loops * end);
    }
    playback->position_q11 = position;
}

/* The reverse of move_forward: backward motion jumps from the start to the end, as forward motion
 * does from the end to the start. */
static void move_backward(osc_playback *playback, uint32_t step_us)
{
    uint32_t low = step_us * playback->position_per_us_q32, end = playback->end_q11;
    uint32_t back = osc_mulhi_u32(step_us, playback->position_per_us_q32) +
                    (low > playback->fraction_q32 ? 1u : 0u);
    playback->fraction_q32 -= low;
    uint32_t between = playback->fraction_q32 != 0u ? 1u : 0u; /* two positions */
    uint32_t position = playback->position_q11 - back;
    if (playback->position_q11 < back + 1u - between) {
        uint32_t missing = back - playback->position_q11;
        uint32_t loops = end != 0u ? (missing - between) / end + 1u : playback->loops_left;
        position = count_loops(playback, loops, loops * end - missing);
    }
    playback->position_q11 = position;
}

int32_t osc_playback_advance(osc_playback *playback, uint32_t elapsed_us)
{
    OSC_ASSERT(playback != 0);
    int32_t speed = playback->speed_q16;
    if (!playback->paused && speed != 0 && playback->loops_left != 0u) {
        uint32_t size = speed < 0 ? 0u - (uint32_t)speed : (uint32_t)speed;
        uint32_t step_us = clip_time_us(playback, elapsed_us, size);
        if (speed < 0)
            move_backward(playback, step_us);
        else
            move_forward(playback, step_us);
    }
    return (int32_t)playback->position_q11;
}

int32_t osc_player_play(osc_player *player, osc_playback *playback, uint32_t clip, uint32_t loops)
{
    osc_clip_info info;
    /* this clock wraps positions itself; the last position of a clip that jumps differs from its
     * first */
    int32_t status = osc_player_start(player, clip, OSC_PLAY_ONCE);
    if (status != OSC_OK)
        return status;
    (void)osc_clip_describe(player->bank, clip, &info);
    osc_playback_start(playback, &info, loops);
    (void)osc_player_seek_q11(player, 0);
    return OSC_OK;
}

int32_t osc_player_advance(osc_player *player, osc_playback *playback, uint32_t elapsed_us)
{
    return osc_player_seek_q11(player, osc_playback_advance(playback, elapsed_us));
}
