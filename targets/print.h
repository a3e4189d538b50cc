/* SPDX-License-Identifier: MIT */
/* Lines of text and numbers for test programs: small, where printf needs kilobytes. */
#ifndef PRINT_H
#define PRINT_H

#include <stdint.h>

void print_text(const char *text);
void print_number(uint32_t number);
void print_hex(uint32_t number); /* eight digits */

/* "<label><number>\n", the shape of most lines */
void print_line(const char *label, uint32_t number);

#endif
