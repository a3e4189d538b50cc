// game.c: the character walks in a window of SDL2
#include "hero.h"
#include "hero_mesh.h"
#include "stage_sdl.h"

static hero_player player;
static hero_pose pose;
static hero_model model;
static hero_skinning skinning;
static stage_joint joints[HERO_JOINT_COUNT];
static stage_vertex vertices[HERO_MESH_VERTICES];
static uint16_t next[HERO_MESH_FACES];
static SDL_Vertex corners[3 * HERO_MESH_FACES];
static const stage_picture picture = {.width = 320, .height = 240};
static stage_work work = {.joints = joints, .vertices = vertices, .next = next};

int main(int argc, char **argv)
{
    (void)argc, (void)argv;
    SDL_Window *window;
    SDL_Renderer *renderer;
    SDL_Init(SDL_INIT_VIDEO);
    SDL_CreateWindowAndRenderer(960, 720, 0, &window, &renderer);
    SDL_RenderSetLogicalSize(renderer, picture.width, picture.height);
    stage_camera camera;
    stage_aim(&camera, &hero_mesh, &picture, 4500); // seen from aside: of 65536, a whole turn
    osc_playback walk;
    hero_player_init(&player, &hero_embedded);
    osc_player_play(&player.player, &walk, HERO_CLIP_WALK, OSC_LOOPS_FOREVER);
    uint32_t shown = SDL_GetTicks(); // milliseconds
    for (SDL_Event event = {0}; event.type != SDL_QUIT; SDL_PollEvent(&event)) {
        uint32_t elapsed = SDL_GetTicks() - shown;
        shown += elapsed;
        osc_player_advance(&player.player, &walk, elapsed * 1000u);
        hero_evaluate(&player, &pose);
        hero_skin_pose(&hero_embedded, &pose, &model, &skinning);
        stage_look(&camera, skinning.joints, HERO_MATRIX_COUNT, HERO_SKIN_BITS, joints);
        stage_skin(&hero_mesh, &camera, &picture, true, &work);
        SDL_SetRenderDrawColor(renderer, 48, 64, 120, SDL_ALPHA_OPAQUE);
        SDL_RenderClear(renderer);
        stage_sdl_draw(renderer, &hero_mesh, true, &work, corners);
        SDL_RenderPresent(renderer);
    }
    SDL_Quit();
    return 0;
}
