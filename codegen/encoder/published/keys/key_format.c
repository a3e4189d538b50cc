#include "published/keys/key_format.h"

#include <math.h>
#include <string.h>

#include "bank/osc_bits.h"
#include "base/kinds.h"
#include "ossicle.h"

#define FIXED48_EXPONENT 7u /* vectors in +-128 m */
#define RANGE_20M_HALF 10.0 /* metres on either side of zero */
#define NO_SIGN (-0x1p-21)  /* a w above this need not count as negative */
#define SMALLEST_BITS 15u
#define NEAR2 3.0 /* squared error, in steps, below which a rotation needs no search */
#define SMALL_FLOAT_LEAST 0x1p-7 /* smaller floats are evenly spaced */

/* The representation of a format in the bank. */
typedef struct {
    uint32_t coding, layout;
    bool four, rotations, vectors;
} format_kind;

static const format_kind formats[] = {
    [ENC_FORMAT_FLOAT128] = {OSC_KEY_FLOAT, 0, true, true, true},
    [ENC_FORMAT_FLOAT96] = {OSC_KEY_FLOAT, 0, false, true, true},
    [ENC_FORMAT_FIXED48] = {OSC_KEY_FIXED, OSC_KEY_WIDTHS_16, false, true, true},
    [ENC_FORMAT_RANGED48] = {OSC_KEY_RANGED, OSC_KEY_WIDTHS_16, false, true, true},
    [ENC_FORMAT_RANGED32] = {OSC_KEY_RANGED, OSC_KEY_WIDTHS_32, false, true, true},
    [ENC_FORMAT_FIXED32] = {OSC_KEY_FIXED, OSC_KEY_WIDTHS_32, false, true, true},
    [ENC_FORMAT_SMALL_FLOAT] = {OSC_KEY_SMALL_FLOAT, 0, false, true, true},
    [ENC_FORMAT_SMALLEST48] = {OSC_KEY_SMALLEST_THREE, 0, false, true, false},
    [ENC_FORMAT_HALF_ANGLE48] = {OSC_KEY_HALF_ANGLE, OSC_KEY_WIDTHS_16, false, true, false},
    [ENC_FORMAT_FIXED20M] = {OSC_KEY_RANGED, OSC_KEY_WIDTHS_16, false, false, true},
    [ENC_FORMAT_NONE] = {OSC_KEY_NONE, 0, false, true, true},
    [ENC_FORMAT_VARIABLE] = {OSC_KEY_VARIABLE, 0, false, true, true},
};

static bool has_widths(uint32_t coding)
{
    return coding == OSC_KEY_FIXED || coding == OSC_KEY_RANGED || coding == OSC_KEY_HALF_ANGLE;
}

static bool has_range(uint32_t coding)
{
    return coding == OSC_KEY_RANGED || coding == OSC_KEY_VARIABLE;
}

/* Returns whether a rotation's w is rebuilt, so that its sign must come from elsewhere. */
static bool rebuilds_w(const enc_key_format *format)
{
    return format->kind == ENC_ROTATION && !format->four &&
           format->coding != OSC_KEY_SMALLEST_THREE && format->coding != OSC_KEY_NONE;
}

static void choose_sign(enc_key_format *format, const double *track, uint32_t frame_count)
{
    bool below = false, above = false;
    for (uint32_t f = 0; f < frame_count; f++) {
        below = below || track[4u * (size_t)f + 3u] < NO_SIGN;
        above = above || track[4u * (size_t)f + 3u] > -NO_SIGN;
    }
    format->has_sign = below && above;
    format->negated = below && !above;
}

static void choose_widths(enc_key_format *format)
{
    static const uint32_t widths[3][4] = {
        [OSC_KEY_WIDTHS_16] = {16, 16, 16, 16}, [OSC_KEY_WIDTHS_32] = {11, 11, 10, 10}, {0}};
    static const uint32_t singles[4] = {32, 32, 32, 32}, none[4] = {0};
    const uint32_t *from = has_widths(format->coding)              ? widths[format->layout]
                           : format->coding == OSC_KEY_FLOAT       ? singles
                           : format->coding == OSC_KEY_SMALL_FLOAT ? widths[OSC_KEY_WIDTHS_32]
                                                                   : none;
    memcpy(format->width, from, sizeof format->width);
}

