#include "codecs/curve/first.h"

#include "codecs/osc_curve_base.h"

/* The differences of the components of a first key, zigzag, and their coarsenings. */
typedef struct {
    uint32_t zigzag[CURVE_MAX_COMPONENTS], coarsening[CURVE_MAX_COMPONENTS];
    uint32_t count; /* without absent components */
} differences;

/* A signed number of the stream. */
static int32_t signed_at(const enc_bit_writer *from, uint32_t at, uint32_t width)
{
    uint32_t offset = at % 32u, value = from->words[at / 32u] >> offset;
    if (offset + width > 32u)
        value |= from->words[at / 32u + 1u] << (32u - offset);
    return (int32_t)(value << (32u - width)) >> (32u - width);
}

static differences take_differences(const curve_code *code, const int16_t *base)
{
    const curve_header *header = &code->header;
    differences found = {.count = 0};
    int32_t value[4] = {base[0], base[1], base[2], 0};
    if (header->packing <= OSC_CURVE_FOUR)
        value[3] = base[3];
    osc_curve_base_pack(value, header->packing);
    for (uint32_t c = 0, at = 0; c < header->components; c++) {
        uint32_t coarsening = header->coarsening[c];
        if (coarsening == OSC_CURVE_ABSENT)
            continue;
        uint32_t width = curve_plain_width(header, c);
        int32_t step = osc_curve_step(header->shift + coarsening, header->quarters[c]);
        int32_t guess =
            osc_curve_base_steps(value[c], (uint32_t)step, osc_floor_log2((uint32_t)step));
        found.zigzag[found.count] = enc_zigzag(osc_sub(signed_at(&code->plain, at, width), guess));
        found.coarsening[found.count++] = coarsening;
        at += width;
    }
    return found;
}

static uint32_t rice_of(const curve_header *header, const differences *found, uint32_t width,
                        uint32_t i)
{
    uint32_t coarsening = found->coarsening[i];
    return osc_curve_base_rice(header->packing, header->shift + coarsening, width, coarsening);
}

/* The bits of the differences with this width, UINT32_MAX if it cannot represent them. */
static uint32_t bits_of(const curve_header *header, const differences *found, uint32_t width)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < found->count; i++) {
        uint32_t k = rice_of(header, found, width, i);
        if (k == OSC_RICE_ZERO && found->zigzag[i] != 0u)
            return UINT32_MAX;
        bits += k == OSC_RICE_ZERO ? 0u : enc_rice_bits(found->zigzag[i], k);
    }
    return bits;
}

/* Finds the width with which the differences take the fewest bits, and returns these. */
static uint32_t choose_width(const curve_header *header, const differences *found, uint32_t *width)
{
    uint32_t last = OSC_RICE_ZERO + 1u, first = 1u, least = UINT32_MAX;
    if (header->packing <= OSC_CURVE_FOUR) {
        last = OSC_CURVE_ROTATION_WIDTH - header->shift;
        first = last - 3u;
    }
    for (uint32_t tried = first; tried <= last; tried++) {
        uint32_t bits = bits_of(header, found, tried);
        *width = bits < least ? tried : *width;
        least = bits < least ? bits : least;
    }
    return least;
}

uint32_t curve_first_bits(const curve_code *code, const int16_t *base, uint32_t *width)
{
    differences found = take_differences(code, base);
    return choose_width(&code->header, &found, width);
}

void curve_put_first(const curve_code *code, const int16_t *base, enc_bit_writer *out)
{
    const curve_header *header = &code->header;
    differences found = take_differences(code, base);
    uint32_t width;
    (void)choose_width(header, &found, &width);
    for (uint32_t i = 0; i < found.count; i++) {
        uint32_t k = rice_of(header, &found, width, i);
        if (k != OSC_RICE_ZERO)
            enc_bits_put_rice(out, found.zigzag[i], k);
    }
}
