/* Mirrors groups of joints about each axis. */
#include "mix/osc_port_mirror.h"
#include "port.h"

#define CASES 16u
#define JOINTS 9u

void check_mirror(void)
{
    /* pairs in any order, then joints that are their own partner; four times their numbers */
    static const uint16_t pairs[] = {4, 20, 32, 8, 12, 16, 0, 0, 28, 28};
    static osc_quaternion rotations[JOINTS];
    static osc_vector vectors[JOINTS];
    for (uint32_t kind = 0; kind < ROTATION_KINDS; kind++) {
        uint32_t hash = OSC_HASH_START;
        for (uint32_t i = 0; i < CASES; i++) {
            osc_mirror_group group = {(uint8_t)(i & 3u), (uint16_t)(i >> 2 & 3u),
                                      (uint16_t)((i >> 1) % 3u)};
            for (uint32_t j = 0; j < JOINTS; j++) {
                fill_rotation(&rotations[j], kind);
                for (int32_t *word = &vectors[j].x; word != &vectors[j].x + 3; word++)
                    *word = next_value(kind);
            }
            osc_mirror_joints(&group, pairs + 2u * (3u - group.pair_count), rotations, vectors);
            hash = hash_words(hash, &rotations[0].x, 4u * JOINTS);
            hash = hash_words(hash, &vectors[0].x, 3u * JOINTS);
        }
        print_hash("osc_mirror_joints", kind, hash);
    }
}
