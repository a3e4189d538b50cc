/* Plays all clips of a character whose base lies in flash and whose tiers come from a serial flash
 * into 12 KB of RAM, at 60 frames a second, and prints when each clip is there, first with its base
 * and then as fine as it gets. Compiled for a machine with MACHINE_HZ and FRAME_CYCLES.
 *
 * The flash is the mock, whose time is the machine's: before each of its functions, the cycles that
 * the program has used up to there pass for the chip, so that bytes arrive while the processor
 * works, as with DMA. What the mock itself takes counts for nothing; what a driver would wait for
 * counts. Afterwards, poses are compared with those of a bank whose tiers are attached as a whole.
 */
#include "character.h"
#include "hal.h"
#include "mock_spi_nor.h"
#include "osc_stream.h"
#include "port/osc_port.h"
#include "print.h"
#include "tiers.h"

#define RAM_BYTES 12288u /* for clips: all that streaming keeps, the bank's structure included */
#define SLOTS 8u
#define CHIP_HZ 25000000u
#define FRAME_US 16667u
#define PASSES 3u        /* in the first one, everything is dropped before each clip */
#define STEADY_FRAMES 8u /* of play after a clip is complete */
#define MOST_FRAMES 120u
#define CHECKED_POSES 4u

typedef struct streamed {
    osc_stream stream;
    osc_stream_source source;
    uint32_t
        memory[(RAM_BYTES - sizeof(osc_stream) - sizeof(osc_stream_source) - sizeof(osc_bank)) /
               4u];
} streamed;

OSC_HOT_DATA static character_player player;
static character_pose pose;
static character_model model;
OSC_HOT_DATA static osc_bank bank;
static streamed clips;
static osc_spi_nor flash;
static mock_spi_nor chip;
static uint32_t hashes[CHARACTER_CLIP_COUNT];

__attribute__((noreturn)) static void fail(const char *what, uint32_t number)
{
    print_text("error: ");
    print_line(what, number);
    hal_exit(1);
}

/* ---- time ---- */

static struct {
    uint64_t cycles; /* of the processor, those included that it waits */
    uint64_t ahead;  /* millionths of cycles that the chip does not know of yet */
    bool counts;     /* the host does not: there, only waiting takes time */
} now;

static void pass(uint32_t cycles)
{
    now.cycles += cycles;
    now.ahead += (uint64_t)cycles * 1000000u;
    mock_spi_nor_advance_us(&chip, (uint32_t)(now.ahead / MACHINE_HZ));
    now.ahead %= MACHINE_HZ;
}

static void stop_clock(void)
{
    uint32_t cycles = hal_instructions();
    if (now.counts && cycles == HAL_UNKNOWN)
        fail("more cycles than can be counted after ", (uint32_t)now.cycles);
    pass(now.counts ? cycles : 0u);
}

static uint32_t since(uint64_t cycles)
{
    return (uint32_t)(now.cycles - cycles);
}

static uint32_t microseconds(uint32_t cycles)
{
    return (uint32_t)((uint64_t)cycles * 1000000u / MACHINE_HZ);
}

/* ---- the bus: the mock's, while the clock stands still ---- */

static bool take_bus(void *context)
{
    (void)context;
    stop_clock();
    bool taken = chip.bus.select(&chip);
    hal_ticks_start();
    return taken;
}

static void leave_bus(void *context)
{
    (void)context;
    stop_clock();
    chip.bus.deselect(&chip);
    hal_ticks_start();
}

/* The processor waits for the chip, which advances the time itself. */
static void exchange(void *context, uint8_t *bytes, uint32_t count)
{
    (void)context;
    stop_clock();
    chip.bus.exchange(&chip, bytes, count);
    now.cycles += ((uint64_t)count * 8u * MACHINE_HZ + CHIP_HZ - 1u) / CHIP_HZ;
    hal_ticks_start();
}

static int32_t receive(void *context, void *destination, uint32_t size_bytes)
{
    (void)context;
    stop_clock();
    int32_t status = chip.bus.receive(&chip, destination, size_bytes);
    hal_ticks_start();
    return status;
}

static int32_t received(void *context)
{
    (void)context;
    stop_clock();
    int32_t status = chip.bus.received(&chip);
    hal_ticks_start();
    return status;
}

static void abort_read(void *context)
{
    (void)context;
    stop_clock();
    chip.bus.abort(&chip);
    hal_ticks_start();
}

