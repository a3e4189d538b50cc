#include "codecs/curve/code.h"

#include <stdlib.h>
#include <string.h>

#include "base/kinds.h"
#include "base/quantise.h"
#include "codecs/osc_curve_arithmetic.h"

#define GAP_RICES 4u
#define MOST_RICE 14u

/* An item of the stream: a gap and the key after it, or, at restart points, only tangents. */
typedef struct {
    uint32_t frame; /* that reads it */
    uint32_t symbol;
    bool gap, key;
    uint32_t value[2][CURVE_MAX_COMPONENTS]; /* zigzag residuals by prediction */
    uint32_t tangent[CURVE_MAX_COMPONENTS];  /* zigzag */
} item;

typedef struct {
    const curve_keys *keys;
    item *items;
    uint32_t count;
    bool jumps;
} item_list;

/* The decoder's prediction of key i + 1 by extrapolation. */
static int32_t guess_ahead(const curve_keys *keys, uint32_t i, uint32_t c)
{
    int32_t value = keys->value[i][c];
    uint32_t up = OSC_CURVE_FRACTION - keys->unit;
    if (keys->basis == OSC_CURVE_HERMITE) {
        int32_t sum =
            osc_add(osc_shl(keys->tangent[i][c], up), osc_shl(keys->tangent[i + 1u][c], up));
        return osc_curve_ahead(value, sum >> 1, curve_gap(keys, i));
    }
    bool cubic = keys->basis == OSC_CURVE_CUBIC;
    if (curve_is_restart(keys, keys->frame[i]) ||
        (cubic && (curve_is_jump(keys, i) || curve_is_jump(keys, i - 1u))))
        return value;
    int32_t slope =
        osc_curve_slope(osc_sub(value, keys->value[i - 1u][c]), curve_gap(keys, i - 1u));
    return osc_curve_ahead(value, slope, curve_gap(keys, i));
}

static int32_t residual(const curve_keys *keys, uint32_t c, int32_t value, int32_t guess)
{
    uint32_t coarsening = keys->coarsening[c];
    return osc_sub(value >> coarsening,
                   osc_add(guess, (int32_t)((1u << coarsening) >> 1)) >> coarsening);
}

static void add_tangents(item *p, const curve_keys *keys, uint32_t i)
{
    for (uint32_t c = 0; c < keys->components; c++)
        p->tangent[c] = enc_zigzag(keys->tangent[i][c] >> keys->coarsening[c]);
}

/* Adds section i: its gap and the key at its end. */
static void add_section(item_list *list, uint32_t i, uint32_t frame)
{
    const curve_keys *keys = list->keys;
    item *p = &list->items[list->count++];
    memset(p, 0, sizeof *p);
    bool jump = keys->basis == OSC_CURVE_CUBIC && curve_is_jump(keys, i);
    p->frame = frame;
    p->gap = true;
    p->symbol = jump ? 0u : curve_gap(keys, i) - (list->jumps ? 0u : 1u);
    /* a key at a restart point is read there, unless the clip ends before it */
    p->key = !curve_is_restart(keys, keys->frame[i + 1u]);
    for (uint32_t c = 0; c < keys->components; c++) {
        int32_t value = keys->value[i + 1u][c];
        p->value[0][c] = enc_zigzag(residual(keys, c, value, keys->value[i][c]));
        p->value[1][c] = enc_zigzag(residual(keys, c, value, guess_ahead(keys, i, c)));
    }
    if (keys->basis == OSC_CURVE_HERMITE)
        add_tangents(p, keys, i + 1u);
}

