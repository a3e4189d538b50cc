/* The allocations of the encoder, which is linked with -Wl,--wrap: counts those that are not freed
 * or written past their end, and lets one fail. A place in the code is known by its return address
 * and that of its caller. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    PLACES = 4096,
    HEAD = 16,
    TAIL = 16
}; /* bytes before and behind each block: size and guard */
static const uint8_t guard[TAIL] = "past the end!!!";

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void __real_free(void *block);

static uintptr_t places[PLACES];
static uint32_t allocations, fails_at, first_of_places[PLACES], place_count;
static int32_t kept;

/* The allocation with this number fails, counted from 1; 0: none. */
void memory_fail_at(uint32_t number)
{
    allocations = 0u;
    fails_at = number;
    place_count = 0u;
}

int32_t memory_kept(void)
{
    return kept;
}

/* The numbers of the allocations since memory_fail_at that were the first of a place that no
 * earlier call of this function has returned. */
uint32_t memory_places(uint32_t *numbers)
{
    for (uint32_t i = 0; i < place_count; i++)
        numbers[i] = first_of_places[i];
    return place_count;
}

static int fails(void *caller, void *of_caller)
{
    uintptr_t place = (uintptr_t)caller * 31u ^ (uintptr_t)of_caller, at = place % PLACES;
    allocations++;
    while (places[at] != 0u && places[at] != place)
        at = (at + 1u) % PLACES;
    if (places[at] == 0u) {
        places[at] = place;
        first_of_places[place_count++] = allocations;
    }
    return allocations == fails_at;
}

#define FAILS() fails(__builtin_return_address(0), __builtin_return_address(1))

static void *guarded(uint8_t *whole, size_t size)
{
    if (whole == NULL)
        return NULL;
    memcpy(whole, &size, sizeof size);
    memcpy(whole + HEAD + size, guard, TAIL);
    kept++;
    return whole + HEAD;
}

/* The whole block, which is no longer counted unless it was written past its end. */
static uint8_t *released(void *block)
{
    size_t size;
    uint8_t *whole = (uint8_t *)block - HEAD;
    memcpy(&size, whole, sizeof size);
    kept -= memcmp(whole + HEAD + size, guard, TAIL) == 0;
    return whole;
}

void *__wrap_malloc(size_t size)
{
    return FAILS() ? NULL : guarded(__real_malloc(HEAD + size + TAIL), size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    if (FAILS() || (size != 0u && count > (SIZE_MAX - HEAD - TAIL) / size))
        return NULL;
    return guarded(__real_calloc(1u, HEAD + count * size + TAIL), count * size);
}

void *__wrap_realloc(void *block, size_t size)
{
    if (FAILS())
        return NULL;
    return guarded(__real_realloc(block != NULL ? released(block) : NULL, HEAD + size + TAIL),
                   size);
}

void __wrap_free(void *block)
{
    if (block != NULL)
        __real_free(released(block));
}
