/* Schedules of faults: each seed makes a stream of one or two banks, in memory of some size, on a
 * medium that goes wrong by chance, and plays, wants, holds, drops, attaches and loses power at
 * random. After every step the pose is the one that the chunks in memory have to give, within the
 * error that is stated; once the faults stop, what is wanted arrives and plays with all bits.
 *
 *     faults [--first N] [--count N]     schedules N, N + 1, ..; the first that fails prints its
 * seed faults --seed N                    one schedule, telling what happens */
#include "expected.h"
#include "faulty_medium.h"

#include <sanitizer/common_interface_defs.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bank/osc_codecs.h"
#include "bank/osc_tiers.h"
#include "stream/osc_stream_pool.h"
#include "stream/osc_stream_read.h"

enum {
    MOST_SIDES = 2,
    MOST_CHUNKS = 64,
    MOST_HOLDS = 3,
    MOST_STEPS = 48,
    RECOVERY_UPDATES = 2000,
    URGENT = 255 /* priority of what has to arrive in the end */
};

/* A bank, its player, and the schedule's record of its chunks. */
typedef struct side {
    expected_bank *expected;
    uint32_t medium_bytes; /* where the medium has its tiers */
    test_player made;
    osc_stream_source source;
    uint32_t clip, quarter;
    bool told[MOST_CHUNKS];
} side;

typedef struct hold {
    osc_want want;
    side *of;
    bool there[OSC_MAX_TIERS];
} hold;

typedef struct schedule {
    uint64_t random;
    bool tells;
    faulty_medium medium;
    osc_stream stream;
    uint32_t *memory;
    uint32_t memory_words, slots;
    bool scarce; /* the pool may be smaller than a chunk */
    side sides[MOST_SIDES];
    uint32_t side_count;
    hold holds[MOST_HOLDS];
    uint32_t hold_count;
} schedule;

static uint64_t seed_now;

static void print_seed(void)
{
    fprintf(stderr, "faults: schedule %llu failed; to see it: faults --seed %llu\n",
            (unsigned long long)seed_now, (unsigned long long)seed_now);
}

static void on_abort(int signal_number)
{
    (void)signal_number;
    print_seed();
}

static void require(bool condition, const char *what)
{
    if (condition)
        return;
    fprintf(stderr, "faults: %s\n", what);
    print_seed();
    exit(1);
}

#define TELL(s, ...)                                                                               \
    do {                                                                                           \
        if ((s)->tells)                                                                            \
            printf(__VA_ARGS__);                                                                   \
    } while (0)

static uint32_t below(schedule *s, uint32_t end)
{
    return mock_below(&s->random, end);
}

/* Lets the stream go on, which begins one read at most. */
static void advance(schedule *s, uint32_t elapsed_us)
{
    const faulty_medium *medium = &s->medium;
    uint32_t starts = medium->starts;
    osc_stream_update(&s->stream, elapsed_us);
    if (medium->starts != starts)
        TELL(s, "    read %u bytes at %u: %s\n", medium->size_bytes, medium->offset_bytes,
             faulty_read_names[medium->fault]);
    require(medium->violations == 0u, medium->violation);
}

/* ---- invariants after every step ---- */

static void check_slot(const schedule *s, const osc_stream_slot *slot, const bool *pool_has)
{
    const osc_stream_source *source = osc_slot_source(&s->stream, slot);
    osc_chunk_entry entry = osc_slot_entry(&s->stream, slot);
    require((slot->state == OSC_SLOT_THERE) == pool_has[slot - s->stream.slots],
            "the list of the pool does not have what is there");
    require(osc_slot_find(&s->stream, source, slot->number) == slot, "two slots for one chunk");
    require(slot->state != OSC_SLOT_READING || s->stream.read_bytes != 0u,
            "a slot waits for no read");
    require(slot->state != OSC_SLOT_COVERED || slot->holds != 0u, "a slot that is not needed");
    if (slot->state != OSC_SLOT_THERE)
        return;
    const side *of = source == &s->sides[0].source ? &s->sides[0] : &s->sides[1];
    const uint32_t *right = of->expected->tiers.tiers[slot->tier - 1u].words + entry.offset_words;
    require(slot->word_count == entry.word_count, "a chunk of another size");
    require(memcmp(s->stream.pool + slot->at, right, 4u * entry.word_count) == 0,
            "a chunk with wrong words");
    require(source->faults[slot->number] == 0u, "a chunk that is there has failed");
}

