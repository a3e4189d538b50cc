/* Counts the rows that players unpack. */
#ifndef ROW_COUNTER_H
#define ROW_COUNTER_H

#include "ossicle.h"

/* Since the test set it to 0. */
extern uint32_t rows_unpacked;

/* Makes the codecs of an open bank count. */
void count_rows(osc_bank *bank);

#endif
