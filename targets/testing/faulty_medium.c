/* SPDX-License-Identifier: MIT */
#include "faulty_medium.h"

#define MOST_BYTES 4096u

const char *const faulty_read_names[FAULTY_READS] = {"right",   "fails",     "hangs",    "short",
                                                     "damaged", "elsewhere", "shuffled", "twice",
                                                     "refused", "busy"};

static uint32_t below(faulty_medium *m, uint32_t end)
{
    return mock_below(&m->setup.seed, end);
}

static bool keeps(faulty_medium *m, bool condition, const char *otherwise)
{
    if (condition)
        return true;
    m->violation = otherwise;
    m->violations++;
    return false;
}

static const uint8_t *image_of(const faulty_medium *m)
{
    return (const uint8_t *)m->setup.image;
}

static void copy(uint8_t *to, const uint8_t *from, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        to[i] = from[i];
}

static void deliver(faulty_medium *m, uint32_t from, uint32_t count)
{
    copy(m->destination + from, image_of(m) + m->offset_bytes + from, count);
}

/* Any part of the read, which may lie behind parts that are yet to come. */
static void deliver_some(faulty_medium *m)
{
    uint32_t from = below(m, m->size_bytes);
    deliver(m, from, below(m, m->size_bytes - from) + 1u);
}

static bool lies_in_memory(const faulty_medium *m, const uint8_t *to, uint32_t size_bytes)
{
    uintptr_t first = (uintptr_t)m->setup.memory, at = (uintptr_t)to;
    return m->setup.memory == NULL || (at >= first && size_bytes <= m->setup.memory_bytes &&
                                       at - first <= m->setup.memory_bytes - size_bytes);
}

static bool may_read(faulty_medium *m, uint32_t offset_bytes, const uint8_t *to,
                     uint32_t size_bytes)
{
    uint32_t unit = m->medium.unit_bytes;
    return keeps(m, !m->reading, "a read during another") &&
           keeps(m,
                 offset_bytes % unit == 0u && size_bytes % unit == 0u && size_bytes != 0u &&
                     size_bytes <= m->medium.most_bytes,
                 "a read of a wrong size") &&
           keeps(m, (uintptr_t)to % m->medium.align_bytes == 0u,
                 "a destination that is not aligned") &&
           keeps(m, lies_in_memory(m, to, size_bytes), "a destination outside the memory") &&
           keeps(m,
                 size_bytes <= m->setup.image_bytes &&
                     offset_bytes <= m->setup.image_bytes - size_bytes,
                 "a read beyond the medium");
}

static faulty_read draw(faulty_medium *m)
{
    faulty_read fault = FAULTY_RIGHT;
    if (mock_chance(&m->setup.seed, m->setup.wrong_q8))
        fault = (faulty_read)below(m, FAULTY_READS);
    if (m->out == 0u)
        return fault;
    m->out--;
    return FAULTY_REFUSED;
}

static int32_t start(void *context, uint32_t offset_bytes, void *destination, uint32_t size_bytes)
{
    faulty_medium *m = context;
    if (!may_read(m, offset_bytes, destination, size_bytes))
        return OSC_ERROR_READ;
    m->starts++;
    m->offset_bytes = offset_bytes;
    m->size_bytes = size_bytes;
    m->fault = draw(m);
    if (m->fault == FAULTY_REFUSED)
        return OSC_ERROR_READ;
    if (m->fault == FAULTY_BUSY)
        return OSC_MEDIUM_BUSY;
    m->reading = true;
    m->destination = destination;
    m->polls_left = below(m, m->setup.most_polls + 1u);
    if (m->fault == FAULTY_TWICE)
        deliver(m, 0, size_bytes);
    return OSC_OK;
}

static void flip_bits(faulty_medium *m)
{
    for (uint32_t bits = below(m, 4) + 1u; bits != 0u; bits--) {
        uint32_t at = below(m, m->size_bytes);
        m->destination[at] ^= (uint8_t)(1u << below(m, 8));
    }
}

static int32_t finish(faulty_medium *m)
{
    uint32_t bytes = m->size_bytes, unit = m->medium.unit_bytes;
    m->reading = false;
    switch (m->fault) {
    case FAULTY_FAILS:
        return OSC_ERROR_READ;
    case FAULTY_SHORT:
        deliver(m, 0, below(m, bytes));
        break;
    case FAULTY_DAMAGED:
        deliver(m, 0, bytes);
        flip_bits(m);
        break;
    case FAULTY_ELSEWHERE:
        copy(m->destination,
             image_of(m) + below(m, (m->setup.image_bytes - bytes) / unit + 1u) * unit, bytes);
        break;
    default:
        deliver(m, 0, bytes);
        break;
    }
    return OSC_OK;
}

static int32_t poll(void *context)
{
    faulty_medium *m = context;
    if (!keeps(m, m->reading, "a poll without a read"))
        return OSC_ERROR_READ;
    if (m->fault == FAULTY_SHUFFLED || m->fault == FAULTY_HANGS || m->fault == FAULTY_TWICE)
        deliver_some(m);
    if (m->fault == FAULTY_HANGS)
        return OSC_MEDIUM_BUSY;
    if (m->polls_left == 0u)
        return finish(m);
    m->polls_left--;
    return OSC_MEDIUM_BUSY;
}

static void cancel(void *context)
{
    faulty_medium *m = context;
    (void)keeps(m, m->reading, "a cancel without a read");
    m->reading = false;
}

static uint32_t or_default(uint32_t number, uint32_t otherwise)
{
    return number != 0u ? number : otherwise;
}

void faulty_medium_init(faulty_medium *medium, const faulty_medium_setup *setup)
{
    uint32_t unit_bytes = or_default(setup->unit_bytes, 4u);
    *medium = (faulty_medium){
        .medium = {.start = start,
                   .poll = poll,
                   .cancel = cancel,
                   .context = medium,
                   .unit_bytes = unit_bytes,
                   .align_bytes = or_default(setup->align_bytes, 4u),
                   .most_bytes = or_default(setup->most_bytes,
                                            unit_bytes < MOST_BYTES ? MOST_BYTES : unit_bytes),
                   .timeout_us = or_default(setup->timeout_us, 100000u)},
        .setup = *setup,
    };
    medium->setup.most_polls = or_default(setup->most_polls, 2u);
}

void faulty_medium_cut(faulty_medium *medium)
{
    medium->reading = false;
}
