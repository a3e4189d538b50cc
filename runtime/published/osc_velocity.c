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

/* A track while its clip plays. Tracks follow each other in the player's state. */
typedef struct velocity_track {
    uint32_t form, codes; /* fields of the header, see below */
    osc_velocity velocity;
    uint32_t lasts; /* frames until the next key */
} velocity_track;

#define TRACK_WORDS ((uint32_t)(sizeof(velocity_track) / 4u))

/* form */
#define SUBTRACK(form) ((form)&0xfffu)
#define SHIFT(form) (((form) >> 12) & 31u)
#define SEED_SHIFT(form) (((form) >> 17) & 15u)
#define SEED_WIDTH(form) ((((form) >> 21) & 31u) + 1u)
#define GAP_RICE(form) (((form) >> 26) & 7u)
#define MOST_KIND(form) (((form) >> 29) & 3u)
#define IS_RANGED(form) (((form) >> 31) != 0u)

/* codes */
#define RICE(codes, i) (((codes) >> (4u * (i))) & 15u)
#define RANGE_WIDTH(codes) (((codes)&31u) + 1u)
#define SPEED_PRECISION_CODE(codes) (((codes) >> 12) & 3u)
#define FULL_WIDTH(codes) ((((codes) >> 14) & 31u) + 1u)

/* Reads a header after its gap. *shift: of the previous track; becomes this one's. */
static void take_velocity_header(osc_headers *headers, const osc_bank *bank, uint32_t *shift,
                                 velocity_track *track)
{
    osc_bits *bits = &headers->bits;
    uint32_t subtrack = headers->subtrack;
    bool rotation = subtrack < bank->rotation_subtracks;
    *shift = (*shift + (uint32_t)osc_bits_take_rice(bits, 0)) & OSC_VELOCITY_SHIFT_MAX;
    uint32_t form = subtrack | *shift << 12 | osc_bits_take(bits, 4u) << 17, codes;
    uint32_t width = OSC_CONSTANT_ROTATION_WIDTH - 1u - SEED_SHIFT(form);
    form |= (rotation ? width : osc_bits_take(bits, 5u)) << 21;
    form |= osc_bits_take(bits, 3u) << 26;
    form |= osc_bits_take(bits, 2u) << 29;
    form |= osc_bits_take(bits, 1u) << 31;
    codes = osc_bits_take(bits, IS_RANGED(form) ? 5u : 12u);
    if (MOST_KIND(form) >= OSC_VELOCITY_SPEED)
        codes |= osc_bits_take(bits, 2u) << 12;
    if (MOST_KIND(form) >= OSC_VELOCITY_FULL)
        codes |= osc_bits_take(bits, 5u) << 14;
    track->form = form;
    track->codes = codes;
}

bool osc_velocity_valid(const osc_bank *bank, const osc_clip_parts *parts)
{
    uint32_t shift = OSC_VELOCITY_SHIFT_FIRST;
    if (parts->header_bits == 0u)
        return true;
    osc_headers headers = osc_headers_open(parts);
    uint32_t count = headers.left;
    while (osc_headers_next(&headers, bank)) {
        velocity_track track;
        take_velocity_header(&headers, bank, &shift, &track);
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
    velocity_track *track = (velocity_track *)(player->state + 1);
    player->state[0] = (int32_t)headers.left;
    for (; osc_headers_next(&headers, bank); track++)
        take_velocity_header(&headers, bank, &shift, track);
}

/* Reads a seed: the value itself. A rotation has three components, the number of the dropped
 * component, and its sign. */
OSC_HOT_VELOCITY static void take_seed(osc_bits *bits, uint32_t form, bool rotation, int32_t *row)
{
    uint32_t prefix = rotation ? osc_bits_take(bits, 3u) : 7u, dropped = prefix & 3u;
    for (uint32_t i = 0; i < (rotation ? 4u : 3u); i++)
        if (i != dropped)
            row[i] = osc_shl(osc_bits_take_signed(bits, SEED_WIDTH(form)), SEED_SHIFT(form));
    if (rotation)
        osc_rebuild(row, dropped, (prefix & 4u) != 0u);
}

/* The number of ones before a zero; none follows `most` of them. */
static uint32_t take_kind(osc_bits *bits, uint32_t most)
{
    uint32_t kind = 0;
    while (kind < most && osc_bits_take(bits, 1u) != 0u)
        kind++;
    return kind;
}

static int32_t take_difference(osc_bits *bits, const velocity_track *track, uint32_t i)
{
    if (IS_RANGED(track->form))
        return osc_bits_take_signed(bits, RANGE_WIDTH(track->codes));
    uint32_t k = RICE(track->codes, i);
    return k == OSC_RICE_ZERO ? 0 : osc_bits_take_rice(bits, k);
}

/* Changes the velocity. Returns whether the key is a seed, which does not change it. */
static bool take_velocity(osc_bits *bits, velocity_track *track, bool rotation)
{
    osc_velocity *velocity = &track->velocity;
    uint32_t kind = take_kind(bits, MOST_KIND(track->form)), shift = SHIFT(track->form);
    if (kind == OSC_VELOCITY_SEED)
        return true;
    if (kind == OSC_VELOCITY_SPEED) {
        int32_t change = osc_bits_take_signed(bits, OSC_VELOCITY_SPEED_BITS);
        osc_velocity_speed(velocity, change,
                           OSC_VELOCITY_SPEED_PRECISION(SPEED_PRECISION_CODE(track->codes)));
    }
    for (uint32_t i = 0; i < 3u && kind == OSC_VELOCITY_DIFFERENCE; i++)
        velocity->to[i] = osc_add(velocity->to[i], osc_shl(take_difference(bits, track, i), shift));
    for (uint32_t i = 0; i < 3u && kind == OSC_VELOCITY_FULL; i++)
        velocity->to[i] = osc_shl(osc_bits_take_signed(bits, FULL_WIDTH(track->codes)), shift);
    osc_velocity_settle(velocity, rotation);
    return false;
}

/* The row after `previous`. */
static void take_velocity_row(osc_bits *bits, velocity_track *track, bool rotation,
                              const int32_t *previous, int32_t *row)
{
    bool seed = false;
    if (track->lasts == 0u) {
        seed = take_velocity(bits, track, rotation);
        if (seed)
            take_seed(bits, track->form, rotation, row);
        track->lasts = osc_bits_take_rice_unsigned(bits, GAP_RICE(track->form));
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
static void start_row(osc_bits *bits, velocity_track *track, bool rotation, int32_t *row)
{
    const osc_velocity rest = {{0, 0, 0}, OSC_ONE_Q20};
    take_seed(bits, track->form, rotation, row);
    track->velocity = rest;
    track->lasts = osc_bits_take_rice_unsigned(bits, GAP_RICE(track->form));
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
    velocity_track *track = (velocity_track *)(player->state + 1);
    for (uint32_t count = (uint32_t)player->state[0]; count != 0u; count--, track++) {
        uint32_t subtrack = SUBTRACK(track->form), offset = osc_subtrack_offset(bank, subtrack);
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
