/* SPDX-License-Identifier: MIT */
/* The curve codec: each track is a chain of sections between sparse keys, or has a key on every
 * frame.
 *
 * A block, from one restart point to the next, is independent: at its first frame, every track has
 * a plain key at a fixed offset, so that the sections that end at the next restart point can read
 * their last key there. All other keys are in the order in which they are needed, so the stream
 * needs neither track numbers nor frame numbers except the gap from key to key.
 */
#include "bank/osc_codecs.h"
#include "bank/osc_internal.h"
#include "codecs/osc_curve_arithmetic.h"
#include "codecs/osc_curve_dense.h"
#include "codecs/osc_curve_reader.h"
#include "codecs/osc_headers.h"
#include "codecs/osc_port_rows.h"

OSC_HOT_CURVE OSC_CURVE_SMALL bool osc_curve_valid(const osc_bank *bank,
                                                   const osc_clip_parts *parts)
{
    uint32_t state_words = 1, shift = OSC_CURVE_SHIFT_FIRST;
    if (parts->header_bits == 0u)
        return true;
    osc_headers headers = osc_headers_open(parts);
    while (osc_headers_next(&headers, bank)) {
        bool rotation = headers.subtrack < bank->rotation_subtracks;
        uint32_t form, rice;
        osc_curve_take_header(&headers.bits, rotation, &shift, &form, &rice);
        if (rotation && OSC_CURVE_PACKING(form) > OSC_CURVE_FOUR)
            return false;
        state_words += osc_curve_state_words(OSC_CURVE_BASIS(form), osc_curve_components(form));
    }
    return headers.left == 0u && state_words <= bank->state_words &&
           headers.bits.position <= parts->header_bits;
}

static osc_curve_reader open_reader(osc_curve_run *run)
{
    return (osc_curve_reader){&run->store, run->ahead, run->block_end,
                              run->ahead_end != OSC_CURVE_NEVER};
}

OSC_HOT_CURVE static OSC_CURVE_RARE void
take_linear(osc_curve_reader *reader, osc_curve_sparse *track, uint32_t gap, bool extrapolate)
{
    uint32_t count = osc_curve_components(track->form);
    osc_curve_key *keys = osc_curve_keys(track);
    for (uint32_t i = 0; i < count; i++)
        keys[i].after =
            extrapolate ? osc_curve_ahead(keys[i].end, keys[i].tangent, gap) : keys[i].end;
    osc_curve_take_keys(reader, track, track->end);
    for (uint32_t i = 0; i < count; i++) {
        osc_curve_polynomial *polynomial = &track->polynomials[i];
        int32_t step = osc_sub(keys[i].after, keys[i].end);
        keys[i].end = keys[i].after;
        polynomial->b = polynomial->c = 0;
        polynomial->a = osc_shl(step, OSC_CURVE_FRACTION);
        if (OSC_CURVE_MODE(track->form) != 0u)
            keys[i].tangent = osc_curve_slope(step, gap);
    }
}

OSC_HOT_CURVE static OSC_CURVE_RARE void take_hermite(osc_curve_reader *reader,
                                                      osc_curve_sparse *track, uint32_t gap)
{
    uint32_t count = osc_curve_components(track->form);
    osc_curve_key *keys = osc_curve_keys(track);
    for (uint32_t i = 0; i < count; i++)
        track->polynomials[i].a = keys[i].tangent;
    osc_curve_take_tangents(reader, track);
    for (uint32_t i = 0; i < count; i++) {
        osc_curve_polynomial *polynomial = &track->polynomials[i];
        polynomial->c = keys[i].tangent;
        keys[i].after = keys[i].end;
        if (OSC_CURVE_MODE(track->form) != 0u)
            keys[i].after =
                osc_curve_ahead(keys[i].end, osc_add(polynomial->a, polynomial->c) >> 1, gap);
    }
    osc_curve_take_keys(reader, track, track->end);
    for (uint32_t i = 0; i < count; i++) {
        osc_curve_polynomial *polynomial = &track->polynomials[i];
        polynomial->b = osc_sub(keys[i].after, keys[i].end);
        keys[i].end = keys[i].after;
        osc_curve_bend(polynomial, gap);
    }
}

