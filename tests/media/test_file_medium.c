/* targets/media/osc_file_medium.c: files that are short, grow, or cannot be read. */
#include "check.h"
#include "osc_file_medium.h"

#include <string.h>

#define SIZE_BYTES 1000u

static osc_file_medium medium;
static uint8_t content[2 * SIZE_BYTES];
static uint32_t out[256];

static int open_file(void **state)
{
    FILE *file = tmpfile();
    if (file == NULL || setvbuf(file, NULL, _IONBF, 0) != 0)
        return -1;
    for (uint32_t i = 0; i < sizeof content; i++)
        content[i] = (uint8_t)(i * 7u + (i >> 8));
    if (fwrite(content, 1, SIZE_BYTES, file) != SIZE_BYTES)
        return -1;
    osc_file_medium_init(&medium, file, sizeof out);
    *state = file;
    return 0;
}

static int close_file(void **state)
{
    return fclose(*state);
}

static int32_t read(uint32_t offset, uint32_t size_bytes)
{
    assert_int_equal(medium.medium.start(&medium, offset, out, size_bytes), OSC_OK);
    return medium.medium.poll(&medium);
}

static void what_a_short_file_lacks_is_an_error(void **state)
{
    (void)state;
    assert_int_equal(read(SIZE_BYTES - 100u, 104), OSC_ERROR_READ);
    assert_int_equal(read(SIZE_BYTES, 4), OSC_ERROR_READ);
    assert_int_equal(read(0x7ffffffcu, 4), OSC_ERROR_READ);
    assert_int_equal(read(SIZE_BYTES - 100u, 100), OSC_OK);
    assert_memory_equal(out, content + SIZE_BYTES - 100u, 100);
}

static void a_file_that_grows_is_read_on(void **state)
{
    assert_int_equal(read(SIZE_BYTES, 400), OSC_ERROR_READ);
    assert_int_equal(fseek(*state, 0, SEEK_END), 0);
    assert_int_equal(fwrite(content + SIZE_BYTES, 1, SIZE_BYTES, *state), SIZE_BYTES);
    assert_int_equal(read(SIZE_BYTES, 400), OSC_OK);
    assert_memory_equal(out, content + SIZE_BYTES, 400);
}

static void the_position_of_the_file_does_not_matter(void **state)
{
    assert_int_equal(medium.medium.start(&medium, 48, out, 100), OSC_OK);
    assert_int_equal(fseek(*state, 7, SEEK_SET), 0);
    assert_int_equal(medium.medium.poll(&medium), OSC_OK);
    assert_memory_equal(out, content + 48, 100);
}

static void a_file_that_cannot_be_read_is_an_error(void **state)
{
    (void)state;
    FILE *file = fopen("/dev/null", "wb");
    assert_non_null(file);
    osc_file_medium_init(&medium, file, 0);
    assert_int_equal(read(0, 4), OSC_ERROR_READ);
    fclose(file);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_file, close_file)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_a_short_file_lacks_is_an_error),
        TEST(a_file_that_grows_is_read_on),
        TEST(the_position_of_the_file_does_not_matter),
        TEST(a_file_that_cannot_be_read_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
