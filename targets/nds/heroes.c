/* SPDX-License-Identifier: MIT */
/* Plays several characters and draws them with the 3D hardware. Compiled with HEROES_MEASURED, it
 * plays that many for half a second, prints the cost of a picture, draws HEROES_SHOWN of them,
 * keeps that picture, and ends. */
#include "character.h"
#include "character_mesh.h"
#include "gx.h"
#include "hal.h"
#include "print.h"

#define COLUMNS 3
#define APART (5 << (GX_BITS - 2u)) /* metres between characters */
#define BACKGROUND 0x3d06u          /* RGB555: a dull blue */
#define FROM_ASIDE 4500             /* of 65536, a whole turn */
#define FRAME_US 16667u
#define PICTURES 30u
#define PHASE_US 370000u /* from one character to the next */

#if !defined(HEROES_SHOWN)
#define HEROES_SHOWN 3u /* the hardware keeps 2,048 triangles and 6,144 vertices of a picture */
#endif
#if defined(HEROES_MEASURED)
#define HEROES HEROES_MEASURED
#else
#define HEROES HEROES_SHOWN
#endif

_Static_assert(CHARACTER_JOINT_COUNT <= GX_MOST_JOINTS, "the 3D hardware has room for 29 joints");
_Static_assert(CHARACTER_SKIN_BITS >= GX_BITS, "the character is larger than 8 m");

static character_player players[HEROES];
static osc_playback playbacks[HEROES];
OSC_HOT_DATA static character_pose pose;
OSC_HOT_DATA static character_model model;
OSC_HOT_DATA static character_skinning skinning;
static uint32_t list[CHARACTER_MESH_FACES * GX_WORDS_OF_A_FACE];

static void check(bool good, const char *why)
{
    if (good)
        return;
    print_text(why);
    hal_exit(1);
}

/* Moves a character on, and computes its skinning matrices. */
OSC_HOT static void play(uint32_t hero, uint32_t elapsed_us)
{
    character_player *player = players + hero;
    (void)osc_player_advance(&player->player, playbacks + hero, elapsed_us);
    character_evaluate(player, &pose);
    (void)character_skin_pose(&character_embedded, &pose, &model, &skinning);
}

OSC_HOT static void draw(uint32_t heroes, uint32_t words)
{
    for (uint32_t i = 0; i < heroes; i++) {
        play(i, FRAME_US);
        gx_place(((int32_t)i % COLUMNS - COLUMNS / 2) * APART, 0, (int32_t)i / COLUMNS * -APART);
        gx_joints(skinning.joints, CHARACTER_MATRIX_COUNT, CHARACTER_SKIN_BITS);
        gx_draw(list, words);
    }
}

static void open_all(void)
{
    const stage_picture picture = {.width = NDS_WIDTH, .height = NDS_HEIGHT};
    stage_camera camera;
    check(character_mesh.bits == GX_BITS, "error: the mesh is larger than 2 m\n");
    for (uint32_t i = 0; i < HEROES; i++) {
        check(character_player_init(players + i, &character_embedded) == OSC_OK &&
                  osc_player_play(&players[i].player, playbacks + i, i % CHARACTER_CLIP_COUNT,
                                  OSC_LOOPS_FOREVER) == OSC_OK,
              "error: a clip does not start\n");
        play(i, i * PHASE_US);
    }
    gx_open(BACKGROUND);
    stage_aim(&camera, &character_mesh, &picture, FROM_ASIDE);
    camera.place[2] += APART / 2;
    gx_camera(&camera);
}

#if defined(HEROES_MEASURED)
static void measure(uint32_t words)
{
    uint32_t sum = 0, worst = 0, poses = 0;
    for (uint32_t picture = 0; picture < PICTURES; picture++) {
        hal_ticks_start();
        for (uint32_t i = 0; i < HEROES_MEASURED; i++)
            play(i, FRAME_US);
        poses += hal_instructions();
        hal_ticks_start();
        draw(HEROES_MEASURED, words);
        uint32_t cost = hal_instructions();
        sum += cost;
        worst = cost > worst ? cost : worst;
        gx_show();
    }
    print_line("words ", words);
    print_line("poses ", poses / PICTURES);
    print_line("whole ", sum / PICTURES);
    print_line("worst ", worst);
}

int main(void)
{
    open_all();
    uint32_t words = gx_list(&character_mesh, list);
    measure(words);
    draw(HEROES_SHOWN, words);
    gx_show();
    gx_keep("heroes");
    return 0;
}
#else
int main(void)
{
    open_all();
    for (uint32_t words = gx_list(&character_mesh, list);;) {
        draw(HEROES, words);
        gx_show();
    }
}
#endif
