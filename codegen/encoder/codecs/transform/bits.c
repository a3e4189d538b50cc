/* The bits of transform clips: the numbers of coefficients in a segment count as keys, ends and
 * coefficients as values. */
#include <stdlib.h>

#include "codecs/codecs.h"
#include "codecs/osc_transform_records.h"

typedef struct {
    uint32_t subtrack, width, components;
    uint32_t words[4];
} transform_track;

static void claim_records(enc_account *account, osc_transform_reader *reader, uint32_t count,
                          transform_track *track)
{
    uint32_t from = reader->bits.position;
    for (; count != 0u; count--, track++) {
        track->subtrack =
            osc_transform_take_record(reader, account->player.bank->rotation_subtracks);
        track->width = reader->width + 1u;
        track->components = reader->components;
        for (uint32_t i = 0; i < reader->components; i++)
            track->words[i] = reader->words[i];
        enc_account_claim(account, track->subtrack, ENC_BITS_HEADER, from, reader->bits.position);
        from = reader->bits.position;
    }
}

static void claim_ends(enc_account *account, const transform_track *track, bool begins,
                       osc_bits *bits)
{
    uint32_t from = bits->position;
    for (uint32_t i = 0; i < track->components; i++) {
        uint32_t k = OSC_TRANSFORM_END_K(track->words[i]);
        if (begins)
            bits->position += track->width;
        if (k != OSC_RICE_ZERO && account->player.row_count != 1u)
            (void)osc_bits_take_rice(bits, k);
    }
    enc_account_claim(account, track->subtrack, ENC_BITS_VALUES, from, bits->position);
}

/* Reads the number of a component's coefficients, at most `most`. */
static uint32_t take_number(osc_bits *bits, uint32_t mode, uint32_t most)
{
    if (mode == OSC_TRANSFORM_ALWAYS || most == 0u)
        return most;
    if (mode == OSC_TRANSFORM_PLAIN) {
        uint32_t number = osc_bits_take(bits, 3u);
        return number < most ? number : most;
    }
    uint32_t ones = osc_trailing_ones_15(osc_bits_peek(bits));
    ones = ones < most ? ones : most;
    bits->position += ones < most ? ones + 1u : most;
    return mode == OSC_TRANSFORM_UP ? ones : most - ones;
}

static void claim_coefficients(enc_account *account, const transform_track *track, uint32_t inner,
                               osc_bits *bits)
{
    for (uint32_t i = 0; i < track->components; i++) {
        uint32_t word = track->words[i], most = OSC_TRANSFORM_MOST(word), from = bits->position;
        uint32_t number = take_number(bits, OSC_TRANSFORM_MODE(word), most < inner ? most : inner);
        int32_t k_q2 = (int32_t)(OSC_TRANSFORM_K(word) << 2);
        enc_account_claim(account, track->subtrack, ENC_BITS_KEYS, from, bits->position);
        from = bits->position;
        for (; number != 0u; number--) {
            uint32_t k = osc_transform_rice_k(k_q2);
            k_q2 = osc_transform_next_k(k_q2, osc_bits_take_rice_unsigned(bits, k) >> k);
        }
        enc_account_claim(account, track->subtrack, ENC_BITS_VALUES, from, bits->position);
    }
}

/* Returns where the next segment of the block begins. */
static uint32_t claim_segment(enc_account *account, const transform_track *tracks, uint32_t clip,
                              uint32_t segment, osc_bits bits)
{
    uint32_t log2 = account->parts.restart_log2, rows = account->player.row_count, size = 0;
    uint32_t length = osc_transform_length(rows, segment);
    for (uint32_t i = 0; i < OSC_TRANSFORM_CLIP_TRACKS(clip); i++)
        claim_ends(account, &tracks[i], osc_transform_begins_block(segment, log2), &bits);
    if (segment + 1u != osc_transform_segments(rows) &&
        !osc_transform_begins_block(segment + 1u, log2))
        size = osc_bits_take(&bits, OSC_TRANSFORM_CLIP_SIZE_BITS(clip));
    uint32_t next = bits.position + size;
    for (uint32_t i = 0; i < OSC_TRANSFORM_CLIP_TRACKS(clip); i++)
        claim_coefficients(account, &tracks[i], length == 0u ? 0u : length - 1u, &bits);
    return next;
}

bool enc_account_transform(enc_account *account)
{
    const osc_clip_parts *parts = &account->parts;
    osc_transform_reader reader;
    uint32_t clip = osc_transform_begin_records(&reader, parts);
    transform_track *tracks = malloc((OSC_TRANSFORM_CLIP_TRACKS(clip) + 1u) * sizeof *tracks);
    if (tracks == NULL)
        return false;
    claim_records(account, &reader, OSC_TRANSFORM_CLIP_TRACKS(clip), tracks);
    osc_bits bits = osc_clip_stream(parts, 0);
    for (uint32_t i = 0; i < osc_transform_segments(account->player.row_count); i++) {
        if (osc_transform_begins_block(i, parts->restart_log2))
            bits.position = osc_clip_block_position(
                &account->player, parts, i * OSC_TRANSFORM_FRAMES >> parts->restart_log2);
        if (bits.position < account->stream.bits)
            bits.position = claim_segment(account, tracks, clip, i, bits);
    }
    free(tracks);
    return true;
}
