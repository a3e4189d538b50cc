#include "media_rigs.h"
#include "check.h"
#include "mock_card.h"
#include "mock_spi_nor.h"
#include "osc_file_medium.h"
#include "osc_memory_medium.h"

#include <stdlib.h>

#define STEP_US 7u
#define LONGEST_US 1000000u
#define FIRST_SECTOR 3u /* of the run, on a card with as many sectors behind it */

static rig open_rig;
static uint32_t *content;
static mock_spi_nor nor_mock;
static mock_card card_mock;
static union {
    osc_spi_nor nor;
    osc_block_medium block;
    osc_file_medium file;
    osc_memory_medium memory;
} media;
static FILE *file;

static void check_nothing(bool is_reading)
{
    (void)is_reading;
}

static void pass_nothing(uint32_t us)
{
    (void)us;
}

static void advance_nor(uint32_t us)
{
    mock_spi_nor_advance_us(&nor_mock, us);
}

static void check_nor(bool is_reading)
{
    if (nor_mock.violations != 0u)
        fail_msg("%s", nor_mock.violation);
    assert_int_equal(nor_mock.selects - nor_mock.deselects, is_reading);
}

static void advance_card(uint32_t us)
{
    mock_card_advance_us(&card_mock, us);
}

static void check_card(bool is_reading)
{
    (void)is_reading;
    if (card_mock.violations != 0u)
        fail_msg("%s", card_mock.violation);
}

/* Content in a block of exactly its size, so that the sanitizer detects reads beyond it. */
static void fill(uint32_t size_bytes, uint64_t seed)
{
    content = malloc(size_bytes);
    assert_non_null(content);
    for (uint32_t i = 0; i < size_bytes / 4u; i++)
        content[i] = random_u32(&seed);
}

static void open_nor(bool fast_read, uint32_t align_bytes)
{
    fill(RIG_BYTES, 1u + fast_read);
    mock_spi_nor_insert(&nor_mock, &(mock_spi_nor_part){.words = content,
                                                        .size_bytes = RIG_BYTES,
                                                        .clock_hz = 33000000u,
                                                        .align_bytes = align_bytes});
    osc_spi_nor_init(&media.nor, &(osc_spi_nor_setup){.bus = &nor_mock.bus,
                                                      .size_bytes = RIG_BYTES,
                                                      .fast_read = fast_read,
                                                      .align_bytes = align_bytes});
    open_rig.medium = &media.nor.medium;
    open_rig.content = (const uint8_t *)content;
    open_rig.advance_us = advance_nor;
    open_rig.check = check_nor;
}

static void open_slow_nor(void)
{
    open_nor(false, 0);
}

static void open_fast_nor(void)
{
    open_nor(true, 0);
}

static void open_nor_with_cache(void)
{
    open_nor(true, 32);
}

static void open_block(uint32_t sector_bytes, bool is_blocking)
{
    uint32_t count = RIG_BYTES / sector_bytes;
    fill(RIG_BYTES + 2u * FIRST_SECTOR * sector_bytes, sector_bytes);
    mock_card_insert(&card_mock, &(mock_card_part){.words = content,
                                                   .sector_count = count + 2u * FIRST_SECTOR,
                                                   .sector_bytes = sector_bytes});
    osc_block_medium_init(
        &media.block,
        &(osc_block_setup){.device = is_blocking ? card_mock.blocking : card_mock.device,
                           .first_sector = FIRST_SECTOR,
                           .sector_count = count,
                           .sector_bytes = sector_bytes});
    open_rig.medium = &media.block.medium;
    open_rig.content = (const uint8_t *)content + FIRST_SECTOR * sector_bytes;
    open_rig.advance_us = advance_card;
    open_rig.check = check_card;
}

static void open_card(void)
{
    open_block(512, false);
}

static void open_blocking_card(void)
{
    open_block(512, true);
}

static void open_nand(void)
{
    open_block(2048, false);
}

static void open_file(void)
{
    fill(RIG_BYTES, 5);
    file = tmpfile();
    assert_non_null(file);
    assert_int_equal(fwrite(content, 1, RIG_BYTES, file), RIG_BYTES);
    osc_file_medium_init(&media.file, file, 0);
    open_rig.medium = &media.file.medium;
    open_rig.content = (const uint8_t *)content;
    open_rig.advance_us = pass_nothing;
    open_rig.check = check_nothing;
}

static void open_memory(void)
{
    fill(RIG_BYTES, 6);
    osc_memory_medium_init(&media.memory, content, RIG_BYTES / 4u, 0);
    open_rig.medium = &media.memory.medium;
    open_rig.content = (const uint8_t *)content;
    open_rig.advance_us = pass_nothing;
    open_rig.check = check_nothing;
}

static const struct {
    const char *name;
    void (*open)(void);
} rigs[RIG_COUNT] = {
    {"SPI NOR", open_slow_nor},
    {"SPI NOR, fast read", open_fast_nor},
    {"SPI NOR, cache lines", open_nor_with_cache},
    {"card", open_card},
    {"card, driver that waits", open_blocking_card},
    {"NAND", open_nand},
    {"file", open_file},
    {"memory", open_memory},
};

const char *rig_name(uint32_t number)
{
    return rigs[number].name;
}

const rig *rig_open(uint32_t number)
{
    open_rig.name = rigs[number].name;
    rigs[number].open();
    return &open_rig;
}

void rig_close(void)
{
    free(content);
    content = NULL;
    if (file != NULL)
        fclose(file);
    file = NULL;
}

int32_t rig_finish(const rig *rig)
{
    for (uint32_t us = 0; us < LONGEST_US; us += STEP_US) {
        int32_t status = rig->medium->poll(rig->medium->context);
        rig->check(status == OSC_MEDIUM_BUSY);
        if (status != OSC_MEDIUM_BUSY)
            return status;
        rig->advance_us(STEP_US);
    }
    fail_msg("%s: a read does not end", rig->name);
    return OSC_MEDIUM_BUSY;
}

int32_t rig_read(const rig *rig, uint32_t offset_bytes, void *destination, uint32_t size_bytes)
{
    const osc_medium *medium = rig->medium;
    int32_t status = medium->start(medium->context, offset_bytes, destination, size_bytes);
    rig->check(status == OSC_OK);
    return status == OSC_OK ? rig_finish(rig) : status;
}
