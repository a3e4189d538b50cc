/* SPDX-License-Identifier: MIT */
#include "osc_spi_nor.h"

#define READ 0x03u
#define READ_4 0x13u
#define FAST_READ 0x0bu
#define FAST_READ_4 0x0cu
#define STATUS 0x05u
#define IDENTIFY 0x9fu
#define SLEEP 0xb9u
#define WAKE 0xabu

#define STATUS_BUSY 1u
/* The value of a line without a driver. As a status, it would mean that the chip programs although
 * all of it is protected. */
#define UNDRIVEN 0xffu
#define BYTES_OF_3_BYTE_ADDRESSES 0x1000000u

/* Sends a command that consists of these bytes. Returns false if the bus is taken. */
static bool command(const osc_spi_nor *nor, uint8_t *bytes, uint32_t count)
{
    const osc_spi_bus *bus = nor->bus;
    if (!bus->select(bus->context))
        return false;
    bus->exchange(bus->context, bytes, count);
    bus->deselect(bus->context);
    return true;
}

/* Returns OSC_OK if the chip accepts commands. */
static int32_t ready(const osc_spi_nor *nor)
{
    uint8_t bytes[] = {STATUS, 0};
    if (nor->read.destination != NULL || nor->asleep || !command(nor, bytes, sizeof bytes))
        return OSC_MEDIUM_BUSY;
    if (bytes[1] == UNDRIVEN)
        return OSC_ERROR_READ;
    return (bytes[1] & STATUS_BUSY) != 0u ? OSC_MEDIUM_BUSY : OSC_OK;
}

/* Writes the bytes that precede the data, and returns their number. */
static uint32_t read_command(const osc_spi_nor *nor, uint32_t offset, uint8_t *bytes)
{
    bool is_large = nor->size_bytes > BYTES_OF_3_BYTE_ADDRESSES;
    uint32_t count = 0;
    if (is_large) {
        bytes[count++] = nor->fast_read ? FAST_READ_4 : READ_4;
        bytes[count++] = (uint8_t)(offset >> 24);
    } else {
        bytes[count++] = nor->fast_read ? FAST_READ : READ;
    }
    bytes[count++] = (uint8_t)(offset >> 16);
    bytes[count++] = (uint8_t)(offset >> 8);
    bytes[count++] = (uint8_t)offset;
    if (nor->fast_read)
        bytes[count++] = 0;
    return count;
}

static int32_t start(void *context, uint32_t offset_bytes, void *destination, uint32_t size_bytes)
{
    osc_spi_nor *nor = context;
    const osc_spi_bus *bus = nor->bus;
    const osc_medium_read read = {destination, offset_bytes, size_bytes};
    uint8_t bytes[OSC_SPI_NOR_COMMAND_BYTES];
    int32_t status = osc_medium_check(&nor->medium, nor->size_bytes, &read);
    if (status == OSC_OK)
        status = ready(nor);
    if (status != OSC_OK)
        return status;
    if (!bus->select(bus->context))
        return OSC_MEDIUM_BUSY;
    bus->exchange(bus->context, bytes, read_command(nor, offset_bytes, bytes));
    if (bus->receive(bus->context, destination, size_bytes) != OSC_OK) {
        bus->deselect(bus->context);
        return OSC_ERROR_READ;
    }
    nor->read = read;
    return OSC_OK;
}

static int32_t poll(void *context)
{
    osc_spi_nor *nor = context;
    const osc_spi_bus *bus = nor->bus;
    if (nor->read.destination == NULL)
        return OSC_ERROR_READ;
    int32_t status = osc_medium_answer(bus->received(bus->context));
    if (status != OSC_MEDIUM_BUSY) {
        bus->deselect(bus->context);
        nor->read.destination = NULL;
    }
    return status;
}

static void cancel(void *context)
{
    osc_spi_nor *nor = context;
    const osc_spi_bus *bus = nor->bus;
    if (nor->read.destination == NULL)
        return;
    bus->abort(bus->context);
    bus->deselect(bus->context);
    nor->read.destination = NULL;
}

void osc_spi_nor_init(osc_spi_nor *nor, const osc_spi_nor_setup *setup)
{
    uint32_t align_bytes = osc_medium_or(setup->align_bytes, 4u);
    *nor = (osc_spi_nor){
        .medium = {.start = start,
                   .poll = poll,
                   .cancel = cancel,
                   .context = nor,
                   .unit_bytes = align_bytes, /* no neighbour shares the last line of a read */
                   .align_bytes = align_bytes,
                   .most_bytes = osc_medium_or(setup->most_bytes, 4096u),
                   .timeout_us = osc_medium_or(setup->timeout_us, 100000u)},
        .bus = setup->bus,
        .size_bytes = setup->size_bytes,
        .fast_read = setup->fast_read,
    };
}

int32_t osc_spi_nor_identify(osc_spi_nor *nor, uint32_t *id)
{
    uint8_t bytes[] = {IDENTIFY, 0, 0, 0};
    int32_t status = ready(nor);
    if (status != OSC_OK)
        return status;
    if (!command(nor, bytes, sizeof bytes))
        return OSC_MEDIUM_BUSY;
    *id = (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
    return *id == 0u || *id == 0xffffffu ? OSC_ERROR_READ : OSC_OK;
}

int32_t osc_spi_nor_sleep(osc_spi_nor *nor)
{
    uint8_t bytes[] = {SLEEP};
    int32_t status = nor->asleep ? OSC_OK : ready(nor);
    if (status != OSC_OK || nor->asleep)
        return status;
    nor->asleep = command(nor, bytes, sizeof bytes);
    return nor->asleep ? OSC_OK : OSC_MEDIUM_BUSY;
}

int32_t osc_spi_nor_wake(osc_spi_nor *nor)
{
    uint8_t bytes[] = {WAKE};
    if (nor->read.destination != NULL || !command(nor, bytes, sizeof bytes))
        return OSC_MEDIUM_BUSY;
    nor->asleep = false;
    return OSC_OK;
}