/* Chunks are in the pool one after the other, and have the bits of the tiers. */
static void check_pool(const schedule *s)
{
    static bool pool_has[OSC_NO_SLOT];
    uint32_t end = 0, untold = 0;
    memset(pool_has, 0, s->slots);
    for (uint32_t number = s->stream.first; number != OSC_NO_SLOT;) {
        const osc_stream_slot *slot = s->stream.slots + number;
        require(number < s->slots && !pool_has[number] && slot->at >= end, "the pool overlaps");
        pool_has[number] = true;
        end = slot->at + slot->word_count;
        require(end <= s->stream.pool_words, "a chunk beyond the pool");
        number = slot->next;
    }
    for (uint32_t i = 0; i < s->slots; i++)
        if (s->stream.slots[i].state != OSC_SLOT_FREE)
            check_slot(s, s->stream.slots + i, pool_has);
    for (uint32_t i = 0; i < s->side_count; i++)
        for (uint32_t chunk = 0; chunk < s->sides[i].expected->tiers.chunk_count; chunk++)
            untold += (s->sides[i].source.faults[chunk] & OSC_FAULT_UNTOLD) != 0u ? 1u : 0u;
    require(untold == s->stream.untold, "faults to tell are not counted right");
}

static bool is_there(const osc_bank *bank, uint32_t tier, uint32_t clip, uint32_t block,
                     bool version)
{
    osc_chunk chunk = osc_tier_chunk(bank, tier, clip, block);
    return chunk.words != 0 && (chunk.codec != 0u) == version;
}

/* The tiers that have to play at a frame: the finest version that is there, or all keys. */
static uint32_t set_to_play(const side *of, uint32_t frame)
{
    const osc_bank *bank = &of->made.bank;
    const uint32_t *clip = bank->clips + of->clip * OSC_CLIP_ENTRY_WORDS;
    uint32_t keys = 0;
    for (uint32_t tier = bank->tier_count; tier > 0u; tier--)
        if (is_there(bank, tier, of->clip, osc_block_of(bank, clip, frame), true))
            return 1u << (tier - 1u);
    for (uint32_t tier = 1; tier <= bank->tier_count; tier++)
        keys |= is_there(bank, tier, of->clip, 0, false) ? 1u << (tier - 1u) : 0u;
    return keys;
}

static void check_pose(side *of)
{
    int32_t frame = osc_player_seek_q11(&of->made.player, (int32_t)(512u * of->quarter));
    uint32_t set = set_to_play(of, (uint32_t)frame);
    const expected_pose *pose = &of->expected->poses[set][of->clip][of->quarter];
    require(pose_hash(&of->made) == pose->hash, "a pose with other bits than its chunks give");
    require(pose->difference_q20 <= osc_clip_quality_q20(&of->made.bank, of->clip, (uint32_t)frame),
            "a pose with a larger error than is stated");
}

/* Held blocks stay, unless they are of no use. */
static void check_hold(hold *held)
{
    const osc_bank *bank = &held->of->made.bank;
    const uint32_t *clip = bank->clips + held->want.clip * OSC_CLIP_ENTRY_WORDS;
    uint32_t block = osc_block_of(bank, clip, held->want.frame);
    for (uint32_t tier = 1; tier <= bank->tier_count; tier++) {
        int32_t number = osc_chunk_for_block(bank, tier, held->want.clip, block);
        if (number < 0 || (held->want.tiers != 0u && tier > held->want.tiers))
            continue;
        osc_chunk_entry entry = osc_chunk_describe(bank, tier, (uint32_t)number);
        bool there = osc_stream_find(&held->of->source.chunks, (uint32_t)number) != 0;
        require(there || !held->there[tier - 1u] || osc_stream_covered(bank, &entry, false),
                "a chunk that is held is gone");
        held->there[tier - 1u] = there;
    }
}

static void check_all(schedule *s)
{
    check_pool(s);
    for (uint32_t i = 0; i < s->side_count; i++)
        check_pose(&s->sides[i]);
    for (uint32_t i = 0; i < s->hold_count; i++)
        check_hold(&s->holds[i]);
}

/* ---- steps ---- */

static side *any_side(schedule *s)
{
    return &s->sides[below(s, s->side_count)];
}

static uint32_t last_frame(const side *of, uint32_t clip)
{
    return of->expected->quarters[clip] / 4u;
}

