// main.c: the 3D hardware of a Nintendo DS moves and draws the character
#include "hero.h"
#include "hero_mesh.h"
#include <nds.h>
#include <string.h>

enum { CAMERA = 30, FRAME_US = 16715 }; // the matrices of joints are below that of the camera
_Static_assert(HERO_MATRIX_COUNT <= CAMERA, "the hardware has room for 30 joints");

static hero_player player;
static hero_pose pose;
static hero_model model;
static hero_skinning skinning;
static uint8_t joint_of[HERO_MESH_VERTICES]; // that with the largest weight

static void open(void)
{
    uint32_t vertex = 0;
    for (uint32_t run = 0; run < hero_mesh.run_count; run++)
        for (uint32_t i = 0; i < hero_mesh.runs[run].count; i++)
            joint_of[vertex++] = hero_mesh.runs[run].joint;
    for (const stage_blend *blend = hero_mesh.blends; vertex < HERO_MESH_VERTICES; blend++)
        joint_of[vertex++] = blend->joints[0];
    videoSetMode(MODE_0_3D);
    glInit();
    glClearColor(6, 8, 15, 31);
    glClearDepth(GL_MAX_DEPTH);
    glViewport(0, 0, 255, 191);
    glMatrixMode(GL_PROJECTION);
    glLoadIdentity();
    gluPerspective(40, 256.0 / 192.0, 0.5, 16);
    glMatrixMode(GL_MODELVIEW);
    glLoadIdentity();
    glLight(0, RGB15(31, 31, 31), floattov10(-0.3), floattov10(-0.6), floattov10(-0.7));
    gluLookAt(1.2, 1.2, 2.8, 0, 0.9, 0, 0, 1, 0);
    glStoreMatrix(CAMERA);
}

static void send_joints(void)
{
    const int unit =
        1 << (24 - hero_mesh.bits); // of positions, in 20.12: 4.12 reads them as 2^-12 m
    for (int joint = 0; joint < (int)HERO_MATRIX_COUNT; joint++) {
        m4x3 matrix; // 20.12 by columns, as the hardware reads it
        memcpy(&matrix, &skinning.joints[joint], sizeof matrix);
        glRestoreMatrix(CAMERA);
        glMultMatrix4x3(&matrix);
        glScalef32(unit, unit, unit);
        glStoreMatrix(joint);
    }
}

static void draw_face(const stage_face *face)
{
    const uint16_t *ramp = hero_mesh.ramps[face->colour - 1];
    const int8_t *normal = face->normal;
    glMaterialf(GL_AMBIENT, ramp[0]);
    glMaterialf(GL_DIFFUSE, ramp[STAGE_SHADES - 1] - ramp[0]);
    glRestoreMatrix(face->joint);
    glNormal(NORMAL_PACK(normal[0] * 4, normal[1] * 4, normal[2] * 4));
    for (int i = 0; i < 3; i++) {
        const int16_t *position = hero_mesh.positions[face->corners[i]];
        glRestoreMatrix(joint_of[face->corners[i]]);
        glVertex3v16(position[0], position[1], position[2]);
    }
}

int main(void)
{
    osc_playback walk;
    open();
    hero_player_init(&player, &hero_embedded);
    osc_player_play(&player.player, &walk, HERO_CLIP_WALK, OSC_LOOPS_FOREVER);
    for (;; swiWaitForVBlank()) {
        osc_player_advance(&player.player, &walk, FRAME_US);
        hero_evaluate(&player, &pose);
        hero_skin_pose(&hero_embedded, &pose, &model, &skinning);
        send_joints();
        glPolyFmt(POLY_ALPHA(31) | POLY_CULL_BACK | POLY_FORMAT_LIGHT0);
        glBegin(GL_TRIANGLES);
        for (uint32_t i = 0; i < HERO_MESH_FACES; i++)
            draw_face(&hero_mesh.faces[i]);
        glFlush(0);
    }
}
