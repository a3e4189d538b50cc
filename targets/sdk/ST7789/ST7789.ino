// SPDX-License-Identifier: MIT
// ST7789.ino: the character walks on a display with an ST7789 controller
#include <Adafruit_ST7789.h> // of the library "Adafruit ST7735 and ST7789 Library"
#include <SPI.h>
#include <stage.h> // of the library "Ossicle"

#include "src/hero.h" // written by ossicle build, as the other files in src
#include "src/hero_mesh.h"

enum { CS = 10, DC = 9, RESET = 8 }; // pins
enum { COLUMNS = 240, ROWS = 320 }; // of the display
enum { WIDTH = 120, HEIGHT = 160 }; // of the picture, in the middle: 38 KB of RAM
const uint16_t BACKGROUND = 0x320f; // RGB565

Adafruit_ST7789 display(CS, DC, RESET);
hero_player player;
hero_pose pose;
hero_model model;
hero_skinning skinning;
osc_playback walk;
stage_joint joints[HERO_JOINT_COUNT];
stage_vertex vertices[HERO_MESH_VERTICES];
uint16_t next[HERO_MESH_FACES], pixels[WIDTH * HEIGHT];
stage_picture picture;
stage_work work;
stage_camera camera;
uint32_t shown_us;

void setup()
{
    display.init(COLUMNS, ROWS);
    display.fillScreen(BACKGROUND);
    picture.pixels = pixels;
    picture.width = WIDTH;
    picture.height = HEIGHT;
    picture.format = STAGE_RGB565;
    work.joints = joints;
    work.vertices = vertices;
    work.next = next;
    stage_aim(&camera, &hero_mesh, &picture, 4500); // seen from aside: of 65536, a whole turn
    hero_player_init(&player, &hero_embedded);
    osc_player_play(&player.player, &walk, HERO_CLIP_WALK, OSC_LOOPS_FOREVER);
    shown_us = micros();
}

void loop()
{
    uint32_t elapsed_us = micros() - shown_us;
    shown_us += elapsed_us;
    osc_player_advance(&player.player, &walk, elapsed_us);
    hero_evaluate(&player, &pose);
    hero_skin_pose(&hero_embedded, &pose, &model, &skinning);
    stage_look(&camera, skinning.joints, HERO_MATRIX_COUNT, HERO_SKIN_BITS, joints);
    stage_skin(&hero_mesh, &camera, &picture, false, &work);
    stage_clear(&picture, BACKGROUND);
    stage_draw(&hero_mesh, &picture, false, &work);
    display.startWrite();
    display.setAddrWindow((COLUMNS - WIDTH) / 2, (ROWS - HEIGHT) / 2, WIDTH, HEIGHT);
    display.writePixels(pixels, WIDTH * HEIGHT);
    display.endWrite();
}
