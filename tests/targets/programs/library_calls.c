/* Every library function that compilers call in runtime and generated code without being asked. */
#include <string.h>

static volatile int a = 7, b = 3;
static volatile unsigned c = 9u, d = 4u;

int main(void)
{
    unsigned char from[8] = {(unsigned char)a}, to[8];
    memcpy(to, from, (size_t)b);
    memmove(to, to + 1, (size_t)b);
    memset(from, b, (size_t)b);
    return a / b + a % b + (int)(c / d + c % d) + memcmp(from, to, (size_t)b);
}
