/* How the places that a joint's tracks have to hold move with their rows, to first order. */
#include <math.h>
#include <string.h>

#include "chain_state.h"

/* What a limit is of the joint's tolerance, squared; of a pinned joint, which makes up for it, 0.
 */
static double share2(const chain *c, uint32_t joint, double limit)
{
    double share = limit / c->budget->limits[joint].tolerance;
    return share < 1.0 ? share * share : 0.0;
}

uint32_t enc_chain_translation_places(const void *context, uint32_t frame, enc_place *out)
{
    const chain_test *test = context;
    const chain *c = test->chain;
    const enc_matrix *parent = chain_played(c, c->source->skeleton->parents[test->joint], frame);
    const enc_matrix *wanted = chain_source(c, test->joint, frame);
    double scale = 1.0 / chain_limit(c, test->joint, frame, test->origin), place[3];
    chain_transform(parent, c->target + (size_t)frame * 3u, place);
    memset(out, 0, sizeof *out);
    for (int row = 0; row < 3; row++) {
        out->off[row] = (place[row] - wanted->m[row * 4 + 3]) * scale;
        for (int i = 0; i < 3; i++)
            out->by[i][row] = parent->m[row * 4 + i] * scale;
    }
    out->passed_on = share2(c, test->joint, test->origin);
    return 1;
}

uint32_t enc_chain_scale_places(const void *context, uint32_t frame, enc_place *out)
{
    const chain_test *test = context;
    (void)frame; /* the target is the source */
    memset(out, 0, 3u * sizeof *out);
    for (int i = 0; i < 3; i++)
        out[i].by[i][0] = 1.0 / test->scale_limit;
    return 3;
}

/* Where the rotation's places are in the joint's own space, and in the source. */
typedef struct {
    double offset[3], wanted[3];
    double weight; /* how much a turn of the joint uses up of what the place may be off by */
    double limit, passed_on;
} rotation_place;

/* Puts a place among the `room` heaviest. */
static void keep_heaviest(rotation_place *list, uint32_t *count, uint32_t room,
                          const rotation_place *place)
{
    uint32_t at = *count;
    if (at < room) {
        (*count)++;
    } else {
        at = 0;
        for (uint32_t i = 1; i < room; i++)
            at = list[i].weight < list[at].weight ? i : at;
        if (list[at].weight >= place->weight)
            return;
    }
    list[at] = *place;
}

/* The shell's points, and the children or what they carry that are farthest for their limits. */
static uint32_t list_rotation_places(const chain_test *test, uint32_t frame, rotation_place *out)
{
    const chain *c = test->chain;
    const enc_skeleton *skeleton = c->source->skeleton;
    const enc_matrix *here = chain_source(c, test->joint, frame);
    uint32_t count = 3;
    memset(out, 0, 3u * sizeof *out);
    for (int axis = 0; axis < 3; axis++) {
        out[axis].offset[axis] = c->budget->shell_m;
        out[axis].limit = chain_limit(c, test->joint, frame, test->shell);
        for (int row = 0; row < 3; row++)
            out[axis].wanted[row] =
                here->m[row * 4 + 3] + c->budget->shell_m * here->m[row * 4 + axis];
    }
    int32_t k = skeleton->first_child[test->joint];
    for (uint32_t i = 0; k >= 0 || i < c->carried_count;) {
        uint32_t joint = k >= 0 ? (uint32_t)k : c->carried[i].joint;
        const double *offset =
            k >= 0 ? enc_track(c->source, ENC_TRANSLATION, joint) + 3u * (size_t)frame
                   : c->carried[i].offset;
        const enc_matrix *there = chain_source(c, joint, frame);
        rotation_place place = {{offset[0], offset[1], offset[2]},
                                {there->m[3], there->m[7], there->m[11]},
                                0.0,
                                chain_limit(c, joint, frame, c->budget->limits[joint].carried),
                                0.0};
        place.passed_on = share2(c, joint, c->budget->limits[joint].carried);
        place.weight = (offset[0] * offset[0] + offset[1] * offset[1] + offset[2] * offset[2]) /
                       (place.limit * place.limit);
        uint32_t others = count - 3u;
        keep_heaviest(out + 3, &others, ENC_PLACES - 3u, &place);
        count = others + 3u;
        if (k >= 0)
            k = skeleton->next_sibling[k];
        else
            i++;
    }
    return count;
}

static void cross(const double *a, const double *b, double *out)
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

uint32_t enc_chain_rotation_places(const void *context, uint32_t frame, enc_place *out)
{
    const chain_test *test = context;
    const chain *c = test->chain;
    const double *q = c->target + (size_t)frame * 4u;
    const enc_matrix *parent = chain_played(c, c->source->skeleton->parents[test->joint], frame);
    /* the turn per change of each component: twice the vector part of e_j conj(q) */
    const double turn[4][3] = {{2 * q[3], 2 * q[2], -2 * q[1]},
                               {-2 * q[2], 2 * q[3], 2 * q[0]},
                               {2 * q[1], -2 * q[0], 2 * q[3]},
                               {-2 * q[0], -2 * q[1], -2 * q[2]}};
    rotation_place list[ENC_PLACES];
    double translation[3], scale[3];
    enc_matrix local;
    uint32_t count = list_rotation_places(test, frame, list);
    chain_values(c, test->joint, ENC_TRANSLATION, frame, translation);
    chain_values(c, test->joint, ENC_SCALE, frame, scale);
    enc_matrix_local(q, translation, scale, &local);
    for (uint32_t i = 0; i < count; i++) {
        double place[3], model[3], inverse = 1.0 / list[i].limit;
        out[i].passed_on = list[i].passed_on;
        chain_transform(&local, list[i].offset, place);
        chain_transform(parent, place, model);
        for (int row = 0; row < 3; row++) {
            out[i].off[row] = (model[row] - list[i].wanted[row]) * inverse;
            place[row] -= translation[row];
        }
        for (int j = 0; j < 4; j++) {
            double moved[3];
            cross(turn[j], place, moved);
            for (int row = 0; row < 3; row++) {
                const double *m = parent->m + row * 4;
                out[i].by[j][row] = (m[0] * moved[0] + m[1] * moved[1] + m[2] * moved[2]) * inverse;
            }
        }
    }
    return count;
}