OSC_HOT_CURVE static void keep_next(osc_curve_sparse *track, uint32_t next)
{
    track->upcoming = (track->upcoming & ~OSC_CURVE_UPCOMING_MASK) | next;
}

/* A cubic block's first section: its end, as what comes after nothing. */
OSC_HOT_CURVE static OSC_CURVE_RARE void take_first_end(osc_curve_reader *reader,
                                                        osc_curve_sparse *track, uint32_t frame)
{
    uint32_t jump, gap = osc_curve_take_gap(reader, track->form, frame, &jump);
    osc_curve_key *keys = osc_curve_keys(track);
    for (uint32_t i = 0; i < osc_curve_components(track->form); i++)
        keys[i].after = keys[i].end;
    osc_curve_take_keys(reader, track, frame + gap);
    keep_next(track, gap | (jump != 0u ? OSC_CURVE_NEXT_JUMP : 0u));
}

/* A cubic section's tangents are those of the parabola through three keys, of which the last is
 * read ahead unless the block ends before it. If there is no key beyond the section's end, or the
 * sections share no tangent, the section itself is a parabola. Returns the size of its
 * coefficients. */
OSC_HOT_CURVE static uint32_t take_cubic(osc_curve_reader *reader, osc_curve_sparse *track,
                                         uint32_t gap, bool fresh)
{
    uint32_t form = track->form, upcoming = track->upcoming, after = 0, after_jump = 0, size = 0;
    bool ahead = false;
    if (track->end != reader->block_end) {
        after = osc_curve_take_gap(reader, form, track->end, &after_jump);
        ahead = osc_curve_is_ahead(reader, track->end + after);
    }
    bool extrapolate =
        ((upcoming & OSC_CURVE_NEXT_JUMP) | after_jump) == 0u && OSC_CURVE_MODE(form) != 0u;
    bool smooth = after != 0u && after_jump == 0u;
    osc_curve_polynomial *polynomial = track->polynomials, *const end = polynomial +
                                                                        osc_curve_components(form);
    osc_curve_key *keys = (osc_curve_key *)end;
    osc_bits plain = {0, 0, 0};
    if (ahead)
        plain = osc_curve_bits_ahead(reader, track);
    osc_window window = osc_window_resume(reader->store);
    uint32_t rice = track->rice, coarsenings = form >> OSC_CURVE_COARSENING_AT;
    for (; polynomial != end; polynomial++, keys++, rice >>= 4, coarsenings >>= 2) {
        int32_t key = keys->after, right = 0;
        polynomial->b = osc_sub(key, keys->end);
        polynomial->start = osc_shl(keys->end, OSC_CURVE_SHIFT(form));
        keys->end = key;
        int32_t slope = osc_curve_slope(polynomial->b, gap);
        if (OSC_UNLIKELY(ahead))
            keys->after =
                osc_curve_take_plain(&plain, form, (uint32_t)(polynomial - track->polynomials));
        else if (after != 0u)
            keys->after =
                osc_curve_take_key(&window, coarsenings & 3u, rice & 15u,
                                   extrapolate ? osc_curve_ahead(key, slope, after) : key);
        if (smooth) {
            int32_t beyond = osc_curve_slope(osc_sub(keys->after, key), after);
            right = osc_curve_parabola(slope, gap, beyond, after);
        }
        keys->tangent = osc_curve_join(polynomial, gap, slope, fresh, keys->tangent, smooth, right);
        size |= osc_curve_size(polynomial);
    }
    osc_window_suspend(&window);
    keep_next(track, after | ((upcoming & OSC_CURVE_NEXT_JUMP) != 0u ? OSC_CURVE_THIS_JUMP : 0u) |
                         (after_jump != 0u ? OSC_CURVE_NEXT_JUMP : 0u));
    return size;
}