static osc_want any_want(schedule *s, side *of)
{
    static const uint32_t dues[] = {0, 0, 1000, 30000, 200000, 4000000000u};
    osc_want want = {.bank = &of->made.bank, .clip = below(s, of->made.bank.clip_count)};
    want.frame = below(s, last_frame(of, want.clip) + 1u);
    want.due_us = dues[below(s, sizeof dues / sizeof *dues)];
    want.priority = (uint8_t)(below(s, 4) == 0u ? below(s, 3) : 0u);
    want.tiers = (uint8_t)(below(s, 3) == 0u ? below(s, OSC_MAX_TIERS + 1u) : 0u);
    TELL(s, "  want %s clip %u frame %u due %u priority %u tiers %u\n", of->expected->name,
         want.clip, want.frame, want.due_us, want.priority, want.tiers);
    return want;
}

static void start_clip(schedule *s, side *of)
{
    of->clip = below(s, of->made.bank.clip_count);
    of->quarter = below(s, of->expected->quarters[of->clip]);
    TELL(s, "  start %s clip %u\n", of->expected->name, of->clip);
    require(osc_player_start(&of->made.player, of->clip, OSC_PLAY_AS_MADE) == OSC_OK,
            "a clip does not start");
}

static void seek(schedule *s, side *of)
{
    uint32_t step =
        below(s, 3) == 0u ? below(s, of->expected->quarters[of->clip]) : 1u + below(s, 6);
    of->quarter = (of->quarter + step) % of->expected->quarters[of->clip];
    TELL(s, "  seek %s clip %u to %u/4\n", of->expected->name, of->clip, of->quarter);
}

static void take_hold(schedule *s)
{
    if (s->hold_count == MOST_HOLDS)
        return;
    hold *held = &s->holds[s->hold_count];
    memset(held, 0, sizeof *held);
    held->of = any_side(s);
    held->want = any_want(s, held->of);
    int32_t missing = osc_stream_hold(&s->stream, &held->want);
    TELL(s, "  .. held: %d\n", (int)missing);
    s->hold_count += missing >= 0 ? 1u : 0u;
    require(missing >= 0 || missing == OSC_ERROR_MEMORY, "a hold fails for no reason");
}

static void release(schedule *s)
{
    if (s->hold_count == 0u)
        return;
    hold *held = &s->holds[below(s, s->hold_count)];
    TELL(s, "  release %s clip %u frame %u\n", held->of->expected->name, held->want.clip,
         held->want.frame);
    osc_stream_release(&s->stream, &held->want);
    *held = s->holds[--s->hold_count];
}

static void attach_or_detach(schedule *s)
{
    side *of = any_side(s);
    uint32_t tier = 1u + below(s, of->made.bank.tier_count);
    const test_bank *whole = &of->expected->tiers.tiers[tier - 1u];
    bool there = of->made.bank.tiers[tier - 1u] != 0;
    TELL(s, "  %s %s tier %u\n", there ? "detach" : "attach", of->expected->name, tier);
    require(osc_bank_attach_tier(&of->made.bank, tier, there ? 0 : whole->words,
                                 whole->count * 4u) == OSC_OK,
            "a tier that cannot be attached");
}

static void hear_faults(schedule *s)
{
    osc_stream_fault fault;
    while (osc_stream_next_fault(&s->stream, &fault)) {
        side *of = fault.bank == &s->sides[0].made.bank ? &s->sides[0] : &s->sides[1];
        int32_t number = osc_chunk_number(fault.bank, fault.tier, fault.clip, fault.block);
        TELL(s, "  fault: %s tier %u clip %u block %u error %d\n", of->expected->name, fault.tier,
             fault.clip, fault.block, (int)fault.error);
        require(number >= 0 && !of->told[number], "a fault is told twice");
        require(fault.error == OSC_ERROR_READ || fault.error == OSC_ERROR_CRC ||
                    fault.error == OSC_ERROR_MEMORY,
                "a fault that cannot be");
        of->told[number] = true;
    }
    for (uint32_t i = 0; i < s->side_count; i++)
        for (uint32_t chunk = 0; chunk < s->sides[i].expected->tiers.chunk_count; chunk++)
            require(osc_fault_is_final(s->sides[i].source.faults[chunk]) == s->sides[i].told[chunk],
                    "a chunk was given up and is not told, or the other way round");
}

static void retry(schedule *s)
{
    TELL(s, "  retry\n");
    osc_stream_retry(&s->stream);
    for (uint32_t i = 0; i < s->side_count; i++)
        memset(s->sides[i].told, 0, sizeof s->sides[i].told);
}

