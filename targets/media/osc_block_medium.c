/* SPDX-License-Identifier: MIT */
#include "osc_block_medium.h"

static uint32_t sector_of(const osc_block_medium *block, const osc_medium_read *read)
{
    return block->first_sector + (read->offset_bytes >> block->sector_log2);
}

static uint32_t count_of(const osc_block_medium *block, const osc_medium_read *read)
{
    return read->size_bytes >> block->sector_log2;
}

static int32_t start(void *context, uint32_t offset_bytes, void *destination, uint32_t size_bytes)
{
    osc_block_medium *block = context;
    const osc_block_device *device = &block->device;
    const osc_medium_read read = {destination, offset_bytes, size_bytes};
    int32_t status = osc_medium_accept(&block->medium, block->size_bytes, &block->read, &read);
    if (status == OSC_OK && device->read == NULL)
        status = osc_medium_answer(device->start(device->context, sector_of(block, &read),
                                                 count_of(block, &read), destination));
    if (status == OSC_OK)
        block->read = read;
    return status;
}

static int32_t poll(void *context)
{
    osc_block_medium *block = context;
    const osc_block_device *device = &block->device;
    osc_medium_read *read = &block->read;
    int32_t status = OSC_ERROR_READ;
    if (read->destination == NULL)
        return OSC_ERROR_READ;
    if (device->read == NULL)
        status = osc_medium_answer(device->poll(device->context));
    else if (device->read(device->context, sector_of(block, read), count_of(block, read),
                          read->destination) == 0)
        status = OSC_OK;
    if (status != OSC_MEDIUM_BUSY)
        read->destination = NULL;
    return status;
}

static void cancel(void *context)
{
    osc_block_medium *block = context;
    if (block->read.destination != NULL && block->device.read == NULL)
        block->device.cancel(block->device.context);
    block->read.destination = NULL;
}

void osc_block_medium_init(osc_block_medium *block, const osc_block_setup *setup)
{
    uint32_t sector_bytes = osc_medium_or(setup->sector_bytes, 512u);
    uint32_t usual_sectors = setup->device.read != NULL ? 2u : 8u;
    uint32_t sector_log2 = 0;
    while (sector_log2 < 31u && 1u << sector_log2 < sector_bytes)
        sector_log2++;
    bool is_longer = setup->sector_count > 0xffffffffu >> sector_log2;
    *block = (osc_block_medium){
        .medium = {.start = start,
                   .poll = poll,
                   .cancel = cancel,
                   .context = block,
                   .unit_bytes = sector_bytes,
                   .align_bytes = osc_medium_or(setup->align_bytes, 4u),
                   .most_bytes = osc_medium_or(setup->most_bytes, usual_sectors << sector_log2),
                   .timeout_us = osc_medium_or(setup->timeout_us, 250000u)},
        .device = setup->device,
        .first_sector = setup->first_sector,
        .size_bytes = (is_longer ? 0xffffffffu >> sector_log2 : setup->sector_count) << sector_log2,
        .sector_log2 = sector_log2,
    };
}