/* The last key of a block is held. */
OSC_HOT_CURVE static OSC_CURVE_RARE void rest(osc_curve_sparse *track)
{
    osc_curve_key *keys = osc_curve_keys(track);
    for (uint32_t i = 0; i < osc_curve_components(track->form); i++) {
        osc_curve_polynomial *polynomial = &track->polynomials[i];
        polynomial->start = osc_shl(keys[i].end, OSC_CURVE_SHIFT(track->form));
        polynomial->a = polynomial->b = polynomial->c = 0;
    }
    track->end = OSC_CURVE_NEVER;
    track->bias = track->pace = track->fit = 0;
}

/* Prepares u of the section that begins at `frame`, so that it takes only a product. */
OSC_HOT_CURVE static void set_pace(osc_curve_sparse *track, uint32_t ramp, uint32_t frame)
{
    track->pace = OSC_RAMP_RECIPROCAL(ramp) << (16u - OSC_RAMP_HALVINGS(ramp));
    track->bias = (1u << 15) - frame * track->pace;
    track->fit = OSC_RAMP_SCALE(ramp) << 8;
}

/* Moves to the section that begins at `frame`, where the last one ends. first: a block begins.
 */
OSC_HOT_CURVE OSC_NOINLINE void advance(osc_curve_reader *reader, osc_curve_sparse *track,
                                        uint32_t frame, bool first)
{
    uint32_t form = track->form, basis = OSC_CURVE_BASIS(form), count = osc_curve_components(form);
    uint32_t gap, jump, size = 0;
    if (first && basis == OSC_CURVE_HERMITE)
        osc_curve_take_tangents(reader, track);
    if (frame == reader->block_end) {
        rest(track);
        return;
    }
    if (basis == OSC_CURVE_CUBIC) {
        bool fresh = first || (track->upcoming & OSC_CURVE_THIS_JUMP) != 0u;
        if (first)
            take_first_end(reader, track, frame);
        gap = OSC_CURVE_UPCOMING_GAP(track->upcoming);
        track->end = frame + gap;
        size = take_cubic(reader, track, gap, fresh);
    } else {
        const osc_curve_key *keys = osc_curve_keys(track);
        gap = osc_curve_take_gap(reader, form, frame, &jump);
        track->end = frame + gap;
        for (uint32_t i = 0; i < count; i++)
            track->polynomials[i].start = osc_shl(keys[i].end, OSC_CURVE_SHIFT(form));
        if (basis == OSC_CURVE_HERMITE)
            take_hermite(reader, track, gap);
        else
            take_linear(reader, track, gap, !first && OSC_CURVE_MODE(form) != 0u);
        for (uint32_t i = 0; i < count; i++)
            size |= osc_curve_size(&track->polynomials[i]);
    }
    set_pace(track, osc_curve_settle(track->polynomials, count, size, gap, OSC_CURVE_SHIFT(form)),
             frame);
}

OSC_INLINE void finish(int32_t *row, const int32_t *values, uint32_t packing)
{
    if (packing < OSC_CURVE_FOUR) {
        uint32_t dropped = packing & 3u;
        int32_t x = values[0], y = values[1], z = values[2];
        row[dropped] = osc_rebuild_here_q20(x, y, z);
        row[(dropped + 1u) & 3u] = x;
        row[(dropped + 2u) & 3u] = y;
        row[(dropped + 3u) & 3u] = z;
        if (packing >= 4u)
            osc_turn(row, packing >= 8u);
        return;
    }
    row[0] = values[0];
    row[1] = values[1];
    row[2] = values[2];
    if (packing == OSC_CURVE_FOUR) {
        row[3] = values[3];
        uint32_t dropped = osc_largest_component(row);
        osc_rebuild(row, dropped, row[dropped] < 0);
    }
}

OSC_CURVE_RARE void osc_curve_finish(int32_t *row, const int32_t *values, uint32_t packing)
{
    finish(row, values, packing);
}

