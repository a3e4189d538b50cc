/* Rebuilds components of rotations; root_check.c has the edges of rounding. */
#include "port.h"

#define CASES 400u

void check_roots(void)
{
    for (uint32_t kind = 0; kind < ROTATION_KINDS; kind++) {
        uint32_t rebuilt = OSC_HASH_START, roots = OSC_HASH_START;
        for (uint32_t i = 0; i < CASES; i++) {
            osc_quaternion q;
            fill_rotation(&q, kind);
            for (uint32_t k = 0; k < 4u; k++) {
                const int32_t *w = &q.x;
                int32_t kept = osc_rebuild_here_q20(w[k], w[(k + 1u) & 3u], w[(k + 2u) & 3u]);
                rebuilt = hash_words(rebuilt, &kept, 1u);
            }
            int32_t root = (int32_t)osc_root_q20(((uint32_t)q.x ^ (uint32_t)q.w << 8) >> 4);
            roots = hash_words(roots, &root, 1u);
#ifdef OSC_PORT_VECTORS
            /* in each lane what the definition makes of it */
            int32_t lanes[4],
                n[4] = {q.x & 0xfffffff, q.y & 0xfffffff, q.z & 0xfffffff, q.w & 0xfffffff};
            osc_v4_store(lanes, osc_v4_root_q20(osc_v4_load(n)));
            for (uint32_t k = 0; k < 4u; k++)
                if (lanes[k] != (int32_t)osc_root_q20((uint32_t)n[k]))
                    print_line("osc_v4_root_q20 differs in lane ", k);
#endif
        }
        print_hash("osc_rebuild_here_q20", kind, rebuilt);
        print_hash("osc_root_q20", kind, roots);
    }
}
