/* SPDX-License-Identifier: MIT */
/* The trajectories of clips: for each component, a straight line plus a spline at frames, blended
 * between frames as clips are. */
#include "osc_motion.h"

#include "arithmetic/osc_fixed.h"
#include "bank/osc_section.h"

static const uint32_t *entry_at(const osc_trajectories *trajectories, uint32_t number)
{
    return trajectories->words + 1u + number * OSC_TRAJECTORY_WORDS;
}

static uint32_t clip_of(const uint32_t *entry)
{
    return osc_word(entry[OSC_TRAJECTORY_FORM]) >> OSC_TRAJECTORY_CLIP_SHIFT;
}

static uint32_t parts_of_form(uint32_t form)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < OSC_TRAJECTORY_COMPONENTS; i++)
        count += form >> i & 1u;
    return count;
}

/* Words of the numbers of an entry: end, start, and keys. */
static uint32_t number_words(uint32_t form, uint32_t counts)
{
    uint32_t components = parts_of_form(form), segments = counts & OSC_TRAJECTORY_SEGMENTS_MASK;
    uint32_t keys = segments != 0u ? (segments + OSC_TRAJECTORY_MORE_KEYS) * components : 0u;
    uint32_t key_words = (counts & OSC_TRAJECTORY_WIDE) != 0u ? (keys + 1u) >> 1 : (keys + 3u) >> 2;
    return components * ((counts & OSC_TRAJECTORY_HAS_START) != 0u ? 2u : 1u) + key_words;
}

/* Returns whether a clip has a whole number of frames of its trajectory. */
static bool fits(uint32_t multiple, uint32_t end_q11)
{
    return multiple != 0u && multiple <= 0xffu && end_q11 != 0u && (end_q11 >> 11) % multiple == 0u;
}

static bool check_entry(const osc_trajectories *trajectories, const uint32_t *entry, uint32_t least,
                        uint32_t section_words)
{
    uint32_t form = osc_word(entry[OSC_TRAJECTORY_FORM]), clip = form >> OSC_TRAJECTORY_CLIP_SHIFT;
    uint32_t counts = osc_word(entry[OSC_TRAJECTORY_COUNTS]);
    uint32_t place = osc_word(entry[OSC_TRAJECTORY_PLACE]);
    return clip >= least && clip < trajectories->bank->clip_count && parts_of_form(form) != 0u &&
           (form & OSC_TRAJECTORY_RESERVED_MASK) == 0u &&
           fits(counts >> OSC_TRAJECTORY_MULTIPLE_SHIFT,
                osc_clip_end_q11(trajectories->bank, clip)) &&
           place <= section_words && number_words(form, counts) <= section_words - place;
}

int32_t osc_trajectories_open(osc_trajectories *trajectories, const osc_bank *bank)
{
    OSC_ASSERT(trajectories != 0 && bank != 0);
    osc_words section = osc_section_find(bank, OSC_TAG_TRAJECTORIES);
    trajectories->bank = bank;
    trajectories->words = section.words;
    trajectories->count = 0;
    if (section.words == 0)
        return OSC_ERROR_NOT_FOUND;
    uint32_t count = section.count != 0u ? osc_word(section.words[0]) : ~0u, least = 0;
    if (count > 0xffffu || count * OSC_TRAJECTORY_WORDS > section.count - 1u)
        return OSC_ERROR_SECTION;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *entry = entry_at(trajectories, i);
        if (!check_entry(trajectories, entry, least, section.count))
            return OSC_ERROR_SECTION;
        least = clip_of(entry) + 1u;
    }
    trajectories->count = count;
    return OSC_OK;
}

/* The entry of a clip, or null. */
static const uint32_t *find_entry(const osc_trajectories *trajectories, uint32_t clip)
{
    uint32_t low = 0, high = trajectories->count;
    while (low < high) {
        uint32_t middle = (low + high) >> 1;
        if (clip_of(entry_at(trajectories, middle)) < clip)
            low = middle + 1u;
        else
            high = middle;
    }
    if (low == trajectories->count || clip_of(entry_at(trajectories, low)) != clip)
        return 0;
    return entry_at(trajectories, low);
}