static inline void evaluate(const osc_curve_sparse *track, uint32_t frame, int32_t values[4])
{
    uint32_t scale = (track->fit >> 8) & 31u;
    int32_t u = (int32_t)((frame * track->pace + track->bias) >> 16);
    int32_t half = (int32_t)((1u << scale) >> 1);
    const osc_curve_polynomial *polynomials = track->polynomials;
    values[0] = osc_curve_value(&polynomials[0], u, scale, half);
    values[1] = osc_curve_value(&polynomials[1], u, scale, half);
    values[2] = osc_curve_value(&polynomials[2], u, scale, half);
    values[3] = 0;
    if (OSC_CURVE_PACKING(track->form) == OSC_CURVE_FOUR)
        values[3] = osc_curve_value(&polynomials[3], u, scale, half);
}

/* finish, and the chord of a rotation. */
OSC_INLINE uint32_t finish_track(int32_t *row, const int32_t *previous, const int32_t *values,
                                 uint32_t packing)
{
    finish(row, values, packing);
    return packing <= OSC_CURVE_FOUR ? osc_chord_q20(previous, row) : 0u;
}

/* Fill a row from a track's current values. Return the chord of a rotation. */
static inline uint32_t fill_dense(const osc_curve_dense *track, int32_t *row,
                                  const int32_t *previous)
{
    const int32_t values[4] = {track->components[0].value, track->components[1].value,
                               track->components[2].value, 0};
    return finish_track(row, previous, values, OSC_CURVE_PACKING(track->form));
}

static inline uint32_t fill_section(const osc_curve_sparse *track, uint32_t frame, int32_t *row,
                                    const int32_t *previous)
{
    int32_t values[4];
    evaluate(track, frame, values);
    return finish_track(row, previous, values, OSC_CURVE_PACKING(track->form));
}

/* The part of a track that a row needs. */
static uint32_t first_dispatch(uint32_t form, uint32_t rice, uint32_t offset)
{
    uint32_t kinds[3], adapts = OSC_CURVE_MODE(form), packing = OSC_CURVE_PACKING(form);
    if (OSC_CURVE_BASIS(form) != OSC_CURVE_DENSE)
        return OSC_CURVE_DISPATCH(OSC_CURVE_OTHER, packing, offset);
    if (packing == OSC_CURVE_FOUR)
        return OSC_CURVE_DISPATCH(OSC_CURVE_DENSE_FOUR, packing, offset) | adapts;
    for (uint32_t i = 0; i < 3u; i++) {
        bool constant = ((rice >> (4u * i)) & 15u) == OSC_RICE_ZERO;
        uint32_t predictor = (rice >> (16u + 4u * i)) & 3u;
        kinds[i] = constant ? OSC_CURVE_POINT_CONSTANT : OSC_CURVE_POINT(predictor, adapts);
    }
    return OSC_CURVE_DISPATCH(kinds[0], packing, offset) | kinds[1] << 4 | kinds[2];
}

OSC_HOT_CURVE static OSC_CURVE_SMALL void curve_start(osc_player *player)
{
    const osc_bank *bank = player->bank;
    osc_clip_parts parts = osc_player_parts(player);
    int32_t *state = player->state;
    if (parts.header_bits == 0u)
        return;
    osc_headers headers = osc_headers_open(&parts);
    uint32_t plain_at = 0, shift = OSC_CURVE_SHIFT_FIRST, rice;
    while (osc_headers_next(&headers, bank)) {
        osc_curve_track *track = (osc_curve_track *)state;
        bool rotation = headers.subtrack < bank->rotation_subtracks;
        osc_curve_take_header(&headers.bits, rotation, &shift, &track->form, &rice);
        uint32_t form = track->form;
        track->dispatch = first_dispatch(form, rice, osc_subtrack_offset(bank, headers.subtrack));
        if (OSC_CURVE_DISPATCH_KIND(track->dispatch) < OSC_CURVE_POINT_KINDS) {
            osc_curve_open_dense((osc_curve_dense *)track, rice);
        } else if (OSC_CURVE_DISPATCH_KIND(track->dispatch) == OSC_CURVE_DENSE_FOUR) {
            osc_curve_open_dense_four((osc_curve_dense_four *)track, form, rice);
        } else {
            ((osc_curve_sparse *)track)->rice = rice;
            ((osc_curve_sparse *)track)->upcoming = plain_at << OSC_CURVE_PLAIN_SHIFT;
        }
        for (uint32_t c = 0; c < osc_curve_components(form); c++)
            plain_at += osc_curve_plain_width(form, c);
        state += osc_curve_state_words(OSC_CURVE_BASIS(form), osc_curve_components(form));
    }
    *(uint32_t *)state = OSC_CURVE_END;
}

