/* Reads rows of decimal numbers from text, such as the motion of a BVH file. */
#include <stdbool.h>

#include "encoder.h"

#define MOST_DIGITS 19u                /* of a number; 64 bits hold any of them */
#define MOST_EXACT ((uint64_t)1 << 53) /* integers up to this are doubles */
#define MOST_POWER 22                  /* powers of ten up to this are doubles */
#define MOST_MAGNITUDE 1e12            /* larger numbers in files are errors */
#define MOST_EXPONENT 1000             /* larger exponents are not read */

static const double powers[MOST_POWER + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                              1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                              1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Reads a sign. Returns whether it is a minus. The text ends with a line feed. */
static bool take_minus(const char **at)
{
    bool minus = **at == '-';
    *at += minus || **at == '+';
    return minus;
}

/* Reads the exponent of a number, if there is one, and adds it to *power. */
static bool take_exponent(const char **at, int32_t *power)
{
    if (**at != 'e' && **at != 'E')
        return true;
    (*at)++;
    bool minus = take_minus(at), any = false;
    int32_t exponent = 0;
    for (; is_digit(**at) && exponent < MOST_EXPONENT; (*at)++, any = true)
        exponent = 10 * exponent + (**at - '0');
    *power += minus ? -exponent : exponent;
    return any && exponent < MOST_EXPONENT;
}

/* Adds digits to a number, and returns how many there are. */
static size_t take_digits(const char **at, uint64_t *digits)
{
    const char *first = *at;
    for (; is_digit(**at); (*at)++)
        *digits = 10u * *digits + (uint64_t)(**at - '0');
    return (size_t)(*at - first);
}

/* Reads a number of few digits, whose double is the exact quotient or product of two doubles,
 * rounded once. Returns false for other numbers and text. */
static bool take_number(const char **at, double *number)
{
    bool minus = take_minus(at);
    uint64_t digits = 0;
    size_t count = take_digits(at, &digits), decimals = 0;
    if (**at == '.') {
        (*at)++;
        decimals = take_digits(at, &digits);
    }
    if (count + decimals == 0u || count + decimals > MOST_DIGITS || digits > MOST_EXACT)
        return false;
    int32_t power = -(int32_t)decimals;
    if (!take_exponent(at, &power) || power < -MOST_POWER || power > MOST_POWER)
        return false;
    double magnitude = (double)digits;
    magnitude = power < 0 ? magnitude / powers[-power] : magnitude * powers[power];
    *number = minus ? -magnitude : magnitude;
    return magnitude <= MOST_MAGNITUDE;
}

static void skip_blanks(const char **at)
{
    while (**at == ' ' || **at == '\t')
        (*at)++;
}

/* Reads a line of exactly `width` numbers, and the end of the line. */
static bool take_row(const char **at, uint32_t width, double *row)
{
    for (uint32_t i = 0; i < width; i++) {
        const char *before = *at;
        skip_blanks(at);
        if ((i != 0u && *at == before) || !take_number(at, &row[i]))
            return false;
    }
    skip_blanks(at);
    *at += **at == '\r';
    return *(*at)++ == '\n';
}

size_t enc_read_rows(const char *text, size_t size, uint32_t width, uint32_t capacity, double *rows,
                     uint32_t *row_count)
{
    const char *at = text;
    size_t read = 0;
    while (size != 0u && text[size - 1u] != '\n') /* every loop ends at a line feed */
        size--;
    for (*row_count = 0; *row_count < capacity && read < size; ++*row_count, rows += width) {
        if (!take_row(&at, width, rows))
            break;
        read = (size_t)(at - text);
    }
    return read;
}
