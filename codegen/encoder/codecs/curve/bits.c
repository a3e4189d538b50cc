/* The bits of curve clips: the gaps from key to key, and the keys and tangents. */
#include <stdlib.h>

#include "codecs/codecs.h"
#include "codecs/osc_curve_base.h"
#include "codecs/osc_curve_reader.h"

/* The part of a track's state that the runtime does not store. end: frame at which its section
 * ends; next: frames from there to the key that a cubic track has read ahead. */
typedef struct {
    uint32_t subtrack, form, end, next;
} curve_state;

/* A track in a row. */
typedef struct {
    enc_account *account;
    osc_curve_reader reader;
    uint32_t frame, row_in_block;
    osc_curve_sparse *track;
    curve_state *state;
} curve_turn;

static void claim_headers(enc_account *account, curve_state *state)
{
    const osc_bank *bank = account->player.bank;
    osc_headers headers = osc_headers_open(&account->parts);
    uint32_t shift = OSC_CURVE_SHIFT_FIRST, from = headers.bits.position, rice;
    for (; osc_headers_next(&headers, bank); state++) {
        state->subtrack = headers.subtrack;
        osc_curve_take_header(&headers.bits, headers.subtrack < bank->rotation_subtracks, &shift,
                              &state->form, &rice);
        enc_account_claim(account, headers.subtrack, ENC_BITS_HEADER, from, headers.bits.position);
        from = headers.bits.position;
    }
}

/* Claims the first keys that differ from the bank's base row. The tracks have started. */
static void claim_first_keys(enc_account *account, const curve_state *state, const uint32_t *row,
                             osc_bits *bits)
{
    osc_curve_track *track = (osc_curve_track *)account->player.state;
    for (; osc_curve_is_track(track); track = osc_curve_next_track(track), state++) {
        uint32_t from = bits->position;
        osc_curve_base_take(row, bits, track);
        enc_account_claim(account, state->subtrack, ENC_BITS_VALUES, from, bits->position);
    }
}

static void claim_plain_keys(enc_account *account, const curve_state *state, osc_bits *bits)
{
    osc_curve_track *track = (osc_curve_track *)account->player.state;
    const uint32_t *row = osc_curve_base_row(&account->player);
    uint32_t from = bits->position;
    osc_curve_start_block(track, bits);
    if (row != NULL) {
        bits->position = from;
        claim_first_keys(account, state, row, bits);
        return;
    }
    for (; osc_curve_is_track(track); track = osc_curve_next_track(track), state++) {
        uint32_t to = from;
        for (uint32_t c = 0; c < osc_curve_components(state->form); c++)
            to += osc_curve_plain_width(state->form, c);
        enc_account_claim(account, state->subtrack, ENC_BITS_VALUES, from, to);
        from = to;
    }
}

/* Claims the bits read since a position. */
static void claim_since(const curve_turn *turn, uint32_t part, uint32_t from)
{
    enc_account_claim(turn->account, turn->state->subtrack, part, from,
                      osc_window_stored_position(turn->reader.store));
}

static uint32_t claim_gap(curve_turn *turn, uint32_t frame)
{
    uint32_t jump, from = osc_window_stored_position(turn->reader.store);
    uint32_t gap = osc_curve_take_gap(&turn->reader, turn->state->form, frame, &jump);
    claim_since(turn, ENC_BITS_KEYS, from);
    return gap;
}

/* Claims the key at `frame`, unless it is at the next restart point, where it is claimed once. */
static void claim_key(curve_turn *turn, uint32_t frame)
{
    uint32_t from = osc_window_stored_position(turn->reader.store);
    osc_curve_take_keys(&turn->reader, turn->track, frame);
    claim_since(turn, ENC_BITS_VALUES, from);
}

static void claim_tangents(curve_turn *turn)
{
    uint32_t from = osc_window_stored_position(turn->reader.store);
    osc_curve_take_tangents(&turn->reader, turn->track);
    claim_since(turn, ENC_BITS_VALUES, from);
}

/* Claims the bits that `advance` reads. */
static void claim_section(curve_turn *turn)
{
    curve_state *state = turn->state;
    uint32_t basis = OSC_CURVE_BASIS(state->form), block_end = turn->reader.block_end;
    bool first = turn->row_in_block == 0u;
    if (first && basis == OSC_CURVE_HERMITE)
        claim_tangents(turn);
    state->end = OSC_CURVE_NEVER;
    if (turn->frame == block_end)
        return;
    if (basis != OSC_CURVE_CUBIC) {
        state->end = turn->frame + claim_gap(turn, turn->frame);
        if (basis == OSC_CURVE_HERMITE)
            claim_tangents(turn);
        claim_key(turn, state->end);
        return;
    }
    if (first) {
        state->next = claim_gap(turn, turn->frame);
        claim_key(turn, turn->frame + state->next);
    }
    state->end = turn->frame + state->next;
    if (state->end != block_end) {
        state->next = claim_gap(turn, state->end);
        claim_key(turn, state->end + state->next);
    }
}

static void claim_turn(curve_turn *turn)
{
    osc_window_store *store = turn->reader.store;
    uint32_t kind = OSC_CURVE_DISPATCH_KIND(turn->track->dispatch);
    uint32_t from = osc_window_stored_position(store);
    bool first = turn->row_in_block == 0u;
    if (kind == OSC_CURVE_OTHER) {
        if (first || turn->frame == turn->state->end)
            claim_section(turn);
        return;
    }
    if (kind == OSC_CURVE_DENSE_FOUR) {
        int32_t row[4];
        (void)osc_curve_fill_four(store, (osc_curve_dense_four *)turn->track, first, row, row);
    } else if (!first) {
        osc_curve_take_dense(store, (osc_curve_dense *)turn->track);
    }
    claim_since(turn, ENC_BITS_VALUES, from);
}

static osc_curve_reader reader_of(const enc_account *account, uint32_t block,
                                  osc_window_store *store)
{
    const osc_clip_parts *parts = &account->parts;
    osc_curve_reader reader = {store, 0, account->player.row_count - 1u,
                               block < parts->restart_count};
    if (reader.joined) {
        reader.block_end = (block + 1u) << parts->restart_log2;
        reader.ahead = osc_clip_block_position(&account->player, parts, block + 1u);
    }
    return reader;
}

static void claim_row(enc_account *account, void *states, uint32_t frame, uint32_t row_in_block,
                      osc_bits *bits)
{
    osc_curve_track *const tracks = (osc_curve_track *)account->player.state;
    osc_window_store store;
    curve_turn turn = {account, reader_of(account, frame >> account->parts.restart_log2, &store),
                       frame,   row_in_block,
                       NULL,    states};
    if (row_in_block == 0u)
        claim_plain_keys(account, states, bits);
    osc_window_open(&store, *bits);
    for (osc_curve_track *track = tracks; osc_curve_is_track(track);
         track = osc_curve_next_track(track)) {
        turn.track = (osc_curve_sparse *)track;
        claim_turn(&turn);
        turn.state++;
    }
    if (row_in_block == 1u)
        for (osc_curve_track *track = tracks; osc_curve_is_track(track);
             track = osc_curve_next_track(track))
            osc_curve_begin_steps(track);
    bits->position = osc_window_stored_position(&store);
}

bool enc_account_curve(enc_account *account)
{
    uint32_t count = osc_headers_open(&account->parts).left;
    curve_state *states = malloc((count + 1u) * sizeof *states);
    if (states == NULL)
        return false;
    claim_headers(account, states);
    enc_account_rows(account, states, claim_row);
    free(states);
    return true;
}