/* Returns whether the key of a rotation is written as its negative. */
static bool flips(const enc_key_format *format, const double *value)
{
    return format->negated || (format->has_sign && value[3] < 0.0);
}

static void choose_range(enc_key_format *format, const double *track, uint32_t frame_count)
{
    uint32_t stride = enc_components(format->kind);
    for (uint32_t i = 0; i < format->components; i++) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (uint32_t f = 0; f < frame_count; f++) {
            const double *at = track + (size_t)f * stride;
            double value = flips(format, at) ? -at[i] : at[i];
            low = fmin(low, value);
            high = fmax(high, value);
        }
        enc_key_set_range(format, i, low, high);
    }
}

void enc_key_set_range(enc_key_format *format, uint32_t component, double low, double high)
{
    double most = 0x7fffffff / (double)OSC_ONE_Q20; /* garbage is clamped to what fits */
    int64_t first = (int64_t)floor(fmax(low, -most) * OSC_ONE_Q20);
    uint64_t span = (uint64_t)((int64_t)ceil(fmin(high, most) * OSC_ONE_Q20) - first);
    uint32_t width = format->coding == OSC_KEY_VARIABLE ? 32u : format->width[component];
    uint64_t codes = (UINT64_C(1) << width) - 1u;
    /* the largest code times the extent, rounded down, must still reach the end */
    uint64_t extent = ((span << width) + codes - 1u) / codes;
    format->minimum[component] = (int32_t)first;
    format->extent[component] = extent > UINT32_MAX ? UINT32_MAX : (uint32_t)extent;
}

static void choose_exponent(enc_key_format *format, uint32_t name, const double *track,
                            uint32_t frame_count)
{
    if (format->kind == ENC_ROTATION)
        return;
    if (name == ENC_FORMAT_FIXED48) {
        format->exponent = FIXED48_EXPONENT;
        return;
    }
    double most = 0.0;
    for (size_t i = 0; i < (size_t)frame_count * 3u; i++)
        most = fmax(most, fabs(track[i]));
    while (format->exponent < OSC_KEY_EXPONENT_MAX && most >= (double)(1u << format->exponent))
        format->exponent++;
}

/* Counts the bits of the format's parts. */
static void count_bits(enc_key_format *format)
{
    enc_bit_writer header = {0};
    format->key_bits = format->has_sign && format->coding != OSC_KEY_VARIABLE ? 1u : 0u;
    for (uint32_t i = 0; i < format->components; i++)
        format->key_bits += format->width[i];
    if (format->coding == OSC_KEY_SMALLEST_THREE)
        format->key_bits = 2u + 3u * SMALLEST_BITS + 1u;
    enc_key_format_put(format, &header);
    format->header_bits = (uint32_t)header.bits;
    enc_bits_release(&header);
}

/* Reads the format as the device does. Returns false without memory, or if the result differs. */
static bool read_back(enc_key_format *format)
{
    enc_bit_writer header = {0};
    enc_key_format_put(format, &header);
    enc_bits_put(&header, 0, 32u); /* the reader fetches pairs of words */
    enc_bits_put(&header, 0, 32u);
    bool read = false;
    if (!header.failed) {
        osc_bits bits = {header.words, (uint32_t)(header.bits / 32u) - 2u, 0};
        read = osc_key_format_take(&bits, format->kind, &format->device);
        read = read && bits.position == format->header_bits &&
               osc_key_bits(format->device.form, 0u) == format->key_bits;
        format->device.range_position = 32u * ENC_KEY_WORDS; /* see play() */
    }
    enc_bits_release(&header);
    return read;
}

bool enc_key_format_choose(enc_key_format *out, uint32_t format, uint32_t kind, const double *track,
                           uint32_t frame_count)
{
    memset(out, 0, sizeof *out);
    if (format >= sizeof formats / sizeof *formats)
        return false;
    const format_kind *named = &formats[format];
    if (kind == ENC_ROTATION ? !named->rotations : !named->vectors)
        return false;
    out->kind = kind;
    out->coding = named->coding;
    out->layout = named->layout;
    out->four = named->four && kind == ENC_ROTATION;
    out->components = out->coding == OSC_KEY_NONE ? 0u : out->four ? 4u : 3u;
    if (rebuilds_w(out))
        choose_sign(out, track, frame_count);
    choose_widths(out);
    if (out->coding == OSC_KEY_FIXED)
        choose_exponent(out, format, track, frame_count);
    if (format == ENC_FORMAT_FIXED20M)
        for (uint32_t i = 0; i < 3u; i++)
            enc_key_set_range(out, i, -RANGE_20M_HALF, RANGE_20M_HALF);
    else if (has_range(out->coding))
        choose_range(out, track, frame_count);
    count_bits(out);
    return read_back(out);
}