static void list_items(item_list *list)
{
    const curve_keys *keys = list->keys;
    bool cubic = keys->basis == OSC_CURVE_CUBIC;
    for (uint32_t i = 0; cubic && i + 1u < keys->count; i++)
        list->jumps = list->jumps || curve_is_jump(keys, i);
    for (uint32_t i = 0; i < keys->count; i++) {
        uint32_t frame = keys->frame[i];
        bool restart = curve_is_restart(keys, frame);
        if (restart && keys->basis == OSC_CURVE_HERMITE) {
            item *p = &list->items[list->count++];
            memset(p, 0, sizeof *p);
            p->frame = frame;
            add_tangents(p, keys, i);
        }
        if (i + 1u == keys->count)
            break;
        if (!cubic || restart)
            add_section(list, i, frame);
        if (cubic && i + 2u < keys->count && !curve_is_restart(keys, keys->frame[i + 1u]))
            add_section(list, i + 1u, frame);
    }
}

/* The numbers of component c: residuals of keys with a prediction, or tangents. */
typedef struct {
    const item_list *list;
    bool tangents;
    uint32_t mode, c;
} numbers;

static bool has_number(const numbers *of, uint32_t i)
{
    return of->tangents || of->list->items[i].key;
}

static uint32_t number_at(const numbers *of, uint32_t i)
{
    const item *p = &of->list->items[i];
    return of->tangents ? p->tangent[of->c] : p->value[of->mode][of->c];
}

static uint32_t bits_with(const numbers *of, uint32_t k)
{
    uint64_t total = 0;
    for (uint32_t i = 0; i < of->list->count; i++)
        if (has_number(of, i))
            total += enc_rice_bits(number_at(of, i), k);
    return total < UINT32_MAX ? (uint32_t)total : UINT32_MAX - 1u;
}

/* The cheapest parameter up to `most`. */
static uint32_t best_rice(const numbers *of, uint32_t most, uint32_t *cost)
{
    uint64_t sum = 0;
    uint32_t used = 0, guess = 0, best = 0;
    for (uint32_t i = 0; i < of->list->count; i++) {
        sum += has_number(of, i) ? number_at(of, i) : 0u;
        used += has_number(of, i);
    }
    *cost = 0;
    if (sum == 0)
        return OSC_RICE_ZERO;
    while (guess < most && ((uint64_t)used << (guess + 1u)) <= sum)
        guess++;
    *cost = UINT32_MAX;
    for (uint32_t k = guess < 3u ? 0u : guess - 3u; k <= guess + 1u && k <= most; k++) {
        uint32_t total = bits_with(of, k);
        if (total < *cost) {
            *cost = total;
            best = k;
        }
    }
    return best;
}

/* Returns the cheaper prediction of keys. */
static uint32_t choose_rices(const item_list *list, uint32_t *rice)
{
    uint32_t found[2][CURVE_MAX_COMPONENTS] = {{0}}, total[2] = {0, 0};
    for (uint32_t mode = 0; mode < 2u; mode++)
        for (uint32_t c = 0; c < list->keys->components; c++) {
            uint32_t cost;
            found[mode][c] = best_rice(&(numbers){list, false, mode, c}, MOST_RICE, &cost);
            total[mode] += cost;
        }
    uint32_t mode = total[1] < total[0] ? 1u : 0u;
    memcpy(rice, found[mode], sizeof found[mode]);
    return mode;
}

/* The bits of the parameter of tangents if that of keys is k. */
static uint32_t tangent_rice_bits(uint32_t k)
{
    uint32_t bits = 0;
    while (k >> bits != 0u)
        bits++;
    return bits;
}

/* A component with tangents has a parameter of keys, which limits that of its tangents. */
static void choose_tangent_rices(curve_header *header, const item_list *list)
{
    for (uint32_t c = 0; c < header->components; c++) {
        const numbers of = {list, true, 0, c};
        uint32_t cost, *k = &header->rice[c];
        header->tangent_rice[c] = best_rice(&of, MOST_RICE, &cost);
        if (header->tangent_rice[c] == OSC_RICE_ZERO)
            continue;
        *k = *k == OSC_RICE_ZERO ? 0u : *k;
        uint32_t most = (1u << tangent_rice_bits(*k)) - 1u;
        if (header->tangent_rice[c] > most)
            header->tangent_rice[c] = best_rice(&of, most, &cost);
    }
}

