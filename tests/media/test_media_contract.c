/* The contract of osc_stream.h, for every medium in targets/media. */
#include "check.h"
#include "media_rigs.h"

#include <stdio.h>
#include <string.h>

#define CANARY 0x5a
#define MARGIN_BYTES 64u
#define LARGEST_BYTES 16384u
#define SEQUENCES 300u
#define STEPS 60u

/* Aligned to a cache line, with a margin on both sides that no read may touch. */
static struct {
    uint8_t before[MARGIN_BYTES], bytes[LARGEST_BYTES], after[MARGIN_BYTES];
} room __attribute__((aligned(64)));
static uint8_t kept[sizeof room] __attribute__((aligned(64)));

static void clear_room(void)
{
    memset(&room, CANARY, sizeof room);
}

static void assert_room_holds(const uint8_t *expected, uint32_t size_bytes)
{
    const uint8_t *all = (const uint8_t *)&room;
    assert_true(size_bytes <= LARGEST_BYTES);
    assert_memory_equal(room.bytes, expected, size_bytes);
    for (size_t i = 0; i < sizeof room; i++)
        if (i < MARGIN_BYTES || i >= MARGIN_BYTES + size_bytes)
            assert_int_equal(all[i], CANARY);
}

static uint32_t random_size(const osc_medium *medium, uint64_t *seed)
{
    return (1u + random_u32(seed) % (medium->most_bytes / medium->unit_bytes)) * medium->unit_bytes;
}

static uint32_t random_offset(const osc_medium *medium, uint32_t size_bytes, uint64_t *seed)
{
    uint32_t places = (RIG_BYTES - size_bytes) / medium->unit_bytes + 1u;
    return random_u32(seed) % places * medium->unit_bytes;
}

static void numbers_are_as_the_stream_wants_them(const rig *rig)
{
    const osc_medium *medium = rig->medium;
    uint32_t unit = medium->unit_bytes, align = medium->align_bytes;
    assert_true(unit >= 4u && (unit & (unit - 1u)) == 0u);
    assert_true(align >= 4u && align <= 64u && align <= unit && (align & (align - 1u)) == 0u);
    assert_true(medium->most_bytes >= unit && medium->most_bytes % unit == 0u);
    assert_true(medium->most_bytes <= LARGEST_BYTES && medium->timeout_us != 0u);
}

static void any_piece_is_read(const rig *rig)
{
    uint64_t seed = 1;
    for (uint32_t i = 0; i < 200u; i++) {
        uint32_t size = random_size(rig->medium, &seed);
        uint32_t offset = random_offset(rig->medium, size, &seed);
        clear_room();
        assert_int_equal(rig_read(rig, offset, room.bytes, size), OSC_OK);
        assert_room_holds(rig->content + offset, size);
    }
}

static void both_ends_are_read(const rig *rig)
{
    uint32_t most = rig->medium->most_bytes, unit = rig->medium->unit_bytes;
    clear_room();
    assert_int_equal(rig_read(rig, 0, room.bytes, most), OSC_OK);
    assert_room_holds(rig->content, most);
    clear_room();
    assert_int_equal(rig_read(rig, RIG_BYTES - unit, room.bytes, unit), OSC_OK);
    assert_room_holds(rig->content + RIG_BYTES - unit, unit);
}

static void nothing_is_read_beyond_the_end(const rig *rig)
{
    uint32_t unit = rig->medium->unit_bytes, last = 0u - unit;
    assert_int_equal(rig_read(rig, RIG_BYTES, room.bytes, unit), OSC_ERROR_READ);
    assert_int_equal(rig_read(rig, last, room.bytes, unit), OSC_ERROR_READ);
    if (rig->medium->most_bytes > unit) {
        assert_int_equal(rig_read(rig, RIG_BYTES - unit, room.bytes, 2u * unit), OSC_ERROR_READ);
        assert_int_equal(rig_read(rig, last, room.bytes, 2u * unit), OSC_ERROR_READ);
    }
    clear_room();
    assert_int_equal(rig_read(rig, unit, room.bytes, unit), OSC_OK);
    assert_room_holds(rig->content + unit, unit);
}