/* Assigns the numbers of an entry to the components that it has; the others are zero. */
static void spread(uint32_t form, const int32_t *numbers, osc_placement *placement)
{
    int32_t *const parts[OSC_TRAJECTORY_COMPONENTS] = {&placement->x, &placement->y, &placement->z,
                                                       &placement->yaw_q24};
    for (uint32_t i = 0; i < OSC_TRAJECTORY_COMPONENTS; i++)
        *parts[i] = (form >> i & 1u) != 0u ? *numbers++ : 0;
}

static void spread_words(uint32_t form, const uint32_t *words, osc_placement *placement)
{
    int32_t *const parts[OSC_TRAJECTORY_COMPONENTS] = {&placement->x, &placement->y, &placement->z,
                                                       &placement->yaw_q24};
    for (uint32_t i = 0; i < OSC_TRAJECTORY_COMPONENTS; i++)
        *parts[i] = (form >> i & 1u) != 0u ? (int32_t)osc_word(*words++) : 0;
}

static int32_t spline_key_at(const uint32_t *keys, uint32_t number, bool wide)
{
    if (wide)
        return (int32_t)(osc_word(keys[number >> 1]) << (16u - 16u * (number & 1u))) >> 16;
    return (int32_t)(osc_word(keys[number >> 2]) << (24u - 8u * (number & 3u))) >> 24;
}

/* end * share, Q32, rounded towards zero. */
static int32_t part_of(int32_t end, uint32_t share_q32)
{
    uint32_t size = end < 0 ? 0u - (uint32_t)end : (uint32_t)end;
    uint32_t part = osc_mulhi_u32(size, share_q32);
    return (int32_t)(end < 0 ? 0u - part : part);
}

/* A Catmull-Rom spline between the middle two of four keys, twice its value. */
static int32_t spline(const int32_t k[4], uint32_t shift, int32_t at_q20)
{
    int32_t cubic = 3 * (k[1] - k[2]) + k[3] - k[0];
    int32_t square = 2 * k[0] - 5 * k[1] + 4 * k[2] - k[3];
    int32_t value = osc_mul_q20(osc_shl(cubic, shift), at_q20);
    value = osc_mul_q20(osc_add(osc_shl(square, shift), value), at_q20);
    value = osc_mul_q20(osc_add(osc_shl(k[2] - k[0], shift), value), at_q20);
    return osc_add(osc_shl(2 * k[1], shift), value);
}

/* Adds each component's offset from its straight line. keys: of all components, interleaved; share:
 * the fraction of the clip that has passed. */
static void add_splines(uint32_t form, uint32_t counts, const uint32_t *keys, uint32_t share_q32,
                        int32_t numbers[OSC_TRAJECTORY_COMPONENTS])
{
    uint32_t segments = counts & OSC_TRAJECTORY_SEGMENTS_MASK, components = parts_of_form(form);
    uint32_t at_q16 = osc_mulhi_u32(share_q32, segments << 16), first = at_q16 >> 16;
    bool wide = (counts & OSC_TRAJECTORY_WIDE) != 0u;
    for (uint32_t i = 0; i < components; i++) {
        bool is_yaw = (form & OSC_TRAJECTORY_YAW) != 0u && i + 1u == components;
        uint32_t at =
            is_yaw ? OSC_TRAJECTORY_YAW_SHIFT_SHIFT : (uint32_t)OSC_TRAJECTORY_SHIFT_SHIFT;
        int32_t k[4];
        for (uint32_t j = 0; j < 4u; j++)
            k[j] = spline_key_at(keys, (first + j) * components + i, wide);
        int32_t twice =
            spline(k, form >> at & OSC_TRAJECTORY_SHIFT_MASK, (int32_t)((at_q16 & 0xffffu) << 4));
        numbers[i] = osc_add(numbers[i], osc_add(twice, 1) >> 1);
    }
}

/* A trajectory, and its length in its own frames. */
typedef struct open_trajectory {
    const uint32_t *words; /* its numbers */
    uint32_t form, counts, inverse, end_q11;
} open_trajectory;

