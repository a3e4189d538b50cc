/* One clip: every place in DATA, every length of its parts that leaves a stream, and all that leave
 * none. */
#include "bank.h"

enum { WORDS = 6, LAST_FRAME = OSC_MAX_FRAMES - 1, LOG2 = 31, CODECS = 16 };
#define COUNTS(header_bits, breaks) ((header_bits) | (breaks) << OSC_DATA_BREAKS_SHIFT)

static uint32_t data[WORDS];
static osc_codec_check *const no_checks[OSC_CODEC_COUNT];
static osc_codec_check *const *checks = osc_all_checks;

static osc_bank any_bank_with_data(void)
{
    osc_bank bank = any_bank();
    bank.data = data;
    bank.data_words = WORDS;
    return bank;
}

/* A clip of which the last frame is one of these. */
typedef struct clip_shape {
    uint32_t first_frame, last_frame, codec, log2, loop;
} clip_shape;

static uint32_t word_of(clip_shape shape)
{
    return any_from(shape.first_frame, shape.last_frame) | shape.codec << OSC_CLIP_CODEC_SHIFT |
           shape.log2 << OSC_CLIP_RESTART_SHIFT | shape.loop << 31;
}

/* counts: the first word of its data, which lies at `offset` */
static void check(uint32_t shape, uint32_t offset, uint32_t counts)
{
    osc_bank bank = any_bank_with_data();
    uint32_t place = offset | any_up_to(OSC_MAX_RATES - 1u) << OSC_CLIP_RATE_SHIFT;
    const uint32_t entry[OSC_CLIP_ENTRY_WORDS] = {any_word(), shape, place};
    forget(data);
    data[offset] = counts;
    (void)check_clip(&bank, entry, any_up_to(OSC_MAX_RATES), checks);
}

/* Clips with so many breaks and restart points that the stream has `left` words: headers that end
 * in each of those, and all that end behind them. */
static void check_parts(uint32_t offset, uint32_t breaks, uint32_t restarts, uint32_t left)
{
    for (uint32_t log2 = 0; log2 <= LOG2; log2++)
        for (uint32_t loop = 0; loop < 2u; loop++) {
            uint64_t first = ((uint64_t)restarts << log2) + loop,
                     last = first + (1ull << log2) - 1u;
            if (first > LAST_FRAME)
                continue;
            clip_shape shape = {(uint32_t)first, last > LAST_FRAME ? LAST_FRAME : (uint32_t)last,
                                OSC_CODEC_DELTA, log2, loop};
            for (uint32_t word = 0; word < left; word++)
                check(word_of(shape), offset,
                      COUNTS(any_from(32u * word, 32u * word + 31u), breaks));
            check(word_of(shape), offset,
                  COUNTS(any_from(32u * left, OSC_DATA_HEADER_MASK), breaks));
        }
}

/* Clips with more breaks, or more restart points, than there is room for. */
static void check_too_long(uint32_t offset, uint32_t log2, uint32_t loop)
{
    uint32_t room = WORDS - offset > 3u ? WORDS - offset - 3u : 0u;
    clip_shape shape = {loop, LAST_FRAME, OSC_CODEC_DELTA, log2, loop};
    uint32_t breaks = WORDS - offset > 2u ? room + 1u : 0u;
    check(word_of(shape), offset, any_from(breaks << OSC_DATA_BREAKS_SHIFT, UINT32_MAX));
    for (breaks = 0; breaks + 3u <= WORDS - offset; breaks++) {
        uint64_t first = ((uint64_t)(room + 1u - breaks) << log2) + loop;
        if (first > LAST_FRAME)
            continue;
        shape.first_frame = (uint32_t)first;
        check(word_of(shape), offset, COUNTS(any_up_to(OSC_DATA_HEADER_MASK), breaks));
    }
}

/* Known codecs, unknown ones, an additive clip, and a loop without a row. */
static void check_shapes(uint32_t codec, uint32_t loop)
{
    clip_shape shape = {loop, LAST_FRAME, codec, LOG2, loop}, still = {0, 0, codec, LOG2, loop};
    check(word_of(shape), 0, any_up_to(31u));
    check(word_of(shape) | OSC_CLIP_ADDITIVE, 0, any_up_to(31u));
    check(word_of(still), 0, any_up_to(31u));
}

/* Offsets beyond the data. */
static void check_beyond(void)
{
    /*@ loop unroll 64; */
    for (uint32_t rate = 0; rate < OSC_MAX_RATES; rate++) {
        osc_bank bank = any_bank_with_data();
        uint32_t first = rate << OSC_CLIP_RATE_SHIFT;
        uint32_t place = any_from(first | WORDS, first | OSC_CLIP_OFFSET_MASK);
        const uint32_t entry[OSC_CLIP_ENTRY_WORDS] = {any_word(), any_word(), place};
        forget(data);
        (void)check_clip(&bank, entry, any_up_to(OSC_MAX_RATES), checks);
    }
}

void prove_clip(void)
{
    for (uint32_t offset = 0; offset < WORDS; offset++) {
        for (uint32_t breaks = 0; offset + breaks + 3u <= WORDS; breaks++)
            for (uint32_t restarts = 0; offset + breaks + restarts + 3u <= WORDS; restarts++)
                check_parts(offset, breaks, restarts, WORDS - offset - breaks - restarts - 1u);
        for (uint32_t log2 = 0; log2 <= LOG2; log2++)
            for (uint32_t loop = 0; loop < 2u; loop++)
                check_too_long(offset, log2, loop);
    }
    for (uint32_t codec = 0; codec < CODECS; codec++)
        for (uint32_t loop = 0; loop < 2u; loop++)
            check_shapes(codec, loop);
    check_beyond();
    checks = no_checks;
    check_shapes(OSC_CODEC_DELTA, 0);
}
