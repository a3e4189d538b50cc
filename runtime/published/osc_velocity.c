/* SPDX-License-Identifier: MIT */
/* The velocity codec: a row follows from the previous row by the track's velocity. A key changes
 * the velocity: by a difference, in speed only, or to a new velocity. A seed changes the row
 * instead.
 *
 * Every block begins with seeds at rest. Each key is followed by its duration, so that keys are in
 * the order in which they are needed, without track or frame numbers.
 */
#include "arithmetic/osc_quaternion.h"
#include "bank/osc_codecs.h"
#include "codecs/osc_headers.h"
#include "published/osc_velocity_arithmetic.h"
#include "published/osc_velocity_reader.h"

#define TRACK_WORDS ((uint32_t)(sizeof(osc_velocity_track) / 4u))

bool osc_velocity_valid(const osc_bank *bank, const osc_clip_parts *parts)
{
    uint32_t shift = OSC_VELOCITY_SHIFT_FIRST;
    if (parts->header_bits == 0u)
        return true;
    osc_headers headers = osc_headers_open(parts);
    uint32_t count = headers.left;
    while (osc_headers_next(&headers, bank)) {
        osc_velocity_track track;
        osc_velocity_take_header(&headers, bank, &shift, &track);
    }
    return headers.left == 0u && 1u + TRACK_WORDS * count <= bank->state_words &&
           headers.bits.position <= parts->header_bits;
}

static void velocity_start(osc_player *player)
{
    const osc_bank *bank = player->bank;
    osc_clip_parts parts = osc_player_parts(player);
    if (parts.header_bits == 0u)
        return;
    osc_headers headers = osc_headers_open(&parts);
    uint32_t shift = OSC_VELOCITY_SHIFT_FIRST;
    osc_velocity_track *track = (osc_velocity_track *)(player->state + 1);
    player->state[0] = (int32_t)headers.left;
    for (; osc_headers_next(&headers, bank); track++)
        osc_velocity_take_header(&headers, bank, &shift, track);
}

/* The row after `previous`. */
static void take_velocity_row(osc_bits *bits, osc_velocity_track *track, bool rotation,
                              const int32_t *previous, int32_t *row)
{
    bool seed = false;
    if (track->lasts == 0u) {
        seed = osc_velocity_take(bits, track, rotation);
        if (seed)
            osc_velocity_take_seed(bits, track->form, rotation, row);
        track->lasts = osc_bits_take_rice_unsigned(bits, OSC_VELOCITY_GAP_RICE(track->form));
    } else {
        track->lasts--;
    }
    if (seed)
        return;
    if (rotation)
        osc_velocity_turn(previous, &track->velocity, row);
    else
        osc_velocity_move(previous, &track->velocity, row);
}

/* The first row of a block. */
static void start_row(osc_bits *bits, osc_velocity_track *track, bool rotation, int32_t *row)
{
    const osc_velocity rest = {{0, 0, 0}, OSC_ONE_Q20};
    osc_velocity_take_seed(bits, track->form, rotation, row);
    track->velocity = rest;
    track->lasts = osc_bits_take_rice_unsigned(bits, OSC_VELOCITY_GAP_RICE(track->form));
}

OSC_HOT_VELOCITY static void velocity_unpack(osc_player *player, uint32_t frame)
{
    const osc_bank *bank = player->bank;
    osc_clip_parts parts = osc_player_parts(player);
    bool first = (frame & ((1u << parts.restart_log2) - 1u)) == 0u;
    if (parts.header_bits == 0u)
        return;
    if (first)
        player->bit_position = osc_clip_block_position(player, &parts, frame >> parts.restart_log2);
    osc_bits bits = osc_clip_stream(&parts, player->bit_position);
    osc_velocity_track *track = (osc_velocity_track *)(player->state + 1);
    for (uint32_t count = (uint32_t)player->state[0]; count != 0u; count--, track++) {
        uint32_t subtrack = OSC_VELOCITY_SUBTRACK(track->form),
                 offset = osc_subtrack_offset(bank, subtrack);
        bool rotation = subtrack < bank->rotation_subtracks;
        int32_t *row = player->rows[frame & 1u] + offset;
        const int32_t *previous = player->rows[(frame & 1u) ^ 1u] + offset;
        if (first)
            start_row(&bits, track, rotation, row);
        else
            take_velocity_row(&bits, track, rotation, previous, row);
        if (rotation)
            player->chords[subtrack] = osc_chord_q20(previous, row);
    }
    player->bit_position = bits.position;
}

const osc_codec osc_velocity_codec = {velocity_start, velocity_unpack};