static const osc_spi_bus bus = {
    .select = take_bus,
    .deselect = leave_bus,
    .exchange = exchange,
    .receive = receive,
    .received = received,
    .abort = abort_read,
};

/* ---- play ---- */

/* Cycles. first: until the first pose; update: of osc_stream_follow and osc_stream_update in the
 * frame where they take longest; frame: of the longest one; steady: of the two functions on average
 * once the clip is complete. full_us: until the first pose that is as fine as it gets. */
typedef struct start_cost {
    uint32_t first, update, frame, steady, full_us, late;
} start_cost;

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* Goes to a position and makes the pose, all that a picture needs. */
static void make_pose(int32_t position_q11)
{
    hal_ticks_start();
    (void)osc_player_seek_q11(&player.player, position_q11);
    character_evaluate(&player, &pose);
    character_compose(&pose, &model);
    stop_clock();
}

/* Streams for a frame. Returns the cycles that this takes. */
static uint32_t keep_streaming(uint32_t elapsed_us)
{
    uint64_t begin = now.cycles;
    hal_ticks_start();
    (void)osc_stream_follow(&clips.stream, &player.player, 0);
    osc_stream_update(&clips.stream, elapsed_us);
    stop_clock();
    return since(begin);
}

/* Waits for the next frame of the display. Returns how many have gone by. */
static uint32_t wait_for_frame(uint64_t frame_begin)
{
    uint32_t used = since(frame_begin), frames = (used + FRAME_CYCLES - 1u) / FRAME_CYCLES;
    frames = frames != 0u ? frames : 1u;
    pass(frames * FRAME_CYCLES - used);
    return frames;
}

static void start(uint32_t clip)
{
    hal_ticks_start();
    if (osc_player_start(&player.player, clip, OSC_PLAY_LOOP) != OSC_OK)
        fail("cannot start clip ", clip);
    stop_clock();
}

static int32_t quality_of(uint32_t clip, int32_t position_q11)
{
    return osc_clip_quality_q20(&bank, clip, (uint32_t)position_q11 >> 11);
}

static start_cost play(uint32_t clip, int32_t finest_q20)
{
    static uint32_t elapsed_us = FRAME_US;
    osc_clip_info info;
    start_cost cost = {0, 0, 0, 0, 0, 0};
    uint64_t begin = now.cycles, frame_begin = begin;
    uint32_t us = 0, steady = 0;
    (void)osc_clip_describe(&bank, clip, &info);
    start(clip);
    for (uint32_t frame = 0; steady < STEADY_FRAMES; frame++) {
        if (frame == MOST_FRAMES)
            fail("never complete: clip ", clip);
        int32_t position_q11 = (int32_t)osc_mulhi_u32(us, info.position_per_us_q32);
        make_pose(position_q11);
        bool complete = quality_of(clip, position_q11) == finest_q20;
        if (frame == 0u)
            cost.first = since(begin);
        if (complete && steady == 0u)
            cost.full_us = microseconds(since(begin));
        uint32_t streaming = keep_streaming(elapsed_us);
        steady += complete;
        cost.steady += complete ? streaming : 0u;
        cost.update = larger(cost.update, streaming);
        cost.frame = larger(cost.frame, since(frame_begin));
        uint32_t frames = wait_for_frame(frame_begin);
        cost.late += frames - 1u;
        elapsed_us = frames * FRAME_US;
        us += elapsed_us;
        frame_begin = now.cycles;
    }
    cost.steady /= STEADY_FRAMES;
    return cost;
}

/* The poses of a clip that the player has started: at its start, between frames, at its end, or
 * that of its first block: the others are not there. */
static uint32_t hash_of_poses(uint32_t clip)
{
    osc_clip_info info;
    uint32_t hash = OSC_HASH_START, last = (1u << bank.block_log2) - 1u;
    (void)osc_clip_describe(&bank, clip, &info);
    last = last < info.frame_count - 1u ? last : info.frame_count - 1u;
    uint32_t end_q11 = last << 11;
    for (uint32_t i = 0; i < CHECKED_POSES; i++) {
        (void)osc_player_seek_q11(&player.player, (int32_t)(end_q11 / (CHECKED_POSES - 1u) * i));
        character_evaluate(&player, &pose);
        character_compose(&pose, &model);
        hash = osc_hash_words(hash, &pose, sizeof pose / 4u);
        hash = osc_hash_words(hash, &model, sizeof model / 4u);
    }
    return hash;
}