bool enc_key_format_set_width(enc_key_format *format, uint32_t width)
{
    format->layout = OSC_KEY_WIDTHS_SAME;
    for (uint32_t i = 0; i < format->components; i++)
        format->width[i] = width;
    count_bits(format);
    return read_back(format);
}

void enc_key_format_put(const enc_key_format *format, enc_bit_writer *out)
{
    enc_bits_put(out, format->coding, 3u);
    if (format->kind == ENC_ROTATION && format->coding <= OSC_KEY_FLOAT)
        enc_bits_put(out, format->four ? 1u : 0u, 1u);
    if (rebuilds_w(format))
        enc_bits_put(out, format->has_sign ? 1u : 0u, 1u);
    if (has_widths(format->coding))
        enc_bits_put(out, format->layout, 2u);
    if (has_widths(format->coding) && format->layout == OSC_KEY_WIDTHS_SAME)
        enc_bits_put(out, format->width[0] - 1u, 5u);
    if (format->coding == OSC_KEY_FIXED)
        enc_bits_put(out, format->exponent, 4u);
    for (uint32_t i = 0; i < format->components && has_range(format->coding); i++) {
        enc_bits_put(out, (uint32_t)format->minimum[i], 32u);
        enc_bits_put(out, format->extent[i], 32u);
    }
}

/* ---- keys ---- */

static void put(enc_key *key, uint32_t *position, uint32_t value, uint32_t width)
{
    uint32_t word = *position / 32u, offset = *position % 32u;
    uint64_t bits = (uint64_t)(value & (uint32_t)((UINT64_C(1) << width) - 1u)) << offset;
    key->words[word] |= (uint32_t)bits;
    if (offset + width > 32u)
        key->words[word + 1u] |= (uint32_t)(bits >> 32);
    *position += width;
}