static uint32_t choose_gap_rice(const item_list *list)
{
    uint32_t best = 0, least = UINT32_MAX;
    for (uint32_t k = 0; k < GAP_RICES; k++) {
        uint32_t total = 0;
        for (uint32_t i = 0; i < list->count; i++)
            total += list->items[i].gap ? enc_rice_bits(list->items[i].symbol, k) : 0u;
        if (total < least) {
            least = total;
            best = k;
        }
    }
    return best;
}

/* The width of plain keys; 0 if the header cannot represent it. */
static uint32_t plain_width(const curve_keys *keys)
{
    uint32_t width = 1, most = OSC_CURVE_ROTATION_WIDTH - keys->shift;
    for (uint32_t i = 0; i < keys->count; i++)
        for (uint32_t c = 0; c < keys->components; c++) {
            uint32_t w = enc_signed_width(keys->value[i][c]);
            if (curve_is_restart(keys, keys->frame[i]) && w > width)
                width = w;
        }
    if (keys->packing == OSC_CURVE_VECTOR)
        return width;
    if (width > most)
        return 0;
    return width + 3u < most ? most - 3u : width;
}

static void put_unary(uint32_t ones, uint32_t most, enc_bit_writer *out)
{
    enc_bits_put(out, (1u << ones) - 1u, ones < most ? ones + 1u : most);
}

static void put_form(const curve_header *header, enc_bit_writer *out)
{
    if (header->packing == OSC_CURVE_VECTOR) {
        enc_bits_put_rice(out, (OSC_CURVE_VECTOR_WIDTH - header->width) & 31u,
                          OSC_CURVE_WIDTH_RICE);
    } else {
        enc_bits_put_rice(out, header->packing ^ OSC_CURVE_PACKING_USUAL, OSC_CURVE_PACKING_RICE);
        enc_bits_put(out, OSC_CURVE_ROTATION_WIDTH - header->shift - header->width, 2u);
    }
    enc_bits_put(out, header->mode, 1u);
    if (header->basis != OSC_CURVE_DENSE)
        put_unary(GAP_RICES - 1u - header->gap_rice, GAP_RICES - 1u, out);
    if (header->basis == OSC_CURVE_CUBIC)
        enc_bits_put(out, header->jumps, 1u);
    if (header->basis == OSC_CURVE_HERMITE)
        put_unary(header->unit, 2u, out);
}

void curve_put_header(const curve_header *header, uint32_t shift, enc_bit_writer *out)
{
    bool rotation = header->packing != OSC_CURVE_VECTOR,
         hermite = header->basis == OSC_CURVE_HERMITE;
    put_unary((0u - header->basis - (rotation ? 0u : 1u)) & 3u, 3u, out);
    enc_bits_put_rice(out, enc_zigzag((int32_t)(header->shift - shift)), 0);
    put_form(header, out);
    for (uint32_t c = 0; c < header->components; c++) {
        if (c < 3u)
            put_unary(header->coarsening[c], 3u, out);
        if (header->coarsening[c] == OSC_CURVE_ABSENT)
            continue;
        if (header->basis == OSC_CURVE_DENSE)
            enc_bits_put_rice(out, header->rice[c], 1u);
        else
            enc_bits_put(out, header->rice[c], 4u);
        bool moves = hermite && header->tangent_rice[c] != OSC_RICE_ZERO;
        if (hermite && header->rice[c] != OSC_RICE_ZERO)
            enc_bits_put(out, moves ? 1u : 0u, 1u);
        if (moves)
            enc_bits_put(out, header->tangent_rice[c], tangent_rice_bits(header->rice[c]));
        if (header->basis == OSC_CURVE_DENSE)
            enc_bits_put(out, header->predictor[c] | header->quarters[c] << 2,
                         header->packing == OSC_CURVE_FOUR ? 2u : 4u);
    }
}