/* Everything that is not on the medium or in flash is lost: memory has any bits. */
static void power_on(schedule *s)
{
    faulty_medium_cut(&s->medium);
    memset(s->memory, (int)below(s, 256), 4u * s->memory_words);
    s->hold_count = 0;
    require(osc_stream_init(&s->stream, &s->medium.medium, s->memory, s->memory_words, s->slots) ==
                OSC_OK,
            "no stream");
    for (uint32_t i = 0; i < s->side_count; i++) {
        side *of = &s->sides[i];
        uint32_t places[OSC_MAX_TIERS];
        for (uint32_t tier = 0; tier < of->expected->tiers.tier_count; tier++)
            places[tier] = of->medium_bytes + of->expected->tiers.places[tier];
        of->made.bank = of->expected->opened;
        memset(of->told, 0, sizeof of->told);
        memset(&of->source, 0x5a, sizeof of->source);
        require(osc_stream_add(&s->stream, &of->source, &of->made.bank, osc_all_checks, places) ==
                    OSC_OK,
                "a bank cannot be added");
        require(osc_player_init(&of->made.player, &of->made.bank, of->made.memory,
                                osc_player_memory_words(&of->made.bank)) == OSC_OK,
                "no player");
        start_clip(s, of);
    }
}

static void update(schedule *s)
{
    static const uint32_t times_us[] = {0, 1, 1000, 5000, 16667, 50000, 200000, 0xffffffffu};
    uint32_t elapsed_us = times_us[below(s, 8) != 0u ? below(s, 6) : below(s, 8)];
    TELL(s, "  update %u us\n", elapsed_us);
    advance(s, elapsed_us);
}

static void follow(schedule *s)
{
    side *of = any_side(s);
    int32_t ahead = (int32_t)below(s, 200) - 100;
    TELL(s, "  follow %s ahead %d\n", of->expected->name, (int)ahead);
    require(osc_stream_follow(&s->stream, &of->made.player, ahead) >= 0,
            "a player is not followed");
}

static void step(schedule *s)
{
    uint32_t choice = below(s, 64);
    if (choice < 24u) {
        update(s);
    } else if (choice < 34u) {
        osc_want want = any_want(s, any_side(s));
        require(osc_stream_want(&s->stream, &want) >= 0, "a want that fails");
    } else if (choice < 40u) {
        follow(s);
    } else if (choice < 47u) {
        seek(s, any_side(s));
    } else if (choice < 49u) {
        start_clip(s, any_side(s));
    } else if (choice < 52u) {
        take_hold(s);
    } else if (choice < 54u) {
        release(s);
    } else if (choice < 57u) {
        attach_or_detach(s);
    } else if (choice < 59u) {
        hear_faults(s);
    } else if (choice == 59u) {
        TELL(s, "  cancel\n");
        osc_stream_cancel(&s->stream);
    } else if (choice == 60u) {
        TELL(s, "  drop\n");
        osc_stream_drop(&s->stream);
    } else if (choice == 61u) {
        retry(s);
    } else if (choice == 62u) {
        s->medium.out = below(s, 12);
        TELL(s, "  the medium is out for %u reads\n", s->medium.out);
    } else if (below(s, 2) == 0u) {
        TELL(s, "  power cut\n");
        power_on(s);
    }
}

/* ---- recovery ---- */

/* Returns whether the tiers of a bank are keys, all of which a frame needs. */
static bool has_keys(const expected_bank *of)
{
    return osc_chunk_describe(&of->opened, 1, 0).codec == 0u;
}

/* Returns whether a chunk, in whole units, is too large for the pool. */
static bool is_too_large(const schedule *s, const side *of, uint32_t tier, uint32_t number)
{
    osc_chunk_entry entry = osc_chunk_describe(&of->made.bank, tier, number);
    uint32_t unit = s->medium.medium.unit_bytes;
    uint32_t from = of->source.places[tier - 1u] + 4u * entry.offset_words;
    uint32_t end = from + 4u * entry.word_count;
    return (end + unit - 1u) / unit * unit - from / unit * unit > 4u * s->stream.pool_words;
}