/* Has the platform begin a block's first cubic section, read the key beyond and fill the row; where
 * it leaves that to do, the section is one that stands alone. Returns false with nothing done where
 * it is no such section. */
OSC_HOT_CURVE static bool begin_cubic(osc_curve_run *run, osc_curve_reader *reader)
{
    osc_curve_sparse *track = (osc_curve_sparse *)run->track;
    osc_curve_track *next = osc_curve_next_track(run->track);
    uint32_t next_dispatch = next->dispatch, packing = OSC_CURVE_PACKING(track->form);
    if (OSC_CURVE_BASIS(track->form) != OSC_CURVE_CUBIC || packing == OSC_CURVE_FOUR ||
        run->frame == run->block_end)
        return false;
    take_first_end(reader, track, run->frame);
    track->upcoming |= OSC_CURVE_THIS_JUMP;
    track->end = run->frame;
    track->dispatch =
        OSC_CURVE_DISPATCH(OSC_CURVE_BEGINS, packing, OSC_CURVE_DISPATCH_OFFSET(track->dispatch));
    next->dispatch = OSC_CURVE_END; /* this track alone */
    osc_curve_fill(run);
    next->dispatch = next_dispatch;
    return true;
}

/* Fills the row of a track that the platform does not handle; first: a block begins; passes: only
 * the track's state is needed. Returns the next track, or this track if it has become one of the
 * platform's. */
OSC_HOT_CURVE static osc_curve_track *fill_other(osc_curve_run *run, bool first, bool passes)
{
    osc_curve_track *track = run->track;
    uint32_t offset = OSC_CURVE_DISPATCH_OFFSET(track->dispatch), frame = run->frame, chord_q20;
    int32_t *row = run->row + offset;
    const int32_t *previous = run->previous + offset;
    if (OSC_CURVE_DISPATCH_KIND(track->dispatch) == OSC_CURVE_DENSE_FOUR) {
        chord_q20 =
            osc_curve_fill_four(&run->store, (osc_curve_dense_four *)track, first, row, previous);
    } else {
        osc_curve_sparse *sparse = (osc_curve_sparse *)track;
        osc_curve_reader reader = open_reader(run);
        bool starts = first && !(OSC_CURVE_FILLS && begin_cubic(run, &reader));
        if (OSC_CURVE_FILLS && run->track != track)
            return run->track;
        bool begins = starts || frame == sparse->end;
        if (begins)
            advance(&reader, sparse, frame, starts);
        if (OSC_CURVE_FILLS && begins && !first) {
            osc_curve_ready(sparse, false);
            if (OSC_CURVE_DISPATCH_KIND(track->dispatch) != OSC_CURVE_OTHER)
                return track;
        }
        if (passes)
            return osc_curve_next_track(track);
        chord_q20 = fill_section(sparse, frame, row, previous);
        if (OSC_CURVE_FILLS && first)
            osc_curve_ready(sparse, true);
    }
    if (OSC_CURVE_DISPATCH_PACKING(track->dispatch) <= OSC_CURVE_FOUR)
        run->chords[offset >> 2] = chord_q20;
    return osc_curve_next_track(track);
}

/* Rows that a seek passes need no rotations: a track's state does not depend on rows. That saves a
 * third of a distant seek, and takes 84 to 112 bytes on small machines, which have no vectors. */
#if defined(OSC_PORT_ROWS) && !OSC_CURVE_FILLS
#define OSC_CURVE_PASSES 1
#else
#define OSC_CURVE_PASSES 0
#endif

