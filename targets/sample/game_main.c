/* SPDX-License-Identifier: MIT */
/* The sample as a game on a screen: the pad moves the character, which the stage draws. */
#include "game_input.h"
#include "game_scene.h"
#include "hal.h"
#include "hero_mesh.h" /* written by `ossicle mesh` */
#include "print.h"
#include "screen.h"

#define SKY 0x3d06u /* RGB555: a dull blue */
#define DOT 0x56d2u
#define SHADOW 0x2484u
#define LIGHT 0x2bdfu
enum {
    SKY_NUMBER,
    DOT_NUMBER,
    SHADOW_NUMBER,
    LIGHT_NUMBER,
    FIRST_RAMP = STAGE_SHADES
}; /* of the palette */

static sample game;
static hero_model work_model;
OSC_HOT_DATA static hero_skinning skinning;
OSC_HOT_DATA static stage_joint joints[HERO_JOINT_COUNT];
OSC_HOT_DATA static stage_vertex vertices[HERO_MESH_VERTICES];
static uint16_t next[HERO_MESH_FACES];
OSC_HOT_DATA static stage_work work;
static stage_camera camera;

/* At what the character looks: a lamp, 1.5 m high. */
static const osc_vector lamp = {5 * OSC_ONE_Q20 / 2, 3 * OSC_ONE_Q20 / 2, 2 * OSC_ONE_Q20};

static void open_screen(void)
{
    uint16_t palette[256] = {SKY, DOT, SHADOW, LIGHT};
    for (uint32_t colour = 0; colour < hero_mesh.colour_count; colour++)
        for (uint32_t shade = 0; shade < STAGE_SHADES; shade++)
            palette[FIRST_RAMP + colour * STAGE_SHADES + shade] = hero_mesh.ramps[colour][shade];
    screen_open(palette, 256);
    work.joints = joints;
    work.vertices = vertices;
    work.next = next;
}

/* A colour as stage_put takes it. */
static uint32_t pixel_of(const stage_picture *picture, uint32_t number, uint16_t rgb555)
{
    return picture->format == STAGE_PALETTE ? number : stage_colour(picture->format, rgb555);
}

static void draw(void)
{
    const stage_picture *picture = screen_picture();
    const osc_placement *place = &game.hero.now.graph.place;
    (void)hero_skin_pose(&hero_embedded, &game.hero.pose, &work_model, &skinning);
    scene_follow(&camera, picture, place);
    screen_clear((uint16_t)pixel_of(picture, SKY_NUMBER, SKY));
    scene_ground(&camera, picture, place, pixel_of(picture, DOT_NUMBER, DOT),
                 pixel_of(picture, SHADOW_NUMBER, SHADOW));
    scene_lamp(&camera, picture, place, &lamp, pixel_of(picture, LIGHT_NUMBER, LIGHT));
    stage_look(&camera, skinning.joints, HERO_MATRIX_COUNT, HERO_SKIN_BITS, joints);
    stage_skin(&hero_mesh, &camera, picture, false, &work);
    (void)stage_draw(&hero_mesh, picture, false, &work);
}

int main(void)
{
    uint32_t ticks = 1, buttons = 0;
    if (hero_graph_start(&game.hero, &hero_embedded) != OSC_OK) {
        print_text("error: the game does not start\n");
        hal_exit(1);
    }
    game.hero.set.look = lamp;
    for (open_screen();; buttons = game_show(&game, &ticks)) {
        sample_step(&game, buttons, ticks);
        draw();
    }
}
