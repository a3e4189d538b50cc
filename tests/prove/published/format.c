/* Reading a key format: whatever a header's bits are, what is taken is one of the formats that
 * keys.c goes through. */
#include "any.h"
#include "contracts.h"

/* The same, every number a case of its own: a format is then a number, not a range. */
static uint32_t take_apart(osc_bits *bits, uint32_t count)
{
    uint32_t value = osc_bits_take(bits, count);
    //@ split value;
    return value;
}
#define osc_bits_take take_apart
#include "published/osc_keys.c"

enum { WORDS = 4 };

static uint32_t stream[WORDS];

static void take_format(uint32_t kind)
{
    osc_bits bits = {stream, WORDS - 2u, any_word()};
    osc_key_format format;
    forget(stream);
    if (!osc_key_format_take(&bits, kind, &format))
        return;
    uint32_t form = format.form, coding = OSC_KEY_CODING(form);
    bool four = OSC_KEY_IS_FOUR(form), rotation = kind == OSC_KEY_ROTATION;
    bool angles = coding == OSC_KEY_SMALLEST_THREE || coding == OSC_KEY_HALF_ANGLE;
    bool layouts =
        coding == OSC_KEY_FIXED || coding == OSC_KEY_RANGED || coding == OSC_KEY_HALF_ANGLE;
    uint32_t layout = OSC_KEY_LAYOUT(form), width = OSC_KEY_SAME_WIDTH(form);
    /*@ assert form >> 16 == kind; */
    /*@ assert angles != 0 ==> rotation != 0; */
    /*@ assert four != 0 ==> (rotation != 0 && coding <= 2); */
    /*@ assert layout <= 2 && (layouts != 0 || layout == 0); */
    /*@ assert layout == 2 || width == 1; */
    /*@ assert (coding == 5 && layout == 2) ==> width <= 21; */
    if (OSC_KEY_IS_SIGNED(form)) {
        /*@ assert rotation != 0 && four == 0 && coding != 4 && coding != 6; */
    }
    uint32_t exponent = OSC_KEY_EXPONENT(form);
    /*@ assert exponent <= 11 && (coding == 0 || exponent == 0); */
}

void prove_format(void)
{
    for (uint32_t kind = 0; kind < 3u; kind++)
        take_format(kind);
}
