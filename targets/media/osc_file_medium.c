/* SPDX-License-Identifier: MIT */
#include "osc_file_medium.h"

#include <limits.h>

#define REACHED_BYTES (LONG_MAX < 0xffffffffl ? (uint32_t)LONG_MAX : 0xffffffffu)

static int32_t start(void *context, uint32_t offset_bytes, void *destination, uint32_t size_bytes)
{
    osc_file_medium *medium = context;
    const osc_medium_read read = {destination, offset_bytes, size_bytes};
    int32_t status = osc_medium_accept(&medium->medium, REACHED_BYTES, &medium->read, &read);
    if (status == OSC_OK)
        medium->read = read;
    return status;
}

static int32_t poll(void *context)
{
    osc_file_medium *medium = context;
    const osc_medium_read read = medium->read;
    if (read.destination == NULL)
        return OSC_ERROR_READ;
    medium->read.destination = NULL;
    if (fseek(medium->file, (long)read.offset_bytes, SEEK_SET) != 0 ||
        fread(read.destination, 1, read.size_bytes, medium->file) != read.size_bytes)
        return OSC_ERROR_READ;
    return OSC_OK;
}

static void cancel(void *context)
{
    osc_file_medium *medium = context;
    medium->read.destination = NULL;
}

void osc_file_medium_init(osc_file_medium *medium, FILE *file, uint32_t most_bytes)
{
    *medium = (osc_file_medium){
        .medium = {.start = start,
                   .poll = poll,
                   .cancel = cancel,
                   .context = medium,
                   .unit_bytes = 4u,
                   .align_bytes = 4u,
                   .most_bytes = osc_medium_or(most_bytes, 4096u),
                   .timeout_us = 1000000u},
        .file = file,
    };
}