/* Faults are over: only chunks that are too large are given up now. */
static void check_given_up(const schedule *s)
{
    for (uint32_t i = 0; i < s->side_count; i++)
        for (uint32_t tier = 1; tier <= s->sides[i].made.bank.tier_count; tier++)
            for (uint32_t chunk = osc_chunks_end(&s->sides[i].made.bank, tier - 1u);
                 chunk < osc_chunks_end(&s->sides[i].made.bank, tier); chunk++)
                require(!s->sides[i].told[chunk] || is_too_large(s, &s->sides[i], tier, chunk),
                        "a chunk is given up on a medium without faults");
}

/* Loads the chunks of this clip at a frame, or at all frames, and returns whether that succeeded.
 */
static bool bring(schedule *s, side *of, uint32_t clip, uint32_t first, uint32_t last)
{
    for (uint32_t i = 0; i < RECOVERY_UPDATES; i++) {
        int32_t missing = 0;
        for (uint32_t frame = first; frame <= last && missing == 0; frame++) {
            const osc_want want = {
                .bank = &of->made.bank, .clip = clip, .frame = frame, .priority = URGENT};
            missing = osc_stream_want(&s->stream, &want);
        }
        if (missing == 0)
            return true;
        advance(s, 500);
        check_pool(s);
    }
    return false;
}

static bool has_fault(const side *of)
{
    for (uint32_t chunk = 0; chunk < of->expected->tiers.chunk_count; chunk++)
        if (osc_fault_is_final(of->source.faults[chunk]))
            return true;
    return false;
}

static void recover(schedule *s)
{
    TELL(s, "the faults stop\n");
    s->medium.setup.wrong_q8 = 0;
    s->medium.out = 0;
    while (s->hold_count != 0u)
        release(s);
    retry(s);
    side *of = any_side(s);
    uint32_t all = (1u << of->made.bank.tier_count) - 1u, clip = below(s, of->made.bank.clip_count);
    uint32_t first = below(s, last_frame(of, clip) + 1u), last = first;
    uint32_t enough = of->expected->tiers.medium.count + s->medium.medium.unit_bytes / 2u;
    if (s->stream.pool_words >= enough && s->slots >= of->expected->tiers.chunk_count) {
        first = 0; /* the whole clip in one request */
        last = last_frame(of, clip);
    }
    TELL(s, "want %s clip %u, frames %u to %u\n", of->expected->name, clip, first, last);
    bool few = has_keys(of->expected) && (s->scarce || s->slots < of->made.bank.tier_count);
    require(bring(s, of, clip, first, last) || few, "what is wanted does not arrive");
    hear_faults(s);
    check_given_up(s);
    of->clip = clip;
    require(osc_player_start(&of->made.player, clip, OSC_PLAY_AS_MADE) == OSC_OK,
            "a clip does not start");
    uint32_t loops = osc_shape_loops(osc_clip_shape(of->made.bank.clips + 3u * clip)) ? 1u : 0u;
    for (uint32_t frame = first; frame + loops <= last_frame(of, clip) && frame <= last; frame++) {
        of->quarter = 4u * frame;
        check_pose(of);
        require(few || has_fault(of) ||
                    pose_hash(&of->made) == of->expected->poses[all][clip][of->quarter].hash,
                "what has arrived does not play");
    }
}

/* ---- schedules ---- */

static void make_sides(schedule *s, expected_bank *banks, const uint32_t *medium_bytes)
{
    s->side_count = 1u + (below(s, 3) == 0u ? 1u : 0u);
    uint32_t bank = below(s, EXPECTED_BANKS);
    for (uint32_t i = 0; i < s->side_count; i++) {
        side *of = &s->sides[i];
        of->expected = &banks[(bank + i * (1u + below(s, EXPECTED_BANKS - 1u))) % EXPECTED_BANKS];
        of->medium_bytes = medium_bytes[of->expected - banks];
        player_make(&of->made, of->expected->tiers.bank.words, of->expected->tiers.bank.count);
    }
}

/* The words that a frame needs in memory at the same time: those of one version, or of all keys. */
static uint32_t words_at_once(const expected_bank *of)
{
    uint32_t words = 0;
    for (uint32_t tier = 0; tier < of->tiers.tier_count; tier++)
        words += of->tiers.tiers[tier].count;
    return has_keys(of) ? words : of->tiers.most_words;
}

/* Memory from the least that the header asks for to more than enough, now and then too little for
 * the largest chunk. */