/* ---- all clips ---- */

static uint16_t order[CHARACTER_CLIP_COUNT];

static void shuffle(uint32_t seed)
{
    for (uint32_t i = 0; i < CHARACTER_CLIP_COUNT; i++) {
        seed = seed * 1664525u + 1013904223u;
        uint32_t other = (seed >> 8) % (i + 1u);
        order[i] = order[other];
        order[other] = (uint16_t)i;
    }
}

static void print_cost(uint32_t number, uint32_t clip, const start_cost *cost)
{
    print_text("pass ");
    print_number(number);
    print_text(" clip ");
    print_number(clip);
    print_text(" first ");
    print_number(cost->first);
    print_text(" full_us ");
    print_number(cost->full_us);
    print_text(" update ");
    print_number(cost->update);
    print_text(" frame ");
    print_number(cost->frame);
    print_text(" steady ");
    print_number(cost->steady);
    print_line(" late ", cost->late);
}

static void play_all(uint32_t number, int32_t finest_q20)
{
    shuffle(number + 1u);
    for (uint32_t i = 0; i < CHARACTER_CLIP_COUNT; i++) {
        uint32_t clip = order[i];
        if (number == 0u)
            osc_stream_drop(&clips.stream);
        start_cost cost = play(clip, finest_q20);
        uint32_t hash = hash_of_poses(clip);
        if (number != 0u && hash != hashes[clip])
            fail("poses of another pass differ: clip ", clip);
        hashes[clip] = hash;
        print_cost(number, clip, &cost);
    }
}

static void open_stream(void)
{
    mock_spi_nor_insert(&chip, &(mock_spi_nor_part){.words = tiers_words,
                                                    .size_bytes = TIERS_IMAGE_BYTES,
                                                    .clock_hz = CHIP_HZ});
    osc_spi_nor_init(&flash, &(osc_spi_nor_setup){.bus = &bus,
                                                  .size_bytes = TIERS_IMAGE_BYTES,
                                                  .most_bytes = RAM_BYTES});
    bank = character_embedded;
    int32_t status = osc_stream_init(&clips.stream, &flash.medium, clips.memory,
                                     sizeof clips.memory / 4u, SLOTS);
    if (status == OSC_OK)
        status = osc_stream_add(&clips.stream, &clips.source, &bank, character_checks,
                                character_tier_places);
    if (status == OSC_OK)
        status = character_player_init(&player, &bank);
    if (status != OSC_OK)
        fail("the stream does not open: error ", (uint32_t)-status);
}

/* The poses with all tiers in memory: how many clips differ, and one hash of all. */
static void compare(void)
{
    static const uint32_t tier_bytes[] = {TIER_SIZES};
    uint32_t differ = 0, hash = OSC_HASH_START;
    bank = character_embedded;
    for (uint32_t tier = 1; tier <= CHARACTER_TIER_COUNT; tier++)
        if (character_attach_tier(&bank, tier, tiers_words + character_tier_places[tier - 1u] / 4u,
                                  tier_bytes[tier - 1u]) != OSC_OK)
            fail("cannot attach tier ", tier);
    for (uint32_t clip = 0; clip < CHARACTER_CLIP_COUNT; clip++) {
        start(clip);
        uint32_t expected = hash_of_poses(clip);
        differ += hashes[clip] != expected;
        hash = osc_hash_words(hash, &hashes[clip], 1);
    }
    print_line("differ ", differ);
    print_text("hash ");
    print_hex(hash);
    print_text("\n");
}

int main(void)
{
    open_stream();
    osc_quality quality;
    osc_bank_quality(&bank, &quality);
    hal_ticks_start();
    now.counts = hal_instructions() != HAL_UNKNOWN;
    hal_stack_fill();
    for (uint32_t number = 0; number < PASSES; number++)
        play_all(number, quality.finest_error_q20);
    uint32_t stack_bytes = hal_stack_used();
    if (stack_bytes != HAL_UNKNOWN)
        print_line("stack ", stack_bytes);
    print_line("ram ", sizeof clips + sizeof bank);
    print_line("pool ", 4u * clips.stream.pool_words);
    print_line("reads ", clips.stream.counts.reads);
    print_line("read_bytes ", clips.stream.counts.read_bytes);
    print_line("failures ", clips.stream.counts.failures + clips.stream.counts.given_up);
    print_line("violations ", chip.violations);
    compare();
    hal_exit(0);
}
