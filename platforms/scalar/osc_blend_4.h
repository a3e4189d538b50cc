/* Four lanes are four times one lane, where there are no vectors. To be included behind what blends
 * one. */
#ifndef OSC_BLEND_4_H
#define OSC_BLEND_4_H

/* Four lanes that follow each other in a row. */
static inline void osc_blend_4_rotations(const int32_t *left, const int32_t *right,
                                         const uint32_t *chords_q20, osc_blend blend,
                                         osc_quaternion *out0, osc_quaternion *out1,
                                         osc_quaternion *out2, osc_quaternion *out3)
{
    osc_blend_rotation(left, right, chords_q20[0], blend, out0);
    osc_blend_rotation(left + 4, right + 4, chords_q20[1], blend, out1);
    osc_blend_rotation(left + 8, right + 8, chords_q20[2], blend, out2);
    osc_blend_rotation(left + 12, right + 12, chords_q20[3], blend, out3);
}

static inline void osc_blend_4_vectors(const int32_t *left, const int32_t *right, osc_blend blend,
                                       osc_vector *out0, osc_vector *out1, osc_vector *out2,
                                       osc_vector *out3)
{
    osc_blend_vector(left, right, blend, out0);
    osc_blend_vector(left + 3, right + 3, blend, out1);
    osc_blend_vector(left + 6, right + 6, blend, out2);
    osc_blend_vector(left + 9, right + 9, blend, out3);
}

#endif
