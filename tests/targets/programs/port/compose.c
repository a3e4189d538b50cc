/* Composes pseudo-random rotations and matrices of several sizes. */
#include "port.h"

#define CASES 64u
#define BITS_LEAST 8u /* of fraction, in the translations of small matrices */
#define BITS_MOST 18u

static void fill(int32_t *words, uint32_t count, uint32_t kind)
{
    for (uint32_t i = 0; i < count; i++)
        words[i] = next_value(kind);
}

static uint32_t hash_of_small(uint32_t hash, const osc_matrix_q14 *small)
{
    int32_t values[9 + 1 + 3];
    for (uint32_t k = 0; k < 9u; k++)
        values[k] = small->turn[k];
    values[9] = small->unused;
    for (uint32_t k = 0; k < 3u; k++)
        values[10u + k] = small->translation[k];
    return hash_words(hash, values, 13u);
}

void check_compose(void)
{
    static osc_quaternion rotation;
    static osc_vector translation, scale;
    static osc_matrix parent, local, out;
    static osc_matrix_q14 small;
    static const osc_quaternion at_rest = {0, 0, 0, OSC_ONE_Q20};
    for (uint32_t kind = 0; kind < 3u; kind++) {
        uint32_t turned = OSC_HASH_START, scaled = OSC_HASH_START, product = OSC_HASH_START;
        uint32_t in_place = OSC_HASH_START, child = OSC_HASH_START;
        uint32_t scaled_child = OSC_HASH_START, skin = OSC_HASH_START;
        uint32_t small_child = OSC_HASH_START, small_scaled_child = OSC_HASH_START;
        uint32_t offset = OSC_HASH_START, rest = OSC_HASH_START;
        for (uint32_t i = 0; i < CASES; i++) {
            fill(&rotation.x, 4u, kind);
            fill(&translation.x, 3u, kind);
            fill(&scale.x, 3u, kind);
            fill(parent.m, 12u, kind);
            osc_local_matrix(&rotation, &translation, 0, &local);
            turned = hash_words(turned, local.m, 12u);
            osc_local_matrix(&rotation, &translation, &scale, &local);
            scaled = hash_words(scaled, local.m, 12u);
            fill(local.m, 12u, kind);
            osc_matrix_product(&parent, &local, &out);
            product = hash_words(product, out.m, 12u);
            osc_child_matrix(&rotation, &translation, 0, &parent, &out);
            child = hash_words(child, out.m, 12u);
            osc_child_matrix(&rotation, &translation, &scale, &parent, &out);
            scaled_child = hash_words(scaled_child, out.m, 12u);
            uint32_t bits = BITS_LEAST + i % (BITS_MOST - BITS_LEAST + 1u);
            osc_child_matrix_q14(&rotation, &translation, 0, bits, &parent, &out);
            small_child = hash_words(small_child, out.m, 12u);
            osc_child_matrix_q14(&rotation, &translation, &scale, bits, &parent, &out);
            small_scaled_child = hash_words(small_scaled_child, out.m, 12u);
            osc_skin_matrix_q14(&parent, &local, bits, &small);
            skin = hash_of_small(skin, &small);
            small.unused = 1;
            const int32_t move[3] = {osc_half_up(local.m[3], 20u - bits),
                                     osc_half_up(local.m[7], 20u - bits),
                                     osc_half_up(local.m[11], 20u - bits)};
            osc_skin_offset_q14(&parent, move, &small);
            offset = hash_of_small(offset, &small);
            osc_child_matrix_q14(&at_rest, &translation, 0, bits, &parent, &out);
            rest = hash_words(rest, out.m, 12u);
            osc_matrix_product(&parent, &local, &parent);
            in_place = hash_words(in_place, parent.m, 12u);
        }
        print_hash("osc_local_matrix", kind, turned);
        print_hash("osc_local_matrix with a scale", kind, scaled);
        print_hash("osc_matrix_product", kind, product);
        print_hash("osc_matrix_product in place", kind, in_place);
        print_hash("osc_child_matrix", kind, child);
        print_hash("osc_child_matrix with a scale", kind, scaled_child);
        print_hash("osc_child_matrix_q14", kind, small_child);
        print_hash("osc_child_matrix_q14 with a scale", kind, small_scaled_child);
        print_hash("osc_skin_matrix_q14", kind, skin);
        print_hash("osc_skin_offset_q14", kind, offset);
        print_hash("osc_child_matrix_q14 at rest", kind, rest);
    }
}