/* Fills the tracks that the platform has left, and all of a block's first row. row_in_block: number
 * of the row in its block */
OSC_HOT_CURVE OSC_NOINLINE void fill_rest(const osc_player *player, osc_curve_run *run,
                                          uint32_t row_in_block)
{
    osc_curve_track *const tracks = (osc_curve_track *)player->state;
    const bool passes = OSC_CURVE_PASSES && player->passes;
    if (row_in_block == 0u) {
        osc_clip_parts parts = osc_player_parts(player);
        osc_bits *bits = &run->store.bits;
        bits->position = osc_clip_block_position(player, &parts, run->frame >> parts.restart_log2);
        osc_curve_start_block(tracks, bits);
        const osc_codec *base_row = player->bank->codecs[OSC_CODEC_BASE_ROW];
        if (base_row != 0)
            ((const osc_base_row *)base_row)->take(player, bits);
        bits->position -= OSC_WINDOW_BITS;
    }
    for (osc_curve_track *track = run->track; osc_curve_is_track(track); track = run->track) {
        uint32_t row = OSC_CURVE_DISPATCH_OFFSET(track->dispatch);
        if (OSC_CURVE_DISPATCH_KIND(track->dispatch) < OSC_CURVE_POINT_KINDS) {
            osc_curve_dense *dense = (osc_curve_dense *)track;
            if (row_in_block != 0u)
                osc_curve_take_dense(&run->store, dense);
            if (!passes) {
                uint32_t chord_q20 = fill_dense(dense, run->row + row, run->previous + row);
                if (OSC_CURVE_DISPATCH_PACKING(track->dispatch) < OSC_CURVE_FOUR)
                    run->chords[row >> 2] = chord_q20;
            }
            run->track = osc_curve_track_after(track, sizeof *dense / 4u);
        } else {
            run->track = fill_other(run, row_in_block == 0u, passes);
        }
        if (OSC_CURVE_FILLS && row_in_block != 0u)
            osc_curve_fill(run);
    }
    if (row_in_block == 1u)
        for (osc_curve_track *track = tracks; osc_curve_is_track(track);
             track = osc_curve_next_track(track))
            osc_curve_begin_steps(track);
}

OSC_HOT_CURVE static void curve_unpack(osc_player *player, uint32_t frame)
{
    const uint32_t *data = player->data;
    uint32_t counts = osc_word(data[0]), restart_log2 = osc_shape_restart_log2(player->shape);
    uint32_t last_block = (player->row_count - 1u) >> restart_log2, block = frame >> restart_log2;
    const uint32_t *stream = data + 1 + (counts >> OSC_DATA_BREAKS_SHIFT) + last_block;
    osc_curve_run run;
    if ((counts & OSC_DATA_HEADER_MASK) == 0u)
        return;
    run.row = player->rows[frame & 1u];
    run.previous = player->rows[(frame & 1u) ^ 1u];
    run.chords = player->chords;
    run.frame = frame;
    run.store.bits.words = stream;
    run.store.bits.last_pair = (uint32_t)(data + player->data_words - stream) - 2u;
    run.store.bits.position = player->bit_position - OSC_WINDOW_BITS; /* no bits are loaded */
    run.store.left = OSC_WINDOW_EMPTY;
    run.track = (osc_curve_track *)player->state;
    run.block_end = player->row_count - 1u;
    run.ahead_end = OSC_CURVE_NEVER;
    run.ahead = 0;
    if (block < last_block) {
        run.ahead_end = run.block_end = (block + 1u) << restart_log2;
        run.ahead = osc_word(stream[(int32_t)block - (int32_t)last_block]);
    }
    uint32_t row_in_block = frame - (block << restart_log2);
    if (OSC_CURVE_FILLS && row_in_block != 0u)
        osc_curve_fill(&run);
    if (!OSC_CURVE_FILLS || row_in_block <= 1u || osc_curve_is_track(run.track))
        fill_rest(player, &run, row_in_block);
    player->bit_position = osc_window_stored_position(&run.store);
}

const osc_codec osc_curve_codec = {curve_start, curve_unpack};
