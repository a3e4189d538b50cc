/* SPDX-License-Identifier: MIT */
/* Commands of the geometry engine. A word holds up to four commands; their parameters follow it. */
#include "gx.h"

#define REGISTER(address) (*(volatile uint32_t *)(address))
#define DISPCNT REGISTER(0x04000000u)
#define DISP3DCNT REGISTER(0x04000060u)
#define DISPCAPCNT REGISTER(0x04000064u)
#define VCOUNT (*(volatile uint16_t *)0x04000006u)
#define VRAMCNT_A (*(volatile uint8_t *)0x04000240u)
#define VRAM_A ((const uint16_t *)0x06800000u)
#define DMA_FROM REGISTER(0x040000b0u)
#define DMA_TO REGISTER(0x040000b4u)
#define DMA_CONTROL REGISTER(0x040000b8u)
#define POWCNT1 REGISTER(0x04000304u)
#define CLEAR_COLOUR REGISTER(0x04000350u)
#define CLEAR_DEPTH REGISTER(0x04000354u)
#define GXFIFO_ADDRESS 0x04000400u
#define GXFIFO REGISTER(GXFIFO_ADDRESS)

#define POWER 0x820fu    /* both displays, 2D and 3D */
#define SHOW_3D 0x10108u /* mode 0, in which the 3D picture is background 0 */
#define OPAQUE 0x1f0000u /* of CLEAR_COLOUR and POLYGON_ATTR */
#define FARTHEST 0x7fffu
#define LCD 0x80u               /* of VRAMCNT: at the address of VRAM_A */
#define DMA_OF_FIFO 0xbc400000u /* words to one address, whenever the FIFO is half empty */
#define DMA_ON 0x80000000u
#define CAPTURE 0x81300000u /* the 3D picture, 256 x 192, to video memory A */
#define LINE_BYTES 32u      /* of the cache */

enum command {
    MTX_MODE = 0x10,
    MTX_STORE = 0x13,
    MTX_RESTORE = 0x14,
    MTX_IDENTITY = 0x15,
    MTX_LOAD_4X4 = 0x16,
    MTX_LOAD_4X3 = 0x17,
    MTX_MULT_4X3 = 0x19,
    MTX_TRANS = 0x1c,
    NORMAL = 0x21,
    VTX_16 = 0x23,
    VTX_XY = 0x25,
    VTX_XZ = 0x26,
    VTX_YZ = 0x27,
    VTX_DIFF = 0x28,
    POLYGON_ATTR = 0x29,
    DIF_AMB = 0x30,
    SPE_EMI = 0x31,
    LIGHT_VECTOR = 0x32,
    LIGHT_COLOUR = 0x33,
    BEGIN_VTXS = 0x40,
    SWAP_BUFFERS = 0x50,
    VIEWPORT = 0x60
};
#define PROJECTION 0u /* matrix modes */
#define POSITION_AND_VECTOR 2u
#define TRIANGLES 0u
#define FRONT_IN_LIGHT_0 (0x81u | OPAQUE) /* what faces the camera */
#define WHITE 0x7fffu
/* Indices of the matrix stack; joint n has index n. */
#define PLACE 29u
#define CAMERA 30u

/* The hardware's numbers have 12 bits of fraction, these have GX_BITS: its unit is 25 cm. */
#define NEAR (1 << (GX_BITS - 1u))
#define FAR (32 << GX_BITS)

/* A display list that is being written. */
typedef struct writer {
    uint32_t *next, *commands; /* commands: the word for the next command */
    uint32_t count;            /* of commands in that word */
} writer;

static void put(writer *list, enum command number)
{
    if (list->count == 4u) {
        list->commands = list->next++;
        *list->commands = 0;
        list->count = 0;
    }
    *list->commands |= (uint32_t)number << (8u * list->count++);
}

static void put_with(writer *list, enum command number, uint32_t parameter)
{
    put(list, number);
    *list->next++ = parameter;
}

/* Three numbers of ten bits. */
static uint32_t tens(int32_t x, int32_t y, int32_t z)
{
    return ((uint32_t)x & 0x3ffu) | ((uint32_t)y & 0x3ffu) << 10 | ((uint32_t)z & 0x3ffu) << 20;
}

/* The darkest shade of a ramp has ambient light only, the brightest one has all of the light. */
static uint32_t material(const uint16_t ramp[STAGE_SHADES])
{
    uint32_t ambient = ramp[0], diffuse = 0;
    for (uint32_t shift = 0; shift < 15u; shift += 5u)
        diffuse |= (((uint32_t)ramp[STAGE_SHADES - 1u] >> shift & 31u) - (ambient >> shift & 31u))
                   << shift;
    return diffuse | ambient << 16;
}

