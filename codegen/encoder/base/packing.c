#include "base/packing.h"

#include <math.h>
#include <string.h>

#define MIN_ROOM 0.2     /* below this the rebuilt component amplifies the steps too much */
#define SLACK_FLOOR 1.0  /* changes smaller than this part of the slack cost nothing */
#define TURN_FACTOR 1.05 /* a packing that turns has longer headers and takes more instructions */

/* A track in one of three orientations. Each serves four packings, which drop one component
 * each. */
typedef struct {
    double least[4];             /* smallest size of each component; 0 if it changes its sign */
    double change2[4], size2[4]; /* sums of squares: of second differences and of components */
} packing_measure;

static void measure_packings(const double *track, uint32_t frame_count, const uint8_t *breaks,
                             uint32_t packing, packing_measure *out)
{
    double one[4] = {0.0}, two[4] = {0.0}, here[4];
    memset(out, 0, sizeof *out);
    for (uint32_t f = 0; f < frame_count; f++) {
        enc_packing_turn_back(track + (size_t)f * 4u, packing, here);
        for (uint32_t i = 0; i < 4u; i++) {
            bool crosses = f > 0u && breaks[f] == 0 && here[i] * one[i] < 0.0;
            double size = crosses ? 0.0 : fabs(here[i]);
            out->least[i] = f == 0u || size < out->least[i] ? size : out->least[i];
            out->size2[i] += here[i] * here[i];
            double change = f > 1u ? here[i] - 2.0 * one[i] + two[i] : 0.0;
            out->change2[i] += change * change;
        }
        memcpy(two, f > 0u ? one : here, sizeof two);
        memcpy(one, here, sizeof one);
    }
}

/* The change of the coded components, as a volume: the product of their root mean square second
 * differences, divided by the size of the dropped component, which scales both the changes and the
 * permitted errors. The volume is smallest if the components are least dependent on each other. */
static double volume_of(const packing_measure *measure, uint32_t frame_count, uint32_t dropped,
                        double floor)
{
    double volume = 1.0;
    for (uint32_t i = 0; i < 4u; i++)
        if (i != dropped)
            volume *= sqrt(measure->change2[i] / frame_count) + floor;
    return volume / sqrt(measure->size2[dropped] / frame_count);
}

uint32_t enc_best_packing(const double *track, uint32_t frame_count, const uint8_t *breaks,
                          uint32_t packings, double slack, double *room)
{
    uint32_t best = 0;
    double least = HUGE_VAL;
    packing_measure measure;
    *room = 0.0;
    for (uint32_t packing = 0; packing < packings; packing++) {
        uint32_t dropped = packing & 3u;
        if (dropped == 0u)
            measure_packings(track, frame_count, breaks, packing, &measure);
        if (measure.least[dropped] < MIN_ROOM)
            continue;
        double volume = volume_of(&measure, frame_count, dropped, SLACK_FLOOR * slack) *
                        (packing < ENC_PLAIN_PACKINGS ? 1.0 : TURN_FACTOR);
        if (volume < least) {
            least = volume;
            *room = measure.least[dropped];
            best = packing;
        }
    }
    return best;
}

uint32_t enc_packing_of(const enc_fit *fit, uint32_t four, uint32_t vector)
{
    double room;
    if (fit->kind != ENC_ROTATION)
        return vector;
    uint32_t packing = enc_best_packing(fit->target, fit->frame_count, fit->breaks,
                                        ENC_TURNED_PACKINGS, fit->slack, &room);
    return room > 0.0 ? packing : four;
}
