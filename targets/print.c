/* SPDX-License-Identifier: MIT */
#include "print.h"

#include "hal.h"

void print_text(const char *text)
{
    hal_write(text);
}

void print_number(uint32_t number)
{
    char digits[11];
    char *first = digits + sizeof digits - 1;
    *first = '\0';
    do {
        *--first = (char)('0' + number % 10u);
        number /= 10u;
    } while (number != 0u);
    hal_write(first);
}

void print_hex(uint32_t number)
{
    char digits[9];
    for (int i = 0; i < 8; i++, number <<= 4)
        digits[i] = "0123456789abcdef"[number >> 28];
    digits[8] = '\0';
    hal_write(digits);
}

void print_line(const char *label, uint32_t number)
{
    print_text(label);
    print_number(number);
    print_text("\n");
}