static uint32_t joint_of(const stage_mesh *mesh, uint32_t vertex)
{
    uint32_t first = 0;
    for (const stage_run *run = mesh->runs; run != mesh->runs + mesh->run_count; run++) {
        first += run->count;
        if (vertex < first)
            return run->joint;
    }
    return mesh->blends[vertex - first].joints[0];
}

/* Two numbers of sixteen bits. */
static uint32_t pair(int32_t low, int32_t high)
{
    return ((uint32_t)low & 0xffffu) | (uint32_t)high << 16;
}

static bool is_small(int32_t difference)
{
    return difference >= -512 && difference < 512;
}

/* The shortest command for a position. last: the position before, may be null. VTX_16 has two
 * parameters, the others one. */
static enum command command_for(const int16_t *at, const int16_t *last)
{
    if (last == 0)
        return VTX_16;
    int32_t x = at[0] - last[0], y = at[1] - last[1], z = at[2] - last[2];
    if (is_small(x) && is_small(y) && is_small(z))
        return VTX_DIFF;
    return x == 0 ? VTX_YZ : y == 0 ? VTX_XZ : z == 0 ? VTX_XY : VTX_16;
}

/* The state of the hardware: the current matrix and the last position, null if it is unknown. */
typedef struct sent {
    uint32_t joint;
    const int16_t *at;
} sent;

static void use_joint(writer *list, uint32_t joint, sent *last)
{
    if (joint != last->joint)
        put_with(list, MTX_RESTORE, joint);
    last->joint = joint;
}

static void write_vertex(writer *list, const int16_t *at, sent *last)
{
    enum command shortest = command_for(at, last->at);
    if (shortest == VTX_DIFF)
        put_with(list, VTX_DIFF,
                 tens(at[0] - last->at[0], at[1] - last->at[1], at[2] - last->at[2]));
    else
        put_with(list, shortest,
                 pair(at[shortest == VTX_YZ ? 1 : 0],
                      at[shortest == VTX_XZ || shortest == VTX_YZ ? 2 : 1]));
    if (shortest == VTX_16)
        *list->next++ = pair(at[2], 0);
    last->at = at;
}

/* The corner to start with for the fewest words. */
static uint32_t first_corner(const stage_mesh *mesh, const stage_face *face, const int16_t *last)
{
    uint32_t best = 0, fewest = ~0u;
    for (uint32_t first = 0; first < 3u; first++) {
        const int16_t *before = last;
        uint32_t words = 0;
        for (uint32_t i = first; i < first + 3u; i++) {
            const int16_t *at = mesh->positions[face->corners[i % 3u]];
            words += command_for(at, before) == VTX_16 ? 2u : 1u;
            before = at;
        }
        if (words < fewest) {
            fewest = words;
            best = first;
        }
    }
    return best;
}

static void write_face(writer *list, const stage_mesh *mesh, const stage_face *face, sent *last)
{
    use_joint(list, face->joint, last);
    put_with(list, NORMAL, tens(face->normal[0] * 4, face->normal[1] * 4, face->normal[2] * 4));
    uint32_t first = first_corner(mesh, face, last->at);
    for (uint32_t i = first; i < first + 3u; i++) {
        uint32_t vertex = face->corners[i % 3u];
        use_joint(list, joint_of(mesh, vertex), last);
        write_vertex(list, mesh->positions[vertex], last);
    }
}

/* Writes cached words back to memory, which the DMA reads. */
static void write_back(const uint32_t *words, uint32_t count)
{
    uintptr_t end = (uintptr_t)(words + count);
    for (uintptr_t line = (uintptr_t)words & ~(LINE_BYTES - 1u); line < end; line += LINE_BYTES)
        __asm__ volatile("mcr p15, 0, %0, c7, c10, 1" : : "r"(line) : "memory");
    __asm__ volatile("mcr p15, 0, %0, c7, c10, 4" : : "r"(0) : "memory");
}

uint32_t gx_list(const stage_mesh *mesh, uint32_t *words)
{
    writer list = {words + 1, words, 0};
    sent last = {PLACE, 0};
    uint32_t colour = 0;
    *words = 0;
    put_with(&list, POLYGON_ATTR, FRONT_IN_LIGHT_0);
    put_with(&list, BEGIN_VTXS, TRIANGLES);
    for (uint32_t joint = 0; joint < GX_MOST_JOINTS; joint++)
        for (uint32_t i = 0; i < mesh->face_count; i++) {
            const stage_face *face = mesh->faces + i;
            if (face->joint != joint)
                continue;
            if (face->colour != colour)
                put_with(&list, DIF_AMB, material(mesh->ramps[face->colour - 1u]));
            colour = face->colour;
            write_face(&list, mesh, face, &last);
        }
    uint32_t count = (uint32_t)(list.next - words);
    write_back(words, count);
    return count;
}