static bool component_is_sound(const curve_header *header, uint32_t c)
{
    return header->coarsening[c] <= OSC_CURVE_ABSENT && header->rice[c] <= OSC_RICE_ZERO &&
           (header->tangent_rice[c] == OSC_RICE_ZERO || header->basis != OSC_CURVE_HERMITE ||
            (header->rice[c] != OSC_RICE_ZERO &&
             header->tangent_rice[c] >> tangent_rice_bits(header->rice[c]) == 0u)) &&
           header->predictor[c] <= 3u && header->quarters[c] <= 3u;
}

bool curve_header_is_sound(const curve_header *header, uint32_t kind)
{
    bool rotation = kind == ENC_ROTATION;
    bool sound = header->basis <= OSC_CURVE_HERMITE && header->shift <= OSC_CURVE_SHIFT_MAX &&
                 header->mode < 2u && header->gap_rice < GAP_RICES && header->jumps <= 1u &&
                 header->unit <= 2u && header->width >= 1u &&
                 (rotation ? header->packing <= OSC_CURVE_FOUR &&
                                 header->width <= OSC_CURVE_ROTATION_WIDTH - header->shift
                           : header->packing == OSC_CURVE_VECTOR && header->width <= 32u) &&
                 header->components == curve_components(header->packing);
    for (uint32_t c = 0; sound && c < header->components; c++)
        sound = component_is_sound(header, c);
    return sound;
}

uint32_t curve_plain_width(const curve_header *header, uint32_t c)
{
    if (header->coarsening[c] == OSC_CURVE_ABSENT)
        return 0;
    return header->width > header->coarsening[c] ? header->width - header->coarsening[c] : 1u;
}

static void put_residuals(const uint32_t *zigzag, const uint32_t *rice, uint32_t count,
                          enc_bit_writer *out)
{
    for (uint32_t c = 0; c < count; c++)
        if (rice[c] != OSC_RICE_ZERO)
            enc_bits_put_rice(out, zigzag[c], rice[c]);
}

static void put_item(const item *p, const curve_header *header, enc_bit_writer *out)
{
    if (p->gap)
        enc_bits_put_rice(out, p->symbol, header->gap_rice);
    if (header->basis == OSC_CURVE_HERMITE)
        put_residuals(p->tangent, header->tangent_rice, header->components, out);
    if (p->key)
        put_residuals(p->value[header->mode], header->rice, header->components, out);
}

static bool is_zero(const curve_keys *keys, uint32_t c)
{
    for (uint32_t i = 0; i < keys->count; i++)
        if (keys->value[i][c] != 0 ||
            (keys->basis == OSC_CURVE_HERMITE && keys->tangent[i][c] != 0))
            return false;
    return true;
}

static void choose_header(curve_header *header, const item_list *list)
{
    const curve_keys *keys = list->keys;
    memset(header, 0, sizeof *header);
    header->basis = keys->basis;
    header->packing = keys->packing;
    header->shift = keys->shift;
    header->unit = keys->basis == OSC_CURVE_HERMITE ? keys->unit : 0u;
    header->components = keys->components;
    header->jumps = list->jumps;
    memcpy(header->coarsening, keys->coarsening, sizeof header->coarsening);
    header->width = plain_width(keys);
    header->gap_rice = choose_gap_rice(list);
    header->mode = choose_rices(list, header->rice);
    if (keys->basis == OSC_CURVE_HERMITE)
        choose_tangent_rices(header, list);
    for (uint32_t c = 0; c < keys->components && c < 3u; c++)
        if (is_zero(keys, c))
            header->coarsening[c] = OSC_CURVE_ABSENT;
}

