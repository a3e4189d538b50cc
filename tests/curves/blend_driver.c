/* Blends, mixes and composes poses with curves. Prints rows of every curve, in Q20:
 * of clip 0 and clip 1 at frame 5; blended by 3/8; blended so with a mask of a set, which leaves
 * curves out, and with one of `curve:smile`; then the tick after a switch from 0 to 1, and the end
 * of its transition. The generic functions and shared rows must agree. */
#include "hero.h"
#include "osc_crowd.h"
#include "osc_mix.h"

#include <stdio.h>
#include <string.h>

#define AT_Q11 (5 * OSC_ONE_Q11)
#define WEIGHT_Q15 (3 * OSC_ONE_Q15 / 8)
#define FADE_US 200000u

static hero_player players[2], unpacking;
static hero_pose poses[2], result, generic;
static uint32_t transition_memory[HERO_TRANSITION_WORDS];
static int32_t shared_memory[4096];

static void print(const char *what, const hero_pose *pose)
{
    printf("%s", what);
    for (uint32_t curve = 0; curve < HERO_CURVE_COUNT; curve++)
        printf(" %d", (int)hero_curve_q20(pose, curve));
    printf("\n");
}

static bool blend(const char *what, const uint16_t *mask)
{
    osc_pose to = hero_pose_view(&generic), with = hero_pose_view(&poses[1]);
    result = generic = poses[0];
    hero_mix_blend(&result, &poses[1], WEIGHT_Q15, mask);
    osc_mix_blend(&hero_embedded, &to, &with, WEIGHT_Q15, mask);
    print(what, &result);
    return memcmp(&result, &generic, sizeof result) == 0;
}

static bool is_shared(uint32_t clip)
{
    osc_shared_rows rows;
    if (osc_shared_rows_fill(&rows, &unpacking.player, clip, OSC_PLAY_ONCE, shared_memory,
                             sizeof shared_memory / sizeof *shared_memory) < 0)
        return false;
    hero_shared_evaluate(&rows, AT_Q11, &result);
    return memcmp(&result, &poses[clip], sizeof result) == 0;
}

static bool switches(void)
{
    osc_transition transition;
    osc_pose view = hero_pose_view(&result);
    if (osc_transition_init(&transition, &hero_embedded, transition_memory,
                            sizeof transition_memory / sizeof *transition_memory) != OSC_OK)
        return false;
    result = poses[0];
    (void)osc_transition_apply(&transition, &view, 10000);
    result = poses[1];
    osc_transition_begin(&transition, &view, FADE_US);
    (void)osc_transition_apply(&transition, &view, 0);
    print("switched", &result);
    result = poses[1];
    (void)osc_transition_apply(&transition, &view, FADE_US);
    print("faded", &result);
    return true;
}

int main(void)
{
    if (hero_player_init(&unpacking, &hero_embedded) != OSC_OK)
        return 1;
    for (uint32_t clip = 0; clip < 2; clip++) {
        if (hero_player_init(&players[clip], &hero_embedded) != OSC_OK ||
            osc_player_start(&players[clip].player, clip, OSC_PLAY_ONCE) != OSC_OK ||
            osc_player_seek_q11(&players[clip].player, AT_Q11) < 0)
            return 1;
        hero_evaluate(&players[clip], &poses[clip]);
        if (!is_shared(clip))
            return 2;
    }
    print("first", &poses[0]);
    print("second", &poses[1]);
    if (!blend("blended", 0) || !blend("body", hero_mask_body) || !blend("smile", hero_mask_smile))
        return 3;
    if (!switches())
        return 4;
    for (uint32_t curve = 0; curve < HERO_CURVE_COUNT; curve++)
        printf("%s\n", hero_curve_names[curve]);
    return 0;
}
