/* Counts what a frame costs in steady play, forward and a frame at a time, of all clips: with the
 * bank as it is, and, if it has tiers, with all of them attached and with a stream that has brought
 * what the clip needs. Rows and streaming are counted apart. */
#include "character.h"
#include "hal.h"
#include "print.h"

static character_player player;
static character_pose pose;
static osc_bank bank;

__attribute__((noreturn)) static void fail(const char *what, uint32_t number)
{
    print_text("error: ");
    print_line(what, number);
    hal_exit(1);
}

typedef struct row_sums {
    uint32_t rows, seek, streaming, hash;
} row_sums;

static uint32_t counted(void)
{
    uint32_t instructions = hal_instructions();
    return instructions == HAL_UNKNOWN ? 0u : instructions;
}

static void print_sums(const char *mode, const row_sums *sums)
{
    print_text(mode);
    print_line(" rows ", sums->rows);
    print_text(mode);
    print_line(" seek ", sums->seek);
    print_text(mode);
    print_line(" streaming ", sums->streaming);
    print_text(mode);
    print_line(" poses ", sums->hash);
}

/* keep_streaming: what streaming does in a frame; null where nothing streams. */
static void play_clip(uint32_t clip, void (*keep_streaming)(void), row_sums *sums)
{
    osc_clip_info info;
    if (osc_clip_describe(&bank, clip, &info) != OSC_OK ||
        osc_player_start(&player.player, clip, OSC_PLAY_ONCE) != OSC_OK)
        fail("cannot start clip ", clip);
    (void)osc_player_seek_q11(&player.player, 0);
    for (uint32_t frame = 1; frame < info.frame_count; frame++) {
        if (keep_streaming != 0) {
            hal_ticks_start();
            keep_streaming();
            sums->streaming += counted();
        }
        hal_ticks_start();
        (void)osc_player_seek_q11(&player.player, (int32_t)(frame << 11));
        sums->seek += counted();
        sums->rows++;
        character_evaluate(&player, &pose);
        sums->hash = osc_hash_words(sums->hash, &pose, sizeof pose / 4u);
    }
}

static void open_bank(void)
{
    bank = character_embedded;
    int32_t status = character_player_init(&player, &bank);
    if (status != OSC_OK)
        fail("the bank does not open: error ", (uint32_t)-status);
}

static void play_as_it_is(void)
{
    row_sums sums = {0, 0, 0, OSC_HASH_START};
    open_bank();
    for (uint32_t clip = 0; clip < CHARACTER_CLIP_COUNT; clip++)
        play_clip(clip, 0, &sums);
    print_sums("base", &sums);
}

#if defined(CHARACTER_TIER_COUNT)
#include "osc_memory_medium.h"
#include "osc_stream.h"
#include "tiers.h"

#define SLOTS 8u
#define POOL_WORDS 65536u
#define UPDATES_AT_MOST 100u
#define STEP_US 1000u

static osc_stream stream;
static osc_stream_source source;
static osc_memory_medium medium;
static uint32_t memory[POOL_WORDS];

static void play_attached(void)
{
    static const uint32_t tier_bytes[] = {TIER_SIZES};
    row_sums sums = {0, 0, 0, OSC_HASH_START};
    open_bank();
    for (uint32_t tier = 1; tier <= CHARACTER_TIER_COUNT; tier++)
        if (character_attach_tier(&bank, tier, tiers_words + character_tier_places[tier - 1u] / 4u,
                                  tier_bytes[tier - 1u]) != OSC_OK)
            fail("cannot attach tier ", tier);
    for (uint32_t clip = 0; clip < CHARACTER_CLIP_COUNT; clip++)
        play_clip(clip, 0, &sums);
    print_sums("attached", &sums);
}

static void keep_streaming(void)
{
    (void)osc_stream_follow(&stream, &player.player, 0);
    osc_stream_update(&stream, STEP_US);
}

/* Brings all blocks of a clip. */
static void bring(uint32_t clip)
{
    osc_clip_info info;
    (void)osc_clip_describe(&bank, clip, &info);
    for (uint32_t frame = 0; frame < info.frame_count; frame += 1u << bank.block_log2)
        for (uint32_t i = 0;
             osc_stream_want(&stream, &(osc_want){.bank = &bank, .clip = clip, .frame = frame}) !=
             0;
             i++) {
            osc_stream_update(&stream, STEP_US);
            if (i == UPDATES_AT_MOST)
                fail("a chunk does not arrive: clip ", clip);
        }
}

static void play_streamed(void)
{
    row_sums sums = {0, 0, 0, OSC_HASH_START};
    open_bank();
    osc_memory_medium_init(&medium, tiers_words, TIERS_IMAGE_BYTES / 4u, 0);
    int32_t status = osc_stream_init(&stream, &medium.medium, memory, POOL_WORDS, SLOTS);
    if (status == OSC_OK)
        status = osc_stream_add(&stream, &source, &bank, character_checks, character_tier_places);
    if (status != OSC_OK)
        fail("the stream does not open: error ", (uint32_t)-status);
    for (uint32_t clip = 0; clip < CHARACTER_CLIP_COUNT; clip++) {
        bring(clip);
        play_clip(clip, keep_streaming, &sums);
    }
    print_sums("streamed", &sums);
}
#endif

int main(void)
{
    play_as_it_is();
#if defined(CHARACTER_TIER_COUNT)
    play_attached();
    play_streamed();
#endif
    hal_exit(0);
}