static void reads_that_break_the_numbers_are_refused(const rig *rig)
{
    const osc_medium *medium = rig->medium;
    uint32_t unit = medium->unit_bytes, align = medium->align_bytes, most = medium->most_bytes;
    const struct {
        uint32_t offset, shift, size;
    } cases[] = {
        {1, 0, unit},        {unit / 2u, 0, unit}, {0, 1, unit},      {0, align / 2u, unit},
        {0, 0, unit / 2u},   {0, 0, unit + 1u},    {0, 0, unit - 1u}, {0, 0, 0},
        {0, 0, most + unit}, {0, 0, 0u - unit},
    };
    clear_room();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(medium->start(medium->context, cases[i].offset,
                                       room.bytes + cases[i].shift, cases[i].size),
                         OSC_ERROR_ALIGNMENT);
    assert_int_equal(medium->start(medium->context, 0, NULL, unit), OSC_ERROR_ALIGNMENT);
    rig->advance_us(100000);
    rig->check(false);
    assert_room_holds(rig->content, 0);
}

static void destinations_that_are_aligned_are_taken(const rig *rig)
{
    uint32_t unit = rig->medium->unit_bytes, align = rig->medium->align_bytes;
    for (uint32_t shift = 0; shift < 64u; shift += align) {
        assert_int_equal(rig_read(rig, unit, room.bytes + shift, unit), OSC_OK);
        assert_memory_equal(room.bytes + shift, rig->content + unit, unit);
    }
}

static void one_read_at_a_time(const rig *rig)
{
    const osc_medium *medium = rig->medium;
    uint32_t unit = medium->unit_bytes;
    clear_room();
    memcpy(kept, &room, sizeof room);
    assert_int_equal(medium->start(medium->context, unit, room.bytes, unit), OSC_OK);
    assert_int_equal(medium->start(medium->context, 0, kept, unit), OSC_MEDIUM_BUSY);
    rig->check(true);
    assert_int_equal(rig_finish(rig), OSC_OK);
    assert_int_equal(kept[0], CANARY);
    assert_room_holds(rig->content + unit, unit);
}

static void without_a_read_there_is_nothing_to_ask(const rig *rig)
{
    const osc_medium *medium = rig->medium;
    assert_int_equal(medium->poll(medium->context), OSC_ERROR_READ);
    medium->cancel(medium->context);
    rig->check(false);
    assert_int_equal(rig_read(rig, 0, room.bytes, medium->unit_bytes), OSC_OK);
    assert_int_equal(medium->poll(medium->context), OSC_ERROR_READ);
    medium->cancel(medium->context);
    rig->check(false);
}

static void what_is_cancelled_writes_no_more(const rig *rig)
{
    const osc_medium *medium = rig->medium;
    uint64_t seed = 2;
    for (uint32_t i = 0; i < 50u; i++) {
        uint32_t size = random_size(medium, &seed);
        uint32_t offset = random_offset(medium, size, &seed);
        clear_room();
        assert_int_equal(medium->start(medium->context, offset, room.bytes, size), OSC_OK);
        rig->advance_us(random_u32(&seed) % 1200u);
        medium->cancel(medium->context);
        rig->check(false);
        memcpy(kept, &room, sizeof room);
        rig->advance_us(100000);
        assert_int_equal(medium->poll(medium->context), OSC_ERROR_READ);
        assert_memory_equal(kept, &room, sizeof room);
        clear_room();
        assert_int_equal(rig_read(rig, offset, room.bytes, size), OSC_OK);
        assert_room_holds(rig->content + offset, size);
    }
}

/* The state required of a medium after the calls so far. */
typedef struct model {
    const rig *rig;
    uint64_t seed;
    bool is_reading;
    uint32_t offset, size;
} model;

