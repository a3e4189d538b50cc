/* Composition, in both number formats: any numbers. */
#include "any.h"
#include "port/osc_port.h"

static osc_quaternion rotation;
static osc_vector translation, scale;
static osc_matrix parent, local, product;

static void forget_all(void)
{
    forget(rotation);
    forget(translation);
    forget(scale);
    forget(parent);
    forget(local);
}

void prove_compose(void)
{
    forget_all();
    osc_local_matrix(&rotation, &translation, 0, &product);
    osc_local_matrix(&rotation, &translation, &scale, &product);
    osc_matrix_product(&parent, &local, &product);
    osc_child_matrix(&rotation, &translation, &scale, &parent, &product);
    osc_matrix_product(&parent, &local, &parent);
}

void prove_compose_q14(void)
{
    osc_matrix_q14 skin;
    for (uint32_t bits = 8; bits <= 18u; bits++) {
        forget_all();
        osc_local_matrix_q14(&rotation, &translation, 0, bits, &product);
        osc_local_matrix_q14(&rotation, &translation, &scale, bits, &product);
        osc_matrix_product_q14(&parent, &local, &product);
        osc_skin_matrix_q14(&parent, &local, bits, &skin);
        osc_skin_offset_q14(&parent, local.m, &skin);
    }
}