static void put_all(curve_code *code, const item_list *list)
{
    const curve_keys *keys = list->keys;
    uint32_t next = 0;
    for (uint32_t i = 0; i < keys->count; i++)
        for (uint32_t c = 0; c < keys->components && curve_is_restart(keys, keys->frame[i]); c++)
            enc_bits_put(&code->plain, (uint32_t)(keys->value[i][c] >> keys->coarsening[c]),
                         curve_plain_width(&code->header, c));
    for (uint32_t f = 0; f < keys->frame_count; f++) {
        code->streamed_at[f] = (uint32_t)code->streamed.bits;
        for (; next < list->count && list->items[next].frame == f; next++)
            put_item(&list->items[next], &code->header, &code->streamed);
    }
    code->streamed_at[keys->frame_count] = (uint32_t)code->streamed.bits;
}

bool curve_code_make(curve_code *code, const curve_keys *keys, bool *unfit)
{
    item_list list = {keys, malloc((2u * keys->count + 1u) * sizeof(item)), 0, false};
    enc_bit_writer header = {0};
    memset(code, 0, sizeof *code);
    code->streamed_at = malloc((keys->frame_count + 1u) * sizeof *code->streamed_at);
    *unfit = false;
    bool done = list.items != NULL && code->streamed_at != NULL;
    if (done) {
        list_items(&list);
        choose_header(&code->header, &list);
        *unfit = code->header.width == 0u;
        code->frame_count = keys->frame_count;
        code->restart_log2 = keys->restart_log2;
        for (uint32_t c = 0; c < keys->components; c++)
            code->plain_bits += curve_plain_width(&code->header, c);
    }
    if (done && !*unfit) {
        put_all(code, &list);
        curve_put_header(&code->header, code->header.shift, &header);
        done = !code->plain.failed && !code->streamed.failed && !header.failed;
        code->bits = (uint32_t)(header.bits + code->plain.bits + code->streamed.bits);
        code->bits += 2u; /* the gap between sub-tracks, usually that of neighbours */
    }
    enc_bits_release(&header);
    free(list.items);
    if (!done || *unfit)
        curve_code_release(code);
    return done && !*unfit;
}

static uint32_t residual_bits(const uint32_t *zigzag, const uint32_t *rice, uint32_t count)
{
    uint32_t bits = 0;
    for (uint32_t c = 0; c < count; c++)
        bits += rice[c] != OSC_RICE_ZERO ? enc_rice_bits(zigzag[c], rice[c]) : 0u;
    return bits;
}

uint32_t curve_code_bits(const curve_keys *keys, bool *unfit)
{
    item_list list = {keys, malloc((2u * keys->count + 1u) * sizeof(item)), 0, false};
    enc_bit_writer out = {0};
    curve_header header;
    uint32_t bits = 2u, plain = 0;
    *unfit = false;
    if (list.items == NULL)
        return UINT32_MAX;
    list_items(&list);
    choose_header(&header, &list);
    *unfit = header.width == 0u;
    for (uint32_t i = 0; i < list.count; i++) {
        const item *p = &list.items[i];
        if (p->gap)
            bits += enc_rice_bits(p->symbol, header.gap_rice);
        if (header.basis == OSC_CURVE_HERMITE)
            bits += residual_bits(p->tangent, header.tangent_rice, header.components);
        if (p->key)
            bits += residual_bits(p->value[header.mode], header.rice, header.components);
    }
    for (uint32_t c = 0; c < keys->components && !*unfit; c++)
        plain += curve_plain_width(&header, c);
    for (uint32_t i = 0; i < keys->count; i++)
        bits += curve_is_restart(keys, keys->frame[i]) ? plain : 0u;
    if (!*unfit)
        curve_put_header(&header, header.shift, &out);
    bool failed = out.failed || *unfit;
    bits += (uint32_t)out.bits;
    enc_bits_release(&out);
    free(list.items);
    return failed ? UINT32_MAX : bits;
}

void curve_code_release(curve_code *code)
{
    enc_bits_release(&code->plain);
    enc_bits_release(&code->streamed);
    free(code->streamed_at);
    memset(code, 0, sizeof *code);
}
