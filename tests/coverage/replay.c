/* Plays every bank named on the command line through a libFuzzer target, where there is no
 * libFuzzer: with gcc, and on other machines. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

/* The target's own mutator refers to it; nothing calls that here. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size)
{
    (void)data, (void)size, (void)max_size;
    abort();
}

int main(int count, char **names)
{
    static uint8_t bytes[1u << 20];
    for (int i = 1; i < count; i++) {
        FILE *file = fopen(names[i], "rb");
        size_t size = file != NULL ? fread(bytes, 1, sizeof bytes, file) : 0u;
        if (size == 0u || size == sizeof bytes) {
            fprintf(stderr, "%s: cannot be read, or is too long\n", names[i]);
            return 1;
        }
        fclose(file);
        (void)LLVMFuzzerTestOneInput(bytes, size);
    }
    return count > 1 ? 0 : 1;
}
