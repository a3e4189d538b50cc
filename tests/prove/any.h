/* The input of the drivers for Frama-C: numbers and memory about which nothing is known. */
#ifndef ANY_H
#define ANY_H

#include <__fc_builtin.h>
#include <stdint.h>

#define any_from(low, high) Frama_C_unsigned_int_interval(low, high)
#define any_up_to(high) Frama_C_unsigned_int_interval(0, high)
#define any_word() Frama_C_unsigned_int_interval(0, UINT32_MAX)
#define any_between(low, high) Frama_C_int_interval(low, high)
#define any_number() Frama_C_int_interval(INT32_MIN, INT32_MAX)
#define forget(array) Frama_C_make_unknown((char *)&(array), sizeof(array))

#endif
