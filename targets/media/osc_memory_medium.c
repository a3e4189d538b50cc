/* SPDX-License-Identifier: MIT */
#include "osc_memory_medium.h"

static int32_t start(void *context, uint32_t offset_bytes, void *destination, uint32_t size_bytes)
{
    osc_memory_medium *medium = context;
    const osc_medium_read read = {destination, offset_bytes, size_bytes};
    int32_t status = osc_medium_accept(&medium->medium, medium->size_bytes, &medium->read, &read);
    if (status == OSC_OK)
        medium->read = read;
    return status;
}

static int32_t poll(void *context)
{
    osc_memory_medium *medium = context;
    uint32_t *out = medium->read.destination;
    if (out == NULL)
        return OSC_ERROR_READ;
    const uint32_t *in = medium->words + medium->read.offset_bytes / 4u;
    for (uint32_t i = 0; i < medium->read.size_bytes / 4u; i++)
        out[i] = in[i];
    medium->read.destination = NULL;
    return OSC_OK;
}

static void cancel(void *context)
{
    osc_memory_medium *medium = context;
    medium->read.destination = NULL;
}

void osc_memory_medium_init(osc_memory_medium *medium, const uint32_t *words, uint32_t word_count,
                            uint32_t most_bytes)
{
    *medium = (osc_memory_medium){
        .medium = {.start = start,
                   .poll = poll,
                   .cancel = cancel,
                   .context = medium,
                   .unit_bytes = 4u,
                   .align_bytes = 4u,
                   .most_bytes = osc_medium_or(most_bytes, 1024u),
                   .timeout_us = 1000000u},
        .words = words,
        .size_bytes = word_count * 4u,
    };
}
