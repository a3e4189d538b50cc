/* SPDX-License-Identifier: MIT */
/* Shows a character: plays its clips, draws its mesh, and writes above it what that costs. It plays
 * on; buttons choose the clip, its speed and where the camera stands. Compiled with SHOW_TOUR it
 * plays each clip once at a steady rate, keeps every picture, prints the costs and ends.
 * codegen/tools/show.py reads the lines. */
#include "character.h"
#include "character_mesh.h"
#include "hal.h"
#include "print.h"
#include "screen.h"

#define TOUR_STEP_US 33333u /* 30 pictures a second */
#if !defined(TOUR_PICTURES)
#define TOUR_PICTURES 60u /* of a clip, at most */
#endif
#define FROM_ASIDE 4500 /* of 65536, a whole turn */
#define TURN_A_PICTURE 500
#define BACKGROUND 0x3d06u /* RGB555: a dull blue */
#define HOT_VERTICES 512u  /* more leave no room in fast memory */
#define TEXT 15u           /* a colour of the palette that no triangle has */
#define TEXT_COLOUR 0x7fffu
#define FASTEST_Q16 (8 * OSC_ONE_Q16)
#define SLOWEST_Q16 (OSC_ONE_Q16 / 8)

OSC_HOT_DATA static character_player player;
OSC_HOT_DATA static character_pose pose;
OSC_HOT_DATA static character_model model;
OSC_HOT_DATA static character_skinning skinning;
OSC_HOT_DATA static stage_joint joints[CHARACTER_JOINT_COUNT];
#if CHARACTER_MESH_VERTICES > HOT_VERTICES
static stage_vertex vertices[CHARACTER_MESH_VERTICES];
#else
OSC_HOT_DATA static stage_vertex vertices[CHARACTER_MESH_VERTICES];
#endif
static uint16_t next[CHARACTER_MESH_FACES];
OSC_HOT_DATA static stage_work work;
static stage_camera camera;
static osc_playback playback;

/* The cost of a picture, in the unit of hal_unit. */
typedef enum part { ROW, POSE, SKIN, PLACE, DRAW, PARTS } part;
static const char *const part_names[PARTS] = {"row", "pose", "skin", "place", "draw"};
static uint32_t costs[PARTS];

__attribute__((noreturn)) static void stop(const char *why)
{
    print_text(why);
    print_text("\n");
    hal_exit(1);
}

static void open_all(void)
{
    if (character_player_init(&player, &character_embedded) != OSC_OK)
        stop("error: the player does not start");
    uint16_t palette[256] = {BACKGROUND};
    palette[TEXT] = TEXT_COLOUR;
    for (uint32_t colour = 0; colour < character_mesh.colour_count; colour++)
        for (uint32_t shade = 0; shade < STAGE_SHADES; shade++)
            palette[(colour + 1u) * STAGE_SHADES + shade] = character_mesh.ramps[colour][shade];
    screen_open(palette, 256);
    work.joints = joints;
    work.vertices = vertices;
    work.next = next;
    stage_aim(&camera, &character_mesh, screen_picture(), FROM_ASIDE);
}

static void start(uint32_t clip, uint32_t loops)
{
    if (osc_player_play(&player.player, &playback, clip, loops) != OSC_OK)
        stop("error: a clip does not start");
}

static void begin(void)
{
    hal_ticks_start();
}

static void end(part of)
{
    costs[of] = hal_instructions();
}

/* A colour as stage_put takes it. number: its place in a palette. */
static uint32_t pixel_of(const stage_picture *picture, uint32_t number, uint16_t rgb555)
{
    return picture->format == STAGE_PALETTE ? number : stage_colour(picture->format, rgb555);
}

/* In the middle of the first line. */
static void write_name(const stage_picture *picture, const char *name, uint32_t pixel)
{
    uint32_t length = 0;
    while (name[length] != 0)
        length++;
    uint32_t half = length * STAGE_LETTER_WIDTH / 2u, middle = picture->width / 2u;
    (void)stage_write(picture, middle > half ? middle - half : 0, STAGE_LINE_HEIGHT, name, pixel);
}

/* Draws the picture of a clip after a time. */
static void draw(uint32_t clip, uint32_t elapsed_us)
{
    const stage_picture *picture = screen_picture();
    begin();
    (void)osc_player_advance(&player.player, &playback, elapsed_us);
    end(ROW);
    begin();
    character_evaluate(&player, &pose);
    end(POSE);
    begin();
    if (character_skin_pose(&character_embedded, &pose, &model, &skinning) != OSC_OK)
        stop("error: the bank has other matrices");
    end(SKIN);
    begin();
    stage_look(&camera, skinning.joints, CHARACTER_MATRIX_COUNT, CHARACTER_SKIN_BITS, joints);
    stage_skin(&character_mesh, &camera, picture, false, &work);
    end(PLACE);
    begin();
    screen_clear((uint16_t)pixel_of(picture, 0, BACKGROUND));
    (void)stage_draw(&character_mesh, picture, false, &work);
    end(DRAW);
    write_name(picture, character_clip_names[clip], pixel_of(picture, TEXT, TEXT_COLOUR));
}