static void start_any(model *model)
{
    const osc_medium *medium = model->rig->medium;
    uint32_t size = random_size(medium, &model->seed);
    uint32_t offset = random_offset(medium, size, &model->seed);
    if (!model->is_reading)
        clear_room();
    int32_t status =
        medium->start(medium->context, offset, model->is_reading ? kept : room.bytes, size);
    assert_int_equal(status, model->is_reading ? OSC_MEDIUM_BUSY : OSC_OK);
    if (model->is_reading)
        return;
    model->is_reading = true;
    model->offset = offset;
    model->size = size;
}

static void ask(model *model)
{
    const osc_medium *medium = model->rig->medium;
    int32_t status = medium->poll(medium->context);
    if (status == OSC_OK) {
        assert_true(model->is_reading);
        assert_room_holds(model->rig->content + model->offset, model->size);
    } else if (model->is_reading) {
        assert_int_equal(status, OSC_MEDIUM_BUSY);
        return;
    } else {
        assert_int_equal(status, OSC_ERROR_READ);
    }
    model->is_reading = false;
    memcpy(kept, &room, sizeof room);
}

static void step(model *model)
{
    const osc_medium *medium = model->rig->medium;
    switch (random_u32(&model->seed) % 8u) {
    case 0:
    case 1:
        start_any(model);
        break;
    case 2:
        medium->cancel(medium->context);
        model->is_reading = false;
        break;
    case 3:
        assert_int_equal(medium->start(medium->context, 2, room.bytes, medium->unit_bytes),
                         OSC_ERROR_ALIGNMENT);
        break;
    case 4:
        ask(model);
        break;
    default:
        model->rig->advance_us(random_u32(&model->seed) % 700u);
        ask(model);
        break;
    }
    model->rig->check(model->is_reading);
}

static void any_order_of_calls_is_answered_rightly(const rig *rig)
{
    for (uint32_t sequence = 0; sequence < SEQUENCES; sequence++) {
        model model = {.rig = rig, .seed = sequence};
        for (uint32_t i = 0; i < STEPS; i++)
            step(&model);
        rig->medium->cancel(rig->medium->context);
    }
}

#define CONTRACT(name)                                                                             \
    {                                                                                              \
#name, name                                                                                \
    }
static const struct {
    const char *name;
    void (*holds)(const rig *rig);
} contract[] = {
    CONTRACT(numbers_are_as_the_stream_wants_them),
    CONTRACT(any_piece_is_read),
    CONTRACT(both_ends_are_read),
    CONTRACT(nothing_is_read_beyond_the_end),
    CONTRACT(reads_that_break_the_numbers_are_refused),
    CONTRACT(destinations_that_are_aligned_are_taken),
    CONTRACT(one_read_at_a_time),
    CONTRACT(without_a_read_there_is_nothing_to_ask),
    CONTRACT(what_is_cancelled_writes_no_more),
    CONTRACT(any_order_of_calls_is_answered_rightly),
};
enum { ARTICLES = sizeof contract / sizeof *contract, TESTS = ARTICLES * RIG_COUNT };

static void keeps_the_contract(void **state)
{
    uint32_t number = *(const uint32_t *)*state;
    const rig *rig = rig_open(number % RIG_COUNT);
    contract[number / RIG_COUNT].holds(rig);
    rig->check(false);
}

static int close_rig(void **state)
{
    (void)state;
    rig_close();
    return 0;
}

int main(void)
{
    static char names[TESTS][96];
    static uint32_t numbers[TESTS];
    struct CMUnitTest tests[TESTS];
    for (uint32_t i = 0; i < TESTS; i++) {
        numbers[i] = i;
        snprintf(names[i], sizeof names[i], "%s: %s", rig_name(i % RIG_COUNT),
                 contract[i / RIG_COUNT].name);
        tests[i] = (struct CMUnitTest){.name = names[i],
                                       .test_func = keeps_the_contract,
                                       .teardown_func = close_rig,
                                       .initial_state = &numbers[i]};
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