/* The displacement at a frame of the trajectory: zero at its start; at its end, that of the
 * straight line, where the spline is zero. */
static void at_frame(const open_trajectory *trajectory, uint32_t position_q11,
                     int32_t numbers[OSC_TRAJECTORY_COMPONENTS])
{
    uint32_t components = parts_of_form(trajectory->form), share_q32 = 0;
    const uint32_t *keys = trajectory->words + components;
    if ((trajectory->counts & OSC_TRAJECTORY_HAS_START) != 0u)
        keys += components;
    if (position_q11 != 0u && position_q11 < trajectory->end_q11)
        share_q32 = osc_mulhi_u32(position_q11 << osc_leading_zeros(trajectory->end_q11 << 1),
                                  trajectory->inverse)
                    << 2;
    for (uint32_t i = 0; i < OSC_TRAJECTORY_COMPONENTS; i++) {
        int32_t end = i < components ? (int32_t)osc_word(trajectory->words[i]) : 0;
        numbers[i] = position_q11 < trajectory->end_q11 ? part_of(end, share_q32) : end;
    }
    if (share_q32 != 0u && (trajectory->counts & OSC_TRAJECTORY_SEGMENTS_MASK) != 0u)
        add_splines(trajectory->form, trajectory->counts, keys, share_q32, numbers);
}

void osc_trajectory_at(const osc_trajectories *trajectories, uint32_t clip, uint32_t position_q11,
                       osc_placement *moved)
{
    OSC_ASSERT(trajectories != 0 && moved != 0);
    const uint32_t *entry = find_entry(trajectories, clip);
    int32_t left[OSC_TRAJECTORY_COMPONENTS];
    if (entry == 0) {
        spread_words(0, trajectories->words, moved);
        return;
    }
    open_trajectory trajectory;
    trajectory.form = osc_word(entry[OSC_TRAJECTORY_FORM]);
    trajectory.counts = osc_word(entry[OSC_TRAJECTORY_COUNTS]);
    trajectory.inverse = osc_word(entry[OSC_TRAJECTORY_INVERSE]);
    trajectory.words = trajectories->words + osc_word(entry[OSC_TRAJECTORY_PLACE]);
    uint32_t end_q11 = osc_clip_end_q11(trajectories->bank, clip), frame, fraction_q20;
    uint32_t multiple = trajectory.counts >> OSC_TRAJECTORY_MULTIPLE_SHIFT;
    if (position_q11 > end_q11)
        position_q11 = end_q11;
    trajectory.end_q11 = end_q11;
    frame = position_q11 >> 11;
    fraction_q20 = (position_q11 & 2047u) << 9;
    if (multiple != 1u) {
        trajectory.end_q11 = end_q11 / multiple;
        frame = frame / multiple;
        fraction_q20 = ((position_q11 - (frame * multiple << 11)) << 9) / multiple;
    }
    at_frame(&trajectory, frame << 11, left);
    if (fraction_q20 != 0u) {
        int32_t right[OSC_TRAJECTORY_COMPONENTS];
        at_frame(&trajectory, (frame + 1u) << 11, right);
        for (uint32_t i = 0; i < OSC_TRAJECTORY_COMPONENTS; i++)
            left[i] =
                osc_add(left[i], osc_mul_q20(osc_sub(right[i], left[i]), (int32_t)fraction_q20));
    }
    spread(trajectory.form, left, moved);
}

void osc_trajectory_start(const osc_trajectories *trajectories, uint32_t clip, osc_placement *start)
{
    OSC_ASSERT(trajectories != 0 && start != 0);
    const uint32_t *entry = find_entry(trajectories, clip);
    uint32_t form = 0;
    const uint32_t *words = trajectories->words;
    if (entry != 0 && (osc_word(entry[OSC_TRAJECTORY_COUNTS]) & OSC_TRAJECTORY_HAS_START) != 0u) {
        form = osc_word(entry[OSC_TRAJECTORY_FORM]);
        words += osc_word(entry[OSC_TRAJECTORY_PLACE]) + parts_of_form(form);
    }
    spread_words(form, words, start);
}
