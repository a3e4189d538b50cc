#include "raylib.h"
#include <stdio.h>
#include <string.h>

enum { VERTICES = 2, BONES = 2, FRAMES = 3, POSITION_BUFFER = 0, NORMAL_BUFFER = 2 };
/* Half a metre from the bone that moves them: the second one, or both. */
static float positions[3 * VERTICES] = {0, 0.5f, 0, 0, 0.5f, 0},
                           normals[3 * VERTICES] = {0, 1, 0, 0, 0, 1};
static float moved[3 * VERTICES], turned[3 * VERTICES],
    weights[4 * VERTICES] = {1, 0, 0, 0, 0.5f, 0.5f, 0, 0};
static unsigned char bones[4 * VERTICES] = {1, 0, 0, 0, 0, 1, 0, 0};
static Matrix matrices[BONES];
static Mesh mesh = {.vertexCount = VERTICES,
                    .boneCount = BONES,
                    .vertices = positions,
                    .normals = normals,
                    .animVertices = moved,
                    .animNormals = turned,
#if RAYLIB_VERSION_MAJOR < 6
                    .boneIds = bones,
                    .boneMatrices = matrices,
#else
                    .boneIndices = bones,
#endif
                    .boneWeights = weights};
static float buffers[3][3 * VERTICES]; /* in the memory of the GPU */
static int frame;

void InitWindow(int width, int height, const char *title)
{
    (void)width, (void)height, (void)title;
}

void CloseWindow(void)
{
}

void SetTargetFPS(int fps)
{
    (void)fps;
}

bool WindowShouldClose(void)
{
    return frame == FRAMES;
}

float GetFrameTime(void)
{
    return frame == 0 ? 0.0f : 0.125f;
}

Model LoadModel(const char *file)
{
    Model model = {.meshCount = 1, .meshes = &mesh};
    (void)file;
#if RAYLIB_VERSION_MAJOR < 6
    model.boneCount = BONES;
#else
    model.skeleton.boneCount = BONES;
    model.boneMatrices = matrices;
#endif
    return model;
}

void UnloadModel(Model model)
{
    (void)model;
}

void UpdateMeshBuffer(Mesh of, int index, const void *data, int size, int offset)
{
    (void)of;
    memcpy((char *)buffers[index] + offset, data, (size_t)size);
}

void BeginDrawing(void)
{
}

void EndDrawing(void)
{
    frame++;
}

void ClearBackground(Color color)
{
    (void)color;
}

void BeginMode3D(Camera camera)
{
    (void)camera;
}

void EndMode3D(void)
{
}

void DrawModel(Model model, Vector3 position, float scale, Color tint)
{
    (void)model, (void)position, (void)scale, (void)tint;
    for (int vertex = 0; vertex < VERTICES; vertex++) {
        for (int i = 3 * vertex; i < 3 * vertex + 3; i++)
            printf("%.4f ", buffers[POSITION_BUFFER][i]);
        for (int i = 3 * vertex; i < 3 * vertex + 3; i++)
            printf("%.4f ", buffers[NORMAL_BUFFER][i]);
        printf("\n");
    }
}