static double held(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

static uint32_t signed_code(double value, uint32_t width)
{
    double limit = ldexp(1.0, (int)width - 1);
    return (uint32_t)(int32_t)held(floor(value + 0.5), -limit, limit - 1.0);
}

static double share(uint32_t code, uint32_t width, uint32_t extent)
{
    return floor((double)code * extent / ldexp(1.0, (int)width));
}

uint32_t enc_key_ranged_code(double value_q20, int32_t minimum, uint32_t extent, uint32_t width)
{
    double off = value_q20 - minimum, most = ldexp(1.0, (int)width) - 1.0;
    if (extent == 0u)
        return 0;
    /* the code's value is rounded down: the nearest code is one of two */
    uint32_t code = (uint32_t)held(floor(off * ldexp(1.0, (int)width) / extent), 0.0, most);
    if (code < most &&
        fabs(share(code + 1u, width, extent) - off) < fabs(share(code, width, extent) - off))
        code++;
    return code;
}

uint32_t enc_key_float_bits(double value)
{
    float single = (float)value;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    return bits;
}

/* The code of a small float in `width` bits: fraction, three bits of exponent, sign, from the
 * lowest bit. */
static uint32_t small_float_code(double value, uint32_t width)
{
    uint32_t fraction = width - 4u, sign = value < 0.0 ? 1u << (width - 1u) : 0u;
    double size = fabs(value) * OSC_ONE_Q20;
    for (uint32_t exponent = 0; exponent < 8u; exponent++) {
        double unit = ldexp(1.0, 12 + (int)(exponent == 0u ? 1u : exponent) - (int)fraction);
        double code = floor(size / unit + 0.5), first = ldexp(1.0, (int)fraction);
        if (exponent == 0u && code < first)
            return sign | (uint32_t)code;
        if (exponent != 0u && code < 2.0 * first)
            return sign | exponent << fraction | (uint32_t)fmax(code - first, 0.0);
    }
    return sign | ((1u << (width - 1u)) - 1u);
}

static uint32_t component_code(const enc_key_format *format, uint32_t i, double value)
{
    uint32_t width = format->width[i];
    switch (format->coding) {
    case OSC_KEY_FIXED:
        return signed_code(ldexp(value, (int)width - 1 - (int)format->exponent), width);
    case OSC_KEY_RANGED:
        return enc_key_ranged_code(value * OSC_ONE_Q20, format->minimum[i], format->extent[i],
                                   width);
    case OSC_KEY_FLOAT:
        return enc_key_float_bits(value);
    case OSC_KEY_SMALL_FLOAT:
        return small_float_code(value, width);
    default: /* half angle */
        return signed_code(ldexp(value, (int)width - 1), width);
    }
}

static void make_smallest_three(const double *q, enc_key *key)
{
    uint32_t largest = 0, position = 0;
    for (uint32_t i = 1; i < 4u; i++)
        if (fabs(q[i]) > fabs(q[largest]))
            largest = i;
    double sign = q[largest] < 0.0 ? -1.0 : 1.0;
    put(key, &position, largest, 2u);
    for (uint32_t i = 0; i < 4u; i++)
        if (i != largest)
            put(key, &position,
                enc_key_ranged_code(sign * q[i] * OSC_ONE_Q20, OSC_KEY_SMALLEST_MINIMUM,
                                    OSC_KEY_SMALLEST_EXTENT, SMALLEST_BITS),
                SMALLEST_BITS);
    put(key, &position, sign < 0.0 ? 1u : 0u, 1u);
}

/* Computes the codes of a key. nudged: the values to be coded instead of x y z (w). */
static void make_components(const enc_key_format *format, bool flipped, const double *nudged,
                            enc_key *key)
{
    uint32_t position = 0;
    if (format->has_sign)
        put(key, &position, flipped ? 1u : 0u, 1u);
    for (uint32_t i = 0; i < format->components; i++)
        put(key, &position, component_code(format, i, nudged[i]), format->width[i]);
}

/* Computes the row of a key as the device does; ranges follow the key here. */
static void play(const enc_key_format *format, const enc_key *key, int32_t *row)
{
    uint32_t words[ENC_KEY_WORDS + 2u * 4u + 1u] = {0};
    memcpy(words, key->words, sizeof key->words);
    for (uint32_t i = 0; i < 4u; i++) {
        words[ENC_KEY_WORDS + 2u * i] = (uint32_t)format->minimum[i];
        words[ENC_KEY_WORDS + 2u * i + 1u] = format->extent[i];
    }
    osc_bits bits = {words, sizeof words / sizeof *words - 2u, 0};
    osc_key_take(&bits, &format->device, NULL, row);
}

/* The approximate distance between neighbouring codes of a component. */
static double step_of(const enc_key_format *format, uint32_t i, double value)
{
    int width = (int)format->width[i];
    switch (format->coding) {
    case OSC_KEY_FIXED:
        return ldexp(1.0, (int)format->exponent + 1 - width);
    case OSC_KEY_RANGED:
        return ldexp(format->extent[i] / (double)OSC_ONE_Q20, -width);
    case OSC_KEY_SMALL_FLOAT:
        return fmax(fabs(value), SMALL_FLOAT_LEAST) * ldexp(1.0, 4 - width);
    default:
        return 1.0 / OSC_ONE_Q20;
    }
}

static double distance2(const enc_key_format *format, const int32_t *row, const double *value)
{
    double sum = 0.0, sign = format->negated ? -1.0 : 1.0;
    for (uint32_t i = 0; i < 4u; i++) {
        double off = sign * row[i] / OSC_ONE_Q20 - value[i];
        sum += off * off;
    }
    return sum;
}

static int32_t component_value(const enc_key_format *format, uint32_t i, uint32_t code)
{
    switch (format->coding) {
    case OSC_KEY_FIXED:
        return osc_key_fixed(code, format->width[i], format->exponent);
    case OSC_KEY_RANGED:
        return osc_key_ranged(code, format->width[i], format->minimum[i], format->extent[i]);
    case OSC_KEY_FLOAT:
        return osc_key_float(code);
    default:
        return osc_key_small_float(code, format->width[i]);
    }
}

/* Replaces the nearest codes by neighbours with which the whole rotation is nearest: a small w
 * depends on x y z so strongly that it is far less exact than they are. nearest: the codes to
 * replace. */
static void settle_w(const enc_key_format *format, const double *value, bool flipped,
                     double *nearest)
{
    double best = HUGE_VAL, nudged[3][3], chosen[3] = {0};
    int32_t made[3][3];
    for (uint32_t i = 0; i < 3u; i++)
        for (int n = 0; n < 3; n++) {
            nudged[i][n] = nearest[i] + (n - 1) * step_of(format, i, nearest[i]);
            made[i][n] = component_value(format, i, component_code(format, i, nudged[i][n]));
        }
    for (uint32_t n = 0; n < 27u; n++) {
        const uint32_t which[3] = {n % 3u, n / 3u % 3u, n / 9u};
        int32_t row[4] = {made[0][which[0]], made[1][which[1]], made[2][which[2]], 0};
        osc_key_finish(row, format->device.form, 3u, flipped && format->has_sign);
        double distance = distance2(format, row, value);
        if (distance < best) {
            best = distance;
            for (uint32_t i = 0; i < 3u; i++)
                chosen[i] = nudged[i][which[i]];
        }
    }
    memcpy(nearest, chosen, sizeof chosen);
}

void enc_key_make(const enc_key_format *format, const double *value, enc_key *key, int32_t *row)
{
    bool flipped = format->kind == ENC_ROTATION && flips(format, value);
    double written[4] = {0}, divisor = flipped ? -1.0 : 1.0;
    memset(key, 0, sizeof *key);
    if (format->coding == OSC_KEY_HALF_ANGLE)
        divisor *= 1.0 + fabs(value[3]);
    for (uint32_t i = 0; i < format->components; i++)
        written[i] = value[i] / divisor;
    if (format->coding == OSC_KEY_SMALLEST_THREE)
        make_smallest_three(value, key);
    else
        make_components(format, flipped, written, key);
    play(format, key, row);
    if (!rebuilds_w(format) || format->coding == OSC_KEY_HALF_ANGLE)
        return;
    double step = step_of(format, 2u, written[2]);
    if (distance2(format, row, value) <= NEAR2 * step * step)
        return;
    settle_w(format, value, flipped, written);
    memset(key, 0, sizeof *key);
    make_components(format, flipped, written, key);
    play(format, key, row);
}

void enc_key_put(const enc_key_format *format, const enc_key *key, enc_bit_writer *out)
{
    for (uint32_t left = format->key_bits, word = 0; left > 0u; word++) {
        uint32_t width = left < 32u ? left : 32u;
        enc_bits_put(out, key->words[word], width);
        left -= width;
    }
}

/* Returns whether a header can state these parameters for the format's kind of track. */
static bool is_sound(const enc_key_format *format)
{
    bool rotation = format->kind == ENC_ROTATION;
    bool angles = format->coding == OSC_KEY_SMALLEST_THREE || format->coding == OSC_KEY_HALF_ANGLE;
    return format->coding <= OSC_KEY_VARIABLE && format->layout <= OSC_KEY_WIDTHS_SAME &&
           format->exponent <= OSC_KEY_EXPONENT_MAX && (rotation || !angles) &&
           (!format->four || (rotation && format->coding <= OSC_KEY_FLOAT)) &&
           (!format->has_sign || rebuilds_w(format));
}

/* Derives the other fields from the parameters. Fails if the device cannot read these back. */
static bool complete(enc_key_format *format, uint32_t same_width)
{
    if (!is_sound(format))
        return false;
    format->components = format->coding == OSC_KEY_NONE ? 0u : format->four ? 4u : 3u;
    choose_widths(format);
    if (has_widths(format->coding) && format->layout == OSC_KEY_WIDTHS_SAME)
        return same_width >= 1u && same_width <= 32u &&
               enc_key_format_set_width(format, same_width);
    count_bits(format);
    return read_back(format);
}

void enc_key_format_archive(enc_key_format *format, uint32_t kind, enc_archive *archive)
{
    uint32_t *fields[] = {&format->coding, &format->layout, &format->exponent, &format->width[0]};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        enc_archive_word(archive, fields[i]);
    enc_archive_flag(archive, &format->four);
    enc_archive_flag(archive, &format->has_sign);
    enc_archive_flag(archive, &format->negated);
    enc_archive_words(archive, format->minimum, 4);
    enc_archive_words(archive, format->extent, 4);
    if (archive->words != NULL) {
        format->kind = kind;
        enc_archive_require(archive, complete(format, format->width[0]));
    }
}
