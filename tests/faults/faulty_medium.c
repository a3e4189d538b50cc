/* The medium of the fault schedules; see the header. */
#include "faulty_medium.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RIGHT, FAILS, HANGS, SHORT, DAMAGED, ELSEWHERE, SHUFFLED, TWICE, REFUSED, BUSY, KINDS };

static const char *const names[KINDS] = {"right",     "fails",    "hangs", "short",   "damaged",
                                         "elsewhere", "shuffled", "twice", "refused", "busy"};

uint32_t faults_random(uint64_t *random)
{
    *random = *random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*random >> 33);
}

uint32_t faults_below(uint64_t *random, uint32_t end)
{
    return faults_random(random) % end;
}

static void require(bool condition, const char *what)
{
    if (condition)
        return;
    fprintf(stderr, "faulty_medium: %s\n", what);
    abort();
}

static void deliver(faulty_medium *m, uint32_t from, uint32_t count)
{
    memcpy(m->destination + from, m->image + m->offset_bytes + from, count);
}

/* Any part of the read, which may lie behind parts that are yet to come. */
static void deliver_some(faulty_medium *m)
{
    uint32_t from = faults_below(&m->random, m->size_bytes);
    deliver(m, from, faults_below(&m->random, m->size_bytes - from) + 1u);
}

static int32_t start(void *context, uint32_t offset_bytes, void *destination, uint32_t size_bytes)
{
    faulty_medium *m = context;
    uint8_t *to = destination;
    require(!m->reading, "a read while another one goes on");
    require(offset_bytes % m->medium.unit_bytes == 0u && size_bytes % m->medium.unit_bytes == 0u &&
                size_bytes != 0u && size_bytes <= m->medium.most_bytes,
            "a read of a wrong size");
    require((uintptr_t)to % m->medium.align_bytes == 0u, "an unaligned destination");
    require(to >= m->memory && to + size_bytes <= m->memory + m->memory_bytes,
            "a destination outside the memory");
    require(size_bytes <= m->image_bytes && offset_bytes <= m->image_bytes - size_bytes,
            "a read beyond the medium");
    m->kind = RIGHT;
    if (faults_below(&m->random, 256u) < m->wrong_q8)
        m->kind = faults_below(&m->random, KINDS);
    if (m->out != 0u) {
        m->out--;
        m->kind = REFUSED;
    }
    if (m->tells)
        printf("    read %u bytes at %u: %s\n", (unsigned)size_bytes, (unsigned)offset_bytes,
               names[m->kind]);
    if (m->kind == REFUSED)
        return OSC_ERROR_READ;
    if (m->kind == BUSY)
        return OSC_MEDIUM_BUSY;
    m->reading = true;
    m->offset_bytes = offset_bytes;
    m->size_bytes = size_bytes;
    m->destination = to;
    m->polls_left = faults_below(&m->random, 3);
    if (m->kind == TWICE) /* what came last time comes again first */
        deliver(m, 0, size_bytes);
    return OSC_OK;
}

static int32_t finish(faulty_medium *m)
{
    uint32_t bytes = m->size_bytes;
    m->reading = false;
    switch (m->kind) {
    case FAILS:
        return OSC_ERROR_READ;
    case SHORT:
        deliver(m, 0, faults_below(&m->random, bytes));
        break;
    case DAMAGED:
        deliver(m, 0, bytes);
        for (uint32_t bits = faults_below(&m->random, 4) + 1u; bits != 0u; bits--)
            m->destination[faults_below(&m->random, bytes)] ^=
                (uint8_t)(1u << faults_below(&m->random, 8));
        break;
    case ELSEWHERE: {
        uint32_t places = (m->image_bytes - bytes) / m->medium.unit_bytes + 1u;
        memcpy(m->destination, m->image + faults_below(&m->random, places) * m->medium.unit_bytes,
               bytes);
        break;
    }
    default:
        deliver(m, 0, bytes);
        break;
    }
    return OSC_OK;
}

static int32_t poll(void *context)
{
    faulty_medium *m = context;
    require(m->reading, "a poll of no read");
    if (m->kind == SHUFFLED || m->kind == HANGS || m->kind == TWICE)
        deliver_some(m);
    if (m->kind == HANGS)
        return OSC_MEDIUM_BUSY;
    if (m->polls_left != 0u) {
        m->polls_left--;
        return OSC_MEDIUM_BUSY;
    }
    return finish(m);
}

static void cancel(void *context)
{
    faulty_medium *m = context;
    require(m->reading, "a cancel of no read");
    m->reading = false;
}

void faulty_medium_make(faulty_medium *m)
{
    m->medium.start = start;
    m->medium.poll = poll;
    m->medium.cancel = cancel;
    m->medium.context = m;
}

void faulty_medium_reset(faulty_medium *m)
{
    m->reading = false;
}
