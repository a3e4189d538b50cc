/* osc_bank_load looked at the magic through a misaligned pointer before osc_bank_open refused it.
 */
#include "ossicle.h"

#include <string.h>

static size_t read_header(void *context, size_t offset_bytes, void *destination, size_t size_bytes)
{
    static const unsigned char header[20] = {'O', 'S', 'S', 'B', 1, 0, 0, 0, 20};
    (void)context;
    if (offset_bytes + size_bytes > sizeof header)
        return 0;
    memcpy(destination, header + offset_bytes, size_bytes);
    return size_bytes;
}

int main(void)
{
    static uint32_t room[16];
    unsigned char *odd = (unsigned char *)room + 1;
    const osc_source source = {read_header, 0};
    osc_bank bank;
    uint32_t *words;
    memcpy(&words, &(unsigned char *){odd}, sizeof words);
    return osc_bank_load(&bank, &source, words, 40) == OSC_ERROR_ALIGNMENT ? 0 : 1;
}