#if defined(SHOW_TOUR)
/* "<clip>-<picture>", the picture with three digits. */
static void keep(uint32_t clip, uint32_t picture)
{
    char name[] = "00-000";
    name[0] = (char)('0' + clip / 10u % 10u);
    name[1] = (char)('0' + clip % 10u);
    name[3] = (char)('0' + picture / 100u);
    name[4] = (char)('0' + picture / 10u % 10u);
    name[5] = (char)('0' + picture % 10u);
    screen_show();
    screen_keep(name);
}

static void tour(uint32_t clip)
{
    uint32_t sums[PARTS] = {0}, pictures = 0, most = 0;
    for (start(clip, 1);
         pictures < TOUR_PICTURES && (pictures == 0u || !osc_playback_finished(&playback));
         pictures++) {
        uint32_t whole = 0;
        draw(clip, pictures == 0u ? 0u : TOUR_STEP_US);
        for (uint32_t i = 0; i < PARTS; i++) {
            sums[i] += costs[i];
            whole += costs[i];
        }
        most = whole > most ? whole : most;
        keep(clip, pictures);
    }
    print_line("clip ", clip);
    print_line("pictures ", pictures);
    for (uint32_t i = 0; i < PARTS; i++) {
        print_text(part_names[i]);
        print_line(" ", sums[i] / pictures);
    }
    print_line("worst ", most);
}

int main(void)
{
    open_all();
    print_text("unit ");
    print_text(hal_unit);
    print_text("\n");
    for (uint32_t clip = 0; clip < CHARACTER_CLIP_COUNT; clip++)
        tour(clip);
    return 0;
}

#else
/* Decimal digits before `end`; returns where they begin. */
static char *digits(char *end, uint32_t number)
{
    *--end = 0;
    do
        *--end = (char)('0' + number % 10u);
    while ((number /= 10u) != 0u);
    return end;
}

/* The thousands of cycles of each part, and pictures a second. */
static void overlay(uint32_t elapsed_us)
{
    const stage_picture *picture = screen_picture();
    uint32_t y = picture->height - 2u * STAGE_LINE_HEIGHT, x = STAGE_LETTER_WIDTH;
    const uint32_t pixel = pixel_of(picture, TEXT, TEXT_COLOUR);
    char text[12];
    for (uint32_t i = 0; i < PARTS; i++) {
        x = stage_write(picture, x, y, part_names[i], pixel) + STAGE_LETTER_WIDTH;
        x = stage_write(picture, x, y, digits(text + sizeof text, costs[i] / 1000u), pixel);
        x = stage_write(picture, x, y, "k  ", pixel);
    }
    x = stage_write(picture, x, y, "fps ", pixel);
    (void)stage_write(picture, x, y, digits(text + sizeof text, 1000000u / (elapsed_us | 1u)),
                      pixel);
}

static uint32_t after(uint32_t clip, uint32_t buttons)
{
    if ((buttons & SCREEN_NEXT) != 0u)
        return clip + 1u == CHARACTER_CLIP_COUNT ? 0 : clip + 1u;
    if ((buttons & SCREEN_PREVIOUS) != 0u)
        return clip == 0u ? CHARACTER_CLIP_COUNT - 1u : clip - 1u;
    return clip;
}

int main(void)
{
    uint32_t clip = 0;
    int32_t angle = FROM_ASIDE;
    open_all();
    start(clip, OSC_LOOPS_FOREVER);
    (void)screen_elapsed_us();
    for (uint32_t elapsed_us = 0;; elapsed_us = screen_elapsed_us()) {
        draw(clip, elapsed_us);
        overlay(elapsed_us);
        screen_show();
        uint32_t buttons = screen_buttons(), chosen = after(clip, buttons);
        if (chosen != clip)
            start(clip = chosen, OSC_LOOPS_FOREVER);
        if ((buttons & SCREEN_FASTER) != 0u && playback.speed_q16 < FASTEST_Q16)
            playback.speed_q16 *= 2;
        if ((buttons & SCREEN_SLOWER) != 0u && playback.speed_q16 > SLOWEST_Q16)
            playback.speed_q16 /= 2;
        if ((buttons & (SCREEN_LEFT | SCREEN_RIGHT)) != 0u) {
            angle += (buttons & SCREEN_LEFT) != 0u ? TURN_A_PICTURE : -TURN_A_PICTURE;
            stage_aim(&camera, &character_mesh, screen_picture(), angle);
        }
    }
}
#endif