static void make_memory(schedule *s)
{
    uint32_t unit_words = s->medium.medium.unit_bytes / 4u, chunks = 0, most = 0, all = 0;
    for (uint32_t i = 0; i < s->side_count; i++) {
        const tier_bank *tiers = &s->sides[i].expected->tiers;
        uint32_t words = words_at_once(s->sides[i].expected);
        chunks += (tiers->chunk_count + 3u) & ~3u;
        most = words > most ? words : most;
        all += tiers->medium.count;
    }
    uint32_t least = most + 2u * unit_words + s->medium.medium.align_bytes / 4u;
    s->scarce = below(s, 8) == 0u;
    if (s->scarce)
        least = unit_words;
    uint32_t more = below(s, 3) == 0u ? all + unit_words : 2u * most;
    uint32_t pool_words = least + below(s, more + 1u);
    s->slots = below(s, 2) == 0u ? 1u + below(s, 6) : chunks + 1u;
    s->memory_words = ((s->slots * OSC_STREAM_SLOT_WORDS + 15u) & ~15u) + chunks / 4u + pool_words;
    void *memory = 0;
    if (posix_memalign(&memory, 64, 4u * s->memory_words) != 0)
        abort();
    s->memory = memory;
    s->medium.setup.memory = memory;
    s->medium.setup.memory_bytes = 4u * s->memory_words;
}

static void run(uint64_t seed, bool tells, expected_bank *banks, const test_bank *image,
                const uint32_t *medium_bytes)
{
    static schedule s;
    seed_now = seed;
    memset(&s, 0, sizeof s);
    s.random = seed * 0x9e3779b97f4a7c15u + 0x1234567u;
    s.tells = tells;
    (void)below(&s, 2);
    uint32_t unit_log2 = 2u + below(&s, 10), align_log2 = 2u + below(&s, 5);
    uint32_t unit = 1u << unit_log2, wrong_q8 = below(&s, 4) * 60u, units = 1u + below(&s, 9);
    faulty_medium_init(&s.medium,
                       &(faulty_medium_setup){
                           .image = image->words,
                           .image_bytes = image->count * 4u,
                           .unit_bytes = unit,
                           .align_bytes = 1u << (align_log2 < unit_log2 ? align_log2 : unit_log2),
                           .most_bytes = unit * units * (unit < 64u ? 16u : 1u),
                           .timeout_us = below(&s, 2) == 0u ? 2000u : 60000u,
                           .seed = s.random ^ 0x5555u,
                           .wrong_q8 = wrong_q8});
    make_sides(&s, banks, medium_bytes);
    make_memory(&s);
    TELL(&s, "unit %u align %u most %u slots %u words %u\n", unit, s.medium.medium.align_bytes,
         s.medium.medium.most_bytes, s.slots, s.memory_words);
    power_on(&s);
    for (uint32_t left = below(&s, MOST_STEPS); left != 0u; left--) {
        step(&s);
        check_all(&s);
    }
    recover(&s);
    for (uint32_t i = 0; i < s.side_count; i++)
        player_free(&s.sides[i].made);
    free(s.memory);
}

int main(int count, char **words)
{
    static expected_bank banks[EXPECTED_BANKS];
    uint64_t first = 0, runs = 1000;
    bool tells = false;
    for (int i = 1; i + 1 < count; i += 2) {
        uint64_t value = strtoull(words[i + 1], 0, 10);
        if (strcmp(words[i], "--seed") == 0) {
            first = value;
            runs = 1;
            tells = true;
        } else if (strcmp(words[i], "--first") == 0) {
            first = value;
        } else if (strcmp(words[i], "--count") == 0) {
            runs = value;
        } else {
            fprintf(stderr, "faults: unknown option %s\n", words[i]);
            return 2;
        }
    }
    __sanitizer_set_death_callback(print_seed);
    (void)signal(SIGABRT, on_abort);
    expected_make(banks);
    test_bank image = bank_copy(banks[0].tiers.medium.words, 0);
    uint32_t medium_bytes[EXPECTED_BANKS];
    for (uint32_t i = 0; i < EXPECTED_BANKS; i++) {
        const test_bank *part = &banks[i].tiers.medium;
        medium_bytes[i] = image.count * 4u;
        bank_resize_at(&image, image.count, (int32_t)part->count, 0);
        memcpy(image.words + medium_bytes[i] / 4u, part->words, part->count * 4u);
    }
    for (uint64_t seed = first; seed - first < runs; seed++)
        run(seed, tells, banks, &image, medium_bytes);
    printf("faults: %llu schedules from %llu on passed\n", (unsigned long long)runs,
           (unsigned long long)first);
    bank_free(&image);
    expected_free(banks);
    return 0;
}
