/* Lets a test call the stage: reads numbers from standard input, and writes what it asks for as
 * numbers.
 *
 *   reciprocal N value...        for each: result, shift
 *   place BITS turn[9] translation[3] focal x y z     the vertex of a mesh of one run: x, y, z
 *   blend BITS count { turn[9] translation[3] weight }... focal x y z
 *   camera ANGLE WIDTH HEIGHT low[3] high[3]          a mesh with 14 bits: turn, place, focal
 *   light light[3] turn[9] normal[3]                  as the joint sees the light: x, y, z, shade
 *   faces FORMAT SMOOTH DEPTHS WIDTH HEIGHT vertices { x y z shade }... faces { a b c colour
 * normal[3] }... the halfwords of the picture */
#include "stage.h"
#include "stage_divide.h"
#include "stage_light.h"

#include <stdio.h>
#include <string.h>

enum { MOST_PIXELS = 64 * 64, MOST = 256 };

static const stage_camera ahead = {
    {16384, 0, 0, 0, 16384, 0, 0, 0, 16384}, {0, 0, -256}, {0, 0, 0}, 0};
static uint16_t ramps[15][STAGE_SHADES];

static int32_t number(void)
{
    long value = 0;
    return scanf("%ld", &value) == 1 ? (int32_t)value : 0;
}

static void read_matrix(osc_matrix_q14 *matrix)
{
    memset(matrix, 0, sizeof *matrix);
    for (int i = 0; i < 9; i++)
        matrix->turn[i] = (int16_t)number();
    for (int i = 0; i < 3; i++)
        matrix->translation[i] = number();
}

static void reciprocals(void)
{
    for (int32_t count = number(); count > 0; count--) {
        int32_t shift;
        uint32_t result = stage_reciprocal((uint32_t)number(), &shift);
        printf("%u %d\n", (unsigned)result, (int)shift);
    }
}

/* The light of a camera that looks ahead, in the space of a joint, and on a normal. */
static void light(void)
{
    stage_camera camera = ahead;
    osc_matrix_q14 matrix = {{0}, 0, {0, 0, 0}};
    stage_joint joint;
    int8_t normal[3];
    for (int i = 0; i < 3; i++)
        camera.light[i] = (int16_t)number();
    for (int i = 0; i < 9; i++)
        matrix.turn[i] = (int16_t)number();
    for (int i = 0; i < 3; i++)
        normal[i] = (int8_t)number();
    stage_look(&camera, &matrix, 1, 14, &joint);
    printf("%d %d %d %d\n", joint.light[0], joint.light[1], joint.light[2],
           stage_shade(normal, joint.light));
}

/* One vertex of one joint, or of several. */
static void place(bool blended)
{
    stage_joint joints[4];
    stage_blend blend = {{0, 1, 2, 3}, {0, 0, 0, 0}};
    stage_run run = {1, 0};
    stage_mesh mesh = {1, 1, 0, 0, 0, {0, 0, 0}, {0, 0, 0}, 0, 0, &run, &blend, 0, 0};
    mesh.bits = (uint8_t)number();
    int32_t count = blended ? number() : 1;
    for (int32_t i = 0; i < count; i++) {
        read_matrix(&joints[i].to_view);
        if (blended)
            blend.weights[i] = (uint8_t)number();
    }
    mesh.run_count = blended ? 0 : 1;
    stage_camera camera = ahead;
    camera.focal = (uint16_t)number();
    int16_t position[1][3] = {{(int16_t)number(), (int16_t)number(), (int16_t)number()}};
    mesh.positions = (const int16_t(*)[3])position;
    stage_vertex vertex;
    stage_work work = {joints, &vertex, 0, {0}};
    stage_picture picture = {0, 0, 240, 160, STAGE_RGB555};
    stage_skin(&mesh, &camera, &picture, false, &work);
    printf("%d %d %d\n", vertex.x, vertex.y, vertex.z);
}

static void camera(void)
{
    stage_mesh mesh = {0, 0, 0, 14, 0, {0, 0, 0}, {0, 0, 0}, 0, 0, 0, 0, 0, 0};
    int32_t angle = number();
    stage_picture picture = {0, 0, 0, 0, STAGE_RGB555};
    picture.width = (uint16_t)number();
    picture.height = (uint16_t)number();
    for (int i = 0; i < 3; i++)
        mesh.low[i] = (int16_t)number();
    for (int i = 0; i < 3; i++)
        mesh.high[i] = (int16_t)number();
    stage_camera made;
    stage_aim(&made, &mesh, &picture, angle);
    for (int i = 0; i < 9; i++)
        printf("%d ", made.turn[i]);
    printf("%d %d %d %d\n", (int)made.place[0], (int)made.place[1], (int)made.place[2], made.focal);
}

static void faces(void)
{
    static uint16_t pixels[MOST_PIXELS], depths[MOST_PIXELS], next[MOST];
    static stage_vertex vertices[MOST];
    static stage_face listed[MOST];
    stage_joint joint = {{{16384, 0, 0, 0, 16384, 0, 0, 0, 16384}, 0, {0, 0, 0}}, {0, 0, -256}};
    stage_format format = (stage_format)number();
    bool smooth = number() != 0, deep = number() != 0;
    stage_picture picture = {pixels, deep ? depths : 0, 0, 0, format};
    picture.width = (uint16_t)number();
    picture.height = (uint16_t)number();
    stage_mesh mesh = {0,
                       0,
                       0,
                       14,
                       15,
                       {0, 0, 0},
                       {0, 0, 0},
                       0,
                       0,
                       0,
                       0,
                       listed,
                       (const uint16_t(*)[STAGE_SHADES])ramps};
    mesh.vertex_count = (uint16_t)number();
    for (stage_vertex *one = vertices; one != vertices + mesh.vertex_count; one++) {
        one->x = (int16_t)number();
        one->y = (int16_t)number();
        one->z = (uint16_t)number();
        one->shade = (int16_t)number();
    }
    mesh.face_count = (uint16_t)number();
    for (stage_face *one = listed; one != listed + mesh.face_count; one++) {
        for (int i = 0; i < 3; i++)
            one->corners[i] = (uint16_t)number();
        one->colour = (uint8_t)number();
        for (int i = 0; i < 3; i++)
            one->normal[i] = (int8_t)number();
    }
    stage_work work = {&joint, vertices, next, {0}};
    stage_clear(&picture, 0);
    (void)stage_draw(&mesh, &picture, smooth, &work);
    uint32_t pixels_there = (uint32_t)picture.width * picture.height;
    for (uint32_t i = 0; i < (format == STAGE_PALETTE ? pixels_there / 2u : pixels_there); i++)
        printf("%u\n", pixels[i]);
}

int main(void)
{
    char what[16];
    for (uint32_t colour = 0; colour < 15u; colour++)
        for (uint32_t shade = 0; shade < STAGE_SHADES; shade++)
            ramps[colour][shade] = (uint16_t)((colour + 1u) << 10 | shade << 5 | (colour ^ shade));
    while (scanf("%15s", what) == 1) {
        if (strcmp(what, "reciprocal") == 0)
            reciprocals();
        else if (strcmp(what, "faces") == 0)
            faces();
        else if (strcmp(what, "camera") == 0)
            camera();
        else if (strcmp(what, "light") == 0)
            light();
        else
            place(strcmp(what, "blend") == 0);
    }
    return 0;
}
