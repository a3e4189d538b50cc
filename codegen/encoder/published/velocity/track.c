#include "published/velocity/track.h"

static uint32_t seed_bits(const enc_velocity_track *track)
{
    return (track->kind == ENC_ROTATION ? 3u : 0u) + 3u * track->seed_width;
}

static uint32_t difference_bits(const enc_velocity_track *track, const int32_t code[3])
{
    uint32_t bits = 0;
    if (track->ranged)
        return 3u * track->range_width;
    for (uint32_t i = 0; i < 3u; i++)
        if (track->rice[i] != OSC_RICE_ZERO)
            bits += enc_rice_bits(enc_zigzag(code[i]), track->rice[i]);
        else if (code[i] != 0)
            return UINT32_MAX / 4u; /* cannot be represented */
    return bits;
}

uint32_t enc_velocity_key_bits(const enc_velocity_track *track, uint32_t kind,
                               const int32_t code[3])
{
    switch (kind) {
    case OSC_VELOCITY_DIFFERENCE:
        return enc_velocity_kind_bits(track, kind) + difference_bits(track, code);
    case OSC_VELOCITY_SPEED:
        return enc_velocity_kind_bits(track, kind) + OSC_VELOCITY_SPEED_BITS;
    case OSC_VELOCITY_FULL:
        return enc_velocity_kind_bits(track, kind) + 3u * track->full_width;
    case OSC_VELOCITY_SEED:
        return enc_velocity_kind_bits(track, kind) + seed_bits(track);
    default:
        return seed_bits(track);
    }
}

static uint32_t header_bits(const enc_velocity_track *track)
{
    return 16u + (track->kind == ENC_ROTATION ? 0u : 5u) + (track->ranged ? 5u : 12u) +
           (track->most_kind >= OSC_VELOCITY_SPEED ? 2u : 0u) +
           (track->most_kind >= OSC_VELOCITY_FULL ? 5u : 0u);
}

void enc_velocity_count_bits(enc_velocity_track *track)
{
    uint64_t bits = header_bits(track);
    for (uint32_t i = 0; i < track->key_count; i++) {
        const enc_velocity_key *key = &track->keys[i];
        bits += enc_velocity_key_bits(track, key->kind, key->code) +
                enc_rice_bits(key->lasts, track->gap_rice);
    }
    track->bits = bits > UINT32_MAX ? UINT32_MAX : (uint32_t)bits;
}
