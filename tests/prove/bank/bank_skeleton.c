/* The skeleton section: every number of joints up to JOINTS with all else free, and sections of
 * other lengths than their joints take. */
#include "bank.h"

enum { JOINTS = 40, SHORT = 40, FEW = 6 };
enum { MOST_WORDS = 2 + JOINTS / 2 + 10 * JOINTS + 3 * 2 };

static uint32_t words[MOST_WORDS];

/* A section of `count` words that end with their memory. */
static void open(uint32_t count, uint32_t counts, uint32_t flags)
{
    osc_section skeleton = {words + (MOST_WORDS - count), count};
    osc_bank bank;
    forget(words);
    if (count > OSC_SKELETON_COUNTS)
        words[MOST_WORDS - count + OSC_SKELETON_COUNTS] = counts;
    if (count > OSC_SKELETON_FLAGS)
        words[MOST_WORDS - count + OSC_SKELETON_FLAGS] = flags;
    (void)open_skeleton(&bank, skeleton);
}

static uint32_t any_state(void)
{
    return any_up_to(0xffffffu) << OSC_SKELETON_STATE_SHIFT;
}

static void open_of_joints(uint32_t joints, uint32_t scale)
{
    uint32_t bind = (scale != 0u ? 10u : 7u) * joints;
    uint32_t count = 2u + (joints + 1u) / 2u + bind + 3u * ((joints + 31u) / 32u);
    open(count, joints | any_up_to(UINT16_MAX) << 16, scale | any_state());
}

/* FEW joints take more than SHORT words. */
static void open_short(uint32_t count, uint32_t scale)
{
    for (uint32_t joints = 0; joints < FEW; joints++)
        open(count, joints | any_up_to(UINT16_MAX) << 16, scale | any_state());
    open(count, any_from(FEW, UINT16_MAX), scale | any_state());
}

void prove_skeleton(void)
{
    for (uint32_t scale = 0; scale < 2u; scale++) {
        for (uint32_t joints = 1; joints <= JOINTS; joints++)
            open_of_joints(joints, scale);
        for (uint32_t count = 0; count <= SHORT; count++)
            open_short(count, scale);
    }
    /*@ loop unroll 256; */
    for (uint32_t flags = 2; flags < 256u; flags++)
        open(MOST_WORDS, any_word(), flags | any_state());
}