static void send(enum command number, const int32_t *parameters, uint32_t count)
{
    GXFIFO = number;
    for (uint32_t i = 0; i < count; i++)
        GXFIFO = (uint32_t)parameters[i];
}

static void send_one(enum command number, uint32_t parameter)
{
    GXFIFO = number;
    GXFIFO = parameter;
}

/* Sends a matrix in 20.12, by columns. down: bits of the translation to drop. */
static STAGE_INLINE void send_matrix(const osc_matrix_q14 *matrix, uint32_t down)
{
    const int16_t *m = matrix->turn;
    for (uint32_t column = 0; column < 3u; column++) {
        GXFIFO = (uint32_t)(m[column] >> 2);
        GXFIFO = (uint32_t)(m[3u + column] >> 2);
        GXFIFO = (uint32_t)(m[6u + column] >> 2);
    }
    for (uint32_t row = 0; row < 3u; row++)
        GXFIFO = (uint32_t)(matrix->translation[row] >> down);
}

static void await_list(void)
{
    while ((DMA_CONTROL & DMA_ON) != 0u)
        continue;
}

static void await_picture(void)
{
    while (VCOUNT >= NDS_HEIGHT)
        continue;
    while (VCOUNT < NDS_HEIGHT)
        continue;
}

void gx_open(uint16_t background)
{
    POWCNT1 = POWER;
    DISPCNT = SHOW_3D;
    DISP3DCNT = 0;
    CLEAR_COLOUR = background | OPAQUE;
    CLEAR_DEPTH = FARTHEST;
    send_one(VIEWPORT, (NDS_WIDTH - 1u) << 16 | (NDS_HEIGHT - 1u) << 24);
    send_one(SPE_EMI, 0);
}

void gx_camera(const stage_camera *camera)
{
    int32_t projection[16] = {0};
    projection[0] = (camera->focal << 12) / (int32_t)(NDS_WIDTH / 2u);
    projection[5] = (camera->focal << 12) / (int32_t)(NDS_HEIGHT / 2u);
    projection[10] = (int32_t)(((int64_t)(FAR + NEAR) << 12) / (FAR - NEAR));
    projection[11] = 1 << 12;
    projection[14] = (int32_t)(-2 * (int64_t)FAR * NEAR / (FAR - NEAR));
    osc_matrix_q14 view = {{0}, 0, {0}};
    for (uint32_t i = 0; i < 9u; i++)
        view.turn[i] = camera->turn[i];
    for (uint32_t i = 0; i < 3u; i++)
        view.translation[i] = camera->place[i];
    await_list();
    send_one(MTX_MODE, PROJECTION);
    send(MTX_LOAD_4X4, projection, 16);
    send_one(MTX_MODE, POSITION_AND_VECTOR);
    GXFIFO = MTX_IDENTITY;
    send_one(LIGHT_VECTOR,
             tens(-2 * camera->light[0], -2 * camera->light[1], -2 * camera->light[2]));
    send_one(LIGHT_COLOUR, WHITE);
    GXFIFO = MTX_LOAD_4X3;
    send_matrix(&view, 0);
    send_one(MTX_STORE, CAMERA);
}

void gx_place(int32_t x, int32_t y, int32_t z)
{
    await_list();
    send_one(MTX_RESTORE, CAMERA);
    send(MTX_TRANS, (const int32_t[]){x, y, z}, 3);
    send_one(MTX_STORE, PLACE);
}

OSC_HOT void gx_joints(const osc_matrix_q14 *skinning, uint32_t count, uint32_t bits)
{
    await_list();
    for (uint32_t joint = 0; joint < count; joint++, skinning++) {
        GXFIFO = MTX_RESTORE | MTX_MULT_4X3 << 8 | MTX_STORE << 16;
        GXFIFO = PLACE;
        send_matrix(skinning, bits - GX_BITS);
        GXFIFO = joint;
    }
}

void gx_draw(const uint32_t *words, uint32_t count)
{
    await_list();
    DMA_FROM = (uint32_t)words;
    DMA_TO = GXFIFO_ADDRESS;
    DMA_CONTROL = DMA_OF_FIFO | count;
}

void gx_show(void)
{
    await_list();
    send_one(SWAP_BUFFERS, 0);
    await_picture();
}

void gx_keep(const char *name)
{
    VRAMCNT_A = LCD;
    await_picture(); /* the hardware draws a picture while it is displayed */
    DISPCAPCNT = CAPTURE;
    while ((DISPCAPCNT & CAPTURE) == CAPTURE)
        await_picture();
    nds_keep(VRAM_A, name);
}
