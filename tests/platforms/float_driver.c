/* Converts matrices of extreme and odd words, and prints the floats' bits. */
#include "osc_float.h"

#include <stdio.h>
#include <string.h>

static void print_floats(const float *values, int count)
{
    for (int i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        printf("%lu ", (unsigned long)bits);
    }
    printf("\n");
}

int main(void)
{
    const osc_matrix matrix = {{INT32_MIN, INT32_MAX, -1, 0, 1, 1 << 20, -(1 << 19), 16777217,
                                -16777219, 1048577, 3, -2000000001}};
    float small[12], large[16];
    osc_float_3x4(&matrix, small);
    osc_float_4x4(&matrix, large);
    print_floats(small, 12);
    print_floats(large, 16);
    return 0;
}
