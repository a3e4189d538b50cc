/* targets/hal_flash.c: reads at any offset and of any size, and nothing beyond the end. */
#include "check.h"
#include "hal.h"

#include <stdlib.h>
#include <string.h>

#define IMAGE_BYTES 37u
#define ROOM_BYTES 64u
#define CANARY 0x5a

/* The image has a heap block of exactly its size, so that the sanitizer detects reads beyond it. */
static int attach(void **state)
{
    unsigned char *image = malloc(IMAGE_BYTES);
    if (image == NULL)
        return -1;
    for (uint32_t i = 0; i < IMAGE_BYTES; i++)
        image[i] = (unsigned char)(200u - 3u * i);
    hal_flash_attach(image, IMAGE_BYTES);
    *state = image;
    return 0;
}

static int detach(void **state)
{
    free(*state);
    return 0;
}

static void assert_read(const unsigned char *image, size_t offset, size_t size, size_t expected)
{
    unsigned char room[ROOM_BYTES];
    memset(room, CANARY, sizeof room);
    assert_int_equal(hal_flash_read(offset, room, size), expected);
    for (size_t i = 0; i < sizeof room; i++)
        assert_int_equal(room[i], i < expected ? image[offset + i] : CANARY);
}

static void every_offset_and_size_is_read(void **state)
{
    for (size_t offset = 0; offset < IMAGE_BYTES + 5u; offset++)
        for (size_t size = 0; size <= ROOM_BYTES; size++) {
            size_t left = offset < IMAGE_BYTES ? IMAGE_BYTES - offset : 0u;
            assert_read(*state, offset, size, size < left ? size : left);
        }
}

static void numbers_that_wrap_read_nothing_more(void **state)
{
    assert_read(*state, SIZE_MAX, 4, 0);
    assert_read(*state, SIZE_MAX - 2u, 16, 0);
    assert_read(*state, IMAGE_BYTES - 1u, SIZE_MAX, 1);
    assert_read(*state, 5, SIZE_MAX - 3u, IMAGE_BYTES - 5u);
}

static void an_empty_flash_gives_nothing(void **state)
{
    hal_flash_attach(NULL, 0);
    assert_read(*state, 0, 8, 0);
    hal_flash_attach(*state, 3);
    assert_read(*state, 1, 8, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_offset_and_size_is_read, attach, detach),
        cmocka_unit_test_setup_teardown(numbers_that_wrap_read_nothing_more, attach, detach),
        cmocka_unit_test_setup_teardown(an_empty_flash_gives_nothing, attach, detach),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
