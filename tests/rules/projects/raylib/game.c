// game.c: the character walks in a window of raylib
#include "hero.h"
#include "osc_raylib.h"

int main(void)
{
    static hero_player player;
    static hero_pose pose;
    static hero_model joints, skinning;
    osc_playback walk;
    Camera camera = {{2, 1.5f, 3}, {0, 0.9f, 0}, {0, 1, 0}, 45, CAMERA_PERSPECTIVE};
    InitWindow(640, 480, "hero");
    Model model = LoadModel("hero.glb");
    hero_player_init(&player, &hero_embedded);
    osc_player_play(&player.player, &walk, HERO_CLIP_WALK, OSC_LOOPS_FOREVER);
    for (SetTargetFPS(60); !WindowShouldClose();) {
        osc_player_advance(&player.player, &walk, (uint32_t)(GetFrameTime() * 1e6f));
        hero_evaluate(&player, &pose);
        hero_skin_pose(&hero_embedded, &pose, &joints, &skinning);
        osc_raylib_pose(model, skinning.joints, hero_skin_joints);
        BeginDrawing();
        ClearBackground(RAYWHITE);
        BeginMode3D(camera);
        DrawModel(model, (Vector3){0, 0, 0}, 1, WHITE);
        EndMode3D();
        EndDrawing();
    }
    UnloadModel(model);
    CloseWindow();
    return 0;
}
