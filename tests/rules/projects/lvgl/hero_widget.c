// hero_widget.c: a widget of LVGL in which the character walks
#include "hero_widget.h"
#include "hero.h"
#include "hero_mesh.h"
#include "stage_lvgl.h"

enum { WIDTH = 120, HEIGHT = 160 };

static hero_player player;
static hero_pose pose;
static hero_model model;
static hero_skinning skinning;
static osc_playback walk;
static stage_joint joints[HERO_JOINT_COUNT];
static stage_vertex vertices[HERO_MESH_VERTICES];
static uint16_t next[HERO_MESH_FACES];
static LV_ATTRIBUTE_MEM_ALIGN uint16_t pixels[WIDTH * HEIGHT];

static const osc_matrix_q14 *play(void *user, uint32_t elapsed_us)
{
    (void)user;
    osc_player_advance(&player.player, &walk, elapsed_us);
    hero_evaluate(&player, &pose);
    hero_skin_pose(&hero_embedded, &pose, &model, &skinning);
    return skinning.joints;
}

static stage_lvgl hero = {.mesh = &hero_mesh,
                          .play = play,
                          .matrix_count = HERO_MATRIX_COUNT,
                          .skin_bits = HERO_SKIN_BITS,
                          .picture = {.pixels = pixels, .width = WIDTH, .height = HEIGHT},
                          .work = {.joints = joints, .vertices = vertices, .next = next}};

lv_obj_t *hero_widget(lv_obj_t *parent)
{
    hero_player_init(&player, &hero_embedded);
    osc_player_play(&player.player, &walk, HERO_CLIP_WALK, OSC_LOOPS_FOREVER);
    hero.background = lv_color_hex(0x304078);
    stage_aim(&hero.camera, &hero_mesh, &hero.picture,
              4500); // seen from aside: of 65536, a whole turn
    return stage_lvgl_create(parent, &hero, 33);
}
