/* Reading keys, in every format that format.c shows to be all: any bits at any position, any
 * ranges, and a row that is no longer than it has to be. */
#include "any.h"
#include "contracts.h"

#include "arithmetic/osc_quaternion.c"
#include "bank/osc_clip.c"
#include "published/osc_keys.c"

enum { WORDS = 4, MOST_OWN = 0x3fff };

static uint32_t stream[WORDS];

static osc_bits any_reader(void)
{
    osc_bits bits = {stream, WORDS - 2u, any_word()};
    return bits;
}

static void take(uint32_t form, const osc_key_block *block)
{
    int32_t row[4];
    osc_bits bits = any_reader(), clip = any_reader();
    osc_key_format format = {form, any_word()};
    forget(stream);
    (void)osc_key_bits(form, any_up_to(OSC_KEY_RATE_MAX));
    osc_key_take_apart(&bits, &clip, &format, block,
                       OSC_KEY_KIND(form) == OSC_KEY_ROTATION ? row : row + 1);
}

static void take_constant(uint32_t form)
{
    int32_t row[4];
    osc_bits bits = any_reader();
    osc_key_format format = {form, any_word()};
    forget(stream);
    osc_key_take_constant(&bits, &format, OSC_KEY_KIND(form) == OSC_KEY_ROTATION ? row : row + 1);
}

/* A format with everything that does not follow from these: four components, a sign; an exponent
 * or, where that is not read, a subtrack. The analyser cannot keep both apart, and no code here
 * reads the subtrack. */
static void take_layout(uint32_t kind, uint32_t coding, uint32_t layout, uint32_t width)
{
    bool rotation = kind == OSC_KEY_ROTATION;
    bool is_signed = rotation && coding != OSC_KEY_SMALLEST_THREE && coding != OSC_KEY_NONE;
    uint32_t exponent = coding == OSC_KEY_FIXED ? any_up_to(OSC_KEY_EXPONENT_MAX) : 0u;
    uint32_t own = coding != OSC_KEY_FIXED ? any_up_to(MOST_OWN) << OSC_KEY_OWN_SHIFT : 0u;
    take(OSC_KEY_FORM(coding, 0u, 0u, layout, width, exponent, kind) | own, 0);
    if (is_signed)
        take(OSC_KEY_FORM(coding, 0u, 1u, layout, width, exponent, kind) | own, 0);
    if (rotation && coding <= OSC_KEY_FLOAT)
        take(OSC_KEY_FORM(coding, 1u, 0u, layout, width, exponent, kind) | own, 0);
}

static void take_coding(uint32_t kind, uint32_t coding)
{
    uint32_t widest = coding == OSC_KEY_HALF_ANGLE ? HALF_ANGLE_WIDTH_MAX : 32u;
    bool angles = coding == OSC_KEY_SMALLEST_THREE || coding == OSC_KEY_HALF_ANGLE;
    if (angles && kind != OSC_KEY_ROTATION)
        return;
    take_layout(kind, coding, OSC_KEY_WIDTHS_16, 1u);
    if (coding != OSC_KEY_FIXED && coding != OSC_KEY_RANGED && coding != OSC_KEY_HALF_ANGLE)
        return;
    take_layout(kind, coding, OSC_KEY_WIDTHS_32, 1u);
    for (uint32_t width = 1; width <= widest; width++)
        take_layout(kind, coding, OSC_KEY_WIDTHS_SAME, width);
}

/* Tracks with a rate and range that change from block to block. */
static void take_variable_track(uint32_t kind, uint32_t is_signed)
{
    uint32_t form = OSC_KEY_FORM(OSC_KEY_VARIABLE, 0u, is_signed, 0u, 1u, 0u, kind);
    form |= any_up_to(MOST_OWN) << OSC_KEY_OWN_SHIFT;
    take_constant(form);
    /* Rate 0 is a constant in this block, as the codec sees before. */
    for (uint32_t rate = 1; rate <= OSC_KEY_RATE_MASK; rate++) {
        osc_key_block block = {rate | any_up_to(0x7ffffffu) << OSC_KEY_CLASS_SHIFT, any_word()};
        take(form, &block);
    }
}

/* A rotation of which one component follows from the others, with either sign. */
static void rebuild(uint32_t dropped)
{
    int32_t q[4] = {any_number(), any_number(), any_number(), any_number()};
    osc_rebuild(q, dropped, false);
    osc_rebuild(q, dropped, true);
}

void prove_keys(void)
{
    for (uint32_t dropped = 0; dropped < 4u; dropped++)
        rebuild(dropped);
    for (uint32_t kind = 0; kind < 3u; kind++) {
        for (uint32_t coding = 0; coding < OSC_KEY_VARIABLE; coding++)
            take_coding(kind, coding);
        take_variable_track(kind, 0u);
    }
    take_variable_track(OSC_KEY_ROTATION, 1u);
}
