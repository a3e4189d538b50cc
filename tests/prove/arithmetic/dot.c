/* Sums of products of machines without a long product: any numbers. */
#include "any.h"
#include "arithmetic/osc_dot.c"

enum { MATRIX = 9, STEPS = 4 };

void prove_dot(void)
{
    int32_t matrix[MATRIX], b[3];
    forget(matrix);
    forget(b);
    (void)osc_product_q30(any_number(), any_number());
    (void)osc_dot2_q30(any_number(), any_number(), any_number(), any_number());
    for (uint32_t step = 1; step <= STEPS; step++)
        (void)osc_dot3_q30(matrix + MATRIX - 1u - 2u * step, step, b);
    (void)osc_dot4_q30(any_number(), any_number(), any_number(), any_number(), any_number(),
                       any_number(), any_number(), any_number());
    (void)osc_squares_q30(any_number(), any_number(), any_number());
    (void)osc_squares_q20(any_number(), any_number(), any_number());
}
